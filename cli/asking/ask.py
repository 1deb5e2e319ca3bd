"""Asking: from a command line to a `Record`, with the rulings beside the rules."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import field, replace
from functools import cache, wraps
from inspect import signature
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from ...checker.process.interrupts import INTERRUPTS
from ...checker.prover.proof_file import proofs_beside
from ...checker.prover.prover import NAMED, NEEDED, Prover
from ...checker.prover.workers import Workers
from ...checker.rulings.file import Filed, ask_filed, read_rulings, rulings_beside
from ...checker.run.assumptions import with_fewest_assumptions
from ...checker.run.check import check
from ...checker.run.cuts import cut_start
from ...checker.run.engines import DEFAULT, EngineName, prover_named, remembering
from ...checker.smallest import Refuter
from ...checker.types.budget import INTERRUPTED, Budget, BudgetSpentError, Meter, OnProgress, Tuning
from ...checker.types.scope import Scope, scope_of
from ...checker.types.verdict import NOT_EXPLORED, Outcome, Verdict
from ...models import ir
from ...models.diagnostics import Diagnostic, wrong_input
from ...models.frozen import frozen
from ...models.options.cases import other_readings
from ...models.read import read_source
from ...models.shipped import BESIDE, example_names, game_names, rules_source, settings_of
from ...models.source import Source
from ...models.storage.keeping import keep_tree, kept_tree, name_of
from ...models.storage.key import code_digest
from ...models.storage.opening import cache_folder
from ...models.trees import TREES, Trees
from ...models.words import join_words
from ...properties.formula import Property, Question
from ...reports.rulings import filed as filed_rows
from ...reports.rulings import told
from ...reports.rulings.filed import RulingRow, tell_filed, unasked
from ...reports.telling.record import Answer, Record, Row, make_record
from ..output.exits import Exit, interrupted
from ..output.progress import progress, with_reasons, within
from .options import make_budget, make_tuning
from .reading import read_target

if TYPE_CHECKING:
    from .against import Against


_FORMAT = "2"
_TREES = Trees([*TREES, filed_rows, told])
_CODE = "checker", "models", "reports"
"""The code that answers and tells."""


def rulings_of(target: str, budget: Budget) -> tuple[RulingRow, ...]:
    """Return the rulings beside the ruleset that *target* names, asked within the *budget*; raises
    InputError (C205).

    Those without time left, or not yet reached at an interrupt, are undecided.
    """
    text = rulings_beside(target)
    if text is None:
        return ()
    rules = rules_source(target)
    file = (
        cache_folder()
        / f"{name_of(_FORMAT, code_digest(*_CODE), rules.name, rules.text, text.name, text.text)}"
        ".rulings"
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
            return read_target(name, {})[0]
        from ...models.load import load_rules  # noqa: PLC0415 - only where something is parsed

        return load_rules(name, dict(reading))

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


_PROPERTIES = ".props"
FailOn = Literal["violated", "unknown", "vacuous"]
FAIL_ON: tuple[FailOn, ...] = get_args(FailOn)
"""What ends a command badly: a claim that is not met, one that is undecided, one that is empty."""
_FAILS: dict[str, FailOn] = {"met": "violated", "not met": "violated", "undecided": "unknown"}
_EXITS = {"not met": Exit.NOT_MET, "undecided": Exit.UNDECIDED}


CodeT = TypeVar("CodeT")


@frozen
class Asked:
    """What a command line asks of each ruleset: *properties* by name, or those in property *files*,
    within a scope.

    If there are none of either, it asks for all claims and the whole catalogue, or for the
    catalogue alone if not *with_claims*. *certified* proofs are shown to two solvers. Of a reading
    *beside* another only questions that no search decides are tried for every size, unless *prove*
    is set. With *only_wanting*, only claims and named properties are asked, and only the plays of
    what is not as claimed are told. With *unread*, certificates and plays that the output leaves
    out are not written down. *against* is a revision in git: what changed for players since then is
    told.
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
    assumptions: bool = False
    files: tuple[Source, ...] = ()
    beside: bool = False
    only_wanting: bool = False
    unread: bool = False
    against: str = ""
    with_claims: bool = True

    @property
    def is_sized(self) -> bool:
        """Whether somebody says how large the plays are."""
        return self.players is not None or self.stack is not None or bool(self.sizes)

    def scope(self, program: ir.Program) -> Scope:
        """Return the scope within which it asks of *program*; raises InputError."""
        return scope_of(program, self.players, self.stack, self.sizes)


def asked_by(options: Mapping[str, Any]) -> Asked:
    """Return what the *options* of a command ask, by their names in `options`; raises
    InputError.
    """
    rest = dict(options)
    budget = make_budget(rest.pop("seconds", None), rest.pop("memory", None))
    tuned = {name: rest.pop(name) for name in signature(make_tuning).parameters if name in rest}
    return Asked(budget, make_tuning(**tuned) if tuned else Tuning(), **rest)


