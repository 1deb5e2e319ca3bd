"""An invariant in the ruleset's own words: a Proof -> sentences, each with the stages at which it
is always true.

Only the inductive core of the invariant is told, which is what the proof needs. What is always true
of a cell by its type is not repeated.
"""

from __future__ import annotations

from ....models.words import join_words
from ..encoding.encode import encoding
from ..prove import Proof
from ..safety.core import inductive_core
from .cells import cells_in_words
from .literals import sentences

NOTHING = "always: nothing else is needed, each move keeps the property by itself"


def in_words(proof: Proof) -> tuple[str, ...]:
    """Return the invariant of *proof*, in sentences of the form ``at decide and passing: if p in
    passed, i not on stack``.
    """
    cells, long = cells_in_words(encoding(proof.program, proof.question, proof.precision))
    core = inductive_core(proof.system, proof.invariant)
    places: dict[tuple[str, str], list[str]] = {}
    for stage, conjuncts in core.conjuncts.items():
        for sentence in sentences(conjuncts, proof.system.known[stage], cells):
            stages = places.setdefault(sentence.in_two(), [])
            if stage not in stages:
                stages.append(stage)
    grouped: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (condition, follows), stages in places.items():
        grouped.setdefault((tuple(stages), condition), []).append(follows)
    everywhere = tuple(proof.system.cells)
    said = [
        _sentence(stages, condition, follows, everywhere)
        for (stages, condition), follows in grouped.items()
    ]
    said += [
        f"[{number}]: {words}"
        for words, number in long.items()
        if any(f"[{number}]" in sentence for sentence in said)
    ]
    return tuple(said) or (NOTHING,)


def _sentence(
    stages: tuple[str, ...], condition: str, follows: list[str], everywhere: tuple[str, ...]
) -> str:
    where = "always" if stages == everywhere else f"at {join_words(stages)}"
    what = "; ".join(follows) if any(" and " in part for part in follows) else " and ".join(follows)
    what, condition = _bare(what), _bare(condition)
    return f"{where}: if {condition}, then {what}" if condition else f"{where}: {what}"


def _bare(words: str) -> str:
    """Return *words* without parentheses around all of them."""
    depth = 0
    for place, letter in enumerate(words):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return words[1:-1] if letter == ")" and place == len(words) - 1 else words
    return words
