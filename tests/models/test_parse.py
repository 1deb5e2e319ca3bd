"""Texts to trees: what is read, where it stands, and how many mistakes are told."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from stacklaw.models import ir
from stacklaw.models import syntax as s
from stacklaw.models.diagnostics import MAX_ERRORS, Diagnostic, Report, codes
from stacklaw.models.parsing.build import builder_of
from stacklaw.models.parsing.outline import HEADS, Place
from stacklaw.models.parsing.parse import parse_properties, parse_ruleset
from stacklaw.models.parsing.scan import grammar
from stacklaw.models.source import Source, Span

from ..luck import tries
from ..strategies import lines_of_text, statements

ROOT = Path(__file__).parents[2]
HEAD = 'game "x"\nplayers 2\nstart a\n'
CLAUSE = HEAD + 'stage a(p: player)\n  may 1 "t"\n'


def parsed(text: str) -> tuple[s.Ruleset, list[Diagnostic]]:
    source = Source("x", text)
    report = Report(source)
    return parse_ruleset(source, report), report.errors


def good(text: str) -> s.Ruleset:
    ruleset, errors = parsed(text)
    assert not errors
    return ruleset


def test_each_rule_of_the_grammar_is_built() -> None:
    """What no node is called as needs an entry, and is told by name; a part too many fails, too."""
    inlined = {r.origin.name for r in grammar().rules if r.options.expand1}
    rules = {str(r.alias or r.origin.name) for r in grammar().rules} - inlined - {"enclosed"}
    for rule in rules:
        assert rule.startswith("_") or callable(builder_of(rule)), rule
    for unknown in ("no_such_rule", "statement", "literal", "expr"):
        with pytest.raises(AssertionError, match=f"`{unknown}`"):
            builder_of(unknown)
    with pytest.raises(IndexError):
        builder_of("let")(["x", s.Number(1), None, s.Number(2)], s.NOWHERE)


EVERYTHING = Path(__file__).parents[1] / "cases" / "syntax" / "good" / "everything.rules"


SHARED = {
    (kind, word)
    for kind in (s.ItemEffect, s.EveryItem, s.StepEffect)
    for word in get_args(get_type_hints(kind)["effect"])
}
"""What is said by statements that share a node."""


def said_by(whole: object) -> set[tuple[type, str]]:
    shared = s.ItemEffect | s.EveryItem | s.StepEffect
    return {(type(one), one.effect) for one in ir.walk(whole) if isinstance(one, shared)}


def test_no_statement_is_forgotten_where_all_are_written() -> None:
    """Nothing else notices it. Only `todo` stands in no game."""
    seen: set[type] = set()

    @settings(max_examples=600, database=None, phases=[Phase.generate], derandomize=True)
    @given(statements)
    def look(statement: s.Statement) -> None:
        seen.update(map(type, ir.walk(statement)))

    look()
    written = set(map(type, ir.walk(good(EVERYTHING.read_text()))))
    assert {*get_args(s.Statement)} <= seen
    assert {*get_args(s.Statement)} - {s.Todo} <= written
    assert said_by(good(EVERYTHING.read_text())) >= SHARED


def test_the_manual_has_every_first_word_of_a_statement() -> None:
    manual = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    told = {
        word
        for row in re.findall("^\\| .*", manual, re.MULTILINE)
        for word in re.findall(r"`([a-z]+)", row.split(" | ")[0])
    }
    blocks = {"else", "or"}  # these go on with what another line has begun
    assert {*HEADS[Place.STATEMENTS]} - blocks <= told


def mistakes(text: str) -> list[tuple[str, int]]:
    return sorted((error.code, error.span.line) for error in parsed(text)[1] if error.span)


def body(*lines: str) -> s.Block:
    return good(CLAUSE + "".join(f"    {line}\n" for line in lines)).stages[0].clauses[0].body


def meaning(text: str) -> s.Expr:
    return good(f"{HEAD}term a means {text}\n").terms[0].meaning


def nested_branches() -> str:
    """Return branches within the last of many branches, as deep as blocks go."""
    lines = [
        line
        for depth in range(2, 38)
        for line in ["if a", "  pass", *["else if a", "  pass"] * 37, "else"]
        for line in ["  " * depth + line]
    ]
    return "\n".join([*lines, "  " * 38 + "pass\n"])


A, B, C = s.Name("a"), s.Name("b"), s.Name("c")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a and b or c", s.Binary("or", s.Binary("and", A, B), C)),
        ("a implies b implies c", s.Binary("implies", A, s.Binary("implies", B, C))),
        ("a - b - c", s.Binary("-", s.Binary("-", A, B), C)),
        ("not a is b", s.Unary("not", s.Binary("is", A, B))),
        ("a is not empty", s.Binary("is not", A, s.Word("empty"))),
        ("a is one of (b, c)", s.OneOf(A, ("b", "c"))),
        ("a is not one of (b, c)", s.Unary("not", s.OneOf(A, ("b", "c")))),
        ("not a is one of (b, c)", s.Unary("not", s.OneOf(A, ("b", "c")))),
        ("no x in a where b and c", s.Binary("and", s.Quantified("no", "x", A, B), C)),
        ("always a implies b", s.Unary("always", s.Binary("implies", A, B))),
        ("once a since b", s.Binary("since", s.Unary("once", A), B)),
        ("no clause applies", s.Phrase("no clause applies")),
        ("no x in a where b", s.Quantified("no", "x", A, B)),
        ("every x in 0 to a satisfies b", s.Quantified("every", "x", s.Range(s.Number(0), A), B)),
        ("clause 1.1a/b'", s.Phrase("clause", None, "1.1a/b'")),
        ("a uses FF-63 and b", s.Binary("and", s.Phrase("uses", A, "FF-63"), B)),
        ("a comes first from after b", s.Binary("comes first from", A, s.Neighbour("after", B))),
        (
            "controller of top of stack is a",
            s.Binary("is", s.Of("controller", s.EndOf("top", "stack")), A),
        ),
        ("a(b, 2) on c", s.Phrase("on", s.Call("a", (B, s.Number(2))), "c")),
        ("isempty", s.Name("isempty")),
        ("something is put on stack", s.Phrase("is put on", s.Word("something"), "stack")),
    ],
)
def test_expressions(text: str, tree: s.Expr) -> None:
    assert meaning(text) == tree


def test_branches_belong_to_their_heads() -> None:
    assert body("if a", "  pass", "else if b", "  pass", "  pass", "else", "  game over") == (
        s.If(A, (s.Pass(),), (s.If(B, (s.Pass(), s.Pass()), (s.GameOver(),)),)),
    )
    assert body(
        'either "x" by a', "  pass", "or", "  game over", 'maybe "y"', "  pass", "maybe maybe pass"
    ) == (
        s.Either((("x", (s.Pass(),)), ("", (s.GameOver(),))), A),
        s.Maybe((s.Pass(),), "y"),
        s.Maybe((s.Maybe((s.Pass(),)),)),
    )


def test_conditions_of_claims_are_joined() -> None:
    (claim,) = good(HEAD + "claims when a\n  holds x when b\n    about c\n    never c\n").claims
    assert claim.condition == s.Binary("and", A, B)
    assert claim.formula == s.Formula("every", (), s.Unary("never", C), C)


def test_sections_may_be_repeated_and_stand_anywhere() -> None:
    ruleset = good('items\n  a "t"\n' + HEAD + 'items\n  b "u"\n')
    assert [item.name for item in ruleset.items] == ["a", "b"]


def test_tokens_that_go_on_below_have_their_own_places() -> None:
    meaning = good(f"{HEAD}term a means b\n  and\n      c\n").terms[0].meaning
    assert isinstance(meaning, s.Binary)
    assert (meaning.left.span, meaning.right.span) == (Span(4, 14, 15), Span(6, 7, 8))
    assert meaning.span == Span(4, 14, 15)


def test_each_line_has_its_own_mistake_and_no_other() -> None:
    text = (
        CLAUSE + "    whn a\n    put b\n    pass\n    go a(\n  mya 2\n    pass\n    go\nstaeg c\n  "
        "must 3\n    pas\n"
    )
    assert mistakes(text) == [
        ("R005", 7),
        ("R005", 9),
        ("R005", 12),
        ("R015", 6),
        ("R015", 10),
        ("R015", 13),
        ("R015", 15),
    ]


def test_lines_below_a_line_that_is_lost_are_not_told() -> None:
    assert mistakes(HEAD + "foo bar\n  baz (\n    quux )\n") == [("R001", 4)]


def test_a_property_has_one_formula() -> None:
    source = Source(
        "x.props",
        'property a "b"\n  why "c"\n  never a\nproperty b "c"\n  never a\n  never b\nproperty c '
        '"d"\n  why "e"\nitems\n',
    )
    report = Report(source)
    first, _ = parse_properties(source, report)
    assert (first.name, first.title, first.why) == ("a", "b", "c")
    assert [(error.code, error.span.line) for error in report.errors if error.span] == [
        ("R013", 6),
        ("R013", 7),
        ("R009", 9),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("term b means " + "(" * 1900 + "\n", "R005"),
        ("term b means " + "(" * 3000 + "\n", "R312"),
        ("term b means " + "not " * 1900 + "a\n", "R314"),
        ("term b means " + "a and " * 900 + "a\n", "R314"),
        ("term b means " + "a of " * 900 + "a\n", "R314"),
        ("term b means " + "x" * 20_000 + "\n", "R312"),
        ("term b means\n" + "  a and\n" * 5_000, "R312"),
        ("term b means " + "9" * 9_000 + "\n", "R311"),
        (
            "stage a\n  must 1\n"
            + "".join(" " * (depth + 4) + "if a\n" for depth in range(600))
            + " " * 604
            + "pass\n",
            "R313",
        ),
        (
            "stage a\n  must 1\n    if a\n      pass\n" + "    else if a\n      pass\n" * 2_000,
            "R313",
        ),
        ("stage a\n  must 1\n" + nested_branches(), "R313"),
        ("stage a\n  must 1\n    " + "maybe " * 1_500 + "pass\n", "R314"),
        ("foo bar\n" * 9_000, "R315"),
        ("stage a\n  must 1\n" * 4_000, "R315"),
        ('"' * 9_000 + "\n", "R001"),
        ("\tx\n" * 9_000, "R002"),
    ],
    ids=lambda value: value if len(value) == 4 else value[:20].strip(),
)
def test_hostile_texts_are_refused_soon(text: str, code: str) -> None:
    parsed(HEAD)
    began = time.process_time()
    _, errors = parsed(HEAD + text)
    assert time.process_time() - began < 3
    assert code in {error.code for error in errors}
    assert len(errors) <= MAX_ERRORS + 1


def test_what_is_just_within_the_limits_is_read() -> None:
    good(HEAD + "term b means " + "(" * 500 + "a" + ")" * 500 + "\n")
    good(HEAD + "term b means " + " and ".join(["a"] * 50) + "\n")


@pytest.mark.slow
@given(lines_of_text | st.text(max_size=60))
@tries(150)
def test_no_text_does_anything_but_read_or_be_refused(text: str) -> None:
    ruleset, errors = parsed(text)
    assert isinstance(ruleset, s.Ruleset)
    lines = text.splitlines()
    for error in errors:
        assert error.code in codes()
        assert error.message.endswith(".")
        assert error.span is not None
        assert error.code == "R010" or 1 <= error.span.line <= len(lines)
        assert error.code == "R010" or 1 <= error.span.column <= len(lines[error.span.line - 1]) + 1
    properties = Report(Source("x.props", text))
    parse_properties(properties.source, properties)


MANUAL = (Path(__file__).parents[2] / "docs/language.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text",
    re.findall(r"^```rules\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL),
    ids=lambda text: text.split("\n")[0],
)
def test_the_examples_of_the_manual_are_read(text: str) -> None:
    # A fragment may lack the headers, and the lines below its last one; one shows a clause without
    # its stage.
    inside = "stage x\n\n" if text.startswith(" ") else ""
    assert {error.code for error in parsed(inside + text)[1]} <= {"R006", "R010"}


def test_the_property_of_the_manual_is_read() -> None:
    (text,) = re.findall(r"^```props\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL)
    report = Report(Source("x.props", text))
    assert [found.name for found in parse_properties(report.source, report)] == ["response_window"]
    assert not report.errors
