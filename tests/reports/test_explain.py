"""What a play is told to be: who, by which clause, what changed, and why it decides."""

from __future__ import annotations

from stacklaw.checker.run.check import check, simulate
from stacklaw.checker.run.engines import engine_named
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.models.words import counted, join_words
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named
from stacklaw.properties.wording import expression_words, formula_words
from stacklaw.reports.naming import ordinal, player_name, value_words
from stacklaw.reports.plays.explain import explain, retell
from stacklaw.reports.plays.play import Barred, Finding, Play
from stacklaw.reports.text.page import plain
from stacklaw.reports.text.ruling import render_ruling

from . import plays


def violation() -> Play:
    play = explain(plays.violated())
    assert play is not None
    return play


def test_only_what_changed_is_told() -> None:
    start, receives, casts, again, passes, resolves = violation().moments
    assert (start.priority_changed, receives.priority_changed, receives.priority) == (
        True,
        True,
        ("A",),
    )
    assert (casts.changed_piles, again.changed_piles, resolves.changed_piles) == (
        ("stack",),
        (),
        ("stack",),
    )
    assert [change.after for change in passes.changes] == ["A"]
    assert not any(moment.step_changed for moment in violation().moments[1:])


def test_the_formula_says_why_it_breaks() -> None:
    assert violation().findings == (
        Finding("A's instant spell resolves", True),
        Finding("B is not controller of A's instant spell", True),
        Finding(
            "B has priority and A's instant spell is on stack, now or at any moment before", False
        ),
    )


def test_a_player_without_a_window_is_told_who_had_it_and_what_stood_against_it() -> None:
    (denial,) = violation().denials
    assert (denial.player, denial.subject, denial.first, denial.last) == (
        "B",
        "A's instant spell",
        2,
        4,
    )
    assert [window.holders for window in denial.windows] == [(), ("A",), ()]
    said = ("passed is everyone or A is active",)
    assert denial.barred == (
        Barred(4, "1.3", "pass", said, 4, "1.3", "pass", (Finding("A is active", True, since=0),)),
    )


TWO_PARTS = """
game "Two parts"
players 2
scope players 2, stack 1
start decide(active)
items
  spell "spell"
zones
  stack last in first out
state
  passed : flag
stage decide(p: player)
  priority p
  may 1 "cast"
    when stack is empty
    put spell on stack
    go decide(p)
  may 2 "pass"
    pass
    if passed and stack is not empty
      game over
    else
      passed := yes
      go decide(after p)
"""


def test_of_several_conditions_the_first_that_failed_is_told_as_it_was_then() -> None:
    program = load(Source("two.rules", TWO_PARTS))
    said = set()
    for seed in range(30):
        play = retell(program, make_scope(program), simulate(program, make_scope(program), seed, 3))
        said |= {
            (tuple(moment.clause for moment in play.moments[1 : number + 1]), moment.decided)
            for number, moment in enumerate(play.moments)
        }
    assert (("2",), ("passed is no",)) in said
    assert (("1", "2"), ("passed is no",)) in said
    assert (("2", "2"), ("stack is empty",)) in said
    assert (("2", "1", "2"), ("passed and stack is not empty",)) in said


def test_a_condition_that_failed_twice_is_told_once() -> None:
    rules = TWO_PARTS.replace("    else\n", "    else if passed\n      go decide(p)\n    else\n")
    program = load(Source("two.rules", rules))
    play = retell(program, make_scope(program), simulate(program, make_scope(program), 1, 4))
    assert ("passed is no",) in [moment.decided for moment in play.moments]


LATE = """
game "An item that comes late to the stack"
players 2
scope players 2, stack 1, waiting 1
start decide(active)
items
  spell "spell"
zones
  stack last in first out
  waiting in any order
state
  quiet : players
stage decide(p: player)
  priority p
  may 1 "trigger"
    put spell on waiting
    go decide(p)
  may 2 "pass"
    pass
    quiet += p
    if quiet is everyone
      go settle
    else
      go decide(after p)
stage settle
  the first that applies
    must 3 "what waits goes on the stack"
      when waiting is not empty
      choose t in waiting
      move t to stack
      go settle
    must 4 "it resolves"
      when stack is not empty
      resolve top of stack
      go decide(active)
"""


