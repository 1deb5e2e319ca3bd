"""Ways through a clause all end, those through a routine all or none: a check of the text alone, so
that other mistakes never hide it.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import syntax
from ..diagnostics import Report
from ..printing.show_lines import show_statement


def check_ends(ruleset: syntax.Ruleset, report: Report) -> None:
    """Report a way through a clause that says no next stage, statements that no way comes to, and
    routines used as they cannot be.
    """
    unread = _unread(ruleset, report)
    mistaken = unread | {
        routine.name
        for routine in ruleset.routines
        if routine.name not in unread and _ends_sometimes(routine, report)
    }
    ending = {
        routine.name for routine in ruleset.routines if _ends(routine.body, Report(report.source))
    } - mistaken
    others = {routine.name for routine in ruleset.routines} - ending - mistaken
    for routine in ruleset.routines:
        _ends(routine.body, report)
        mistaken |= {routine.name} if _is_misused(routine.body, ending, others, report) else set()
    for stage in ruleset.stages:
        for clause in stage.clauses:
            uses = {
                statement.name
                for statement in _within(clause.body)
                if isinstance(statement, syntax.Do)
            }
            is_told = _is_misused(clause.body, ending, others, report) or bool(uses & mistaken)
            if not is_told and not _ends(clause.body, report):
                hint = "every way through a clause ends with `go STAGE` or `game over`; does an `if` need an `else`?"
                report.add(
                    "R201",
                    clause.span,
                    f"Clause {clause.id} does not say which stage is next.",
                    hint,
                )


def _unread(ruleset: syntax.Ruleset, report: Report) -> set[str]:
    """Return the routines with a line that could not be read: nobody knows how they end."""
    mistakes = [error.span.line for error in report.errors if error.span is not None]
    begins = sorted(one.span.line for one in (*ruleset.routines, *ruleset.stages))
    found = set()
    for routine in ruleset.routines:
        begin = routine.span.line
        end = next((line for line in begins if line > begin), None)
        if any(begin <= line and (end is None or line < end) for line in mistakes):
            found.add(routine.name)
    return found


def _ends_sometimes(routine: syntax.Routine, report: Report) -> bool:
    """Whether some ways through *routine* say which stage is next and others do not, which is
    reported.
    """
    goes = [statement for statement in _within(routine.body) if isinstance(statement, syntax.Go)]
    if not goes or _ends(routine.body, Report(report.source)):
        return False
    hint = f"end every way with `go` or `game over`, and write `go {routine.name}` in the clause; or no way, and `do {routine.name}`"
    report.add(
        "R210",
        goes[0].span,
        f"Only some ways through the routine `{routine.name}` say which stage is next.",
        hint,
    )
    return True


def _is_misused(block: syntax.Block, ending: set[str], others: set[str], report: Report) -> bool:
    """Whether *block* does a routine that is *ending* a clause, or goes to one of the *others*;
    each such use is reported.
    """
    errors = len(report.errors)
    for each in _blocks(block):
        for place, statement in enumerate(each, 1):
            match statement:
                case syntax.Do(name, arguments) if name in ending:
                    said = (
                        f"Every way through the routine `{name}` says what comes after the clause."
                    )
                    go = f"`{show_statement(syntax.Go(name, arguments))}`"
                    hint = (
                        f"write {go}"
                        if place == len(each)
                        else f"nothing can follow it: the clause ends here with {go}"
                    )
                    report.add("R210", statement.span, said, hint)
                case syntax.Go(name, arguments) if name in others:
                    said = f"The routine `{name}` does not say which stage is next."
                    hint = f"write `{show_statement(syntax.Do(name, arguments))}`, and below it `go STAGE`"
                    report.add("R210", statement.span, said, hint)
                case _:
                    pass
    return len(report.errors) > errors


def _within(block: syntax.Block) -> Iterator[syntax.Statement]:
    """Yield the statements of *block* and all that stand below them."""
    for each in _blocks(block):
        yield from each


def _blocks(block: syntax.Block) -> Iterator[syntax.Block]:
    """Yield *block* and the blocks below its statements."""
    yield block
    for statement in block:
        match statement:
            case syntax.If(_, then, otherwise):
                yield from (*_blocks(then), *_blocks(otherwise))
            case syntax.Either(options, _):
                for _, body in options:
                    yield from _blocks(body)
            case syntax.Maybe(body, _):
                yield from _blocks(body)
            case _:
                pass


def _ends(block: syntax.Block, report: Report) -> bool:
    """Whether every way through *block* ends the clause; what stands behind its end is reported."""
    for index, statement in enumerate(block):
        if _all_end(statement, report):
            if index + 1 < len(block) and not isinstance(
                statement, syntax.Todo
            ):  # a `todo` among statements is told as such
                message = (
                    "Nothing can follow here: every way to it has ended with `go` or `game over`."
                )
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
