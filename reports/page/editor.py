"""The editor: the files of a ruleset in a browser, beside the page that is made of them.

Its colours are those of the grammar that other editors have.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath

from markupsafe import Markup

from ...models.read import MAX_BYTES
from ...models.words import clean
from ..colours import textmate
from ..pictures.scene import environment
from .pieces import CONNECTS, data_of, page_file, page_style, policy_of

_SCRIPTS = "dom", "colours", "pane", "drafts", "follow", "editor"


def render_editor(names: Sequence[str], again: str) -> str:
    """Return the page on which the files of these *names* are edited; the command *again* serves it
    again.
    """
    script = "\n".join(page_file(f"{name}.js") for name in _SCRIPTS)
    style = page_style("editor.css")
    data = {
        "files": [[name, PurePath(name).name] for name in names],
        "again": again,
        "most": MAX_BYTES,
        "patterns": json.loads(textmate())["patterns"],
    }
    text = environment().get_template("editor.html.jinja").render(
        name=PurePath(names[0]).name,
        policy=policy_of(script, style, CONNECTS, "frame-src 'self'"),
        style=Markup(style),
        script=Markup(script),
        data=Markup(data_of(data)),
    )  # fmt: skip
    return clean(text)
