"""The rows of the benchmark family: how many positions, moves and layers every explorer finds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.models.ir import Program
from stacklaw.models.load import load
from stacklaw.models.source import Source

FAMILY = Path(__file__).with_name("family.rules")


@dataclass(frozen=True)
class Instance:
    """A member of the family: *players*, *depth* of the stack, *cards* of each kind in a hand, a
    *budget* of triggers.
    """

    players: int
    depth: int
    cards: int
    budget: int

    @classmethod
    def named(cls, name: str) -> Instance:
        """Return the instance called so, as ``4_3_1_2``."""
        return cls(*map(int, name.split("_")))

    def __str__(self) -> str:
        return f"{self.players}_{self.depth}_{self.cards}_{self.budget}"

    def question(self) -> tuple[Program, Scope]:
        """Return the Program, and the scope in which all its positions lie."""
        settings = {"depth": str(self.depth), "cards": str(self.cards), "budget": str(self.budget)}
        program = load(Source("family.rules", FAMILY.read_text(encoding="utf-8")), settings)
        return program, make_scope(program, self.players, {"stack": self.depth})


TABLE = {
    Instance(2, 2, 1, 1): (5_160, 6_162, 81),
    Instance(2, 3, 2, 1): (77_336, 96_186, 105),
    Instance(3, 3, 1, 1): (125_514, 149_328, 153),
    Instance(4, 3, 1, 1): (1_925_576, 2_284_228, 245),
    Instance(4, 4, 1, 1): (2_901_320, 3_396_196, 245),
    Instance(4, 3, 1, 2): (5_306_480, 6_822_648, 252),
    Instance(3, 4, 2, 1): (8_071_899, 9_968_970, 195),
    Instance(3, 5, 2, 1): (13_861_509, 16_915_962, 195),
    Instance(4, 4, 1, 3): (19_257_304, 26_172_620, 259),
    Instance(3, 4, 2, 2): (24_654_252, 31_909_785, 201),
    Instance(3, 5, 2, 2): (50_527_164, 64_107_771, 201),
    Instance(4, 4, 2, 1): (349_186_536, 429_891_796, 309),
}
"""The positions, moves and layers of each instance."""
