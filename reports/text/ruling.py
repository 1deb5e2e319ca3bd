"""A play told as a ruling: who did what by which clause, who has priority, the stack, and why it
decides.

In: a `Play`. Out: rich renderables, which `page` prints in colour or plainly. What did not change
is not repeated.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...models.words import join_words
from ..plays.passages import Passage, passages_of
from ..plays.play import Moment, Pile, Play
from .why import render_why

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
    """Return the moves of *play*, then why its last moment decides; the moves that nobody decides
    on lines of their own if *full*.
    """
    return Group(render_moves(play, full=full), *render_why(play))


def render_moves(play: Play, *, full: bool = False) -> Group:
    """Return the moves of *play*; those that nobody decides on lines of their own if *full*."""
    parts: list[RenderableType] = []
    if play.spotlights:
        said = join_words([f"{name} is {words}" for name, words in play.spotlights])
        parts += [Text(f"Here {said}."), Text("")]
    parts.append(_move_table(play) if full else _passages(play))
    return Group(*parts)


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
        line.append("; " if number else "").append(
            card.label, "bold underline not dim" if card.spotlight else "not dim"
        )
        if card.spotlight:
            line.append(f" ({card.spotlight})", "not dim")
    return line if pile.cards else line.append("empty", "not dim")
