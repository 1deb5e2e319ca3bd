"""Linting: a ruleset -> what in it is no mistake and hardly meant, in the order of the text.

It is looked at with every option open, so that a reading has no warnings of its own.
"""

from __future__ import annotations

from functools import lru_cache

from ...models.diagnostics import Diagnostic
from ...models.load import opened, parsed
from ...models.source import Source
from ..load import claims_of
from .asked import lint_asked
from .clauses import lint_passes, lint_unfinished, lint_unreached
from .formulas import lint_formula
from .reach import lint_reach


@lru_cache(maxsize=32)
def lint(source: Source) -> tuple[Diagnostic, ...]:
    """Return the warnings about the ruleset in *source*, which has no mistakes; raises InputError if it has one.

    They are kept, since each reading of a ruleset asks for them.
    """
    program = opened(source)
    ruleset, _ = parsed(source)
    unfinished = [*lint_unfinished(program)]
    found = [*unfinished, *lint_passes(program), *lint_reach(ruleset, source)]
    if not unfinished:  # else what is still to be written may ask about it, or lead there
        found += [*lint_asked(ruleset, source), *lint_unreached(program)]
    for claim in claims_of(program):
        found += lint_formula(claim, program)
    return tuple(sorted(found, key=lambda warning: (warning.span.line, warning.span.column) if warning.span else (0, 0)))
