"""The kernel: the emitted text and a search around it, to be compiled.

In comes an `Emitted`, out goes the source of three functions around its text, in the subset of
Python of `assembly`. Positions lie in arrays of numbers, word after word; a table has a power of
two of slots, 0 in the first word of an empty one.

- ``expand`` goes through part of a layer. It expands some positions into a buffer, then finds and
  prefetches the slot of each position found, and only then looks at the slots, so that the waits
  for memory overlap. Linear probing; the slot is the high bits of a product of the mixed words
  (multiplicative hashing: Knuth, The Art of Computer Programming, volume 3, 6.4), so a table that
  doubles is read and written from its beginning to its end.
- ``insert`` puts positions into a table: those of a smaller table, or of a layer.
- Several threads may ``expand`` into one table, if the kernel is made for that: who writes the
  first word into an empty slot has it, by compare and swap. A position of several words takes its
  slot with `TAKEN`, and its first word is published last; who looks at a taken slot waits for it.
  Each thread has its own buffer, tally, and place for what it finds.
- ``lead`` goes through part of a layer and finds the smallest positions that have a move to others,
  ``make`` the smallest that have a move that makes a formula true: so the way back is the same
  however a layer is ordered.
- What goes on for ever is looked for in the table by the functions of `rounds`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..emit.emit import Emitted
from ..moves import hooks
from ..moves.hooks import FIRST
from .rounds import rounds_text

SLOTS_LOG = 16
"""The smallest table has two to this many slots."""
KNOWN, MOVES, CUT, FOUND, BITS, MOST_KNOWN, MOST_FOUND = range(7)
"""The cells of a tally: positions in the table, moves, cut moves, positions in the following layer,
the bits seen, and two limits.
"""
TAKEN = -1
"""The first word of a slot whose position is still being written; a word of a position is never
negative.
"""
BUFFERED = 1 << 13
"""How many positions the buffer is meant to hold, beside those that one more may lead to."""
MOST_EXPANDED = 32
"""How many positions are expanded before their successors are looked up, if the buffer has room for
these.
"""

_SEARCH = """
def slot({words}, shift):
    h = s0
{mixing}
    h = (h ^ h >> 32) * {factor}
    return (h ^ h >> 32) * {factor} >> shift


{entered}

{expand}


def insert({table}, log, positions, number):
    shift = 64 - log
    last = (1 << log) - 1
    for at in range(number):
        if positions[at * {size}] != 0:
            entered({table}, slot({position_words}, shift), last, {position_words})
    return 0


def noted(positions, k, {words}):
    if positions[k] == 0 or {is_less}:
{noting}
    return 0


def lead(layer, at, stop, wanted, number, positions, out):
    while at < stop:
        n = successors({layer_words}, out, {FIRST})
        for k in range({FIRST}, n, {size}):
            for j in range(0, number, {size}):
                if {is_wanted}:
                    noted(positions, j, {layer_words})
        at += 1
    return at


def make(layer, at, stop, wanted, number, positions, out):
    while at < stop:
        out[{OUT_BITS}] = 0
        successors({layer_words}, out, {FIRST})
        if out[{OUT_BITS}] != 0:
            for j in range(0, number, {size}):
                if out[{OUT_BITS}] & wanted[j] != 0:
                    noted(positions, j, {layer_words})
        at += 1
    return at
"""
EXPAND = """\
def expand({table}, log, layer, at, stop, following, out, slots, tally):
    shift = 64 - log
    last = (1 << log) - 1
    known = tally[{KNOWN}]
    found = tally[{FOUND}]
    moves = 0
    out[{OUT_CUT}] = 0
    out[{OUT_BITS}] = 0
    while at < stop and known + {batch_most} <= tally[{MOST_KNOWN}] and found + {batch_most} <= tally[{MOST_FOUND}]:
{expanding}
        for k in range({FIRST}, n, {size}):
            j = slot({out_words}, shift)
            slots[k] = j
            prefetch({table}, j * {size})
        for k in range({FIRST}, n, {size}):
            if entered({table}, slots[k], last, {out_words}):
{following}
                found += 1
                known += 1
{counting}
    return at
"""
_EXPANDING = """\
        n = {FIRST}
        end = min(at + {MOST_EXPANDED}, stop)
        while at < end and n <= {enough}:
            n = successors({layer_words}, out, n)
            at += 1
        moves += n - {FIRST}"""
_COUNTING = """\
    tally[{KNOWN}] = known
    tally[{FOUND}] = found
    tally[{MOVES}] += moves // {size}
    tally[{CUT}] += out[{OUT_CUT}]
    tally[{BITS}] |= out[{OUT_BITS}]"""
_ALONE = """
def entered(table, at, last, {words}):
    while True:
        there = table[at * {size}]
        if there == 0:
{storing}
            return True
        if {same}:
            return False
        at = at + 1 & last
