"""Words: what the scripts call the parts of a game, as plain data: pairs of a name and its title, for names are a stranger's."""

from __future__ import annotations

from typing import Any

from ...models import ir
from ..naming import kind_title


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
        "options": [(option.name, {"title": option.title, "values": option.values}) for option in program.options],
        "sequences": [{"variable": one.variable, "title": one.title or one.name} for one in program.sequences],
        "steps": [(f"{one.variable}.{step.name}", step.title or step.name) for one in program.sequences for step in one.steps],
    }


def _title(clause: ir.Clause) -> str:
    return f"{clause.title} (still to be written)" if clause.unfinished else clause.title
