"""Certificates: a Proof as a plain SMT-LIB 2 file that any solver can check without this program.

The file defines the invariant of each stage, and then asks, for each obligation, whether it can be broken: every answer has to
be ``unsat``. A comment before each question names it; the last line has the digest of everything above it.
"""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Iterator

import z3

from ...models.cases import in_words
from ...models.configure import cases_in
from . import terms as t
from .frame import FIRST_ZONE, GONE, UNSEEN
from .measures import in_lines
from .obligations import Invariant, Obligation, obligations
from .prove import Proof
from .sorts import option_cell
from .system import START, System
from .termination import Termination
from .weakenings import sentence

HEADER = "; stacklaw certificate 1"
OBLIGATION = "; obligation: "
EXPECTED = "; obligations: "
DIGEST = "; sha256: "
ANY = "its options are any of their values"
BY_ANYONE = (
    "A move that is a player's is asked only where that player is the spotlit one. That is enough: each move of a play is a move of "
    "that play with its player spotlit, of which the encoding has the same positions, but for who is spotlit and from which seat the "
    "others are counted; and no measure speaks of either. So it is one and the same row of numbers that all moves of a play make less."
)
_SORTS = {"Bool", "Int"}


def certificate(proof: Proof) -> str:
    """Return the text of the certificate of *proof*."""
    system, invariant = proof.system, proof.invariant
    lines = [*_heading(proof), "", "(set-logic QF_LIA)", ""]
    lines += _declarations(system, invariant)
    if open_cells := _open_cells(proof):
        lines += ["", "; What the options that are left open are.", "", _definition_of(_condition(), open_cells, system.given)]
    lines += ["", "; The invariant of each stage, over its cells.", ""]
    for stage, cells in system.cells.items():
        lines.append(_definition(stage, cells, invariant[stage]))
    for obligation in obligations(system):
        lines += ["", *_question(obligation, system, open_cells)]
    text = "\n".join(lines) + "\n"
    return f"{text}{DIGEST}{digest(text)}\n"


def digest(text: str) -> str:
    """Return the digest of *text*."""
    return hashlib.sha256(text.encode()).hexdigest()


def title(obligation: Obligation) -> str:
    """Return what the certificate calls an obligation."""
    to = f", to {obligation.target}" if obligation.target else ""
    if obligation.source == START:
        clause = f" by {obligation.clause}" if obligation.clause else ""
        return f"{obligation.duty} of where a play begins{clause}{to}"
    return f"{obligation.duty} of {obligation.clause or 'every position'}, at {obligation.source}{to}"


def _heading(proof: Proof) -> Iterator[str]:
    question = proof.question
    yield HEADER
    yield f"; game: {proof.program.name}"
    yield f"; property: {question.name}"
    for line in question.text.splitlines():
        yield f";   {line}"
    if proof.lemmas:
        yield f"; The invariant has that of the lemmas in it: {', '.join(proof.lemmas)}. Nothing is taken for granted."
    if proof.program.open_options:
        yield f"; when: {in_words(proof.program.open_options, cases_in(proof.program)) or ANY}"
    yield ";"
    yield from _meaning(proof)
    yield "; What the encoding has forgotten of the rules, and why that is safe:"
    for weakening in sorted(proof.system.weakenings, key=lambda one: one.name):
        yield from _item(sentence(weakening))
    if isinstance(proof, Termination):
        yield from _ranking(proof)
    yield ";"
    yield "; Named values stand as numbers: " + ", ".join(f"{number} {name}" for number, name in sorted(proof.system.names.items()))
    yield f"{EXPECTED}{sum(1 for _ in obligations(proof.system))}"


