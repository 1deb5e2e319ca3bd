"""``stacklaw new``: a first game, small and whole, to be changed."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ...models.words import clean_line
from ...reports.files import write_whole
from ..output.printing import say

FIRST_GAME = """\
# A whole small game. Change something, and ask `stacklaw check` what that does to its players:
# let 1.1 end with `go decide(after holder)`, and hold_priority is broken.
language 2
game "{title}"
source "house rules"
players 2 or more
scope players 2, stack 2
start decide(active)

items
  spell  "spell"

zones
  stack  last in first out

state
  passed : players  "who has passed in succession"

stage decide(holder: player) "a player has priority"
  priority holder

  may 1.1 "cast a spell"
    put spell on stack
    passed := none
    go decide(holder)

  may 1.2 "pass"
    pass
    passed += holder
    if passed is not everyone
      go decide(after holder)
    else if stack is not empty
      go resolve
    else
      game over

stage resolve "the top of the stack resolves"

  must 1.3 "the top spell resolves, and the active player has priority"
    when stack is not empty
    resolve top of stack
    passed := none
    go decide(active)

claims
  holds     response_window  cites 1.2
  possible  hold_priority    cites 1.1
  holds 1.3 "nothing resolves unless somebody has just passed"
    never (something resolves and not previously someone passes)
"""


@click.command("new")
@click.argument("name", metavar="NAME")
def new_command(name: str) -> None:
    """Write a first game into NAME.rules, small and whole: check it, play it, change it."""
    path = Path(f"{name.removesuffix('.rules')}.rules")
    if path.name == ".rules":
        raise click.BadParameter("the game needs a name.", param_hint="NAME")
    if path.exists():
        raise click.BadParameter(f"{clean_line(str(path))} is there already.", param_hint="NAME")
    title = " ".join(path.stem.replace('"', "").replace("_", " ").split()) or "A first game"
    write_whole(path, FIRST_GAME.format(title=title[:1].upper() + title[1:]))
    file = clean_line(str(path))
    named = shlex.quote(f"./{file}" if file.startswith("-") else file)
    say(f"{file} is written. Try next: stacklaw check {named}")
    say(f"or, in your browser: stacklaw explore {named} --edit --open")
