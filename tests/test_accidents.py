"""The accidents that other model checkers had: each test that the table in the README names is
there and says which thread it is about.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROW = re.compile(
    r"^\| (?P<accident>[^|`]+) \| (?P<threads>[^|`]*\d) \| (?P<tests>`test_.*`|`\w+/.*`) \|$",
    re.MULTILINE,
)
ROWS = [
    row.group("accident", "threads", "tests")
    for row in ROW.finditer((TESTS / "README.md").read_text(encoding="utf-8"))
]


def docstrings(name: str) -> list[str]:
    """Return what the tests called *name* (after ``FILE::``, only those of that file) say of
    themselves.
    """
    where, _, name = name.rpartition("::")
    files = [TESTS / where] if where else sorted(TESTS.rglob("test_*.py"))
    return [said for file in files for said in said_in(file).get(name, [])]


@cache
def said_in(file: Path) -> dict[str, list[str]]:
    """Return what each function of *file* says of itself."""
    said: dict[str, list[str]] = {}
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            said.setdefault(node.name, []).append(ast.get_docstring(node) or "")
    return said


def test_there_is_a_row_for_each() -> None:
    assert len(ROWS) == 17


@pytest.mark.parametrize(("accident", "threads", "tests"), ROWS)
def test_each_accident_has_a_test_that_names_it(accident: str, threads: str, tests: str) -> None:
    said = [docstrings(name) for name in re.findall(r"`([^`]+)`", tests)]
    assert all(said), accident
    for thread in threads.split(", "):
        project, number = thread.split()
        named = re.compile(rf"{project}[\w /]*( \d+,)* {number}\b", re.IGNORECASE)
        assert any(named.search(text) for texts in said for text in texts), thread
