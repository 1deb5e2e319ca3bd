"""Shipped games: where they are, and the text that a name stands for."""

from __future__ import annotations

from pathlib import Path

from .diagnostics import Diagnostic, InputError
from .read import read_source
from .source import Source
from .spelling import did_you_mean

_GAMES = Path(__file__).with_name("games")


def game_names() -> tuple[str, ...]:
    """Return the names of the shipped games."""
    return tuple(sorted(path.stem for path in _GAMES.glob("*.rules")))


def game_source(target: str) -> Source:
    """Return the text of the shipped game or of the file that *target* names before its ``@``; raises InputError if there is neither."""
    name = target.partition("@")[0]
    if name in game_names():
        path = _GAMES / f"{name}.rules"
        return Source(path.name, path.read_text(encoding="utf-8"))
    if "/" in name or name.endswith(".rules") or Path(name).exists():
        return read_source(Path(name))
    hint = did_you_mean(name, game_names()) or f"games: {', '.join(game_names())}; a file ends in .rules"
    raise InputError([Diagnostic("R126", f"There is no game called `{name}`.", hint=hint)])


def proofs_file(target: str) -> Path:
    """Return where the proofs of the ruleset that *target* names are: in a file beside it."""
    name = target.partition("@")[0]
    return _GAMES / f"{name}.proofs" if name in game_names() else Path(name).with_suffix(".proofs")


def settings_of(target: str) -> dict[str, str]:
    """Return what *target* says of options after its ``@``; raises InputError."""
    said, settings = target.partition("@")[2], {}
    for part in said.split(",") if said else ():
        option, equals, value = part.partition("=")
        if not equals:
            raise InputError([Diagnostic("R103", f"`{target}` does not say what `{option}` should be.", hint="write `game@option=value`")])
        settings[option.strip()] = value.strip()
    return settings
