"""Proving: the proofs of a ruleset, each reading of it in turn -> the file beside it; or such a
file -> what in it is no proof.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ...checker.certified import why_unchecked
from ...checker.process.interrupts import INTERRUPTS
from ...checker.process.serving import answer_in
from ...checker.prover.proof_file import (
    FailedAttempt,
    MalformedError,
    ProofEntry,
    ProofsBeside,
    entries_text,
    entry_of,
    packed_entries,
    read_entries,
    read_failed,
    read_file,
    read_text,
)
from ...checker.prover.prover import Prover
from ...checker.prover.request import NODES, Rechecked, ToRecheck, request_data
from ...checker.prover.workers import replies
from ...checker.run.check import check
from ...checker.run.cuts import could_be_unshown
from ...checker.run.engines import engine_named
from ...checker.types.budget import INTERRUPTED, Budget
from ...checker.types.scope import scope_of
from ...checker.types.verdict import Verdict
from ...models import ir
from ...models.diagnostics import InputError, wrong_input
from ...models.frozen import frozen
from ...models.options.cases import other_readings
from ...models.shipped import file_beside
from ...models.words import settings_words
from ...properties.formula import Property
from ...reports.files import check_writable, write_whole
from ..output.progress import metered, progress
from .ask import Asked, fixed_by, prover_of
from .reading import read_target

_DEAR = 100_000
"""An attempt that failed with fewer units is as quickly made again as looked up."""
OTHER_RULES = "it is of other rules than these"
OTHER_QUESTION = "it is of a property that is not asked of these rules"


@frozen
class Proven:
    """What came of it: *proofs* proofs are in the *file*, *new* of them new.

    *unproved* has the reading, the name and the reason for each property that holds without a
    proof. *ended* says why it ended early, if it did, *is_written* that the file was written.
    """

    file: Path
    proofs: int
    new: int
    unproved: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]
    ended: str
    is_written: bool


@frozen
class CheckedProofs:
    """What came of a *file* of *proofs* proofs: what is *wrong*, each with the line of the entry
    and the name of the property.
    """

    file: Path
    proofs: int
    wrong: tuple[tuple[int, str, str], ...]


class _Reading(NamedTuple):
    """A reading of a ruleset: its Program, and what is asked of it by the key of an entry."""

    program: ir.Program
    questions: Mapping[tuple[str, str], Property]


class _Ruleset:
    """The readings of the ruleset called *name*, by their settings."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.of = cache(self._reading_of)

    def _reading_of(self, settings: str) -> _Reading | None:
        """Return the reading of those *settings*; None if there is no such."""
        parts = (part.partition("=") for part in settings.split(", ") if part)
        try:
            program, asked, _ = read_target(self.name, {name: value for name, _, value in parts})
        except InputError:
            return None
        about = ProofsBeside(self.name, file_beside(self.name, ".proofs"), program)
        questions = [
            one
            for question, _, _ in asked
            for one in (question, *could_be_unshown(program, question))
        ]
        return _Reading(program, {about.key(question): question for question in questions})

    def question(self, entry: ProofEntry) -> tuple[ir.Program, Property] | str:
        """Return what *entry* is of, or why it is of nothing here."""
        reading = self.of(entry.settings)
        if reading is None or not any(entry.key[0] == rules for rules, _ in reading.questions):
            return OTHER_RULES
        question = reading.questions.get(entry.key)
        return OTHER_QUESTION if question is None else (reading.program, question)

    def in_order(self, entries: Mapping[tuple[str, str], ProofEntry]) -> Iterator[ProofEntry]:
        """Yield the *entries* that prove something here, reading by reading, in the order in which
        it is asked.
        """
        first, _, _ = read_target(self.name, {})
        default = settings_words(first.settings)
        for settings in sorted(
            {entry.settings for entry in entries.values()}, key=lambda one: (one != default, one)
        ):
            reading = self.of(settings)
            if reading is not None:
                yield from (entries[key] for key in reading.questions if key in entries)


# ------------------------------------------------------------------ proving


def prove_beside(target: str, asked: Asked, *, all_readings: bool) -> Proven:
    """Prove what is *asked* of *target*, of each reading of it if *all_readings*, and write the
    file beside it; raises InputError.
    """
    file = file_beside(target, ".proofs")
    check_writable(file)
    notes: list[str] = []
    before, failed_before = list[ProofEntry](), list[FailedAttempt]()
    try:
        text = read_text(file)
        before, failed_before = read_entries(text), read_failed(text)
    except FileNotFoundError:
        pass
    except MalformedError as error:
        notes.append(
            f"{file.name} is written anew, for of what was there, line {error.line}: {error}"
        )
    failed: _Failed = {one.key: one for one in failed_before if one.is_current}
    entries = {entry.key: entry for entry in before}
    unproved: list[tuple[str, str, str]] = []
    new, is_over = 0, ""
    for settings in _readings(target, asked, all_readings=all_readings):
        about, verdicts, is_over, prover = _verdicts(
            target, replace(asked, settings=settings), file, before
        )
        notes += prover.notes
        found = {verdict.property: verdict.proof for verdict in verdicts}
        found |= {question: attempt.proof for question, attempt in prover.tried.items()}
        for question, proof in found.items():
            key = about.key(question)
            if proof is not None:
                if key not in entries or not entries[key].says(proof.excerpt):
                    entries[key] = entry_of(proof.excerpt, proof.solvers, proof.spent)
                    new += 1
            elif not is_over:
                entries.pop(key, None)
        failed = _failed_after(failed, about, prover, is_whole=not asked.properties)
        unproved += [
            (about.program.name, verdict.property.name, verdict.unproved)
            for verdict in verdicts
            if verdict.proof is None and verdict.unproved
        ]
        if is_over == INTERRUPTED:
            break
    with INTERRUPTS.undisturbed():
        kept = list(_Ruleset(target.partition("@")[0]).in_order(entries))
        rules = {entry.key[0] for entry in kept}
        left = [one for key, one in failed.items() if key[0] in rules]
        is_written = bool(kept or before) and entries_text(kept, left) != entries_text(
            before, failed_before
        )
        if is_written:
            write_whole(file, packed_entries(kept, left))
    return Proven(file, len(kept), new, tuple(unproved), tuple(notes), is_over, is_written)


