"""Endings that a cut could hide, and endings that no play fits: what grows for ever, what only
seems to, and random games of both.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.prover.prover import SMALL, ProofBudget, Prover
from stacklaw.checker.questions.questions import goes_on, puts_without_end
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.replay.replay import ReplayError, replay, replay_growth
from stacklaw.checker.run.check import check
from stacklaw.checker.run.endings import zones_that_grow
from stacklaw.checker.types.engine import Engine
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source
from stacklaw.properties.load import property_named

from ..luck import tries
from ..rulesets import asked

HEAD = """game "A test"
players 2
scope players 2, stack 2, queue 2, pool 2
start s
items
  bolt "bolt"
  card "card"
zones
  stack last in first out
  queue first in first out
  pool in any order
turn
  main
state
  n : 0 to 9
  seen : flag for each player
"""
ENGINES: list[Engine] = [Reference(), Explicit(Interpreter)]
PLAYERS = "assuming players act only finitely often"
CARDS = "assuming cards act only finitely often"
DRAINS = "stack is not empty leads to stack is empty"
ONLY_PUTS = 'stage s\n  must 1 "more"\n    put bolt by active on stack\n    go s\n'


def verdicts(
    stages: str, formula: str, *assuming: str, size: int = 2, prover: Prover | None = None
) -> list[Verdict]:
    """Return what each engine says of *formula* in a game with *stages*, whose zones have that
    *size*.
    """
    program, question = asked(HEAD + stages, *assuming, formula)
    scope = make_scope(program, None, {zone.name: size for zone in program.zones})
    return [
        check(program, [question], scope, engine=engine, prover=prover)[0] for engine in ENGINES
    ]


def outcome(stages: str, formula: str, *assuming: str, size: int = 2) -> Outcome:
    """Return the outcome on which the engines agree."""
    one, other = verdicts(stages, formula, *assuming, size=size)
    assert (one.outcome, one.reason, one.trace) == (other.outcome, other.reason, other.trace)
    return one.outcome


# ------------------------------------------------------------------ what grows


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("name", ["stack_drains", "kernel_terminates"])
def test_a_stack_that_only_grows_never_drains_at_any_scope(name: str, size: int) -> None:
    program = load(Source("a.rules", HEAD + ONLY_PUTS))
    scope = make_scope(program, None, {"stack": size})
    for engine in ENGINES:
        (found,) = check(program, [property_named(program, name)], scope, engine=engine)
        assert found.outcome == Outcome.VIOLATED
        assert found.trace is not None
        assert (found.trace.loop, found.trace.growth, len(found.trace.steps)) == (None, 1, 2)
        assert [
            (zone, len(more)) for zone, more in zones_that_grow(program, found.trace).items()
        ] == [("stack", 1)]


GROWING = {
    "tops that are resolved, and come back": (
        'stage s\n  must 1 "two"\n    put bolt by active on stack\n    put bolt by active on '
        "stack\n    go t\n"
        'stage t\n  must 2 "one"\n    when stack is not empty\n    resolve top of stack\n'
        "    go s\n",
        DRAINS,
    ),
    "a queue of which the front is asked": (
        'stage s\n  must 1 "more"\n    when queue is empty or kind of front of queue is bolt\n    '
        "put bolt by active on queue\n    go s\n",
        "queue is not empty leads to queue is empty",
    ),
    "items in any order, and a turn that goes on": (
        'stage s\n  must 1 "more"\n    put card by active on pool\n    advance\n    go s\n',
        "pool is not empty leads to pool is empty",
    ),
    "an item that stays below": (ONLY_PUTS, "for every item i: i on stack leads to i resolves"),
    "several zones": (
        'stage s\n  must 1 "more"\n    put bolt by active on stack\n    put card by active on '
        "queue\n    n := 1 - n\n    go s\n",
        DRAINS,
    ),
    "a zone that is larger in the middle of a move": (
        'stage s\n  must 1 "first"\n    put bolt by active on stack\n    go t\n'
        'stage t\n  must 2 "more"\n'
        + "    put card by active on queue\n" * 3
        + "    if queue is not empty\n      remove front of queue\n" * 3
        + "    put bolt by active on stack\n    go t\n",
        DRAINS,
    ),
    "what a top is moved to": (
        'stage s\n  must 1 "more"\n    put bolt by active on stack\n    move top of stack to '
        "pool\n    go s\n",
        "pool is not empty leads to pool is empty",
    ),
}


@pytest.mark.parametrize("which", GROWING)
def test_what_grows_for_ever_is_told(which: str) -> None:
    for found in verdicts(*GROWING[which], PLAYERS, CARDS):
        assert found.outcome == Outcome.VIOLATED
        assert found.trace is not None
        assert found.trace.growth is not None
        replay_growth(Interpreter(found.program, found.scope), found.trace, found.property, times=5)


BEGINS_BEYOND = {
    "a move that is cut begins it": (
        'stage s\n  must 1 "one or two"\n    either "one"\n      put bolt by active on stack\n    '
        "  go t\n"
        '    or "two"\n      put bolt by active on stack\n      put bolt by active on stack\n     '
        " go u\n"
        'stage t\n  must 2 "one"\n    when stack is not empty\n    resolve top of stack\n    go s\n'
        'stage u\n  must 3 "more"\n    put bolt by active on stack\n    go u\n',
        DRAINS,
    ),
    "an act that is cut leads to it": (
        'stage s\n  priority active\n  may 1 "one"\n    put bolt on stack\n    go t\n'
        '  may 2 "two"\n    put bolt on stack\n    put bolt on stack\n    go u\n  may 3 "pass"\n  '
        "  pass\n    go s\n"
        'stage t\n  must 4 "one"\n    when stack is not empty\n    resolve top of stack\n    go s\n'
        'stage u\n  must 5 "more"\n    put bolt by active on stack\n    go u\n',
        DRAINS,
    ),
    "the item that never gets to the front is the second": (
        'stage s\n  must 1 "more"\n    put bolt by active on queue\n    go s\n',
        "for every item i: i on queue leads to i is front of queue",
    ),
}


@pytest.mark.parametrize("which", BEGINS_BEYOND)
def test_what_goes_on_for_ever_may_begin_with_a_move_that_is_cut(which: str) -> None:
    """Nothing is cut while what must happen is still to come; still a larger scope would see
    more.
    """
    for size in (1, 2):
        for found in verdicts(*BEGINS_BEYOND[which], PLAYERS, CARDS, size=size):
            is_asked_of_front = "front" in which  # of which nothing is said to grow
            assert (found.outcome, found.is_hidden) == (
                (Outcome.UNKNOWN, True) if is_asked_of_front else (Outcome.VIOLATED, False)
            )


def test_what_never_arises_is_vacuous_though_moves_are_cut() -> None:
    """A cut hides nothing of what is proved not to be there to go on."""
    stages = (
        ONLY_PUTS
        + '  must 2 "never"\n    when n is 1\n    go t\nstage t\n  must 3 "on"\n    go t\n'
    )
    assert outcome(stages, "at t leads to stack is empty") == Outcome.UNKNOWN
    proved = verdicts(stages, "at t leads to stack is empty", prover=Prover())
    assert [verdict.outcome for verdict in proved] == [Outcome.VACUOUS] * 2


SEEMING = {
    "a size is asked": (
        'stage s\n  must 1 "more"\n    when size of stack < 40\n    put bolt by active on stack\n '
        "   go s\n",
        DRAINS,
    ),
    "a size is remembered": (
        'stage s\n  must 1 "more"\n    put bolt by active on stack\n    require size of stack < '
        "30\n    go s\n",
        DRAINS,
    ),
    "items are asked for one by one": (
        'stage s\n  must 1 "more"\n    when no i in stack where kind of i is card\n    put bolt '
        "by active on stack\n"
        '    go s\n  must 2 "done"\n    when some i in stack where kind of i is card\n    game '
        "over\n",
        DRAINS,
    ),
    "a number that grows": (
        'stage s\n  must 1 "more"\n    put bolt by active on stack\n    n += 1\n    go s\n',
        DRAINS,
    ),
    "one is chosen": (
        'stage s\n  must 1 "more"\n    put card by active on pool\n    choose i in pool\n    '
        "remove i\n    put card by active on pool\n"
        "    put card by active on pool\n    go s\n",
        "pool is not empty leads to pool is empty",
    ),
    "what is below is taken": (
        'stage s\n  must 1 "two"\n    when stack is empty\n    put bolt by active on stack\n    '
        "put bolt by active on stack\n    go t\n"
        'stage t\n  must 2 "one"\n    when stack is not empty\n    resolve top of stack\n    go t\n'
        '  must 3 "over"\n    when stack is empty\n    game over\n',
        DRAINS,
    ),
    "the formula asks for a size": (ONLY_PUTS, "stack is not empty leads to size of stack > 60"),
    "the formula asks what may be done": (
        ONLY_PUTS,
        "stack is not empty leads to no clause applies",
    ),
}


@pytest.mark.parametrize("which", SEEMING)
def test_what_only_seems_to_grow_for_ever_is_not_said_to(which: str) -> None:
    stages, formula = SEEMING[which]
    for size in (1, 2, 3):
        for found in verdicts(stages, formula, PLAYERS, CARDS, size=size):
            assert found.trace is None or found.trace.growth is None
            assert found.outcome != Outcome.HOLDS or which == "what is below is taken"


def test_each_part_of_the_criterion_is_needed() -> None:
    """Twins of what grows, with one thing more by which the stretch cannot be repeated."""
    two = (
        'stage s\n  must 1 "a"\n    when not (some p in players where seen of p is yes)\n    put '
        "bolt by active on stack\n"
    )
    once = two + "    seen of active := yes\n    go s\n"
    assert outcome(once, DRAINS, size=3) == Outcome.VIOLATED  # the game has a gap, which is an end
    acts = (
        'stage s\n  priority active\n  may 1 "more"\n    put bolt on stack\n    go s\n  may 2 '
        '"pass"\n    pass\n    go over\n'
    )
    over = (
        'stage over\n  must 3 "empty it"\n    when stack is not empty\n    resolve top of stack\n '
        "   go over\n"
    )
    over += '  must 4 "over"\n    when stack is empty\n    game over\n'
    assert outcome(acts + over, DRAINS) == Outcome.VIOLATED
    assert outcome(acts + over, DRAINS, PLAYERS) == Outcome.HOLDS


def test_a_growing_play_that_was_tampered_with_is_none() -> None:
    found = verdicts(*GROWING["tops that are resolved, and come back"])[0]
    assert found.trace is not None
    interpreter = Interpreter(found.program, found.scope)
    replay(interpreter, found.trace, found.property)
    first = found.trace.growth
    assert first is not None
    card = found.trace.positions[-1]._replace(zones=())
    tampered = [
        replace(found.trace, growth=None),
        replace(found.trace, growth=len(found.trace.steps)),
        replace(found.trace, growth=first - 1),
        replace(found.trace, loop=0),
        replace(found.trace, steps=found.trace.steps[:-1]),
        replace(
            found.trace,
            steps=(*found.trace.steps[:-1], replace(found.trace.steps[-1], position=card)),
        ),
    ]
    for trace in tampered:
        with pytest.raises(ReplayError):
            replay(interpreter, trace, found.property)
    other = replace(
        found.property,
        assuming=("players",),
        body=asked(HEAD + ONLY_PUTS, "eventually stack is not empty")[1].body,
    )
    with pytest.raises(ReplayError):
        replay(interpreter, found.trace, other)


# ------------------------------------------------------------------ what a proof decides

TRIGGER = (
    'stage s\n  priority active\n  may 1 "act"\n    put bolt on stack\n    go s\n  may 2 "pass"\n '
    "   pass\n    go trigger\n"
    'stage trigger\n  must 3 "a trigger"\n    put card by active on stack\n    go fall\n'
    'stage fall\n  must 4 "the top resolves"\n    when stack is not empty\n    resolve top of '
    "stack\n    go fall\n"
    '  must 5 "on"\n    when stack is empty\n    go s\n'
)
"""The rules put an item on a stack by themselves, and it drains all the same."""


@pytest.mark.slow
def test_an_ending_that_a_cut_could_hide_is_proved_or_open(tmp_path: Path) -> None:
    program = load(Source("a.rules", HEAD + TRIGGER))
    question, scope = property_named(program, "stack_drains"), make_scope(program)
    for engine in ENGINES:
        (alone,) = check(program, [question], scope, engine=engine)
        assert (alone.outcome, alone.is_hidden) == (Outcome.UNKNOWN, True)
        assert "only a proof for every size can rule that out" in alone.reason
    for others in ([], [property_named(program, "lifo")]):
        *_, proved = check(
            program, [*others, question], scope, prover=Prover(ProofBudget(1, 1), tmp_path)
        )
        assert (proved.outcome, proved.reason, proved.is_hidden) == (Outcome.PROVED, "", False)
        assert proved.proof is not None


def test_what_is_not_proved_stays_open_and_says_why(tmp_path: Path) -> None:
    program = load(Source("a.rules", HEAD + TRIGGER))
    question, scope = property_named(program, "stack_drains"), make_scope(program)
    (found,) = check(program, [question], scope, prover=Prover(ProofBudget(1, 1, own=1), tmp_path))
    assert (found.outcome, found.is_hidden) == (Outcome.UNKNOWN, True)
    assert found.reason.endswith(f"none was found: {found.unproved}")


@pytest.mark.slow
def test_a_ranking_is_enough_where_only_ends_are_not_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That no play ends too soon is seen within the scope. The scope is taken to hide something
    here; a ranking says that it does not.
    """
    monkeypatch.setattr("stacklaw.checker.explicit.decide.may_hide", lambda *_: True)
    program = load_game("stack", {"combat": "yes"})
    (found,) = check(
        program,
        [property_named(program, "stack_drains")],
        make_scope(program),
        prover=Prover(SMALL, tmp_path),
    )
    assert (found.outcome, found.is_hidden, found.reason) == (Outcome.HOLDS, False, "")
    assert found.unproved.startswith("a play may end before what must eventually happen")


