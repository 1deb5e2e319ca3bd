"""Permissions: what a player may do, now or before something happens, and what they must."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

from ...models.diagnostics import InputError
from ...models.words import player_name
from ...properties.load import property_of_text
from ..run.check import check
from ..situations.events import Happening
from ..situations.line import Line, deciders
from ..situations.nouns import done_first, item_named, unknown_words
from ..situations.question import ACT, PRIORITY, Inquiry, not_understood
from ..situations.situation import is_done_by
from ..situations.vocabulary import Fit, GameWords
from ..situations.window import MOST, RESTING, Windows
from ..situations.wishes import is_in
from ..situations.words import content, seats_in, stem, words_of
from ..types.position import OVER, Move, Position
from ..types.verdict import Outcome
from .answer import AskedAct, Looked, RulingAnswer
from .answering import Subjects

_MOST_IN_TURN = 1_500
"""How many positions of a turn are looked at one by one: about a second."""
_THIS_TURN = re.compile(r" (?:later )?(?:in )?this turn$")
_ANYBODY = re.compile(r"^(?:any|some|every)(?:body|one)$|^a player$")


def _nothing_done(vocabulary: GameWords) -> InputError:
    return not_understood(
        "Nothing was done yet that could be answered.",
        done_first(vocabulary, ": may B respond?"),
        code="C204",
    )


def _clause_of(doing: AskedAct) -> str:
    """Return the clause that would be used for it first, empty if any will do."""
    return "" if doing.fit is None else doing.fit.clauses[0]


class Permissions(Subjects):
    """Answers what a player may or must do."""

    seat = -1
    """Whose that is."""

    def may(self) -> RulingAnswer:
        """Answer whether a player may do something: now, or before something happens."""
        if _ANYBODY.match(self.question.player):
            raise not_understood(
                f"`{self.question.player}` is no one player.",
                "ask of each: `may A …`, `may B …`",
                code="C203",
            )
        self.seat = self.situation.seat_named(self.line, self.question.player)
        in_turn = _THIS_TURN.search(self.question.what) is not None
        self.question = replace(self.question, what=_THIS_TURN.sub("", self.question.what))
        asked, begun = self.question, self.line
        self.question, self.line = self._where()
        is_there = self.question is not asked
        self._is_there = self.situation.is_state or is_there
        doing = self._doing_of()
        # Where play went on to the step that is asked about, nothing waits that was said.
        subject = self.subject() if self.line is begun else None
        if self.question.respond and subject is None and "said" not in self.line.how:
            raise _nothing_done(self.vocabulary)
        if self.question.before:
            return self._window(doing, self._end_named())
        if subject is not None and (self.question.respond or doing.sort == "priority"):
            return self._window(doing, Happening("leaves", "it resolves", item=subject))
        if self.question.respond:
            return self._without_item(doing)
        if ((self.situation.is_turn and not is_there) or in_turn) and not self.question.now:
            return self._in_turn(doing)
        answer = self._now(doing)
        # Where nothing says when that is, "no" is said of the first step alone.
        is_nowhere = not (self.situation.is_placed or is_there or self.question.now)
        if answer.head == "no" and is_nowhere and set(self.line.how) <= {"rules"}:
            in_turn_answer = self._in_turn(doing)
            return in_turn_answer if in_turn_answer.head == "not yet" else answer
        return answer

    def can(self) -> RulingAnswer:
        """Answer what a player can do where they are: each act by its title."""
        self.seat, rest = self.situation.seat_named(self.line, self.question.player), self.rest()
        sort: Literal["answer", "priority"] = "answer" if self.question.respond else "priority"
        doing, end, detail = AskedAct(sort=sort), rest, ""
        if not self._ways(rest.position, doing):
            later = None if self.question.now else self._later(rest, doing)
            end = later or rest
            detail = (
                f"once {self.passes_words(rest, end)}"
                if later
                else self.holder_words(rest.position)
            )
        ways = self._ways(end.position, doing)
        titles = tuple(dict.fromkeys(self.vocabulary.clauses[one].title for one in ways))
        answer = self.shown_answer("" if titles else "nothing", end, detail)
        return replace(answer, listed=titles)

    def _end_named(self) -> Happening:
        """Return the event before which it is asked. Raises InputError where it is none, or play is
        beyond it.
        """
        event = self.events.event_named(self.line, self.question.before)
        if event is None:
            raise unknown_words(self.question.before, self.vocabulary, self.situation.hint_of)
        if event.kind in ("leaves", "moves"):
            item_named(
                self.line,
                re.sub(r" (?:is|are|has|resolves?|leaves).*$", "", self.question.before),
                self.vocabulary,
            )
        there = (event.kind == "step begins" and is_in(self.line.position, event.steps)) or (
            event.kind == "turn" and self.line.position.values[0] == event.seat
        )
        is_done = bool(event.clauses) and self.just_happened(self.line, event)
        if (there or is_done) and not re.search(
            r"\b(?:next|another|again)\b", self.question.before
        ):
            raise not_understood(
                f"`{self.question.before}`: play has come there already.",
                "ask `may A … now?`, or name what is still to come",
                code="C204",
            )
        return event

    def _where(self) -> tuple[Inquiry, Line]:
        """Return the question without what it says of where that is, and the line played on to
        there.
        """
        if found := re.fullmatch(
            r"(.+) while (.+?) (?:is|are) (?:still )?(?:on|in) the \w+", self.question.what
        ):
            if (
                self.vocabulary.decided(found[1]) is not None
                and self.line.items[item_named(self.line, found[2], self.vocabulary)].place
                is not None
            ):
                return replace(self.question, what=found[1], now=True), self.line
        elif (
            found := re.fullmatch(
                r"(.+) (?:in|during) ((?:the|[A-P]'s|this) .+)", self.question.what
            )
        ) and not self.question.respond:
            said = re.sub(r"^(?:the|[A-P]'s|this) ", "", found[2])
            steps = tuple(self.vocabulary.steps_called(content(said)))
            if (
                steps
                and (
                    self.vocabulary.decided(found[1])
                    or PRIORITY.match(found[1])
                    or ACT.match(found[1])
                )
                and self.vocabulary.decided(self.question.what) is None
            ):
                return replace(self.question, what=found[1]), self._in_step(found[2], steps)
        return self.question, self.line

    def _in_step(self, words: str, steps: tuple[tuple[int, str], ...]) -> Line:
        """Return the line played on to one of *steps*, in the turn of whose that is by its
        *words*.
        """
        owner = self.situation.seat_named(self.line, words[0]) if words[1:3] == "'s" else None
        line = self.line
        if owner is not None and line.position.values[0] != owner:
            line = self.situation.until(line, Happening("turn", words, seat=owner))
        if any(line.position.values[number + 1] == step for number, step in steps):
            return line
        return self.situation.until(line, Happening("step begins", words, steps=steps))

    def must(self) -> RulingAnswer:
        """Answer whether a player can do nothing else."""
        self.seat = self.situation.seat_named(self.line, self.question.player)
        doing = self._doing_of()
        here = rest = self.rest()
        mine = self._moves_of(rest)
        if not mine and (later := self._later(rest, AskedAct(sort="priority"))) is not None:
            rest, mine = later, self._moves_of(later)
        meant = [move for move in mine if self._does(move, doing)]
        others = tuple(dict.fromkeys(move.clause for move in mine if not self._does(move, doing)))
        head = "yes" if meant and not others else "no"
        detail = "" if meant else self.holder_words(rest.position)
        if head == "no" and meant:
            detail = f"{player_name(self.seat)} may do something else"
        elif rest is not here:
            detail = f"once {self.passes_words(here, rest)}"
        is_said = doing.sort == "pass" and meant and rest is here
        looked = Looked(rest, self.seat, AskedAct()) if is_said else None
        first = [move.clause for move in meant[:1]]
        answer = self.shown_answer(head, rest, detail, first)
        return replace(answer, can=others, looked=looked)

    def _moves_of(self, line: Line) -> list[Move]:
        """Return the moves where *line* has come to in which the player decides something."""
        return [
            move for move, _ in self.referee.moves(line.position) if self.seat in deciders(move)
        ]

    def _without_item(self, doing: AskedAct) -> RulingAnswer:
        """Answer whether an act that put nothing can be answered: before play is again where it was
        made.
        """
        rest = self.rest()
        said = self.line.said
        stage = self.line.trace.positions[said[-1]].stage if said else rest.position.stage
        ways = self._ways(rest.position, doing) if said else ()
        if ways and (beyond := self._gone_on(rest, said[-1])):
            return self.shown_answer("no", rest, f"play goes on to {beyond} first")
        if (
            not ways
            and rest.position.stage != stage
            and deciders(self.line.steps[said[-1]].move)  # the rules and the cards get no answer
        ):
            return self._window(doing, Happening("stage", "play goes on", stage=stage))
        if ways:
            answer = self.shown_answer("yes, now", rest, last=ways[:1])
            return replace(answer, can=ways)
        first = [self.line.steps[at].move.clause for at in said[-1:]]
        detail = "it puts nothing where it could be answered"
        return self.shown_answer("no", rest, detail, first)

    def _gone_on(self, rest: Line, said: int) -> str:
        """Return to what play has gone on at *rest* from the move that was *said* last: to another
        turn, or, if that move was a pass, to another step; empty if to neither.
        """
        begun = self.line.trace.positions[said]
        if begun.values[0] != rest.position.values[0]:
            return "another turn"
        is_pass = said == len(self.line.steps) - 1 and self.referee.is_pass(
            self.line.steps[said].move
        )
        is_there = self.referee.steps(begun) == self.referee.steps(rest.position)
        return "another step" if is_pass and not is_there else ""

    def _doing_of(self) -> AskedAct:
        what = re.sub(
            r"^(?:a|an|another|any|some) | without (?:\w+ )?passing$", "", self.question.what
        )
        what = re.sub(r" (?:a|an) (?:second|third|further|new) ", " another ", what)
        if not what or ACT.match(what):
            return AskedAct(sort="answer" if self.question.respond else "act")
        if re.fullmatch(r"pass(?: priority)?", what):
            return AskedAct(sort="pass")
        if PRIORITY.match(what):
            return AskedAct(sort="priority")
        # "Respond with an instant" names what is put, not what is done.
        is_noun = self.question.respond and stem(words_of(what)[0]) not in self.vocabulary.verbs
        kinds = self.vocabulary.kinds_called(content(what)) if is_noun else []
        names = tuple(name for name in self.vocabulary.names if name.kind in kinds)
        fit = Fit(names, 0) if names else self.vocabulary.decided(what)
        if fit is None:
            raise unknown_words(self.question.what, self.vocabulary, self.situation.hint_of)
        return AskedAct(fit, tuple(seats_in(what)))

    _is_there = False
    """Whether it is asked of a step."""
    _acts_only = False
    """Whether there was a position in which who could act could not answer."""

    def _can(self, doing: AskedAct) -> Callable[[Position], bool]:
        return lambda position: bool(self._ways(position, doing))

    def _ways(self, position: Position, doing: AskedAct) -> tuple[str, ...]:
        """Return the clauses by which the player can do it in *position*."""
        if position.stage == OVER or not self._might(position, doing):
            return ()
        moves = [move for move, _ in self.referee.moves(position)]
        found = [move.clause for move in moves if self._does(move, doing)]
        if doing.sort == "answer" and not found:
            self._acts_only |= any(self._does(move, AskedAct()) for move in moves)
        return tuple(dict.fromkeys(found))

    def _might(self, position: Position, doing: AskedAct) -> bool:
        """Whether it could be done in *position* by its stage, and by who has priority there."""
        if doing.fit is None:
            return self.seat in self.referee.holders(position)
        return any(self._stages[clause] == position.stage for clause in doing.fit.clauses)

    @cached_property
    def _stages(self) -> dict[str, str]:
        return {clause.id: stage.name for stage, clause in self.program.clauses}

    def _does(self, move: Move, doing: AskedAct) -> bool:
        if doing.fit is not None:
            return is_done_by(move, self.seat, doing.fit, list(doing.others))
        if move.owner != self.seat or self.referee.mode(move) != "may":
            return False
        match doing.sort:
            case "priority":
                return True
            case "pass":
                return self.referee.is_pass(move)
            case "act":
                return not self.referee.is_pass(move)
            case "answer":
                answering = self.vocabulary.answering
                return not self.referee.is_pass(move) and (
                    not answering or move.clause in answering
                )

    def _window(
        self,
        doing: AskedAct,
        end: Happening,
        *,
        whole: bool = False,
        most: int = MOST,
    ) -> RulingAnswer:
        """Answer whether it can be done before *end*: from where somebody decides on, or on the
        *whole* way.
        """
        self._acts_only, can = False, self._can(doing)
        begin, over = (self.line, False) if whole else self._until_rest(end)
        # Where it happens by itself, only what the cards cause on the way may give somebody a
        # window before.
        begin = self.line if over else begin
        windows = Windows(self.referee, self.events)
        found = windows.find(begin, can, end, most)
        never = windows.never(begin, end) if self.question.before and found.head in RESTING else ""
        if never:
            said = (
                "Within the scope no play from here on brings it about that "
                f"{self.question.before}, so nothing is before it."
            )
            raise not_understood(said, "ask `may A … now?`, or name what can happen", code=never)
        ways = self._ways(found.line.position, doing)
        # In each position that was looked at, who could act could answer.
        told = AskedAct() if doing.sort == "answer" and not self._acts_only else doing
        detail = {
            "not yet": f"once {self.passes_words(begin, found.line)}",
            "only if": self._decided_between(begin, found.line),
            "not known": "the search ended before it had seen all plays",
            "no": self._ended_first(found.line, end),
        }.get(found.head, "")
        answer = self.shown_answer(found.head, found.line, detail, last=ways[:1])
        return replace(
            answer, can=ways, barred=_clause_of(doing) if found.head == "no" else "",
            cut=found.cut, stopped=found.stopped, needs=found.needs,
            looked=Looked(begin, self.seat, told, end),
        )  # fmt: skip

    def _in_turn(self, doing: AskedAct) -> RulingAnswer:
        """Answer whether it can be done at some time in the turn that play is in."""
        end = Happening("turn", "the turn ends")
        if doing.fit is not None:
            uses = " or ".join(f"p uses {clause}" for clause in doing.fit.clauses)
            whose = (
                "p is active" if self.line.position.values[0] == self.seat else "not p is active"
            )
            text = f"for some player p: possible (({uses}) and {whose})"
            asked = property_of_text(self.program, "in the turn", text)
            verdict = check(self.program, [asked], self.situation.scope)[0]
            if verdict.outcome == Outcome.IMPOSSIBLE:
                # What one moment has against it another may not have.
                return RulingAnswer(
                    self.question, "no", "in no play", self.rest(), len(self.line.steps),
                    doing.fit.clauses, cut=bool(verdict.counts.cut),
                )  # fmt: skip
        return self._window(doing, end, whole=True, most=_MOST_IN_TURN)

    def _until_rest(self, end: Happening) -> tuple[Line, bool]:
        """Return the line played on by itself, no further than to *end*, and whether that has
        happened.
        """
        rest = self.rest()
        for one, then in pairwise(rest.prefixes()[len(self.line.steps) :]):
            if self.events.happens(end, one, then):
                return then, True
        return rest, False

    def _ended_first(self, line: Line, end: Happening) -> str:
        """Return that *end* has happened in *line*, where its item has left if it is about one."""
        if end.kind not in ("leaves", "moves"):
            return f"{end.words} first"
        one = line.items[end.item] if end.item < len(line.items) else None
        if one is None or one.place is not None:
            return ""
        return f"{self.item_words(line, end.item)} {one.fate} first"

    def _decided_between(self, begin: Line, end: Line) -> str:
        """Return what somebody decides on the way from *begin* to *end*."""
        said = []
        for step in end.steps[len(begin.steps) :]:
            move = step.move
            who = player_name(move.owner) if isinstance(move.owner, int) else f"the {move.owner}"
            title = self.vocabulary.clauses[move.clause].title
            causes = [title for title, _ in self.referee.caused(move)]
            if self.referee.is_pass(move):
                said.append(f"{who} passes")
            elif self.referee.mode(move) != "must":
                said.append(f"{who}: {title}" if isinstance(move.owner, int) else title)
            said += [
                f"{player_name(choice.by)}: {choice.value}"
                for choice in move.choices
                if isinstance(choice.by, int) and not choice.what and choice.value
            ]
            said += causes
        return "; ".join(dict.fromkeys(said))

    def _now(self, doing: AskedAct) -> RulingAnswer:
        """Answer what a player may do where they are, without the step ending."""
        is_bound = self.situation.is_said or self._is_there
        within = self.referee.steps(self.line.position) if is_bound else None
        rest = (
            self.line
            if self.situation.is_during
            else self.referee.quiet_lines(self.line, within)[0]
        )
        # An act without priority, such as one while a cost is paid, comes before what is filled in.
        on_the_way = rest.prefixes()[len(self.line.steps) :] if doing.fit is not None else [rest]
        rest = next((one for one in on_the_way if self._ways(one.position, doing)), rest)
        ways, looked = self._ways(rest.position, doing), Looked(rest, self.seat, doing)
        if ways:
            answer = self.shown_answer("yes, now", rest, first=ways[:1])
            return replace(answer, can=ways, looked=looked)
        is_now = self.question.now or self.situation.is_during
        later = None if is_now else self._later(rest, doing)
        if later is not None:
            gives = self.ruling_clauses(rest, later)
            ways = self._ways(later.position, doing)
            detail = f"once {self.passes_words(rest, later)}"
            clauses = tuple(dict.fromkeys([*gives[:1], *ways[:1]]))
            return RulingAnswer(
                self.question,
                "not yet",
                detail,
                later,
                len(self.line.steps),
                clauses,
                ways,
                looked=looked,
            )
        if not self.question.now and self._is_there and not self.referee.holders(rest.position):
            steps = self.referee.named_steps(rest.position)
            end = Happening("step ends", "the step ends", steps=steps)
            found = self._window(doing, end, whole=True)
            if found.head == "only if":
                return found
        barred = _clause_of(doing)
        first = [barred] if barred else []
        answer = self.shown_answer("no", rest, self.until_words(rest), first)
        return replace(answer, barred=barred, looked=looked)

    def _later(self, rest: Line, doing: AskedAct) -> Line | None:
        """Return the quiet play in which they can do it in this step, before anything resolves;
        None if there is none.
        """
        one, steps = rest, self.referee.steps(rest.position)
        asked = () if doing.fit is None else doing.fit.clauses
        # What is decided without priority, as the rules come to it, is waited for beyond the step.
        has_window = not asked or any(
            stage.priority is not None
            for stage, clause in self.program.clauses
            if clause.id in asked
        )
        for _ in range(4 * self.situation.scope.players):
            moves = list(self.referee.quiet_moves(one.position))
            if not moves:
                return None
            move, after, how = moves[0]
            then = one.after(move, after, how)
            if (self.referee.is_left(steps, after) and has_window) or one.left_in(then):
                return None
            one = then
            if self._ways(after, doing):
                return one
        return None
