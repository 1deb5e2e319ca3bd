"""Typing formulas: what each phrase becomes, what is refused and where."""

from __future__ import annotations

import re

import pytest

from stacklaw.models import ir, syntax
from stacklaw.models.diagnostics import Report
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.binding.type import type_property

from .games import program, property_of, typed

P, I = ir.Local("p"), ir.Local("i")  # noqa: E741 - as in formulas
ACTIVE = ir.Variable("active")
IS_EMPTY = f.Holds(ir.IsEmpty("stack"))
SOMEONE = f.HasPriority(None)

PHRASES = [
    ("someone has priority", SOMEONE),
    ("nobody has priority", f.Not(SOMEONE)),
    ("active has priority", f.HasPriority(ACTIVE)),
    ("after p has priority", f.HasPriority(ir.Neighbour(P, 1))),
    ("controller of i has priority", f.HasPriority(ir.AttributeOf(I, "controller"))),
    ("p passes", f.PlayerEvent("passes", P)),
    ("someone acts", f.PlayerEvent("acts", None)),
    ("p chooses", f.PlayerEvent("chooses", P)),
    ("nobody acts", f.Not(f.PlayerEvent("acts", None))),
    ("p may act", f.Enabled(P, "act")),
    ("someone may pass", f.Enabled(None, "pass")),
    ("i on stack", f.On("i", "stack")),
    ("something on stack", f.Holds(ir.Not(ir.IsEmpty("stack")))),
    ("i is top of stack", f.IsNext("i", "stack")),
    ("i is front of queue", f.IsNext("i", "queue")),
    ("top of stack is i", f.IsNext("i", "stack")),
    ("i is put on waiting", f.ItemEvent("is put on", "i", "waiting")),
    ("something leaves stack", f.ItemEvent("leaves", None, "stack")),
    ("i resolves", f.ItemEvent("resolves", "i")),
    ("something begins resolving", f.ItemEvent("begins resolving", None)),
    ("i is removed", f.ItemEvent("is removed", "i")),
    ("step begins", f.SequenceEvent("begins", None)),
    ("turn ends", f.SequenceEvent("ends", "turn")),
    ("battle begins", f.SequenceEvent("begins", "battle")),
    ("clause 1.1", f.Uses("1.1")),
    ("p uses 1.2", f.Uses("1.2", P)),
    ("clause 1.1 is possible", f.ClausePossible("1.1")),
    ("at decide", f.AtStage("decide")),
    ("game is over", f.GameIsOver()),
    ("no clause applies", f.Gap()),
    ("clauses conflict", f.Conflict()),
    ("stack is empty", IS_EMPTY),
    ("sba", f.Holds(ir.Variable("sba"))),
    ("p is active", f.Holds(ir.Equal(P, ACTIVE))),
    ("step is main", f.Holds(ir.OneOf(ir.Variable("step"), ("main",)))),
    ("battle is none", f.Holds(ir.Equal(ir.Variable("battle"), ir.Literal("none")))),
    ("hand of p is 0", f.Holds(ir.Equal(ir.Entry("hand", P), ir.Literal(0)))),
    ("i is slow", f.Holds(ir.OneOf(ir.AttributeOf(I, "kind"), ("ritual",)), ("i",))),
    ("p is controller of i", f.Holds(ir.Equal(P, ir.AttributeOf(I, "controller")), ("i",))),
    (
        "speed of i is quickly",
        f.Holds(ir.Equal(ir.AttributeOf(I, "speed"), ir.Literal("quickly")), ("i",)),
    ),
    ("quick(p)", f.Holds(ir.Any((ir.Equal(P, ACTIVE), ir.Variable("sba"))))),
    (
        "risky",
        f.Holds(
            ir.Any(
                (
                    ir.IsEmpty("stack"),
                    ir.Equal(ir.AttributeOf(ir.EndOf("stack"), "controller"), ACTIVE),
                )
            )
        ),
    ),
    ("not sba", f.Not(f.Holds(ir.Variable("sba")))),
    (
        "sba and game is over and at decide",
        f.And((f.Holds(ir.Variable("sba")), f.GameIsOver(), f.AtStage("decide"))),
    ),
    ("game is over or at decide", f.Or((f.GameIsOver(), f.AtStage("decide")))),
    ("game is over implies at decide", f.Or((f.Not(f.GameIsOver()), f.AtStage("decide")))),
    ("once game is over", f.Once(f.GameIsOver())),
    ("previously stack is empty", f.Previously(IS_EMPTY)),
    ("historically stack is empty", f.Not(f.Once(f.Not(IS_EMPTY)))),
    ("(stack is empty) since (i resolves)", f.Since(IS_EMPTY, f.ItemEvent("resolves", "i"))),
    ("most is 2", f.Holds(ir.Equal(ir.Literal(2), ir.Literal(2)))),
    ("reading is relaxed", f.Holds(ir.Equal(ir.Literal("strict"), ir.Literal("relaxed")))),
    (
        "controller of top of stack is p",
        f.Holds(
            ir.All(
                (
                    ir.Not(ir.IsEmpty("stack")),
                    ir.Equal(ir.AttributeOf(ir.EndOf("stack"), "controller"), P),
                )
            )
        ),
    ),
    (
        "some t in stack where p is controller of t",
        f.Holds(
            ir.Exists(
                "t", ir.ItemsOn("stack"), ir.Equal(P, ir.AttributeOf(ir.Local("t"), "controller"))
            )
        ),
    ),
]


