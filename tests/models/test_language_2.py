"""Language 2: quantifiers that reach as far as they can; and in both versions the first clause that
applies, heads over several lines.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from stacklaw.models import ir
from stacklaw.models import syntax as s
from stacklaw.models.diagnostics import Diagnostic, InputError, Report
from stacklaw.models.load import load
from stacklaw.models.parsing.parse import parse_properties, parse_ruleset
from stacklaw.models.printing.format import format_text
from stacklaw.models.source import Source

HEAD = 'game "x"\nplayers 2\nstart a\n'
A, B, C = s.Name("a"), s.Name("b"), s.Name("c")
GAME = """game "x"
players 2 or more
start go_on

items
  spell "spell"
  charm "charm"

zones
  stack last in first out

state
  passed : players
  tired  : flag

stage go_on
"""


def meaning(text: str, language: int) -> s.Expr:
    report = Report(Source("x", f"language {language}\n{HEAD}term a means {text}\n"))
    ruleset = parse_ruleset(report.source, report)
    assert not report.errors
    return ruleset.terms[0].meaning


def clauses(text: str) -> tuple[ir.Clause, ...]:
    """Return the clauses of a game whose one stage has the lines of *text*."""
    return load(Source("x.rules", GAME + text)).stages[0].clauses


def mistakes(text: str) -> list[Diagnostic]:
    with pytest.raises(InputError) as caught:
        load(Source("x.rules", GAME + text))
    return list(caught.value.diagnostics)


@pytest.mark.parametrize(
    ("text", "one", "two"),
    [
        (
            "some x in a where b and c",
            s.Binary("and", s.Quantified("some", "x", A, B), C),
            s.Quantified("some", "x", A, s.Binary("and", B, C)),
        ),
        (
            "every x in a satisfies b implies c",
            s.Binary("implies", s.Quantified("every", "x", A, B), C),
            s.Quantified("every", "x", A, s.Binary("implies", B, C)),
        ),
        (
            "not no x in a where b or c",
            *(
                s.Binary("or", s.Unary("not", s.Quantified("no", "x", A, B)), C),
                s.Unary("not", s.Quantified("no", "x", A, s.Binary("or", B, C))),
            ),
        ),
        (
            "(some x in a where b) and c",
            *2 * (s.Binary("and", s.Quantified("some", "x", A, B), C),),
        ),
        (
            "some x in a where (b and c)",
            *2 * (s.Quantified("some", "x", A, s.Binary("and", B, C)),),
        ),
    ],
)
def test_how_far_a_quantifier_reaches(text: str, one: s.Expr, two: s.Expr) -> None:
    assert meaning(text, 1) == one
    assert meaning(text, 2) == two


def test_a_properties_file_says_its_version_too() -> None:
    text = 'property p "p"\n  why "w"\n  never some x in a where b and c\n'
    for version, wide in ((1, False), (2, True)):
        report = Report(Source("x.props", f"language {version}\n{text}"))
        (found,) = parse_properties(report.source, report)
        assert not report.errors
        whole = found.formula.body
        assert isinstance(whole, s.Unary)
        assert isinstance(whole.operand, s.Quantified) is wide


def test_the_layout_keeps_what_a_quantifier_reaches() -> None:
    text = (
        f"language 2\n{HEAD}\nterm b means some x in a where b and c\nterm c means (some x in a "
        "where b) and c\n"
    )
    said = format_text(Source("x.rules", text))
    assert "term b means some x in a where b and c" in said
    assert "term c means (some x in a where b) and c" in said


BLOCK = """
  the first that applies
    must 1 "one"
      when stack is not empty and tired
      resolve top of stack
      go go_on
    must 2 "two"
      by any p where p in passed
      when stack is empty
      passed -= p
      go go_on
    must 3 "three"
      tired := yes
      go go_on
  may 4 "four"
    by active
    put spell on stack
    go go_on
"""
NEGATED = """
  must 1 "one"
    when stack is not empty and tired
    resolve top of stack
    go go_on
  must 2 "two"
    by any p where p in passed
    when stack is empty
    when not (stack is not empty and tired)
    passed -= p
    go go_on
  must 3 "three"
    when not (stack is not empty and tired)
    when not some p in players where (p in passed and stack is empty)
    tired := yes
    go go_on
  may 4 "four"
    by active
    put spell on stack
    go go_on
"""


def test_only_the_first_that_applies_is_used() -> None:
    """A block says what its clauses say one by one with the conditions of those above them
    negated.
    """
    assert [replace(clause, above=()) for clause in clauses(BLOCK)] == list(clauses(NEGATED))
    assert [[id_ for id_, _ in clause.above] for clause in clauses(BLOCK)] == [
        [],
        ["1"],
        ["1", "2"],
        [],
    ]


def test_names_of_a_clause_above_are_not_those_of_the_clause() -> None:
    both = """
  the first that applies
    may 1 "one"
      by any p where p in passed
      passed -= p
      go go_on
    may 2 "two"
      by any p where p not in passed
      passed += p
      go go_on
