"""Pieces of a page: its files, its policy, data that no markup is in; games side by side."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import resources
from typing import Any

from markupsafe import Markup

from ...models.words import clean, cleaned
from ..markdown.matrix import MEANINGS, Matrix, MatrixCell, bounds_note, differs
from ..pictures.scene import environment


def render_side_by_side(matrix: Matrix, pages: Sequence[str], version: str) -> str:
    """Return *matrix* as a page; *pages* are the addresses of those of its games."""

    def address(at: int, cell: MatrixCell, name: str) -> str:
        """Return what puts the play of *cell* on its board; empty if it has none."""
        return "" if cell.moves is None else f"{pages[at]}#show={name}"

    style = page_style("page.css", "side_by_side.css")
    text = (
        environment()
        .get_template("side_by_side.html.jinja")
        .render(
            games=matrix.games,
            pages=pages,
            different=[row for row in matrix.lines if differs(row)],
            same=[row for row in matrix.lines if not differs(row)],
            measures=matrix.measures,
            address=address,
            meanings=[*MEANINGS.values(), *bounds_note(matrix), *matrix.notes],
            policy=policy_of("", style),
            style=Markup(style),
            version=version,
        )
    )
    return clean(text)


def packed(data: bytes) -> str:
    """Return *data* packed, in base 64; nothing of nothing."""
    return _base64(gzip.compress(data, mtime=0)) if data else ""


def page_file(name: str) -> str:
    """Return what the file called *name* says."""
    return (resources.files(__package__) / name).read_text(encoding="utf-8")


def page_style(*names: str) -> str:
    """Return the colours of all pages, and what the style sheets of these *names* say."""
    return "".join(map(page_file, ("palette.css", *names)))


def policy_of(script: str, style: str, *more: str) -> str:
    """Return the content security policy of a page with that *script* and *style*, which allows
    nothing *more* than that.
    """
    scripts, styles = (
        f"'sha256-{_base64(sha256(text.encode()).digest())}'" for text in (script, style)
    )
    rules = (
        "default-src 'none'",
        f"script-src {scripts} 'wasm-unsafe-eval'",
        f"style-src {styles}",
        *more,
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(rules)


CONNECTS = "connect-src 'self'"
"""What a policy says of a page that asks its server."""


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def data_of(data: Mapping[str, Any]) -> str:
    """Return *data* as JSON without any sign of markup, even if its texts have some."""
    return as_json(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def as_json(data: Mapping[str, Any]) -> str:
    """Return *data* as JSON, with all its texts fit to be shown."""
    return json.dumps(cleaned(data), ensure_ascii=True, separators=(",", ":"))
