"""From what a command line names to a `Record`: the rulesets, the questions, one run of the checker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..checker.budget import INTERRUPTED, Budget
from ..checker.engines import DEFAULT, EngineName, engine_named, prover_named
from ..checker.run import check
from ..checker.scope import scope_of
from ..checker.tuning import Tuning
from ..models import ir
from ..models.diagnostics import Diagnostic, InputError
from ..models.load import load_game
from ..properties.formula import Property
from ..properties.load import catalogue_for, claims_of, property_named
from ..reports.record import Answer, Record, make_record
from .exits import Exit
from .options import make_budget, make_tuning
from .progress import progress

_EXITS = {"not met": Exit.NOT_MET, "undecided": Exit.UNDECIDED}


@dataclass(frozen=True)
class Asked:
    """What a command line asks of each ruleset: *properties* by name (none: all claims and the whole catalogue) within a scope."""

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


def asked_by(options: Mapping[str, Any]) -> Asked:
    """Return what the *options* of a command ask, by their names in `options`; raises InputError."""
    rest = dict(options)
    budget = make_budget(rest.pop("seconds"), rest.pop("memory"))
    tuned = {name: rest.pop(name) for name in ("threads", "checkpoint", "resume", "no_slice", "no_symmetry") if name in rest}
    rest.update({name: dict(rest[name]) for name in ("sizes", "settings")})
    return Asked(budget, make_tuning(**tuned) if tuned else Tuning(), **rest)


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
    program = load_game(target, asked.settings)
    scope = scope_of(program, asked.players, asked.stack, dict(asked.sizes))
    questions = questions_of(program, asked.properties, with_claims=with_claims)
    properties = list(dict.fromkeys(question for question, _, _ in questions))
    engine, prover = engine_named(asked.engine, asked.tuning), prover_named(asked.engine, eager=asked.prove, explain=asked.explain_proofs)
    with progress(program.name) as on_progress:
        found = check(program, properties, scope, asked.budget, on_progress, engine, prover)
    verdicts = dict(zip(properties, found, strict=True))
    answers = [Answer(verdicts[question], claim, named) for question, claim, named in questions]
    interrupted = any(INTERRUPTED in (verdict.reason, verdict.unproved) for verdict in verdicts.values())
    return make_record(program, scope, answers, interrupted=interrupted)


def exit_of(record: Record) -> Exit:
    """Return how a run with *record* ends."""
    if record.interrupted:
        return Exit.INTERRUPTED
    statuses = {row.status for row in record.rows}
    return next((code for status, code in _EXITS.items() if status in statuses), Exit.OK)


Question = tuple[Property, ir.Claim | None, bool]


def questions_of(program: ir.Program, names: Sequence[str], *, with_claims: bool = True) -> list[Question]:
    """Return the properties to decide, each with the claim that is made of it, if any, and whether it was named."""
    claims = [(typed.property, typed.claim) for typed in claims_of(program)] if with_claims else []
    if names:
        found: list[Question] = []
        for name in dict.fromkeys(names):
            claimed = [(question, claim, True) for question, claim in claims if question.name == name]
            found += claimed or [(property_named(program, name), None, True)]
        return found
    known = {question.name for question, _ in claims}
    others = [entry.name for entry in catalogue_for(program) if entry.name not in known]
    return [*((question, claim, False) for question, claim in claims), *((property_named(program, name), None, False) for name in others)]
