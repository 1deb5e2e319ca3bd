"""The glossary: the words of the field, as docs/glossary.md tells them to a card player."""

from __future__ import annotations

import re
from pathlib import Path

_PAGE = Path(__file__).parents[2] / "docs" / "glossary.md"
_ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def glossary() -> dict[str, str]:
    """Return what each word of the glossary means, as sentences; words that share a line each have it."""
    rows = _ROW.findall(_PAGE.read_text(encoding="utf-8"))
    meant = {word: meaning for words, meaning in rows for word in re.split(r", | \(|\)", words) if word}
    del meant["word"]  # the heads of the columns
    return meant
