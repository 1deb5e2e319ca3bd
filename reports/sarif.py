"""Records as SARIF 2.1.0: what is not as claimed, for tools that show findings beside the text
(code scanning, editors).

In: `Record`. Out: text. A result stands at the line of the clause that breaks the claim, the
claim's line is a related location, and the play is a code flow. Texts of a ruleset are plain: they
make no link and no placeholder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from .. import __version__
from ..models.diagnostics import Diagnostic
from .json import json_text
from .logs import deviations
from .naming import shown_path
from .plays.play import Play
from .rulings.changes import ChangeRow, accepted_words, change_words
from .rulings.filed import RulingRow, asked_words, loss_words_of
from .rulings.told import clause_words
from .telling.conformed import ConformedTold
from .telling.losses import LEVELS, breaks_in, line_of, loss_words, move_words, wanting
from .telling.record import Failed, Record, Row

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def render_sarif(records: Sequence[Record], failed: Sequence[Failed] = ()) -> str:
    """Return what is not as claimed in *records*, and why rulesets *failed*, as one SARIF log that
    ends with a line end.
    """
    rules = _Rules()
    results = [_result(row, record, rules) for record in records for row in wanting(record)]
    results += [
        _ruling(row, record, rules)
        for record in records
        for row in record.rulings
        if row.status != "met"
    ]
    results += [
        _change_result(row, record, rules)
        for record in records
        if record.changes
        for row in record.changes.wanting
    ]
    results += [
        _mistake(one.target, diagnostic, rules) for one in failed for diagnostic in one.diagnostics
    ]
    is_whole = not failed and not any(record.interrupted for record in records)
    return _document(results, rules, is_whole=is_whole)


def render_conformed_sarif(logs: Sequence[ConformedTold]) -> str:
    """Return the deviations in *logs* without a waiver, each class at the line of its first, as one
    SARIF log.
    """
    rules = _Rules()
    results = [
        {
            **rules.named(
                first.clause or "no clause",
                first.title or "no clause goes on so",
                first.title or "It does.",
            ),
            "level": "error",
            "message": _message(" ".join(block)),
            "locations": [_location(log.file, first.line)],
        }
        for log in logs
        for first, block in deviations(log)
    ]
    return _document(results, rules, is_whole=True)


def _document(results: list[dict[str, Any]], rules: _Rules, *, is_whole: bool) -> str:
    driver = {"name": "stacklaw", "semanticVersion": __version__, "rules": rules.rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": is_whole}],
        "results": results,
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


class _Rules:
    """The rules of a run: each property once. What has another meaning in another ruleset is a rule
    of its own below that name.
    """

    def __init__(self) -> None:
        self.rules: list[dict[str, Any]] = []
        self._places: dict[str, int] = {}
        self._meant: dict[str, str] = {}

    def rule_reference(self, row: Row, record: Record) -> dict[str, Any]:
        """Return how a result names the rule of *row*."""
        means = (
            row.why or row.formula
        )  # a property of the catalogue is the same one in the words of another ruleset
        name = (
            row.name
            if self._meant.setdefault(row.name, means) == means
            else f"{row.name}/{record.name}"
        )
        said = f"Why it matters: {row.why}. It says: {row.formula}" if row.why else row.formula
        return self.named(name, row.title or row.name, said or row.name)

    def named(self, name: str, title: str, said: str) -> dict[str, Any]:
        """Return how a result names the rule *name*, which is to say what is *said*."""
        if name not in self._places:
            self._places[name] = len(self.rules)
            self.rules.append(
                {"id": name, "shortDescription": _message(title), "help": _message(said)}
            )
        return {"ruleId": name, "ruleIndex": self._places[name]}


def _result(row: Row, record: Record, rules: _Rules) -> dict[str, Any]:
    claim = f"{row.expectation} {row.name}" + (f" when {row.condition}" if row.condition else "")
    words = loss_words(row) + (f". Claimed: {claim}." if row.expectation else ".")
    line = line_of(row)
    found = {
        **rules.rule_reference(row, record),
        "level": LEVELS[row.status],
        "message": _message(words),
        "locations": [_location(*record.files.place_of(line))],
        "partialFingerprints": {"claim/v1": _fingerprint(record, claim)},
    }
    beside = [
        (row.line, f"the claim: {claim}"),
        (breaks_in(row) if row.edited else 0, "here it breaks"),
    ]
    found |= _related(
        [_location(*record.files.place_of(at), said) for at, said in beside if at and at != line]
    )
    if row.play and (steps := list(_locations(row.play, record.file))):
        found["codeFlows"] = [
            {
                "message": _message(row.play.conclusion or "the play"),
                "threadFlows": [{"locations": steps}],
            }
        ]
    return found


def _ruling(row: RulingRow, record: Record, rules: _Rules) -> dict[str, Any]:
    found = {
        **rules.named(
            "ruling",
            "a ruling that the rules answer otherwise",
            "Each ruling beside the rules is answered as its file says.",
        ),
        "level": LEVELS[row.status],
        "message": _message(f"{loss_words_of(row)}."),
        "locations": [_location(row.file, row.line)],
        "partialFingerprints": {"claim/v1": _fingerprint(record, asked_words(row))},
    }
    clauses = [_location(record.file, clause.line, clause_words(clause)) for clause in row.clauses]
    return found | _related(clauses)


def _related(places: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the field of a result that has *places*, none if there are none."""
    numbered = [{"id": number, **place} for number, place in enumerate(places)]
    return {"relatedLocations": numbered} if numbered else {}


