"""Naming things for people: players by seat, values by type, files from here, links to a board."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from ..models import ir
from ..models.syntax import NamedSizes
from ..models.words import counted, join_words
from ..models.words import player_name as player_name  # noqa: PLC0414 - a name of a thing

_DIGITS = 12
_BASE = "0123456789abcdefghijklmnopqrstuvwxyz"


def digest_of(
    program: ir.Program, settings: Sequence[tuple[str, object]], players: int, sizes: NamedSizes
) -> str:
    """Return what tells the rules of *program*, their reading and their sizes from all others,
    short enough for a link.
    """
    whole = json.dumps([program.source.text, settings, players, sizes])
    return sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def play_link(digest: str, numbers: Iterable[int]) -> str:
    """Return the address of a play on a page with that *digest*; *numbers* are its moves among
    those of each position.
    """
    return "".join([f"#play={digest}", *(f".{_base36(number)}" for number in numbers)])


def _base36(number: int) -> str:
    """Return *number* as the scripts write it in links."""
    return (_base36(number // len(_BASE)) if number >= len(_BASE) else "") + _BASE[
        number % len(_BASE)
    ]


_ARTICLES = ("a", "an", "the")
_TEENS = range(11, 14)
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def owner_name(owner: int | str) -> str:
    """Return who moves: a player, the rules or the cards."""
    return player_name(owner) if isinstance(owner, int) else f"the {owner}"


def seats_of(players: object) -> tuple[int, ...]:
    """Return the seats of a set of players (bit *p* of it stands for seat *p*), in order; none of
    what is no such set.
    """
    if not isinstance(players, int):
        return ()
    return tuple(seat for seat in range(players.bit_length()) if players >> seat & 1)


def players_words(seats: Iterable[int]) -> str:
    """Return the players on *seats* as a list: ``A and B``."""
    return join_words([player_name(seat) for seat in seats])


def more_words(more: Iterable[tuple[str, int]]) -> str:
    """Return what zones have more: ``1 item more on stack and 2 items more on pool``."""
    return join_words([f"{counted(number, 'item')} more on {zone}" for zone, number in more])


def moves_words(first: int, last: int) -> str:
    """Return which moves are meant: ``move 3``, or ``moves 3 to 5``."""
    return f"move {last}" if first == last else f"moves {first} to {last}"


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd and so on."""
    ending = "th" if number % 100 in _TEENS else _ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"


def kind_title(program: ir.Program, kind: str) -> str:
    """Return the title of an item kind, as it is said after "A's", or its name if it has none."""
    title = next((k.title or k.name for k in program.kinds if k.name == kind), kind)
    article, _, noun = title.partition(" ")
    return noun if noun and article.lower() in _ARTICLES else title


def step_title(program: ir.Program, variable: str, step: str) -> str:
    """Return the title of a *step* of the sequence whose variable is *variable*, or its name."""
    for sequence in program.sequences:
        if sequence.variable == variable:
            return next((s.title or s.name for s in sequence.steps if s.name == step), step)
    return step


def attribute_words(name: str, value: object, words: str) -> str:
    """Return the attribute *name* of an item as words where it has *value*, as *words* if it is no
    flag: ``muted``, ``speed fast``.
    """
    if isinstance(value, bool):
        return name if value else f"not {name}"
    return f"{name} {words}"


def value_words(value: object, kind: ir.Type, players: int) -> str:
    """Return *value* of type *kind* as words, at a table of *players* players."""
    match kind:
        case ir.FlagType():
            return "yes" if value else "no"
        case ir.PlayerType():
            return player_name(value) if isinstance(value, int) else "nobody"
        case ir.PlayersType():
            seats = seats_of(value)
            return "everyone" if len(seats) == players else players_words(seats) or "nobody"
        case _:
            return str(value)


def shown_path(file: str) -> str:
    """Return *file* relative to the folder in which the run was started, if it lies below that."""
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()