"""
    second = clauses(both)[1]
    assert second.owner.variable == "p"
    assert isinstance(second.guard, ir.Not)
    assert isinstance(second.guard.operand, ir.Exists)
    assert second.guard.operand.variable != "p"


def test_what_is_sure_after_a_clause_above() -> None:
    """That the clause above does not apply says that there is a top."""
    block = """
  the first that applies
    must 1 "one"
      when stack is empty
      put spell by active on stack
      go go_on
    must 2 "two"
      resolve top of stack
      go go_on
"""
    assert len(clauses(block)) == 2
    assert [
        found.code for found in mistakes(block.replace("when stack is empty", "when tired"))
    ] == ["R205"]


def test_a_mistake_above_is_told_once() -> None:
    found = mistakes(BLOCK.replace("and tired", "and tried"))
    assert [one.code for one in found] == ["R101"]


@pytest.mark.parametrize("line", ["priority active", "the first that applies"])
def test_only_clauses_stand_in_a_block(line: str) -> None:
    found = mistakes(
        BLOCK.replace("  the first that applies\n", f"  the first that applies\n    {line}\n", 1)
    )
    assert "R008" in [one.code for one in found]


def test_a_head_goes_on_after_a_word_that_joins() -> None:
    broken = """
  must 1 "one"
    if stack is empty and
        tired or
        passed is empty
      tired := no
      go go_on
    else
      go go_on
"""
    straight = broken.replace(" and\n        ", " and ").replace(" or\n        ", " or ")
    assert clauses(broken) == clauses(straight)


def test_a_head_that_ends_too_early_is_told_as_such() -> None:
    """The block below begins with a word of statements, so it is no part of the head."""
    text = """
  must 1 "one"
    if stack is empty and
      go go_on
    else
      tired := no
      go go_on
"""
    assert [one.code for one in mistakes(text)] == ["R005"]


def test_a_long_head_is_broken_after_the_words_that_join() -> None:
    condition = " and ".join(
        ["stack is empty", "tired", "passed is empty", "no p in players where p in passed"] * 2
    )
    text = f'{GAME}\n  must 1 "one"\n    if {condition}\n      go go_on\n    else\n      go go_on\n'
    said = format_text(Source("x.rules", text))
    assert max(map(len, said.splitlines())) <= 100
    assert format_text(Source("x.rules", said)) == said
    assert load(Source("x.rules", said)).stages == load(Source("x.rules", text)).stages


@pytest.mark.parametrize(("ruled_out", "codes"), [("not tired", []), ("tired", ["R205"])])
def test_what_is_left_of_an_or_is_known(ruled_out: str, codes: list[str]) -> None:
    """`tired or stack is not empty`, and where nobody is tired there is a top."""
    text = f"""
  must 1 "one"
    when tired or stack is not empty
    if {ruled_out}
      resolve top of stack
      go go_on
    else
      tired := no
      go go_on
"""
    assert [one.code for one in mistakes(text)] == codes if codes else clauses(text)


def test_what_is_left_of_one_or_tells_what_is_left_of_another() -> None:
    text = """
  must 1 "one"
    when tired or stack is not empty
    when not tired or passed is empty
    if passed is not empty
      resolve top of stack
      go go_on
    else
      go go_on
"""
    assert clauses(text)


def test_another_value_rules_a_part_out() -> None:
    """An option that is one value is no other; so what is joined to the other by `or` is so."""
    game = GAME.replace("items", 'option pair "which"\n  red "one"\n  blue "two"\n\nitems', 1)
    clause = """
  must 1 "one"
    when pair is red or stack is not empty
    if pair is {}
      resolve top of stack
      go go_on
    else
      go go_on
"""
    assert load(Source("x.rules", game + clause.format("blue"))).stages
    with pytest.raises(InputError, match="may be empty"):
        load(Source("x.rules", game + clause.format("red")))


@pytest.mark.parametrize("deeper", ["  ", "    "])
def test_a_condition_goes_on_in_a_deeper_line_that_begins_with_and_or_or(deeper: str) -> None:
    text = """
  must 1 "one"
    if tired{}(stack is empty{}or passed is none)
      go go_on
    else if passed is everyone{}or tired
      go go_on
    else
      go go_on
"""
    below = f"\n    {deeper}"
    assert clauses(text.format(f"{below}and ", " ", below)) == clauses(
        text.format(" and ", " ", " ")
    )


def test_an_or_with_a_title_does_not_go_on_with_the_line_above() -> None:
    text = """
  must 1 "one"
    either "this"
      or "that"
      tired := no
    go go_on
"""
    assert {one.code for one in mistakes(text)} == {"R007"}
