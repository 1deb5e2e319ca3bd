"""What GitHub makes of the output of a step: the workflow commands in it, as its runner documents
them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LEVELS = ("error", "warning", "notice")
_ESCAPES = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}


@dataclass(frozen=True)
class Annotation:
    """An annotation, as it is shown."""

    level: str
    properties: dict[str, str]
    message: str


def annotations_in(output: str) -> list[Annotation]:
    """Return the annotations that *output* makes; what stands between ``stop-commands`` and its
    token makes none.
    """
    found: list[Annotation] = []
    token = ""
    for line in output.splitlines():
        command = re.match(r"\s*::([\w-]+)(?: ([^:]*))?::(.*)", line) or re.search(
            r"##\[([\w-]+)(?: ([^]]*))?\](.*)", line
        )
        if token or not command:
            token = "" if line.strip() == f"::{token}::" else token
            continue
        name, properties, message = command[1], command[2] or "", command[3]
        if name == "stop-commands":
            token = message
        elif name in LEVELS:
            told = dict(pair.split("=", 1) for pair in properties.split(",") if pair)
            found.append(
                Annotation(
                    name,
                    {key: _unescaped(value) for key, value in told.items()},
                    _unescaped(message),
                )
            )
    return found


def _unescaped(text: str) -> str:
    return re.sub("|".join(_ESCAPES), lambda escape: _ESCAPES[escape[0]], text)
