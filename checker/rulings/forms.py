"""Forms: each sort of question, answered from the end of a line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ...models import ir
from ...models.words import join_words, player_name
from ..types.position import OVER, Move, Position
from .answer import Answer
from .events import Event
from .lexicon import Fit
from .line import Line
from .nouns import focus, items_called
from .question import Question, not_understood
from .situation import Situation, is_done_by, item_named
from .unknown import unknown_words
from .window import Windows
from .words import content, seats_in

_ANYBODY = re.compile(r"^(?:any|some|every)(?:body|one)$|^a player$")


@dataclass(frozen=True)
class _Doing:
    """What a player would do: the moves that *fit*, with the *others* they choose; any act if it is None."""

    fit: Fit | None
    others: tuple[int, ...]
    is_pass: bool


class Forms:
    """Answers questions about a *situation*, from one *line* of it."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.player, self.lexicon, self.events = situation.player, situation.lexicon, situation.events
        self.program = self.player.program

    def answer(self, question: Question, line: Line) -> Answer:
        """Return the answer to *question* where *line* has come to. Raises InputError where its words fit nothing."""
        match question.form:
            case "may":
                return self._may(question, line)
            case "must":
                return self._must(question, line)
            case "who":
                return self._who(question, line)
            case "first":
                return self._first(question, line)
            case "next":
                return self._next(question, line)
            case "cause":
                return self._cause(question, line)
            case "decides":
                return self._decides(question, line)
            case "whose":
                number = self._item(line, question.what)
                return self._told(question, line, player_name(line.items[number].item.controller), line)
            case "fate":
                return self._fate(question, line)

    def _told(self, question: Question, line: Line, head: str, end: Line, detail: str = "") -> Answer:
        """Return an answer shown by *end*, which goes on from *line*; the first move of the rules after it decides."""
        return Answer(question, head, detail, end, len(line.steps), self._ruled(line, end))

    def _ruled(self, line: Line, end: Line) -> tuple[str, ...]:
        """Return the clauses that decide what follows *line*: the first of the rules after it, or the last that was said."""
        after = [step.move.clause for step in end.steps[len(line.steps) :] if self.player.mode(step.move) == "must"]
        said = [step.move.clause for step, how in zip(line.steps, line.how, strict=True) if how == "said"]
        return tuple(dict.fromkeys([*after[:1], *said[-1:]]))

    # ------------------------------------------------------------------ may

    def _may(self, question: Question, line: Line) -> Answer:
        if _ANYBODY.match(question.player):
            raise not_understood(f"`{question.player}` is no one player.", "ask of each: `may A …`, `may B …`", code="C203")
        seat = self.situation._seat(line, question.player)
        doing = self._doing(question)
        subject = self._subject(question, line)
        if question.before:
            event = self.events.named(line, question.before)
            if event is None:
                raise unknown_words(question.before, self.lexicon, self.situation.hint_of)
            if event.kind in ("leaves", "moves"):
                item_named(line, re.sub(r" (?:is|are|has|resolves?|leaves).*$", "", question.before), self.lexicon)
            return self._window(question, line, seat, doing, event)
        if question.respond and subject is None:
            return self._nothing_to_answer(question, line)
        if question.respond:
            assert subject is not None
            return self._window(question, line, seat, doing, Event("leaves", "it resolves", item=subject))
        return self._now(question, line, seat, doing)

    def _subject(self, question: Question, line: Line) -> int | None:
        """Return the item that is answered: the one named, else the one that was put by what was said last."""
        if question.respond and question.after:
            fits = items_called(line, question.after, self.lexicon)
            return item_named(line, question.after, self.lexicon) if fits else self._last_put(line)
        return self._last_put(line)

    def _last_put(self, line: Line) -> int | None:
        """Return the item that the last act which was said put, or that anything put if nothing was said."""
        acts = [
            number
            for number, (step, how) in enumerate(zip(line.steps, line.how, strict=True))
            if how == "said" and not self.player.is_pass(step.move)
        ]
        if not acts:
            alive = [number for number, one in enumerate(line.items) if one.place is not None]
            return max(alive, key=lambda number: line.items[number].place or (-1, -1)) if alive else None
        put = [number for number, one in enumerate(line.items) if one.since == acts[-1]]
        return put[-1] if put else None

    def _nothing_to_answer(self, question: Question, line: Line) -> Answer:
        end = self._rest(line)
        said = [step.move.clause for step, how in zip(line.steps, line.how, strict=True) if how == "said"]
        clauses = tuple(dict.fromkeys([*said[-1:], *self._ruled(line, end)]))
        return Answer(question, "no", "it puts nothing where it could be answered" if said else "nothing was done that could be answered", end, len(line.steps), clauses)

    def _doing(self, question: Question) -> _Doing:
        what = re.sub(r"^(?:a|an|another|any|some) ", "", question.what)
        if not what:
            return _Doing(None, (), is_pass=False)
        if re.fullmatch(r"pass(?: priority)?", what):
            return _Doing(None, (), is_pass=True)
        fit = self.lexicon.fit(what, ("may",)) or self.lexicon.fit(what, ("must",)) or self.lexicon.fit(what, passing=True)
        if fit is None:
            kinds = self.lexicon.kinds_called(content(what)) if question.respond else []
            names = tuple(name for name in self.lexicon.names if name.kind in kinds)
            fit = Fit(names, 0) if names else None
        if fit is None:
            raise unknown_words(question.what, self.lexicon, self.situation.hint_of)
        return _Doing(fit, tuple(seats_in(what)), is_pass=False)

    def _can(self, seat: int, doing: _Doing) -> Callable[[Position], bool]:
        return lambda position: bool(self._ways(position, seat, doing))

    def _ways(self, position: Position, seat: int, doing: _Doing) -> tuple[str, ...]:
        """Return the clauses by which *seat* can do it in *position*."""
        if position.stage == OVER or (doing.fit is None and seat not in self.player.holders(position)):
            return ()
        found = [move.clause for move, _ in self.player.moves(position) if self._does(move, seat, doing)]
        return tuple(dict.fromkeys(found))

    def _does(self, move: Move, seat: int, doing: _Doing) -> bool:
        if doing.fit is not None:
            return is_done_by(move, seat, doing.fit, list(doing.others))
        return move.owner == seat and self.player.mode(move) == "may" and self.player.is_pass(move) == doing.is_pass

    def _window(self, question: Question, line: Line, seat: int, doing: _Doing, end: Event) -> Answer:
        can = self._can(seat, doing)
        begin, over = self._until_rest(line, end)
        if over:
            return self._told(question, line, "no", begin, f"{self._happening(begin, end)} first")
        found = Windows(self.player, self.events).find(begin, can, end)
        ways = self._ways(found.line.position, seat, doing)
        detail = {
            "not yet": f"once {self._passed(begin, found.line)}",
            "only if": self._condition(begin, found.line),
            "no": f"{self._happening(found.line, end)} first" if self._has_ended(found.line, end) else "",
        }.get(found.head, "")
        clauses = tuple(dict.fromkeys([*self._ruled(line, found.line), *ways[:1]]))
        return Answer(
            question, found.head, detail, found.line, len(line.steps), clauses, ways,
            barred="" if found.head != "no" or doing.fit is None else doing.fit.clauses[0], cut=found.cut, stopped=found.stopped,
        )  # fmt: skip

    def _until_rest(self, line: Line, end: Event) -> tuple[Line, bool]:
        """Return *line* played on by itself, no further than to *end*, and whether that has happened."""
        rest = self._rest(line)
        one = line
        for step, how in zip(rest.steps[len(line.steps) :], rest.how[len(line.steps) :], strict=True):
            then = one.after(step.move, step.position, how)
            places = (tuple(i.place for i in one.items), tuple(i.place for i in then.items))
            if self.events.happens(end, one.position, step.move, step.position, *places):
                return then, True
            one = then
        return one, False

    def _happening(self, line: Line, end: Event) -> str:
        if end.kind in ("leaves", "moves") and end.item < len(line.items):
            one = line.items[end.item]
            fate = one.fate or "is put on the stack"
            return f"{self.item_words(line, end.item)} {fate}"
        return end.words

    def _has_ended(self, line: Line, end: Event) -> bool:
        return end.kind not in ("leaves", "moves") or (end.item < len(line.items) and line.items[end.item].place is None)

    def _passed(self, begin: Line, end: Line) -> str:
        """Return who passes on the way from *begin* to *end*, as a sentence."""
        steps = end.steps[len(begin.steps) :]
        names = [player_name(s.move.owner) for s in steps if self.player.is_pass(s.move) and isinstance(s.move.owner, int)]
        whole = join_words(list(dict.fromkeys(names)))
        return f"{whole} {'pass' if len(set(names)) > 1 else 'passes'}" if names else "the rules have gone on"

    def _condition(self, begin: Line, end: Line) -> str:
        """Return what somebody decides on the way from *begin* to *end*."""
        said = []
        for step in end.steps[len(begin.steps) :]:
            move = step.move
            who = player_name(move.owner) if isinstance(move.owner, int) else f"the {move.owner}"
            title = self.lexicon.clauses[move.clause].title
            causes = [title for title, _ in self.player.caused(move)]
            if self.player.is_pass(move):
                said.append(f"{who} passes")
            elif self.player.mode(move) != "must":
                said.append(f"{who}: {title}" if isinstance(move.owner, int) else title)
            said += causes
        return "; ".join(dict.fromkeys(said))

    def _now(self, question: Question, line: Line, seat: int, doing: _Doing) -> Answer:
        """Answer what a player may do where they are, without the step ending."""
        ends = self.player.quiet_lines(line, self.player.steps(line.position))
        rest = ends[0]
        ways = self._ways(rest.position, seat, doing)
        if ways:
            clauses = tuple(dict.fromkeys([*ways[:1], *self._ruled(line, rest)]))
            return Answer(question, "yes, now", "", rest, len(line.steps), clauses, ways)
        barred = doing.fit.clauses[0] if doing.fit is not None else ""
        later = None if question.now else self._later(rest, seat, doing)
        clauses = tuple(dict.fromkeys([*([barred] if barred else []), *self._ruled(line, rest)]))
        if later is not None:
            gives = self._ruled(rest, later)
            ways = self._ways(later.position, seat, doing)
            return Answer(question, "not yet", f"once {self._passed(rest, later)}", later, len(line.steps), (*gives[:1], *ways[:1]), ways)
        return Answer(question, "no", self._holder_words(rest.position), rest, len(line.steps), clauses, barred=barred)

    def _later(self, rest: Line, seat: int, doing: _Doing) -> Line | None:
        """Return the quiet play in which *seat* can do it in this step, before anything resolves; None if there is none."""
        one, steps = rest, self.player.steps(rest.position)
        asked = () if doing.fit is None else doing.fit.clauses
        # What is decided without priority, as the rules come to it, is waited for beyond the step.
        has_window = not asked or any(
            stage.priority is not None for stage, clause in self.program.clauses if clause.id in asked
        )
        for _ in range(4 * self.situation.scope.players):
            moves = list(self.player.quiet_moves(one.position))
            if not moves:
                return None
            move, after, how = moves[0]
            then = one.after(move, after, how)
            gone = [was.place is not None and now.place is None for was, now in zip(one.items, then.items, strict=False)]
            if (self.player.steps(after) != steps and has_window) or any(gone):
                return None
            one = then
            if self._ways(after, seat, doing):
                return one
        return None

    def _holder_words(self, position: Position) -> str:
        holders = sorted(self.player.holders(position))
        if not holders:
            return "nobody has priority"
        return f"{join_words([player_name(seat) for seat in holders])} {'has' if len(holders) == 1 else 'have'} priority"

    def _must(self, question: Question, line: Line) -> Answer:
        """Answer whether a player can do nothing else."""
        seat = self.situation._seat(line, question.player)
        doing = self._doing(question)
        rest = self._rest(line)
        mine = [move for move, _ in self.player.moves(rest.position) if move.owner == seat or any(c.by == seat for c in move.choices)]
        meant = [move for move in mine if self._does(move, seat, doing)]
        others = tuple(dict.fromkeys(move.clause for move in mine if not self._does(move, seat, doing)))
        head = "yes" if meant and not others else "no"
        detail = "" if meant else self._holder_words(rest.position)
        if head == "no" and meant:
            detail = f"{player_name(seat)} may do something else"
        clauses = tuple(dict.fromkeys([*(move.clause for move in meant[:1]), *self._ruled(line, rest)]))
        return Answer(question, head, detail, rest, len(line.steps), clauses, others)

    # ------------------------------------------------------------------ who, which, what

    def _rest(self, line: Line) -> Line:
        """Return *line* played on to where somebody decides."""
        ends = self.player.quiet_lines(line)
        return ends[0] if ends else line

    def _after(self, question: Question, line: Line) -> Line:
        if not question.after:
            return line
        event = self.events.named(line, question.after)
        if event is None:
            raise unknown_words(question.after, self.lexicon, self.situation.hint_of)
        return self.situation._until(line, event)

    def _who(self, question: Question, line: Line) -> Answer:
        begin = self._after(question, line)
        rest = self._rest(begin)
        holders = sorted(self.player.holders(rest.position))
        if holders:
            return self._told(question, line, join_words([player_name(seat) for seat in holders]), rest)
        if rest.position.stage == OVER:
            return self._told(question, line, "nobody", rest, "the game is over")
        deciding = sorted({s for move, _ in self.player.moves(rest.position) for s in _deciders(move)})
        detail = f"{join_words([player_name(seat) for seat in deciding])} decides without it" if deciding else ""
        return self._told(question, line, "nobody", rest, detail)

    def _first(self, question: Question, line: Line) -> Answer:
        """Answer which item resolves first while players only pass."""
        one, seen = line, {line.position}
        while True:
            step = next(((m, a, h) for m, a, h in self.player.quiet_moves(one.position) if a not in seen), None)
            if step is None:
                return self._told(question, line, "nothing", one, "nothing resolves while players only pass")
            move, after, how = step
            then = one.after(move, after, how)
            for number, item in enumerate(then.items):
                if item.place is None and number < len(one.items) and one.items[number].place is not None:
                    return self._told(question, line, self.item_words(then, number), then)
            seen.add(after)
            one = then

    def _next(self, question: Question, line: Line) -> Answer:
        """Answer what is the next thing to happen that players see, while they only pass."""
        one, seen = line, {line.position}
        while True:
            step = next(((m, a, h) for m, a, h in self.player.quiet_moves(one.position) if a not in seen), None)
            if step is None:
                return self._told(question, line, "nothing", one, self._holder_words(one.position))
            move, after, how = step
            then = one.after(move, after, how)
            if said := self._seen(one, move, then):
                return self._told(question, line, said, self._rest(then), self._holder_words(self._rest(then).position))
            seen.add(after)
            one = then

    def _seen(self, before: Line, move: Move, after: Line) -> str:
        """Return what players see happen in *move*: an item leaves, a step begins, the game ends."""
        for number, item in enumerate(after.items[: len(before.items)]):
            if item.place is None and before.items[number].place is not None:
                return f"{self.item_words(after, number)} {item.fate}"
            if item.place and before.items[number].place and item.place[0] != before.items[number].place[0]:  # type: ignore[index]
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

    def item_words(self, line: Line, number: int) -> str:
        """Return what an item of *line* is called: whose, its kind, and which of several."""
        one = line.items[number].item
        kind = self.lexicon.kinds[one.kind]
        alike = [at for at, other in enumerate(line.items) if (other.item.kind, other.item.controller) == (one.kind, one.controller)]
        which = f"{('first', 'second', 'third')[alike.index(number)]} " if 1 < len(alike) <= 3 else ""
        noun = re.sub(r"^(?:an?|the) ", "", kind.title or kind.name)
        return f"{player_name(one.controller)}'s {which}{noun}"

    def _cause(self, question: Question, line: Line) -> Answer:
        """Answer what the cards may cause as something happens: in the last move that was said, or on the way to an event."""
        stages: list[tuple[Line, str]] = []
        if question.after:
            event = self.events.named(line, question.after)
            if event is not None:
                end = self.situation._until(line, event)
                stages = [(end.before(len(end.steps) - 1), end.steps[-1].move.clause)]
            else:
                fit = self.lexicon.fit(question.after, ("may", "must", "chance")) or self.lexicon.fit(question.after, passing=True)
                if fit is None:
                    raise unknown_words(question.after, self.lexicon, self.situation.hint_of)
                stages = [(line, clause) for clause in fit.clauses]
        elif line.how and line.how[-1] == "said":
            stages = [(line.before(len(line.steps) - 1), line.steps[-1].move.clause)]
        else:
            stages = [(line, move.clause) for move, _ in self.player.moves(line.position)]
        found: dict[str, set[str]] = {}
        for before, clause in stages:
            for move, _ in self.player.moves(before.position):
                chance = self.player.mode(move) == "chance"
                if move.clause != clause and not chance:
                    continue
                for title, seats in (*self.player.caused(move), *([(self.lexicon.clauses[move.clause].title, ())] if chance else [])):
                    whose = found.setdefault(title, set())
                    whose |= {player_name(seat) for seat in seats if 0 <= seat < self.situation.scope.players}
        listed = tuple(f"{title} ({', '.join(sorted(whose))})" if whose else title for title, whose in found.items())
        return Answer(question, "" if listed else "nothing", "", line, len(line.steps), tuple(dict.fromkeys(c for _, c in stages)), listed=listed)

    def _decides(self, question: Question, line: Line) -> Answer:
        """Answer who makes the next decision of the rules: whose choice it is among what could go on."""
        one = line
        for _ in range(100):
            moves = self.player.moves(one.position)
            deciders = [d for move, _ in moves if self.player.mode(move) == "must" for d in _choosers(move)]
            if deciders and len({after for _, after in moves}) > 1:
                names = [player_name(d) if isinstance(d, int) else f"the {d}" for d in dict.fromkeys(deciders)]
                return self._told(question, line, join_words(names), one.after(*moves[0], "rules"))
            on = list(self.player.quiet_moves(one.position)) if not self.player.holders(one.position) else []
            if not on:
                break
            one = one.after(*on[0])
        holders = sorted(self.player.holders(one.position)) or sorted({s for m, _ in self.player.moves(one.position) for s in _deciders(m)})
        return self._told(question, line, join_words([player_name(s) for s in holders]) or "nobody", one)

    def _item(self, line: Line, phrase: str) -> int:
        fits = items_called(line, phrase, self.lexicon) or focus(line) or [n for n, one in enumerate(line.items) if one.place]
        return fits[-1] if len(fits) == 1 else item_named(line, phrase, self.lexicon)

    def _fate(self, question: Question, line: Line) -> Answer:
        """Answer what becomes of an item while players only pass."""
        number = self._item(line, question.what)
        one, seen = line, {line.position}
        while one.items[number].place is not None:
            step = next(((m, a, h) for m, a, h in self.player.quiet_moves(one.position) if a not in seen), None)
            if step is None:
                return self._told(question, line, "stays where it is", one)
            seen.add(step[1])
            one = one.after(*step)
        whole = one.items[number].fate
        return self._told(question, line, whole, one, "" if line.items[number].place is None else f"once {self._passed(line, one)}")


def _deciders(move: Move) -> list[int]:
    return [*([move.owner] if isinstance(move.owner, int) else []), *(c.by for c in move.choices if isinstance(c.by, int))]


def _choosers(move: Move) -> list[int | str]:
    return [choice.by for choice in move.choices if choice.by != "cards"]
