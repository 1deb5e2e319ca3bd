"""Since: what the edits since the last commit change for players, line by line, as the questions
whose answers are others now.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...checker.process.serving import Reply, serve
from ...checker.types.budget import Meter
from ...models.diagnostics import InputError
from ...models.read import sent
from ...reports.rulings.changes import change_words
from ..asking.against import Against
from ..asking.reading_worker import request_in
from .background import Looking, request_of

_REVISION = "HEAD"


@dataclass(frozen=True)
class ChangedLine:
    """On a *line* of the rules, from 1: what it changes, in *words*."""

    line: int
    words: str


class SinceCommit(Looking):
    """Looks what the edits of one ruleset change."""

    def __init__(self) -> None:
        super().__init__(__name__)

    def examine(self, target: str) -> None:
        """Begin to look at *target*; raises InputError."""
        self.begin(target, request_of(target))

    def hear(self) -> list[ChangedLine] | None:
        """Return what is changed, once that is known; nothing where there is no git."""
        for reply in self.replies():
            return [ChangedLine(line, words) for line, words in reply.get("changed", ())]
        return None


def _answered(content: bytes) -> Reply:
    it = request_in(content)
    try:
        with sent(it.texts):
            against = Against(it.target, _REVISION, {})
            found = against.changes((None, None, {}), Meter(it.asked.budget))
    except InputError:
        return {"changed": []}
    return {"changed": [(row.line, change_words(row)) for row in found.rows]}


def main() -> None:
    """Tell the changes of the rulesets that are asked about until nobody asks any more."""
    serve(_answered)


if __name__ == "__main__":
    main()
