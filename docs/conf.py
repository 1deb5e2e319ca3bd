"""The manual as a site: ``sphinx-build -W --keep-going docs site``. A link that leads nowhere, or a
page that no list names, is an error.

The pages are those that are read in the repository. `index.md` says in which order; `Rules` colours
rules and properties.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, String, Text

from stacklaw.models.parsing.outline import HEADS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Stacklaw"
html_title = "Stacklaw"
html_theme = "furo"
html_show_copyright = False
extensions = ["myst_parser"]
myst_heading_anchors = 4
NO_PAGES = ("bench/README.md", "CONTRIBUTING.md", "CHANGELOG.md")
"""What the readme names that is for those who have the source."""


class Rules(RegexLexer):
    """Rules and properties: comments, texts, numbers of clauses, and the words with which lines
    begin.
    """

    name = "Stacklaw rules"
    aliases: ClassVar[list[str]] = ["rules", "props"]
    tokens: ClassVar[dict[str, list[tuple[object, ...]]]] = {
        "root": [
            (r"#.*", Comment.Single),
            (r'"[^"\n]*"', String.Double),
            (r"^(\s*)(may|must|chance)( +)(\S+)", bygroups(Text, Keyword, Text, Name.Function)),
            (
                r"^(\s*)"
                + words(
                    sorted({head for heads in HEADS.values() for head in heads}), suffix=r"\b"
                ).get(),
                bygroups(Text, Keyword),
            ),
            (r"\d+\b", Number.Integer),
            (r"\w[\w'-]*", Name),
            (r".|\n", Text),
        ]
    }


def setup(app: Sphinx) -> None:
    """Let fenced blocks of rules and properties be coloured, and links lead to pages of the
    site.
    """
    for alias in Rules.aliases:
        app.add_lexer(alias, Rules)
    app.connect("source-read", lambda _app, _name, content: _within(content))
    app.connect("include-read", lambda _app, _path, _name, content: _within(content))


def _within(content: list[str]) -> None:
    """Let links to the readme lead to the first page, which it is; and of those to files that are
    no pages only the words stay.
    """
    content[0] = content[0].replace("](../README.md", "](index.md")
    content[0] = re.sub(
        rf"\[([^\]]+)\]\(({'|'.join(map(re.escape, NO_PAGES))})\)", r"\1 (`\2`)", content[0]
    )
