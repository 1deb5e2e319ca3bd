"""Judging: what an editor tells of a text: its mistakes, what claims came to, what an edit changed.

What was decided before is remembered, so most answers come at once. The next key ends the rest.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from ..checker.process.serving import Reply, serve_until_ended
from ..checker.prover.workers import Workers, command_of
from ..checker.rulings.file import read_rulings
from ..checker.run.cuts import cut_start
from ..checker.types.budget import Budget, Meter, Tuning
from ..checker.types.scope import scope_of
from ..models.diagnostics import Diagnostic, InputError
from ..models.frozen import frozen
from ..models.load import opened
from ..models.read import read_source, sent
from ..models.shipped import game_source
from ..models.source import Source
from ..models.storage.keeping import keep, kept, name_of, packed, unpacked
from ..models.storage.key import code_digest, digest
from ..models.storage.opening import cache_folder
from ..models.words import counted, settings_words
from ..reports.rulings.changes import change_words
from ..reports.rulings.filed import RulingRow
from ..reports.telling.record import Record, Row
from .asking.against import Against
from .asking.ask import Asked
from .asking.questions import parsed
from .asking.reading_worker import READING, answer, reading_request, request_in, texts_of

RULINGS, CLAUSES = ".rulings", ".clauses"


def target_of(path: str) -> str:
    """Return the file of rules that the file at *path* stands beside, or is."""
    return str(Path(path).with_suffix(".rules"))


def row_of(source: Source, line: int) -> tuple[int, str]:
    """Return on which row an editor has *line* of *source*, counted from 0 in its file, and what
    stands before it there: an editor breaks lines at fewer signs than we do.
    """
    number = source.files.place_of(line)[1]
    if not _OTHER_BREAKS.search(source.text):
        return number - 1, ""
    lines = source.text.splitlines(keepends=True)[line - number : line - 1]
    rows = "".join(lines).split("\n")
    return len(rows) - 1, rows[-1]


_OTHER_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def mistakes_of(path: str, *, at_once: bool) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the file at *path*, or with the ruleset that it is of.

    *At once* is told what reading and binding the rules finds; the claims and the warnings take
    longer.
    """
    try:
        if path.endswith(CLAUSES):
            read_source(path)
        elif path.endswith(RULINGS):
            read_rulings(read_source(path))
        else:
            source = game_source(target_of(path))
            return _in_rules(source) or (() if at_once else _in_all(target_of(path), source))
    except InputError as error:
        return error.diagnostics
    return ()


@lru_cache(maxsize=8)
def _in_rules(source: Source) -> tuple[Diagnostic, ...]:
    try:
        opened(source)
    except InputError as error:
        return error.diagnostics
    return ()


@lru_cache(maxsize=8)
def _in_all(target: str, source: Source) -> tuple[Diagnostic, ...]:
    """Return what `check` says of *target*, which *source* is, before it searches."""
    del source  # it is read again, by the judge; here it tells one text from another
    try:
        program, _, warnings = parsed(target, {})
        return (*cut_start(program, scope_of(program, None, None, {})), *warnings)
    except InputError as error:
        return error.diagnostics


def claim_words(row: Row) -> str:
    """Return what a claim came to, in a few words: the verdict, what it rests on, and whether it is
    as claimed.
    """
    why = f": {row.reason}" if row.reason else ""
    match row.outcome:
        case "PROVED" | "IMPOSSIBLE" if row.proof is not None:
            said = f"{row.outcome} for {row.proof.every}"
        case "HOLDS" | "IMPOSSIBLE":
            said = f"{row.outcome} within the scope"
        case "VIOLATED" | "POSSIBLE" if row.play is not None:
            said = f"{row.outcome} in {counted(row.play.moments[-1].number, 'move')}"
        case _:
            said = f"{row.outcome}{why}"
    head = {"not met": "NOT MET: ", "too small": "too small a scope: "}.get(row.status, "")
    return f"{head}{said}{', as the author says' if row.as_said else ''}"


def ruling_words(row: RulingRow) -> str:
    """Return what a ruling came to: whether the rules say the same, and else what they say."""
    match row.status:
        case "met":
            return "the rules say the same"
        case "not met":
            return f"NOT MET: the rules say {row.found}"
        case _:
            return f"undecided: {row.found}"


def filed_rows(source: Source, rows: Sequence[RulingRow]) -> Iterator[tuple[int, RulingRow | None]]:
    """Yield the line of each ruling that *source* has, and that of *rows* which tells what it came
    to, if any does; nothing if it cannot be read.
    """
    known = {(row.ask, row.reading, row.players): row for row in rows}
    try:
        filed = read_rulings(source)
    except InputError:
        return
    for one in filed:
        asked = " ".join(one.question.split())
        yield one.line, known.get((asked, settings_words(one.reading), one.players))


_LAST = 19
_SECONDS = 120.0
"""So long a ruleset is looked at; what is not decided by then is UNKNOWN."""


@frozen
class LookedAt:
    """What came of looking at a ruleset: the *record*, and what its files said then; *is_kept* if
    somebody looked at another time.
    """

    record: Record
    request: bytes
    is_kept: bool = False


