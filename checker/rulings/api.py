"""API of rulings: ``stacklaw.ask("mtg", "A casts an instant: may B respond?")``."""

from __future__ import annotations

from collections.abc import Mapping

from ...models.load import load_rules, opened, rules_source
from ..types.scope import scope_of
from .answer import Ruling
from .ask import ask as ask_program


def ask(
    game: str,
    question: str,
    *,
    players: int | None = None,
    stack: int | None = None,
    sizes: Mapping[str, int] | None = None,
    set: Mapping[str, str] | None = None,  # noqa: A002 - the word of the command line
) -> Ruling:
    """Return the ruling on *question* in *game*: its ``answers``, each with ``head``, ``detail``,
    ``clauses`` and the ``line`` of play.

    *game* is a name or the path of a .rules file; *players*, *stack* and *sizes* are the scope,
    *set* sets options. Raises `stacklaw.models.diagnostics.InputError` where the question is not
    understood, or its situation cannot come about.
    """
    program = load_rules(game, set)
    return ask_program(
        program,
        question,
        scope_of(program, players, stack, sizes or {}),
        opened(rules_source(game)),
    )
