"""The page of a checked ruleset: the verdicts, then each claim that is not met, in detail.

In: a `Record`. Out: a rich renderable; `page` prints it in colour or plainly.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...checker.types.position import WITHOUT_TABLE, StrategyTable, TableRow
from ...checker.types.scope import scope_words
from ...models.words import counted, join_words, settings_words
from ..naming import more_words, shown_path
from ..plays.play import Play
from ..rulings.changes import ChangesSince, accepted_words, asked, to_accept
from ..rulings.text import answers_of
from ..telling.record import Record, Row, evidence, left_out
from ..telling.roots import DeadClause, Root
from ..text.page import OUTCOME_STYLE, STATUS, facts, grouped, indented, title_line, to_paste
from ..text.proofs import proved_words, render_proofs
from ..text.ruling import render_ruling
from ..text.sizes import render_smallest
from .ending import (
    claims_block,
    commands,
    render_rulings_of,
    render_undecided,
    render_warnings,
    summary,
)
from .rows import (
    Basis,
    VerdictTable,
    counted_rows,
    is_all_met,
    legend,
    render_brief_head,
    render_counted,
    render_empty,
)

if TYPE_CHECKING:
    from ..rulings.changes import ChangeRow


_MOST_NAMES = 12


def detail(
    row: Row, alike: Sequence[Row], record: Record, root: Root | None, *, full: bool
) -> Iterator[RenderableType]:
    """Yield *row*'s formula, what was claimed and found, and the play, which breaks those *alike*
    as well; what follows from a *root*.

    Every move of the play has a line of its own if it is told in *full*.
    """
    yield _heading(row).append(f" ({_cause(row, root)})" if root else "", "not bold")
    if row.says or row.title:
        yield indented(row.says or row.title)
    if row.says:
        yield indented(f"The author: {row.title}")
    yield indented(Text(row.formula, "italic"))
    if row.assuming:
        yield indented(f"Assuming that {join_words(row.assuming)} act only finitely often.")
    yield from (indented(f"Assuming: {given}.") for given in row.given)
    if row.without_ends:
        yield indented("Plays that end are left out.")
    if row.why:
        yield indented(_sentence(f"Why it matters: {row.why}"))
    yield indented(f"{_claimed(row, record)}{_found(row)}")
    if row.does_with:
        yield indented(row.does_with)
    if row.play is None and row.proof is None and row.asked and (words := left_out(row)):
        yield indented(words)
    if alike:
        yield indented(Group(Text(""), *_alike(alike, record)))
    if row.table is not None:
        yield Text("")
        yield indented(render_table(row.table))
    if row.play is not None:
        yield Text("")
        yield indented(render_ruling(row.play, full=full))
    if root is not None:
        yield Text("")
        yield indented(_follows(record, root))


def root_detail(record: Record, root: Root) -> Iterator[RenderableType]:
    """Yield what is told of a *root* that has no play: clauses that are never used."""
    yield Text(_capital(_never_used(root.clauses)), "bold")
    for clause in root.clauses:
        guard = f", which applies only if {clause.guard}" if clause.guard else ""
        yield indented(f"{clause.id} {clause.title} ({record.file}:{clause.line}){guard}")
    yield indented(_follows(record, root))


def followers_words(record: Record, root: Root) -> str:
    """Return in a line how many claims say nothing because of *root*."""
    cause = record.rows[root.row].name if root.row >= 0 else _never_used(root.clauses)
    likely = "" if root.is_sure else "likely "
    return (
        f"{counted(len(root.follow), 'claim')} {_says(root)} nothing; the {likely}cause, told "
        f"below: {cause}"
    )


def _follows(record: Record, root: Root) -> str:
    """Return which claims say nothing because of *root*, and why they do."""
    names = [record.rows[number].name for number in root.follow]
    more = len(names) - _MOST_NAMES
    which = join_words([*names[:_MOST_NAMES], f"{more} more"] if more > 0 else names)
    dead = _never_used(root.clauses)
    why = f" No play gets past it: {dead}." if root.row >= 0 and root.is_sure else ""
    because = "because of it" if root.is_sure else f"because {dead}, and this gap may be why"
    return f"{counted(len(names), 'claim')} {_says(root)} nothing {because}: {which}.{why}"


def _says(root: Root) -> str:
    return "says" if len(root.follow) == 1 else "say"


def _never_used(clauses: Sequence[DeadClause]) -> str:
    ids = join_words([clause.id for clause in clauses])
    return (
        f"clause {ids} is never used within the scope"
        if len(clauses) == 1
        else f"clauses {ids} are never used within the scope"
    )


def _cause(row: Row, root: Root) -> str:
    likely = "" if root.is_sure else "likely "
    more = " of more" if row.expectation else ", though nobody claimed it"
    return f"the {likely}cause{more}"


def _heading(row: Row) -> Text:
    status, style = STATUS[row.status]
    head = Text().append(f"{status}: " if row.status in ("not met", "undecided") else "", style)
    head.append(f"{row.name} " if row.outcome == "HOLDS" else f"{row.name} is ", "bold")
    neutral = row.status in ("none", "answered", "met")
    return head.append(row.outcome, f"bold {'' if neutral else OUTCOME_STYLE[row.outcome]}".strip())


def _alike(rows: Sequence[Row], record: Record) -> Iterator[RenderableType]:
    """Yield the *rows* that the play which is told next decides as well."""
    verb = "shows" if rows[0].outcome == "POSSIBLE" else "breaks"
    for row in rows:
        author = f" (the author: {row.title})" if row.says else ""
        says = row.says or row.title
        status, style = STATUS[row.status]
        line = Text(f"{status}: " if row.status == "not met" else "", style).append(
            f"The same play {verb} ", "not bold default"
        )
        yield line.append(row.name, "bold default").append(
            f"{': ' if says else ''}{says}{author}. {_claimed(row, record)}".rstrip(),
            "not bold default",
        )
    if record.command:
        yield Text(f"`{record.command} -p {rows[0].name}` tells why.")


def _claimed(row: Row, record: Record) -> str:
    """Return what the ruleset claims, as a sentence that ends with a blank; empty if it claims
    nothing.
    """
    if not row.expectation:
        return ""
    words = {
        "holds": "to hold",
        "fails": "to fail",
        "lemma": "as a lemma, for the proofs of the others",
    }
    word = words.get(row.expectation, f"to be {row.expectation}")
    place = ":".join(map(str, record.files.place_of(row.line))) if row.line else ""
    where = ", ".join(filter(None, (join_words(row.cites), place)))
    condition = f" when {row.condition}" if row.condition else ""
    return f"Claimed {word}{condition}{f' ({where})' if where else ''}. "


def _length(play: Play, *, is_shortest: bool) -> str:
    """Return how long a play is that was found."""
    moves = play.moments[-1].number
    if play.again_from is None:
        return f"the shortest {'' if is_shortest else 'found '}has {counted(moves, 'move')}"
    before = f"{counted(play.again_from, 'move')}, and then " if play.again_from else ""
    more = f", each time with {more_words(play.more)}" if play.more else ""
    return f"it is {before}{counted(moves - play.again_from, 'move')} again and again{more}"


def _found(row: Row) -> str:
    """Return the verdict as a sentence."""
    if row.enforces and row.outcome in ("POSSIBLE", "IMPOSSIBLE"):
        return _enforced(row)
    rests, file = ", ".join(evidence(row)), row.proof.file if row.proof else ""
    certificate = f"; the certificate is {file}" if file else ""
    length = f"; {_length(row.play, is_shortest=row.is_shortest)}" if row.play else ""
    reason = row.reason.removeprefix("already ").removeprefix("because ")
    sentences = {
        "PROVED": f"It is proved for {rests}{certificate}",
        "HOLDS": f"It holds on every play within the scope ({rests})",
        "IMPOSSIBLE": f"No play shows it, which is proved for {rests}{certificate}"
        if row.proof
        else f"No play within the scope shows it ({rests})",
        "VIOLATED": f"A play breaks it{length}" if row.play else "It does not hold",
        "POSSIBLE": f"A play shows it{length}" if row.play else "It is possible",
        "VACUOUS": "It says nothing within the scope. "
        f"{_capital(reason or 'its condition never arises')}",
        "BOUNDED": "Not decided: nothing breaks it on "
        f"{rests.replace('every play', 'any play', 1)}",
        "UNKNOWN": "Not decided",
    }
    why = f": {row.reason}" if row.reason and row.outcome != "VACUOUS" else ""
    return _sentence(f"{sentences[row.outcome]}{why}")


def _enforced(row: Row) -> str:
    """Return whether it can be enforced, as a sentence."""
    length = (
        f"; a play {'of it' if row.outcome == 'POSSIBLE' else 'against it'} is told below"
        if row.play
        else ""
    )
    how = (
        ""
        if row.table or any(WITHOUT_TABLE in note for note in row.notes)
        else "; no small table says how"
    )
    if row.outcome == "POSSIBLE":
        return _sentence(
            f"It can be enforced{f', {row.reason}' if row.reason else ''}{how}{length}"
        )
    open_ = f"; {row.reason}" if row.reason else ""
    prevented = f"{how} the others prevent it" if how else ""
    return _sentence(
        "Nobody can enforce it within the scope "
        f"({', '.join(evidence(row))}){prevented}{open_}{length}"
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _sentence(words: str) -> str:
    return f"{words}.".replace("..", ".")


# ------------------------------------------------------------------ a strategy as a table


@grouped
def render_table(table: StrategyTable) -> Iterator[RenderableType]:
    """Return what is done when, and how well that is known."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(overflow="fold")
    grid.add_column(overflow="fold")
    ordered = sorted(table.rows, key=lambda row: (row.player, -len(row.when), row.when))
    for (player, when), rows in groupby(ordered, key=lambda row: (row.player, row.when)):
        condition = f"when {' and '.join(when)}" if when else "whenever it can be done"
        grid.add_row(
            Text(f"{player}, {condition}:"),
            Text(join_words([_done(row) for row in rows], "or"), "bold"),
        )
    came = "it is never brought about" if table.is_answer else "nothing breaks it"
    if not table.rows:
        lead = (
            "Nobody has to prevent it within the scope"
            if table.is_answer
            else "Nobody has to do anything for it"
        )
        whatever = "" if table.is_answer else ", whatever anybody does there"
        yield Text(f"{lead}: in {counted(table.positions, 'position')} {came}{whatever}.")
        return
    more = ", as long as what is assumed to end does end" if table.is_answer else ""
    rest = (
        "Where several lines apply, any of them may be followed; where none does, anything may be "
        f"done{more}."
    )
    head = "How the others prevent it, within the scope:" if table.is_answer else "How:"
    smallest = " No smaller table of such lines does it." if table.is_smallest else ""
    yield from (Text(head), grid, Text(rest))
    yield Text(f"It was played: in {counted(table.positions, 'position')} {came}.{smallest}")
    if table.is_proved:
        yield Text("It is proved to do it for every number of players and every size of the zones.")


