"""Edits: a Program with one part of a clause written otherwise, and all that the clause touches as
it was.

They are for what a proof is said not to rest on: the property has to hold with any edit there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from stacklaw.models import ir
from stacklaw.models.binding.definite import check_clause
from stacklaw.models.diagnostics import Report

ACTIVE = ir.Variable(ir.ACTIVE)
AFTER = ir.Neighbour(ACTIVE, 1)


def edits(program: ir.Program, clause: ir.Clause) -> Iterator[tuple[str, ir.Program]]:
    """Yield what is edited in *clause*, and *program* with it; only what the rules language
    allows.
    """
    stage = next(stage for stage in program.stages if clause in stage.clauses)
    for what, edited in _Edits(program, stage, clause).all():
        report = Report(program.source)
        check_clause(edited, {}, report)
        if edited != clause and not report.errors:
            yield what, with_clause(program, edited)


def with_clause(program: ir.Program, edited: ir.Clause) -> ir.Program:
    """Return *program* with *edited* in the place of the clause of its id."""
    stages = tuple(
        replace(
            stage,
            clauses=tuple(edited if clause.id == edited.id else clause for clause in stage.clauses),
        )
        for stage in program.stages
    )
    return replace(program, stages=stages)


class _Edits:
    def __init__(self, program: ir.Program, stage: ir.Stage, clause: ir.Clause) -> None:
        self.program, self.stage, self.clause = program, stage, clause
        self.types = {parameter.name: parameter.type for parameter in stage.parameters}
        self.players: list[ir.Expr] = [
            ACTIVE,
            AFTER,
            *(ir.Local(name) for name, type_ in self.types.items() if type_ == ir.PlayerType()),
        ]

    def all(self) -> Iterator[tuple[str, ir.Clause]]:
        clause = self.clause
        for guard in _conditions(clause.guard):
            yield "guard", replace(clause, guard=guard)
        for owner in self._owners():
            yield "owner", replace(clause, owner=owner)
        for body in self._blocks(clause.body):
            yield "body", replace(clause, body=body)

    def _owners(self) -> Iterator[ir.Owner]:
        owner = self.clause.owner
        if owner.variable is not None:
            yield from (
                replace(owner, condition=condition) for condition in _conditions(owner.condition)
            )
            return
        yield from (ir.Owner(player) for player in self.players)
        yield ir.Owner(None, "anybody", ir.YES)
        if self.clause.mode != "may":
            yield ir.Owner()

    def _blocks(self, block: ir.Block) -> Iterator[ir.Block]:
        """Yield *block* with one statement edited, or one in it."""
        for number, statement in enumerate(block):
            for edited in self._statements(statement):
                yield (*block[:number], *edited, *block[number + 1 :])

    def _statements(self, statement: ir.Statement) -> Iterator[ir.Block]:
        match statement:
            case ir.Require(condition):
                yield from ((ir.Require(other),) for other in _conditions(condition))
            case ir.If(condition, yes, no):
                yield from (
                    (replace(statement, condition=other),)
                    for other in (*_conditions(condition), ir.NO)
                )
                yield from ((replace(statement, then=block),) for block in self._blocks(yes))
                yield from ((replace(statement, otherwise=block),) for block in self._blocks(no))
            case ir.Branch(options):
                for number, (title, block) in enumerate(options):
                    for edited in self._blocks(block):
                        yield (
                            replace(
                                statement,
                                options=(
                                    *options[:number],
                                    (title, edited),
                                    *options[number + 1 :],
                                ),
                            ),
                        )
            case ir.Choose(domain=domain, condition=condition):
                yield from (
                    (replace(statement, condition=other),) for other in _conditions(condition)
                )
                yield (replace(statement, nearest=None),)
                if isinstance(domain, ir.PlayersIn):
                    yield (
                        replace(statement, domain=ir.PlayersIn(ir.Everyone()), condition=ir.YES),
                    )
            case ir.Let(value=value):
                yield from (
                    (replace(statement, value=player),)
                    for player in self.players
                    if self._is_player(value)
                )
            case ir.Put():
                yield ()
                yield from ((put,) for put in self._puts(statement))
            case ir.Move() | ir.Leave() | ir.BeginResolving():
                yield ()
                if isinstance(statement.item, ir.EndOf):
                    chosen = ir.Choose(
                        "any item", ir.ItemsOn(statement.item.zone), ir.YES, None, None
                    )
                    yield (chosen, replace(statement, item=ir.Local("any item")))
            case ir.StepTo(name):
                yield ()
                sequence = next(
                    sequence for sequence in self.program.sequences if sequence.name == name
                )
                steps = [step.name for step in sequence.steps] + [ir.NO_STEP] * (name != ir.TURN)
                yield from ((ir.StepTo(name, step),) for step in steps)
            case ir.Assign(variable, player):
                yield ()
                type_ = next(
                    declared.type
                    for declared in self.program.variables
                    if declared.name == variable
                )
                yield from ((replace(statement, value=value),) for value in self._values(type_))
                yield from (
                    (replace(statement, player=other),)
                    for other in self.players
                    if player is not None
                )
            case ir.Go(name, arguments):
                for number, parameter in enumerate(self.program.stage(name).parameters):
                    for value in self._values(parameter.type):
                        yield (ir.Go(name, (*arguments[:number], value, *arguments[number + 1 :])),)
            case ir.GameOver():
                return
            case ir.Simple():
                yield ()

    def _puts(self, put: ir.Put) -> Iterator[ir.Put]:
        yield from (replace(put, kind=kind.name) for kind in self.program.kinds)
        yield from (replace(put, controller=player) for player in self.players)
        for number, attribute in enumerate(self.program.attributes):
            for value in self._values(attribute.type):
                yield replace(
                    put, attributes=(*put.attributes[:number], value, *put.attributes[number + 1 :])
                )

    def _is_player(self, value: ir.Expr) -> bool:
        match value:
            case ir.Neighbour() | ir.AttributeOf(_, ir.CONTROLLER):
                return True
            case ir.Variable(name):
                return any(
                    declared.name == name and declared.type == ir.PlayerType()
                    for declared in self.program.variables
                )
            case ir.Local():
                return value in self.players
            case _:
                return False

    def _values(self, type_: ir.Type) -> Iterator[ir.Expr]:
        match type_:
            case ir.FlagType():
                yield from (ir.YES, ir.NO)
            case ir.NumberType(low, high):
                yield from (low, high)
            case ir.EnumType(values):
                yield from (ir.Literal(value) for value in values)
            case ir.PlayerType(optional):
                yield from self.players
                yield from [ir.Literal(None)] * optional
            case ir.PlayersType():
                yield from (ir.Everyone(), ir.NoPlayers(), ir.With(ir.NoPlayers(), ACTIVE))
            case ir.ItemType():
                return


def _conditions(condition: ir.Expr) -> Iterator[ir.Expr]:
    """Yield other conditions: none, the contrary, and with one part less."""
    yield ir.YES
    yield ir.Not(condition)
    if isinstance(condition, ir.All):
        yield from (
            ir.All((*condition.parts[:n], *condition.parts[n + 1 :]))
            for n in range(len(condition.parts))
        )
