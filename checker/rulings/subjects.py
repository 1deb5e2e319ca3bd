"""Subjects: which item it is that an act would answer."""

from __future__ import annotations

from ..situations.line import Line
from ..situations.nouns import item_named, items_called
from ..situations.question import Inquiry, not_understood
from ..situations.strangers import done_first
from ..situations.words import content, seats_in
from .answering import Answering


class Subjects(Answering):
    """Finds what is answered."""

    def subject(self, question: Inquiry, line: Line) -> int | None:
        """Return the item that is answered: the one named, else the one that was put by what was
        said last.
        """
        if question.respond and question.after:
            if items_called(line, question.after, self.vocabulary):
                return item_named(line, question.after, self.vocabulary)
            if not self._is_of_last(question.after, line):
                raise not_understood(
                    f"There is no `{question.after}` here that could be answered.",
                    done_first(self.vocabulary, ": may B respond?"),
                    code="C203",
                )
        return self._last_put(line)

    def _is_of_last(self, phrase: str, line: Line) -> bool:
        """Whether *phrase* may be said of what was done last, which put no item that it names."""
        said = [at for at, how in enumerate(line.how) if how == "said"]
        move, words = line.steps[said[-1]].move if said else None, content(phrase)
        if move is None or any(seat != move.owner for seat in seats_in(phrase)):
            return move is None
        named = any(
            words <= one.words for one in self.vocabulary.names if one.clause == move.clause
        )
        return named or not self.vocabulary.kinds_called(words)

    def _last_put(self, line: Line) -> int | None:
        """Return the item that the last act which was said put, or that anything put if nothing was
        said.
        """
        acts = [
            number
            for number, (step, how) in enumerate(zip(line.steps, line.how, strict=True))
            if how == "said" and not self.referee.is_pass(step.move)
        ]
        if not acts:
            alive = [number for number, one in enumerate(line.items) if one.place is not None]
            return (
                max(alive, key=lambda number: line.items[number].place or (-1, -1))
                if alive
                else None
            )
        at = acts[-1]
        before, then = line.before(at).items, line.before(at + 1).items
        # What resolves as it is put was never where it could be answered.
        put = [number for number, one in enumerate(then) if one.since == at and one.place]
        moved = [
            number
            for number, one in enumerate(before)
            if (was := one.place) and (now := then[number].place) and was[0] != now[0]
        ]
        return (moved + put)[-1] if moved or put else None