def _done(row: TableRow) -> str:
    """Return what is done."""
    if not row.clause:
        return f"let {row.player} act"
    if row.choice:
        return f"choose {row.choice} in {row.clause}"
    return f"{row.clause}, {row.title}" if row.title else row.clause


_MOST = 20


@grouped
def render_record(
    record: Record, *, explain_proofs: bool = False, full: bool = False, all_rows: bool = False
) -> Iterator[RenderableType]:
    """Return the whole record as text; with *explain_proofs* also what each proof rests on, and why
    there is none.

    Plays are told in *full*, every move, or by their decisions. Of many claims that are met it is
    said how many there are of each kind, unless *all_rows* are to be told.
    """
    basis = Basis.from_rows(record.rows)
    counted = [] if all_rows or explain_proofs else counted_rows(record)
    head = render_brief_head(record) if counted else render_head(record, basis)
    yield from (*render_warnings(record.of_scope), *head, Text(""))
    yield from _tables(record, basis, counted)
    for told in _details(record, full=full):
        yield from (*told, Text(""))
    if explain_proofs:
        yield from render_proofs(record.rows)
    yield from render_smallest(record.rows)
    yield from claims_block(record)
    yield from render_undecided(record.rows)
    yield from render_rulings_of(record, full=full)
    yield from _render_changes(record.changes)
    yield from render_warnings(record.of_text)
    if counted:
        yield from render_counted(record, counted)
    if not counted or not is_all_met(record):
        yield summary(record)


