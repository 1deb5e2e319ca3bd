"""Events of a log: one JSON object a line, said as an engine sees them. docs/conform.md has the
schema.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ...models import ir
from ...models.diagnostics import InputError, wrong_input
from ...models.source import Source, Span
from ...models.words import did_you_mean, player_name, shortened
from ..types.scope import MOST_PLAYERS

MOST_BYTES = 1 << 20
"""No line of a log is longer."""
MOST_LISTED = 1_000
"""No list of an event has more in it."""
_MOST_SHOWN = 60
_MOST_KEPT = 2_000
_MOST_NUMBER = 10**9


class LogEvent(NamedTuple):
    """Something that a log shows: its *name*, and what is *said* of it, by name."""

    name: str
    said: tuple[tuple[str, Any], ...] = ()

    def get(self, field: str) -> Any:
        """Return what is said under *field*; None if nothing is."""
        for name, value in self.said:
            if name == field:
                return value
        return None

    @property
    def seats(self) -> frozenset[int]:
        """Whom it names as the one who has or does it."""
        said = self.get("of" if self.name in _OF else "by")
        return frozenset(said if isinstance(said, tuple) else () if said is None else (said,))

    def as_json(self) -> str:
        """Return the line of a log that says so."""
        said = {name: _with_seats(name, value, player_name) for name, value in self.said}
        return json.dumps({"event": self.name, **said})


LogEvents: TypeAlias = tuple[LogEvent, ...]
"""Events that follow one another."""
_Asked = TypeVar("_Asked")
_Found = TypeVar("_Found")


class Remembered(dict[_Asked, _Found]):
    """What was found last. All of it is forgotten before it would weigh more than *most*."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most, self.weight = most, 0

    def keep(self, asked: _Asked, found: _Found, weight: int = 1) -> _Found:
        """Remember that *found* is the answer to what was *asked*, and return it."""
        self.weight += weight
        if self.weight > self.most:
            self.clear()
            self.weight = weight
        self[asked] = found
        return found