_Failed = Mapping[tuple[str, str], FailedAttempt]


def _failed_after(
    failed: _Failed, about: ProofsBeside, prover: Prover, *, is_whole: bool
) -> _Failed:
    """Return the attempts that have *failed* by now that *prover* has tried the program that proofs
    are *about*, all that is asked of it if that *is_whole*.

    What was quick, or told more than that there is no proof, is tried again.
    """
    units = min(prover.budget.each, prover.budget.own, prover.budget.unshown)
    tried = {about.failure(question, units): one for question, one in prover.tried.items()}
    again = {attempt.key for attempt in tried}
    left = {
        key: attempt
        for key, attempt in failed.items()
        if key not in again and not (is_whole and attempt.rules == about.rules)
    }
    return left | {
        attempt.key: attempt
        for attempt, came in tried.items()
        if came.proof is None and came.spent >= _DEAR and not (came.is_finite or came.is_refuted)
    }


def _readings(target: str, asked: Asked, *, all_readings: bool) -> list[Mapping[str, str]]:
    program, _, _ = read_target(target, asked.settings, asked.properties)
    others = other_readings(program, fixed_by(target, asked)) if all_readings else ()
    return [asked.settings, *({**asked.settings, **settings} for settings in others)]


def _verdicts(
    target: str, asked: Asked, file: Path, before: list[ProofEntry]
) -> tuple[ProofsBeside, list[Verdict], str, Prover]:
    """Return a reading with its entries, the verdicts on what is *asked* of it, why that was ended
    if it was, and who proved them, with notes.
    """
    program, questions, _ = read_target(target, asked.settings, asked.properties)
    properties = list(dict.fromkeys(question for question, _, _ in questions))
    prover = prover_of(asked)
    assert prover is not None
    prover.beside = about = ProofsBeside(target, file, program, before, is_draft=True)
    with progress(program.name) as on_progress:
        found = check(
            program,
            properties,
            scope_of(program, None, None, {}),
            asked.budget,
            on_progress,
            engine_named(asked.engine),
            prover,
        )
    said = {verdict.reason for verdict in found} | {verdict.unproved for verdict in found}
    ended = (
        INTERRUPTED
        if INTERRUPTED in said
        else next((one for one in said if one.startswith("the time of")), "")
    )
    return about, found, ended, prover


# ------------------------------------------------------------------ checking


def check_proofs(target: str) -> CheckedProofs:
    """Return what in the file beside *target* is no proof of its rules; raises InputError if there
    is no such file.
    """
    file, ruleset = file_beside(target, ".proofs"), _Ruleset(target.partition("@")[0])
    read_target(ruleset.name, {})  # a mistake in the rules is told as such
    entries = _entries_of(file, ruleset.name)
    asked = [(entry, ruleset.question(entry)) for entry in entries]
    wrong = [(entry.line, entry.name, found) for entry, found in asked if isinstance(found, str)]
    fresh = [(entry, found) for entry, found in asked if not isinstance(found, str)]
    requests = [
        request_data(ToRecheck(program, question, entry.text))
        for entry, (program, question) in fresh
    ]
    with metered(file.name, Budget()) as meter:
        meter.begin("checking")
        done: list[int] = []
        for place, reply in replies(
            requests, os.cpu_count() or 1, lambda: meter.count(len(done), len(requests))
        ):
            done.append(place)
            entry, found = fresh[place][0], answer_in(NODES, reply, Rechecked)
            if found is None or found.attempt.proof is None:
                why = why_unchecked(reply) if found is None else found.attempt.reason
                wrong.append((entry.line, entry.name, why))
    return CheckedProofs(file, len(entries), tuple(sorted(wrong)))


def proofs_text(target: str) -> str:
    """Return the text of the file beside *target*; raises InputError if there is no such file."""
    file = file_beside(target, ".proofs")
    entries = _entries_of(file, target.partition("@")[0])
    return entries_text(entries, read_failed(read_text(file)))


def _entries_of(file: Path, ruleset: str) -> list[ProofEntry]:
    again = f"`stacklaw prove {ruleset}` writes one"
    try:
        return read_file(file)
    except MalformedError as error:
        raise wrong_input(
            "L112", f"`{file}` is no file of proofs: line {error.line}, {error}.", hint=again
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise wrong_input("L112", f"`{file}` cannot be read: {why}.", hint=again) from None
