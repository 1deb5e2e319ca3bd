"""What becomes of a mutant is what asking about it alone says: each claim by the meaning itself,
each word of its plays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from stacklaw.checker.explicit.engine import Explicit
from stacklaw.checker.mutate import judge
from stacklaw.checker.mutate import survey as surveying
from stacklaw.checker.mutate.edits.edits import Edit, edits_of
from stacklaw.checker.mutate.judge import Judge, JudgedReading, SeenOfChoices, Unchanged
from stacklaw.checker.mutate.survey import Judged, Survey, survey
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.checker.types.scope import scope_of
from stacklaw.checker.types.verdict import MET, Outcome
from stacklaw.models import ir
from stacklaw.models.load import opened
from stacklaw.models.options.configure import configure
from stacklaw.models.source import Source
from stacklaw.properties.formula import Property
from stacklaw.properties.load import claims_of
from stacklaw.reports.telling.mutants import make_survey_record

from ..diff.brute import shortest
from ..diff.rules import BASE

CLAIMS = """
claims
  holds lifo
  fails own_window
  possible marked "somebody is marked"
    possible (size of pool is 1)
  holds turns "the other one has priority after an act"
    for every player p: always (p acts implies p has priority or not p has priority)
  holds answer "after a spell the other one has priority"
    for every player p: always (p uses 1 implies not p has priority)
"""
LONGEST = 4


@pytest.mark.parametrize("part", range(2))
def test_every_mutant_is_what_it_is_by_itself(part: int) -> None:
    program = opened(Source("a.rules", BASE + CLAIMS))
    judge = Judge(JudgedReading(program.source))
    scope = scope_of(judge.program, None, None, {})
    met = [one.claim.name for one in judge.claims]
    assert met == ["marked", "turns", "answer"]  # within this scope the others are not
    fates: Counter[str] = Counter()
    for edit in edits_of(program)[part::6]:
        judgement = judge.judge(edit, every_claim=True)
        fates[judgement.fate] += 1
        if judgement.fate == "refused":
            continue
        mutant = configure(edit.program, {})
        claims = [(typed.claim, typed.property) for typed in claims_of(judge.program)]
        verdicts = check(mutant, [property_ for _, property_ in claims], scope, engine=Reference())
        broken = {
            claim.name
            for (claim, _), verdict in zip(claims, verdicts, strict=True)
            if claim.name in met and verdict.outcome not in MET[claim.expect]
        }
        assert {one.name for one in judgement.noticed} == broken, edit.words
        apart = shortest(Interpreter(judge.program, scope), Interpreter(mutant, scope), LONGEST)
        lengths = [length for length in apart if length is not None]
        if lengths:
            assert judgement.apart is True
            assert judgement.observations == min(lengths)
        elif judgement.apart:
            assert judgement.observations > LONGEST
        assert judgement.fate == (
            "noticed" if broken else "unprotected" if judgement.apart else "same"
        ), edit.words
    assert fates["noticed"] > 0
    assert fates["unprotected"] > 0


def test_the_first_claim_is_enough_unless_all_are_asked() -> None:
    program = opened(Source("a.rules", BASE + CLAIMS))
    judge = Judge(JudgedReading(program.source))
    for edit in edits_of(program)[::7]:
        one, every = judge.judge(edit, every_claim=False), judge.judge(edit, every_claim=True)
        assert one.fate == every.fate
        again = judge.judge(edit, every_claim=False, was_same=True).fate
        assert again == ("same" if every.fate == "noticed" and every.apart is False else every.fate)
        assert one.apart in (every.apart, None)
        assert one.noticed == every.noticed[: len(one.noticed)]
        assert len(one.noticed) == min(len(every.noticed), 1)


def test_what_was_the_same_game_elsewhere_is_compared_before_claims_are_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A claim about what players do not observe is not asked then; a comparison without an end says
    nothing.
    """
    claim = (
        '  holds cleared "nobody has passed when a spell is cast"\n    never (clause 1 and passed '
        "is not none)\n"
    )
    program = opened(Source("a.rules", BASE + CLAIMS + claim))
    one = Judge(JudgedReading(program.source))
    (edit,) = (
        edit
        for edit in edits_of(program)
        if (edit.clause, edit.words) == ("1", "passed stays as it is")
    )
    assert [
        one.judge(edit, every_claim=False, was_same=was_same).fate for was_same in (False, True)
    ] == ["noticed", "same"]
    monkeypatch.setattr(judge, "MOST_POSITIONS", 1)
    assert one.judge(edit, every_claim=False, was_same=True).fate == "undecided"