class Looking:
    """Looks at one ruleset at a time, in a process that does what *module* does and comes last."""

    def __init__(self, module: str) -> None:
        self.target = ""
        """The ruleset that is being looked at, empty if none is."""
        self.request = b""
        self._workers = Workers(command_of(module, __name__))

    def begin(self, target: str, request: bytes) -> None:
        """Look at *target*, as *request* says, and at nothing else."""
        self.stop()
        self.target, self.request = target, request
        self._workers.give(0, request)

    def stop(self) -> None:
        """Look at nothing any more."""
        if self.target:
            self.close()

    def close(self) -> None:
        """End the process."""
        self.target = ""
        self._workers.close()

    def replies(self) -> Iterator[Reply]:
        """Yield what is said by now; the last reply ends the looking."""
        while self.target and (said := self._workers.reply(0)) is not None:
            yield said[1]
            self.target = self.target if "progress" in said[1] else ""


class Background(Looking):
    """Looks what claims and rulings come to; *found* has by its rules what came of each ruleset,
    *failed* why nothing did.
    """

    def __init__(self) -> None:
        super().__init__(READING)
        self.found: dict[str, LookedAt] = {}
        self.failed = ""

    def is_stale(self, target: str) -> bool:
        """Whether *target* was not looked at as its files are now; raises InputError."""
        return self._looked_at(target, request_of(target)) is None

    def _looked_at(self, target: str, request: bytes) -> LookedAt | None:
        known = self.found.get(target)
        return known if known is not None and known.request == request else None

    def forget(self, target: str) -> None:
        """Do not look at *target*, and keep nothing of it."""
        self.found.pop(target, None)
        if self.target == target:
            self.stop()

    def examine(self, target: str) -> bool:
        """Begin to look at *target* as it is now, unless that was begun before; raises InputError.
        Return whether something new is known of it from another time.
        """
        request = request_of(target)
        known = self._looked_at(target, request)
        is_asked = self.target == target and self.request == request
        if is_asked or (known is not None and not known.is_kept):
            return False
        kept_record = None if known is not None else _kept_record(request)
        if kept_record is not None:
            self.found[target] = LookedAt(kept_record, request, is_kept=True)
        self.begin(target, request)
        return kept_record is not None

    def hear(self) -> bool:
        """Return whether something new is known, in part or at last."""
        is_new = False
        for reply in self.replies():
            is_part, known = "progress" in reply, self._looked_at(self.target, self.request)
            if is_part and ("answer" not in reply or (known is not None and known.is_kept)):
                continue
            is_new, self.failed = True, ""
            try:
                found = answer(reply)
                if isinstance(found, Record):
                    self.found[self.target] = LookedAt(found, self.request)
                    if not is_part:
                        keep(_kept_in(self.request), packed(json.dumps(reply).encode()), "lenses")
            except RuntimeError as error:
                self.failed = str(error)
        return is_new


_CODE = "models", "properties", "checker", "reports", "cli"
"""The code that decides what is told."""


def _kept_in(request: bytes) -> Path:
    """Return the file that keeps what came of *request*."""
    return cache_folder() / f"{name_of(code_digest(*_CODE), digest(request))}.looked"


def _kept_record(request: bytes) -> Record | None:
    """Return what came of *request* at another time; None if it is not known."""
    content = kept(_kept_in(request))
    with suppress(ValueError, RuntimeError):
        found = None if content is None else answer(json.loads(unpacked(content)))
        return found if isinstance(found, Record) else None
    return None


def request_of(target: str) -> bytes:
    """Return what is asked about *target*, as its files are now; raises InputError."""
    asked = Asked(Budget(_SECONDS), Tuning())
    return reading_request(target, asked, texts_of(target), is_watched=True)


def start() -> None:
    """Let this process, and what it begins, come last, where a system has an order of them."""
    with suppress(AttributeError, OSError):
        os.nice(_LAST)


_REVISION = "HEAD"


class SinceCommit(Looking):
    """Looks what the edits of one ruleset change."""

    def __init__(self) -> None:
        super().__init__(__name__)

    def examine(self, target: str) -> None:
        """Begin to look at *target*; raises InputError."""
        self.begin(target, request_of(target))

    def hear(self) -> list[tuple[int, str]] | None:
        """Return what is changed, once that is known: by which line, from 1, and in words. Nothing
        is, where there is no git.
        """
        for reply in self.replies():
            return [(line, words) for line, words in reply.get("changed", ())]
        return None


def _answered(content: bytes) -> Reply:
    it = request_in(content)
    try:
        with sent(it.texts):
            against = Against(it.target, _REVISION, {})
            found = against.changes((None, None, {}), Meter(it.asked.budget))
    except InputError:
        return {"changed": []}
    return {"changed": [(row.line, change_words(row)) for row in found.rows]}


def main() -> None:
    """Tell the changes of the rulesets that are asked about until the requests end."""
    serve_until_ended(_answered)


if __name__ == "__main__":
    main()