def explained(text: str, name: str) -> Play:
    program = load(Source("late.rules", text))
    (verdict,) = check(
        program,
        [property_named(program, name)],
        make_scope(program),
        engine=engine_named("reference"),
    )
    play = explain(verdict)
    assert play is not None
    return play


def test_a_window_counts_once_the_item_is_where_it_can_be_answered() -> None:
    play = explained(LATE, "response_window")
    (denial,) = play.denials
    came = next(moment.number for moment in play.moments if "stack" in moment.changed_piles)
    assert denial.first == came == 4
    assert "From move 4 to move 5 nobody has priority." in plain(render_ruling(play))


def test_passes_that_count_for_the_same_reason_are_told_together() -> None:
    again = LATE.replace("players 2", "players 3").replace(
        "put spell on waiting", "when number of players in quiet > 1\n    put spell on stack"
    )
    text = plain(render_ruling(explained(again, "response_window")))
    assert (
        "A's pass (move 1) and B's pass (move 2) still count: 1 trigger (move 3), in between, "
        "leaves them." in text
    )


TALES = """
game "Tales"
players 2
scope players 2, stack 2
start talk(active)
items
  tale "tale"
  joke "joke"
zones
  stack last in first out
state
  silent : players
stage talk(p: player)
  priority p
  may 1 "begin a tale"
    when p is active
    put tale on stack
    silent := none
    go talk(after p)
  may 2 "joke"
    put joke on stack
    go talk(p)
  may 3 "be silent"
    pass
    silent += p
    if silent is everyone and stack is not empty
      go burn
    if silent is everyone
      game over
    go talk(after p)
stage burn
  must 4 "the top burns"
    when stack is not empty
    resolve top of stack
    silent := none
    go talk(active)
"""


def test_a_condition_that_a_clause_asks_for_twice_is_what_stood_against_a_player() -> None:
    """One `if` alone turned round leads to the next, which asks for the same. That B tells no tale
    keeps no player out: B chose to pass.
    """
    (denial,) = explained(TALES, "response_window").denials
    assert [(one.clause, one.because) for one in denial.barred] == [("3", ("silent is everyone",))]
    text = " ".join(plain(render_ruling(explained(TALES, "response_window"))).split())
    assert (
        "A would have been next by 3 be silent (move 3), but silent is everyone: A in silent since "
        "move 1" in text
    )
    assert (
        "A's pass (move 1) still counts: 2 joke (move 2), in between, leaves it, though the only "
        "other action there clears it." in text
    )


def test_a_play_that_ends_too_soon_says_why_it_ends() -> None:
    play = explained(LATE, "round_ends")
    assert play.conclusion == (
        "Here the play ends, since no clause applies; nearest come 3 what waits goes on the stack, "
        "but waiting is empty; 4 it resolves, but stack is empty."
    )


def test_a_witness_has_no_denial() -> None:
    play = explain(plays.witness())
    assert play is not None
    assert (play.ending, play.denials) == ("shows", ())
    assert Finding("A's 1st instant spell is put on stack", True, 2) in play.findings


MUTING = """
game "Muting"
players 2
scope players 2, stack 1
start play
items
  spell "spell"
attributes
  loud  : flag = yes
  muted : flag
  pace  : slow or fast
zones
  stack last in first out
stage play
  must 1 "put"
    when stack is empty
    put spell by active with muted yes, pace fast on stack
    go play
  must 2 "turn it round"
    when stack is not empty and not (loud of top of stack and not muted of top of stack)
    muted of top of stack := not muted of top of stack
    loud of top of stack := yes
    go play
  must 3 "slow and silent"
    when stack is not empty and loud of top of stack and not muted of top of stack
    loud of top of stack := no
    pace of top of stack := slow
    muted of top of stack := yes
    go play
"""


