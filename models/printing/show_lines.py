"""Showing lines, expressions, types and formulas as text.

Each kind of expression has a level, that of the grammar rule it comes from; where an operand's
level is lower than its place asks for, it is put in parentheses. There are no others but those
of `_for_the_reader`, where the grammar needs none and people do.
"""

from __future__ import annotations

from typing import assert_never

from .. import syntax
from ..ir.program import ORDERS
from ..parsing import blocks as written

ANY, IMPLICATION, DISJUNCTION, CONJUNCTION, SUCCESSION, NEGATION, COMPARISON, SUM, PRIMARY = range(
    9
)
_LOGIC = {"implies", "leads to", "or", "and", "since", "until"}
_GLOBAL = {"always", "never", "possible", "eventually", "again and again", "finitely often"}
# The level of a binary operator, and the levels that its left and its right operand must have.
_LEVELS = {
    "implies": (IMPLICATION, DISJUNCTION, IMPLICATION),
    "leads to": (IMPLICATION, DISJUNCTION, IMPLICATION),
    "or": (DISJUNCTION, DISJUNCTION, CONJUNCTION),
    "and": (CONJUNCTION, CONJUNCTION, SUCCESSION),
    "since": (SUCCESSION, NEGATION, NEGATION),
    "until": (SUCCESSION, NEGATION, NEGATION),
    **dict.fromkeys(("+", "-", "but"), (SUM, SUM, PRIMARY)),
}
_COMPARISON = (COMPARISON, SUM, SUM)
_NUMBER = "number of players"


def show_expression(expr: syntax.Expr, followed: bool = False) -> str:
    """Return *expr* as it is written; *followed* says that words which a quantifier could take for
    its own come after it.
    """
    return _show(expr, ANY, followed)


def show_formula(formula: syntax.Formula) -> str:
    """Return *formula* with its spotlights on one line, as people read it."""
    return _spaced(show_spotlights(formula), show_expression(formula.body))


def show_spotlights(said: syntax.Formula | syntax.Enforce) -> str:
    """Return ``for every item i, player p:``, or nothing if what is *said* has no spotlights."""
    shown = ", ".join(f"{one.kind} {one.name}" for one in said.spotlights)
    return f"for {said.quantifier} {shown}:" if shown else ""


def _show(expr: syntax.Expr, wanted: int, followed: bool = False) -> str:
    """Return *expr* where a *wanted* level must stand; *followed* says that it is the left side of
    an operator.
    """
    if _level(expr) < wanted or (followed and isinstance(expr, syntax.Quantified)):
        return f"({_text(expr, followed=False)})"
    return _text(expr, followed)


def _operand(
    whole: syntax.Binary | syntax.Unary, operand: syntax.Expr, wanted: int, followed: bool
) -> str:
    return _show(operand, PRIMARY if _for_the_reader(whole, operand) else wanted, followed)


def _for_the_reader(whole: syntax.Binary | syntax.Unary, operand: syntax.Expr) -> bool:
    """Tell whether *operand* is put in parentheses though the grammar needs none.

    They keep apart ``and`` within ``or``, what ``since`` joins from what stands around it, and all
    that ``always`` or ``never`` is said of; also one word about the future from another, and ``not
    always a`` from what follows it. (What a quantifier is said of is kept apart from what follows
    it by `_show`.)
    """
    match whole, operand:
        case syntax.Unary(operator), syntax.Binary(inner):
            return operator in _GLOBAL and inner in _LOGIC
        case syntax.Unary(operator), syntax.Unary():
            return operator in _GLOBAL and _is_of_the_future(operand)
        case syntax.Binary("and" | "or" | "implies" | "leads to"), syntax.Unary("not"):
            return _is_of_the_future(operand)
        case syntax.Binary("or"), syntax.Binary("and"):
            return True
        case syntax.Binary("since" | "until"), syntax.Unary():
            return True
        case syntax.Binary("and" | "or" | "implies" | "leads to"), syntax.Binary("since" | "until"):
            return True
    return False


def _is_of_the_future(expr: syntax.Expr) -> bool:
    """Tell whether *expr* is a word about the future and what it is said of, or the negation of
    such.
    """
    if isinstance(expr, syntax.Unary) and expr.operator == "not":
        return _is_of_the_future(expr.operand)
    return isinstance(expr, syntax.Unary) and expr.operator in _GLOBAL


def _level(expr: syntax.Expr) -> int:
    """Return the level of the grammar rule that *expr* comes from."""
    if isinstance(expr, syntax.Primary):
        return PRIMARY
    match expr:
        case syntax.Binary(operator):
            return _LEVELS.get(operator, _COMPARISON)[0]
        case syntax.Unary("not", syntax.OneOf()):
            return COMPARISON
        case syntax.Unary(operator):
            return ANY if operator in _GLOBAL else NEGATION
        case syntax.Enforce():
            return ANY
        case syntax.Quantified():
            return NEGATION
        case syntax.OneOf() | syntax.Phrase() | syntax.Idiom():
            return COMPARISON
        case _:
            assert_never(expr)


