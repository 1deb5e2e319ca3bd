"""Certificates: a Proof as a plain SMT-LIB 2 file that any solver can check without this program.

First come the rules: a function for each clause and stage that it leads to, which says of the
constants when that is a move. Then the invariant of each stage and the numbers of a ranking, as
functions of its cells. Obligations are written in terms of these; a solver is asked whether each
can be broken, and every answer has to be ``unsat``. A comment before each question names it; the
last line has the digest of everything above it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

import z3

from .... import __version__
from ....models.storage.key import engine_digest
from ....models.words import settings_words
from ...questions.digests import property_digest, rules_digest
from ..encoding.encode import REMEMBERED
from ..encoding.system import START, Invariant, Obligation, obligations
from ..liveness.ranking import in_lines
from ..liveness.termination import Termination
from ..position.frame import FIRST_ZONE, GONE, UNSEEN
from ..position.weakenings import sentence
from ..prove import Proof
from ..solver import terms as t
from .smtlib import HEADER, OBLIGATION, HeadingField, closed

INVARIANT = "inv "
RANK = "rank "


def certificate(proof: Proof) -> str:
    """Return the text of the certificate of *proof*."""
    text = "\n".join(_Writer(proof).lines()) + "\n"
    return closed(text)


def title(obligation: Obligation) -> str:
    """Return what the certificate calls an obligation."""
    to = f", to {obligation.target}" if obligation.target else ""
    if obligation.source == START:
        clause = f" by {obligation.clause}" if obligation.clause else ""
        return f"{obligation.duty} of where a play begins{clause}{to}"
    return (
        f"{obligation.duty} of {obligation.clause or 'every position'}, at {obligation.source}{to}"
    )


def rank_name(place: int, stage: str) -> str:
    """Return what the number of a ranking at *place*, from 1 on, is called at *stage*."""
    return f"{RANK}{place} {stage}"


class WrittenFunction:
    """What is called *name*: a *body* over those of *cells* that it speaks of."""

    def __init__(self, name: str, cells: Sequence[t.Term], body: t.Term) -> None:
        spoken_of = {constant.ast.value for constant in t.constants_of(body)} if cells else set()
        self.name = z3.Bool(name).sexpr()
        self.places = [place for place, cell in enumerate(cells) if cell.ast.value in spoken_of]
        self.parameters = [cells[place] for place in self.places]
        self.body = body

    @property
    def definition(self) -> str:
        """The command that defines it."""
        parameters = " ".join(f"({cell.sexpr()} {t.sort_of(cell)})" for cell in self.parameters)
        return (
            f"(define-fun {self.name} ({parameters}) "
            f"{t.sort_of(self.body)}\n{textwrap.indent(self.body.sexpr(), '  ')})"
        )

    def applied(self, cells: Sequence[t.Term]) -> str:
        """Return the function of *cells*."""
        arguments = [cells[place].sexpr() for place in self.places]
        return f"({self.name} {' '.join(arguments)})" if arguments else self.name


class _Writer:
    def __init__(self, proof: Proof) -> None:
        self.proof, self.system, self.descent = proof, proof.system, proof.descent
        self.obligations = list(obligations(proof.system, proof.descent))
        self.moves = {
            id(one): self._move(one) for one in self.obligations if not t.is_true(one.condition)
        }
        self.invariants = _invariants(proof, proof.invariant, self.obligations)
        self.ranks = _ranks(proof)

    def _move(self, obligation: Obligation) -> WrittenFunction:
        at, to = f", at {obligation.source}", f", to {obligation.target}"
        match obligation.duty:
            case "initial":
                name = f"beginning{to}"
            case "consecution":
                name = f"move {obligation.clause}{at}{to}"
            case "descent":
                name = f"repeated move {obligation.clause}{at}{to}"
            case "patience":
                name = f"patient move {obligation.clause}{at}{to}"
            case _:
                name = f"breach {obligation.clause}{at if obligation.source else ''}"
        return WrittenFunction(name, (), obligation.condition)

    # ------------------------------------------------------------------ the text

    def lines(self) -> Iterator[str]:
        yield from heading(self.proof)
        yield from ("", "(set-logic QF_LIA)", "")
        yield from self._declarations()
        yield from (
            "",
            "; The rules: how a play begins, and each clause's moves; what of them breaks the "
            "property.",
            "",
        )
        yield from (function.definition for function in self.moves.values())
        yield from ("", "; The invariant of each stage, over its cells.", "")
        yield from (function.definition for function in self.invariants.values())
        if any(self.ranks.values()):
            yield from (
                "",
                "; The ranking: the numbers of a position at each stage, those first that count "
                "first.",
                "",
            )
            yield from (
                function.definition for functions in self.ranks.values() for function in functions
            )
        for obligation in self.obligations:
            yield from ("", *self._question(obligation))

    def _declarations(self) -> Iterator[str]:
        """Yield a declaration for each constant in any question."""
        asked: list[t.Term] = []
        for obligation in self.obligations:
            after = [] if obligation.duty in ("descent", "patience") else obligation.after
            asked += [
                obligation.condition,
                obligation.goal,
                *after,
                *self.system.cells.get(obligation.source, ()),
            ]
        declared: dict[str, str] = {}
        for constant in t.constants_of(*asked):
            name, sort = constant.sexpr(), t.sort_of(constant)
            assert declared.setdefault(name, sort) == sort
        yield from (f"(declare-const {name} {sort})" for name, sort in declared.items())

    def _question(self, obligation: Obligation) -> Iterator[str]:
        yield f"{OBLIGATION}{title(obligation)}"
        yield "(push 1)"
        if obligation.source != START:
            source = obligation.source
            yield f"(assert {self.invariants[source].applied(self.system.cells[source])})"
        if id(obligation) in self.moves:
            yield f"(assert {self.moves[id(obligation)].name})"
        if goal := self._goal(obligation):
            yield f"(assert (not {goal}))"
        yield "(check-sat)"
        yield "(pop 1)"

    def _goal(self, obligation: Obligation) -> str:
        """Return what has to be true, in terms of the functions; empty if that is never so."""
        match obligation.duty:
            case "initial" | "consecution":
                return self.invariants[obligation.target].applied(obligation.after)
            case "bounded":
                cells = self.system.cells[obligation.source]
                parts = [f"(<= 0 {rank.applied(cells)})" for rank in self.ranks[obligation.source]]
                return parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"
            case "descent":
                return _less(list(self._changed_cells(obligation)))
            case "patience":
                return _less(list(self._changed_cells(obligation)), "true")
            case "property":
                return ""

    def _changed_cells(self, step: Obligation) -> Iterator[tuple[str, str]]:
        """Yield the numbers of a position after *step* and before it, those that it changes, as far
        as can be seen.
        """
        assert self.descent is not None
        before, after = self.descent.at_stage(step.source), self.descent.after(step, self.system)
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            if not t.is_same(old, new):
                yield (
                    self.ranks[step.target][place].applied(step.after),
                    self.ranks[step.source][place].applied(self.system.cells[step.source]),
                )


def _less(pairs: list[tuple[str, str]], answer: str = "") -> str:
    """Return that of *pairs* of numbers, after a move and before it, the first that differs has
    grown less, or *answer* if none differs.
    """
    for new, old in reversed(pairs):
        answer = (
            f"(or (< {new} {old}) (and (= {new} {old}) {answer}))" if answer else f"(< {new} {old})"
        )
    return answer


def excerpt(proof: Proof) -> str:
    """Return the excerpt of the certificate of *proof*: what it binds but the engine, for any may
    read it, and its functions.

    It has what others could not make anew, is read as a certificate is (`stated`), and held against
    rules as one is (`recheck`). What is known of every position anyway is left out of its
    invariant.
    """
    heading = [
        line for line in bindings(proof) if not line.startswith(HeadingField.ENGINE.line(""))
    ]
    return (
        "\n".join((HEADER, *heading, *(function.definition for function in _functions(proof))))
        + "\n"
    )


def _functions(proof: Proof) -> Iterator[WrittenFunction]:
    own: dict[str, t.Bool] = {}
    for stage, known in proof.system.known.items():
        said = {part.ast.value for part in t.conjuncts(known)}
        own[stage] = t.all_of(
            part for part in t.conjuncts(proof.invariant[stage]) if part.ast.value not in said
        )
    yield from _invariants(proof, own, obligations(proof.system, proof.descent)).values()
    for functions in _ranks(proof).values():
        yield from functions


def _invariants(
    proof: Proof, invariant: Invariant, asked: Iterable[Obligation]
) -> dict[str, WrittenFunction]:
    """Return the *invariant* of each stage of which something is *asked*."""
    stages = {stage for one in asked for stage in (one.source, one.target)}
    return {
        stage: WrittenFunction(f"{INVARIANT}{stage}", cells, invariant[stage])
        for stage, cells in proof.system.cells.items()
        if stage in stages
    }


def _ranks(proof: Proof) -> dict[str, list[WrittenFunction]]:
    """Return the numbers of the ranking at each stage whose positions its obligations speak of."""
    descent = proof.descent
    if descent is None:
        return {}
    return {
        stage: [
            WrittenFunction(rank_name(place, stage), proof.system.cells[stage], rank)
            for place, rank in enumerate(descent.at_stage(stage), 1)
        ]
        for stage in descent.stages
    }


# ------------------------------------------------------------------ the heading
# What a certificate binds, line by line for machines, and what it means, in words. Every line is a
# comment. The first ones have a key, a colon and a value each: of which rules, which property and
# which engine the proof is.

SHA256 = "sha256:"
BY_ANYONE = (
    "A move that is a player's is asked only where that player is the spotlit one. That is enough: "
    "each move of a play is a move of that play with its player spotlit, of which the encoding has "
    "the same positions, but for who is spotlit and from which seat the others are counted; and no "
    "measure speaks of either. So it is one and the same row of numbers that all moves of a play "
    "make less."
)


def heading(proof: Proof) -> Iterator[str]:
    """Yield the lines of the heading of the certificate of *proof*."""
    yield HEADER
    yield from bindings(proof)
    if proof.lemmas:
        yield "; The invariant has that of the lemmas in it. Nothing is taken for granted."
    yield ";"
    yield from _meaning(proof)
    yield "; What the encoding has forgotten of the rules, and why that is safe:"
    for weakening in sorted(proof.system.weakenings, key=lambda one: one.name):
        yield from _bullet(sentence(weakening))
    if isinstance(proof, Termination):
        yield from _ranking(proof)
    yield ";"
    yield "; Named values stand as numbers: " + ", ".join(
        f"{number} {name}" for number, name in sorted(proof.system.names.items())
    )
    yield HeadingField.OBLIGATIONS.line(sum(1 for _ in obligations(proof.system, proof.descent)))


def bindings(proof: Proof) -> Iterator[str]:
    """Yield what the certificate of *proof* binds, one key a line."""
    program, question, precision = proof.program, proof.question, proof.precision
    yield HeadingField.GAME.line(program.name)
    yield HeadingField.PROPERTY.line(question.name)
    yield from (f";   {_clean(line)}" for line in question.text.splitlines())
    yield HeadingField.RULES.line(SHA256 + rules_digest(program))
    yield HeadingField.SETTINGS.line(settings_words(program.settings))
    yield HeadingField.ASKED.line(SHA256 + property_digest(question))
    kept = {one: getattr(precision, one) for one in REMEMBERED}
    yield HeadingField.ENCODING.line(", ".join(name for name, yes in kept.items() if yes))
    if question.lemmas:
        yield HeadingField.LEMMAS.line(", ".join(proof.lemmas))
    yield HeadingField.ENGINE.line(f"stacklaw {__version__}, {SHA256}{engine_digest()}")


def _meaning(proof: Proof) -> Iterator[str]:
    """Yield what an answer of unsat to every question says, and what it takes for granted."""
    least, most = proof.program.players
    players = f"{least}" if least == most else f"{least} to {most}" if most else f"{least} or more"
    yield from _comment(
        f"It holds for {players} players and for every size of every zone, if each question below "
        "is answered with unsat:"
    )
    yield from _bullet(
        "initial: no play begins outside the invariant of the stage where it begins."
    )
    yield from _bullet(
        "consecution: no move by the clause leads from inside the invariant of its stage to "
        "outside that of the next one."
    )
    yield from _bullet(
        "property: no move by the clause from inside the invariant, and no position inside it, "
        "breaks the property."
    )
    if proof.descent is not None:
        yield from _bullet(
            "bounded: no number of the ranking is below 0 where a move that may be made again and "
            "again begins."
        )
        yield from _bullet(
            "descent: no such move by the clause fails to make the first number less that it "
            "changes."
        )
        if proof.descent.patient:
            yield from _bullet(
                "patience: no such move by the clause makes the first number more that it changes. "
                "These may be made for ever, but a play that breaks the property makes one of the "
                "others again and again."
            )
    yield "; What that takes for granted, as a solver cannot see it here:"
    yield from _bullet(
        "Every play of the rules, at every size, is one of the moves below. All of a clause's ways "
        "from one stage to one other are one function, so a clause that is not named moves "
        "nowhere, or only to the end of the game, and breaks nothing."
    )
    yield from _bullet(
        "Every constant is any value of its sort that its question allows: what is chosen in a "
        "move, and what the encoding does not know, are constants of that question alone. With a ' "
        "it is a cell after the move."
    )
    if spotlit := [spotlight.name for spotlight in proof.question.spotlights]:
        yield from _bullet(
            f"{', '.join(spotlit)}: any of those that the property speaks of. The cells follow "
            "them through one play, of which nothing is assumed but that it is one, so they stand "
            "for all; two names may be one player, never one item."
        )
    if any(spotlight.kind == "item" for spotlight in proof.question.spotlights):
        zones = ", ".join(
            f"{FIRST_ZONE + number} on {zone.name}"
            for number, zone in enumerate(proof.program.zones)
        )
        yield from _bullet(
            f"Where an item is: {UNSEEN} not put anywhere yet, {GONE} gone from the game, {zones}."
        )
    if any(
        name.startswith("bit ") for cells in proof.system.cells.values() for name in map(str, cells)
    ):
        yield from _bullet(
            "A bit is what the property asks of the past, as it is at the position that the cells "
            "are of."
        )
    yield from _bullet("A player is a number, counted from 0 in the order of seats; -1 is nobody.")


def _ranking(proof: Termination) -> Iterator[str]:
    """Yield what every move makes less, in words, and why that is so of every move."""
    yield ";"
    yield "; What must not go on for ever comes to an end:"
    for line in in_lines(proof.measures):
        yield from _comment(line)
    if proof.by_anyone:
        yield from _comment(BY_ANYONE)


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent="; ", subsequent_indent=";   ")


def _bullet(text: str) -> list[str]:
    return textwrap.wrap(text, 100, initial_indent="; - ", subsequent_indent=";   ")


def _clean(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
