"""Colours: which words of the rules language are of which class, for Pygments and for TextMate.

The words are those of the grammar, so a new word of the language has its colour at once.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cache
from typing import Any, ClassVar, get_args

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text

from ..models.parsing.outline import HEADS
from ..models.parsing.scan import lexicon
from ..models.syntax import WordText

_COMMENT, _STRING, _NUMBER, _NAME = r"#.*", r'"[^"\n]*"?', r"\b\d+\b(?![\w.'/-])", r"[A-Za-z_]\w*"
_ID = r"[A-Za-z0-9][\w.'/-]*"
_NAMED = rf"{_ID}(?:, *{_ID})*"
_CLAUSES = r"cites|uses|clause(?! applies)"
_SIGN = r":=|\+=|-=|<=|>=|[<>=+\-:,()\[\]]"
_EXPECTED = r"holds|fails|possible|impossible|vacuous|lemma"


@cache
def word_classes() -> dict[str, tuple[str, ...]]:
    """Return the words of the language: those that begin lines (*heads*), those that stand for
    *values*, and all *others*, with the heads that may stand elsewhere, too.
    """
    heads = frozenset(word for heads in HEADS.values() for word in heads)
    values = frozenset(get_args(WordText))
    words = frozenset(word for word in lexicon().words if word.isalpha())
    classes = {"heads": heads, "values": values, "others": words - values}
    return {name: tuple(sorted(found)) for name, found in classes.items()}


def _one_of(words: Collection[str]) -> str:
    return rf"\b(?:{'|'.join(words)})\b"


class RulesLexer(RegexLexer):  # type: ignore[misc]  # Pygments carries no types
    """Rules, claims and properties: ids of clauses, words that begin lines, words within them."""

    name = "Stacklaw rules"
    aliases: ClassVar[list[str]] = ["rules", "props", "stacklaw"]
    filenames: ClassVar[list[str]] = ["*.rules", "*.claims", "*.props"]
    tokens: ClassVar[dict[str, list[tuple[object, ...]]]] = {
        "root": [
            (_COMMENT, Comment.Single),
            (_STRING, String.Double),
            (rf"^(\s*)(may|must|chance)( +)({_ID})", bygroups(Text, Keyword, Text, Name.Function)),
            (rf"^(\s*)({_EXPECTED})( +)({_ID})", bygroups(Text, Keyword, Text, Name.Function)),
            (rf"^(\s*)({_one_of(word_classes()['heads'])})", bygroups(Text, Keyword)),
            (rf"\b({_CLAUSES})( +)({_NAMED})", bygroups(Operator.Word, Text, Name.Function)),
            (_one_of(word_classes()["values"]), Keyword.Constant),
            (_one_of(word_classes()["others"]), Operator.Word),
            (_NUMBER, Number.Integer),
            (_NAME, Name),
            (_SIGN, Operator),
            (r".|\n", Text),
        ]
    }


def textmate() -> str:
    """Return the grammar for editors that colour as TextMate does, as JSON."""
    classes = word_classes()
    clause = {"1": _scope("keyword.control"), "2": _scope("entity.name.function")}
    patterns = [
        {"match": _COMMENT, **_scope("comment.line.number-sign")},
        {"match": _STRING, **_scope("string.quoted.double")},
        {"match": rf"^\s*(may|must|chance)\s+({_ID})", "captures": clause},
        {"match": rf"^\s*({_EXPECTED})\s+({_ID})", "captures": clause},
        {
            "match": rf"^\s*({_one_of(classes['heads'])})",
            "captures": {"1": _scope("keyword.control")},
        },
        {
            "match": rf"\b({_CLAUSES})\s+({_NAMED})",
            "captures": {"1": _scope("keyword.operator.word"), "2": clause["2"]},
        },
        {"match": _one_of(classes["values"]), **_scope("constant.language")},
        {"match": _one_of(classes["others"]), **_scope("keyword.operator.word")},
        {"match": _NUMBER, **_scope("constant.numeric")},
        {"match": _NAME, **_scope("variable.other")},
        {"match": _SIGN, **_scope("keyword.operator")},
    ]
    grammar = {"name": "Stacklaw rules", "scopeName": "source.stacklaw", "patterns": patterns}
    return json.dumps(grammar, indent=2) + "\n"


def _scope(name: str) -> dict[str, Any]:
    return {"name": f"{name}.stacklaw"}
