"""The kernel of a shard: the emitted text and a search around it that keeps to its own part of the positions.

A position belongs to the part that the low bits of its hash name; its slot is made of the high ones. ``expand`` enters what is its own,
as on one machine. What is not goes into a row of *leaving* for the part it belongs to, unless the small table *sent* has it: that holds
positions sent before, whole, each in the one place that its hash gives it, so nothing is held back that nobody has. ``accept`` enters
what other parts have sent.
"""

from __future__ import annotations

from ....models.storage.places import cache_folder
from ..emit.emit import Emitted
from ..native.kernel import batch_most, search_text
from ..native.machine import BEST, Machine

OWN, PARTS, MOST_LEAVING, LEAVING = range(4)
"""The cells of *counts*: the number of this part, how many there are, how long a row is, and from here on how long each row has become."""
SENT_LOG = 17
"""Two to this many positions are remembered as sent: a few MiB, of which most stays in the caches of the processor."""
_PART_BITS = 24
"""How many of the low bits of a hash say to which part a position belongs."""
_ACCEPTED = 256
"""How many positions are accepted before their slots are looked at, at most."""
_FUNCTIONS = {"expand": 12, "accept": 8, "insert": 4, "lead": 7, "make": 7}
_EXPAND = """\
def part({words}, parts):
    return (slot({words}, 0) & {PART_MASK}) * parts >> {PART_BITS}


def expand(table, log, layer, at, stop, following, out, slots, tally, sent, leaving, counts):
    shift = 64 - log
    last = (1 << log) - 1
    own = counts[{OWN}]
    parts = counts[{PARTS}]
    row = counts[{MOST_LEAVING}]
    room = row
    known = tally[{KNOWN}]
    found = tally[{FOUND}]
    moves = 0
    out[{OUT_CUT}] = 0
    out[{OUT_BITS}] = 0
    for to in range(parts):
        room = min(room, row - counts[{LEAVING} + to])
    most = min(tally[{MOST_KNOWN}] - known, tally[{MOST_FOUND}] - found) + known
    while at < stop and room >= {batch_most} and known + {batch_most} <= most:
{expanding}
        for k in range({FIRST}, n, {size}):
            h = slot({out_words}, 0)
            slots[k] = h
            if (h & {PART_MASK}) * parts >> {PART_BITS} == own:
                prefetch(table, (h >> shift) * {size})
            else:
                prefetch(sent, (h >> {PART_BITS} & {SENT_MASK}) * {size})
        for k in range({FIRST}, n, {size}):
            h = slots[k]
            to = (h & {PART_MASK}) * parts >> {PART_BITS}
            if to == own:
                if entered(table, h >> shift, last, {out_words}):
{following}
                    found += 1
                    known += 1
            else:
                j = (h >> {PART_BITS} & {SENT_MASK}) * {size}
                if {is_new}:
                    m = counts[{LEAVING} + to]
                    counts[{LEAVING} + to] = m + 1
                    room = min(room, row - m - 1)
                    m = (to * row + m) * {size}
{leaving}
{counting}
    return at


def accept(table, log, positions, at, stop, following, slots, tally):
    shift = 64 - log
    last = (1 << log) - 1
    known = tally[{KNOWN}]
    found = tally[{FOUND}]
    while at < stop and known + {batch_most} <= tally[{MOST_KNOWN}] and found + {batch_most} <= tally[{MOST_FOUND}]:
        end = min(at + {accepted}, stop)
        for k in range(at, end):
            j = slot({accepted_words}, shift)
            slots[k - at] = j
            prefetch(table, j * {size})
        for k in range(at, end):
            if entered(table, slots[k - at], last, {accepted_words}):
{accepting}
                found += 1
                known += 1
        at = end
    tally[{KNOWN}] = known
    tally[{FOUND}] = found
    return at
"""


def shard_text(emitted: Emitted) -> str:
    """Return the source of the kernel of a shard for *emitted*."""
    size, numbers = emitted.layout.words, range(emitted.layout.words)
    more: dict[str, str | int] = {
        "PART_BITS": _PART_BITS,
        "PART_MASK": (1 << _PART_BITS) - 1,
        "SENT_MASK": (1 << SENT_LOG) - 1,
        "OWN": OWN,
        "PARTS": PARTS,
        "MOST_LEAVING": MOST_LEAVING,
        "LEAVING": LEAVING,
        "accepted": min(_ACCEPTED, most_accepted(emitted)),
        "following": "\n".join(f"                    following[found * {size} + {n}] = out[k + {n}]" for n in numbers),
        "is_new": " or ".join(f"sent[j + {n}] != out[k + {n}]" for n in numbers),
        "leaving": "\n".join(f"                    {place} + {n}] = out[k + {n}]" for n in numbers for place in ("sent[j", "leaving[m")),
        "accepted_words": ", ".join(f"positions[k * {size} + {n}]" for n in numbers),
        "accepting": "\n".join(f"                following[found * {size} + {n}] = positions[k * {size} + {n}]" for n in numbers),
    }  # fmt: skip
    return search_text(emitted, _EXPAND, more)


def most_accepted(emitted: Emitted) -> int:
    """Return how many positions a worker has always room for once it has any."""
    return batch_most(emitted)


def shard_machine(emitted: Emitted) -> Machine:
    """Return the kernel of a shard, compiled; raise `NoMachineError` if there cannot be one."""
    return Machine(shard_text(emitted), {**_FUNCTIONS, "part": emitted.layout.words + 1}, cache_folder(), level=BEST)
