"""Mutated inputs: rulesets and files of properties that no author would write, made from those that
are there, and bombs by hand.

Every input is made of its number alone, so each can be made again.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
_FOLDERS = (
    "models/games",
    "tests/examples",
    "tests/cases",
    "tests/properties/cases",
    "properties/catalogue",
)
_TOKEN = re.compile(r'"[^"\n]*"?|\w+|:=|\+=|-=|\s+|.', re.DOTALL)
_STRANGE = (
    "\x00",
    "\x1b[31m",
    "\u202e",
    "\u2066",
    "\u200b",
    "\ufeff",
    "\x07",
    "\x85",
    "\u2028",
    "é",
    "𝒳",
    "😀",
    "\t",
    "\r",
    "\x0c",
    "\\",
    "ſ",
    "²",
    "٣",
)
_NUMBERS = (
    "0",
    "1",
    "2",
    "16",
    "17",
    "999",
    "1000",
    "65536",
    "999999",
    "1000000",
    "99999999999999999999",
    "00000000000000000001",
    "-1",
    "1.5",
)
_JOINTS = ("and", "or", "implies", "since", "+")
_MOST_BYTES = 300_000


@dataclass(frozen=True)
class Input:
    """One input: the *text* of a file, as bytes, and the *command* to give it to, in which ``FILE``
    stands for its name.
    """

    number: int
    command: tuple[str, ...]
    text: bytes
    ending: str


@cache
def corpus() -> tuple[list[str], list[str]]:
    """Return the texts that mutations begin with: rulesets, and files of properties."""
    files = [file for folder in _FOLDERS for file in sorted((ROOT / folder).rglob("*"))]
    texts = {
        ending: [file.read_text("utf-8", "replace") for file in files if file.suffix == ending]
        for ending in (".rules", ".props")
    }
    return texts[".rules"], texts[".props"]


_LITTLE = ("--time", "0.3", "--players", "2", "--stack", "1")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("check", "FILE", "--engine", "explicit", *_LITTLE),
    ("check", "FILE", "--engine", "reference", *_LITTLE),
    (
        "check",
        "FILE",
        "--engine",
        "explicit",
        "--time",
        "0.3",
        "--format",
        "json",
        "--junit",
        "out.xml",
        "--graph",
        "out.svg",
    ),
    (
        "check",
        "FILE",
        "--engine",
        "explicit",
        "--time",
        "0.3",
        "-p",
        "response_window",
        "-p",
        "stack_drains",
    ),
    ("check", "FILE", "--engine", "explicit", "--time", "0.3", "--smallest", "-p", "lifo"),
    ("compare", "FILE", "--engine", "explicit", *_LITTLE),
    ("coverage", "FILE", *_LITTLE),
    ("show", "FILE"),
    ("show", "FILE", "--graph", "out.svg"),
    ("show", "FILE", "--graph", "out.graphml"),
    ("show", "FILE", "--graph", "out.dot"),
    ("show", "FILE", "--graph", "out.html"),
    ("loops", "FILE", "--time", "0.3"),
    ("loops", "FILE", "--time", "0.3", "--format", "json"),
    ("format", "FILE"),
    ("format", "--check", "FILE"),
    ("simulate", "FILE", "--steps", "6", "--graph", "out.html"),
    ("simulate", "FILE", "--steps", "6", "--format", "json"),
)
"""What a mutated ruleset is given to."""
ASKING = ("check", "one_pass.rules", "FILE", "--engine", "explicit", *_LITTLE)
"""What a mutated file of properties is given to."""
WORDS = (
    ("explain", "WORD"),
    ("check", "WORD"),
    ("show", "WORD"),
    ("check", "one_pass.rules", "-p", "WORD"),
    ("check", "mtg", "--set", "WORD"),
    ("check", "one_pass.rules", "--scope", "WORD"),
    ("check", "one_pass.rules", "--for-which", "WORD"),
    ("certify", "WORD"),
)
"""What a strange word is given to."""


def mutated(number: int) -> Input:
    """Return the input of this *number*."""
    chance = random.Random(number)
    rules, props = corpus()
    kind = chance.random()
    if kind < 0.03:
        word = _strange_word(chance)
        return Input(
            number,
            tuple(word if part == "WORD" else part for part in chance.choice(WORDS)),
            b"",
            ".rules",
        )
    if kind < 0.15:
        text = _changed(chance.choice(props), chance, props)
        return Input(number, ASKING, _as_bytes(text, chance), ".props")
    text = chance.choice(_BOMBS)(chance) if kind < 0.3 else chance.choice(rules)
    if kind >= 0.2:
        text = _changed(text, chance, rules)
    return Input(number, chance.choice(COMMANDS), _as_bytes(text, chance), ".rules")


def _strange_word(chance: random.Random) -> str:
    pieces = (
        "mtg",
        "@",
        "=",
        ",",
        "R101",
        "lifo",
        "stack",
        "/",
        "..",
        "x" * 300,
        "%s",
        "{}",
        "\udcff",
        *_STRANGE[1:],
    )
    return "".join(chance.choice(pieces) for _ in range(chance.randint(1, 6))).lstrip("-")


def _as_bytes(text: str, chance: random.Random) -> bytes:
    data = text.encode("utf-8", "surrogatepass")[:_MOST_BYTES]
    if data and chance.random() < 0.03:
        at = chance.randrange(len(data))
        data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
    return data


def _changed(text: str, chance: random.Random, others: list[str]) -> str:
    for _ in range(chance.choice((1, 1, 1, 1, 1, 2, 3, 6))):
        change = chance.choice(_CHANGES)
        text = change(text, chance, others)
    return text


# ------------------------------------------------------------------ small changes


def _tokens(text: str, chance: random.Random, others: list[str]) -> str:
    """Swap, double, drop or replace a few words."""
    tokens = _TOKEN.findall(text)
    if len(tokens) < 4:
        return text
    for _ in range(chance.randint(1, 3)):
        one, two = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        match chance.randrange(6):
            case 0:
                tokens[one], tokens[two] = tokens[two], tokens[one]
            case 1:
                tokens[one] = tokens[one] * chance.choice((2, 3, 500))
            case 2:
                tokens[one] = ""
            case 3:
                tokens[one] = chance.choice(_TOKEN.findall(chance.choice(others)) or [""])
            case 4:
                tokens[one] = chance.choice(_STRANGE) + tokens[one]
            case _:
                numbers = [place for place, token in enumerate(tokens) if token.isdigit()]
                tokens[chance.choice(numbers or [one])] = chance.choice(_NUMBERS)
    return "".join(tokens)


def _lines(text: str, chance: random.Random, others: list[str]) -> str:
    """Move, double, drop or indent some lines, or put in some of another text."""
    lines = text.split("\n")
    at, length = chance.randrange(len(lines)), chance.randint(1, 8)
    some = lines[at : at + length]
    match chance.randrange(7):
        case 0:
            del lines[at : at + length]
        case 1:
            lines[at:at] = some * chance.choice((1, 2, 50))
        case 2:
            to = chance.randrange(len(lines))
            del lines[at : at + length]
            lines[to:to] = some
        case 3:
            lines[at : at + length] = ["  " + line for line in some]
        case 4:
            lines[at : at + length] = [line[2:] for line in some]
        case 5:
            other = chance.choice(others).split("\n")
            start = chance.randrange(len(other))
            lines[at:at] = other[start : start + chance.randint(1, 12)]
        case _:
            lines[at:] = []
    return "\n".join(lines)


def _grown(text: str, chance: random.Random, _others: list[str]) -> str:
    """Make an expression deep or long, or nest some lines."""
    lines = text.split("\n")
    at, times = chance.randrange(len(lines)), chance.choice((5, 30, 70, 400, 3000))
    line = lines[at]
    head, word, rest = line.partition(
        chance.choice((" when ", " means ", " if ", " and ", " := ", " always ", " never "))
    )
    match chance.randrange(5):
        case 0:
            lines[at] = f"{head}{word}{'(' * times}{rest}{')' * times}"
        case 1:
            lines[at] = f"{head}{word}{'not ' * times}{rest}"
        case 2:
            again = f" {chance.choice(_JOINTS)} {rest.strip()}"
            lines[at] = f"{head}{word}{rest}{again * times}"
        case 3:
            space = len(line) - len(line.lstrip())
            nest = chance.choice(
                (
                    "if stack is empty",
                    "maybe",
                    "either",
                    "else if stack is empty",
                    "for every player p:",
                )
            )
            depth = min(times, 400)
            lines[at : at + 1] = [" " * (space + 2 * level) + nest for level in range(depth)] + [
                " " * 2 * depth + line
            ]
        case _:
            lines[at : at + 1] = [line] * min(times, 400)
    return "\n".join(lines)


def _meaning(text: str, chance: random.Random, _others: list[str]) -> str:
    """Put one word for another of its kind, so that the text can mostly be read and means something
    else.
    """
    tokens = _TOKEN.findall(text)
    for _ in range(chance.randint(1, 4)):
        groups = [group for group in _GROUPS if any(token in group for token in tokens)]
        if chance.random() < 0.5 and groups:
            group = chance.choice(groups)
            places = [place for place, token in enumerate(tokens) if token in group]
            tokens[chance.choice(places)] = chance.choice(group)
            continue
        names = [place for place, token in enumerate(tokens) if token.isidentifier()]
        if names:
            tokens[chance.choice(names)] = tokens[chance.choice(names)]
    return "".join(tokens)


_CHANGES: tuple[Callable[[str, random.Random, list[str]], str], ...] = (
    _meaning, _meaning, _meaning, _meaning, _tokens, _tokens, _lines, _grown,
)  # fmt: skip
_GROUPS = (
    ("may", "must", "chance"), ("and", "or", "implies", "since"), (":=", "+=", "-="),
    ("when", "require"), ("0", "1", "2", "3", "999999"), ("is", "is not", "has", "has not"),
    ("active", "nobody", "everyone", "holder", "p"),
    ("always", "never", "possible", "once", "eventually"),
    ("first in first out", "last in first out"), ("first", "last"), ("flag", "player", "players"),
    ("<", ">", "=", "<=", ">="), ("holds", "fails", "possible", "impossible", "vacuous", "lemma"),
    ("top", "bottom"), ("resolve", "remove", "begin resolving"),
)  # fmt: skip
"""Words that can mostly stand where another of them stands."""


# ------------------------------------------------------------------ bombs

_HEAD = (
    'game "x"\nplayers 2\nstart s\nitems\n  bolt "bolt"\nzones\n  stack last in first '
    "out\nstate\n  n : 0 to 9\n  f : flag\n"
)
_END = "stage s\n  priority active\n  may 1\n    {}\n    go s\n"


def _terms(chance: random.Random) -> str:
    """Terms that each use the one before twice, the first with a word that may be unknown."""
    word = chance.choice(("nobody_knows", "f", "n > 3", "stack is empty"))
    many = [f"term name{number} means f" for number in range(chance.choice((0, 300, 3000)))]
    terms = [
        f"term t{n} means t{n - 1} {chance.choice(('and', 'or'))} t{n - 1}"
        for n in range(1, chance.choice((8, 14, 20, 60)))
    ]
    return "\n".join(
        [_HEAD + f"term t0 means {word}", *many, *terms, _END.format(f"when t{len(terms)}")]
    )


def _routines(chance: random.Random) -> str:
    """Routines that each do the one before twice."""
    first = chance.choice(("pass", "put bolt on stack", "unknown := 3", "maybe\n    n := 1"))
    routines = [
        f"to r{n}\n  do r{n - 1}\n  do r{n - 1}" for n in range(1, chance.choice((6, 12, 20, 60)))
    ]
    return "\n".join([_HEAD + f"to r0\n  {first}", *routines, _END.format(f"do r{len(routines)}")])


def _choices(chance: random.Random) -> str:
    """Choices after choices: ways through a clause by the million."""
    times = chance.choice((3, 8, 20, 60))
    line = chance.choice(
        (
            "choose c{} from 0 to 9",
            "maybe n := 1",
            "choose c{} from everyone",
            "either\n      n := 1\n    or\n      n := 2",
        )
    )
    return _HEAD + _END.format("\n    ".join(line.format(number) for number in range(times)))


def _numbers(chance: random.Random) -> str:
    """Very many positions, from few words."""
    state = "\n".join(
        f"  v{number} : 0 to {chance.choice((9, 999, 999999))}"
        for number in range(chance.choice((1, 8, 60)))
    )
    return f"{_HEAD}{state}\n" + _END.format("choose c from 0 to 999999\n    v0 := c")


def _options(chance: random.Random) -> str:
    """Options, with conditions on them."""
    count = chance.choice((3, 12, 200))
    options = "\n".join(
        f'option o{number} "o" from 0 to {chance.choice((1, 9, 9999))} default 0'
        for number in range(count)
    )
    return f"{_HEAD}{options}\n" + _END.format(
        f"when {' and '.join(f'o{number} = 1' for number in range(count))}"
    )


def _clauses(chance: random.Random) -> str:
    """Very many clauses, stages and unknown words."""
    count = chance.choice((20, 200, 1500))
    known = chance.random() < 0.5
    clauses = "\n".join(
        f"  may c{n}\n    go {'s' if known else f'stage_number_{n}'}" for n in range(count)
    )
    stages = "\n".join(
        f"stage stage_numbr_{n}\n  must d{n}\n    go s" for n in range(chance.choice((0, count)))
    )
    return f"{_HEAD}{_END.format('pass')}{clauses}\n{stages}\n"


def _quantifiers(chance: random.Random) -> str:
    """Players within players, and numbers within numbers."""
    words = chance.choice(("some player p{} has f{}", "every p{} in everyone: f{}"))
    depth = chance.choice((3, 12, 50))
    claim = " ".join(f"for every player p{n}:" for n in range(depth)) + " never p0 passes"
    items = "for " + ", ".join(f"every item i{n}" for n in range(depth)) + ": never i0 resolves"
    formula = chance.choice(
        (
            claim,
            items,
            words.format(1, 1),
            "possible " * depth + "f",
            "once " * depth + "f",
            "n is 1 since " * depth + "f",
        )
    )
    return f"{_HEAD}{_END.format('pass')}claims\n  holds a\n    {formula}\n"


_BOMBS: tuple[Callable[[random.Random], str], ...] = (
    _terms,
    _routines,
    _choices,
    _numbers,
    _options,
    _clauses,
    _quantifiers,
)
