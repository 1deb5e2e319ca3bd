"""Reasons why a play decides its question: the parts of the formula that count, and why a player had no window.

In: the play with its spotlights, and the property. Out: `Finding` and `Denial`, data. Nothing is
known here but the formula: a part about the past that never came true, and that speaks of a spotlit
player (has priority, may act, passes, acts), is a window this player should have had.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...checker.reference.evaluate import Evaluator
from ...checker.reference.interpreter import Interpreter
from ...checker.types.trace import SpotlitItem, Trace
from ...models import ir
from ...models.words import join_words
from ...properties import formula as f
from ...properties.formula import Property
from ...properties.wording import expression_words, formula_words
from ..naming import player_name
from .branches import BranchesTaken
from .items import Ledger, chosen_item
from .play import Barred, Denial, Finding, Window


@dataclass
class AnnotatedTrace:
    """A trace with all that is known of it: its items and what they and the clauses are called."""

    interpreter: Interpreter
    trace: Trace
    ledger: Ledger
    labels: list[str]
    names: dict[str, str]
    decisions: BranchesTaken
    truth: Evaluator = field(init=False)

    def __post_init__(self) -> None:
        self.truth = Evaluator(self.interpreter, self.trace)

    @property
    def last(self) -> int:
        """The moment that decides."""
        return len(self.trace.steps)

    def names_at(self, moment: int) -> dict[str, str]:
        """Return what the spotlights stand for, and who is the active player at *moment*."""
        active = self.trace.positions[moment].values[0]
        return {**self.names, ir.ACTIVE: f"{player_name(active)} (active)"} if isinstance(active, int) else self.names

    def locals_at(self, moment: int) -> dict[str, str]:
        """Return what the names in the clause of the move to *moment* stand for, as far as they are players."""
        move = self.trace.steps[moment - 1].move
        names = self.parameters_at(moment - 1)
        clause = self.interpreter.clauses[move.clause]
        if clause.owner.variable is not None and isinstance(move.owner, int):
            names[clause.owner.variable] = player_name(move.owner)
        for choice in move.choices:
            item = chosen_item(self.interpreter.program, self.trace, self.ledger, choice, moment)
            if item is not None:
                names[choice.what] = self.labels[item]
        return names

    def parameters_at(self, moment: int) -> dict[str, str]:
        """Return which players the parameters of the stage stand for at *moment*."""
        position = self.trace.positions[moment]
        if not position.stage:
            return {}
        parameters = zip(self.interpreter.program.stage(position.stage).parameters, position.arguments, strict=True)
        return {p.name: player_name(v) for p, v in parameters if isinstance(p.type, ir.PlayerType) and isinstance(v, int)}

    def decided(self, moment: int) -> tuple[str, ...]:
        """Return the conditions, as they were, that decided where the move to *moment* led."""
        before, after = self.trace.positions[moment - 1 : moment + 1]
        made = self.decisions.of_move(before, self.trace.steps[moment - 1].move, after)
        names = self.locals_at(moment)
        return tuple(_condition_words(self.interpreter.program, d.condition, names, held=d.held) for d in made)


def reasons_of(told: AnnotatedTrace, question: Property) -> tuple[tuple[Finding, ...], tuple[Denial, ...]]:
    """Return which parts of the formula decide at the last moment, and which players had no window."""
    if any(spotlight.kind == "clause" for spotlight in question.spotlights):
        return (), ()
    parts = list(_deciding(told, question.body, told.last))
    findings = tuple(dict.fromkeys(finding for _, finding in parts))
    if question.mode != "always":
        return findings, ()
    players = dict.fromkeys(p for part, finding in parts if not finding.holds for p in _windows_in(part) if p in told.truth.seats)
    denials = [_denial(told, told.truth.seats[player]) for player in players]
    return findings, tuple(denial for denial in denials if denial is not None)


def _deciding(told: AnnotatedTrace, formula: f.Formula, moment: int) -> Iterator[tuple[f.Formula, Finding]]:
    """Yield the parts of *formula* that make it true or false at *moment*, each with what is found of it."""
    holds = told.truth.holds(formula, moment)
    match formula:
        case f.And(parts) | f.Or(parts):
            decisive = isinstance(formula, f.Or) == holds
            for part in parts:
                if not decisive or told.truth.holds(part, moment) == holds:
                    yield from _deciding(told, part, moment)
        case f.Not(f.Holds() | f.HasPriority(None) | f.ItemEvent("is put on") | f.On()):
            yield formula, _finding(told, formula, moment, holds)
        case f.Not(operand):
            yield from _deciding(told, operand, moment)
        case f.Previously(operand) if moment > 0:
            yield from _deciding(told, operand, moment - 1)
        case f.Once(operand) if holds:
            yield from _deciding(told, operand, _latest(told, operand, moment))
        case f.Since(left, right) if holds:
            since = _latest(told, right, moment)
            yield from _deciding(told, right, since)
            if since < moment:
                yield formula, Finding(f"ever since: {formula_words(told.interpreter.program, left, told.names)}", True)
        case f.Once(operand):
            words = formula_words(told.interpreter.program, operand, told.names)
            yield formula, Finding(f"{words}, now or at any moment before", False)
        case _:
            yield formula, _finding(told, formula, moment, holds)


def _latest(told: AnnotatedTrace, formula: f.Formula, moment: int) -> int:
    """Return the last moment up to *moment* at which *formula* is true; there is one."""
    return next(earlier for earlier in range(moment, -1, -1) if told.truth.holds(formula, earlier))


def _finding(told: AnnotatedTrace, formula: f.Formula, moment: int, holds: bool) -> Finding:
    words = formula_words(told.interpreter.program, formula, told.names_at(moment))
    if holds:
        match formula:
            case f.HasPriority(None):
                words += f": {_holders(told, moment)}"
            case f.Conflict():
                words += f": {_rivals(told, moment)}"
            case f.Gap():
                words += _near_misses(told, moment)
            case _:
                pass
    return Finding(words, holds, None if moment == told.last else moment)


def _holders(told: AnnotatedTrace, moment: int) -> str:
    return join_words([player_name(seat) for seat in sorted(told.interpreter.priority(told.trace.positions[moment]))])


def _rivals(told: AnnotatedTrace, moment: int) -> str:
    """Return the clauses that demand different things at *moment*."""
    ids = dict.fromkeys(move.clause for move, _ in told.interpreter.allowed(told.trace.positions[moment]))
    clauses = [told.interpreter.clauses[clause] for clause in ids]
    return join_words([f"{c.id} ({c.title or c.mode})" for c in clauses if c.mode != "chance"])


def _near_misses(told: AnnotatedTrace, moment: int) -> str:
    """Return what each clause of the stage at *moment* would need to apply, as far as a guard says it."""
    needs = [f"{clause.id} would need {words}" for clause, words in _false_guards(told, moment)]
    return f": {'; '.join(needs)}" if needs else ""


def _windows_in(formula: f.Formula) -> Iterator[str]:
    """Yield the players of which *formula* says that they have priority, may act, act or pass."""
    for node in ir.walk(formula):
        if isinstance(node, f.HasPriority | f.Enabled | f.PlayerEvent) and isinstance(node.player, ir.Local):
            yield node.player.name


# ------------------------------------------------------------------ why a player had no window


def _denial(told: AnnotatedTrace, player: int) -> Denial | None:
    """Return why *player* had no priority while it counted; None if they had."""
    first, subject = _period(told, player)
    last = told.last - 1
    positions = told.trace.positions
    if not subject and player in told.interpreter.priority(positions[told.last]):
        return None  # what they lack is not priority
    if any(player in told.interpreter.priority(positions[moment]) for moment in range(first, last + 1)):
        return None
    windows = [_window(told, moment) for moment in range(first, last + 1)]
    barred: dict[tuple[str, tuple[str, ...]], Barred] = {}
    for moment in range(first, last + 1):
        for one in (*_turned(told, moment, player), *_guarded(told, moment, player)):
            barred.setdefault((one.clause, one.because), one)
    return Denial(player_name(player), first, last, subject, tuple(windows), tuple(barred.values()))


def _period(told: AnnotatedTrace, player: int) -> tuple[int, str]:
    """Return the first moment at which a window counted, and the item that it was about, if any.

    That is since the last spotlit item was put; where there is none, since the player last had priority.
    """
    spots = [(spot.since, name) for name, spot in told.trace.spotlights if isinstance(spot, SpotlitItem)]
    if spots:
        since, name = max(spots)
        return since, told.names[name]
    positions = told.trace.positions
    had = [moment for moment in range(told.last) if player in told.interpreter.priority(positions[moment])]
    return (had[-1] + 1 if had else 0), ""


def _window(told: AnnotatedTrace, moment: int) -> Window:
    """Return who had priority at *moment*, and by which clause."""
    holders = sorted(told.interpreter.priority(told.trace.positions[moment]))
    clause = told.trace.steps[moment - 1].move.clause if moment else ""
    title = told.interpreter.clauses[clause].title if clause else ""
    return Window(moment, tuple(player_name(seat) for seat in holders), clause, title)


def _turned(told: AnnotatedTrace, moment: int, player: int) -> Iterator[Barred]:
    """Yield the conditions that sent the move after *moment* elsewhere than to *player*'s priority."""
    before, after = told.trace.positions[moment : moment + 2]
    move = told.trace.steps[moment].move
    clause = told.interpreter.clauses[move.clause]
    for decision in told.decisions.of_move(before, move, after):
        if told.decisions.gives_priority(before, decision, clause.id, player):
            words = _condition_words(told.interpreter.program, decision.condition, told.locals_at(moment + 1), held=decision.held)
            yield Barred(moment + 1, clause.id, clause.title, (words,))


