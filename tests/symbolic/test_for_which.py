"""For which values of open options a property is proved: as if each was asked by itself, and never
too many; certificates say which.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.symbolic.certificate.certificate import certificate
from stacklaw.checker.symbolic.certificate.certify import check
from stacklaw.checker.symbolic.certificate.recheck import Rejected, recheck
from stacklaw.checker.symbolic.certificate.stated import Stated
from stacklaw.checker.symbolic.explain.dependencies import rests_on
from stacklaw.checker.symbolic.explain.words import in_words
from stacklaw.checker.symbolic.options.for_which import CaseProofs, prove_for_which
from stacklaw.checker.symbolic.options.witness import values_of_play, witness
from stacklaw.checker.symbolic.position.sorts import option_cell
from stacklaw.checker.symbolic.prove import Proof, precisions, prove
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.options.cases import Case, cases_of
from stacklaw.models.options.configure import begins_in_range, cases_in, configure
from stacklaw.models.source import Source
from stacklaw.models.storage.digests import digest
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named

from ..luck import tries
from ..rulesets import PASS, RESOLVE, SPELLS, TABLE, encode
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .judge import REFUTED, Judge
from .second_solver import answers_of_cvc5
from .test_mutations import PHASES, refuted

LITTLE = 1_000_000
HAND = f"""\
game "Hand"
{TABLE}
option cards "cards in hand" from 0 to 9 default 2
option most "how many may be held" from 3 to 6 default 5
option answers "who may answer"
  all "everybody"
  active_player "the active player"
  none "nobody"
{SPELLS}
state
  hand : 0 to most = cards
  drawn : 0 to cards
stage decide(holder: player) "a player has priority"
  priority holder
  may 1.1 "cast a spell"
    when hand > 0
    when stack is empty or answers is all or (answers is active_player and holder is active)
    put spell on stack
    hand -= 1
    go decide(holder)
{PASS}{RESOLVE}
    if some n in 1 to cards where n > 4
      drawn := 1
    go decide(active)
claims
  holds alone
    never (size of stack > 1)
  holds few
    never drawn is 1
  holds gone
    never (hand > 3 or hand < cards - 3 and stack is empty and answers is none)
