"""Codes: what each kind of mistake in an input means, and each warning, as docs/errors.md tells it.

R..: rulesets (R0.. how a text is written, R1.. names and types, R2.. the way through a clause, R3..
limits); P..: properties; C..: questions; L..: command lines; W..: warnings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "errors.md"
_ENTRY = re.compile(
    r"^### (\w\d{3}) (.+?)\n\n(.+?)\n\n- mistaken: `(.*?)`\n- mended: `(.*?)`\n(?=\n#|\Z)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Code:
    """One kind of mistake: a *title*, what it means, a *bad* example and the same one *mended*."""

    title: str
    explanation: str
    bad: str
    mended: str


@cache
def codes() -> dict[str, Code]:
    """Return what each code means."""
    return {code: Code(*said) for code, *said in _ENTRY.findall(PAGE.read_text(encoding="utf-8"))}
