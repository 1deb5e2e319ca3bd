"""Options that several commands share, and what they mean for a Program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from ...checker.run.engines import DEFAULT, EngineName
from ...checker.types.budget import Budget, half_the_memory
from ...checker.types.tuning import Cluster, Tuning
from ...reports.files import make_folder

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
full_option = click.option("--full", is_flag=True, help="Tell every move of a play, what the rules do by themselves too.")
"""The option that unfolds plays."""


def format_option(*formats: str) -> Callable[[Command], Command]:
    """Return the option that says in which of *formats*, the first unless somebody says so, a command prints what it found."""
    return click.option(
        "--format", "format_", type=click.Choice(formats), default=formats[0], show_default=True, help="What to print."
    )  # fmt: skip


def graph_option(what: str) -> Callable[[Command], Command]:
    """Return the option that names the files in which *what* is drawn."""
    words = f"Draw {what}: .svg, .html, .mmd (Mermaid), .dot or .graphml; repeatable."
    return click.option("--graph", type=click.Path(path_type=Path), multiple=True, metavar="FILE", help=words)


def scope_options(command: Command) -> Command:
    """Add the options that say how large the plays are and which variant of the rules is meant."""
    for option in (
        setting_option,
        click.option("--scope", "sizes", type=_size, multiple=True, metavar="ZONE=N", help="How many items fit on a zone."),
        click.option("--stack", type=int, metavar="N", help="How many items fit on the stack, whatever it is called."),
        click.option("--players", type=int, metavar="N", help="How many players are at the table."),
    ):
        command = option(command)
    return command


def budget_options(command: Command) -> Command:
    """Add the options that say how much a search may cost."""
    for option in (
        click.option("--memory", type=int, metavar="MiB", help="Stop when this much memory is used (default: half of the machine's)."),
        click.option("--time", "seconds", type=float, metavar="S", help="Stop after so many seconds."),
    ):
        command = option(command)
    return command


_CLUSTER_OPTIONS = (
    click.option("--workers", type=int, metavar="N", help="How many workers of the cluster there are (default: its processors)."),
    click.option("--cluster", metavar="ADDRESS", help="Use the Ray cluster at ADDRESS beyond one machine; auto: begin one."),
)


def cluster_options(command: Command) -> Command:
    """Add the options that say where questions are decided."""
    for option in _CLUSTER_OPTIONS:
        command = option(command)
    return command


def search_options(command: Command) -> Command:
    """Add the options that say who is asked, and how they search: their threads, their checkpoints, and what they may leave out."""
    folder = click.Path(path_type=Path)
    for option in (
        click.option(
            "--engine",
            type=click.Choice(get_args(EngineName)),
            default=DEFAULT,
            show_default=True,
            help="Which engines decide: see docs/cli.md.",
        ),
        click.option("--prove", is_flag=True, help="Try harder to prove for every size what holds within the scope."),
        click.option("--no-symmetry", is_flag=True, help="Tell positions apart that differ only by a turn of the table."),
        click.option("--no-slice", is_flag=True, help="Tell all positions apart, by what is irrelevant to the question too."),
        click.option("--key", type=folder, metavar="FILE", help="Sign checkpoints with the key in FILE, to share them between machines."),
        click.option("--resume", is_flag=True, help="Go on from the checkpoints in --checkpoint."),
        click.option("--checkpoint", type=folder, metavar="DIR", help="Write down now and then, in DIR, how far a long search is."),
        click.option("--disk", type=folder, metavar="DIR", help="Where memory ends, search on with files in DIR."),
        *_CLUSTER_OPTIONS,
        click.option("--threads", type=int, default=1, show_default=True, metavar="N", help="How many threads share a search."),
    ):
        command = option(command)
    return command


def make_budget(seconds: float | None, memory: int | None) -> Budget:
    """Return the budget that the options ask for."""
    return Budget(seconds, half_the_memory() if memory is None else memory)


def make_cluster(address: str | None, workers: int | None) -> Cluster | None:
    """Return the cluster that the options name, if they name one; raises InputError if there can be none."""
    if address is None and workers is not None:
        raise click.UsageError("--workers are those of a cluster: say which with --cluster.")
    return None if address is None else Cluster(address, workers)


def make_tuning(
    threads: int, checkpoint: Path | None, key: Path | None, cluster: str | None, workers: int | None, disk: Path | None, *,
    resume: bool, no_slice: bool, no_symmetry: bool,
) -> Tuning:  # fmt: skip
    """Return how the options want a search to be done; make the folders they name if they are missing."""
    tuning = Tuning(threads, not no_slice, not no_symmetry, checkpoint, resume, key, make_cluster(cluster, workers), disk)
    if checkpoint is not None:
        make_folder(checkpoint, "L104", "checkpoints")
    if disk is not None:
        make_folder(disk, "C118", "a search")
    return tuning
