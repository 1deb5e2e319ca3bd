"""Asked about by nothing: options, variables and tags; kinds that nothing puts anywhere, and zones
that nothing comes to.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...models import ir, syntax
from ...models.diagnostics import Diagnostic
from ...models.source import Source, Span
from ...models.spelling import did_you_mean
from ..binding.roles import TAGS, ZONE_ROLES

_KNOWN = frozenset({*TAGS, *ZONE_ROLES})
_KNOWN_ON = {
    "zone": ZONE_ROLES,
    "kind": ("slow",),
    "flag": ("process",),
    "step": ("silent", "ending"),
}


def lint_asked(ruleset: syntax.Ruleset, source: Source) -> Iterator[Diagnostic]:
    """Yield what *ruleset*, which *source* is, declares and nothing in it asks about."""
    asked = _asked_in(ruleset) | _limiting(ruleset)

    def warning(code: str, span: Span, message: str, hint: str) -> Diagnostic:
        return Diagnostic(code, message, source, span, hint, "warning")

    for option in ruleset.options:
        if option.name not in asked:
            hint = f"ask for it in a rule (`when {option.name} is VALUE`), or leave it out"
            yield warning(
                "W103", option.span, f"No rule and no claim asks for option `{option.name}`.", hint
            )
    for variable in ruleset.state:
        if variable.name not in asked and "process" not in variable.tags:
            yield warning(
                "W104",
                variable.span,
                f"No rule and no claim asks for `{variable.name}`.",
                "ask for it, or leave it out",
            )
    puts = {node.kind for node in ir.walk(ruleset) if isinstance(node, syntax.Put)}
    for kind in ruleset.items:
        if kind.name not in puts:
            yield warning(
                "W105",
                kind.span,
                f"No clause puts a `{kind.name}` anywhere.",
                f"`put {kind.name} on ZONE`, or leave it out",
            )
    filled = _filled(ruleset)
    for zone in ruleset.zones:
        if zone.name not in filled:
            yield warning(
                "W109",
                zone.span,
                f"No clause puts or moves anything to `{zone.name}`.",
                f"`put KIND on {zone.name}`, or leave it out",
            )
    for what, declared, tags in _tagged(ruleset):
        for tag in tags:
            if tag not in asked and tag not in _KNOWN:
                hint = (
                    did_you_mean(tag, _KNOWN_ON[what])
                    or "ask for it as for a name, or leave it out"
                )
                yield warning(
                    "W106",
                    declared.span,
                    f"Nothing asks for the tag `{tag}`, and the catalogue does not know it.",
                    hint,
                )


def _asked_in(ruleset: syntax.Ruleset) -> frozenset[str]:
    """Return the names that some expression or formula of *ruleset* asks for; what an assignment
    sets it does not ask for.
    """
    names: set[str] = set()
    for node in ir.walk(ruleset):
        match node:
            case syntax.Name(name) | syntax.Of(name, _):
                names.add(name)
            case syntax.OneOf(_, values):
                names.update(values)
            case _:
                pass
    return frozenset(names)


def _filled(ruleset: syntax.Ruleset) -> frozenset[str]:
    """Return the names of the zones that items come to."""
    names: set[str | None] = set()
    for node in ir.walk(ruleset):
        match node:
            case syntax.Put(_, zone) | syntax.ItemEffect(_, _, zone):
                names.add(zone)
            case syntax.EveryItem(_, _, _, to):
                names.add(to)
            case _:
                pass
    return frozenset(name for name in names if name is not None)


def _limiting(ruleset: syntax.Ruleset) -> frozenset[str]:
    """Return the numbers that decide which moves are possible though nothing asks for them: they
    have to stay in their range.
    """
    numbers = {
        variable.name for variable in ruleset.state if isinstance(variable.type, syntax.NumberType)
    }
    assigned = {
        node.name
        for node in ir.walk(ruleset)
        if isinstance(node, syntax.Assign | syntax.AssignEvery) and _is_counted(node)
    }
    return frozenset(numbers & assigned)


def _is_counted(assign: syntax.Assign | syntax.AssignEvery) -> bool:
    return assign.operator != ":=" or not isinstance(assign.value, syntax.Number)


def _tagged(ruleset: syntax.Ruleset) -> Iterator[tuple[str, syntax.Node, tuple[str, ...]]]:
    """Yield what has tags: its sort, itself and the tags."""
    yield from (("zone", zone, zone.tags) for zone in ruleset.zones)
    yield from (("kind", kind, kind.tags) for kind in ruleset.items)
    yield from (("flag", variable, variable.tags) for variable in ruleset.state)
    yield from (
        ("step", step, step.tags) for sequence in ruleset.sequences for step in sequence.steps
    )
