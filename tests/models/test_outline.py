"""Indentation makes blocks and continuations; what is wrong with it is told once."""

from __future__ import annotations

from textwrap import dedent

import pytest

from stacklaw.models.diagnostics import Report
from stacklaw.models.parsing.outline import HEADS, MAX_DEPTH, LogicalLine, Outline, Place, outline
from stacklaw.models.parsing.scan import choices, lexicon, start_of
from stacklaw.models.source import Source


def cut(text: str) -> tuple[Outline, list[tuple[str, int, int]]]:
    source = Source("x", dedent(text))
    report = Report(source)
    found = outline(source, report)
    return found, [
        (error.code, error.span.line, error.span.column) for error in report.errors if error.span
    ]


def shape(lines: list[LogicalLine] | tuple[LogicalLine, ...]) -> list[object]:
    return [
        (" / ".join(piece.text for piece in line.pieces), shape(line.children)) for line in lines
    ]


def test_lines_that_open_blocks_have_children_and_others_go_on() -> None:
    found, errors = cut(
        """
        stage a
          may 1
            if x
              pass
            when y
                and z
              or w
        term b means
          c
        """
    )
    assert not errors
    assert shape(found.lines) == [
        ("stage a", [("may 1", [("if x", [("pass", [])]), ("when y / and z / or w", [])])]),
        ("term b means / c", []),
    ]


def test_pieces_keep_their_places() -> None:
    found, _ = cut("term a means  # why\n    b\n")
    assert [(p.number, p.column, p.text, p.comment) for p in found.lines[0].pieces] == [
        (1, 1, "term a means", "# why"),
        (2, 5, "b", ""),
    ]


def test_a_number_sign_in_quotes_is_no_comment() -> None:
    found, _ = cut('game "a # b" # c "d"\n')
    assert (found.lines[0].pieces[0].text, found.lines[0].pieces[0].comment) == (
        'game "a # b"',
        '# c "d"',
    )


def test_comments_of_their_own_stand_at_a_depth() -> None:
    found, _ = cut("items\n  a\n  # still in items\n# at the margin\n\nzones\n# end\n")
    assert [(c.text, c.depth) for c in found.lines[1].pieces[0].above] == [
        ("# still in items", 1),
        ("# at the margin", 0),
        ("", 0),
    ]
    assert [(c.text, c.depth) for c in found.tail] == [("# end", 0)]


def test_tabs_are_told_once() -> None:
    found, errors = cut("items\n\ta\n\tb\n")
    assert errors == [("R002", 2, 1)]
    assert shape(found.lines) == [("items", [("a", []), ("b", [])])]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("  items\n    a\n", (1, 3)),
        ("items\n    a\n  b\n    c\n", (3, 3)),
        ("stage a\n    may 1\n      pass\n   may 2\n      pass\n    may 3\n      pass\n", (4, 4)),
        ("stage a\n  may 1\n      pass\n    pass\n      pass\n", (4, 5)),
    ],
)
def test_a_wrong_indentation_is_one_mistake(text: str, where: tuple[int, int]) -> None:
    source = Source("x", text)
    report = Report(source)
    outline(source, report)
    assert [
        (error.code, error.span.line, error.span.column) for error in report.errors if error.span
    ] == [("R003", *where)]


def test_a_misspelt_head_still_has_the_right_lines_below_it() -> None:
    found, _ = cut("stgae a\n  amy 1\n    pass\nfoo\n  bar\n    baz\n")
    stage, lost = found.lines
    assert [line.place for line in (stage, *stage.children, *stage.children[0].children)] == [
        Place.TOP,
        Place.STAGE,
        Place.STATEMENTS,
    ]
    assert [line.place for line in lost.children] == [Place.LOST]


def test_depth_has_a_limit() -> None:
    text = "stage a\n may 1\n" + "".join(" " * (depth + 2) + "if x\n" for depth in range(200))
    found, errors = cut(text)
    assert [code for code, _, _ in errors] == ["R313"]
    depth, line = 0, found.lines[0]
    while line.children:
        depth, line = depth + 1, line.children[0]
    assert depth == MAX_DEPTH + 1


@pytest.mark.parametrize("place", list(HEADS))
def test_the_heads_are_those_of_the_grammar(place: Place) -> None:
    terminals = set(choices(start_of(place)))
    words = {word for word, kind in lexicon().words.items() if kind in terminals}
    assert words == set(HEADS[place])


def test_an_odd_first_line_is_the_mistake_if_the_others_agree() -> None:
    found, errors = cut("stage a\n  may 1\n      when b\n    pass\n    pass\n")
    assert errors == [("R003", 3, 7)]
    assert shape(found.lines) == [
        ("stage a", [("may 1", [("when b", []), ("pass", []), ("pass", [])])])
    ]
