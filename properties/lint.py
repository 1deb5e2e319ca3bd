"""Linting: a ruleset -> what in it is no mistake and hardly meant, in the order of the text.

It is looked at with every option open, so that a reading has no warnings of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from ..models import ir, syntax
from ..models.diagnostics import Diagnostic
from ..models.ir.analysis import passes
from ..models.load import opened, parsed
from ..models.options.configure import reachable_stages
from ..models.source import Source, Span
from ..models.words import did_you_mean
from . import formula as f
from .binding.roles import TAGS, ZONE_ROLES
from .formula import formulas, operands
from .load import TypedClaim, claims_of
from .wording import formula_words

_MOST_ATOMS = 12
"""A formula of more is taken to ask something: each doubles the work."""
_Literal = tuple[f.Formula, bool]


_Warning: TypeAlias = tuple[str, Span, str, str]
"""A code, a place, a message and a hint."""


def _lint_formula(claim: TypedClaim, program: ir.Program) -> Iterator[_Warning]:
    """Yield what is hardly meant in the formula of *claim*, which *program* makes; those of the
    catalogue are meant.
    """
    if claim.claim.formula is None:
        return
    asked = claim.property
    wanted: tuple[f.Formula, ...] = (
        (f.Not(asked.body),) if asked.mode == "always" else (asked.body,)
    )
    if asked.mode == "future" and isinstance(asked.body, f.And):
        wanted = asked.body.parts  # each is said of moments of its own
    together = (parts for one in wanted for parts in _conjunctions(one, is_so=True))
    late = next((part for parts in together for part in _too_late(parts)), None)
    if late is not None:
        message = (
            f"`{claim.claim.name}` asks who has priority after the move, not who had it before."
        )
        hint = (
            f"ask `previously {formula_words(program, late)}`: the formula sees the position that "
            "the move has led to"
        )
        yield "W201", claim.claim.span, message, hint
    if len(wanted) == 1 and (always := _always(asked.body)) is not None:
        how = "is always true" if always else "is never true"
        message = f"What `{claim.claim.name}` asks {how}, whatever the rules say."
        yield "W202", claim.claim.span, message, "ask for something that the rules can break"


# ------------------------------------------------------------------ who has priority after the move


def _conjunctions(formula: f.Formula, *, is_so: bool) -> Iterator[list[_Literal]]:
    """Yield what has to be so together, now, for *formula* to be true or, if it *is* not *so*,
    false; in its parts as well.

    What it says of earlier moments is left alone: there, who has priority after a move is asked on
    purpose.
    """
    together = list(_literals(formula, is_so=is_so))
    yield together
    for part, holds in together:
        match part:
            case f.And(parts) | f.Or(parts):
                for one in parts:
                    yield from _conjunctions(one, is_so=holds)
            case _:
                pass


def _literals(formula: f.Formula, *, is_so: bool) -> Iterator[_Literal]:
    match formula, is_so:
        case (f.And(parts), True) | (f.Or(parts), False):
            for part in parts:
                yield from _literals(part, is_so=is_so)
        case f.Not(operand), _:
            yield from _literals(operand, is_so=not is_so)
        case _:
            yield formula, is_so


def _too_late(together: Sequence[_Literal]) -> Iterator[f.HasPriority]:
    """Yield the priority that somebody who acts or passes does not have at the same moment, if
    nothing is said of the moment before.
    """
    movers = [
        part.player
        for part, holds in together
        if holds and isinstance(part, f.PlayerEvent) and part.event != "chooses"
    ]
    without = [part for part, holds in together if not holds and isinstance(part, f.HasPriority)]
    before = (part for part, _ in together if isinstance(part, f.Previously))
    if any(isinstance(part, f.HasPriority) for one in before for part in formulas(one)):
        return
    yield from (
        priority for mover in movers for priority in without if priority.player in (mover, None)
    )


# ------------------------------------------------------------------ about nothing at all


def _always(formula: f.Formula) -> bool | None:
    """Return whether *formula* is true at every moment of any play, or false at every one; None if
    it is neither, or too large.
    """
    formula = ir.rewrite(formula, f.of_formulas(_opened))
    atoms = list(dict.fromkeys(_atoms(formula)))
    if len(atoms) > _MOST_ATOMS:
        return None
    implying = {atom: [one for one in atoms if _implies(one, atom)] for atom in atoms}
    found: set[bool] = set()
    for values in product((False, True), repeat=len(atoms)):
        known = dict(zip(atoms, values, strict=True))
        value = _truth_value(formula, known)
        if value not in found and _can_be(known, implying):
            found.add(value)
            if len(found) > 1:
                return None
    return found.pop()


def _can_be(
    known: Mapping[f.Formula, bool], implying: Mapping[f.Formula, Sequence[f.Formula]]
) -> bool:
    """Whether there may be a moment at which all is as *known*, by what implies what; there may be
    none all the same.
    """
    for atom, value in known.items():
        if value:
            continue
        if any(known[other] for other in implying[atom]):
            return False
        if isinstance(atom, f.Once | f.Since) and _truth_value(operands(atom)[-1], known):
            return False
    return True


def _opened(formula: f.Formula) -> f.Formula:
    """Return *formula*, whose parts are so already, with the logic in what it asks of the position,
    where it watches no item, as logic of its own.
    """
    match formula:
        case f.Holds(ir.Not(operand), ()):
            return f.Not(_opened(f.Holds(operand)))
        case f.Holds(ir.All(parts), ()):
            return f.And(tuple(_opened(f.Holds(part)) for part in parts))
        case f.Holds(ir.Any(parts), ()):
            return f.Or(tuple(_opened(f.Holds(part)) for part in parts))
        case _:
            return formula


def _atoms(formula: f.Formula) -> Iterator[f.Formula]:
    """Yield what *formula* joins: what it says of this moment, and what it says of the past as a
    whole.
    """
    match formula:
        case f.Not() | f.And() | f.Or():
            for part in operands(formula):
                yield from _atoms(part)
        case f.Once(operand) | f.Since(_, operand):
            yield formula
            yield from _atoms(operand)
        case _:
            yield formula


def _implies(one: f.Formula, other: f.Formula) -> bool:
    """Whether *one* implies *other*, by the kinds of the two."""
    match other:
        case f.HasPriority(None):
            return isinstance(one, f.HasPriority)
        case f.PlayerEvent(event, None):
            return isinstance(one, f.PlayerEvent) and one.event == event
        case f.ItemEvent(event, None, zone):
            return isinstance(one, f.ItemEvent) and (one.event, one.zone) == (event, zone)
        case _:
            return False


def _truth_value(formula: f.Formula, known: Mapping[f.Formula, bool]) -> bool:
    """Return whether *formula* is true where what it joins is as *known*."""
    match formula:
        case f.Holds(ir.Literal(bool(value))):
            return value
        case f.Not(operand):
            return not _truth_value(operand, known)
        case f.And(parts):
            return all(_truth_value(part, known) for part in parts)
        case f.Or(parts):
            return any(_truth_value(part, known) for part in parts)
        case _:
            return known[formula]


_PASS = re.compile(r"\bpass(es)?\b", re.IGNORECASE)


_GO_ON = ("and", "or", "implies", "leads to")


@lru_cache(maxsize=32)
def lint(source: Source) -> tuple[Diagnostic, ...]:
    """Return the warnings about the ruleset in *source*, which has no mistakes; raises InputError
    if it has one.

    They are kept, since each reading of a ruleset asks for them.
    """
    program = opened(source)
    ruleset, _ = parsed(source)
    unfinished = [*_lint_unfinished(program)]
    found = [*unfinished, *_lint_passes(program), *_lint_reach(ruleset)]
    if not unfinished:  # else what is still to be written may ask about it, or lead there
        found += [*_lint_asked(ruleset), *_lint_unreached(program)]
    for claim in claims_of(program):
        found += _lint_formula(claim, program)
    return tuple(
        Diagnostic(code, message, source, span, hint, "warning")
        for code, span, message, hint in sorted(found, key=lambda one: (one[1].line, one[1].column))
    )


def _lint_unfinished(program: ir.Program) -> Iterator[_Warning]:
    """Yield the clauses of *program* that are still to be written."""
    for _, clause in program.clauses:
        if clause.unfinished:
            message = f"Clause {clause.id} is still to be written."
            yield "W108", clause.span, message, "put what happens in the place of `todo`"


def _lint_unreached(program: ir.Program) -> Iterator[_Warning]:
    """Yield the stages of *program*, whose options are open, that no play comes to."""
    reached = reachable_stages(program.stages, program.start)
    for stage in program.stages:
        if stage.name not in reached:
            hint = f"some clause has to `go {stage.name}`, or the stage is not needed"
            yield "W110", stage.span, f"No play ever comes to the stage `{stage.name}`.", hint


def _lint_passes(program: ir.Program) -> Iterator[_Warning]:
    """Yield where *program*, whose options are open, has no pass and should have one."""
    meant = _stages_that_a_claim_asks_about_passing(program)
    for stage in program.stages:
        voluntary = [clause for clause in stage.clauses if clause.mode == "may"]
        passing = [clause for clause in stage.clauses if clause.unfinished or passes(clause.body)]
        called = [
            clause
            for clause in voluntary
            if clause not in passing and _PASS.search(f"{clause.title} {clause.id}")
        ]
        for clause in called:
            message = f"Clause {clause.id} is called a pass and has no `pass`: by it a player acts."
            yield "W102", clause.span, message, "add the line `pass`, or call it otherwise"
        must_act = stage.name not in meant and not passing and not called
        if stage.priority is not None and voluntary and must_act:
            message = f"In stage `{stage.name}` somebody has priority and nobody can pass."
            hint = (
                "add the line `pass` to the clause by which a player passes, or leave out "
                "`priority` and say `by` in the clauses; if it is meant, claim `never (at "
                f"{stage.name} and someone may pass)`"
            )
            yield "W101", stage.span, message, hint


def _stages_that_a_claim_asks_about_passing(program: ir.Program) -> frozenset[str]:
    """Return the stages of which a claim says whether a player may pass there."""
    asked = ([*ir.walk(claim.property)] for claim in claims_of(program))
    return frozenset(
        node.stage
        for nodes in asked
        if any(isinstance(node, f.Enabled) and node.what == "pass" for node in nodes)
        for node in nodes
        if isinstance(node, f.AtStage)
    )


def _lint_reach(ruleset: syntax.Ruleset) -> Iterator[_Warning]:
    """Yield the quantifiers of *ruleset* that end before something that may have been meant to
    belong to them.

    In version 1 of the language a quantifier ends before the next ``and``, where a reader goes on.
    """
    joins = (node for node in ir.walk(ruleset) if isinstance(node, syntax.Binary))
    for node in joins:
        quantified = _last_of(node.left)
        if node.operator in _GO_ON and quantified is not None:
            joint = "satisfies" if quantified.quantifier == "every" else "where"
            said = f"What stands after this `{joint}` ends before `{node.operator}`."
            hint = (
                f"`language 2` at the top lets it go on; `({quantified.quantifier} "
                f"{quantified.variable} in D)` ends it there"
            )
            yield "W107", quantified.span, said, hint


def _last_of(expr: syntax.Expr) -> syntax.Quantified | None:
    """Return the quantifier with which *expr* ends, if it was read in version 1 and has no
    parentheses around it.
    """
    while isinstance(expr, syntax.Binary | syntax.Unary) and not expr.enclosed:
        if isinstance(expr, syntax.Binary) and expr.operator not in (*_GO_ON, "since", "until"):
            return None
        expr = expr.right if isinstance(expr, syntax.Binary) else expr.operand
    if (
        not isinstance(expr, syntax.Quantified)
        or expr.wide
        or expr.enclosed
        or expr.body == syntax.ANYTHING
    ):
        return None
    return expr


# ------------------------------------------------------------------ what nothing asks about
# Options, variables and tags; kinds that nothing puts anywhere, and zones that nothing comes to.

_KNOWN = frozenset({*TAGS, *ZONE_ROLES})
_KNOWN_ON = {
    "zone": ZONE_ROLES,
    "kind": ("slow",),
    "flag": ("process",),
    "step": ("silent", "ending"),
}


def _lint_asked(ruleset: syntax.Ruleset) -> Iterator[_Warning]:
    """Yield what *ruleset* declares and nothing in it asks about."""
    asked = _asked_in(ruleset) | _limiting(ruleset)
    for option in ruleset.options:
        if option.name not in asked:
            hint = f"ask for it in a rule (`when {option.name} is VALUE`), or leave it out"
            yield (
                "W103",
                option.span,
                f"No rule and no claim asks for option `{option.name}`.",
                hint,
            )
    for variable in ruleset.state:
        if variable.name not in asked and "process" not in variable.tags:
            yield (
                "W104",
                variable.span,
                f"No rule and no claim asks for `{variable.name}`.",
                "ask for it, or leave it out",
            )
    puts = {node.kind for node in ir.walk(ruleset) if isinstance(node, syntax.Put)}
    for kind in ruleset.items:
        if kind.name not in puts:
            yield (
                "W105",
                kind.span,
                f"No clause puts a `{kind.name}` anywhere.",
                f"`put {kind.name} on ZONE`, or leave it out",
            )
    filled = _filled(ruleset)
    for zone in ruleset.zones:
        if zone.name not in filled:
            yield (
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
                yield (
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
    nodes = list(ir.walk(ruleset))
    filled = [node.to for node in nodes if isinstance(node, syntax.EveryItem)]
    filled += [node.zone for node in nodes if isinstance(node, syntax.Put | syntax.ItemEffect)]
    return frozenset(zone for zone in filled if zone is not None)


def _limiting(ruleset: syntax.Ruleset) -> frozenset[str]:
    """Return the numbers that decide which moves are possible though nothing asks for them: they
    have to stay in their range.
    """
    numbers = {
        variable.name: variable.type
        for variable in ruleset.state
        if isinstance(variable.type, syntax.NumberType)
    }
    return frozenset(
        node.name
        for node in ir.walk(ruleset)
        if isinstance(node, syntax.Assign | syntax.AssignEvery)
        and node.name in numbers
        and (node.operator != ":=" or not _is_in(numbers[node.name], node.value))
    )


def _is_in(type_: syntax.NumberType, value: syntax.Expr) -> bool:
    """Whether *value* is in the range of *type_* whatever the options are."""
    match type_.low, value, type_.high:
        case syntax.Number(low), syntax.Number(number), syntax.Number(high):
            return low <= number <= high
        case _:
            return False


def _tagged(ruleset: syntax.Ruleset) -> Iterator[tuple[str, syntax.Node, tuple[str, ...]]]:
    """Yield what has tags: its sort, itself and the tags."""
    yield from (("zone", zone, zone.tags) for zone in ruleset.zones)
    yield from (("kind", kind, kind.tags) for kind in ruleset.items)
    yield from (("flag", variable, variable.tags) for variable in ruleset.state)
    yield from (
        ("step", step, step.tags) for sequence in ruleset.sequences for step in sequence.steps
    )
