"""``stacklaw certify FILE --of RULES``: certificates held against RULES; what they say of their own
origin does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import click
from rich.text import Text

from ...checker.certified import CertificateHeading, certify_of, heading_of
from ...checker.symbolic.certificate.certify import read_certificate
from ...models import ir
from ...models.diagnostics import InputError
from ...models.load import load_game
from ...models.source import Source
from ...models.words import counted
from ...properties.formula import Property
from .ask import told_apart
from .questions import questions_of

CertifyOutcome = tuple[str, Text | str]
"""Why a certificate is rejected, and else what is said behind `valid`."""
CHANGED = "not of these rules: they changed (digest differs)"
ANOTHER = "not of this property: it asks something else there (digest differs)"


def held_against(
    names: Sequence[str], settings: Mapping[str, str]
) -> Callable[[Path], CertifyOutcome]:
    """Return what tells of a certificate whether it proves its property of the ruleset that *names*
    has; raises InputError.
    """
    rulesets, files = told_apart(names)
    if len(rulesets) != 1:
        raise click.UsageError(
            "--of names one ruleset, and may name files of properties beside it."
        )
    return partial(_outcome, load_game(rulesets[0], settings), files)


def _outcome(program: ir.Program, files: Sequence[Source], file: Path) -> CertifyOutcome:
    """Return what came of *file*, held against *program* and property *files*, for people."""
    text, wrong = read_certificate(file)
    heading = heading_of(text)
    if heading is None:
        return wrong or "it is no certificate of this version of Stacklaw", ""
    try:
        question = _question(program, files, heading)
    except InputError as error:
        return f"it is not of these rules: {error.diagnostics[0].message}", ""
    notes = [
        *([] if heading.is_of_rules(program) else [CHANGED]),
        *([] if heading.is_of_property(question) else [ANOTHER]),
    ]
    found = certify_of(program, question, text)
    what = (
        f"{question.name} of "
        f"{program.name}{' is impossible' if question.mode == 'possible' else ''}"
    )
    met = f"{what}, {counted(found.obligations, 'obligation')} made anew from the rules"
    if not notes:
        return found.wrong, f": {met}"
    but = "; ".join(notes)
    if found.wrong:
        return f"{but}; it does not prove {what}: {found.wrong}", ""
    return "", Text().append(f", but {but}", "yellow").append(f"; its invariant proves {met}")


def _question(
    program: ir.Program, files: Sequence[Source], heading: CertificateHeading
) -> Property:
    """Return the property that *heading* names; of several that are called so, the one that it is
    bound to.
    """
    found = [question for question, _, _ in questions_of(program, [heading.name], files)]
    return next((question for question in found if heading.is_of_property(question)), found[0])