_ORDER = ("not met", "undecided", "too small", "met", "answered")


def _tables(record: Record, basis: Basis, counted: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield the verdicts: first of claims, those not met before the rest; then of what is not
    claimed.

    Where met claims are *counted*, only the verdicts of the other claims.
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
        yield Text("Not claimed:" if claims or record.roots else "Nobody claimed anything:", "bold")
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
    before, now = PurePath(changes.was.partition(":")[2]), PurePath(changes.file)
    is_renamed = before.stem not in ("", now.stem)
    since = f"{changes.revision}, where it was {before}" if is_renamed else changes.revision
    yield Text(f"What changed for players since {since}:", "bold")
    for row in changes.rows[:_MOST]:
        yield indented(Group(*_told(row, changes)))
    if changes.rows[_MOST:]:
        yield Text(
            f"  {counted(len(changes.rows) - _MOST, 'more answer')}: --format json has all.", "dim"
        )
    if changes.silent:
        yield Text(
            "Alone these change nothing that can be asked within the scope: "
            f"{join_words(changes.silent)}.",
            "dim",
        )
    yield Text("")
    if acceptable := changes.acceptable:
        yield Text(f"Who accepts this says so in {shown_path(changes.file)}:")
        yield Text("")
        yield to_paste(to_accept(acceptable[:_MOST]))


def _told(row: ChangeRow, changes: ChangesSince) -> Iterator[RenderableType]:
    words, style = ("accepted", "green") if row.status == "met" else STATUS[row.status]
    said = {"NOT MET": "not accepted"}.get(words, words)
    yield Text(asked(row), "bold").append(f"  {said}", style)
    if row.reason:
        yield Text(f"  {row.reason}", "dim")
    elif row.told is not None:
        yield indented(Group(*answers_of(row.told)))
    if row.readings:
        yield Text(f"  with {join_words(row.readings)}", "dim")
    if row.accepted:
        yield Text(f"  {accepted_words(row, shown_path(changes.file))}", "dim")