def _meaning(proof: Proof) -> Iterator[str]:
    """Yield what an answer of unsat to every question says, and what it takes for granted."""
    least, most = proof.program.players
    players = f"{least}" if least == most else f"{least} to {most}" if most else f"{least} or more"
    yield from _comment(f"It holds for {players} players and for every size of every zone, if each question below is answered with unsat:")
    yield from _item("initial: no play begins outside the invariant of the stage where it begins.")
    yield from _item("consecution: no move by the clause leads from inside the invariant of its stage to outside that of the next one.")
    yield from _item("property: no move by the clause from inside the invariant, and no position inside it, breaks the property.")
    yield "; What that takes for granted, as a solver cannot see it here:"
    yield from _item(
        "Every play of the rules, at every size, is one of the moves below. All of a clause's ways from one stage to one other are one "
        "question, so a clause that is not named moves nowhere, or only to the end of the game, and breaks nothing."
    )
    yield from _item(
        "Every constant is any value of its sort that its question allows: what is chosen in a move, and what the encoding does not know, "
        "are constants of that question alone."
    )
    if spotlit := [spotlight.name for spotlight in proof.question.spotlights]:
        yield from _item(
            f"{', '.join(spotlit)}: any of those that the property speaks of. The cells follow them through one play, of which nothing "
            "is assumed but that it is one, so they stand for all; two names may be one player, never one item."
        )
    if any(spotlight.kind == "item" for spotlight in proof.question.spotlights):
        zones = ", ".join(f"{FIRST_ZONE + number} on {zone.name}" for number, zone in enumerate(proof.program.zones))
        yield from _item(f"Where an item is: {UNSEEN} not put anywhere yet, {GONE} gone from the game, {zones}.")
    if any(name.startswith("bit ") for cells in proof.system.cells.values() for name in map(str, cells)):
        yield from _item("A bit is what the property asks of the past, as it is at the position that the cells are of.")
    yield from _item("A player is a number, counted from 0 in the order of seats; -1 is nobody.")


def _ranking(proof: Termination) -> Iterator[str]:
    """Yield what every move makes less, in words and as terms over the cells of each stage, and why that is so of every move."""
    yield ";"
    yield "; What must not go on for ever comes to an end; a property obligation of a clause fails where one of its moves does not so."
    said = in_lines(proof.measures)
    yield from _comment(said[0])
    for line, measure in zip(said[1:], proof.measures, strict=True):
        yield from _comment(line)
        for stage in proof.system.cells:
            term = measure.at(stage)
            if not (z3.is_int_value(term) and term.as_long() == 0):
                yield f";      at {stage}: {' '.join(term.sexpr().split())}"
    if proof.by_anyone:
        yield from _comment(BY_ANYONE)


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent="; ", subsequent_indent=";   ")


def _item(text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent="; - ", subsequent_indent=";   ")


def _declarations(system: System, invariant: Invariant) -> Iterator[str]:
    """Yield a declaration for each constant in any question."""
    asked: list[t.Term] = [cell for cells in system.cells.values() for cell in cells]
    asked += invariant.values()
    for obligation in obligations(system):
        asked += [obligation.condition, *obligation.after]
    declared: dict[str, str] = {}
    for constant in t.constants_of(*asked):
        name, sort = constant.sexpr(), str(constant.sort())
        assert sort in _SORTS
        assert declared.setdefault(name, sort) == sort
    yield from (f"(declare-const {name} {sort})" for name, sort in declared.items())


def _definition(stage: str, cells: tuple[t.Term, ...], invariant: t.Bool) -> str:
    return _definition_of(_name(stage), cells, invariant)


def _definition_of(name: str, cells: tuple[t.Term, ...], formula: t.Bool) -> str:
    parameters = " ".join(f"({cell.sexpr()} {cell.sort()})" for cell in cells)
    return f"(define-fun {name} ({parameters}) Bool\n{textwrap.indent(formula.sexpr(), '  ')})"


def _open_cells(proof: Proof) -> tuple[t.Term, ...]:
    """Return the cells of the options that are left open."""
    return tuple(option_cell(option.name) for option in proof.program.open_options)


def _question(obligation: Obligation, system: System, open_cells: tuple[t.Term, ...]) -> Iterator[str]:
    yield f"{OBLIGATION}{title(obligation)}"
    yield "(push 1)"
    if obligation.source != START:
        yield f"(assert {_call(_name(obligation.source), system.cells[obligation.source])})"
    elif open_cells:
        yield f"(assert {_call(_condition(), open_cells)})"
    yield f"(assert\n{textwrap.indent(obligation.condition.sexpr(), '  ')})"
    if obligation.target:
        yield f"(assert (not {_call(_name(obligation.target), obligation.after)}))"
    yield "(check-sat)"
    yield "(pop 1)"


def _call(name: str, cells: tuple[t.Term, ...]) -> str:
    return f"({name} {' '.join(cell.sexpr() for cell in cells)})" if cells else name


def _name(stage: str) -> str:
    name: str = z3.Bool(f"inv {stage}").sexpr()
    return name


def _condition() -> str:
    name: str = z3.Bool("the condition").sexpr()
    return name
