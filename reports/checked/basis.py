"""The basis of verdicts: how much was searched, said once where it is the same for all, else for
each row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ...models.words import counted
from ..telling.evidence import evidence, is_exhaustive, searched
from ..telling.record import Row


@dataclass(frozen=True)
class Basis:
    """What the verdicts of a record rest on: the *shared* evidence if it is the same for all, else
    a column of positions.

    The column has numbers from *fewest* to *most*. *cut* says for how many of the verdicts the
    scope cut moves: all, some (these have a star), or none. *is_sliced* says that something was
    left out.
    """

    shared: tuple[str, ...]
    is_column: bool = False
    fewest: int = 0
    most: int = 0
    cut: Literal["all", "some", "none"] = "none"
    is_sliced: bool = False

    @classmethod
    def from_rows(cls, rows: Sequence[Row]) -> Basis:
        """Return what *rows* rest on."""
        searches = [row for row in rows if is_exhaustive(row)]
        shared = searched(rows)
        if shared or len(searches) < 2:
            return cls(shared)
        told = [row.counts for row in searches if row.outcome != "UNKNOWN"] or [
            row.counts for row in searches
        ]
        cuts = [counts.cut > 0 for counts in told]
        return cls(
            shared,
            is_column=True,
            fewest=min(counts.positions for counts in told),
            most=max(counts.positions for counts in told),
            cut="all" if all(cuts) else "some" if any(cuts) else "none",
            is_sliced=any(row.sliced for row in searches),
        )

    def column(self, row: Row) -> str:
        """Return how many positions the verdict of *row* rests on, with a star where the scope cut
        moves.
        """
        if row.proof is not None:
            return f"every size{' ' if self.cut == 'some' else ''}"
        if not is_exhaustive(row):
            return ""
        star = "*" if row.counts.cut else " "
        return f"{row.counts.positions:,}{star if self.cut == 'some' else ''}"

    def line(self, row: Row) -> str:
        """Return what a row's verdict rests on besides, empty if the head or the column says it."""
        rests = evidence(row)
        if row.proof is not None:
            return "" if self.is_column or row.outcome == "PROVED" else f"for {row.proof.every}"
        if self.is_column and is_exhaustive(row):
            return rests[0] if row.outcome == "BOUNDED" or row.room else ""
        return "" if self.shared and set(rests) <= set(self.shared) else ", ".join(rests)

    @property
    def head(self) -> str:
        """How much was searched, for the head of the page; empty if each row says it for itself."""
        if self.is_column:
            numbers = (
                counted(self.most, "position")
                if self.fewest == self.most
                else f"{self.fewest:,} to {self.most:,} positions"
            )
            own = (
                " a property, ignoring what is irrelevant to it"
                if self.is_sliced
                else " a property"
            )
            return (
                numbers
                + own
                + {
                    "all": "; the scope cut moves",
                    "some": "; * where the scope cut moves",
                    "none": "",
                }[self.cut]
            )
        if self.shared and self.shared[-1].startswith("the scope"):
            return "; ".join([", ".join(self.shared[:-1]), self.shared[-1]])
        return ", ".join(self.shared)
