"""Rechecking: a Program, a property and a certificate -> a Proof, made anew and by another solver.

Only the invariant and the ranking are taken from the text. The moves, the property and the
obligations are those of the encoder, as if the proof had just been found; each is put to a plain
solver. What the encoder knows of every position is part of the invariant, even if the text omits
it.

A ranking speaks only of the position of the rules (`features`). Only how often each feature is in
it is read, which is a question of linear arithmetic. A term that is no sum of features raises
`UnreadableError`.

A second solver: a certificate is shown to cvc5, where that is installed, in a process of its own
with limits on what it may take.

cvc5 has nothing in common with Z3. A certificate that it refutes is no proof, even if Z3 accepts
it; if it gives up, that says nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec

import z3

from ....models import ir
from ....models.frozen import frozen
from ....properties.formula import Property
from ..encoding.encode import encoding
from ..encoding.features import Feature, features
from ..encoding.system import Invariant, System, complete, first_failure
from ..liveness.progress import progress, ways_to_ask
from ..liveness.ranking import Measure, in_order
from ..liveness.termination import PRECISION, Termination
from ..position.weakenings import UnsupportedError
from ..prove import Proof
from ..solver import terms as t
from ..solver.projection import LinearSum, linear
from .certificate import title
from .smtlib import OBLIGATION, HeadingField, UnreadableError, commands, listed
from .stated import Stated, read_term

CVC5 = "cvc5"
SECOND_UNITS = 1_000_000
"""How much it may do for one question, in units of its own; the hardest of the five games takes a
tenth of that.
"""
_SECONDS = 120
"""Only a guard against a solver that hangs: the units end long before."""
_MEGABYTES = 4_000
_ASK = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
units, seconds, megabytes = map(int, sys.argv[2:])
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
except (ImportError, ValueError, OSError):
    pass
import cvc5
solver = cvc5.Solver()
solver.setOption("incremental", "true")
solver.setOption("rlimit-per", str(units))
symbols = cvc5.SymbolManager(solver)
parser = cvc5.InputParser(solver, symbols)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "certificate")
while not (command := parser.nextCommand()).isNull():
    sys.stdout.write(str(command.invoke(solver, symbols)))
    sys.stdout.flush()
"""
"""What the new process runs: the answers go to stdout as they come, so that those given before its
end are known.
"""


@frozen
class Opinion:
    """What the second solver says of a certificate: it *agrees*, or *refuted* is the obligation
    that it finds broken; else it gave up.
    """

    agrees: bool
    refuted: str = ""


