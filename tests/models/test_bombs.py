"""A few lines that stand for very many: always refused, and at once."""

from __future__ import annotations

import difflib
from typing import Any

import pytest

from stacklaw.models import ir
from stacklaw.models import words as spelling
from stacklaw.models.binding import definite
from stacklaw.models.diagnostics import MAX_ERRORS, MOST_HINTS, InputError
from stacklaw.models.load import load
from stacklaw.models.parsing.mistakes import consequences, explain, forms
from stacklaw.models.parsing.outline import LogicalLine
from stacklaw.models.parsing.scan import Scan, scan
from stacklaw.models.source import Source

HEAD = """\
game "A bomb"
players 2
start s
items
  bolt "bolt"
zones
  stack last in first out
state
  n : 0 to 9
  f : flag
"""
STAGE = "stage s\n  priority active\n  may 1\n    {}\n    go s\n"
DOUBLED = "\n".join(
    f"term t{number} means t{number - 1} and t{number - 1}" for number in range(1, 39)
)
NAMES = "\n".join(f"term unknwn_name_{number} means f" for number in range(300))
CHAIN = "\n".join(f"term t{number} means not (t{number - 1} and n > 1)" for number in range(1, 400))
DEEP = "\n".join(f"term t{number} means {'not ' * 50}t{number - 1}" for number in range(1, 30))
ROUTINES = "to t0\n  pass\n" + "\n".join(
    f"to t{number}\n  do t{number - 1}" for number in range(1, 500)
)
AGAIN = "to t0\n  pass\n" + "\n".join(
    f"to t{number}\n  do t{number - 1}\n  do t{number - 1}" for number in range(1, 12)
)
GIVEN = (
    "term d(x: flag) means x and (n > 1 or x)\nterm d8(x: flag) means " + "d(" * 8 + "x" + ")" * 8
)
STAGES = "\n".join(f"  may c{number}\n    go somewhere_{number}" for number in range(300))
NEAR = "\n".join(f"stage somewhre_{number}\n  must d{number}\n    go s" for number in range(300))
BOMBS = {
    "terms used twice, with one unknown word": f"{NAMES}\nterm t0 means unknown_name is active\n"
    f"{DOUBLED}\n{STAGE.format('when t38')}",
    "terms used twice": f"term t0 means f\n{DOUBLED}\n{STAGE.format('when t38')}",
    "terms one after the other": f"term t0 means f\n{CHAIN}\n{STAGE.format('when t399')}",
    "terms of many levels": f"term t0 means f\n{DEEP}\n{STAGE.format('when t29')}",
    "routines one after the other": f"{ROUTINES}\n{STAGE.format('do t499')}",
    "routines used twice": f"{AGAIN}\n{STAGE.format('do t11')}",
    "a term that is given itself": f"{GIVEN}\n"
    f"{STAGE.format('when ' + 'd8(' * 40 + 'f' + ')' * 40)}",
    "stages that are not there": f"{STAGE.format('pass')}{STAGES}\n{NEAR}\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_and_few_words_are_looked_for(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes long in a large text with many mistakes is to look for the words that were meant,
    so that is counted.
    """
    looked: list[int] = []

    def close(word: str, words: list[str], *rest: Any) -> list[str]:
        looked.append(len(words))
        return difflib.get_close_matches(word, words, *rest)

    spelling._alike.cache_clear()
    monkeypatch.setattr(spelling, "get_close_matches", close)
    with pytest.raises(InputError) as raised:
        load(Source("bomb.rules", HEAD + BOMBS[name]))
    assert len(looked) <= MOST_HINTS
    assert all(words <= spelling.MOST_COMPARED for words in looked)
    assert 0 < len(raised.value.diagnostics) <= MAX_ERRORS + 1


def test_a_mistake_in_a_term_is_told_once() -> None:
    with pytest.raises(InputError) as raised:
        load(
            Source(
                "twice.rules",
                HEAD
                + "term t0 means unknown is active\nterm t1 means t0 and t0\n"
                + STAGE.format("when t1 and t1"),
            )
        )
    assert [
        (mistake.code, mistake.span.line) for mistake in raised.value.diagnostics if mistake.span
    ] == [("R101", 11)]


def test_the_first_mistakes_have_hints_and_the_hundredth_has_none() -> None:
    lines = "\n".join(f"    when somewher{number} is active" for number in range(60))
    state = "".join(f"  somewhere{number} : player\n" for number in range(60))
    with pytest.raises(InputError) as raised:
        load(
            Source(
                "many.rules",
                HEAD + state + f"stage s\n  priority active\n  may 1\n{lines}\n    go s\n",
            )
        )
    hints = [mistake.hint for mistake in raised.value.diagnostics if mistake.code == "R101"]
    assert hints[0].startswith("did you mean `somewhere")
    assert hints[-1] == ""


def test_a_long_line_is_read_again_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it could be read with another word is seen by reading it again, so that is
    counted.
    """
    read: list[LogicalLine] = []

    def again(line: LogicalLine) -> Scan:
        read.append(line)
        return scan(line)

    for module in (explain, forms):
        monkeypatch.setattr(module, "scan", again)
    with pytest.raises(InputError, match="closes nothing"):
        load(Source("long.rules", HEAD + STAGE.format(f"when {' and '.join(['whem'] * 300)} )")))
    assert 0 < len(read) <= 40


def test_what_follows_from_an_unread_line_is_found_in_one_way_through_the_terms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A long chain of terms took a minute: the whole text was looked through for each."""
    found = []

    class Counting:
        def findall(self, text: str) -> list[str]:
            found.append(text)
            return words.findall(text)

    words = consequences._WORD
    monkeypatch.setattr(consequences, "_WORD", Counting())
    chain = "\n".join(f"term t{number} means t{number - 1}" for number in range(1, 600))
    text = (
        f'{HEAD}option o\n  a "not ended\n  b "b"\nterm t0 means o is a\n{chain}'
        f"\n{STAGE.format('when t599')}"
    )
    with pytest.raises(InputError) as raised:
        load(Source("chain.rules", text))
    assert {mistake.code for mistake in raised.value.diagnostics} <= {"R004", "R005", "R302"}
    assert len(found) < 10 * len(text.splitlines())


@pytest.mark.parametrize(
    "line",
    ["go {} y", "{} y", "when {}.{}", "put {} {}", "choose {} {}", "pass {}", "{}", "do {} {}"],
)
def test_a_word_of_a_thousand_letters_is_not_told_whole(line: str) -> None:
    with pytest.raises(InputError) as raised:
        load(Source("long.rules", HEAD + STAGE.format(line.format("x" * 1000, "y" * 1000))))
    assert all(
        len(mistake.message) < 300 and len(mistake.hint) < 300
        for mistake in raised.value.diagnostics
    )


def test_a_long_condition_is_gone_through_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    ruled_out = definite._ruled_out

    def counted(part: ir.Expr, *known: Any) -> bool:
        asked.append(part)
        return ruled_out(part, *known)

    monkeypatch.setattr(definite, "_ruled_out", counted)
    terms = [
        f"term t{one} means " + " or ".join(f"n > {least}" for least in range(one, one + 40))
        for one in range(40)
    ]
    condition = " and ".join(f"t{one}" for one in range(40))
    body = f"when stack is not empty\n    when {condition}\n    resolve top of stack"
    text = "\n".join(terms) + f"\n{STAGE.format(body)}"
    load(Source("x.rules", HEAD.replace("0 to 9", "0 to 99") + text))
    assert 40 * 40 <= len(asked) <= 4 * 40 * 40
