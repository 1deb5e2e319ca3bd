"""Shared code: functions of many sources, each compiled once for all that have it.

In comes source in the subset of `assembly`, out come the addresses of its functions. What no source had before is compiled as one
piece and joined to what is there. A function is known by its text and by those of all that it calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from ....models.storage.digests import digest
from ..moves.writer import DIGITS
from .assembly import assemble_among, functions_of

FEW_NEW = 1 / 8
"""Which part of the functions of a source may be new for its code to count as kept."""
_CALL = re.compile(r"\b([A-Za-z]\w*)\(")


@dataclass
class SharedCode:
    """What was compiled of all sources so far, in one *engine*; *joined* compiles a piece of assembly and puts it there."""

    engine: Any
    joined: Callable[[str], None]
    known: set[str] = field(default_factory=set)

    def addresses(self, source: str, exported: Collection[str], *, only_kept: bool) -> dict[str, int] | None:
        """Return the addresses of the *exported* functions of *source*; None if too many are new, and *only_kept* code may be used."""
        texts = named_by_content(source, exported)
        known = {name: text for name, text in texts.values() if name in self.known}
        new = {name: text for name, text in texts.values() if name not in self.known}
        if only_kept and len(new) > FEW_NEW * len(texts):
            return None
        if new:
            self.joined(assemble_among(new, known, [texts[name][0] for name in exported]))
            self.known |= new.keys()
        return {name: self.engine.get_function_address(texts[name][0]) for name in exported}


def named_by_content(source: str, exported: Collection[str]) -> dict[str, tuple[str, str]]:
    """Return for each function of *source* the name that it has wherever it stands, and its text with such names.

    One that is called before it stands there has a name of its own in each source, and for each choice of what is exported.
    """
    functions, found, early = functions_of(source), dict[str, tuple[str, str]](), dict[str, str]()
    whole = digest(*sorted(exported), source)[:DIGITS]

    def called(match: re.Match[str]) -> str:
        name = match[1]
        if name in found:
            return f"{found[name][0]}("
        if name in functions:
            return f"{early.setdefault(name, f'{name}_{whole}')}("
        return match[0]

    for name, text in functions.items():
        said = _CALL.sub(called, text[len(f"def {name}") :])
        new = early.get(name) or f"{name}_{digest(str(name in exported), said)[:DIGITS]}"
        found[name] = new, f"def {new}{said}"
    return found
