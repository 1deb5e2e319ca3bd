"""Covering: the searches behind a coverage table, under the defaults, then under the options that
bring the rest to life.

A clause that never fires under the default settings is searched for under each other value of one
option, and if two together rule it in, under these; so is a claim that is made under other
settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from ...models import ir
from ...models.frozen import frozen
from ...models.options.cases import other_readings
from ...models.words import settings_words
from ...properties.formula import Property
from ...properties.load import TypedClaim, claims_of
from ..prover.prover import NEEDED, Prover
from ..types.budget import INTERRUPTED, Budget, BudgetSpentError, Meter, OnProgress
from ..types.scope import Scope
from ..types.verdict import Outcome, Verdict
from .check import check, explore
from .cuts import never_used
from .engines import prover_named


@frozen
class Search:
    """What was found under one setting, within a *scope*: how often each clause *fired*, and the
    outcome of each claim.

    Clauses that are *open* never fired there, but the scope cut moves, or the search was not
    finished, and there is no proof that they are never used. *stopped* says why the search is not
    complete; it is empty if it is. *under* is how its settings differ from those of the first
    search.
    """

    program: ir.Program
    fired: Mapping[str, int]
    claims: tuple[tuple[ir.Claim, Outcome], ...]
    stopped: str = ""
    scope: str = ""
    open: frozenset[str] = frozenset()
    under: str = ""


@frozen
class Covering:
    """What is asked for: the ruleset that *load* reads with other values of options, searched in
    the *scope* of each.

    All searches share the *budget*; *progress* shows how far one is.
    """

    load: Callable[[Mapping[str, str]], ir.Program]
    scope: Callable[[ir.Program], Scope]
    budget: Budget
    progress: Callable[[str], AbstractContextManager[OnProgress]]


def search_all(asked: Covering) -> list[Search]:
    """Return the searches of the ruleset, the one without other values first.

    All of them share the budget. When it is spent, or somebody interrupts, no more follow, and the
    last one says so.
    """
    searches: list[Search] = []
    try:
        for search in _searches(asked):
            searches.append(search)
            if INTERRUPTED in search.stopped:
                break
    except (BudgetSpentError, KeyboardInterrupt) as why:
        if not searches:
            raise
        reason = str(why) if isinstance(why, BudgetSpentError) else INTERRUPTED
        searches[-1] = replace(searches[-1], stopped=searches[-1].stopped or reason)
    return _proved(searches, asked)


def _proved(searches: Sequence[Search], asked: Covering) -> list[Search]:
    """Return *searches*, with those clauses open that fired in none and that no proof shows to be
    never used.
    """
    fired = {clause for search in searches for clause, times in search.fired.items() if times}
    prover, found = prover_named("all"), []
    assert prover is not None
    for search in searches:
        left, meter = sorted(search.open - fired), Meter(asked.budget)
        never = (
            never_used(search.program, left, prover, meter)
            if left and not search.stopped
            else frozenset[str]()
        )
        found.append(replace(search, open=frozenset(left) - never))
    return found


def _searches(asked: Covering) -> Iterator[Search]:
    base, meter = asked.load({}), Meter(asked.budget)
    first = _explored(base, meter, asked, claims_of(base))
    yield first
    fired = {clause for clause, times in first.fired.items() if times}
    claimed = {_key(claim) for claim in base.claims}
    for settings in other_readings(base, at_once=2):
        meter.left()
        program = asked.load(settings)
        clauses = {clause.id for _, clause in program.clauses} - fired
        claims = [typed for typed in claims_of(program) if _key(typed.claim) not in claimed]
        worthwhile = clauses if len(settings) == 1 else _changed_clauses(base, clauses, program)
        if not worthwhile and not claims:
            continue
        search = _explored(program, meter, asked, tuple(claims))
        fired |= {clause for clause, times in search.fired.items() if times}
        claimed |= {_key(typed.claim) for typed in claims}
        yield replace(search, under=settings_words(settings.items()))


def _changed_clauses(base: ir.Program, clauses: set[str], program: ir.Program) -> set[str]:
    """Return those of *clauses* that *program* has and *base* has not, or otherwise."""
    before = {clause.id: (stage.name, clause) for stage, clause in base.clauses}
    return {
        clause.id
        for stage, clause in program.clauses
        if clause.id in clauses and before.get(clause.id) != (stage.name, clause)
    }


def _explored(
    program: ir.Program, meter: Meter, asked: Covering, claims: tuple[TypedClaim, ...]
) -> Search:
    """Explore *program*, and decide *claims* about it."""
    scope = asked.scope(program)
    with asked.progress(program.name) as on_progress:
        exploration = explore(program, scope, meter.rest(), on_progress)
        properties = list(dict.fromkeys(typed.property for typed in claims))
        is_ended = not properties or INTERRUPTED in exploration.stopped
        found = [] if is_ended else _decided(program, properties, scope, meter, on_progress)
    verdicts = {verdict.property: verdict for verdict in found}
    stopped = (
        INTERRUPTED
        if any(verdict.reason == INTERRUPTED for verdict in found)
        else exploration.stopped
    )
    decided = tuple(
        (
            one.claim,
            verdicts[one.property].for_claim(one.claim.expect)
            if one.property in verdicts
            else Outcome.UNKNOWN,
        )
        for one in claims
    )
    return Search(
        program, exploration.fired, decided, stopped, str(scope), frozenset(exploration.open)
    )


def _decided(
    program: ir.Program,
    properties: Sequence[Property],
    scope: Scope,
    meter: Meter,
    on_progress: OnProgress,
) -> list[Verdict]:
    """Return the verdicts on *properties*, as far as the time goes: none if there is none left."""
    try:
        return check(program, properties, scope, meter.left(), on_progress, prover=Prover(NEEDED))
    except BudgetSpentError:
        return []


def _key(claim: ir.Claim) -> tuple[str, str, int]:
    """Return what tells claims apart under all settings: the line they stand in, above all."""
    return claim.expect, claim.name, claim.span.line
