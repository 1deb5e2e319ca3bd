"""Declarations: options, items, zones, steps and state of a ruleset -> `Names`, and those misspelt.

The names come first, in one pass over the text, so that rules may be written in any order.

Then it is the declaration that is wrong: one mistake is told there, in the place of one at each
use.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import fields, is_dataclass

from .. import ir, syntax
from ..diagnostics import Diagnostic, Report
from ..ir.analysis import is_moving
from ..ir.parts import expressions
from ..words import join_words, near
from .expressions import ExpressionBinder
from .names import Names, describe, terms_of_plays

_UNKNOWN = re.compile(
    r"Nothing here is called `(\w+)`|There is no (?:zone|kind of item) called `(\w+)`"
)
_FEWEST = 2
"""How many uses outvote a declaration."""
_SHOWN = 3


def blame_declarations(ruleset: syntax.Ruleset, report: Report) -> None:
    """Put one mistake at each declaration of *ruleset* that seems misspelt, in the place of those
    that *report* has of the uses.
    """
    uses: dict[str, list[Diagnostic]] = defaultdict(list)
    for error in report.errors:
        said = _UNKNOWN.match(error.message)
        if said is not None and error.span is not None:
            uses[said[1] or said[2]].append(error)
    known = _used_in(ruleset)
    unused = {
        declared.name: declared for declared in _declared(ruleset) if declared.name not in known
    }
    for name, errors in uses.items():
        meant = near(name, unused) if len(errors) >= _FEWEST else []
        if meant:
            wrong = unused.pop(meant[0])
            lines = sorted({error.span.line for error in errors if error.span is not None})
            shown = [str(line) for line in lines[:_SHOWN]] + (
                ["others"] if len(lines) > _SHOWN else []
            )
            told = (
                f"`{wrong.name}` is declared here, but used as `{name}` "
                f"(line{'s' * (len(lines) > 1)} {join_words(shown)})."
            )
            report.errors = [error for error in report.errors if error not in errors]
            report.add("R101", wrong.span, told, f"call it `{name}`")


def _declared(
    ruleset: syntax.Ruleset,
) -> list[syntax.StateVariable | syntax.Zone | syntax.ItemKind | syntax.Option | syntax.Attribute]:
    return [*ruleset.state, *ruleset.zones, *ruleset.items, *ruleset.options, *ruleset.attributes]


def _used_in(ruleset: syntax.Ruleset) -> frozenset[str]:
    """Return every word of *ruleset* that may be the use of a declared name."""
    used = {name for name, _ in ruleset.scope}
    for node in ir.walk(ruleset):
        for said in (getattr(node, name) for name in _USES[type(node)]):
            parts = said if isinstance(said, tuple) else (said,)
            used.update(part[0] if isinstance(part, tuple) else part for part in parts)
    return frozenset(used)


_USES: dict[object, list[str]] = {
    kind: [field.name for field in fields(kind) if "UsedName" in str(field.type)]
    for kind in vars(syntax).values()
    if is_dataclass(kind)
}
"""The fields in which declared names are used, by the kinds of nodes."""
MOST_VALUES = 1000
"""How many values a number or an enumeration may have; more cannot be explored."""


def declare(ruleset: syntax.Ruleset, report: Report) -> Names:
    """Return the names that *ruleset* declares; mistakes in declarations go to *report*."""
    names = Names(fewest=ruleset.players.least)
    binder = ExpressionBinder(names, report)
    _unique(ruleset, report)
    for option in ruleset.options:
        _option(option, names, report)
    names.kinds.update(
        (kind.name, ir.Kind(kind.name, kind.title, kind.tags, kind.also)) for kind in ruleset.items
    )
    names.zones.update(
        (zone.name, ir.Zone(zone.name, zone.order, zone.title, zone.tags)) for zone in ruleset.zones
    )
    names.variables[ir.ACTIVE] = ir.VariableDeclaration(
        ir.ACTIVE, ir.PlayerType(), False, ir.Literal(0), "the player whose turn it is", ()
    )
    for sequence in sorted(ruleset.sequences, key=lambda s: s.name != ir.TURN):
        _sequence(sequence, binder)
    for variable in ruleset.state:
        _state(variable, binder)
    for attribute in ruleset.attributes:
        _attribute(attribute, binder)
    names.terms.update((term.name, term) for term in ruleset.terms)
    names.of_plays = terms_of_plays(ruleset.terms)
    for stage in ruleset.stages:
        bound = [(p, binder.type(p.type)) for p in stage.parameters]
        names.stages[stage.name] = tuple(
            ir.Parameter(p.name, type_) for p, type_ in bound if type_ is not None
        )
    return names


def _unique(ruleset: syntax.Ruleset, report: Report) -> None:
    """Report what is declared twice: values share one namespace, and so do stages, routines, kinds,
    steps, each.
    """
    steps = [step for sequence in ruleset.sequences for step in sequence.steps]
    reserved = {ir.ACTIVE: "the player whose turn it is", ir.STEP: "the present step of the turn"}
    values: list[
        syntax.Option | syntax.Zone | syntax.StateVariable | syntax.Term | syntax.Sequence
    ] = [
        *ruleset.options, *ruleset.zones, *ruleset.state, *ruleset.terms,
        *(s for s in ruleset.sequences if s.name != ir.TURN)
    ]  # fmt: skip
    for value in values:
        if value.name in reserved:
            report.add(
                "R109",
                value.span,
                f"`{value.name}` always means {reserved[value.name]}.",
                "choose another name",
            )
    turns = [s for s in ruleset.sequences if s.name == ir.TURN]
    groups: list[Iterable[
        syntax.Option | syntax.Zone | syntax.StateVariable | syntax.Term | syntax.Sequence
        | syntax.ItemKind | syntax.Attribute | syntax.Step | syntax.Stage | syntax.Routine
    ]] = [
        values, turns, ruleset.items, ruleset.attributes, steps,
        [*ruleset.stages, *ruleset.routines]
    ]  # fmt: skip
    for group in groups:
        first: dict[str, int] = {}
        for declared in group:
            line = first.setdefault(declared.name, declared.span.line)
            if line != declared.span.line:
                report.add(
                    "R109",
                    declared.span,
                    f"`{declared.name}` is already declared in line {line}.",
                    "choose another name",
                )


def _option(option: syntax.Option, names: Names, report: Report) -> None:
    if option.numbers is not None:
        low, high, default = option.numbers
        if not low <= default <= high:
            report.add("R123", option.span, f"The default {default} is not from {low} to {high}.")
        _small(high - low + 1, option, report)
        names.options[option.name] = ir.Option(
            option.name, option.title, (), (low, high), default, option.cites
        )
    elif option.values:  # else they could not be read; that is reported already
        values = tuple((value.name, value.title) for value in option.values)
        if len(dict(values)) < len(values):
            report.add("R109", option.span, f"The option `{option.name}` has a value twice.")
        cites = (*option.cites, *(cited for value in option.values for cited in value.cites))
        names.options[option.name] = ir.Option(
            option.name, option.title, values, None, values[0][0], cites
        )


def _sequence(sequence: syntax.Sequence, binder: ExpressionBinder) -> None:
    names, report = binder.names, binder.report
    variable = ir.STEP if sequence.name == ir.TURN else sequence.name
    steps = tuple(
        ir.Step(
            step.name, step.title, step.tags, step.also,
            on_options(step.condition, "Whether there is a step", binder) or ir.YES,
        )
        for step in sequence.steps
    )  # fmt: skip
    if not steps:
        return  # they could not be read; that is reported already
    if steps[0].condition != ir.YES:
        said = f"`{steps[0].name}` is the first step, which is always there."
        report.add("R113", sequence.steps[0].span, said, "leave out its `when`")
    names.sequences[sequence.name] = ir.Sequence(sequence.name, variable, sequence.title, steps)
    names.steps.update((step.name, sequence.name) for step in steps)
    values = tuple(step.name for step in steps)
    if variable != ir.STEP:
        if ir.NO_STEP in values:
            report.add(
                "R109",
                sequence.span,
                f"`{ir.NO_STEP}` means that `{sequence.name}` is not going on.",
                "choose another name",
            )
        values = (ir.NO_STEP, *values)
    title = sequence.title or "the present step"
    names.variables[variable] = ir.VariableDeclaration(
        variable, ir.EnumType(values), False, ir.Literal(values[0]), title, ()
    )


def _state(variable: syntax.StateVariable, binder: ExpressionBinder) -> None:
    type_ = binder.type(variable.type)
    initial = None
    if type_ is not None:
        _check_type(type_, variable, binder.report)
        initial = _initial(variable.initial, type_, binder)
        if initial == ir.Variable(ir.ACTIVE):
            initial = ir.Literal(0)
        elif initial is not None and not _is_plain(initial):
            hint = "say a value, a number or `everyone`; of players only `active` is known there"
            binder.report.add(
                "R113", variable.span, "The value at the start must not have to be found out.", hint
            )
    if type_ is None or initial is None:
        binder.names.mistaken.add(variable.name)
    else:
        declared = ir.VariableDeclaration(
            variable.name, type_, variable.each_player, initial, variable.title, variable.tags
        )
        binder.names.variables.setdefault(variable.name, declared)


def _attribute(attribute: syntax.Attribute, binder: ExpressionBinder) -> None:
    type_ = binder.type(attribute.type)
    if type_ is None:
        binder.names.mistaken.add(attribute.name)
        return
    if attribute.name in (ir.KIND, ir.CONTROLLER):
        binder.report.add(
            "R109",
            attribute.span,
            f"Every item has a {attribute.name} already.",
            "choose another name",
        )
    _check_type(type_, attribute, binder.report)
    if isinstance(type_, ir.PlayersType) or type_ == ir.PlayerType():
        binder.wrong_type(
            attribute,
            "a flag, a number, `player or nobody` or one of several values",
            describe(type_),
            "",
        )
        binder.names.mistaken.add(attribute.name)
        return
    default = _initial(attribute.default, type_, binder)
    if default is None:
        binder.names.mistaken.add(attribute.name)
    else:
        binder.names.attributes[attribute.name] = ir.Attribute(attribute.name, type_, default)


def _initial(
    written: syntax.Expr | None, type_: ir.Type, binder: ExpressionBinder
) -> ir.Expr | None:
    """Return the first value of something of *type_*, which must be constant."""
    if written is not None:
        if (
            type_ == ir.PlayerType()
            and isinstance(written, syntax.Word)
            and written.word == "nobody"
        ):
            binder.wrong_type(
                written, "a player", "nobody", "what may be nobody is a `player or nobody`"
            )
            return None
        bound = binder.value(written, type_)
        if bound is not None and not is_constant(bound):
            binder.report.add(
                "R113",
                written.span,
                "The value at the start must be constant.",
                "use a value, a number option or `everyone`",
            )
            return None
        match type_, bound:
            case (
                ir.NumberType(ir.Literal(int(least)), ir.Literal(int(most))),
                ir.Literal(int(first)),
            ) if least <= most and not least <= first <= most:
                binder.report.add(
                    "R123", written.span, f"The first value {first} is not from {least} to {most}."
                )
        return bound
    match type_:
        case ir.FlagType():
            return ir.NO
        case ir.NumberType(low, _):
            return low
        case ir.EnumType(values):
            return ir.Literal(values[0])
        case ir.PlayerType(optional):
            return ir.Literal(None if optional else 0)
        case _:
            return ir.NoPlayers()


def _is_plain(initial: ir.Expr) -> bool:
    """Whether *initial* is known once the options are, but for a number that the number of players
    makes greater or less.
    """
    nodes = list(ir.walk(initial))
    if not any(
        isinstance(node, ir.Variable | ir.PlayerNumber | ir.Everyone | ir.NoPlayers)
        for node in nodes
    ):
        return True
    return all(isinstance(node, ir.Fixed | ir.Add | ir.Subtract) for node in nodes)


def on_options(
    condition: syntax.Expr | None, what: str, binder: ExpressionBinder
) -> ir.Expr | None:
    """Return the *condition* of *what*, which may depend only on options; None if it cannot be
    read, which is reported.
    """
    if condition is None:
        return ir.YES
    bound = binder.flag(condition)
    if bound is not None and any(
        is_moving(node) or isinstance(node, ir.PlayerNumber) for node in expressions(bound)
    ):
        said = f"{what} can depend only on options."
        binder.report.add("R113", condition.span, said, "`when additions is adder`")
    return bound


def is_constant(expr: ir.Expr) -> bool:
    """Whether *expr* depends on nothing but options and the number of players; who is active at
    first is known.
    """
    return not any(is_moving(part) and part != ir.Variable(ir.ACTIVE) for part in expressions(expr))


def _check_type(
    type_: ir.Type, node: syntax.StateVariable | syntax.Attribute, report: Report
) -> None:
    if isinstance(type_, ir.EnumType):
        if len(set(type_.values)) < len(type_.values):
            report.add("R109", node.span, f"`{node.name}` has a value twice.")
        _small(len(type_.values), node, report)
    if isinstance(type_, ir.NumberType):
        if not (is_constant(type_.low) and is_constant(type_.high)):
            report.add(
                "R113",
                node.span,
                f"The range of `{node.name}` must be constant.",
                "use numbers, number options or `number of players`",
            )
        elif isinstance(type_.low, ir.Literal) and isinstance(type_.high, ir.Literal):
            low, high = type_.low.value, type_.high.value
            if not isinstance(low, int) or not isinstance(high, int) or low > high:
                report.add(
                    "R123", node.span, f"`{node.name}` has no values: {low} is more than {high}."
                )
            else:
                _small(high - low + 1, node, report)


def _small(
    values: int, node: syntax.Option | syntax.StateVariable | syntax.Attribute, report: Report
) -> None:
    if values > MOST_VALUES:
        hint = "model what the rules ask about it, such as none, some, many"
        report.add(
            "R301",
            node.span,
            f"`{node.name}` has {values:,} values; a search can have at most {MOST_VALUES:,}.",
            hint,
        )
