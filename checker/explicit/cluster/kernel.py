"""The kernel of a shard: the emitted text and a search around it that keeps to its own part of the
positions.

A position belongs to the part that the low bits of its hash name; its slot is made of the high
ones. ``expand`` enters what is its own, as on one machine. What is not goes into a row of *leaving*
for the part it belongs to, unless the small table *sent* has it: that holds positions sent before,
whole, each in the one place that its hash gives it, so nothing is held back that nobody has.
``accept`` enters what other parts have sent. A shard whose table is full has another kernel, in
which both enter what that has not into the table of what is fresh (`search.disk_kernel`).
"""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import indent

from ....models.storage.places import cache_folder
from ..emit.emit import Emitted
from ..native.kernel import batch_most, search_text
from ..native.machine import BEST, Machine
from ..search.disk_kernel import settling_machine

OWN, PARTS, MOST_LEAVING, LEAVING = range(4)
"""The cells of *counts*: the number of this part, how many there are, how long a row is, and from
here on how long each row has become.
"""
SENT_LOG = 17
"""Two to this many positions are remembered as sent: a few MiB, of which most stays in the caches
of the processor.
"""
_PART_BITS = 24
"""How many of the low bits of a hash say to which part a position belongs."""
_ACCEPTED = 256
"""How many positions are accepted before their slots are looked at, at most."""
_FUNCTIONS = {"expand": 12, "accept": 8, "insert": 4, "lead": 7, "make": 7}
_EXPAND = """\
def part({words}, parts):
    return (slot({words}, 0) & {PART_MASK}) * parts >> {PART_BITS}


def expand(table, log, layer, at, stop, {into}, out, slots, tally, sent, leaving, counts):
    shift = 64 - log
    last = (1 << log) - 1
{beginning}
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
    most = min(tally[{MOST_KNOWN}] - known, tally[{MOST_FOUND}] - found) + found
    while at < stop and room >= {batch_most} and found + {batch_most} <= most:
{expanding}
        for k in range({FIRST}, n, {size}):
            h = slot({out_words}, 0)
            slots[k] = h
            if (h & {PART_MASK}) * parts >> {PART_BITS} == own:
                prefetch(table, (h >> shift) * {size})
{prefetching}
            else:
                prefetch(sent, (h >> {PART_BITS} & {SENT_MASK}) * {size})
        for k in range({FIRST}, n, {size}):
            h = slots[k]
            to = (h & {PART_MASK}) * parts >> {PART_BITS}
            if to == own:
{entering}
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


def accept(table, log, positions, at, stop, {into}, slots, tally):
    shift = 64 - log
    last = (1 << log) - 1
{beginning}
    known = tally[{KNOWN}]
    found = tally[{FOUND}]
    while at < stop and known + {batch_most} <= tally[{MOST_KNOWN}] and found + {batch_most} <= tally[{MOST_FOUND}]:
        end = min(at + {accepted}, stop)
        for k in range(at, end):
            h = slot({accepted_words}, 0)
            slots[k - at] = h
            prefetch(table, (h >> shift) * {size})
{prefetching_accepted}
        for k in range(at, end):
            h = slots[k - at]
{accepting}
        at = end
    tally[{KNOWN}] = known
    tally[{FOUND}] = found
    return at
"""


_IN_MEMORY = {
    "into": "following",
    "beginning": "",
    "prefetching": "",
    "entering": """\
if entered(table, h >> shift, last, {entered_words}):
{copied}
    found += 1
    known += 1
""",
}
_ON_DISK = {
    "into": "fresh, fresh_log",
    "beginning": """\
    fresh_shift = 64 - fresh_log
    fresh_last = (1 << fresh_log) - 1
""",
    "prefetching": "prefetch(fresh, (h >> fresh_shift) * {size})",
    "entering": """\
if place(table, h >> shift, last, {entered_words}) < 0:
    if entered(fresh, h >> fresh_shift, fresh_last, {entered_words}):
        found += 1
""",
}


def _shard_names(emitted: Emitted, where: Mapping[str, str]) -> dict[str, str | int]:
    """Return what stands in the text of a shard for names of its own, *where* saying what is
    another text in memory and on disk.
    """
    size, numbers = emitted.layout.words, range(emitted.layout.words)

    def entering(words: str, depth: int) -> str:
        copied = "\n".join(
            f"    following[found * {size} + {n}] = {words.format(n)}" for n in numbers
        )
        named = {"entered_words": ", ".join(map(words.format, numbers)), "copied": copied}
        return indent(where["entering"].format(**named).rstrip(), " " * depth)

    prefetching = where["prefetching"].format(size=size)
    return {
        "PART_BITS": _PART_BITS,
        "PART_MASK": (1 << _PART_BITS) - 1,
        "SENT_MASK": (1 << SENT_LOG) - 1,
        "OWN": OWN,
        "PARTS": PARTS,
        "MOST_LEAVING": MOST_LEAVING,
        "LEAVING": LEAVING,
        "accepted": min(_ACCEPTED, batch_most(emitted)),
        "into": where["into"],
        "beginning": where["beginning"].rstrip(),
        "prefetching": indent(prefetching, " " * 16),
        "prefetching_accepted": indent(prefetching, " " * 12),
        "entering": entering("out[k + {}]", 16),
        "is_new": " or ".join(f"sent[j + {n}] != out[k + {n}]" for n in numbers),
        "leaving": "\n".join(
            f"                    {place} + {n}] = out[k + {n}]"
            for n in numbers
            for place in ("sent[j", "leaving[m")
        ),
        "accepted_words": ", ".join(f"positions[k * {size} + {n}]" for n in numbers),
        "accepting": entering(f"positions[k * {size} + {{}}]", 12),
    }


def shard_machine(emitted: Emitted) -> Machine:
    """Return the kernel of a shard, compiled; raise `NoMachineError` if there cannot be one."""
    text = search_text(emitted, _EXPAND, _shard_names(emitted, _IN_MEMORY))
    return Machine(
        text, {**_FUNCTIONS, "part": emitted.layout.words + 1}, cache_folder(), level=BEST
    )


def shard_disk_machine(emitted: Emitted) -> Machine:
    """Return the kernel of a shard whose table is full, as `shard_machine` does."""
    return settling_machine(
        emitted, BEST, {"expand": 13, "accept": 9}, _EXPAND, _shard_names(emitted, _ON_DISK)
    )
