"""Misspelt declarations: a name that many lines use and none declares, beside one like it that is
declared and never used.

Then it is the declaration that is wrong: one mistake is told there, in the place of one at each
use.
"""

from __future__ import annotations

import re
from collections import defaultdict

from .. import ir, syntax
from ..diagnostics import Diagnostic, Report
from ..spelling import near
from ..words import join_words

_UNKNOWN = re.compile(
    r"Nothing here is called `(\w+)`|There is no (?:zone|kind of item) called `(\w+)`"
)
_FEWEST = 2
"""How many uses outvote a declaration."""
_SHOWN = 3


def blame_declarations(ruleset: syntax.Ruleset, report: Report) -> None:
    """Put one mistake at each declaration of *ruleset* that seems misspelt, in the place of those
    that *report* has of the uses.
    """
    uses: dict[str, list[Diagnostic]] = defaultdict(list)
    for error in report.errors:
        said = _UNKNOWN.match(error.message)
        if said is not None and error.span is not None:
            uses[said[1] or said[2]].append(error)
    known = _used_in(ruleset)
    unused = {
        declared.name: declared for declared in _declared(ruleset) if declared.name not in known
    }
    for name, errors in uses.items():
        meant = near(name, unused) if len(errors) >= _FEWEST else []
        if meant:
            wrong = unused.pop(meant[0])
            lines = sorted({error.span.line for error in errors if error.span is not None})
            shown = [str(line) for line in lines[:_SHOWN]] + (
                ["others"] if len(lines) > _SHOWN else []
            )
            told = f"`{wrong.name}` is declared here, but used as `{name}` (line{'s' * (len(lines) > 1)} {join_words(shown)})."
            report.errors = [error for error in report.errors if error not in errors]
            report.add("R101", wrong.span, told, f"call it `{name}`")


def _declared(
    ruleset: syntax.Ruleset,
) -> list[syntax.StateVariable | syntax.Zone | syntax.ItemKind | syntax.Option | syntax.Attribute]:
    return [*ruleset.state, *ruleset.zones, *ruleset.items, *ruleset.options, *ruleset.attributes]


def _used_in(ruleset: syntax.Ruleset) -> frozenset[str]:
    """Return every word of *ruleset* that may be the use of a declared name."""
    used: set[str] = {name for name, _ in ruleset.scope}
    for node in ir.walk(ruleset):
        match node:
            case syntax.Name(name) | syntax.Of(name) | syntax.Size(name) | syntax.EndOf(_, name):
                used.add(name)
            case syntax.OneOf(_, names) | syntax.EnumType(names):
                used.update(names)
            case syntax.Put(kind, zone, _, settings):
                used.update((kind, zone, *(name for name, _ in settings)))
            case syntax.ItemEffect(_, _, str(zone)):
                used.add(zone)
            case syntax.EveryItem(_, _, zone, to):
                used.update((zone, to or zone))
            case syntax.Assign(_, name) | syntax.AssignEvery(_, name):
                used.add(name)
            case syntax.Phrase(_, _, str(name)):
                used.add(name)
            case _:
                pass
    return frozenset(used)
