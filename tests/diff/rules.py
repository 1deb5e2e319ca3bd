"""A small game, and edits of it: some that say the same, some that leave what happens as it is and
yet change the game.
"""

from __future__ import annotations

BASE = """\
game "Base"
source "a test"
players 2
scope players 2, stack 1, pool 1
start decide(active)

items
  spell  "spell"
  mark   "mark"

zones
  stack  last in first out
  pool   in any order

state
  passed : players
  tally  : 0 to 1
  spent  : flag

stage decide(holder: player) "a player has priority"
  priority holder

  may 1 "cast"
    when stack is empty and not spent
    put spell on stack
    passed := none
    go decide(after holder)

  may 2 "pass"
    pass
    passed += holder
    if passed is everyone
      passed := none
      go settle
    else
      go decide(after holder)

stage settle "things are put in order"

  must 3 "the top resolves"
    by active
    when stack is not empty
    resolve top of stack
    tally := 1
    go clean

  must 4 "nothing is there"
    when stack is empty
    go decide(active)

stage clean "the pool"

  must 5 "one is marked, or a mark is gone"
    by active
    when pool is empty
    choose p in players by active
    put mark by p on pool
    go decide(active)

  must 6 "the mark is gone"
    when pool is not empty
    choose m in pool
    remove m
    go decide(active)
"""


def edited(*pairs: str) -> str:
    """Return the game with each text of *pairs* replaced by the next; each is there once."""
    text = BASE
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


CHANGED = {
    "a state-based action that may stay": edited(
        'must 6 "the mark',
        'may 6 "the mark',
        "when pool is not empty\n",
        "by active\n    when pool is not empty\n",
    ),
    "an act that became a duty": edited(
        'may 1 "cast"',
        'must 1 "cast"',
        "when stack is empty and",
        "by holder\n    when stack is empty and",
    ),
    "another owner": edited(
        'must 3 "the top resolves"\n    by active', 'must 3 "the top resolves"\n    by after active'
    ),
    "another chooser": edited(
        "choose p in players by active", "choose p in players by after active"
    ),
    "a clause that can never be used again": edited("tally := 1", "spent := yes"),
    "a livelock": edited("remove m\n    go decide(active)", "go clean"),
    "a player who is stuck": edited(
        'must 4 "nothing is there"\n    when stack is empty',
        'must 4 "nothing is there"\n    when stack is empty and tally is 0',
    ),
    "somebody else has priority": edited(
        "passed := none\n    go decide(after holder)", "passed := none\n    go decide(holder)"
    ),
}
UNSEEN = {"an effect left out that nothing asks for": edited("    tally := 1\n", "")}
SAME = {
    "renumbered": edited('may 1 "', 'may 10 "', 'must 3 "', 'must 7/a "'),
    "reworded": edited('may 2 "pass"', 'may 2 "whoever has priority may pass it on"'),
    "another order of conditions": edited(
        "when stack is empty and not spent", "when not spent\n    when stack is empty"
    ),
    "a term for it": edited(
        "when stack is empty and not spent",
        "when free",
        "stage decide(",
        "term free means stack is empty and not spent\n\nstage decide(",
    ),
    "renamed": edited("spent  : flag", "used : flag", "and not spent", "and not used"),
    "a kind renamed": edited('mark   "mark"', 'token   "mark"', "put mark by p", "put token by p"),
    "the stack renamed": BASE.replace("stack", "chain"),
    "a local name": edited("choose m in pool\n    remove m", "choose it in pool\n    remove it"),
}
WITH_STEPS = edited("state\n", "turn\n  early\n  late\n\nstate\n", "tally := 1", "skip to late")
