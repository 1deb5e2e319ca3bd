"""Questions: a ruleset, and the properties that a command line asks of it, from their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...models import ir
from ...models.diagnostics import Diagnostic, InputError
from ...models.load import load_game
from ...models.source import Source
from ...properties.formula import Question
from ...properties.lint import lint
from ...properties.load import (
    Beside,
    catalogue_for,
    claims_of,
    is_of_others,
    may_be_of_others,
    property_named,
    typed_files,
)


def parsed(
    target: str,
    settings: Mapping[str, str],
    names: Sequence[str] = (),
    files: Sequence[Source] = (),
    *,
    with_claims: bool = True,
) -> tuple[ir.Program, list[Question], tuple[Diagnostic, ...]]:
    """Return the Program that *target* names, the properties to decide of it, and the warnings if
    all is asked; raises InputError.
    """
    program = load_game(target, settings)
    in_files = typed_files(program, files, names)
    questions = _questions(program, names, in_files, with_claims=with_claims)
    is_whole = with_claims and not names and not files
    return program, questions, lint(program.source) if is_whole else in_files.mistaken


def named_in(target: str, settings: Mapping[str, str], names: Sequence[str]) -> tuple[str, ...]:
    """Return those of *names* that mean something in the reading of *target* with these *settings*,
    or in none; raises InputError.
    """
    program = load_game(target, settings)
    return tuple(name for name in names if not is_of_others(program, name))


def are_of_all(program: ir.Program, names: Sequence[str]) -> bool:
    """Whether all *names* mean something in every reading of *program*'s ruleset, or in none."""
    return not any(may_be_of_others(program, name) for name in names)


def questions_of(
    program: ir.Program,
    names: Sequence[str],
    files: Sequence[Source] = (),
) -> list[Question]:
    """Return the properties to decide, each with the claim that is made of it, if any, and whether
    it was named.

    Those in property *files* count as named, unless *names* says which are.
    """
    return _questions(program, names, typed_files(program, files, names), with_claims=True)


def _questions(
    program: ir.Program, names: Sequence[str], in_files: Beside, *, with_claims: bool
) -> list[Question]:
    if in_files.empty:
        raise InputError(
            [Diagnostic("L109", f"There is no property in `{name}`.") for name in in_files.empty]
        )
    claims = (
        [(typed.property, typed.claim) for typed in claims_of(program, in_files)]
        if with_claims
        else []
    )
    if named := names or [question.name for question in in_files.properties]:
        found: list[Question] = []
        for name in dict.fromkeys(named):
            claimed = [
                (question, claim, True) for question, claim in claims if question.name == name
            ]
            found += claimed or [(property_named(program, name, in_files), None, True)]
        return found
    known = {question.name for question, _ in claims}
    others = [entry.name for entry in catalogue_for(program) if entry.name not in known]
    return [
        *((question, claim, False) for question, claim in claims),
        *((property_named(program, name), None, False) for name in others),
    ]
