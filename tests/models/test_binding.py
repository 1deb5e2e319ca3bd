"""Binding: what names and statements become in the Program, and what flow analysis lets pass."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

import stacklaw
from stacklaw.checker.types.verdict import Outcome
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.source import Source

HOLDER = ir.Local("holder")


def program(
    body: str, declarations: str = "", settings: dict[str, str] | None = None
) -> ir.Program:
    """Return a Program whose clause 1.1 has *body*."""
    text = """\
game "Binding"
players 2 or more
start decide(active)
items
  spell "spell" [slow]
  trap  "trap"
attributes
  speed : slow_one or fast_one
zones
  stack   last in first out
  waiting in any order
turn
  main [main]
  end_step
state
  passed : players
  sba    : flag [process]
  count  : 0 to 3
  hand   : 0 to 2 for each player = 1
  last   : player or nobody
{declarations}
stage decide(holder: player)
  priority holder
  may 1.1 "the clause"
{body}
  may 1.2 "pass"
    pass
    go decide(after holder)
"""
    body = textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    declarations = textwrap.dedent(declarations)
    return load(
        Source("binding.rules", text.format(body=body, declarations=declarations)), settings
    )


def clause(body: str, declarations: str = "") -> ir.Clause:
    return program(body, declarations).stage("decide").clauses[0]


def guard(text: str, declarations: str = "") -> ir.Expr:
    return clause(f"when {text}\ngo decide(holder)", declarations).guard


def codes(body: str, declarations: str = "") -> list[str]:
    with pytest.raises(InputError) as found:
        program(body, declarations)
    return [diagnostic.code for diagnostic in found.value.diagnostics]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("sba", ir.Variable("sba")),
        ("not sba", ir.Not(ir.Variable("sba"))),
        ("process", ir.Variable("sba")),
        ("passed is everyone", ir.Equal(ir.Variable("passed"), ir.Everyone())),
        ("passed is nobody", ir.Equal(ir.Variable("passed"), ir.NoPlayers())),
        ("passed is empty", ir.Equal(ir.Variable("passed"), ir.NoPlayers())),
        ("holder is active", ir.Equal(HOLDER, ir.Variable("active"))),
        (
            "holder not in passed but active",
            ir.Not(ir.Contains(ir.Without(ir.Variable("passed"), ir.Variable("active")), HOLDER)),
        ),
        ("last is nobody", ir.Equal(ir.Variable("last"), ir.Literal(None))),
        ("step is main", ir.OneOf(ir.Variable("step"), ("main",))),
        ("step is not end_step", ir.Not(ir.OneOf(ir.Variable("step"), ("end_step",)))),
        ("count <= 2", ir.Not(ir.Less(ir.Literal(2), ir.Variable("count")))),
        (
            "hand of after holder is 2",
            ir.Equal(ir.Entry("hand", ir.Neighbour(HOLDER, 1)), ir.Literal(2)),
        ),
        (
            "stack is not empty and top of stack is slow",
            ir.All(
                (
                    ir.Not(ir.IsEmpty("stack")),
                    ir.OneOf(ir.AttributeOf(ir.EndOf("stack"), "kind"), ("spell",)),
                )
            ),
        ),
        (
            "some i in waiting where speed of i is fast_one",
            ir.Exists(
                "i",
                ir.ItemsOn("waiting"),
                ir.Equal(ir.AttributeOf(ir.Local("i"), "speed"), ir.Literal("fast_one")),
            ),
        ),
        (
            "every p in players satisfies p in passed",
            ir.Not(
                ir.Exists(
                    "p",
                    ir.PlayersIn(ir.Everyone()),
                    ir.Not(ir.Contains(ir.Variable("passed"), ir.Local("p"))),
                )
            ),
        ),
        (
            "count + 1 < number of players",
            ir.Less(ir.Add(ir.Variable("count"), ir.Literal(1)), ir.PlayerNumber()),
        ),
    ],
)
def test_expressions(text: str, meant: ir.Expr) -> None:
    assert guard(text) == meant


def test_a_term_stands_for_its_meaning() -> None:
    inlined = guard("quiet(after holder)", "term quiet(p: player) means p in passed and not sba\n")
    assert inlined == ir.All(
        (ir.Contains(ir.Variable("passed"), ir.Neighbour(HOLDER, 1)), ir.Not(ir.Variable("sba")))
    )


def test_variables_of_a_term_never_capture_those_of_its_user() -> None:
    term = "term rivals(q: player) means some p in players where p is not q\n"
    inlined = guard("some p in players where rivals(p)", term)
    assert isinstance(inlined, ir.Exists)
    assert isinstance(inlined.body, ir.Exists)
    assert inlined.variable != inlined.body.variable
    assert inlined.body.body == ir.Not(
        ir.Equal(ir.Local(inlined.body.variable), ir.Local(inlined.variable))
    )


def test_a_routine_cannot_change_its_own_argument() -> None:
    body = clause(
        "do twice(active)\ngo decide(holder)",
        "to twice(p: player)\n  advance\n  put spell by p on stack\n",
    ).body
    assert body[0] == ir.Let("p", ir.Variable("active"))
    assert body[2] == ir.Put("spell", ir.Local("p"), (ir.Literal("slow_one"),), "stack")


def test_the_names_of_a_routine_are_its_own() -> None:
    body = clause(
        "do send(after holder)\ngo decide(holder)",
        "to send(holder: player)\n  put spell by holder on stack\n",
    ).body
    assert body[0] == ir.Let("holder_2", ir.Neighbour(HOLDER, 1))
    assert body[1] == ir.Put("spell", ir.Local("holder_2"), (ir.Literal("slow_one"),), "stack")


def test_a_put_is_its_owners_unless_it_says_whose() -> None:
    body = clause(
        "put spell on stack\nput trap by after holder with speed fast_one on waiting\ngo "
        "decide(holder)"
    ).body
    assert body[:2] == (
        ir.Put("spell", HOLDER, (ir.Literal("slow_one"),), "stack"),
        ir.Put("trap", ir.Neighbour(HOLDER, 1), (ir.Literal("fast_one"),), "waiting"),
    )


def test_a_choice_keeps_the_nearest() -> None:
    body = clause("""
        when waiting is not empty
        choose t in waiting where controller of t comes first from active by controller of t
        move t to stack
        go decide(holder)
    """).body
    who = ir.AttributeOf(ir.Local("t"), ir.CONTROLLER)
    assert body[0] == ir.Choose(
        "t", ir.ItemsOn("waiting"), ir.YES, ir.Nearest(who, ir.Variable("active")), who
    )


@pytest.mark.parametrize(
    "body",
    [
        "when size of stack > 0\nresolve top of stack\ngo decide(holder)",
        "put spell on stack\nresolve top of stack\ngo decide(holder)",
        "if stack is empty\n  go decide(holder)\nresolve top of stack\ngo decide(holder)",
        "when some i in stack where i is slow\nremove top of stack\ngo decide(holder)",
        "when stack is empty or top of stack is slow\ngo decide(holder)",
        "when not (stack is empty or sba)\nresolve top of stack\ngo decide(holder)",
        "when some i in stack where i is slow and not sba\nchoose t in stack where t is "
        "slow\nremove t\ngo decide(holder)",
        "choose p in players where p is not holder\ngo decide(p)",
        "when holder in passed\nchoose p in passed\ngo decide(p)",
        "when waiting is not empty\nchoose t in waiting\nmove t to stack\nresolve top of "
        "stack\ngo decide(holder)",
        "if sba\n  put spell on stack\nelse\n  put trap on stack\nresolve top of stack\ngo "
        "decide(holder)",
    ],
)
def test_what_is_certainly_there_may_be_used(body: str) -> None:
    assert clause(body)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (
            "when stack is not empty\nresolve top of stack\nresolve top of stack\n"
            "go decide(holder)",
            "R205",
        ),
        ("if sba\n  put spell on stack\nresolve top of stack\ngo decide(holder)", "R205"),
        ("when stack is not empty or sba\nresolve top of stack\ngo decide(holder)", "R205"),
        (
            "when some i in stack where i is slow\nchoose t in stack where t is trap\nremove "
            "t\ngo decide(holder)",
            "R204",
        ),
        ("when sba\nsba := no\nchoose p in passed\ngo decide(p)", "R204"),
        ("when holder in passed\npassed -= holder\nchoose p in passed\ngo decide(p)", "R204"),
        (
            "when stack is not empty\nchoose t in stack\nresolve top of stack\ngo "
            "decide(controller of t)",
            "R206",
        ),
        (
            "when stack is not empty\nchoose t in stack\nif sba\n  remove t\nremove t\ngo "
            "decide(holder)",
            "R206",
        ),
        (
            "when stack is not empty\nchoose s in stack\nchoose t in stack\nremove s\nremove "
            "t\ngo decide(holder)",
            "R206",
        ),
    ],
)
def test_what_may_not_be_there_is_an_error(body: str, code: str) -> None:
    assert codes(body) == [code]


def test_a_variable_may_begin_as_the_active_player_and_as_no_other() -> None:
    declared = program("go decide(holder)", "state\n  who : player = active\n").variables
    assert next(variable.initial for variable in declared if variable.name == "who") == ir.Literal(
        0
    )
    assert codes("go decide(holder)", "state\n  who : player = after active\n") == ["R113"]


@pytest.mark.parametrize("first", ["flag = number of players > 2", "flag = everyone is none"])
def test_a_variable_may_not_begin_as_what_has_to_be_found_out(first: str) -> None:
    assert codes("go decide(holder)", f"state\n  first : {first}\n") == ["R113"]


def test_mistakes_are_gathered_in_the_order_of_the_text() -> None:
    assert codes("when coun > 2\nput spel on stack\nif sba\n  go decide(holder)") == [
        "R201",
        "R101",
        "R104",
    ]


OPTION = (
    'option answer "who answers"\n  nobody_does "nobody"\n  everyone_does "everyone"\noption most '
    '"how many" from 0 to 3 default 2\n'
)


def test_options_are_folded_away() -> None:
    body = (
        "when answer is everyone_does or count < most\nif answer is nobody_does\n  go "
        "decide(holder)\npassed := none\ngo decide(active)"
    )
    default = program(body, OPTION).stage("decide").clauses[0]
    assert default.guard == ir.Less(ir.Variable("count"), ir.Literal(2))
    assert default.body == (ir.Go("decide", (HOLDER,)),)
    other = program(body, OPTION, {"answer": "everyone_does"})
    assert other.name == "binding@answer=everyone_does"
    assert dict(other.settings) == {"answer": "everyone_does", "most": 2}
    assert other.stage("decide").clauses[0].guard == ir.YES
    assert len(other.stage("decide").clauses[0].body) == 2


@pytest.mark.parametrize("numbers", ["0 to most", "0 to 3 - most", "most - 3 to 0"])
def test_a_number_up_to_an_option_is_there_for_each_of_its_values(numbers: str) -> None:
    assert program(f"choose n in {numbers}\ngo decide(holder)", OPTION)


@pytest.mark.parametrize("numbers", ["1 to most", "most to 2", "0 to count"])
def test_a_number_that_is_there_for_some_values_may_not_be_there(numbers: str) -> None:
    assert codes(f"choose n in {numbers}\ngo decide(holder)", OPTION) == ["R204"]


def test_a_clause_that_options_rule_out_is_inactive() -> None:
    ruled_out = program("when answer is everyone_does\ngo decide(holder)", OPTION)
    assert ruled_out.inactive == ("1.1",)
    assert [c.id for c in ruled_out.stage("decide").clauses] == ["1.2"]


_BATTLE = """
    option length "how much there is"
      short "little"
      full  "all"
    sequence battle
      attack
      block  "block" [answers] when length is full
      fight  "fight" also "block", "blow"
