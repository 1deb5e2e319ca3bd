"""Differing questions: the shortest question whose answer is another one under new rules.

A play that tells two rulesets apart is stated, decision by decision; after each, each form of
question is put to both. What is found is made as short as it can be: a statement is left out if the
answers differ without it, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...models import ir
from ...models.diagnostics import InputError
from ...models.words import player_name
from ..reference.semantics.interpreter import Interpreter
from ..situations.line import Referee
from ..situations.question import read_inquiry
from ..situations.situation import Situation
from ..situations.words import does, infinitive
from ..types.position import Move, Position
from ..types.scope import Scope
from ..types.trace import Trace
from .answer import Ruling, RulingAnswer
from .ask import answer_in, situation_of

_MOST_STATEMENTS = 40
_PLAIN = "who has priority", "what happens next", "which resolves first"
_PLAINER = 2
"""So many statements more a question of these forms may need."""


@dataclass(frozen=True)
class DifferingQuestion:
    """A *question* whose answer is another one: *before* and *after*, each a ruling on it with one
    answer.
    """

    question: str
    before: Ruling
    after: Ruling


@dataclass(frozen=True)
class Sides:
    """Two rulesets, *old* and *new*, each in its scope."""

    old: ir.Program
    new: ir.Program
    scopes: tuple[Scope, Scope]


def differing_question(
    sides: Sides, plays: Sequence[tuple[ir.Program, Trace]], changed: Sequence[str]
) -> DifferingQuestion | None:
    """Return the shortest question that tells *sides* apart, None if none is found.

    *plays* are plays that show it, each of one of the two; *changed* are the ids of clauses that
    differ.
    """
    asker = _Asker(sides, changed)
    played = [
        (Referee(Interpreter(program, _scope(sides, program))), trace) for program, trace in plays
    ]
    stated = [
        [one for group in statements_of(referee, trace) for one in group]
        for referee, trace in played
    ]
    if found := _shortest(asker, stated):
        return found
    # Where the rules come by themselves to what differs, the step tells when that is.
    with_steps = [statements_with_steps(referee, trace) for referee, trace in played]
    if found := _shortest(asker, with_steps):
        return found
    players = sides.scopes[0].players
    varied = [one for flat in with_steps for one in _of_others(flat, players)]
    return _shortest(asker, [*with_steps, *varied], whole=True)


def _shortest(
    asker: _Asker, stated: Sequence[Sequence[str]], *, whole: bool = False
) -> DifferingQuestion | None:
    """Return the shortest question about one of the plays *stated*, or about their ends if it is of
    the *whole*.
    """
    most = max(map(len, stated), default=0)
    numbers = range(most if whole else 0, min(most, _MOST_STATEMENTS) + 1)
    said = {number: _beginnings(stated, number, whole=whole) for number in numbers}
    tried = 0
    for number in numbers:
        # Plain questions take little time, and one that needs a few statements more is told in the
        # place of another.
        while tried <= number + _PLAINER:
            for beginning in said.get(tried, ()):
                if plain := asker.plain(beginning):
                    return asker.shortest(beginning, plain)
            tried += 1
        for beginning, following in said[number].items():
            if other := asker.other(beginning, following):
                return asker.shortest(beginning, other)
    return None


def _beginnings(
    stated: Sequence[Sequence[str]], number: int, *, whole: bool
) -> dict[tuple[str, ...], Sequence[str] | None]:
    """Return the first *number* statements of each play *stated* that has so many, or the *whole*
    of each, with the statement that follows.
    """
    found = dict[tuple[str, ...], Sequence[str] | None]()
    for flat in stated:
        if whole or number <= len(flat):
            found.setdefault(tuple(flat[:number]), None if whole else flat[number : number + 1])
    return found


def _of_others(flat: Sequence[str], players: int) -> Iterator[list[str]]:
    """Yield the statements of a play with one of them of another player: what comes of one's own
    abilities may be the same in any order.
    """
    names = [player_name(seat) for seat in range(players)]
    for at, one in enumerate(flat):
        said, _, whose = one.rpartition(" for ")
        for other in names if said and whose in names else ():
            if other != whose:
                yield [*flat[:at], f"{said} for {other}", *flat[at + 1 :]]


def _scope(sides: Sides, program: ir.Program) -> Scope:
    return sides.scopes[0] if program is sides.old else sides.scopes[1]


class _Asker:
    """Asks both sides the same."""

    def __init__(self, sides: Sides, changed: Sequence[str]) -> None:
        self.sides = sides
        clauses = {
            clause.id: clause for program in (sides.new, sides.old) for _, clause in program.clauses
        }
        self.changed = [clauses[one] for one in changed if one in clauses]

    def plain(self, said: Sequence[str]) -> str:
        """Return the first plain question that tells the sides apart in the situation that is
        *said*; empty if none does.
        """
        return self._first(said, _PLAIN)

    def other(self, said: Sequence[str], following: Sequence[str] | None) -> str:
        """Return the first other question that does; *following* is what somebody does next."""
        return self._first(said, self._questions(following))

    def _first(self, said: Sequence[str], questions: Iterable[str]) -> str:
        situations = self._situations(said)
        if situations is None:
            return ""
        return next((one for one in questions if self._differ(situations, one)), "")

    def shortest(self, said: Sequence[str], question: str) -> DifferingQuestion:
        """Return the *question* with as few of the statements that are *said* as it takes."""
        kept = list(said)
        for at in reversed(range(len(said))):
            shorter = kept[:at] + kept[at + 1 :]
            situations = self._situations(shorter)
            if situations is not None and self._differ(situations, question):
                kept = shorter
        situations = self._situations(kept)
        assert situations is not None
        text = f"{'; '.join(kept)}: {question}?" if kept else f"{question}?"
        rulings = [
            self._ruling(situation, text, question, side)
            for side, situation in enumerate(situations)
        ]
        return DifferingQuestion(text, rulings[0], rulings[1])

    def _ruling(self, situation: Situation, text: str, question: str, side: int) -> Ruling:
        program = (self.sides.old, self.sides.new)[side]
        answer = answer_in(situation, read_inquiry(question), text)
        return Ruling(text, program, self.sides.scopes[side], (answer,))

    def _situations(self, said: Sequence[str]) -> tuple[Situation, Situation] | None:
        """Return the situation that is *said* on both sides; None if it does not come about on one
        of them.
        """
        try:
            old = situation_of(self.sides.old, said, self.sides.scopes[0])
            return old, situation_of(self.sides.new, said, self.sides.scopes[1])
        except InputError:
            return None

    def _differ(self, situations: tuple[Situation, Situation], question: str) -> bool:
        answers = [self._answer(situation, question) for situation in situations]
        return (
            None not in answers
            and len({answer.value for answer in answers if answer is not None}) == 2
        )

    def _answer(self, situation: Situation, question: str) -> RulingAnswer | None:
        try:
            return answer_in(situation, read_inquiry(question), question)
        except InputError:
            return None

    def _lying(self, zone: ir.Zone) -> str:
        if zone in self.sides.old.zones_tagged("waiting"):
            return "waiting"
        is_stack = zone in self.sides.old.zones_tagged("stack")
        return f"on {'the stack' if is_stack else zone.name}"

    def _questions(self, following: Sequence[str] | None) -> Iterator[str]:
        """Yield what else is asked; *following* is what somebody does next in the play, None where
        all of it was said.
        """
        players = [player_name(seat) for seat in range(self.sides.scopes[0].players)]
        for statement in following or ():
            who, _, what = statement.partition(" ")
            if who in players:
                yield f"may {who} {infinitive(what)}"
        for clause in self.changed:
            if clause.mode == "may":
                yield from (f"may {player} {clause.title.replace(':', ',')}" for player in players)
        yield from (f"may {player} act" for player in players)
        yield from (f"may {player} pass" for player in players)
        yield from (f"must {player} pass" for player in players)
        yield "what may the cards cause"
        yield from (
            f"what may the cards cause as {clause.title.replace(':', ',')}"
            for clause in self.changed
            if clause.mode == "must" and clause.title
        )
        yield from (f"what is {self._lying(zone)}" for zone in self.sides.old.zones)
        yield from (f"may {player} respond" for player in players)
        yield "who decides"
        yield "what happens to it"
        yield "whose item is it"
        if following is None:
            yield from (f"what can {player} do" for player in players)


# ------------------------------------------------------------------ plays as statements


def statements_of(referee: Referee, trace: Trace) -> list[tuple[str, ...]]:
    """Return for each move of *trace* the statements that make it: none where the rules go on by
    themselves.
    """
    return [tuple(_stated(referee, step.move)) for step in trace.steps]


def statements_with_steps(referee: Referee, trace: Trace) -> list[str]:
    """Return the statements that make *trace*, each step in which one is made said before, and the
    last step.
    """
    found, said = list[str](), ""
    groups = [*statements_of(referee, trace), ()]
    for position, statements in zip(trace.positions, groups, strict=True):
        step = _step_of(referee, position) if statements or position is trace.positions[-1] else ""
        if step not in ("", said):
            found.append(step)
        said = step or said
        found += statements
    return found


def _step_of(referee: Referee, position: Position) -> str:
    """Return in which step *position* is: ``in the main phase``; empty if that takes more words."""
    for number, name in reversed(referee.named_steps(position)):
        title = referee.program.sequences[number].title_of(name)
        active = int(str(position.values[0]))
        whose = f"{player_name(active)}'s" if active else "the"
        return "" if "," in title else f"in {whose} {title.removeprefix('the ')}"
    return ""


def _stated(referee: Referee, move: Move) -> Iterator[str]:
    title = referee.interpreter.clauses[move.clause].title
    mode = referee.mode(move)
    if isinstance(move.owner, int) and referee.is_pass(move):
        yield f"{player_name(move.owner)} passes"
    elif isinstance(move.owner, int) and mode == "may":
        yield does(move.owner, title, *_chosen(move, move.owner))
    elif mode == "chance":
        yield f"{title}{_for([choice.value for choice in move.choices if choice.what])}"
    else:
        for choice in move.choices:
            if isinstance(choice.by, int) and not choice.what and choice.value:
                yield does(choice.by, str(choice.value))
    for cause, seats in referee.caused(move):
        yield f"{cause}{_for(seats)}"


def _chosen(move: Move, owner: int) -> list[str]:
    """Return what *owner* chooses in *move*, as far as words can say it."""
    found = []
    for choice in move.choices:
        if choice.by != owner:
            continue
        if not choice.what and choice.value:
            found.append(str(choice.value))
        elif isinstance(choice.value, int) and not isinstance(choice.value, bool):
            found.append(player_name(choice.value))
    return found


def _for(seats: object) -> str:
    """Return whose something is, as the end of a statement."""
    assert isinstance(seats, list | tuple)
    named = [
        player_name(seat) for seat in seats if isinstance(seat, int) and not isinstance(seat, bool)
    ]
    return "".join(f" for {name}" for name in named)
