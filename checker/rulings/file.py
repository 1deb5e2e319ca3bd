"""Rulings in a file beside the rules: `GAME.rulings`, in TOML, read and asked.

Each has a question, the answer that its author gives, and where that stands in the document.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ...models import ir
from ...models.diagnostics import InputError, Report
from ...models.read import exists, read_source
from ...models.shipped import file_beside, is_shipped
from ...models.source import Source, Span
from ...models.words import shortened
from ..types.scope import make_scope
from .answer import Ruling
from .ask import ask

RulingStatus = Literal["met", "not met", "undecided"]
MOST_RULINGS = 1_000
_MOST_DOTS = 200
"""A key of more parts takes TOML long."""
_HEAD = re.compile(r"^\s*\[\[\s*ruling\s*\]\]")
_KEYS = ("ask", "answer", "source", "reading", "players")


@dataclass(frozen=True)
class Filed:
    """A ruling as it stands in a file, on *line*: the *answer* to *question*, and its *source* in the document, empty if none is said.

    *reading* are settings of options, *players* how many play.
    """

    question: str
    answer: str
    source: str
    reading: tuple[tuple[str, str], ...]
    players: int | None
    line: int


@dataclass(frozen=True)
class FiledAnswer:
    """A filed ruling and what the rules say to it: their *ruling*, or why they give none, *refused*."""

    filed: Filed
    ruling: Ruling | None
    refused: str = ""

    @property
    def status(self) -> RulingStatus:
        """Whether the rules answer as the file does; undecided if a search for the answer was stopped."""
        if self.ruling is None:
            return "not met"
        if any(answer.stopped for answer in self.ruling.answers):
            return "undecided"
        return "met" if self.ruling.agrees(self.filed.answer) else "not met"

    @property
    def moves(self) -> int:
        """How long the play is that shows what the rules say, 0 if they say nothing."""
        return max((len(answer.line.steps) for answer in self.ruling.answers), default=0) if self.ruling else 0


def rulings_beside(target: str) -> Source | None:
    """Return the text of the rulings beside the ruleset that *target* names, None if there are none; raises InputError."""
    path = file_beside(target, ".rulings")
    if not exists(path):
        return None
    read = read_source(path)
    return Source(path.name, read.text) if is_shipped(target) else read


def read_rulings(source: Source) -> tuple[Filed, ...]:
    """Return the rulings in *source*, in its order. Raises InputError with all that is wrong (C205)."""
    report = Report(source)
    lines = [number for number, line in enumerate(source.lines, 1) if _HEAD.match(line)]
    if len(lines) > MOST_RULINGS:
        report.add(
            "C205", Span(lines[MOST_RULINGS], 1, 2), f"There are {len(lines):,} rulings.", f"keep {MOST_RULINGS:,} in a file at most"
        )
        report.check()
    for number, line in enumerate(source.lines, 1):
        if line.count(".") > _MOST_DOTS:
            report.add("C205", Span(number, 1, 2), f"This line has more than {_MOST_DOTS} dots.", "the keys of a ruling have none")
    report.check()
    try:
        found = tomllib.loads(source.text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        at = re.search(r"at line (\d+)", str(error))
        report.add(
            "C205",
            Span(int(at[1]) if at else 1, 1, 2),
            f"This is no TOML: {shortened(str(error), 120)}.",
            'write `[[ruling]]` and `ask = "…"`',
        )
        report.check()
    entries = found.get("ruling", [])
    for name in found:
        if name not in ("ruling", "accepted"):
            report.add("C205", Span(1, 1, 2), f"A file of rulings has no `{shortened(name, 40)}`.", "begin each with `[[ruling]]`")
    if not isinstance(entries, list) or len(entries) != len(lines):
        report.add("C205", Span(1, 1, 2), "Each ruling begins with a line of its own.", "write `[[ruling]]` on it")
        report.check()
    read = [_filed(entry, line, report) for entry, line in zip(entries, lines, strict=True)]
    report.check()
    return tuple(one for one in read if one is not None)


def _filed(entry: object, line: int, report: Report) -> Filed | None:
    at = Span(line, 1, 2)
    if not isinstance(entry, dict):
        report.add("C205", at, "This is no ruling.", "write `[[ruling]]`")
        return None
    for key in entry:
        if key not in _KEYS:
            report.add("C205", at, f"A ruling has no `{shortened(str(key), 40)}`.", f"it has {', '.join(_KEYS)}")
    texts = {key: entry.get(key, "") for key in ("ask", "answer", "source", "reading")}
    wrong = [key for key, value in texts.items() if not isinstance(value, str)]
    players = entry.get("players")
    if players is not None and (not isinstance(players, int) or isinstance(players, bool)):
        wrong.append("players")
    for key in wrong:
        report.add("C205", at, f"`{key}` is not what it should be.", "put texts in quotes, and write `players` as a number")
    for key in ("ask", "answer"):
        if key not in wrong and not texts[key].strip():
            report.add("C205", at, f"A ruling says what is asked and answered; `{key}` is missing.", f'write `{key} = "…"`')
    settings = [part.partition("=") for part in texts["reading"].split(",") if part.strip()] if "reading" not in wrong else []
    if any(not (name.strip() and value.strip()) for name, _, value in settings):
        report.add("C205", at, "`reading` sets options.", 'write `reading = "option=value"`')
    if wrong:
        return None
    reading = tuple((name.strip(), value.strip()) for name, _, value in settings)
    return Filed(texts["ask"], texts["answer"], texts["source"], reading, players, line)


def ask_filed(filed: Filed, program_of: Callable[[tuple[tuple[str, str], ...]], ir.Program]) -> FiledAnswer:
    """Return what the rules say to a *filed* ruling; *program_of* gives the game in a reading, or raises InputError."""
    try:
        program = program_of(filed.reading)
        return FiledAnswer(filed, ask(program, filed.question, make_scope(program, filed.players)))
    except InputError as error:
        return FiledAnswer(filed, None, " ".join(f"{one.told} ({one.code})" for one in error.diagnostics[:1]))
