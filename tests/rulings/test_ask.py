"""Questions of judges, each with the answer of the document; what was wrong at first in a trial is
among them.
"""

from __future__ import annotations

import time

import pytest

import stacklaw
from stacklaw.checker.rulings.ask import ask
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.source import Source

ANSWERS = [
    ("mtg", "A casts an instant; A passes: may B respond before A's instant resolves?", "yes, now"),
    ("mtg", "A casts an instant: may B respond?", "yes, in every play"),
    ("mtg", "A casts an instant; A passes; B casts an instant: who has priority?", "B"),
    ("mtg", "A casts an instant; A passes; B casts an instant: may A pass?", "not yet"),
    (
        "mtg",
        "A casts an instant; A passes; B casts an instant; B passes; A passes: who has priority?",
        "A",
    ),
    (
        "mtg",
        "in the main phase; A casts a noninstant spell: may A cast another noninstant spell in response?",
        "no",
    ),
    ("mtg", "in the untap step: may A cast an instant?", "no"),
    ("mtg", "A casts an instant; A, B pass: may B respond before it resolves?", "no"),
    (
        "mtg",
        "in the draw step; B's ability triggers: may A respond before it is put on the stack?",
        "no",
    ),
    ("mtg", "A activates a mana ability: may B respond?", "no"),
    ("mtg", "in the end step; everybody passes: may A cast an instant?", "no"),
    ("mtg", "A casts an instant; B's ability triggers: whose ability is it?", "B"),
    ("mtg", "A casts an instant: what happens to it?", "resolves"),
    ("mtg", "A casts an instant: may C cast an instant before it resolves?", "yes, in every play"),
    (
        "mtg",
        "A casts an instant: what may the cards cause?",
        "an ability triggers (A, B); another ability triggers on the same event (A, B); a state-based action becomes applicable",
    ),
    (
        "mtg",
        "in B's main phase, A has priority, stack: A's instant below B's: which resolves first?",
        "B's instant spell",
    ),
    ("fftcg", "in Main Phase 1; everybody passes: what happens next?", "Attack Phase begins"),
    ("fftcg", "A casts a Summon: may A cast another Summon before B?", "yes, now"),
    ("fftcg", "A declares an attack: may B cast a Summon before a block is declared?", "yes"),
    (
        "fftcg",
        "in A's Damage Resolution Step; player damage reveals an EX Burst; a rules process becomes "
        "due: what may the cards cause as rules processes are performed?",
        "an auto-ability triggers (A, B); another one triggers on the same event (A, B); a rules process becomes due",
    ),
    ("zx", "in the main phase; A plays a card: may B respond?", "no"),
    (
        "zx",
        "A begins a battle; A passes; B passes: what happens next?",
        "Battle Damage Step begins",
    ),
    ("zx", "in the main phase: may B play a card?", "no"),
    (
        "fow",
        "A plays a chant; A passes; B plays a chant-instant: which resolves first?",
        "B's response action",
    ),
    (
        "fow",
        "A initiates battle; A forfeits the attack: what happens next?",
        "end of battle step begins",
    ),
    ("fow", "in B's main phase: may A play a resonator?", "no"),
    ("stack", "A plays a slow card: may B play something fast before it resolves?", "yes, now"),
    (
        "stack",
        "A passes the turn; A's hybrid ability triggers; A pays for it: who has priority?",
        "B",
    ),
    ("stack", "A plays a slow card; a hybrid ability of B triggers: whose ability is it?", "B"),
    (
        "stack",
        "A plays a slow card; an ability of B triggers: who resolves first?",
        "B's triggered ability",
    ),
    (
        "stack",
        "A passes the turn: may B play something fast before B's turn begins?",
        "only if an ability triggers",
    ),
    (
        "stack@triggers=no",
        "A passes the turn: may B play something fast before B's turn begins?",
        "no",
    ),
    (
        "stack@combat=yes",
        "A attacks B: may B play something fast before the attack resolves?",
        "only if",
    ),
]
ANSWERS += [
    # In the words of judges who had not read the titles; where the step is said, it is asked of
    # that step alone.
    (
        "mtg",
        "A casts Lightning Bolt; A passes priority: can B cast a counterspell in response?",
        "yes, now",
    ),
    ("mtg", "in the upkeep; A passes; B passes: does the step end?", "yes"),
    # Of a turn it is asked of all of it; a step in which nobody has priority, by what cards cause.
    ("mtg", "During B's turn can A play a land?", "no"),
    ("mtg", "in B's turn may A activate an ability?", "yes, in every play"),
    ("mtg", "may A cast an instant in B's draw step?", "not yet"),
    ("mtg", "in A's cleanup step: may B cast an instant?", "only if"),
    ("mtg", "in A's untap step: may B cast an instant?", "no"),
    ("mtg", "in the cleanup step A's ability triggers: who gets priority?", "A"),
    (
        "mtg",
        "With three players: A casts an instant; A passes; B passes: may C respond?",
        "yes, now",
    ),
    ("fftcg", "In Main Phase 1; A passes; B passes: what phase is next?", "Attack Phase begins"),
    ("zx", "in A's turn: may B play a card?", "only if"),
    ("zx", "A starts a battle: may B play a card?", "not yet"),
    ("zx", "A plays a card in the main phase: who has priority afterwards?", "A"),
    ("stack", "B plays a fast card on A's turn: may A respond?", "yes, now"),
    ("stack", "A plays a slow card: may A play a fast card on top of it?", "yes, in every play"),
    ("fow", "A uses judgment: may B respond?", "yes, in every play"),
    ("fow", "A plays a resonator: may B play a chant instant?", "not yet"),
    ("fow", "A attacks: may B respond before blockers?", "yes, in every play"),
    ("mtg", "A casts an instant: does the step end?", "no"),
    ("mtg", "A casts a sorcery: can A play a land while the sorcery is on the stack?", "no"),
    ("mtg", "in the cleanup step: does anyone get priority?", "nobody"),
    ("mtg", "in the untap step: does A have priority?", "no"),
    ("mtg", "A casts an instant: does A still have priority?", "yes"),
    ("mtg", "A activates an ability: can B respond before A passes?", "no"),
    ("mtg", "A activates an ability: can B respond before A passes priority?", "no"),
    ("mtg", "A activates an ability: can A cast an instant before A passes?", "yes, now"),
    ("fftcg", "in the Draw Phase: does A have priority?", "no"),
    ("fftcg", "in Main Phase 1; A casts a Summon: can A play a Forward from hand?", "no"),
    ("fftcg", "A casts a Summon: can A cast a second Summon without passing?", "yes, now"),
    ("fftcg", "in the End Phase; A passes; B passes: whose turn is it?", "B"),
    (
        "zx",
        "in the battle event step; A passes; B plays a card; A passes; B passes: is the battle event step over?",
        "yes",
    ),
    (
        "zx",
        "in the battle event step; A passes; B plays a card; A passes: is the battle event step over?",
        "not yet",
    ),
    ("zx", "in A's main phase; A passes priority: does B get priority?", "no"),
    ("zx", "in the Battle Event Step; A uses a start-up ability: who acts next?", "B"),
    (
        "zx",
        "in the battle event step; A plays a card; B passes: does the battle go on to damage?",
        "not yet",
    ),
    (
        "fow",
        "A initiates battle: may B play a chant-instant before the attack is declared?",
        "yes, in every play",
    ),
    ("stack", "A plays a fast card: can A play another fast card right away?", "no"),
    ("stack", "it is A's turn, the stack is empty: can B play a card?", "no"),
    ("stack", "A draws a card: can B respond?", "no"),
    ("stack", "A ends the turn: can B play a fast card in A's end step?", "no"),
]
REFUSED = [
    ("mtg", "A summons an instant: may B respond?", "C202", "summons"),
    ("mtg", "A casts an instant; B passes: who has priority?", "C204", "B cannot pass here"),
    ("mtg", "in the untap step, A has priority: who has priority?", "C206", "is not reached"),
    ("mtg", "A casts an instant.", "C201", "asks nothing"),
    ("mtg", "can A respond to their own spell?", "C204", "Nothing was done yet"),
    # It would be A's own instant that counters it.
    ("mtg", "A casts a sorcery; B counters it: may A respond?", "C206", "cannot happen here"),
    ("mtg", "A begins a main phase: may B respond?", "C202", "No one thing"),
    ("zx", "who decides which automatic ability is played first?", "C204", "no such choice"),
    ("zx", "with three players: may A play a card?", "C203", "no player C"),
    ("mtg", "with two players: A casts an instant; C passes: may B act?", "C203", "2 players"),
    ("mtg", "", "C201", "no question"),
    ("mtg", "A casts an instant: will B win?", "C201", "none of the questions"),
    ("mtg", "x" * 100_000, "C201", "characters"),
    (
        "mtg",
        "A casts an instant; A casts an instant: may B respond before A's instant resolves?",
        "C203",
        "2 items",
    ),
    (
        "stack",
        "A attacks B: may B play something fast?",
        "C202",
        "nothing that can be done in this reading",
    ),
    ("zx", "C passes: who has priority?", "C203", "no player C"),
]


