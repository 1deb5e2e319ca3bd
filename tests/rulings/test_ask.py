"""Questions of judges, each with the answer of the document; what was wrong at first in a trial is
among them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import get_args

import pytest

import stacklaw
from stacklaw.checker.rulings.answer import Ruling
from stacklaw.checker.rulings.ask import ask
from stacklaw.checker.situations.question import (
    EXAMPLES,
    Form,
    none_of_the_forms,
    read_inquiry,
    read_question,
)
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.shipped import example_names, game_names
from stacklaw.models.source import Source

from .questions import DENIALS, GAMES, judges

READINGS = [
    (
        "stack@triggers=no",
        "A passes the turn: may B play something fast before B's turn begins?",
        "no",
    ),
    (
        "stack@combat=yes",
        "A attacks B: may B play something fast before the attack resolves?",
        "yes, in every play",
    ),
    # 702.61: acts that put nothing on the stack answer nothing.
    (
        "mtg@split_second=yes",
        "A casts an instant spell with split second; A passes: may B respond?",
        "no",
    ),
    (
        "mtg@split_second=yes",
        "A casts an instant spell with split second; A passes: may B act?",
        "yes, now",
    ),
    ("mtg@instructed=casts", "A casts an instant: may B respond?", "yes, in every play"),
    # What is done without priority is done before it is filled in that the costs are paid.
    (
        "mtg@payment=announced",
        "A casts an instant: may A activate a mana ability while paying?",
        "yes, now",
    ),
    (
        "mtg@payment=announced",
        "A casts an instant: may B activate a mana ability while paying?",
        "no",
    ),
    # As players say it.
    ("mtg", "A casts an instant: may B answer A's instant?", "yes, in every play"),
    ("mtg", "A casts an instant; B lets it resolve: who has priority?", "A"),
    ("mtg", "A casts an instant: may A hold priority?", "yes"),
]
_TWO = "A's ability triggers together with B's ability"
REFUSED = [
    ("mtg", "A summons an instant: may B respond?", "C202", "summons"),
    ("mtg", "A casts an instant; B passes: who has priority?", "C204", "B cannot pass here"),
    ("mtg", "in the untap step, A has priority: who has priority?", "C206", "is not reached"),
    ("mtg", "A casts an instant.", "C201", "asks nothing"),
    ("mtg", "can A respond to their own spell?", "C204", "Nothing was done yet"),
    ("mtg", "may B answer A's instant?", "C204", "Nothing was done yet"),
    # It would be A's own instant that counters it.
    ("mtg", "A casts a sorcery; B counters it: may A respond?", "C206", "cannot happen here"),
    ("mtg", "A begins a main phase: may B respond?", "C202", "No one thing"),
    ("zx", "who decides which automatic ability is played first?", "C204", "no such choice"),
    ("zx", "with three players: may A play a card?", "C203", "no player C"),
    ("mtg", "A, then B cast an instant: who decides?", "C202", "does not say what that player"),
    ("mtg", "the active player: may B pass?", "C202", "does not say what that player does"),
    ("mtg", "with one player: may A pass?", "C203", "no question for 1 player"),
    ("zx", "with 12 players: may A play a card?", "C203", "played by 2 at most"),
    ("mtg", "with 17 players: may A pass?", "C203", "no player Q: a game has 16 at most"),
    ("mtg", "with 1 player: may A pass?", "C203", "no question for 1 player"),
    ("mtg", "with two players: A casts an instant; C passes: may B act?", "C203", "2 players"),
    ("mtg", "", "C201", "no question"),
    ("mtg", "A casts an instant: will B win?", "C201", "none of the questions"),
    ("zx", "who has priority? may B respond if A passes?", "C201", "says more of what happens"),
    ("zx", "who has priority? After A passes, may B respond?", "C201", "says more of what happens"),
    ("zx", "it is A's turn: who acts? A passes: who acts?", "C201", "says more of what happens"),
    ("mtg", "x" * 100_000, "C201", "characters"),
    (
        "mtg",
        f"{'; '.join([_TWO] * 30)}: what may the cards cause here?",
        "C203",
        "more than 200 ways",
    ),
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
    # Stacklaw does not guess whose step it is.
    ("mtg", "in b's draw step: who has priority?", "C203", "`b` is no player here"),
    ("mtg", "it is b's draw step: who has priority?", "C203", "`b` is no player here"),
    ("mtg", "in the other player's draw step: may A pass?", "C202", "No step is called `the other"),
    ("mtg", "with f\N{LATIN SMALL LETTER DOTLESS I}ve players: may A pass?", "C202", "called `f`"),
    ("mtg", "Z passes: who has priority?", "C203", "`Z` is no player here"),
    ("mtg", "how many cards does A draw?", "C201", "none of the questions"),
    # What is answered is not what it is answered with.
    *(
        ("mtg", f"A casts an instant; {said}: who has priority?", "C203", "not say with what")
        for said in ("B responds", "B responds to A's instant", "B responds to the ability")
    ),
]


def said_to(game: str, question: str) -> Ruling | str:
    """Return the ruling on *question*, or the code with which it is refused."""
    try:
        return stacklaw.ask(game, question)
    except InputError as error:
        return error.diagnostics[0].code


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_judges_are_answered_as_the_document_has_it(game: str) -> None:
    wrong = []
    for question, answer in judges(game):
        found = said_to(game, question)
        is_right = found == answer if isinstance(found, str) else found.agrees(answer)
        wrong += [] if is_right else [(question, answer, found)]
    assert not wrong


@pytest.mark.parametrize(("game", "question", "answer"), READINGS)
def test_a_question_is_answered_in_a_reading(game: str, question: str, answer: str) -> None:
    found = stacklaw.ask(game, question).answers[0]
    assert found.agrees(answer), found.value


def test_several_questions_need_no_situation() -> None:
    found = stacklaw.ask("mtg", "who has priority? may A pass?").answers
    assert [one.value for one in found] == ["A", "yes, now"]


@pytest.mark.parametrize(
    ("text", "named", "left"),
    [
        ("is B happy", EXAMPLES, ()),
        ("who wins", ("who has priority?", "who decides?"), ("may B respond?",)),
        ("what is best", ("what is on the stack?", "what may B do?"), ("who decides?",)),
    ],
)
def test_a_hint_names_the_questions_that_there_are(
    text: str, named: Sequence[str], left: Sequence[str]
) -> None:
    hint = none_of_the_forms(text).diagnostics[0].hint
    assert [one for one in named if f"`{one}`" not in hint] == []
    assert [one for one in left if f"`{one}`" in hint] == []


@pytest.mark.parametrize("game", [*game_names(), *example_names()])
def test_a_hint_shows_a_question_that_the_game_answers(game: str) -> None:
    with pytest.raises(InputError) as error:
        stacklaw.ask(game, "may B respond?")
    shown = re.search("`(.*)`", error.value.diagnostics[0].hint)
    assert shown is not None
    assert stacklaw.ask(game, shown[1]).answers


def test_an_example_of_each_form_is_named() -> None:
    assert {read_inquiry(one.rstrip("?")).form for one in EXAMPLES} == set(get_args(Form))


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


@pytest.mark.parametrize(
    ("question", "head"),
    [
        ("which resolves first?", "B's denial"),
        ("does B's denial resolve first?", "yes"),
        ("does A's strike resolve before B's denial?", "no"),
        ("does A's strike resolve first?", "no"),
        ("A denies: does A's strike resolve before B's denial?", "yes"),
        ("A denies: which resolves first?", "A's denial"),
        ("what happens next?", "B's denial resolves"),
    ],
)
def test_what_is_removed_does_not_resolve(question: str, head: str) -> None:
    """Of what leaves in one move the order is that of the rules; that of the moves tells more."""
    program, link = load(Source("denials.rules", DENIALS)), ";" if ":" in question else ":"
    (answer,) = ask(program, f"A strikes; B denies{link} {question}", make_scope(program)).answers
    assert answer.head == head


def test_each_of_several_passes() -> None:
    program = load(Source("denials.rules", DENIALS))
    text = "A strikes; B and A each pass: does A's strike resolve?"
    assert ask(program, text, make_scope(program)).answers[0].head == "resolves"


SWEEP = """
game "Sweep"
players 2
scope players 2, pile 5
start speak(active)

