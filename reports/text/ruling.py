"""A play told as a ruling: who did what by which clause, and why it decides its question.

In: a `Play`. Out: rich renderables, which `page` prints in colour or plainly. What did not change
is not repeated.

Why a play decides its question: the parts of the formula, what made the rules go on as they did,
and who had no window.

In: a `Play`. Out: rich renderables. Moves are named by their numbers, which the ruling above has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...models.words import counted, join_words
from ..plays.passages import Passage, passages_of
from ..plays.play import Barred, Denial, Finding, Ground, Moment, Pile, Play, Spared
from .page import columns, grouped, indented

_WHY = {
    "breaks": "Why it breaks",
    "expected": "Why it breaks",
    "shows": "Why this is a witness",
    "stops": "What holds",
}


def render_why(play: Play) -> Iterator[RenderableType]:
    """Yield why the last moment of *play* decides, nothing if it decides nothing."""
    if play.findings:
        yield from (Text(""), Text(f"{findings_title(play)}:", "bold"), _findings(play))
    if play.grounds:
        yield from (Text(""), Text("What led to it:", "bold"))
        yield from (indented(_ground(ground)) for ground in play.grounds)
        yield from _spared([part for ground in play.grounds for part in ground.parts])
    for denial in play.denials:
        yield from (Text(""), *_denial(denial))


def findings_title(play: Play) -> str:
    """Return what the findings of *play* say, and of which moment."""
    when = f"at move {play.moments[-1].number}" if play.round is None else "round after round"
    return f"{_WHY[play.ending]}, {when}"


def findings_words(play: Play) -> Iterator[tuple[bool, str]]:
    """Yield the parts of the formula that decide, each with whether it holds."""
    for finding in play.findings:
        at = f" ({words})" if (words := _when(finding, play)) else ""
        yield finding.holds, f"{finding.text}{at}"


def _findings(play: Play) -> Table:
    """Return what the findings say as a table."""
    table = columns("")
    for holds, words in findings_words(play):
        table.add_row(Text("  yes" if holds else "  no", "green" if holds else "red"), Text(words))
    return table


def _when(finding: Finding, play: Play) -> str:
    """Return since which move something is so, or at or after which it was; empty if that is the
    last, or goes without saying.
    """
    if finding.since is None:
        return (
            ""
            if finding.moment is None
            else f"at move {finding.moment}"
            if finding.moment
            else "at the start"
        )
    if finding.is_over:
        return f"after move {finding.moment}" if finding.moment else "at the start"
    if finding.since == 0:
        return "" if finding.moment is None else "since the start"
    if finding.since == play.moments[-1].number:
        return ""
    return f"{'since' if finding.holds else 'no longer since'} move {finding.since}"


def _why_ending(parts: Sequence[Finding]) -> str:
    """Return what made a condition so, as the end of a sentence."""
    said = [f"{part.text} since move {part.since}" for part in parts if part.since]
    return f": {', '.join(said)}" if said else ""


def _ground(ground: Ground) -> str:
    return (
        f"{ground.clause} {ground.title} (move {ground.moment}), because "
        f"{ground.condition}{_why_ending(ground.parts)}."
    )


def _spared(parts: Sequence[Finding]) -> Iterator[RenderableType]:
    """Yield what has left some of *parts* as they are."""
    alike: dict[tuple[bool, tuple[Spared, ...]], dict[Finding, None]] = {}
    for part in parts:
        alike.setdefault((bool(part.passer), part.spared), {})[part] = None
    for (is_pass, spared), its in alike.items():
        many = len(its) > 1
        what = join_words(
            [
                f"{part.passer}'s pass (move {part.since})"
                if is_pass
                else f"{part.text} since move {part.since}"
                for part in its
            ]
        )
        what += f" still {'count' if many else 'counts'}" if is_pass else ""
        it = "them" if many else "it"
        for one in spared:
            though = (
                f", though {_clearing(one, 'clear' if is_pass else 'change')} {it}"
                if one.clear
                else ""
            )
            yield indented(
                f"{what}: {one.clause} {one.title} (move {one.moment}), in between, leaves "
                f"{it}{though}."
            )


def _clearing(spared: Spared, verb: str) -> str:
    """Return how many other acts do something, as a part of a sentence that ends with this
    *verb*.
    """
    if spared.clear == spared.others:
        return f"{'every' if spared.others > 1 else 'the only'} other action there {verb}s"
    return (
        f"{spared.clear} of {counted(spared.others, 'other action')} there "
        f"{verb}{'s' if spared.clear == 1 else ''}"
    )


def _denial(denial: Denial) -> Iterator[RenderableType]:
    """Yield why a player had no window: who had priority instead, and which clause took it away."""
    about = f" for {denial.subject}" if denial.subject else ""
    yield Text(f"Why {denial.player} had no window{about}:", "bold")
    if not denial.windows:
        yield indented(f"It all happens within move {denial.first}: there is no moment between.")
    else:
        holders = sorted({holder for window in denial.windows for holder in window.holders})
        who = (
            f"only {join_words(holders)} {'has' if len(holders) == 1 else 'have'} priority"
            if holders
            else "nobody has priority"
        )
        since = f"move {denial.first}" if denial.first else "the start"
        yield indented(f"From {since} to move {denial.last + 1} {who}.")
    for barred in denial.barred:
        yield indented(_barred(barred, denial.player))
    yield from _spared([part for barred in denial.barred for part in barred.parts])


def _barred(barred: Barred, player: str) -> str:
    clause = f"{barred.clause} {barred.title}".strip()
    because = join_words(barred.because)
    if barred.taken in (0, barred.moment):
        return (
            f"{player} would have been next by {clause} (move {barred.moment}), but "
            f"{because}{_why_ending(barred.parts)}."
        )
    by = f"{barred.by} {barred.by_title}".strip()
    return (
        f"{player} would have been next after move {barred.moment} by {clause}. But {by} (move "
        f"{barred.taken}) applies instead, because {because}{_why_ending(barred.parts)}."
    )


_STYLES = {
    "A": "cyan",
    "B": "magenta",
    "C": "green",
    "D": "yellow",
    "the rules": "dim",
    "the cards": "blue",
}
_DECIDED = {"breaks": "bold red", "expected": "bold", "shows": "bold green", "stops": "bold"}
_ENDS = {"lifo": ", top first", "fifo": ", front first"}


def render_ruling(play: Play, *, full: bool = False) -> Group:
    """Return the moves of *play*, then why its last moment decides. With *full*, moves without a
    decision have lines of their own.
    """
    return Group(render_moves(play, full=full), *render_why(play))


@grouped
def render_moves(play: Play, *, full: bool = False) -> Iterator[RenderableType]:
    """Return the moves of *play*. With *full*, moves without a decision have lines of their own."""
    if play.spotlights:
        said = join_words([f"{name} is {words}" for name, words in play.spotlights])
        yield from (Text(f"Here {said}."), Text(""))
    yield _move_table(play) if full else _passages(play)


def player_style(mover: str) -> str:
    """Return the colour of a mover."""
    return _STYLES.get(mover, "bold")


# ------------------------------------------------------------------ the moves


def _grid(*columns: str) -> Table:
    """Return a table for moves: number and mover, *columns* in these styles, and what happens."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True, style="dim")
    for style in ("", *columns):
        table.add_column(no_wrap=True, style=style)
    table.add_column(overflow="fold")
    return table


