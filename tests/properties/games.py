"""The ruleset that the tests of properties ask their formulas of."""

from __future__ import annotations

from stacklaw.models import ir, syntax
from stacklaw.models.diagnostics import Report
from stacklaw.models.load import load
from stacklaw.models.parsing.parse import parse_properties
from stacklaw.models.source import Source
from stacklaw.properties import formula as f
from stacklaw.properties.binding.type import type_property

from ..rulesets import FULL_PASS

TEXT = f"""\
game "Two passes"
players 2 or more
scope players 2, stack 2, waiting 1
start decide(active)

option reading "two readings"
  strict  "one"
  relaxed "the other"

option most "how many" from 1 to 3 default 2

items
  spell "spell"
  ritual "slow spell" [slow]

attributes
  speed : slowly or quickly

zones
  stack last in first out
  waiting in any order
  queue first in first out

turn
  upkeep
  main [main]

sequence battle
  attack
  block

state
  passed : players
  sba    : flag [process]
  last   : player or nobody
  hand   : 0 to 3 for each player = 3

term quick(p: player) means p is active or sba
term risky means stack is empty or controller of top of stack is active

stage decide(holder: player) "a player has priority"
  priority holder

  may 1.1 "cast"
    put spell on stack
    passed := none
    go decide(holder)
{FULL_PASS}
stage resolve

  must 2.1 "the top resolves"
    when stack is not empty
    resolve top of stack
    passed := none
    go decide(active)

  must 2.2 "only if relaxed"
    when stack is empty and reading is relaxed
    go decide(active)
"""


def program(claims: str = "", **settings: str) -> ir.Program:
    """Return the ruleset, with *claims*."""
    indented = "".join(f"  {line}\n" for line in claims.splitlines())
    return load(Source("two.rules", f"{TEXT}\nclaims\n{indented}" if claims else TEXT), settings)


def typed(
    formula: str, game: ir.Program | None = None, *, of_catalogue: bool = False
) -> tuple[f.Property | None, Report]:
    """Return *formula* (its lines, with ``about``) typed for *game*, and what was found wrong with
    it.
    """
    indented = "".join(f"  {line}\n" for line in formula.splitlines())
    source = Source("one.props", f'property it "it"\n{indented}')
    report = Report(source)
    texts = parse_properties(source, report)
    if report.errors:
        return None, report
    return type_property(
        syntax.PropertyText("it", "it", "", texts[0].formula),
        game or program(),
        report,
        of_catalogue=of_catalogue,
    ), report


def property_of(
    formula: str, game: ir.Program | None = None, *, of_catalogue: bool = False
) -> f.Property:
    """Return *formula* typed; there must be nothing wrong with it."""
    found, report = typed(formula, game, of_catalogue=of_catalogue)
    assert not report.errors, report.errors
    assert found is not None
    return found
