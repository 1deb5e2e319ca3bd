"""Questions: what a property asks, formula by formula, and what the answers come to. All engines share it.

A property holds if the negation of its body is true at no moment; what it speaks of is looked for
likewise, as a formula of its own, and only if nothing breaks the property. A clause spotlight makes one
question of every clause. `all_wanted` tells beforehand all that may have to be looked for; `decide` asks for
what it needs. How a formula is looked for is an engine's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias

from ..models import ir
from ..properties import formula as f
from .engine import Decision
from .trace import Trace
from .verdict import Outcome


@dataclass(frozen=True)
class Wanted:
    """A formula that is looked for: one that may be true at some moment of some play, for some choice of its spotlights.

    No spotlight is one of a clause.
    """

    formula: f.Formula
    spotlights: tuple[f.Spotlight, ...]


@dataclass(frozen=True)
class Looked:
    """A shortest play to a moment at which a formula is true, or None; *stopped* says why not all plays were looked at.

    If so, those of up to *moves* moves were.
    """

    trace: Trace | None
    moves: int = 0
    stopped: str = ""


LookFor: TypeAlias = Callable[[Wanted], Looked]


def all_wanted(program: ir.Program, question: f.Property) -> Iterator[Wanted]:
    """Yield all that *question* may have to be decided by, in the order in which `decide` asks for it."""
    for one in _of_each_clause(program, question).values():
        yield _first(one)
        if one.mode == "always" and one.about is not None:
            yield Wanted(one.about, one.spotlights)


def decide(program: ir.Program, question: f.Property, look_for: LookFor) -> Decision:
    """Return what *look_for* finds out about *question*."""
    questions = _of_each_clause(program, question)
    if questions.keys() == {""}:
        return _decide_one(question, look_for)
    return _of_all(question, {ids: _decide_one(one, look_for) for ids, one in questions.items()})


# ------------------------------------------------------------------ clause spotlights


def _of_each_clause(program: ir.Program, question: f.Property) -> dict[str, f.Property]:
    """Return *question* for all that its clause spotlights can stand for, by the ids of the clauses; itself if it has none."""
    names = [spotlight.name for spotlight in question.spotlights if spotlight.kind == "clause"]
    if not names:
        return {"": question}
    others = tuple(spotlight for spotlight in question.spotlights if spotlight.kind != "clause")
    questions = {}
    for ids in product([clause.id for _, clause in program.clauses], repeat=len(names)):
        stands_for = dict(zip(names, ids, strict=True))
        body, about = _of_clauses(question.body, stands_for), question.about and _of_clauses(question.about, stands_for)
        questions[", ".join(ids)] = replace(question, spotlights=others, body=body, about=about)
    return questions


def _of_clauses(formula: f.Formula, stands_for: Mapping[str, str]) -> f.Formula:
    """Return *formula* with clauses in the place of clause spotlights."""

    def change(node: object) -> object:
        if isinstance(node, f.ClausePossible | f.Uses) and node.clause in stands_for:
            return replace(node, clause=stands_for[node.clause])
        return node

    return ir.rewrite(formula, change)


def _of_all(question: f.Property, decisions: Mapping[str, Decision]) -> Decision:
    """Return what the answers for every clause come to together."""

    def those(*outcomes: Outcome) -> list[str]:
        return [ids for outcome in outcomes for ids, decision in decisions.items() if decision.outcome == outcome]

    if dead := those(Outcome.IMPOSSIBLE):
        return Decision(Outcome.VIOLATED, question, reason=f"not possible for {', '.join(dead)}")
    if broken := those(Outcome.VIOLATED):
        shortest = min(broken, key=lambda ids: _length(decisions[ids]))
        return replace(decisions[shortest], reason=f"broken for {', '.join(broken)}; the play is for {shortest}")
    if open_ := those(Outcome.UNKNOWN, Outcome.BOUNDED):
        least = min(decisions[ids].bound or 0 for ids in open_)
        return _unfinished(question, least, f"{decisions[open_[0]].reason}; open for {', '.join(open_)}")
    if decisions and len(those(Outcome.VACUOUS)) == len(decisions):
        return Decision(Outcome.VACUOUS, question, reason="what it speaks of never happens, whichever the clause")
    return Decision(Outcome.HOLDS, question)


def _length(decision: Decision) -> int:
    return len(decision.trace.steps) if decision.trace else 0


# ------------------------------------------------------------------ one question


def _first(question: f.Property) -> Wanted:
    """Return what decides *question* if it is found: what breaks it, or a witness."""
    return Wanted(f.Not(question.body) if question.mode == "always" else question.body, question.spotlights)


def _decide_one(question: f.Property, look_for: LookFor) -> Decision:
    """Decide a property without clause spotlights."""
    is_always, found = question.mode == "always", look_for(_first(question))
    if found.trace is not None:
        return Decision(Outcome.VIOLATED if is_always else Outcome.POSSIBLE, question, found.trace)
    if found.stopped:
        return _unfinished(question, found.moves, found.stopped)
    if not is_always or question.about is None:
        return Decision(Outcome.HOLDS if is_always else Outcome.IMPOSSIBLE, question)
    subject = look_for(Wanted(question.about, question.spotlights))
    if subject.trace is not None:
        return Decision(Outcome.HOLDS, question)
    if subject.stopped:
        return Decision(Outcome.UNKNOWN, question, reason=f"nothing breaks it; whether it speaks of anything is open: {subject.stopped}")
    return Decision(Outcome.VACUOUS, question, reason=f"what it speaks of never happens: {question.about_text or 'its subject'}")


def _unfinished(question: f.Property, moves: int, reason: str) -> Decision:
    if moves < 1:
        return Decision(Outcome.UNKNOWN, question, reason=reason)
    return Decision(Outcome.BOUNDED, question, reason=reason, bound=moves)
