"""Every game with every option, and for 2 to 4 players: the reference's verdicts on the whole
catalogue, however a search is done.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

import pytest

from stacklaw.checker.explicit.emit.emit import emit
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.explicit.moves.layout import Layout
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.run.cuts import unshown
from stacklaw.checker.types.budget import Meter, Tuning
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models import ir
from stacklaw.models.ir.traverse import walk
from stacklaw.models.load import game_names, game_source, load_game, opened
from stacklaw.properties import formula as f
from stacklaw.properties.load import catalogue_for, property_named

WHOLE = Tuning(slicing=False, symmetry=False)
FAST = 20
"""One in this many settings is checked by the fast tests, too."""
SMALL = 25_000
"""Python finds this many positions about as fast as a kernel is compiled."""
WIDE = {"primary": "any_clear_chase"}
"""Ten times as many positions as any other value: alone it is asked as the others are, in a pair
never.
"""


def interacting(program: ir.Program) -> list[tuple[str, str]]:
    """Return the pairs of options that one clause asks for both."""
    found: set[tuple[str, str]] = set()
    for _, clause in program.clauses:
        used = {node.name for node in walk(clause) if isinstance(node, ir.OptionValue)}
        found.update(combinations(sorted(used), 2))
    return sorted(found)


def values_of(option: ir.Option) -> list[str]:
    """Return the values of *option*; of numbers the lowest and the highest."""
    return [value for value, _ in option.values] or [str(number) for number in option.numbers or ()]


def settings_of(game: str) -> Iterator[dict[str, str]]:
    """Yield each option of *game* with each of its other values, and each pair that interacts, but
    not all of their values together.
    """
    program = opened(game_source(game))
    others = {
        option.name: [value for value in values_of(option) if value != str(option.default)]
        for option in program.options
    }
    for name, values in others.items():
        yield from ({name: value} for value in values)
    for one, two in interacting(program):
        number = max(len(others[one]), len(others[two]))
        yield from (
            {one: others[one][at % len(others[one])], two: others[two][at % len(others[two])]}
            for at in range(number)
        )


def smallest(program: ir.Program, players: int | None = None, stack: int = 1) -> Scope:
    return make_scope(
        program,
        players,
        {zone.name: stack if zone.name == "stack" else 1 for zone in program.zones},
    )


def asked_of(program: ir.Program) -> list[f.Property]:
    """Return the properties of the catalogue."""
    return [property_named(program, entry.name) for entry in catalogue_for(program)]


def told(verdict: Verdict) -> int | str | None:
    """Return how long the play of *verdict* is; of one that goes on for ever there may be several
    ways round.
    """
    if verdict.trace is None:
        return None
    return len(verdict.trace.steps) if verdict.trace.loop is None else "for ever"


def check_verdicts(
    program: ir.Program, scope: Scope, asked: list[f.Property], *engines: Explicit
) -> None:
    """Compare the verdicts of each of *engines* with the reference's, and what there is in whole
    positions.
    """
    expected = check(program, asked, scope, engine=Reference())
    assert search(emit(Layout(program, scope)), Meter()).counts == expected[0].counts
    for engine in engines:
        for mine, theirs in zip(check(program, asked, scope, engine=engine), expected, strict=True):
            assert (mine.outcome, mine.bound) == (theirs.outcome, theirs.bound), mine.property.name
            assert_same_reason(mine, theirs, engine)
            assert told(mine) == told(theirs), mine.property.name
            if engine.tuning == WHOLE:
                assert mine.counts == theirs.counts, mine.property.name


def assert_same_reason(mine: Verdict, theirs: Verdict, engine: Explicit) -> None:
    """Compare reasons: what was not seen while the scope cut moves, each engine looks for with more
    room in 5,000 positions of its own.

    They are not the same ones, so one may see what another does not; what it sees is a play, which
    the reference replays.
    """
    if mine.reason == theirs.reason:
        return
    assert mine.counts.cut, mine.property.name
    assert mine.unshown == theirs.unshown, mine.property.name
    assert mine.unshown or mine.outcome is Outcome.IMPOSSIBLE, mine.property.name
    both = ((mine, engine), (theirs, Reference()))
    seeing = [(one, by) for one, by in both if _asks(one.reason)]
    assert seeing, mine.reason
    open_ = [one.reason for one, _ in both if not _asks(one.reason)]
    assert all(any(said in reason for said in _OPEN) for reason in open_), open_
    for one, by in seeing:
        sizes = {**dict(one.scope.sizes), **_asks(one.reason)}
        larger = replace(one.scope, sizes=tuple(sizes.items()))
        shown = [*unshown(one.program, one.property, one.unshown).values()]
        seen = check(one.program, shown or [one.property], larger, engine=by)
        assert any(found.outcome == Outcome.POSSIBLE for found in seen), one.reason


_MORE_ROOM = re.compile(r"only with more room: ask with (.*)|with more room one does: `needs (.*)`")
_OPEN = ("for the scope cuts moves: ask with more room", "the scope cuts moves, and `needs ")


def _asks(reason: str) -> dict[str, int]:
    """Return the sizes at which *reason* says that a play was seen; none if it says no such."""
    said = _MORE_ROOM.search(reason.partition(";")[0])
    if said is None:
        return {}
    sizes = re.findall(r"(\w+)[ =](\d+)", said[1] or said[2])
    return {zone: int(size) for zone, size in sizes}


SETTINGS = [
    (game, chosen)
    for game in game_names()
    for chosen in settings_of(game)
    if len(chosen) == 1 or not WIDE.items() & chosen.items()
]
PAIRS = {"fftcg": 10, "flesh": 3, "fow": 11, "mtg": 4, "netrunner": 2, "stack": 4, "zx": 3}
"""How many of them set two options that interact."""
PLAYERS = [
    (game, players, stack)
    for game in game_names()
    for players, stack in ((2, 1), (2, 2), (3, 1), (3, 2), (4, 1))
    if players == 2 or load_game(game).players[1] is None
]


def mark_of(number: int, game: str, chosen: Mapping[str, str]) -> tuple[pytest.MarkDecorator, ...]:
    """Return how long the test of this setting takes: Force of Will has many times the positions of
    the others.
    """
    if number % FAST == 0:
        return ()
    return (pytest.mark.long if game == "fow" or len(chosen) == 2 else pytest.mark.slow,)


def named(chosen: Mapping[str, str]) -> str:
    return ",".join(f"{name}={value}" for name, value in chosen.items())


@pytest.mark.rare
@pytest.mark.parametrize(
    ("game", "chosen"),
    [
        pytest.param(
            game, chosen, id=f"{game}@{named(chosen)}", marks=mark_of(number, game, chosen)
        )
        for number, (game, chosen) in enumerate(SETTINGS)
    ],
)
def test_the_catalogue_with_every_option(game: str, chosen: dict[str, str]) -> None:
    """Every eighth question is asked, of two options that interact every twelfth, and of the next
    setting the next ones.

    Every fourth setting is searched in compiled code, too: compiling takes longer than the search.
    """
    program, number = load_game(game, chosen), SETTINGS.index((game, chosen))
    step = 8 if len(chosen) == 1 else 12
    engine = Explicit(Interpreter) if number % 4 == 0 else Explicit(Interpreter, SMALL)
    check_verdicts(program, smallest(program), asked_of(program)[number % step :: step], engine)


def test_every_option_of_every_game_is_among_them() -> None:
    for game in game_names():
        found = {
            (name, value) for of, chosen in SETTINGS if of == game for name, value in chosen.items()
        }
        assert found == {
            (o.name, value)
            for o in opened(game_source(game)).options
            for value in values_of(o)
            if value != str(o.default)
        }
    assert Counter(game for game, chosen in SETTINGS if len(chosen) == 2) == PAIRS


@pytest.mark.parametrize(
    ("game", "players", "stack"),
    [
        pytest.param(
            *one,
            marks=pytest.mark.slow if one[1:] == (2, 1) and one[0] != "fow" else pytest.mark.long,
        )
        for one in PLAYERS
    ],
)
def test_the_catalogue_for_several_players(game: str, players: int, stack: int) -> None:
    """Of two players and a stack of one every third question, of more every eighth, each time
    others; of threads in every second.
    """
    pytest.importorskip("llvmlite")
    program = load_game(game)
    scope, number = smallest(program, players, stack), PLAYERS.index((game, players, stack))
    asked = [
        question for question in asked_of(program) if question.mode != "progress"
    ]  # those `test_forever` asks in all ways
    step = 3 if players + stack == 3 else 8
    asked = asked[number % step :: step]
    engines = [
        Explicit(Interpreter, SMALL, tuning) for tuning in (WHOLE, Tuning(symmetry=False), Tuning())
    ]
    check_verdicts(program, scope, asked, *engines)
    if number % 2:
        return
    some = asked[number % 3 :: 3]
    one, two = (
        check(program, some, scope, engine=Explicit(Interpreter, 100, Tuning(threads=threads)))
        for threads in (1, 2)
    )
    assert one == two
    expected = check(program, some, scope, engine=engines[-1])
    assert [(verdict.outcome, told(verdict)) for verdict in one] == [
        (verdict.outcome, told(verdict)) for verdict in expected
    ]
