"""The loops of a game as a list, and their plays. In: a `LoopsRecord`. Out: rich renderables."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ...checker.types.verdict import Outcome
from ...models.words import counted, join_words
from ..telling.loops import LeavingRow, LoopRow, LoopsRecord, added_words
from .ruling import render_ruling

_KINDS = {
    "forced": (
        "Forced by the rules",
        "nobody at the table can leave these, if the cards do nothing",
    ),
    "cards": ("Kept up by cards", "they have to do something in every round"),
    "optional": ("Optional", "somebody can leave these"),
    "progress": (
        "Progress",
        "no loops: after each round all is as before, but there is more of something",
    ),
}


def render_loops(record: LoopsRecord, plays: Collection[int] = ()) -> Group:
    """Return the loops of *record*, kind by kind, then the play of each that is forced, and of
    those whose numbers *plays* has.
    """
    parts: list[RenderableType] = [Text(record.heading.words, "bold")]
    if record.is_endless:
        parts += [
            Text(""),
            Text(
                "These rules have no turns and no end of the game, so nobody can leave any loop.",
                "yellow",
            ),
        ]
    for kind, (title, meaning) in _KINDS.items():
        parts += [Text(""), Text.assemble((title, "bold"), f": {meaning}.")]
        rows = [row for row in record.rows if row.kind == kind]
        parts += [Padding(_loop_group(row), (0, 0, 0, 2)) for row in rows] or [
            Text("  none within the scope")
        ]
        if stopped := record.growth_stopped if kind == "progress" else record.stopped:
            parts.append(Text(f"  {Outcome.BOUNDED}: there may be more: {stopped}.", "yellow"))
    if record.heading.cut:
        parts += [
            Text(""),
            Text(
                f"The scope cuts {counted(record.heading.cut, 'move')}: what they lead to was not looked at.",
                "dim",
            ),
        ]
    for row in record.rows:
        if row.kind == "forced" or row.number in plays:
            parts += [
                Text(""),
                Text(f"Loop {row.number}:", "bold"),
                Text(""),
                render_ruling(row.play),
            ]
    return Group(*parts)


def _loop_group(row: LoopRow) -> Group:
    return Group(*(Padding(Text(line), (0, 0, 0, indent)) for indent, line in _loop_lines(row)))


def _loop_lines(row: LoopRow) -> Iterator[tuple[int, str]]:
    """Yield the lines of *row*, each with how far it stands in."""
    yield 0, f"{row.number:>2}  {' '.join(row.clauses)}"
    length = f"a round of {counted(row.moves, 'move')}, first after {counted(row.after, 'move')}"
    added = f", adds {added_words(row.more)}" if row.more else ""
    cards = f"; the cards do something in {join_words(row.by_cards)}" if row.by_cards else ""
    yield 4, f"{length}{added}{cards}"
    if row.leaving:
        yield 4, f"can leave: {'; '.join(map(_leaving_words, row.leaving))}"


def _leaving_words(leaving: LeavingRow) -> str:
    said = [f"by {', '.join(leaving.clauses)}"] if leaving.clauses else []
    said += [f"beyond the scope by {', '.join(leaving.beyond)}"] if leaving.beyond else []
    return f"{leaving.who} {', '.join(said)}"
