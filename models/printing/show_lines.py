"""Showing one line's node as text, in the columns that are aligned with those of the lines beside
it.
"""

from __future__ import annotations

from typing import assert_never

from .. import syntax
from ..ir.program import ORDERS
from ..parsing import lines as written
from .show_expressions import (
    show_arguments,
    show_domain,
    show_expression,
    show_formula,
    show_operand,
    show_parameters,
    show_primary,
    show_type,
)


def show_line(node: written.LineNode) -> tuple[str, ...]:
    """Return the columns of the line that says *node*; one column if it is not part of a table."""
    if isinstance(node, written.InnerNode):
        return _inner(node)
    return (_header(node) if isinstance(node, written.TopNode) else show_statement(node),)


def _spaced(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _quoted(title: str) -> str:
    return f'"{title}"' if title else ""


def _also(names: tuple[str, ...]) -> str:
    return f"also {', '.join(map(_quoted, names))}" if names else ""


def _tags(tags: tuple[str, ...]) -> str:
    return f"[{', '.join(tags)}]" if tags else ""


def _cites(ids: tuple[str, ...]) -> str:
    return f"cites {', '.join(ids)}" if ids else ""


def _sizes(sizes: syntax.NamedSizes) -> str:
    return ", ".join(f"{name} {size}" for name, size in sizes)


def _if_any(word: str, expr: syntax.Expr | None) -> str:
    return "" if expr is None else f"{word} {show_expression(expr)}"


def _by(player: syntax.Expr | None) -> str:
    return "" if player is None else f"by {show_operand(player)}"


def _header(node: written.TopNode) -> str:
    match node:
        case written.LanguageHeader(version):
            return f"language {version}"
        case written.TextHeader(kind, text):
            return f'{kind} "{text}"'
        case syntax.PlayersHeader(least, most):
            return f"players {least}" + (
                " or more" if most is None else f" to {most}" if most != least else ""
            )
        case written.ScopeHeader(sizes):
            return f"scope {_sizes(sizes)}"
        case written.StartHeader(go):
            return f"start {go.stage}{show_arguments(go.arguments)}"
        case written.SectionHead(section):
            return section
        case written.ClaimsHead(condition, title):
            return _spaced("claims", _quoted(title), _if_any("when", condition))
        case written.PropertyHead(name, title, is_lemma):
            return f'{"lemma" if is_lemma else "property"} {name} "{title}"'
        case _:
            return _declaration(node)


def _declaration(
    node: syntax.Option | syntax.Sequence | syntax.Term | syntax.Routine | syntax.Stage,
) -> str:
    match node:
        case syntax.Option(name, title, _, numbers, cites):
            bounds = "" if numbers is None else "from {} to {} default {}".format(*numbers)
            return _spaced("option", name, f'"{title}"', bounds, _cites(cites))
        case syntax.Sequence(name, _, title):
            return "turn" if name == "turn" else _spaced("sequence", name, _quoted(title))
        case syntax.Term(name, parameters, meaning):
            return f"term {name}{show_parameters(parameters)} means {show_expression(meaning)}"
        case syntax.Routine(name, parameters, _, title):
            return _spaced(f"to {name}{show_parameters(parameters)}", _quoted(title))
        case syntax.Stage(name, parameters, title=title):
            return _spaced(f"stage {name}{show_parameters(parameters)}", _quoted(title))
        case _:
            assert_never(node)


def _inner(node: written.InnerNode) -> tuple[str, ...]:
    match node:
        case syntax.OptionValue(name, title, cites):
            return name, _spaced(f'"{title}"', _cites(cites))
        case syntax.ItemKind(name, title, tags, also):
            return name, _spaced(f'"{title}"', _also(also), _tags(tags))
        case syntax.Attribute(name, type_, default):
            return name, _spaced(f": {show_type(type_)}", _if_any("=", default))
        case syntax.Zone(name, order, title, tags):
            return name, ORDERS[order], _spaced(_quoted(title), _tags(tags))
        case syntax.Step(name, title, tags, also, condition):
            return name, _spaced(
                _quoted(title), _also(also), _tags(tags), _if_any("when", condition)
            )
        case syntax.StateVariable(name, type_, each, initial, title, tags):
            kind = _spaced(
                f": {show_type(type_)}", "for each player" if each else "", _if_any("=", initial)
            )
            return name, kind, _spaced(_quoted(title), _tags(tags))
        case syntax.LeftOut(ids, reason):
            return (f'{", ".join(ids)} "{reason}"',)
        case written.PriorityLine(holder):
            return (f"priority {show_expression(holder)}",)
        case written.FirstHead():
            return ("the first that applies",)
        case syntax.Clause(mode, id_, title, _, cites, also=also):
            return (_spaced(mode, id_, _quoted(title), _also(also), _cites(cites)),)
        case syntax.Claim(expect, name, title, cites, _, condition):
            every = "for every size" if node.every_size else ""
            return (
                expect,
                name,
                _spaced(_quoted(title), every, _cites(cites), _if_any("when", condition)),
            )
        case _:
            return (_below_claim(node),)


def _below_claim(node: written.LineOfClaim) -> str:
    match node:
        case written.WhyLine(text):
            return f'why "{text}"'
        case written.AboutLine(subject):
            return f"about {show_expression(subject)}"
        case written.AssumingLine(who):
            return f"assuming {who} act only finitely often"
        case written.GivenLine(given):
            return f"assuming {show_expression(given)}"
        case written.NeedsLine(sizes):
            return f"needs {_sizes(sizes)}"
        case written.WithLine(containing):
            return f"with {show_expression(containing)}"
        case syntax.Formula():
            return show_formula(node)
        case _:
            assert_never(node)


def show_statement(node: written.StatementNode) -> str:
    """Return the line of a statement, without the block it opens."""
    match node:
        case syntax.When(condition):
            return f"when {show_expression(condition)}"
        case syntax.By(player, variable, condition):
            whose = show_expression(player) if player is not None else f"any {variable}"
            return _spaced("by", whose, _if_any("where", condition))
        case syntax.Require(condition):
            return f"require {show_expression(condition)}"
        case syntax.Put(kind, zone, by, settings):
            values = ", ".join(f"{name} {show_operand(value)}" for name, value in settings)
            return _spaced("put", kind, _by(by), f"with {values}" if values else "", f"on {zone}")
        case syntax.ItemEffect(effect, item, zone):
            return _spaced(effect, show_expression(item), f"to {zone}" if zone is not None else "")
        case syntax.EveryItem(effect, variable, zone, to, condition):
            return _spaced(
                f"{effect} every {variable} in {zone}",
                f"to {to}" if to is not None else "",
                _if_any("where", condition),
            )
        case syntax.Pass():
            return "pass"
        case syntax.StepEffect(effect, name):
            return _spaced(effect, name or "")
        case syntax.Assign(operator, name, player, value):
            place = name if player is None else f"{name} of {show_primary(player)}"
            return f"{place} {operator} {show_expression(value)}"
        case syntax.AssignEvery(operator, name, variable, players, value, condition):
            place = f"{name} of every {variable} in {show_operand(players)}"
            shown = show_expression(value, followed=condition is not None)
            return _spaced(f"{place} {operator} {shown}", _if_any("where", condition))
        case syntax.Let(name, value):
            return f"let {name} be {show_expression(value)}"
        case syntax.Choose(variable, domain, condition, by):
            return _spaced(
                f"choose {variable} in {show_domain(domain)}", _if_any("where", condition), _by(by)
            )
        case _:
            return _control(node)


def _control(node: written.ControlNode) -> str:
    match node:
        case syntax.If(condition):
            return f"if {show_expression(condition)}"
        case written.ElseIf(condition):
            return f"else if {show_expression(condition)}"
        case written.Else():
            return "else"
        case syntax.Maybe(body, title):
            return _spaced("maybe", _quoted(title), show_statement(body[0]) if body else "")
        case syntax.Either(options, by):
            return _spaced("either", _quoted(options[0][0]), _by(by))
        case written.OrLine(title):
            return _spaced("or", _quoted(title))
        case syntax.Do(name, arguments):
            return f"do {name}{show_arguments(arguments)}"
        case syntax.Go(stage, arguments):
            return f"go {stage}{show_arguments(arguments)}"
        case syntax.GameOver():
            return "game over"
        case syntax.Todo():
            return "todo"
        case _:
            assert_never(node)