@pytest.mark.parametrize(("game", "question", "answer"), ANSWERS)
def test_a_question_is_answered(game: str, question: str, answer: str) -> None:
    found = stacklaw.ask(game, question).answers[0]
    assert found.agrees(answer), found.value


@pytest.mark.parametrize(("game", "question", "code", "words"), REFUSED)
def test_a_question_that_is_not_understood_is_refused(
    game: str, question: str, code: str, words: str
) -> None:
    with pytest.raises(InputError) as error:
        stacklaw.ask(game, question)
    assert (error.value.diagnostics[0].code, words in error.value.diagnostics[0].message) == (
        code,
        True,
    )


def test_answers_are_compared_as_values() -> None:
    """`No` is not the beginning of `Not yet`."""
    found = stacklaw.ask(
        "mtg", "A casts an instant; A passes; B casts an instant: may A pass?"
    ).answers[0]
    assert not found.agrees("no")
    assert not found.agrees("yes")
    assert found.agrees("Not yet; once B passes.")


def test_two_rules_that_apply_at_once_are_both_told() -> None:
    """By 117.3d the next player has priority, by 117.4 the item resolves."""
    question = "A casts an instant; A passes; B passes: may B respond before it resolves?"
    found = stacklaw.ask("mtg", question, set={"last_pass": "both"}).answers[0]
    assert set(found.listed) == {"117.3d/c: not yet", "117.4/a: no"}


