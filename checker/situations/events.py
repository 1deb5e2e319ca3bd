"""Events that a question names: what ends a search, or what a line is played on to."""

from __future__ import annotations

import re
from typing import Literal

from ...models import ir
from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ..types.position import Position
from .line import Line, Referee, deciders
from .nouns import done_first, focus, items_called, player_called
from .question import not_understood
from .vocabulary import GameWords, Stems
from .words import content, seats_in, stem

HappeningKind = Literal[
    "leaves",
    "moves",
    "resolving",
    "turn",
    "step begins",
    "step ends",
    "acts",
    "priority",
    "rule",
    "stage",
]
_ENDS = r"(?:ends?|(?:is )?over|(?:has )?ended)"
IS_DONE = re.compile(r"\b(?:is|are|was|were|gets?) \w+(?:ed|en)\b")
"""Who does it is not said: "the attack is declared"."""
_OF_PRIORITY = r" (?:the )?priority$"
_BEGINS = r"(?:begins?|starts?|has begun|comes)"


@frozen
class Happening:
    """Something that happens in a move.

    *item* leaves or moves, *seat* acts (by one of *clauses*, if there are any), one of *clauses* is
    used, a step begins or ends, play comes to a *stage*.
    """

    kind: HappeningKind
    words: str
    item: int = -1
    seat: int = -1
    clauses: tuple[str, ...] = ()
    stage: str = ""
    steps: tuple[tuple[int, str], ...] = ()


def stands_in(title: str) -> InputError:
    """Return the error for what is called like the step *title* and is not known to be that one."""
    return not_understood(
        f"The rules have the {title.removeprefix('the ')} in its place, and do not say what comes "
        "before or after it.",
        f"say `{title.removeprefix('the ')}` if that is meant",
        code="C204",
    )


