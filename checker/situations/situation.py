"""Situations: from statements, one after the other, to the lines of play that they describe.

What a statement leaves unsaid is filled in: moves of the rules in which the cards do nothing, and
passes as far as they lead to what is said next. Where a statement fits several moves all of them
are followed.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator

from ...models.diagnostics import InputError
from ...models.words import join_words, player_name
from ..types.position import Move
from ..types.scope import Scope
from .causes import Causes, by_players, chosen, concerns, without
from .events import IS_DONE, Events, Happening
from .line import Line, Referee, deciders
from .nouns import (
    answers_with_what,
    done_first,
    is_bare_response,
    items_called,
    player_called,
    unknown_words,
)
from .question import NOT_FOUND, SUBJECT, not_understood
from .vocabulary import Fit, GameWords
from .wishes import Wish, nearest, reach, read_condition
from .words import content, seat_of, seats_in, words_of

_MOST_FILLED = 4_000
_MOST_WAYS = 200
"""In how many ways a situation may come about: each statement that has two doubles them."""
_PASSES = re.compile(r"\b(pass(?:es)?) (?:the )?priority(?: to (?:([A-P])|.+))?$")
_TOGETHER = r"([A-P]'s) (.+?) triggers? together with ([A-P]'s) (.+?)(?: at once| together)?"
_SEEN = ("resolves", "is removed", "step begins", "step ends")
"""The events after which passes are counted anew."""
_Matching = Callable[[Line, Move], bool]
_Caused = Callable[[Causes, Move, Move | None], bool]
"""Whether what is caused in a move is meant, beside what is caused in another one already."""


class Situation:
    """The lines that statements describe, in the rules that *referee* plays."""

    def __init__(
        self, referee: Referee, vocabulary: GameWords, is_known: Callable[[str], str]
    ) -> None:
        self.referee = referee
        self.vocabulary = vocabulary
        self.events = Events(referee, vocabulary)
        self.lines = [referee.start()]
        self.hint_of = is_known
        self._open: list[Wish] = []
        self.is_said = self.is_state = self.is_turn = False
        """Whether anything was said, and whether the last of it was a step, and how things are
        there; or a turn, and nothing else.
        """
        self.step_said: Wish | None = None
        """The step that was said last."""
        self.is_during = False
        """Whether it was said last that something is going on, which nothing goes on from."""
        self._within: list[Wish] = []
        """The step and the turn that were said last."""

    @property
    def scope(self) -> Scope:
        """The scope in which it is told."""
        return self.referee.interpreter.scope

    @property
    def is_placed(self) -> bool:
        """Whether a step or a turn was said; always, where the rules have no turns."""
        return bool(self._within) or not self.referee.program.sequences

    def say(self, statement: str) -> None:
        """Let *statement* happen, or be so. Raises InputError where it fits nothing, or cannot come
        about.
        """
        given = _PASSES.search(statement)
        statement = _PASSES.sub(r"\1", statement)
        self.is_said = True
        if condition := read_condition(
            statement, self.lines[0], self.referee, self.vocabulary, self.hint_of
        ):
            self.is_state = condition.is_step or (self.is_state and bool(self._open))
            self.is_turn = condition.is_turn and not self._open
            self.step_said = condition if condition.is_step else self.step_said
            self._open.append(condition)
            return
        self.is_state = self.is_turn = self.is_during = False
        self.settle()
        self.lines = _different(self._lines_after(statement))
        if given and given[2]:
            self._goes_to(given[2])

    def _goes_to(self, name: str) -> None:
        """Raise InputError unless the player of that *name* has priority next."""
        for line in self.lines:
            there = self.referee.quiet_lines(line)[0]
            if self.seat_named(line, name) not in self.referee.holders(there.position):
                raise not_understood(
                    f"Priority does not go to {name} here.", self._where(line), code="C204"
                )

    def settle(self) -> None:
        """Play on to where all that was said to be so since the last act is so."""
        if self._open:
            conditions, self._open = self._open, []
            self._within = [one for one in conditions if one.is_step or one.is_turn] or self._within
            self.lines = _different([reach(self.referee, line, conditions) for line in self.lines])

    # ------------------------------------------------------------------ statements

    def _lines_after(self, statement: str) -> list[Line]:
        if re.fullmatch(
            r"(?:everybody|everyone|both(?: players)?|all(?: players)?|each player|they "
            r"(?=all|both))(?: all| both)? pass(?:es)?",
            statement,
        ):
            return [end for line in self.lines for end in self._everybody(line)]
        names = re.fullmatch(
            r"((?:[A-P](?:, | and |, and )?)+) (?:all |both |each )?pass(?:es)?", statement
        )
        if names:
            lines = self.lines
            for seat in seats_in(names[1]):
                lines = _few([end for line in lines for end in self._passes(line, seat)])
            return lines
        if found := re.fullmatch(rf"{SUBJECT} pass(?:es)?", statement):
            seat = self.seat_named(self.lines[0], found[1])
            return [end for line in self.lines for end in self._passes(line, seat)]
        if found := re.fullmatch(rf"{SUBJECT} (?:holds|keeps|retains) priority", statement):
            return [self._holds(line, self.seat_named(line, found[1])) for line in self.lines]
        if found := re.fullmatch(_TOGETHER, statement):
            if found[4] != found[2]:
                raise not_understood(
                    f"`{found[4].removeprefix(found[2]).strip()}`: only two things can happen at "
                    "once.",
                    "say what comes first, then the others",
                    code="C202",
                )
            return self._together(
                f"{found[1]} {found[2]} triggers", f"{found[3]} {found[2]} triggers"
            )
        return self._done(statement)

    def _together(self, *both: str) -> list[Line]:
        """Return the lines in which *both* happen, one after the other in either order."""
        begun, found = self.lines, list[Line]()
        for order in (both, both[::-1]):
            self.lines = begun
            for one in order:
                self.lines = _different(self._done(one))
            found += [line for line in self.lines if _wait_together(line)]
        if not found:
            raise not_understood(
                f"`{'` and `'.join(both)}` cannot happen together here.",
                "say one after the other",
                code="C204",
            )
        return found

    def seat_named(self, line: Line, words: str) -> int:
        """Return the seat of the player whom *words* name. Raises InputError where they name
        none.
        """
        seat = player_called(
            words.replace("The ", "the ", 1),
            line.position,
            self.scope.players,
        )
        if seat is None or seat >= self.scope.players:
            raise not_understood(
                f"`{words}` is no player here.",
                "players are called "
                f"{join_words([player_name(s) for s in range(self.scope.players)])}",
            )
        return seat

    def _done(self, statement: str) -> list[Line]:
        """Return the lines in which somebody does, or the cards cause, what *statement* says."""
        if f"a{statement[1:]}" in self.vocabulary.causes:
            statement = f"a{statement[1:]}"  # no player: "A state-based action becomes applicable"
        if re.fullmatch(SUBJECT, statement):
            raise not_understood(
                f"`{statement}` does not say what that player does.",
                "name each player by a letter: `A and B pass`, or write a statement for each",
                code="C202",
            )
        subject = re.match(rf"^{SUBJECT} (\S.*)$", statement)
        if subject and is_bare_response(subject[2], self.vocabulary):
            raise answers_with_what(statement, self.vocabulary)
        phrase, answered = _without_response(subject[2]) if subject else ("", None)
        if subject and (fit := self.vocabulary.done(phrase)):
            found = [
                end
                for line in self.lines
                for end in self._acts(line, self.seat_named(line, subject[1]), phrase, fit)
            ]
            return found if answered is None else self._answering(found, answered)
        # "It is countered" is not "it counters".
        titles = [
            title
            for title in self.vocabulary.causes_called(content(statement))
            if IS_DONE.search(title) or not IS_DONE.search(statement)
        ]
        if titles:
            # "B counters it" is said of something of B's.
            doers = () if subject is None else (self.seat_named(self.lines[0], subject[1]),)
            seats = (*doers, *(one for one in _owners(statement) if one < self.scope.players))
            return [
                end for line in self.lines for end in self._causes(line, statement, titles, seats)
            ]
        event = self.events.event_named(self.lines[0], statement)
        if event is not None:
            self.is_during = event.kind == "resolving"
            return [self.until(line, event) for line in self.lines]
        raise unknown_words(
            statement if subject is None else subject[2], self.vocabulary, self.hint_of
        )

    def _answering(self, lines: list[Line], answered: str) -> list[Line]:
        """Return those of *lines* whose last move was made while there was something to answer:
        what *answered* names, or anything that waits.
        """
        found = []
        for line in lines:
            before = line.prefixes()[-2]
            named = (
                items_called(before, answered, self.vocabulary)
                if answered
                else range(len(before.items))
            )
            if any(before.items[number].place is not None for number in named):
                found.append(line)
        if not found:
            raise not_understood(
                f"There is no {f'`{answered}`' if answered else 'spell or ability'} then that "
                "could be answered.",
                done_first(self.vocabulary, "; B responds with …"),
                code="C204",
            )
        return found

    def _leaves(self, line: Line) -> _Matching:
        """Return what tells whether a move beyond *line* is out of the step or turn in which that
        is said to be.
        """
        is_pass = line.ends_as_said and self.referee.is_pass(line.steps[-1].move)
        here = self.referee.quiet_lines(line)[:1] if is_pass else []
        # A pass that was said may end the step, and then anything may follow.
        within = [
            one
            for one in self._within
            if one.holds(line.position) and all(one.holds(end.position) for end in here)
        ]
        return lambda one, _: not all(wish.holds(one.position) for wish in within)

    def _acts(self, line: Line, seat: int, phrase: str, fit: Fit) -> list[Line]:
        """Return the lines in which *seat* does what *phrase* says, as soon as they can."""
        others = [other for other in seats_in(phrase) if other != seat]
        leaves = self._leaves(line)

        def is_it(one: Line, move: Move) -> bool:
            # What the rules do in a player's turn is that player's: "A draws a card".
            doer = self.vocabulary.doers.get(move.clause, one.position.values[0])
            whose = seat if move.owner != "rules" or doer != seat else None
            return (
                self.referee.is_quiet(move)
                and is_done_by(move, whose, fit, others)
                and not leaves(one, move)
            )

        found, why_open = self._soonest(line, is_it), ""
        if not found and not line.said:
            # Nothing was done so far, so what has to be done before is filled in, too.
            found, why_open = self._filled_in(line, is_it)
        if not found:
            who, clauses = player_name(seat), ", ".join(fit.clauses[:3])
            said = f"`{who} {phrase}` cannot be done here ({clauses})"
            raise self._not_here(said, line, why_open)
        return found

    def _not_here(self, said: str, line: Line, why_open: str, hint: str = "") -> InputError:
        """Return that something cannot be after *line*, as it is *said*; *why_open* tells why it
        may be all the same, the *hint* when it can be.
        """
        as_far = f", as far as was seen: {why_open}" if why_open else ""
        code = NOT_FOUND if why_open else "C204"
        return not_understood(f"{said}{as_far}.", self._where(line) + hint, code)

    def _where(self, line: Line) -> str:
        """Return who has priority where *line* has come to, or who has to decide, as a hint."""
        ends = self.referee.quiet_lines(line)
        decides = [
            (player_name(seat), move.clause)
            for move, _ in self.referee.moves(ends[0].position)
            for seat in deciders(move)
        ]
        holders = sorted({seat for end in ends for seat in self.referee.holders(end.position)})
        names = join_words([player_name(seat) for seat in holders], "or")
        if not holders and decides:
            who, clause = decides[0]
            title = self.vocabulary.clauses[clause].title
            return f"{who} has to decide first: {title} ({clause})"
        return f"{names} has priority then" if holders else "nobody has priority then"

    def _passes(self, line: Line, seat: int) -> list[Line]:
        found = []
        leaves = self._leaves(line)
        for rest in self.referee.quiet_lines(line):
            found += [
                rest.after(move, after, "said")
                for move, after in self.referee.moves(rest.position)
                if move.owner == seat
                and self.referee.is_pass(move)
                and self.referee.is_quiet(move)
                and not leaves(rest, move)
            ]
        if not found:
            raise not_understood(
                f"{player_name(seat)} cannot pass here.", self._where(line), code="C204"
            )
        return found

    def _everybody(self, line: Line) -> list[Line]:
        """Return *line* after every player has passed, in the order in which they have priority."""
        lines, passed = [line], self._passed(line)
        if len(passed) == self.scope.players:
            passed.clear()
        before = len(passed)
        while len(passed) < self.scope.players:
            rest = self.referee.quiet_lines(lines[0])[0]
            seats = [
                seat for seat in sorted(self.referee.holders(rest.position)) if seat not in passed
            ]
            if not seats:
                break
            lines = _few([end for one in lines for end in self._passes(one, seats[0])])
            passed.add(seats[0])
        if len(passed) == before:
            raise not_understood("Nobody can pass here.", self._where(line), code="C204")
        return lines

    def _passed(self, line: Line) -> set[int]:
        """Return who has passed in *line* since somebody did something else, or anything came of
        it.
        """
        passed = set[int]()
        for step in reversed(line.steps):
            is_pass, mode = self.referee.is_pass(step.move), self.referee.mode(step.move)
            is_seen = any(event.kind in _SEEN for event in step.move.events)
            if (mode != "must" and not is_pass) or is_seen:
                break
            if is_pass and isinstance(step.move.owner, int):
                passed.add(step.move.owner)
        return passed

    def _holds(self, line: Line, seat: int) -> Line:
        for rest in self.referee.quiet_lines(line):
            if seat in self.referee.holders(rest.position):
                return rest
        raise not_understood(
            f"{player_name(seat)} does not have priority here.", self._where(line), code="C204"
        )

    # ------------------------------------------------------------------ what the cards cause

    def _causes(
        self, line: Line, statement: str, titles: list[str], seats: tuple[int, ...]
    ) -> list[Line]:
        """Return the lines in which the cards cause one of *titles*, in the last move that was
        said, else soon after it.
        """

        def is_it(new: Causes, move: Move, known: Move | None) -> bool:
            return len(new) == 1 and new[0][0] in titles and concerns(move, new[0], seats, known)

        amended, leaves = self._amended(line, is_it), self._leaves(line)
        causes = self._newly(titles, seats, is_it)

        def newly(one: Line, move: Move) -> bool:
            return causes(one, move) and not leaves(one, move)

        found, why_open = [*amended, *self._soonest(line, newly)], ""
        if not found:
            # Something else has to happen before, which is filled in; of acts if nothing was said.
            found, why_open = self._filled_in(line, newly)
        if not found:
            clauses = self.vocabulary.causing(titles)
            raise self._not_here(
                f"`{statement}` cannot happen here",
                line,
                why_open,
                f"; {clauses}" if clauses else "",
            )
        ranks = [self.referee.rank(end.steps[-1].move, titles) for end in found]
        fits = [end for end, rank in zip(found, ranks, strict=True) if rank == min(ranks)]
        return [end for end in fits if end in amended] or fits

    def _amended(self, line: Line, is_it: _Caused) -> list[Line]:
        """Return *line* with what the cards cause added to its last move, if that was said."""
        if not line.ends_as_said:
            return []
        before, last = line.prefixes()[-2], line.steps[-1].move
        known = list(self.referee.caused(last))
        return [
            before.after(move, after, "said")
            for move, after in self.referee.moves(before.position)
            if (move.clause, move.owner) == (last.clause, last.owner)
            and by_players(move) == by_players(last)
            and all(one in move.choices for one in self.referee.by_luck(last))
            and all(one in self.referee.caused(move) for one in known)
            and is_it(without(list(self.referee.caused(move)), known), move, last)
        ]

    def _newly(self, titles: list[str], seats: tuple[int, ...], is_it: _Caused) -> _Matching:
        """Return what tells the moves in which the cards cause it by themselves."""

        def is_new(_: Line, move: Move) -> bool:
            mode = self.referee.mode(move)
            if mode not in ("chance", "must"):
                return False
            caused = list(self.referee.caused(move))
            if mode == "chance" and not caused:
                title = self.referee.interpreter.clauses[move.clause].title
                is_named = any(one in titles for one in (title, *self.referee.went(move)))
                return is_named and concerns(move, (title, chosen(move)), seats, None)
            return is_it(caused, move, None)

        return is_new

    # ------------------------------------------------------------------ playing on

    def _soonest(self, line: Line, matches: _Matching) -> list[Line]:
        """Return *line* played on quietly, and with the first moves that match."""
        open_, seen = deque([line]), {line.position}
        depth, found = -1, list[Line]()
        while open_ and len(seen) < _MOST_FILLED:
            one = open_.popleft()
            if found and len(one.steps) > depth:
                break
            for move, after in self.referee.moves(one.position):
                if matches(one, move):
                    found.append(one.after(move, after, "said"))
                    depth = len(one.steps)
            for move, after, how in () if found else self.referee.quiet_moves(one.position):
                if after not in seen:
                    seen.add(after)
                    open_.append(one.after(move, after, how))
        return found

    def _filled_in(self, line: Line, matches: _Matching) -> tuple[list[Line], str]:
        """Return *line* with what leads to the first moves that match, acts too if nothing was
        said; and why there may be some all the same, if none are found.
        """
        begins, why_open = nearest(
            self.referee,
            line,
            lambda at: any(matches(Line(at), move) for move, _ in self.referee.moves(at)),
            with_acts=not line.said,
        )
        return [] if begins is None else self._soonest(begins, matches), why_open

    def until(self, line: Line, event: Happening) -> Line:
        """Return *line* played on quietly until *event* happens; to a step that only an act brings
        about, with that act if nothing was said.
        """
        open_, seen = deque([line]), {line.position}
        while open_ and len(seen) < _MOST_FILLED:
            one = open_.popleft()
            for move, after, how in self.referee.quiet_moves(one.position):
                then = one.after(move, after, how)
                if self.events.happens(event, one, then):
                    return then
                if after not in seen:
                    seen.add(after)
                    open_.append(then)
        if event.kind == "step begins" and not line.said:

            def entries(one: Line) -> Iterator[Line]:
                lines = (one.after(*move, "filled") for move in self.referee.moves(one.position))
                return (then for then in lines if self.events.happens(event, one, then))

            before, _ = nearest(self.referee, line, lambda at: any(entries(Line(at))))
            if before is not None:
                return next(entries(before))
        raise not_understood(
            f"`{event.words}` does not happen here while players only pass.",
            done_first(self.vocabulary, "; it resolves: who has priority?")
            if event.words.endswith("resolves") and "said" not in line.how
            else self._where(line),
            code="C204",
        )


def _without_response(phrase: str) -> tuple[str, str | None]:
    """Return *phrase* as what is done, where it says that it answers something: ``responds with an
    instant``; and what that is, empty if it is not named.
    """
    if found := re.fullmatch(
        r"(?:responds?|answers?|reacts?)(?: to (.+?))? (?:with|by) (.+)", phrase
    ):
        return f"plays {found[2]}", found[1] or ""
    if found := re.fullmatch(r"(.+?),? in (?:response|answer)(?: to (.+))?", phrase):
        return found[1], found[2] or ""
    return phrase, None


def is_done_by(move: Move, seat: int | None, fit: Fit, others: list[int]) -> bool:
    """Whether *seat* (None: anyone) does in *move* what *fit* names, and chooses the *others* in
    it.
    """
    if all(name.clause != move.clause for name in fit.names):
        return False
    chosen = {
        str(choice.value) for choice in move.choices if not choice.what and choice.by != "cards"
    }
    kinds = {
        event.item.kind for event in move.events if event.kind == "put" and event.item is not None
    }
    seats = [choice.value for choice in move.choices if choice.what]
    if not any(
        name.clause == move.clause
        and (not name.choice or name.choice in chosen)
        and (not name.kind or name.kind in kinds)
        for name in fit.names
    ):
        return False
    mine = seat is None or seat in deciders(move)
    return mine and all(other in seats for other in others)


def _wait_together(line: Line) -> bool:
    """Whether the last two items of *line* lie in one zone."""
    places = [one.place for one in line.items[-2:]]
    return len({place and place[0] for place in places}) == 1 and None not in places


def _owners(statement: str) -> Iterator[int]:
    """Yield the players whose something is in *statement*."""
    for word in words_of(statement):
        seat = seat_of(word)
        if seat is not None and (
            word.endswith("'s") or re.search(rf"\b(?:of|for|by|under) {word}\b", statement)
        ):
            yield seat


def _different(lines: list[Line]) -> list[Line]:
    """Return *lines* that lead to different positions, the first to each."""
    found = list({(line.position, line.items): line for line in reversed(lines)}.values())[::-1]
    return _few(found)


def _few(lines: list[Line]) -> list[Line]:
    """Return *lines*; raise InputError if there are very many."""
    if len(lines) > _MOST_WAYS:
        raise not_understood(
            f"This can come about in more than {_MOST_WAYS} ways.",
            "ask about fewer things at once",
            code="C203",
        )
    return lines
