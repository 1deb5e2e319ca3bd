"""Differing rulings: what an edit changed for players, as the shortest questions that tell it.

A play that tells two rulesets apart is stated, decision by decision; after each, each form of
question is put to both. What is found is made as short as it can be: a statement is left out if the
answers differ without it, too.

Changed rulings: what an edit changed for players, as questions; which of that is accepted.

Each single edit is asked about alone, too (`single_edits`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...models import ir
from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ...models.words import player_name
from ..diff.behaviour import OLD_NEW
from ..diff.changes import changed_clauses
from ..diff.diff import Difference
from ..diff.larger import difference_told, differs_soon
from ..reference.semantics.interpreter import Interpreter
from ..situations.line import Referee
from ..situations.question import read_inquiry
from ..situations.situation import Situation
from ..situations.words import does, infinitive
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.position import Move, Position, Trace
from .answer import Ruling
from .ask import answer_in, ask, situation_of
from .single_edits import SingleEdit, single_edits

_MOST_ALONE = 60
"""How many single edits are looked at alone."""
_MOST_INSIDE = 1_000
"""How many pairs of positions are compared for one of several differences within a clause."""
_MOST_NAMED = 4
"""How many clauses are named that change an answer only together."""


@frozen
class ChangedRulings:
    """The *questions* whose answers an edit changes, each with the clauses that change it.

    *silent* are changed clauses that alone change nothing that can be asked within the scope;
    *untold* are differences for which no question was found. *stopped* says why not all was looked
    for, empty if it was.
    """

    questions: tuple[tuple[DifferingQuestion, tuple[str, ...]], ...] = ()
    silent: tuple[str, ...] = ()
    untold: tuple[Difference, ...] = ()
    stopped: str = ""


def changed_rulings(found: Difference, meter: Meter) -> ChangedRulings:
    """Return the questions that tell the two rulesets of *found* apart; the plays that show it are
    its.

    What *meter* leaves no time for is left out, and so is what comes after an interruption.
    """
    changed = changed_clauses(found.old, found.new)
    told: dict[str, tuple[DifferingQuestion, dict[str, None]]] = {}
    whole, silent, untold, stopped = None, list[str](), list[Difference](), ""
    try:
        with meter.watching():
            whole = question_of(found, changed)
            singles = single_edits(found.old, found.new) if found.shown else []
            for one in singles[:_MOST_ALONE]:
                clauses = [one.clause] if one.clause else []
                alone = _alone(found, one, meter)
                if alone is None:
                    continue
                question = question_of(alone, clauses)
                if question is not None:
                    if one.is_part:
                        question = _of_whole(found, question)
                    if question is not None:
                        by = told.setdefault(question.question, (question, {}))[1]
                        by.update(dict.fromkeys(clauses))
                elif alone.shown:
                    untold += [] if one.is_part else [alone]
                elif stopped := alone.compared.stopped:
                    break
                elif not one.is_part:
                    silent += clauses
            if singles[_MOST_ALONE:]:
                stopped = f"only {_MOST_ALONE} of {len(singles)} single edits were looked at alone"
    except BudgetSpentError as spent:
        stopped = str(spent)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    if whole is not None and whole.question in told:
        told[whole.question] = whole, told[whole.question][1]
    elif whole is not None:
        together = changed if len(changed) <= _MOST_NAMED else []
        told = {whole.question: (whole, dict.fromkeys(together)), **told}
    if whole is None and found.shown and not untold:
        untold = [found]
    questions = tuple((one, tuple(by)) for one, by in told.values())
    return ChangedRulings(questions, tuple(silent), tuple(untold), stopped)


def question_of(found: Difference, changed: Sequence[str]) -> DifferingQuestion | None:
    """Return the shortest question that tells the two of *found* apart, None if none is found;
    *changed* are clauses that differ.
    """
    asker = _Asker(found, changed)
    played = [
        (Referee(Interpreter(program, scope)), one.plays[which])
        for one in found.shown
        for program, scope, which in zip(asker.programs, found.scopes, OLD_NEW, strict=True)
    ]
    stated = [
        [one for group in statements_of(referee, trace) for one in group]
        for referee, trace in played
    ]
    if told := _shortest(asker, stated):
        return told
    # Where the rules come by themselves to what differs, the step tells when that is.
    with_steps = [statements_with_steps(referee, trace) for referee, trace in played]
    if told := _shortest(asker, with_steps):
        return told
    players = found.scopes[0].players
    varied = [one for flat in with_steps for one in _of_others(flat, players)]
    return _shortest(asker, [*with_steps, *varied], whole=True)


def _alone(found: Difference, single: SingleEdit, meter: Meter) -> Difference | None:
    """Return what a *single* edit does to the old rules; None if that cannot be compared, or if it
    is one of several within a clause and nothing shows soon.
    """
    rules, scopes = single.rules, (found.scopes[0], found.scopes[bool(not single.clause)])
    try:
        if single.is_part and not differs_soon(
            found.old, rules, scopes, found.renaming, meter, _MOST_INSIDE
        ):
            return None
        return difference_told(found.old, rules, scopes, found.renaming, meter)
    except (InputError, KeyError):
        return None


def _of_whole(found: Difference, question: DifferingQuestion) -> DifferingQuestion | None:
    """Return *question*, which a part of the edit changes, with the answer of the whole; None if
    another part mends it. If the whole leaves no such situation the part's answer stays.
    """
    try:
        after = ask(found.new, question.question, found.scopes[1])
    except InputError:
        return question
    return None if after.value == question.before.value else replace(question, after=after)


_MOST_STATEMENTS = 40
_PLAIN = "who has priority", "what happens next", "which resolves first"
_PLAINER = 2
"""How many statements more a question of these forms may need."""


@frozen
class DifferingQuestion:
    """A *question* whose answer is another one: *before* and *after*, each a ruling on it with one
    answer.
    """

    question: str
    before: Ruling
    after: Ruling


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
                if plain := asker.first(beginning, _PLAIN):
                    return asker.shortest(beginning, plain)
            tried += 1
        for beginning, following in said[number].items():
            if other := asker.first(beginning, asker.questions(following)):
                return asker.shortest(beginning, other)
    return None


def _beginnings(
    stated: Sequence[Sequence[str]], number: int, *, whole: bool
) -> dict[tuple[str, ...], Sequence[str] | None]:
    """Return the first *number* statements of each play *stated* that is long enough, or the
    *whole* of each, with the statement that follows.
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