def opinion(
    certificate: str, units: int = SECOND_UNITS, seconds: float = _SECONDS
) -> Opinion | None:
    """Return what cvc5 says of *certificate*, with *units* units for each question; None if it is
    not installed.
    """
    if find_spec(CVC5) is None:
        return None
    titles = [
        line.removeprefix(OBLIGATION)
        for line in certificate.splitlines()
        if line.startswith(OBLIGATION)
    ]
    command = [
        sys.executable,
        "-I",
        "-c",
        _ASK,
        json.dumps(sys.path),
        str(units),
        str(int(seconds)),
        str(_MEGABYTES),
    ]
    try:
        run = subprocess.run(
            command, input=certificate, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return Opinion(agrees=False)
    answers = run.stdout.split()
    refuted = next(
        (title for title, answer in zip(titles, answers, strict=False) if answer == "sat"), ""
    )
    return Opinion(run.returncode == 0 and answers == ["unsat"] * len(titles), refuted)


UNITS = 20_000_000
"""How much a solver may do for one obligation; it needs a hundredth of it."""
_SETTINGS = {"arith.solver": 2, "relevancy": 0}
"""Z3's plain simplex, which sees to all parts of a question: these are short, and so take three
quarters of the time.
"""


@frozen
class Rejected:
    """That a certificate proves nothing of the rules; *reason* says why, in one sentence without
    its full stop.
    """

    reason: str


def recheck(program: ir.Program, question: Property, stated: Stated) -> Proof | Rejected:
    """Return the proof that *question* holds of *program* by the invariant, or the ranking, that is
    *stated*.
    """
    if HeadingField.LEMMAS not in stated.values:
        question = replace(question, lemmas=())
    try:
        if question.mode in ("progress", "future"):
            return _of_any_way(program, question, stated)
        return _invariant(program, question, stated)
    except UnreadableError as error:
        return Rejected(str(error))
    except UnsupportedError as error:
        return Rejected(f"proofs do not support this: {error}")


def _invariant(program: ir.Program, question: Property, stated: Stated) -> Proof | Rejected:
    precision = replace(stated.precision, sets=False)
    encoded = encoding(program, question, precision)
    system = encoded.system()
    known = {lemma.name for lemma in question.lemmas}
    lemmas = tuple(
        name for name in listed(stated.values.get(HeadingField.LEMMAS, "")) if name in known
    )
    return _judged(
        Proof(program, question, system, _invariant_in(stated, system), precision, lemmas=lemmas)
    )


def _of_any_way(program: ir.Program, question: Property, stated: Stated) -> Proof | Rejected:
    """Return the proof by the ranking that is *stated*, whichever way *question* was asked in."""
    found: Proof | Rejected = Rejected("it says nothing")
    for way in ways_to_ask(question):
        found = _ranking(program, question, stated, way)
        if not isinstance(found, Rejected):
            break
    return found


def _ranking(program: ir.Program, question: Property, stated: Stated, way: int) -> Proof | Rejected:
    said = listed(stated.values.get(HeadingField.LEMMAS, ""))
    asked = progress(program, question, PRECISION, way)
    system, known = asked.system, KnownFeatures(features(asked.encoding.layout))
    measures = tuple(known.measure(rank) for rank in stated.ranks(system.cells))
    invariant = _invariant_in(stated, system)
    return _judged(
        Termination(
            program,
            question,
            system,
            invariant,
            PRECISION,
            steps=asked.steps,
            patient=asked.patient,
            measures=measures,
            by_anyone=asked.by_anyone,
            lemmas=tuple(lemma.name for lemma in question.lemmas if lemma.name in said),
        )
    )


def _invariant_in(stated: Stated, system: System) -> Invariant:
    """Return the invariant that is *stated*; in an excerpt, which is bound to no engine, without
    what is known of *system* anyway.
    """
    said = stated.invariant(system.cells)
    return said if HeadingField.ENGINE in stated.values else complete(system, said)


def _judged(proof: Proof) -> Proof | Rejected:
    """Return *proof* if every obligation is met."""
    failure = first_failure(proof.system, proof.invariant, UNITS, proof.descent, **_SETTINGS)
    if failure is None:
        return proof
    return Rejected(
        f"the obligation fails: {title(failure.obligation)} (the solver says {failure.answer})"
    )


# ------------------------------------------------------------------ rankings


FEATURE_UNITS = 20_000_000
"""How much a solver may do to find the features of one number."""
NO_SUM = "its ranking is no sum of the numbers that the engine knows of a position"
_Place = tuple[str, int]
"""A stage, and something that is added up there."""


@dataclass
class KnownFeatures:
    """The *features* of an encoding, each with what it adds up, as that is read from a file."""

    features: Sequence[Feature]
    _sums: dict[int, LinearSum] = field(default_factory=dict)

    def measure(self, rank: Mapping[str, t.Integer]) -> Measure:
        """Return the sum of features that *rank*, a term for each stage of which it says anything,
        is; raise `UnreadableError`.
        """
        wanted = {
            (stage, place): times
            for stage, term in rank.items()
            for place, times in _linear_sum(term).times.items()
        }
        adds = _only_of(
            wanted,
            {
                number: dict(self._adds(feature, rank))
                for number, feature in enumerate(self.features)
            },
        )
        if {*wanted} - {place for added in adds.values() for place in added}:
            raise UnreadableError(NO_SUM)
        return in_order(
            ((times, self.features[number]) for number, times in self._times(wanted, adds)),
            self.features,
        )

    def _adds(
        self, feature: Feature, rank: Mapping[str, t.Integer]
    ) -> Iterator[tuple[_Place, int]]:
        """Yield what *feature* adds up at the stages of *rank*, each with how often."""
        for stage in rank:
            term = feature.at_stage(stage)
            if term.ast.value not in self._sums:
                self._sums[term.ast.value] = linear(_as_read(term))
            yield from (
                ((stage, place), times) for place, times in self._sums[term.ast.value].times.items()
            )

    def _times(
        self, wanted: Mapping[_Place, int], adds: Mapping[int, Mapping[_Place, int]]
    ) -> Iterator[tuple[int, int]]:
        """Yield the numbers of the features that add up to what is *wanted*, the cheapest such,
        each with how often it is added.
        """
        solver = z3.Optimize()
        solver.set("rlimit", FEATURE_UNITS)
        many = {number: z3.Int(f"times {number}") for number in adds}
        solver.add(*(one >= 0 for one in many.values()))
        sums: dict[_Place, list[z3.ArithRef]] = {}
        for number, added in adds.items():
            for place, times in added.items():
                sums.setdefault(place, []).append(many[number] * times)
        solver.add(*(z3.Sum(parts) == wanted.get(place, 0) for place, parts in sums.items()))
        solver.minimize(
            z3.Sum(
                [z3.IntVal(0), *(self.features[number].cost * one for number, one in many.items())]
            )
        )
        if solver.check() != z3.sat:
            raise UnreadableError(NO_SUM)
        model = solver.model()
        for number, one in many.items():
            times = model.eval(one, model_completion=True).as_long()
            if times:
                yield number, times


def _linear_sum(term: t.Integer) -> LinearSum:
    try:
        return linear(term)
    except ValueError as error:
        raise UnreadableError(NO_SUM) from error


def _as_read(term: t.Integer) -> t.Integer:
    """Return *term* as it is when it has been written down and read: Z3 leaves parentheses out."""
    ((_, written),) = commands(f"(rank {term.sexpr()})")
    read = read_term(
        written, {t.name_of(constant): constant for constant in t.constants_of(term)}, "Int"
    )
    assert isinstance(read, z3.ArithRef)
    return read


def _only_of(
    wanted: Mapping[_Place, int], adds: Mapping[int, Mapping[_Place, int]]
) -> dict[int, Mapping[_Place, int]]:
    """Return those of *adds* that add anything, and nothing that is not *wanted* and that no other
    takes away.
    """
    taken = {place for added in adds.values() for place, times in added.items() if times < 0}
    return {
        number: added
        for number, added in adds.items()
        if added and all(place in wanted or place in taken for place in added)
    }
