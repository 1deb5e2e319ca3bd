"""Configuring: fixing the options of a Program, and dropping what they rule out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from .. import ir
from ..binding.names import negated
from ..diagnostics import Diagnostic, InputError
from ..ir.analysis import effect_of, up_to_end
from ..ir.parts import statements
from ..words import did_you_mean
from .cases import Case

Node = TypeVar("Node", bound=Hashable)


def reached(first: Iterable[Node], after: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Return *first*, and all to which the steps *after* them lead."""
    found = set(first)
    waiting = list(found)
    while waiting:
        new = {*after(waiting.pop())} - found
        found |= new
        waiting += new
    return found


def reachable_stages(stages: tuple[ir.Stage, ...], start: ir.Go) -> frozenset[str]:
    """Return the names of the stages that are *start* or that a clause of a reachable stage goes
    to.
    """
    goes = {stage.name: _goes(stage) for stage in stages}
    return frozenset(reached([start.stage], lambda stage: goes.get(stage, ())))


def _goes(stage: ir.Stage) -> set[str]:
    """Return the stages to which clauses of *stage* go."""
    return {
        name
        for clause in stage.clauses
        for statement in statements(clause.body)
        if (name := effect_of(statement).next) is not None
    }


T = TypeVar("T")


def configure(
    program: ir.Program, settings: Mapping[str, str], left_open: Collection[str] = ()
) -> ir.Program:
    """Return *program* with every option fixed, but those *left_open*: to the value in *settings*,
    else to its default.

    Clauses that can then never be used, and stages that no play comes to, are gone; `inactive` and
    `inactive_stages` name them. Claims made under other settings are gone too. Raises InputError if
    *settings* names what is no option or no value of it.
    """
    values = {
        name: value
        for name, value in _chosen_values(program, settings).items()
        if name not in left_open
    }
    settled = _with_steps_there(_settled(program, values))
    stages = tuple(
        replace(stage, clauses=tuple(c for c in stage.clauses if c.guard != ir.NO))
        for stage in settled.stages
    )
    reached = reachable_stages(stages, settled.start)
    stages = tuple(stage for stage in stages if stage.name in reached)
    kept = {clause.id for stage in stages for clause in stage.clauses}
    return replace(
        settled,
        name=_reading_name(
            program, {name: value for name, value in settings.items() if name not in left_open}
        ),
        settings=tuple(values.items()),
        stages=stages,
        claims=tuple(claim for claim in settled.claims if claim.condition != ir.NO),
        inactive=tuple(clause.id for _, clause in program.clauses if clause.id not in kept),
        inactive_stages=tuple(stage.name for stage in program.stages if stage.name not in reached),
    )


def _with_steps_there(program: ir.Program) -> ir.Program:
    """Return *program* without the steps that the settings rule out: none of them is the present
    step, and no move skips to one. Those that are there own their names: no other is called so.
    """
    steps = [step for one in program.sequences for step in one.steps]
    there = {step.name: step.title for step in steps if step.condition != ir.NO}
    variables = {one.variable for one in program.sequences}

    def change(node: object) -> object:
        match node:
            case ir.Step(name, also=also):
                own = tuple(text for text in also if text not in there.values())
                return replace(node, also=own) if name in there else ()
            case ir.OneOf(ir.Variable(name), values) if name in variables:
                kept = tuple(value for value in values if value in known)
                return replace(node, values=kept) if kept else ir.NO
            case ir.StepTo(_, step) if step not in known:
                return ir.Require(ir.NO)
            case ir.VariableDeclaration(name, ir.EnumType(values)) if name in variables:
                kept = tuple(value for value in values if value in known)
                return replace(node, type=ir.EnumType(kept))
            case _:
                return _folded(node)

    known = {*there, ir.NO_STEP}
    words = [word for s in steps if s.name not in there for word in (s.name, *s.tags)]
    return replace(ir.rewrite(program, change), inactive_steps=tuple(dict.fromkeys(words)))


def simplified(program: ir.Program, expr: ir.Expr) -> ir.Expr:
    """Return *expr*, of *program* or of a formula about it, with the values of options, and what
    follows from them, in their place.
    """
    return _settled(expr, dict(program.settings))


