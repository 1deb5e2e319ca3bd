"""The manual as a site: ``sphinx-build -W --keep-going docs site``. A link that leads nowhere, or a
page that no list names, is an error.

The pages are those that are read in the repository. `index.md` says in which order; rules and
properties have the colours of `reports.colours`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stacklaw.reports.colours import RulesLexer

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


def setup(app: Sphinx) -> None:
    """Let fenced blocks of rules and properties be coloured, and links lead to pages of the
    site.
    """
    for alias in RulesLexer.aliases:
        app.add_lexer(alias, RulesLexer)
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
