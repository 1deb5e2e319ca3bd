"""Roles, the catalogue's words in the words of one game: surface formula + Program -> surface
formula.

The catalogue speaks of the zones `stack` and `waiting`, of flags that are a `process`, of steps
that are `silent` or `ending`. Here each becomes what the game calls so: a zone of that role (every
one of them, where there are several), the flags and steps with that tag. What a game does not have
is false, and a zone it does not have is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import reduce
from typing import Literal

from ...models import ir, syntax
from ...models.frozen import frozen

ZONE_ROLES = ("stack", "waiting")
KIND_ROLES = ("slow", "trigger")
STEP_ROLES = ("silent", "ending")
PROCESS = "process"
TAGS = frozenset({"slow", "silent", "ending", "process", "trigger"})
"""The tags that the catalogue knows even where nothing carries them."""


def in_words_of(
    program: ir.Program, formula: syntax.Formula, *, to_read: bool = False, of_file: bool = False
) -> syntax.Formula:
    """Return *formula* with its roles replaced by what *program* has: all of the catalogue, and of
    one *of_file*, which speaks of *program* in its own words, those for which it has no such word.

    Of what it does not have, a formula *to_read* keeps the catalogue's word, ``process`` says more
    than ``no``, but not beside what the *program* has, where it says nothing.
    """
    taken = {spotlight.name for spotlight in formula.spotlights}
    if of_file:
        taken |= {zone.name for zone in program.zones} | {kind.name for kind in program.kinds}
        taken |= {one.name for one in program.variables} | {term.name for term in program.terms}
        taken |= {step.name for sequence in program.sequences for step in sequence.steps}
    roles = _Roles(program, frozenset(taken), to_read, of_file)
    about = None if formula.about is None else ir.rewrite(formula.about, roles.change)
    given = tuple(ir.rewrite(one, roles.change) for one in formula.given)
    return replace(formula, body=ir.rewrite(formula.body, roles.change), about=about, given=given)


Join = Literal["and", "or"]


@frozen
class _Roles:
    program: ir.Program
    taken: frozenset[str]
    to_read: bool
    of_kinds: bool
    """Whether what is asked of kinds of items is looked at, too."""
    kept: dict[int, tuple[syntax.Expr, bool]] = field(default_factory=dict)
    """What is said in the catalogue's words of what the *program* does not have, by identity, each
    with what it comes to.
    """

    def change(self, node: object) -> object:
        """Return what stands in the place of *node*, whose parts are changed already."""
        match node:
            case syntax.Binary("and" | "or", left, right) if self.kept:
                neutral = node.operator == "and"
                if self._comes_to(left, neutral) != self._comes_to(right, neutral):
                    return right if self._comes_to(left, neutral) else left
                return node
            case syntax.Binary("is" | "is not", syntax.Name(zone), syntax.Word("empty")) if (
                self._is_role(zone)
            ):
                join: Join = "and" if node.operator == "is" else "or"
                return self._each_zone(
                    node,
                    zone,
                    join,
                    lambda z: replace(node, left=syntax.Name(z.name, span=node.span)),
                )
            case syntax.Binary("is", _, syntax.EndOf(_, zone)) if self._is_role(zone):
                return self._is_next(node, zone)
            case syntax.Binary("is" | "is not", syntax.Name(ir.STEP), syntax.Name(tag)) if (
                tag in STEP_ROLES and tag not in self.taken
            ):
                asked = self._is_step(node, tag)
                if asked is node and node.operator == "is not":
                    self.kept[id(node)] = node, True
                return (
                    asked
                    if node.operator == "is" or asked is node
                    else syntax.Unary("not", asked, span=node.span)
                )
            case syntax.Binary("is" | "is not", _, syntax.Name(tag)) if self._is_of_no_kind(tag):
                return (
                    node
                    if self.to_read
                    else syntax.Word("no" if node.operator == "is" else "yes", span=node.span)
                )
            case syntax.Size(zone) if self._is_role(zone):
                sizes: list[syntax.Expr] = [
                    replace(node, zone=z.name) for z in self.program.zones_tagged(zone)
                ]
                nothing = node if self.to_read else syntax.Number(0, span=node.span)
                return reduce(_plus, sizes[1:], sizes[0]) if sizes else nothing
            case syntax.Phrase(name=str(zone)) if node.kind in (
                "on",
                "is put on",
                "leaves",
            ) and self._is_role(zone):
                return self._each_zone(node, zone, "or", lambda z: replace(node, name=z.name))
            case syntax.Phrase("begins" | "ends", syntax.Name(ir.TURN)) if not self._has_turns():
                return self._joined_parts([], "or", node)
            case syntax.Quantified(_, _, syntax.Name(zone), _) if self._is_role(zone):
                quantifies: Join = "or" if node.quantifier == "some" else "and"
                return self._each_zone(
                    node,
                    zone,
                    quantifies,
                    lambda z: replace(node, domain=syntax.Name(z.name, span=node.span)),
                )
            case syntax.Name(name) if name == PROCESS and name not in self.taken:
                return self._process(node)
            case _:
                return node

    def _is_role(self, name: str) -> bool:
        return name in ZONE_ROLES and name not in self.taken

    def _is_of_no_kind(self, tag: str) -> bool:
        tagged = any(tag in kind.tags for kind in self.program.kinds)
        return self.of_kinds and tag in KIND_ROLES and tag not in self.taken and not tagged

    def _has_turns(self) -> bool:
        return any(sequence.name == ir.TURN for sequence in self.program.sequences)

    def _each_zone(
        self, node: syntax.Expr, role: str, join: Join, said: Callable[[ir.Zone], syntax.Expr]
    ) -> syntax.Expr:
        return self._joined_parts(
            [said(zone) for zone in self.program.zones_tagged(role)], join, node
        )

    def _is_next(self, node: syntax.Binary, role: str) -> syntax.Expr:
        ends = [(zone.end_word, zone.name) for zone in self.program.zones_tagged(role)]
        asked = [
            replace(node, right=syntax.EndOf(end, name, span=node.right.span))
            for end, name in ends
            if end is not None
        ]
        return self._joined_parts(asked, "or", node)

    def _is_step(self, node: syntax.Binary, tag: str) -> syntax.Expr:
        """Return whether the present step of any sequence is tagged *tag*.

        Where no step is tagged ``ending``, it is the last step of the turn that is not silent.
        """
        asked: list[syntax.Expr] = []
        for sequence in self.program.sequences:
            tagged = [step.name for step in sequence.steps if tag in step.tags]
            if tag == "ending" and not tagged and sequence.name == ir.TURN:
                tagged = [step.name for step in sequence.steps if "silent" not in step.tags][-1:]
            variable = syntax.Name(sequence.variable, span=node.left.span)
            asked.extend(
                replace(
                    node,
                    operator="is",
                    left=variable,
                    right=syntax.Name(step, span=node.right.span),
                )
                for step in tagged
            )
        return self._joined_parts(asked, "or", node)

    def _process(self, node: syntax.Name) -> syntax.Expr:
        flags = [
            v
            for v in self.program.variables
            if PROCESS in v.tags and isinstance(v.type, ir.FlagType)
        ]
        asked: list[syntax.Expr] = []
        for flag in flags:
            if flag.each_player:
                whose = self._free("whose")
                due = syntax.Of(flag.name, syntax.Name(whose, span=node.span), span=node.span)
                asked.append(
                    syntax.Quantified(
                        "some", whose, syntax.Word("players", span=node.span), due, span=node.span
                    )
                )
            else:
                asked.append(replace(node, name=flag.name))
        return self._joined_parts(asked, "or", node)

    def _free(self, name: str) -> str:
        """Return *name*, or one like it that means nothing in the program."""
        program = self.program
        named = {
            *(one.name for one in program.variables),
            *(one.name for one in program.options),
            *(one.name for one in program.zones),
        }
        return self._free(f"{name}_") if name in self.taken | named else name

    def _joined_parts(
        self, parts: Sequence[syntax.Expr], join: Join, node: syntax.Expr
    ) -> syntax.Expr:
        """Return *parts* joined; of none, what an empty conjunction or disjunction is, or *node* as
        it is.
        """
        if not parts and self.to_read:
            self.kept[id(node)] = node, join == "and"
            return node
        if not parts:
            return syntax.Word("yes" if join == "and" else "no", span=node.span)
        return reduce(lambda left, right: syntax.Binary(join, left, right, span=node.span), parts)

    def _comes_to(self, node: syntax.Expr, value: bool) -> bool:
        return id(node) in self.kept and self.kept[id(node)][1] is value


def _plus(left: syntax.Expr, right: syntax.Expr) -> syntax.Expr:
    return syntax.Binary("+", left, right, span=left.span)
