"""Answering: what every form of question needs, and which item an act would answer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ...models import ir
from ...models.words import join_words, player_name
from ..situations.events import Happening
from ..situations.line import Line
from ..situations.nouns import done_first, item_named, item_names, items_called
from ..situations.question import Inquiry, not_understood
from ..situations.situation import Situation
from ..situations.words import content, seats_in
from ..types.position import Position
from .answer import RulingAnswer


class Answering:
    """Answers a *question* about a *situation*, where *line* has come to."""

    def __init__(self, situation: Situation, question: Inquiry, line: Line) -> None:
        self.situation, self.question, self.line = situation, question, line
        self.referee, self.vocabulary, self.events = (
            situation.referee,
            situation.vocabulary,
            situation.events,
        )
        self.program = self.referee.program

    def shown_answer(
        self,
        head: str,
        end: Line,
        detail: str = "",
        first: Sequence[str] = (),
        last: Sequence[str] = (),
    ) -> RulingAnswer:
        """Return an answer shown by *end*; the first move of the rules on the way there decides,
        between the clauses that come *first* and *last*.
        """
        clauses = dict.fromkeys([*first, *self.ruling_clauses(self.line, end), *last])
        return RulingAnswer(self.question, head, detail, end, len(self.line.steps), tuple(clauses))

    def ruling_clauses(self, line: Line, end: Line) -> tuple[str, ...]:
        """Return the clauses that decide what follows *line*: the first of the rules after it, or
        the last that was said.
        """
        after = [
            step.move.clause
            for step in end.steps[len(line.steps) :]
            if self.referee.mode(step.move) == "must"
        ]
        said = [line.steps[at].move.clause for at in line.said]
        return tuple(dict.fromkeys([*after[:1], *said[-1:]]))

    def rest(self, line: Line | None = None, *, in_step: bool = False) -> Line:
        """Return *line*, or that of the question, played on to where somebody decides: *in_step*,
        in the same step, and so if how things are there was said last; not at all, if that
        something is going on.
        """
        line = line or self.line
        if self.situation.is_during:
            return line
        is_bound = in_step or self.situation.is_state
        steps = self.referee.steps(line.position) if is_bound else None
        return self.referee.quiet_lines(line, steps)[0]

    def just_happened(self, line: Line, event: Happening) -> bool:
        """Whether *event* happened in the last move that was said, or as play went on from it."""
        lines = line.prefixes()[line.said[-1] :] if line.said else []
        return any(self.events.happens(event, one, then) for one, then in pairwise(lines))

    def elsewhere(self, begin: Position, end: Position) -> str:
        """Return in which step *end* is, if that is another one than that of *begin*."""
        if self.referee.steps(begin) == self.referee.steps(end):
            return ""
        titles = [
            sequence.title_of(str(now))
            for number, sequence in enumerate(self.program.sequences)
            if (now := end.values[number + 1]) != ir.NO_STEP
        ]
        title = titles[-1].removeprefix("the ") if titles else "turn"
        owner = (
            "the"
            if begin.values[0] == end.values[0]
            else f"{player_name(int(str(end.values[0])))}'s"
        )
        return f"in {owner} {title}"

    def holder_words(self, position: Position) -> str:
        """Return who has priority in *position*, as a sentence."""
        holders = sorted(self.referee.holders(position))
        if not holders:
            return "nobody has priority"
        return (
            f"{join_words([player_name(seat) for seat in holders])} "
            f"{'has' if len(holders) == 1 else 'have'} priority"
        )

    def until_words(self, rest: Line) -> str:
        """Return who has priority where *rest* has come to, or when somebody has it next."""
        words = self.holder_words(rest.position)
        on = self.referee.quiet_lines(rest)[0].position
        if self.referee.holders(rest.position) or not self.referee.holders(on):
            return words
        where = self.elsewhere(rest.position, on).removeprefix("in ")
        return f"{words} until {where}" if where else words

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


class Subjects(Answering):
    """Finds what is answered."""

    def subject(self) -> int | None:
        """Return the item that is answered: the one named, else the one that was put by what was
        said last.
        """
        if self.question.respond and self.question.after:
            if items_called(self.line, self.question.after, self.vocabulary):
                return item_named(self.line, self.question.after, self.vocabulary)
            if not self._is_of_last(self.question.after):
                raise not_understood(
                    f"There is no `{self.question.after}` here that could be answered.",
                    done_first(self.vocabulary, ": may B respond?"),
                    code="C203",
                )
        return self._last_put()

    def _is_of_last(self, phrase: str) -> bool:
        """Whether *phrase* may be said of what was done last, which put no item that it names."""
        move, words = (
            self.line.steps[self.line.said[-1]].move if self.line.said else None,
            content(phrase),
        )
        if move is None or any(seat != move.owner for seat in seats_in(phrase)):
            return move is None
        named = any(
            words <= one.words for one in self.vocabulary.names if one.clause == move.clause
        )
        return named or not self.vocabulary.kinds_called(words)

    def _last_put(self) -> int | None:
        """Return the item that the last act which was said put, or that anything put if nothing was
        said.
        """
        acts = [at for at in self.line.said if not self.referee.is_pass(self.line.steps[at].move)]
        if not acts:
            alive = [number for number, one in enumerate(self.line.items) if one.place is not None]
            return (
                max(alive, key=lambda number: self.line.items[number].place or (-1, -1))
                if alive
                else None
            )
        at = acts[-1]
        before, then = (one.items for one in self.line.prefixes()[at : at + 2])
        # What resolves as it is put was never where it could be answered.
        put = [number for number, one in enumerate(then) if one.since == at and one.place]
        moved = [
            number
            for number, one in enumerate(before)
            if (was := one.place) and (now := then[number].place) and was[0] != now[0]
        ]
        return (moved + put)[-1] if moved or put else None
