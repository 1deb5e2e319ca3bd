"""Since: what an edit changed for players, in each reading in which it may show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from itertools import combinations, islice, product
from typing import NamedTuple, TypeAlias

from ...models import ir
from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ...models.options.cases import asked_options, other_readings
from ...models.options.configure import configure
from ...models.wellformed import check_wellformed
from ..diff.changes import edited_parts
from ..diff.diff import Difference, scopes_of_both
from ..diff.larger import difference_told, difference_with_room, differs_soon
from ..diff.same import NameMap, need_common, renaming_of
from ..types.budget import Meter
from ..types.scope import Scope
from .differing import ChangedRulings, changed_rulings
from .single_edits import is_ruleset, with_clause

AskedSize = tuple[int | None, int | None, Mapping[str, int]]
"""How many players, how large a stack, and which sizes of zones somebody asks for."""


@frozen
class SinceReading:
    """What changed in the reading of *settings*: *found*, as the questions *changed*; or *why_not*,
    where they cannot be compared.
    """

    settings: tuple[tuple[str, str], ...]
    found: Difference | None
    changed: ChangedRulings
    why_not: str = ""

    @property
    def is_cut_short(self) -> bool:
        """Whether the budget was spent before all was known: such a result cannot be accepted."""
        if self.found is None:
            return False
        return bool(self.changed.stopped or (self.found.compared.stopped and not self.found.shown))

    @property
    def is_stopped(self) -> bool:
        """Whether the budget ends here."""
        return bool(self.found and (self.found.compared.stopped or self.changed.stopped))

    @property
    def undecided(self) -> str:
        """Why it is not known whether anything changed; empty if it is."""
        if self.found is None:
            return self.why_not
        if self.changed.stopped:
            return f"not all questions were looked for: {self.changed.stopped}"
        if self.found.is_same or self.found.shown:
            return ""
        return (
            self.found.compared.stopped
            or f"nothing differs within the scope; not known for every size: {self.found.why_not}"
        )


_Edit: TypeAlias = tuple[str, Hashable, Hashable]
"""A part that is edited in a reading, how it was there and how it is."""
_MOST_READINGS = 500
"""In how many readings with several options otherwise an edit is looked for."""
_MOST_IN_EACH = 1_000
"""How many pairs of positions are compared in each reading, before one is compared to the end."""


def readings_since(
    old: ir.Program,
    new: ir.Program,
    said: Mapping[str, str],
    size: AskedSize,
    meter: Meter,
) -> Iterator[SinceReading]:
    """Yield what changed from *old* to *new*, whose options are open, in the reading that is *said*
    and in others.

    Readings in which an edit shows soon come first: it may show in one of them only. What has shown
    is not looked for in the next. Then the reading that is *said* is compared to the end, and those
    in which a part is edited that is so in none before. *size* says how many players there are, how
    large the stack, and the zones. Where the budget of *meter* ends no other is looked at.
    """
    told, waiting = set[_Edit](), list[_Reading]()
    others, why_not_all = _others(old, new, said)
    for one in _readings(old, new, said, others):
        untold = one.edited - told
        asked = one if one.edited.isdisjoint(told) else one.with_only(_parts(untold))
        if not untold or not asked.differs_soon(size, meter):
            waiting.append(one)
            continue
        yield (found := asked.since(size, meter, with_room=False))
        told |= {edit for edit in untold if edit[0] not in found.changed.silent}
        if found.is_stopped:
            return
    looked_at = _parts(told)
    for one in waiting:
        has_shown = _parts(one.edited) <= looked_at
        if has_shown and one.settings:
            continue
        looked_at |= _parts(one.edited)
        yield (found := one.since(size, meter, with_room=not has_shown))
        if found.is_stopped:
            return
    if why_not_all:
        yield SinceReading((), None, ChangedRulings(), why_not_all)


def _parts(edits: Iterable[_Edit]) -> set[str]:
    return {part for part, *_ in edits}


class _Reading(NamedTuple):
    """The reading of both rulesets with *settings* that nobody said; what is *edited* in it."""

    settings: tuple[tuple[str, str], ...]
    old: ir.Program
    new: ir.Program
    edited: frozenset[_Edit]

    def with_only(self, clauses: Collection[str]) -> _Reading:
        """Return this reading with the edit of *clauses* alone, or the whole if there is none."""
        new: ir.Program | None = self.old
        for clause in sorted(clauses):
            new = with_clause(new, self.new, clause) if clause and new is not None else None
        return self if new is None or not is_ruleset(new) else self._replace(new=new)

    def differs_soon(self, size: AskedSize, meter: Meter) -> bool:
        """Return whether an edit shows soon, or the two cannot be compared, which `since` tells."""
        try:
            check_wellformed(self.new)
            scopes, renaming = _asked_of(self.old, self.new, size)
            return differs_soon(self.old, self.new, scopes, renaming, meter, _MOST_IN_EACH)
        except InputError:
            return True

    def since(self, size: AskedSize, meter: Meter, *, with_room: bool) -> SinceReading:
        """Return what changed; *with_room* in a larger scope, too, if nobody asks for a *size*."""
        try:
            check_wellformed(self.new)
            scopes, renaming = _asked_of(self.old, self.new, size)
            compare = difference_with_room if with_room and not any(size) else difference_told
            found = compare(self.old, self.new, scopes, renaming, meter)
        except InputError as error:
            why = error.diagnostics[0].message
            return SinceReading(self.settings, None, ChangedRulings(), why)
        changed = ChangedRulings() if found.is_same else changed_rulings(found, meter)
        return SinceReading(self.settings, found, changed)


def _readings(
    old: ir.Program, new: ir.Program, said: Mapping[str, str], others: Iterable[Mapping[str, str]]
) -> Iterator[_Reading]:
    """Yield the readings that are *said* but for *others*, as far as both rulesets have them and
    something is edited; of those with several options otherwise what has an edit that none before
    has.
    """
    seen = set[_Edit]()
    for other in others:
        settings = {**said, **other}
        if _has(old, settings):
            before, after = configure(old, settings), configure(new, settings)
            parts = edited_parts(before, after)
            edited = frozenset((part, *sides) for part, sides in parts.items())
            if edited if len(other) < 2 else edited - seen:
                yield _Reading(tuple(other.items()), before, after, edited)
            seen |= edited


def _others(
    old: ir.Program, new: ir.Program, said: Mapping[str, str]
) -> tuple[list[Mapping[str, str]], str]:
    """Return what is otherwise than *said* in the readings that are looked at; and if that is not
    all, why not.
    """
    singles = [*other_readings(configure(new, said), said)]
    several = list(islice(_of_several(old, new, singles), _MOST_READINGS + 1))
    why = "the edit asks so many options that not all of their values were looked at together"
    left = several[_MOST_READINGS:]
    return [{}, *singles, *several[:_MOST_READINGS]], why if left else ""


def _of_several(
    old: ir.Program, new: ir.Program, singles: Iterable[Mapping[str, str]]
) -> Iterator[Mapping[str, str]]:
    """Yield the settings that change several options which one edited part asks; *singles* change
    one each.
    """
    values = defaultdict[str, list[tuple[str, str]]](list)
    for name, value in (setting for single in singles for setting in single.items()):
        values[name].append((name, value))
    parts = [asked_options(sides) & values.keys() for sides in edited_parts(old, new).values()]
    several = (
        tuple(chosen)
        for asked in parts
        for number in range(2, len(asked) + 1)
        for options in combinations(sorted(asked), number)
        for chosen in product(*(values[name] for name in options))
    )
    seen = set[tuple[tuple[str, str], ...]]()
    for one in several:
        if one not in seen:
            seen.add(one)
            yield dict(one)


def _has(program: ir.Program, settings: Mapping[str, str]) -> bool:
    """Whether *program* has such options with such values."""
    try:
        configure(program, settings)
    except InputError:
        return False
    return True


def _asked_of(
    old: ir.Program, new: ir.Program, size: AskedSize
) -> tuple[tuple[Scope, Scope], NameMap]:
    """Return the scopes in which two readings are compared, and how names of one are called in the
    other.
    """
    renaming = renaming_of(old, new, {})
    need_common(old, new, renaming)
    zones = {
        zone: number
        for zone, number in size[2].items()
        if zone in {one.name for one in (*old.zones, *new.zones)}
    }
    return scopes_of_both(old, new, renaming, size[0], size[1], zones), renaming
