"""Ways through a clause all end: a check of the text alone, so that other mistakes never hide it."""

from __future__ import annotations

from .. import syntax
from ..diagnostics import Report


def check_ways(clause: syntax.Clause, report: Report) -> None:
    """Report a way through *clause* that says no next stage, and statements that no way comes to."""
    if not _ends(clause.body, report):
        hint = "every way through a clause ends with `go STAGE` or `game over`; does an `if` need an `else`?"
        report.add("R201", clause.span, f"Clause {clause.id} does not say which stage is next.", hint)


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