"""
_TOGETHER = """
def entered(shared, at, last, {words}):
    while True:
        there = fetched(shared, at * {size})
        if there == 0:
            there = swapped(shared, at * {size}, 0, {taking})
            if there == 0:
{storing}
                return True
{waiting}        if {same}:
            return False
        at = at + 1 & last
"""
_WAITING = """\
        while there == {TAKEN}:
            there = fetched(shared, at * {size})
"""
_FACTOR = 0xD6E8FEB86659FD93
"""An odd number whose bits look random: what the words of a position are multiplied with."""


def kernel_text(emitted: Emitted, *, together: bool = False) -> str:
    """Return the source of the kernel for *emitted*; several threads can run it *together*."""
    rounds = (
        rounds_text(emitted.layout.words, asks_ends=emitted.asks_ends) if emitted.goes_round else ""
    )
    return f"{search_text(emitted, together=together)}{rounds}"


def search_text(
    emitted: Emitted,
    expand: str = EXPAND,
    more: Mapping[str, str | int] = MappingProxyType({}),
    *,
    together: bool = False,
) -> str:
    """Return the source of a search around *emitted*; *expand* expands layers, *more* stands there
    for its own names.
    """
    fields = _fields(emitted, together=together)
    return f"{emitted.text}\n{_SEARCH.format(expand=expand.rstrip().format(**{**fields, **more}), **fields)}"


def batch_most(emitted: Emitted) -> int:
    """Return how many positions the buffer has room for, which is the most that are found before
    they are looked up.
    """
    return emitted.most_moves + min((MOST_EXPANDED - 1) * emitted.most_moves, BUFFERED)


def buffer_words(emitted: Emitted) -> int:
    """Return how many words the buffer has."""
    size = emitted.layout.words
    return FIRST + batch_most(emitted) * size + max(emitted.most_moves * size, emitted.scratch)


def _entered(size: int, *, together: bool) -> str:
    """Return the function that looks a position up in the table, and puts it there if it is new."""
    words, table, depth = range(size), "shared" if together else "table", 16 if together else 12
    storing = [f"{table}[at * {size} + {n}] = s{n}" for n in words]
    if together:
        storing = [*storing[1:], f"published(shared, at * {size}, s0)"] if size > 1 else ["pass"]
    return (_TOGETHER if together else _ALONE).format(
        size=size,
        words=", ".join(f"s{n}" for n in words),
        taking="s0" if size == 1 else TAKEN,
        waiting=_WAITING.format(size=size, TAKEN=TAKEN) if size > 1 else "",
        storing="\n".join(" " * depth + line for line in storing),
        same=" and ".join(
            ["there == s0", *(f"{table}[at * {size} + {n}] == s{n}" for n in words[1:])]
        ),
    )


_NAMES = (
    "KNOWN",
    "MOVES",
    "CUT",
    "FOUND",
    "BITS",
    "MOST_KNOWN",
    "MOST_FOUND",
    "MOST_EXPANDED",
    "FIRST",
)


def _fields(emitted: Emitted, *, together: bool) -> dict[str, str | int]:
    """Return what stands in the place of each name of the templates."""
    size = emitted.layout.words
    numbers = range(size)
    fields: dict[str, str | int] = dict(
        size=size,
        factor=_FACTOR,
        batch_most=batch_most(emitted),
        enough=FIRST + (batch_most(emitted) - emitted.most_moves) * size,
        words=", ".join(f"s{n}" for n in numbers),
        layer_words=", ".join(f"layer[at * {size} + {n}]" for n in numbers),
        out_words=", ".join(f"out[k + {n}]" for n in numbers),
        position_words=", ".join(f"positions[at * {size} + {n}]" for n in numbers),
        mixing="\n".join(f"    h = (h ^ h >> 32) * {_FACTOR} ^ s{n}" for n in numbers[1:])
        or "    # one word needs no mixing",
        table="shared" if together else "table",
        entered=_entered(size, together=together),
        following="\n".join(
            f"                following[found * {size} + {n}] = out[k + {n}]" for n in numbers
        ),
        is_wanted=" and ".join(f"out[k + {n}] == wanted[j + {n}]" for n in numbers),
        is_less=_less(size),
        noting="\n".join(f"        positions[k + {n}] = s{n}" for n in numbers),
        OUT_CUT=hooks.CUT,
        OUT_BITS=hooks.BITS,
        **{name: globals()[name] for name in _NAMES},
    )
    return {
        **fields,
        "expanding": _EXPANDING.format(**fields),
        "counting": _COUNTING.format(**fields),
    }


def _less(size: int) -> str:
    """Return the condition that a position is smaller than one noted, word by word."""
    condition = f"s{size - 1} < positions[k + {size - 1}]"
    for n in reversed(range(size - 1)):
        condition = f"(s{n} < positions[k + {n}] or s{n} == positions[k + {n}] and {condition})"
    return condition