@pytest.mark.parametrize(("written", "meant"), PHRASES, ids=[written for written, _ in PHRASES])
def test_what_is_written_means(written: str, meant: f.Formula) -> None:
    spotlights = [
        f"{kind} {name}"
        for kind, name in (("item", "i"), ("player", "p"))
        if re.search(rf"\b{name}\b", written)
    ]
    head = f"for some {', '.join(spotlights)}: " if spotlights else ""
    assert property_of(f"{head}possible ({written})").body == meant


def test_modes_and_what_they_are_about() -> None:
    always = property_of("always (someone passes implies sba)")
    assert (always.mode, always.about, always.about_text) == (
        "always",
        f.PlayerEvent("passes", None),
        "someone passes",
    )
    never = property_of("never (someone passes and sba and game is over)")
    assert never.mode == "always"
    assert never.body == f.Not(
        f.And((f.PlayerEvent("passes", None), f.Holds(ir.Variable("sba")), f.GameIsOver()))
    )
    assert never.about is None
    assert [part.text for part in never.parts] == ["someone passes", "sba", "game is over"]
    assert [part.formula for part in never.parts] == [
        f.PlayerEvent("passes", None),
        f.Holds(ir.Variable("sba")),
        f.GameIsOver(),
    ]
    said = property_of("about game is over\nnever (someone passes and sba)")
    assert (said.about, said.about_text, said.parts) == (f.GameIsOver(), "game is over", ())
    assert property_of("never no clause applies").about is None
    assert property_of("always sba").about is None
    assert property_of("possible sba").about is None


def test_the_text_is_the_formula() -> None:
    written = (
        "for every item i, player p: always (i resolves and p is not controller of i implies once "
        "(p has priority and i on stack))"
    )
    assert property_of(written).text == written


def test_options_have_their_values() -> None:
    relaxed = property_of("possible (reading is relaxed)", program(reading="relaxed"))
    assert relaxed.body == f.Holds(ir.Equal(ir.Literal("relaxed"), ir.Literal("relaxed")))


def test_clauses_that_the_options_rule_out_are_never_used() -> None:
    assert property_of("possible clause 2.2").body == f.Holds(ir.NO)
    assert property_of("possible clause 2.2", program(reading="relaxed")).body == f.Uses("2.2")


def test_no_play_comes_to_a_stage_that_the_options_rule_out() -> None:
    text = (
        'game "A test"\nplayers 2\nstart decide\noption haste "whether there is haste"\n  no '
        '"no"\n  yes "yes"\nstage decide\n'
        '  must 1 "on"\n    if haste is yes\n      go rush\n    else\n      game over\nstage '
        'rush\n  must 2 "over"\n    game over\n'
    )
    ruled_out, known = (
        load(Source("a.rules", text)),
        load(Source("a.rules", text), {"haste": "yes"}),
    )
    assert property_of("possible at rush", ruled_out).body == f.Holds(ir.NO)
    assert property_of("possible at rush", known).body == f.AtStage("rush")
    assert property_of("possible at decide", ruled_out).body == f.AtStage("decide")


def test_a_quantifier_may_not_hide_a_spotlight() -> None:
    found, report = typed(
        "for every player p: never (p has priority and some p in players where p is active)"
    )
    assert found is None
    assert [(error.code, error.span and error.span.column) for error in report.errors] == [
        ("R109", 49)
    ]


