"""The cache of texts: emitted once for a Program, a scope and a group, and read again the next time
(`models.storage.keeping`).

The name of a file is made of all that its text depends on: the Program, the scope, the group with
its slice, and the code of the engine. Only the text and its bounds are kept; the layout is made
anew, which takes no time.
"""

from __future__ import annotations

from pathlib import Path

from ....models import ir
from ....models.storage.digests import engine_digest
from ....models.storage.keeping import QUICK, keep_tree, kept_tree, name_of
from ....models.storage.places import cache_folder
from ....models.trees import Trees
from ...slicing.slice import Slice
from ...types.scope import Scope
from .emit import Emitted, emit_watched, layout_of
from .groups import Group

_FORMAT = "2"
_Kept = tuple[str, int, int, int, bool, bool, bool]
_TREES = Trees(())


class Texts:
    """The texts for one Program within *scope*, kept in *folder* (None: the user's cache
    folder).
    """

    def __init__(self, program: ir.Program, scope: Scope, folder: Path | None = None) -> None:
        self.program, self.scope, self.folder = program, scope, folder or cache_folder()
        self._depends = name_of(_FORMAT, engine_digest(), repr(program), repr(scope))

    def emitted(self, group: Group, *, telling: bool = False) -> Emitted:
        """Return what `emit_watched` does; raise `TooWideError` where that does."""
        file = self.folder / f"{name_of(self._depends, _group_key(group), str(telling))}.text"
        kept: _Kept | None = kept_tree(file, _TREES, _Kept)
        if kept is not None:
            layout = layout_of(self.program, self.scope, group, telling=telling)
            text, moves, width, scratch, turned, rounds, ends = kept
            return Emitted(text, layout, moves, width, scratch, turned, rounds, ends)
        emitted = emit_watched(self.program, self.scope, group, telling=telling)
        said = (
            emitted.text,
            emitted.most_moves,
            emitted.width,
            emitted.scratch,
            emitted.is_turned,
            emitted.goes_round,
            emitted.asks_ends,
        )
        keep_tree(file, _TREES, said, "texts", level=QUICK)
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
