"""A game that many tests play: whoever passes in their own turn lets the top of the stack resolve."""

ONE_PASS = """\
game "One pass"
players 2 or more
scope players 2, stack 2
start decide(active)

items
  spell  "spell"

zones
  stack  last in first out

stage decide(holder: player) "a player has priority"
  priority holder

  may 1.1 "cast a spell"
    put spell on stack
    go decide(holder)

  may 1.2 "pass"
    pass
    if holder is active and stack is not empty
      go resolve
    else
      go decide(after holder)

stage resolve "the top of the stack resolves"

  must 1.3 "the top item resolves"
    when stack is not empty
    resolve top of stack
    go decide(active)
"""