def _change_result(row: ChangeRow, record: Record, rules: _Rules) -> dict[str, Any]:
    assert record.changes is not None
    return {
        **rules.named(
            "changed",
            "an answer that an edit changed",
            "Each answer that an edit changes is accepted, in the file of rulings.",
        ),
        "level": LEVELS[row.status],
        "message": _message(
            f"{change_words(row)} {accepted_words(row, shown_path(record.changes.file))}"
        ),
        "locations": [_location(record.file, row.line)],
        "partialFingerprints": {"claim/v1": _fingerprint(record, f"{row.ask} {row.after}")},
    }


def _locations(play: Play, file: str) -> Iterator[dict[str, Any]]:
    """Yield a location for each move of *play*."""
    last = play.moments[-1].number
    for moment in play.moments[1:]:
        yield {
            "location": _location(file, moment.line, move_words(moment)),
            "executionOrder": moment.number,
            "importance": "essential" if moment.number == last else "important",
        }


def _mistake(target: str, diagnostic: Diagnostic, rules: _Rules) -> dict[str, Any]:
    place = _location(diagnostic.file or target, diagnostic.line)
    if diagnostic.span:
        place["physicalLocation"]["region"]["startColumn"] = diagnostic.span.column
    return {
        **rules.named(
            diagnostic.code,
            "a mistake in the input",
            f"`stacklaw explain {diagnostic.code}` tells what it means, with an example.",
        ),
        "level": "error",
        "message": _message(diagnostic.as_line),
        "locations": [place],
    }


def _location(file: str, line: int, words: str = "") -> dict[str, Any]:
    place: dict[str, Any] = {"physicalLocation": {"artifactLocation": _artifact(file)}}
    if line:
        place["physicalLocation"]["region"] = {"startLine": line}
    return {**place, "message": _message(words)} if words else place


def _artifact(file: str) -> dict[str, str]:
    path = shown_path(file)
    encoded = quote(path.encode("utf-8", "surrogateescape"))
    if not PurePath(path).is_absolute():
        return {"uri": encoded, "uriBaseId": "%SRCROOT%"}
    return {"uri": f"file://{encoded if encoded.startswith('/') else f'/{encoded}'}"}


def _message(words: str) -> dict[str, str]:
    """Return *words* as a message: braces are doubled, for single ones are placeholders, and what
    would be a link is none.
    """
    return {"text": words.replace("{", "{{").replace("}", "}}").replace("](", "] (")}


def _fingerprint(record: Record, claim: str) -> str:
    """Return what identifies *claim* of one reading of one file: it stays the same when the claim
    moves to another line, or breaks in another way.
    """
    parts: Iterable[str] = (
        shown_path(record.file),
        *(f"{name}={value}" for name, value in record.settings),
        claim,
    )
    return sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
