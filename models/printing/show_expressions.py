"""Showing expressions, types and formulas as text.

Each kind of expression has a level, that of the grammar rule it comes from; where an operand's
level is lower than its place asks for, it is put in parentheses. There are no others but those
of `_for_the_reader`, where the grammar needs none and people do.
"""

from __future__ import annotations

from typing import assert_never

from .. import syntax

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
    head = show_spotlights(formula)
    return f"{head} {show_expression(formula.body)}" if head else show_expression(formula.body)


def show_spotlights(formula: syntax.Formula) -> str:
    """Return ``for every item i, player p:``, or nothing if *formula* has no spotlights."""
    return "".join(_spotlights(formula.quantifier, formula.spotlights))


def _spotlights(quantifier: str, spotlights: tuple[syntax.Spotlight, ...]) -> list[str]:
    return (
        [f"for {quantifier} {', '.join(f'{one.kind} {one.name}' for one in spotlights)}:"]
        if spotlights
        else []
    )


def show_operand(expr: syntax.Expr) -> str:
    """Return *expr* as it is written where only a sum can stand."""
    return _show(expr, SUM)


def show_primary(expr: syntax.Expr) -> str:
    """Return *expr* as it is written after ``of``."""
    return _show(expr, PRIMARY)


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
        case syntax.Enforce(coalition, quantifier, spotlights, goal):
            said = f"{_show(coalition, IMPLICATION, followed=True)} can enforce"
            return " ".join(
                [said, *_spotlights(quantifier, spotlights), _show(goal, ANY, followed)]
            )
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
