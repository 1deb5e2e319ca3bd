"""Pieces of a page: its files, its policy, and data that no markup is in."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from hashlib import sha256
from importlib import resources
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from ...models.cleaning import cleaned
from ..pictures import templates


def packed(data: bytes) -> str:
    """Return *data* packed, in base 64; nothing of nothing."""
    return _base64(gzip.compress(data, mtime=0)) if data else ""


def environment() -> Environment:
    """Return what templates are filled in: whatever is put there is text."""
    loader = ChoiceLoader([PackageLoader(__package__, ""), PackageLoader(templates.__name__, "")])
    return Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )


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
    """Return *data* as JSON that has no sign of markup in it, whatever its texts are."""
    return as_json(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def as_json(data: Mapping[str, Any]) -> str:
    """Return *data* as JSON, with all its texts fit to be shown."""
    return json.dumps(cleaned(data), ensure_ascii=True, separators=(",", ":"))
