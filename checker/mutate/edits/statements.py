"""Statements, and what can be changed in them: one is left out, another player is meant, another
zone, another way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from ....models import ir
from ....models.binding.typed import negated
from ....models.ir.analysis import effect_of, move_together, up_to_end
from ....models.ir.parts import blocks_of
from ....properties.wording import expression_words, written_name
from .shortcuts import past, without_a_cause

_ACTIVE = ir.Variable(ir.ACTIVE)
_Change = tuple[str, str, ir.Block]
"""The kind of a change, what it does in words, and what stands in the place of a statement."""


def changed_blocks(
    clause: ir.Clause, stage: ir.Stage, program: ir.Program
) -> Iterator[tuple[str, str, ir.Block]]:
    """Yield the body of *clause* with one change in it: its kind, what it does in words, and the
    body.
    """
    names = [
        p.name
        for p in stage.parameters
        if isinstance(p.type, ir.PlayerType) and not p.type.optional
    ]
    players: list[ir.Expr] = [_ACTIVE, *(ir.Local(name) for name in names)]
    if clause.owner.variable is not None:
        players.append(ir.Local(clause.owner.variable))
    for kind, words, body in _of_block(clause.body, program, players):
        yield kind, words, up_to_end(body)


def _of_block(block: ir.Block, program: ir.Program, players: list[ir.Expr]) -> Iterator[_Change]:
    for place, statement in enumerate(block):
        before, after = block[:place], block[place + 1 :]
        for kind, words, changed in _of_statement(statement, program, players):
            yield kind, words, (*before, *changed, *after)
        for number, inner in enumerate(
            () if isinstance(statement, ir.ForEach) else blocks_of(statement)
        ):
            for kind, words, body in _of_block(inner, program, players):
                yield kind, words, (*before, _with_block(statement, number, body), *after)


def _with_block(statement: ir.Statement, number: int, body: ir.Block) -> ir.Statement:
    match statement:
        case ir.If(condition, then, otherwise):
            return (
                ir.If(condition, body, otherwise) if number == 0 else ir.If(condition, then, body)
            )
        case ir.Branch(options, by):
            return ir.Branch(
                tuple(
                    (title, body if at == number else its)
                    for at, (title, its) in enumerate(options)
                ),
                by,
            )
        case (
            ir.Simple()
            | ir.Require()
            | ir.Let()
            | ir.Choose()
            | ir.ForEach()
            | ir.Go()
            | ir.GameOver()
        ):
            raise AssertionError(f"{statement} has no block of its own")
        case _:
            assert_never(statement)


def _of_statement(
    statement: ir.Statement, program: ir.Program, players: list[ir.Expr]
) -> Iterator[_Change]:
    match statement:
        case ir.Require(condition):
            words = expression_words(program, condition)
            yield "left out", f"without `require {words}`", ()
            yield "condition", f"`require {words}` negated", (ir.Require(negated(condition)),)
        case ir.Put() | ir.Move():
            yield from _of_placing(statement, program, players)
        case ir.Leave(item, how):
            yield (
                "left out",
                f"the item {'stays' if how == 'is removed' else 'does not resolve'}",
                (),
            )
            yield (
                "effect",
                "the item leaves otherwise",
                (ir.Leave(item, "resolves" if how == "is removed" else "is removed"),),
            )
        case ir.Alter():
            yield from _of_change(statement, program, players)
        case ir.BeginResolving() | ir.Pass() | ir.Advance() | ir.StepTo():
            yield "left out", f"without `{_STATEMENTS[type(statement)]}`", ()
        case ir.Assign():
            yield from _of_assignment(statement, program, players)
        case ir.If(condition, then, otherwise):
            words = expression_words(program, condition)
            yield (
                "condition",
                f"`if {words}` negated",
                (ir.If(negated(condition), then, otherwise),),
            )
            yield "branch", f"always as if {words}", then
            yield "branch", f"never as if {words}", otherwise
        case ir.Choose():
            yield from _of_choice(statement, program, players)
        case ir.Branch(options, by):
            for number, (title, _) in enumerate(options):
                others = options[:number] + options[number + 1 :]
                yield (
                    "branch",
                    f"without `{title or f'alternative {number + 1}'}`",
                    (ir.Branch(others, by),) if len(others) > 1 else others[0][1],
                )
            if by == "cards":
                yield from without_a_cause(statement, program)
            else:
                yield from (
                    ("chooser", f"{words} chooses", (ir.Branch(options, who),))
                    for words, who in _choosers(by, program, players)
                )
        case ir.ForEach():
            yield from _of_each(statement, program, players)
        case ir.Go():
            yield from _of_go(statement, program, players)
        case ir.Let() | ir.GameOver():
            return
        case _:
            assert_never(statement)


_STATEMENTS = {
    ir.BeginResolving: "begin resolving",
    ir.Pass: "pass",
    ir.Advance: "advance",
    ir.StepTo: "skip to",
}


def _of_placing(
    statement: ir.Put | ir.Move, program: ir.Program, players: list[ir.Expr]
) -> Iterator[_Change]:
    what = statement.kind if isinstance(statement, ir.Put) else "the item"
    yield "left out", f"{what} is not put on {statement.zone}", ()
    for zone in program.zones:
        if zone.name != statement.zone:
            yield (
                "zone",
                f"{what} goes to {zone.name}, not to {statement.zone}",
                (replace(statement, zone=zone.name),),
            )
    if isinstance(statement, ir.Put):
        other = _next([kind.name for kind in program.kinds], statement.kind)
        if other != statement.kind:
            yield (
                "effect",
                f"{other} is put, not {statement.kind}",
                (replace(statement, kind=other),),
            )
        for words, who in _others(statement.controller, program, players):
            yield (
                "player",
                f"{statement.kind} is controlled by {words}",
                (replace(statement, controller=who),),
            )


def _next(names: list[str], name: str) -> str:
    """Return the one of *names* that comes after *name*, round and round."""
    return names[(names.index(name) + 1) % len(names)]


def _of_assignment(
    statement: ir.Assign, program: ir.Program, players: list[ir.Expr]
) -> Iterator[_Change]:
    declared = next(
        (variable for variable in program.variables if variable.name == statement.variable), None
    )
    return _of_value(
        statement, statement.variable, declared.type if declared else None, program, players
    )


def _of_change(
    statement: ir.Alter, program: ir.Program, players: list[ir.Expr]
) -> Iterator[_Change]:
    declared = next(
        (attribute for attribute in program.attributes if attribute.name == statement.attribute),
        None,
    )
    return _of_value(
        statement,
        f"{statement.attribute} of the item",
        declared.type if declared else None,
        program,
        players,
    )


def _of_value(
    statement: ir.Assign | ir.Alter,
    name: str,
    type_: ir.Type | None,
    program: ir.Program,
    players: list[ir.Expr],
) -> Iterator[_Change]:
    """Yield what else *statement* may make of what is called *name*."""
    value = statement.value
    yield "left out", f"{name} stays as it is", ()
    match type_:
        case ir.FlagType():
            yield (
                "effect",
                f"{name} becomes the opposite",
                (replace(statement, value=negated(value)),),
            )
        case ir.PlayerType():
            yield from (
                ("player", f"{name} becomes {words}", (replace(statement, value=who),))
                for words, who in _others(value, program, players)
            )
        case ir.PlayersType() if value != ir.NoPlayers():
            yield "effect", f"{name} becomes none", (replace(statement, value=ir.NoPlayers()),)
        case ir.EnumType(values) if isinstance(value, ir.Literal) and value.value in values:
            other = _next(list(values), str(value.value))
            yield (
                "effect",
                f"{name} becomes {other}",
                (replace(statement, value=ir.Literal(other)),),
            )
        case ir.PlayersType() | ir.EnumType() | ir.NumberType() | ir.ItemType() | None:
            pass
        case _:
            assert_never(type_)


def _of_choice(
    statement: ir.Choose, program: ir.Program, players: list[ir.Expr]
) -> Iterator[_Change]:
    name = written_name(program, statement.variable)
    if statement.nearest is not None:
        yield (
            "order",
            f"any {name}, not the one that comes first",
            (replace(statement, nearest=None),),
        )
        for words, who in _others(statement.nearest.origin, program, players):
            yield (
                "order",
                f"the one that comes first from {words}",
                (replace(statement, nearest=replace(statement.nearest, origin=who)),),
            )
    yield from _of_condition(statement, "any", program)
    if statement.by != "cards":
        yield from (
            ("chooser", f"{words} chooses {name}", (replace(statement, by=who),))
            for words, who in _choosers(statement.by, program, players)
        )


def _of_condition(
    statement: ir.Choose | ir.ForEach, which: str, program: ir.Program
) -> Iterator[_Change]:
    if statement.condition != ir.YES:
        name, words = (
            written_name(program, statement.variable),
            expression_words(program, statement.condition),
        )
        yield (
            "condition",
            f"{which} {name}, not only where {words}",
            (replace(statement, condition=ir.YES),),
        )
        yield (
            "condition",
            f"{name} where not {words}",
            (replace(statement, condition=negated(statement.condition)),),
        )


def _of_each(
    statement: ir.ForEach, program: ir.Program, players: list[ir.Expr]
) -> Iterator[_Change]:
    name = written_name(program, statement.variable)
    yield "left out", f"nothing is done for every {name}", ()
    yield from _of_condition(statement, "every", program)
    orders, zone = {zone.name: zone.order for zone in program.zones}, effect_of(statement).among
    for done in statement.body:
        for kind, words, changed in _of_statement(done, program, players):
            body = tuple(one for one in changed if isinstance(one, ir.OfEach))
            together = all(
                zone is None
                or not isinstance(one, ir.Move)
                or move_together(zone, one.zone, orders)
                for one in body
            )
            if body and together:
                yield kind, f"{words}, for every {name}", (replace(statement, body=body),)


def _of_go(statement: ir.Go, program: ir.Program, players: list[ir.Expr]) -> Iterator[_Change]:
    parameters = program.stage(statement.stage).parameters
    for number, (parameter, given) in enumerate(zip(parameters, statement.arguments, strict=True)):
        if isinstance(parameter.type, ir.PlayerType):
            for words, who in _others(given, program, players):
                arguments = (*statement.arguments[:number], who, *statement.arguments[number + 1 :])
                yield (
                    "player",
                    f"go {statement.stage}({words}), not ({expression_words(program, given)})",
                    (ir.Go(statement.stage, arguments),),
                )
    types = [parameter.type for parameter in parameters]
    for other in program.stages:
        if (
            other.name != statement.stage
            and [parameter.type for parameter in other.parameters] == types
        ):
            yield (
                "go",
                f"go {other.name}, not {statement.stage}",
                (ir.Go(other.name, statement.arguments),),
            )
    yield "go", f"the game is over, instead of go {statement.stage}", (ir.GameOver(),)
    yield from past(statement, program)


def _others(
    who: ir.Expr, program: ir.Program, players: list[ir.Expr]
) -> Iterator[tuple[str, ir.Expr]]:
    """Yield players who could be meant in the place of *who*: those at hand, and the neighbours of
    whom is meant.
    """
    beside: list[ir.Expr] = (
        [who.player]
        if isinstance(who, ir.Neighbour)
        else [ir.Neighbour(who, 1)]
        if who != ir.Literal(None)
        else []
    )
    for other in dict.fromkeys([*players, *beside]):
        if other != who:
            yield expression_words(program, other), other


def _choosers(
    by: ir.Expr | str | None, program: ir.Program, players: list[ir.Expr]
) -> Iterator[tuple[str, ir.Expr]]:
    who: ir.Expr = ir.Neighbour(_ACTIVE, 1) if by is None or isinstance(by, str) else by
    yield from _others(who, program, players)
    if by is None:
        yield expression_words(program, who), who
