"""Emitting: a Program and its layout -> the text of one function that finds the moves of any
position.

The text is a subset of Python: whole numbers, shifts and masks, loops over ranges, calls. CPython
runs it as it is (`interpreted`), and it can be compiled (`assembly`). Each clause is a function, or
a few; a stage calls its clauses, and ``successors`` the stage. The same Program gives the same
text, letter for letter.

A step formula (`groups`) looks at the position reached, the move, and what was true of the position
left, a bit of the number *was* each; one function says of a move which of many it makes true.

A text is kept under a name made of all that it depends on: the Program, the scope, the group with
its slice, and the code of the engine. Its layout is made anew, which takes no time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

from ....models import ir
from ....models.frozen import frozen
from ....models.storage.keeping import QUICK, keep_tree, kept_tree, name_of
from ....models.storage.key import engine_digest
from ....models.storage.opening import cache_folder
from ....models.trees import Trees
from ...questions.questions import Query
from ...slicing.slice import Slice, undropped
from ...slicing.sorts import player
from ...types.scope import Scope
from ..moves.dispatch import by_number, dispatch, first_point, most_moves
from ..moves.hooks import BITS, WHICH, MoveHooks
from ..moves.layout import FIRST_PLACE, WIDE, Extra, Layout, TooWideError
from ..moves.moves import ClauseWriter
from ..moves.rotation import Rotation, can_turn
from ..moves.state import Module
from .enabled import EnabledWriter
from .groups import FormulaBatch, Group, spotlight_numbers, step_plan
from .monitor import MOST_OWED, Conditions, FormulaMonitor, most_ways
from .watched import MarkingHooks, TellingHooks, WatchHooks

MOST_MOVES = 1 << 22
"""How many moves of one position there is room for."""


@frozen
class Emitted:
    """The *text*, how its positions lie, and how many moves one of them can have at most.

    Each position found takes *width* words of the buffer, and looking at one may take *scratch*
    words besides. *is_turned* says that its positions are as `rotation` leaves them, *goes_round*
    that it has moves of loops to look for (`lasso`), *asks_ends* that it has a function ``is_end``
    for those of which all moves are cut.
    """

    layout: Layout
    text: str
    most_moves: int
    width: int
    scratch: int = 0
    is_turned: bool = False
    goes_round: bool = False
    asks_ends: bool = False


def emit(layout: Layout, *, turned: bool = False) -> Emitted:
    """Return the text for *layout*'s Program, with the functions ``start`` and ``successors``
    (NOTE(buffer) in `hooks`).

    If *turned* it finds positions as `rotation` leaves them.
    """
    module = Module()
    hooks = MoveHooks()
    begin = first_point(layout, module)
    if turned:
        hooks.rotation = Rotation(begin)
    write_program(ClauseWriter(begin, hooks))
    return Emitted(
        layout,
        undropped(str(module)),
        bounded(max(most_moves(layout), 1)),
        layout.words,
        is_turned=turned,
    )


@frozen
class WatchedText:
    """What was *emitted*, with its writers, so that `edit_engine` can write single clauses anew.

    *names* has for each clause the function that finds its moves.
    """

    emitted: Emitted
    module: Module
    moves: ClauseWriter
    enabled: EnabledWriter
    names: Mapping[str, str]


def emit_watched(
    program: ir.Program, scope: Scope, group: Group, *, telling: bool = False
) -> Emitted:
    """Return the text whose positions watch the formulas of *group* (`watched`), on the abstraction
    it says, where that can be done.

    A text for *telling* tells the move of each position; it runs in CPython only, so its words are
    as wide as it takes.
    """
    return write_watched(program, scope, group, telling=telling).emitted


def write_watched(
    program: ir.Program,
    scope: Scope,
    group: Group,
    *,
    telling: bool = False,
    limited: bool = False,
    marking: bool = False,
) -> WatchedText:
    """Return what `emit_watched` does, with its writers; the sizes of zones are left open if
    *limited* (`Layout`).

    If *marking* each position is followed by the bits of the formulas that its move makes true, and
    the number of the move.
    """
    layout = layout_of(program, scope, group, telling=telling, limited=limited)
    abstraction = group.abstraction
    module = Module()
    begin = first_point(layout, module)
    kind = TellingHooks if telling else MarkingHooks if marking else WatchHooks
    hooks = kind(layout, group, looks_back=looks_back(group.batches))
    enabled = EnabledWriter(begin, roughly=abstraction.roughly, telling=telling)
    _write_watching(group, hooks, enabled, module)
    goes_round = any(batch.stays for batch in group.batches) and not telling
    asks_ends = goes_round and enabled.write_end()
    turned = abstraction.turned and can_turn(layout)
    if turned:
        seats = {str(seat): _idle(group, seat) for seat in range(group.seats)}
        hooks.rotation = Rotation(begin, [str(number) for number in group.items], seats)
    moves = ClauseWriter(begin, hooks)
    names = write_program(moves)
    width = layout.words + (3 if telling else 2 if marking else 0)
    most = bounded(max(most_moves(layout, 1 + len(group.items)), 1) * most_ways(group.owed))
    emitted = Emitted(
        layout,
        undropped(str(module)),
        most,
        width,
        bounded(enabled.scratch),
        turned,
        goes_round,
        asks_ends,
    )
    return WatchedText(emitted, module, moves, enabled, names)


def _idle(group: Group, seat: int) -> str:
    """Return the condition that the formula watched has no player spotlight of number *seat*; empty
    if all have one.
    """
    without = [
        number
        for number, batch in enumerate(group.batches)
        if len(spotlight_numbers(batch.queries[0], "player")) <= seat
    ]
    return " or ".join(f"out[{WHICH}] == {number}" for number in without)


def layout_of(
    program: ir.Program, scope: Scope, group: Group, *, telling: bool = False, limited: bool = False
) -> Layout:
    """Return the layout of the text for *group*; one for *telling* has all of a position, for
    CPython only.
    """
    if group.owed > MOST_OWED:
        raise TooWideError(
            f"it may owe {group.owed} things about the future; {MOST_OWED} are as many as are "
            "watched"
        )
    extra = _extra(scope, group)
    if not telling:
        return Layout(program, scope, extra, group.abstraction.kept, limited=limited)
    try:
        return Layout(program, scope, extra)
    except TooWideError:
        return Layout(program, scope, extra, word=WIDE)


def _write_watching(
    group: Group, hooks: WatchHooks, enabled: EnabledWriter, module: Module
) -> None:
    """Write ``watch`` and, if a formula looks back, ``left``, each going to the functions of the
    number watched.
    """
    watching = []
    leaving = []
    for number, batch in enumerate(group.batches):
        here = enabled.begin.opened(f"watch_{number}", hooks.parameters)
        watching.append(here.function)
        if batch.are_steps:
            left = enabled.begin.opened(f"left_{number}")
            leaving.append(left.function)
            _write_steps(batch, _Steps(hooks, enabled, here, {}))
            _write_left(batch, _Steps(hooks, enabled, left, {}))
        else:
            FormulaMonitor(batch.queries[0], hooks, enabled, here).write(stays=batch.stays)
    which = f"out[{WHICH}]"
    module.functions += [*watching, by_number("watch", which, watching)]
    if looks_back(group.batches):
        module.functions += [*leaving, by_number("left", which, leaving)]


def bounded(moves: int) -> int:
    """Return *moves*, a number of moves or of the words they take; raise `TooWideError` if that is
    too many for a buffer.
    """
    if moves > MOST_MOVES:
        raise TooWideError(f"a position may have {moves:,} moves; a buffer holds {MOST_MOVES:,}")
    return moves


def _extra(scope: Scope, group: Group) -> list[Extra]:
    """Return the fields of what is watched, with their widths."""
    places = FIRST_PLACE + sum(size for _, size in scope.sizes)
    extra: list[Extra] = [
        (f"seat of {number}", player(scope.players).bits) for number in range(group.seats)
    ]
    extra += [(f"place of {number}", (places - 1).bit_length()) for number in group.items]
    extra += [
        (f"item {number}", group.asked[number]) for number in group.items if group.asked[number]
    ]
    return [*extra, *([("past", group.past)] if group.past else [])]


def write_program(moves: ClauseWriter) -> dict[str, str]:
    """Write the functions ``start`` and ``successors``; return the name of the function of each
    clause.
    """
    moves.start()
    names = dict[str, str]()

    def of_clause(stage: ir.Stage, clause: ir.Clause) -> str:
        return names.setdefault(clause.id, moves.clause(stage, clause))

    moves.begin.module.functions += dispatch(moves.layout, "successors", of_clause)
    return names


def _write_steps(batch: FormulaBatch, writer: _Steps) -> None:
    """Write the bits of the formulas of *batch* that a move makes true; nothing is remembered."""
    here = writer.here
    plans = [step_plan(query) for query in batch.queries]
    writer.prepare(*(planned.truth for planned in plans))
    here.line("bits = 0")
    for bit, (query, planned) in enumerate(zip(batch.queries, plans, strict=True)):
        with (
            writer.of_any_players(query, len(planned.before)),
            here.block(f"if {writer.truth(planned.truth)}:"),
        ):
            here.line(f"bits |= {1 << bit}")
    here.line(f"out[{BITS}] |= bits")
    here.line("return 0")


def _write_left(batch: FormulaBatch, writer: _Steps) -> None:
    """Write what is true of a position that a move is to leave, as formulas of *batch* ask."""
    here = writer.here
    asked = [step_plan(query).before for query in batch.queries]
    writer.prepare(*chain.from_iterable(asked))
    here.line("was = 0")
    for query, before in zip(batch.queries, asked, strict=True):
        if before:
            with writer.of_any_players(query, len(before)):
                for place, said in zip(writer.places, before, strict=True):
                    with here.block(f"if {writer.truth(said)}:"):
                        here.line(f"was |= 1 << {place}")
    here.line("return was")


class _Steps(Conditions):
    """Writes conditions of one step formula after the other, inside loops over what its player
    spotlights stand for.
    """

    first = 0
    """The number of truths of the position left that earlier formulas have."""

    def of_any_players(self, query: Query, truths: int) -> ExitStack:
        """Open a loop over the choices of players for *query*, which has *truths* truths of the
        position left for each choice.
        """
        stack = ExitStack()
        players = self.layout.players
        choice = ""
        choices = 1
        for name in spotlight_numbers(query, "player"):
            seat = self.here.fresh("p")
            stack.enter_context(self.here.block(f"for {seat} in range({self.here.present}):"))
            self.bind_player(name, seat)
            choice = f"({choice} * {players} + {seat})" if choice else seat
            choices = choices * players
        numbers = range(self.first, self.first + truths * choices, choices)
        self.places = [f"({number} + {choice})" if choice else str(number) for number in numbers]
        self.first += truths * choices
        return stack


def looks_back(batches: Iterable[FormulaBatch]) -> bool:
    """Whether a step formula of *batches* asks what was true of the position left."""
    return any(
        step_plan(query).before for batch in batches if batch.are_steps for query in batch.queries
    )


# ------------------------------------------------------------------ kept texts


_FORMAT = "2"
_Kept = tuple[str, int, int, int, bool, bool, bool]
_TREES = Trees(())


class Texts:
    """The texts for one Program within *scope*, kept in *folder* (None: the user's cache
    folder).
    """

    def __init__(self, program: ir.Program, scope: Scope, folder: Path | None = None) -> None:
        self.program = program
        self.scope = scope
        self.folder = folder or cache_folder()
        self._depends = name_of(_FORMAT, engine_digest(), repr(program), repr(scope))

    def emitted(self, group: Group, *, telling: bool = False) -> Emitted:
        """Return what `emit_watched` does; raise `TooWideError` where that does."""
        file = self.folder / f"{name_of(self._depends, _group_key(group), str(telling))}.text"
        kept: _Kept | None = kept_tree(file, _TREES, _Kept)
        if kept is not None:
            return Emitted(layout_of(self.program, self.scope, group, telling=telling), *kept)
        emitted = emit_watched(self.program, self.scope, group, telling=telling)
        _, *said = vars(emitted).values()
        keep_tree(file, _TREES, tuple(said), "texts", level=QUICK)
        return emitted


def _group_key(group: Group) -> str:
    """Return all that *group* is, in one order."""
    abstraction = group.abstraction
    kept_of = (
        ()
        if abstraction.kept is None
        else tuple(_sorted(getattr(abstraction.kept, name)) for name in Slice.__dataclass_fields__)
    )
    return repr(
        (
            group.batches,
            tuple(map(_sorted, group.asked)),
            kept_of,
            abstraction.turned,
            abstraction.roughly,
        )
    )


def _sorted(value: object) -> object:
    return sorted(value) if isinstance(value, frozenset) else value
