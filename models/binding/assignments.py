"""Assignments: `NAME := VALUE`, of the state, of a player's entry, of an attribute of an item, or
of each of several, -> typed IR.
"""

from __future__ import annotations

from .. import ir, syntax
from .expressions import ExpressionBinder
from .names import ITEM, NUMBER, PLAYER, describe

EACH = "each player"
"""What each of several players is called who have no name in the text; no text has such a name."""


def bind_assignment(
    expressions: ExpressionBinder, assign: syntax.Assign | syntax.AssignEvery
) -> tuple[ir.Statement, ...]:
    """Bind *assign*: usually to one statement, a mistaken one to none."""
    names, name = expressions.names, assign.name
    is_of_one = isinstance(assign, syntax.Assign) and assign.player is None
    attribute = None if name in expressions.locals else names.attributes.get(name)
    declared = _variable(expressions, assign) if attribute is None or is_of_one else attribute
    if declared is None:
        return ()
    if isinstance(declared, ir.VariableDeclaration) and declared.each_player == is_of_one:
        message = f"Each player has a `{name}`." if is_of_one else f"There is only one `{name}`."
        forms = [f"{name} of {whose}" for whose in ("active", "everyone")] if is_of_one else [name]
        hint = f"it is written like this: {', '.join(f'`{form} := VALUE`' for form in forms)}"
        expressions.report.add("R102", assign.span, message, hint)
        return ()
    if isinstance(assign, syntax.AssignEvery):
        return _of_every(expressions, assign, declared)
    if isinstance(declared, ir.Attribute):
        item = None if assign.player is None else expressions.bind_item(assign.player)
        if item is None:
            return ()
        value = _new_value(expressions, assign, declared.type, ir.AttributeOf(item, name))
        return () if value is None else (ir.Alter(item, name, value),)
    if assign.player is None:
        value = _new_value(expressions, assign, declared.type, ir.Variable(name))
        return () if value is None else (ir.Assign(name, None, value),)
    who = expressions.typed(assign.player, PLAYER)
    if who is not None and isinstance(who.type, ir.PlayersType):
        each = expressions.within().local(EACH, PLAYER, assign)
        value = _new_value(expressions, assign, declared.type, ir.Entry(name, each))
        if value is None:
            return ()
        change = ir.Assign(name, each, value)
        return (ir.ForEach(each.name, ir.PlayersIn(who.expression), ir.YES, (change,)),)
    player = None if who is None else expressions.player(assign.player)
    if player is None:
        return ()
    value = _new_value(expressions, assign, declared.type, ir.Entry(name, player))
    return () if value is None else (ir.Assign(name, player, value),)


def _variable(
    expressions: ExpressionBinder, assign: syntax.Assign | syntax.AssignEvery
) -> ir.VariableDeclaration | None:
    """Return the variable that *assign* changes; None after saying that there is none, or that it
    does not change so.
    """
    names, report = expressions.names, expressions.report
    if assign.name in names.mistaken and assign.name not in expressions.locals:
        return None
    variable, sequence = names.variables.get(assign.name), names.sequence_of(assign.name)
    if variable is not None and sequence is None:
        return variable
    fixed = assign.name in expressions.locals or assign.name in names.options or sequence
    hint = (
        "steps change by `advance` and `skip to`"
        if sequence
        else "only what `state` declares can change"
    )
    if assign.name in names.attributes and not fixed:
        report.add(
            "R102",
            assign.span,
            f"Each item has a `{assign.name}`.",
            f"it is written like this: `{assign.name} of ITEM := VALUE`",
        )
    elif assign.name in (ir.KIND, ir.CONTROLLER):
        hint = (
            "the item leaves and another one is put in its place; or an attribute of your own says "
            "it"
        )
        report.add("R118", assign.span, f"The {assign.name} of an item never changes.", hint)
    elif fixed:
        report.add("R118", assign.span, f"`{assign.name}` cannot be changed.", hint)
    else:
        expressions.unknown(assign, assign.name, "something that `state` declares", names.variables)
    return None


def _of_every(
    expressions: ExpressionBinder,
    assign: syntax.AssignEvery,
    declared: ir.VariableDeclaration | ir.Attribute,
) -> tuple[ir.Statement, ...]:
    """Bind ``NAME of X := Y for every X``: X is a player if a variable is *declared* by that name,
    an item if an attribute is.
    """
    is_of_items, name = isinstance(declared, ir.Attribute), declared.name
    found, inner = expressions.domain(assign.players), expressions.within()
    domain = None if found is None else found[0]
    if domain is not None and not isinstance(domain, ir.ItemsOn if is_of_items else ir.PlayersIn):
        sorts = ("a set of players", "a zone")
        wanted, given = reversed(sorts) if is_of_items else sorts
        expressions.wrong_type(
            assign.players,
            wanted,
            given,
            f"each {'item' if is_of_items else 'player'} has a `{name}`",
        )
        domain = None
    if domain is None:
        inner.mistaken(assign.variable)
    each = (
        ir.Local(assign.variable)
        if domain is None
        else inner.local(assign.variable, ITEM if is_of_items else PLAYER, assign)
    )
    condition = ir.YES if assign.condition is None else inner.flag(assign.condition)
    value = _new_value(
        inner,
        assign,
        declared.type,
        ir.AttributeOf(each, name) if is_of_items else ir.Entry(name, each),
    )
    if condition is None or value is None or not isinstance(domain, ir.ItemsOn | ir.PlayersIn):
        return ()
    change = ir.Alter(each, name, value) if is_of_items else ir.Assign(name, each, value)
    return (ir.ForEach(each.name, domain, condition, (change,)),)


def _new_value(
    expressions: ExpressionBinder,
    assign: syntax.Assign | syntax.AssignEvery,
    type_: ir.Type,
    now: ir.Expr,
) -> ir.Expr | None:
    if assign.operator == ":=":
        return (
            _of_one_player(expressions, assign)
            if isinstance(type_, ir.PlayersType)
            else expressions.value(assign.value, type_)
        )
    if isinstance(type_, ir.PlayersType):
        player = expressions.player(assign.value)
        if player is None:
            return None
        return ir.With(now, player) if assign.operator == "+=" else ir.Without(now, player)
    if isinstance(type_, ir.NumberType):
        number = expressions.value(assign.value, NUMBER)
        if number is None:
            return None
        return ir.Add(now, number) if assign.operator == "+=" else ir.Subtract(now, number)
    expressions.wrong_type(
        assign,
        "a number or a set of players",
        describe(type_),
        "write `:=` in place of `" + assign.operator + "`",
    )
    return None


def _of_one_player(
    expressions: ExpressionBinder, assign: syntax.Assign | syntax.AssignEvery
) -> ir.Expr | None:
    """Bind the set of players that *assign* makes the value; a single player is one to add, or to
    take away.
    """
    typed = expressions.typed(assign.value, ir.PlayersType())
    if typed is not None and isinstance(typed.type, ir.PlayerType) and not typed.type.optional:
        message = "This must be a set of players, but it is a player."
        expressions.report.add(
            "R102", assign.span, message, "write `+=` in place of `:=`; `-=` takes a player away"
        )
        return None
    return expressions.value(assign.value, ir.PlayersType())
