"""API: the Python front door: ``stacklaw.check("mtg", "response_window", players=3)`` and
``stacklaw.ask("mtg", "A casts an instant: may B respond?")``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import overload

from ..models.load import load_game, load_rules, opened, rules_source
from ..properties.load import claims_of, property_named
from .prover.proof_file import proofs_beside
from .rulings.answer import Ruling
from .rulings.ask import ask as ask_program
from .run.check import check as run_check
from .run.engines import DEFAULT, EngineName, engine_named, prover_named
from .smallest import Refuter
from .types.budget import Budget, Meter, Tuning, half_the_memory
from .types.scope import scope_of
from .types.verdict import Verdict

_Options = Mapping[str, str]


@overload
def check(
    game: str, property_name: str, *, players: int | None = None, stack: int | None = None,
    sizes: Mapping[str, int] | None = None, set: _Options | None = None,
    seconds: float | None = None, mebibytes: int | None = None, engine: EngineName = DEFAULT,
    tuning: Tuning | None = None, prove: bool = False, smallest: bool = False,
) -> Verdict: ...  # fmt: skip


@overload
def check(
    game: str, property_name: None = None, *, players: int | None = None, stack: int | None = None,
    sizes: Mapping[str, int] | None = None, set: _Options | None = None,
    seconds: float | None = None, mebibytes: int | None = None, engine: EngineName = DEFAULT,
    tuning: Tuning | None = None, prove: bool = False, smallest: bool = False,
) -> list[Verdict]: ...  # fmt: skip


def check(
    game: str,
    property_name: str | None = None,
    *,
    players: int | None = None,
    stack: int | None = None,
    sizes: Mapping[str, int] | None = None,
    set: _Options | None = None,  # noqa: A002 - the word of the command line
    seconds: float | None = None,
    mebibytes: int | None = None,
    engine: EngineName = DEFAULT,
    tuning: Tuning | None = None,
    prove: bool = False,
    smallest: bool = False,
) -> Verdict | list[Verdict]:
    """Return the verdict on one property of *game*; without *property_name*, those on all it
    claims, in the order of its text.

    *game* is a name (``mtg``, ``fow@additions=turn_player``) or the path of a .rules file,
    *property_name* a property of the catalogue or a claim. *players*, *stack* (every zone that is a
    stack) and *sizes* (of any zone) make the scope, as far as the ruleset does not; *set* sets
    options; *seconds* and *mebibytes* (half of the machine's memory, unless it is said) bound the
    search; *engine* says who is asked, *tuning* how. What holds within the scope is tried for every
    size if all engines are asked, with a small budget unless somebody says *prove*. *smallest*
    looks for the smallest scope with a play (`Verdict.smallest`), and how many moves it takes at
    least (`Verdict.least`). Raises `stacklaw.models.diagnostics.InputError` with everything that is
    wrong with the input.
    """
    program = load_game(game, set)
    scope = scope_of(program, players, stack, sizes or {})
    budget = Budget(seconds, half_the_memory() if mebibytes is None else mebibytes)
    asked, prover = engine_named(engine, tuning), prover_named(engine, eager=prove)
    if prover is not None:
        prover.beside = proofs_beside(game, program)
    named = (
        [typed.property for typed in claims_of(program)]
        if property_name is None
        else [property_named(program, property_name)]
    )
    meter = Meter(budget)
    verdicts = run_check(program, named, scope, budget, engine=asked, prover=prover)
    if smallest:
        verdicts = Refuter(asked).annotate(program, verdicts, meter)
    return verdicts if property_name is None else verdicts[0]


def ask(
    game: str,
    question: str,
    *,
    players: int | None = None,
    stack: int | None = None,
    sizes: Mapping[str, int] | None = None,
    set: _Options | None = None,  # noqa: A002 - the word of the command line
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
