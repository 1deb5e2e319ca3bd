"""The benchmark family in Promela, for SPIN: one ``d_step`` a rule instance, so that it stores the
positions of `family.rules`.
"""

from __future__ import annotations

_MODEL = """
#define NEXT(p) ((p + 1) % PLAYERS)
unsigned turn : 2 = 0;
unsigned step : 2 = 0;
unsigned stage : 2 = PROCESS;
unsigned holder : 3 = 0;
unsigned passes : 3 = 0;
unsigned length : 3 = 0;
unsigned left : 2 = BUDGET;
byte stack[DEPTH];           /* 0: no item, else 1 + kind * 4 + controller */
byte instants[PLAYERS] = CARDS;
byte sorceries[PLAYERS] = CARDS;
byte pending[PLAYERS];
unsigned q : 2 = 0;          /* 0 between the rules */

inline push(kind, p) { assert(stack[length] == 0); stack[length] = 1 + (kind) * 4 + (p); length++ }
inline pop() { assert(stack[length - 1] != 0); stack[length - 1] = 0; length-- }
inline again() { passes = 0; stage = PROCESS }

active proctype game() {
  do
  :: d_step { stage == DECIDE && instants[holder] > 0 && length < DEPTH -> instants[holder]--; push(0, holder); again() }
  :: d_step { stage == DECIDE && holder == turn && step == 1 && length == 0 && sorceries[holder] > 0 ->
       sorceries[holder]--; push(1, holder); again() }
  :: d_step { stage == DECIDE && passes + 1 < PLAYERS -> passes++; holder = NEXT(holder) }
  :: d_step { stage == DECIDE && passes + 1 == PLAYERS -> passes++; holder = PLAYERS; stage = SETTLE }
  :: d_step { stage == SETTLE && length > 0 -> pop(); holder = turn; again() }
TRIGGERS
  :: d_step { stage == SETTLE && length == 0 && step < 3 -> step++; holder = turn; again() }
  :: d_step { stage == SETTLE && length == 0 && step == 3 -> step = 0; turn = NEXT(turn); holder = turn; again() }
  :: d_step { stage == PROCESS && WAITING > 0 ->
       q = turn;
       do :: pending[q] == 0 -> q = NEXT(q) :: else -> break od;
       pending[q]--;
       if :: length < DEPTH -> push(2, q) :: else fi;
       q = 0 }
  :: d_step { stage == PROCESS && WAITING == 0 -> stage = DECIDE }
  od
}
"""
_TRIGGER = (
    "  :: d_step {{ stage == SETTLE && length > 0 && left > 0 -> pop(); holder = turn; again(); "
    "pending[{seat}]++; left-- }}"
)


def model(players: int, depth: int, cards: int, budget: int) -> str:
    """Return the model of one instance."""
    sizes = {
        "PLAYERS": players,
        "DEPTH": depth,
        "CARDS": cards,
        "BUDGET": budget,
        "PROCESS": 0,
        "DECIDE": 1,
        "SETTLE": 2,
    }
    sizes_text = "\n".join(f"#define {name} {value}" for name, value in sizes.items())
    waiting = " + ".join(f"pending[{seat}]" for seat in range(players))
    triggers = "\n".join(_TRIGGER.format(seat=seat) for seat in range(players))
    return f"{sizes_text}\n#define WAITING ({waiting})\n{_MODEL.replace('TRIGGERS', triggers)}"
