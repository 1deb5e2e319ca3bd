"""Wording of what is so in a play: conditions and formulas with its names, without what can never
be otherwise, terms by their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from ...models import ir
from ...models.binding.names import all_of
from ...models.ir.analysis import Stopping, effect_of, guard_parts
from ...models.ir.parts import statements
from ...models.options.configure import simplified
from ...models.words import join_words
from ...properties import formula as f
from ...properties.wording import TermNames, expression_words, formula_words, written_name


def _is_role(variable: ir.VariableDeclaration) -> bool:
    """Whether a player is meant who is told by that name: the Corp, rather than seat 0."""
    return isinstance(variable.type, ir.PlayerType) and not variable.type.optional


class PlayWords:
    """The words of one Program. Variables that no clause ever changes count as known, and are not
    told.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        changed = {
            effect_of(statement).changes
            for _, clause in program.clauses
            for statement in statements(clause.body)
        }
        moving = {ir.ACTIVE, *(sequence.variable for sequence in program.sequences)} | changed
        self.constants = {
            v.name: v.initial
            for v in program.variables
            if v.name not in moving and not v.each_player and not _is_role(v)
        }
        self.terms = TermNames(program, self.simplify)

    def simplify(self, expr: ir.Expr) -> ir.Expr:
        """Return *expr* without what the options, and the variables that never change, decide
        already.
        """
        simpler = simplified(self.program, ir.rewrite(expr, self._known))
        return simpler if simpler == expr else self.simplify(simpler)

    def _known(self, node: object) -> object:
        match node:
            case ir.Variable(name) if name in self.constants:
                return self.constants[name]
            case ir.Contains(ir.NoPlayers(), _) | ir.Exists(_, _, ir.Literal(False)):
                return ir.NO
            case _:
                return node

    def expression(self, expr: ir.Expr, names: Mapping[str, str]) -> str:
        """Return *expr* as the rules would write it, with *names* for its variables."""
        return expression_words(self.program, self.simplify(expr), names, self.terms)

    def formula(self, formula: f.Formula, names: Mapping[str, str]) -> str:
        """Return *formula* as a property would write it, with *names* for its variables."""
        return formula_words(self.program, self.simplified(formula), names, self.terms)

    def simplified(self, formula: f.Formula) -> f.Formula:
        """Return *formula* with the expressions in it simplified."""

        def simpler(node: object) -> object:
            return (
                f.Holds(self.simplify(node.expression), node.items)
                if isinstance(node, f.Holds)
                else node
            )

        found: f.Formula = ir.rewrite(formula, simpler)
        return found

    def condition(self, condition: ir.Expr, names: Mapping[str, str], *, held: bool) -> str:
        """Return what is so: *condition* or its opposite; of a flag alone, that it is yes or no."""
        if isinstance(condition, ir.Variable | ir.Entry):
            return (
                f"{expression_words(self.program, condition, names)} is {'yes' if held else 'no'}"
            )
        said = condition if held else ir.Not(condition)
        if isinstance(self.simplify(said), ir.Literal):
            return expression_words(self.program, said, names, self.terms)
        return self.expression(said, names)

    def stopped(self, stop: Stopping, names: Mapping[str, str]) -> str:
        """Return why a move that comes to *stop* is not possible there, if it is not."""
        match stop:
            case ir.Require(condition):
                return f"it requires that {self.condition(condition, names, held=True)}"
            case ir.Choose(chosen, domain, condition):
                variable = written_name(self.program, chosen)
                such = (
                    ""
                    if condition == ir.YES
                    else f" of which {self.expression(condition, {**names, chosen: variable})}"
                )
                return f"there is no {_candidate(domain, variable)}{such}"
            case ir.Assign(variable):
                return self._out_of_range(variable)
            case ir.ForEach(body=(ir.Assign(variable), *_)):
                return self._out_of_range(variable)
            case ir.ForEach(body=(ir.Alter(_, attribute), *_)) | ir.Alter(_, attribute):
                return f"{attribute} of the item is out of its range"
            case ir.ForEach():
                return "not all of it can be done"
            case ir.Advance(sequence):
                return f"{sequence} is not going on"
            case ir.Put(kind):
                return f"what the {kind} would have is out of its range"
            case ir.Go(stage):
                return f"what it would hand to {stage} is out of its range"
            case _:
                assert_never(stop)

    def _out_of_range(self, variable: str) -> str:
        declared = self.program.variable(variable)
        if not isinstance(declared.type, ir.NumberType):
            return ""  # it has no range that it could leave
        low, high = (
            self.expression(bound, {}) for bound in (declared.type.low, declared.type.high)
        )
        return f"{declared.title or variable} would leave its range, {low} to {high}"


def _candidate(domain: ir.Domain, variable: str) -> str:
    """Return what could be chosen from *domain* as *variable*."""
    match domain:
        case ir.ItemsOn(zone):
            return f"{variable} on {zone}"
        case ir.PlayersIn():
            return f"player {variable} to choose"
        case ir.NumbersFrom():
            return f"number {variable} to choose"
        case _:
            assert_never(domain)


def comes_first(above: str) -> str:
    """Return that the clause *above* is why one below it in a block ``the first that applies`` is
    not used.
    """
    return f"{above} comes first and applies"


def guard_words(clause: ir.Clause, say: Callable[[ir.Expr], str]) -> str:
    """Return in words when *clause* applies: where its own guard, as *say* tells it, is met and
    none of the clauses above it does; empty if it always does.
    """
    parts = guard_parts(clause)
    own = all_of([part for part, above in parts if not above])
    guard = "" if own == ir.YES else say(own)
    each = list(dict.fromkeys(above for _, above in parts if above))
    if not each:
        return guard
    come = (
        f"{join_words(each)}, which {'comes' if len(each) == 1 else 'come'} first, "
        f"{'does' if len(each) == 1 else 'do'} not apply"
    )
    return f"{guard}, and {come}" if guard else come
