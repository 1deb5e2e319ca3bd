"""Patches: a text in which some clauses of its Program are others, each function of theirs in the
place of the one it stands for.

In comes what was written for a Program, and clauses that are to stand in the place of its own; out
go the functions that are new. All others stay, so that what is known of them is known of the
patched text too. The slice has to be one of the other clauses as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....models import ir
from ....models.ir.analysis import most_joining
from ...slicing.slice import undropped
from ..moves.dispatch import most_of_clause
from .emit import WatchedText
from .enabled import is_open
from .eventualities import most_ways
from .groups import Group, asks_of_conflicts


@dataclass(frozen=True)
class StageEdit:
    """Clauses of a *stage* with what each becomes, and whether another player has *priority* in
    it.
    """

    stage: ir.Stage
    clauses: Sequence[tuple[ir.Clause, ir.Clause]]
    priority: ir.Stage | None


@dataclass(frozen=True)
class Patch:
    """The *sources* of functions that are new or stand in the place of others, by their names.

    *moves* are those in it that find the moves of changed clauses, *able* those that say what is
    possible; *asks_priority* says that who has priority is another. A position has at most
    *most_moves* more than in the text. If *is_nothing*, the text is what it was.
    """

    sources: Mapping[str, str]
    moves: tuple[str, ...]
    able: tuple[str, ...]
    asks_priority: bool
    most_moves: int

    @property
    def is_nothing(self) -> bool:
        """Whether nothing in the text is another."""
        return not (self.moves or self.able or self.asks_priority)


class Patcher:
    """Writes patches for one text of a *group*."""

    def __init__(self, written: WatchedText, group: Group) -> None:
        self.written, self.group = written, group
        self.base = {function.name: str(function) for function in written.module.functions}
        self.helpers: dict[str, str] = {}
        layout = written.emitted.layout
        self._sizes = dict(layout.scope.sizes)
        self._joining = most_joining(
            (clause.body for _, clause in layout.program.clauses), self._sizes
        )
        self._joining |= Counter(dict(layout.scope.joining))

    def patch(self, edit: StageEdit) -> Patch | None:
        """Return the patch for *edit*; None if this text cannot be patched so."""
        layout = self.written.emitted.layout
        changed = [
            (old, new) for old, new in edit.clauses if layout.left_of(old) != layout.left_of(new)
        ]
        if not all(self._can_replace(old, new) for old, new in changed):
            return None
        sources: dict[str, str] = {}
        moves = tuple(self._patched_moves(edit.stage, old, new, sources) for old, new in changed)
        asked = [(old, new) for old, new in changed if old.id in self.written.enabled.names]
        able = tuple(
            name for old, new in asked if (name := self._able(edit.stage, old, new, sources))
        )
        asks_priority = edit.priority is not None and "priority" in self.base
        if asks_priority:
            stages = [
                edit.priority if stage.name == edit.stage.name else stage
                for stage in layout.program.stages
            ]
            sources["priority"] = str(
                self.written.enabled.priority_of([stage for stage in stages if stage is not None])
            )
        return Patch(
            {**self.helpers, **sources},
            moves,
            able,
            asks_priority,
            self._most_moves(edit.stage, [new for _, new in changed]),
        )

    def _most_moves(self, stage: ir.Stage, clauses: Sequence[ir.Clause]) -> int:
        layout, sights = self.written.emitted.layout, 1 + len(self.group.items)
        return sum(most_of_clause(layout, stage, clause, sights) for clause in clauses) * most_ways(
            self.group.owed
        )

    def _can_replace(self, old: ir.Clause, new: ir.Clause) -> bool:
        """Whether *new* can stand in the place of *old*: the text has as much room for its moves,
        and looks as far.
        """
        layout = self.written.emitted.layout
        if most_joining([new.body], self._sizes) - self._joining:
            return False
        if is_open(layout.left_of(new), layout) and not self._fits_beyond(new):
            return False
        if any(asks_of_conflicts(query.formula) for query in self.group.queries):
            return self.group.abstraction.roughly and old.mode == new.mode
        return True

    def _fits_beyond(self, new: ir.Clause) -> bool:
        """Whether the text can look as far as the moves of *new* go that the scope cuts, which has
        to be looked at.
        """
        emitted, layout = self.written.emitted, self.written.emitted.layout
        left = [
            layout.left_of(clause).body
            for _, clause in layout.program.clauses
            if is_open(layout.left_of(clause), layout)
        ]
        room = most_joining(left, self._sizes) | Counter(dict(layout.scope.joining))
        return not most_joining([new.body], self._sizes) - room and (
            emitted.asks_ends or not emitted.goes_round
        )

    def _patched_moves(
        self, stage: ir.Stage, old: ir.Clause, new: ir.Clause, sources: dict[str, str]
    ) -> str:
        name = self.written.names[old.id]
        self._take_functions(self.written.moves.clause(stage, new), name, sources)
        return name

    def _able(
        self, stage: ir.Stage, old: ir.Clause, new: ir.Clause, sources: dict[str, str]
    ) -> str:
        """Add the functions that say what *new* makes possible; return the name of the first, empty
        if they say what they said.
        """
        layout, name = self.written.emitted.layout, self.written.enabled.names[old.id]
        written = self.written.enabled.clause(
            stage, new, to_its_end=is_open(layout.left_of(new), layout)
        )
        mine: dict[str, str] = {}
        self._take_functions(written, name, mine)
        if mine == {name: self.base[name]}:
            return ""
        sources |= mine
        return name

    def _take_functions(self, written: str, name: str, sources: dict[str, str]) -> None:
        """Take the functions that were just written; the one called *written* is to be called
        *name*.
        """
        for function in self.written.module.taken_back(len(self.base)):
            if function.name == written:
                function.name = name
            # What looks for an element is written once for all that ask the same, so it stays for
            # later patches.
            kept = self.helpers if function.name.startswith("exists") else sources
            kept[function.name] = undropped(str(function))
