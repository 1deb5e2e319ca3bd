"""What changed for players since a revision, in the page of a check: each answer that is another one now, and whether it is accepted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from ...models.words import counted, join_words
from ..naming import shown_path
from ..rulings.changes import ChangesSince, accepted_words, asked, to_accept
from ..rulings.text import answers_of
from ..text.verdicts import STATUS

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..rulings.changes import ChangeRow

_MOST = 20


def render_changes(changes: ChangesSince | None) -> Iterator[RenderableType]:
    """Yield what *changes* there are, those that are not accepted with what to write to accept them."""
    if changes is None or not changes.rows:
        return
    since = f"{changes.revision}, then {changes.was}" if changes.was else changes.revision
    yield Text(f"What changed for players since {since}:", "bold")
    for row in changes.rows[:_MOST]:
        yield Padding(Group(*_told(row, changes)), (0, 0, 0, 2))
    if changes.rows[_MOST:]:
        yield Text(f"  {counted(len(changes.rows) - _MOST, 'more answer')}: --format json has all.", "dim")
    if changes.silent:
        yield Text(f"Alone these change nothing that can be asked within the scope: {join_words(changes.silent)}.", "dim")
    yield Text("")
    if wanting := changes.wanting:
        yield Text(f"Who accepts this says so in {shown_path(changes.file)}:")
        yield Text("")
        yield Text(to_accept(wanting[:_MOST]), no_wrap=True)


def _told(row: ChangeRow, changes: ChangesSince) -> Iterator[RenderableType]:
    words, style = ("accepted", "green") if row.status == "met" else STATUS[row.status]
    said = {"NOT MET": "not accepted"}.get(words, words)
    yield Text(asked(row), "bold").append(f"  {said}", style)
    if row.reason:
        yield Text(f"  {row.reason}", "dim")
    elif row.told is not None:
        yield Padding(Group(*answers_of(row.told)), (0, 0, 0, 2))
    if row.readings:
        yield Text(f"  with {join_words(row.readings)}", "dim")
    if row.accepted:
        yield Text(f"  {accepted_words(row, shown_path(changes.file))}", "dim")
