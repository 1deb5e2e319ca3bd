"""Explaining: from a trace to a play as data.

Finding (the engines), explaining (here) and rendering (one file a format) are three steps, an idea
of Elle (Kingsbury and Alvaro, "Elle: inferring isolation anomalies", 2020). Nothing here knows a
property by name: the reasons come from its formula and its spotlights (`reasons`).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import assert_never

from ...checker.reference.semantics.interpreter import Interpreter
from ...checker.run.endings import zones_that_grow
from ...checker.types.position import (
    OVER,
    Choice,
    Event,
    Item,
    Move,
    Position,
    SpotlitItem,
    Trace,
    Value,
)
from ...checker.types.scope import Scope
from ...checker.types.verdict import Outcome, Verdict
from ...models import ir
from ...models.ir.analysis import passes
from ...models.ir.parts import expressions, statements, things_named
from ...models.syntax import NamedSizes
from ...properties.formula import Property, expressions_in
from ...properties.wording import written_name
from ..naming import (
    attribute_words,
    kind_title,
    more_words,
    moves_words,
    owner_name,
    player_name,
    seats_of,
    step_title,
    value_words,
)
from ..states import states_of, ways_of
from .annotated import AnnotatedTrace
from .branches import BranchesTaken
from .origins import ConditionPart, branch_parts, findings, parts_of
from .play import Card, Change, DecisionSort, Denial, Finding, Ground, Moment, Pile, Play
from .reasons import deciding_parts, denials_of, nearest_words
from .wording import guard_words


def grounds_of(
    told: AnnotatedTrace, decisions: Sequence[int], barred: Container[int]
) -> tuple[Ground, ...]:
    """Return why the moves after the last of the *decisions* went as they did, where that rests on
    an earlier one.

    Nothing is said of moves that are *barred*, of which it is told elsewhere.
    """
    last = max(decisions, default=0)
    earlier = frozenset(decisions) - {last}
    grounds = []
    for moment in range(max(last, 1), told.last + 1):
        for condition, parts in () if moment in barred else _conditions(told, moment):
            if any(_rests_on(part, earlier) for part in parts):
                clause = told.clause_of(moment)
                grounds.append(Ground(moment, clause.id, clause.title, condition, findings(parts)))
    return tuple(grounds)


def _conditions(
    told: AnnotatedTrace, moment: int
) -> Iterator[tuple[str, tuple[ConditionPart, ...]]]:
    """Yield in words why the move *moment* had to be made, if it had to, and what decided where it
    led; each with its parts.
    """
    clause, names = told.clause_of(moment), told.locals_at(moment)
    if clause.mode == "must":
        closed = told.closed(clause.guard, moment - 1, clause.owner)
        said = guard_words(clause, lambda own: told.words.condition(own, names, held=True))
        yield said, parts_of(told, closed, moment - 1)
    for taken in told.branches_of(moment):
        parts = branch_parts(told, taken.condition, moment, held=taken.held)
        yield told.branch_words(taken, names), parts


def _rests_on(part: ConditionPart, decisions: Container[int]) -> bool:
    """Whether *part* is so by one of the *decisions*, and is no more than what lies on a zone,
    which everybody sees.
    """
    return part.finding.since in decisions and not things_named("zone", expressions(part.atom))


_ENDINGS = {Outcome.VIOLATED: "breaks", Outcome.POSSIBLE: "shows"}


def explain(verdict: Verdict, branches: BranchesTaken | None = None) -> Play | None:
    """Return the play of *verdict* with the reasons why it decides the question; None if there is
    no play.

    Who explains several plays of one game hands the *branches* of its clauses on.
    """
    if verdict.trace is None:
        return None
    told = AnnotatedTrace(branches or BranchesTaken(verdict.program, verdict.scope), verdict.trace)
    question = verdict.property
    moments = _Teller(told, things_named("variable", expressions_in(question.body))).moments()
    is_game = question.mode == "enforce"
    parts = [] if is_game else deciding_parts(told, question)
    denials: tuple[Denial, ...] = ()
    grounds: tuple[Ground, ...] = ()
    if question.mode == "always":
        denials = denials_of(told, parts)
        barred = [one.taken for denial in denials for one in denial.barred]
        decided = [moment.number for moment in moments if moment.decision]
        grounds = grounds_of(told, decided, barred)
    growing = {}
    if verdict.trace.growth is not None:
        growing = zones_that_grow(verdict.program, verdict.trace)
    more = tuple((zone, len(items)) for zone, items in growing.items())
    return Play(
        verdict.scope.players,
        "breaks"
        if is_game and verdict.outcome == Outcome.IMPOSSIBLE
        else _ENDINGS.get(verdict.outcome, "stops"),
        tuple(told.names.items()),
        moments,
        tuple({_sameness(part.finding): part.finding for part in parts}.values()),
        denials,
        grounds,
        _conclusion(told, verdict.outcome, question, more),
        verdict.trace.loop,
        verdict.trace.growth,
        more,
        states_of(verdict.program, verdict.trace),
        ways_of(verdict.trace),
    )


def _sameness(finding: Finding) -> tuple[object, ...]:
    """Return what is the same of two findings that say the same: of what is so over a while it does
    not matter at which moment.
    """
    return (
        finding.text,
        finding.holds,
        finding.until,
        finding.moment if finding.since is None else finding.since,
    )


def _conclusion(
    told: AnnotatedTrace, outcome: Outcome, question: Property, more: NamedSizes
) -> str:
    """Return what the last moment of the play that is *told* does, as a sentence; of one that grows
    what there is *more* each time.
    """
    trace, last = told.trace, told.last
    if trace.loop is not None:
        moves = moves_words(trace.loop + 1, last)
        if question.mode == "enforce" and outcome == Outcome.IMPOSSIBLE:
            return (
                f"From here it goes round: {moves} again and again, and what is to be enforced "
                "never comes."
            )
        return (
            f"From here it goes round: {moves} again and again, and nothing in the rules ends it."
        )
    if trace.growth is not None:
        moves = moves_words(trace.growth + 1, last)
        grows = f"{moves} can be made again and again, each time with {more_words(more)}"
        return f"From here it never ends: {grows}, and nothing in the rules ends it."
    if question.mode in ("progress", "future"):
        is_gap = trace.positions[last].stage != OVER and not told.interpreter.allowed(
            trace.positions[last]
        )
        return (
            f"Here the play ends, since no clause applies{nearest_words(told, last)}."
            if is_gap
            else "Here the play ends."
        )
    if question.mode == "enforce":
        return "Here it is done." if outcome == Outcome.POSSIBLE else "Here it has failed."
    return {Outcome.VIOLATED: "Here it breaks.", Outcome.POSSIBLE: "This is the witness."}.get(
        outcome, ""
    )


def retell(program: ir.Program, scope: Scope, trace: Trace, conclusion: str = "") -> Play:
    """Return *trace* as a play that decides nothing, with its *conclusion* if there is one."""
    moments = _Teller(AnnotatedTrace(BranchesTaken(program, scope), trace), frozenset()).moments()
    states = states_of(program, trace)
    return Play(
        scope.players,
        "stops",
        (),
        moments,
        conclusion=conclusion,
        loop=trace.loop,
        growth=trace.growth,
        states=states,
    )


class _Teller:
    """Tells one trace, to people who have *asked* about these variables."""

    def __init__(self, told: AnnotatedTrace, asked: frozenset[str]) -> None:
        self.asked = asked
        self.told = told
        self.interpreter = told.interpreter
        self.program = told.program
        self.trace = told.trace
        self.players = self.interpreter.scope.players
        self.ledger, self.labels = told.ledger, told.labels
        self.variables = {
            variable.name: number for number, variable in enumerate(self.program.variables)
        }
        self.sequences = {s.name: s for s in self.program.sequences}
        self.roles = {
            zone.name: role
            for role in ("waiting", "stack")
            for zone in self.program.zones_tagged(role)
        }
        self.noting = _variables_noting_passes(self.program)
        self.spots = {
            self.ledger.spotlit(spot): name
            for name, spot in self.trace.spotlights
            if isinstance(spot, SpotlitItem)
        }

    def moments(self) -> tuple[Moment, ...]:
        """Return every moment of the play, the start first."""
        return tuple(self.moment(number) for number in range(len(self.trace.positions)))

    def moment(self, number: int) -> Moment:
        """Return moment *number*, told as the difference to the one before."""
        positions = self.trace.positions
        new, old = positions[number], positions[max(number - 1, 0)]
        move = self.trace.steps[number - 1].move if number else None
        clause = self.told.clause_of(number) if move else None
        piles, before = self.piles(number), self.piles(max(number - 1, 0))
        holders = tuple(sorted(self.interpreter.priority(new)))
        was = tuple(sorted(self.interpreter.priority(old)))
        stage = None if new.stage == OVER else self.program.stage(new.stage)
        steps, active = self.present_step(new), self.active(new)
        return Moment(
            number=number,
            clause=clause.id if clause else "",
            title=clause.title if clause else "",
            mode=clause.mode if clause else "",
            cites=clause.cites if clause else (),
            line=clause.span.line if clause else 0,
            mover=owner_name(move.owner) if move else "",
            seat=move.owner if move and isinstance(move.owner, int) else None,
            decision=_decision_in(self.interpreter, old, move) if move else "",
            choices=tuple(
                words
                for choice in (move.choices if move else ())
                if (words := self.choice(choice, number))
            ),
            events=self.events(number, implied=False) if move else (),
            implied=self.events(number, implied=True) if move else (),
            decided=self.told.decided(number) if move else (),
            changes=self.changes(old, new, move) if move else (),
            stage=new.stage,
            stage_title=(stage.title or stage.name) if stage else "the game is over",
            active=active,
            step=steps,
            step_changed=number == 0
            or steps != self.present_step(old)
            or active != self.active(old),
            priority=tuple(player_name(seat) for seat in holders),
            holders=holders,
            priority_changed=number == 0 or holders != was,
            passed=tuple(
                sorted({seat for name in self.noting for seat in seats_of(self.value(new, name))})
            ),
            piles=piles,
            changed_piles=tuple(
                pile.zone for pile, earlier in zip(piles, before, strict=True) if pile != earlier
            ),
            over=new.stage == OVER,
        )

    # ------------------------------------------------------------------ the position

    def value(self, position: Position, variable: str) -> Value:
        """Return the value of *variable* in *position*."""
        return position.values[self.variables[variable]]

    def active(self, position: Position) -> str:
        """Return the active player of *position*."""
        seat = self.value(position, ir.ACTIVE)
        assert isinstance(seat, int)
        return player_name(seat)

    def present_step(self, position: Position) -> str:
        """Return the present step, and those of other sequences that are going on; empty if the
        game has none.
        """
        present = []
        for sequence in self.program.sequences:
            step = str(self.value(position, sequence.variable))
            if step != ir.NO_STEP:
                title = step_title(self.program, sequence.variable, step)
                present.append(
                    title
                    if sequence.name == ir.TURN
                    else f"{sequence.title or sequence.name}: {title}"
                )
        return ", ".join(present)

    def piles(self, number: int) -> tuple[Pile, ...]:
        """Return all zones at moment *number*, the item that leaves next first."""
        piles = []
        for at, zone in enumerate(self.program.zones):
            items = self.ledger.lying(number, at)
            order = reversed(items) if zone.order == "lifo" else iter(items)
            cards = tuple(
                Card(self.labels[i], self.ledger.items[i].controller, self.spots.get(i, ""))
                for i in order
            )
            piles.append(Pile(zone.name, self.roles.get(zone.name, ""), zone.order, cards))
        return tuple(piles)

    def changes(self, old: Position, new: Position, move: Move) -> tuple[Change, ...]:
        """Return the variables that *move* changed, without the active player and the steps, which
        `Moment` has.
        """
        known = {ir.ACTIVE, *(sequence.variable for sequence in self.program.sequences)}
        passer = next((event.player for event in move.events if event.kind == "passes"), None)
        changes = []
        for declaration, before, after in zip(
            self.program.variables, old.values, new.values, strict=True
        ):
            if before == after or declaration.name in known:
                continue
            entries = zip(_entries(before), _entries(after), strict=True)
            for seat, (was, now) in enumerate(entries):
                if was != now:
                    subject = declaration.title or declaration.name
                    whose = (
                        f"{subject}, {player_name(seat)}'s" if declaration.each_player else subject
                    )
                    words = [
                        value_words(value, declaration.type, self.players) for value in (was, now)
                    ]
                    is_silent = not declaration.title and declaration.name not in self.asked
                    bookkeeping = is_silent or _is_the_pass(declaration.type, was, now, passer)
                    changes.append(Change(whose, words[0], words[1], bookkeeping))
        return tuple(changes)

    # ------------------------------------------------------------------ the move

    def choice(self, choice: Choice, number: int) -> str:
        """Return a choice made in the move to moment *number* as a sentence; empty if cards caused
        nothing.
        """
        who, verb = (
            (owner_name(choice.by), "chooses")
            if isinstance(choice.by, int)
            else (f"The {choice.by}", "choose")
        )
        if not choice.what:
            if choice.by == "cards":
                happens = choice.value and not str(choice.value).startswith(ir.NOT)
                return f"The cards cause it: {choice.value}." if happens else ""
            return f"{who} {verb}: {choice.value or f'alternative {choice.at + 1}'}."
        # What the rules or the cards choose shows in what happens.
        return f"{who} chooses {self.chosen(choice, number)}." if isinstance(choice.by, int) else ""

    def chosen(self, choice: Choice, number: int) -> str:
        """Return what was chosen."""
        value = choice.value
        if not isinstance(value, Item):
            domains = self.told.domains_of(choice, number)
            if isinstance(value, int) and any(isinstance(one, ir.PlayersIn) for one in domains):
                return player_name(value)
            return f"{written_name(self.program, choice.what)} = {value}"
        item = self.told.chosen_item(choice, number)
        return (
            self.labels[item]
            if item is not None
            else f"{player_name(value.controller)}'s {kind_title(self.program, value.kind)}"
        )

    def events(self, number: int, *, implied: bool) -> tuple[str, ...]:
        """Return what happens in the move to moment *number* as sentences, or only what is
        *implied* by who moves, step and turn.
        """
        sentences = []
        for at, (event, item) in enumerate(
            zip(self.trace.steps[number - 1].move.events, self.ledger.moved[number], strict=True)
        ):
            if (not implied or item is None) and (
                sentence := self.event(event, item, self.ledger.was.get((number, at)))
            ):
                sentences.append(sentence)
        before, after = map(self.active, self.trace.positions[number - 1 : number + 1])
        if after != before:
            sentences.append(f"{after}'s turn begins.")
        return tuple(sentences)

    def event(self, event: Event, item: int | None, was: Item | None) -> str:
        """Return one event, of *item* and what that *was* if it changes, as a sentence; empty if
        another sentence already says it.
        """
        label = "" if item is None else self.labels[item]
        match event.kind:
            case "put":
                assert event.item is not None
                if self.roles.get(self.program.zones[event.zone].name) == "waiting":
                    return f"{label} now waits{self.attributes(event.item)}."
                return f"{label} is put on {self.zone(event.zone)}{self.attributes(event.item)}."
            case "move":
                return f"{label} moves from {self.zone(event.zone)} to {self.zone(event.to_zone)}."
            case "changes":
                assert event.item is not None
                assert was is not None
                return self.item_changes(label, was, event.item)
            case "resolves" | "is removed" | "begins resolving":
                return f"{label} {event.kind}."
            case "passes":
                return f"{player_name(event.player or 0)} passes."
            case "step ends" | "step begins":
                variable = self.sequences[event.sequence].variable
                step = step_title(self.program, variable, event.step)
                return f"The {event.kind}: {step}."
            case "sequence ends" | "sequence begins":
                sequence = self.sequences[event.sequence]
                verb = event.kind.removeprefix("sequence ")
                name = sequence.title or sequence.name
                return "" if sequence.name == ir.TURN else f"{name[0].upper()}{name[1:]} {verb}."
            case _:
                assert_never(event.kind)

    def zone(self, number: int) -> str:
        """Return what a zone is called in a sentence."""
        zone = self.program.zones[number]
        return f"the {zone.name}" if zone.order != "unordered" else zone.name

    def attributes(self, item: Item) -> str:
        """Return the declared attributes of *item* that differ from their defaults, in
        parentheses.
        """
        looks = [
            attribute_words(a.name, value, value_words(value, a.type, self.players))
            for a, value in zip(self.program.attributes, item.attributes, strict=True)
            if a.default != ir.Literal(value)
        ]
        return f" ({', '.join(looks)})" if looks else ""

    def item_changes(self, label: str, was: Item, now: Item) -> str:
        """Return as sentences what has changed of the item called *label* from what it *was*; empty
        if nothing has.
        """
        said = []
        for attribute, old, new in zip(
            self.program.attributes, was.attributes, now.attributes, strict=True
        ):
            if old != new:
                words = value_words(new, attribute.type, self.players)
                how = (
                    f"is {'now' if new else 'no longer'} {attribute.name}"
                    if isinstance(new, bool)
                    else f"now has {attribute.name} {words}"
                )
                said.append(f"{label} {how}.")
        return " ".join(said)


def _entries(value: Value) -> tuple[bool | int | str | None, ...]:
    """Return the entries of a variable that each player has, or the one value of another."""
    return value if isinstance(value, tuple) else (value,)


def _is_the_pass(kind: ir.Type, was: Value, now: Value, passer: int | None) -> bool:
    """Whether a set of players, of type *kind*, differs only by the *passer*, whose pass the move
    is.
    """
    return (
        isinstance(kind, ir.PlayersType)
        and isinstance(was, int)
        and passer is not None
        and now == was | 1 << passer
    )


def _decision_in(interpreter: Interpreter, before: Position, move: Move) -> DecisionSort:
    """Return what is decided by *move*, made in the position *before* it; empty if the rules leave
    no choice.
    """
    if any(event.kind == "passes" for event in move.events):
        return "passes"
    mode = interpreter.clauses[move.clause].mode
    if mode == "may":
        return "acts"
    deciders = {choice.by for choice in _free(interpreter, before, move)}
    if any(isinstance(by, int) for by in deciders):
        return "acts"
    return "cards" if mode == "chance" or "cards" in deciders else ""


def _free(interpreter: Interpreter, before: Position, move: Move) -> list[Choice]:
    """Return the choices of *move* that could have been others; of what cards may cause, only what
    they do cause.
    """
    alike = [
        other
        for other, _ in interpreter.moves(before).moves
        if (other.clause, other.owner) == (move.clause, move.owner)
    ]
    free = []
    for number, choice in enumerate(move.choices):
        others = [
            o.choices[number]
            for o in alike
            if len(o.choices) > number and o.choices[:number] == move.choices[:number]
        ]
        if any(other != choice for other in others) and not _is_nothing(choice):
            free.append(choice)
    return free


def _is_nothing(choice: Choice) -> bool:
    """Whether *choice* says that cards cause nothing: of what they may cause the first option is
    that.
    """
    return (
        choice.by == "cards"
        and not choice.what
        and choice.at == 0
        and (not choice.value or str(choice.value).startswith(ir.NOT))
    )


def _variables_noting_passes(program: ir.Program) -> tuple[str, ...]:
    """Return the sets of players that a clause by which somebody passes adds a player to."""
    passing = [
        statement
        for _, clause in program.clauses
        if passes(clause.body)
        for statement in statements(clause.body)
    ]
    noting = dict.fromkeys(
        statement.variable
        for statement in passing
        if isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.With)
        and statement.value.players == ir.Variable(statement.variable)
    )
    return tuple(noting)
