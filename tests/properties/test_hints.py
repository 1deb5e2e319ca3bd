"""Hints: what is said of mistakes that designers made, and that none of their words brings a pass
to its end.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from stacklaw.cli.output.exits import Exit
from stacklaw.models.diagnostics import Diagnostic, InputError
from stacklaw.models.load import load
from stacklaw.models.parsing.outline import HEADS
from stacklaw.models.parsing.scan import lexicon
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of

from ..cli.test_commands import Stacklaw, stacklaw

__all__ = ["stacklaw"]
GAME = """\
game "Small"
players PLAYERS
start decide(active)

items
  spell "a spell"

zones
  stack last in first out

state
  nodded : players
DECLARED

stage decide(p: player)
  priority p

  may 1 "act"
    DONE
    go decide(after p)

  may 5.9 "pass"
    pass
    go decide(p)

claims
CLAIM
"""


def mistakes(
    done: str = "pass", claim: str = "  holds one_chance", declared: str = "", players: str = "2"
) -> list[Diagnostic]:
    words = {"PLAYERS": players, "DECLARED": declared, "DONE": done, "CLAIM": claim}
    text = GAME
    for word, said in words.items():
        text = text.replace(word, said)
    try:
        claims_of(load(Source("small.rules", text)))
    except InputError as error:
        return list(error.diagnostics)
    return []


@pytest.mark.parametrize("word", sorted({"a", "an", "the", "x", *lexicon().words}))
def test_a_line_of_one_word_is_read_or_told(word: str) -> None:
    assert all(mistake.code.startswith("R") for mistake in mistakes(done=word))
    for place in HEADS:
        below = {"claims": f"  {word}", "property": f"  holds mine\n    {word}"}.get(
            place.name.lower()
        )
        if below is not None:
            assert all(mistake.message for mistake in mistakes(claim=below))
    assert all(mistake.message for mistake in mistakes(declared=word))


_USED = 'stage rest\n  must 7 "x"\n    pass += p\n    pass := none\n    game over'


@pytest.mark.parametrize(
    ("said", "code", "hint"),
    [
        ({"done": "nodded := p"}, "R102", "write `+=` in place of `:=`"),
        ({"claim": "  holds mine\n    never clause 4"}, "P101", "the nearest are `1` and `5.9`"),
        ({"claim": "  holds mine\n    never clause 77"}, "P101", "the nearest is `5.9`"),
        (
            {"claim": "  possible mine\n    possible (q uses 1)"},
            "R101",
            "write `for some player q:` before the formula",
        ),
        (
            {"claim": "  holds mine\n    never (q uses 1)"},
            "R101",
            "write `for every player q:` before the formula",
        ),
        (
            {"claim": "  possible mine\n    always nobody passes"},
            "P404",
            "write `holds` in place of `possible`",
        ),
        (
            {"claim": "  impossible mine\n    never nobody passes"},
            "P404",
            "write `fails` in place of `impossible`",
        ),
        (
            {"claim": "  possible mine\n    possible always nobody passes"},
            "P202",
            "claimed with `holds`",
        ),
        (
            {"declared": '\nstage rest\n  may any player 1 "x"\n    game over'},
            "R001",
            "`by any p` in the line below",
        ),
        ({"declared": f"  pass : players\n\n{_USED}"}, "R012", "the_pass"),
    ],
)
def test_a_mistake_has_one_error_and_a_hint(said: dict[str, str], code: str, hint: str) -> None:
    (mistake,) = mistakes(**said)
    assert mistake.code == code
    assert hint in mistake.hint


@pytest.mark.parametrize(
    ("choice", "players", "found"),
    [
        ("choose q in players but p", "2", []),
        ("choose q in players but p", "2 or more", []),
        ("choose q in players but p", "1 or more", ["R204"]),
        ("choose q in players where q is not p", "2 or more", []),
        ("choose q in players where q is not p", "1 to 4", ["R204"]),
        ("choose q in (players but p) but active", "3", ["R204"]),
        ("choose q in players but p where q in nodded", "3", ["R204"]),
    ],
)
def test_a_choice_of_all_players_but_one_is_of_somebody_where_two_play(
    choice: str, players: str, found: list[str]
) -> None:
    assert [mistake.code for mistake in mistakes(done=choice, players=players)] == found


PROPERTIES = """\
property over "somebody passes"
  possible someone passes

property slip "it does not"
  never clauze 3

lemma none "no lemma"
  possible game is over
"""


def test_a_slip_in_one_property_does_not_refuse_the_others(stacklaw: Stacklaw) -> None:
    Path("mine.props").write_text(PROPERTIES, encoding="utf-8")
    code, out, err = stacklaw(
        "check", "met.rules", "mine.props", "-p", "over", "--engine", "explicit"
    )
    assert code == Exit.OK
    assert "POSSIBLE" in out
    assert "mine.props:5:9: warning R015" in out + err
    assert "mine.props:7:1: warning P405" in out + err
    for asked in (["-p", "slip"], ["-p", "none"], []):
        code, out, err = stacklaw("check", "met.rules", "mine.props", *asked)
        assert code == Exit.WRONG_INPUT
        assert "error" in err
