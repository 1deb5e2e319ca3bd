"""Questions: what a property asks, when it is vacuous, and what of it a scope could hide.

A property holds if the negation of its body is true at no moment; its conditions
(`formula.Property.conditions`) are looked for likewise, each as a formula of its own, and only if
nothing breaks the property. A clause spotlight makes one question of every clause. `all_queries`
tells beforehand all that may have to be looked for; `decide` asks for what it needs. How a formula
is looked for is an engine's business.

Endless: what a play could do without end beyond a scope, as far as a search within it can see.

Zones have no bound in the rules. A play that goes on for ever either comes back to where it was,
which a search finds as a loop, or it puts more and more items on some zone, and then every scope
cuts it. So an ending that no play was found to break is open if the scope cuts any move: what has
to end may begin with that move, or only after it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from typing import TypeAlias, assert_never

from ...models import ir
from ...models.frozen import frozen
from ...models.ir.analysis import effect_of, passes
from ...models.ir.parts import blocks_of
from ...models.options.configure import reached
from ...properties import formula as f
from ...properties.binding.future import finitely_often, while_it_goes_on
from ...properties.formula import of_formulas
from ..types.engine import Decision
from ..types.position import Trace
from ..types.verdict import KNOW_NO, Outcome


def goes_on(clause: ir.Clause, assuming: Sequence[f.Assumption]) -> bool:
    """Whether moves of *clause* may be made again and again when those are named who are *assuming*
    to end; so they may where one way through it passes and another does not.
    """
    match clause.mode:
        case "must":
            return True
        case "may":
            return "players" not in assuming or passes(clause.body)
        case "chance":
            return "cards" not in assuming
        case _:
            assert_never(clause.mode)


def puts_without_end(
    program: ir.Program, assuming: Sequence[f.Assumption], ended: Collection[str] = ()
) -> bool:
    """Whether some move that may be made again and again puts a new item on a zone: then a cut may
    hide a play that no scope has.

    Clauses whose ids are *ended* are used only finitely often. If none does there are never more
    items than there were, so what goes on for ever goes round, and a larger scope has the loop.

    NOTE(stages): once only such moves are left, a clause that is used again and again leads to a
    stage from which they come back to its own: what is done once for each card that is played, say,
    ends with the playing.
    """
    with_cards = "cards" not in assuming
    left = [
        (stage.name, one)
        for stage, one in program.clauses
        if one.id not in ended and goes_on(one, assuming)
    ]
    leads, putting = defaultdict[str, set[str]](set), list[tuple[str, set[str]]]()
    for stage, one in left:
        made = [*_may_be_made(one.body, with_cards=with_cards)]
        after = {statement.stage for statement in made if isinstance(statement, ir.Go)}
        leads[stage] |= after
        if any(done.joins is not None and done.item is None for done in map(effect_of, made)):
            putting.append((stage, after))
    return any(stage in reached(after, leads.__getitem__) for stage, after in putting)


def may_hide(program: ir.Program, query: Query) -> bool:
    """Whether, where the scope cuts moves, that may hide a play on which *query* stays true: one
    with more and more items.

    What the formula itself says to happen only finitely often makes no such play.
    """
    assuming, ended = set(query.assuming), set[str]()
    if query.temporal is not None and isinstance(query.formula, f.And):
        conjuncts = (
            query.temporal.parts if isinstance(query.temporal, f.Together) else (query.temporal,)
        )
        for number, part in enumerate(query.formula.parts):
            if finitely_often(f.PartHolds(number)) not in conjuncts:
                continue
            happens = while_it_goes_on(part)
            if happens == f.PlayerEvent("acts", None):
                assuming.add("players")
            elif isinstance(happens, f.Uses) and happens.player is None:
                ended.add(happens.clause)
    return puts_without_end(program, tuple(assuming), ended)


def _may_be_made(block: ir.Block, *, with_cards: bool) -> Iterator[ir.Statement]:
    """Yield the statements of *block* that may be made, those too that the cards let happen if
    *with_cards*: of what cards may cause the first option is that nothing happens.
    """
    for statement in block:
        yield statement
        blocks = blocks_of(statement)
        if isinstance(statement, ir.Branch) and statement.by == "cards" and not with_cards:
            blocks = blocks[:1]
        for inner in blocks:
            yield from _may_be_made(inner, with_cards=with_cards)


@frozen
class Query:
    """A formula that is looked for: one that may be true at some moment of some play, for some
    choice of its spotlights.

    No spotlight is one of a clause. *told* says that somebody will want to see the play, not only
    know of it. When *for_ever*, the formula has to be true from some moment on for ever, or at the
    end of a play that ends, those being named who are *assuming* to act finitely often
    (`formula.Property`). Of a part of a formula, *within* is the whole: an engine may look for both
    in the same positions.

    With *temporal* it is this that has to be true at moment 0 of a play, the same being assumed of
    it; then *formula* is the conjunction whose parts it speaks of.
    """

    formula: f.Formula
    spotlights: tuple[f.Spotlight, ...]
    told: bool = True
    for_ever: bool = False
    assuming: tuple[f.Assumption, ...] = ()
    temporal: f.Temporal | None = None
    within: Query | None = field(default=None, compare=False, repr=False)


@frozen
class SearchResult:
    """Whether a formula is *found* true, with a shortest play to that moment as *trace* if it is
    wanted.

    If nothing is found, *stopped* says why not all plays were looked at, empty if they were; those
    of up to *moves* moves were. *is_shortest* says that no shorter play shows it; of one found by a
    search that has not ended that may be open. *hides* says, of what has to stay true, that moves
    which the scope cuts may hide a play of which no scope has more than a part (`may_hide`).
    """

    found: bool
    moves: int = 0
    stopped: str = ""
    trace: Trace | None = None
    is_shortest: bool = True
    hides: bool = False


LookFor: TypeAlias = Callable[[Query], SearchResult]
ITSELF = -1
"""In the place of the number of a condition of a question: what it asks itself."""
UNSHOWN = "what no play within the scope shows"
"""The name of the question whether what no play within a scope shows is impossible at every
size.
"""
HIDDEN = (
    "nothing breaks it within the scope; but a play that the scope cuts might go on for ever with "
    "more and more items, and only a proof for every size can rule that out"
)
"""The reason of what no search of any scope can decide by itself."""
_OPEN_FIT = "nothing breaks it, but no play was found that fits what it assumes"
_CUT = "there is none within the scope, which cuts moves"


def all_queries(program: ir.Program, question: f.Property) -> Iterator[Query]:
    """Yield every query that deciding *question* may take, in the order in which `decide` asks
    them.
    """
    for ids, one in of_each_clause(program, question).items():
        yield _first(one, ids)
        if one.mode == "future" and _assumes(one):
            yield _of_future(one)
        if one.mode != "possible":
            yield from (_condition_query(one, condition, ids) for condition in one.conditions)


def first_queries(program: ir.Program, question: f.Property) -> Iterator[Query]:
    """Yield those of `all_queries` that decide *question* if one of them is found."""
    yield from (_first(one, ids) for ids, one in of_each_clause(program, question).items())


def decide(program: ir.Program, question: f.Property, look_for: LookFor) -> Decision:
    """Return what *look_for* finds out about *question*."""
    questions = of_each_clause(program, question)
    if questions.keys() == {""}:
        return _decide_one(question, "", look_for)
    return _of_all(
        question, {ids: _decide_one(one, ids, look_for) for ids, one in questions.items()}
    )


# ------------------------------------------------------------------ clause spotlights


def of_each_clause(program: ir.Program, question: f.Property) -> dict[str, f.Property]:
    """Return *question* once for each clause, by its id, if it has a clause spotlight; otherwise
    *question* itself.
    """
    names = [spotlight.name for spotlight in question.spotlights if spotlight.kind == "clause"]
    if not names:
        return {"": question}
    others = tuple(spotlight for spotlight in question.spotlights if spotlight.kind != "clause")
    questions = {}
    for ids in product([clause.id for _, clause in program.clauses], repeat=len(names)):
        stands_for = dict(zip(names, ids, strict=True))
        body = _of_clauses(question.body, stands_for)
        about = question.about and _of_clauses(question.about, stands_for)
        parts = tuple(
            replace(part, formula=_of_clauses(part.formula, stands_for)) for part in question.parts
        )
        questions[", ".join(ids)] = replace(
            question, spotlights=others, body=body, about=about, parts=parts
        )
    return questions


def _of_clauses(formula: f.Formula, stands_for: Mapping[str, str]) -> f.Formula:
    """Return *formula* with clauses in the place of clause spotlights."""
    return ir.rewrite(formula, of_formulas(lambda part: _of_clause(part, stands_for)))


def _of_clause(formula: f.Formula, stands_for: Mapping[str, str]) -> f.Formula:
    match formula:
        case f.ClausePossible(clause) | f.Uses(clause):
            return replace(formula, clause=stands_for[clause]) if clause in stands_for else formula
        case f.LeafOfPosition() | f.Enabled() | f.Gap() | f.Conflict():
            return formula
        case f.ItemEvent() | f.PlayerEvent() | f.SequenceEvent():
            return formula
        case f.Compound():
            return formula
        case _:
            assert_never(formula)


def _of_all(question: f.Property, decisions: Mapping[str, Decision]) -> Decision:
    """Return what the answers for every clause come to together."""

    def those(*outcomes: Outcome) -> list[str]:
        return [
            ids
            for outcome in outcomes
            for ids, decision in decisions.items()
            if decision.outcome == outcome
        ]

    if dead := those(Outcome.IMPOSSIBLE):
        never_used = tuple(dead) if isinstance(question.body, f.Uses) else ()
        reason = f"not possible for {', '.join(dead)}"
        unshown = tuple((ids, ITSELF) for ids in dead)
        return Decision(Outcome.VIOLATED, question, reason=reason, dead=never_used, unshown=unshown)
    open_ = those(Outcome.UNKNOWN, Outcome.BOUNDED)
    if broken := those(Outcome.VIOLATED):
        shortest = min(broken, key=lambda ids: _length(decisions[ids]))
        # A clause that is open may be broken by a play of one move more than were looked at.
        sure = all(decisions[ids].is_shortest for ids in broken)
        sure &= all(
            _length(decisions[shortest]) <= (decisions[ids].bound or 0) + 1 for ids in open_
        )
        reason = f"broken for {', '.join(broken)}; the play is for {shortest}"
        return replace(decisions[shortest], reason=reason, is_shortest=sure)
    if open_:
        least = min(decisions[ids].bound or 0 for ids in open_)
        which = f"; open for {', '.join(open_)}" if len(open_) < len(decisions) else ""
        hidden = all(decisions[ids].is_hidden for ids in open_)
        return replace(
            _unfinished(question, least, f"{decisions[open_[0]].reason}{which}"), is_hidden=hidden
        )
    if decisions and len(those(Outcome.VACUOUS)) == len(decisions):
        reasons = {decision.reason for decision in decisions.values()}
        unshown = tuple(one for decision in decisions.values() for one in decision.unshown)
        return Decision(
            Outcome.VACUOUS,
            question,
            reason=reasons.pop() if len(reasons) == 1 else _NEVER_OF_ANY,
            unshown=unshown,
        )
    return Decision(Outcome.HOLDS, question)


def _length(decision: Decision) -> int:
    return len(decision.trace.steps) if decision.trace else 0


# ------------------------------------------------------------------ one question


def _first(question: f.Property, ids: str) -> Query:
    """Return what decides *question*, asked of the clauses *ids*, if it is found: what breaks it,
    or a witness.
    """
    if question.mode == "always":
        return Query(f.Not(question.body), question.spotlights)
    if question.mode == "progress":
        return Query(question.body, question.spotlights, for_ever=True, assuming=question.assuming)
    if question.future is not None:
        return _of_future(question, f.Otherwise(question.future))
    return Query(
        question.body, question.spotlights, told=not ids
    )  # no play shows that every clause is possible


def _of_future(question: f.Property, *asked: f.Temporal) -> Query:
    """Return whether all that is *asked* is so on a play that fits what *question* assumes."""
    temporal = f.Together((*(given.formula for given in question.given), *asked))
    return Query(
        question.body,
        question.spotlights,
        bool(asked),
        for_ever=True,
        assuming=question.assuming,
        temporal=temporal,
    )


def _assumes(question: f.Property) -> bool:
    """Whether *question* speaks of some plays only, so that it may speak of none."""
    return bool(question.given or question.assuming)


def _condition_query(question: f.Property, condition: f.Part, ids: str) -> Query:
    spotlights = tuple(
        spotlight for spotlight in condition.spotlights if spotlight.kind != "clause"
    )
    return Query(
        condition.formula,
        spotlights,
        told=False,
        within=_first(question, ids) if condition.claim else None,
    )


def _decide_one(question: f.Property, ids: str, look_for: LookFor) -> Decision:
    """Decide a property without clause spotlights; *ids* are the clauses that stand in their
    place.
    """
    is_demand, first = question.mode != "possible", look_for(_first(question, ids))
    if first.found:
        return Decision(
            Outcome.VIOLATED if is_demand else Outcome.POSSIBLE,
            question,
            first.trace,
            is_shortest=first.is_shortest,
        )
    if first.stopped:
        return _unfinished(question, first.moves, first.stopped)
    if not is_demand:
        return unseen(question)
    if question.mode == "future" and _assumes(question):
        fits = look_for(_of_future(question))
        if fits.stopped or fits.hides:
            reason = f"{_OPEN_FIT}: {fits.stopped or _CUT}"
            return Decision(Outcome.UNKNOWN, question, reason=reason)
        if not fits.found:
            reason, unshown = "because no play fits what it assumes", ((ids, ITSELF),)
            return Decision(Outcome.VACUOUS, question, reason=reason, unshown=unshown)
    unbroken = _unbroken(question, ids, look_for)
    if first.hides and unbroken.outcome == Outcome.HOLDS:
        return Decision(Outcome.UNKNOWN, question, reason=HIDDEN, is_hidden=True)
    return unbroken


def unseen(question: f.Property) -> Decision:
    """Return what *question* is worth, which asks whether something is possible, if nothing shows
    it.
    """
    if question.absent:
        return Decision(Outcome.VACUOUS, question, reason=f"{KNOW_NO} {question.absent}")
    return Decision(Outcome.IMPOSSIBLE, question)


_NEVER_OF_ANY = "because its condition, or a part of it, never arises, whichever the clause"


def _unbroken(question: f.Property, ids: str, look_for: LookFor) -> Decision:
    """Return what *question*, which nothing breaks, is worth: whether each of its conditions
    arises.
    """
    open_ = ""
    for number, condition in enumerate(question.conditions):
        result = look_for(_condition_query(question, condition, ids))
        if not result.found and not result.stopped:
            return Decision(
                Outcome.VACUOUS, question, reason=_why_vacuous(condition), unshown=((ids, number),)
            )
        if not result.found and not open_:
            what = f"`{condition.text}`" if condition.claim else "its condition"
            open_ = f"nothing breaks it; whether {what} ever arises is open: {result.stopped}"
    return Decision(Outcome.UNKNOWN if open_ else Outcome.HOLDS, question, reason=open_)


def _why_vacuous(condition: f.Part) -> str:
    """Return that *condition* never arises, and of a part which claim says no less than the
    whole.
    """
    if condition.claim:
        return f"already because `{condition.text}` never arises: claim `{condition.claim}`"
    return f"because its condition never arises: {condition.text}"


def _unfinished(question: f.Property, moves: int, reason: str) -> Decision:
    if moves < 1:
        return Decision(Outcome.UNKNOWN, question, reason=reason)
    return Decision(Outcome.BOUNDED, question, reason=reason, bound=moves)
