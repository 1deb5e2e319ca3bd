"""Phrases: what only a formula can say, surface syntax -> the atoms of formulas. Part of
`connectives`.

A player before the words is asked for in the position that the move has led to, like everything
else at a moment. Of an item that is not yet there, everything said is false.
"""

from __future__ import annotations

from typing import assert_never

from ...models import ir, syntax
from ...models.spelling import next_to
from .. import formula as f
from .context import FormulaContext


def type_phrase(context: FormulaContext, phrase: syntax.Phrase) -> f.Formula | None:
    """Type *phrase*; mistakes go to the report of *context*."""
    match phrase.kind:
        case "has priority" | "passes" | "acts" | "chooses" | "may act" | "may pass":
            return _of_player(context, phrase)
        case "resolves" | "begins resolving" | "is put on" | "leaves" | "is removed" | "on":
            return _of_item(context, phrase)
        case "begins" | "ends":
            return _of_sequence(context, phrase)
        case "uses" | "clause" | "clause is possible":
            return _of_clause(context, phrase)
        case "acts only finitely often":
            hint = "`p can enforce (GOAL and p acts only finitely often)`; of others it is assumed, in a line before the formula"
            context.report.add(
                "P202",
                phrase.span,
                "`acts only finitely often` is said of a whole play, as a goal.",
                hint,
            )
            return None
        case "at":
            return _phrase_at(context, phrase)
        case "game is over":
            return f.GameIsOver()
        case "no clause applies":
            return f.Gap()
        case "clauses conflict":
            return f.Conflict()
        case _:
            assert_never(phrase.kind)


# ------------------------------------------------------------------ players


def _of_player(context: FormulaContext, phrase: syntax.Phrase) -> f.Formula | None:
    match phrase.subject:
        case syntax.Word("someone"):
            return _does(phrase.kind, None)
        case syntax.Word("nobody"):
            return f.Not(_does(phrase.kind, None))
        case syntax.Word() | None:
            hint = f"`someone {phrase.kind}`, `nobody {phrase.kind}`, or `for every player p:` and `p {phrase.kind}`"
            context.report.add("P105", phrase.span, f"Only a player {phrase.kind}.", hint)
            return None
        case subject:
            player = _player(context, subject)
            return None if player is None else _does(phrase.kind, player)


def _player(context: FormulaContext, subject: syntax.Expr) -> ir.Expr | None:
    if isinstance(subject, syntax.Name) and not _is_known(context, subject.name):
        hint = context.report.near(
            subject.name, [*context.binder.locals, *context.binder.names.variables]
        )
        otherwise = f"write `for {context.above} player {subject.name}:` before the formula"
        context.report.add(
            "R101",
            subject.span,
            f"Nothing here is called `{subject.name}`; a player is needed.",
            hint or otherwise,
        )
        return None
    player = context.binder.player(subject) if context.state_only(subject) else None
    if player is not None and any(isinstance(node, ir.EndOf) for node in ir.walk(player)):
        hint = "name the player first: `for every player p:`, and then ask whose the item is: `p is controller of top of stack`"
        context.report.add(
            "P107", subject.span, "The zone may be empty, and then this is no player.", hint
        )
        return None
    return player


def _is_known(context: FormulaContext, name: str) -> bool:
    names = context.binder.names
    return any(
        name in known
        for known in (
            context.binder.locals,
            names.variables,
            names.options,
            names.terms,
            names.zones,
        )
    )


def _does(kind: syntax.PhraseKind, player: ir.Expr | None) -> f.Formula:
    match kind:
        case "has priority":
            return f.HasPriority(player)
        case "passes" | "acts" | "chooses":
            return f.PlayerEvent(kind, player)
        case "may act":
            return f.Enabled(player, "act")
        case "may pass":
            return f.Enabled(player, "pass")
        case _:
            raise AssertionError(kind)  # type_phrase sends no other


# ------------------------------------------------------------------ items


def _of_item(context: FormulaContext, phrase: syntax.Phrase) -> f.Formula | None:
    zone = None if phrase.name is None else context.binder.zone(phrase, phrase.name)
    if zone is None and phrase.name is not None:
        return None
    match phrase.subject:
        case syntax.Word("something"):
            return _item_atom(phrase.kind, None, phrase.name)
        case syntax.Name(name) if context.is_item(name):
            return _item_atom(phrase.kind, name, phrase.name)
        case _:
            words = phrase.kind if zone is None else f"{phrase.kind} {zone.name}"
            hint = f"name an item first: `for every item i:` and then `i {words}`; or `something {words}`"
            context.report.add(
                "P104",
                phrase.span,
                f"`{words}` is said of an item that the formula watches, or of `something`.",
                hint,
            )
            return None


def _item_atom(kind: syntax.PhraseKind, item: str | None, zone: str | None) -> f.Formula:
    match kind:
        case "on":
            assert zone is not None
            return f.Holds(ir.Not(ir.IsEmpty(zone))) if item is None else f.On(item, zone)
        case "is put on" | "leaves" | "resolves" | "begins resolving" | "is removed":
            return f.ItemEvent(kind, item, zone)
        case _:
            raise AssertionError(kind)  # type_phrase sends no other


# ------------------------------------------------------------------ steps, clauses, stages


def _of_sequence(context: FormulaContext, phrase: syntax.Phrase) -> f.Formula | None:
    assert phrase.kind in ("begins", "ends")
    names = context.binder.names
    name = phrase.subject.name if isinstance(phrase.subject, syntax.Name) else ""
    if name == ir.STEP:
        return f.SequenceEvent(phrase.kind, None)
    if name in names.sequences:
        return f.SequenceEvent(phrase.kind, name)
    if name in names.steps:
        variable = names.sequences[names.steps[name]].variable
        said = (
            f"`step {phrase.kind} and {variable} is {name}`"
            if phrase.kind == "begins"
            else f"`step ends and previously ({variable} is {name})`"
        )
        context.report.add(
            "P103", phrase.span, f"`{name}` is one step of several.", f"write {said}"
        )
        return None
    known = [ir.STEP, *names.sequences]
    hint = (
        context.report.near(name, known)
        or f"`{known[0]} {phrase.kind}`, `{known[-1]} {phrase.kind}`"
    )
    context.report.add(
        "P103", phrase.span, f"Only a step, the turn or another sequence {phrase.kind}.", hint
    )
    return None


def _of_clause(context: FormulaContext, phrase: syntax.Phrase) -> f.Formula | None:
    player = None
    if phrase.subject is not None and phrase.subject != syntax.Word("someone"):
        player = _player(context, phrase.subject)
        if player is None:
            return None
    name = phrase.name or ""
    ids = [clause.id for _, clause in context.program.clauses]
    if name in context.program.inactive:
        return f.Holds(ir.NO)
    if name not in ids and name not in context.clauses:
        known = [*ids, *context.program.inactive, *context.clauses]
        hint = context.report.near(name, known) or next_to(name, known)
        context.report.add("P101", phrase.span, f"There is no clause `{name}`.", hint)
        return None
    if phrase.kind == "clause is possible":
        return f.ClausePossible(name)
    return f.Uses(name, player)


def _phrase_at(context: FormulaContext, phrase: syntax.Phrase) -> f.Formula | None:
    stages = context.binder.names.stages
    if phrase.name in stages:
        return f.AtStage(phrase.name)
    if phrase.name in context.program.inactive_stages:
        return f.Holds(ir.NO)
    hint = context.report.near(phrase.name or "", [*stages, *context.program.inactive_stages])
    context.report.add("P102", phrase.span, f"There is no stage called `{phrase.name}`.", hint)
    return None
