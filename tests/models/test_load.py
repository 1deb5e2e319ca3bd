"""The whole chain: a slip of the pen is one error and hides no other, and no text makes it
crash.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import game_names, game_source, load, load_game
from stacklaw.models.source import Source

from ..luck import tries

TEXTS = {name: game_source(name).text.splitlines() for name in game_names()}
ANY_LINE = st.sampled_from(
    [
        (name, number)
        for name, lines in TEXTS.items()
        for number, line in enumerate(lines)
        if line.split("#")[0].strip()
    ]
)


def errors(lines: list[str]) -> list[tuple[str, int]]:
    try:
        load(Source("edited.rules", "\n".join(lines)))
    except InputError as error:
        return [(d.code, d.span.line if d.span else 0) for d in error.diagnostics]
    return []


@pytest.mark.slow
@tries(20)
@given(ANY_LINE)
@example(("flesh", 274))  # an `if` right below an `either`: its `else` is not told, too
def test_an_unreadable_line_is_one_error(where: tuple[str, int]) -> None:
    name, number = where
    lines = list(TEXTS[name])
    indent = len(lines[number]) - len(lines[number].lstrip())
    lines[number] = " " * indent + "??? " + lines[number].strip()
    found = errors(lines)
    # Where a line goes on in deeper ones, the mistake may be seen first in one of those above.
    assert len({line for _, line in found}) == 1, found


@pytest.mark.slow
@tries(20)
@given(ANY_LINE, ANY_LINE, st.sampled_from(["drop", "twice", "swap", "half"]))
def test_an_edited_game_loads_or_is_refused(
    where: tuple[str, int], other: tuple[str, int], edit: str
) -> None:
    name, number = where
    lines = list(TEXTS[name])
    another = TEXTS[other[0]][other[1]]
    match edit:
        case "drop":
            del lines[number]
        case "twice":
            lines.insert(number, lines[number])
        case "swap":
            lines[number] = another
        case _:
            lines[number] = lines[number][: len(lines[number]) // 2]
    errors(lines)  # any mistake is an InputError


def test_a_slip_hides_no_other_mistake() -> None:
    lines = list(TEXTS["mtg"])
    first = next(i for i, line in enumerate(lines) if line.strip() == "go step_ends(no)")
    lines[first] = lines[first].replace("go", "goo")
    second = max(i for i, line in enumerate(lines) if line.strip() == "passed := none")
    lines[second] = lines[second].replace("passed", "pased")
    assert {line for _, line in errors(lines)} == {first + 1, second + 1}


@pytest.mark.parametrize(
    "target", ["mgt", "mtg@", "mtg@flash", "mtg@flash=perhaps", "mtg@=yes", "nowhere/mtg.rules", ""]
)
def test_what_is_no_game_is_refused(target: str) -> None:
    if target == "mtg@":
        assert load_game(target).name == "mtg"
        return
    with pytest.raises(InputError):
        load_game(target)


def test_settings_of_the_name_and_beside_it() -> None:
    program = load_game("mtg@flash=yes", {"teams": "yes"})
    assert program.name == "mtg@flash=yes,teams=yes"
