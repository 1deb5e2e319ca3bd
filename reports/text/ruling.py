"""A play told as a ruling: who did what by which clause, who has priority, the stack, and why it decides.

In: a `Play`. Out: rich renderables, which `page` prints in colour or plainly. What did not change is not repeated.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...models.words import join_words
from ..plays.play import Barred, Denial, Finding, Moment, Pile, Play, Window

_STYLES = {"A": "cyan", "B": "magenta", "C": "green", "D": "yellow", "the rules": "dim", "the cards": "blue"}
_DECIDED = {"breaks": "bold red", "shows": "bold green", "stops": "bold"}
_ENDS = {"lifo": ", top first", "fifo": ", front first"}
_WHY = {"breaks": "Why it breaks", "shows": "Why this is a witness", "stops": "What holds"}


def render_ruling(play: Play) -> Group:
    """Return the moves of *play*, then why its last moment decides."""
    parts: list[RenderableType] = []
    if play.spotlights:
        said = join_words([f"{name} is {words}" for name, words in play.spotlights])
        parts += [Text(f"Here {said}."), Text("")]
    parts.append(_moves(play))
    if play.findings:
        parts += [Text(""), _findings(play)]
    for denial in play.denials:
        parts += [Text(""), *_denial(denial)]
    return Group(*parts)


def player_style(mover: str) -> str:
    """Return the colour of a mover."""
    return _STYLES.get(mover, "bold")


# ------------------------------------------------------------------ the moves


def _moves(play: Play) -> Table:
    """Return the moves: number, mover, clause, and under the clause's title what happens."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True, style="dim")
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    before: Moment | None = None
    for moment in play.moments:
        if play.round and moment.number == play.round[0]:
            table.add_row("", "", "", Text("Round and round from here:" if play.growth is None else "Again and again from here:", "red"))
        words = Group(*_moment(moment, before))
        mover = Text(moment.mover, player_style(moment.mover)) if before else Text("start", "dim")
        table.add_row(str(moment.number), mover, moment.clause, words)
        before = moment
    if play.conclusion:
        style = _DECIDED[play.ending]
        table.add_row(Text(">>>", style), "", "", Text(play.conclusion, style))
    return table


def _moment(moment: Moment, before: Moment | None) -> Iterator[Text]:
    """Yield the lines of one moment."""
    if before is None:
        yield Text(f"{moment.active}'s turn{f', {moment.step}' if moment.step else ''}.")
    else:
        yield Text(moment.title or "(no title)", "bold")
    if happened := " ".join((*moment.choices, *moment.events)):
        yield Text(happened)
    for change in moment.changes:
        yield Text(f"{change.subject}: {change.before} → {change.after}", "dim")
    if moment.over:
        yield Text("The game is over.")
    elif moment.priority_changed or before is None or before.stage != moment.stage:
        yield _priority(moment)
    elif moment.decided:
        yield Text(f"This is because {_because(moment)}.", "italic")
    for pile in moment.piles:
        if pile.zone in moment.changed_piles:
            yield pile_line(pile)


def _priority(moment: Moment) -> Text:
    """Return who has priority, or that nobody has and where the game is."""
    if not moment.priority:
        because = f", because {_because(moment)}" if moment.decided else ""
        return Text(f"Nobody has priority: {moment.stage_title}{because}.")
    line = Text()
    for number, player in enumerate(moment.priority):
        line.append(" and " if number else "").append(player, player_style(player))
    line.append(" have priority" if len(moment.priority) > 1 else " has priority")
    return line.append(f", because {_because(moment)}." if moment.decided else ".")


def _because(moment: Moment) -> str:
    """Return the conditions that were decisive, as a part of a sentence."""
    return ", and ".join(moment.decided)


def pile_line(pile: Pile) -> Text:
    """Return a zone as one line, the item that leaves next first."""
    order = _ENDS.get(pile.order, "") if len(pile.cards) > 1 else ""
    line = Text(f"{pile.zone}{order}: ", "dim")
    for number, card in enumerate(pile.cards):
        line.append("; " if number else "").append(card.label, "bold underline not dim" if card.spotlight else "not dim")
        if card.spotlight:
            line.append(f" ({card.spotlight})", "not dim")
    return line if pile.cards else line.append("empty", "not dim")


# ------------------------------------------------------------------ why


def _findings(play: Play) -> Group:
    """Return the parts of the formula that decide, each with whether it holds."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in play.findings:
        table.add_row(Text("  yes" if finding.holds else "  no", "green" if finding.holds else "red"), _finding(finding))
    when = f"at move {play.moments[-1].number}" if play.round is None else "round after round"
    heading = Text(f"{_WHY[play.ending]}, {when}:", "bold")
    return Group(heading, table)


def _finding(finding: Finding) -> Text:
    at = f" (at move {finding.moment})" if finding.moment else " (at the start)" if finding.moment == 0 else ""
    return Text(f"{finding.text}{at}")


def _denial(denial: Denial) -> Iterator[RenderableType]:
    """Yield why a player had no window: who had priority instead, and what stood against the player."""
    about = f" for {denial.subject}" if denial.subject else ""
    yield Text(f"Why {denial.player} had no window{about}:", "bold")
    if not denial.windows:
        yield Text(f"  It all happens within move {denial.first}: there is no moment between.")
    else:
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for window in denial.windows:
            table.add_row(f"  after {window.moment}", _holders(window), _by(window))
        yield table
    for barred in denial.barred:
        yield Padding(_barred(barred, denial.player), (0, 0, 0, 2))


def _holders(window: Window) -> Text:
    if not window.holders:
        return Text("nobody has priority", "dim")
    verb = "has" if len(window.holders) == 1 else "have"
    return Text(f"{join_words(window.holders)} {verb} priority", player_style(window.holders[0]))


def _by(window: Window) -> Text:
    return Text(f"by {window.clause} {window.title}") if window.clause else Text("from the start")


def _barred(barred: Barred, player: str) -> Text:
    clause = f"{barred.clause} {barred.title}".strip()
    return Text(f"{player} would have been next by {clause} (move {barred.moment}), but {join_words(barred.because)}.")