@pytest.mark.parametrize(
    ("words", "same_where"),
    [
        ("mark is controlled by after p", ["choosers"]),
        ("after active chooses p", []),
        ("mark is controlled by active", []),
    ],
)
def test_a_choice_shows_in_what_happens_and_by_whom_it_is_made(
    words: str, same_where: list[SeenOfChoices]
) -> None:
    program = opened(Source("a.rules", BASE + CLAIMS))
    original = configure(program, {})
    (edit,) = (edit for edit in edits_of(program) if edit.clause == "5" and edit.words == words)
    unchanged, mutant = (
        Unchanged(original, scope_of(original, None, None, {})),
        configure(edit.program, {}),
    )
    seen: tuple[SeenOfChoices, ...] = ("all", "choosers")
    assert [one for one in seen if unchanged.by(mutant, one)] == same_where


def test_a_choice_of_the_one_whose_move_it_is_shows_to_a_claim_about_who_chooses() -> None:
    """Both ways of it are alike, so one thing alone shows that it is gone: no player chooses any
    more.
    """
    either = """\
    either "one way"
      put spell on stack
    or "the other"
      put spell on stack
"""
    claim = (
        "\nclaims\n  holds whose_choice\n    for every player p: always (p uses 1 implies p "
        "chooses)\n"
    )
    text = BASE.replace("    put spell on stack\n", either) + claim
    program = opened(Source("a.rules", text))
    judge = Judge(JudgedReading(program.source))
    (edit,) = (edit for edit in edits_of(program) if edit.words == "without `one way`")
    assert [one.name for one in judge.judge(edit, every_claim=True).noticed] == ["whose_choice"]
    assert judge.is_broken(edit, "whose_choice")


def test_another_order_of_a_zone_is_looked_at_in_every_stage() -> None:
    """The clauses are the same; what they do is not."""
    text = (
        BASE.replace("stack 1", "stack 2")
        .replace("when stack is empty and not spent", "when not spent and size of stack < 2")
        .replace(
            "    put spell on stack\n",
            "    either\n      put spell on stack\n    or\n      put mark on stack\n",
        )
    )
    program = opened(Source("a.rules", text))
    (edit,) = (edit for edit in edits_of(program) if edit.kind == "order")
    judgement = Judge(JudgedReading(program.source)).judge(edit, every_claim=True)
    assert (judgement.fate, judgement.apart) == ("unprotected", True)


HIDDEN = """\
game "Hidden"
source "a test"
players 2
scope players 2, stack 1
start begins

items
  spell "spell"

zones
  stack last in first out
  pile in any order

turn
  start [silent]
  play

stage begins "a step begins"

  must 1 "nothing is done at the start"
    when step is start
    advance
    go begins

  must 2 "a card is discarded, and the turn is played"
    when step is play
    put spell by active on pile
    go decide(active)

stage decide(holder: player) "a player has priority"
  priority holder

  may 3 "play a spell"
    go pay(holder)

  may 4 "end the turn"
    when stack is empty
    pass
    advance
    go begins

  may 5 "let it resolve"
    when stack is not empty
    pass
    resolve top of stack
    go decide(holder)

stage pay(payer: player) "a spell is paid for"

  must 6 "it is on the stack"
    put spell by payer on stack
    go decide(payer)

claims
  holds kernel_terminates
"""


