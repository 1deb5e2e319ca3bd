"""Told rulings: the answer, the clauses that decide it, and the play as lanes, as data for every
format.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...checker.reference.semantics.interpreter import Interpreter
from ...checker.rulings.answer import Ruling, RulingAnswer
from ...checker.run.cuts import cut_words
from ...checker.situations.line import Line, Referee
from ...checker.situations.nouns import item_names
from ...checker.situations.vocabulary import roles_words
from ...checker.types.position import Move
from ...models import ir
from ...models.frozen import frozen
from ...models.ir.parts import expressions
from ..naming import digest_of, play_link, player_name, step_title
from ..plays.annotated import AnnotatedTrace
from ..plays.branches import BranchesTaken
from ..plays.reasons import false_guards

if TYPE_CHECKING:
    from ...checker.rulings.differing import ChangedRulings, DifferingQuestion


@frozen
class Lane:
    """A row of the play: what somebody does, by which clause, what the rules do then, and how
    things lie after it.

    *holders* are the seats that have priority, *passed* those who have passed since the last act.
    *filled* says that the question left it unsaid. It leads to moment *moment* of the play.
    """

    number: int
    moment: int
    words: str
    clause: str
    then: tuple[str, ...]
    holders: tuple[int, ...]
    passed: tuple[int, ...]
    piles: tuple[str, ...]
    filled: bool


@frozen
class ClauseTold:
    """A clause with its *title* and its *line* in the ruleset."""

    id: str
    title: str
    line: int


@frozen
class AnswerTold:
    """An answer in words.

    *head* is the answer itself, *detail* what it depends on, *because* what stands against it,
    *clauses* what decides it, *open* what the player may do. *lanes* is the play, and *link* what
    puts it on the board of the game's page.
    """

    question: str
    head: str
    detail: str
    because: tuple[str, ...]
    clauses: tuple[ClauseTold, ...]
    open: tuple[ClauseTold, ...]
    listed: tuple[str, ...]
    lanes: tuple[Lane, ...]
    note: str
    link: str

    def in_line(self, between: str = "; ") -> str:
        """Return it in one line: its list, or its head and what it depends on, this *between*."""
        more = f"{between}{self.detail}" if self.detail else ""
        return "; ".join(self.listed) or f"{self.head}{more}"


@frozen
class RulingTold:
    """A ruling in words: the *question* as it was asked, its *answers*, and within which *scope* of
    which game.
    """

    game: str
    title: str
    question: str
    scope: str
    players: int
    answers: tuple[AnswerTold, ...]


@frozen
class ChangedAnswer:
    """A *question* whose answer is another one *after* an edit than *before*, by the *clauses* that
    changed it.
    """

    question: str
    before: AnswerTold
    after: AnswerTold
    clauses: tuple[str, ...]


@frozen
class ChangedTold:
    """What an edit changes for players: *answers*, changed clauses that are *silent*, how many
    differences are *untold*, and why not all was looked for, *stopped*.
    """

    answers: tuple[ChangedAnswer, ...] = ()
    silent: tuple[str, ...] = ()
    untold: int = 0
    stopped: str = ""


def tell_changed(changed: ChangedRulings) -> ChangedTold:
    """Return the rulings that an edit *changed*, in words."""
    told = tuple(tell_question(one, clauses) for one, clauses in changed.questions)
    return ChangedTold(told, changed.silent, len(changed.untold), changed.stopped)


def tell_question(one: DifferingQuestion, clauses: tuple[str, ...] = ()) -> ChangedAnswer:
    """Return a question whose answer is another one, in words."""
    return ChangedAnswer(
        one.question, tell_ruling(one.before).answers[0], tell_ruling(one.after).answers[0], clauses
    )


def tell_ruling(ruling: Ruling) -> RulingTold:
    """Return *ruling* in words."""
    told = tuple(_answer_told(ruling, answer) for answer in ruling.answers)
    program = ruling.program
    scope = "; ".join(filter(None, [str(ruling.scope), roles_words(program)]))
    return RulingTold(program.name, program.title, ruling.text, scope, ruling.scope.players, told)


def _answer_told(ruling: Ruling, answer: RulingAnswer) -> AnswerTold:
    clauses = {clause.id: clause for _, clause in ruling.program.clauses}

    def told(ids: Sequence[str]) -> tuple[ClauseTold, ...]:
        return tuple(
            ClauseTold(one, clauses[one].title, clauses[one].span.line)
            for one in ids
            if one in clauses
        )

    note = "the search stopped: what it has not seen is not known" if answer.stopped else ""
    note = note or (cut_words(answer.needs) if answer.said != answer.head else "")
    return AnswerTold(
        answer.question.text, answer.said, answer.detail, _against(ruling, answer),
        told(answer.clauses), told(answer.can), answer.listed, lanes_of(ruling, answer.line), note,
        _link(ruling, answer.line),
    )  # fmt: skip


def _link(ruling: Ruling, line: Line) -> str:
    """Return the address that puts *line* on the board of a page of this reading and these sizes;
    empty if it has no room for it.
    """
    program, scope = ruling.program, ruling.scope
    interpreter, position, numbers = Interpreter(program, scope), line.initial, []
    for step in line.steps:
        moves = interpreter.moves(position).moves
        number = next(
            (at for at, one in enumerate(moves) if one == (step.move, step.position)), None
        )
        if number is None:
            return ""
        numbers.append(number)
        position = step.position
    return play_link(digest_of(program, program.settings, scope.players, scope.sizes), numbers)


def _against(ruling: Ruling, answer: RulingAnswer) -> tuple[str, ...]:
    """Return what of the clause that the player would use is not so, where the play has come to its
    stage. Of a player without priority, nothing that is said of the one who has it.
    """
    if not answer.barred:
        return ()
    told = AnnotatedTrace(BranchesTaken(ruling.program, ruling.scope), answer.line.trace)
    names = told.parameters_at(told.last)
    if answer.line.position.stage not in {stage.name for stage in ruling.program.stages}:
        return ()
    holders = told.interpreter.priority(answer.line.position)
    is_theirs = answer.looked is not None and answer.looked.seat in holders
    return tuple(
        told.words.condition(part, names, held=False)
        for clause, part, above in false_guards(told, told.last)
        if clause.id == answer.barred and not above
        if is_theirs or not any(isinstance(one, ir.Local) for one in expressions(part))
    )


def lanes_of(ruling: Ruling, line: Line) -> tuple[Lane, ...]:
    """Return the rows of *line*: one for the start, and one for each move that somebody decides,
    with what the rules do after it.
    """
    rows = _Rows(ruling, line)
    titles = {clause.id: clause.title for _, clause in ruling.program.clauses}
    found = [rows.lane(0, 0, _start_words(ruling.program, line))]
    passed: tuple[int, ...] = ()
    for at, (step, how) in enumerate(zip(line.steps, line.how, strict=True), 1):
        move, title = step.move, titles[step.move.clause]
        causes = [title for title, _ in rows.referee.caused(move)]
        begun = _step_begun(ruling.program, move)
        if how == "rules" and not causes:
            last = found[-1]
            then = (*last.then, *begun, *rows.leaving_items(at))
            found[-1] = rows.lane(
                last.number, at, last.words, last.clause, then, passed, filled=last.filled
            )
            continue
        who = f"{player_name(move.owner)} " if isinstance(move.owner, int) else ""
        chosen = [
            str(choice.value)
            for choice in move.choices
            if not choice.what and isinstance(choice.by, int) and choice.value
        ]
        is_pass = rows.referee.is_pass(move)
        passed = (*passed, move.owner) if is_pass and isinstance(move.owner, int) else ()
        words = (
            f"{who}passes"
            if is_pass
            else f"{who and who.strip() + ': '}{'; '.join([title, *chosen])}"
        )
        words += "".join(f"; {cause}" for cause in causes)
        found.append(
            rows.lane(len(found), at, words, move.clause, begun, passed, filled=how == "filled")
        )
    return tuple(found)


class _Rows:
    """How things lie along *line*."""

    def __init__(self, ruling: Ruling, line: Line) -> None:
        self.program = ruling.program
        self.referee = Referee(Interpreter(ruling.program, ruling.scope))
        self._labels, self._moments = item_names(ruling.program, line), line.prefixes()

    def lane(
        self,
        number: int,
        at: int,
        words: str,
        clause: str = "",
        then: tuple[str, ...] = (),
        passed: tuple[int, ...] = (),
        *,
        filled: bool = False,
    ) -> Lane:
        """Return row *number*, which leads to moment *at*."""
        moment, piles = self._moments[at], []
        for place, zone in enumerate(self.program.zones):
            lying = sorted(
                (one.place[1], self._labels[i])
                for i, one in enumerate(moment.items)
                if one.place and one.place[0] == place
            )
            if lying:
                names = [label for _, label in (reversed(lying) if zone.order == "lifo" else lying)]
                piles.append(f"{zone.name}: {', '.join(names)}")
        return Lane(
            number,
            at,
            words,
            clause,
            then,
            tuple(sorted(self.referee.holders(moment.position))),
            passed,
            tuple(piles),
            filled,
        )

    def leaving_items(self, at: int) -> tuple[str, ...]:
        """Return which items leave in the move to moment *at*."""
        before, after = self._moments[at - 1], self._moments[at]
        return tuple(
            f"{self._labels[number]} {after.items[number].fate}" for number in before.left_in(after)
        )


def _start_words(program: ir.Program, line: Line) -> str:
    active = line.initial.values[0]
    assert isinstance(active, int)
    steps = [
        step_title(program, sequence.variable, str(line.initial.values[number + 1]))
        for number, sequence in enumerate(program.sequences)
        if line.initial.values[number + 1] != ir.NO_STEP
    ]
    return ", ".join([f"{player_name(active)}'s turn", *steps])


def _step_begun(program: ir.Program, move: Move) -> tuple[str, ...]:
    sequences = {sequence.name: sequence.variable for sequence in program.sequences}
    return tuple(
        f"{step_title(program, sequences[event.sequence], event.step)} begins"
        for event in move.events
        if event.kind == "step begins"
    )


def clause_words(clause: ClauseTold) -> str:
    """Return a clause as it is cited: its id and its title."""
    return f"{clause.id} {clause.title}".rstrip()
