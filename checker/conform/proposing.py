"""A map proposed for a foreign log: what its things are called, and what that sounds like.

Nothing of it is sure. What sounds like no event is listed, for the reader to say what it means.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any

from ...models import ir
from ...models.diagnostics import wrong_input
from ..types.scope import MOST_PLAYERS
from .events import MOST_BYTES, SEAT_NAMES, EventError, json_in

_MOST_LINES, _MOST_NAMED, _LONGEST, _DEEPEST = 5_000, 60, 60, 6
_TAGS = ("type", "event", "name", "kind")
_SOUNDS = (
    ("pass", "pass"), ("priority", "priority"), ("resol", "resolve"), ("concede", "concede"),
    ("countered|fizzle", "leave"), ("trigger", "trigger"), ("turn(start|beg|change)", "turn"),
    ("phase|step", "step"), ("cast|activat|announce", "act"), ("choice|choos|scry", "choice"),
)  # fmt: skip
_PLAYERS = ("player", "seat", "actor", "controller", "who", "owner")
_FIELDS = {"priority": "of", "turn": "of", "step": "", "sba": ""}

_Said = tuple[str, str, str]
"""A list, a path within what is in it, and a text there."""


def proposed_map(program: ir.Program, path: Path) -> str:
    """Return the text of a map for the log at *path*. Raises `InputError` if it has no JSON."""
    lines, others = _lines(path)
    seen = Counter[_Said]()
    examples = dict[_Said, dict[str, Any]]()
    texts = defaultdict[str, set[str]](set)
    who = defaultdict[tuple[str, str], dict[str | int, None]](dict)
    for line in lines:
        for each, thing in _things(line):
            flat = dict(_leaves(thing))
            for at, value in flat.items():
                if isinstance(value, str | int) and not isinstance(value, bool):
                    who[each, at][value] = None
                if isinstance(value, str) and len(value) <= _LONGEST:
                    texts[_last(at)].add(value)
                    if _last(at) in _TAGS:
                        seen[each, at, value] += 1
                        examples.setdefault((each, at, value), flat)
    parts = [f"# A proposal for {path.name}: read each line of it."]
    parts += ["mixed = true"] if others else []
    named = seen.most_common(_MOST_NAMED)
    acting = dict.fromkeys(
        (each, _path_of(examples[each, at, text], _PLAYERS, at))
        for (each, at, text), _ in named
        if _sounds_like(text)
    )
    parts += _seats([*dict.fromkeys(value for one in acting for value in who.get(one, ()))])
    parts.append(_names(program, texts))
    rest = []
    for said, number in named:
        event = _sounds_like(said[2])
        if event:
            parts.append(_line(said, number, event, examples[said]))
        else:
            rest.append(
                f"# {_often(number)}, in `{said[0] or 'a line'}`: {said[1]} = {_toml_text(said[2])}"
            )
    return "\n\n".join([*parts, "\n".join(["# What sounds like no event:", *rest])]) + "\n"


def _lines(path: Path) -> tuple[list[dict[str, Any]], int]:
    """Return the first lines that are objects, and how many others there are among them."""
    found, others = list[dict[str, Any]](), 0
    try:
        with path.open("rb") as file:
            texts = iter(lambda: file.readline(MOST_BYTES + 1), b"")
            for text in islice(texts, _MOST_LINES):
                try:
                    line = json_in(text)
                except EventError:
                    line = None
                if isinstance(line, dict):
                    found.append(line)
                else:
                    others += bool(text.strip())
    except OSError as error:
        said = f"`{path}` cannot be read: {error.strerror or error}."
        raise wrong_input("R020", said) from error
    if not found:
        said = f"No line of `{path}` is a JSON object."
        raise wrong_input("L116", said, hint="a map reads lines of JSON")
    return found, others


def _things(value: object, each: str = "", depth: int = 0) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the things in *value*: itself, and what is in its lists, with the path to the list."""
    if not isinstance(value, dict) or depth > _DEEPEST:
        return
    if not depth:
        yield "", value
    for name, more in value.items():
        at = f"{each}.{name}" if each else name
        if isinstance(more, list):
            for one in more:
                if isinstance(one, dict):
                    yield at, one
                    yield from _things(one, at, depth + 1)
        else:
            yield from _things(more, at, depth + 1)


def _leaves(thing: dict[str, Any], before: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    for name, value in thing.items():
        if isinstance(value, dict) and depth < _DEEPEST:
            yield from _leaves(value, f"{before}{name}.", depth + 1)
        elif not isinstance(value, list):
            yield f"{before}{name}", value


def _last(path: str) -> str:
    return path.rpartition(".")[2].lower()


def _sounds_like(text: str) -> str:
    return next((event for sound, event in _SOUNDS if re.search(sound, text, re.I)), "")


def _line(said: _Said, number: int, event: str, example: dict[str, Any]) -> str:
    """Return a `[[line]]` for what is *said*, with how often."""
    each, at, text = said
    say = [f'event = "{event}"']
    field = _FIELDS.get(event, "by")
    if player := _path_of(example, _PLAYERS, at):
        say += [f'{field} = "@{player}"'] if field else []
    if event == "step" and (name := _path_of(example, ("phase", "step"), at)):
        say.append(f'name = "@{name}"')
    lines = [f"# {_often(number)}", "[[line]]", *([f"each = {_toml_text(each)}"] if each else [])]
    return "\n".join(
        [
            *lines,
            f"when = {{ {_toml_text(at)} = {_toml_text(text)} }}",
            f"say = {{ {', '.join(say)} }}",
        ]
    )


def _path_of(example: dict[str, Any], words: tuple[str, ...], beside: str) -> str:
    """Return the path in *example* whose last key sounds like one of *words*, and which is nearest
    to the one *beside* it.
    """
    parent = beside.rpartition(".")[0]
    found = [
        (not at.startswith(f"{parent}.") if parent else False, at.count("."), words.index(w), at)
        for at in example
        for w in words
        if w in _last(at)
    ]
    return min(found, default=("",))[-1]


def _seats(found: list[str | int]) -> list[str]:
    """Return the line `seats` if what the log calls its players, *found*, has to be said."""
    is_native = all(one in SEAT_NAMES for one in found) or (
        0 in found and all(isinstance(one, int) for one in found)
    )
    if is_native or len(found) > MOST_PLAYERS:
        return []
    named = ", ".join(_toml_text(one) if isinstance(one, str) else str(one) for one in found)
    return [f"seats = [{named}]  # in turn order?"]


def _often(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _names(program: ir.Program, texts: dict[str, set[str]]) -> str:
    """Return `[names]`: what the log may call the steps."""
    steps = {
        _plain_text(word): step.name
        for one in program.sequences
        for step in one.steps
        for word in (step.name, step.title, *step.also)
    }
    said = dict.fromkeys(
        word
        for key, words in texts.items()
        if "phase" in key or "step" in key
        for word in sorted(words)
    )
    lines = ["[names]"]
    for word in islice(said, _MOST_NAMED):
        close = get_close_matches(_plain_text(word), steps, n=1, cutoff=0.6)
        lines.append(
            f"{_toml_text(word)} = {_toml_text(steps[close[0]])}"
            if close
            else f"# {_toml_text(word)} = ?"
        )
    return "\n".join(lines)


def _plain_text(text: str) -> str:
    return re.sub(r"phase|step|[^a-z]", "", text.lower())


def _toml_text(text: str) -> str:
    """Return *text* as TOML says it."""
    plain = text.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")
