"""Templates: what an edit lets happen, or takes away, as claims of at most three atoms, such that
the original meets them.

Program, edited Programs --moments--> rows that only one side has --cubes--> claims, as a ruleset
writes them. They are what was seen of moments, one by one: whoever hands them on decides them
first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, assert_never

from ...models import ir
from ...properties import formula as f
from ...properties.wording import formula_words
from ..reference.semantics.explore import explore
from ..reference.semantics.graph import Graph
from ..reference.semantics.interpreter import Interpreter
from ..types.budget import Budget, Meter
from ..types.scope import Scope
from .atoms import ITEM, PLAYER, atoms_of
from .cubes import Cube, CubeLiteral, RowSets, separating
from .moments import Column, MomentRows, Vocabulary, moments_of

MOST_POSITIONS = 60_000
"""How many positions a ruleset may have; what tells edits of a larger one apart is not looked
for.
"""
MOST_ROWS = 6
"""How many moments that only one side has are looked at, for each edit."""
MOST_CUBES = 12
"""How many claims are made of each."""
MOST_TEMPLATES = 24
"""How many claims are handed on for each edit."""


class Template(NamedTuple):
    """A claim without a name: what is expected, its *formula*, as a ruleset writes it, and what it
    *costs* to read.
    """

    expectation: Literal["holds", "possible"]
    formula: str
    cost: float

    @property
    def weight(self) -> float:
        """What it weighs against other claims: one that is hard to read is worse than two that are
        not.
        """
        return self.cost**2


class _Ranked(NamedTuple):
    """A claim, and how many of the edits it tells apart by what was seen."""

    template: Template
    apart: int


class TemplateFinder:
    """Finds claims that *program* meets within *scope* and edits of it do not."""

    def __init__(self, program: ir.Program, scope: Scope) -> None:
        self.program, self.scope = program, scope
        self._vocabulary = Vocabulary(atoms_of(program))
        self._columns = self._vocabulary.columns
        self._of_items = [column.atom.about == "item" for column in self._columns]

    @cached_property
    def _original(self) -> MomentRows | None:
        return self._rows(self.program)

    def _rows(self, program: ir.Program) -> MomentRows | None:
        graph: Graph = explore(
            Interpreter(program, self.scope), Meter(Budget(positions=MOST_POSITIONS))
        )
        return None if graph.stopped else moments_of(graph, self._vocabulary)

    def templates(self, mutants: Sequence[ir.Program]) -> list[Template]:
        """Return claims for *mutants*, which declare what the original does: the shortest first
        that tell most apart.
        """
        before = self._original
        after = [self._rows(mutant) for mutant in mutants] if before is not None else []
        found: dict[Template, _Ranked] = {}
        for rows in after:
            if rows is None or before is None:
                continue
            own = sorted(
                self._between(before, rows, [one for one in after if one is not None]), key=_rank
            )
            for one in own[:MOST_TEMPLATES]:
                found.setdefault(one.template, one)
        return [one.template for one in sorted(found.values(), key=_rank)]

    def _between(
        self, before: MomentRows, after: MomentRows, all_: Sequence[MomentRows]
    ) -> Iterator[_Ranked]:
        """Yield what tells *after* from *before*: what never happens there, and what can."""
        for with_items in (False, True):
            old, new = (_rows_to_meet(rows, with_items) for rows in (before, after))
            others = [_rows_to_meet(rows, with_items) for rows in all_]
            yield from self._never(old, new - old, others)
            yield from self._possible(new, old - new, others)

    def _never(
        self, old: Collection[int], gained: Collection[int], mutants: Sequence[Collection[int]]
    ) -> Iterator[_Ranked]:
        sets = RowSets(old, len(self._columns))
        for row in sorted(gained, key=_simplest)[:MOST_ROWS]:
            for cube in separating(row, sets, self._cost, self._leads, MOST_CUBES):
                formula = self._denial(cube, sets)
                if formula:
                    apart = sum(any(map(cube.fits, rows)) for rows in mutants)
                    yield _Ranked(
                        Template("holds", self._quantified(cube, formula), self._cost_of(cube)),
                        apart,
                    )

    def _possible(
        self, new: Collection[int], lost: Collection[int], mutants: Sequence[Collection[int]]
    ) -> Iterator[_Ranked]:
        sets = RowSets(new, len(self._columns))
        for row in sorted(lost, key=_simplest)[:MOST_ROWS]:
            for cube in separating(row, sets, self._cost, self._leads, MOST_CUBES):
                formula = (
                    f"possible ({' and '.join(map(self._literal_words, self._in_order(cube)))})"
                )
                apart = sum(not any(map(cube.fits, rows)) for rows in mutants)
                yield _Ranked(
                    Template("possible", self._quantified(cube, formula), self._cost_of(cube) + 1),
                    apart,
                )

    # ---------------------------------------------------------------- what a claim costs its reader

    def _leads(self, literal: CubeLiteral) -> bool:
        column = self._columns[literal.number]
        return literal.positive and not column.before

    def _cost(self, literal: CubeLiteral) -> float:
        """Return how hard *literal* is to read: what happens is easiest, then what is so, then what
        is not, or was.
        """
        column = self._columns[literal.number]
        match column.atom.formula:
            case f.LeafOfMove():
                cost = 0.0 if literal.positive else 2.5
            case f.Holds() | f.HasPriority() | f.On() | f.IsNext():
                cost = 1.0
            case f.LeafOfEnabled() | f.GameIsOver():
                cost = 1.5
            case f.AtStage():
                cost = 2.5  # nobody at the table sees stages
            case _:
                assert_never(column.atom.formula)
        return cost + 0.3 * (not literal.positive) + 0.4 * column.before

    def _cost_of(self, cube: Cube) -> float:
        return len(cube.literals) + sum(map(self._cost, cube.literals))

    # ------------------------------------------------------------------ words

    def _quantified(self, cube: Cube, formula: str) -> str:
        """Return *formula* with the players and items that *cube* speaks of."""
        atoms = [self._columns[literal.number].atom for literal in cube.literals]
        names = [f"item {ITEM}"] if any(atom.about == "item" for atom in atoms) else []
        names += [f"player {PLAYER}"] if any(atom.of_player for atom in atoms) else []
        quantifier = "for some" if formula.startswith("possible") else "for every"
        return f"{quantifier} {', '.join(names)}: {formula}" if names else formula

    def _in_order(self, cube: Cube) -> list[CubeLiteral]:
        """Return the literals of *cube* as they are read: what happens first."""
        return sorted(cube.literals, key=lambda literal: (self._cost(literal), literal))

    def _denial(self, cube: Cube, old: RowSets) -> str:
        """Return that *cube* is never so, of several literals as an implication whose condition
        arises in *old*; empty if there is none.
        """
        literals = self._in_order(cube)
        if len(literals) == 1:
            return f"never ({self._literal_words(literals[0])})"
        for last in sorted(literals, key=self._follows):
            rest = [literal for literal in literals if literal != last]
            if old.fit(rest):
                return f"always ({' and '.join(map(self._literal_words, rest))} implies {self._literal_words(last, negated=True)})"
        return ""

    def _follows(self, literal: CubeLiteral) -> tuple[int, int]:
        """Return how well *literal* can be what follows: of the position reached, then of the one
        before, then of the move.
        """
        column = self._columns[literal.number]
        if column.atom.about == "position":
            return 1 if column.before else 0, literal.number
        return (
            2 if isinstance(column.atom.formula, f.Holds) else 3 if not literal.positive else 4
        ), literal.number

    def _literal_words(self, literal: CubeLiteral, *, negated: bool = False) -> str:
        column = self._columns[literal.number]
        words = _leaf_words(self.program, column, positive=literal.positive != negated)
        return f"previously {words}" if column.before else words


def _leaf_words(program: ir.Program, column: Column, *, positive: bool) -> str:
    """Return an atom or the opposite; in parentheses where what follows could belong to it."""
    words = column.atom.words if positive else formula_words(program, f.Not(column.atom.formula))
    is_open = any(f" {word} " in f" {words} " for word in ("where", "and", "or", "satisfies"))
    return f"({words})" if is_open or (column.before and words.startswith("not ")) else words


def _rows_to_meet(rows: MomentRows, with_items: bool) -> frozenset[int]:
    return rows.items if with_items else rows.moments


def _simplest(row: int) -> tuple[int, int]:
    return row.bit_count(), row


def _rank(one: _Ranked) -> tuple[float, str]:
    return one.template.weight / max(one.apart, 1), one.template.formula