class Events:
    """Finds the event that words name, and tells whether a move brings it about."""

    def __init__(self, referee: Referee, vocabulary: GameWords) -> None:
        self.referee, self.vocabulary, self.program = referee, vocabulary, referee.program

    def event_named(self, line: Line, words: str) -> Happening | None:
        """Return the event that *words* name, said where *line* has come to; None if they name
        none.
        """
        said = words.strip()
        if re.match(r"(?:it|this|that|they)\b", said) and not focus(line):
            raise not_understood(
                f"`{said}`: nothing that was put here fits.", "say what that is", code="C203"
            )
        patterns: tuple[tuple[str, HappeningKind], ...] = (
            (
                r"(.+?) (?:resolves?|is resolved|has resolved|leaves(?: the \w+)?)",
                "leaves",
            ),
            (
                r"(.+?) (?:is|are|has been) (?:put|placed|played|moved)(?: on(?:to)? the \w+)?",
                "moves",
            ),
            (
                r"(.+?) (?:is|are) (?:being resolved|resolving)|(.+?) (?:begins?|starts?) (?:to "
                r"resolve|resolving)",
                "resolving",
            ),
        )
        missing = ""
        for pattern, kind in patterns:
            if found := re.fullmatch(pattern, said):
                item = found[1] or found[2]
                if items := items_called(line, item, self.vocabulary):
                    return Happening(kind, words, item=items[0])
                if seats_in(item) and self.vocabulary.kinds_called(content(item)):
                    missing = item
        if re.match(r"[A-P](?:'s opponent)? [a-z]", said):
            return self._of_players(line, said)
        named = (
            self._passive(line, said)
            or self._of_time(line, said)
            or self._of_players(line, said)
            or self._of_rules(said)
        )
        if missing and not named:
            raise not_understood(
                f"There is no `{missing}` by then.",
                done_first(self.vocabulary, "; it resolves"),
                code="C203",
            )
        return named

    def _passive(self, line: Line, said: str) -> Happening | None:
        """Return that something is done by anyone: ``an attack is declared``."""
        found = re.fullmatch(r"(.+?) (?:is|are|has been) (\w*(?:ed|en|ought|cast))", said)
        if found is None:
            return None
        verb, named = stem(found[2]), self.vocabulary.names
        if re.fullmatch("it|this|that|they", found[1]):
            by = {line.steps[line.items[number].since].move.clause for number in focus(line)}
            done = {name.clause for name in named if name.clause in by and name.verb == verb}
            return Happening("rule", said, clauses=tuple(done)) if done else None
        fit = self.vocabulary.fit(f"{found[2]} {found[1]}", ("may", "must"))
        if fit is None or fit.names[0].verb != verb:
            return None
        return Happening("rule", said, clauses=fit.clauses)

    def _of_time(self, line: Line, said: str) -> Happening | None:
        if found := re.fullmatch(
            rf"(?:the )?(?:(.+?)(?:'s)? )?(?:next )?turn ({_BEGINS}|{_ENDS})", said
        ):
            seat = player_called(
                found[1] or "", line.position, self.referee.interpreter.scope.players
            )
            is_end = re.fullmatch(_ENDS, found[2]) is not None
            return Happening("turn", said, seat=-1 if seat is None or is_end else seat)
        goes = r"(?:.+ )?(?:go(?:es)?|proceeds?|moves?|continues?)(?: on)? (?:in)?to (?:the )?(.+)"
        if (found := re.fullmatch(goes, said)) and (steps := self._steps(content(found[1]))):
            return Happening("step begins", said, steps=tuple(steps))
        if re.fullmatch(r"(?:the )?next turn", said):
            return Happening("turn", said)
        if found := re.fullmatch(
            rf"(?:the |this )?(?:present |current )?(?:phase|step) {_ENDS}", said
        ):
            return Happening("step ends", said)
        found = re.fullmatch(rf"(.+?) ({_BEGINS}|{_ENDS})", said)
        if found and (steps := self._steps(content(found[1]) - {"next"})):
            kind: HappeningKind = "step ends" if re.fullmatch(_ENDS, found[2]) else "step begins"
            return Happening(kind, said, steps=tuple(steps))
        if not IS_DONE.search(said) and (steps := self._steps(content(said))):
            return Happening("step begins", said, steps=tuple(steps))
        return None

    def _steps(self, words: Stems) -> list[tuple[int, str]]:
        """Return the steps that *words* name. Raises InputError where one only stands for them."""
        steps = self.vocabulary.steps_called(words)
        if title := self.vocabulary.standing_in(words, steps):
            raise stands_in(title)
        return steps

    def _of_players(self, line: Line, said: str) -> Happening | None:
        found = re.fullmatch(r"([A-P]|the [a-z ]*player|the opponent)(?: (.+))?", said)
        seat = (
            None
            if found is None
            else player_called(found[1], line.position, self.referee.interpreter.scope.players)
        )
        if found is None or seat is None:
            return None
        if not found[2] or re.fullmatch(
            r"(?:has|gets|receives|gains) priority|(?:may|can) (?:act|respond)"
            r"|(?:gets|has)(?: a (?:chance|window))? to (?:act|respond)",
            found[2],
        ):
            return Happening("priority", said, seat=seat)
        if re.fullmatch(r"acts|does (?:something|anything)(?: else)?", found[2]):
            return Happening("acts", said, seat=seat)
        fit = self.vocabulary.done(re.sub(_OF_PRIORITY, "", found[2]))
        return None if fit is None else Happening("acts", said, seat=seat, clauses=fit.clauses)

    def _of_rules(self, said: str) -> Happening | None:
        fit = self.vocabulary.fit(said, ("must", "may", "chance"))
        # One word of a title names nothing.
        is_guess = fit is not None and fit.extra > 0 and len(content(said)) == 1
        return None if fit is None or is_guess else Happening("rule", said, clauses=fit.clauses)

    def happens(self, event: Happening, one: Line, then: Line) -> bool:
        """Whether *event* happens in the move by which *one* goes on to *then*."""
        move, before, after = then.steps[-1].move, one.position, then.position
        match event.kind:
            case "leaves":
                return (
                    event.item < len(then.items)
                    and then.items[event.item].place is None
                    and (event.item >= len(one.items) or one.items[event.item].place is not None)
                )
            case "moves":
                was, now = one.items[event.item].place, then.items[event.item].place
                return was is not None and (now is None or now[0] != was[0])
            case "resolving":
                place = one.items[event.item].place
                return any(
                    one.kind == "begins resolving" and (one.zone, one.at) == place
                    for one in move.events
                )
            case "turn":
                return before.values[0] != after.values[0] and event.seat in (-1, after.values[0])
            case "step ends":
                return self._changes(event, before, after, begins=False)
            case "step begins":
                return self._changes(event, before, after, begins=True)
            case "acts":
                of_turn = move.owner == "rules" and before.values[0] == event.seat
                if not event.clauses:
                    is_act = self.referee.mode(move) == "may" and not self.referee.is_pass(move)
                    return is_act and move.owner == event.seat
                is_whose = of_turn or event.seat in deciders(move)
                return move.clause in event.clauses and is_whose
            case "priority":
                return event.seat in self.referee.holders(
                    after
                ) and event.seat not in self.referee.holders(before)
            case "rule":
                return move.clause in event.clauses
            case "stage":
                return after.stage == event.stage

    def _changes(
        self, event: Happening, before: Position, after: Position, *, begins: bool
    ) -> bool:
        numbers = range(1, len(self.program.sequences) + 1)
        if not event.steps:
            return (
                any(before.values[at] != after.values[at] for at in numbers)
                or before.values[0] != after.values[0]
            )
        there, away = (after, before) if begins else (before, after)
        for number, step in event.steps:
            was, now = away.values[number + 1], there.values[number + 1]
            if (now == step and was != step) or (
                not step and now != ir.NO_STEP and was == ir.NO_STEP
            ):
                return True
        return False