def test_only_what_is_put_by_moves_that_may_be_made_again_and_again_can_hide_something() -> None:
    program = load(Source("a.rules", HEAD + TRIGGER))
    assert [goes_on(clause, ("players",)) for _, clause in program.clauses] == [
        False,
        True,
        True,
        True,
        True,
    ]
    assert all(goes_on(clause, ("cards",)) for _, clause in program.clauses)
    assert puts_without_end(program, ("players", "cards"))
    by_cards = (
        'stage s\n  must 1 "luck"\n    maybe "it happens"\n      put bolt by active on stack\n    '
        "go s\n"
    )
    program = load(Source("a.rules", HEAD + by_cards))
    assert puts_without_end(program, ())
    assert puts_without_end(program, ("players",))
    assert not puts_without_end(program, ("cards",))


def test_what_is_put_once_for_each_act_of_a_player_hides_nothing_where_players_end() -> None:
    """The rules put it, but nothing leads to it except what players do; where the rules lead back
    to it, it is again and again.
    """
    once = (
        'stage s\n  priority active\n  may 1 "buy"\n    go paying\n  must 2 "wait"\n    go '
        's\n\nstage paying\n  must 3 "it comes"\n'
    )
    put = "    put bolt by active on stack\n    go s\n"
    program = load(Source("a.rules", HEAD + once + put))
    assert puts_without_end(program, ())
    assert puts_without_end(program, ("cards",))
    assert not puts_without_end(program, ("players",))
    program = load(
        Source("a.rules", HEAD + once.replace('"wait"\n    go s', '"wait"\n    go paying') + put)
    )
    assert puts_without_end(program, ("players", "cards"))


