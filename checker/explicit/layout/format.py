"""Formats: which parts of an item are kept somewhere, on a zone or in a field beside them, and
where in its slot each lies.

The parts lie in the order of their rank (kind, controller, attributes), the first highest, so that
sorting items is comparing numbers. A part that has one value only takes no bits and is known all
the same; a part that is not kept is not there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ...slicing.sorts import Scalar, Sort


@dataclass(frozen=True, slots=True)
class SlotField:
    """A part of an item: *shift* bits from the low end of its slot; nobody is stored first, as it
    ranks.
    """

    shift: int
    sort: Sort

    @property
    def mask(self) -> int:
        """The bits of the part, at the low end."""
        return (1 << self.sort.bits) - 1

    def pack(self, value: Scalar) -> int:
        """Return *value* as it is stored in its place."""
        code = self.sort.encode(value)
        return (
            (code + 1) % (self.sort.high + 1) if self.sort.is_optional else code - self.sort.low
        ) << self.shift

    def unpack(self, item: int) -> Scalar:
        """Return the value of this part of a packed *item*."""
        stored = item >> self.shift & self.mask
        return self.sort.decode(
            (stored - 1) % (self.sort.high + 1) if self.sort.is_optional else stored + self.sort.low
        )


@dataclass(frozen=True)
class Format:
    """The *kept* parts of an item, by name, in the order of their rank, and how many *bits* they
    take together.
    """

    kept: tuple[tuple[str, SlotField], ...]
    bits: int

    @cached_property
    def parts(self) -> dict[str, SlotField]:
        """The parts by name."""
        return dict(self.kept)

    @property
    def mask(self) -> int:
        """The bits of an item, at the low end."""
        return (1 << self.bits) - 1


def format_of(sorts: Iterable[tuple[str, Sort]]) -> Format:
    """Return the format that keeps parts of these *sorts*, given in the order of their rank."""
    shift, kept = 0, []
    for name, sort in reversed(list(sorts)):
        kept.append((name, SlotField(shift, sort)))
        shift += sort.bits
    return Format(tuple(reversed(kept)), shift)
