"""Endings: what becomes of what must eventually happen, where a search within a scope has found
nothing that breaks it.

Does any play fit what is assumed? If none does, on every play somebody acts again and again, be it
once in each turn. What has to happen may do so on these plays all the same; if it never does,
nothing was asked. Might the scope cut a play that goes on for ever with more and more items
(`endless`)? Then it is looked for (`growth`), and what is not found is for a proof to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...models import ir
from ...properties import formula as f
from ..questions.questions import of_each_clause
from ..reference.lasso import acts
from ..reference.semantics.interpreter import Interpreter
from ..types.budget import Meter
from ..types.engine import Decision, Engine
from ..types.scope import Scope
from ..types.trace import Trace
from ..types.verdict import Counts, Outcome
from .growth import growth

_LONGEST_WALK = 1_000
"""How many moves are made to see whether some play fits, before all of them are looked at."""
NO_PLAY = "because no play fits what it assumes, that {who} act only finitely often, and what it speaks of never comes to an end"
OPEN = "nothing breaks it, but it is open whether any play fits what it assumes: {why}"
CUT = "none within the scope does, but the scope cuts moves"


@dataclass
class Endings:
    """Settles what an *engine* says of what must eventually happen in *program* within *scope*.

    What it learns of plays serves every question with the same assumptions.
    """

    engine: Engine
    program: ir.Program
    scope: Scope
    meter: Meter
    _quick: dict[tuple[f.Assumption, ...], bool] = field(default_factory=dict)
    _fitting: dict[tuple[f.Assumption, ...], Decision] = field(default_factory=dict)

    def settled(
        self, decision: Decision, question: f.Property, *, is_proved: bool = False
    ) -> Decision:
        """Return *decision* about *question* with what is known besides.

        If it *is_proved* that no play grows, none is looked for.
        """
        if question.mode != "progress" or not (
            decision.outcome == Outcome.HOLDS or decision.is_hidden
        ):
            return decision
        if decision.is_hidden and not is_proved and (found := self._growing(question)) is not None:
            return replace(
                decision,
                outcome=Outcome.VIOLATED,
                reason="",
                question=found[0],
                trace=found[1],
                is_hidden=False,
            )
        if self._fits_some(question.assuming) or self._comes(question):
            return decision
        plays = self._plays(question.assuming)
        return (
            decision
            if plays.outcome == Outcome.POSSIBLE
            else replace(decision, outcome=plays.outcome, reason=plays.reason, is_hidden=False)
        )

    def _growing(self, question: f.Property) -> tuple[f.Property, Trace] | None:
        """Return a play with more and more items that breaks *question*, with what of it that
        breaks.
        """
        for one in of_each_clause(self.program, question).values():
            self.meter.begin(f"looking for more and more items, {question.name}")
            trace = growth(self.program, one, self.scope)
            if trace is not None:
                return one, trace
        return None

    # ------------------------------------------------------------------ what no play fits

    def _fits_some(self, assuming: tuple[f.Assumption, ...]) -> bool:
        """Whether a play is quickly found that fits what is assumed."""
        if assuming not in self._quick:
            self._quick[assuming] = not assuming or _some_play_fits(
                Interpreter(self.program, self.scope), assuming
            )
        return self._quick[assuming]

    def _comes(self, question: f.Property) -> bool:
        """Whether what has to happen does on some play, be it one that does not fit: the formula
        was true, and is so no more.
        """
        for one in of_each_clause(self.program, question).values():
            ends = f.And((f.Previously(one.body), f.Not(one.body)))
            if (
                self._decided(
                    replace(one, mode="possible", body=ends, about=None, parts=(), assuming=())
                )[0].outcome
                == Outcome.POSSIBLE
            ):
                return True
        return False

    def _plays(self, assuming: tuple[f.Assumption, ...]) -> Decision:
        """Return whether a play fits that those who are *assuming* name act only finitely often:
        POSSIBLE, VACUOUS or UNKNOWN.
        """
        if assuming not in self._fitting:
            self._fitting[assuming] = self._looked_for(assuming)
        return self._fitting[assuming]

    def _looked_for(self, assuming: tuple[f.Assumption, ...]) -> Decision:
        some = f.Property(
            "some play", "", "", "progress", (), f.And(()), None, "", assuming=assuming
        )
        decision, counts = self._decided(some)
        if decision.outcome == Outcome.VIOLATED or (
            decision.is_hidden and growth(self.program, some, self.scope) is not None
        ):
            return Decision(Outcome.POSSIBLE, some)
        if decision.outcome == Outcome.HOLDS and not counts.cut:
            return Decision(
                Outcome.VACUOUS, some, reason=NO_PLAY.format(who=" and ".join(assuming))
            )
        stopped = (
            decision.reason
            if decision.outcome in (Outcome.UNKNOWN, Outcome.BOUNDED) and not decision.is_hidden
            else ""
        )
        return Decision(Outcome.UNKNOWN, some, reason=OPEN.format(why=stopped or CUT))

    def _decided(self, question: f.Property) -> tuple[Decision, Counts]:
        self.meter.begin("looking for plays that fit")
        ((decision, counts),) = self.engine.decide(self.program, [question], self.scope, self.meter)
        return decision, counts


def _some_play_fits(interpreter: Interpreter, assuming: Sequence[f.Assumption]) -> bool:
    """Whether a play fits that is quickly found: by the first move that may be made again and
    again, and if there is none by the first.
    """
    position, met = interpreter.initial(), dict[object, int]()
    acted = -1
    for number in range(_LONGEST_WALK):
        if position in met:
            return acted < met[position]
        met[position] = number
        found = interpreter.moves(position)
        if not found.moves:
            return not interpreter.allowed(position)
        quiet = [
            target
            for move, target in found.moves
            if not any(acts(who, move, interpreter) for who in assuming)
        ]
        if not quiet:
            acted = number
        position = quiet[0] if quiet else found.moves[0][1]
    return False
