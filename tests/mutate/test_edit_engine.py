"""What is decided of an edit by what is known of the original is what is decided of it by
itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from stacklaw.checker.explicit.decide import Deciding
from stacklaw.checker.explicit.edit_engine import EditEngine, KnownProgram
from stacklaw.checker.explicit.emit.emit import Emitted
from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.explicit.search.result import Result
from stacklaw.checker.mutate.edits.edits import edits_of
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.engine import Decision
from stacklaw.checker.types.scope import Scope, scope_of
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models import ir
from stacklaw.models.load import opened
from stacklaw.models.options.configure import configure
from stacklaw.models.shipped import game_source
from stacklaw.models.source import Source
from stacklaw.properties.formula import Property
from stacklaw.properties.load import claims_of

from ..diff.rules import BASE
from ..rulesets import SPELLS, TABLE

pytestmark = pytest.mark.slow

CLAIMS = """
claims
  holds lifo
  holds complete
  holds unambiguous
  holds useful_priority
  holds no_dead_clause
  holds single_holder
  holds response_window
  holds stack_drains
  holds kernel_terminates
  possible marked "somebody is marked"
    possible (size of pool is 1)
  holds turns "an act leaves priority where something can be done"
    for every player p: always (p acts implies p has priority or clause 2 is possible)
  holds whose "what is on the stack belongs to who acted once"
    for every item i, player p: always (i on stack and p is controller of i implies once p acts)
  holds answer "after a spell the other one has priority"
    for every player p: always (p uses 1 implies not p has priority)
"""


def asked_of(program: ir.Program) -> list[Property]:
    return [typed.property for typed in claims_of(program)]


def mutants(
    opened_: ir.Program, settings: dict[str, str], every: slice = slice(None)
) -> Iterator[tuple[str, ir.Program]]:
    """Yield those edits of the slice *every* that change something in this reading."""
    original = configure(opened_, settings)
    for edit in [edit for edit in edits_of(opened_) if not edit.is_refused][every]:
        mutant = configure(edit.program, settings)
        if (mutant.stages, mutant.zones) != (original.stages, original.zones):
            yield f"{edit.clause}: {edit.words}", mutant


def told(decision: Decision, moves: int) -> tuple[Outcome, int | None]:
    """What is compared: the length of a play as well where it is the shortest and what went wrong
    has one.
    """
    shows = (
        decision.outcome in (Outcome.VIOLATED, Outcome.POSSIBLE)
        and decision.question.mode != "progress"
    )
    return decision.outcome, moves if shows and not decision.reason else None


def by_itself(
    mutant: ir.Program, asked: list[Property], scope: Scope
) -> list[tuple[Outcome, int | None]]:
    found = Explicit(Interpreter).decide(mutant, asked, scope, Meter())
    return [
        told(decision, len(decision.trace.steps) if decision.trace else 0) for decision, _ in found
    ]


def by_what_is_known(
    engine: EditEngine, asked: list[Property], scope: Scope
) -> list[tuple[Outcome, int | None]]:
    found = engine.decide(engine.edited, asked, scope, Meter())
    return [
        told(decision, engine.moves(question, decision))
        for question, (decision, _) in zip(asked, found, strict=True)
    ]


@pytest.mark.parametrize("part", range(3))
def test_every_edit_is_decided_as_by_itself(part: int) -> None:
    program = opened(Source("a.rules", BASE + CLAIMS))
    original = configure(program, {})
    scope, asked = scope_of(original, None, None, {}), asked_of(original)
    known, shared = KnownProgram(original, scope, asked, Interpreter), Counter[bool]()
    for words, mutant in list(mutants(program, {}))[part::3]:
        engine = EditEngine(known, mutant)
        assert by_what_is_known(engine, asked, scope) == by_itself(mutant, asked, scope), words
        shared[engine.deciding is not None] += 1
    assert shared[True] > shared[False]


@pytest.mark.parametrize(
    ("game", "settings", "every"),
    [
        pytest.param("zx", {}, 23, marks=pytest.mark.long),
        pytest.param("stack", {"resolving": "interrupts"}, 71, marks=pytest.mark.long),
        pytest.param("mtg", {}, 67, marks=pytest.mark.long),
    ],
)
def test_edits_of_games_are_decided_as_by_themselves(
    game: str, settings: dict[str, str], every: int
) -> None:
    program = opened(game_source(game))
    original = configure(program, settings)
    scope, asked = scope_of(original, None, None, {}), asked_of(original)
    known = KnownProgram(original, scope, asked, Interpreter)
    for words, mutant in mutants(program, settings, slice(5, None, every)):
        assert by_what_is_known(EditEngine(known, mutant), asked, scope) == by_itself(
            mutant, asked, scope
        ), words


def test_what_is_known_serves_and_what_is_too_large_is_looked_for_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = opened(Source("a.rules", BASE + CLAIMS))
    original = configure(program, {})
    scope, asked = scope_of(original, None, None, {}), asked_of(original)
    searches: list[int] = []
    search = Deciding._search_group

    def counted(self: Deciding, text: Emitted, number: int, which: int) -> Result:
        searches.append(number)
        return search(self, text, number, which)

    monkeypatch.setattr(Deciding, "_search_group", counted)
    _, mutant = next(one for one in mutants(program, {}) if one[0] == "3: tally stays as it is")
    expected = by_what_is_known(
        EditEngine(KnownProgram(original, scope, asked, Interpreter), mutant), asked, scope
    )
    assert not searches
    monkeypatch.setattr("stacklaw.checker.explicit.edit_engine.MOST_KNOWN", 3)
    assert (
        by_what_is_known(
            EditEngine(KnownProgram(original, scope, asked, Interpreter), mutant), asked, scope
        )
        == expected
    )
    assert searches


WHOSE = f"""
game "A parameter that nothing asks for"
{TABLE.replace("decide(active)", "decide(active, active)")}{SPELLS}
stage decide(holder: player, other: player)
  priority holder
  may 1 "cast"
    put spell on stack
    go decide(after holder, other)
  may 2 "pass"
    pass
    if stack is not empty
      resolve top of stack
    go decide(after holder, after other)
