"""The benchmark family in TLA+, for TLC: a module and its configuration, with the positions of
`family.rules`.
"""

from __future__ import annotations

_MODULE = r"""---- MODULE Family ----
EXTENDS Naturals, Sequences
CONSTANTS PLAYERS, DEPTH, CARDS, BUDGET
VARIABLES turn, step, stage, holder, passes, stack, instants, sorceries, pending, left
vars == <<turn, step, stage, holder, passes, stack, instants, sorceries, pending, left>>
Seats == 0..(PLAYERS - 1)
After(p) == (p + 1) % PLAYERS
Init == /\ turn = 0 /\ step = 0 /\ stage = "process" /\ holder = 0 /\ passes = 0 /\ stack = <<>> /\ left = BUDGET
        /\ instants = [p \in Seats |-> CARDS] /\ sorceries = [p \in Seats |-> CARDS] /\ pending = [p \in Seats |-> 0]
Put(kind, p) == stack' = Append(stack, <<kind, p>>)
Again == passes' = 0 /\ stage' = "process"
Instant == /\ stage = "decide" /\ Len(stack) < DEPTH /\ instants[holder] > 0
           /\ instants' = [instants EXCEPT ![holder] = @ - 1] /\ Put("instant", holder) /\ Again
           /\ UNCHANGED <<turn, step, holder, sorceries, pending, left>>
Sorcery == /\ stage = "decide" /\ holder = turn /\ step = 1 /\ stack = <<>> /\ sorceries[holder] > 0
           /\ sorceries' = [sorceries EXCEPT ![holder] = @ - 1] /\ Put("sorcery", holder) /\ Again
           /\ UNCHANGED <<turn, step, holder, instants, pending, left>>
Pass == /\ stage = "decide" /\ passes + 1 < PLAYERS /\ passes' = passes + 1 /\ holder' = After(holder)
        /\ UNCHANGED <<turn, step, stage, stack, instants, sorceries, pending, left>>
LastPass == /\ stage = "decide" /\ passes + 1 = PLAYERS /\ passes' = PLAYERS /\ holder' = PLAYERS /\ stage' = "settle"
            /\ UNCHANGED <<turn, step, stack, instants, sorceries, pending, left>>
Resolve == /\ stage = "settle" /\ stack # <<>> /\ stack' = SubSeq(stack, 1, Len(stack) - 1) /\ holder' = turn /\ Again
           /\ UNCHANGED <<turn, step, instants, sorceries>>
           /\ \/ UNCHANGED <<pending, left>>
              \/ left > 0 /\ left' = left - 1 /\ \E p \in Seats : pending' = [pending EXCEPT ![p] = @ + 1]
NextStep == /\ stage = "settle" /\ stack = <<>> /\ Again
            /\ IF step < 3 THEN step' = step + 1 /\ turn' = turn /\ holder' = turn
                           ELSE step' = 0 /\ turn' = After(turn) /\ holder' = After(turn)
            /\ UNCHANGED <<stack, instants, sorceries, pending, left>>
Waiting == {p \in Seats : pending[p] > 0}
First == LET Distance(p) == (p + PLAYERS - turn) % PLAYERS
         IN CHOOSE p \in Waiting : \A q \in Waiting : Distance(p) <= Distance(q)
Process == /\ stage = "process"
           /\ IF Waiting # {}
              THEN /\ pending' = [pending EXCEPT ![First] = @ - 1] /\ stage' = stage
                   /\ IF Len(stack) < DEPTH THEN Put("ability", First) ELSE stack' = stack
              ELSE stage' = "decide" /\ UNCHANGED <<pending, stack>>
           /\ UNCHANGED <<turn, step, holder, passes, instants, sorceries, left>>
Next == Instant \/ Sorcery \/ Pass \/ LastPass \/ Resolve \/ NextStep \/ Process
Spec == Init /\ [][Next]_vars
====
"""


def module() -> str:
    """Return the module ``Family``."""
    return _MODULE


def configuration(players: int, depth: int, cards: int, budget: int) -> str:
    """Return the configuration of one instance."""
    sizes = {"PLAYERS": players, "DEPTH": depth, "CARDS": cards, "BUDGET": budget}
    return (
        "CONSTANTS\n"
        + "".join(f"  {name} = {value}\n" for name, value in sizes.items())
        + "SPECIFICATION Spec\n"
    )
