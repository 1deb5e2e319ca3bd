"""Asking: from what a command line names to a `Record`, the rulesets, the questions, one run of the checker."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import click

from ..checker.process.interrupts import INTERRUPTS
from ..checker.prover.prover import Prover
from ..checker.run.check import check
from ..checker.run.engines import DEFAULT, EngineName, engine_named, prover_named
from ..checker.smallest.annotate import Refuter
from ..checker.types.budget import INTERRUPTED, Budget, Meter
from ..checker.types.scope import Scope, scope_of
from ..checker.types.tuning import Tuning
from ..checker.types.verdict import Outcome, Verdict
from ..models.diagnostics import Diagnostic, InputError
from ..models.ir import Program
from ..models.parsing.read import read_source
from ..models.source import Source
from ..properties.formula import Property
from ..reports.telling.record import Answer, Record, Row, make_record
from .exits import Exit, interrupted
from .options import make_budget, make_tuning
from .progress import progress
from .question import Question
from .reading import read

_PROPERTIES = ".props"
FailOn = Literal["violated", "unknown", "vacuous"]
FAIL_ON: tuple[FailOn, ...] = get_args(FailOn)
"""What ends a command badly: a claim that is not met, one that is undecided, one that is empty."""
_EXITS = {"not met": Exit.NOT_MET, "undecided": Exit.UNDECIDED}


@dataclass(frozen=True)
class Asked:
    """What a command line asks of each ruleset: *properties* by name, or those in property *files*, within a scope.

    If there are none of either, it asks for all claims and the whole catalogue. What is proved is to be *certified*, so two solvers see it.
    """

    budget: Budget
    tuning: Tuning
    properties: tuple[str, ...] = ()
    players: int | None = None
    stack: int | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    engine: EngineName = DEFAULT
    prove: bool = False
    explain_proofs: bool = False
    certified: bool = False
    smallest: bool = False
    files: tuple[Source, ...] = ()


def asked_by(options: Mapping[str, Any]) -> Asked:
    """Return what the *options* of a command ask, by their names in `options`; raises InputError."""
    rest = dict(options)
    budget = make_budget(rest.pop("seconds"), rest.pop("memory"))
    tuned = {name: rest.pop(name) for name in ("threads", "checkpoint", "key", "resume", "no_slice", "no_symmetry") if name in rest}
    rest.update({name: dict(rest[name]) for name in ("sizes", "settings")})
    return Asked(budget, make_tuning(**tuned) if tuned else Tuning(), **rest)


def told_apart(names: Sequence[str]) -> tuple[list[str], tuple[Source, ...]]:
    """Return those of *names* that are rulesets, and what the property files among them say; raises InputError."""
    files = [name for name in names if name.endswith(_PROPERTIES)]
    rulesets = [name for name in names if name not in files]
    if files and not rulesets:
        hint = f"name one beside it: `stacklaw check mtg {files[0]}`"
        raise InputError([Diagnostic("L110", f"`{files[0]}` says what to ask, and no ruleset is named to ask it of.", hint=hint)])
    return rulesets, tuple(read_source(name) for name in dict.fromkeys(files))


def refuse_with_for_which(given: Mapping[str, Any]) -> None:
    """Raise a usage error if one of the options *given* says something, which are of a ruleset whose options are set."""
    for name, value in given.items():
        if value:
            raise click.UsageError(f"--for-which answers with a condition, so there is no {name} of it: set the option, with --set.")


def targets_in(names: Iterable[str]) -> list[str]:
    """Return *names* with each folder replaced by the .rules files in it; raises InputError for an empty folder."""
    found: list[str] = []
    for name in names:
        if not Path(name).is_dir():
            found.append(name)
            continue
        files = sorted(str(path) for path in Path(name).rglob("*.rules"))
        if not files:
            raise InputError([Diagnostic("L101", f"The folder `{name}` has no .rules file in it.")])
        found.extend(files)
    return list(dict.fromkeys(found))


def ask(target: str, asked: Asked, *, with_claims: bool = True) -> Record:
    """Return the record of everything *asked* of the ruleset *target*; raises InputError."""
    program, questions = read(target, asked.settings, asked.properties, asked.files, with_claims=with_claims)
    scope = scope_of(program, asked.players, asked.stack, dict(asked.sizes))
    properties = list(dict.fromkeys(question for question, _, _ in questions))
    engine, prover = engine_named(asked.engine, asked.tuning), prover_of(asked)
    with progress(program.name) as on_progress:
        meter = Meter(asked.budget, on_progress)
        found = check(program, properties, scope, asked.budget, on_progress, engine, prover)
        if asked.smallest:
            found = Refuter(engine).of(program, found, meter)
    with INTERRUPTS.undisturbed():
        return _recorded(program, scope, dict(zip(properties, found, strict=True)), questions, interrupted=meter.interrupted)


def _recorded(
    program: Program, scope: Scope, verdicts: Mapping[Property, Verdict], questions: Sequence[Question], *, interrupted: bool
) -> Record:
    """Return the record of *verdicts*, the answers to *questions*."""
    answers = [Answer(verdicts[question], claim, named) for question, claim, named in questions]
    interrupted = interrupted or any(INTERRUPTED in (verdict.reason, verdict.unproved) for verdict in verdicts.values())
    return make_record(program, scope, answers, interrupted=interrupted)


def prover_of(asked: Asked) -> Prover | None:
    """Return who proves what is *asked*; raises InputError if nobody can, though somebody should."""
    return prover_named(asked.engine, eager=asked.prove, explain=asked.explain_proofs, second=asked.certified)


def exit_of(record: Record, fail_on: Collection[FailOn] = FAIL_ON) -> Exit:
    """Return how a run with *record* ends, of which only what *fail_on* names is bad."""
    if record.interrupted:
        return interrupted()
    statuses = {row.status for row in record.rows if _kind(row) in fail_on}
    return next((code for status, code in _EXITS.items() if status in statuses), Exit.OK)


def _kind(row: Row) -> FailOn:
    """Return as what *row* is bad, if it is."""
    if row.status == "undecided":
        return "unknown"
    return "vacuous" if row.outcome is Outcome.VACUOUS else "violated"