"""


def asked(text: str, name: str, *names: str) -> tuple[ir.Program, f.Property]:
    program = load(Source("hand.rules", text), {}, names)
    return program, property_named(program, name)


def playable(program: ir.Program) -> list[Case]:
    return [case for case in cases_of(program.open_options) if begins_in_range(program, case)]


def proved(found: CaseProofs) -> set[Case]:
    return {case for _, cases in found.proofs for case in cases}


def settled(program: ir.Program, case: Case) -> ir.Program:
    """Return *program* where the options left open have the values of *case*."""
    settings = {name: str(value) for name, value in program.settings}
    return configure(
        program,
        settings
        | {
            option.name: str(value)
            for option, value in zip(program.open_options, case, strict=True)
        },
    )


# ------------------------------------------------------------------ the values


@pytest.mark.slow
def test_the_values_are_those_for_which_it_holds() -> None:
    """Several numbers and names, one proof of all cases together, and neither more nor fewer than
    the search has.
    """
    for name, names in (
        ("alone", ("cards", "answers")),
        ("few", ("cards", "most")),
        ("gone", ("answers", "cards")),
    ):
        program, question = asked(HAND, name, *names)
        cases = playable(program)
        found = prove_for_which(program, question, cases, LITTLE)
        games = {case: settled(program, case) for case in cases}
        broken = {
            case
            for case, game in games.items()
            if Judge(game, 2, 3).outcome(property_named(game, name)) in REFUTED
        }
        assert proved(found) == set(cases) - broken
        assert found.unproved.keys() == broken
        assert len(found.proofs) == 1
        assert 1 < len(broken) < len(cases) - 1


def test_there_is_no_game_where_a_number_begins_outside_its_range() -> None:
    program, _ = asked(HAND, "few", "cards", "most")
    assert [case for case in cases_of(program.open_options) if case[1] == 5 and not begins_in_range(program, case)] == [
        (6, 5), (7, 5), (8, 5), (9, 5)
    ]  # fmt: skip


def test_a_play_that_breaks_it_tells_the_values() -> None:
    program, question = asked(HAND, "few", "cards")
    system = encode(program, question, precisions(program, question)[0])
    cells = [option_cell("cards")]
    found = witness(system, cells, LITTLE)
    assert found is not None
    assert (found.values, found.stages[0], found.stages[-1]) == ((5,), "decide", "resolve")
    assert sorted(values_of_play(system, cells, found, 20)) == [(5,)]
    assert witness(replace(system, given=cells[0] < 5), cells, LITTLE) is None


@pytest.mark.slow
def test_what_must_happen_some_day() -> None:
    """Measures are found for all values, or for some of them."""
    again = "    resolve top of stack\n    if answers is all\n      put spell by active on stack\n"
    program, question = asked(
        HAND.replace("    resolve top of stack\n", again), "stack_drains", "answers"
    )
    found = prove_for_which(program, question, playable(program), 5 * LITTLE)
    ((proof, cases),) = found.proofs
    assert cases == (("active_player",), ("none",))
    assert found.unproved.keys() == {("all",)}
    assert check(certificate(proof)).when == "answers is not all"
    anew = recheck(program, question, Stated(certificate(proof)))
    assert isinstance(anew, Proof), anew.reason
    assert certificate(anew) == certificate(proof)


# ------------------------------------------------------------------ certificates


@pytest.mark.slow
def test_a_certificate_says_for_which_values_it_is() -> None:
    program, question = asked(HAND, "alone", "cards", "answers")
    ((proof, cases),) = prove_for_which(program, question, playable(program), LITTLE).proofs
    assert cases_in(proof.program) == list(cases)
    text = certificate(proof)
    when = "cards is at most 1, or cards is 2 to 5 and answers is none"
    assert f"; when: {when}\n" in text
    assert check(text).is_valid
    assert check(text).when == when
    assert answers_of_cvc5(text) == ["unsat"] * text.count("(check-sat)")
    assert "1.1" in (rests_on(proof) or ())
    assert any("cards" in sentence for sentence in in_words(proof))
    again = recheck(program, question, Stated(text))
    assert isinstance(again, Proof), again.reason
    assert certificate(again) == text


def test_a_wider_condition_is_rejected() -> None:
    program, question = asked(HAND, "few", "cards")
    ((proof, cases),) = prove_for_which(program, question, playable(program), LITTLE).proofs
    assert cases == tuple((number,) for number in range(5))
    text = certificate(proof)
    condition = "((|option cards| Int)) Bool\n  (not (< 4 |option cards|))"
    assert text.count(condition) == 1
    body = text.replace(condition, condition.replace("4", "9")).rpartition("; sha256: ")[0]
    assert check(f"{body}; sha256: {digest(body)}\n").wrong.startswith(
        "the obligation fails: initial of where a play begins"
    )
    assert "sat" in answers_of_cvc5(body)
    wider = recheck(program, question, Stated(body))
    assert isinstance(wider, Rejected)
    assert "the obligation fails: initial of where a play begins" in wider.reason
    assert (
        "changed"
        in check(text.replace("; when: cards is at most 4", "; when: cards is at most 9")).wrong
    )


# ------------------------------------------------------------------ as if each was asked by itself

GAMES = [
    ("mtg", "response_window", ("last_pass",)), ("stack", "STK-22/window", ("idle",)), ("zx", "ZX-10/settled", ("points", "main_again")),
    ("fow", "single_holder", ("additions",)), ("fftcg", "nobody_while_resolving", ("round",)),
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(("game", "name", "names"), GAMES)
def test_the_games(game: str, name: str, names: tuple[str, ...]) -> None:
    program = load_game(game, {}, names)
    found = prove_for_which(
        program, property_named(program, name), cases_of(program.open_options), LITTLE
    )
    for case in cases_of(program.open_options):
        alone = settled(program, case)
        question = property_named(alone, name)
        assert (case in proved(found)) == isinstance(prove(alone, question, LITTLE), Proof)
        assert case not in proved(found) or not refuted(alone, [question], 2, 2)


# ------------------------------------------------------------------ random programs

OPTIONS = (
    ir.Option("way", "", (("a", ""), ("b", ""), ("c", "")), None, "a", ()),
    ir.Option("many", "", (), (0, 2), 1, ()),
)


def opened(program: ir.Program, seed: int) -> ir.Program:
    """Return *program* with options that decide which clauses there are, and a range."""
    chance = random.Random(seed)

    def change(node: object) -> object:
        match node:
            case ir.Clause() if chance.random() < 0.6:
                return replace(node, guard=ir.All((_asked(chance), node.guard)))
            case ir.VariableDeclaration("count"):
                return replace(node, type=ir.NumberType(ir.Literal(0), ir.OptionValue("many")))
            case _:
                return node

    changed: ir.Program = ir.rewrite(program, change)
    return replace(changed, options=OPTIONS)


def _asked(chance: random.Random) -> ir.Expr:
    if chance.random() < 0.5:
        return ir.OneOf(
            ir.OptionValue("way"), tuple(chance.sample(["a", "b", "c"], chance.randint(1, 2)))
        )
    return ir.Less(ir.OptionValue("many"), ir.Literal(chance.randint(1, 2)))


@tries(4, phases=PHASES)
@given(st.data())
def test_random_programs(data: st.DataObject) -> None:
    program = opened(data.draw(programs()), data.draw(st.integers(0, 10**6)))
    spotlights = data.draw(st.sampled_from([(), SPOTLIGHTS[2:], SPOTLIGHTS[:1]]))
    used: f.Formula = f.Uses(
        data.draw(st.sampled_from([clause.id for _, clause in program.clauses])), None
    )
    bad = data.draw(st.sampled_from([used, f.And((used, data.draw(formulas(spotlights))))]))
    question = f.Property("random", "", "", "always", spotlights, f.Not(bad), None, "")
    found = prove_for_which(program, question, cases_of(OPTIONS), LITTLE // 3)
    for case in sorted(proved(found)):
        assert not refuted(settled(program, case), [question], 2, 1), case
