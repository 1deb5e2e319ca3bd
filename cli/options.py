"""Options that several commands share, and what they mean for a Program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..checker.budget import Budget, half_the_memory

_MOST_DIGITS = 9
Command = TypeVar("Command", bound=Callable[..., Any])


def _setting(said: str | tuple[str, str]) -> tuple[str, str]:
    """Return the option and the value of ``option=value``."""
    if isinstance(said, tuple):
        return said
    name, equals, value = said.partition("=")
    if not equals or not name or not value:
        raise click.BadParameter(f"{said!r} is not of the form option=value.", param_hint="--set")
    return name, value


def _size(said: str | tuple[str, int]) -> tuple[str, int]:
    """Return the zone and the number of ``zone=2``."""
    if isinstance(said, tuple):
        return said
    zone, _, number = said.partition("=")
    if not zone or not number.isascii() or not number.isdigit() or len(number) > _MOST_DIGITS:
        raise click.BadParameter(f"{said!r} is not of the form zone=2.", param_hint="--scope")
    return zone, int(number)


setting_option = click.option(
    "--set", "settings", type=_setting, multiple=True, metavar="OPTION=VALUE", help="Set an option of the ruleset."
)
"""The option that says which variant of the rules is meant."""


def scope_options(command: Command) -> Command:
    """Add the options that say how large the plays are and which variant of the rules is meant."""
    for option in (
        setting_option,
        click.option("--scope", "sizes", type=_size, multiple=True, metavar="ZONE=N", help="How many items fit on a zone."),
        click.option("--stack", type=click.IntRange(1), metavar="N", help="How many items fit on the stack, whatever it is called."),
        click.option("--players", type=click.IntRange(1), metavar="N", help="How many players are at the table."),
    ):
        command = option(command)
    return command


def budget_options(command: Command) -> Command:
    """Add the options that say how much a search may cost."""
    for option in (
        click.option("--memory", type=click.IntRange(1), metavar="MB", help="Stop when this much memory is used (default: half of it)."),
        click.option("--time", "seconds", type=click.FloatRange(0, min_open=True), metavar="S", help="Stop after so many seconds."),
    ):
        command = option(command)
    return command


def make_budget(seconds: float | None, memory: int | None) -> Budget:
    """Return the budget that the options ask for."""
    return Budget(seconds, half_the_memory() if memory is None else memory)
