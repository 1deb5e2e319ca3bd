"""Options that several commands share, and what they mean for a Program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from functools import partial, reduce
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from ...checker.prover.workers import Pool
from ...checker.run.engines import DEFAULT, EngineName
from ...checker.types.budget import Budget, Cluster, Tuning, half_the_memory
from ...reports.files import make_folder
from ..output.files import FILES

_MOST_DIGITS = 9
Command = TypeVar("Command", bound=Callable[..., Any])


def pair_of(
    form: str, option: str, value: Callable[[str], Any] = str
) -> Callable[[Any], tuple[str, Any]]:
    """Return what reads pairs that *option* has in the *form* ``name=value``, with what *value*
    makes of the second (or a ValueError).
    """

    def read(said: Any) -> tuple[str, Any]:
        if isinstance(said, tuple):  # click gives what was read once more
            return said
        name, _, text = said.partition("=")
        with suppress(ValueError):
            if name and text:
                return name, value(text)
        raise click.BadParameter(f"{said!r} is not of the form {form}.", param_hint=option)

    return read


def _size(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > _MOST_DIGITS:
        raise ValueError
    return int(text)


def all_of(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return what adds *options* to a command, in the order of its help."""
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


flag = partial(click.option, is_flag=True)
"""An option without a value."""
file_option = partial(click.option, type=click.Path(path_type=Path), metavar="FILE")
"""An option that names a file, or a folder."""
property_option = partial(
    click.option, "--property", "-p", "properties", multiple=True, metavar="NAME"
)
"""The option that names what is asked."""
play_option = partial(
    click.option, "--play", "plays", type=click.IntRange(1), multiple=True, metavar="N"
)
"""The option that says by their numbers which plays are told (`need_numbers`)."""
pair_options = partial(
    click.option, multiple=True, callback=lambda _context, _param, pairs: dict(pairs)
)
"""An option whose pairs are a dict; what is said last counts."""
setting_option = pair_options(
    "--set",
    "settings",
    type=pair_of("option=value", "--set"),
    metavar="OPTION=VALUE",
    help="Set an option of the ruleset.",
)
"""The option that says which variant of the rules is meant."""
full_option = flag("--full", help="Tell every move of a play, what the rules do by themselves too.")
"""The option that unfolds plays."""


def format_option(*formats: str) -> Callable[[Command], Command]:
    """Return the option that says in which of *formats*, the first unless somebody says so, a
    command prints what it found.
    """
    return click.option(
        "--format", "format_", type=click.Choice(formats), default=formats[0], show_default=True,
        help="What to print."
    )  # fmt: skip


def graph_option(what: str) -> Callable[[Command], Command]:
    """Return the option that names the files in which *what* is drawn."""
    words = f"Draw {what}: .svg, .html, .mmd (Mermaid), .dot or .graphml; repeatable."
    return file_option("--graph", multiple=True, help=words)


