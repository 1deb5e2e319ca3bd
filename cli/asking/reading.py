"""Reading: a ruleset with the questions that a command line asks of it, as they were kept when it
was read before.

The name of the file they are kept in is made of all they depend on: the texts, the options and
names asked for, and the code that reads (`models.storage.keeping`). What cannot be read is not
kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...models import diagnostics, ir
from ...models.diagnostics import Diagnostic
from ...models.shipped import game_source
from ...models.source import Source
from ...models.storage.keeping import QUICK, keep_tree, kept_tree, name_of
from ...models.storage.key import code_digest
from ...models.storage.opening import cache_folder
from ...models.trees import TREES, Trees
from ...properties import formula
from ...properties.formula import Question

_FORMAT = "4"
_Read = tuple[ir.Program, tuple[Question, ...], tuple[Diagnostic, ...]]
_TREES = Trees([*TREES, formula, diagnostics])
_READERS = "models", "properties", "cli/asking/questions.py"
"""The code that reads rulesets and properties, with the grammar and the catalogue."""


def read_target(
    target: str,
    settings: Mapping[str, str],
    names: Sequence[str] = (),
    files: Sequence[Source] = (),
    *,
    with_claims: bool = True,
) -> tuple[ir.Program, list[Question], tuple[Diagnostic, ...]]:
    """Return the Program that *target* names, the properties to decide of it, those in property
    *files* too, and warnings about it.

    Raises InputError.
    """
    source = game_source(target)
    beside = [(beside.name, beside.text) for beside in files]
    asked = repr(
        (target, tuple(settings.items()), tuple(names), beside, with_claims)
    )  # their order is that of its name
    file = (
        cache_folder()
        / f"{name_of(_FORMAT, code_digest(*_READERS), asked, source.name, source.text)}.rules"
    )
    known: _Read | None = kept_tree(file, _TREES, _Read)
    if known is not None:
        program, asks, warnings = known
        return program, list(asks), warnings
    from . import questions  # noqa: PLC0415 - parsing is imported only where something is parsed

    found = questions.parsed(target, settings, names, files, with_claims=with_claims)
    keep_tree(file, _TREES, (found[0], tuple(found[1]), found[2]), "rules", level=QUICK)
    return found
