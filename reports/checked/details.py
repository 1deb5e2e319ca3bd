"""The details of a row: what was claimed, what was found, the play once with all that it breaks,
and what follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...checker.types.strategy import WITHOUT_TABLE, StrategyTable, TableRow
from ...models.words import counted, join_words
from ..naming import more_words
from ..plays.play import Play
from ..telling.evidence import evidence, left_out
from ..telling.record import Record, Row
from ..telling.roots import DeadClause, Root
from ..text.ruling import render_ruling
from ..text.verdicts import OUTCOME_STYLE, STATUS

_MOST_NAMES = 12


def detail(
    row: Row, alike: Sequence[Row], record: Record, root: Root | None, *, full: bool
) -> Iterator[RenderableType]:
    """Yield *row*'s formula, what was claimed and found, and the play, which breaks those *alike*
    as well; what follows from a *root*.

    Every move of the play has a line of its own if it is told in *full*.
    """
    yield _heading(row).append(f" ({_cause(row)})" if root else "", "not bold")
    lines = [Text(words) for words in (row.says or row.title,) if words]
    if row.says:
        lines.append(Text(f"The author: {row.title}"))
    lines.append(Text(row.formula, "italic"))
    if row.assuming:
        lines.append(Text(f"Assuming that {join_words(row.assuming)} act only finitely often."))
    lines += [Text(f"Assuming: {given}.") for given in row.given]
    if row.without_ends:
        lines.append(Text("Plays that end are left out."))
    if row.why:
        lines.append(Text(_sentence(f"Why it matters: {row.why}")))
    lines.append(Text(f"{_claimed(row, record)}{_found(row)}"))
    if row.does_with:
        lines.append(Text(row.does_with))
    if row.play is None and row.proof is None and row.asked and (words := left_out(row)):
        lines.append(Text(words))
    yield Padding(Group(*lines), (0, 0, 0, 2))
    if alike:
        yield Padding(Group(Text(""), *_alike(alike, record)), (0, 0, 0, 2))
    if row.table is not None:
        yield Text("")
        yield Padding(render_table(row.table), (0, 0, 0, 2))
    if row.play is not None:
        yield Text("")
        yield Padding(render_ruling(row.play, full=full), (0, 0, 0, 2))
    if root is not None:
        yield Text("")
        yield Padding(Text(_follows(record, root)), (0, 0, 0, 2))


def root_detail(record: Record, root: Root) -> Iterator[RenderableType]:
    """Yield what is told of a *root* that has no play: clauses that are never used."""
    yield Text(_capital(_never_used(root.clauses)), "bold")
    for clause in root.clauses:
        guard = f", which applies only if {clause.guard}" if clause.guard else ""
        yield Padding(
            Text(f"{clause.id} {clause.title} ({record.file}:{clause.line}){guard}"), (0, 0, 0, 2)
        )
    yield Padding(Text(_follows(record, root)), (0, 0, 0, 2))


def followers_words(record: Record, root: Root) -> str:
    """Return in a line how many claims say nothing because of *root*."""
    cause = record.rows[root.row].name if root.row >= 0 else _never_used(root.clauses)
    return f"{counted(len(root.follow), 'claim')} {_says(root)} nothing; the cause, told below: {cause}"


def _follows(record: Record, root: Root) -> str:
    """Return which claims say nothing because of *root*, and why they do."""
    names = [record.rows[number].name for number in root.follow]
    more = len(names) - _MOST_NAMES
    which = join_words([*names[:_MOST_NAMES], f"{more} more"] if more > 0 else names)
    why = f" No play gets past it: {_never_used(root.clauses)}." if root.row >= 0 else ""
    return f"{counted(len(names), 'claim')} {_says(root)} nothing because of it: {which}.{why}"


def _says(root: Root) -> str:
    return "says" if len(root.follow) == 1 else "say"


def _never_used(clauses: Sequence[DeadClause]) -> str:
    ids = join_words([clause.id for clause in clauses])
    return (
        f"clause {ids} is never used within the scope"
        if len(clauses) == 1
        else f"clauses {ids} are never used within the scope"
    )


def _cause(row: Row) -> str:
    return "the cause of more" if row.expectation else "the cause, though nobody claimed it"


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
        "VACUOUS": f"It says nothing within the scope. {_capital(reason or 'its condition never arises')}",
        "BOUNDED": f"Not decided: nothing breaks it on {rests.replace('every play', 'any play', 1)}",
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
        f"Nobody can enforce it within the scope ({', '.join(evidence(row))}){prevented}{open_}{length}"
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _sentence(words: str) -> str:
    return f"{words}.".replace("..", ".")


# ------------------------------------------------------------------ a strategy as a table


def render_table(table: StrategyTable) -> Group:
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
        return Group(Text(f"{lead}: in {counted(table.positions, 'position')} {came}{whatever}."))
    more = ", but nothing for ever that is assumed to end" if table.is_answer else ""
    rest = f"Where several lines apply, any of them may be followed; where none does, anything may be done{more}."
    head = "How the others prevent it, within the scope:" if table.is_answer else "How:"
    smallest = " No smaller table of such lines does it." if table.is_smallest else ""
    played = f"It was played: in {counted(table.positions, 'position')} {came}.{smallest}"
    proved = (
        [Text("It is proved to do it for every number of players and every size of the zones.")]
        if table.is_proved
        else []
    )
    return Group(Text(head), grid, Text(rest), Text(played), *proved)


def _done(row: TableRow) -> str:
    """Return what is done."""
    if not row.clause:
        return f"let {row.player} act"
    if row.choice:
        return f"choose {row.choice} in {row.clause}"
    return f"{row.clause}, {row.title}" if row.title else row.clause
