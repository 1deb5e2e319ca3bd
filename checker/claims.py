"""Claims: the formula that an answer stands for, as a claim to keep beside the rules.

A ruling is about one situation, a claim about all that are like it. The claim says the least of the
situation with which it is decided as the question was answered; asking finds that. The situation is
described in the game's own words, the more telling facts first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from textwrap import wrap

from ..models import ir
from ..models.diagnostics import InputError
from ..models.frozen import frozen
from ..models.source import Source
from ..properties import formula as f
from ..properties.load import typed_files
from .prover.prover import Prover
from .reference.semantics.interpreter import Interpreter
from .rulings.answer import AskedAct, Looked, Ruling, RulingAnswer
from .run.check import check
from .run.engines import engine_named
from .situations.events import Happening
from .situations.line import Line
from .situations.vocabulary import GameWords
from .types.position import Item, Position, Value
from .types.verdict import Outcome, Verdict

ASKED = "p"
_WIDE = 96
_NAME = re.compile(r"(?<![\w./-])[ip-ux](?![\w./-])")
_HOLDS = f"{ASKED} has priority"
_MET = {"holds": (Outcome.HOLDS, Outcome.PROVED), "possible": (Outcome.POSSIBLE,)}


@frozen
class StatedClaim:
    """A claim that *word* is so: its *name*, its *title*, and its *formula* as lines of text."""

    word: str
    name: str
    title: str
    formula: tuple[str, ...]

    @property
    def text(self) -> str:
        """The claim as it stands below ``claims``."""
        return "\n".join(
            [f'  {self.word} {self.name} "{self.title}"', *(f"    {line}" for line in self.formula)]
        )


@frozen
class KeptClaim:
    """A claim that is decided as the question was answered, with the verdict on it."""

    claim: StatedClaim
    verdict: Verdict


def kept_claim(ruling: Ruling, answer: RulingAnswer, prover: Prover | None) -> KeptClaim | None:
    """Return a claim for *answer* that is decided as it was answered, None if there is none; a
    *prover* tries it for every size.
    """
    stated = stated_by(ruling, answer)
    if stated is None:
        return None
    levels = [stated.up_to(level) for level in range(1, LEVELS + 1)]
    met = [
        facts
        for facts, is_met in zip(levels, _are_met(ruling, stated, levels), strict=True)
        if is_met
    ]
    if not met:
        return None
    facts = met[-1 if stated.is_possible else 0]
    if not stated.is_possible:
        fewer = [[one for one in facts if one != left] for left in facts if left in stated.optional]
        spare = [
            set(facts) - set(less)
            for less, is_met in zip(fewer, _are_met(ruling, stated, fewer), strict=True)
            if is_met
        ]
        least = [one for one in facts if {one} not in spare]
        facts = (
            least
            if any(_are_met(ruling, stated, [least]))
            else next((f for f in fewer if {*facts} - {*f} in spare), facts)
        )
    claim = stated.claim(facts)
    found = property_of(ruling.program, claim)
    assert found is not None
    (verdict,) = check(
        ruling.program, [found], ruling.scope, engine=engine_named("explicit"), prover=prover
    )
    return KeptClaim(claim, verdict)


def _are_met(
    ruling: Ruling, stated: StatedAnswer, situations: Sequence[Sequence[str]]
) -> list[bool]:
    """Return of each way to say the situation whether its claim is decided as the question was
    answered.
    """
    asked = [
        (claim := stated.claim(facts), property_of(ruling.program, claim)) for facts in situations
    ]
    known = [one for _, one in asked if one is not None]
    found = iter(
        check(ruling.program, known, ruling.scope, engine=engine_named("explicit")) if known else ()
    )
    return [one is not None and next(found).outcome in _MET[claim.word] for claim, one in asked]


def stated_by(ruling: Ruling, answer: RulingAnswer) -> StatedAnswer | None:
    """Return what *answer* stands for, for a formula to say; None where one does not say it."""
    roles = None if answer.looked is None else roles_of(ruling.scope.players, answer.looked.seat)
    if answer.looked is None or roles is None:
        return None
    stated = StatedAnswer(ruling, answer, roles, answer.looked)
    return stated if stated.can_be_said else None


def property_of(program: ir.Program, claim: StatedClaim) -> f.Property | None:
    """Return what *claim* asks of *program*; None if its words mean something else there."""
    text = "\n".join(
        [f'property {claim.name} "{claim.title}"', *(f"  {line}" for line in claim.formula), ""]
    )
    try:
        return typed_files(program, [Source("ask", text)]).properties[0]
    except InputError:
        return None


class StatedAnswer:
    """What was *looked* at for *answer*, in words of a formula."""

    def __init__(self, ruling: Ruling, answer: RulingAnswer, roles: Roles, looked: Looked) -> None:
        self.program, self.answer, self.roles, self.looked = ruling.program, answer, roles, looked
        self._words = GameWords(ruling.program)
        end = looked.end
        item = (
            end.item if end is not None and end.kind in ("leaves", "moves", "resolving") else None
        )
        describer = Describer(Interpreter(ruling.program, ruling.scope), roles)
        self._facts = describer.facts(looked.line, item)
        self.optional = frozenset(words for level, words in self._facts if level > 1)
        self._window = self._window_words()
        self._end = None if end is None else self._end_words(end)
        self.can_be_said = self._window is not None and (end is None or self._end is not None)
        self.is_possible = end is not None and answer.head in ("not yet", "only if")
        self._title = f"{ruling.text.rstrip('?. ')}? {answer.head}".replace('"', "'")

    def up_to(self, level: int) -> list[str]:
        """Return what is so in the situation, as far as it is as telling as this *level*."""
        return [words for at, words in self._facts if at <= level]

    def claim(self, facts: Sequence[str]) -> StatedClaim:
        """Return the claim on all situations in which these *facts* are so."""
        named = _names_in(" ".join(facts)) | {ASKED}
        body = self._body([*facts, *self.roles.told_apart(named)])
        used = _names_in(body)
        named_there = [
            *([f"item {ITEM}"] if ITEM in used else []),
            *(f"player {one}" for one in sorted(used - {ITEM, "x"})),
        ]
        quantified = (
            [f"for {'some' if self.is_possible else 'every'} {', '.join(named_there)}:"]
            if named_there
            else []
        )
        inside = "  " if named_there else ""
        lines = wrap(
            body,
            _WIDE,
            initial_indent=inside,
            subsequent_indent=f"{inside}  ",
            break_on_hyphens=False,
            break_long_words=False,
        )
        word = "possible" if self.is_possible else "holds"
        return StatedClaim(
            word, _claim_name(self.program, self.answer), self._title, (*quantified, *lines)
        )

    def _body(self, facts: Sequence[str]) -> str:
        situation, window, end = " and ".join(facts), self._window or "", self._end
        head, form = self.answer.head, self.answer.question.form
        if self.looked.doing is None:
            other = self.roles.another
            return (
                f"always ({other} is first to have priority after ({situation}) implies {other} is "
                f"{ASKED})"
            )
        if end is None or head == "yes, now":
            # What can be done now is asked of the situation itself.
            window = window.removeprefix(f"{_HOLDS} and ") if _HOLDS in facts else window
            is_there = head.startswith("yes") if form == "may" else head == "no"
            return f"never ({situation} and {f'not {_grouped(window)}' if is_there else window})"
        if head == "yes, in every play":
            return f"never ({end} and previously ((not {_grouped(window)}) since ({situation})))"
        return (
            f"{'possible' if self.is_possible else 'never'} ({window} and ((not {_grouped(end)}) "
            f"since ({situation})))"
        )

    def _window_words(self) -> str | None:
        doing = self.looked.doing
        if doing is None or doing.sort == "priority":
            return _HOLDS
        possible = (
            self._possible(doing)
            if doing.fit is not None
            else _either([f"clause {one} is possible" for one in sorted(self._words.answering)])
            if doing.sort == "answer"
            else f"{ASKED} may {doing.sort}"
        )
        return None if possible is None else f"{_HOLDS} and {possible}"

    def _possible(self, doing: AskedAct) -> str | None:
        """Return that one of the clauses is possible; None if that takes no priority, or of *yes*
        if not each of their moves would do.
        """
        assert doing.fit is not None
        clauses = {clause.id: (stage, clause) for stage, clause in self.program.clauses}
        for name in doing.fit.names:
            stage, clause = clauses[name.clause]
            is_part = bool(
                name.choice
                or doing.others
                or (name.kind and self._words.kinds_put(clause) != [name.kind])
            )
            if stage.priority is None or (is_part and self.answer.head.startswith("yes")):
                return None
        return _either([f"clause {one} is possible" for one in doing.fit.clauses])

    def _end_words(self, end: Happening) -> str | None:
        """Return what ends the search, as what happens at a moment."""
        who = self.roles.names.get(end.seat, "")
        match end.kind:
            case "leaves":
                return f"({ITEM} resolves or {ITEM} is removed)"
            case "moves":
                place = self.looked.line.items[end.item].place
                return (
                    None if place is None else f"{ITEM} leaves {self.program.zones[place[0]].name}"
                )
            case "resolving":
                return f"{ITEM} begins resolving"
            case "turn":
                return f"turn begins and {who} is active" if who else "turn ends"
            case "step begins" | "step ends":
                steps = [self._step_formula(*step) for step in end.steps]
                before, after = (
                    ("not previously {0}", "{0}")
                    if end.kind == "step begins"
                    else ("previously {0}", "not {0}")
                )
                return (
                    _either([f"({after} and {before})".format(step) for step in steps])
                    if steps
                    else "(step ends or step begins)"
                )
            case "acts" if not end.clauses:
                return f"{who} acts"
            case "acts":
                return _either([f"{who} uses {clause}" for clause in end.clauses])
            case "priority":
                return f"({who} has priority and not previously {who} has priority)"
            case "rule":
                return _either([f"clause {clause}" for clause in end.clauses])
            case "stage":
                return f"at {end.stage}"

    def _step_formula(self, number: int, step: str) -> str:
        variable = self.program.sequences[number].variable
        return f"({variable} is {step})" if step else f"(not {variable} is {ir.NO_STEP})"


def _names_in(words: str) -> set[str]:
    return set(_NAME.findall(words))


def _grouped(words: str) -> str:
    return words if words.startswith("(") or " " not in words else f"({words})"


def _either(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


def _claim_name(program: ir.Program, answer: RulingAnswer) -> str:
    """Return a name that no claim has: the clause of the last act that was said, and what is asked
    of it.
    """
    said = [answer.line.steps[at].move.clause for at in answer.line.said] or [*answer.clauses]
    asked = {
        "may": "answered" if answer.question.respond else "window",
        "must": "must",
        "who": "holder",
    }[answer.question.form]
    taken = {claim.name for claim in program.claims}
    names: Iterator[str] = (
        f"{said[-1] if said else 'ruling'}/{asked}{number}" for number in ["", *range(2, 100)]
    )
    return next(name for name in names if name not in taken)


# ------------------------------------------------------------------ positions described


_OTHERS = "qrstu"
ITEM = "i"
LEVELS = 5
"""How telling facts are: 1 who has priority, and where the item is; 2 who has passed; 3 how much
lies where; 4 the steps; 5 the rest.
"""


@frozen
class Roles:
    """What players are called in a formula, by their seats."""

    names: Mapping[int, str]

    @property
    def another(self) -> str:
        """What any player may be called, whichever it is."""
        return (ASKED + _OTHERS)[len(self.names)]

    def told_apart(self, used: set[str]) -> Iterator[str]:
        """Yield that the players who are *used* are not each other; of more than two, who sits
        after whom.
        """
        seats = [seat for seat, name in self.names.items() if name in used]
        if len(self.names) == 2 and len(seats) == 2:
            yield f"{self.names[seats[0]]} is not {self.names[seats[1]]}"
            return
        for one, other in pairwise(seats):
            words = self.names[one]
            for _ in range((other - one) % len(self.names)):
                words = f"after {words}"
            yield f"{self.names[other]} is {words}"


def roles_of(players: int, asked: int) -> Roles | None:
    """Return what the players are called if *asked* is the one who is asked about; None if there
    are too many.
    """
    seats = [(asked + number) % players for number in range(players)]
    named = zip(seats, ASKED + _OTHERS, strict=False)
    return Roles(dict(named)) if players <= len(_OTHERS) else None


class Describer:
    """Says how things lie in positions of a game."""

    def __init__(self, interpreter: Interpreter, roles: Roles) -> None:
        self.interpreter, self.program, self.roles = interpreter, interpreter.program, roles

    def facts(self, line: Line, item: int | None) -> list[tuple[int, str]]:
        """Return what is so where *line* ends, each fact with its level; *item* is followed."""
        position = line.position
        found = [(5, f"at {position.stage}")]
        found += [
            (1, f"{self.roles.names[seat]} has priority")
            for seat in sorted(self.interpreter.priority(position))
        ]
        found += [(1, self._done(line))] if line.ends_as_said else []
        place = None if item is None else line.items[item].place
        if place is not None:
            found.append((1, self._place_words(position, place)))
        for variable, value in zip(self.program.variables, position.values, strict=True):
            found += self._of_variable(variable, value)
        for number, zone in enumerate(self.program.zones):
            size = len(position.zones[number])
            found.append((3, f"size of {zone.name} is {size}" if size else f"{zone.name} is empty"))
            found += [
                (5, words) for words in self._items_words(number, position.zones[number], place)
            ]
        return sorted(found, key=lambda fact: fact[0])

    def _done(self, line: Line) -> str:
        """Return who did what in the last move of *line*."""
        move = line.steps[-1].move
        passing = [event.player for event in move.events if event.kind == "passes"]
        if passing and passing[0] is not None:
            return f"{self.roles.names[passing[0]]} passes"
        return (
            f"{self.roles.names[move.owner]} uses {move.clause}"
            if isinstance(move.owner, int)
            else f"clause {move.clause}"
        )

    def _place_words(self, position: Position, place: tuple[int, int]) -> str:
        zone, at = self.program.zones[place[0]], place[1]
        is_end = at == (len(position.zones[place[0]]) - 1 if zone.order == "lifo" else 0)
        return (
            f"{ITEM} is {zone.end_word} of {zone.name}"
            if zone.end_word and is_end
            else f"{ITEM} on {zone.name}"
        )

    def _of_variable(
        self, variable: ir.VariableDeclaration, value: Value
    ) -> Iterator[tuple[int, str]]:
        name = variable.name
        steps = {sequence.variable for sequence in self.program.sequences}
        if variable.each_player:
            assert isinstance(value, tuple)
            for seat, one in enumerate(value):
                yield 5, self._is(f"{name} of {self.roles.names[seat]}", one, variable.type)
        elif isinstance(variable.type, ir.PlayersType):
            assert isinstance(value, int)
            seats = {seat for seat in self.roles.names if value >> seat & 1}
            if len(seats) in (0, len(self.roles.names)):
                yield 2, f"{name} is {'everyone' if seats else 'none'}"
            else:
                yield from (
                    (2, f"{who} {'in' if seat in seats else 'not in'} {name}")
                    for seat, who in self.roles.names.items()
                )
        elif name == ir.ACTIVE:
            yield 4, self._is(name, value)
        else:
            yield 4 if name in steps else 5, self._is(name, value, variable.type)

    def _is(self, words: str, value: object, type_: ir.Type | None = None) -> str:
        if isinstance(value, bool):
            return words if value else f"not {words}"
        if value is None:
            return f"{words} is nobody"
        if isinstance(value, int) and not isinstance(type_, ir.NumberType):
            who = self.roles.names[value]
            return f"{who} is active" if words == ir.ACTIVE else f"{words} is {who}"
        return f"{words} is {value}"

    def _items_words(
        self, zone: int, items: tuple[Item, ...], followed: tuple[int, int] | None
    ) -> Iterator[str]:
        declared = self.program.zones[zone]
        for at, item in enumerate(items):
            if followed == (zone, at):
                yield from self._of_item(item, ITEM)
            elif declared.order == "lifo" and at == len(items) - 1:
                yield from self._of_item(item, f"top of {declared.name}")
            else:
                like = " and ".join(self._of_item(item, "x"))
                yield f"(some x in {declared.name} where ({like}))"

    def _of_item(self, item: Item, words: str) -> Iterator[str]:
        yield f"kind of {words} is {item.kind}"
        yield f"controller of {words} is {self.roles.names[item.controller]}"
        for attribute, value in zip(self.program.attributes, item.attributes, strict=True):
            said = f"{attribute.name} of {words}"
            # A flag of the top of a zone may be asked only as what it is: the zone may be empty
            # there.
            if isinstance(value, bool):
                yield f"{said} is {'yes' if value else 'no'}"
            else:
                yield self._is(said, value, attribute.type)
