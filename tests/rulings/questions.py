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


DENIALS = """
game "Denials"
players 2
start speak(active)

items
  strike  "strike"
  deny    "denial"

zones
  chain  last in first out  [stack]

state
  quiet : flag
  focus : 0 to 2 for each player = 2

stage speak(p: player)
  priority p
  may 1 "strike"
    when chain is empty and p is active
    put strike on chain
    quiet := no
    go speak(after p)
  may 2 "deny"
    when chain is not empty and focus of p > 0
    focus of p -= 1
    put deny on chain
    quiet := no
    go speak(after p)
  may 3 "stay quiet"
    pass
    if not quiet
      quiet := yes
      go speak(after p)
    else
      quiet := no
      go unwind

stage unwind
  the first that applies
    must 4 "the chain is done"
      when chain is empty
      go speak(active)
    must 5 "a denial resolves, and removes what lies below"
      when chain is not empty
      when kind of top of chain is deny
      resolve top of chain
      if chain is not empty
        remove top of chain
      go unwind
    must 6 "a strike lands"
      when chain is not empty
      resolve top of chain
      go unwind
"""
"""What is denied is removed as the denial resolves; what each player has left is a number."""
