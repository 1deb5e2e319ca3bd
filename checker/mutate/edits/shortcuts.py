"""Shortcuts: a second way past a stage, and one cause less in one step.

A claim that speaks of clauses is walked around by another way to where they lead, past their stage,
and what is possible somewhere is possible still where the cards no longer cause it in one step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ....models import ir
from ....models.binding.typed import all_of, negated
from ....models.ir.parts import blocks_of, expressions, locals_in, with_locals
from ....properties.wording import expression_words
from .precedence import as_written

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
    bound = {part.variable for part in expressions(expr) if isinstance(part, ir.Exists)}
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
        others = branch.options[:number] + branch.options[number + 1 :]
        fewer: ir.Block = (ir.Branch(others, branch.by),) if len(others) > 1 else others[0][1]
        for sequence in program.sequences:
            if len(sequence.steps) < 2:
                continue
            step = sequence.steps[(len(sequence.steps) // 2 + number) % len(sequence.steps)]
            here = ir.OneOf(ir.Variable(sequence.variable), (step.name,))
            words = f"without `{title or f'alternative {number + 1}'}` where {expression_words(program, here)}"
            yield "cause", words, (ir.If(here, fewer, (branch,)),)