def test_what_only_a_play_beyond_every_scope_could_break_is_asked_within_the_scope() -> None:
    program = opened(Source("a.rules", HIDDEN))
    judge = Judge(JudgedReading(program.source))
    (verdict,) = check(
        judge.program, [judge.claims[0].property], judge.scope, engine=Explicit(Interpreter)
    )
    assert (verdict.outcome, verdict.is_hidden) == (Outcome.UNKNOWN, True)
    fates = {
        edit.words: judge.judge(edit, every_claim=False)
        for edit in edits_of(program)
        if edit.clause in ("1", "6")
    }
    assert [one.name for one in fates["without `advance`"].noticed] == ["kernel_terminates"]
    assert fates["spell is controlled by after payer"].fate == "unprotected"


NEEDING = (
    (
        HIDDEN.partition("\nclaims")[0].replace(
            "    put spell by payer", "    when size of stack < 2\n    put spell by payer"
        )
        + """
claims
  possible three "three players have priority"
    needs players 3
    for some player p: possible (p has priority and p is not active and p is not after active)
  possible two "two spells are on the stack"
    needs stack 2
    possible size of stack is 2
  possible one "one spell is on the stack"
    possible size of stack is 1
"""
    )
    .replace("players 2\nscope", "players 2 or more\nscope")
    .replace("go decide(payer)", "go decide(after payer)")
)


def test_a_claim_is_asked_where_it_has_the_room_that_it_needs() -> None:
    """As `check` asks it: with more than the scope has, and not at all where somebody has asked for
    less.
    """
    program = opened(Source("a.rules", NEEDING))
    judge = Judge(JudgedReading(program.source))
    assert [one.claim.name for one in judge.claims] == ["three", "two", "one"]
    noticing = {
        (edit.clause, edit.words): {one.name for one in judge.judge(edit, every_claim=True).noticed}
        for edit in edits_of(program)
    }
    assert noticing["6", "only when stack is empty"] == {"two"}
    assert noticing["6", "go decide(payer), not (after payer)"] == {"three"}
    (edit,) = (
        edit
        for edit in edits_of(program)
        if (edit.clause, edit.words) == ("6", "only when stack is empty")
    )
    assert judge.is_broken(edit, "two")
    assert not judge.is_broken(edit, "one")
    less = Judge(JudgedReading(program.source, stack=1))
    assert [one.claim.name for one in less.claims] == ["three", "one"]
    assert less.is_broken(edit, "two") is None
    assert less.judge(edit, every_claim=True).noticed == ()


def test_a_claim_that_is_undecided_of_an_edit_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it is undecided of every edit: the rules meet it, and that is no reason not to
    ask.
    """
    program = opened(Source("a.rules", BASE + CLAIMS))
    reading = JudgedReading(program.source)
    judge = Judge(reading)
    assert [one.claim.name for one in judge.claims] == ["marked", "turns", "answer"]
    decided = Judge._outcomes

    def outcomes(
        self: Judge, edited: ir.Program, questions: Sequence[Property]
    ) -> Iterator[tuple[Outcome, int]]:
        for question, answer in zip(questions, decided(self, edited, questions), strict=True):
            yield (Outcome.UNKNOWN, 0) if question.name == "turns" else answer

    monkeypatch.setattr(Judge, "_outcomes", outcomes)
    edits = edits_of(program)[:6]
    found = [judge.judge(edit, every_claim=True) for edit in edits]
    assert any("turns" in one.open for one in found)
    judged = [
        Judged(n, edit, one.fate, {reading: one})
        for n, (edit, one) in enumerate(zip(edits, found, strict=True))
    ]
    record = make_survey_record(Survey(program, (reading,), judged), {}, every_claim=True)
    assert "turns" in record.open
    assert record.unasked == ("lifo", "own_window")


def test_edits_are_made_within_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are very many of large rules: it takes long before the first is judged."""
    asked = list[ir.Program]()

    def made(program: ir.Program) -> list[Edit]:
        found = edits_of(program)
        asked.append(program)
        return found

    monkeypatch.setattr(surveying, "edits_of", made)
    found = survey(
        [JudgedReading(opened(Source("base.rules", BASE)).source)], Meter(Budget(0.000001))
    )
    assert "the time of 1e-06 s was up" in found.stopped
    assert (found.judged, asked) == ([], [])
