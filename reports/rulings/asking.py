"""Asking words: the language of rulings and the vocabulary of a game, as plain data for the scripts
of a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ...checker.situations import question as q
from ...checker.situations import words as w
from ...checker.situations.causes import ways_inside, ways_of_cards, ways_of_luck
from ...checker.situations.vocabulary import DOING_VERBS, GENERIC_VERBS, GameWords, by_letter
from ...checker.situations.wishes import zones_called
from ...checker.situations.words import does, infinitive
from ...models import ir
from ...models.ir.analysis import passes

_QUESTIONS = "who has priority?", "what happens next?", "which resolves first?", "may B respond?"


def language() -> dict[str, Any]:
    """Return the words and the patterns of questions, as scripts write patterns."""
    patterns = {
        "asking": q.ASKING,
        "forms": [(_script(pattern), form) for pattern, form in q.FORMS],
        "now": q.NOW.pattern,
        "responding": _script(q.RESPOND.pattern),
        "chance": _script(q.CHANCE.pattern),
        "inResponse": _script(q.IN_RESPONSE.pattern),
        "table": q.TABLE.pattern,
        "counts": q.COUNTS,
        "turnsToAsk": q.TURNS_TO_ASK,
        "inTurn": q.IN_TURN.pattern,
        "whenDone": q.WHEN_DONE.pattern,
        "filledIn": q.FILLED_IN.pattern,
        "joins": q.JOINS.pattern,
        "begins": q.BEGINS.pattern,
        "subject": q.SUBJECT,
        "noSubject": q.NO_SUBJECT.pattern,
        "act": q.ACT.pattern,
        "priority": q.PRIORITY.pattern,
        "phrases": _replacements(q.PHRASES),
        "mine": _replacements(q.MINE),
        "speaking": q.SPEAKING,
    }
    words = {
        "empty": sorted(w.EMPTY),
        "irregular": sorted(w.IRREGULAR.items()),
        "suffixes": w.SUFFIXES,
        "least": w.LEAST,
    }
    return {"patterns": patterns, "words": words}


def _replacements(table: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(pattern, re.sub(r"\\(\d)", r"$\1", instead)) for pattern, instead in table]


def _script(pattern: str) -> str:
    return pattern.replace("(?P<", "(?<")


def lexicon_of(program: ir.Program) -> dict[str, Any]:
    """Return the vocabulary of *program*, as `lexicon.js` reads it."""
    words = GameWords(program)
    clauses = [
        {
            "id": clause.id,
            "title": clause.title,
            "line": clause.span.line,
            "stage": stage.name,
            "mode": clause.mode,
            "passes": passes(clause.body),
            "window": stage.priority is not None,
            "asks": clause.id in words.asking,
            "doer": words.doers.get(clause.id),
            "deeds": [(verb, sorted(said)) for _, verb, said in words.deeds.get(clause.id, ())],
        }
        for stage, clause in program.clauses
    ]
    kinds = [
        (kind.name, kind.title or kind.name, list(map(sorted, words.kind_names(kind.name))))
        for kind in program.kinds
    ]
    sequences = [
        {
            "name": one.name,
            "title": one.title or one.name,
            "steps": [(step.name, step.title or step.name) for step in one.steps],
        }
        for one in program.sequences
    ]
    return {
        "roles": by_letter(program),
        "clauses": clauses,
        "names": [
            (one.clause, sorted(one.words), one.choice, one.kind, one.verb) for one in words.names
        ],
        "kinds": kinds,
        "steps": list(_steps(program)),
        "sequences": sequences,
        "zones": [
            (called, zone.name, zone.order, zone in program.zones_tagged("waiting"))
            for called, number in zones_called(program).items()
            for zone in [program.zones[number]]
        ],
        "causes": [
            (title, sorted(stems), words.repeats.get(title, []))
            for title, stems in words.causes.items()
        ],
        "ways": sorted(ways_of_cards(program)),
        "inside": list(ways_inside(program).items()),
        "luck": list(ways_of_luck(program).items()),
        "generic": sorted(GENERIC_VERBS),
        "doing": sorted(DOING_VERBS),
        "hyphenated": sorted(words.hyphenated),
        "answering": sorted(words.answering),
        "verbs": sorted(words.verbs),
    }


def _steps(program: ir.Program) -> Iterator[tuple[int, str, list[list[str]], int]]:
    """Yield each step with its names, and how many of them are its own, and each sequence beside
    the turn as a step without a name.
    """
    for number, sequence in enumerate(program.sequences):
        for step in sequence.steps:
            texts = (step.name.replace("_", " "), step.title, *step.also)
            names = [sorted(words) for text in texts if (words := w.content(text))]
            yield number, step.name, names, len(names) - sum(bool(w.content(t)) for t in step.also)
        if sequence.name != ir.TURN and sequence.steps:
            yield number, "", [sorted(w.content(f"{sequence.name} {sequence.title}"))], 1


def asking_words(program: ir.Program, rulings: Sequence[str]) -> dict[str, Any]:
    """Return what answers questions about *program*: their language, its vocabulary, and what is
    offered, *rulings* too.
    """
    return {
        "language": language(),
        "lexicon": lexicon_of(program),
        "offered": {"rulings": rulings, **offered(program)},
    }


def offered(program: ir.Program) -> dict[str, Any]:
    """Return the parts of questions about *program*, for who completes them."""
    titles = [
        clause.title
        for _, clause in program.clauses
        if clause.mode == "may" and not passes(clause.body) and clause.title
    ]
    acts = [does(0, title) for title in dict.fromkeys(titles)]
    steps = [step.title or step.name for sequence in program.sequences for step in sequence.steps]
    kinds = [re.sub(r"^(?:an?|the) ", "", kind.title or kind.name) for kind in program.kinds]
    return {
        "acts": [(act[2:], infinitive(act[2:])) for act in acts],
        "steps": list(dict.fromkeys(steps)),
        "kinds": kinds,
        "stack": next((zone.name for zone in program.zones_tagged("stack")), ""),
        "causes": list(GameWords(program).causes),
        "questions": _QUESTIONS,
    }
