"""What conforms and what does not, in words: each deviation as a ruling, with its clause.

In: what `checker/conform` found. Out: `ConformedTold`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...checker.conform.events import LogEvent
from ...checker.conform.logs import Conformed, Waiver
from ...checker.conform.monitor import DeviationClass, LogFinding, ShownBy
from ...checker.conform.showing import Showing
from ...checker.reference.semantics.interpreter import Interpreter
from ...checker.types.position import Position
from ...checker.types.scope import make_scope
from ...models import ir
from ...models.frozen import frozen
from ...models.words import counted, join_words, player_name
from ..naming import kind_title, players_words


@frozen
class DeviationTold:
    """A deviation in words, or what is unknown (*status*).

    *event* is the number of the event, *line* its line in the log; *before* is what the log has
    since somebody had priority last, *saw* what it has there; *rules* what the rules say, *clause*
    by what, with its *title* and the *statements* it cites. *right* says how often elsewhere in the
    log the same clause was right.
    """

    status: str
    event: int
    line: int
    turn: int
    step: str
    name: str
    wanted: str
    before: tuple[str, ...]
    saw: str
    rules: str
    clause: str
    title: str
    statements: tuple[str, ...]
    right: int
    waiver: str


@frozen
class ClassTold:
    """How many deviations there are of a class: where by *clause* the rules *wanted* one event and
    the log has another, *name*.

    *only_after* says what the log has before each of them, and never where it is right; *as_if* by
    which edit of the rules it would be right, or why none is told.
    """

    clause: str
    name: str
    wanted: str
    count: int
    only_after: str
    as_if: str


@frozen
class WaiverTold:
    """How often a waiver was needed."""

    words: str
    who: str
    why: str
    since: str
    count: int


@frozen
class ConformedTold:
    """What came of a log, in words."""

    file: str
    events: int
    windows: int
    explained: int
    blind: int
    unknown: int
    deviations: int
    classes: tuple[ClassTold, ...]
    found: tuple[DeviationTold, ...]
    waived: tuple[WaiverTold, ...]


@frozen
class ReadingFit:
    """A *reading* and the first deviation from it, None if the log fits it."""

    reading: str
    first: DeviationTold | None


def tell_conformed(
    made: Conformed,
    waivers: Sequence[Waiver],
    statements: Mapping[str, str],
    as_if: Mapping[DeviationClass, str],
) -> ConformedTold:
    """Return what came of a log, in words; *statements* are those of the document, by their ids,
    *as_if* says which edits explain deviations.
    """
    words = LogWords(made.program, made.scope.players, statements)
    return ConformedTold(
        made.file, made.tally.events, made.tally.windows, made.tally.explained, made.tally.blind,
        made.unknown, made.deviations,
        tuple(
            ClassTold(*one, count, _apart_words(made.apart(one)), as_if.get(one, ""))
            for one, count in made.classes.most_common()
        ),
        tuple(words.tell(one, made.tally.right, waivers) for one in made.found),
        tuple(
            WaiverTold(
                " ".join(filter(None, (one.clause, one.event))), one.who, one.why, one.since,
                made.waived[number],
            )
            for number, one in enumerate(waivers)
        ),
    )  # fmt: skip


def _apart_words(shown: ShownBy | None) -> str:
    if shown is None:
        return ""
    name, whose = shown
    what = _SHOWN.get(name, f"`{name}`")
    return what + {"active": " of the active player", "another": " of another player"}.get(
        whose, ""
    )


_SHOWN = {
    "act": "an act", "pass": "a pass", "choice": "a choice", "resolve": "a resolution",
    "trigger": "a trigger", "leave": "the removal of an item", "sba": "a rules process",
    "step": "a new step", "turn": "a new turn", "concede": "the concession",
}  # fmt: skip


class LogWords:
    """Says what logs show and what rules say of it, in the words of *program*."""

    def __init__(
        self, program: ir.Program, players: int, statements: Mapping[str, str] | None = None
    ) -> None:
        self.program, self.statements = program, statements or {}
        self.showing = Showing(Interpreter(program, make_scope(program, players)))
        self.clauses = {clause.id: clause for _, clause in program.clauses}
        self.steps = {
            step.name: step.title or step.name for one in program.sequences for step in one.steps
        }

    def tell(
        self, one: LogFinding, right: Mapping[str, int], waivers: Sequence[Waiver] = ()
    ) -> DeviationTold:
        """Return *one* in words."""
        clause = self.clauses.get(one.clause)
        cites = () if clause is None else clause.cites
        step = self.steps.get(one.step, one.step)
        unknown = f"it is not known whether the rules do: {one.reason}."
        rules = unknown if one.reason else self._rules(one)
        return DeviationTold(
            "waived" if one.waiver >= 0 else one.kind, one.number, one.line, one.turn, step,
            one.event.name, one.wanted, tuple(map(self.event_words, one.before)), self._saw(one),
            rules, one.clause, "" if clause is None else clause.title,
            self._cited(cites, one.wanted), right.get(one.clause, 0),
            waivers[one.waiver].why if one.waiver >= 0 else "",
        )  # fmt: skip

    def _cited(self, cites: Sequence[str], wanted: str) -> tuple[str, ...]:
        """Return the statements that a clause *cites*: of who has priority, if that is *wanted*."""
        known = [f"{id_} {self.statements[id_]}" for id_ in cites if id_ in self.statements]
        near = [one for one in known if wanted == "priority" and "receive" in one]
        return tuple(near or known)

    # ------------------------------------------------------------------ the log

    def _saw(self, one: LogFinding) -> str:
        if one.event.name == "look":
            return f"the log shows {self._field(one.event, one.field)}"
        if one.event.name == "may":
            kinds = ", ".join(one.event.get("kinds") or ()) or "nothing"
            return f"the log offers {self._who(one.event)} {kinds}"
        if one.event.name == "priority":
            return f"the log gives priority to {self._who(one.event)}"
        return f"the log has {self.event_words(one.event)}"

    def event_words(self, event: LogEvent) -> str:
        """Return *event* as what is seen: ``priority of B``."""
        who, kind = self._who(event), event.get("kind")
        item = kind_title(self.program, kind) if kind else "item"
        what = f"{who}'s {item}" if event.seats else f"an {item}"
        match event.name:
            case "priority":
                return f"priority of {who}"
            case "pass" | "choice":
                return f"a {event.name} of {who}"
            case "act":
                return f"an act of {who}" + (f", {item}" if kind else "")
            case "resolve" | "leave" | "trigger":
                return f"{what} {event.name}"
            case "step":
                return f"{self.steps.get(event.get('name'), 'a step')} begin"
            case "turn":
                return f"{who}'s turn begin" if event.seats else "a turn begin"
            case "sba":
                return "a rules process performed"
            case _:
                return f"`{event.name}`" + (f" of {who}" if event.seats else "")

    def _who(self, event: LogEvent) -> str:
        return players_words(sorted(event.seats)) or "somebody"

    def _field(self, look: LogEvent, field: str) -> str:
        value = look.get(field)
        match field:
            case "stack":
                name = next(iter(self.program.zones_tagged("stack"))).name
                return f"{name}: {self._pile(value)}"
            case "step":
                return f"step: {self.steps.get(value, value)}"
            case "active":
                return f"{player_name(value)}'s turn"
            case _:
                seats = value if isinstance(value, tuple) else () if value is None else (value,)
                return f"{players_words(seats) or 'nobody'} with priority"  # fmt: skip

    def _pile(self, stack: Sequence[tuple[int | None, str | None]]) -> str:
        said = [
            f"{'an' if whose is None else player_name(whose) + chr(39) + 's'} "
            f"{kind_title(self.program, kind) if kind else 'item'}"
            for whose, kind in stack
        ]
        return ", ".join(said) or "nothing"

    # ------------------------------------------------------------------ the rules

    def _rules(self, one: LogFinding) -> str:
        by = f"By {one.clause} " if one.clause else ""
        priorities = {way.shown.seats for way in one.ways if way.shown.name == "priority"}
        if priorities and one.wanted == "priority":
            who = join_words([players_words(sorted(seats)) for seats in priorities], "or")
            is_told = one.event.name == "priority"
            return f"{by}it is {who}'s." if is_told else f"{by}{who} has priority now."
        if one.ways:
            seen = dict.fromkeys(self.event_words(way.shown) for way in one.ways)
            return f"{by}the rules have {join_words(list(seen), 'or')}."
        if one.stood and one.event.name in ("look", "may"):
            return self._of_position(one, one.stood[0])
        holders = self.showing.interpreter.priority(one.stood[0]) if one.stood else frozenset()
        if holders:
            who = players_words(sorted(holders))
            if one.event.name in ("act", "pass") and one.event.seats & holders:
                return f"{who} has priority, and no clause allows that here."
            return f"{by}{who} has priority, and goes first."
        return "No clause goes on so."

    def _of_position(self, one: LogFinding, at: Position) -> str:
        if one.event.name == "look":
            return f"By the rules it is {self._field(self.showing.look(at), one.field)}."
        if one.field == "of":
            return "By the rules it is not theirs to act."
        return "The rules offer something else."


def summary(told: ConformedTold) -> str:
    """Return the last line of what is told of a log."""
    parts = [
        counted(told.events, "event"),
        f"{counted(told.windows, 'window')}: {told.explained:,} explained",
        counted(told.deviations, "deviation"),
    ]
    waived = sum(one.count for one in told.waived)
    parts += [f"{waived:,} waived"] if waived else []
    parts += [f"{told.unknown:,} unknown"] if told.windows else ["nothing to judge"]
    parts += [f"{counted(told.blind, 'event')} not judged"] if told.blind else []
    return ", ".join(parts)
