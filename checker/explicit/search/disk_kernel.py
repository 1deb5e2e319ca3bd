"""The kernel of a search on disk: the emitted text and a search around it whose table is full and
stays as it is.

``expand`` drops what the table has, and enters the rest into the table of *fresh* positions: those
that may be new. ``sweep`` strikes what was found before, read from disk, from these; ``gather``
takes out what is left, which is new, in the order of the slots, and empties the table. As slots go
by the high bits of the hash, each run on disk is in the order in which a later ``sweep`` goes
through the table. Both add up the hashes of what they read or take out, so what was written and
comes back otherwise is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....models.storage.places import cache_folder
from ..emit.emit import Emitted
from ..native.kernel import TAKEN, search_text
from ..native.machine import Machine
from ..native.rounds import place_text

SUM = 7
"""The cell of a tally that has the sum of the hashes of what was swept or gathered."""
SWEEP = 64
"""How many positions are swept before their slots are looked at."""
_EXPAND = """\
def expand(table, log, layer, at, stop, {fresh}, fresh_log, out, slots, tally):
    shift = 64 - log
    last = (1 << log) - 1
    fresh_shift = 64 - fresh_log
    fresh_last = (1 << fresh_log) - 1
    found = tally[{FOUND}]
    moves = 0
    out[{OUT_CUT}] = 0
    out[{OUT_BITS}] = 0
    while at < stop and found + {batch_most} <= tally[{MOST_FOUND}]:
        n = {FIRST}
        end = min(at + {MOST_EXPANDED}, stop)
        while at < end and n <= {enough}:
            n = successors({layer_words}, out, n)
            at += 1
        moves += n - {FIRST}
        for k in range({FIRST}, n, {size}):
            h = slot({out_words}, 0)
            slots[k] = h
            prefetch(table, (h >> shift) * {size})
            prefetch({fresh}, (h >> fresh_shift) * {size})
        for k in range({FIRST}, n, {size}):
            h = slots[k]
            if place(table, h >> shift, last, {out_words}) < 0:
                if entered({fresh}, h >> fresh_shift, fresh_last, {out_words}):
                    found += 1
    tally[{FOUND}] = found
    tally[{MOVES}] += moves // {size}
    tally[{CUT}] += out[{OUT_CUT}]
    tally[{BITS}] |= out[{OUT_BITS}]
    return at
"""
_SETTLE = """\
def sweep(table, log, positions, number, slots, tally):
    shift = 64 - log
    last = (1 << log) - 1
    total = tally[{SUM}]
    for first in range(0, number, {sweep}):
        end = min(first + {sweep}, number)
        for at in range(first, end):
            h = slot({position_words}, 0)
            total += h
            slots[at - first] = h >> shift
            prefetch(table, (h >> shift) * {size})
        for at in range(first, end):
            j = place(table, slots[at - first], last, {position_words})
            if j >= 0:
                table[j * {size}] = {TAKEN}
    tally[{SUM}] = total
    return 0


def gather(table, at, stop, following, tally):
    found = 0
    total = tally[{SUM}]
    most = tally[{MOST_FOUND}]
    while at < stop and found < most:
        if table[at * {size}] != 0:
            if table[at * {size}] != {TAKEN}:
{gathering}
                total += slot({gathered_words}, 0)
                found += 1
            table[at * {size}] = 0
        at += 1
    tally[{FOUND}] = found
    tally[{SUM}] = total
    return at
"""


def disk_machine(emitted: Emitted, level: int, *, together: bool) -> Machine:
    """Return the kernel for *emitted*, compiled at *level*, for several threads if *together*;
    raise `NoMachineError` if it cannot be.
    """
    more = {"fresh": "shared" if together else "fresh"}
    return settling_machine(emitted, level, {"expand": 10}, _EXPAND, more, together=together)


def settling_machine(
    emitted: Emitted, level: int, functions: Mapping[str, int], expand: str,
    more: Mapping[str, str | int], *, together: bool = False,
) -> Machine:  # fmt: skip
    """Return what `disk_machine` does with another text for *expand*, which has these *functions*;
    *more* is what its own names mean.
    """
    size, numbers = emitted.layout.words, range(emitted.layout.words)
    settling: dict[str, str | int] = {
        "TAKEN": TAKEN,
        "SUM": SUM,
        "sweep": SWEEP,
        "place": place_text(size).lstrip(),
        "gathered_words": ", ".join(f"table[at * {size} + {n}]" for n in numbers),
        "gathering": "\n".join(
            f"                following[found * {size} + {n}] = table[at * {size} + {n}]"
            for n in numbers
        ),
    }
    text = search_text(
        emitted, f"{{place}}{expand}\n\n{_SETTLE}", {**settling, **more}, together=together
    )
    return Machine(text, {**functions, "sweep": 6, "gather": 5}, cache_folder(), level=level)
