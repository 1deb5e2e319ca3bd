"""Magic's scenarios on phase.rs.

usage: python -m bench.phase.scenarios

The plays are made from the rules alone, before the engine is asked anything. Prints the first thing
in each that the engine does otherwise, and how far they came. It takes half a minute.
"""

from __future__ import annotations

import sys

from stacklaw.checker.scenarios.driver import DriverFinding, play_on
from stacklaw.checker.scenarios.suite import Suite, make_suite
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.scope import scope_of
from stacklaw.models.load import load_game
from stacklaw.properties.load import claims_of

from .driver import PhaseDriver


def frozen_suite() -> Suite:
    """Return the scenarios of `stacklaw scenarios mtg --stack 2`."""
    program = load_game("mtg")
    promises = [one.property for one in claims_of(program) if one.claim.expect == "holds"]
    return make_suite(program, promises, scope_of(program, None, 2, {}), Meter())


def played(suite: Suite) -> list[DriverFinding]:
    """Return what phase.rs does otherwise in each of its scenarios."""
    return list(play_on(PhaseDriver(), suite.scenarios, suite.scope.players))


def main() -> int:
    """Play them all; return 0."""
    suite = frozen_suite()
    found = played(suite)
    steps = suite.windows - sum(
        len(suite.scenarios[one.scenario - 1].steps) - max(0, one.step - 1) for one in found
    )
    print(f"{steps} of {suite.windows} windows played, {suite.least} at least")
    for one in found:
        said = f"wanted {one.wanted}, found {one.found}" if one.wanted else one.found
        print(f"{one.scenario}.{one.step} {one.clause} {one.field}: {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