def _passages(play: Play) -> Table:
    """Return a line for each decision, and what the rules then do by themselves."""
    table = _grid()
    for passage in passages_of(play):
        if _is_again(play, passage.head):
            table.add_row("", "", _again(play))
        style = "dim" if passage.kind == "start" else player_style(passage.mover)
        table.add_row(passage.numbers, Text(passage.mover, style), Group(*_passage(passage)))
    if play.conclusion:
        table.add_row(Text(">>>", _DECIDED[play.ending]), "", _conclusion(play))
    return table


def _passage(passage: Passage) -> Iterator[Text]:
    """Yield the lines of one passage: what is decided and what comes of it, then what is
    different.
    """
    clause = f"{passage.clause} " if passage.clause else ""
    yield Text(clause, "bold").append(passage.title, "not bold").append(passage.follows, "not bold")
    for change in passage.changes:
        yield Text(f"{change.subject}: {change.before} → {change.after}", "dim")
    for pile in passage.changed_piles:
        yield pile_line(pile)


def _is_again(play: Play, moment: Moment) -> bool:
    """Whether what is made again and again begins with the move to *moment*."""
    return play.round is not None and moment.number == play.round[0]


def _again(play: Play) -> Text:
    return Text(
        "Round and round from here:" if play.growth is None else "Again and again from here:", "red"
    )


def _conclusion(play: Play) -> Text:
    return Text(play.conclusion, _DECIDED[play.ending])


def _move_table(play: Play) -> Table:
    """Return every move on lines of its own: number, mover, clause, and under the clause's title
    what happens.
    """
    table = _grid("bold")
    before: Moment | None = None
    for moment in play.moments:
        if _is_again(play, moment):
            table.add_row("", "", "", _again(play))
        words = Group(*_moment(moment, before))
        mover = Text(moment.mover, player_style(moment.mover)) if before else Text("start", "dim")
        table.add_row(str(moment.number), mover, moment.clause, words)
        before = moment
    if play.conclusion:
        table.add_row(Text(">>>", _DECIDED[play.ending]), "", "", _conclusion(play))
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
    """Return who has priority; if nobody has priority, where the game is."""
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
        line.append("; " if number else "").append(
            card.label, "bold underline not dim" if card.spotlight else "not dim"
        )
        if card.spotlight:
            line.append(f" ({card.spotlight})", "not dim")
    return line if pile.cards else line.append("empty", "not dim")
