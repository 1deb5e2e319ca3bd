"""Rulings in a file beside the rules: `GAME.rulings`, in TOML, read and asked; and which of them
notice an edit, for the edited rules answer them otherwise, or refuse them.

Each has a question, the answer that its author gives, and where that stands in the document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import TypeAlias

from ...models import ir
from ...models.diagnostics import InputError, Report
from ...models.frozen import frozen
from ...models.options.configure import configure
from ...models.read import exists, read_source, toml_in
from ...models.shipped import file_beside, is_shipped
from ...models.source import Source, Span
from ...models.words import shortened
from ..situations.question import NOT_FOUND
from ..types.scope import Scope, make_scope
from .answer import Ruling, RulingStatus
from .ask import ask

Settings: TypeAlias = tuple[tuple[str, str], ...]
"""Options, each with its value."""
MOST_RULINGS = 1_000
_HEAD = re.compile(r"^\s*\[\[\s*(ruling|accepted)\s*\]\]")
_KEYS = {
    "ruling": ("ask", "answer", "source", "reading", "players"),
    "accepted": ("ask", "answer", "who", "why", "reading"),
}
"""What a file has, and which keys each of these."""
_NEEDED = {"ruling": ("ask", "answer"), "accepted": ("ask", "answer", "who", "why")}


@frozen
class Filed:
    """A ruling as it stands in a file, on *line*: the *answer* to *question*, and its *source* in
    the document, empty if none is said.

    *reading* are settings of options, *players* how many play.
    """

    question: str
    answer: str
    source: str
    reading: Settings
    players: int | None
    line: int


@frozen
class Accepted:
    """A changed answer that *who* accepts, and *why*, on *line* of a file: the new *answer* to
    *question*.

    It is of one *reading*, or of all if that is empty.
    """

    question: str
    answer: str
    who: str
    why: str
    reading: Settings
    line: int


def acceptance(
    accepted: Sequence[Accepted],
    question: str,
    answer: Ruling | str,
    reading: Sequence[tuple[str, str]],
) -> Accepted | None:
    """Return which of *accepted* is of this *question*, in this *reading*, and has the new
    *answer*; None if none has.
    """
    for one in accepted:
        if _comparable(one.question) != _comparable(question) or (
            one.reading and sorted(one.reading) != sorted(reading)
        ):
            continue
        if (
            answer.agrees(one.answer)
            if isinstance(answer, Ruling)
            else _comparable(one.answer) == _comparable(answer)
        ):
            return one
    return None


def _comparable(text: str) -> str:
    return " ".join(text.lower().split()).rstrip("?. ")


@frozen
class FiledAnswer:
    """A filed ruling and what the rules say to it: their *ruling*, or why they give none,
    *refused*.

    If they refuse it since nothing was found, which may be there all the same, that *is_open*.
    """

    filed: Filed
    ruling: Ruling | None
    refused: str = ""
    is_open: bool = False

    @property
    def status(self) -> RulingStatus:
        """Whether the rules answer as the file does; undecided if a search for the answer was
        stopped, or if more room may show that they do.
        """
        if self.ruling is None:
            return "undecided" if self.is_open else "not met"
        return "undecided" if self._is_stopped else self.ruling.status(self.filed.answer)

    @property
    def is_another(self) -> bool:
        """Whether the rules answer otherwise within the scope, or not at all."""
        return self.ruling is None or not (
            self._is_stopped or self.ruling.agrees(self.filed.answer)
        )

    @property
    def _is_stopped(self) -> bool:
        return self.ruling is not None and any(answer.stopped for answer in self.ruling.answers)

    @property
    def moves(self) -> int:
        """How long the play is that shows what the rules say, 0 if they say nothing."""
        answers = self.ruling.answers if self.ruling else ()
        return max((len(answer.line.steps) for answer in answers), default=0)


def rulings_beside(target: str) -> Source | None:
    """Return the text of the rulings beside the ruleset that *target* names, None if there are
    none; raises InputError.
    """
    path = file_beside(target, ".rulings")
    if not exists(path):
        return None
    read = read_source(path)
    return Source(path.name, read.text) if is_shipped(target) else read


def read_rulings(source: Source) -> tuple[Filed, ...]:
    """Return the rulings in *source*, in its order. Raises InputError with all that is wrong with
    the file (C205).
    """
    return _parsed_rulings(source)[0]


def read_accepted(source: Source) -> tuple[Accepted, ...]:
    """Return the changed answers that *source* accepts. Raises InputError as `read_rulings`."""
    return _parsed_rulings(source)[1]


def _parsed_rulings(source: Source) -> tuple[tuple[Filed, ...], tuple[Accepted, ...]]:
    report = Report(source)
    heads = [
        (number, head[1])
        for number, line in enumerate(source.lines, 1)
        if (head := _HEAD.match(line))
    ]
    if len(heads) > MOST_RULINGS:
        most = f"keep {MOST_RULINGS:,} in a file at most"
        _wrong(report, heads[MOST_RULINGS][0], f"There are {len(heads):,} rulings.", most)
        report.check()
    try:
        found = toml_in(source)
    except ValueError as error:
        at = re.search(r"at line (\d+)", str(error))
        why = f"This cannot be read as TOML: {shortened(str(error), 120)}."
        _wrong(report, int(at[1]) if at else 1, why, 'write `[[ruling]]` and `ask = "…"`')
        report.check()
    for name in found:
        if name not in _KEYS:
            said = f"A file of rulings has no `{shortened(name, 40)}`."
            _wrong(report, 1, said, "begin each with `[[ruling]]`")
    entries = {
        name: _entries(
            name, found.get(name, []), [line for line, which in heads if which == name], report
        )
        for name in _KEYS
    }
    report.check()
    filed = [_filed(entry, line, report) for entry, line in entries["ruling"]]
    accepted = [_accepted(entry, line, report) for entry, line in entries["accepted"]]
    report.check()  # then each of them is one
    return tuple(filter(None, filed)), tuple(filter(None, accepted))


def _entries(
    name: str, entries: object, lines: Sequence[int], report: Report
) -> list[tuple[object, int]]:
    """Return the *entries* called *name*, each with the line on which it begins."""
    if isinstance(entries, list) and len(entries) == len(lines):
        return list(zip(entries, lines, strict=True))
    which = "ruling" if name == "ruling" else "accepted answer"
    said = f"Each {which} begins with a line of its own."
    _wrong(report, 1, said, f"write `[[{name}]]` on it")
    return []


def _wrong(report: Report, line: int, message: str, hint: str) -> None:
    report.add("C205", Span(line, 1, 2), message, hint)


def _filed(entry: object, line: int, report: Report) -> Filed | None:
    texts = _texts("ruling", entry, line, report)
    if texts is None:
        return None
    assert isinstance(entry, dict)
    players = entry.get("players")
    if players is not None and (not isinstance(players, int) or isinstance(players, bool)):
        _wrong(report, line, "`players` is not what it should be.", _PLAIN)
        return None
    reading = _reading_in(texts["reading"], line, report)
    return Filed(texts["ask"], texts["answer"], texts["source"], reading, players, line)


def _accepted(entry: object, line: int, report: Report) -> Accepted | None:
    texts = _texts("accepted", entry, line, report)
    if texts is None:
        return None
    reading = _reading_in(texts["reading"], line, report)
    return Accepted(texts["ask"], texts["answer"], texts["who"], texts["why"], reading, line)


def _texts(name: str, entry: object, line: int, report: Report) -> dict[str, str] | None:
    """Return the texts of an *entry*, empty where it says nothing; None if it is none."""
    which = "A ruling" if name == "ruling" else "An accepted answer"
    if not isinstance(entry, dict):
        _wrong(report, line, "This is no ruling.", f"write `[[{name}]]`")
        return None
    for key in entry:
        if key not in _KEYS[name]:
            said = f"{which} has no `{shortened(str(key), 40)}`."
            _wrong(report, line, said, f"it has {', '.join(_KEYS[name])}")
    texts = {key: entry.get(key, "") for key in _KEYS[name] if key != "players"}
    wrong = [key for key, value in texts.items() if not isinstance(value, str)]
    for key in wrong:
        _wrong(report, line, f"`{key}` is not what it should be.", _PLAIN)
    for key in _NEEDED[name]:
        if key not in wrong and not texts[key].strip():
            says = "A ruling says what is asked and answered" if name == "ruling" else _ACCEPTED
            _wrong(report, line, f"{says}; `{key}` is missing.", f'write `{key} = "…"`')
    return None if wrong else texts


_PLAIN = "put texts in quotes, and write `players` as a number"
_ACCEPTED = "An accepted answer says what is asked, what is answered now, who accepts that and why"


def _reading_in(text: str, line: int, report: Report) -> Settings:
    """Return the settings that *text* names."""
    settings = [part.partition("=") for part in text.split(",") if part.strip()]
    if any(not (name.strip() and value.strip()) for name, _, value in settings):
        _wrong(report, line, "`reading` sets options.", 'write `reading = "option=value"`')
    return tuple((name.strip(), value.strip()) for name, _, value in settings)


def ask_filed(filed: Filed, program_of: Callable[[Settings], ir.Program]) -> FiledAnswer:
    """Return what the rules say to a *filed* ruling; *program_of* gives the game in a reading, or
    raises InputError.
    """
    try:
        program = program_of(filed.reading)
        return FiledAnswer(filed, ask(program, filed.question, make_scope(program, filed.players)))
    except InputError as error:
        first = error.diagnostics[0]
        refused = f"{first.as_line} ({first.code})"
        return FiledAnswer(filed, None, refused, is_open=first.code == NOT_FOUND)


# ------------------------------------------------------------------ the rulings that notice an edit


class SourcedRulings:
    """The rulings of *text* that have a source, and that the rules of *program*, whose options are
    open, answer as they say.

    Raises InputError if *text* is no such file (C205).
    """

    def __init__(self, program: ir.Program, text: Source | None) -> None:
        self._file = text.name if text is not None else ""
        self._filed = (
            [one for one in read_rulings(text) if one.source.strip()] if text is not None else []
        )
        self._of = cache(lambda reading: configure(program, dict(reading)))

    @cached_property
    def _met(self) -> list[Filed]:
        return [one for one in self._filed if ask_filed(one, self._of).status == "met"]

    def not_met(
        self, edited: ir.Program, but: tuple[ir.Program, Scope] | None, likely: Sequence[str] = ()
    ) -> Iterator[tuple[str, FiledAnswer]]:
        """Yield the rulings that *edited* does not meet, each by its place, those that are *likely*
        first.

        None is asked in a reading that *edited* leaves as it is, nor of the Program and within the
        Scope of *but*.
        """

        @cache
        def mutant_of(reading: Settings) -> ir.Program:
            return configure(replace(edited, claims=()), dict(reading))

        for one in sorted(self._met, key=lambda one: self._file_and_line(one) not in likely):
            old, new = self._of(one.reading), mutant_of(one.reading)
            if old.stages == new.stages and old.zones == new.zones:
                continue
            if (
                but is not None
                and old.settings == but[0].settings
                and make_scope(old, one.players) == but[1]
            ):
                continue
            answer = ask_filed(one, mutant_of)
            if answer.is_another:
                yield self._file_and_line(one), answer

    def _file_and_line(self, one: Filed) -> str:
        return f"{self._file}:{one.line}"
