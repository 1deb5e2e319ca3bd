"""The record of a difference: what an edit changed, as plain data. Every renderer's only input.

In: what the checker found of two rulesets. Out: `DifferenceRecord`; all its texts are finished
sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, assert_never

from ...checker.diff.behaviour import Deed, Goes, GoesOn, Rests, Which
from ...checker.diff.changes import TextChange
from ...checker.diff.diff import Demonstration, Difference
from ...checker.diff.guarantees import Guarantee
from ...checker.diff.observer import MoveMade, Observation, PriorityGiven
from ...checker.rulings.changed import ChangedRulings
from ...checker.types.trace import Trace
from ...checker.types.verdict import Fate
from ...models import ir
from ...models.words import counted, join_words
from ...properties.wording import expression_words
from ..plays.explain import explain, retell
from ..plays.passages import passages_of
from ..plays.play import Play
from ..rulings.told import ChangedTold, tell_changed
from .observed import ObservedWords, players_words

if TYPE_CHECKING:
    from ...checker.diff.conditions import ProvedCondition

_NO_RULINGS = ChangedRulings()
Sameness = Literal["same at every size", "same within the scope", "different", "undecided"]


@dataclass(frozen=True)
class SideRecord:
    """One side: what the ruleset is called, its title, the file it is from, its settings and its
    scope.
    """

    name: str
    title: str
    file: str
    settings: tuple[tuple[str, str | int], ...]
    players: int
    sizes: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Parting:
    """What the *side* allows and the other does not, after *observations* that both allow: in a
    *sentence*, and as a play of each.
    """

    side: Which
    observations: int
    sentence: str
    otherwise: str
    old: Play
    new: Play

    @property
    def shown(self) -> Play:
        """The play of the side that does something more."""
        return self.old if self.side == "old" else self.new

    @property
    def beside(self) -> Play:
        """The play of the other side that looks like it, up to there."""
        return self.new if self.side == "old" else self.old

    @property
    def folded_alike(self) -> Parting:
        """The same, to be read side by side: a line that one play begins at a move begins there in
        the other, too.
        """
        heads = tuple(
            {passage.head.number for play in (self.old, self.new) for passage in passages_of(play)}
        )
        return replace(self, old=replace(self.old, apart=heads), new=replace(self.new, apart=heads))

    @property
    def is_told_by_one(self) -> bool:
        """Whether both plays are the same moves by the same clauses, but for the last of the
        one.
        """
        moves = [
            [(moment.clause, moment.mover, moment.events) for moment in play.moments[1:]]
            for play in (self.shown, self.beside)
        ]
        return moves[0][: len(moves[1])] == moves[1]


@dataclass(frozen=True)
class GuaranteeRow:
    """What became of one guarantee: what was claimed of it, both verdicts (empty where it was not
    asked), the play that shows a loss.
    """

    name: str
    title: str
    formula: str
    expectation: str
    cites: tuple[str, ...]
    fate: Fate
    old: str
    new: str
    reason: str
    play: Play | None


@dataclass(frozen=True)
class DifferenceRecord:
    """What an edit changed: of the text (*changes*), of what players can observe (*partings*, the
    shorter first), of what is guaranteed.

    *reason* says why it is undecided whether the two are the same; *notes* what else there is to
    say of the comparison. *pairs* is how many pairs of clouds were compared, of *positions* on both
    sides.
    """

    old: SideRecord
    new: SideRecord
    sameness: Sameness
    reason: str
    notes: tuple[str, ...]
    changes: tuple[TextChange, ...]
    partings: tuple[Parting, ...]
    guarantees: tuple[GuaranteeRow, ...]
    pairs: int
    positions: tuple[int, int]
    observations: int
    rulings: ChangedTold

    def fated(self, *fates: Fate, claimed: bool = False) -> tuple[GuaranteeRow, ...]:
        """Return the guarantees that had one of these *fates*; only those that are *claimed*, if
        so.
        """
        return tuple(
            row for row in self.guarantees if row.fate in fates and (row.expectation or not claimed)
        )


def make_difference_record(
    found: Difference,
    changes: Sequence[TextChange],
    kept: Sequence[Guarantee],
    changed: ChangedRulings,
) -> DifferenceRecord:
    """Return the record of what was *found* of two rulesets.

    It has the *changes* of their texts, the guarantees that are *kept* or not, and the rulings that
    *changed*.
    """
    compared = found.compared
    sameness, reason = _sameness(found)
    return DifferenceRecord(
        _side(found, 0),
        _side(found, 1),
        sameness,
        reason,
        (*_notes(found), *_notes_on(kept)),
        tuple(changes),
        tuple(parting_of(found, shown) for shown in found.shown),
        tuple(_guarantee_row(one) for one in kept),
        compared.pairs,
        found.positions,
        compared.depth,
        tell_changed(changed),
    )


def _side(found: Difference, side: int) -> SideRecord:
    program, scope = (found.old, found.new)[side], found.scopes[side]
    return SideRecord(
        program.name,
        program.title,
        program.source.name,
        program.settings,
        scope.players,
        scope.sizes,
    )


def _sameness(found: Difference) -> tuple[Sameness, str]:
    compared = found.compared
    if found.is_same:
        return "same at every size", ""
    if found.shown:
        return "different", ""
    if compared.stopped:
        return (
            "undecided",
            f"{compared.stopped}; plays of up to {counted(compared.depth, 'observation')} are the same",
        )
    return "same within the scope", ""


def _notes(found: Difference) -> list[str]:
    notes = [_proved(found.old, one) for one in found.proved]
    if found.enlarged:
        notes.append("Nothing differs in the scope of the rulesets: this is one size larger.")
    if not found.is_same and not found.shown:
        notes.append(f"Not known for every size: {found.why_not}.")
    if found.renaming.guessed:
        said = [
            f"{name} for {found.renaming.old(what, name)}" for what, name in found.renaming.guessed
        ]
        notes.append(f"Taken as renamed: {join_words(said)}. Say --map OLD=NEW if it is otherwise.")
    if found.unseen:
        notes.append(f"Only one side has {join_words(found.unseen)}, so that was not looked at.")
    if found.by_titles:
        notes.append("What comes of it looks alike: only what players say that they do shows it.")
    if found.compared.is_partial and found.shown:
        only = "new" if found.shown[0].separation.side == "old" else "old"
        depth = counted(found.compared.depth, "observation")
        notes.append(
            f"What the {only} rules alone allow was looked for in plays of up to {depth} only."
        )
    if found.compared.cut and not found.is_same:
        notes.append(
            f"The scope cut the plays {counted(found.compared.cut, 'time')}; what comes after that was not compared."
        )
    return notes


def _proved(program: ir.Program, one: ProvedCondition) -> str:
    old, new = (expression_words(program, condition) for condition in (one.old, one.new))
    return f"Proved for every size, {one.place}: `{new}` says what `{old}` said."


def _notes_on(kept: Sequence[Guarantee]) -> list[str]:
    names = [one.asked.name for one in kept if one.asked.by_other_terms]
    said = f"Asked of each side with its own terms, since those of the other mean nothing there: {join_words(names)}."
    return [said] if names else []


# ------------------------------------------------------------------ what players notice


_SIDES = {"old": "the old rules", "new": "the new rules"}


def parting_of(
    found: Difference, shown: Demonstration, called: Mapping[str, str] = _SIDES
) -> Parting:
    """Return what was *shown* of *found*, in words and with a play of each side; the sides are
    *called* so.
    """
    separation = shown.separation
    programs = {"old": found.old, "new": found.new}
    scopes = dict(zip(("old", "new"), found.scopes, strict=True))
    does, other = ("old", "new") if separation.side == "old" else ("new", "old")
    told: dict[str, Play] = {
        side: retell(programs[side], scopes[side], _trace(shown, side)) for side in ("old", "new")
    }
    words = ObservedWords(found.old)
    clause = told[does].moments[-1].clause
    sentence = f"Here {_deed(words, separation.difference, called[does], clause, told[does], is_cut=shown.is_cut)}"
    if called is _SIDES and does == "new" and shown.only_adds and " may " in sentence:
        sentence = sentence.replace(f"{called[does]} let this happen: ", "").replace(
            " may ", " may now also ", 1
        )
    otherwise = f"{called[other].capitalize()} do not: {_otherwise(words, shown, told[other])}"
    told[does] = replace(told[does], ending="shows", conclusion=sentence)
    told[other] = replace(told[other], ending="shows", conclusion=otherwise)
    return Parting(
        separation.side, len(separation.word), sentence, otherwise, told["old"], told["new"]
    )


def _trace(shown: Demonstration, side: str) -> Trace:
    return shown.plays["old" if side == "old" else "new"]


def _deed(
    words: ObservedWords, difference: Deed, who: str, clause: str, play: Play, *, is_cut: bool
) -> str:
    """Return what *who* let happen after the *play*, by *clause*."""
    match difference:
        case Goes(how) if isinstance(how, PriorityGiven):
            holders = how.holders
            return f"{who} give {players_words(holders)} priority{f' (by {clause})' if clause else ''}."
        case Goes(made):
            assert isinstance(made, MoveMade), made
            said = words.made(made)
            if is_cut:
                return f"{who} let this happen: {said}; there is no room for it within the scope."
            by = (
                f"{said.removesuffix(')')}; by {clause})"
                if made.choosers and said.endswith(")")
                else f"{said} (by {clause})"
            )
            return f"{who} let this happen: {by}."
        case GoesOn():
            first, last = (play.loop or 0) + 1, play.moments[-1].number
            moves = f"move {first}" if first == last else f"moves {first} to {last}"
            return f"{who} can go round for ever, with nothing to notice: {moves}, again and again."
        case Rests(rest):
            return f"{who} can come to a stop where {words.rest(rest)}."
        case _:
            assert_never(difference)


def _otherwise(words: ObservedWords, shown: Demonstration, play: Play) -> str:
    """Return what there is in the place of it on the other side, at the end of its *play*."""
    last = play.moments[-1]
    by = f" (by {last.clause})" if last.clause else ""
    difference = shown.separation.difference
    near = _nearest(difference.how, shown.instead) if isinstance(difference, Goes) else None
    if near is not None:
        return f"instead, {words.made(near)}."
    if last.over:
        return f"there the game is over{by}."
    holds = (
        f"{players_words(last.holders)} {'has' if len(last.holders) == 1 else 'have'} priority"
        if last.holders
        else "nobody has priority"
    )
    # Who has priority is seen only after the move that gives it: then it is all that can be seen
    # next, and said already.
    is_said = PriorityGiven(last.holders) in shown.instead
    if is_said or (isinstance(difference, Goes) and isinstance(difference.how, PriorityGiven)):
        return f"there {holds}{by}."
    if not shown.instead:
        return f"there {holds}{by}, and players notice nothing more."
    return f"there {holds}{by}, and only this is possible: {words.several(shown.instead)}."


def _nearest(how: Observation, others: Sequence[Observation]) -> MoveMade | None:
    """Return which of *others* is the same but for one of: who makes the move, whether it may or
    must be made, who chooses.
    """
    if not isinstance(how, MoveMade):
        return None
    for other in others:
        if (
            isinstance(other, MoveMade)
            and other.events == how.events
            and how.events
            and sum(a != b for a, b in zip(how, other, strict=True)) == 1
        ):
            return other
    return None


# ------------------------------------------------------------------ what is guaranteed


def _guarantee_row(one: Guarantee) -> GuaranteeRow:
    """Return the row of a guarantee, with the play that shows that it is lost."""
    asked = one.asked
    property_ = asked.old or asked.new
    assert property_ is not None, "a question that nobody was asked"
    verdict = one.new if one.fate in ("lost", "vacuous", "undecided") else None
    reason = asked.why_not or (verdict.reason if verdict is not None else "")
    claim = asked.claim
    when = (
        f" when {expression_words(one.old.program, claim.condition)}"
        if claim and one.old and claim.condition != ir.YES
        else ""
    )
    return GuaranteeRow(
        asked.name,
        (claim.title if claim and claim.title else property_.title) + when,
        property_.text,
        claim.expect if claim else "",
        claim.cites if claim else (),
        one.fate,
        str(one.old.outcome) if one.old else "",
        str(one.new.outcome) if one.new else "",
        reason,
        explain(verdict) if verdict is not None and one.fate == "lost" else None,
    )
