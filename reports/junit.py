"""Records as JUnit XML: every claim a test case, for the test reports of CI systems.

In: `Record`. Out: text. The elements and attributes are those of the schema ``junit-10.xsd`` of the
Jenkins xunit plugin (https://github.com/jenkinsci/xunit-plugin, types/model/xsd), in its order: a
suite for each ruleset, its properties, then its cases. A claim that is not met is a failure, one
that is undecided an error, so that neither can be taken for a pass. Claims of a ruleset share
searches, so times are those of whole rulesets.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from ..models.words import clean
from .logs import deviations
from .rulings.changes import ChangeRow, accepted_words, asked, change_words, to_accept
from .rulings.filed import RulingRow, asked_words, row_words, said_words
from .rulings.text import ruling_page
from .telling.conformed import ConformedTold, summary
from .telling.losses import loss_words
from .telling.record import Failed, Record, Row, evidence, left_out
from .text.page import plain
from .text.ruling import render_ruling
from .text.sizes import smallest_words


def render_junit(records: Sequence[Record], failed: Sequence[Failed] = ()) -> str:
    """Return *records*, and the rulesets that *failed*, as one JUnit document that ends with a line
    end.
    """
    root = ET.Element(
        "testsuites", {"name": "stacklaw", **_totals(records, len(failed)), **_time(records)}
    )
    root.extend(_suite(record) for record in records)
    root.extend(_failed(one) for one in failed)
    return _document(root)


def render_conformed_junit(logs: Sequence[ConformedTold]) -> str:
    """Return *logs* as one JUnit document: a suite for each log, a failure for each class of
    deviations without a waiver, an error if something in it is unknown.
    """
    root = ET.Element("testsuites", {"name": "stacklaw"})
    for log in logs:
        wrong = deviations(log)
        counts = {
            "tests": str(len(wrong) + 1),
            "failures": str(len(wrong)),
            "errors": str(int(log.unknown > 0)),
        }
        suite = ET.SubElement(root, "testsuite", {"name": log.file, **counts})
        for first, block in wrong:
            where = {"file": log.file, "line": str(first.line)}
            case = ET.SubElement(
                suite,
                "testcase",
                {"name": f"{first.clause} {first.wanted}".strip(), "classname": log.file, **where},
            )
            ET.SubElement(
                case, "failure", {"message": block[0], "type": "deviation"}
            ).text = "\n".join(block)
        case = ET.SubElement(suite, "testcase", {"name": "all is known", "classname": log.file})
        if log.unknown:
            ET.SubElement(case, "error", {"message": f"{log.unknown} unknown", "type": "unknown"})
        ET.SubElement(case, "system-out").text = summary(log)
    return _document(root)


def _document(root: ET.Element) -> str:
    ET.indent(root)
    for element in root.iter():
        element.text = element.text and clean(element.text)
        for name, value in element.items():
            element.set(name, clean(value))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _totals(records: Sequence[Record], broken: int = 0) -> dict[str, str]:
    found = [row.status for record in records for row in _cases(record)]
    found += [row.status for record in records for row in record.rulings]
    found += [row.status for record in records for row in _change_rows(record)]
    failures, errors = (found.count(status) for status in ("not met", "undecided"))
    counts = {"tests": len(found) + broken, "failures": failures, "errors": errors + broken}
    return {name: str(number) for name, number in counts.items()}


def _time(records: Sequence[Record]) -> dict[str, str]:
    """Return how many seconds *records* took together, if that was measured."""
    took = [record.milliseconds for record in records if record.milliseconds is not None]
    return {"time": f"{sum(took) / 1000:.3f}"} if took else {}


def _cases(record: Record) -> list[Row]:
    return [row for row in record.rows if row.status != "none"]


def _suite(record: Record) -> ET.Element:
    suite = ET.Element("testsuite", {"name": record.name, **_totals([record]), **_time([record])})
    properties = ET.SubElement(suite, "properties")
    said = {
        "game": record.title,
        "players": str(record.players),
        **{f"scope.{zone}": str(size) for zone, size in record.sizes},
    }
    said.update({f"option.{name}": str(value) for name, value in record.settings})
    said.update({f"note.{number}": note for number, note in enumerate(record.notes, 1)})
    for name, value in said.items():
        ET.SubElement(properties, "property", {"name": name, "value": value})
    for row in _cases(record):
        suite.append(_case(row, record))
    suite.extend(_ruling_case(row, record) for row in record.rulings)
    suite.extend(_change_case(row, record) for row in _change_rows(record))
    return suite


def _failed(failed: Failed) -> ET.Element:
    suite = ET.Element(
        "testsuite", {"name": failed.target, "tests": "1", "failures": "0", "errors": "1"}
    )
    case = ET.SubElement(
        suite, "testcase", {"name": "the ruleset can be read", "classname": failed.target}
    )
    first = failed.diagnostics[0]
    error = ET.SubElement(case, "error", {"message": first.message, "type": first.code})
    error.text = "\n".join(f"{d.place} {d.code} {d.as_line}".strip() for d in failed.diagnostics)
    return suite


def _case(row: Row, record: Record) -> ET.Element:
    name = f"{row.expectation or 'asked'} {row.name}" + (
        f" when {row.condition}" if row.condition else ""
    )
    case = ET.Element("testcase", {"name": name, "classname": record.name})
    if row.line:
        file, line = record.files.place_of(row.line)
        case.set("file", file)
        case.set("line", str(line))
    if row.status in ("not met", "undecided"):
        message = loss_words(row)
        kind = "failure" if row.status == "not met" else "error"
        broken = ET.SubElement(case, kind, {"message": message, "type": str(row.outcome)})
        expected = f"expected: {row.expectation or 'no counterexample'}; found: {row.outcome}" + (
            f": {row.reason}" if row.reason else ""
        )
        broken.text = (
            f"\n{row.title}\n{row.formula}\n{expected}"
            f"\n{plain(render_ruling(row.play)) if row.play else ''}"
        )
    elif row.status == "too small":
        ET.SubElement(case, "skipped", {"message": row.reason})
    rests = f"{row.outcome}: {', '.join(evidence(row))}"
    file, smallest = row.proof.file if row.proof else "", smallest_words(row)
    said = (
        rests,
        left_out(row),
        f"certificate: {file}" if file else "",
        f"smallest: {smallest}" if smallest else "",
    )
    ET.SubElement(case, "system-out").text = "\n".join(filter(None, said))
    return case


def _ruling_case(row: RulingRow, record: Record) -> ET.Element:
    case = ET.Element(
        "testcase",
        {
            "name": asked_words(row),
            "classname": record.name,
            "file": row.file,
            "line": str(row.line),
        },
    )
    if row.status != "met":
        kind = "failure" if row.status == "not met" else "error"
        broken = ET.SubElement(case, kind, {"message": row_words(row), "type": "ruling"})
        broken.text = (
            f"\nexpected: {said_words(row)}; found: "
            f"{row.found}\n{plain(ruling_page(row.told)) if row.told else ''}"
        )
    ET.SubElement(case, "system-out").text = f"{row.answer} ({row.source or 'no source'})"
    return case


def _change_rows(record: Record) -> tuple[ChangeRow, ...]:
    return record.changes.rows if record.changes else ()


def _change_case(row: ChangeRow, record: Record) -> ET.Element:
    assert record.changes is not None
    file = record.changes.file
    name = f"since {record.changes.revision}: {asked(row)}"
    case = ET.Element(
        "testcase",
        {"name": name, "classname": record.name, "file": record.file, "line": str(row.line)},
    )
    if row.status != "met":
        kind = "failure" if row.status == "not met" else "error"
        broken = ET.SubElement(case, kind, {"message": change_words(row), "type": "changed answer"})
        broken.text = f"\n{accepted_words(row, file)}\n{to_accept([row])}"
    ET.SubElement(case, "system-out").text = f"{change_words(row)} {accepted_words(row, file)}"
    return case
