"""Which statements of a game's document its ruleset covers, and with what. A table as data and as text.

In: the inventory of the document's statements, and what searches under one or several settings of
the ruleset's options found. Out: `Coverage`, and its rendering.

A statement is covered by a rule (its own id, or cited by it) that fires, by a claim that the checker
decides, by an option, or is left out by name with a reason. A rule that never fires covers nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...checker.types.verdict import Outcome
from ...models import ir
from ..naming import counted


@dataclass(frozen=True)
class Search:
    """What was found under one setting: how often each clause *fired*, and the outcome and status of each claim.

    *stopped* says why the search is not complete; it is empty if it is.
    """

    program: ir.Program
    fired: Mapping[str, int]
    claims: tuple[tuple[ir.Claim, Outcome, str], ...]
    stopped: str = ""

    @property
    def under(self) -> str:
        """The settings that differ from the defaults, as words; empty under the defaults."""
        defaults = {option.name: option.default for option in self.program.options}
        return ", ".join(f"{name}={value}" for name, value in self.program.settings if defaults[name] != value)


@dataclass(frozen=True)
class Cover:
    """Something that covers a statement: a ``rule``, ``claim``, ``option`` or ``left out``; *sound* if it does cover it."""

    kind: str
    name: str
    words: str
    sound: bool


@dataclass(frozen=True)
class Line:
    """A statement of the document and what covers it."""

    id: str
    statement: str
    covers: tuple[Cover, ...]

    @property
    def covered(self) -> bool:
        """Whether anything soundly covers it."""
        return any(cover.sound for cover in self.covers)


@dataclass(frozen=True)
class Coverage:
    """The whole table.

    *strangers* are ids that the ruleset cites and the inventory does not have, *unfinished* the searches that stopped early.
    """

    name: str
    title: str
    lines: tuple[Line, ...]
    strangers: tuple[str, ...]
    unfinished: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether every statement is covered."""
        return all(line.covered for line in self.lines)


def read_inventory(text: str) -> list[tuple[str, str]]:
    """Return the ids and statements of an inventory: one a line, a tab between them; # begins a comment line."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return [(id_.strip(), statement.strip()) for id_, _, statement in (line.partition("\t") for line in lines)]


def make_coverage(inventory: Sequence[tuple[str, str]], searches: Sequence[Search]) -> Coverage:
    """Return what covers each statement of *inventory*; the first of *searches* is the one under the defaults."""
    program = searches[0].program
    covers: dict[str, list[Cover]] = {}
    for ids, cover in (*_rules(searches), *_claims(searches), *_others(program)):
        for id_ in dict.fromkeys(ids):
            covers.setdefault(id_, []).append(cover)
    known = {id_ for id_, _ in inventory}
    lines = tuple(Line(id_, statement, tuple(covers.get(id_, ()))) for id_, statement in inventory)
    cited = {id_ for ids in _cited(searches) for id_ in ids}
    unfinished = tuple(f"{search.program.name}: {search.stopped}" for search in searches if search.stopped)
    return Coverage(program.name, program.title, lines, tuple(sorted(cited - known)), unfinished)


def _rules(searches: Sequence[Search]) -> Iterator[tuple[tuple[str, ...], Cover]]:
    """Yield every clause with the statements it stands for, and how often it fired where it fired first."""
    clauses: dict[str, tuple[ir.Clause, int, str]] = {}
    for search in searches:
        for _, clause in search.program.clauses:
            fired = search.fired.get(clause.id, 0)
            if clause.id not in clauses or (fired and not clauses[clause.id][1]):
                clauses[clause.id] = (clause, fired, search.under)
    for clause, fired, under in clauses.values():
        where = f" with {under}" if under else ""
        words = f"fired {fired:,} times{where}" if fired else "never fired"
        yield (clause.id, *clause.cites), Cover("rule", clause.id, words, sound=fired > 0)


def _claims(searches: Sequence[Search]) -> Iterator[tuple[tuple[str, ...], Cover]]:
    """Yield every claim with the statements it stands for, and its verdict."""
    for search in searches:
        where = f" with {search.under}" if search.under else ""
        for claim, outcome, status in search.claims:
            words = f"{claim.expect}: {outcome}{'' if status == 'met' else f', {status.upper()}'}{where}"
            yield (claim.name, *claim.cites), Cover("claim", claim.name, words, sound=status == "met")


def _others(program: ir.Program) -> Iterator[tuple[tuple[str, ...], Cover]]:
    """Yield the options, and what is left out."""
    for option in program.options:
        yield option.cites, Cover("option", option.name, option.title, sound=True)
    for left in program.left_out:
        yield left.ids, Cover("left out", "", left.reason, sound=True)


def _cited(searches: Sequence[Search]) -> Iterator[tuple[str, ...]]:
    """Yield all statements that the ruleset says it stands for."""
    for search in searches:
        yield from (clause.cites for _, clause in search.program.clauses)
        yield from (claim.cites for claim in search.program.claims)
    yield from (option.cites for option in searches[0].program.options)
    yield from (left.ids for left in searches[0].program.left_out)


_STYLES = {"rule": "cyan", "claim": "green", "option": "blue", "left out": "dim"}


def render_coverage(coverage: Coverage) -> Group:
    """Return the table as text: every statement, then what covers it."""
    table = Table.grid(padding=(0, 2))
    for no_wrap in (True, True, False):
        table.add_column(no_wrap=no_wrap, overflow="fold")
    for line in coverage.lines:
        table.add_row(Text(line.id, "bold" if line.covered else "bold red"), "", Text(line.statement))
        for cover in line.covers:
            style = _STYLES[cover.kind] if cover.sound else "red"
            table.add_row("", Text(cover.kind, style), Text(f"{cover.name}  {cover.words}".strip(), "" if cover.sound else "red"))
        if not line.covered:
            why = "none of this covers it" if line.covers else "nothing in the ruleset covers it"
            table.add_row("", Text("MISSING", "bold red"), Text(why, "red"))
    parts: list[RenderableType] = [Text(coverage.name, "bold").append(f"  {coverage.title}", "not bold"), Text(""), table, Text("")]
    if coverage.strangers:
        parts += [Text(f"Cited, but not in the inventory: {', '.join(coverage.strangers)}.", "yellow")]
    parts += [Text(f"Not searched to the end: {words}.", "yellow") for words in coverage.unfinished]
    return Group(*parts, _summary(coverage))


def _summary(coverage: Coverage) -> Text:
    """Return how much is covered, in one line."""
    missing = [line.id for line in coverage.lines if not line.covered]
    line = Text(f"{counted(len(coverage.lines), 'statement')}, {len(coverage.lines) - len(missing)} covered")
    return line.append(f"; not covered: {', '.join(missing)}.", "bold red") if missing else line.append(".")