scope_options = all_of(
    click.option("--players", type=int, metavar="N", help="How many players are at the table."),
    click.option(
        "--stack",
        type=int,
        metavar="N",
        help="How many items fit on the stack, whatever it is called.",
    ),
    pair_options(
        "--scope",
        "sizes",
        type=pair_of("zone=2", "--scope", _size),
        metavar="ZONE=N",
        help="How many items fit on a zone.",
    ),
    setting_option,
)
"""The options that say how large the plays are and which variant of the rules is meant."""
budget_options = all_of(
    click.option("--time", "seconds", type=float, metavar="S", help="Stop after S seconds."),
    click.option(
        "--memory",
        type=int,
        metavar="MiB",
        help="Stop when this much memory is used (default: half of the machine's).",
    ),
)
"""The options that say how much a search may cost."""
bound_options = all_of(scope_options, budget_options)
"""The options that say what is searched, and how far."""
cluster_options = all_of(
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Use the Ray cluster at ADDRESS beyond one machine; auto: begin one.",
    ),
    click.option(
        "--workers",
        type=int,
        metavar="N",
        help="How many workers of the cluster there are (default: its processors).",
    ),
)
"""The options that say where questions are decided."""
search_options = all_of(
    click.option(
        "--threads",
        type=int,
        default=1,
        show_default=True,
        metavar="N",
        help="How many threads share a search.",
    ),
    cluster_options,
    file_option("--disk", metavar="DIR", help="Where memory ends, search on with files in DIR."),
    file_option(
        "--checkpoint",
        metavar="DIR",
        help="Write down now and then, in DIR, how far a long search is.",
    ),
    flag("--resume", help="Go on from the checkpoints in --checkpoint."),
    file_option(
        "--key",
        help="Sign checkpoints with the key in FILE, to share them between machines.",
    ),
    flag(
        "--no-slice",
        help="Tell positions apart even by what is irrelevant to the question.",
    ),
    flag(
        "--no-symmetry",
        help="Tell positions apart that differ only by a turn of the table.",
    ),
    flag(
        "--prove",
        help="Try harder to prove for every size what holds within the scope.",
    ),
    click.option(
        "--engine",
        type=click.Choice(get_args(EngineName)),
        default=DEFAULT,
        show_default=True,
        help="Which engines decide: see docs/cli.md.",
    ),
)
"""The options that say who is asked, and how they search: their threads, their checkpoints, and
what they may leave out.
"""
report_options = all_of(
    *(file_option(f"--{name}", help=said) for name, (_, _, said) in FILES.items()),
    flag(
        "--annotations",
        help="Print what is not as claimed as annotations for GitHub, too.",
    ),
    file_option(
        "--itf",
        multiple=True,
        help="Write the plays in the Informal Trace Format, for tools of other model checkers.",
    ),
    graph_option("the plays"),
)
"""The options that say what is written beside what is printed (`reporting`)."""


def need_numbers(plays: Sequence[int], most: int, what: str) -> None:
    """Raise a usage error if one of *plays* is no number of a loop, or *what* it is, up to
    *most*.
    """
    if unknown := [number for number in plays if number > most]:
        raise click.BadParameter(
            f"there is no {what} {unknown[0]}; the {what}s have the numbers 1 to {most}.",
            param_hint="--play",
        )


def make_budget(seconds: float | None, memory: int | None) -> Budget:
    """Return the budget that the options ask for."""
    return Budget(seconds, half_the_memory() if memory is None else memory)


def make_cluster(address: str | None, workers: int | None) -> Cluster | None:
    """Return the cluster that the options name, if they name one; raises InputError if there can be
    none.
    """
    if address is None and workers is not None:
        raise click.UsageError("--workers are those of a cluster: say which with --cluster.")
    return None if address is None else Cluster(address, workers)


def pool_at(
    cluster: Cluster | None, module: str, seconds: float | None = None
) -> AbstractContextManager[Pool | None]:
    """Let the workers of *cluster* do what the ``main`` of *module* does; give None if there is no
    cluster. Raises InputError.

    A worker that hangs is waited for no longer when what it does has had *seconds* seconds, if that
    is not None.
    """
    if cluster is None:
        return nullcontext()
    from ...checker.prover.ray_workers import RayWorkers  # noqa: PLC0415 - only where there is one

    return closing(RayWorkers(cluster, module, seconds))


def make_tuning(
    threads: int, checkpoint: Path | None, key: Path | None, cluster: str | None,
    workers: int | None, disk: Path | None, *, resume: bool, no_slice: bool, no_symmetry: bool,
) -> Tuning:  # fmt: skip
    """Return how the options want a search to be done; make the folders they name if they are
    missing.
    """
    tuning = Tuning(
        threads,
        not no_slice,
        not no_symmetry,
        checkpoint,
        resume,
        key,
        make_cluster(cluster, workers),
        disk,
    )
    if checkpoint is not None:
        make_folder(checkpoint, "L104", "checkpoints")
    if disk is not None:
        make_folder(disk, "C118", "a search")
    return tuning
