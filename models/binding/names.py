"""The names of a ruleset, what they stand for, and typed expressions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

from .. import ir, syntax
from ..frozen import frozen
from ..ir.traverse import Measurer

FLAG = ir.FlagType()
PLAYER = ir.PlayerType()
SOMEBODY_OR_NOBODY = ir.PlayerType(optional=True)
PLAYERS = ir.PlayersType()
ITEM = ir.ItemType()
NUMBER = ir.NumberType(ir.Literal(0), ir.Literal(0))
"""Stands for every number type where only being a number matters."""


@frozen
class Typed:
    """An expression and its type."""

    expression: ir.Expr
    type: ir.Type


def describe(type_: ir.Type) -> str:
    """Return what a designer calls a value of *type_*."""
    match type_:
        case ir.FlagType():
            return "yes or no"
        case ir.NumberType():
            return "a number"
        case ir.EnumType(values):
            shown = values if len(values) <= 6 else (*values[:5], "…")
            return "one of " + ", ".join(shown)
        case ir.PlayerType(optional):
            return "a player or nobody" if optional else "a player"
        case ir.PlayersType():
            return "a set of players"
        case ir.ItemType():
            return "an item"
        case _:
            assert_never(type_)


def fits(found: ir.Type, wanted: ir.Type) -> bool:
    """Whether a value of type *found* may stand where *wanted* is asked for."""
    match found, wanted:
        case ir.NumberType(), ir.NumberType():
            return True
        case ir.PlayerType(optional), ir.PlayerType(optional=also):
            return also or not optional
        case _:
            return found == wanted


def negated(expr: ir.Expr) -> ir.Expr:
    """Return the negation of *expr*, without a double one."""
    return expr.operand if isinstance(expr, ir.Not) else ir.Not(expr)


def all_of(parts: list[ir.Expr]) -> ir.Expr:
    """Return the conjunction of *parts*, flat; yes if there are none."""
    return _joined(parts, ir.All) if parts else ir.YES


def any_of(parts: list[ir.Expr]) -> ir.Expr:
    """Return the disjunction of *parts*, flat; no if there are none."""
    return _joined(parts, ir.Any) if parts else ir.NO


def _joined(parts: list[ir.Expr], kind: type[ir.All | ir.Any]) -> ir.Expr:
    flat = [sub for part in parts for sub in (part.parts if isinstance(part, kind) else (part,))]
    return flat[0] if len(flat) == 1 else kind(tuple(flat))


MOST_INLINED = 50_000
"""Terms and routines that use one another can say in a few lines what fills a library; here it
ends.
"""
MOST_INSIDE = 40
"""How deep terms and routines may use one another."""
MOST_LEVELS = 120
"""How deep an expression may be with all terms put in, while it is bound."""
MOST_DEEP = 150
"""How deep a clause, a priority or a term may be when everything is put in: every pass over it may
then recurse.
"""
MOST_STATEMENTS = 150
"""How many statements a clause may have, those of its routines among them."""


@dataclass
class Names:
    """Everything declared, by name.

    *steps* maps a step to its sequence. *terms* are kept as written: each use is bound anew.
    *roles* are tags that are known even where nothing carries them (the catalogue's, see
    docs/language.md); they make ``i is slow`` a question with the answer no
    instead of an unknown name.
    """

    options: dict[str, ir.Option] = field(default_factory=dict)
    kinds: dict[str, ir.Kind] = field(default_factory=dict)
    attributes: dict[str, ir.Attribute] = field(default_factory=dict)
    zones: dict[str, ir.Zone] = field(default_factory=dict)
    sequences: dict[str, ir.Sequence] = field(default_factory=dict)
    steps: dict[str, str] = field(default_factory=dict)
    variables: dict[str, ir.VariableDeclaration] = field(default_factory=dict)
    terms: dict[str, syntax.Term] = field(default_factory=dict)
    stages: dict[str, tuple[ir.Parameter, ...]] = field(default_factory=dict)
    of_plays: frozenset[str] = frozenset()
    """The terms that speak of a play, which rules cannot use."""
    mistaken: set[str] = field(default_factory=set)
    """What is declared with a mistake. The mistake is reported there, so its uses are not reported.
    """
    roles: frozenset[str] = frozenset()
    fewest: int = 1
    """How many players there are at least."""
    measurer: Measurer = field(default_factory=Measurer)
    """Knows how large what was inlined has become."""
    level: int = 0
    """How many expressions are being bound, each within the one before; `MOST_LEVELS` is the
    most.
    """
    inlined: int = 0
    """How many nodes of terms and routines have been inlined so far; `MOST_INLINED` is the most."""

    def tagged_kinds(self, name: str) -> tuple[str, ...]:
        """Return the kinds that *name* means: the kind called so, or those tagged so."""
        if name in self.kinds:
            return (name,)
        return tuple(kind.name for kind in self.kinds.values() if name in kind.tags)

    def tagged_steps(self, sequence: ir.Sequence, name: str) -> tuple[str, ...]:
        """Return the steps of *sequence* that *name* means: the step called so, or those tagged
        so.
        """
        if name == ir.NO_STEP and sequence.name != ir.TURN:
            return (ir.NO_STEP,)
        named = tuple(step.name for step in sequence.steps if step.name == name)
        return named or tuple(step.name for step in sequence.steps if name in step.tags)

    def tagged_flags(self, name: str) -> tuple[str, ...]:
        """Return the flag variables tagged *name*."""
        return tuple(
            v.name
            for v in self.variables.values()
            if name in v.tags and isinstance(v.type, ir.FlagType) and not v.each_player
        )

    def sequence_of(self, variable: str) -> ir.Sequence | None:
        """Return the sequence whose present step *variable* is, None if it is no such variable."""
        return next((s for s in self.sequences.values() if s.variable == variable), None)

    def kind_type(self) -> ir.EnumType:
        """Return the type of ``kind of i``."""
        return ir.EnumType(tuple(self.kinds))


def names_of(program: ir.Program, roles: frozenset[str] = frozenset()) -> Names:
    """Return the names of *program*, for binding formulas; see `Names` for *roles*."""
    return Names(
        options={option.name: option for option in program.options},
        kinds={kind.name: kind for kind in program.kinds},
        attributes={attribute.name: attribute for attribute in program.attributes},
        zones={zone.name: zone for zone in program.zones},
        sequences={sequence.name: sequence for sequence in program.sequences},
        steps={
            step.name: sequence.name for sequence in program.sequences for step in sequence.steps
        },
        variables={variable.name: variable for variable in program.variables},
        terms={term.name: term for term in program.terms},
        of_plays=terms_of_plays(program.terms),
        stages={stage.name: stage.parameters for stage in program.stages},
        roles=roles.union(program.inactive_steps),
    )


def _speaks_of_a_play(node: object) -> bool:
    """Whether *node* itself says what happens, what happened, or who may act; what is below it does
    not count.
    """
    match node:
        case (
            syntax.Phrase()
            | syntax.Idiom()
            | syntax.Enforce()
            | syntax.Word("someone" | "something")
        ):
            return True
        case syntax.Unary(operator):
            return operator != "not"
        case syntax.Binary(operator):
            return operator in ("since", "until", "leads to")
        case _:
            return False


def terms_of_plays(terms: Iterable[syntax.Term]) -> frozenset[str]:
    """Return the names of those of *terms* that speak of a play, by way of others too."""
    uses = {term.name: used_in(term.meaning) for term in terms}
    found = {term.name for term in terms if any(map(_speaks_of_a_play, ir.walk(term.meaning)))}
    while more := {name for name, used in uses.items() if name not in found and used & found}:
        found |= more
    return frozenset(found)


def used_in(meaning: syntax.Expr) -> set[str]:
    """Return the names that stand in *meaning*."""
    return {node.name for node in ir.walk(meaning) if isinstance(node, syntax.Name | syntax.Call)}
