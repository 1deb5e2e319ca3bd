"""Witnesses: where a formula is broken by some item that is on a zone, that item is watched.

An encoding knows of the items of a zone only those in the spotlight, so that there is no such item
cannot be proved of the others. But a moment that breaks ``never some t in pool where F`` does so by
one item, and for every item i it can be asked whether it is on the pool and F: what is asked then
is the same, with one spotlight more.

    some t in pool where F(t)    i on pool and F(i), or j on pool and F(j), …

It is said of all items that are watched, for the one may be among those that are in the spotlight
anyway, and two of these are different items. Only what has to be so at one moment for the formula
to be broken is said so: that no item was there since some moment is said of each of several
moments, at which there may be another one each.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import assert_never

from ....models import ir
from ....properties import formula as f
from ....properties.wording import written_name
from .instances import renamed

MOST = 2
"""How many witnesses are watched at most: each makes every question larger."""
MOST_ITEMS = 4
"""There are none where with them more items than this would be watched."""


def with_witnesses(program: ir.Program, question: f.Property) -> f.Property:
    """Return *question*, of mode ``always`` or ``possible``, asked of its witnesses, too; itself if
    it has none.
    """
    watched = tuple(spotlight.name for spotlight in question.spotlights if spotlight.kind == "item")
    names = _names_for(program, question)
    if not names or len(watched) + len(names) > MOST_ITEMS:
        return question
    body = _Said((*watched, *names), len(names)).about_items(
        question.body, sought=question.mode == "possible"
    )
    return replace(
        question,
        body=body,
        spotlights=(*question.spotlights, *(f.Spotlight("item", name) for name in names)),
    )


def _names_for(program: ir.Program, question: f.Property) -> tuple[str, ...]:
    """Return what the witnesses of *question* are called: with a space, as no ruleset and no
    formula can call anything.
    """
    found = _Said((), MOST)
    found.about_items(question.body, sought=question.mode == "possible")
    names: list[str] = []
    for variable in found.replaced:
        name = written_name(program, variable)
        names.append(f"any {name}" if f"any {name}" not in names else f"any other {name}")
    return tuple(names)


@dataclass
class _Said:
    """Says formulas of *items*, for at most *most* quantifiers; *replaced* are the names that
    those give.
    """

    items: tuple[str, ...]
    most: int
    replaced: list[str] = field(default_factory=list)

    def about_items(self, formula: f.Formula, *, sought: bool) -> f.Formula:
        """Return *formula* said of the items: of one that is *sought* a moment is looked for at
        which it is true, else false.
        """
        match formula:
            case f.Holds(expression, items):
                return self.expression(expression, items, sought=sought)
            case f.Not(operand):
                return f.Not(self.about_items(operand, sought=not sought))
            case f.And(parts):
                return f.And(tuple(self.about_items(part, sought=sought) for part in parts))
            case f.Or(parts):
                return f.Or(tuple(self.about_items(part, sought=sought) for part in parts))
            case f.Previously(operand):
                return f.Previously(self.about_items(operand, sought=sought))
            case f.Once(operand):
                return f.Once(self.about_items(operand, sought=True)) if sought else formula
            case f.Since(left, right):
                return f.Since(left, self.about_items(right, sought=True)) if sought else formula
            case f.LeafOfPosition():
                return formula
            case f.LeafOfEnabled():
                return formula
            case f.LeafOfMove():
                return formula
            case _:
                assert_never(formula)

    def expression(self, expression: ir.Expr, seen: tuple[str, ...], *, sought: bool) -> f.Formula:
        """Return that *expression* is true, and that the items *seen* have been there, said of the
        items.
        """
        before = len(self.replaced)
        said = self._taken_apart(expression, seen, sought=sought)
        return f.Holds(expression, seen) if len(self.replaced) == before else said

    def _taken_apart(
        self, expression: ir.Expr, seen: tuple[str, ...], *, sought: bool
    ) -> f.Formula:
        match expression:
            case ir.All(parts):
                return f.And(tuple(self.expression(part, seen, sought=sought) for part in parts))
            case ir.Any(parts):
                return f.Or(tuple(self.expression(part, seen, sought=sought) for part in parts))
            case ir.Not(operand):
                denied = f.Not(self.expression(operand, seen, sought=not sought))
                return f.And((f.Holds(ir.YES, seen), denied)) if seen else denied
            case ir.Exists(variable, ir.ItemsOn(zone), body) if (
                sought and len(self.replaced) < self.most
            ):
                self.replaced.append(variable)
                return f.Or(
                    tuple(self._of_one(item, zone, variable, body, seen) for item in self.items)
                )
            case (
                ir.Literal() | ir.OptionValue() | ir.Amount() | ir.NamedValue() | ir.Neighbour()
                | ir.SomePlayers() | ir.YesOrNo() | ir.EndOf() | ir.AttributeOf()
            ):  # fmt: skip
                return f.Holds(expression, seen)
            case _:
                assert_never(expression)

    def _of_one(
        self, item: str, zone: str, variable: str, body: ir.Expr, seen: tuple[str, ...]
    ) -> f.Formula:
        """Return that *item* is on *zone* and *body* true of it, where that calls it *variable*."""
        with_it = tuple(dict.fromkeys((*seen, item)))
        return f.And((f.On(item, zone), renamed(f.Holds(body, with_it), {variable: item})))