class EventError(ValueError):
    """What is wrong with an event, in a sentence, and a hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@lru_cache(maxsize=_MOST_KEPT)
def made(name: str, /, **said: Any) -> LogEvent:
    """Return the event of that *name* of which all is *said* that is not None."""
    return LogEvent(name, tuple((key, value) for key, value in said.items() if value is not None))


@lru_cache(maxsize=_MOST_KEPT)
def turned_event(event: LogEvent, by: int, players: int) -> LogEvent:
    """Return *event* as it is when everyone of *players* players moves *by* seats towards seat
    0.
    """

    def turned(seat: int) -> int:
        return (seat - by) % players

    said = ((field, _with_seats(field, value, turned)) for field, value in event.said)
    return LogEvent(event.name, tuple(said))


def _with_seats(field: str, value: Any, change: Callable[[int], Any]) -> Any:
    """Return the *value* of a *field* with what *change* makes of each seat in it."""
    if field == "stack":
        return tuple((None if whose is None else change(whose), kind) for whose, kind in value)
    if field not in SEATS:
        return value
    return tuple(sorted(map(change, value))) if isinstance(value, tuple) else change(value)


SEATS = ("of", "by", "active", "holder")
_OF = ("priority", "turn", "may")
FIELDS: Mapping[str, tuple[str, ...]] = {
    "players": ("n",),
    "look": ("active", "step", "stack", "holder"),
    "priority": ("of",),
    "pass": ("by",),
    "act": ("by", "kind", "clause"),
    "choice": ("by",),
    "resolve": ("by", "kind"),
    "leave": ("by", "kind"),
    "trigger": ("by", "kind"),
    "sba": (),
    "step": ("name",),
    "turn": ("of",),
    "concede": ("by",),
    "cancel": ("by",),
    "rollback": ("to",),
    "gap": ("n",),
    "may": ("of", "kinds", "all"),
}
"""The fields of each event; all may be left out."""
SEEN_OF_MOVES = frozenset(
    (
        "priority",
        "pass",
        "act",
        "choice",
        "resolve",
        "leave",
        "trigger",
        "sba",
        "step",
        "turn",
        "concede",
    )
)
"""The events that moves show: a log that is not said to hide them has all of them."""


# ------------------------------------------------------------------ reading


def event_of(said: object) -> LogEvent:
    """Return the event that a JSON value says. Raises `EventError`."""
    if not isinstance(said, dict):
        raise EventError("An event is a JSON object.", _EXAMPLE)
    name = said.get("event")
    if name is None:
        raise EventError(
            'This line has no "event".', "a map says what it means: `--init-map` proposes one"
        )
    if not isinstance(name, str) or name not in FIELDS:
        shown = shortened(json.dumps(name), _MOST_SHOWN)
        hint = did_you_mean(name, FIELDS) if isinstance(name, str) else ""
        raise EventError(f"There is no event {shown}.", hint or f"events: {', '.join(FIELDS)}")
    for field in said:
        if field not in ("event", "note", *FIELDS[name]):
            known = ", ".join((*FIELDS[name], "note"))
            raise EventError(
                f"`{name}` has no field {shortened(json.dumps(field), _MOST_SHOWN)}.",
                did_you_mean(str(field), FIELDS[name]) or f"its fields: {known}",
            )
    return LogEvent(
        name,
        tuple(
            (field, _READERS[field](said[field]))
            for field in FIELDS[name]
            if said.get(field) is not None
        ),
    )


def read_log(
    path: Path, means: Callable[[bytes], Iterable[LogEvent]] | None = None
) -> Iterator[tuple[int, LogEvent]]:
    """Yield the events of the log at *path*, each with its line; *means* says which a line means,
    if they are not native. Raises `InputError` at the first line that is no event; empty lines are
    skipped.
    """
    name, means = str(path), means or _native
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(partial(file.readline, MOST_BYTES + 1), b""), 1):
                if line.strip():
                    yield from ((number, one) for one in _events_in(name, number, line, means))
    except OSError as error:
        why = error.strerror or error
        raise wrong_input("R020", f"`{name}` cannot be read: {why}.") from error


def refused(name: str, number: int, error: EventError) -> InputError:
    """Return that line *number* of the log *name* says no event of the game."""
    place = Source(name, ""), Span(number, 1, 1)
    return wrong_input("L113", str(error), *place, error.hint)


def _events_in(
    name: str, number: int, line: bytes, means: Callable[[bytes], Iterable[LogEvent]]
) -> list[LogEvent]:
    try:
        return list(means(line))
    except EventError as error:
        raise refused(name, number, error) from error
    except RecursionError as error:  # read, it has to be compared and shown, too
        raise refused(name, number, _no_event("it is nested too deeply")) from error


_EXAMPLE = '{"event": "pass", "by": "A"}'


def _no_event(why: str) -> EventError:
    return EventError(f"This line is no event: {why}.", _EXAMPLE)


def _native(line: bytes) -> tuple[LogEvent]:
    return (event_of(json_in(line)),)


def json_in(line: bytes) -> object:
    """Return the JSON value that a *line* says. Raises `EventError`."""
    if len(line) > MOST_BYTES:
        raise EventError(f"This line has more than {MOST_BYTES:,} bytes.", "one event a line")
    try:
        said: object = json.loads(line, object_pairs_hook=_once)
    except EventError:
        raise
    except RecursionError:
        raise _no_event("it is nested too deeply") from None
    except ValueError:
        raise _no_event("it is no JSON") from None
    return said


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise EventError("This line says a field twice.")
    return found


def _seat(said: object) -> int:
    """Return the seat of a player, who is called by a letter or by the number of their seat."""
    if isinstance(said, int) and not isinstance(said, bool) and 0 <= said < MOST_PLAYERS:
        return said
    if isinstance(said, str) and said in SEAT_NAMES:
        return SEAT_NAMES[said]
    raise EventError(
        f"{_shown(said)} is no player.",
        "players are A, B and so on, or 0, 1; a map has `seats`",
    )


SEAT_NAMES = {player_name(seat): seat for seat in range(MOST_PLAYERS)}


def _seats(said: object) -> int | tuple[int, ...]:
    return tuple(sorted({_seat(one) for one in said})) if isinstance(said, list) else _seat(said)


def _word(said: object) -> str:
    if not isinstance(said, str) or not said:
        raise EventError(f"{_shown(said)} is no name.", "a text in quotation marks")
    return said


def _number(said: object, least: int = 0) -> int:
    if not isinstance(said, int) or isinstance(said, bool) or not least <= said <= _MOST_NUMBER:
        raise EventError(f"{_shown(said)} is no number from {least} to {_MOST_NUMBER:,}.")
    return said


def _flag(said: object) -> bool:
    if not isinstance(said, bool):
        raise EventError(f"{_shown(said)} is neither true nor false.")
    return said


def _list_of(read: Callable[[object], Any]) -> Callable[[object], tuple[Any, ...]]:
    def all_of(said: object) -> tuple[Any, ...]:
        if not isinstance(said, list):
            raise EventError(f"{_shown(said)} is no list.")
        if len(said) > MOST_LISTED:
            raise EventError(f"{_shown(said)} has more than {MOST_LISTED:,} things in it.")
        return tuple(read(one) for one in said)

    return all_of


def _lying(said: object) -> tuple[int | None, str | None]:
    """Return an item that lies somewhere: whose it is and its kind, each None if it is not
    known.
    """
    match said:
        case [whose, kind]:
            return None if whose is None else _seat(whose), None if kind is None else _word(kind)
        case _:
            raise EventError(f"{_shown(said)} is no item.", '["A", "ability"]: whose, and its kind')


_READERS: Mapping[str, Callable[[object], Any]] = {
    "n": partial(_number, least=1),
    "to": _number,
    "of": _seats,
    "by": _seat,
    "active": _seat,
    "holder": _seats,
    "kind": _word,
    "clause": _word,
    "step": _word,
    "name": _word,
    "stack": _list_of(_lying),
    "kinds": _list_of(_word),
    "all": _flag,
}


def _shown(said: object) -> str:
    return f"`{shortened(json.dumps(said), _MOST_SHOWN)}`"


# ------------------------------------------------------------------ of a game


class Dictionary:
    """What the events of a log can speak of in *program*, at a table of *players* players."""

    def __init__(self, program: ir.Program, players: int) -> None:
        self.players = players
        kinds = [kind.name for kind in program.kinds]
        steps = [step.name for one in program.sequences for step in one.steps]
        clauses = [clause.id for _, clause in program.clauses]
        self._words = {
            "kind": kinds,
            "kinds": kinds,
            "step": steps,
            "name": steps,
            "clause": clauses,
        }
        self._known = set[LogEvent]()

    def check(self, event: LogEvent) -> None:
        """Raise `EventError` if *event* speaks of what there is not."""
        if event in self._known:
            return
        for field, value in event.said:
            for seat in _seats_in(field, value):
                if seat >= self.players:
                    raise EventError(
                        f"There is no player {player_name(seat)}: {self.players} play.",
                        'a log of more players begins with {"event": "players", "n": 3}',
                    )
            for word, known in self._words_in(field, value):
                if word not in known:
                    hint = did_you_mean(word, known)
                    raise EventError(
                        f"The game knows no {_NOUNS.get(field, field)} {_shown(word)}.",
                        hint or f"it knows {', '.join(known[:12])}",
                    )
        if len(self._known) < _MOST_KNOWN:
            self._known.add(event)

    def _words_in(self, field: str, value: Any) -> list[tuple[str, list[str]]]:
        if field == "stack":
            return [(kind, self._words["kind"]) for _, kind in value if kind is not None]
        known = self._words.get(field)
        if known is None:
            return []
        return [(word, known) for word in (value if isinstance(value, tuple) else (value,))]


_MOST_KNOWN = 10_000
_NOUNS = {"kinds": "kind", "name": "step", "stack": "kind"}


def _seats_in(field: str, value: Any) -> list[int]:
    if field == "stack":
        return [whose for whose, _ in value if whose is not None]
    if field not in SEATS:
        return []
    return list(value) if isinstance(value, tuple) else [value]
