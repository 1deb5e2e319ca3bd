"""Certificates held against the rules: only the invariant and the ranking are theirs, and nothing
else of the file is believed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from stacklaw.checker.process.serving import answer_in
from stacklaw.checker.prover.handler import do
from stacklaw.checker.prover.request import NODES, Rechecked, ToRecheck, request_data
from stacklaw.checker.questions.digests import property_digest, rules_digest
from stacklaw.checker.symbolic.certificate.certificate import certificate
from stacklaw.checker.symbolic.certificate.certify import check
from stacklaw.checker.symbolic.certificate.recheck import Rejected, opinion, recheck
from stacklaw.checker.symbolic.certificate.smtlib import commands, symbol
from stacklaw.checker.symbolic.certificate.stated import Stated
from stacklaw.checker.symbolic.liveness.termination import prove_progress
from stacklaw.checker.symbolic.prove import Proof, prove
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source
from stacklaw.properties.load import catalogue_for, property_named

from ..rulesets import ONE_PASS

UNITS = 4_000_000
NAMES = [entry.name for entry in catalogue_for(load(Source("a.rules", ONE_PASS)))]
ENDS = ("stack_drains", "kernel_terminates")
GAMES = [
    ("stack", "response_window"),
    ("mtg", "complete"),
    ("zx", "hold_priority"),
    ("fftcg", "single_holder"),
    ("fow", "single_holder"),
]


def rules(text: str = ONE_PASS) -> ir.Program:
    return load(Source("a.rules", text))


@cache
def proof(name: str) -> Proof | None:
    """Return the proof of a property of One pass, None if there is none."""
    return proved(rules(), name)


def proved(program: ir.Program, name: str) -> Proof | None:
    question = property_named(program, name)
    found = (prove_progress if question.mode == "progress" else prove)(program, question, 3 * UNITS)
    return found if isinstance(found, Proof) else None


def text_of(name: str) -> str:
    found = proof(name)
    assert found is not None
    return certificate(found)


def said(text: str, name: str, of: ir.Program | None = None) -> str:
    """Return why *text* does not prove the property *name*, empty if it does."""
    program = of or rules()
    found = recheck(program, property_named(program, name), Stated(text))
    return found.reason if isinstance(found, Rejected) else ""


def with_function(text: str, name: str, body: str) -> str:
    """Return *text* with *body* as that of each function whose name begins with *name*."""
    changed, times = re.subn(
        rf"(\(define-fun \|{name}[^\n]*\) (?:Bool|Int)\n)(?:  .*\n)+?(?=\n|\(define-fun|; )",
        rf"\g<1>  {body})\n",
        text,
    )
    assert times
    return changed


# ---------------------------------------------------------------------- there and back


def holds_both_ways(program: ir.Program, found: Proof) -> None:
    """Check that the certificate of *found* is what the rules give for its invariant, to the
    letter, and valid by itself.
    """
    text = comes_back(program, found)
    for command in commands(text):
        if command[0] == "define-fun":
            assert text.count(f"|{symbol(command[1])}|") > 1 or " " not in symbol(command[1]), (
                f"nobody uses {command[1]}"
            )


def comes_back(program: ir.Program, found: Proof) -> str:
    """Return the certificate of *found*, which is what the rules give for what is taken from it, to
    the letter, and valid by itself.

    `test_ends` asks it of the rankings of the games.
    """
    text = certificate(found)
    again = recheck(program, property_named(program, found.question.name), Stated(text))
    assert isinstance(again, Proof), again.reason
    assert certificate(again) == text
    assert check(text).is_valid
    return text


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_proof_of_a_game_comes_back(name: str) -> None:
    found = proof(name)
    if found is None:
        pytest.skip("there is no proof of it")
    holds_both_ways(rules(), found)
    seen = opinion(certificate(found))
    assert seen is None or (seen.agrees and not seen.refuted)


def test_there_are_proofs_of_both_kinds() -> None:
    found = [name for name in NAMES if proof(name) is not None]
    assert len(found) > 6
    assert {*ENDS} & {*found}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), GAMES)
def test_proofs_of_the_games_come_back(game: str, name: str) -> None:
    program = load_game(game)
    found = proved(program, name)
    assert found is not None
    holds_both_ways(program, found)


# ---------------------------------------------------------------------- what it binds


def test_the_digest_of_rules_is_of_what_a_play_can_see() -> None:
    plain = rules_digest(rules())
    for old, new in (
        ('"cast a spell"', '"play it"'),
        ('game "One pass"', 'game "Another name"  # and a comment'),
        ("    put spell on stack\n", "    put   spell on stack\n\n"),
        ("scope players 2, stack 2", "scope players 2, stack 1"),
    ):
        changed = ONE_PASS.replace(old, new)
        assert changed != ONE_PASS
        assert rules_digest(rules(changed)) == plain
    assert rules_digest(replace(rules(), name="b")) == plain
    for old, new in (
        ("players 2 or more", "players 2"),
        ("go decide(after holder)", "go decide(before holder)"),
        ("last in first out", "first in first out"),
        ("may 1.1", "may 1.4"),
        ("spell  ", "card  "),
        ("    go decide(holder)\n", "    go decide(active)\n"),
    ):
        changed = ONE_PASS.replace(old, new)
        if "card" in new:
            changed = changed.replace("put spell", "put card")
        if "first in first out" in new:
            changed = changed.replace("top of stack", "front of stack")
        assert rules_digest(rules(changed)) != plain, new


def test_the_digest_of_rules_has_the_settings_of_options() -> None:
    assert len({rules_digest(load_game(name)) for name in ("mtg", "mtg@leaving=yes", "zx")}) == 3


def test_the_digest_of_a_property_is_of_what_it_asks() -> None:
    program = rules()
    digests = {property_digest(property_named(program, name)) for name in NAMES}
    assert len(digests) == len(NAMES)
    lifo = property_named(program, "lifo")
    assert property_digest(
        replace(lifo, name="other", title="other", why="other", text="other")
    ) == property_digest(lifo)


def test_a_certificate_names_what_it_binds() -> None:
    text = text_of("lifo")
    assert f"\n; rules: sha256:{rules_digest(rules())}\n" in text
    assert f"\n; asked: sha256:{property_digest(property_named(rules(), 'lifo'))}\n" in text
    assert re.search(r"\n; engine: stacklaw [^\n]*, sha256:[0-9a-f]{64}\n", text)


# ---------------------------------------------------------------------- what is changed is noticed


def test_an_edit_of_the_rules_is_proved_anew_or_refused() -> None:
    """The invariant of the old rules is held against the new ones."""
    text = text_of("lifo")
    more = ONE_PASS.replace(
        "stage resolve",
        '  may 1.5 "pass and stay"\n    pass\n    go decide(holder)\n\nstage resolve',
    )
    assert said(text, "lifo", rules(more)) == ""
    queue = ONE_PASS.replace("last in first out", "first in first out").replace(
        "top of stack", "front of stack"
    )
    assert said(text, "lifo", rules(queue))


def test_a_certificate_of_another_property_does_not_prove_this_one() -> None:
    assert said(text_of("lifo"), "response_window")
    assert said(text_of("single_holder"), "lifo")


@pytest.mark.parametrize(("body", "duty"), [("true", "property"), ("false", "initial")])
def test_another_invariant_is_refused(body: str, duty: str) -> None:
    assert f"the obligation fails: {duty} of" in said(
        with_function(text_of("lifo"), "inv ", body), "lifo"
    )


def test_a_stage_without_an_invariant_is_one_that_no_play_comes_to() -> None:
    text = re.sub(
        r"\(define-fun \|inv decide\|.*?(?=\n\(define-fun|\n\n)",
        "",
        text_of("lifo"),
        flags=re.DOTALL,
    )
    assert "the obligation fails: initial" in said(text, "lifo")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("0", "the obligation fails: descent of"),
        ("(- |size of stack|)", "no sum of the numbers"),
        ("|holder of decide|", "may not know|no sum of the numbers"),
        ("(ite true 1 0)", "no sum of the numbers"),
    ],
)
def test_another_ranking_is_refused(body: str, why: str) -> None:
    """A ranking may not speak of who is spotlit either: then each player's moves could make numbers
    of their own less.
    """
    assert re.search(
        why, said(with_function(text_of("stack_drains"), "rank 1 ", body), "stack_drains")
    )


def test_a_ranking_has_obligations_of_its_own() -> None:
    text = text_of("stack_drains")
    assert "; obligation: bounded of every position, at " in text
    assert "; obligation: descent of " in text
    assert "(define-fun |rank 1 " in text
    below = check(with_function(text, "rank 1 ", "(- 1)"))
    assert "the obligation fails: bounded of" in below.wrong
    assert "the obligation fails: descent of" in check(with_function(text, "rank ", "0")).wrong


def rechecked(text: str) -> Rechecked:
    found: Rechecked = answer_in(
        NODES,
        do(request_data(ToRecheck(rules(), property_named(rules(), "lifo"), text))),
        Rechecked,
    )
    return found


@pytest.mark.parametrize("name", ["move ", "breach ", "beginning"])
def test_moves_that_are_not_those_of_the_rules_are_noticed(name: str) -> None:
    """A file that leaves the rules' moves out is valid by itself, and proves nothing of them; that
    it was changed is told.
    """
    text = with_function(text_of("lifo"), name, "false")
    assert "obligation fails" not in check(text).wrong
    found = rechecked(text)
    assert f"|{name}" in found.differs


def test_an_assertion_outside_the_questions_is_noticed() -> None:
    text = after(text_of("lifo"), "(push 1)", "(assert false)\n(push 1)")
    found = rechecked(text)
    assert found.differs == "( assert false )"


def test_nothing_but_the_invariant_is_believed() -> None:
    """With the moves left out anything at all is an invariant of the file; not one of the rules."""
    text = with_function(
        with_function(text_of("lifo"), "(?:move|breach) ", "false"), "inv ", "true"
    )
    assert "obligation fails" not in check(text).wrong
    assert "the obligation fails: property of" in said(text, "lifo")


# ---------------------------------------------------------------------- what is no certificate


def after(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def in_invariant(body: str) -> Callable[[str], str]:
    return lambda text: with_function(text, "inv decide", body)


HOSTILE: dict[str, Callable[[str], str]] = {
    "echo": lambda text: after(text, "(check-sat)", '(echo "unsat")'),
    "recursion": lambda text: after(
        text, "(define-fun |inv", "(define-fun-rec |inv x| () Bool true)\n(define-fun |inv"
    ),
    "itself": in_invariant("(|inv decide| |holder of decide|)"),
    "a function": lambda text: after(
        text, "(define-fun |inv", "(declare-fun f (Int) Int)\n(define-fun |inv"
    ),
    "a sort": lambda text: after(
        text, "(define-fun |inv", "(define-sort A () Int)\n(define-fun |inv"
    ),
    "defined twice": lambda text: after(
        text, "(define-fun |inv", "(define-fun |inv decide| () Bool true)\n(define-fun |inv"
    ),
    "a quantifier": in_invariant("(forall ((x Int)) (= x x))"),
    "another sort": in_invariant("1"),
    "sorts mixed": in_invariant("(= true 1)"),
    "a truth as a number": in_invariant("(< true false)"),
    "a product": in_invariant("(= 0 (* |size of stack| |size of stack|))"),
    "an unknown name": in_invariant("(= 0 nobody)"),
    "an unknown word": in_invariant("(bvadd 1 2)"),
    "a move": in_invariant("|move 1.1, at decide, to decide|"),
    "an attribute": in_invariant("(! true :named x)"),
    "a let of let": in_invariant("(let ((true false)) true)"),
    "a let twice": in_invariant("(let ((x true) (x false)) x)"),
    "a let without names": in_invariant("(let x true)"),
    "a name out of its let": in_invariant("(and (let ((x true)) x) x)"),
    "a long number": in_invariant(f"(< 0 {'9' * 1000})"),
    "a string": in_invariant('(= "a" "a")'),
    "nothing": in_invariant("()"),
    "no arguments": in_invariant("(and)"),
    "deep": in_invariant("(not " * 5_000 + "true" + ")" * 5_000),
    "cut short": lambda text: text[: len(text) // 2],
    "a lone bar": lambda text: text + "|",
    "a parameter twice": lambda text: after(
        text, "(define-fun |inv decide| (", "(define-fun |inv decide| ((q Int) (q Int) "
    ),
    "a parameter of another sort": lambda text: after(
        text, "(define-fun |inv decide| (", "(define-fun |inv decide| ((q Real) "
    ),
    "an encoding": lambda text: re.sub(r"\n; encoding: [^\n]*", "\n; encoding: everything", text),
    "an encoding that nobody uses": lambda text: re.sub(
        r"\n; encoding: [^\n]*", "\n; encoding: counts", text
    ),
    "a closing parenthesis": lambda text: text + ")",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_no_certificate_is_refused(kind: str) -> None:
    text = HOSTILE[kind](text_of("lifo"))
    found = rechecked(text)
    assert found.attempt.proof is None
    assert found.attempt.reason


def test_terms_that_would_be_huge_are_no_more_than_they_say() -> None:
    """A let that doubles a term sixty times is sixty terms, and no more work than that."""
    doubled = "".join(f"(let ((x{place + 1} (and x{place} x{place}))) " for place in range(60))
    text = with_function(
        text_of("lifo"), "inv decide", f"(let ((x0 (<= 2 players))) {doubled}x60){')' * 60}"
    )
    assert "obligation fails" in said(text, "lifo")