claims
  fails one "who has priority is asked"
    for every player p: never (p has priority and size of stack is 2)
  fails another "whose move it is is asked"
    for every player p: never (p acts and size of stack is 2)
"""


def test_of_two_formulas_in_one_text_only_one_may_see_what_an_edit_brings_in() -> None:
    program = opened(Source("whose.rules", WHOSE))
    original = configure(program, {})
    scope, asked = scope_of(original, None, None, {}), asked_of(original)
    known, edits = KnownProgram(original, scope, asked, Interpreter), dict(mutants(program, {}))
    for words in ("decide: other has priority", "1: a move of other", "2: a move of other"):
        assert by_what_is_known(EditEngine(known, edits[words]), asked, scope) == by_itself(
            edits[words], asked, scope
        )


TWINS = """
option twins "whether a mark comes with a spell"
  never "never"
  ever "always"
"""


def test_an_edit_may_let_more_items_join_than_any_clause_of_this_reading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There is room for what the other readings do: so none is searched for by itself, and what the
    scope cuts of it is looked at.
    """
    twice = (
        "    put spell on stack\n    if twins is ever\n      choose p in players by active\n      "
        "put mark by p on stack\n"
    )
    text = (
        BASE.replace("stack 1", "stack 2")
        .replace("    put spell on stack\n", twice)
        .replace("\nstage decide", TWINS + "\nstage decide", 1)
    )
    program = opened(Source("a.rules", text + CLAIMS))
    original = configure(program, {})
    scope, asked = scope_of(original, None, None, {}), asked_of(original)
    ((_, mutant),) = [
        one for one in mutants(program, {}) if one[0] == "1: always as if twins is ever"
    ]
    expected = by_itself(mutant, asked, scope)
    assert expected != by_itself(original, asked, scope)
    monkeypatch.setattr(
        Deciding, "_search_group", lambda *_: pytest.fail("it is searched for by itself")
    )
    known = KnownProgram(
        original, scope, asked, Interpreter, [clause.body for _, clause in program.clauses]
    )
    assert by_what_is_known(EditEngine(known, mutant), asked, scope) == expected
