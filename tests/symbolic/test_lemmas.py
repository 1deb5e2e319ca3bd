"""Lemmas: what is proved with one that is not without it, and that none that is false ever
helps.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.run.check import check as decide
from stacklaw.checker.symbolic import prove as proving
from stacklaw.checker.symbolic.certificate.certificate import certificate
from stacklaw.checker.symbolic.certificate.certify import check
from stacklaw.checker.symbolic.certificate.recheck import Rejected, recheck
from stacklaw.checker.symbolic.certificate.stated import Stated
from stacklaw.checker.symbolic.encoding.encode import instances, renamed
from stacklaw.checker.symbolic.explain.dependencies import rests_on
from stacklaw.checker.symbolic.explain.words import in_words
from stacklaw.checker.symbolic.liveness import termination
from stacklaw.checker.symbolic.liveness.termination import Termination, prove_progress
from stacklaw.checker.symbolic.prove import Proof, Unproved, precisions, prove
from stacklaw.checker.symbolic.safety import suggest as suggesting
from stacklaw.checker.symbolic.safety.horn import HornResult
from stacklaw.checker.symbolic.solver import terms as t
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models import ir
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.load import claims_of

from ..luck import tries
from ..rulesets import properties_in
from ..strategies_ir import SPOTLIGHTS, formulas, programs
from .second_solver import answers_of_cvc5
from .test_mutations import PHASES, refuted

LITTLE = 2_000_000
COPIES = """\
game "Copies"
players 2 or more
scope players 2, stack 3, copies 3
start play
items
  spell "spell"
zones
  stack last in first out
  copies in any order
stage play
  priority active
  may 1.1 "an item is played"
    put spell on stack
    go copy
  may 1.2 "all is undone"
    go undo
stage copy
  must 2.1 "whatever is played is copied"
    put spell by active on copies
    go play
stage undo
  must 3.1 "the top item resolves, and a copy goes with it"
    when stack is not empty and copies is not empty
    resolve top of stack
    choose c in copies
    remove c
    go undo
  must 3.2 "until nothing is left"
    when stack is empty
    go play
claims
  holds undone
    never (at undo and stack is empty and copies is not empty)
  lemma paired
    always (not at copy implies size of stack is size of copies)
  fails full
    never (at undo and size of stack is 3)
  fails more
    always size of stack is size of copies
  holds back
    at undo leads to at play
  fails away
    at play leads to at undo
