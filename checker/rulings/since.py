"""Since: what an edit changed for players, in each reading that it touches, and which of that
somebody has accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...models import ir
from ...models.diagnostics import InputError
from ...models.options.configure import configure
from ...models.options.readings import other_readings
from ...models.wellformed import check_wellformed
from ..diff.changed_clauses import edited_parts
from ..diff.diff import Difference, scopes_of_both
from ..diff.larger import difference_told, difference_with_room
from ..diff.renaming import need_common, renaming_of
from ..types.budget import Meter
from .answer import Ruling
from .changed import ChangedRulings, changed_rulings
from .file import Accepted

AskedSize = tuple[int | None, int | None, Mapping[str, int]]
"""How many players, how large a stack, and which sizes of zones somebody asks for."""
SAME = "is it the same game?"
"""The question that stands for what no search has decided."""


@dataclass(frozen=True)
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
        """Whether the budget was spent before all was known: nobody can accept that."""
        if self.found is None:
            return False
        return bool(self.changed.stopped or (self.found.compared.stopped and not self.found.shown))

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


def readings_since(
    old: ir.Program,
    new: ir.Program,
    said: Mapping[str, str],
    size: AskedSize,
    meter: Meter,
) -> Iterator[SinceReading]:
    """Yield what changed from *old* to *new*, whose options are open, in the reading that is
    *said*, then in others.

    Of these only those are compared in which a part is edited that is so in none before. *size*
    says how many players there are, how large the stack, and the zones. Where the budget of *meter*
    ends no other is looked at.
    """
    seen: set[str] = set()
    for settings in (
        dict(said),
        *({**said, **other} for other in other_readings(configure(new, said), said)),
    ):
        if not _has(old, settings):
            continue
        before, after = configure(old, settings), configure(new, settings)
        parts = set(edited_parts(before, after))
        if parts <= seen:
            continue
        seen |= parts
        reading = tuple((name, value) for name, value in settings.items() if name not in said)
        try:
            check_wellformed(after)
            found = _between(before, after, size, meter)
        except InputError as error:
            yield SinceReading(reading, None, ChangedRulings(), error.diagnostics[0].message)
            continue
        changed = ChangedRulings() if found.is_same else changed_rulings(found, meter)
        yield SinceReading(reading, found, changed)
        if found.compared.stopped or changed.stopped:
            return


def _has(program: ir.Program, settings: Mapping[str, str]) -> bool:
    """Whether *program* has such options with such values."""
    try:
        configure(program, settings)
    except InputError:
        return False
    return True


def _between(old: ir.Program, new: ir.Program, size: AskedSize, meter: Meter) -> Difference:
    renaming = renaming_of(old, new, {})
    need_common(old, new, renaming)
    zones = {
        zone: number
        for zone, number in size[2].items()
        if zone in {one.name for one in (*old.zones, *new.zones)}
    }
    compare = difference_told if any(size) else difference_with_room
    return compare(
        old, new, scopes_of_both(old, new, renaming, size[0], size[1], zones), renaming, meter
    )


def acceptance(
    accepted: Sequence[Accepted],
    question: str,
    answer: Ruling | str,
    reading: Sequence[tuple[str, str]],
) -> Accepted | None:
    """Return which of *accepted* is of this *question*, in this *reading*, and has the new
    *answer*; None if none has.
    """
    for one in accepted:
        if _comparable(one.question) != _comparable(question) or (
            one.reading and sorted(one.reading) != sorted(reading)
        ):
            continue
        if (
            answer.agrees(one.answer)
            if isinstance(answer, Ruling)
            else _comparable(one.answer) == _comparable(answer)
        ):
            return one
    return None


def _comparable(text: str) -> str:
    return " ".join(text.lower().split()).rstrip("?. ")