class _Asker:
    """Asks both sides of *found* the same."""

    def __init__(self, found: Difference, changed: Sequence[str]) -> None:
        self.programs, self.scopes = (found.old, found.new), found.scopes
        clauses = {
            clause.id: clause for program in self.programs[::-1] for _, clause in program.clauses
        }
        self.changed = [clauses[one] for one in changed if one in clauses]

    def first(self, said: Sequence[str], questions: Iterable[str]) -> str:
        """Return the first of *questions* that tells the sides apart in the situation that is
        *said*; empty if none does.
        """
        situations = self._situations(said)
        asked = questions if situations else ()
        return next((one for one in asked if self._differ(situations, one)), "")

    def shortest(self, said: Sequence[str], question: str) -> DifferingQuestion:
        """Return the *question* with as few of the statements that are *said* as it takes."""
        kept = list(said)
        for at in reversed(range(len(said))):
            shorter = kept[:at] + kept[at + 1 :]
            if self._differ(self._situations(shorter), question):
                kept = shorter
        text = f"{'; '.join(kept)}: {question}?" if kept else f"{question}?"
        situations, asked = self._situations(kept), read_inquiry(question)
        rulings = [
            Ruling(text, program, scope, (answer_in(situation, asked, text),))
            for situation, program, scope in zip(
                situations, self.programs, self.scopes, strict=True
            )
        ]
        return DifferingQuestion(text, *rulings)

    def _situations(self, said: Sequence[str]) -> list[Situation]:
        """Return the situation that is *said* on both sides; none if it does not come about on one
        of them.
        """
        try:
            return [
                situation_of(program, said, scope)
                for program, scope in zip(self.programs, self.scopes, strict=True)
            ]
        except InputError:
            return []

    def _differ(self, situations: Sequence[Situation], question: str) -> bool:
        """Whether *question* has an answer in both *situations*, and not the same."""
        try:
            asked = read_inquiry(question)
            return len({answer_in(one, asked, question).value for one in situations}) == 2
        except InputError:
            return False

    def _lying(self, zone: ir.Zone) -> str:
        old = self.programs[0]
        if zone in old.zones_tagged("waiting"):
            return "waiting"
        return f"on {'the stack' if zone in old.zones_tagged('stack') else zone.name}"

    def questions(self, following: Sequence[str] | None) -> Iterator[str]:
        """Yield what else is asked; *following* is what somebody does next in the play, None where
        all of it was said.
        """
        players = [player_name(seat) for seat in range(self.scopes[0].players)]
        for statement in following or ():
            who, _, what = statement.partition(" ")
            if who in players:
                yield f"may {who} {infinitive(what)}"
        for clause in self.changed:
            if clause.mode == "may":
                yield from (f"may {player} {clause.title.replace(':', ',')}" for player in players)
        for deed in ("may {} act", "may {} pass", "must {} pass"):
            yield from map(deed.format, players)
        yield "what may the cards cause"
        yield from (
            f"what may the cards cause as {clause.title.replace(':', ',')}"
            for clause in self.changed
            if clause.mode == "must" and clause.title
        )
        yield from (f"what is {self._lying(zone)}" for zone in self.programs[0].zones)
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


def _for(seats: Iterable[object]) -> str:
    """Return whose something is, as the end of a statement."""
    return "".join(
        f" for {player_name(seat)}"
        for seat in seats
        if isinstance(seat, int) and not isinstance(seat, bool)
    )
