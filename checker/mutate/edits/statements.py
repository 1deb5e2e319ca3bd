"""Statements, and what can be changed in them: one is left out, taken before others, cut short.

Precedence: what clauses of a block ``the first that applies`` say of those above them, taken off
before an edit and said anew after it.

No clause says that none above applies: an edit of a condition also changes when the clauses below
can be used.

Shortcuts: a second way past a stage, and one cause less in one step.

Another way to where clauses lead, past their stage, walks around a claim that speaks of them. And
what is possible somewhere is still possible if the cards no longer cause it in one step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from ....models import ir
from ....models.binding.names import all_of, negated
from ....models.ir.analysis import bound_in, effect_of, guard_parts, move_together, up_to_end
from ....models.ir.parts import (
    blocks_of,
    expressions,
    locals_in,
    of_expressions,
    with_locals,
)
from ....properties.wording import expression_words, written_name


def as_written(stage: ir.Stage) -> ir.Stage:
    """Return *stage* with the guards that its clauses have in the text."""
    return replace(
        stage, clauses=tuple(replace(clause, guard=_own_guard(clause)) for clause in stage.clauses)
    )


def as_meant(edited: ir.Stage, original: ir.Stage) -> ir.Stage:
    """Return *edited*, which is as written, with guards that say that none above applies; it has
    the clauses of *original*.
    """
    pairs = zip(as_written(original).clauses, edited.clauses, strict=True)
    changed = {new.id: new for old, new in pairs if _when(old) != _when(new)}
    clauses = []
    for clause in edited.clauses:
        above = tuple(
            (id_, _applies(changed[id_], clause) if id_ in changed else was)
            for id_, was in clause.above
        )
        implied = [negated(applies) for _, applies in above if not isinstance(applies, ir.Literal)]
        guard = all_of([*([] if clause.guard == ir.YES else [clause.guard]), *implied])
        clauses.append(replace(clause, guard=guard, above=above))
    return replace(edited, clauses=tuple(clauses))


def _own_guard(clause: ir.Clause) -> ir.Expr:
    return all_of([part for part, above in guard_parts(clause) if not above])


def _when(clause: ir.Clause) -> tuple[str | None, ir.Expr, ir.Expr]:
    """Return all that decides whether *clause* applies."""
    return clause.owner.variable, clause.owner.condition, clause.guard


def _applies(clause: ir.Clause, below: ir.Clause) -> ir.Expr:
    """Return what says that *clause* applies, in names that *below* has not given."""
    variable, condition, guard = _when(clause)
    joined = all_of([part for part in (condition, guard) if part != ir.YES])
    applies = (
        joined if variable is None else ir.Exists(variable, ir.PlayersIn(ir.Everyone()), joined)
    )
    bound, taken = bound_names(applies), set(bound_in(below))
    for name in sorted(bound & taken):
        fresh = next(
            other
            for number in range(2, len(bound | taken) + 3)
            if (other := f"{name}_{number}") not in bound | taken
        )
        applies = _renamed(applies, name, fresh)
        bound.add(fresh)
    return applies


def bound_names(expr: ir.Expr) -> set[str]:
    """Return the names that stand for what there is of something in *expr*."""
    return {part.variable for part in expressions(expr) if isinstance(part, ir.Exists)}


def _renamed(expr: ir.Expr, name: str, fresh: str) -> ir.Expr:
    def change(part: ir.Expr) -> ir.Expr:
        if isinstance(part, ir.Exists) and part.variable == name:
            return replace(part, variable=fresh)
        return ir.Local(fresh) if part == ir.Local(name) else part

    renamed: ir.Expr = ir.rewrite(expr, of_expressions(change))
    return renamed


_Shortcut = tuple[str, str, ir.Block]


def past(go: ir.Go, program: ir.Program) -> Iterator[_Shortcut]:
    """Yield ways past the stage of *go*: to where a clause of that stage goes on, if what that
    clause asks for is so already.
    """
    stage, found = as_written(program.stage(go.stage)), set[tuple[ir.Expr, ir.Go]]()
    given = {
        parameter.name: value
        for parameter, value in zip(stage.parameters, go.arguments, strict=True)
    }
    for clause in stage.clauses:
        for conditions, exit_ in _exits(clause.body):
            asked = all_of([part for part in (clause.guard, *conditions) if part != ir.YES])
            way = asked, exit_
            if (
                exit_.stage == go.stage
                or way in found
                or not all(_can_be_asked(one, go, given) for one in (asked, *exit_.arguments))
            ):
                continue
            found.add(way)
            on = ir.Go(
                exit_.stage, tuple(with_locals(argument, given) for argument in exit_.arguments)
            )
            parts = asked.parts if isinstance(asked, ir.All) else (asked,)
            condition = all_of(
                [part for one in parts if not _is_plain(part := with_locals(one, given))]
            )
            if condition == ir.YES:
                yield "past", f"go {on.stage}, past {go.stage}", (on,)
            else:
                yield (
                    "past",
                    f"go {on.stage}, past {go.stage}, if {expression_words(program, condition)}",
                    (ir.If(condition, (on,), (go,)),),
                )


def _exits(block: ir.Block) -> Iterator[tuple[tuple[ir.Expr, ...], ir.Go]]:
    """Yield where *block* goes on, with what it has asked on the way there."""
    for statement in block:
        match statement:
            case ir.Go():
                yield (), statement
            case ir.If(condition, then, otherwise):
                for asked, body in ((condition, then), (negated(condition), otherwise)):
                    yield from (((asked, *more), exit_) for more, exit_ in _exits(body))
            case ir.Branch():
                for body in blocks_of(statement):
                    yield from _exits(body)
            case ir.Simple() | ir.Require() | ir.Let() | ir.Choose() | ir.ForEach() | ir.GameOver():
                pass
            case _:
                assert_never(statement)


def _is_plain(part: ir.Expr) -> bool:
    """Whether *part* says nothing: yes, or that something is itself."""
    return part == ir.YES or (isinstance(part, ir.Equal) and part.left == part.right)


def _can_be_asked(expr: ir.Expr, go: ir.Go, given: dict[str, ir.Expr]) -> bool:
    """Whether *expr*, of the stage of *go*, can be asked before it: its names are parameters, and
    none it gives is *given*.
    """
    bound = bound_names(expr)
    return locals_in(expressions(expr)) <= bound | given.keys() and not bound & locals_in(
        go.arguments
    )


def without_a_cause(branch: ir.Branch, program: ir.Program) -> Iterator[_Shortcut]:
    """Yield *branch*, of what cards may cause, with one cause less in one step of each sequence:
    for each cause in another one.
    """
    for number, (title, body) in enumerate(branch.options):
        if not body:
            continue  # that nothing happens
        fewer = _without_option(branch, number)
        for sequence in program.sequences:
            if len(sequence.steps) < 2:
                continue
            step = sequence.steps[(len(sequence.steps) // 2 + number) % len(sequence.steps)]
            here = ir.OneOf(ir.Variable(sequence.variable), (step.name,))
            words = (
                f"without `{title or f'alternative {number + 1}'}` where "
                f"{expression_words(program, here)}"
            )
            yield "cause", words, (ir.If(here, fewer, (branch,)),)


def _without_option(branch: ir.Branch, number: int) -> ir.Block:
    others = branch.options[:number] + branch.options[number + 1 :]
    return (ir.Branch(others, branch.by),) if len(others) > 1 else others[0][1]


_ACTIVE = ir.Variable(ir.ACTIVE)
_Change = tuple[str, str, ir.Block]
"""The kind of a change, what it does in words, and what stands in the place of a statement."""


def players_at_hand(stage: ir.Stage) -> list[ir.Expr]:
    """Return the players who can be named in every clause of *stage*."""
    return [
        _ACTIVE,
        *(
            ir.Local(one.name)
            for one in stage.parameters
            if one.type == ir.PlayerType(optional=False)
        ),
    ]


def changed_blocks(
    clause: ir.Clause, stage: ir.Stage, program: ir.Program
) -> Iterator[tuple[str, str, ir.Block]]:
    """Yield the body of *clause* with one change in it: its kind, what it does in words, and the
    body.
    """
    players = players_at_hand(stage)
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
        case ir.If():
            return replace(statement, otherwise=body) if number else replace(statement, then=body)
        case ir.Branch(options, by):
            option = options[number][0], body
            return ir.Branch((*options[:number], option, *options[number + 1 :]), by)
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
        case ir.Alter(_, name):
            type_ = _type_of(name, program.attributes)
            yield from _of_value(statement, f"{name} of the item", type_, program, players)
        case ir.BeginResolving() | ir.Plain() | ir.Advance():
            kind = type(statement)
            yield "left out", f"without `{_WORDS.get(kind, kind.__name__.lower())}`", ()
        case ir.Assign(name):
            type_ = _type_of(name, program.variables)
            yield from _of_value(statement, name, type_, program, players)
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
                words = f"without `{title or f'alternative {number + 1}'}`"
                yield "branch", words, _without_option(statement, number)
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


_WORDS: dict[type, str] = {ir.BeginResolving: "begin resolving", ir.StepTo: "skip to"}
"""The words of statements whose class is not called as they are."""


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


def _type_of(
    name: str, declared: Iterable[ir.Attribute | ir.VariableDeclaration]
) -> ir.Type | None:
    return next((one.type for one in declared if one.name == name), None)


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
