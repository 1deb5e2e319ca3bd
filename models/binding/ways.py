"""Ways through a clause all end, and none ends in a routine: a check of the text alone, so that other mistakes never hide it."""

from __future__ import annotations

from collections.abc import Iterator

from .. import syntax
from ..diagnostics import Report


def check_ends(ruleset: syntax.Ruleset, report: Report) -> None:
    """Report a way through a clause that says no next stage, statements that no way comes to, and routines that say where the game goes."""
    mistaken = {routine.name for routine in ruleset.routines if not _is_routine(routine, report)}
    for stage in ruleset.stages:
        for clause in stage.clauses:
            uses = {statement.name for statement in _within(clause.body) if isinstance(statement, syntax.Do)}
            if not uses & mistaken and not _ends(clause.body, report):
                hint = "every way through a clause ends with `go STAGE` or `game over`; does an `if` need an `else`?"
                report.add("R201", clause.span, f"Clause {clause.id} does not say which stage is next.", hint)


def _is_routine(routine: syntax.Routine, report: Report) -> bool:
    """Whether *routine* leaves it to the clauses that use it where the game goes; if not, that is reported."""
    hint = f"the clause says it, below `do {routine.name}`"
    goes = [statement for statement in _within(routine.body) if isinstance(statement, syntax.Go)]
    for go in goes:
        report.add("R210", go.span, "A routine does not say which stage is next.", hint)
    is_over = not goes and _ends(routine.body, Report(report.source))
    if is_over:
        report.add("R210", routine.span, f"The routine `{routine.name}` always ends the game.", hint)
    return not goes and not is_over


def _within(block: syntax.Block) -> Iterator[syntax.Statement]:
    """Yield the statements of *block* and all that stand below them."""
    for statement in block:
        yield statement
        match statement:
            case syntax.If(_, then, otherwise):
                yield from _within((*then, *otherwise))
            case syntax.Either(options, _):
                yield from _within(tuple(below for _, body in options for below in body))
            case syntax.Maybe(body, _):
                yield from _within(body)
            case _:
                pass


def _ends(block: syntax.Block, report: Report) -> bool:
    """Whether every way through *block* ends the clause; what stands behind its end is reported."""
    for index, statement in enumerate(block):
        if _all_end(statement, report):
            if index + 1 < len(block) and not isinstance(statement, syntax.Todo):  # a `todo` among statements is told as such
                message = "Nothing can follow here: every way to it has ended with `go` or `game over`."
                report.add("R202", block[index + 1].span, message)
            return True
    return False


def _all_end(statement: syntax.Statement, report: Report) -> bool:
    match statement:
        case syntax.Go() | syntax.GameOver() | syntax.Todo():
            return True
        case syntax.If(_, then, otherwise):
            ended = [_ends(then, report), _ends(otherwise, report)]
            return all(ended)
        case syntax.Either(options, _):
            ended = [_ends(body, report) for _, body in options]
            return all(ended)
        case syntax.Maybe(body, _):
            _ends(body, report)
            return False
        case _:
            return False
