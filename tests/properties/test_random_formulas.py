"""Random formulas: typing never crashes, and what it lets pass has a truth at every moment of any
play.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import Literal, TypeAlias, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacklaw.checker.reference.formulas.evaluate import Evaluator
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import simulate
from stacklaw.checker.types.position import SpotlitItem, Trace
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir, syntax
from stacklaw.models.diagnostics import InputError, Report, codes
from stacklaw.models.parsing.parse import parse_properties
from stacklaw.models.printing.show_lines import show_formula
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.binding.type import type_property
from stacklaw.properties.wording import formula_words

from ..luck import tries
from ..rulesets import properties_in
from .games import program

GAME = program()
SCOPE = make_scope(GAME)
INTERPRETER = Interpreter(GAME, SCOPE)

NAMES = [
    "i",
    "p",
    "c",
    "stack",
    "queue",
    "active",
    "step",
    "main",
    "sba",
    "passed",
    "last",
    "hand",
    "risky",
    "spell",
    "nothing",
]
names = st.sampled_from(NAMES)
zones = st.sampled_from(["stack", "waiting", "queue", "nowhere"])
clause_ids = st.sampled_from(["1.1", "2.2", "c", "9"])
words = st.sampled_from(get_args(syntax.WordText)).map(syntax.Word)
atoms = st.one_of(
    names.map(syntax.Name),
    words,
    st.integers(0, 4).map(syntax.Number),
    st.just(syntax.PlayerNumber()),
    zones.map(syntax.Size),
    st.builds(syntax.EndOf, st.sampled_from(["top", "front"]), zones),
)
neighbours = st.builds(syntax.Neighbour, st.just("after"), atoms)
controllers = st.builds(syntax.Of, st.just("controller"), atoms)
subjects = st.one_of(atoms, neighbours, controllers)
OF_ZONE, OF_CLAUSE = {"is put on", "leaves", "on"}, {"uses", "clause", "clause is possible"}
BINARY = [
    "and",
    "or",
    "implies",
    "since",
    "until",
    "leads to",
    "is",
    "is not",
    "<",
    "in",
    "not in",
    "comes first from",
    "+",
    "but",
]
UNARY = ["not", "always", "eventually", "once", "historically", "previously"]
KINDS: tuple[syntax.PhraseKind, ...] = get_args(syntax.PhraseKind)


@st.composite
def phrases(draw: st.DrawFn) -> syntax.Phrase:
    kind = draw(st.sampled_from(KINDS))
    name = (
        draw(zones)
        if kind in OF_ZONE
        else draw(clause_ids)
        if kind in OF_CLAUSE
        else draw(names)
        if kind == "at"
        else None
    )
    bare = {
        "clause",
        "clause is possible",
        "at",
        "game is over",
        "no clause applies",
        "clauses conflict",
    }
    subject = None if kind in bare else draw(subjects)
    return syntax.Phrase(kind, subject, name)


def larger(smaller: st.SearchStrategy[syntax.Expr]) -> st.SearchStrategy[syntax.Expr]:
    domains = st.one_of(smaller, st.builds(syntax.Range, smaller, smaller))
    return st.one_of(
        st.builds(syntax.Binary, st.sampled_from(BINARY), smaller, smaller),
        st.builds(syntax.Unary, st.sampled_from(UNARY), smaller),
        st.builds(
            syntax.Quantified, st.sampled_from(["some", "no", "every"]), names, domains, smaller
        ),
        st.builds(syntax.Call, st.sampled_from(["quick", "risky", "slow"]), st.tuples(smaller)),
        st.builds(syntax.Of, names, smaller),
        st.builds(syntax.OneOf, smaller, st.lists(names, min_size=1, max_size=2).map(tuple)),
    )


anything = st.recursive(st.one_of(atoms, phrases()), larger, max_leaves=12)

# Formulas that are mostly right, so that typing lets many of them pass.
players = st.sampled_from(
    [
        syntax.Name("p"),
        syntax.Name("active"),
        syntax.Neighbour("after", syntax.Name("p")),
        syntax.Word("someone"),
    ]
)
items = st.sampled_from([syntax.Name("i"), syntax.Word("something")])
I, P, STACK = syntax.Name("i"), syntax.Name("p"), syntax.Name("stack")  # noqa: E741 - as in formulas
top = syntax.EndOf("top", "stack")
sound = st.one_of(
    st.builds(
        syntax.Phrase,
        st.sampled_from(["has priority", "passes", "acts", "chooses", "may act", "may pass"]),
        players,
    ),
    st.builds(
        syntax.Phrase, st.sampled_from(["resolves", "is removed", "begins resolving"]), items
    ),
    st.builds(
        syntax.Phrase,
        st.sampled_from(["is put on", "leaves", "on"]),
        items,
        st.sampled_from(["stack", "waiting"]),
    ),
    st.sampled_from(
        [
            syntax.Name("sba"),
            syntax.Name("risky"),
            syntax.Binary("is", I, top),
            syntax.Binary("is", I, syntax.Name("slow")),
            syntax.Binary("is", P, syntax.Of("controller", I)),
            syntax.Binary("is not", P, syntax.Of("controller", top)),
            syntax.Binary("is", STACK, syntax.Word("empty")),
            syntax.Phrase("has priority", syntax.Of("controller", I)),
            syntax.Phrase("uses", P, "1.1"),
            syntax.Phrase("clause is possible", None, "2.1"),
            syntax.Phrase("no clause applies"),
            syntax.Phrase("clauses conflict"),
            syntax.Phrase("ends", syntax.Name("turn")),
            syntax.Quantified(
                "some",
                "t",
                STACK,
                syntax.Binary("is", syntax.Of("controller", syntax.Name("t")), P),
            ),
        ]
    ),
)
formulas = st.recursive(
    sound,
    lambda smaller: st.one_of(
        st.builds(
            syntax.Binary, st.sampled_from(["and", "or", "implies", "since"]), smaller, smaller
        ),
        st.builds(
            syntax.Unary, st.sampled_from(["not", "once", "historically", "previously"]), smaller
        ),
    ),
    max_leaves=8,
)
SPOTLIGHTS = (
    syntax.Spotlight("item", "i"),
    syntax.Spotlight("player", "p"),
    syntax.Spotlight("clause", "c"),
)


@st.composite
def written(draw: st.DrawFn) -> syntax.Formula:
    """Return any formula at all."""
    body: syntax.Expr = draw(anything)
    if draw(st.booleans()):
        body = syntax.Unary(draw(st.sampled_from(["always", "never", "possible"])), body)
    spotlights = tuple(draw(st.lists(st.sampled_from(SPOTLIGHTS), max_size=4)))
    quantifiers: list[Literal["every", "some"]] = ["every", "some"] if spotlights else ["every"]
    quantifier = draw(st.sampled_from(quantifiers))
    return syntax.Formula(quantifier, spotlights, body, draw(st.one_of(st.none(), anything)))


@given(written(), st.booleans())
def test_a_formula_is_typed_or_its_mistakes_are_told(
    formula: syntax.Formula, of_catalogue: bool
) -> None:
    report = Report(Source("random.props", ""))
    found = type_property(
        syntax.PropertyText("random", "random", "", formula),
        GAME,
        report,
        of_catalogue=of_catalogue,
    )
    assert (found is None) == bool(report.errors)
    assert all(error.code in codes() for error in report.errors)


@given(st.text(alphabet=st.sampled_from(" \n():.ip10\"'"), max_size=30), st.lists(st.sampled_from([
    "for every item i:", "always", "never", "implies", "and", "since", "once", "i", "p", "resolves",
    "stack", "is", "(", ")", "not", "1.1",
]), max_size=12))  # fmt: skip
def test_any_text_is_read_or_refused(noise: str, line: list[str]) -> None:
    text = f'property it "it"\n  {" ".join(line)} {noise}\n'
    with suppress(InputError):
        assert len(properties_in(Source("random.props", text), GAME)) == 1


@pytest.mark.slow
@given(formulas, st.integers(0, 1000))
@tries(200)
def test_what_passes_has_a_truth_at_every_moment(body: syntax.Expr, seed: int) -> None:
    used = {node for node in ("i", "p") if f"Name(name='{node}')" in repr(body)}
    spotlights = tuple(spotlight for spotlight in SPOTLIGHTS if spotlight.name in used)
    asked = syntax.Formula(
        "some" if spotlights else "every", spotlights, syntax.Unary("possible", body)
    )
    report = Report(GAME.source)
    found = type_property(syntax.PropertyText("random", "random", "", asked), GAME, report)
    assert found is not None, report.errors
    assert found.text == show_formula(asked)
    play = simulate(GAME, SCOPE, seed, 12)
    for watched in (None, *first_items(play)):
        evaluator = Evaluator(INTERPRETER, spotlit(play, found, watched))
        for moment in range(len(play.positions)):
            assert evaluator.holds(found.body, moment) in (True, False)


@given(formulas, st.sampled_from(["", "language 2\n"]))
@tries(200)
def test_what_is_told_can_be_read_again_and_means_the_same(
    body: syntax.Expr, language: str
) -> None:
    typed = type_formula(syntax.Unary("possible", body))
    assert typed is not None
    told = formula_words(GAME, typed)
    source = Source("told.props", f'{language}property told "told"\n  possible ({told})\n')
    (read,) = parse_properties(source, Report(source))
    again = type_formula(read.formula.body)
    assert again is not None, told
    assert meaning(again) == meaning(typed), told


Truth: TypeAlias = Callable[[frozenset[str]], bool]


def type_formula(asked: syntax.Expr) -> f.Formula | None:
    """Return what *asked*, which may speak of an item i and a player p, is once it is typed."""
    used = {node.name for node in ir.walk(asked) if isinstance(node, syntax.Name)}
    spotlights = tuple(spotlight for spotlight in SPOTLIGHTS if spotlight.name in used)
    report = Report(GAME.source)
    found = type_property(
        syntax.PropertyText(
            "it", "it", "", syntax.Formula("some" if spotlights else "every", spotlights, asked)
        ),
        GAME,
        report,
    )
    return None if found is None else found.body


def meaning(formula: f.Formula) -> tuple[list[str], frozenset[frozenset[str]]]:
    """Return what decides whether *formula* is true at a moment, in an order, and what of that is
    so where it is.
    """
    atoms: set[str] = set()
    truth = truth_of(formula, atoms)
    cases = [
        frozenset(case)
        for size in range(len(atoms) + 1)
        for case in combinations(sorted(atoms), size)
    ]
    true = {case for case in cases if truth(case)}
    decides = sorted(
        atom for atom in atoms if any((case ^ {atom} in true) != (case in true) for case in cases)
    )
    return decides, frozenset(case & set(decides) for case in true)


def truth_of(said: f.Formula | ir.Expr, atoms: set[str]) -> Truth:
    """Return whether *said* is true, given what of *atoms*, to which it adds its own, is so."""
    match said:
        case f.Not(operand) | ir.Not(operand):
            denied = truth_of(operand, atoms)
            return lambda case: not denied(case)
        case f.And(parts) | ir.All(parts):
            joined = [truth_of(part, atoms) for part in parts]
            return lambda case: all(one(case) for one in joined)
        case f.Or(parts) | ir.Any(parts):
            either = [truth_of(part, atoms) for part in parts]
            return lambda case: any(one(case) for one in either)
        case f.Holds(expression, items):
            holds, seen = truth_of(expression, atoms), {f"{item} is there" for item in items}
            atoms |= seen
            return lambda case: seen <= case and holds(case)
        case ir.OneOf(operand, values) if len(values) > 1:
            return truth_of(ir.Any(tuple(ir.OneOf(operand, (value,)) for value in values)), atoms)
        case f.Previously(operand) | f.Once(operand):
            atom = f"{type(said)} {meaning(operand)}"
        case f.Since(left, right):
            atom = f"{meaning(left)} since {meaning(right)}"
        case _:
            atom = repr(said)
    atoms.add(atom)
    return lambda case: atom in case


def first_items(play: Trace) -> list[SpotlitItem]:
    """Return the first item that is put in *play*, if any is."""
    put = [
        SpotlitItem(event.item, moment, number)
        for moment, step in enumerate(play.steps, start=1)
        for number, event in enumerate(step.move.events)
        if event.kind == "put" and event.item is not None
    ]
    return put[:1]


def spotlit(play: Trace, found: f.Property, item: SpotlitItem | None) -> Trace:
    who: list[tuple[str, int | SpotlitItem]] = []
    for spotlight in found.spotlights:
        if spotlight.kind == "player":
            who.append((spotlight.name, 1))
        elif item is not None:
            who.append((spotlight.name, item))
    return replace(play, spotlights=tuple(who))