def asking(command: Callable[..., CodeT]) -> Callable[..., CodeT]:
    """Give *command* what the options say that it has no parameters for, as its *question*."""
    own = signature(command).parameters

    @wraps(command)
    def with_question(**said: Any) -> CodeT:
        rest = {name: said.pop(name) for name in said.keys() - own.keys()}
        return command(question=asked_by(rest), **said)

    return with_question


def told_apart(names: Sequence[str]) -> tuple[list[str], tuple[Source, ...]]:
    """Return the rulesets among *names*, and what the property files among them say; raises
    InputError.
    """
    files = [name for name in names if name.endswith(_PROPERTIES)]
    # What stands beside rules stands for them.
    rulesets = [
        str(Path(name).with_suffix(".rules")) if name.endswith(BESIDE) else name
        for name in names
        if name not in files
    ]
    if files and not rulesets:
        hint = f"name one beside it: `stacklaw check mtg {files[0]}`"
        raise wrong_input(
            "L110",
            f"`{files[0]}` says what to ask, and no ruleset is named to ask it of.",
            hint=hint,
        )
    return rulesets, tuple(read_source(name) for name in dict.fromkeys(files))


def targets_in(names: Iterable[str], suffixes: Sequence[str] = (".rules",)) -> list[str]:
    """Return *names* with each folder replaced by the files in it that end in *suffixes*; raises
    InputError if it has none.
    """
    found: list[str] = []
    for name in names:
        if not Path(name).is_dir():
            found.append(name)
            continue
        files = sorted(str(path) for suffix in suffixes for path in Path(name).rglob(f"*{suffix}"))
        if not files:
            raise wrong_input("L101", f"The folder `{name}` has no .rules file in it.")
        found.extend(files)
    return list(dict.fromkeys(found))


def rulesets_here() -> list[str]:
    """Return the .rules files of the present folder; raises InputError if there is none."""
    files = sorted(path.name for path in Path().glob("*.rules"))
    if not files:
        shipped = f"{join_words(game_names())}, or the examples {join_words(example_names())}"
        hint = (
            "`stacklaw check FILE.rules` checks one of yours, `stacklaw check mtg` a game that "
            f"comes with stacklaw ({shipped})"
        )
        raise wrong_input(
            "L101", "No ruleset is named, and this folder has no .rules file.", hint=hint
        )
    return files


def ask(
    target: str,
    asked: Asked,
    *,
    standing: Workers | None = None,
    tell: OnProgress | None = None,
    hear: Callable[[Record], None] | None = None,
    parts: int = 1,
    rulings_too: bool = True,
) -> Record:
    """Return the record of everything *asked* of the ruleset *target*; raises InputError. Proofs
    are looked for by *standing* workers.

    The progress of a search stands on stderr, or goes to *tell* if that is given. *hear* gets the
    record of the search while proofs are still looked for, in *parts* parts. With *rulings_too* the
    rulings beside the rules are asked as well.
    """
    begun = monotonic()
    program, scope, questions, warnings = _read_target(target, asked)
    properties = list(dict.fromkeys(question for question, _, _ in questions))
    rulings, budget = _rulings_first(target, asked) if rulings_too else ((), asked.budget)
    against = _against(target, asked)
    changes = (
        None
        if against is None
        else against.undecided(f"the budget was spent before: {INTERRUPTED}")
    )

    def recorded(found: Sequence[Verdict], *, is_ended: bool) -> Record:
        verdicts = dict(zip(properties, found, strict=True))
        answers = [Answer(verdicts[question], claim, named) for question, claim, named in questions]
        others = sum(1 for _ in other_readings(program, fixed_by(target, asked)))
        unread = asked.only_wanting or (asked.unread and not asked.smallest)
        record = make_record(
            program, scope, answers, interrupted=is_ended, others=others, unread=unread
        )
        took = round((monotonic() - begun) * 1000)
        warned = () if asked.beside else (*cut_start(program, scope), *warnings)
        if against is not None:
            lines = against.lines([answer.verdict for answer in answers])
            record = replace(
                record,
                rows=tuple(
                    replace(row, edited=line) for row, line in zip(record.rows, lines, strict=True)
                ),
            )
        return replace(
            record,
            command=_again(target, asked),
            warnings=warned,
            rulings=rulings,
            milliseconds=took,
            changes=changes,
        )

    engine, prover = remembering(asked.engine, asked.tuning), prover_of(asked, standing)
    if prover is not None:
        prover.beside = proofs_beside(target, program)
        prover.parts = parts
        prover.hear = None if hear is None else lambda found: hear(recorded(found, is_ended=False))
    with progress(program.name) if tell is None else nullcontext(tell) as on_progress:
        meter = Meter(budget, on_progress)
        found: Sequence[Verdict] = ()
        try:
            with within(meter):
                if any(row.found == INTERRUPTED for row in rulings):
                    raise KeyboardInterrupt  # noqa: TRY301 - as if it came now
                found = check(program, properties, scope, budget, on_progress, engine, prover)
                if asked.assumptions:
                    found = with_fewest_assumptions(program, found, meter, engine)
                if asked.smallest:
                    found = Refuter(engine).annotate(program, found, meter)
                if against is not None:
                    changes = against.changes((asked.players, asked.stack, asked.sizes), meter)
        except KeyboardInterrupt:
            meter.interrupted = True
    with INTERRUPTS.kept():
        meter.interrupted = meter.interrupted and not INTERRUPTS.over
        found = with_reasons(
            found or [_unknown(program, scope, one, INTERRUPTED) for one in properties]
        )
        is_ended = meter.interrupted or any(
            INTERRUPTED in (verdict.reason, verdict.unproved) for verdict in found
        )
        record = recorded(found, is_ended=is_ended)
    return replace(record, interrupted=record.interrupted or INTERRUPTS.asked != 0)


