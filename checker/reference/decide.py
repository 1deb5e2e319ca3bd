"""Deciding: a property and a graph -> what is known of it, with the play that shows it.

A property holds if the negation of its body is true at no moment; what it speaks of is looked for
likewise, as a formula of its own. A clause spotlight makes one question of every clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from ...models import ir
from ...properties import formula as f
from ..budget import INTERRUPTED, Meter, SpentError
from ..engine import Decision
from ..verdict import Outcome
from .explore import collector_paused
from .scan import can_scan, scan
from .signals import Signals
from .watch import Answer, Watch


def decide(signals: Signals, question: f.Property, meter: Meter) -> Decision:
    """Return what *signals*' graph says about *question*."""
    questions = dict(_of_each_clause(signals.graph.interpreter.program, question))
    if "" in questions:
        return _decide_one(signals, question, meter)
    decisions = {clause: _decide_one(signals, one, meter) for clause, one in questions.items()}
    return _of_all(question, decisions)


def _of_each_clause(program: ir.Program, question: f.Property) -> Iterator[tuple[str, f.Property]]:
    """Return *question* for every clause (every tuple of them) that its clause spotlights can stand for, by their ids."""
    names = [spotlight.name for spotlight in question.spotlights if spotlight.kind == "clause"]
    others = tuple(spotlight for spotlight in question.spotlights if spotlight.kind != "clause")
    for ids in product([clause.id for _, clause in program.clauses], repeat=len(names)):
        stands_for = dict(zip(names, ids, strict=True))

        def change(node: object, stands_for: dict[str, str] = stands_for) -> object:
            if isinstance(node, f.ClausePossible | f.Uses) and node.clause in stands_for:
                return replace(node, clause=stands_for[node.clause])
            return node

        about = None if question.about is None else ir.rewrite(question.about, change)
        yield ", ".join(ids), replace(question, spotlights=others, body=ir.rewrite(question.body, change), about=about)


def _decide_one(signals: Signals, question: f.Property, meter: Meter) -> Decision:
    """Decide a property without clause spotlights."""
    wanted = f.Not(question.body) if question.mode == "always" else question.body
    answer = look_for(signals, wanted, question.spotlights, meter)
    if answer.trace is not None:
        return Decision(Outcome.VIOLATED if question.mode == "always" else Outcome.POSSIBLE, question, answer.trace)
    if answer.stopped:
        return _unfinished(question, answer.moves, answer.stopped)
    if question.mode == "possible":
        return Decision(Outcome.IMPOSSIBLE, question)
    if question.about is None:
        return Decision(Outcome.HOLDS, question)
    subject = look_for(signals, question.about, question.spotlights, meter)
    if subject.trace is not None:
        return Decision(Outcome.HOLDS, question)
    if subject.stopped:
        return Decision(Outcome.UNKNOWN, question, reason=f"nothing breaks it; whether it speaks of anything is open: {subject.stopped}")
    return Decision(Outcome.VACUOUS, question, reason=f"what it speaks of never happens: {question.about_text or 'its subject'}")


def look_for(signals: Signals, formula: f.Formula, spotlights: tuple[f.Spotlight, ...], meter: Meter) -> Answer:
    """Return a shortest play to a moment at which *formula* is true, if the graph has one."""
    graph = signals.graph
    try:
        with collector_paused():
            if not can_scan(formula, spotlights):
                return Watch(signals, formula, spotlights, meter).search()
            return Answer(scan(signals, formula, spotlights, meter), graph.complete_layers - 1, graph.stopped)
    except SpentError as spent:
        return Answer(None, 0, str(spent))
    except KeyboardInterrupt:
        meter.interrupted = True
        return Answer(None, 0, INTERRUPTED)


def _unfinished(question: f.Property, moves: int, reason: str) -> Decision:
    if moves < 1:
        return Decision(Outcome.UNKNOWN, question, reason=reason)
    return Decision(Outcome.BOUNDED, question, reason=reason, bound=moves)


def _of_all(question: f.Property, decisions: dict[str, Decision]) -> Decision:
    """Return what the answers for every clause come to together."""
    by_outcome: dict[Outcome, list[str]] = {}
    for clause, decision in decisions.items():
        by_outcome.setdefault(decision.outcome, []).append(clause)
    if dead := by_outcome.get(Outcome.IMPOSSIBLE):
        return Decision(Outcome.VIOLATED, question, reason=f"not possible for {', '.join(dead)}")
    if broken := by_outcome.get(Outcome.VIOLATED):
        clause = min(broken, key=lambda clause: _length(decisions[clause]))
        return replace(decisions[clause], reason=f"broken for {', '.join(broken)}; the play is for {clause}")
    if open_ := [clause for outcome in (Outcome.UNKNOWN, Outcome.BOUNDED) for clause in by_outcome.get(outcome, [])]:
        bounds = [decisions[clause].bound or 0 for clause in open_]
        return _unfinished(question, min(bounds), f"{decisions[open_[0]].reason}; open for {', '.join(open_)}")
    if by_outcome.keys() == {Outcome.VACUOUS}:
        return Decision(Outcome.VACUOUS, question, reason="what it speaks of never happens, whichever the clause")
    return Decision(Outcome.HOLDS, question)


def _length(decision: Decision) -> int:
    return len(decision.trace.steps) if decision.trace else 0
