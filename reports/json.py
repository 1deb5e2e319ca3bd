"""Records as JSON, for other programs: the schema ``stacklaw/1``, and other kinds beside verdicts.

In: `Record`. Out: text. Fields are only ever added to a version of the schema; what they mean never
changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from ..checker.types.scope import Scope
from ..checker.types.verdict import Smallest
from ..models.diagnostics import Diagnostic
from ..models.ir import Option
from ..models.options.cases import Case, CaseValue, boxes, in_words, runs
from ..models.source import Files
from ..models.words import cleaned
from .markdown.matrix import Matrix
from .plays.play import Play
from .rulings.changes import ChangesSince
from .telling.record import Failed, ProofRecord, Record, Row, ScopeHeading
from .text.for_which import CaseTable

if TYPE_CHECKING:
    from .telling.differences import DifferenceRecord, Parting
    from .telling.measures import LoopsRecord, MeasureRow, MeasuresRecord
    from .telling.mutants import SurveyRecord


def render_difference_json(record: DifferenceRecord) -> str:
    """Return a difference of two rulesets as a JSON document."""
    told = picked(record, "old", "new", "sameness", "reason", "notes")
    counts = picked(record, "pairs", "positions", "observations")
    return document(
        "diff", **told, counts=counts, **picked(record, "changes", "partings", "guarantees")
    )


def render_loops_json(record: LoopsRecord) -> str:
    """Return the loops of a game as a JSON document."""
    told = picked(record, "stopped", "growth_stopped")
    return document("loops", **_heading(record.heading), **told, loops=fields_of(record.rows))


def render_measures_json(records: Iterable[MeasuresRecord]) -> str:
    """Return the measures of games as a JSON document."""
    return document("measures", rulesets=[_measures(record) for record in records])


def _measures(record: MeasuresRecord) -> dict[str, Any]:
    return {
        **_heading(record.heading),
        "stopped": record.stopped,
        "measures": [_measure(row) for row in record.rows],
    }


def _measure(row: MeasureRow) -> dict[str, Any]:
    return {
        **picked(row, "name", "which", "value"),
        "bounded": row.value is not None,
        **picked(row, "bound", "play"),
    }


def render_survey_json(record: SurveyRecord) -> str:
    """Return a survey of mutants as a JSON document."""
    told = picked(
        record,
        "name",
        "title",
        "file",
        "readings",
        "share",
        "enough",
        "idle",
        "open",
        "unasked",
        "bare",
        "stopped",
    )
    edits = [
        {**fields_of(row), "parting": row.parting and _parting(row.parting)} for row in record.rows
    ]
    return document(
        "mutate",
        **told,
        edits=edits,
        rulings=fields_of(record.rulings),
    )


def _parting(parting: Parting) -> dict[str, Any]:
    """Return *parting* without the play of the side that allows less."""
    return {**picked(parting, "sentence", "otherwise"), "play": fields_of(parting.shown)}


SCHEMA = "stacklaw/1"


def render_json(
    records: Iterable[Record],
    failed: Iterable[Failed],
    exit_code: int,
    for_which: Iterable[CaseTable] = (),
) -> str:
    """Return *records*, the rulesets that *failed* and the *exit_code* of the run as a JSON
    document that ends with a line end.

    It also says *for_which* values of options something holds, if that was asked.
    """
    rulesets = [_record(record) for record in records]
    errors = [_error(one, d) for one in failed for d in one.diagnostics]
    answers = (
        {"for_which": [_for_which(answer) for answer in answers]}
        if (answers := list(for_which))
        else {}
    )
    return document("check", exit_code=exit_code, rulesets=rulesets, errors=errors, **answers)


def render_play_json(play: Play, game: str, seed: int) -> str:
    """Return a random play as a JSON document."""
    return document("play", game=game, seed=seed, play=fields_of(play))


def render_matrix_json(matrix: Matrix) -> str:
    """Return a comparison as a JSON document."""
    return document("compare", **asdict(matrix))


def document(kind: str, **said: Any) -> str:
    """Return what is *said* as a document of that *kind*."""
    return json_text({"schema": SCHEMA, "kind": kind, **said})


def fields_of(told: Any) -> Any:
    """Return a record, a play or a list of such as data: their fields by name; what is said of
    several names is an object.
    """
    match told:
        case list() | tuple():
            return [fields_of(one) for one in told]
        case _ if is_dataclass(told):
            return picked(
                told, *(field.name for field in fields(told) if field.name not in _FOR_PROGRAMS)
            )
        case _:
            return told


_BY_NAME = frozenset({"more", "room", "settings", "sizes", "spotlights"})
"""The fields that are pairs of a name and what is said of it."""
_FOR_PROGRAMS = frozenset({"apart", "states", "ways"})
"""What of a play no document has."""


def picked(told: object, *names: str) -> dict[str, Any]:
    """Return the fields of *told* that have these *names*."""
    return {
        name: dict(getattr(told, name)) if name in _BY_NAME else fields_of(getattr(told, name))
        for name in names
    }


def json_text(document: dict[str, Any]) -> str:
    """Return *document* as text that ends with a line end, with nothing in it that a terminal could
    obey.
    """
    return json.dumps(cleaned(document), ensure_ascii=False, indent=2) + "\n"


def _record(record: Record) -> dict[str, Any]:
    return {
        **picked(record, "name", "title", "document", "file", "settings"),
        "scope": _scope(record),
        "interrupted": record.interrupted,
        "other_readings": record.others,
        "rows": [
            {**_row_data(row, record.files), **({"edited": row.edited} if record.changes else {})}
            for row in record.rows
        ],
        "rulings": fields_of(record.rulings),
        "warnings": [_mistake(warning) for warning in record.warnings],
        **({"changes": _changes_data(record.changes)} if record.changes is not None else {}),
    }


def _changes_data(changes: ChangesSince) -> dict[str, Any]:
    return {
        **picked(changes, "revision", "was", "note", "silent"),
        "answers": fields_of(changes.rows),
    }


def _error(failed: Failed, diagnostic: Diagnostic) -> dict[str, Any]:
    return {"target": failed.target, **_mistake(diagnostic)}


def _mistake(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        **picked(diagnostic, "code", "message", "hint", "file", "line"),
        "column": diagnostic.span.column if diagnostic.span else 0,
    }


def _row_data(row: Row, files: Files) -> dict[str, Any]:
    file, line = files.place_of(row.line)
    claim = {
        "expect": row.expectation,
        **picked(row, "heading", "condition", "cites"),
        "file": file,
        "line": line,
    }
    return {
        "property": row.name,
        **picked(row, "title", "why", "formula", "about", "assuming", "given"),
        "claim": claim if row.expectation else None,
        **picked(row, "asked", "status"),
        "verdict": str(row.outcome),
        **picked(
            row, "reason", "bound", "engine", "room", "counts", "sliced", "symmetric", "notes"
        ),
        "proof": _proof(row.proof) if row.proof is not None else None,
        "unproved": row.unproved,
        "smallest": _smallest(row.smallest) if row.smallest is not None else None,
        "least_moves": row.least,
        "does_with": row.does_with,
        **({"without_ends": True} if row.without_ends else {}),
        **({"strategy": fields_of(row.table)} if row.enforces else {}),
        "play": fields_of(row.play),
    }


def _proof(proof: ProofRecord) -> dict[str, Any]:
    return {
        **picked(
            proof, "every", "forgets", "invariant", "rests_on", "lemmas", "solvers", "obligations"
        ),
        "bytes": len(proof.certificate.encode()),
        "certificate": proof.file,
    }


def _for_which(answer: CaseTable) -> dict[str, Any]:
    parts = [
        {
            **_cases(answer, part.cases),
            "said": part.said,
            "verdict": None if part.outcome is None else str(part.outcome),
            "every": part.every,
            "moves": part.moves or None,
            "reason": part.reason,
        }
        for part in answer.parts
    ]
    options = [option.name for option in answer.options]
    return {
        "property": answer.name,
        "options": options,
        "condition": answer.condition,
        "parts": parts,
    }


def _cases(answer: CaseTable, cases: Iterable[Case]) -> dict[str, Any]:
    """Return *cases* as a condition in words, and as boxes: which values of each option; of a
    number, from which to which.
    """
    found = [
        {
            option.name: _case_values(option, values)
            for option, values in zip(answer.options, box, strict=True)
        }
        for box in boxes(cases)
    ]
    return {"when": in_words(answer.options, cases), "cases": found}


def _case_values(option: Option, values: Iterable[CaseValue]) -> list[Any]:
    if option.numbers is None:
        return list(values)
    numbers = sorted(value for value in values if isinstance(value, int))
    return [{"from": first, "to": last} for first, last in runs(numbers)]


def _smallest(smallest: Smallest) -> dict[str, Any]:
    return {
        "scope": _scope(smallest.scope),
        "items": dict(smallest.sizes),
        "moves": smallest.moves,
        "without": [_scope(scope) for scope in smallest.without],
        "goes_on": smallest.goes_on,
    }


def _heading(heading: ScopeHeading) -> dict[str, Any]:
    told = picked(heading, "name", "title", "positions", "moves", "cut")
    return {**told, "scope": _scope(heading)}


def _scope(scope: Scope | ScopeHeading | Record) -> dict[str, Any]:
    return {"players": scope.players, "zones": dict(scope.sizes)}
