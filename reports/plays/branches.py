"""Branches: which way a clause went at each of its conditions, and where it would have gone
otherwise.

The clause itself is not asked: it is run again by the reference interpreter in a Program in which
each ``if`` leaves a mark among the choices of the move, or in which one condition is turned round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from ...checker.reference.semantics.interpreter import Interpreter
from ...checker.types.position import Move, Position
from ...checker.types.scope import Scope
from ...models import ir
from ...models.frozen import frozen

_MARK = "\0"
_FOLLOWED = 64
"""How many positions are followed at most to see who gets priority next."""


@frozen
class BranchTaken:
    """An ``if`` of a clause, by its *number* in the Program, and whether its *condition* *held* in
    a move.

    *failed* is the first part of it that was not so, where it joins several by ``and``; else the
    condition.
    """

    number: int
    condition: ir.Expr
    held: bool
    failed: ir.Expr


class BranchesTaken:
    """The conditions of one Program."""

    def __init__(self, program: ir.Program, scope: Scope) -> None:
        self.program, self.scope = program, scope
        self._taken: list[BranchTaken] = []

    def of_move(self, before: Position, move: Move, after: Position) -> tuple[BranchTaken, ...]:
        """Return the conditions that *move* came to where they decide which stage is next, in the
        order of the clause.
        """
        for marked, reached in self._marked.moves(before).moves:
            plain = tuple(choice for choice in marked.choices if not _is_mark(choice.value))
            if reached == after and marked._replace(choices=plain) == move:
                return tuple(
                    self._taken[int(str(choice.value).removeprefix(_MARK))]
                    for choice in marked.choices
                    if _is_mark(choice.value)
                )
        return ()

    def against(
        self, before: Position, decision: BranchTaken, clause: str, player: int
    ) -> ir.Expr | None:
        """Return what keeps *clause* from giving *player* priority next, if *decision* has to do
        with it.

        That is the condition of *decision*, if the player would have priority had it gone the other
        way. Else it is the first part of the condition that held and stood in the way: were it
        false at each place in the clause, they would have priority. None if there is none.
        """
        turned = _changed_ifs(
            self.program, lambda n, node: _turn(node) if n == decision.number else node
        )
        if self._leads(turned, before, clause, player):
            return decision.condition
        held = [
            part
            for part in _parts(decision.condition)
            if decision.held and not isinstance(part, ir.Literal)
        ]
        return next(
            (
                part
                for part in held
                if self._leads(_without(self.program, clause, part), before, clause, player)
            ),
            None,
        )

    def unguarded_gives_priority(self, before: Position, clause: ir.Clause, player: int) -> bool:
        """Return whether *clause* would give *player* priority next if it had no guard."""

        def free(node: object) -> object:
            return (
                replace(node, guard=ir.YES)
                if isinstance(node, ir.Clause) and node.id == clause.id
                else node
            )

        return self._leads(ir.rewrite(self.program, free), before, clause.id, player)

    @cached_property
    def interpreter(self) -> Interpreter:
        """The Program as it is."""
        return Interpreter(self.program, self.scope)

    @cached_property
    def _marked(self) -> Interpreter:
        """The Program with a mark in both branches of each ``if`` that decides about the next
        stage.
        """

        def mark(taken: BranchTaken) -> ir.Branch:
            self._taken.append(taken)
            return ir.Branch(((f"{_MARK}{len(self._taken) - 1}", ()),), None)

        def marked(number: int, node: ir.If) -> ir.If:
            if not any(
                isinstance(part, ir.Go | ir.GameOver)
                for part in ir.walk((node.then, node.otherwise))
            ):
                return node
            said = node.condition
            *first, last = _parts(said)
            # Of several parts the first that is not so is marked; those after it are not asked.
            failed: ir.Statement = mark(BranchTaken(number, said, held=False, failed=last))
            for part in reversed(first):
                here = mark(BranchTaken(number, said, held=False, failed=part))
                failed = ir.If(part, (failed,), (here,))
            held = mark(BranchTaken(number, said, held=True, failed=_parts(said)[0]))
            return replace(node, then=(held, *node.then), otherwise=(failed, *node.otherwise))

        return Interpreter(_changed_ifs(self.program, marked), self.scope)

    def _leads(self, program: ir.Program, before: Position, clause: str, player: int) -> bool:
        """Return whether some move of *clause* in *program* leads to *player*'s priority first,
        before anything resolves.
        """
        try:
            found = Interpreter(program, self.scope).moves(before).moves
        except (IndexError, TypeError, RuntimeError):
            # A clause run against its own condition may ask for what is not there, such as the top
            # of an empty stack.
            return False
        return any(
            move.clause == clause and not _goes_on(move) and self._next_holder(position, player)
            for move, position in found
        )

    def _next_holder(self, position: Position, player: int) -> bool:
        """Return whether *player* may be the first to get priority from *position* on."""
        seen, waiting = {position}, [position]
        while waiting and len(seen) <= _FOLLOWED:
            here = waiting.pop()
            holders = self.interpreter.priority(here)
            if player in holders:
                return True
            if not holders:
                new = [
                    after
                    for move, after in self.interpreter.moves(here).moves
                    if after not in seen and not _goes_on(move)
                ]
                seen.update(new)
                waiting.extend(new)
        return False


_BETWEEN = frozenset(
    {"resolves", "begins resolving", "step ends", "step begins", "sequence ends", "sequence begins"}
)


def _goes_on(move: Move) -> bool:
    """Whether something resolves or a step changes in *move*: priority after it is another window,
    which nothing before it gives.
    """
    return any(event.kind in _BETWEEN for event in move.events)


def _changed_ifs(program: ir.Program, change: Callable[[int, ir.If], ir.If]) -> ir.Program:
    """Return *program* with *change* applied to each ``if``, which are numbered in the order of
    `ir.rewrite`.
    """
    count = 0

    def visit(node: object) -> object:
        nonlocal count
        if not isinstance(node, ir.If):
            return node
        count += 1
        return change(count - 1, node)

    return ir.rewrite(program, visit)


def _without(program: ir.Program, clause: str, part: ir.Expr) -> ir.Program:
    """Return *program* with *part* false at each place in the body of *clause*."""

    def drop(node: object) -> object:
        if not (isinstance(node, ir.Clause) and node.id == clause):
            return node
        return replace(node, body=ir.rewrite(node.body, lambda one: ir.NO if one == part else one))

    return ir.rewrite(program, drop)


def _parts(condition: ir.Expr) -> tuple[ir.Expr, ...]:
    return condition.parts if isinstance(condition, ir.All) and condition.parts else (condition,)


def _is_mark(value: object) -> bool:
    return isinstance(value, str) and value.startswith(_MARK)


def _turn(node: ir.If) -> ir.If:
    return replace(node, condition=ir.Not(node.condition))