def test_an_attribute_is_told_as_what_an_item_is() -> None:
    program = load(Source("muting.rules", MUTING))
    play = retell(program, make_scope(program), simulate(program, make_scope(program), 0, 4))
    assert [moment.events for moment in play.moments[1:]] == [
        ("A's spell is put on the stack (muted, pace fast).",),
        ("A's spell is no longer muted.",),
        ("A's spell is no longer loud.", "A's spell now has pace slow.", "A's spell is now muted."),
        ("A's spell is no longer muted.", "A's spell is now loud."),
    ]


def test_items_keep_their_names_from_zone_to_zone() -> None:
    play = explain(plays.long())
    assert play is not None
    moved = next(
        moment for moment in play.moments if "moves from waiting" in " ".join(moment.events)
    )
    assert moved.events == ("A's 1st triggered ability moves from waiting to the stack.",)
    assert moved.piles[0].cards[0].label == "A's 1st triggered ability"


def test_names() -> None:
    assert [player_name(seat) for seat in (0, 25, 26)] == ["A", "Z", "P27"]
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 21, 111)] == [
        "1st",
        "2nd",
        "3rd",
        "4th",
        "11th",
        "12th",
        "21st",
        "111th",
    ]
    assert join_words(["A", "B", "C"]) == "A, B and C"
    assert [counted(n, "move") for n in (0, 1, 1234)] == ["0 moves", "1 move", "1,234 moves"]
    assert [value_words(v, ir.PlayersType(), 3) for v in (0, 1, 5, 7)] == [
        "nobody",
        "A",
        "A and C",
        "everyone",
    ]
    assert value_words(None, ir.PlayerType(optional=True), 2) == "nobody"


def test_expressions_read_like_the_rules() -> None:
    program, p, stack = plays.program(), ir.Local("p"), ir.IsEmpty("stack")
    cases: dict[str, ir.Expr] = {
        "stack is not empty": ir.Not(stack),
        "every t in waiting satisfies B is active": ir.Not(
            ir.Exists("t", ir.ItemsOn("waiting"), ir.Not(ir.Equal(p, ir.Variable("active"))))
        ),
        "no q in players where q is active": ir.Not(
            ir.Exists(
                "q", ir.PlayersIn(ir.Everyone()), ir.Equal(ir.Local("q"), ir.Variable("active"))
            )
        ),
        "B not in passed": ir.Not(ir.Contains(ir.Variable("passed"), p)),
        "size of stack >= 2": ir.Not(ir.Less(ir.Size("stack"), ir.Literal(2))),
        "size of stack > 1": ir.Less(ir.Literal(1), ir.Size("stack")),
        "size of stack <= 1": ir.Not(ir.Less(ir.Literal(1), ir.Size("stack"))),
        "(stack is empty or after B is active) and step is one of (upkeep, main)": ir.All(
            (
                ir.Any((stack, ir.Equal(ir.Neighbour(p, 1), ir.Variable("active")))),
                ir.OneOf(ir.Variable("step"), ("upkeep", "main")),
            )
        ),
    }
    assert {
        expression_words(program, expression, {"p": "B"}): text
        for text, expression in cases.items()
    } == {text: text for text in cases}


def test_formulas_read_like_the_properties() -> None:
    program = plays.program()
    implies = f.Or((f.Not(f.ItemEvent("resolves", "i")), f.Once(f.HasPriority(ir.Local("p")))))
    assert formula_words(program, implies) == "i resolves implies once p has priority"
    assert (
        formula_words(program, f.Since(f.Not(f.PlayerEvent("passes", None)), f.Gap()))
        == "not someone passes since no clause applies"
    )
    assert (
        formula_words(program, f.Not(f.Once(f.Not(f.GameIsOver())))) == "historically game is over"
    )