REFUSED = [
    ("never (someone has priority and stak is empty)", "R101", "did you mean `stack`?"),
    ("for every item i: never i on stak", "R105", "did you mean `stack`?"),
    ("never (passed is 3)", "R102", ""),
    ("never (stack)", "R102", ""),
    ("never (someone)", "P105", ""),
    ("never (sba is someone)", "P203", ""),
    ("never p has priority", "R101", "write `for every player p:` before the formula"),
    ("never activ has priority", "R101", "did you mean `active`?"),
    ("for every item i: never i has priority", "R102", ""),
    ("for every player p: never p resolves", "P104", ""),
    ("never last has priority", "R102", "nobody"),
    ("never everyone has priority", "P105", ""),
    ("never upkep begins", "P103", ""),
    ("never batle begins", "P103", "did you mean `battle`?"),
    ("never clause 1.11", "P101", "did you mean `1.1`?"),
    ("never at decid", "P102", "did you mean `decide`?"),
    ("never quick(once sba)", "P203", ""),
    (
        "never (some i in stack where (i resolves))",
        "P203",
        "what `some i` picks is named before the formula, with `for every item i:`",
    ),
    ("never (every p in players satisfies (p passes))", "P203", "with `for every player p:`"),
    ("for every item i, item j: never i is j", "R102", "two items cannot be compared"),
    ("for every item i, player p: never i is p", "R102", "controller of i is p"),
    ("for every item i: never i is quickly", "R104", "write `speed of i is quickly`"),
    ("for every item i, item i: never i resolves", "P303", ""),
    ("never (some i in stack where controller of front of queue is active)", "R205", ""),
    ("possible (eventually sba)", "P202", "begins with no `possible`"),
    ("always once (eventually sba)", "P202", "look back"),
    ("eventually ((always sba) since game is over)", "P202", "look back"),
    ("always (possible sba)", "P202", ""),
    ("always (possible (eventually sba))", "P202", ""),
    ("assuming possible sba\neventually sba", "P202", ""),
    ("assuming again and again sba\npossible sba", "P206", ""),
    ("for some player p: p passes until sba", "P302", ""),
    ("assuming cards act only finitely often\nnever game is over", "P206", ""),
    (
        "assuming cards act only finitely often\nassuming cards act only finitely "
        "often\neventually sba",
        "R011",
        "",
    ),
    ("for some player p: eventually p passes", "P302", ""),
    ("for some clause c: possible clause c", "P302", ""),
    ("for some player p: never p passes", "P302", ""),
    ("for every clause c: never c is active", "R101", ""),
    ("about always sba\nnever (sba and game is over)", "P202", ""),
    ("for some player p: p can enforce p passes", "P208", "p acts only finitely often"),
    ("for some player p: active can enforce eventually p passes", "P208", "p and q can enforce"),
    ("for every player p: p can enforce eventually sba", "P302", "for some player p"),
    ("for some player p, item i: p can enforce eventually i resolves", "P302", "stands behind it"),
    (
        "for some player p: p can enforce for some item i: never i resolves",
        "P302",
        "for every item i",
    ),
    ("never (p can enforce eventually sba)", "P202", "whole formula"),
    ("for some player p: never p acts only finitely often", "P202", "can enforce"),
    ("for some player p: p can enforce eventually (eventually p passes)", "P202", ""),
    (
        "assuming players act only finitely often\nfor some player p: p can enforce eventually p "
        "passes",
        "P206",
        "others",
    ),
    ("assuming others act only finitely often\neventually sba", "P206", "players"),
    ("about sba\nfor some player p: p can enforce eventually p passes", "P205", ""),
]


@pytest.mark.parametrize(
    ("written", "code", "hint"), REFUSED, ids=[written for written, _, _ in REFUSED]
)
def test_what_is_refused(written: str, code: str, hint: str) -> None:
    found, report = typed(written)
    assert found is None
    assert code in {error.code for error in report.errors}
    assert any(hint in error.hint for error in report.errors)
    assert all(
        error.span is not None and error.message.endswith((".", "?")) for error in report.errors
    )


def test_all_mistakes_are_gathered_in_their_places() -> None:
    _, report = typed(
        "for every item i: never (clause 9 and at nowhere and i on nothing and once (always sba))"
    )
    assert [error.code for error in report.errors] == ["P101", "P102", "R105", "P202"]
    assert len({error.span for error in report.errors}) == 4


def test_a_mistake_in_the_antecedent_is_told_once() -> None:
    _, report = typed("always (clause 9 implies sba)")
    assert [error.code for error in report.errors] == ["P101"]


def deep(levels: int) -> syntax.Formula:
    expr: syntax.Expr = syntax.Name("sba")
    for _ in range(levels):
        expr = syntax.Unary("not", expr)
    return syntax.Formula("every", (), syntax.Unary("always", expr))


@pytest.mark.parametrize("levels", [101, 1_000, 100_000])
def test_deep_nesting_is_a_mistake_and_no_crash(levels: int) -> None:
    report = Report(program().source)
    assert (
        type_property(syntax.PropertyText("deep", "deep", "", deep(levels)), program(), report)
        is None
    )
    assert [error.code for error in report.errors] == ["R314"]


def test_nesting_within_the_limit_is_none() -> None:
    report = Report(program().source)
    assert (
        type_property(syntax.PropertyText("deep", "deep", "", deep(95)), program(), report)
        is not None
    )
