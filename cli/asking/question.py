"""Question: what a command line asks of a ruleset, the type that reading and asking share."""

from __future__ import annotations

from ...models import ir
from ...properties.formula import Property

Question = tuple[Property, ir.Claim | None, bool]
"""A property, the claim that is made of it, if any, and whether it was named."""
