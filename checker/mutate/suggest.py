"""Suggestions: claims that would notice edits that nothing protects, each decided of the original
and of the edits before it is told.

A claim of at most three atoms is easily found that only happens to fit one edit. So it has to
notice another edit of the clause as well, or the same at another size; and wherever it is asked of
the original, the original meets it. Where another reading does not, the claim is made under the
option in which that differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from ...models import ir
from ...models.diagnostics import InputError
from ...models.source import Source
from ...properties.formula import Property
from ...properties.load import typed_files
from ..explicit.edit_engine import EditEngine, KnownProgram
from ..reference.semantics.interpreter import Interpreter
from ..run.check import decisions
from ..run.engines import engine_named
from ..templates.templates import Template, TemplateFinder
from ..types.budget import Budget, Meter
from ..types.scope import MOST_PLAYERS, Scope
from ..types.verdict import UNDECIDED, Outcome

MOST_MINED = 6
"""From so many edits of one clause claims are made; all of its edits are then held against them."""
MOST_POSITIONS = 100_000
"""So many positions are looked at for one claim before it is not suggested."""
_MEETS = {"holds": Outcome.HOLDS, "possible": Outcome.POSSIBLE}


@dataclass(frozen=True)
class FoundClaim:
    """A claim: what is expected, its *formula*, the numbers of the edits that it *notices*, and
    *also* where it notices one of them.

    Other readings of *options* need not meet it.
    """

    expectation: str
    formula: str
    notices: tuple[int, ...]
    also: str = ""
    options: tuple[str, ...] = ()


class Suggester:
    """Suggests claims for edits of *program*, which is configured, within *scope*; *others* are
    readings that differ in an option.
    """

    def __init__(
        self, program: ir.Program, scope: Scope, others: Sequence[tuple[str, ir.Program]] = ()
    ) -> None:
        self.program, self.scope, self.others = program, scope, others
        self.finder = TemplateFinder(program, scope)

    def suggestions(self, mutants: dict[int, ir.Program]) -> list[FoundClaim]:
        """Return claims that notice *mutants*, which nothing protects, by their numbers: few that
        notice as many as can be.
        """
        if not mutants:
            return []
        asked = {
            one: typed
            for one in self.finder.templates(list(mutants.values())[:MOST_MINED])
            if (typed := _typed(self.program, one.formula))
        }
        met = self._met(list(asked.items()), self.scope)
        known = KnownProgram(self.program, self.scope, [asked[one] for one in met], Interpreter)
        noticed: dict[Template, set[int]] = {one: set() for one in met}
        for number, mutant in mutants.items():
            for one, outcome in zip(
                met,
                self._outcomes(EditEngine(known, mutant), mutant, [asked[one] for one in met]),
                strict=False,
            ):
                if outcome not in (*UNDECIDED, _MEETS[one.expectation]):
                    noticed[one].add(number)
        return self._with_options(_needed(list(self._chosen(noticed, asked, mutants))))

    def _with_options(self, found: Sequence[FoundClaim]) -> list[FoundClaim]:
        """Return *found*, each claim with the options of which another value makes a reading that
        does not meet it.
        """
        options: list[dict[str, None]] = [{} for _ in found]
        for option, program in self.others:
            for one, under in zip(found, options, strict=True):
                if option not in under:
                    typed = _typed(program, one.formula)
                    outcomes = [] if typed is None else self._decided(program, [typed], self.scope)
                    if outcomes != [_MEETS[one.expectation]]:
                        under[option] = None
        return [
            replace(one, options=tuple(under)) for one, under in zip(found, options, strict=True)
        ]

    def _chosen(
        self,
        noticed: dict[Template, set[int]],
        asked: dict[Template, Property],
        mutants: dict[int, ir.Program],
    ) -> Iterator[FoundClaim]:
        """Yield claims that notice as much as all of *noticed*: those first that notice most for
        what they weigh.
        """
        left, open_ = set(mutants), list(noticed)
        while left and open_:
            best = max(open_, key=lambda one: len(noticed[one] & left) / one.weight)
            found = noticed[best] & left
            if not found:
                return
            open_.remove(best)
            also = self._elsewhere(best, asked[best], mutants[min(found)])
            if also is None or not (also or len(noticed[best]) > 1):
                continue
            left -= found
            yield FoundClaim(best.expectation, best.formula, tuple(sorted(noticed[best])), also)

    def _elsewhere(self, template: Template, property_: Property, mutant: ir.Program) -> str | None:
        """Return at which other size *template* notices *mutant*; None if the original does not
        meet it there, empty if nobody knows.
        """
        said = ""
        for scope in _other_sizes(self.program, self.scope):
            outcome = next(iter(self._decided(self.program, [property_], scope)), Outcome.UNKNOWN)
            if outcome in UNDECIDED:
                continue
            if outcome is not _MEETS[template.expectation]:
                return None
            its = next(iter(self._decided(mutant, [property_], scope)), Outcome.UNKNOWN)
            if not said and its not in (*UNDECIDED, _MEETS[template.expectation]):
                said = str(scope)
        return said

    def _met(self, asked: Sequence[tuple[Template, Property]], scope: Scope) -> list[Template]:
        outcomes = self._decided(self.program, [property_ for _, property_ in asked], scope)
        return [
            one
            for (one, _), outcome in zip(asked, outcomes, strict=False)
            if outcome is _MEETS[one.expectation]
        ]

    def _decided(
        self, program: ir.Program, asked: Sequence[Property], scope: Scope
    ) -> list[Outcome]:
        meter = Meter(Budget(positions=MOST_POSITIONS))
        with suppress(InputError):
            return [
                decision.outcome
                for decision, _ in decisions(engine_named("explicit"), program, asked, scope, meter)
            ]
        return []

    def _outcomes(
        self, engine: EditEngine, mutant: ir.Program, asked: Sequence[Property]
    ) -> Iterator[Outcome]:
        meter = Meter(Budget(positions=MOST_POSITIONS))
        with suppress(InputError):
            yield from (
                decision.outcome
                for decision, _ in decisions(engine, mutant, asked, self.scope, meter)
            )


def _typed(program: ir.Program, formula: str) -> Property | None:
    """Return the *formula* of a claim as the ruleset of *program* would read it."""
    with suppress(InputError):
        text = f'property suggested "a claim"\n  {formula}\n'
        return replace(typed_files(program, [Source("suggested", text)]).properties[0], lemmas=())
    return None


def _needed(suggestions: list[FoundClaim]) -> list[FoundClaim]:
    """Return *suggestions* without those whose edits others notice as well, the earlier ones
    first.
    """
    kept = list(suggestions)
    for one in suggestions:
        others = {number for other in kept if other is not one for number in other.notices}
        if others.issuperset(one.notices):
            kept.remove(one)
    return kept


def _other_sizes(program: ir.Program, scope: Scope) -> list[Scope]:
    """Return the scopes with one item more on a stack, with one player more, and with one item
    less.
    """
    stacks = {zone.name for zone in program.zones_tagged("stack")} or {
        zone.name for zone in program.zones[:1]
    }
    most = program.players[1] or MOST_PLAYERS
    found = [
        replace(scope, sizes=tuple((zone, size + (zone in stacks)) for zone, size in scope.sizes))
    ]
    if scope.players < min(most, MOST_PLAYERS):
        found.append(replace(scope, players=scope.players + 1))
    if any(zone in stacks and size > 1 for zone, size in scope.sizes):
        found.append(
            replace(
                scope,
                sizes=tuple(
                    (zone, size - (zone in stacks and size > 1)) for zone, size in scope.sizes
                ),
            )
        )
    return found
