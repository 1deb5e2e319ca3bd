"""Shipped games and examples: where they are, and the text that a name stands for."""

from __future__ import annotations

from pathlib import Path

from .diagnostics import wrong_input
from .read import exists, read_source
from .source import CLAIMS, Source
from .words import did_you_mean

_HERE = Path(__file__).parent
BESIDE = CLAIMS, ".rulings"
"""How the names of files end that people write beside the rules."""


def game_names() -> tuple[str, ...]:
    """Return the names of the shipped games, which follow their documents statement by
    statement.
    """
    return _shipped_names("games")


def example_names() -> tuple[str, ...]:
    """Return the names of the shipped examples, which retell the core of a well-known game."""
    return _shipped_names("examples")


def _shipped_names(folder: str) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (_HERE / folder).glob("*.rules")))


def game_source(target: str) -> Source:
    """Return the text of the shipped game, or of the file, that *target* names before its ``@``.

    The claims that stand beside the rules, in ``GAME.claims``, are at its end. Raises InputError if
    there is neither game nor file.
    """
    rules, claims = rules_source(target), file_beside(target, CLAIMS)
    if claims == Path(rules.name) or not exists(claims):
        return rules
    text = read_source(claims)
    return rules.with_claims(Source(claims.name, text.text) if is_shipped(target) else text)


def rules_source(target: str) -> Source:
    """Return the text of the rules that *target* names, without claims that stand beside them;
    raises InputError as `game_source` does.
    """
    name = target.partition("@")[0]
    if (path := _shipped(name)) is not None:
        return Source(path.name, path.read_text(encoding="utf-8"))
    if "/" in name or name.endswith(".rules") or exists(Path(name)):
        return read_source(Path(name))
    known = (*game_names(), *example_names())
    hint = did_you_mean(name, known) or f"games: {', '.join(known)}; a file ends in .rules"
    if exists(Path(f"{name}.rules")):
        hint = f"did you mean `{name}.rules`?"
    raise wrong_input("R126", f"There is no game called `{name}`.", hint=hint)


def map_source(target: str) -> Source:
    """Return the text of the map of logs that is shipped as *target*, or of the file."""
    shipped = _HERE / "maps" / f"{target}.toml"
    is_shipped_map = target.isidentifier() and shipped.is_file() and not exists(Path(target))
    return read_source(shipped if is_shipped_map else Path(target))


def file_beside(target: str, suffix: str) -> Path:
    """Return where the file is that ends in *suffix* and stands beside the ruleset that *target*
    names, whether there is one or not.
    """
    name = target.partition("@")[0]
    return (_shipped(name) or Path(name)).with_suffix(suffix)


def is_shipped(target: str) -> bool:
    """Return whether *target* names a ruleset that comes with stacklaw."""
    return _shipped(target.partition("@")[0]) is not None


def target_of(name: str, source: Source) -> str:
    """Return what a command line calls the ruleset of this *name*, which was read from *source*."""
    return name if is_shipped(name) else source.name


def _shipped(name: str) -> Path | None:
    """Return where the shipped ruleset called *name* is; None if none is called so."""
    for folder, names in (("games", game_names()), ("examples", example_names())):
        if name in names:
            return _HERE / folder / f"{name}.rules"
    return None


def settings_of(target: str) -> dict[str, str]:
    """Return what *target* says of options after its ``@``; raises InputError."""
    said, settings = target.partition("@")[2], {}
    for part in said.split(",") if said else ():
        option, equals, value = part.partition("=")
        if not equals:
            raise wrong_input(
                "R103",
                f"`{target}` does not say what `{option}` should be.",
                hint="write `game@option=value`",
            )
        settings[option.strip()] = value.strip()
    return settings
