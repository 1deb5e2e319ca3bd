"""Differing rulings: what an edit changed for players, as the shortest questions that tell it.

A play that tells two rulesets apart is stated, decision by decision; after each, each form of
question is put to both. What is found is made as short as it can be: a statement is left out if the
answers differ without it, too.

Changed rulings: what an edit changed for players, as questions; which of that is accepted.

Of an edit of several clauses each is put into the old rules alone, too: so that one difference does
not hide another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ...models import ir
from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ...models.options.cases import other_readings
from ...models.options.configure import configure
from ...models.wellformed import MalformedProgram, check_wellformed
from ...models.words import player_name
from ..diff.behaviour import OLD_NEW
from ..diff.changes import as_said, changed_clauses, edited_parts
from ..diff.diff import Difference, scopes_of_both
from ..diff.larger import difference_told, difference_with_room, differs_soon
from ..diff.same import NameMap, need_common, renaming_of
from ..reference.semantics.interpreter import Interpreter
from ..situations.line import Referee
from ..situations.question import read_inquiry
from ..situations.situation import Situation
from ..situations.words import does, infinitive
from ..types.budget import INTERRUPTED, BudgetSpentError, Meter
from ..types.position import Move, Position, Trace
from ..types.scope import Scope
from .answer import Ruling
from .ask import answer_in, options_of, situation_of

AskedSize = tuple[int | None, int | None, Mapping[str, int]]
"""How many players, how large a stack, and which sizes of zones somebody asks for."""


@frozen
class SinceReading:
    """What changed in the reading of *settings*: *found*, as the questions *changed*; or *why_not*,
    where they cannot be compared.
    """

    settings: tuple[tuple[str, str], ...]
    found: Difference | None
    changed: ChangedRulings
    why_not: str = ""

    @property
    def is_cut_short(self) -> bool:
        """Whether the budget was spent before all was known: such a result cannot be accepted."""
        if self.found is None:
            return False
        return bool(self.changed.stopped or (self.found.compared.stopped and not self.found.shown))

    @property
    def is_stopped(self) -> bool:
        """Whether the budget ends here."""
        return bool(self.found and (self.found.compared.stopped or self.changed.stopped))

    @property
    def undecided(self) -> str:
        """Why it is not known whether anything changed; empty if it is."""
        if self.found is None:
            return self.why_not
        if self.changed.stopped:
            return f"not all questions were looked for: {self.changed.stopped}"
        if self.found.is_same or self.found.shown:
            return ""
        return (
            self.found.compared.stopped
            or f"nothing differs within the scope; not known for every size: {self.found.why_not}"
        )


_MOST_IN_EACH = 1_000
"""How many pairs of positions are compared in each reading, before one is compared to the end."""


def readings_since(
    old: ir.Program,
    new: ir.Program,
    said: Mapping[str, str],
    size: AskedSize,
    meter: Meter,
) -> Iterator[SinceReading]:
    """Yield what changed from *old* to *new*, whose options are open, in the reading that is *said*
    and in others.

    Readings in which an edit shows soon come first: it may show in one of them only. What has shown
    is not looked for in the next. Then the reading that is *said* is compared to the end, and those
    in which a part is edited that is so in none before. *size* says how many players there are, how
    large the stack, and the zones. Where the budget of *meter* ends no other is looked at.
    """
    told, waiting = set[str](), list[_Reading]()
    for one in _readings(old, new, said):
        untold = one.edited - told
        asked = one if one.edited.isdisjoint(told) else one.with_only(untold)
        if not untold or not asked.differs_soon(size, meter):
            waiting.append(one)
            continue
        yield (found := asked.since(size, meter, with_room=False))
        told |= untold.difference(found.changed.silent)
        if found.is_stopped:
            return
    for one in waiting:
        has_shown = one.edited <= told
        if has_shown and one.settings:
            continue
        told |= one.edited
        yield (found := one.since(size, meter, with_room=not has_shown))
        if found.is_stopped:
            return


class _Reading(NamedTuple):
    """The reading of both rulesets with *settings* that nobody said; the parts *edited* in it."""

    settings: tuple[tuple[str, str], ...]
    old: ir.Program
    new: ir.Program
    edited: frozenset[str]

    def with_only(self, clauses: Collection[str]) -> _Reading:
        """Return this reading with the edit of *clauses* alone, or the whole if there is none."""
        new: ir.Program | None = self.old
        for clause in sorted(clauses):
            new = _with_clause(new, self.new, clause) if clause and new is not None else None
        return self if new is None or not _is_wellformed(new) else self._replace(new=new)

    def differs_soon(self, size: AskedSize, meter: Meter) -> bool:
        """Return whether an edit shows soon, or the two cannot be compared, which `since` tells."""
        try:
            check_wellformed(self.new)
            scopes, renaming = _asked_of(self.old, self.new, size)
            return differs_soon(self.old, self.new, scopes, renaming, meter, _MOST_IN_EACH)
        except InputError:
            return True

    def since(self, size: AskedSize, meter: Meter, *, with_room: bool) -> SinceReading:
        """Return what changed; *with_room* in a larger scope, too, if nobody asks for a *size*."""
        try:
            check_wellformed(self.new)
            scopes, renaming = _asked_of(self.old, self.new, size)
            compare = difference_with_room if with_room and not any(size) else difference_told
            found = compare(self.old, self.new, scopes, renaming, meter)
        except InputError as error:
            why = error.diagnostics[0].message
            return SinceReading(self.settings, None, ChangedRulings(), why)
        changed = ChangedRulings() if found.is_same else changed_rulings(found, meter)
        return SinceReading(self.settings, found, changed)


def _readings(old: ir.Program, new: ir.Program, said: Mapping[str, str]) -> Iterator[_Reading]:
    """Yield the reading that is *said*, those with one option otherwise, and of those with two what
    has a clause that is edited in none before; as far as both have them and a part is edited.
    """
    left = {*edited_parts(old, new)}
    asked = options_of(old, left) | options_of(new, left)
    for other in ({}, *other_readings(configure(new, said), said, at_once=2)):
        if len(other) > 1 and not (left and asked.intersection(other)):
            continue
        settings = {**said, **other}
        if _has(old, settings):
            before, after = configure(old, settings), configure(new, settings)
            edited = frozenset(edited_parts(before, after))
            if edited if len(other) < 2 else edited & left:
                yield _Reading(tuple(other.items()), before, after, edited)
            left -= edited


def _is_wellformed(program: ir.Program) -> bool:
    try:
        check_wellformed(program)
    except (InputError, KeyError, MalformedProgram):
        return False
    return True


def _has(program: ir.Program, settings: Mapping[str, str]) -> bool:
    """Whether *program* has such options with such values."""
    try:
        configure(program, settings)
    except InputError:
        return False
    return True


def _asked_of(
    old: ir.Program, new: ir.Program, size: AskedSize
) -> tuple[tuple[Scope, Scope], NameMap]:
    """Return the scopes in which two readings are compared, and how names of one are called in the
    other.
    """
    renaming = renaming_of(old, new, {})
    need_common(old, new, renaming)
    zones = {
        zone: number
        for zone, number in size[2].items()
        if zone in {one.name for one in (*old.zones, *new.zones)}
    }
    return scopes_of_both(old, new, renaming, size[0], size[1], zones), renaming


_MOST_ALONE = 12
"""How many clauses of an edit are looked at alone."""
_MOST_NAMED = 4
"""How many clauses are named that change an answer only together."""


@frozen
class ChangedRulings:
    """The *questions* whose answers an edit changes, each with the clauses that change it.

    *silent* are changed clauses that alone change nothing that can be asked within the scope;
    *untold* is how many differences no question was found for. *stopped* says why not all was
    looked for, empty if it was.
    """

    questions: tuple[tuple[DifferingQuestion, tuple[str, ...]], ...] = ()
    silent: tuple[str, ...] = ()
    untold: int = 0
    stopped: str = ""


def changed_rulings(found: Difference, meter: Meter) -> ChangedRulings:
    """Return the questions that tell the two rulesets of *found* apart; the plays that show it are
    its.

    What *meter* leaves no time for is left out, and so is what comes after an interruption.
    """
    changed = changed_clauses(found.old, found.new)
    told: dict[str, tuple[DifferingQuestion, list[str]]] = {}
    whole, silent, untold, stopped = None, list[str](), 0, ""
    try:
        with meter.watching():
            whole = question_of(found, changed)
            for clause in changed[:_MOST_ALONE] if len(changed) > 1 and found.shown else ():
                alone = _alone(found, clause, meter)
                if alone is None:
                    continue
                if question := question_of(alone, [clause]):
                    told.setdefault(question.question, (question, []))[1].append(clause)
                elif alone.shown:
                    untold += 1
                elif stopped := alone.compared.stopped:
                    break
                else:
                    silent.append(clause)
    except BudgetSpentError as spent:
        stopped = str(spent)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    if whole is not None and whole.question not in told:
        together = changed if len(changed) <= _MOST_NAMED else []
        told = {whole.question: (whole, together), **told}
    untold += whole is None and bool(found.shown)
    questions = tuple((one, tuple(by)) for one, by in told.values())
    return ChangedRulings(questions, tuple(silent), untold, stopped)


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


def _alone(found: Difference, clause: str, meter: Meter) -> Difference | None:
    """Return what changing *clause* alone does to the old rules; None if that is no ruleset."""
    alone = _with_clause(found.old, found.new, clause)
    if alone is None or not _is_wellformed(alone):
        return None
    scopes = found.scopes[0], found.scopes[0]
    try:
        return difference_told(found.old, alone, scopes, found.renaming, meter)
    except (InputError, KeyError):
        return None


def _with_clause(old: ir.Program, new: ir.Program, clause: str) -> ir.Program | None:
    """Return *old* with *clause* as *new* has it: changed, added to its stage, or gone; and what
    that takes from those below it.
    """
    stages = []
    there = {one.id: (stage.name, one) for stage, one in new.clauses}
    is_in = {one.id: stage.name for stage, one in old.clauses}
    if clause in there and there[clause][0] not in {stage.name for stage in old.stages}:
        return None
    if clause in there and is_in.get(clause, there[clause][0]) != there[clause][0]:
        return None
    for stage in old.stages:
        clauses = [
            there[one.id][1] if one.id == clause and clause in there else one
            for one in stage.clauses
        ]
        if clause not in there:
            clauses = [one for one in clauses if one.id != clause]
        elif clause not in is_in and there[clause][0] == stage.name:
            clauses.append(there[clause][1])
        clauses = [there[one.id][1] if _is_below(clause, one, there) else one for one in clauses]
        stages.append(replace(stage, clauses=tuple(clauses)))
    return replace(old, stages=tuple(stages))


def _is_below(clause: str, one: ir.Clause, there: Mapping[str, tuple[str, ir.Clause]]) -> bool:
    """Whether *one* says itself what it says *there*, below *clause* in a block of which the first
    that applies is used.
    """
    if one.id not in there or as_said(there[one.id][1]) != as_said(one):
        return False
    return clause in {above for above, _ in (*one.above, *there[one.id][1].above)}


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