def _against(target: str, asked: Asked) -> Against | None:
    """Return the ruleset as it was where it is *asked* what changed since."""
    if not asked.against:
        return None
    from .against import Against  # noqa: PLC0415 - as above

    return Against(target, asked.against, {**settings_of(target), **asked.settings})


def _rulings_first(target: str, asked: Asked) -> tuple[tuple[RulingRow, ...], Budget]:
    """Return the rulings beside the rules, asked within half of the time, and what is left of the
    budget; none if not all claims are *asked*, or if this is not the first of several readings.
    """
    if asked.properties or asked.files or asked.beside or not asked.with_claims:
        return (), asked.budget
    meter = Meter(asked.budget)
    rulings = rulings_of(target, meter.rest(2))
    return rulings, meter.rest() if rulings else asked.budget


def unanswered(target: str, asked: Asked, why: str) -> Record:
    """Return the record of all that is *asked* of *target*, each question undecided for *why*, a
    clause; raises InputError.
    """
    program, scope, questions, _ = _read_target(target, asked)
    answers = [
        Answer(_unknown(program, scope, question, why), claim, named)
        for question, claim, named in questions
    ]
    return replace(make_record(program, scope, answers), command=_again(target, asked))


def _unknown(program: ir.Program, scope: Scope, question: Property, why: str) -> Verdict:
    return Verdict(program, question, Outcome.UNKNOWN, scope, NOT_EXPLORED, reason=why)


def _read_target(
    target: str, asked: Asked
) -> tuple[ir.Program, Scope, Sequence[Question], tuple[Diagnostic, ...]]:
    """Return the Program that *target* names, its scope, what is *asked* of it, and warnings about
    it.
    """
    program, questions, warnings = read_target(
        target, asked.settings, asked.properties, asked.files, with_claims=asked.with_claims
    )
    if asked.only_wanting:
        questions = [
            (question, claim, named)
            for question, claim, named in questions
            if claim is not None or named
        ]
    return program, asked.scope(program), questions, warnings


def _again(target: str, asked: Asked) -> str:
    """Return the command that asks of *target* what is *asked*, but for the names of properties."""
    numbers = {"--players": asked.players, "--stack": asked.stack}
    said = [(option, str(number)) for option, number in numbers.items() if number is not None]
    said += [("--scope", f"{zone}={size}") for zone, size in asked.sizes.items()]
    said += [("--against", asked.against)] if asked.against else []
    said += [("--set", f"{option}={value}") for option, value in asked.settings.items()]
    files = (file.name for file in asked.files)
    target = f"./{target}" if target.startswith("-") else target
    return shlex.join(["stacklaw", "check", target, *files, *chain(*said)])


def fixed_by(target: str, asked: Asked) -> set[str]:
    """Return the options that *target*, or what is *asked* of it, says a value of."""
    return {*settings_of(target), *asked.settings}


def prover_of(asked: Asked, standing: Workers | None = None) -> Prover | None:
    """Return who proves what is *asked*, with *standing* workers; raises InputError if proofs are
    wanted and the engine has no prover.
    """
    prover = prover_named(
        asked.engine, eager=asked.prove, explain=asked.explain_proofs, second=asked.certified
    )
    if prover is not None:
        prover.standing = standing
        prover.whole = not asked.unread or asked.prove or asked.explain_proofs or asked.certified
        if not asked.prove:
            prover.budget = NEEDED if asked.beside else NAMED if asked.properties else prover.budget
    return prover


def exit_of(record: Record, fail_on: Collection[FailOn] = FAIL_ON, *, strict: bool = False) -> Exit:
    """Return how a run with *record* ends: badly only for what *fail_on* names, and for warnings if
    it is *strict*.
    """
    if record.interrupted:
        return interrupted()
    statuses = {row.status for row in record.rows if _kind(row) in fail_on}
    others = [row.status for row in record.rulings]
    others += [row.status for row in record.changes.rows] if record.changes else []
    statuses |= {status for status in others if _FAILS[status] in fail_on}
    if strict and record.warnings:
        return Exit.NOT_MET
    return next((code for status, code in _EXITS.items() if status in statuses), Exit.OK)


def _kind(row: Row) -> FailOn:
    """Return as what *row* is bad, if it is."""
    if row.status == "undecided":
        return "unknown"
    return "vacuous" if row.outcome is Outcome.VACUOUS else "violated"
