"""The searches behind a coverage table: under the defaults, then under the options that bring the rest to life.

A clause that never fires under the default settings is searched for under each other value of one
option, and if two together rule it in, under these; so is a claim that is made under other settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from ..checker.budget import INTERRUPTED
from ..checker.run import check, explore
from ..checker.scope import Scope
from ..models import ir
from ..models.load import load_game
from ..properties.load import TypedClaim, claims_of
from ..reports.coverage import Search
from ..reports.record import status_of
from .asking import Asked
from .progress import progress


def search_all(target: str, asked: Asked, scope_for: Callable[[ir.Program], Scope]) -> list[Search]:
    """Return the searches of the ruleset *target*, the one under the settings *asked* for first."""
    base = load_game(target, asked.settings)
    searches = [_search(base, asked, scope_for, claims_of(base))]
    fired = {clause for clause, times in searches[0].fired.items() if times}
    claimed = {_key(claim) for claim in base.claims}
    for settings in _other_settings(base):
        program = load_game(target, {**asked.settings, **settings})
        clauses = {clause.id for _, clause in program.clauses} - fired
        claims = [typed for typed in claims_of(program) if _key(typed.claim) not in claimed]
        worthwhile = clauses if len(settings) == 1 else _changed(base, clauses, program)
        if not worthwhile and not claims:
            continue
        if INTERRUPTED in searches[-1].stopped:
            break
        search = _search(program, asked, scope_for, tuple(claims))
        fired |= {clause for clause, times in search.fired.items() if times}
        claimed |= {_key(typed.claim) for typed in claims}
        searches.append(search)
    return searches


def _changed(base: ir.Program, clauses: set[str], program: ir.Program) -> set[str]:
    """Return those of *clauses* that *program* has and *base* has not, or otherwise."""
    before = {clause.id: (stage.name, clause) for stage, clause in base.clauses}
    return {clause.id for stage, clause in program.clauses if clause.id in clauses and before.get(clause.id) != (stage.name, clause)}


def _search(program: ir.Program, asked: Asked, scope_for: Callable[[ir.Program], Scope], claims: tuple[TypedClaim, ...]) -> Search:
    """Explore *program*, and decide *claims* about it."""
    scope = scope_for(program)
    with progress(program.name) as on_progress:
        exploration = explore(program, scope, asked.budget, on_progress)
        properties = list(dict.fromkeys(typed.property for typed in claims))
        verdicts = dict(zip(properties, check(program, properties, scope, asked.budget, on_progress) if properties else (), strict=True))
    outcomes = [(typed.claim, verdicts[typed.property].outcome) for typed in claims]
    decided = tuple((claim, outcome, status_of(outcome, claim, asked=False)) for claim, outcome in outcomes)
    return Search(program, exploration.fired, decided, exploration.stopped)


def _other_settings(program: ir.Program) -> Iterator[Mapping[str, str]]:
    """Yield the settings that differ from *program*'s in one option, then in two."""
    now = dict(program.settings)
    values: dict[str, list[str]] = {}
    for option in program.options:
        known = [name for name, _ in option.values] if option.numbers is None else [str(number) for number in option.numbers]
        values[option.name] = [value for value in known if value != str(now[option.name])]
    singles = [(name, value) for name, others in values.items() for value in others]
    yield from ({name: value} for name, value in singles)
    yield from ({one: this, other: that} for (one, this), (other, that) in combinations(singles, 2) if one != other)


def _key(claim: ir.Claim) -> tuple[str, str, int]:
    """Return what tells claims apart under all settings: the line they stand in, above all."""
    return claim.expect, claim.name, claim.span.line