items
  a "one"
  b "two"
  c "three"
  d "four"
  e "five"

zones
  pile in any order [stack]

stage speak(p: player)
  priority p
  may 1 "fill"
    when pile is empty
    put a on pile
    put b on pile
    put c on pile
    put d on pile
    put e on pile
    go speak(after p)
  may 2 "sweep"
    when size of pile is 5
    choose t in pile
    remove t
    require some x in pile
    choose u in pile
    remove u
    require some x in pile
    choose v in pile
    remove v
    require some x in pile
    choose w in pile
    remove w
    go speak(after p)
  may 3 "pass"
    pass
    if size of pile is 1
      choose t in pile
      remove t
    go speak(after p)
"""


def test_the_order_in_which_items_have_left_is_no_further_way() -> None:
    """Four of five leave in 120 orders; one of five stays."""
    program = load(Source("sweep.rules", SWEEP))
    with pytest.raises(InputError) as error:
        ask(program, "A fills; B sweeps: what is on the pile?", make_scope(program))
    assert "can be read in 5 ways" in str(error.value)
    text = "A fills; B sweeps; A passes; B passes; A fills; B sweeps: who has priority?"
    assert ask(program, text, make_scope(program)).answers[0].head == "A"


@pytest.mark.parametrize(
    ("said", "statements"),
    [
        ("A and B cast an instant", ["A cast an instant", "B cast an instant"]),
        ("A, B and C each cast an instant", [f"{who} cast an instant" for who in "ABC"]),
        ("B and C fold", ["B fold", "C fold"]),
        ("A passes and B and C fold", ["A passes", "B fold", "C fold"]),
        ("A, B pass, and C folds", ["A pass", "B pass", "C folds"]),
        ("A, B, and C fold", ["A fold", "B fold", "C fold"]),
        ("A, B, C fold", ["A fold", "B fold", "C fold"]),
        ("A and B each pass", ["A and B each pass"]),
        ("A and B pass", ["A and B pass"]),
        ("A attacks B and C folds", ["A attacks B", "C folds"]),
    ],
)
def test_what_several_do_each_of_them_does(said: str, statements: list[str]) -> None:
    """Of none of them it is left out."""
    assert [*read_question(f"{said}: who has priority?").statements] == statements


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
    """Two things at once that no play has: the answer says which of them the nearest position
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
