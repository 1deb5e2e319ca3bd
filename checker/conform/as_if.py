"""As if: the one edit of the rules that explains what an engine does otherwise.

It explains a class of deviations if by the edited rules no log has one of that class, and none
that it did not have by the rules as they are. Edits that explain the windows of a few deviations
are tried on whole logs before the others. What no log shows might excuse everything: edits of a
rules process are left out where it is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...models import ir
from ..mutate.edits.edits import Edit, edits_of
from ..reference.semantics.interpreter import Interpreter
from ..types.budget import BudgetSpentError, Meter
from .logs import Conformed, LogQuestion, findings, waived_by
from .monitor import DeviationClass, LogFinding, ProgramMonitor
from .search import SearchFound, WindowSearch
from .showing import Showing

_MOST_WINDOWS = 3


def behaves_as_if(
    program: ir.Program, made: Sequence[Conformed], asked: LogQuestion, meter: Meter
) -> dict[DeviationClass, str]:
    """Return, for each class of deviations in the logs of *made*, by which edit of *program* they
    would be right, the first one; or that there is none, or why *meter* ended the search for it.
    """
    found: dict[DeviationClass, str] = {}
    unseen = {id_ for log in made for id_ in _showing(program, log, asked).unseen}
    edits = [edit for edit in edits_of(program) if edit.clause not in unseen]
    beside = f" beside what is hidden ({', '.join(sorted(unseen))})" if unseen else ""
    for one in dict.fromkeys(one for log in made for one in log.classes):
        meter.begin("looking for an edit that explains it")
        try:
            with meter.watching():
                explains = next(_explaining(one, program, edits, made, asked, meter), None)
            found[one] = (
                f"No single edit of the rules{beside} explains this."
                if explains is None
                else f"It behaves as if the rules had this edit: {explains.clause}: {explains.words}."
            )
        except BudgetSpentError as spent:
            found[one] = f"Whether an edit of the rules explains this is open: {spent}."
    return found


def _signature(program: ir.Program) -> list[tuple[str, tuple[ir.Parameter, ...]]]:
    """Return what a position is made of, as far as an edit may change it."""
    return [(stage.name, stage.parameters) for stage in program.stages]


def _explaining(
    one: DeviationClass,
    program: ir.Program,
    edits: Sequence[Edit],
    made: Sequence[Conformed],
    asked: LogQuestion,
    meter: Meter,
) -> Iterator[Edit]:
    """Yield those of *edits* that explain the class *one* of deviations."""
    examples = [
        (log, finding)
        for log in made
        for finding in log.found
        if finding.kind == "deviation" and finding.waiver < 0 and finding.of_class == one
    ][:_MOST_WINDOWS]
    stages = set[str]().union(*(_stages(program, *example, asked) for example in examples))
    others = {clause.id for stage, clause in program.clauses if stage.name not in stages}
    near, far = list[Edit](), list[Edit]()
    for number, edit in enumerate(edits):
        meter.count(number, len(edits))
        is_near = edit.clause not in others and _signature(edit.program) == _signature(program)
        is_near = is_near and not edit.is_refused  # what is refused may have no meaning there
        if is_near and all(_search(edit.program, *example, asked).ends for example in examples):
            near.append(edit)
        else:
            far.append(edit)  # by it play may stand elsewhere already when the window begins
    for edit in (*sorted(near, key=lambda edit: edit.clause != one[0]), *far):
        if not edit.is_refused and all(
            _explains_all(edit.program, log, one, asked, meter) for log in made
        ):
            yield edit


def _stages(
    program: ir.Program, log: Conformed, finding: LogFinding, asked: LogQuestion
) -> set[str]:
    """Return the stages to which play comes in the window of *finding*: an edit elsewhere is not
    seen there.
    """
    return _search(program, log, finding, asked, is_told=True).stages


def _search(
    program: ir.Program,
    log: Conformed,
    finding: LogFinding,
    asked: LogQuestion,
    *,
    is_told: bool = False,
) -> SearchFound:
    """Search the window of *finding* by *program*, from where play stood before it."""
    assert finding.window is not None
    search = WindowSearch(_showing(program, log, asked), asked.most)
    return search.run(finding.begin, finding.window, is_told=is_told)


def _showing(program: ir.Program, log: Conformed, asked: LogQuestion) -> Showing:
    return Showing(Interpreter(program, log.scope), asked.hidden)


def _explains_all(
    edited: ir.Program, log: Conformed, one: DeviationClass, asked: LogQuestion, meter: Meter
) -> bool:
    """Whether by *edited* rules the *log* has none of the class *one*, and none that it had not."""
    others = set().union(*(at for other, at in log.numbers.items() if other != one))
    monitor = ProgramMonitor(edited, asked.players, asked.hidden, asked.most)
    for finding in findings(monitor, Path(log.file), asked.map):
        if finding.number not in others and not _was_hidden(finding, log, one, asked):
            return False
        meter.count(0, 1)
    return True


def _was_hidden(
    finding: LogFinding, log: Conformed, one: DeviationClass, asked: LogQuestion
) -> bool:
    """Whether *finding* is of a class in the *log* other than *one*, or waived, and a deviation
    before it in its window hid it: a window tells of its first only.
    """
    is_known = finding.of_class in log.classes or waived_by(asked.waivers, finding) >= 0
    before = range(finding.number - len(finding.before), finding.number)
    is_after = any(not at.isdisjoint(before) for at in log.numbers.values())
    return finding.kind == "deviation" and finding.of_class != one and is_known and is_after
