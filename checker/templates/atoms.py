"""Atoms: the vocabulary of a game, as the shortest things that a formula can say of a moment.

They are written in the language and read by it, so whatever is made of them can be written in a
ruleset. ``p`` is a player, ``i`` an item.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from ...models import ir
from ...models.diagnostics import InputError
from ...models.ir.parts import expressions, locals_in
from ...models.source import Source
from ...properties import formula as f
from ...properties.load import typed_files
from ...properties.wording import expression_words

PLAYER, ITEM = "p", "i"
MOST_VALUES = 6
"""Variables of more values than this are not asked for each of them."""

AtomKind: TypeAlias = Literal["position", "move", "item"]


@dataclass(frozen=True)
class ClaimAtom:
    """One *formula*, in *words*, that speaks *about* the position reached, the move just made, or
    the item with which something happens.
    """

    words: str
    formula: f.Leaf
    about: AtomKind
    of_player: bool


def atoms_of(program: ir.Program) -> tuple[ClaimAtom, ...]:
    """Return the atoms of *program*, each once: those of moves, of positions, of items."""
    found: dict[f.Formula, ClaimAtom] = {}
    for about, words in dict.fromkeys(
        [*_of_moves(program), *_of_positions(program), *_of_items(program)]
    ):
        formula = _formula_of_words(program, words)
        if isinstance(formula, f.Leaf) and not (
            isinstance(formula, f.Holds) and isinstance(formula.expression, ir.Not | ir.Literal)
        ):
            found.setdefault(formula, ClaimAtom(words, formula, about, PLAYER in words.split()))
    return tuple(found.values())


def _formula_of_words(program: ir.Program, words: str) -> f.Formula | None:
    """Return the formula that *words* are in *program*, None if they are none there."""
    named = [
        name
        for name, kind in ((f"item {ITEM}", ITEM), (f"player {PLAYER}", PLAYER))
        if kind in words.split()
    ]
    quantified = f"for some {', '.join(named)}: " if named else ""
    with suppress(InputError):
        text = f'property atom "an atom"\n  {quantified}possible ({words})\n'
        return typed_files(program, [Source("atoms", text)]).properties[0].body
    return None


def _of_moves(program: ir.Program) -> Iterator[tuple[AtomKind, str]]:
    for _, clause in program.clauses:
        yield "move", f"{PLAYER} uses {clause.id}" if _has_owner(clause) else f"clause {clause.id}"
    for words in (
        f"{PLAYER} passes",
        f"{PLAYER} acts",
        "something resolves",
        "something begins resolving",
        "something is removed",
    ):
        yield "move", words
    for zone in program.zones:
        yield "move", f"something is put on {zone.name}"
        yield "move", f"something leaves {zone.name}"
    for sequence in program.sequences:
        yield "move", f"{sequence.name} ends"
        yield "move", f"{sequence.name} begins"
    if program.sequences:
        yield "move", "step ends"
        yield "move", "step begins"


def _has_owner(clause: ir.Clause) -> bool:
    return clause.owner.player is not None or clause.owner.variable is not None


def _of_positions(program: ir.Program) -> Iterator[tuple[AtomKind, str]]:
    said = [
        f"{PLAYER} has priority",
        "someone has priority",
        f"{PLAYER} is active",
        *(f"{zone.name} is empty" for zone in program.zones),
    ]
    for sequence in program.sequences:
        said += (
            [f"{sequence.variable} is {step.name}" for step in sequence.steps]
            if len(sequence.steps) <= MOST_VALUES
            else []
        )
    for variable in program.variables[1 + len(program.sequences) :]:
        said += _of_variable(variable)
    said += [term.name for term in program.terms if not term.parameters]
    for _, clause in program.clauses:
        said += [
            expression_words(program, part)
            for part in _parts(clause.guard)
            if not _names_of_its_own(part)
        ]
    said += [
        f"{PLAYER} may act",
        f"{PLAYER} may pass",
        "no clause applies",
        "clauses conflict",
        "game is over",
    ]
    said += [f"clause {clause.id} is possible" for _, clause in program.clauses]
    said += [f"at {stage.name}" for stage in program.stages]
    return (("position", words) for words in said)


def _parts(guard: ir.Expr) -> tuple[ir.Expr, ...]:
    return guard.parts if isinstance(guard, ir.All | ir.Any) else (guard,)


def _names_of_its_own(part: ir.Expr) -> bool:
    inside = list(expressions(part))
    return bool(
        locals_in(inside) - {expr.variable for expr in inside if isinstance(expr, ir.Exists)}
    )


def _of_variable(variable: ir.VariableDeclaration) -> list[str]:
    name = f"{variable.name} of {PLAYER}" if variable.each_player else variable.name
    match variable.type:
        case ir.FlagType():
            return [name]
        case ir.PlayersType():
            return [f"{PLAYER} in {name}", f"{name} is none", f"{name} is everyone"]
        case ir.PlayerType():
            return [f"{PLAYER} is {name}", f"{name} is nobody"]
        case ir.EnumType(values):
            return [f"{name} is {value}" for value in values] if len(values) <= MOST_VALUES else []
        case ir.NumberType() | ir.ItemType():
            return []
        case _:
            assert_never(variable.type)


def _of_items(program: ir.Program) -> Iterator[tuple[AtomKind, str]]:
    for zone in program.zones:
        yield "item", f"{ITEM} is put on {zone.name}"
        yield "item", f"{ITEM} leaves {zone.name}"
    for words in ("resolves", "begins resolving", "is removed"):
        yield "item", f"{ITEM} {words}"
    yield "item", f"{PLAYER} is controller of {ITEM}"
    for kind in program.kinds if len(program.kinds) > 1 else ():
        yield "item", f"{ITEM} is {kind.name}"
    for attribute in program.attributes:
        match attribute.type:
            case ir.FlagType():
                yield "item", f"{attribute.name} of {ITEM}"
            case ir.EnumType(values):
                yield from (("item", f"{attribute.name} of {ITEM} is {value}") for value in values)
            case ir.PlayerType():
                yield "item", f"{PLAYER} is {attribute.name} of {ITEM}"
            case ir.NumberType() | ir.PlayersType() | ir.ItemType():
                pass
            case _:
                assert_never(attribute.type)