# ------------------------------------------------------------------ what no play fits

IDLE = 'stage s\n  priority active\n  may 1 "do nothing at all"\n    go s\n'


@pytest.mark.parametrize("name", ["turn_ends", "round_ends"])
def test_an_ending_that_no_play_fits_is_vacuous(name: str) -> None:
    program = load(Source("a.rules", HEAD + IDLE))
    for engine in ENGINES:
        (found,) = check(
            program, [property_named(program, name)], make_scope(program), engine=engine
        )
        assert found.outcome == Outcome.VACUOUS
        assert found.reason.startswith(
            "because no play fits what it assumes, that players and cards act only finitely often"
        )
    assert (
        outcome(IDLE, "not game is over leads to turn ends") == Outcome.VIOLATED
    )  # nothing is assumed


def test_one_play_that_fits_is_enough() -> None:
    passing = IDLE + '  may 2 "pass"\n    pass\n    advance\n    go s\n'
    assert outcome(passing, "not game is over leads to turn ends", PLAYERS) == Outcome.HOLDS
    ending = IDLE + '  may 2 "give up"\n    game over\n'
    assert (
        outcome(ending, "not game is over leads to turn ends or game is over", PLAYERS)
        == Outcome.HOLDS
    )
    two = (
        'stage s\n  priority active\n  may 1 "act"\n    go t\nstage t\n  must 2 "back"\n    go s\n'
    )
    assert outcome(two, "not game is over leads to turn ends", PLAYERS) == Outcome.VACUOUS


