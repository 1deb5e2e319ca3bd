"""Maps: how the lines of a foreign log become events, in a TOML file.

A path leads into a line: ``data.player_id``; through a list it leads to all that is there. `^`
before it means the whole line where `each` takes one thing of it after the other, and
`stack[id=what]` is the thing in `stack` whose `id` is what `what` leads to, or that number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from ...models.diagnostics import wrong_input
from ...models.frozen import frozen
from ...models.read import toml_in
from ...models.source import Source, Span
from ...models.words import did_you_mean, shortened
from .events import FIELDS, SEATS, SEEN_OF_MOVES, EventError, LogEvent, event_of, json_in, read_log

_MOST_RULES = 1_000
_LONGEST = 4_000
"""A longer path takes long to read."""
_MOST_HELD = 64
_MOST_KEPT = 10_000
"""How many things of a list are kept, those that were said last."""
_MOST_SAID = 1_000
"""How many fields are kept of each."""
_SEGMENT = re.compile(r"([^.\[\]]+)(?:\[([^=\]]+)=([^\]]+)\])?(?:\.|$)")
_KEYS = {
    "line": {"each", "when", "unless", "say"},
    "item": {"when", "unless", "is"},
    "keep": {"of", "by", "gone", "anew"},
    "map": {
        "names",
        "seats",
        "line",
        "item",
        "whose",
        "order",
        "hide",
        "mixed",
        "split",
        "keep",
        "once",
    },
}


@frozen
class _Test:
    """What is asked of a thing: that *when* holds of it, and not *unless*, each by path."""

    when: Sequence[tuple[str, Any]] = ()
    unless: Sequence[tuple[str, Any]] = ()

    def holds(self, thing: object, line: object) -> bool:
        return all(_agrees(_at(path, thing, line), value) for path, value in self.when) and not (
            self.unless and all(_agrees(_at(path, thing, line), said) for path, said in self.unless)
        )


@frozen
class _Line:
    """The log says these events of *each* thing of a line for which the *test* holds. Lines of the
    same *each* that follow one another go through the things together.
    """

    each: str
    test: _Test
    say: Sequence[Mapping[str, Any]]


@frozen
class LogMap:
    """How a foreign log is read. *names* are its words and those of the rules, *seats* what it
    calls the players, in turn order; *items* say of which kind a thing on the stack is, *whose*
    whose it is. Events of the names in *order* that follow one another are put into that order;
    what is *hidden* it never shows. *is_mixed* passes over lines that are no JSON. A line is
    *split* into records, in which what is to *keep* is made whole; one that has only events of the
    names in *once*, and those that the record before has, says nothing new.
    """

    lines: Sequence[_Line]
    names: Mapping[str, str] = field(default_factory=dict)
    seats: Sequence[object] = ()
    items: Sequence[tuple[_Test, str]] = ()
    whose: str = "controller"
    order: Sequence[str] = ()
    hidden: frozenset[str] = frozenset()
    is_mixed: bool = False
    split: Sequence[str] = ()
    keep: Sequence[Keep] = ()
    once: frozenset[str] = frozenset()

    def events(self, line: object) -> Iterator[LogEvent]:
        """Yield the events that a *line*, or a record of it, says. Raises `EventError`."""
        for each, lines in groupby(self.lines, lambda one: one.each):
            things = _all_at(each, line, line) if each else [line]
            together = list(lines)
            for thing in (more for some in things for more in _spread(some)):
                for one in together:
                    if one.test.holds(thing, line):
                        yield from (event_of(self._said(event, thing, line)) for event in one.say)

    def _said(self, event: Mapping[str, Any], thing: object, line: object) -> dict[str, Any]:
        return {name: self._mapped_value(name, said, thing, line) for name, said in event.items()}

    def _mapped_value(self, name: str, said: object, thing: object, line: object) -> object:
        if isinstance(said, str) and said.startswith("@"):
            said = (_lying_at if name == "stack" else _at)(said[1:], thing, line)
        if name == "stack" and isinstance(said, list):
            return [
                [self._seat_said(_at(self.whose, one, line)), self._kind(one, line)] for one in said
            ]
        if name in SEATS:
            return (
                [self._seat_said(one) for one in said]
                if isinstance(said, list)
                else self._seat_said(said)
            )
        if name == "kind" and isinstance(said, dict):
            return self._kind(said, line)
        return self.names.get(said, said) if isinstance(said, str) else said

    def _seat_said(self, said: object) -> object:
        if not self.seats or said is None:
            return said
        if said not in self.seats:
            raise EventError(f"{shortened(str(said), 40)} is no player.", f"`seats`: {self.seats}")
        return self.seats.index(said)

    def _kind(self, item: object, line: object) -> str | None:
        return next((kind for test, kind in self.items if test.holds(item, line)), None)


# ------------------------------------------------------------------ records


@frozen
class Keep:
    """The list that is found by the keys in *path*: of each thing in it, called by what it has
    under *by*, what was said last holds on, until it is one of those found by *gone*, or a record
    says everything *anew*. Without *by* all that is said there is one thing.
    """

    path: Sequence[str]
    by: str = ""
    gone: Sequence[str] = ()
    anew: _Test | None = None


def _kept_now(keep: Keep, kept: dict[Any, Any], said: object, gone: object) -> object:
    """Return what holds once *said* was said, and *gone* is gone; *kept* is what held so far."""
    if not keep.by:
        if said is not None:
            kept[""] = said
        return kept.get("")
    for one in said if isinstance(said, list) else []:
        name = one.get(keep.by) if isinstance(one, dict) else None
        if isinstance(name, (str, int)):
            kept[name] = {**kept.get(name, {}), **one}
            if len(kept[name]) > _MOST_SAID:
                raise EventError(f"Of one thing more than {_MOST_SAID:,} fields are to be kept.")
    for name in gone if isinstance(gone, list) and keep.gone else []:
        if isinstance(name, (str, int)):
            kept.pop(name, None)
    while len(kept) > _MOST_KEPT:
        del kept[next(iter(kept))]
    return list(kept.values())


def _found(value: object, path: Sequence[str]) -> Any:
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _with(value: Any, path: Sequence[str], put: object) -> Any:
    """Return *value* with *put* where the keys in *path* lead."""
    if not path:
        return put
    return {**value, path[0]: _with(value[path[0]] if path[1:] else None, path[1:], put)}


class MapReading:
    """Reads one log by a map, line after line."""

    def __init__(self, by: LogMap) -> None:
        self.by = by
        self._kept: list[dict[Any, Any]] = [{} for _ in by.keep]
        self._last: list[LogEvent] = []
        self._held: list[tuple[int, LogEvent]] = []

    def in_line(self, line: bytes) -> Iterator[LogEvent]:
        """Yield the events that the text of a *line* says. Raises `EventError`."""
        if not self.by.is_mixed or line.lstrip().startswith(b"{"):
            yield from self.events(json_in(line))

    def events(self, line: object) -> Iterator[LogEvent]:
        """Yield the events that a *line* says. Raises `EventError`."""
        for record in self._records(line):
            events = list(self.by.events(self._whole(record)))
            again = [one for one in events if one.name in self.by.once]
            if again != self._last or len(again) < len(events):
                yield from events
            self._last = again if events else self._last

    def _records(self, line: object) -> list[object]:
        """Return the records that a *line* says: the things in the list found by `split`, or the
        line itself.
        """
        said = _found(line, self.by.split) if self.by.split else [line]
        return said if isinstance(said, list) else []

    def _whole(self, record: object) -> object:
        """Return *record* with what is to be kept."""
        for keep, kept in zip(self.by.keep, self._kept, strict=True):
            holder = _found(record, keep.path[:-1])
            if isinstance(holder, dict):
                if keep.anew is not None and keep.anew.holds(record, record):
                    kept.clear()
                now = _kept_now(keep, kept, holder.get(keep.path[-1]), _found(record, keep.gone))
                record = _with(record, keep.path, now)
        return record

    def in_order(self, line: int, event: LogEvent) -> list[tuple[int, LogEvent]]:
        """Return what is not held back once *event* of a *line* has come."""
        if event.name in self.by.order:
            self._held.append((line, event))
            return self.rest() if len(self._held) >= _MOST_HELD else []
        return [*self.rest(), (line, event)]

    def rest(self) -> list[tuple[int, LogEvent]]:
        """Return what was held back."""
        held, self._held = self._held, []
        return sorted(held, key=lambda one: self.by.order.index(one[1].name))


def mapped(by: LogMap, path: Path) -> Iterator[tuple[int, LogEvent]]:
    """Yield the events of the foreign log at *path*, each with its line. Raises `InputError`."""
    reading, line = MapReading(by), 0
    for line, event in read_log(path, reading.in_line):
        yield from reading.in_order(line, event)
    yield from reading.rest()
    if not line:
        said = f"By this map no line of `{path}` is an event."
        raise wrong_input("L116", said, hint="`when` and `each` have paths of its lines")


# ------------------------------------------------------------------ paths


def _at(path: str, thing: object, line: object) -> Any:
    """Return what *path* leads to: all of it as a list, if it goes through a list."""
    found = _all_at(path, thing, line)
    if len(found) == 1:
        return found[0]
    return found or None


def _lying_at(path: str, thing: object, line: object) -> list[Any] | None:
    """Return the things that *path* leads to; None if nothing says what lies there."""
    found = [more for one in _all_at(path, thing, line) for more in _spread(one)]
    is_said = found or _all_at(path.rpartition("[")[0] if path.endswith("]") else path, thing, line)
    return found if is_said else None


def _all_at(path: str, thing: object, line: object) -> list[Any]:
    here: list[Any] = [line if path.startswith("^") else thing]
    for name, key, by in _segments(path.removeprefix("^")):
        here = [more for one in here for more in _spread(one) if isinstance(more, dict)]
        here = [one[name] for one in here if one.get(name) is not None]
        if key:
            wanted = _names_in(int(by) if by.isdecimal() else _at(by, thing, line))
            here = [
                one
                for some in here
                for one in _spread(some)
                if isinstance(one, dict) and not wanted.isdisjoint(_names_in(one.get(key)))
            ]
    return here


def _spread(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _names_in(value: object) -> frozenset[str | float]:
    """Return what a thing can be called in *value*, which may be a list of that."""
    return frozenset(one for one in _spread(value) if isinstance(one, str | int | float))


def _agrees(found: object, said: object) -> bool:
    """Whether what is *found* is what is *said*, or one of each if there are several."""
    return any(one in _spread(said) for one in _spread(found))


@lru_cache(maxsize=1_000)
def _segments(path: str) -> tuple[tuple[str, str, str], ...]:
    return tuple((one[1], one[2] or "", one[3] or "") for one in _SEGMENT.finditer(path))


# ------------------------------------------------------------------ reading


def read_map(source: Source) -> LogMap:
    """Return the map in *source*. Raises `InputError` with what is wrong with it."""
    try:
        return _Reader(toml_in(source, _LONGEST)).made()
    except _WrongMapError as wrong:
        message, hint = str(wrong), wrong.hint
    except ValueError as error:
        message, hint = f"This cannot be read as TOML: {shortened(str(error), 120)}.", ""
    raise wrong_input("L116", message, source, Span(1, 1, 1), hint)


class _WrongMapError(EventError):
    """What is wrong with a map, and a hint."""


class _Reader:
    """Makes a map of a TOML document that is *said*."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.said = said

    def made(self) -> LogMap:
        self._known("map", self.said)
        names = self._got("names", dict, {})
        if not all(isinstance(one, str) for one in names.values()):
            raise _WrongMapError("`names` has a text for each word of the log.")
        order = self._event_names("order", set(FIELDS))
        hidden = frozenset(self._event_names("hide", set(SEEN_OF_MOVES)))
        lines = [self._line(one) for one in self._tables("line")]
        if not lines:
            raise _WrongMapError("The map gives no line a meaning.", "`[[line]]` with `say`")
        items = [(self._test(one), self._text(one, "is")) for one in self._tables("item")]
        return LogMap(
            lines,
            names,
            self._got("seats", list, []),
            items,
            self._got("whose", str, "controller"),
            order,
            hidden,
            self._got("mixed", bool, default=False),
            self._path(self.said, "split"),
            [self._keep(one) for one in self._tables("keep")],
            frozenset(self._event_names("once", set(FIELDS))),
        )

    def _keep(self, table: dict[str, Any]) -> Keep:
        path = self._path(table, "of")
        if not path:
            raise _WrongMapError("A `keep` does not say what it keeps.", _WANTED["keep"])
        anew = self._test({"when": table["anew"]}) if "anew" in table else None
        return Keep(path, self._text(table, "by"), self._path(table, "gone"), anew)

    def _path(self, table: dict[str, Any], key: str) -> Sequence[str]:
        return tuple(filter(None, self._text(table, key).split(".")))

    def _got(self, key: str, type_: type, default: Any) -> Any:
        value = self.said.get(key, default)
        if not isinstance(value, type_):
            raise _WrongMapError(f"`{key}` is not what it has to be.", _WANTED[key])
        return value

    def _event_names(self, key: str, known: set[str]) -> list[str]:
        words: list[Any] = self._got(key, list, [])
        for word in words:
            if not isinstance(word, str) or word not in known:
                raise _WrongMapError(f"`{key}` has names of events.", ", ".join(sorted(known)))
        return words

    def _tables(self, key: str) -> list[dict[str, Any]]:
        tables: list[Any] = self._got(key, list, [])
        if len(tables) > _MOST_RULES or not all(isinstance(one, dict) for one in tables):
            raise _WrongMapError(f"`[[{key}]]` is a table, {_MOST_RULES:,} of them at most.")
        for one in tables:
            self._known(key, one)
        return tables

    @staticmethod
    def _known(key: str, table: dict[str, Any]) -> None:
        for name in table:
            if name not in _KEYS[key]:
                hint = did_you_mean(name, _KEYS[key]) or f"keys: {', '.join(sorted(_KEYS[key]))}"
                raise _WrongMapError(f"A {key} has no `{shortened(name, 40)}`.", hint)

    @staticmethod
    def _text(table: dict[str, Any], key: str, default: str = "") -> str:
        value = table.get(key, default)
        if not isinstance(value, str):
            raise _WrongMapError(f"`{key}` is a text.")
        return value

    @staticmethod
    def _test(table: dict[str, Any]) -> _Test:
        parts = []
        for key in ("when", "unless"):
            asked = table.get(key, {})
            if not isinstance(asked, dict) or any(isinstance(v, dict) for v in asked.values()):
                raise _WrongMapError(
                    f"`{key}` has paths, each with a value.", '"data.kind" = "Mana"'
                )
            parts.append(tuple(asked.items()))
        return _Test(*parts)

    def _line(self, table: dict[str, Any]) -> _Line:
        say = table.get("say")
        events: list[Any] = say if isinstance(say, list) else [say]
        for one in events:
            self._event(one)
        return _Line(self._text(table, "each"), self._test(table), tuple(events))

    @staticmethod
    def _event(said: object) -> None:
        """Refuse what is no event for any values of the paths in it."""
        if not isinstance(said, dict):
            raise _WrongMapError("`say` is an event.", 'say = { event = "pass", by = "@player" }')
        literal = {
            name: value
            for name, value in said.items()
            if not (isinstance(value, str) and value.startswith("@")) or name == "event"
        }
        try:
            event_of(literal | {name: None for name in said if name not in literal})
        except EventError as error:
            raise _WrongMapError(f"`say` is no event: {error}", error.hint) from error


_WANTED = {
    "names": '[names], with lines such as Upkeep = "upkeep"',
    "seats": "what the log calls the players: seats = [1, 2]",
    "line": "[[line]]",
    "item": "[[item]]",
    "whose": 'a path: whose = "controller"',
    "order": 'order = ["choice", "resolve"]',
    "hide": 'hide = ["trigger", "sba"]',
    "mixed": "mixed = true",
    "keep": '[[keep]], with of = "state.objects", by = "id", gone = "state.gone"',
    "once": 'once = ["priority", "look"]',
}
