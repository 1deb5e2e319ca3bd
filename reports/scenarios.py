"""Scenarios for those who write engines: as JSON, as TOML by clause, as Gherkin, and in Markdown as
an exam for judges. In: `SuiteTold`. Out: text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..models.words import counted, join_words
from .json import document, fields_of
from .rulings.changes import toml_text
from .rulings.scenarios import ScenarioTold, StepTold, SuiteTold


def scenarios_json(suite: SuiteTold) -> str:
    """Return *suite* as a document (docs/schema.json)."""
    return document("scenarios", **fields_of(suite))


def scenarios_toml(suite: SuiteTold) -> str:
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


def _deeds(steps: Sequence[StepTold]) -> Iterator[str]:
    for step in steps:
        if step.does:
            yield f"{step.holder}: {step.does.title} ({step.does.clause})"
        yield from (f"the cards: {title}" for title in step.caused)


def _receiver(step: StepTold) -> str:
    return join_words(list(step.receives)) or "nobody"


def _head(suite: SuiteTold) -> str:
    return (
        f"{suite.title}: {counted(len(suite.scenarios), 'scenario')}, "
        f"{counted(suite.windows, 'window')} (at least {suite.least} are needed), "
        f"{counted(suite.goals, 'goal')}"
    )


# ------------------------------------------------------------------ step by step


def scenarios_gherkin(suite: SuiteTold) -> str:
    """Return *suite* as a feature."""
    lines = [f"Feature: {suite.title}", f"  {_head(suite)}"]
    for one in suite.scenarios:
        lines += ["", f"  Scenario: {_title(one)}", f"    Given a game of {suite.players} players"]
        lines += [f"    {line}" for step in one.steps for line in _gherkin(step)]
    return "\n".join(lines) + "\n"


def _gherkin(step: StepTold) -> Iterator[str]:
    if step.does:
        yield from (f"And {step.holder} may {one.title}" for one in step.may)
        yield from (f"But {step.holder} may not {one.title}" for one in step.may_not)
        yield f"When {step.holder} does this: {step.does.title} ({step.does.clause})"
    else:
        yield "When play goes on by itself"
    yield from (f"And the cards cause this: {title}" for title in step.caused)
    yield from (f"And {one.by} decides ({one.clause}): {one.what}" for one in step.asked)
    by = f" ({step.by})" if step.receives else ""
    yield f"Then {_receiver(step)} has priority{by}"


def _title(one: ScenarioTold) -> str:
    moments = f": where {join_words(list(one.moments))} applies" if one.moments else ""
    return f"{one.number}{moments}"


def scenarios_markdown(suite: SuiteTold) -> str:
    """Return *suite* as an exam: the questions first, the answers after them."""
    questions, answers = [f"# {_head(suite)}"], ["", "# Answers"]
    for one in suite.scenarios:
        questions += ["", f"## {_title(one)}", ""]
        answers += ["", f"## {one.number}", ""]
        for place, step in enumerate(one.steps, 1):
            said = "; ".join(_deeds([step])) or "play goes on by itself"
            questions.append(f"{place}. {said}. Who has priority now?")
            after = one.steps[place].may if place < len(one.steps) else ()
            may = join_words([offer.title for offer in after], "or")
            by = f" ({step.by})" if step.receives else ""
            answers.append(f"{place}. {_receiver(step)}{by}{f', who may {may}' if may else ''}")
    return "\n".join([*questions, *answers]) + "\n"
