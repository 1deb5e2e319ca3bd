"""What tells two rulesets apart is what a second way finds, word by word; every play that is told
was made by the rules.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.diff.behaviour import OLD_NEW
from stacklaw.checker.diff.diff import Difference, difference, sides_of
from stacklaw.checker.diff.same import renaming_of
from stacklaw.checker.diff.side import MoveMade, PriorityGiven, unsaid
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source

from ..luck import tries
from ..strategies_ir import programs
from ..symbolic.mutations import mutations
from .brute import Words, shortest

LONGEST = 3
MOST_MOVES = 4_000


def told(old: ir.Program, new: ir.Program, scope: Scope) -> Difference:
    """Return what tells *old* from *new*, searched for even if they say the same."""
    return difference(
        old, new, (scope, scope), renaming_of(old, new, {}), Meter(Budget(positions=MOST_MOVES))
    )


def check_shortest(old: ir.Program, new: ir.Program, scope: Scope) -> bool:
    """Check that both ways agree on *old* and *new*; return whether they differ."""
    found = told(old, new, scope)
    lengths = [found.compared.separations.get(side) for side in OLD_NEW]
    within = tuple(
        None if one is None or len(one.word) > LONGEST else len(one.word) for one in lengths
    )
    played = Interpreter(old, scope), Interpreter(new, scope)
    if found.is_same:
        assert shortest(*played, LONGEST) == (None, None)
        return False
    assert within == shortest(*played, LONGEST)
    for shown in found.shown:
        for side, interpreter in zip(OLD_NEW, played, strict=True):
            check_play(Words(interpreter), shown.plays[side].steps, shown.separation.word)
    asked = old, new, (scope, scope), found.renaming
    sides, meter = sides_of(*asked, by_titles=True), Meter(Budget(positions=MOST_MOVES))
    by_titles = difference(*asked, meter, sides=sides)
    assert by_titles.shown or by_titles.compared.stopped or not found.shown
    # The same is known where what players say is not heard.
    unheard = difference(*asked, meter, sides=unsaid(sides))
    assert parted(unheard) == parted(found)
    return bool(found.shown)


def parted(found: Difference) -> object:
    """Return what *found* says but for the words, several of which may be the shortest."""
    lengths = {side: len(one.word) for side, one in found.compared.separations.items()}
    numbers = found.positions, found.compared.pairs, found.compared.cut, found.compared.stopped
    return lengths, numbers


def check_play(words: Words, steps: tuple, word: tuple) -> None:  # type: ignore[type-arg]
    """Check that a play looks like *word*, as far as that goes."""
    seen: list[object] = []
    last = frozenset[int]()
    positions = [words.interpreter.initial(), *(step.position for step in steps)]
    for position, step in zip(positions, [*steps, None], strict=True):
        if words.holders(position) not in (frozenset(), last):
            last = words.holders(position)
            seen.append(PriorityGiven(tuple(sorted(last))))
        if step is not None and (sign := words.look(step.move)) is not None:
            seen.append(sign)
    for one, sign in zip(seen, word, strict=False):
        if isinstance(sign, PriorityGiven):
            assert one == sign
            continue
        assert isinstance(sign, MoveMade)
        assert isinstance(one, tuple)
        assert one[1] == sign.owner
    assert len(seen) >= len(word)


@given(programs(), st.data())
@tries(60)
def test_random_rulesets(program: ir.Program, data: st.DataObject) -> None:
    changed = [mutant for mutant in mutations(program) if mutant.is_wellformed]
    mutant = data.draw(st.sampled_from(changed)).program if changed else program
    scope = make_scope(
        program, 2, {zone.name: data.draw(st.sampled_from([1, 1, 2])) for zone in program.zones}
    )
    try:
        check_shortest(program, mutant, scope)
    except (IndexError, RuntimeError):
        # An item is asked for where there is none, or a clause does not end: no text is so.
        return


@pytest.mark.parametrize("game", ["mtg", "stack"])
def test_mutants_of_games(game: str) -> None:
    program = load_game(game)
    scope = make_scope(program, 2, {zone.name: 1 for zone in program.zones})
    differ = 0
    for mutant in mutations(program)[::60]:
        if mutant.is_wellformed:
            differ += check_shortest(program, mutant.program, scope)
    assert differ > 0


ARGUMENTS = """\
game "Arguments"
source "a test"
players 2
scope players 2, stack 1
start first

items
  spell "spell"

zones
  stack last in first out

stage first "there is a choice"
  priority active

  may 1 "go on"
    go second(1)

  may 2 "cast, and go on"
    when stack is empty
    put spell on stack
    go second(2)

stage second(way: 0 to {most}) "what was chosen"
  priority active

  may 3 "back"
    go first
"""


def test_what_a_stage_can_begin_with_is_asked_where_a_clause_goes_there() -> None:
    """Both rulesets write the clause alike; in one it leads nowhere."""
    old, new = (load(Source("a.rules", ARGUMENTS.format(most=most))) for most in (1, 2))
    assert check_shortest(old, new, make_scope(old))
