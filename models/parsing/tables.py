"""The tables of the parser: made by lark, which takes longer than reading a ruleset, and so kept as
JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from ..storage.keeping import keep, kept, name_of
from ..storage.places import cache_folder

FORMAT = "1"
"""Part of the name: to be changed when the same grammar should give other tables."""


def read_grammar(text: str, starts: Sequence[str]) -> lark.Lark:
    """Return the parser of the grammar in *text*; a line can be read from each of *starts*."""
    file = cache_folder() / f"{name_of('tables', FORMAT, lark.__version__, *starts, text)}.json"
    content = kept(file)
    if content is not None:
        with suppress(Exception):  # it is no table; what lark says then is of many kinds
            return lark.Lark.load(json.loads(content, object_pairs_hook=_with_numbers))
    made = lark.Lark(
        text, parser="lalr", lexer="basic", start=list(starts), propagate_positions=True
    )
    data, memo = made.memo_serialize([TerminalDef, Rule])
    # A cache that cannot be written costs time at the next start, and nothing else.
    keep(file, json.dumps({"data": data, "memo": memo}, separators=(",", ":")).encode(), "tables")
    return made


def _with_numbers(pairs: list[tuple[str, Any]]) -> dict[str | int, Any]:
    """Return the dictionary of *pairs* with the numbers that JSON could only write as texts:
    states, and what they refer to.
    """
    return {int(key) if key.isdigit() else key: value for key, value in pairs}
