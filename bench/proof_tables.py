"""What was measured of proofs, as the tables of the readme."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from .markdown import table
from .sizes import DEPTH, PLAYERS, Proving


def by_game(measured: Sequence[Proving]) -> str:
    """Return a table with a row for each game: seconds of its proofs, and from which size on they are cheaper than a search."""
    rows = []
    for game in _named(measured, lambda one: one.game):
        of_game = [one for one in measured if one.game == game]
        kinds = ([one for one in of_game if one.is_progress is is_progress] for is_progress in (False, True))
        rows.append([game, *(cell for kind in kinds for cell in _seconds(kind)), *(_sizes(of_game, axis) for axis in (DEPTH, PLAYERS))])
    head = ["", "safety", "seconds", "progress", "seconds", "cheaper than a search from depth", "from players"]
    return table(head, rows)


def by_property(measured: Sequence[Proving]) -> str:
    """Return a table with a row for each property and a column for each game: seconds, then the depth and players it is cheaper from."""
    games = _named(measured, lambda one: one.game)
    found = {(one.question, one.game): one for one in measured}
    rows = [
        [f"`{name}`", *(_cell(found.get((name, game))) for game in games)]
        for name in _named(measured, lambda one: one.question)
    ]  # fmt: skip
    return table(["seconds, depth / players", *games], rows)


def _named(measured: Sequence[Proving], name: Callable[[Proving], str]) -> list[str]:
    return list(dict.fromkeys(map(name, measured)))


def _seconds(measured: Sequence[Proving]) -> tuple[str, str]:
    """Return how many of *measured* are proved, and the seconds of the middle and the longest proof."""
    proofs = [one.proof for one in measured if one.proof is not None]
    if not proofs:
        return f"0 of {len(measured)}", ""
    return f"{len(proofs)} of {len(measured)}", f"{median(proofs):.1f}, at most {max(proofs):.1f}"


def _sizes(measured: Sequence[Proving], axis: str) -> str:
    """Return the middle, least and largest size from which the proofs are cheaper, and how many are cheaper than no search."""
    lines = [one for one in measured if (one.searches or {}).get(axis)]
    found = sorted(size for one in lines if (size := one.crossing(axis)) is not None)
    if not lines:
        return ""
    never = f"; {len(lines) - len(found)} nowhere" if len(found) < len(lines) else ""
    return (f"{round(median(found))} ({found[0]} to {found[-1]})" if found else "") + never


def _cell(one: Proving | None) -> str:
    if one is None:
        return ""
    if one.proof is None:
        return "no proof"
    sizes = [str(one.crossing(axis) or "–") for axis, line in (one.searches or {}).items() if line]
    return f"{one.proof:.2f}, {' / '.join(reversed(sizes))}"
