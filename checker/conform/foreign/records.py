"""Records of a foreign log, each made whole, where the log says a thing only when it changes, and
says what is so again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_MOST_KEPT = 10_000
"""So many things of a list are kept, those that were said last."""


@dataclass(frozen=True)
class Keep:
    """The list that is found by the keys in *path*: of each thing in it, called by what it has
    under *by*, what was said last holds on, until it is one of those found by *gone*, or a record
    says everything *anew*. Without *by* all that is said there is one thing.
    """

    path: Sequence[str]
    by: str = ""
    gone: Sequence[str] = ()
    anew: Callable[[object], bool] = lambda _: False


class Records:
    """The records of one log, in their order: each thing in the list found by *split*, or the line
    itself; what is to be kept is in each of them.
    """

    def __init__(self, split: Sequence[str], keeps: Sequence[Keep]) -> None:
        self.split, self.keeps = split, keeps
        self._kept: list[dict[Any, Any]] = [{} for _ in keeps]

    def of_line(self, line: object) -> Iterator[object]:
        """Yield the records that a *line* says."""
        if not self.split:
            yield self._whole(line)
            return
        said = _found(line, self.split)
        for one in said if isinstance(said, list) else []:
            yield self._whole(one)

    def _whole(self, record: object) -> object:
        for keep, kept in zip(self.keeps, self._kept, strict=True):
            holder = _found(record, keep.path[:-1])
            if isinstance(holder, dict):
                if keep.anew(record):
                    kept.clear()
                now = _kept_now(keep, kept, holder.get(keep.path[-1]), _found(record, keep.gone))
                record = _with(record, keep.path, now)
        return record


def _kept_now(keep: Keep, kept: dict[Any, Any], said: object, gone: object) -> object:
    """Return what holds once *said* was said, and *gone* is gone; *kept* is what held so far."""
    if not keep.by:
        if said is not None:
            kept[""] = said
        return kept.get("")
    for one in said if isinstance(said, list) else []:
        name = one.get(keep.by) if isinstance(one, dict) else None
        if isinstance(name, (str, int)):
            kept[name] = {**kept.get(name, {}), **one}
    for name in gone if isinstance(gone, list) and keep.gone else []:
        if isinstance(name, (str, int)):
            kept.pop(name, None)
    while len(kept) > _MOST_KEPT:
        del kept[next(iter(kept))]
    return list(kept.values())


def _found(value: object, path: Sequence[str]) -> Any:
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _with(value: Any, path: Sequence[str], put: object) -> Any:
    """Return *value* with *put* where the keys in *path* lead."""
    if not path:
        return put
    return {**value, path[0]: _with(value[path[0]] if path[1:] else None, path[1:], put)}
