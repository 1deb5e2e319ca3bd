"""Mistakes that are only the consequences of others.

A line that could not be read is missing from the tree that `bind` gets: what it declared seems
unknown, what it made sure seems not made sure. In come the mistakes of reading and those of binding
what was read; out go the latter without those that the unread lines may explain. So a text with a
slip of the pen still gets all its other mistakes reported at once, and none that it does not have.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ... import ir
from ...diagnostics import Diagnostic, Report
from ...source import Source
from ..outline import LogicalLine, first_word, outline

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTED = re.compile(r"`([^`]*)`")
_TEXT = re.compile(r'"[^"]*"|#.*')
_UNREAD = {"R001", "R003", "R005", "R008"}
"""Codes of mistakes in a line that could not be read."""
_OF_CLAUSES = {"R119", "R120", "R121"}
"""Codes of mistakes in one line of a clause that another line of it, or of its stage, may
explain.
"""


def without_consequences(
    source: Source, unread: Iterable[Diagnostic], bound: Iterable[Diagnostic]
) -> list[Diagnostic]:
    """Return the mistakes of *bound* that do not follow from the lines of *unread*."""
    lines, bound = source.text.splitlines(), list(bound)
    at = {mistake.span.line for mistake in unread if mistake.span}
    written = list(_with_nested(outline(source, Report(source)).lines))
    missing = {
        number
        for line in written
        if at & _numbers(line)
        for below in _with_nested([line])
        for number in _numbers(below)
    }
    words = {word for number in missing for word in _WORD.findall(lines[number - 1])}
    if ir.TURN in words:
        words.add(ir.STEP)
    changed = {
        name
        for line in written
        for name in _option(line)
        if any(missing & _numbers(value) for value in line.children)
    }
    named = [
        mistake.span.line for mistake in bound if mistake.span and _quoted_words(mistake) & words
    ]
    users = _users(written, changed, lines, {*missing, *named})
    damaged = _damaged_lines(written, missing | users)
    return [
        mistake for mistake in bound if not _explained(mistake, missing | users, words, damaged)
    ]


def without_misnamed(source: Source, mistakes: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return *mistakes* of reading without those of lines that could not be read because a word of
    the language was taken for a name.
    """
    mistakes, lines = list(mistakes), source.text.splitlines()
    misnamed = {
        word for mistake in mistakes if mistake.code == "R012" for word in _quoted_words(mistake)
    }

    def has_misnamed(line: int) -> bool:
        """Whether a misnamed word stands there outside of texts and comments."""
        return not misnamed.isdisjoint(_WORD.findall(_TEXT.sub("", lines[line - 1])))

    return [
        mistake
        for mistake in mistakes
        if not (mistake.code in _UNREAD and mistake.span and has_misnamed(mistake.span.line))
    ]


def _users(
    written: Iterable[LogicalLine], changed: set[str], lines: Sequence[str], wrong: set[int]
) -> set[int]:
    """Return the numbers of the lines that name one of *changed*, or a term that is *wrong* or is
    said with one, and so on.
    """
    using, terms = defaultdict[str, set[int]](set), defaultdict[int, list[str]](list)
    for number, line in enumerate(lines, 1):
        for word in _WORD.findall(line):
            using[word].add(number)
    for term in written:
        if first_word(term.pieces[0].text) == "term":
            for number in _numbers(term):
                terms[number] += _WORD.findall(term.pieces[0].text)[1:2]
    changed = changed.union(*(terms[number] for number in wrong))
    users, waiting = set[int](), list(changed)
    while waiting:
        found = using[waiting.pop()] - users
        users |= found
        more = {name for number in found for name in terms[number]} - changed
        changed |= more
        waiting += more
    return users


def _explained(mistake: Diagnostic, missing: set[int], words: set[str], damaged: set[int]) -> bool:
    line = mistake.span.line if mistake.span else 0
    if line == 0 or line in missing:
        return True
    if line in damaged and (mistake.code.startswith("R2") or mistake.code in _OF_CLAUSES):
        return True
    return bool(_quoted_words(mistake) & words)


def _quoted_words(mistake: Diagnostic) -> set[str]:
    """Return the words that *mistake* quotes."""
    return {word for quoted in _QUOTED.findall(mistake.message) for word in _WORD.findall(quoted)}


def _option(line: LogicalLine) -> list[str]:
    """Return the name of the option that *line* declares, if it does. Expressions that ask for it
    may be right, for one of its values may be missing.
    """
    words = _WORD.findall(line.pieces[0].text)
    return words[1:2] if words[:1] == ["option"] else []


def _with_nested(lines: Iterable[LogicalLine]) -> Iterator[LogicalLine]:
    """Yield *lines* and all lines below them."""
    for line in lines:
        yield line
        yield from _with_nested(line.children)


def _numbers(line: LogicalLine) -> set[int]:
    """Return the numbers of the lines of the text that *line* itself stands on."""
    return {piece.span.line for piece in line.pieces}


def _damaged_lines(written: Iterable[LogicalLine], missing: set[int]) -> set[int]:
    """Return the numbers of the lines of clauses that lack a line, or whose stage lacks a part of
    what was written.

    If there are any, the lines of routines are among them: a routine is bound again at each use.
    """
    damaged: set[int] = set()
    routines: set[int] = set()
    for line in written:
        below = {number for each in _with_nested([line]) for number in _numbers(each)}
        word = first_word(line.pieces[0].text)
        if word == "to":
            routines |= below
        is_clause = word in ("may", "must", "chance") and missing & below
        is_stage = word == "stage" and any(missing & _numbers(child) for child in line.children)
        if is_clause or is_stage:
            damaged |= below
    return damaged | routines if damaged else damaged
