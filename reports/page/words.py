"""Words: what the scripts call the parts of a game, and what they need to write a play as a claim, as plain data.

Of what a ruleset names there are pairs of a name and its title, for names are a stranger's.
"""

from __future__ import annotations

import re
from typing import Any

from ...checker.types.scope import make_scope
from ...models import ir
from ..naming import kind_title, player_name


def words_of(program: ir.Program) -> dict[str, Any]:
    """Return the titles of what *program* has, by their names; a clause has the line of its text, too."""
    clauses = [(clause.id, {"title": _title(clause), "line": clause.span.line, "mode": clause.mode}) for _, clause in program.clauses]
    roles = {zone.name: role for role in ("waiting", "stack") for zone in program.zones_tagged(role)}
    return {
        "stages": [(stage.name, stage.title or stage.name) for stage in program.stages],
        "variables": [(variable.name, variable.title or variable.name) for variable in program.variables],
        "kinds": [(kind.name, kind_title(program, kind.name)) for kind in program.kinds],
        "zones": [
            (zone.name, {"title": zone.title or zone.name, "order": ir.ORDERS[zone.order], "role": roles.get(zone.name, "")})
            for zone in program.zones
        ],
        "clauses": clauses,
        "defaults": [(one.name, str(one.default.value)) for one in program.attributes if isinstance(one.default, ir.Literal)],
        "options": [(option.name, {"title": option.title, "values": option.values}) for option in program.options],
        "sequences": [{"variable": one.variable, "title": one.title or one.name} for one in program.sequences],
        "steps": [(f"{one.variable}.{step.name}", step.title or step.name) for one in program.sequences for step in one.steps],
    }


def _title(clause: ir.Clause) -> str:
    return f"{clause.title} (still to be written)" if clause.unfinished else clause.title


def claiming_words(program: ir.Program, players: int) -> dict[str, Any]:
    """Return names for *players* and for an item that nothing in *program* has, its scope, and its reading."""
    taken = set(re.findall(r"\w+", program.source.text))

    def free(name: str) -> str:
        return name if name not in taken else free(f"{name}_")

    scope = make_scope(program)
    return {
        "players": [free(f"p{player_name(seat)}") for seat in range(players)],
        "item": free("x"),
        "settings": program.settings,
        "scope": {"players": scope.players, "sizes": scope.sizes},
    }
