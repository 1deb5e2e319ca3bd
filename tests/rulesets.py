"""Small rulesets that several tests play, and questions about rulesets, from their texts."""

from __future__ import annotations

from stacklaw.checker.symbolic.encoding.encode import Precision, encoding
from stacklaw.checker.symbolic.encoding.system import System
from stacklaw.models import ir
from stacklaw.models.diagnostics import Code, codes
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named, typed_files

TABLE = """\
players 2 or more
scope players 2, stack 2
start decide(active)
"""
SPELLS = """
items
  spell  "spell"

zones
  stack  last in first out
"""
WHERE_B_PLAYS = """
game "By hand"
source "a test"
players 2
scope players 2, stack 2
start play

items
  spell "spell"

zones
  stack last in first out

state
  marked : player or nobody

stage play "B plays"
  priority after active

"""
MAY_PUT_OR_END = """\
  may 1 "cast"
    put spell on stack
    go play

  may 2 "end"
    pass
    game over

"""
CAST = """\
stage decide(holder: player) "a player has priority"
  priority holder

  may 1.1 "cast a spell"
    put spell on stack
    passed := none
    go decide(holder)
"""
PASS = """
  may 1.2 "pass"
    pass
    if holder is active and stack is not empty
      go resolve
    else
      go decide(after holder)
"""
FULL_PASS = """
  may 1.2 "pass"
    pass
    passed += holder
    if passed is not everyone
      go decide(after holder)
    else if stack is not empty
      go resolve
    else
      game over
"""
RESOLVE = """
stage resolve "the top of the stack resolves"

  must 1.3 "the top item resolves"
    when stack is not empty
    resolve top of stack
"""
ONE_PASS = f"""\
game "One pass"
{TABLE}{SPELLS}
stage decide(holder: player) "a player has priority"
  priority holder

  may 1.1 "cast a spell"
    put spell on stack
    go decide(holder)
{PASS}{RESOLVE}    go decide(active)
"""
"""A player who passes in their own turn lets the top of the stack resolve."""
MARKS = f"""\
game "Marks"
{TABLE}{SPELLS}
state
  marked : player or nobody = nobody
  next : player or nobody = nobody

stage decide(holder: player)
  priority holder

  may 1 "put"
    put spell on stack
    go decide(holder)

  may 2 "pass"
    pass
    next := holder
    go decide(after holder)

  may 3 "mark"
    when after holder is not before holder
    marked := holder
    go decide(holder)
"""
"""Nothing ends or resolves; only where there are three players somebody can be marked."""


def properties_in(source: Source, program: ir.Program) -> tuple[f.Property, ...]:
    """Return the properties of the text *source* beside *program*, with the lemmas that their
    proofs may use.
    """
    found = typed_files(program, [source])
    return tuple(property_named(program, one.name, found) for one in found.properties)


def asked(rules: str, *formula: str) -> tuple[ir.Program, f.Property]:
    """Return the game of *rules*, and the property whose lines are *formula*."""
    program = load(Source("a.rules", rules))
    lines = "\n".join(f"  {line}" for line in formula)
    (question,) = properties_in(
        Source("a.props", f'property asked "asked"\n  why "to see"\n{lines}\n'), program
    )
    return program, question


def encode(program: ir.Program, question: f.Property, precision: Precision) -> System:
    """Return the System of *question* with so much *precision*."""
    return encoding(program, question, precision).system()


def codes_of(letter: str) -> dict[str, Code]:
    """Return the codes that begin with *letter*."""
    return {code: said for code, said in codes().items() if code.startswith(letter)}
