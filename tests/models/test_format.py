"""What is printed can be read again, means the same, and is printed the same again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given

from stacklaw.models import syntax
from stacklaw.models.diagnostics import InputError, Report
from stacklaw.models.parsing import blocks as written
from stacklaw.models.parsing.parse import parse_properties, parse_ruleset
from stacklaw.models.printing.format import LayoutLine, ShownPart, format_text, lay_out, part_line
from stacklaw.models.printing.show_lines import show_expression, show_formula
from stacklaw.models.read import read_source
from stacklaw.models.source import Source

from ..luck import tries
from ..strategies import expressions, formulas, lines_of_text, rulesets

ROOT = Path(__file__).parents[2]
PLACES = (
    "models/games/*.rules",
    "models/games/*.claims",
    "models/examples/*.rules",
    "tests/cases/*/good/*.rules",
)
RULES = [path for place in PLACES for path in ROOT.glob(place)]
FILES = sorted([*RULES, *ROOT.glob("properties/catalogue/*.props")])
HEAD = 'game "x"\nplayers 2\nstart a\n'


def read(text: str, kind: str = ".rules") -> object:
    source = Source.named(f"text{kind}", text)
    report = Report(source)
    tree = parse_properties(source, report) if kind == ".props" else parse_ruleset(source, report)
    report.check()
    return tree


def formatted(text: str) -> str:
    return format_text(Source("text.rules", text))


def term(text: str) -> syntax.Expr:
    tree = read(f"{HEAD}term a means {text}\n")
    assert isinstance(tree, syntax.Ruleset)
    return tree.terms[0].meaning


def show_ruleset(ruleset: syntax.Ruleset) -> str:
    """A text that parses to *ruleset*."""
    return lay_out([*headers(ruleset), *sections(ruleset)])


def headers(ruleset: syntax.Ruleset) -> Iterator[LayoutLine]:
    yield LayoutLine(written.TextHeader("game", ruleset.title))
    if ruleset.source:
        yield LayoutLine(written.TextHeader("source", ruleset.source))
    if ruleset.language != 1:
        yield LayoutLine(written.LanguageHeader(ruleset.language))
    yield part_line(ruleset.players)
    if ruleset.scope:
        yield LayoutLine(written.ScopeHeader(ruleset.scope))
    if ruleset.start is not None:
        yield part_line(ruleset.start)


def sections(ruleset: syntax.Ruleset) -> Iterator[LayoutLine]:
    parts: tuple[tuple[written.LineNode | None, Iterable[ShownPart]], ...] = (
        (None, ruleset.options),
        (written.SectionHead("items"), ruleset.items),
        (written.SectionHead("attributes"), ruleset.attributes),
        (written.SectionHead("zones"), ruleset.zones),
        (None, ruleset.sequences),
        (written.SectionHead("state"), ruleset.state),
        (None, (*ruleset.terms, *ruleset.routines, *ruleset.stages)),
        *(
            (written.ClaimsHead(title), [*claims])
            for title, claims in groupby(ruleset.claims, key=attrgetter("heading"))
        ),
        (written.SectionHead("left out"), ruleset.left_out),
    )
    for head, listed in parts:
        lines = list(map(part_line, listed))
        yield from [LayoutLine(head, lines)] if lines and head is not None else lines


@pytest.mark.slow
@given(rulesets)
@tries(40)
def test_a_shown_ruleset_reads_as_it_was(ruleset: syntax.Ruleset) -> None:
    text = show_ruleset(ruleset)
    assert read(text) == ruleset
    assert formatted(text) == text


@given(expressions)
@tries(200)
def test_a_shown_expression_reads_as_it_was(expression: syntax.Expr) -> None:
    assert term(show_expression(expression)) == expression


@given(formulas)
@tries(50)
def test_a_shown_formula_is_one_line_that_reads_as_it_was(formula: syntax.Formula) -> None:
    text = show_formula(formula)
    assert "\n" not in text
    source = Source("a.props", f'property a "b"\n  {text}\n')
    (shown,) = parse_properties(source, Report(source))
    assert shown.formula == replace(formula, about=None)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_formatting_keeps_the_meaning_and_is_done_once(path: Path) -> None:
    source = read_source(path)
    text = format_text(source)
    assert read(text, path.suffix) == read(source.text, path.suffix)
    assert format_text(Source.named(f"again{path.suffix}", text)) == text


@pytest.mark.parametrize(
    "path", [path for path in RULES if "models" in path.parts[-3:]], ids=lambda path: path.name
)
def test_what_ships_is_in_the_standard_layout(path: Path) -> None:
    source = read_source(path)
    assert format_text(source) == source.text
    assert max(map(len, source.text.splitlines())) <= 120


@given(lines_of_text)
@tries(100)
def test_formatting_refuses_what_it_cannot_read(text: str) -> None:
    try:
        once = formatted(text)
    except InputError:
        return
    assert formatted(once) == once


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("((a))", "a"),
        ("(a and b) and c", "a and b and c"),
        ("a and (b and c)", "a and (b and c)"),
        ("a and b or c", "(a and b) or c"),
        ("not (a is b)", "not a is b"),
        ("(not a) since (once b)", "(not a) since (once b)"),
        ("a and b since c", "a and (b since c)"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a - b) - c", "a - b - c"),
        ("after (after p)", "after after p"),
        ("(some x in s where x is a) and b", "(some x in s where x is a) and b"),
        ("a and (some x in s where x is b) and c", "a and (some x in s where x is b) and c"),
        ("some x in s and no y in t", "(some x in s) and no y in t"),
        ("some x in s where yes", "some x in s"),
        ("b and (some x in s where x is a)", "b and some x in s where x is a"),
        ("(always a)", "always a"),
        ("always a implies b", "always (a implies b)"),
        ("not always a", None),
    ],
)
def test_parentheses(written: str, shown: str | None) -> None:
    if shown is None:
        with pytest.raises(InputError):
            term(written)
        return
    assert show_expression(term(written)) == shown


def test_layout() -> None:
    messy = """
    # first

    game    "x"


    players 2 to 2   # how many
    start a
    items
          long_name "t"   [one,two]
          # above

          s "t"
    zones
      stack last in first out    # here
      w in any order "waits"   # and here
    stage a(p:player)   "s"

        # of the clause
        may 1 "t"   cites  B,C
          if  ( a )
            pass  # why
          else if b
            go  a( p )
            # last
          game over
    # end
    """
    assert formatted(dedent(messy)) == dedent(
        """\
        # first

        game "x"

        players 2  # how many
        start a

        items
          long_name  "t" [one, two]
          # above

          s  "t"

        zones
          stack  last in first out      # here
          w      in any order  "waits"  # and here

        stage a(p: player) "s"

          # of the clause
          may 1 "t" cites B, C
            if a
              pass  # why
            else if b
              go a(p)
              # last
            game over
        # end
        """
    )


def test_long_lines_go_on_below() -> None:
    long = " and ".join(
        f"(name_{i} is other_name_{i} or third_name_{i} is fourth_name_{i})" for i in range(3)
    )
    assert formatted(f"{HEAD}term a means {long}\n") == HEAD + dedent(
        """\
        term a means (name_0 is other_name_0 or third_name_0 is fourth_name_0)
          and (name_1 is other_name_1 or third_name_1 is fourth_name_1)
          and (name_2 is other_name_2 or third_name_2 is fourth_name_2)
        """
    )


def test_a_long_list_of_names_has_one_space_after_each_comma() -> None:
    names = [f"the {which} main phase of a turn" for which in ("first", "only", "early")]
    also = ", ".join(f'"{name}"' for name in names)
    shown = formatted(f'{HEAD}turn\n  main "main phase" also {also} [main]\n')
    assert max(map(len, shown.splitlines())) <= 100
    assert '", "' in shown
    assert ",  " not in shown


def test_the_list_of_what_a_claim_cites_goes_on_below() -> None:
    cited = [f"1.{number}.2a" for number in range(9)]
    text = (
        f'claims "a"\n  holds x "{"what is promised " * 3}" for every size cites '
        f"{', '.join(cited)}\n"
    )
    text += "    always a\n"
    source = Source.named("text.claims", text)
    shown = format_text(source)
    head, below, *_ = shown.splitlines()[1:]
    assert head.endswith("cites 1.0.2a,")
    assert below.startswith("      1.1.2a, 1.2.2a")
    assert read(shown, ".claims") == read(text, ".claims")


def test_lines_with_comments_inside_stay_broken_as_they_are() -> None:
    text = HEAD + "term a means b  # one\n  and c         # two\n  # three\n  and d\n"
    assert formatted(text) == text


def test_spotlights_stand_on_a_line_of_their_own() -> None:
    text = 'property a "b"\n  for every item i, player p: always (i resolves implies p passes)\n'
    assert format_text(Source("a.props", text)) == (
        'property a "b"\n  for every item i, player p:\n    always (i resolves implies p passes)\n'
    )
