"""What came since: a page was printed while proofs were still looked for, and this is what the proofs have changed.

In: the `Record` of that page, and the one of the whole run. Out: a rich renderable, which ends as the page does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from ...models.words import join_words
from ..telling.record import Record, Row
from ..text.columns import facts
from ..text.proofs import proved_words
from .basis import Basis
from .brief import counted_rows, render_counted
from .ending import render_undecided, summary
from .rows import VerdictTable

if TYPE_CHECKING:
    from rich.console import RenderableType


def render_since(shown: Record, record: Record, *, all_rows: bool = False) -> Group:
    """Return what *record* says that was not known yet when *shown* was printed: of each row, or of each kind if they are counted."""
    rows = [*zip(shown.rows, record.rows, strict=True)]
    decided = [row for before, row in rows if row.status != before.status]
    proved = [row for before, row in rows if row.proof and not before.proof and row not in decided]
    unproved = [row for row in record.rows if row.unproved and not row.untried]
    parts: list[RenderableType] = [Text("")]
    if decided:
        parts += [VerdictTable(decided, Basis.of(record.rows)), Text("")]
    if counted := [] if all_rows else counted_rows(record):
        parts += [*render_counted(record, counted), Text("")]
    elif proved:
        parts += [Text(f"Proved since: {_names(proved)}."), Text("")]
    if unproved and not counted:
        parts += [Text(f"Tried and not proved (--explain-proofs says why): {_names(unproved)}."), Text("")]
    parts += [facts([("proved", proved_words(record.rows))]), Text("")]
    return Group(*parts, *render_undecided(record.rows), summary(record))


def _names(rows: Sequence[Row]) -> str:
    return join_words([*dict.fromkeys(row.name for row in rows)])
