"""Permissions: what a player may do, now or before something happens, and what they must."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from ...models.words import player_name
from ...properties.load import property_of_text
from ..run.check import check
from ..situations.events import Happening
from ..situations.line import Line
from ..situations.nouns import items_called
from ..situations.question import Inquiry, not_understood
from ..situations.situation import is_done_by, item_named
from ..situations.strangers import unknown_words
from ..situations.vocabulary import Fit
from ..situations.window import MOST, RESTING, Windows
from ..situations.words import content, seats_in
from ..types.position import OVER, Move, Position
from ..types.verdict import Outcome
from .answer import RulingAnswer
from .answering import Answering
from .looked import AskedAct, Looked

_MOST_IN_TURN = 1_500
"""So many positions of a turn are looked at one by one: about a second."""
_ANYBODY = re.compile(r"^(?:any|some|every)(?:body|one)$|^a player$")


class Permissions(Answering):
    """Answers what a player may or must do."""

    def may(self, question: Inquiry, line: Line) -> RulingAnswer:
        """Answer whether a player may do something: now, or before something happens."""
        if _ANYBODY.match(question.player):
            raise not_understood(
                f"`{question.player}` is no one player.",
                "ask of each: `may A …`, `may B …`",
                code="C203",
            )
        seat = self.situation.seat_named(line, question.player)
        question, line = self._where(question, line)
        doing = self._doing_of(question)
        subject = self._subject(question, line)
        if question.before:
            event = self.events.event_named(line, question.before)
            if event is None:
                raise unknown_words(question.before, self.vocabulary, self.situation.hint_of)
            if event.kind in ("leaves", "moves"):
                item_named(
                    line,
                    re.sub(r" (?:is|are|has|resolves?|leaves).*$", "", question.before),
                    self.vocabulary,
                )
            return self._window(question, line, seat, doing, event)
        if question.respond and subject is None:
            return self._without_item(question, line, seat, doing)
        if question.respond:
            assert subject is not None
            return self._window(
                question, line, seat, doing, Happening("leaves", "it resolves", item=subject)
            )
        if self.situation.is_turn and not question.now:
            return self._in_turn(question, line, seat, doing)
        return self._now(question, line, seat, doing)

    def _where(self, question: Inquiry, line: Line) -> tuple[Inquiry, Line]:
        """Return *question* without what it says of where that is, and *line* played on to
        there.
        """
        if found := re.fullmatch(
            r"(.+) while (.+?) (?:is|are) (?:still )?(?:on|in) the \w+", question.what
        ):
            if (
                self.vocabulary.fit(found[1]) is not None
                and line.items[item_named(line, found[2], self.vocabulary)].place is not None
            ):
                return replace(question, what=found[1], now=True), line
        elif (
            found := re.fullmatch(r"(.+) (?:in|during) ((?:the|[A-P]'s|this) .+)", question.what)
        ) and not question.respond:
            said = re.sub(r"^(?:the|[A-P]'s|this) ", "", found[2])
            steps = tuple(self.vocabulary.steps_called(content(said)))
            if (
                steps
                and self.vocabulary.fit(found[1]) is not None
                and self.vocabulary.fit(question.what) is None
            ):
                event = Happening("step begins", found[2], steps=steps)
                there = any(line.position.values[number + 1] == step for number, step in steps)
                return replace(question, what=found[1]), line if there else self.situation.until(
                    line, event
                )
        return question, line

    def must(self, question: Inquiry, line: Line) -> RulingAnswer:
        """Answer whether a player can do nothing else."""
        seat = self.situation.seat_named(line, question.player)
        doing = self._doing_of(question)
        rest = self.rest(line)
        mine = [
            move
            for move, _ in self.referee.moves(rest.position)
            if move.owner == seat or any(c.by == seat for c in move.choices)
        ]
        meant = [move for move in mine if self._does(move, seat, doing)]
        others = tuple(
            dict.fromkeys(move.clause for move in mine if not self._does(move, seat, doing))
        )
        head = "yes" if meant and not others else "no"
        detail = "" if meant else self.holder_words(rest.position)
        if head == "no" and meant:
            detail = f"{player_name(seat)} may do something else"
        clauses = tuple(
            dict.fromkeys([*(move.clause for move in meant[:1]), *self.ruling_clauses(line, rest)])
        )
        looked = Looked(rest, seat, AskedAct()) if doing.is_pass and meant else None
        return RulingAnswer(
            question, head, detail, rest, len(line.steps), clauses, others, looked=looked
        )

    def _subject(self, question: Inquiry, line: Line) -> int | None:
        """Return the item that is answered: the one named, else the one that was put by what was
        said last.
        """
        if question.respond and question.after:
            fits = items_called(line, question.after, self.vocabulary)
            return (
                item_named(line, question.after, self.vocabulary) if fits else self._last_put(line)
            )
        return self._last_put(line)

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
        put = [number for number, one in enumerate(line.items) if one.since == acts[-1]]
        return put[-1] if put else None

    def _without_item(
        self, question: Inquiry, line: Line, seat: int, doing: AskedAct
    ) -> RulingAnswer:
        """Answer whether an act that put nothing can be answered: before play is again where it was
        made.
        """
        rest = self.rest(line)
        said = [at for at, how in enumerate(line.how) if how == "said"]
        stage = line.before(said[-1]).position.stage if said else rest.position.stage
        ways = self._ways(rest.position, seat, doing) if said else ()
        if ways and self._passed_on(line, rest):
            return self.shown_answer(
                question, line, "no", rest, "play goes on to another step first"
            )
        if not ways and rest.position.stage != stage:
            return self._window(
                question, line, seat, doing, Happening("stage", "play goes on", stage=stage)
            )
        if not said:
            raise not_understood(
                "Nothing was done yet that could be answered.",
                "say first what is done: `A casts an instant: may B respond?`",
                code="C204",
            )
        clauses = tuple(
            dict.fromkeys(
                [
                    *(line.steps[at].move.clause for at in said[-1:]),
                    *self.ruling_clauses(line, rest),
                ]
            )
        )
        if ways:
            return RulingAnswer(
                question,
                "yes, now",
                "",
                rest,
                len(line.steps),
                (*self.ruling_clauses(line, rest), *ways[:1]),
                ways,
            )
        detail = "it puts nothing where it could be answered"
        return RulingAnswer(question, "no", detail, rest, len(line.steps), clauses)

    def _passed_on(self, line: Line, rest: Line) -> bool:
        """Whether it was a pass that was said last, and *rest* is in another step than that was
        made in.
        """
        if line.how[-1:] != ("said",) or not self.referee.is_pass(line.steps[-1].move):
            return False
        return self.referee.steps(line.before(len(line.steps) - 1).position) != self.referee.steps(
            rest.position
        )

    def _doing_of(self, question: Inquiry) -> AskedAct:
        what = re.sub(r"^(?:a|an|another|any|some) | without (?:\w+ )?passing$", "", question.what)
        what = re.sub(r" (?:a|an) (?:second|third|further|new) ", " another ", what)
        if not what:
            return AskedAct(None, (), is_pass=False)
        if re.fullmatch(r"pass(?: priority)?", what):
            return AskedAct(None, (), is_pass=True)
        fit = (
            self.vocabulary.fit(what, ("may",))
            or self.vocabulary.fit(what, ("must",))
            or self.vocabulary.fit(what, passing=True)
        )
        if fit is None:
            kinds = self.vocabulary.kinds_called(content(what)) if question.respond else []
            names = tuple(name for name in self.vocabulary.names if name.kind in kinds)
            fit = Fit(names, 0) if names else None
        if fit is None:
            raise unknown_words(question.what, self.vocabulary, self.situation.hint_of)
        return AskedAct(fit, tuple(seats_in(what)), is_pass=False)

    def _can(self, seat: int, doing: AskedAct) -> Callable[[Position], bool]:
        return lambda position: bool(self._ways(position, seat, doing))

    def _ways(self, position: Position, seat: int, doing: AskedAct) -> tuple[str, ...]:
        """Return the clauses by which *seat* can do it in *position*."""
        if position.stage == OVER or not self._might(position, seat, doing):
            return ()
        found = [
            move.clause for move, _ in self.referee.moves(position) if self._does(move, seat, doing)
        ]
        return tuple(dict.fromkeys(found))

    def _might(self, position: Position, seat: int, doing: AskedAct) -> bool:
        """Whether it could be done in *position* by its stage, and by who has priority there."""
        if doing.fit is None:
            return seat in self.referee.holders(position)
        return any(self._stages[clause] == position.stage for clause in doing.fit.clauses)

    @cached_property
    def _stages(self) -> dict[str, str]:
        return {clause.id: stage.name for stage, clause in self.program.clauses}

    def _does(self, move: Move, seat: int, doing: AskedAct) -> bool:
        if doing.fit is not None:
            return is_done_by(move, seat, doing.fit, list(doing.others))
        return (
            move.owner == seat
            and self.referee.mode(move) == "may"
            and self.referee.is_pass(move) == doing.is_pass
        )

    def _window(
        self,
        question: Inquiry,
        line: Line,
        seat: int,
        doing: AskedAct,
        end: Happening,
        *,
        whole: bool = False,
        most: int = MOST,
    ) -> RulingAnswer:
        """Answer whether it can be done before *end*: from where somebody decides on, or on the
        *whole* way.
        """
        can = self._can(seat, doing)
        begin, over = (line, False) if whole else self._until_rest(line, end)
        # Where it happens by itself, only what the cards cause on the way may give somebody a
        # window before.
        begin = line if over else begin
        windows = Windows(self.referee, self.events)
        found = windows.find(begin, can, end, most)
        never = windows.never(begin, end) if question.before and found.head in RESTING else ""
        if never:
            said = f"Within the scope no play from here on brings it about that {question.before}, so nothing is before it."
            raise not_understood(said, "ask `may A … now?`, or name what can happen", code=never)
        ways = self._ways(found.line.position, seat, doing)
        detail = {
            "not yet": f"once {self.passes_words(begin, found.line)}",
            "only if": self._decided_between(begin, found.line),
            "not known": "the search ended before it had seen all plays",
            "no": f"{self._happening(found.line, end)} first"
            if self._has_ended(found.line, end)
            else "",
        }.get(found.head, "")
        clauses = tuple(dict.fromkeys([*self.ruling_clauses(line, found.line), *ways[:1]]))
        return RulingAnswer(
            question, found.head, detail, found.line, len(line.steps), clauses, ways,
            barred="" if found.head != "no" or doing.fit is None else doing.fit.clauses[0], cut=found.cut, stopped=found.stopped,
            needs=found.needs, looked=Looked(begin, seat, doing, end),
        )  # fmt: skip

    def _in_turn(self, question: Inquiry, line: Line, seat: int, doing: AskedAct) -> RulingAnswer:
        """Answer whether it can be done at some time in the turn that *line* is in."""
        end = Happening("turn", "the turn ends")
        if doing.fit is not None:
            uses = " or ".join(f"p uses {clause}" for clause in doing.fit.clauses)
            whose = "p is active" if line.position.values[0] == seat else "not p is active"
            text = f"for some player p: possible (({uses}) and {whose})"
            asked = property_of_text(self.program, "in the turn", text)
            verdict = check(self.program, [asked], self.situation.scope)[0]
            if verdict.outcome == Outcome.IMPOSSIBLE:
                return RulingAnswer(
                    question, "no", "in no play", self.situation.until(line, end), len(line.steps),
                    doing.fit.clauses, barred=doing.fit.clauses[0], cut=bool(verdict.counts.cut),
                )  # fmt: skip
        return self._window(question, line, seat, doing, end, whole=True, most=_MOST_IN_TURN)

    def _until_rest(self, line: Line, end: Happening) -> tuple[Line, bool]:
        """Return *line* played on by itself, no further than to *end*, and whether that has
        happened.
        """
        rest = self.rest(line)
        one = line
        for step, how in zip(
            rest.steps[len(line.steps) :], rest.how[len(line.steps) :], strict=True
        ):
            then = one.after(step.move, step.position, how)
            places = (tuple(i.place for i in one.items), tuple(i.place for i in then.items))
            if self.events.happens(end, one.position, step.move, step.position, *places):
                return then, True
            one = then
        return one, False

    def _happening(self, line: Line, end: Happening) -> str:
        if end.kind in ("leaves", "moves") and end.item < len(line.items):
            one = line.items[end.item]
            fate = one.fate or "is put on the stack"
            return f"{self.item_words(line, end.item)} {fate}"
        return end.words

    def _has_ended(self, line: Line, end: Happening) -> bool:
        return end.kind not in ("leaves", "moves") or (
            end.item < len(line.items) and line.items[end.item].place is None
        )

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

    def _now(self, question: Inquiry, line: Line, seat: int, doing: AskedAct) -> RulingAnswer:
        """Answer what a player may do where they are, without the step ending."""
        within = self.referee.steps(line.position) if self.situation.is_said else None
        rest = self.referee.quiet_lines(line, within)[0]
        ways, looked = self._ways(rest.position, seat, doing), Looked(rest, seat, doing)
        if ways:
            clauses = tuple(dict.fromkeys([*ways[:1], *self.ruling_clauses(line, rest)]))
            return RulingAnswer(
                question, "yes, now", "", rest, len(line.steps), clauses, ways, looked=looked
            )
        barred = doing.fit.clauses[0] if doing.fit is not None else ""
        later = None if question.now else self._later(rest, seat, doing)
        clauses = tuple(
            dict.fromkeys([*([barred] if barred else []), *self.ruling_clauses(line, rest)])
        )
        if later is not None:
            gives = self.ruling_clauses(rest, later)
            ways = self._ways(later.position, seat, doing)
            detail, clauses = f"once {self.passes_words(rest, later)}", (*gives[:1], *ways[:1])
            return RulingAnswer(
                question, "not yet", detail, later, len(line.steps), clauses, ways, looked=looked
            )
        if not question.now and self.situation.is_state and not self.referee.holders(rest.position):
            steps = self.referee.named_steps(rest.position)
            end = Happening("step ends", "the step ends", steps=steps)
            found = self._window(question, line, seat, doing, end, whole=True)
            if found.head == "only if":
                return found
        detail = self.holder_words(rest.position)
        return RulingAnswer(
            question, "no", detail, rest, len(line.steps), clauses, barred=barred, looked=looked
        )

    def _later(self, rest: Line, seat: int, doing: AskedAct) -> Line | None:
        """Return the quiet play in which *seat* can do it in this step, before anything resolves;
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
            gone = [
                was.place is not None and now.place is None
                for was, now in zip(one.items, then.items, strict=False)
            ]
            if (self.referee.steps(after) != steps and has_window) or any(gone):
                return None
            one = then
            if self._ways(after, seat, doing):
                return one
        return None