"""
FALSE = [
    "never (at undo and size of stack > 0)",
    "always stack is empty",
    "for every item i: never i on stack",
    "never at copy",
]


def copies() -> tuple[ir.Program, dict[str, f.Property]]:
    program = load(Source("copies.rules", COPIES))
    return program, {typed.property.name: typed.property for typed in claims_of(program)}


def lemmas_of(program: ir.Program, *formulas: str) -> tuple[f.Property, ...]:
    text = "".join(
        f'lemma l{number} "a lemma"\n  {formula}\n' for number, formula in enumerate(formulas)
    )
    return tuple(replace(one, lemmas=()) for one in properties_in(Source("a.props", text), program))


# ------------------------------------------------------------------ what they are for


@pytest.mark.slow
def test_a_lemma_makes_a_proof_succeed_that_stands_by_itself() -> None:
    program, asked = copies()
    assert [lemma.name for lemma in asked["undone"].lemmas] == ["paired"]
    assert isinstance(prove(program, replace(asked["undone"], lemmas=()), 4 * LITTLE), Unproved)
    found = prove(program, asked["undone"], 4 * LITTLE)
    assert isinstance(found, Proof)
    assert found.lemmas == ("paired",)
    assert "at play and undo: size of stack >= size of copies" in in_words(found)
    assert rests_on(found) == ("1.1", "3.1")
    text = certificate(found)
    assert "paired" in text
    assert check(text).is_valid
    assert answers_of_cvc5(text) == ["unsat"] * text.count("(check-sat)")


@pytest.mark.slow
def test_a_lemma_helps_what_must_eventually_happen() -> None:
    """No undoing is stuck, for there is a copy for each item; and the ranking alone does not say
    so.
    """
    program, asked = copies()
    question = asked["back"]
    assert isinstance(prove_progress(program, replace(question, lemmas=()), LITTLE), Unproved)
    question = replace(
        question,
        lemmas=(*question.lemmas, *lemmas_of(program, "always (at copy implies once clause 1.1)")),
    )
    found = prove_progress(program, question, 4 * LITTLE)
    assert isinstance(found, Termination)
    assert found.lemmas == ("paired", "l0")
    text = certificate(found)
    assert check(text).is_valid
    assert answers_of_cvc5(text) == ["unsat"] * text.count("(check-sat)")
    again = recheck(program, question, Stated(text))
    assert isinstance(again, Termination)
    assert again.lemmas == ("paired", "l0")
    assert isinstance(
        recheck(program, replace(question, lemmas=()), Stated(text)), Rejected
    )  # what they remember is no cell


def test_what_is_easy_is_proved_without() -> None:
    program, asked = copies()
    found = prove(program, replace(asked["paired"], lemmas=lemmas_of(program, *FALSE)))
    assert isinstance(found, Proof)
    assert found.lemmas == ()


def test_what_is_easy_and_must_eventually_happen_is_proved_without_and_comes_back_so() -> None:
    program, _ = copies()
    (question,) = properties_in(
        Source("a.props", 'property soon "a copy is made at once"\n  at copy leads to at play\n'),
        program,
    )
    question = replace(question, lemmas=lemmas_of(program, *FALSE))
    found = prove_progress(program, question)
    assert isinstance(found, Termination)
    assert found.lemmas == ()
    again = recheck(program, question, Stated(certificate(found)))
    assert isinstance(again, Termination)
    assert certificate(again) == certificate(found)


def test_a_lemma_that_fails_is_told_with_its_play() -> None:
    program = load(Source("copies.rules", COPIES.replace("  fails more", "  lemma more")))
    question = next(typed.property for typed in claims_of(program) if typed.property.name == "more")
    (verdict,) = decide(program, [question], make_scope(program), engine=Reference())
    assert verdict.outcome == Outcome.VIOLATED
    assert verdict.trace is not None
    assert [step.move.clause for step in verdict.trace.steps] == ["1.1"]


@pytest.mark.slow
@pytest.mark.parametrize(("above", "is_proved"), [("j", True), ("i", False)])
def test_candidates_tell_which_of_two_items_leaves_first(
    above: str, is_proved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, _ = copies()
    body = (
        f"never (i resolves and j on stack and once ({above} is put on stack and previously (i on "
        "stack or j on stack)))"
    )
    (question,) = lemmas_of(program, f"for every item i, item j: {body}")
    monkeypatch.setattr(suggesting, "search", lambda *_: HornResult(None, "not asked"))
    monkeypatch.setattr(suggesting, "induct", lambda *_: HornResult(None, "not asked"))
    monkeypatch.setattr(suggesting, "_FIRST", 0)
    found = prove(program, question, 10_000_000)
    assert isinstance(found, Proof) == is_proved


# ------------------------------------------------------------------ what they must never do


@pytest.mark.parametrize("name", ["full", "more", "undone"])
def test_a_false_lemma_does_not_help(name: str) -> None:
    program, asked = copies()
    question = replace(asked[name], lemmas=lemmas_of(program, *FALSE))
    found = prove(program, question, LITTLE // 10)
    assert isinstance(found, Unproved)


def test_a_false_lemma_does_not_help_what_never_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        termination, "attempts_at", lambda asked, _: [asked]
    )  # not first without the lemmas
    program, asked = copies()
    for lemmas in (*([one] for one in lemmas_of(program, *FALSE)), asked["back"].lemmas):
        found = prove_progress(program, replace(asked["away"], lemmas=tuple(lemmas)), LITTLE // 4)
        assert isinstance(found, Unproved)


@pytest.mark.parametrize(("name", "said"), [("away", t.FALSE), ("away", t.TRUE), ("back", t.FALSE)])
def test_what_a_lemma_s_proof_suggests_of_a_ranking_is_not_believed(
    name: str, said: t.Bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing is possible every ranking would do."""
    program, asked = copies()
    monkeypatch.setattr(termination, "attempts_at", lambda asked, _: [asked])
    monkeypatch.setattr(
        suggesting, "search", lambda *_: HornResult(dict.fromkeys(("play", "copy", "undo"), said))
    )
    monkeypatch.setattr(suggesting, "_values_alone", lambda *_: None)
    found = prove_progress(
        program, replace(asked[name], lemmas=lemmas_of(program, *FALSE)), LITTLE // 4
    )
    assert isinstance(found, Unproved)


