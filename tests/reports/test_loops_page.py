"""The page of loops: what it says of rules in which nothing can end."""

from __future__ import annotations

from io import StringIO

import pytest

from stacklaw.checker.loops.loops import find_loops
from stacklaw.checker.types.scope import make_scope
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.reports.telling.measures import make_loops_record
from stacklaw.reports.text.page import print_page
from stacklaw.reports.text.sizes import render_loops

GAME = """game "Round and round"
players 2
start play
{turn}
stage play
  priority active
  may 1 "act"
    go play
  may 2 "pass"
    pass
    {end}
"""
SAID = "These rules have no turns and no end of the game"


@pytest.mark.parametrize(
    ("turn", "end", "is_said"),
    [("", "go play", True), ("", "game over", False), ('turn\n  main "main"\n', "go play", False)],
)
def test_it_is_said_that_nothing_can_end(turn: str, end: str, is_said: bool) -> None:
    program = load(Source("x.rules", GAME.format(turn=turn, end=end)))
    record = make_loops_record(find_loops(program, make_scope(program, 2, {})))
    page = StringIO()
    print_page(render_loops(record), page)
    assert (SAID in page.getvalue()) is is_said


def test_a_gap_leads_out_where_nothing_can_end() -> None:
    """So it is not said that nobody can leave the loops, of which the page says who can."""
    text = GAME.format(turn="", end="go stuck")
    text += '\nstage stuck\n  must 3 "never"\n    when active is not active\n    go play\n'
    program = load(Source("x.rules", text))
    page = StringIO()
    print_page(render_loops(make_loops_record(find_loops(program, make_scope(program, 2)))), page)
    assert "can leave: A by 2" in page.getvalue()
    assert SAID in page.getvalue()
    assert "nobody can leave" not in page.getvalue()
