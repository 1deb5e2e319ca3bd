"""Formulas about the future on all short plays of a game at once, by their definition.

A word is what the parts of a formula are at each moment of a play, and the moment to which it goes
back. Words of the same shape are looked at together: for each part and moment there is a number,
with a bit for each word. No automaton, and nothing guessed.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from stacklaw.checker.reference.formulas.evaluate import Evaluator
from stacklaw.checker.reference.lasso import acts
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import Trace, TraceStep
from stacklaw.properties import formula as f
from stacklaw.properties.binding.future import always, eventually, otherwise

Word = tuple[list[tuple[bool, ...]], int | None]
"""What is true at each moment, and the moment that comes after the last one: None if none does."""
Drawn = Callable[[random.Random, int], f.Temporal]


def drawn(chance: random.Random, parts: int, depth: int) -> f.Temporal:
    """Draw what is said of the future, in terms of this number of *parts*."""
    kind = chance.random()
    if depth == 0 or kind < 0.15:
        return f.PartHolds(chance.randrange(parts))
    inner = drawn(chance, parts, depth - 1)
    if kind < 0.35:
        return otherwise(inner)
    if kind < 0.5:
        return f.Together((inner, drawn(chance, parts, depth - 1)))
    if kind < 0.7:
        return f.Until(inner, drawn(chance, parts, depth - 1))
    return chance.choice(
        [eventually(inner), always(inner), always(eventually(inner)), eventually(always(inner))]
    )


def plays(
    interpreter: Interpreter, most_moves: int, most_plays: int
) -> Iterator[tuple[Trace, int | None]]:
    """Yield short plays that end, with None, and those that go round, with the moment to which they
    go back.
    """
    layer, known = [Trace(interpreter.initial(), ())], dict[object, tuple[TraceStep, ...]]()
    for _ in range(most_moves):
        following = []
        for play in layer:
            positions = play.positions
            yield from (
                (play, number)
                for number in range(len(positions) - 1)
                if positions[number] == positions[-1]
            )
            if positions[-1] not in known:
                known[positions[-1]] = tuple(
                    TraceStep(move, target)
                    for move, target in interpreter.moves(positions[-1]).moves
                )
            if not known[positions[-1]] and not interpreter.allowed(positions[-1]):
                yield play, None
            following += [replace(play, steps=(*play.steps, step)) for step in known[positions[-1]]]
        layer = following[:most_plays]


def word_of(
    interpreter: Interpreter, trace: Trace, again: int | None, parts: Collection[f.Formula]
) -> Word | None:
    """Return what is true along *trace*; None if the fourth round differs from the third, so that
    more would have to be seen.
    """
    loop = () if again is None else trace.steps[again:]
    evaluator = Evaluator(interpreter, replace(trace, steps=trace.steps + loop * 3))
    truths = [
        tuple(evaluator.holds(part, moment) for part in parts)
        for moment in range(len(trace.steps) + 3 * len(loop) + 1)
    ]
    if again is None:
        return truths, None
    if truths[-len(loop) :] != truths[-2 * len(loop) : -len(loop)]:
        return None
    while (
        len(truths) > len(trace.steps) + 1
        and truths[-len(loop) :] == truths[-2 * len(loop) : -len(loop)]
    ):
        del truths[-len(loop) :]
    return truths, len(truths) - len(loop)


class Words:
    """Words of the *parts*, those with the same shape together."""

    def __init__(self, words: Iterable[Word]) -> None:
        shapes: dict[tuple[int, int | None], dict[tuple[tuple[bool, ...], ...], None]] = (
            defaultdict(dict)
        )
        for truths, again in words:
            shapes[len(truths), again][tuple(truths)] = None
        self._shapes = [
            _Shape(length, again, list(alike)) for (length, again), alike in shapes.items()
        ]

    def fit(self, temporal: f.Temporal) -> bool:
        """Whether *temporal* is true at moment 0 of some word."""
        return any(shape.at(temporal)[0] for shape in self._shapes)


class _Shape:
    def __init__(
        self, length: int, again: int | None, words: list[tuple[tuple[bool, ...], ...]]
    ) -> None:
        self.moments, self.again, self.every = range(length), again, (1 << len(words)) - 1
        parts = range(len(words[0][0]))
        self.parts = [
            [
                sum(1 << number for number, word in enumerate(words) if word[moment][part])
                for moment in self.moments
            ]
            for part in parts
        ]

    def at(self, temporal: f.Temporal) -> list[int]:
        """Return for each moment the words at which *temporal* is true there."""
        match temporal:
            case f.PartHolds(number):
                return self.parts[number]
            case f.Otherwise(operand):
                return [self.every ^ one for one in self.at(operand)]
            case f.Together(parts):
                found = [self.every for _ in self.moments]
                for part in parts:
                    found = [one & other for one, other in zip(found, self.at(part), strict=True)]
                return found
            case f.Until(left, right):
                return self._until(self.at(left), self.at(right))

    def _until(self, left: list[int], right: list[int]) -> list[int]:
        """Return where *right* comes before *left* ends: within two rounds, or never."""
        found, after = list(right), 0
        for _ in range(1 if self.again is None else 2):
            for moment in reversed(self.moments):
                found[moment] = after = right[moment] | left[moment] & after
            after = 0 if self.again is None else found[self.again]
        return found


def words_of(
    interpreter: Interpreter,
    found: Iterable[tuple[Trace, int | None]],
    parts: Collection[f.Formula],
) -> Callable[..., Words]:
    """Return what gives the words of those plays in whose loops none of *assuming* acts."""
    known = []
    for trace, again in found:
        if (word := word_of(interpreter, trace, again, parts)) is not None:
            moves = trace.steps[again:] if again is not None else ()
            known.append(
                (
                    word,
                    {
                        who
                        for who in ("players", "cards")
                        if any(acts(who, step.move, interpreter) for step in moves)
                    },
                )
            )

    def of(assuming: Collection[str]) -> Words:
        return Words(word for word, acting in known if not acting & set(assuming))

    return of
