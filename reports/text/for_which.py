"""For which values of options a property holds: what is known of each case -> a table, and the
answer as one condition.

In: a `CaseTable`. Out: rich renderables, and the sentence. What is proved for every size, what only
holds within the scope, what fails and what is open are told apart; cases of which the same is known
are told together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from ...checker.types.verdict import Outcome
from ...models import ir
from ...models.frozen import frozen
from ...models.options.cases import Case, in_words
from ...models.words import counted, join_words
from ..telling.record import ProofRecord, Row
from .page import OUTCOME_STYLE, grouped
from .proofs import explained, ignored_words, list_forgotten, render_forgotten

if TYPE_CHECKING:
    from rich.console import RenderableType

_SAID = {
    Outcome.PROVED: "holds",
    Outcome.HOLDS: "holds within the scope",
    Outcome.VIOLATED: "does not hold",
    Outcome.VACUOUS: "says nothing within the scope",
    Outcome.POSSIBLE: "is possible",
    Outcome.IMPOSSIBLE: "is impossible within the scope",
    Outcome.BOUNDED: "is undecided",
    Outcome.UNKNOWN: "is undecided",
}
OPEN = "is open"
_CONTRARY = {"does not hold", "is possible"}


@frozen
class Known:
    """What is known of one case: its *row*, if it was checked; else the *reason* why it was not.

    If there is nothing to know, *nothing* says why.
    """

    row: Row | None = None
    reason: str = ""
    nothing: str = ""

    @property
    def proof(self) -> ProofRecord | None:
        """The proof for every size, if there is one."""
        return self.row.proof if self.row else None


@frozen
class CaseGroup:
    """Cases of which the same is *said*: the verdict, of which sizes it is if it is proved, how
    long the shortest and longest play is.
    """

    cases: tuple[Case, ...]
    said: str
    outcome: Outcome | None
    every: str
    moves: tuple[int, ...]
    reason: str


@frozen
class CaseTable:
    """What is known of the property *name* of the ruleset *game* in each case of *options*.

    *is_possibility* says that it asks whether something is possible, so that a proof says that it
    is not.
    """

    name: str
    game: str
    options: tuple[ir.Option, ...]
    known: Mapping[Case, Known]
    is_possibility: bool = False

    @property
    def proofs(self) -> Iterator[tuple[Case, ProofRecord]]:
        """The proofs, each with its case."""
        return ((case, known.proof) for case, known in self.known.items() if known.proof)

    @cached_property
    def parts(self) -> tuple[CaseGroup, ...]:
        """The cases, those of which the same is said together, in the order of the first of
        each.
        """
        groups: dict[str, list[Case]] = {}
        for case, known in self.known.items():
            groups.setdefault(self._known_words(known), []).append(case)
        return tuple(self._part(said, tuple(cases)) for said, cases in groups.items())

    def _known_words(self, known: Known) -> str:
        if known.row is None:
            return known.nothing or OPEN
        if known.proof is not None and known.row.outcome is not Outcome.VACUOUS:
            return f"{'is impossible' if self.is_possibility else 'holds'} for {known.proof.every}"
        return _SAID[known.row.outcome]

    def _part(self, said: str, cases: tuple[Case, ...]) -> CaseGroup:
        known = [self.known[case] for case in cases]
        lengths = [one.row.play.moments[-1].number for one in known if one.row and one.row.play]
        reasons = dict.fromkeys(one.row.reason if one.row else one.reason for one in known)
        row, proof = known[0].row, known[0].proof
        return CaseGroup(
            cases,
            said,
            row.outcome if row else None,
            proof.every if proof else "",
            (min(lengths), max(lengths)) if lengths else (),
            "; ".join(filter(None, reasons)),
        )

    @property
    def is_open(self) -> bool:
        """Whether anything is undecided."""
        return any(
            part.said == OPEN or part.outcome in (Outcome.BOUNDED, Outcome.UNKNOWN)
            for part in self.parts
        )

    @property
    def condition(self) -> str:
        """For which values what is the case, as a sentence: ``holds … exactly when leaving is
        no``.
        """
        parts = [part for part in self.parts if not self.known[part.cases[0]].nothing]
        others = [
            f"{part.said} when {in_words(self.options, part.cases)}"
            for part in self.parts
            if part not in parts
        ]
        return "; ".join(
            [self._verdicts(parts), *others] if parts else [part.said for part in self.parts]
        )

    @property
    def whatever(self) -> str:
        """All cases, in words: ``whatever cards is``."""
        names = [option.name for option in self.options]
        return f"whatever {join_words(names)} {'is' if len(names) == 1 else 'are'}"

    def _verdicts(self, parts: list[CaseGroup]) -> str:
        """Return what is said in *parts*, as one sentence."""
        if len(self.parts) == 1:
            return f"{parts[0].said}, {self.whatever}"
        good = [part for part in parts if part.said not in _CONTRARY]
        bad = [part for part in parts if part.said in _CONTRARY]
        if len(good) == len(bad) == 1 and good[0].said.startswith(("holds", "is impossible")):
            return f"{good[0].said} exactly when {in_words(self.options, good[0].cases)}"
        return "; it ".join(
            f"{part.said} when {in_words(self.options, part.cases)}" for part in parts
        )


@grouped
def render_for_which(
    answer: CaseTable, *, explain_proofs: bool, harder: bool = False
) -> Iterator[RenderableType]:
    """Return the table of what is known, and the condition below it; with *explain_proofs* also
    what the proofs rest on.

    *harder* says that more can be tried than was.
    """
    table = Table(box=None, pad_edge=False, show_header=False)
    for part in answer.parts:
        open_ = Text("open", "yellow") if part.said == OPEN else Text("-")
        outcome = Text(part.outcome, OUTCOME_STYLE[part.outcome]) if part.outcome else open_
        table.add_row(
            f"  {in_words(answer.options, part.cases) or answer.whatever}", outcome, _evidence(part)
        )
    asked = join_words([option.name for option in answer.options])
    yield from (
        Text(f"{answer.name}: for which {asked}?", "bold"),
        table,
        Text(f"{answer.name} {answer.condition}."),
    )
    yield from [Text(line) for line in _more(answer)]
    if harder and any(
        part.outcome in (Outcome.HOLDS, Outcome.IMPOSSIBLE) and not part.every
        for part in answer.parts
    ):
        yield Text("What is not proved may be with --prove, which tries harder.")
    yield from _explained(answer) if explain_proofs else ()


def _explained(answer: CaseTable) -> Iterator[RenderableType]:
    """Yield what each proof rests on, and what they do without."""
    forgotten = list_forgotten([proof for _, proof in answer.proofs])
    alike: dict[ProofRecord, list[Case]] = {}
    for case, proof in answer.proofs:
        alike.setdefault(replace(proof, certificate="", file=""), []).append(case)
    for proof, cases in alike.items():
        without = ignored_words(proof, forgotten)
        yield Text(
            f"The proof{_when(answer, cases)}, of {counted(proof.obligations, 'obligation')}, "
            f"{without}:"
        )
        yield from explained(proof)
    yield from render_forgotten(forgotten)


def _evidence(part: CaseGroup) -> str:
    if part.every:
        return f"for {part.every}"
    if part.outcome in (Outcome.HOLDS, Outcome.IMPOSSIBLE, Outcome.VACUOUS):
        return "within the scope"
    if not part.moves:
        return part.reason if part.said == OPEN or part.outcome else part.said
    least, most = part.moves
    return (
        f"a play of {counted(least, 'move')}"
        if least == most
        else f"plays of {least} to {counted(most, 'move')}"
    )


def _when(answer: CaseTable, cases: Sequence[Case]) -> str:
    words = in_words(answer.options, cases)
    return f" when {words}" if words else ""


def _more(answer: CaseTable) -> Iterator[str]:
    """Yield where the certificates are, and how to see a play."""
    for case, proof in answer.proofs:
        if proof.file:
            yield f"The certificate{_when(answer, [case])}: {proof.file}"
    shown = next(
        (case for case, known in answer.known.items() if known.row and known.row.play), None
    )
    if shown is not None:
        settings = "".join(
            f" --set {option.name}={value}"
            for option, value in zip(answer.options, shown, strict=True)
        )
        yield f"To see a play: stacklaw check {answer.game} -p {answer.name}{settings}"