def test_what_happens_on_plays_that_do_not_fit_is_asked_of_something() -> None:
    """Somebody has to act in every turn, and no play fits; still every turn ends if they do."""
    acting = 'stage s\n  priority active\n  may 1 "end the turn"\n    advance\n    go s\n'
    assert outcome(acting, "not turn ends leads to turn ends", PLAYERS) == Outcome.HOLDS


def test_where_only_cuts_keep_it_open_nothing_is_said() -> None:
    filling = 'stage s\n  priority active\n  may 1 "act"\n    put bolt on stack\n    go s\n'
    assert outcome(filling, "not game is over leads to turn ends", PLAYERS) == Outcome.UNKNOWN
    found = verdicts(filling, "not game is over leads to turn ends", PLAYERS)[0]
    assert "no play was found that fits what it assumes" in found.reason


def test_a_play_beyond_every_scope_fits() -> None:
    assert outcome(ONLY_PUTS, "eventually stack is not empty", PLAYERS) == Outcome.HOLDS


# ------------------------------------------------------------------ random games

GUARDS = [
    "", "when stack is empty", "when stack is not empty", "when queue is not empty", "when n < 2",
    "when size of stack < 3", "when stack is empty or kind of top of stack is bolt",
    "when some i in pool where kind of i is card",
]  # fmt: skip
DEEDS = [
    "put bolt by active on stack", "put card by active on stack", "put bolt by active on queue",
    "put card by active on pool", "n := 1 - n", "advance",
    "if stack is not empty\n      resolve top of stack",
    "if queue is not empty\n      move front of queue to stack",
    "if stack is not empty\n      move top of stack to pool",
    "if queue is not empty\n      remove front of queue", "require size of queue < 4",
    "maybe put bolt by active on stack",
]  # fmt: skip
ENDINGS = [
    DRAINS, "queue is not empty leads to queue is empty", "eventually game is over",
    "not turn ends leads to turn ends", "for every item i: i on stack leads to i leaves stack",
    "n is 1 leads to n is 0", "pool is not empty leads to size of stack > 3",
]  # fmt: skip


