"""Scenarios for those who write engines: as JSON, as TOML by clause, as Gherkin, and in Markdown as
an exam for judges. In: a `Suite`. Out: text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ...checker.conform.events import LogEvent
from ...checker.scenarios.steps import Scenario, ScenarioStep
from ...checker.scenarios.suite import Suite
from ...models.words import counted, join_words, player_name
from ..json import document, picked
from .changes import toml_text


def scenarios_json(suite: Suite) -> str:
    """Return *suite* as a document (docs/schema.json)."""
    return document(
        "scenarios",
        **picked(suite.program, "name", "title"),
        **picked(suite.scope, "players", "sizes"),
        **picked(suite, "goals", "windows", "least", "stopped"),
        scenarios=[
            {**picked(one, "number", "moments"), "steps": list(map(_step, one.steps))}
            for one in suite.scenarios
        ],
    )


def _step(step: ScenarioStep) -> dict[str, Any]:
    """Return *step* as data: players by their letters, events as in a log."""
    return {
        "look": _event(step.look),
        "holder": _holder(step),
        **picked(step, "may", "may_not", "does"),
        "asked": [
            {"clause": clause, "by": player_name(by), "what": what}
            for clause, by, what in step.asked
        ],
        "caused": step.caused,
        "seen": list(map(_event, step.seen)),
        "receives": list(map(player_name, step.receives)),
        "by": step.by,
    }


def _event(event: LogEvent) -> Any:
    return json.loads(event.as_json())


def _holder(step: ScenarioStep) -> str:
    return "" if step.holder is None else player_name(step.holder)


def scenarios_toml(suite: Suite) -> str:
    """Return the hand-overs of *suite* below the clauses that decide them."""
    by_clause: dict[str, list[str]] = {}
    for one in suite.scenarios:
        for place, step in enumerate(one.steps, 1):
            if step.by and step.does:
                lines = [
                    f"[[{toml_text(step.by)}]]",
                    f"scenario = {one.number}",
                    f"step = {place}",
                    f"situation = {toml_text('; '.join(_deeds(one.steps[:place])))}",
                    f"receives = {toml_text(_receiver(step))}",
                ]
                by_clause.setdefault(step.by, []).append("\n".join(lines))
    blocks = [block for id_ in sorted(by_clause) for block in by_clause[id_]]
    return "\n\n".join([f"# {_head(suite)}", *blocks]) + "\n"


def _deeds(steps: Sequence[ScenarioStep]) -> Iterator[str]:
    for step in steps:
        if step.does:
            yield f"{_holder(step)}: {step.does.title} ({step.does.clause})"
        yield from (f"the cards: {title}" for title in step.caused)
        yield from (f"{player_name(by)}: {what} ({clause})" for clause, by, what in step.asked)


def _receiver(step: ScenarioStep) -> str:
    return join_words(list(map(player_name, step.receives))) or "nobody"


def _actor(step: ScenarioStep, receives: Sequence[int]) -> str:
    """Return who may act in *step*, behind the names of those who *receive* priority before it."""
    if step.holder not in receives:
        return f"and {_holder(step)}"
    return f"of whom {_holder(step)}" if len(receives) > 1 else "who"


def _head(suite: Suite) -> str:
    return (
        f"{suite.program.title}: {counted(len(suite.scenarios), 'scenario')}, "
        f"{counted(suite.windows, 'window')} (at least {suite.least} are needed), "
        f"{counted(suite.goals, 'goal')}"
    )


# ------------------------------------------------------------------ step by step


def scenarios_gherkin(suite: Suite) -> str:
    """Return *suite* as a feature."""
    lines = [f"Feature: {suite.program.title}", f"  {_head(suite)}"]
    for one in suite.scenarios:
        lines += [
            "",
            f"  Scenario: {_title(one)}",
            f"    Given a game of {suite.scope.players} players",
        ]
        lines += [f"    {line}" for step in one.steps for line in _gherkin(step)]
    return "\n".join(lines) + "\n"


def _gherkin(step: ScenarioStep) -> Iterator[str]:
    holder = _holder(step)
    if step.does:
        yield from (f"And {holder} may {one.title}" for one in step.may)
        yield from (f"But {holder} may not {one.title}" for one in step.may_not)
        yield f"When {holder} does this: {step.does.title} ({step.does.clause})"
    else:
        yield "When play goes on by itself"
    yield from (f"And the cards cause this: {title}" for title in step.caused)
    for clause, by, what in step.asked:
        yield f"And {player_name(by)} decides ({clause}): {what}"
    why = f" ({step.by})" if step.receives else ""
    yield f"Then {_receiver(step)} {'have' if len(step.receives) > 1 else 'has'} priority{why}"


def _title(one: Scenario) -> str:
    moments = f": where {join_words(list(one.moments))} applies" if one.moments else ""
    return f"{one.number}{moments}"


def scenarios_markdown(suite: Suite) -> str:
    """Return *suite* as an exam: the questions first, the answers after them."""
    questions, answers = [f"# {_head(suite)}"], ["", "# Answers"]
    for one in suite.scenarios:
        questions += ["", f"## {_title(one)}", ""]
        answers += ["", f"## {one.number}", ""]
        for place, step in enumerate(one.steps, 1):
            said = "; ".join(_deeds([step])) or "play goes on by itself"
            questions.append(f"{place}. {said}. Who has priority now?")
            after = one.steps[place] if place < len(one.steps) else None
            may = join_words([offer.title for offer in after.may], "or") if after else ""
            who = _actor(after, step.receives) if after else ""
            by = f" ({step.by})" if step.receives else ""
            answers.append(f"{place}. {_receiver(step)}{by}{f', {who} may {may}' if may else ''}")
    return "\n".join([*questions, *answers]) + "\n"
