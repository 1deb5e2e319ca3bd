"""Markdown inline: text that means nothing but what we say: cells, code and folded texts in which a
stranger's words are only words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ...models.words import clean, clean_line

_SIGNS = re.compile(r"[\\`*_\[\]<>|~&]|:(?=//)|(?<=www)\.", re.IGNORECASE)
_MENTION = re.compile(r"(?<![\w/])([@#])(?=\w)")
_LEADING = re.compile(r"^(\d*)([-+=#.)])")
"""What a line begins with that begins a list, a heading or a rule."""


def escaped(text: str) -> str:
    """Return *text* as it can stand in a line or a cell of Markdown, and means nothing to it: no
    sign, tag, link, list or mention.
    """
    return _LEADING.sub(
        r"\1\\\2", _apart(_SIGNS.sub(r"\\\g<0>", clean_line(" ".join(text.split()))))
    )


def code(text: str) -> str:
    """Return *text* as code within a line or a cell of Markdown."""
    line = " ".join(clean_line(text).split())
    fence = "`" * (max(map(len, re.findall("`+", line)), default=0) + 1)
    apart = " " if "`" in line else ""
    return f"{fence}{apart}{line}{apart}{fence}".replace("|", "\\|")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a table of *rows* below *heads*, none if there are no rows; what stands in backquotes
    is code.
    """
    for number, row in enumerate(rows):
        if not number:
            yield from ("", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}")
        yield f"| {' | '.join(map(with_code, row))} |"


def with_code(text: str) -> str:
    """Return *text* like `escaped`, but what stands in it between backquotes as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0 or not all(part.strip() for part in parts[1::2]):
        return escaped(text)
    return "".join(code(part) if n % 2 else _outside_code(part, n) for n, part in enumerate(parts))


def _outside_code(text: str, number: int) -> str:
    """Return part *number* of a line, escaped, with the spaces around it."""
    if not text.strip():
        return " " if text else ""
    before, after = (" " if text[place].isspace() else "" for place in (0, -1))
    return f"{before}{escaped(f'.{text.strip()}')[2:] if number else escaped(text)}{after}"


def folded(title: str, text: str, kind: str = "text") -> Iterator[str]:
    """Yield the lines of *text* as it is, folded below *title*; no line in it ends the block."""
    body = clean(text).rstrip()
    fence = "`" * max(3, max(map(len, re.findall("`+", body)), default=0) + 1)
    # A summary is HTML, in which a backslash is no escape.
    yield from (
        "",
        f"<details><summary>{html(title)}</summary>",
        "",
        f"{fence}{kind}",
        body,
        fence,
        "",
        "</details>",
    )


def html(text: str) -> str:
    """Return *text* as it can stand in a line of HTML."""
    return _apart(escape(clean_line(" ".join(text.split()))))


def _apart(text: str) -> str:
    """Return *text* with signs of mentions and references apart from what follows them, so that
    GitHub notifies no user.
    """
    return _MENTION.sub(r"\1<!-- -->", text)
