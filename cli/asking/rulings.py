"""Rulings beside a ruleset: asked each in its own reading, and told; what came of them is kept
while rules and rulings stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module

from ...checker.rulings.file import Filed, ask_filed, read_rulings, rulings_beside
from ...checker.types.budget import INTERRUPTED, Budget, BudgetSpentError, Meter
from ...models import ir
from ...models.shipped import rules_source
from ...models.source import Source
from ...models.storage.digests import code_digest
from ...models.storage.keeping import keep_tree, kept_tree, name_of
from ...models.storage.places import cache_folder
from ...models.trees import TREES, Trees
from ...reports.rulings import filed as filed_rows
from ...reports.rulings import told
from ...reports.rulings.filed import RulingRow, tell_filed, unasked
from .reading import read_target

_FORMAT = "2"
_TREES = Trees([*TREES, filed_rows, told])
_CODE = "checker", "models", "reports"
"""The code that answers and tells."""


def rulings_of(target: str, budget: Budget) -> tuple[RulingRow, ...]:
    """Return the rulings beside the ruleset that *target* names, asked within the *budget*; raises
    InputError (C205).

    Those that there was no time for are undecided, and so are those that nobody had come to when
    somebody interrupted it.
    """
    text = rulings_beside(target)
    if text is None:
        return ()
    rules = rules_source(target)
    file = (
        cache_folder()
        / f"{name_of(_FORMAT, code_digest(*_CODE), rules.name, rules.text, text.name, text.text)}.rulings"
    )
    known: tuple[RulingRow, ...] | None = kept_tree(file, _TREES, tuple[RulingRow, ...])
    if known is not None:
        return known
    filed = read_rulings(text)
    rows, are_all = _asked(target.partition("@")[0], text, filed, Meter(budget))
    if are_all:
        keep_tree(file, _TREES, rows, "rulings")
    return rows


def _asked(
    name: str, text: Source, filed: Sequence[Filed], meter: Meter
) -> tuple[tuple[RulingRow, ...], bool]:
    """Return what is told of the *filed* rulings of *text*, and whether *meter* has left time for
    all of them.
    """
    why_left: list[str] = []

    @cache
    def program_of(reading: tuple[tuple[str, str], ...]) -> ir.Program:
        if not reading:
            return read_target(name, {}, (), (), with_claims=True)[0]
        # Parsing is imported only where something is parsed.
        program: ir.Program = import_module("...models.load", __package__).load_rules(
            name, dict(reading)
        )
        return program

    def asked(one: Filed) -> RulingRow:
        try:
            if not why_left:
                meter.inside()
                return tell_filed(ask_filed(one, program_of), text.name)
        except BudgetSpentError as spent:
            why_left.append(str(spent))
        except KeyboardInterrupt:
            why_left.append(INTERRUPTED)
        return unasked(one, text.name, why_left[0])

    with meter.watching():
        rows = tuple(map(asked, filed))
    return rows, not why_left
