"""Proofs as text: how many of a record's verdicts are for every size, what each proof rests on, and
why there is none.

In: the rows of a `Record`. Out: words for the head of the page, and a section on request.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...models.options.cases import runs
from ...models.words import counted, join_words
from ..telling.record import STILL, WITH_PROVE, ProofRecord, Row
from .page import indented

_THOUSAND = 1000
_MARK = re.compile(r"(?:\d+\.|\[\d+\]:|(?:always|at [^:]{1,36}):) ")
"""What a sentence begins with that others are counted or sought by: a number, or a few stages."""


def proved_words(rows: Sequence[Row]) -> str:
    """Return how many of *rows* are proved, and for which sizes, in words; empty if nothing was
    tried.
    """
    tried = [row for row in rows if row.proof or row.unproved]
    proofs = [row.proof for row in tried if row.proof]
    reasons = Counter(row.untried for row in tried if row.untried)
    left = "".join(
        f"; {number} {_untried_words(reason, number)}" for reason, number in reasons.items()
    )
    if not proofs:
        return f"none of {len(tried)}{left}" if left else ""
    number = f"{len(proofs)} of {len(tried)}, " if len(proofs) < len(tried) else ""
    return f"{number}for {proofs[0].every}{left}"


def _untried_words(reason: str, number: int) -> str:
    """Return what there is to say of properties whose proof was not tried, for this *reason*."""
    if reason == STILL:
        return STILL
    return (
        "not tried "
        f"({reason.replace(' it', ' them') if reason == WITH_PROVE and number > 1 else reason})"
    )


def render_proofs(rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield what each proof among *rows* rests on, why there is none where one was sought, and what
    the proofs do without.
    """
    tried = [row for row in rows if row.proof or row.unproved]
    if not tried:
        return
    proofs = [row.proof for row in tried if row.proof]
    yield Text(f"Proofs, for {proofs[0].every}:" if proofs else "Proofs:", "bold")
    forgotten = list_forgotten(proofs)
    for row in tried:
        yield indented(Group(*_proof_lines(row, forgotten)))
    yield from render_forgotten(forgotten)
    yield Text("")


def list_forgotten(proofs: Sequence[ProofRecord]) -> list[str]:
    """Return what *proofs* do without, each sentence once; its number is its place."""
    return list(dict.fromkeys(sentence for proof in proofs for sentence in proof.forgets))


def ignored_words(proof: ProofRecord, forgotten: Sequence[str]) -> str:
    """Return which sentences of *forgotten* say what *proof* does without."""
    numbers = sorted(forgotten.index(sentence) + 1 for sentence in proof.forgets)
    return f"ignoring {join_words(_in_ranges(numbers))}" if numbers else "ignoring nothing"


def _in_ranges(numbers: Sequence[int]) -> list[str]:
    """Return *numbers*, which ascend, three and more in a row as a range."""
    said: list[str] = []
    for first, last in runs(numbers):
        said += [f"{first} to {last}"] if last - first > 1 else map(str, range(first, last + 1))
    return said


def render_forgotten(forgotten: Sequence[str]) -> Iterator[RenderableType]:
    """Yield the sentences of *forgotten* under their numbers."""
    if forgotten:
        yield Text("")
        yield Text(
            "What the proofs ignore, by number. Each adds plays that the rules do not have, and "
            "loses none:"
        )
        yield from (
            _hanging(f"{number}. {sentence}", 2) for number, sentence in enumerate(forgotten, 1)
        )


def _hanging(sentence: str, indent: int) -> RenderableType:
    """Return *sentence*, indented; its further lines are under what follows its
    number, or its places.
    """
    mark = _MARK.match(sentence)
    if mark is None:
        return indented(sentence, indent)
    grid = Table.grid()
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(mark[0]), Text(sentence.removeprefix(mark[0])))
    return indented(grid, indent)


def _proof_lines(row: Row, forgotten: Sequence[str]) -> Iterator[RenderableType]:
    head = Text(f"{row.name}: ")
    if row.proof is None:
        yield head.append(row.outcome, "yellow").append(
            f" within the scope; no proof: {row.unproved}"
        )
        return
    size = max(len(row.proof.certificate.encode()) // _THOUSAND, 1)
    rests = (
        f", {counted(row.proof.obligations, 'obligation')} in {size:,} kB, "
        f"{ignored_words(row.proof, forgotten)}"
    )
    yield head.append(row.outcome, "green").append(rests)
    if row.proof.file:
        yield indented(row.proof.file)
    if row.proof.invariant and not row.has_to_be_told:
        yield indented(Text(row.formula, "italic"))
    yield from explained(row.proof)


def explained(proof: ProofRecord) -> Iterator[RenderableType]:
    """Yield what *proof* rests on, as far as that was asked for."""
    below = [_seen_by(proof)]
    if proof.lemmas:
        below.append(
            f"It builds on the {'lemma' if len(proof.lemmas) == 1 else 'lemmas'} "
            f"{join_words(proof.lemmas)}."
        )
    if proof.rests_on is not None:
        needed = join_words(proof.rests_on)
        others = (
            f"{needed}, and at most on what the other clauses touch"
            if needed
            else "what clauses touch, whatever they demand and give"
        )
        below.append(f"It rests on {others}.")
    if proof.invariant:
        below.append("Why it is so:")
    yield from (indented(line) for line in below)
    yield from (_hanging(sentence, 4) for sentence in proof.invariant)


def _seen_by(proof: ProofRecord) -> str:
    """Return which solvers have seen *proof*."""
    if len(proof.solvers) > 1:
        return f"{join_words(proof.solvers)} find every obligation met."
    rest = f"{join_words(proof.gave_up)} gave up" if proof.gave_up else "no other solver was asked"
    return f"{join_words(proof.solvers)} finds every obligation met; {rest}."
