"""The page of a checked ruleset: the verdicts, then the play of each claim that is not met, its
cause first, and how it all ends.

In: a `Record`. Out: a rich renderable; `page` prints it in colour or plainly.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ...checker.types.scope import scope_words
from ...models.words import counted, join_words, settings_words
from ..naming import shown_path
from ..rulings.changes import ChangesSince, accepted_words, asked, to_accept
from ..rulings.text import answers_of
from ..telling.record import Record, Row
from ..text.page import facts, title_line
from ..text.proofs import proved_words, render_proofs
from ..text.sizes import render_smallest
from ..text.verdicts import STATUS
from .brief import counted_rows, is_all_met, render_brief_head, render_counted
from .details import detail, followers_words, root_detail
from .ending import claims_block, commands, render_undecided, render_warnings, summary
from .rows import Basis, VerdictTable, legend, render_empty
from .rulings import render_rulings_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..rulings.changes import ChangeRow


_MOST = 20


def render_record(
    record: Record, *, explain_proofs: bool = False, full: bool = False, all_rows: bool = False
) -> Group:
    """Return the whole record as text; with *explain_proofs* also what each proof rests on, and why
    there is none.

    Plays are told in *full*, every move, or by their decisions. Of many claims that are met it is
    said how many there are of each kind, unless *all_rows* are to be told.
    """
    basis = Basis.from_rows(record.rows)
    counted = [] if all_rows or explain_proofs else counted_rows(record)
    head = render_brief_head(record) if counted else render_head(record, basis)
    parts: list[RenderableType] = [*render_warnings(record.of_scope), *head, Text("")]
    parts += _tables(record, basis, counted)
    for told in _details(record, full=full):
        parts += [*told, Text("")]
    if explain_proofs:
        parts += render_proofs(record.rows)
    parts += render_smallest(record.rows)
    parts += claims_block(record)
    parts += render_undecided(record.rows)
    parts += render_rulings_of(record, full=full)
    parts += _render_changes(record.changes)
    parts += render_warnings(record.of_text)
    if counted:
        parts += render_counted(record, counted)
    if not counted or not is_all_met(record):
        parts.append(summary(record))
    return Group(*parts)


_ORDER = ("not met", "undecided", "too small", "met", "answered")


def _tables(record: Record, basis: Basis, counted: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield the verdicts: of claims first, what is not met before the rest; then those of which
    nobody claimed anything.

    Where claims are *counted*, of the others alone.
    """
    following = record.following
    untold = ("none", "met") if counted else ("none",)
    claims = [
        row
        for number, row in enumerate(record.rows)
        if row.status not in untold and number not in following
    ]
    claims.sort(key=lambda row: _ORDER.index(row.status))
    others = [] if counted else [row for row in record.rows if row.status == "none"]
    empty = [row for row in others if row.outcome == "VACUOUS"]
    others = [row for row in others if row.outcome != "VACUOUS"]
    notes = [followers_words(record, root) for root in record.roots]
    if claims or notes:
        for heading, rows in _by_heading(claims).items():
            if rows or notes:
                yield from [Text(heading, "bold")] if heading else []
                yield VerdictTable(rows, basis, notes)
            notes = []
        yield from (*legend(claims), Text(""))
    if others or empty:
        yield Text("Not claimed:" if claims or notes else "Nobody claimed anything:", "bold")
        yield VerdictTable(others, basis)
        yield from (*render_empty(empty), *legend(others), *commands(record), Text(""))


def _by_heading(claims: Sequence[Row]) -> dict[str, list[Row]]:
    """Return *claims* by what they stand below; first what is not met, below nothing."""
    found: dict[str, list[Row]] = {"": []}
    for row in claims:
        found.setdefault(row.heading if row.status == "met" else "", []).append(row)
    return found


def _details(record: Record, *, full: bool) -> Iterator[list[RenderableType]]:
    """Yield what is told of each row that has to be told: a root before what follows from it, a
    play once with all that it breaks.
    """
    following, roots = record.following, {root.row: root for root in record.roots if root.row >= 0}
    told = {
        number: row
        for number, row in enumerate(record.rows)
        if row.asked or (row.status == "not met" and number not in following)
    }
    told |= {number: record.rows[number] for number in (*roots, record.telling) if number >= 0}
    groups = _by_play(told)
    groups.sort(
        key=lambda group: (not roots.keys() & {number for number, _ in group}, _rank(group[0][1]))
    )
    for root in record.roots:
        if root.row < 0:
            yield [*root_detail(record, root)]
    for group in groups:
        # Of all that one play breaks, what follows from nothing else heads it: a root, or the gap
        # in which the play ends.
        number, row = min(group, key=lambda one: (one[0] not in roots, not one[1].asks_gap))
        yield [
            *detail(
                row,
                [other for at, other in group if at != number],
                record,
                roots.get(number),
                full=full,
            )
        ]


def _by_play(told: Mapping[int, Row]) -> list[list[tuple[int, Row]]]:
    """Return what is *told*, those together that one and the same play decides."""
    alike: dict[Hashable, list[tuple[int, Row]]] = {}
    for number, row in told.items():
        alike.setdefault(number if row.play is None else (row.play.course, row.outcome), []).append(
            (number, row)
        )
    return [*alike.values()]


def _rank(row: Row) -> int:
    return (*_ORDER, "none").index(row.status)


def render_head(record: Record, basis: Basis) -> Iterator[RenderableType]:
    """Yield what *record* is about, and what its verdicts rest on."""
    yield title_line(record.name, record.title)
    yield facts([
        ("source", record.document),
        ("options", settings_words(record.settings)),
        ("scope", scope_words(record.players, record.sizes)),
        ("searched", basis.head),
        ("proved", proved_words(record.rows)),
    ])  # fmt: skip


def _render_changes(changes: ChangesSince | None) -> Iterator[RenderableType]:
    """Yield what *changes* there are, those that are not accepted with what to write to accept
    them.
    """
    if changes is None or not changes.rows:
        return
    since = f"{changes.revision}, then {changes.was}" if changes.was else changes.revision
    yield Text(f"What changed for players since {since}:", "bold")
    for row in changes.rows[:_MOST]:
        yield Padding(Group(*_told(row, changes)), (0, 0, 0, 2))
    if changes.rows[_MOST:]:
        yield Text(
            f"  {counted(len(changes.rows) - _MOST, 'more answer')}: --format json has all.", "dim"
        )
    if changes.silent:
        yield Text(
            f"Alone these change nothing that can be asked within the scope: {join_words(changes.silent)}.",
            "dim",
        )
    yield Text("")
    if acceptable := changes.acceptable:
        yield Text(f"Who accepts this says so in {shown_path(changes.file)}:")
        yield Text("")
        yield Text(to_accept(acceptable[:_MOST]), no_wrap=True)


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
