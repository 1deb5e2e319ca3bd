"""Coverage: which statements of a game's document its ruleset covers, and with what, as data.

In: the inventory of the document's statements, and what searches under one or several settings of
the ruleset's options found. Out: `Coverage`.

A statement is covered by a rule (its own id, or cited by it) that fires, by a claim that the
checker decides, by an option, or is left out by name with a reason. A rule that never fires covers
nothing; nor, where somebody looked, does a claim that no edit of the statement's rules breaks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...checker.mutate.repair import Protection, Protections, ids_of
from ...checker.run.covering import Search
from ...models import ir
from ...models.diagnostics import wrong_input
from ...models.frozen import frozen
from ...models.source import Source, Span
from .record import status_of


@frozen
class Cover:
    """Something that covers a statement: a ``rule``, ``claim``, ``option`` or ``left out``; *sound*
    if it does cover it.

    It is *open* if a larger scope, or a search that comes to its end, may show that it does.
    """

    kind: str
    name: str
    words: str
    sound: bool
    open: bool = False


@frozen
class CoverageLine:
    """A statement of the document and what covers it."""

    id: str
    statement: str
    covers: tuple[Cover, ...]

    @property
    def covered(self) -> bool:
        """Whether anything soundly covers it."""
        return any(cover.sound for cover in self.covers)

    @property
    def open(self) -> bool:
        """Whether nothing is known to cover it, and a larger scope or a longer search may show that
        something does.
        """
        return not self.covered and any(cover.open for cover in self.covers)


@frozen
class Coverage:
    """The whole table; the searches were made within *scope*.

    *strangers* are ids that the ruleset cites and the inventory does not have, *unfinished* the
    searches that stopped early.
    """

    name: str
    title: str
    lines: tuple[CoverageLine, ...]
    strangers: tuple[str, ...]
    unfinished: tuple[str, ...]
    scope: str

    @property
    def complete(self) -> bool:
        """Whether every statement is covered, or may be."""
        return all(line.covered or line.open for line in self.lines)

    @property
    def is_open(self) -> bool:
        """Whether some statement is covered only if a larger scope or a longer search shows it."""
        return any(line.open for line in self.lines)


def read_inventory(source: Source) -> list[tuple[str, str]]:
    """Return the ids and statements of an inventory: one a line, a tab between them; # begins a
    comment line. Raises `InputError`.
    """
    found = []
    for number, line in enumerate(source.text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            id_, tab, statement = line.partition("\t")
            if not tab:
                raise wrong_input(
                    "L102",
                    "This line has no tab, so it is not said where its id ends.",
                    source,
                    Span(number, 1, len(line) + 1),
                    "write an id, a tab and the statement",
                )
            found.append((id_.strip(), statement.strip()))
    return found


def make_coverage(
    inventory: Sequence[tuple[str, str]],
    searches: Sequence[Search],
    found: Protections | None = None,
    stopped: str = "",
) -> Coverage:
    """Return what covers each statement of *inventory*; the first of *searches* is the one under
    the defaults.

    With *found* a claim covers only what it protects; *stopped* says why that is not known of all
    claims.
    """
    program = searches[0].program
    covers: dict[str, list[Cover]] = {}
    for ids, cover in (*_rules(searches), *_claims(searches, found), *_others(program)):
        for id_ in dict.fromkeys(ids):
            covers.setdefault(id_, []).append(cover)
    known = {id_ for id_, _ in inventory}
    lines = tuple(
        CoverageLine(id_, statement, tuple(covers.get(id_, ()))) for id_, statement in inventory
    )
    cited = {id_ for ids in _cited(searches) for id_ in ids}
    unfinished = tuple(
        f"{search.program.name}: {search.stopped}" for search in searches if search.stopped
    )
    unfinished += (f"the edits: {stopped}",) if stopped else ()
    return Coverage(
        program.name,
        program.title,
        lines,
        tuple(sorted(cited - known)),
        unfinished,
        searches[0].scope,
    )


def _rules(searches: Sequence[Search]) -> Iterator[tuple[tuple[str, ...], Cover]]:
    """Yield every clause with the statements it stands for, and how often it fired where it fired
    first.
    """
    clauses: dict[str, tuple[ir.Clause, int, str]] = {}
    for search in searches:
        for _, clause in search.program.clauses:
            fired = search.fired.get(clause.id, 0)
            if clause.id not in clauses or (fired and not clauses[clause.id][1]):
                clauses[clause.id] = (clause, fired, search.under)
    for clause, fired, under in clauses.values():
        where = f" with {under}" if under else ""
        open_ = [] if fired else [search for search in searches if clause.id in search.open]
        why = (
            "the search was not finished"
            if any(search.stopped for search in open_)
            else "the scope cuts moves"
        )
        words = (
            f"fired {fired:,} times{where}"
            if fired
            else f"has not fired, and {why}"
            if open_
            else "never fired"
        )
        yield (
            (clause.id, *clause.cites),
            Cover("rule", clause.id, words, sound=fired > 0, open=bool(open_)),
        )


def _claims(
    searches: Sequence[Search], found: Protections | None
) -> Iterator[tuple[tuple[str, ...], Cover]]:
    """Yield every claim with each statement it stands for, its verdict, and the edit that breaks
    it, if edits were *found*.
    """
    for search in searches:
        where = f" with {search.under}" if search.under else ""
        for claim, outcome in search.claims:
            status = status_of(outcome, claim, asked=False)
            is_met = status == "met"
            said = f"{claim.expect}: {outcome}{'' if is_met else f', {status.upper()}'}{where}"
            for id_ in ids_of(claim):
                breaking = (
                    None
                    if found is None
                    else found.get((claim, id_), Protection(None, is_known=False))
                )
                sound = is_met and (breaking is None or breaking.edit is not None)
                words = said + (_broken_by(breaking) if breaking and is_met else "")
                is_open = status == "undecided" or (
                    is_met and breaking is not None and not breaking.is_known
                )
                yield (id_,), Cover("claim", claim.name, words, sound, open=is_open)


def _broken_by(found: Protection) -> str:
    if found.edit is not None:
        return f"; broken by {found.edit.clause}: {found.edit.words}"
    return "; no edit breaks it" if found.is_known else "; it is not known which edits break it"


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
