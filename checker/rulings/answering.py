"""Answering: what every form of question needs, from the end of a line of play."""

from __future__ import annotations

from ...models.words import join_words, player_name
from ..situations.line import Line
from ..situations.nouns import item_names
from ..situations.question import Inquiry
from ..situations.situation import Situation
from ..types.position import Position
from .answer import RulingAnswer


class Answering:
    """Answers questions about a *situation*."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.referee, self.vocabulary, self.events = (
            situation.referee,
            situation.vocabulary,
            situation.events,
        )
        self.program = self.referee.program

    def shown_answer(
        self, question: Inquiry, line: Line, head: str, end: Line, detail: str = ""
    ) -> RulingAnswer:
        """Return an answer shown by *end*, which goes on from *line*; the first move of the rules
        after it decides.
        """
        return RulingAnswer(
            question, head, detail, end, len(line.steps), self.ruling_clauses(line, end)
        )

    def ruling_clauses(self, line: Line, end: Line) -> tuple[str, ...]:
        """Return the clauses that decide what follows *line*: the first of the rules after it, or
        the last that was said.
        """
        after = [
            step.move.clause
            for step in end.steps[len(line.steps) :]
            if self.referee.mode(step.move) == "must"
        ]
        said = [
            step.move.clause
            for step, how in zip(line.steps, line.how, strict=True)
            if how == "said"
        ]
        return tuple(dict.fromkeys([*after[:1], *said[-1:]]))

    def rest(self, line: Line) -> Line:
        """Return *line* played on to where somebody decides: in the same step, if how things are
        there was said last.
        """
        return self.referee.quiet_lines(
            line, self.referee.steps(line.position) if self.situation.is_state else None
        )[0]

    def holder_words(self, position: Position) -> str:
        """Return who has priority in *position*, as a sentence."""
        holders = sorted(self.referee.holders(position))
        if not holders:
            return "nobody has priority"
        return f"{join_words([player_name(seat) for seat in holders])} {'has' if len(holders) == 1 else 'have'} priority"

    def item_words(self, line: Line, number: int) -> str:
        """Return what an item of *line* is called."""
        return item_names(self.program, line)[number]

    def passes_words(self, begin: Line, end: Line) -> str:
        """Return who passes on the way from *begin* to *end*, as a sentence."""
        steps = end.steps[len(begin.steps) :]
        names = [
            player_name(s.move.owner)
            for s in steps
            if self.referee.is_pass(s.move) and isinstance(s.move.owner, int)
        ]
        whole = join_words(list(dict.fromkeys(names)))
        return (
            f"{whole} {'pass' if len(set(names)) > 1 else 'passes'}"
            if names
            else "the rules have gone on"
        )
