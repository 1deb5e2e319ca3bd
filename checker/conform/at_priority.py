"""What is so whenever somebody has priority, and how many items can have left by then: read off the
rules, so that a search need not go where no look can follow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import assert_never

from ...models import ir
from ...models.ir.analysis import effect_of
from ...models.ir.parts import blocks_of, statements


class AtPriority:
    """What the clauses that give priority in *program* ask for.

    *empty* are the zones in which nothing lies then, *off* the flags that are not up.
    """

    def __init__(self, program: ir.Program) -> None:
        self.stages = frozenset(
            stage.name for stage in program.stages if stage.priority is not None
        )
        facts = [
            _facts(clause)
            for _, clause in program.clauses
            if any(isinstance(one, ir.Go) and one.stage in self.stages for one in _all(clause))
        ]
        start = program.start.stage in self.stages
        common = set.intersection(*facts) if facts and not start else set()
        self.empty = frozenset(name for name, is_zone in common if is_zone)
        self.off = frozenset(name for name, is_zone in common if not is_zone)
        stacks = {zone.name for zone in program.zones_tagged("stack")}
        self.is_seen_whole = all(zone.name in stacks | self.empty for zone in program.zones)
        """Whether a look shows every item that there is."""
        self.grows = [zone.order for zone in program.zones_tagged("stack")] in (
            ["lifo"],
            ["fifo"],
        ) and all(_moves_only_to(stacks, clause) for _, clause in program.clauses)
        """Whether what lies on the stack stays there, in its order, while nothing leaves."""


def shown_first(clause: ir.Clause, hidden: Collection[str], *, is_process: bool) -> frozenset[str]:
    """Return the names of the events that a log can show first of a move by *clause*, which is no
    player's, where it never shows those *hidden*; the empty name if it may show nothing.
    """
    is_asked = any(isinstance(e, ir.Branch) and e.by not in (None, "cards") for e in _all(clause))
    first = {"sba"} if is_process and "sba" not in hidden else _first(clause.body)
    names = first | ({"choice"} if is_asked else set())
    return frozenset("" if name in hidden else name for name in names)


def _first(block: ir.Block) -> set[str]:
    found = {""}
    for one in block:
        found = found - {""} | _first_of(one)
        if "" not in found:
            break
    return found


def _first_of(statement: ir.Statement) -> set[str]:
    match statement:
        case ir.Put():
            return {"trigger"}
        case ir.Leave(_, how):
            return {"resolve" if how == "resolves" else "leave"}
        case ir.Pass():
            return {"pass"}
        case ir.SimpleOfState() if effect_of(statement).steps is not None:
            return {"turn", "step", ""}
        case ir.Go():
            return {"priority", ""}
        case ir.If() | ir.Branch():
            return set[str]().union(*map(_first, blocks_of(statement)))
        case ir.ForEach():
            return {"", *_first(statement.body)}
        case (
            ir.SimpleOfItem()
            | ir.SimpleOfState()
            | ir.Require()
            | ir.Let()
            | ir.Choose()
            | ir.GameOver()
        ):
            return {""}
        case _:
            assert_never(statement)


def _all(clause: ir.Clause) -> list[ir.Statement]:
    return list(statements(clause.body))


def _moves_only_to(stacks: set[str], clause: ir.Clause) -> bool:
    """Whether *clause* moves no item but to *stacks*, and from elsewhere."""
    from_ = [
        (one.variable, one.domain.zone)
        for one in _all(clause)
        if isinstance(one, ir.Choose | ir.ForEach) and isinstance(one.domain, ir.ItemsOn)
    ]
    for move in _all(clause):
        if isinstance(move, ir.Move):
            item = move.item
            zones = (
                {item.zone}
                if isinstance(item, ir.EndOf)
                else {z for n, z in from_ if n == item.name}
            )
            if move.zone not in stacks or zones & stacks:
                return False
    return True


def _facts(clause: ir.Clause) -> set[tuple[str, bool]]:
    """Return the zones that are empty and the flags that are down when *clause* applies, and that
    it leaves so.
    """
    guard = clause.guard
    parts = guard.parts if isinstance(guard, ir.All) else (guard,)
    found = set[tuple[str, bool]]()
    for part in parts:
        if isinstance(part, ir.IsEmpty):
            found.add((part.zone, True))
        elif isinstance(part, ir.Not) and isinstance(part.operand, ir.Variable):
            found.add((part.operand.name, False))
    for one in _all(clause):
        if isinstance(one, ir.Put | ir.Move):
            found.discard((one.zone, True))
        elif isinstance(one, ir.Assign):
            found.discard((one.variable, False))
    return found


class Handing:
    """Which clauses of *program* hand on, as a parameter, who is to have priority."""

    def __init__(self, program: ir.Program) -> None:
        self.stages = {clause.id: stage for stage, clause in program.clauses}
        self.clauses = {clause.id: clause for _, clause in program.clauses}
        self.holder = {
            stage.name: _place(stage, stage.priority)
            for stage in program.stages
            if stage.priority is not None
        }

    def decides(self, way: Iterable[tuple[str, str]], stage: str) -> str:
        """Return the clause on a *way* to *stage*, told backwards as stages and their clauses, that
        decided who has priority there: the last that does not merely hand on who it is.
        """
        last, index = "", self.holder.get(stage)
        for before, last in way:
            index = self.handed(last, stage, index)
            stage = before
            if index is None:
                break
        return last

    def handed(self, clause: str, to: str, index: int | None) -> int | None:
        """Return the parameter of *clause*'s stage that it hands on as number *index* of stage
        *to*; None if it decides that itself.
        """
        if index is None:
            return None
        said = {
            _place(self.stages[clause], one.arguments[index])
            for one in statements(self.clauses[clause].body)
            if isinstance(one, ir.Go) and one.stage == to
        }
        return said.pop() if len(said) == 1 else None


def _place(stage: ir.Stage, expr: ir.Expr) -> int | None:
    names = [parameter.name for parameter in stage.parameters]
    return names.index(expr.name) if isinstance(expr, ir.Local) and expr.name in names else None
