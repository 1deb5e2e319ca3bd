"""``stacklaw diff``: what an edit changes: of the text, of what players notice, of what is
guaranteed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from ...checker.diff.changes import changes_between
from ...checker.diff.diff import Difference, scopes_of_both
from ...checker.diff.guarantees import (
    Guarantee,
    asked_otherwise,
    guarantees,
    questions_of_both,
)
from ...checker.diff.larger import difference_told, difference_with_room
from ...checker.diff.same import need_common, renaming_of
from ...checker.process.interrupts import INTERRUPTS
from ...checker.prover.proof_file import ProofEntry, ProofsBeside, entry_of, proofs_beside
from ...checker.prover.prover import COMPARED, Prover
from ...checker.rulings.differing import ChangedRulings, changed_rulings
from ...checker.run.check import check
from ...checker.run.engines import DEFAULT, remembering
from ...checker.types.budget import INTERRUPTED, Meter, Tuning
from ...checker.types.scope import Scope
from ...checker.types.verdict import Outcome, Verdict
from ...models import ir
from ...models.load import load, parsed
from ...models.revisions import source_and_settings
from ...models.words import clean_line
from ...properties.formula import Property
from ...properties.load import claims_of
from ...reports.edits.differences import render_difference, render_difference_html
from ...reports.files import check_writable, write_whole
from ...reports.json import render_difference_json
from ...reports.markdown.edits import render_difference_markdown
from ...reports.telling.differences import DifferenceRecord, make_difference_record
from ..asking.ask import Asked, asking
from ..asking.options import bound_options, file_option, flag, format_option, full_option, pair_of
from ..output.exits import Exit, interrupted
from ..output.files import tell_written
from ..output.printing import print_found, say
from ..output.progress import metered, why_ended, with_reasons, within


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "--map",
    "renamed",
    type=pair_of("old=new", "--map"),
    multiple=True,
    metavar="OLD=NEW",
    help="Take OLD, a name in the old rules, for NEW, a name in the new ones.",
)
@bound_options
@full_option
@flag("--plays", help="Tell the plays that show what changed, too.")
@click.option(
    "--fail-on",
    type=click.Choice(["lost", "changed"]),
    default="lost",
    show_default=True,
    help="Exit with 1 if a guarantee is lost, or also if players notice any change.",
)
@file_option(
    "--certificate",
    help="Write proofs, as SMT-LIB, that conditions in other words say the same.",
)
@format_option("text", "markdown", "json", "html")
@asking
def diff_command(
    old: str,
    new: str,
    renamed: tuple[tuple[str, str], ...],
    full: bool,
    plays: bool,
    fail_on: str,
    certificate: Path | None,
    format_: str,
    question: Asked,
) -> int:
    """Tell what an edit changes: the text, what players notice, what is guaranteed.

    OLD and NEW are games (mtg), readings (fow@additions=turn_player), .rules files, or files in git
    (HEAD~1:rules/mine.rules).

    Exits with 0 if nothing is lost, 1 if a guarantee is (see --fail-on), 2 if the input is wrong, 3
    if it is undecided: where nothing differs within the scope, and the rules are not known to be
    the same at every size, too.
    """
    if len(dict(renamed)) < len(set(renamed)):
        raise click.BadParameter("one name is given two new names.", param_hint="--map")
    if certificate is not None:
        check_writable(certificate)
    sides = _Side(old, question.settings), _Side(new, question.settings)
    programs = sides[0].program, sides[1].program
    renaming = renaming_of(*programs, dict(renamed))
    need_common(*programs, renaming)
    scopes = scopes_of_both(
        *programs, renaming, question.players, question.stack, dict(question.sizes)
    )
    with metered(f"{programs[0].name} → {programs[1].name}", question.budget) as meter:
        with within(meter):
            found = (difference_told if question.is_sized else difference_with_room)(
                *programs, scopes, renaming, meter
            )
        found = replace(
            found, compared=replace(found.compared, stopped=why_ended(found.compared.stopped))
        )

        is_interrupted, promised = found.compared.stopped == INTERRUPTED, list[Guarantee]()
        if not is_interrupted:
            try:
                questions = questions_of_both(*programs, renaming)
                if found.is_same:
                    questions = asked_otherwise(questions, renaming)
                asking = _AskedSides((old, new), programs, scopes, meter)
                promised = list(guarantees(*programs, questions, asking.ask))
            except KeyboardInterrupt:
                is_interrupted = True
        changed = (
            ChangedRulings() if is_interrupted or found.is_same else changed_rulings(found, meter)
        )
        is_interrupted = is_interrupted or changed.stopped == INTERRUPTED
    with INTERRUPTS.undisturbed():
        record = make_difference_record(
            found, changes_between(sides[0].tree, sides[1].tree), promised, changed
        )
        documents = {
            "json": render_difference_json,
            "markdown": render_difference_markdown,
            "html": render_difference_html,
        }
        print_found(
            documents.get(format_, partial(render_difference, full=full, plays=plays))(record)
        )
        if certificate is not None:
            _certify(found, certificate)
    if is_interrupted:
        say("interrupted", err=True)
        return interrupted()
    return _exit(record, fail_on)


class _Side:
    """What a command line names as one side: its *source*, the *program* that is read from it, the
    *tree* as it is written.
    """

    def __init__(self, target: str, settings: Mapping[str, str]) -> None:
        source, said = source_and_settings(target)
        self.program = load(source, {**said, **settings})
        self.tree, _ = parsed(source)


class _AskedSides:
    """Asks the *programs* of an edit, the old rules before the new ones, each within its scope and
    as far as the budget of *meter* goes; *targets* are what a command line calls them.

    What proves the old rules is tried on the new ones before any other proof is looked for. What
    the old ones are not known to promise at every size, by a proof or a play, is tried only where
    no search decides it.
    """

    def __init__(
        self,
        targets: tuple[str, str],
        programs: tuple[ir.Program, ir.Program],
        scopes: tuple[Scope, Scope],
        meter: Meter,
    ) -> None:
        self.programs, self.scopes, self.meter = programs, scopes, meter
        self._beside = [proofs_beside(*side) for side in zip(targets, programs, strict=True)]
        self._of_old: Sequence[Verdict] = ()

    def ask(self, program: ir.Program, questions: Sequence[Property]) -> Sequence[Verdict]:
        """Return the verdicts on *questions* about *program*; raises KeyboardInterrupt."""
        is_old = program is self.programs[0]
        parts = Meter(self.meter.rest(2 if is_old else 1), self.meter.on_progress)
        with within(parts):
            verdicts = check(
                program,
                questions,
                self.scopes[0 if is_old else 1],
                parts.budget,
                parts.on_progress,
                remembering(DEFAULT, Tuning()),
                self._prover_of_old() if is_old else self._prover_of_new(questions),
            )
        verdicts = with_reasons(verdicts)
        if any(verdict.reason == INTERRUPTED for verdict in verdicts):
            raise KeyboardInterrupt
        if is_old:
            self._of_old = verdicts
        return verdicts

    def _prover_of_old(self) -> Prover:
        own = self._beside[0]
        names = own.names if own is not None else frozenset[str]()
        return self._prover(0, (), names or None)

    def _prover_of_new(self, questions: Sequence[Property]) -> Prover:
        proved = {
            verdict.property.name: entry_of(
                verdict.proof.excerpt, verdict.proof.solvers, verdict.proof.spent
            )
            for verdict in self._of_old
            if verdict.proof is not None
        }
        asked = {verdict.property.name for verdict in self._of_old}
        others = {question.name for question in questions} - asked
        # What is promised by a play of the old rules is lost only if no size of the new ones has
        # one.
        fails = {
            one.claim.name for one in claims_of(self.programs[0]) if one.claim.expect == "fails"
        }
        shown = {
            verdict.property.name
            for verdict in self._of_old
            if verdict.outcome is Outcome.POSSIBLE
            or (verdict.outcome is Outcome.VIOLATED and verdict.property.name in fails)
        }
        return self._prover(1, [*proved.values()], frozenset(proved) | others | shown)

    def _prover(
        self, side: int, entries: Sequence[ProofEntry], only: frozenset[str] | None
    ) -> Prover:
        """Return who proves what holds of a *side* by *entries* and what lies beside both; where
        there is *only* a hope for some, by name, nothing else is tried.
        """
        beside = (self._beside[side], self._beside[1 - side])
        entries = [*entries, *(one for its in beside if its is not None for one in its.entries)]
        program = self.programs[side]
        draft = ProofsBeside(program.name, Path(), program, entries, is_draft=True)
        return Prover(COMPARED, whole=False, beside=draft, only=only)


def _certify(found: Difference, path: Path) -> None:
    """Write what was proved of conditions to *path*, if anything was."""
    if found.proved:
        write_whole(path, "(reset)\n".join(one.certificate for one in found.proved))
        tell_written(path)
    else:
        say(f"{clean_line(str(path))}: no proof was needed, or there is none.", err=True)


def _exit(record: DifferenceRecord, fail_on: str) -> Exit:
    """Return how a run with *record* ends."""
    if record.fated("lost", "vacuous", "gone", "unmet", claimed=True) or record.fated("lost"):
        return Exit.NOT_MET
    if fail_on == "changed" and record.sameness == "different":
        return Exit.NOT_MET
    if record.sameness in ("undecided", "same within the scope") or record.fated(
        "undecided", claimed=True
    ):
        return Exit.UNDECIDED
    return Exit.OK
