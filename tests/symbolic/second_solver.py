"""Another solver, cvc5, which has nothing in common with the one that found a proof."""

from __future__ import annotations

import pytest


def answers_of_cvc5(text: str) -> list[str]:
    """Return what cvc5 answers to each question of the SMT-LIB 2 file *text*."""
    cvc5 = pytest.importorskip("cvc5")
    solver = cvc5.Solver()
    solver.setOption("incremental", "true")
    symbols = cvc5.SymbolManager(solver)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "certificate")
    answers: list[str] = []
    while not (command := parser.nextCommand()).isNull():
        answers += str(command.invoke(solver, symbols)).split()
    return answers
