"""Typing: a property as written + its Program -> `formula.Property`; what is absent.

Here is what concerns a property as a whole: its spotlights, the word it begins with, what it is
about. The formulas within are `connectives`; the catalogue's words become those of the game first
(`roles`).

A game without turns has no last step of a turn, one without items nothing that could be answered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal, TypeAlias

from ...models import ir, syntax
from ...models.binding.definite import conjuncts
from ...models.binding.expressions import ExpressionBinder
from ...models.binding.names import ITEM, PLAYER, Typed, names_of
from ...models.diagnostics import Report
from ...models.ir.traverse import levels
from ...models.options.configure import fixed
from ...models.printing.show_lines import show_expression, show_formula
from .. import formula as f
from .connectives import FormulaTyper, negated, parts_of, unanswered
from .enforcing import type_enforced, typed_spotlights
from .expand import expanded
from .future import MOST_UNTIL, FutureTyper, looks_ahead, nests_the_future, speaks_of_the_future
from .roles import TAGS, in_words_of

_NO = syntax.Word("no")


_Translate: TypeAlias = Callable[..., syntax.Formula]
"""How a formula is said in the words of a Program, as `in_words_of` does it."""


def what_is_absent(program: ir.Program, formula: syntax.Formula, translate: _Translate) -> str:
    """Return what *formula* speaks of and *program* does not have, if that alone makes it
    impossible.

    It is empty if there is no such thing.
    """

    def absent(expr: syntax.Expr) -> str:
        match expr:
            case syntax.Phrase(subject=syntax.Word("something")) if not program.kinds:
                return "items"
            case syntax.Enforce(goal=goal):
                return absent(goal)
            case syntax.Unary("possible" | "eventually" | "once" | "previously" | "historically"):
                return absent(expr.operand)
            case syntax.Binary("and"):
                return next(filter(None, map(absent, parts_of(expr))), "")
            case syntax.Binary("or"):
                found = [absent(part) for part in parts_of(expr)]
                return found[0] if all(found) else ""
            case syntax.Binary("since"):
                return absent(expr.right)
            case syntax.Unary() | syntax.Binary("implies" | "until" | "leads to") | syntax.Word():
                return ""
            case _:
                said = translate(replace(formula, body=expr, about=None, given=())).body
                return f"`{show_expression(expr)}`" if said == _NO else ""

    if not program.kinds and any(spotlight.kind == "item" for spotlight in formula.spotlights):
        return "items"
    return absent(formula.body)


MOST_NESTED = 100
"""How deep a formula may be nested; every pass over it may then recurse."""
MOST_SPOTLIGHTS = 6
"""How many items and players a formula may watch at once; the work grows with a power of it."""


def containing(
    typed: f.Property,
    formula: syntax.Formula,
    said: syntax.Expr,
    program: ir.Program,
    report: Report,
) -> f.Property:
    """Return *typed*, the Property that *formula* is, asked of those plays alone that make *said*
    true by the moment that decides it.

    *said* may speak of the formula's spotlights. Mistakes go to *report*.
    """
    if typed.mode in ("progress", "future"):
        report.add("P207", said.span, *_NO_END)
        return typed
    # Its spotlights were looked at with the formula; those of the catalogue may be called as
    # something of the game.
    formula = expanded(formula, program, report)
    typer = _typer(formula, program, Report(report.source), of_catalogue=False)
    operand = _reporting(typer, report).formula(expanded(said, program, report))
    if operand is None:
        return typed
    seen = f.Once(operand)
    body = (
        f.And((typed.body, seen)) if typed.mode == "possible" else f.Or((typed.body, negated(seen)))
    )
    return _with_settings(
        replace(typed, body=body, text=f"{typed.text}, with {show_expression(said)}"), program
    )


_NO_END = (
    "`with` says what a play makes true by the moment that decides, and what must eventually "
    "happen is decided by no moment.",
    "leave it out: what the play is about stands before `leads to`",
)


def type_property(
    text: syntax.PropertyText,
    program: ir.Program,
    report: Report,
    *,
    of_catalogue: bool = False,
    of_file: bool = False,
) -> f.Property | None:
    """Return the Property that *text* is when it is asked of *program*.

    Mistakes go to *report*, and then the answer is None. The words of a text *of_catalogue* are
    roles: `stack` is the zone where items wait to resolve, under any name of the game's. In a text
    *of_file*, words that the game does not have are roles as well.
    """
    before, written = len(report.errors), text.formula
    formula = expanded(written, program, report)
    if (
        len(report.errors) > before
        or not _shallow(formula, report)
        or not _short_sighted(formula, report)
    ):
        return None
    subject = formula.about if formula.about is not None else _default_about(formula.body)
    asked = replace(formula, about=subject)
    translate = (
        partial(in_words_of, program, of_file=of_file) if of_catalogue or of_file else _as_it_is
    )
    said, told = translate(written, to_read=True), translate(asked, to_read=True)
    asked = translate(asked)
    typer = _typer(formula, program, report, of_catalogue)
    mode = _mode(formula, report)
    enforced = _enforced(asked, program, typer, of_catalogue)
    future = FutureTyper(typer)
    temporal, given = _future(asked, future) if mode == "future" else (None, ())
    body = f.And(tuple(future.parts)) if mode == "future" else _body(asked.body, mode, typer)
    body = body if enforced is None else f.And(tuple(goal.formula for goal in enforced.goals))
    about = _about(formula, asked.about, mode, typer)
    parts = _never_parts(formula, typer, translate)
    if mode is not None:
        _check_spotlights(formula, mode, report)
        _check_assuming(formula, mode, report)
    if mode is None or body is None or len(report.errors) > before:
        return None
    typed = f.Property(
        name=text.name,
        title=text.title,
        why=text.why,
        mode="always" if mode == "never" else mode,
        spotlights=(
            *typed_spotlights(formula.spotlights),
            *(f.Spotlight("player", name) for name, _ in (enforced.roles if enforced else ())),
        ),
        body=body,
        about=about,
        text=show_formula(said),
        about_text="" if about is None or told.about is None else show_expression(told.about),
        apart=formula.about is not None,
        assuming=formula.assuming,
        parts=parts,
        enforced=enforced,
        future=temporal,
        given=given,
        absent=what_is_absent(program, formula, translate)
        if mode in ("possible", "enforce")
        else "",
        source=report.source,
        span=formula.span,
    )
    return _with_settings(typed, program)


def check_terms(program: ir.Program, report: Report) -> None:
    """Report what is wrong with the terms of *program* that speak of a play, whether a claim uses
    them or not.
    """
    names = names_of(program)
    for term in program.terms:
        if term.name not in names.of_plays:
            continue
        typer = _typer(
            syntax.Formula("every", (), term.meaning, span=term.span),
            program,
            report,
            of_catalogue=False,
        )
        for parameter in term.parameters:
            if (type_ := typer.binder.type(parameter.type)) is not None:
                typer.binder.local(parameter.name, type_, parameter)
        alone = Report(report.source)
        meaning = expanded(term.meaning, program, alone)
        if not alone.errors:
            typer.formula(meaning)


def _as_it_is(formula: syntax.Formula, *, to_read: bool = False) -> syntax.Formula:
    del to_read  # the other translation needs it
    return formula


def names_given_in(formula: syntax.Formula | None) -> frozenset[str]:
    """Return the names that *formula* gives to items and players of its own, none if there is no
    formula.
    """
    nodes = list(ir.walk(formula))
    spotlights = {node.name for node in nodes if isinstance(node, syntax.Spotlight)}
    return frozenset(
        spotlights | {node.variable for node in nodes if isinstance(node, syntax.Quantified)}
    )


def _shallow(formula: syntax.Formula, report: Report) -> bool:
    """Whether *formula* is not nested too deeply; found without recursion."""
    parts = levels(formula.body, formula.about, *formula.given)
    if all(depth <= MOST_NESTED for depth, _ in enumerate(parts, 1)):
        return True
    report.add(
        "R314",
        formula.span,
        f"This formula is nested more than {MOST_NESTED} deep.",
        "split it into several properties",
    )
    return False


def _short_sighted(formula: syntax.Formula, report: Report) -> bool:
    """Whether *formula* and what it assumes look at the future no more often than can be
    decided.
    """
    times = sum(map(looks_ahead, (formula.body, *formula.given)))
    if times > MOST_UNTIL:
        message = f"This looks at the future {times} times, and {MOST_UNTIL} are the most."
        report.add(
            "P305", formula.span, message, "split it into several properties, or assume less"
        )
    return times <= MOST_UNTIL


def _typer(
    formula: syntax.Formula, program: ir.Program, report: Report, of_catalogue: bool
) -> FormulaTyper:
    binder = ExpressionBinder(names_of(program, TAGS if of_catalogue else frozenset()), report)
    for spotlight in formula.spotlights:
        if spotlight.name in binder.taken:
            report.add(
                "P303",
                spotlight.span,
                f"`{spotlight.name}` is named twice.",
                "give each its own name",
            )
        binder.taken.add(spotlight.name)
        if spotlight.kind == "clause":
            continue
        type_ = ITEM if spotlight.kind == "item" else PLAYER
        names = binder.names
        if not of_catalogue and any(
            spotlight.name in known
            for known in (names.variables, names.options, names.zones, names.steps)
        ):
            report.add(
                "P303",
                spotlight.span,
                f"`{spotlight.name}` already means something in {program.title}.",
                "choose another name",
            )
        binder.locals[spotlight.name] = Typed(ir.Local(spotlight.name), type_)
    clauses = tuple(
        spotlight.name for spotlight in formula.spotlights if spotlight.kind == "clause"
    )
    is_of_one = isinstance(formula.body, syntax.Enforce) or (
        isinstance(formula.body, syntax.Unary) and formula.body.operator == "possible"
    )
    return FormulaTyper(program, binder, clauses, "some" if is_of_one else "every")


# ------------------------------------------------------------------ the word it begins with


PropertyMode = Literal["always", "never", "possible", "progress", "future", "enforce"]


def _mode(formula: syntax.Formula, report: Report) -> PropertyMode | None:
    body = formula.body
    word = body.operator if isinstance(body, syntax.Unary | syntax.Binary) else ""
    if not isinstance(body, syntax.Enforce) and word != "possible":
        simple = word in ("always", "never", "eventually", "leads to")
        if formula.given or (not simple and speaks_of_the_future(body)) or nests_the_future(body):
            return "future"
    match body:
        case syntax.Unary("always" | "never" | "possible" as mode):
            return mode
        case syntax.Unary("eventually") | syntax.Binary("leads to"):
            return "progress"
        case syntax.Enforce():
            return "enforce"
        case _:
            hint = "`always (A implies B)`, `never (A and B)`, `A leads to B`"
            message = (
                "A formula begins with `always`, `never`, `possible` or `eventually`, or is `A "
                "leads to B`."
            )
            report.add("P201", body.span, message, hint)
            return None


def _body(body: syntax.Expr, mode: PropertyMode | None, typer: FormulaTyper) -> f.Formula | None:
    """Type *body* without the word it begins with; of `progress` it becomes what must not go on for
    ever (`formula.Property`).
    """
    match body:
        case syntax.Binary("leads to", trigger, goal):
            return unanswered(typer.formula(trigger), typer.formula(goal))
        case syntax.Unary("eventually", goal):
            typed = typer.formula(goal)
            return None if typed is None else f.Not(f.Once(typed))
        case syntax.Enforce():
            return None  # its mistakes are known
        case syntax.Unary("always" | "never" | "possible", operand) if mode is not None:
            typed = typer.formula(operand)
            return negated(typed) if mode == "never" and typed is not None else typed
        case _:
            return typer.formula(body)


def _enforced(
    formula: syntax.Formula, program: ir.Program, typer: FormulaTyper, of_catalogue: bool
) -> f.Enforced | None:
    """Return what *formula* asks to be enforced, if it does."""
    if not isinstance(formula.body, syntax.Enforce):
        return None

    of_goal = typer
    if formula.body.spotlights:
        spotlights = (*formula.spotlights, *formula.body.spotlights)
        of_goal = _typer(
            replace(formula, spotlights=spotlights), program, typer.report, of_catalogue
        )
    return type_enforced(formula.body, typer, of_goal)


def _future(
    asked: syntax.Formula, typer: FutureTyper
) -> tuple[f.Temporal | None, tuple[f.Given, ...]]:
    """Type what *asked* says of the future, and what it assumes of a play; what has a mistake is
    left out.
    """
    temporal = typer.temporal(asked.body)
    given = [(typer.temporal(expr), show_expression(expr)) for expr in asked.given]
    return temporal, tuple(f.Given(typed, text) for typed, text in given if typed is not None)


# ------------------------------------------------------------------ what it is about


def _about(
    formula: syntax.Formula,
    subject: syntax.Expr | None,
    mode: PropertyMode | None,
    typer: FormulaTyper,
) -> f.Formula | None:
    """Type *subject*, what *formula* is about. Where the formula does not say, it is part of the
    body, whose mistakes are known.
    """
    if subject is None:
        return None
    if formula.about is None:
        return _silent(typer).formula(subject)
    if mode in ("possible", "enforce"):
        hint = "leave out the `about`: a play that shows it shows that it is about something"
        typer.report.add(
            "P205", formula.about.span, "What is only asked to be possible needs no `about`.", hint
        )
        return None
    return typer.formula(subject)


def _default_about(body: syntax.Expr) -> syntax.Expr | None:
    """Return what *body* is about where nothing else is said: the antecedent of ``always``, the
    trigger of ``leads to``.
    """
    match body:
        case syntax.Unary("always", syntax.Binary("implies", antecedent, _)):
            return antecedent
        case syntax.Binary("leads to", trigger, _):
            return trigger
        case _:
            return None


def _never_parts(
    formula: syntax.Formula, typer: FormulaTyper, translate: _Translate
) -> tuple[f.Part, ...]:
    """Return what a ``never`` joins with ``and``, as it is written; nothing if that is one, or if
    *formula* says what it is about.
    """
    match formula:
        case syntax.Formula(
            body=syntax.Unary("never", syntax.Binary("and") as conjunction), about=None
        ):
            alone = [_alone(formula, part) for part in conjuncts(conjunction)]
        case _:
            return ()
    silent, parts = _silent(typer), []
    for one in alone:
        asked, told = translate(one), translate(one, to_read=True)
        typed = silent.formula(asked.body)
        if typed is not None:
            claim = replace(told, body=syntax.Unary("never", told.body))
            parts.append(
                f.Part(
                    typed,
                    typed_spotlights(one.spotlights),
                    show_expression(told.body),
                    show_formula(claim),
                )
            )
    return tuple(parts)


def _alone(formula: syntax.Formula, part: syntax.Expr) -> syntax.Formula:
    """Return *part* of *formula* as a formula of its own, with the spotlights that it mentions."""
    return replace(
        formula,
        spotlights=tuple(one for one in formula.spotlights if _mentions(part, one.name)),
        body=part,
    )


def _silent(typer: FormulaTyper) -> FormulaTyper:
    """Return *typer* for what is part of a formula whose mistakes are known."""
    return _reporting(typer, Report(typer.report.source))


def _reporting(typer: FormulaTyper, report: Report) -> FormulaTyper:
    return replace(typer, binder=replace(typer.binder, report=report))


# ------------------------------------------------------------------ spotlights


def _check_spotlights(formula: syntax.Formula, mode: PropertyMode, report: Report) -> None:
    watched = [spotlight for spotlight in formula.spotlights if spotlight.kind != "clause"]
    clauses = [spotlight for spotlight in formula.spotlights if spotlight.kind == "clause"]
    if mode == "enforce":
        _check_players(formula, report)
    elif mode == "possible" and watched and formula.quantifier == "every":
        hint = (
            f"`for some {watched[0].kind} {watched[0].name}:` asks for one play and one "
            f"{watched[0].kind}"
        )
        report.add("P302", watched[0].span, "`for every` does not stand before `possible`.", hint)
    if formula.quantifier == "some" and mode not in ("possible", "enforce"):
        watches = f"{formula.spotlights[0].kind} {formula.spotlights[0].name}"
        hint = (
            f"`for some {watches}: possible FORMULA` asks for one play; `for every {watches}:` "
            "asks it of each"
        )
        report.add("P302", formula.spotlights[0].span, "`for some` stands before `possible`.", hint)
    elif formula.quantifier == "some" and clauses:
        hint = (
            f"`for every clause {clauses[0].name}:` asks it of each clause in turn; one clause can "
            "be named itself: `clause 1.1`"
        )
        report.add(
            "P302",
            clauses[0].span,
            "`for some` is said of items and players, not of clauses.",
            hint,
        )
    if len(clauses) > 1:
        report.add(
            "P304",
            clauses[1].span,
            "A formula may ask for one clause at a time.",
            "name the other one by its id",
        )
    if len(watched) > MOST_SPOTLIGHTS:
        message = (
            f"A formula may watch {MOST_SPOTLIGHTS} items and players; this one watches "
            f"{len(watched)}."
        )
        report.add(
            "P304", watched[MOST_SPOTLIGHTS].span, message, "split it into several properties"
        )
    for spotlight in formula.spotlights:
        if not any(_mentions(said, spotlight.name) for said in (formula.body, *formula.given)):
            hint = "say something of it, or leave it out"
            report.add(
                "P301", spotlight.span, f"The formula says nothing of `{spotlight.name}`.", hint
            )


def _check_players(formula: syntax.Formula, report: Report) -> None:
    """Report what stands before ``can enforce`` and is not ``for some player``."""
    others = [spotlight for spotlight in formula.spotlights if spotlight.kind != "player"]
    if others:
        hint = "an item stands behind it: `p can enforce for every item i: always FORMULA`"
        report.add("P302", others[0].span, "Only players stand before `can enforce`.", hint)
    elif formula.quantifier == "every" and formula.spotlights:
        hint = f"`for some player {formula.spotlights[0].name}:` asks who can"
        report.add(
            "P302", formula.spotlights[0].span, "`for some` stands before `can enforce`.", hint
        )


def _check_assuming(formula: syntax.Formula, mode: PropertyMode, report: Report) -> None:
    if mode == "enforce" and "players" in formula.assuming:
        said = "Nothing is assumed of those who are to enforce something."
        hint = "`assuming others act only finitely often`"
    elif mode != "enforce" and "others" in formula.assuming:
        said = "`others` are those beside the players before `can enforce`."
        hint = "`assuming players act only finitely often`"
    elif formula.given and mode == "enforce":
        said = "A formula cannot be assumed of what is to be enforced."
        hint = "`assuming others act only finitely often`"
    elif (formula.assuming or formula.given) and mode not in ("progress", "future", "enforce"):
        said = "`assuming` stands only with `eventually` and `leads to`."
        hint = (
            "leave out the `assuming`: a play of finitely many moves has only finitely many of any"
        )
    else:
        return
    report.add("P206", formula.span, said, hint)


def _mentions(body: syntax.Expr, name: str) -> bool:
    return any(
        isinstance(node, syntax.Name | syntax.Phrase) and node.name == name
        for node in ir.walk(body)
    )


# ------------------------------------------------------------------ options


def _with_settings(typed: f.Property, program: ir.Program) -> f.Property:
    """Return *typed* with every option's value in the place of its name."""
    values = dict(program.settings)
    return ir.rewrite(typed, lambda node: fixed(node, values))