def test_nothing_rests_on_itself() -> None:
    program, asked = copies()
    for name in ("full", "undone"):
        itself = replace(asked[name], lemmas=())
        assert isinstance(prove(program, replace(itself, lemmas=(itself,)), LITTLE // 10), Unproved)


@pytest.mark.parametrize("said", [t.FALSE, t.TRUE])
def test_what_a_lemma_s_proof_suggests_is_not_believed(
    said: t.Bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, asked = copies()
    everything = HornResult(dict.fromkeys(("play", "copy", "undo"), said))
    for who in ("search", "induct"):
        monkeypatch.setattr(suggesting, who, lambda *_: everything)
    found = prove(program, replace(asked["full"], lemmas=lemmas_of(program, *FALSE)), LITTLE)
    assert isinstance(found, Unproved)
    assert "does not meet its obligation" in found.reason


def check_random(data: st.DataObject) -> bool:
    """Check that a random question, with random lemmas, is not proved if a play refutes it; return
    whether a proof has lemmas.
    """
    program = data.draw(programs())
    spotlights = data.draw(st.sampled_from([(), SPOTLIGHTS[2:], SPOTLIGHTS[:1] + SPOTLIGHTS[2:]]))
    lemmas = []
    for number in range(data.draw(st.integers(1, 2))):
        watched = data.draw(st.sampled_from([(), SPOTLIGHTS[2:], SPOTLIGHTS[:1]]))
        lemmas.append(
            f.Property(
                f"l{number}",
                "",
                "",
                "always",
                watched,
                f.Not(data.draw(formulas(watched))),
                None,
                "",
            )
        )
    body = f.Not(data.draw(formulas(spotlights)))
    question = f.Property(
        "random", "", "", "always", spotlights, body, None, "", lemmas=tuple(lemmas)
    )
    found = refuted(program, [question, *lemmas], 2, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            proving, "attempts_at", lambda asked, _: [asked]
        )  # not first without the lemmas
        patch.setattr(
            proving,
            "precisions",
            lambda program, asked: [data.draw(st.sampled_from(precisions(program, asked)))],
        )
        answer = prove(program, question, 60_000)
    if isinstance(answer, Unproved):
        return False
    assert question not in found
    assert not [lemma for lemma in lemmas if lemma.name in answer.lemmas and lemma in found]
    return bool(answer.lemmas)


@given(st.data())
@tries(8, phases=PHASES)
def test_random_lemmas(data: st.DataObject) -> None:
    check_random(data)


@pytest.mark.rare
@pytest.mark.long
def test_many_random_lemmas() -> None:
    used = []

    @given(st.data())
    @tries(48, phases=PHASES)
    def check_one(data: st.DataObject) -> None:
        used.append(check_random(data))

    check_one()
    assert sum(used) >= 2


# ------------------------------------------------------------------ of whom they speak


def test_a_lemma_speaks_of_whoever_is_watched() -> None:
    program, _ = copies()
    (lemma,) = lemmas_of(
        program, "for every player q, item j: never (q has priority and j on copies and j resolves)"
    )
    assert instances(lemma) == (lemma.spotlights, ())
    text = (
        'property a "a"\n  for every item i, item j, player p:\n    never (i resolves and j '
        "resolves and p has priority)\n"
    )
    (question,) = properties_in(Source("a.props", text), program)
    watched, said = instances(replace(question, lemmas=(lemma,)))
    assert watched == question.spotlights
    assert [one.formula for one in said] == [
        renamed(lemma.body, {"q": "p", "j": item}) for item in ("i", "j")
    ]


def test_more_are_watched_where_a_lemma_speaks_of_more() -> None:
    program, _ = copies()
    lemmas = lemmas_of(
        program,
        "for every player p, player q: never (p has priority and q has priority and p is not q)",
        "for every item p: never (p on stack and p on copies)",
    )
    (question,) = properties_in(
        Source(
            "a.props", 'property a "a"\n  for every player p:\n    never (p acts and at undo)\n'
        ),
        program,
    )
    watched, said = instances(replace(question, lemmas=lemmas))
    assert [(one.kind, one.name) for one in watched] == [
        ("player", "p"),
        ("player", "q"),
        ("item", "p2"),
    ]
    assert len(said) == 3  # who is p and who q; and the item
    assert said[2].formula == renamed(lemmas[1].body, {"p": "p2"})


def test_what_a_formula_names_within_itself_stays_apart() -> None:
    program, _ = copies()
    (lemma,) = lemmas_of(
        program, "for every player q: never some p in players where (p is active and q is p)"
    )
    new = renamed(lemma.body, {"q": "p"})
    assert [node.variable for node in ir.walk(new) if isinstance(node, ir.Exists)] == ["p1"]
    names = sorted(node.name for node in ir.walk(new) if isinstance(node, ir.Local))
    assert names == ["p", "p1", "p1"]
