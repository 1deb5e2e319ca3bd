"""Making a page, whose options can be switched: its board first, then verdicts, then proofs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from ... import __version__
from ...checker.explicit.moves.layout import TooWideError
from ...checker.explicit.native.machine import NoMachineError
from ...checker.explicit.portable import Draft, drafted
from ...checker.process.interrupts import INTERRUPTS
from ...checker.rulings.file import read_rulings, rulings_beside
from ...checker.run.check import explore
from ...checker.run.engines import prover_named
from ...checker.types.budget import INTERRUPTED, Budget, Meter
from ...checker.types.scope import MOST_ITEMS, MOST_PLAYERS, Scope
from ...models import ir
from ...models.binding.names import negated
from ...models.diagnostics import InputError
from ...models.load import load_game, opened
from ...models.options.cases import (
    asking_seats,
    asking_variables,
    can_be_variables,
    can_seats_be_variable,
    with_seats,
    with_variables,
)
from ...models.shipped import game_source
from ...properties.formula import Property, Question
from ...properties.load import property_named
from ...reports.page.page import Modules, Served, Switched, SwitchedQuestion, render_page
from ...reports.page.rows import Usage, proving_words
from ...reports.telling.record import Record
from ...reports.telling.state_space import ReachedPosition, reached_positions
from ..asking.ask import Asked, ask, unanswered
from ..asking.questions import questions_of
from ..output.progress import progress, why_ended, within


def switched(
    target: str, settings: Mapping[str, str], program: ir.Program, questions: Sequence[Question]
) -> list[tuple[Switched, list[Property]]]:
    """Return *program*, the reading of *target* under *settings*, with its options to be switched,
    if it has any, and then without.

    With each come the properties of its questions. The *questions* of that reading are rows of its
    record, in their order. Where some reading has clauses that are still to be written no option
    can be switched. The number of players can, where the rules leave it open.
    """
    rows = tuple(
        SwitchedQuestion(question.name, question.title, number)
        for number, (question, _, _) in enumerate(questions)
    )
    alone = Switched(program, (), rows), [question for question, _, _ in questions]
    options = can_be_variables(opened(game_source(target)))
    left_open = load_game(target, settings, [option.name for option in options])
    whole = (
        [_left_open(left_open, options, program, questions), alone]
        if options and not left_open.unfinished
        else [alone]
    )
    return list(map(_of_any_number, whole))


def _of_any_number(game: tuple[Switched, list[Property]]) -> tuple[Switched, list[Property]]:
    switched, questions = game
    if not can_seats_be_variable(switched.program):
        return game
    return replace(switched, program=with_seats(switched.program)), list(
        map(asking_seats, questions)
    )


def _left_open(
    left_open: ir.Program,
    options: Sequence[ir.Option],
    program: ir.Program,
    questions: Sequence[Question],
) -> tuple[Switched, list[Property]]:
    of_claims, of_formulas = dict[tuple[str, int], int](), dict[Property, int]()
    for number, (question, claim, _) in enumerate(questions):
        of_claims[question.name, _claim_line(claim)] = of_formulas[_asks(question)] = number
    asked = [
        (question, claim, claim.condition if claim else ir.YES)
        for question, claim, _ in questions_of(left_open, ())
    ]
    asked += [(question, None, when) for question, when in _unclaimed(left_open)]
    each = tuple(
        SwitchedQuestion(
            question.name,
            question.title,
            # Its row may be that of another claim that asks the same.
            of_claims.get((question.name, _claim_line(claim)), of_formulas.get(_asks(question))),
            when,
        )
        for question, claim, when in asked
    )
    names = [option.name for option in options]
    properties = [asking_variables(question, names) for question, _, _ in asked]
    return Switched(with_variables(left_open, dict(program.settings)), options, each), properties


def _claim_line(claim: ir.Claim | None) -> int:
    return claim.span.line if claim else 0


def _asks(question: Property) -> Property:
    """Return *question* without what its author says of it."""
    return replace(question, title="", why="", lemmas=(), needs=())


def _unclaimed(program: ir.Program) -> list[tuple[Property, ir.Expr]]:
    """Return the properties of the catalogue that are claimed in some readings only, each with the
    condition under which it is not claimed.
    """
    conditions: dict[str, list[ir.Expr]] = {}
    for claim in program.claims:
        if claim.formula is None:
            conditions.setdefault(claim.name, []).append(claim.condition)
    return [
        (property_named(program, name), ir.All(tuple(negated(one) for one in its)))
        for name, its in conditions.items()
        if ir.YES not in its
    ]


_COUNTING = 10
_PARTS = 2
"""One part in this many of the time is for the verdicts of a page; the rest is for its board."""
_COUNTED = Budget(positions=100_000, seconds=_COUNTING)
"""In how many positions it is counted how often clauses are used: a second or two, if there are few
moves in each.
"""

_DRAWN = 150
"""How many positions are drawn at most."""
_TOLD = 4
"""In how many parts the proofs are written into a page that is not complete."""
_SEARCHED = "its verdicts are searched for now"
_COMPILED = "what it searches again with is compiled now"


def make_page(
    game: str,
    program: ir.Program,
    questions: Sequence[Question],
    question: Asked,
    give: Callable[[str], None],
    served: Served | None = None,
    give_part: Callable[[str], None] | None = None,
    hear: Callable[[Record], None] | None = None,
) -> bool:
    """*Give* the page of *program*, which *game* names, with what a *question* asks and *questions*
    for it; return whether it was interrupted. What there is of it before is given to *give_part*.

    If it is *served*, it can ask more than that. Who would *hear* what is found gets the rulings,
    too.
    """
    meter, scope = Meter(question.budget), question.scope(program)
    making = PageMaking(game, program, scope, give_part, served)
    is_ended = not making.tried(
        meter,
        lambda: making.board(switched(game, dict(question.settings), program, questions)),
        "the board",
    )
    making.give_part(replace(unanswered(game, question, ""), rows=()), _SEARCHED)

    def heard(found: Record) -> None:
        if hear is not None:
            hear(found)
        making.give_part(found, proving_words(found))

    record = (
        unanswered(game, question, INTERRUPTED)
        if INTERRUPTS.asked
        else ask(
            game,
            replace(question, budget=meter.rest(_PARTS)),
            hear=heard,
            parts=_TOLD,
            rulings_too=hear is not None,
        )
    )
    if hear is not None:
        hear(record)
    is_ended |= record.interrupted
    making.give_part(record, _COMPILED)
    if served is None:  # else its server searches
        is_ended |= not making.tried(meter, making.searches, "what searches")
    with INTERRUPTS.undisturbed():
        give(making.whole(record, meter))
    return is_ended


def board_page(game: str, program: ir.Program, record: Record, budget: Budget) -> str:
    """Return a page of *program*, which *game* names, with the verdicts of *record* and a board,
    but nothing that searches again.
    """
    scope, meter = Scope(record.players, record.sizes), Meter(budget)
    making = PageMaking(game, program, scope, None, None)
    making.tried(meter, lambda: making.board([(Switched(program), ())]), "the board")
    making.why = making.why or f"`stacklaw page {game}` writes a page that searches"
    return making.page(record)


@dataclass
class PageMaking:
    """A page of *program*, which *game* names, while it is made: the *modules* that it has so far,
    and *why* it has no more.
    """

    game: str
    program: ir.Program
    scope: Scope
    part: Callable[[str], None] | None
    served: Served | None
    modules: Modules | None = None
    draft: Draft | None = None
    why: str = ""
    missing: str = ""
    """What the page lacks that was given last."""

    def tried(self, meter: Meter, make: Callable[[], None], what: str) -> bool:
        """*Make* what is missing within the budget of *meter*; return whether it was not
        interrupted.
        """
        try:
            INTERRUPTS.check()
            with within(meter):
                make()
        except KeyboardInterrupt:
            self.why = f"Before {what} was compiled {why_ended(INTERRUPTED)}."
            return not INTERRUPTS.asked and bool(INTERRUPTS.over)
        return True

    def board(self, games: Sequence[tuple[Switched, Sequence[Property]]]) -> None:
        """Compile what the board needs of the first of *games* that a browser has room for."""
        for game, properties in games:
            searched = properties if self.served is None else ()  # else its server searches
            try:
                draft = drafted(
                    game.program, self.scope, searched, [option.name for option in game.options]
                )
                self.modules = Modules(draft.tells(), (), draft.tables, game)
            except TooWideError as error:
                self.why = f"The game is too large for the machine in the page: {error}."
            except NoMachineError as error:
                self.why = f"The game could not be compiled for the page: {error}."
            else:
                self.draft, self.why = draft, ""
                return

    def searches(self) -> None:
        """Compile what searches again in the page, if it has a board."""
        if self.modules is None or self.draft is None:
            return
        try:
            self.modules = replace(self.modules, searches=self.draft.searches())
        except NoMachineError as error:
            self.why = f"What searches could not be compiled for the page: {error}."

    def give_part(self, record: Record, missing: str) -> None:
        """Give the page as far as it goes, with what is *missing*, if somebody takes it and that is
        not what was missing before.
        """
        if self.part is not None and missing != self.missing and not INTERRUPTS.asked:
            self.missing = missing
            with INTERRUPTS.undisturbed():
                self.part(self.page(record, missing=missing))

    def whole(self, record: Record, meter: Meter) -> str:
        """Return the page of *record*, with how often clauses are used."""
        most = meter.rest().seconds
        counted = _COUNTED if most is None else replace(_COUNTED, seconds=min(most, _COUNTING))
        with progress(self.program.name) as on_progress:
            explored = explore(self.program, self.scope, counted, on_progress, prover_named("all"))
        usage = Usage(explored.fired, explored.open, all=not explored.stopped)
        is_small = not explored.stopped and explored.counts.positions <= _DRAWN
        reached = reached_positions(self.program, self.scope, _DRAWN) if is_small else ()
        return self.page(record, usage, reached)

    def page(
        self,
        record: Record,
        usage: Usage | None = None,
        reached: Sequence[ReachedPosition] = (),
        missing: str = "",
    ) -> str:
        """Return the page as far as it goes."""
        return render_page(
            record,
            self.program,
            self.modules,
            self.why,
            __version__,
            usage,
            reached,
            self.served,
            offered_rulings(self.game),
            missing,
        )


def served_by(program: ir.Program) -> Served:
    """Return what a page of *program* may ask of its server."""
    low, high = program.players
    return Served(low, min(high or MOST_PLAYERS, MOST_PLAYERS), MOST_ITEMS)


def offered_rulings(game: str) -> list[str]:
    """Return the questions of the rulings beside *game* that are of its own reading."""
    with suppress(InputError):
        text = rulings_beside(game)
        return (
            []
            if text is None
            else [
                one.question
                for one in read_rulings(text)
                if not one.reading and one.players is None
            ]
        )
    return []
