"""Outcomes: who has priority, what comes next, what the cards may cause, who decides, and what
becomes of an item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...models import ir
from ...models.words import join_words, player_name
from ..situations.line import Line
from ..situations.nouns import focus, items_called
from ..situations.question import FORMS_HINT, Inquiry, not_understood
from ..situations.situation import item_named
from ..situations.strangers import unknown_words
from ..types.position import OVER, Move
from .answer import RulingAnswer
from .answering import Answering
from .looked import Looked

_MOST_QUIET = 1_000
"""So many moves are made while players only pass."""


class Outcomes(Answering):
    """Answers what comes of a situation while players only pass."""

    def who(self, question: Inquiry, line: Line) -> RulingAnswer:
        """Answer who has priority once nothing goes on by itself."""
        begin = self._after(question, line)
        rest = self.rest(begin)
        holders = sorted(self.referee.holders(rest.position))
        if holders:
            looked = (
                Looked(begin, holders[0], None)
                if len(holders) == 1 and begin.how[-1:] == ("said",)
                else None
            )
            return replace(
                self.shown_answer(
                    question, line, join_words([player_name(seat) for seat in holders]), rest
                ),
                looked=looked,
            )
        if rest.position.stage == OVER:
            return self.shown_answer(question, line, "nobody", rest, "the game is over")
        deciding = sorted(
            {s for move, _ in self.referee.moves(rest.position) for s in _deciders(move)}
        )
        detail = (
            f"{join_words([player_name(seat) for seat in deciding])} decides without it"
            if deciding
            else ""
        )
        return self.shown_answer(question, line, "nobody", rest, detail)

    def holds(self, question: Inquiry, line: Line) -> RulingAnswer:
        """Answer whether a player has priority once nothing goes on by itself."""
        seat, rest = self.situation.seat_named(line, question.player), self.rest(line)
        head = "yes" if seat in self.referee.holders(rest.position) else "no"
        return self.shown_answer(question, line, head, rest, self.holder_words(rest.position))

    def happens(self, question: Inquiry, line: Line) -> RulingAnswer:
        """Answer whether something happens by itself, or while players only pass."""
        event = self.events.event_named(line, question.what)
        if event is None:
            raise not_understood(
                f"`{question.text}?` is none of the questions that can be answered.", FORMS_HINT
            )
        one, places = line, tuple(item.place for item in line.items)
        for then in self._quietly(line):
            now = tuple(item.place for item in then.items)
            step = then.steps[-1]
            if self.events.happens(event, one.position, step.move, step.position, places, now):
                passes = any(self.referee.is_pass(s.move) for s in then.steps[len(line.steps) :])
                head, detail = (
                    ("not yet", f"once {self.passes_words(line, then)}") if passes else ("yes", "")
                )
                return self.shown_answer(question, line, head, then, detail)
            if any(
                was is not None and place is None for was, place in zip(places, now, strict=False)
            ):
                return self.shown_answer(
                    question, line, "no", then, f"{self._seen(one, then)} first"
                )
            one, places = then, now
        return self.shown_answer(
            question,
            line,
            "no",
            self.rest(line),
            f"not while players only pass; {self.holder_words(one.position)}",
        )

    def first(self, question: Inquiry, line: Line) -> RulingAnswer:
        """Answer which item resolves first while players only pass."""
        one = line
        for then in self._quietly(line):
            for number, item in enumerate(then.items[: len(one.items)]):
                if item.place is None and one.items[number].place is not None:
                    return self.shown_answer(question, line, self.item_words(then, number), then)
            one = then
        return self.shown_answer(
            question, line, "nothing", one, "nothing resolves while players only pass"
        )

    def next(self, question: Inquiry, line: Line) -> RulingAnswer:
        """Answer what is the next thing to happen that players see, while they only pass."""
        one = line
        for then in self._quietly(line):
            if said := self._seen(one, then):
                rest = self.rest(then)
                return self.shown_answer(
                    question, line, said, rest, self.holder_words(rest.position)
                )
            one = then
        if one.position.stage == OVER:
            return self.shown_answer(question, line, "the game is over", one)
        return self.shown_answer(question, line, "nothing", one, self.holder_words(one.position))

    def cause(self, question: Inquiry, line: Line) -> RulingAnswer:
        """Answer what the cards may cause as something happens: in the last move that was said, or
        on the way to an event.
        """
        stages: list[tuple[Line, str]] = []
        if question.after:
            event = self.events.event_named(line, question.after)
            if event is not None:
                end = self.situation.until(line, event)
                stages = [(end.before(len(end.steps) - 1), end.steps[-1].move.clause)]
            else:
                fit = self.vocabulary.fit(
                    question.after, ("may", "must", "chance")
                ) or self.vocabulary.fit(question.after, passing=True)
                if fit is None:
                    raise unknown_words(question.after, self.vocabulary, self.situation.hint_of)
                stages = [(line, clause) for clause in fit.clauses]
        elif line.how and line.how[-1] == "said":
            stages = [(line.before(len(line.steps) - 1), line.steps[-1].move.clause)]
        else:
            stages = [(line, move.clause) for move, _ in self.referee.moves(line.position)]
        found: dict[str, set[str]] = {}
        for before, clause in stages:
            for move, _ in self.referee.moves(before.position):
                chance = self.referee.mode(move) == "chance"
                if move.clause != clause and not chance:
                    continue
                for title, seats in (
                    *self.referee.caused(move),
                    *([(self.vocabulary.clauses[move.clause].title, ())] if chance else []),
                ):
                    whose = found.setdefault(title, set())
                    whose |= {
                        player_name(seat)
                        for seat in seats
                        if 0 <= seat < self.situation.scope.players
                    }
        listed = tuple(
            f"{title} ({', '.join(sorted(whose))})" if whose else title
            for title, whose in found.items()
        )
        return RulingAnswer(
            question,
            "" if listed else "nothing",
            "",
            line,
            len(line.steps),
            tuple(dict.fromkeys(c for _, c in stages)),
            listed=listed,
        )

    def decides(self, question: Inquiry, line: Line) -> RulingAnswer:
        """Answer who makes the next decision of the rules: whose choice it is among what could go
        on.
        """
        one = line
        for _ in range(100):
            moves = self.referee.moves(one.position)
            deciders = [
                d for move, _ in moves if self.referee.mode(move) == "must" for d in _choosers(move)
            ]
            if deciders and len({after for _, after in moves}) > 1:
                names = [
                    player_name(d) if isinstance(d, int) else f"the {d}"
                    for d in dict.fromkeys(deciders)
                ]
                return self.shown_answer(
                    question, line, join_words(names), one.after(*moves[0], "rules")
                )
            on = (
                list(self.referee.quiet_moves(one.position))
                if not self.referee.holders(one.position)
                else []
            )
            if not on:
                break
            one = one.after(*on[0])
        if question.what:
            raise not_understood(
                f"Nobody is asked `{question.what}` here: the rules come to no such choice.",
                "say first what leads to it, or ask `who decides?`",
                code="C204",
            )
        holders = sorted(self.referee.holders(one.position)) or sorted(
            {s for m, _ in self.referee.moves(one.position) for s in _deciders(m)}
        )
        return self.shown_answer(
            question, line, join_words([player_name(s) for s in holders]) or "nobody", one
        )

    def whose(self, question: Inquiry, line: Line) -> RulingAnswer:
        """Answer who controls an item."""
        number = self._item_number(line, question.what)
        return self.shown_answer(
            question, line, player_name(line.items[number].item.controller), line
        )

    def turn(self, question: Inquiry, line: Line) -> RulingAnswer:
        """Answer whose turn it is once nothing goes on by itself."""
        rest = self.rest(line)
        return self.shown_answer(
            question, line, player_name(int(str(rest.position.values[0]))), rest
        )

    def fate(self, question: Inquiry, line: Line) -> RulingAnswer:
        """Answer what becomes of an item while players only pass."""
        number = self._item_number(line, question.what)
        one = next(
            (then for then in (line, *self._quietly(line)) if then.items[number].place is None),
            None,
        )
        if one is None:
            return self.shown_answer(question, line, "stays where it is", line)
        whole = one.items[number].fate
        return self.shown_answer(
            question,
            line,
            whole,
            one,
            "" if line.items[number].place is None else f"once {self.passes_words(line, one)}",
        )

    def _quietly(self, line: Line) -> Iterator[Line]:
        """Yield *line* with one move more, and one more, while players only pass, until it would
        come back to where it was; raises InputError if that takes too long.
        """
        one, seen = line, {line.position}
        while step := next(
            (step for step in self.referee.quiet_moves(one.position) if step[1] not in seen), None
        ):
            if len(seen) > _MOST_QUIET:
                raise not_understood(
                    f"While players only pass, play goes on for more than {_MOST_QUIET:,} moves.",
                    "say more of what happens",
                    code="C204",
                )
            seen.add(step[1])
            one = one.after(*step)
            yield one

    def _after(self, question: Inquiry, line: Line) -> Line:
        if not question.after:
            return line
        event = self.events.event_named(line, question.after)
        if event is None:
            raise unknown_words(question.after, self.vocabulary, self.situation.hint_of)
        return self.situation.until(line, event)

    def _seen(self, before: Line, after: Line) -> str:
        """Return what players see happen: an item leaves, a step begins, the game ends."""
        for number, item in enumerate(after.items[: len(before.items)]):
            place = before.items[number].place
            if item.place is None and place is not None:
                return f"{self.item_words(after, number)} {item.fate}"
            if item.place and place and item.place[0] != place[0]:
                return f"{self.item_words(after, number)} is put on {self.program.zones[item.place[0]].name}"
        for number, sequence in enumerate(self.program.sequences):
            was, now = before.position.values[number + 1], after.position.values[number + 1]
            if was != now:
                if now == ir.NO_STEP:
                    return f"{sequence.title or sequence.name} ends"
                return f"{next(step.title or step.name for step in sequence.steps if step.name == now)} begins"
        if after.position.stage == OVER:
            return "the game is over"
        if before.position.values[0] != after.position.values[0]:
            return f"{player_name(int(str(after.position.values[0])))}'s turn begins"
        return ""

    def _item_number(self, line: Line, phrase: str) -> int:
        fits = (
            items_called(line, phrase, self.vocabulary)
            or focus(line)
            or [n for n, one in enumerate(line.items) if one.place]
        )
        return fits[-1] if len(fits) == 1 else item_named(line, phrase, self.vocabulary)


def _deciders(move: Move) -> list[int]:
    return [
        *([move.owner] if isinstance(move.owner, int) else []),
        *(c.by for c in move.choices if isinstance(c.by, int)),
    ]


def _choosers(move: Move) -> list[int | str]:
    return [choice.by for choice in move.choices if choice.by != "cards"]