def _chosen_values(program: ir.Program, settings: Mapping[str, str]) -> dict[str, str | int]:
    options = {option.name: option for option in program.options}
    errors = []
    values: dict[str, str | int] = {option.name: option.default for option in program.options}
    for name, value in settings.items():
        option = options.get(name)
        if option is None:
            has = f"it has {', '.join(options)}" if options else "it has none"
            hint = did_you_mean(name, options) or has
            errors.append(
                Diagnostic("R103", f"{program.name} has no option called `{name}`.", hint=hint)
            )
        elif option.numbers is not None:
            low, high = option.numbers
            if (
                value.isascii()
                and value.isdigit()
                and len(value) < 10
                and low <= int(value) <= high
            ):
                values[name] = int(value)
            else:
                errors.append(
                    Diagnostic("R103", f"`{name}` is a number from {low} to {high}, not `{value}`.")
                )
        elif value in dict(option.values):
            values[name] = value
        else:
            known = [known for known, _ in option.values]
            hint = did_you_mean(value, known)
            if "," in value:
                hint = (
                    "each option has a `--set` of its own; in the name of a game they are joined: "
                    f"`GAME@{name}={value}`"
                )
            errors.append(
                Diagnostic(
                    "R103", f"`{name}` is one of {', '.join(known)}, not `{value}`.", hint=hint
                )
            )
    if errors:
        raise InputError(errors)
    return values


def _reading_name(program: ir.Program, settings: Mapping[str, str]) -> str:
    said = [f"{name}={value}" for name, value in settings.items()]
    return f"{program.name}@{','.join(said)}" if said else program.name


def _settled(node: T, values: Mapping[str, str | int]) -> T:
    """Return *node* with the *values* of options, and what follows from them, in their place."""
    return ir.rewrite(node, lambda part: _folded(fixed(part, values)))


def fixed(node: object, values: Mapping[str, str | int]) -> object:
    """Return the value of *node* if it is one of the options that have *values*, else *node*
    itself.
    """
    return (
        ir.Literal(values[node.name])
        if isinstance(node, ir.OptionValue) and node.name in values
        else node
    )


def _folded(node: object) -> object:
    """Return *node* with constants computed, its children being folded already.

    An `If` on a constant becomes the tuple of the statements of its branch.
    """
    match node:
        case ir.Equal(ir.Literal(left), ir.Literal(right)):
            return ir.Literal(left == right)
        case ir.OneOf(ir.Literal(str(value)), values):
            return ir.Literal(value in values)
        case ir.Less(ir.Literal(int(left)), ir.Literal(int(right))):
            return ir.Literal(left < right)
        case ir.Add(ir.Literal(int(left)), ir.Literal(int(right))):
            return ir.Literal(left + right)
        case ir.Subtract(ir.Literal(int(left)), ir.Literal(int(right))):
            return ir.Literal(left - right)
        case ir.Not(ir.Literal() | ir.Not() as operand):
            return (
                ir.Literal(not operand.value)
                if isinstance(operand, ir.Literal)
                else negated(operand)
            )
        case ir.All(parts):
            return joined(parts, ir.All, neutral=ir.YES)
        case ir.Any(parts):
            return joined(parts, ir.Any, neutral=ir.NO)
        case ir.If(ir.Literal(chosen), then, otherwise):
            return then if chosen else otherwise
        case ir.If(condition, then, otherwise):
            return ir.If(condition, up_to_end(then), up_to_end(otherwise))
        case ir.Branch(options, by):
            return ir.Branch(tuple((title, up_to_end(body)) for title, body in options), by)
        case ir.Clause():
            return replace(node, body=up_to_end(node.body))
        case ir.Require(ir.Literal(True)):
            return ()
        case _:
            return node


def joined(
    parts: tuple[ir.Expr, ...], join: Callable[[tuple[ir.Expr, ...]], ir.Expr], neutral: ir.Literal
) -> ir.Expr:
    """Return what the *join* of *parts* comes to, which the *neutral* one does not change."""
    deciding = ir.Literal(not neutral.value)
    kept = tuple(part for part in parts if part != neutral)
    if deciding in kept:
        return deciding
    if not kept:
        return neutral
    return kept[0] if len(kept) == 1 else join(kept)


# ------------------------------------------------------------------ options that are left open


def begins_in_range(program: ir.Program, case: Case) -> bool:
    """Whether every number of *program* is in its range at first, in a *case* of the options left
    open; else there is no such game.
    """
    numbers = [
        (variable.type, variable.initial)
        for variable in program.variables
        if isinstance(variable.type, ir.NumberType)
    ]
    for type_, initial in numbers:
        parts = [_in_case(part, program, case) for part in (type_.low, initial, type_.high)]
        known = [
            part.value
            for part in parts
            if isinstance(part, ir.Literal) and isinstance(part.value, int)
        ]
        if len(known) == len(parts) and sorted(known) != known:
            return False
    return True


def _in_case(expr: ir.Expr, program: ir.Program, case: Case) -> ir.Expr:
    return _settled(
        expr, dict(zip((option.name for option in program.open_options), case, strict=True))
    )
