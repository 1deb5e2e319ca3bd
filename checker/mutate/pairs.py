"""Pairs: two edits that mend together what neither mends, and the plays that say which edits are
worth a try.

A play that breaks a property goes on breaking it until an edit changes one of its moves, or what is
asked of them. So only edits of its clauses are tried; and what one edit leaves broken has a play of
its own, which says where the second one may be.
"""

from __future__ import annotations

from contextlib import suppress

from ...models import ir
from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ...models.options.configure import configure
from ...properties import formula as f
from ...properties.formula import formulas
from ..run.check import decisions
from ..run.engines import engine_named
from ..types.budget import Budget, Meter
from ..types.engine import Decision
from ..types.verdict import Outcome
from .edits.edits import Edit, edits_and_additions
from .judge import MOST_POSITIONS, Judge, Judgement

MOST_FIRST = 40
"""How many edits get a second one: those first after which the property breaks latest."""
MOST_SECOND = 60
"""How many second edits are tried for each."""


@frozen
class BreakingPlay:
    """What makes a play that breaks a property: the moves of its *clauses*, or if it *asks* what is
    possible, all rules.
    """

    clauses: frozenset[str]
    asks: bool

    def may_end_by(self, edited: ir.Program, program: ir.Program) -> bool:
        """Whether *edited* may be without the play that *program* has."""
        if self.asks or edited.zones != program.zones:
            return True
        for old, new in zip(program.stages, edited.stages, strict=True):
            if old is new:
                continue
            changed = {
                one.id for one, other in zip(old.clauses, new.clauses, strict=True) if one != other
            }
            if changed & self.clauses or old.priority != new.priority:
                return True
        return False


def searched(judge: Judge, program: ir.Program, name: str, meter: Meter) -> Decision:
    """Return what a search finds of *program*, which is configured, about what *judge* calls
    *name*.
    """
    question = judge.wanted(name)[1]
    room = judge.scope.with_room(question.needs)
    return next(decisions(engine_named("explicit"), program, [question], room, meter))[0]


def breaking_play(judge: Judge, name: str, decision: Decision) -> BreakingPlay | None:
    """Return the play by which a ruleset does not meet what *judge* calls *name*, of which
    *decision* is known; None if no play shows it.
    """
    expectation, question = judge.wanted(name)
    if expectation not in ("holds", "lemma") or question.mode not in ("always", "progress"):
        return None
    trace = decision.trace
    if decision.outcome is not Outcome.VIOLATED or trace is None or trace.growth is not None:
        return None
    asked = {type(part) for part in formulas(decision.question.body)}
    asks = bool(asked & {f.Enabled, f.ClausePossible, f.Gap, f.Conflict}) or (
        question.mode == "progress" and trace.loop is None
    )
    return BreakingPlay(frozenset(step.move.clause for step in trace.steps), asks)


@frozen
class SecondEdits:
    """Which of all edits of what an edit makes mend a property together with it, by their numbers,
    and of how many that was *tried*.

    *stopped* says why not all were tried.
    """

    mending: tuple[tuple[int, Judgement], ...]
    tried: int
    stopped: str = ""


def second_edits(judge: Judge, first: Edit, name: str) -> SecondEdits:
    """Return the edits that, after *first*, mend what *judge* calls *name* and lose no claim."""
    tried = judge.mend(first, name)
    if tried.fate != "noticed":
        return SecondEdits((), 0)
    broken, play = tried.noticed[0].name, None
    with suppress(InputError):
        edited, meter = (
            configure(first.program, judge.settings),
            Meter(Budget(positions=MOST_POSITIONS)),
        )
        play = breaking_play(judge, broken, searched(judge, edited, broken, meter))
    if play is None:
        return SecondEdits((), 0)
    worth = [
        (number, edit)
        for number, edit in enumerate(edits_and_additions(first.program))
        if edit.program != judge.opened and play.may_end_by(edit.program, first.program)
    ][:MOST_SECOND]
    judged = [(number, judge.mend(edit, name)) for number, edit in worth]
    return SecondEdits(tuple(one for one in judged if one[1].fate == "mended"), len(judged))
