"""Random tests: the same examples at every run, or with ``--anew`` new ones, as many times as many
as one likes (see the README).
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

ONCE = 100
"""How many examples a test without a number of its own makes in an ordinary run; a profile with
more multiplies every number.
"""


def load_profile(anew: int) -> None:
    """Let random tests make the same examples as ever; or if *anew* is not zero, new ones, *anew*
    times as many.
    """
    always: dict[str, Any] = {"deadline": None, "suppress_health_check": list(HealthCheck)}
    if anew:
        settings.register_profile(
            "anew", max_examples=ONCE * anew, derandomize=False, print_blob=True, **always
        )
    else:
        settings.register_profile(
            "as ever", max_examples=ONCE, derandomize=True, database=None, **always
        )
    settings.load_profile("anew" if anew else "as ever")


def tries(number: int, **others: Any) -> settings:
    """Return the settings of a test that makes *number* examples in an ordinary run."""
    return settings(max_examples=number * settings().max_examples // ONCE, **others)
