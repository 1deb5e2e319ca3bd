"""Files: which of them a ruleset has, and on which row of its file an editor has a line."""

from __future__ import annotations

import re
from pathlib import Path

from ...models.source import Source

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