def _text(expr: syntax.Expr, followed: bool) -> str:
    if isinstance(expr, syntax.Primary):
        return _primary(expr)
    match expr:
        case syntax.Binary(operator, left, right):
            _, left_level, right_level = _LEVELS.get(operator, _COMPARISON)
            before = _operand(expr, left, left_level, operator in _LOGIC)
            if operator == "in" and before.endswith(_NUMBER):
                before = f"({before})"  # or else it would be the number of those in a set
            return f"{before} {operator} {_operand(expr, right, right_level, followed)}"
        case syntax.Unary("not", syntax.OneOf(operand, names)):
            return f"{_show(operand, SUM)} is not one of ({', '.join(names)})"
        case syntax.Unary(operator, operand):
            return f"{operator} {_operand(expr, operand, _level(expr), followed)}"
        case syntax.Quantified(quantifier, variable, source, body):
            said = f"{quantifier} {variable} in {show_domain(source)}"
            if quantifier != "every" and body == syntax.ANYTHING:
                return said
            joint = "satisfies" if quantifier == "every" else "where"
            return f"{said} {joint} {_show(body, ANY if expr.wide else NEGATION)}"
        case syntax.OneOf(operand, names):
            return f"{_show(operand, SUM)} is one of ({', '.join(names)})"
        case syntax.Phrase():
            return _phrase(expr)
        case syntax.Idiom(kind, subject, other):
            wanted = NEGATION if kind == "is first to have priority after" else PRIMARY
            return f"{_show(subject, SUM)} {kind} {_show(other, wanted, followed)}"
        case syntax.Enforce(coalition, goal=goal):
            said = f"{_show(coalition, IMPLICATION, followed=True)} can enforce"
            return _spaced(said, show_spotlights(expr), _show(goal, ANY, followed))
        case _:
            assert_never(expr)


def _phrase(phrase: syntax.Phrase) -> str:
    subject = "" if phrase.subject is None else f"{_show(phrase.subject, SUM)} "
    if phrase.kind == "clause is possible":
        return f"clause {phrase.name} is possible"
    return f"{subject}{phrase.kind}{'' if phrase.name is None else f' {phrase.name}'}"


def _primary(expr: syntax.Primary) -> str:
    match expr:
        case syntax.Name(name):
            return name
        case syntax.Number(value):
            return str(value)
        case syntax.Word(word):
            return word
        case syntax.Call(name, arguments):
            return f"{name}{show_arguments(arguments)}"
        case syntax.PlayerNumber():
            return _NUMBER
        case syntax.Count(players):
            return f"{_NUMBER} in {_show(players, PRIMARY)}"
        case syntax.Size(zone):
            return f"size of {zone}"
        case syntax.EndOf(end, zone):
            return f"{end} of {zone}"
        case syntax.Of(name, operand):
            return f"{name} of {_show(operand, PRIMARY)}"
        case syntax.Neighbour(side, player):
            return f"{side} {_show(player, PRIMARY)}"
        case _:
            assert_never(expr)


def show_arguments(arguments: tuple[syntax.Expr, ...]) -> str:
    """Return the arguments in parentheses; nothing if there are none."""
    return f"({', '.join(map(show_expression, arguments))})" if arguments else ""


def show_domain(domain: syntax.Domain) -> str:
    """Return what is chosen from."""
    if isinstance(domain, syntax.Range):
        return f"{_show(domain.low, SUM)} to {_show(domain.high, SUM)}"
    return _show(domain, SUM)


def show_type(type_: syntax.Type) -> str:
    """Return *type_* as it is written."""
    match type_:
        case syntax.FlagType():
            return "flag"
        case syntax.PlayersType():
            return "players"
        case syntax.PlayerType(optional):
            return "player or nobody" if optional else "player"
        case syntax.EnumType(values):
            return " or ".join(values)
        case syntax.NumberType(low, high):
            return f"{_show(low, SUM)} to {_show(high, SUM)}"
        case _:
            assert_never(type_)


def show_parameters(parameters: tuple[syntax.Parameter, ...]) -> str:
    """Return the parameters in parentheses; nothing if there are none."""
    return (
        f"({', '.join(f'{p.name}: {show_type(p.type)}' for p in parameters)})" if parameters else ""
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
    return "" if player is None else f"by {_show(player, SUM)}"


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
        case written.ClaimsHead(title, condition):
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
            values = ", ".join(f"{name} {_show(value, SUM)}" for name, value in settings)
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
            place = name if player is None else f"{name} of {_show(player, PRIMARY)}"
            return f"{place} {operator} {show_expression(value)}"
        case syntax.AssignEvery(operator, name, variable, players, value, condition):
            place = f"{name} of every {variable} in {_show(players, SUM)}"
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
