"""Waivers: deviations that are meant, in a TOML file, each with who says so and why."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from ...models.diagnostics import InputError, wrong_input
from ...models.source import Source, Span
from ...models.words import shortened
from .monitor import LogFinding

_MOST = 1_000


@dataclass(frozen=True)
class Waiver:
    """A deviation that is meant: by *clause* the rules go on with *wanted*, and the log shows
    *event*; each empty if any is meant. *who* says so, *why*, and *since* when.
    """

    clause: str
    event: str
    wanted: str
    who: str
    why: str
    since: str

    def covers(self, found: LogFinding) -> bool:
        """Whether *found* is such a deviation."""
        return all(
            said in ("", so)
            for said, so in (
                (self.clause, found.clause),
                (self.event, found.event.name),
                (self.wanted, found.wanted),
            )
        )


def read_waivers(source: Source) -> tuple[Waiver, ...]:
    """Return the waivers in *source*. Raises `InputError` with what is wrong with it."""

    def wrong(message: str, hint: str = "") -> InputError:
        return wrong_input("L115", message, source, Span(1, 1, 1), hint)

    try:
        found = tomllib.loads(source.text)
    except (ValueError, RecursionError) as error:
        raise wrong(f"This is no TOML: {shortened(str(error), 120)}.") from error
    entries = found.get("waive", [])
    if set(found) - {"waive"} or not isinstance(entries, list) or len(entries) > _MOST:
        raise wrong("A file of waivers has nothing but `[[waive]]`.", f"{_MOST:,} of them at most")
    return tuple(_waiver(entry, number, wrong) for number, entry in enumerate(entries, 1))


def _waiver(entry: Any, number: int, wrong: Any) -> Waiver:
    names = [one.name for one in fields(Waiver)]
    said = entry if isinstance(entry, dict) else {"": entry}
    if not all(name in names and isinstance(value, str) for name, value in said.items()):
        raise wrong(f"Waiver {number} is none.", f"its keys, each with a text: {', '.join(names)}")
    if not said.get("who") or not said.get("why") or not (said.get("clause") or said.get("event")):
        raise wrong(f"Waiver {number} says too little.", "`clause` or `event`, `who` and `why`")
    return Waiver(**{name: said.get(name, "") for name in names})


def waived_by(waivers: Sequence[Waiver], found: LogFinding) -> int:
    """Return the number of the first of *waivers* that covers *found*, -1 if none does."""
    return next((number for number, one in enumerate(waivers) if one.covers(found)), -1)
