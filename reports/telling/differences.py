"""The record of a difference: what an edit changed, and what was observed.

In: what the checker found of two rulesets. Out: `DifferenceRecord`; all its texts are finished
sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, assert_never

from ...checker.diff.behaviour import Deed, Goes, GoesOn, Rests, Which
from ...checker.diff.changes import TextChange
from ...checker.diff.diff import Demonstration, Difference
from ...checker.diff.guarantees import Guarantee
from ...checker.diff.side import MoveMade, Observation, PriorityGiven, Rest, SeenEvent, SeenItem
from ...checker.rulings.differing import ChangedRulings
from ...checker.types.position import Trace
from ...checker.types.verdict import Fate
from ...models import ir
from ...models.frozen import frozen
from ...models.words import counted, join_words
from ...properties.wording import expression_words
from ..naming import (
    attribute_words,
    kind_title,
    moves_words,
    owner_name,
    player_name,
    players_words,
)
from ..plays.explain import explain, retell
from ..plays.passages import passages_of
from ..plays.play import Play
from ..rulings.told import ChangedTold, tell_changed

if TYPE_CHECKING:
    from ...checker.diff.conditions import ProvedCondition


MOST_NAMED = 4
"""How many of what is possible are named; how many more there are is said."""


class ObservedWords:
    """Says what was observed, in the words of *program*."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._steps = {
            (s.name, step.name): step.title or step.name
            for s in program.sequences
            for step in s.steps
        }
        self._sequences = {
            sequence.name: sequence.title or sequence.name for sequence in program.sequences
        }

    def observation(self, seen: Observation) -> str:
        """Return what was observed as a part of a sentence."""
        match seen:
            case PriorityGiven(holders):
                return f"{players_words(holders)} {'gets' if len(holders) == 1 else 'get'} priority"
            case MoveMade():
                return self.made(seen)
            case _:
                assert_never(seen)

    def made(self, made: MoveMade) -> str:
        """Return a move as a part of a sentence: ``A may act: A's instant is put on the stack``."""
        who = owner_name(made.owner)
        events = join_words([self.event(event) for event in made.events])
        done = ": ".join(filter(None, [join_words(made.said), events]))
        passes = len(made.events) == 1 and made.events[0].kind == "passes"
        match made.mode:
            case "may" if passes:
                said = f"{who} may pass"
            case "may" if made.said:
                said = f"{who} may {done}"
            case "may":
                said = f"{who} may act: {events or 'nothing that can be seen happens'}"
            case "must" if isinstance(made.owner, int):
                said = f"{who} must make a move: {done}"
            case _:
                said = f"by {who}, {done}"
        choosers = [owner_name(chooser) for chooser in made.choosers if chooser != "rules"]
        is_plural = len(choosers) > 1 or made.choosers[-1:] == ("cards",)
        return (
            f"{said} ({join_words(choosers)} {'choose' if is_plural else 'chooses'})"
            if choosers
            else said
        )

    def event(self, event: SeenEvent) -> str:
        """Return an event as a part of a sentence."""
        item = "" if event.item is None else self.item_words(event.item)
        match event.kind:
            case "put":
                return f"{item} is put on {event.zone}"
            case "move":
                return f"{item} moves from {event.zone} to {event.to_zone}"
            case "changes":
                return f"{item} has changed"
            case "resolves" | "is removed" | "begins resolving":
                return f"{item} {event.kind.replace('resolving', 'to resolve')}"
            case "passes":
                return f"{player_name(event.player or 0)} passes"
            case "step ends" | "step begins":
                return (
                    f"the step {event.kind.removeprefix('step ')}: "
                    f"{self._steps.get((event.sequence, event.step), event.step)}"
                )
            case _:
                name = (
                    "the turn"
                    if event.sequence == ir.TURN
                    else self._sequences.get(event.sequence, event.sequence)
                )
                return f"{name} {event.kind.removeprefix('sequence ')}"

    def item_words(self, item: SeenItem) -> str:
        """Return what an item is called: ``A's instant (speed fast)``, with the attributes that are
        not as by default.
        """
        declared = {attribute.name: attribute for attribute in self.program.attributes}
        said = []
        for name, value in item.attributes:
            if declared[name].default != ir.Literal(value):
                is_player = isinstance(declared[name].type, ir.PlayerType)
                words = (
                    player_name(value) if is_player and isinstance(value, int) else _plain(value)
                )
                said.append(attribute_words(name, value, words))
        return (
            f"{player_name(item.controller)}'s "
            f"{kind_title(self.program, item.kind)}{f' ({join_words(said)})' if said else ''}"
        )

    def rest(self, rest: Rest) -> str:
        """Return how things are where they come to a stop, as a part of a sentence."""
        if rest.is_over:
            return "the game is over"
        if not rest.offers:
            return "nothing is possible: a gap in the rules"
        has = "has" if len(rest.holders) == 1 else "have"
        holds = f"{players_words(rest.holders)} {has} priority and " if rest.holders else ""
        return f"{holds}only this is possible: {self.several(sorted(rest.offers, key=repr))}"

    def several(self, seen: Sequence[Observation]) -> str:
        """Return the first of what was *seen*, and how many more there are."""
        more = f"; and {len(seen) - MOST_NAMED} more" if len(seen) > MOST_NAMED else ""
        return "; ".join(self.observation(one) for one in seen[:MOST_NAMED]) + more


def _plain(value: bool | int | str | None) -> str:
    match value:
        case None:
            return "nobody"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)


_NO_RULINGS = ChangedRulings()
Sameness = Literal["same at every size", "same within the scope", "different", "undecided"]


@frozen
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


@frozen
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


@frozen
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


@frozen
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
            f"{compared.stopped}; plays of up to {counted(compared.depth, 'observation')} are the "
            "same",
        )
    return "same within the scope", ""


def _notes(found: Difference) -> list[str]:
    notes = [_proved(found.old, one) for one in found.proved]
    if found.enlarged:
        notes.append(
            "This is one size larger than the scope of the rulesets, where nothing differs soon."
        )
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
        notes.append("The effects look alike: only what players announce differs.")
    if found.compared.is_partial and found.shown:
        only = "new" if found.shown[0].separation.side == "old" else "old"
        depth = counted(found.compared.depth, "observation")
        notes.append(
            f"What the {only} rules alone allow was looked for in plays of up to {depth} only."
        )
    if found.compared.cut and not found.is_same:
        notes.append(
            f"The scope cut the plays {counted(found.compared.cut, 'time')}; what comes after that "
            "was not compared."
        )
    return notes


def _proved(program: ir.Program, one: ProvedCondition) -> str:
    old, new = (expression_words(program, condition) for condition in (one.old, one.new))
    return f"Proved for every size, {one.place}: `{new}` says what `{old}` said."


def _notes_on(kept: Sequence[Guarantee]) -> list[str]:
    names = [one.asked.name for one in kept if one.asked.by_other_terms]
    said = (
        "Asked of each side with its own terms, since those of the other mean nothing there: "
        f"{join_words(names)}."
    )
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
    deed = _deed(
        words, separation.difference, called[does], clause, told[does], is_cut=shown.is_cut
    )
    sentence = f"Here {deed}"
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
            return (
                f"{who} give {players_words(holders)} "
                f"priority{f' (by {clause})' if clause else ''}."
            )
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
            moves = moves_words((play.loop or 0) + 1, play.moments[-1].number)
            return f"{who} can go round for ever, with nothing to notice: {moves}, again and again."
        case Rests(rest):
            return f"{who} may leave players with less: {words.rest(rest)}."
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
    assert property_ is not None, "a question that was not asked"
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