def _guarded(told: AnnotatedTrace, moment: int, player: int) -> Iterator[Barred]:
    """Yield the clauses of the stage at *moment* that would have given *player* priority, with the part of the guard that is false."""
    position = told.trace.positions[moment]
    for clause, words in _false_guards(told, moment, held=False):
        if told.decisions.unguarded_gives_priority(position, clause, player):
            yield Barred(moment, clause.id, clause.title, (words,))


def _false_guards(told: AnnotatedTrace, moment: int, *, held: bool = True) -> Iterator[tuple[ir.Clause, str]]:
    """Yield the clauses of the stage at *moment* that do not apply, with the false part of their guard.

    The words say what it asks for, or with *held* False what is so instead.
    """
    program, position = told.interpreter.program, told.trace.positions[moment]
    possible = {move.clause for move, _ in told.interpreter.allowed(position)}
    stage = program.stage(position.stage)
    names = tuple(parameter.name for parameter in stage.parameters)
    for clause in stage.clauses:
        if clause.id in possible or clause.owner.variable is not None:
            continue
        parts = clause.guard.parts if isinstance(clause.guard, ir.All) else (clause.guard,)
        # Only the first false part: a later one may rely on it.
        false = next((p for p in parts if not told.interpreter.evaluate(p, names)(position, position.arguments)), None)
        if false is not None:
            yield clause, _condition_words(program, false, told.parameters_at(moment), held=held)


def _condition_words(program: ir.Program, condition: ir.Expr, names: dict[str, str], *, held: bool) -> str:
    """Return what was so: *condition* or its opposite; of a flag alone, that it is yes or no."""
    if isinstance(condition, ir.Variable | ir.Entry):
        return f"{expression_words(program, condition, names)} is {'yes' if held else 'no'}"
    return expression_words(program, condition if held else ir.Not(condition), names)
