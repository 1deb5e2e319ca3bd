"""Outcomes: who has priority, what comes next, what the cards may cause, who decides, and what
becomes of an item.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise

from ...models import ir
from ...models.words import join_words, player_name
from ..situations.events import Happening
from ..situations.line import Line, deciders
from ..situations.nouns import focus, item_named, unknown_words
from ..situations.question import none_of_the_forms, not_understood
from ..situations.wishes import zones_called
from ..types.position import OVER, Move, Position
from .answer import Looked, RulingAnswer
from .answering import Answering

_MOST_QUIET = 1_000
"""How many moves are made while players only pass."""
_MOST_WAYS = 24
_OPEN = "the rules do not say which"


class Outcomes(Answering):
    """Answers what comes of a situation while players only pass."""

    def who(self) -> RulingAnswer:
        """Answer who has priority once nothing goes on by itself."""
        event, begin = self._event_after(), self.line
        if event is not None and not self.just_happened(self.line, event):
            begin = self.situation.until(self.line, event)
        # As a step begins: in that step.
        rest = self.rest(begin, in_step=event is not None and event.kind == "step begins")
        holders = sorted(self.referee.holders(rest.position))
        if holders:
            looked = (
                Looked(begin, holders[0], None)
                if len(holders) == 1 and begin.ends_as_said
                else None
            )
            names = join_words([player_name(seat) for seat in holders])
            where = self.elsewhere(begin.position, rest.position)
            return replace(self.shown_answer(names, rest, where), looked=looked)
        if rest.position.stage == OVER:
            return self.shown_answer("nobody", rest, "the game is over")
        deciding = sorted(
            {s for move, _ in self.referee.moves(rest.position) for s in deciders(move)}
        )
        detail = (
            f"{join_words([player_name(seat) for seat in deciding])} decides without it"
            if deciding
            else ""
        )
        return self.shown_answer("nobody", rest, detail)

    def holds(self) -> RulingAnswer:
        """Answer whether a player has priority once nothing goes on by itself."""
        seat, rest = self.situation.seat_named(self.line, self.question.player), self.rest()
        head = "yes" if seat in self.referee.holders(rest.position) else "no"
        return self.shown_answer(head, rest, self._who_then(self.line, rest))

    def _who_then(self, line: Line, rest: Line) -> str:
        """Return who has priority at *rest*, and in which step if that is not the one of *line*."""
        where = self.elsewhere(line.position, rest.position)
        return f"{self.holder_words(rest.position)}{where and f' next, {where}'}"

    def happens(self) -> RulingAnswer:
        """Answer whether something happens by itself, or while players only pass."""
        event = self.events.event_named(self.line, self.question.what)
        if event is None:
            raise none_of_the_forms(self.question.text)

        def told(one: Line, then: Line) -> RulingAnswer | None:
            if self.events.happens(event, one, then):
                passes = any(
                    self.referee.is_pass(s.move) for s in then.steps[len(self.line.steps) :]
                )
                lines = then.prefixes()[len(self.line.steps) : -1]
                first = next(filter(None, (self._seen(*pair) for pair in pairwise(lines))), "")
                # "Is the battle over" asks whether it is by now, "does it end" whether it will be.
                if not passes and first and self.question.text.lower().startswith("is "):
                    return self.shown_answer("not yet", then, f"{first} first")
                head, detail = (
                    ("not yet", f"once {self.passes_words(self.line, then)}")
                    if passes
                    else ("yes", "")
                )
                return self.shown_answer(head, then, detail)
            if one.left_in(then):
                seen = f"{self._seen(one, then)} first"
                return self.shown_answer("no", then, seen)
            return None

        def never(end: Line) -> RulingAnswer:
            detail = f"not while players only pass; {self.holder_words(end.position)}"
            return self.shown_answer("no", self.rest(), detail)

        return self._played(told, never)

    def first(self) -> RulingAnswer:
        """Answer which item resolves first while players only pass."""

        def told(one: Line, then: Line) -> RulingAnswer | None:
            number = next((at for at in one.left_in(then) if _resolved(then, at)), None)
            if number is None:
                return None
            head, first = self.item_words(then, number), self._placed_by(then, number)
            return self.shown_answer(head, then, first=first)

        none = "nothing resolves while players only pass"
        return self._played(told, lambda end: self.shown_answer("nothing", end, none))

    def _placed_by(self, line: Line, number: int) -> tuple[str, ...]:
        """Return the clause by which the rules put an item where it lies last; none where a
        player's act did.
        """
        zone, by = -1, None
        for step, here in zip(line.steps[:-1], line.prefixes()[1:-1], strict=True):
            place = here.items[number].place if number < len(here.items) else None
            if place and place[0] != zone:
                zone, by = place[0], step.move
        return (by.clause,) if by and self.referee.mode(by) == "must" else ()

    def ahead(self) -> RulingAnswer:
        """Answer whether an item resolves first while players only pass, or before another one."""
        number = self._item_number(self.question.what)
        other = self._item_number(self.question.before) if self.question.before else None

        def told(one: Line, then: Line) -> RulingAnswer | None:
            for at in one.left_in(then):
                if at == number and not _resolved(then, at):
                    return self.shown_answer("no", then, f"{self.item_words(then, at)} is removed")
                if at == number or (_resolved(then, at) and other in (None, at)):
                    head = "yes" if at == number else "no"
                    detail = f"{self.item_words(then, at)} resolves first"
                    return self.shown_answer(head, then, detail)
            return None

        none = "it does not while players only pass"
        return self._played(told, lambda end: self.shown_answer("no", end, none))

    def next(self) -> RulingAnswer:
        """Answer what is the next thing to happen that players see, while they only pass."""
        is_act = self.line.ends_as_said and self.referee.mode(self.line.steps[-1].move) == "may"
        if is_act and (begun := self._begun()):
            rest = self.rest()
            return self.shown_answer(begun, rest, self._who_then(self.line, rest))

        def told(one: Line, then: Line) -> RulingAnswer | None:
            if not (said := self._seen(one, then)):
                return None
            rest = self.rest(then)
            return self.shown_answer(said, rest, self._who_then(then, rest))

        def never(end: Line) -> RulingAnswer:
            if end.position.stage == OVER:
                return self.shown_answer("the game is over", end)
            holder = self.holder_words(end.position)
            return self.shown_answer("nothing", end, holder)

        return self._played(told, never)

    def cause(self) -> RulingAnswer:
        """Answer what the cards may cause as something happens: in the last move that was said, or
        on the way to an event.
        """
        stages: list[tuple[Position, str]] = []
        if self.question.after:
            event = self.events.event_named(self.line, self.question.after)
            here = self.rest()
            if event is not None and event.kind == "acts" and self._may_do(event, here):
                stages = [(here.position, clause) for clause in event.clauses]
            elif event is not None:
                stages = [_at_last(self.situation.until(self.line, event))]
            else:
                fit = self.vocabulary.fit(
                    self.question.after, ("may", "must", "chance")
                ) or self.vocabulary.fit(self.question.after, passing=True)
                if fit is None:
                    raise unknown_words(
                        self.question.after, self.vocabulary, self.situation.hint_of
                    )
                stages = [(self.line.position, clause) for clause in fit.clauses]
        elif self.line.ends_as_said:
            stages = [_at_last(self.line)]
        else:
            at = self.line.position
            stages = [(at, move.clause) for move, _ in self.referee.moves(at)]
        listed = self._caused_in(stages)
        return RulingAnswer(
            self.question,
            "" if listed else "nothing",
            "" if listed else self._caused_then(),
            self.line,
            len(self.line.steps),
            tuple(dict.fromkeys(c for _, c in stages)),
            listed=listed,
        )

    def _caused_in(self, stages: Iterable[tuple[Position, str]]) -> tuple[str, ...]:
        """Return what the cards may cause by each clause of *stages*, there."""
        found: dict[str, set[str]] = {}
        for before, clause in stages:
            for move, _ in self.referee.moves(before):
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
        return tuple(
            f"{title} ({', '.join(sorted(whose))})" if whose else title
            for title, whose in found.items()
        )

    def _caused_then(self) -> str:
        """Return what the cards may cause in what the last act leads to by itself, as a card that
        is played at once is performed; empty if that is nothing.
        """
        move = self.line.steps[-1].move if self.line.ends_as_said else None
        if move is None or self.referee.mode(move) != "may" or self.referee.is_pass(move):
            return ""
        rest = self.rest()
        for at in range(len(self.line.steps), len(rest.steps)):
            clause = rest.steps[at].move.clause
            if listed := self._caused_in([(rest.trace.positions[at], clause)]):
                title = self.vocabulary.clauses[clause].title
                return f"then, as {title}: {'; '.join(listed)}"
        return ""

    def _may_do(self, event: Happening, line: Line) -> bool:
        """Whether the act that *event* is may be done where *line* has come to."""
        moves = [move for move, _ in self.referee.moves(line.position)]
        return any(move.clause in event.clauses and move.owner == event.seat for move in moves)

    def decides(self) -> RulingAnswer:
        """Answer who makes the next decision of the rules: whose choice it is among what could go
        on.
        """
        one, is_act = self.line, False
        for _ in range(100):
            moves = self.referee.moves(one.position)
            asked = [
                d for move, _ in moves if self.referee.mode(move) == "must" for d in _choosers(move)
            ]
            if asked and len({after for _, after in moves}) > 1:
                names = [
                    player_name(d) if isinstance(d, int) else f"the {d}"
                    for d in dict.fromkeys(asked)
                ]
                then = one.after(*moves[0], "rules")
                first = (moves[0][0].clause,)
                return self.shown_answer(join_words(names), then, first=first)
            on = (
                list(self.referee.quiet_moves(one.position))
                if not self.referee.holders(one.position)
                else []
            )
            if not on or (is_act := on[0][0].owner in range(self.situation.scope.players)):
                break
            one = one.after(*on[0])
        if self.question.what and not is_act:
            raise not_understood(
                f"Nobody is asked `{self.question.what}` here: the rules come to no such choice.",
                "say first what leads to it, or ask `who decides?`",
                code="C204",
            )
        holders = sorted(self.referee.holders(one.position)) or sorted(
            {s for m, _ in self.referee.moves(one.position) for s in deciders(m)}
        )
        return self.shown_answer(join_words([player_name(s) for s in holders]) or "nobody", one)

    def whose(self) -> RulingAnswer:
        """Answer who controls an item."""
        number = self._item_number(self.question.what)
        return self.shown_answer(player_name(self.line.items[number].item.controller), self.line)

    def turn(self) -> RulingAnswer:
        """Answer whose turn it is once nothing goes on by itself."""
        rest = self.rest()
        return self.shown_answer(player_name(int(str(rest.position.values[0]))), rest)

    def fate(self) -> RulingAnswer:
        """Answer what becomes of an item while players only pass."""
        number = self._item_number(self.question.what)
        if self.line.items[number].place is None:
            return self.shown_answer(self.line.items[number].fate, self.line)

        def told(_: Line, then: Line) -> RulingAnswer | None:
            if then.items[number].place is not None:
                return None
            once = f"once {self.passes_words(self.line, then)}"
            return self.shown_answer(then.items[number].fate, then, once)

        return self._played(told, lambda _: self.shown_answer("stays where it is", self.line))

    def lies(self) -> RulingAnswer:
        """Answer what lies on a zone, what leaves first told first: what waits as it is now, else
        once nothing goes on by itself.
        """
        named = zones_called(self.program)
        if self.question.what not in named:
            raise not_understood(
                f"There is no zone called `{self.question.what}`.",
                f"the zones are {join_words(sorted(named))}",
            )
        number = named[self.question.what]
        is_left = self.program.zones[number] in self.program.zones_tagged("waiting")
        rest = self.line if is_left else self.rest()
        lying = sorted(
            (item.place, self.item_words(rest, at))
            for at, item in enumerate(rest.items)
            if item.place is not None and item.place[0] == number
        )
        names = [name for _, name in lying]
        order = self.program.zones[number].order
        head = (
            join_words(names)
            if order == "unordered"
            else ", then ".join(names)
            if order == "fifo"
            else " above ".join(reversed(names))
        )
        return self.shown_answer(head or "nothing", rest)

    def _played(
        self,
        told: Callable[[Line, Line], RulingAnswer | None],
        never: Callable[[Line], RulingAnswer],
    ) -> RulingAnswer:
        """Return what is *told* of the first move of which anything is, while players only pass;
        what *never* tells where that is of none.

        Where the rules, or a player, may go on in several ways all are followed, and each answer is
        told.
        """
        answers, choosing = list[RulingAnswer](), set[object]()
        open_, seen, last = [self.line], {(self.line.position, self.line.items)}, self.line
        while open_ and len(answers) < _MOST_WAYS:
            if len(seen) > _MOST_QUIET:
                raise not_understood(
                    f"While players only pass, play goes on for more than {_MOST_QUIET:,} moves.",
                    "say more of what happens",
                    code="C204",
                )
            one = last = open_.pop()
            steps = list(self.referee.quiet_moves(one.position, alike=True))
            ways = [one.after(*step) for step in steps]
            if self.referee.holders(one.position):
                ways = [then for then in ways if (then.position, then.items) not in seen][:1]
            if len(ways) > 1:
                choosing |= {by for step in steps for by in _choosers(step[0]) or ["rules"]}
            found = [told(one, then) for then in ways]
            answers += [answer for answer in found if answer is not None]
            for then, answer in zip(ways[::-1], found[::-1], strict=True):
                if answer is None and (then.position, then.items) not in seen:
                    seen.add((then.position, then.items))
                    open_.append(then)
        heads = list(dict.fromkeys(answer.head for answer in answers))
        if len(heads) < 2:
            return answers[0] if answers else never(last)
        names = [player_name(by) for by in choosing if isinstance(by, int)]
        detail = f"as {names[0]} chooses" if len(choosing) == len(names) == 1 else _OPEN
        return replace(answers[0], head=join_words(heads, "or"), detail=detail)

    def _event_after(self) -> Happening | None:
        """Return the event after which it is asked, None if that is now."""
        if not self.question.after:
            return None
        event = self.events.event_named(self.line, self.question.after)
        if event is None:
            raise unknown_words(self.question.after, self.vocabulary, self.situation.hint_of)
        return event

    def _seen(self, before: Line, after: Line) -> str:
        """Return what players see happen: an item leaves, a step begins, the game ends. Of several
        items that leave it is the first.
        """
        for number, item in enumerate(after.items[: len(before.items)]):
            place = before.items[number].place
            if item.place is None and place is not None:
                first = before.left_in(after)[0]
                return f"{self.item_words(after, first)} {after.items[first].fate}"
            if item.place and place and item.place[0] != place[0]:
                return (
                    f"{self.item_words(after, number)} is put on "
                    f"{self.program.zones[item.place[0]].name}"
                )
        for number, sequence in enumerate(self.program.sequences):
            was, now = before.position.values[number + 1], after.position.values[number + 1]
            if was != now:
                if now == ir.NO_STEP:
                    return f"{sequence.title or sequence.name} ends"
                return f"{sequence.title_of(str(now))} begins"
        if after.position.stage == OVER:
            return "the game is over"
        if before.position.values[0] != after.position.values[0]:
            return f"{player_name(int(str(after.position.values[0])))}'s turn begins"
        return ""

    def _begun(self) -> str:
        """Return which step the last move begins, empty if that is none."""
        before = self.line.prefixes()[-2]
        seen = self._seen(replace(before, items=()), replace(self.line, items=()))
        return seen if seen.endswith("begins") else ""

    def _item_number(self, phrase: str) -> int:
        lying = [number for number, one in enumerate(self.line.items) if one.place]
        is_it = len(lying) == 1 and re.fullmatch("it|that|this", phrase) and not focus(self.line)
        return lying[0] if is_it else item_named(self.line, phrase, self.vocabulary)


def _at_last(line: Line) -> tuple[Position, str]:
    """Return where the last move of *line* was made, and by which clause."""
    return line.trace.positions[-2], line.steps[-1].move.clause


def _choosers(move: Move) -> list[int | str]:
    return [choice.by for choice in move.choices if choice.by != "cards"]


def _resolved(line: Line, number: int) -> bool:
    return line.items[number].fate == "resolves"
