"""A small game, and edits of it that leave what happens the same and change who does it, or whether they have to."""

from __future__ import annotations

BASE = """\
game "Base"
source "a test"
players 2
scope players 2, stack 1
start decide(active)

items
  spell  "spell"

zones
  stack  last in first out
  pool   in any order

state
  marked  : flag
  passed  : players
  due     : flag

stage decide(holder: player) "a player has priority"
  priority holder

  may 1 "cast"
    when stack is empty
    put spell on stack
    passed := none
    go decide(after holder)

  may 2 "pass"
    pass
    passed := passed with holder
    if passed is everyone
      passed := none
      go settle
    else
      go decide(after holder)

stage settle "things are put in order"

  must 3 "the top resolves" by active
    when stack is not empty
    resolve top of stack
    go clean

  must 4 "nothing is there"
    when stack is empty
    go decide(active)

stage clean "a state-based action"

  must 5 "put one on the pool, or take one off"
    either "put" by active
      require pool is empty
      put spell by active on pool
      go decide(active)
    or "take" by active
      require pool is not empty
      choose s in pool
      remove s
      go decide(active)
"""

EDITS = {
    "a state-based action that may stay": ('must 5 "put', 'may 5 by active "put'),
    "an act that became a duty": ('must 3 "the top resolves" by active', 'must 3 "the top resolves" by after active'),
    "another chooser": ('either "put" by active', 'either "put" by after active'),
}