ROUND_AND_ROUND = """
game "Round and round"
source "an example"
players 2
scope players 2
start decide

state
  high : flag

stage decide "a player has priority"
  priority active
  may 1 "act"
    go turning

stage turning "the rules go round"
  must 2 "up or down"
    if high
      high := no
    else
      high := yes
    go turning
"""


@pytest.mark.parametrize(
    ("question", "answer"), [("may A act?", "no"), ("who has priority?", "nobody")]
)
def test_nobody_decides_where_the_rules_go_round(question: str, answer: str) -> None:
    program = load(Source("round.rules", ROUND_AND_ROUND))
    found = ask(program, f"A acts: {question}", make_scope(program)).answers[0]
    assert found.agrees(answer), found.value


def test_nobody_can_pass_where_the_rules_go_round() -> None:
    program = load(Source("round.rules", ROUND_AND_ROUND))
    with pytest.raises(InputError) as error:
        ask(program, "A acts; everybody passes: may A act?", make_scope(program))
    assert error.value.diagnostics[0].message == "Nobody can pass here."


HIGHER_AND_HIGHER = """
game "Higher and higher"
source "an example"
players 2
scope players 2, stack 2
start decide

items
  spell "spell"

zones
  stack last in first out

stage decide "a player has priority"
  priority active
  may 1 "cast a spell"
    put spell on stack
    go growing

stage growing "the stack grows"
  must 2 "one more"
    put spell by active on stack
    go growing
"""


@pytest.mark.parametrize("question", ["what happens to it?", "which resolves first?"])
def test_what_goes_on_without_end_is_no_situation(question: str) -> None:
    program = load(Source("higher.rules", HIGHER_AND_HIGHER))
    with pytest.raises(InputError) as error:
        ask(program, f"A casts a spell: {question}", make_scope(program))
    assert "more than 1,000 moves" in error.value.diagnostics[0].message


HOSTILE = [
    "A, " * 600 + "pass: who has priority?",
    "A casts an instant; " * 90 + "who has priority?",
    "may " + "A " * 900 + "?",
    "in the " * 250 + ": may B respond?",
    "may B respond before " * 80 + "?",
    "stack: " + "A's instant below " * 100 + ": who has priority?",
    "A casts an instant" + " and holds priority" * 90 + ": who has priority?",
    "does " + "x is " * 350 + "over?",
    "can A play a land while " + "the sorcery is on the stack while " * 50 + "it is on the stack?",
    "\x00\x1b[31m\u202e: may B respond?",
    "who? " * 390,
    "may B (.*)*+?[ respond?",
    "A casts an instant: may B respond?" * 50,
    '"; rm -rf / #: may B respond?',
]


@pytest.mark.parametrize("question", HOSTILE)
def test_hostile_questions_are_refused_at_once(question: str) -> None:
    began = time.process_time()
    with pytest.raises(InputError) as error:
        stacklaw.ask("mtg", question)
    assert error.value.diagnostics[0].code in ("C201", "C202", "C203", "C204")
    assert time.process_time() - began < 2


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(InputError) as error:
        stacklaw.ask("mtq", "who has priority?")
    assert "mtq" in error.value.diagnostics[0].message


@pytest.mark.parametrize("game", ["zx", "stack"])
def test_what_is_out_of_reach_says_what_is_nearest(game: str) -> None:
    """Two things at once that no play has: whoever asks is told which of them the nearest position
    lacks.
    """
    step = {"zx": "end phase", "stack": "end of turn"}[game]
    began = time.process_time()
    with pytest.raises(InputError) as error:
        stacklaw.ask(game, f"in the {step}, A has priority, B has priority: may B respond?")
    (found,) = error.value.diagnostics
    assert found.code == "C206"
    assert "the nearest meets 2 of 3" in found.hint or "the nearest meets 1 of 3" in found.hint
    assert time.process_time() - began < 15


@pytest.mark.parametrize(
    ("game", "question"),
    [
        (
            "fftcg",
            "in A's Attack Preparation Step: may B cast a Summon before A declares an attack?",
        ),
        ("fftcg", "in Main Phase 1: does B get priority before A declares an attack?"),
        ("mtg", "in the main phase: may B cast an instant before the step ends?"),
    ],
)
def test_what_is_asked_of_a_time_before_something_looks_at_few_positions(
    game: str, question: str
) -> None:
    """Whether it comes at all is known at the first play that brings it."""
    assert stacklaw.ask(game, question).looked_at < 2_000
