"""The engines by name, who proves what they found, and who remembers it.

What is remembered lies under a name made of all that it depends on (`models.storage.keeping`): the
Program, all that was asked together (which searches are shared depends on that), the scope, what a
search may leave out, and the code of the engine. It is believed only if this user's key has signed
it; plays are made again on the interpreter. What a time or a memory had a say in is not kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias, assert_never

from ...models.diagnostics import wrong_input
from ...models.frozen import frozen
from ...models.ir import Program
from ...models.storage.keeping import DECISIONS, keep_tree, kept_tree, name_of
from ...models.storage.key import engine_digest
from ...models.storage.opening import cache_folder
from ...models.trees import Trees
from ...properties import formula
from ...properties.formula import Property
from ..explicit.engine import Explicit
from ..prover.prover import LARGE, SMALL, Prover
from ..questions.questions import of_each_clause
from ..reference.engine import Reference
from ..reference.semantics.interpreter import Interpreter
from ..replay import replay
from ..replay.replay import EncodedTrace, ReplayError, encode_trace, move_numbers, remade
from ..types import engine as engines
from ..types import position, verdict
from ..types import position as traces
from ..types.budget import Meter, Tuning
from ..types.engine import Decision, Engine
from ..types.scope import Scope
from ..types.verdict import Counts

EngineName: TypeAlias = Literal["all", "explicit", "reference"]
DEFAULT: EngineName = "all"
"""The default: the explicit engine decides, and the symbolic one then tries what that found to
hold.
"""


def engine_named(name: EngineName, tuning: Tuning | None = None) -> Engine:
    """Return who searches: the meaning itself, or the same answers faster, as *tuning* says; raises
    InputError.
    """
    tuning = tuning or Tuning()
    match name:
        case "reference":
            if tuning.threads > 1 or any(
                one is not None for one in (tuning.checkpoints, tuning.cluster, tuning.disk)
            ):
                has_not = "the reference engine has no threads, checkpoints, cluster or disk"
                raise wrong_input("C109", has_not, hint="--engine explicit has")
            return Reference()
        case "explicit" | "all":
            return Explicit(Interpreter, tuning=tuning)
        case _:
            assert_never(name)


def remembering(name: EngineName, tuning: Tuning) -> Engine:
    """Return the engine called *name* that remembers what it has found; the reference does not, for
    others are compared with it.
    """
    engine = engine_named(name, tuning)
    return (
        engine
        if name == "reference" or tuning.checkpoints is not None
        else Remembering(engine, tuning)
    )


def prover_named(
    name: EngineName, *, eager: bool = False, explain: bool = False, second: bool = False
) -> Prover | None:
    """Return who proves for every size what the engine called *name* finds, None if that engine
    alone is asked.

    An *eager* prover spends more. With *explain* it says what its proofs rest on. One that is
    eager, or is asked to, shows its proofs to a *second* solver. Raises InputError if it should be
    eager, and there is none.
    """
    if name == "all":
        return Prover(LARGE if eager else SMALL, explain=explain, second=second or eager)
    if eager:
        hint = "leave --engine out, and what the search finds is tried for every size"
        raise wrong_input("C110", f"the {name} engine alone proves nothing", hint=hint)
    return None


# ------------------------------------------------------------------ remembering


_FORMAT = "4"
_Answer = tuple[Decision, Counts]
_Remembered = tuple[Decision, int, EncodedTrace | None, Counts]
"""A decision without its play, which of the questions of a property it is about, and the play."""
_TREES = Trees([engines, position, traces, verdict, replay, formula])


@frozen
class Remembering:
    """What *engine*, tuned by *tuning*, finds, and has found before; kept in *folder* (None: the
    user's cache folder).
    """

    engine: Engine
    tuning: Tuning
    folder: Path | None = None

    @property
    def name(self) -> str:
        """What the engine is called that searches."""
        return self.engine.name

    @property
    def slices(self) -> bool:
        """Whether that engine may leave out of positions what a question cannot see."""
        return self.engine.slices

    def decide(
        self, program: Program, properties: Sequence[Property], scope: Scope, meter: Meter
    ) -> Iterator[_Answer]:
        """Yield what is known of each of *properties*, as the engine does."""
        asked = _Asked(program, tuple(properties), scope, meter.budget.positions)
        file = (self.folder or cache_folder()) / f"{asked.name(self.tuning)}.found"
        kept: tuple[_Remembered, ...] | None = kept_tree(
            file, _TREES, tuple[_Remembered, ...], properties
        )
        known = None if kept is None else asked.answers(kept)
        if known is not None:
            yield from known
            return
        found: list[_Answer] = []
        for answer in self.engine.decide(program, properties, scope, meter):
            found.append(answer)
            if (said := asked.remembered(found)) is not None:
                keep_tree(file, _TREES, said, DECISIONS, properties)
            yield answer


@frozen
class _Asked:
    """What is asked together: *properties* of *program* within *scope*, of at most *positions*
    positions.
    """

    program: Program
    properties: tuple[Property, ...]
    scope: Scope
    positions: int | None

    def name(self, tuning: Tuning) -> str:
        """Return the name under which the answers are kept."""
        rules = replace(
            self.program, title="", document="", claims=(), left_out=(), scope=(), terms=()
        )
        left_out = tuning.slicing, tuning.symmetry
        return name_of(
            _FORMAT,
            engine_digest(),
            repr(rules),
            repr(self.properties),
            repr(self.scope),
            repr(left_out),
            repr(self.positions),
        )

    @cached_property
    def interpreter(self) -> Interpreter:
        """The interpreter that makes the moves of a play."""
        return Interpreter(self.program, self.scope)

    # ------------------------------------------------------------------ telling

    def remembered(self, found: Sequence[_Answer]) -> tuple[_Remembered, ...] | None:
        """Return what was *found* as it is kept; None if a time or a memory cut any of it short,
        or it says more than that.
        """
        if len(found) != len(self.properties):
            return None
        if not all(decision.is_repeatable and not decision.notes for decision, _ in found):
            return None
        try:
            return tuple(
                self._kept_decision(question, *answer)
                for question, answer in zip(self.properties, found, strict=True)
            )
        except ValueError:
            return None

    def _kept_decision(self, question: Property, decision: Decision, counts: Counts) -> _Remembered:
        """Return a *decision* as it is kept; raise ValueError if its question is not *question*, be
        it of a clause.
        """
        each = {"": question, **of_each_clause(self.program, question)}
        number, trace = list(each.values()).index(decision.question), decision.trace
        play = None
        if trace is not None:
            if trace.growth is not None:
                raise ValueError("it goes on beyond the scope")
            play = encode_trace(self.scope, move_numbers(self.interpreter, trace), trace)
        return replace(decision, question=question, trace=None), number, play, counts

    # ------------------------------------------------------------------ reading

    def answers(self, kept: Sequence[_Remembered]) -> list[_Answer] | None:
        """Return what was found, from what is *kept*; None if that does not answer this
        question.
        """
        if len(kept) != len(self.properties):
            return None
        try:
            return [
                self._answer_again(question, *one)
                for question, one in zip(self.properties, kept, strict=True)
            ]
        except (ValueError, IndexError, ReplayError):
            return None

    def _answer_again(
        self,
        question: Property,
        decision: Decision,
        number: int,
        play: EncodedTrace | None,
        counts: Counts,
    ) -> _Answer:
        if number:
            question = list(of_each_clause(self.program, question).values())[number - 1]
        trace = None if play is None else remade(self.interpreter, play)
        return replace(decision, question=question, trace=trace), counts
