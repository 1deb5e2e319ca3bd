"""Questions of judges beside those in the files of rulings: what is asked of each game, in the
words of a table.
"""

from __future__ import annotations

from pathlib import Path

from stacklaw.checker.rulings.file import read_rulings, rulings_beside

GAMES = ("mtg", "fftcg", "zx", "fow", "stack", "netrunner", "riftbound", "flesh")


def judges(game: str) -> list[tuple[str, str]]:
    """Return the questions about *game* in `judges.txt`, each with its answer, or the code with
    which it is refused.
    """
    text = (Path(__file__).parent / "judges.txt").read_text(encoding="utf-8")
    part = text.partition(f"[{game}]\n")[2].partition("\n\n")[0]
    pairs = [line.partition(" => ") for line in part.splitlines()]
    return [(question, answer) for question, _, answer in pairs]


def is_refused(answer: str) -> bool:
    """Whether *answer* is the code of a refusal."""
    return answer.startswith("C20")


def asked_of(game: str) -> list[tuple[str, tuple[tuple[str, str], ...], int | None]]:
    """Return the questions in the file of *game*, each with its reading and its players, and those
    of judges.
    """
    source = rulings_beside(game)
    filed = (
        []
        if source is None
        else [(one.question, one.reading, one.players) for one in read_rulings(source)]
    )
    said = [question for question, answer in judges(game) if not is_refused(answer)]
    return [*filed, *((question, (), None) for question in said)]