@st.composite
def growing_games(draw: st.DrawFn) -> str:
    """Return the stages of a game in which zones may grow."""
    lines = []
    for stage in ("s", "t"):
        lines.append(f"stage {stage}\n  priority active")
        for number in range(draw(st.integers(1, 2))):
            mode = draw(st.sampled_from(["must", "must", "may", "chance"]))
            by = " by active" if mode == "must" else ""
            lines.append(f'  {mode} {stage}{number} "a clause"')
            lines += [f"    {guard}" for guard in [draw(st.sampled_from(GUARDS))] if guard] + [
                "    by active"
            ] * bool(by)
            lines += [f"    {deed}" for deed in draw(st.lists(st.sampled_from(DEEDS), max_size=3))]
            lines += ["    pass"] * draw(st.booleans()) if mode == "may" else []
            lines.append(
                "    go t"
                if (stage, number) == ("s", 0)
                else f"    {draw(st.sampled_from(['go s', 'go t', 'game over']))}"
            )
    return "\n".join(lines) + "\n"


@pytest.mark.slow
@given(
    growing_games(),
    st.sampled_from(ENDINGS),
    st.sampled_from([(), (PLAYERS,), (CARDS,), (PLAYERS, CARDS)]),
)
@tries(40)
def test_random_games_that_grow(stages: str, formula: str, assuming: tuple[str, ...]) -> None:
    """What grows for ever can be made again five times; what holds without any cut breaks in no
    larger scope; and the engines agree.
    """
    program, question = asked(HEAD + stages, *assuming, formula)
    found: dict[int, Verdict] = {}
    for size in (1, 2, 4):
        scope = Scope(2, tuple((zone.name, size) for zone in program.zones))
        one, other = (check(program, [question], scope, engine=engine)[0] for engine in ENGINES)
        assert (one.outcome, one.reason, one.is_hidden) == (
            other.outcome,
            other.reason,
            other.is_hidden,
        )
        found[size] = one
        if one.trace is not None and one.trace.growth is not None:
            replay_growth(Interpreter(program, one.scope), one.trace, question, times=5)
    event(
        ", ".join(
            "growth" if one.trace and one.trace.growth is not None else str(one.outcome)
            for one in found.values()
        )
    )
    for size, larger in ((1, 2), (1, 4), (2, 4)):
        if found[size].outcome == Outcome.HOLDS and not found[size].counts.cut:
            assert found[larger].outcome == Outcome.HOLDS