"""


@pytest.mark.parametrize(
    ("length", "steps", "also"),
    [
        ("short", ["attack", "fight"], ("block", "blow")),
        ("full", ["attack", "block", "fight"], ("blow",)),
    ],
)
def test_a_step_is_there_under_its_options(
    length: str, steps: list[str], also: tuple[str, ...]
) -> None:
    """Else it is never the present step, no move skips to it, and its title is free for others."""
    body = (
        "when not battle is answers\nif battle is block\n  advance\nskip to block\ngo "
        "decide(holder)"
    )
    found = program(body, _BATTLE, {"length": length})
    is_there = length == "full"
    assert [step.name for step in found.sequences[1].steps] == steps
    assert found.sequences[1].steps[-1].also == also
    assert {v.name: v.type for v in found.variables}["battle"] == ir.EnumType(("none", *steps))
    assert found.inactive_steps == (() if is_there else ("block", "answers"))
    clause = found.stage("decide").clauses[0]
    asked = ir.OneOf(ir.Variable("battle"), ("block",))
    assert clause.guard == (ir.Not(asked) if is_there else ir.YES)
    assert clause.body == (
        (
            ir.If(asked, (ir.Advance("turn"),), ()),
            ir.StepTo("battle", "block"),
            ir.Go("decide", (HOLDER,)),
        )
        if is_there
        else (ir.Require(ir.NO), ir.Go("decide", (HOLDER,)))
    )


def test_a_formula_may_name_a_step_that_is_not_there(tmp_path: Path) -> None:
    asked = "possible (battle is block or battle is answers)"
    text = program("skip to block\ngo decide(holder)", _BATTLE).source.text
    file = tmp_path / "b.rules"
    file.write_text(f'{text}claims\n  possible x.y "the block"\n    {asked}\n')
    found = {
        length: stacklaw.check(f"{file}@length={length}", "x.y").outcome
        for length in ("short", "full")
    }
    assert found == {"short": Outcome.IMPOSSIBLE, "full": Outcome.POSSIBLE}


@pytest.mark.parametrize("condition", ["sba", "number of players is 2", "active is active"])
def test_a_step_depends_only_on_options(condition: str) -> None:
    declared = f"sequence battle\n  attack\n  block when {condition}\n"
    assert codes("go decide(holder)", declared)[0] in ("R113", "R101")


def test_the_first_step_is_always_there() -> None:
    assert codes("go decide(holder)", _BATTLE.replace("attack", "attack when length is full")) == [
        "R113"
    ]


@pytest.mark.parametrize(
    "settings",
    [
        {"answers": "nobody_does"},
        {"answer": "none"},
        {"most": "4"},
        {"most": "9" * 10_000},
        {"most": "²"},
    ],
)
def test_settings_must_fit(settings: dict[str, str]) -> None:
    with pytest.raises(InputError) as found:
        program("when count < most and answer is nobody_does\ngo decide(holder)", OPTION, settings)
    assert [d.code for d in found.value.diagnostics] == ["R103"]


def test_a_declaration_that_is_used_is_not_blamed() -> None:
    """`spede` is near `speed`, which a `put` uses: so it is what is used twice that is wrong."""
    body = """
        if sba
          spede := 1
          spede := 2
        put spell with speed fast_one on stack
        go decide(holder)
    """
    with pytest.raises(InputError) as caught:
        program(body)
    assert [one.code for one in caught.value.diagnostics] == ["R101", "R101"]
    assert all(
        "`spede`" in one.message and "declared here" not in one.message
        for one in caught.value.diagnostics
    )


def test_a_routine_that_ends_is_gone_to_like_a_stage() -> None:
    """What stands in it and what is written out at each place are one and the same Program."""
    head = 'game "Tails"\nplayers 2\nstart talk(active)\n\nstate\n  due : flag\n\n'
    routine = (
        "to announced_by(p: player)\n  if due\n    due := no\n    go talk(p)\n  else\n    go "
        "talk(after p)\n\n"
    )
    clause = '  may {} "speak"\n    due := {}\n{}\n'
    stage = "stage talk(q: player)\n  priority q\n\n"
    short = "    go announced_by(q)\n"
    long = "    if due\n      due := no\n      go talk(q)\n    else\n      go talk(after q)\n"
    texts = [
        head + first + stage + clause.format(1, "yes", tail) + clause.format(2, "no", tail)
        for first, tail in ((routine, short), ("", long))
    ]
    with_routine, written_out = (load(Source("tails.rules", text)) for text in texts)
    assert with_routine.stages == written_out.stages
