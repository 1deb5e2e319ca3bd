"""What was measured of proofs, as the tables of the readme."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median

from .markdown import table
from .sizes import DEPTH, PLAYERS, Proving, Whole, crossing


def by_game(measured: Sequence[Proving], whole: Whole) -> str:
    """Return a table with a row for each game: seconds of its proofs, and from which size on they are cheaper than a search."""
    rows = []
    for game in _named(measured, lambda one: one.game):
        of_game = [one for one in measured if one.game == game]
        kinds = ([one for one in of_game if one.is_progress is is_progress] for is_progress in (False, True))
        sizes = (_sizes(of_game, axis, whole.get((game, axis), {})) for axis in (DEPTH, PLAYERS))
        rows.append([game, *(cell for kind in kinds for cell in _seconds(kind)), *(cell for pair in sizes for cell in pair)])
    searches = ["depth: cheaper from", "nothing sliced", "players: cheaper from", "nothing sliced"]
    return table(["", "safety", "seconds", "progress", "seconds", *searches], rows)


def by_property(measured: Sequence[Proving]) -> str:
    """Return a table with a row for each property and a column for each game: seconds, then the depth and players it is cheaper from.

    A star is for what is proved with the budget of ``--prove`` only.
    """
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


def _sizes(measured: Sequence[Proving], axis: str, whole: Mapping[int, float]) -> tuple[str, str]:
    """Return from which size on the proofs are cheaper than their searches, and than a search of *whole* positions."""
    lines = [one for one in measured if one.proof is not None and (one.searches or {}).get(axis)]
    if not lines:
        return "", ""
    return _middle([one.crossing(axis) for one in lines]), _middle([crossing(whole, one.proof or 0) for one in lines])


def _middle(sizes: Sequence[int | None]) -> str:
    """Return the middle of *sizes*, the least and the largest, and how many are none."""
    found = sorted(size for size in sizes if size is not None)
    if not found:
        return "nowhere"
    missing = f"; {len(sizes) - len(found)} nowhere" if len(found) < len(sizes) else ""
    return f"{found[len(found) // 2]} ({found[0]} to {found[-1]}){missing}"


def _cell(one: Proving | None) -> str:
    if one is None:
        return ""
    if one.proof is None:
        return "no proof"
    sizes = [str(one.crossing(axis) or "–") for axis in (DEPTH, PLAYERS) if (one.searches or {}).get(axis)]
    return f"{one.proof:.2f}{'*' if one.is_hard and not one.is_progress else ''}, {' / '.join(sizes)}"
