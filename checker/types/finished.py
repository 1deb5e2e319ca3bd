"""Finished rules: commands that need the whole of a ruleset refuse one with clauses that are still
to be written.
"""

from __future__ import annotations

from ...models.diagnostics import wrong_input
from ...models.ir import Program
from ...models.shipped import target_of
from ...models.words import join_words


def need_finished(program: Program) -> None:
    """Raise `InputError` (C115) if clauses of *program* are still to be written."""
    if program.unfinished:
        ids = join_words(program.unfinished)
        message = f"{program.name} is not finished: {ids} {'is' if len(program.unfinished) == 1 else 'are'} `todo`"
        hint = f"`stacklaw check {target_of(program.name, program.source)}` says what can be said without what is missing"
        raise wrong_input("C115", message, hint=hint)
