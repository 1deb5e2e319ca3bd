"""The kernel: the emitted text and a search around it; what goes on for ever.

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
- What goes on for ever is looked for in the table by the functions of `OF_ROUNDS`.

Rounds: what goes on for ever among the positions of a table, as text to be compiled with a
kernel.

- ``count`` counts the moves to every position that are left, and stops where a play ends; ``drop``
  drops positions to which none leads, one after the other (`search.lasso`).
- ``enumerated`` gives the positions of the rest numbers, and ``linked`` writes where the moves of
  each lead, one row after the other.
- ``components`` finds the strongly connected components of such rows: Tarjan's algorithm with one
  number for each position, its rank (Pearce, "A space-efficient algorithm for finding strongly
  connected components", IPL 2016). It keeps its own stack and can be called again to go on. CPython
  runs this text too, for small searches.
- ``judged`` gathers what the positions of each component do not owe, and whether it has a move
  inside; ``spared`` leaves only components that have all of it.
- ``least`` finds the smallest position of a layer that is left, ``seek`` the slot of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..emit.emit import Emitted
from ..moves import hooks
from ..moves.hooks import FIRST

TRUE, DROPPED, TOP, NUMBERED, EDGES = range(5)
"""The cells of a tally: positions that may be part of a loop, how many of them are in none, the
height of the stack, and of the rest the positions numbered and the moves between them.
"""
AT, INDEX, FOUND_ROUND, DEPTH, LEFT = range(5)
"""The cells of that of ``components``: where it goes on, its next rank, the next number of a
component, and the heights of its stacks.
"""
LOOP = 1 << 62
"""The bit that says that a component has a move inside."""
OF_ROUNDS = (
    "count", "drop", "enumerated", "linked", "components", "judged", "spared", "least", "seek"
)  # fmt: skip
"""The functions of rounds that are called."""
PART = 1 << 16
"""How many positions ``drop`` drops at most, and how many steps ``components`` makes, until
somebody has looked whether they may go on.
"""

_PLACE = """

def place(table, at, last, {words:s#}):
    while True:
        there = table[at * {size}]
        if there == 0:
            return -1
        if there == s0{more: and table[at@] == s#}:
            return at
        at = at + 1 & last


"""
_ROUNDS = """def count(table, log, at, stop, word, shift, mask, true, owed, counts, out, tally):
    wide = 64 - log
    last = (1 << log) - 1
    while at < stop:
        said = table[at * {size} + word] >> shift
        if table[at * {size}] != 0 and said & mask == true:
            out[{OUT_CUT}] = 0
            out[{OUT_BITS}] = 0
            n = successors({words:table[at@]}, out, {FIRST})
            if out[{OUT_BITS}] == 0 and said & owed == 0 and {has_ended}:
                return at
            tally[{TRUE}] += 1
            for k in range({FIRST}, n, {size}):
                j = place(table, slot({words:out[k + #]}, wide), last, {words:out[k + #]})
                if j >= 0:
                    counts[j] += 1
        at += 1
    return at


def drop(table, log, at, stop, word, shift, mask, true, counts, out, stack, tally):
    wide = 64 - log
    last = (1 << log) - 1
    top = tally[{TOP}]
    dropped = tally[{DROPPED}]
    most = dropped + {PART}
    while at < stop and dropped < most:
        if top == 0 and counts[at] == 0:
            if table[at * {size}] != 0 and table[at * {size} + word] >> shift & mask == true:
                counts[at] = -1
                stack[0] = at
                top = 1
        while top > 0 and dropped < most:
            top -= 1
            i = stack[top]
            dropped += 1
            n = successors({words:table[i@]}, out, {FIRST})
            for k in range({FIRST}, n, {size}):
                j = place(table, slot({words:out[k + #]}, wide), last, {words:out[k + #]})
                if j >= 0:
                    counts[j] -= 1
                    if counts[j] == 0:
                        counts[j] = -1
                        stack[top] = j
                        top += 1
        if top == 0:
            at += 1
    tally[{TOP}] = top
    tally[{DROPPED}] = dropped
    return at


def enumerated(counts, at, stop, positions, tally):
    n = tally[{NUMBERED}]
    while at < stop:
        if counts[at] > 0:
            tally[{EDGES}] += counts[at]
            positions[n] = at
            n += 1
            counts[at] = n
        at += 1
    tally[{NUMBERED}] = n
    return at


def linked(table, log, at, stop, counts, out, positions, begins, leads):
    wide = 64 - log
    last = (1 << log) - 1
    edge = begins[at]
    while at < stop:
        i = positions[at]
        n = successors({words:table[i@]}, out, {FIRST})
        for k in range({FIRST}, n, {size}):
            j = place(table, slot({words:out[k + #]}, wide), last, {words:out[k + #]})
            if j >= 0:
                if counts[j] > 0:
                    leads[edge] = counts[j] - 1
                    edge += 1
        at += 1
        begins[at] = edge
    return at


def judged(table, at, stop, word, shift, owed, positions, begins, leads, ranks, stack, number):
    while at < stop:
        rank = ranks[at]
        kept = (table[positions[at] * {size} + word] >> shift & owed) ^ owed
        for edge in range(begins[at], begins[at + 1]):
            if ranks[leads[edge]] == rank:
                kept |= {LOOP}
        stack[rank - number - 1] |= kept
        at += 1
    return at


def spared(counts, at, stop, whole, positions, ranks, stack, number):
    left = 0
    while at < stop:
        if stack[ranks[at] - number - 1] == whole:
            left += 1
        else:
            counts[positions[at]] = 0
        at += 1
    return left


def least(layer, at, stop, table, log, counts, positions):
    wide = 64 - log
    last = (1 << log) - 1
    while at < stop:
        j = place(table, slot({words:layer[at@]}, wide), last, {words:layer[at@]})
        if j >= 0:
            if counts[j] > 0:
                noted(positions, 0, {words:layer[at@]})
        at += 1
    return at


def seek(table, log, positions):
    return place(table, slot({words:positions[#]}, 64 - log), (1 << log) - 1, {words:positions[#]})

"""
COMPONENTS = f"""
def components(begins, leads, ranks, going, calls, stack, tally, number):
    at = tally[{AT}]
    index = tally[{INDEX}]
    found = tally[{FOUND_ROUND}]
    depth = tally[{DEPTH}]
    left = tally[{LEFT}]
    steps = 0
    while steps < {PART} and (depth > 0 or at < number):
        steps += 1
        if depth == 0:
            if ranks[at] == 0:
                ranks[at] = index
                index += 1
                going[at] = begins[at] << 1
                calls[0] = at
                depth = 1
            else:
                at += 1
        else:
            v = calls[depth - 1]
            edge = going[v] >> 1
            if edge < begins[v + 1]:
                w = leads[edge]
                if ranks[w] == 0:
                    ranks[w] = index
                    index += 1
                    going[w] = begins[w] << 1
                    calls[depth] = w
                    depth += 1
                else:
                    if ranks[w] < ranks[v]:
                        ranks[v] = ranks[w]
                        going[v] |= 1
                    going[v] += 2
            else:
                depth -= 1
                if going[v] & 1 == 0:
                    rank = ranks[v]
                    index -= 1
                    more = left
                    while more > 0:
                        w = stack[left - 1]
                        if ranks[w] < rank:
                            more = 0
                        else:
                            left -= 1
                            ranks[w] = found
                            index -= 1
                            more = left
                    ranks[v] = found
                    found += 1
                else:
                    stack[left] = v
                    left += 1
    tally[{AT}] = at
    tally[{INDEX}] = index
    tally[{FOUND_ROUND}] = found
    tally[{DEPTH}] = depth
    tally[{LEFT}] = left
    return 1 if depth > 0 or at < number else 0
"""


class Each:
    """What a template says once for every one of some words of a position: of *size* words those
    from number *first* on, *joined*.

    In ``{words:out[k + #]}`` the number of the word stands for ``#``; ``layer[at@]`` is the word of
    position *at* in an array of positions.
    """

    def __init__(self, size: int, joined: str, first: int = 0) -> None:
        self.size, self.joined, self.first = size, joined, first

    def __format__(self, said: str) -> str:
        said = said.replace("@", f" * {self.size} + #")
        return self.joined.join(said.replace("#", str(n)) for n in range(self.first, self.size))


def each_of(size: int) -> dict[str, object]:
    """Return what templates say of positions of *size* words; ``more`` is of those after the
    first.
    """
    return {
        "size": size,
        "words": Each(size, ", "),
        "all": Each(size, " and "),
        "lines": Each(size, "\n"),
        "more": Each(size, "", first=1),
    }


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
def slot({words:s#}, shift):
    h = s0{more:
    h = (h ^ h >> 32) * {_FACTOR} ^ s#}
    h = (h ^ h >> 32) * {_FACTOR}
    return (h ^ h >> 32) * {_FACTOR} >> shift


{entered}

{expand}


def insert({table}, log, positions, number):
    shift = 64 - log
    last = (1 << log) - 1
    for at in range(number):
        if positions[at * {size}] != 0:
            entered({table}, slot({words:positions[at@]}, shift), last, {words:positions[at@]})
    return 0


def noted(positions, k, {words:s#}):
    if positions[k] == 0 or {is_less}:
{lines:        positions[k + #] = s#}
    return 0


def lead(layer, at, stop, wanted, number, positions, out):
    while at < stop:
        n = successors({words:layer[at@]}, out, {FIRST})
        for k in range({FIRST}, n, {size}):
            for j in range(0, number, {size}):
                if {all:out[k + #] == wanted[j + #]}:
                    noted(positions, j, {words:layer[at@]})
        at += 1
    return at


def make(layer, at, stop, wanted, number, positions, out):
    while at < stop:
        out[{OUT_BITS}] = 0
        successors({words:layer[at@]}, out, {FIRST})
        if out[{OUT_BITS}] != 0:
            for j in range(0, number, {size}):
                if out[{OUT_BITS}] & wanted[j] != 0:
                    noted(positions, j, {words:layer[at@]})
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
    while (at < stop and known + {batch_most} <= tally[{MOST_KNOWN}]
           and found + {batch_most} <= tally[{MOST_FOUND}]):
{expanding}
        for k in range({FIRST}, n, {size}):
            j = slot({words:out[k + #]}, shift)
            slots[k] = j
            prefetch({table}, j * {size})
        for k in range({FIRST}, n, {size}):
            if entered({table}, slots[k], last, {words:out[k + #]}):
{lines:                following[found@] = out[k + #]}
                found += 1
                known += 1
{counting}
    return at
"""
_EXPANDING = """\
        n = {FIRST}
        end = min(at + {MOST_EXPANDED}, stop)
        while at < end and n <= {enough}:
            n = successors({words:layer[at@]}, out, n)
            at += 1
        moves += n - {FIRST}"""
_COUNTING = """\
    tally[{KNOWN}] = known
    tally[{FOUND}] = found
    tally[{MOVES}] += moves // {size}
    tally[{CUT}] += out[{OUT_CUT}]
    tally[{BITS}] |= out[{OUT_BITS}]"""
_ALONE = """
def entered(table, at, last, {words:s#}):
    while True:
        there = table[at * {size}]
        if there == 0:
{lines:            table[at@] = s#}
            return True
        if there == s0{more: and table[at@] == s#}:
            return False
        at = at + 1 & last
"""
_TOGETHER = """
def entered(shared, at, last, {words:s#}):
    while True:
        there = fetched(shared, at * {size})
        if there == 0:
            there = swapped(shared, at * {size}, 0, {taking})
            if there == 0:{more:
                shared[at@] = s#}
                {published}
                return True
{waiting}        if there == s0{more: and shared[at@] == s#}:
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
    text = search_text(emitted, together=together)
    if not emitted.goes_round:
        return text
    # Where all moves of a position are cut, it may have to be asked whether it is an end.
    asks = " or is_end({words:table[at@]}, out, 0) != 0" if emitted.asks_ends else ""
    fields = _fields(emitted, together=together)
    has_ended = f"(out[{hooks.CUT}] == 0{asks.format(**fields)})"
    return f"{text}{fields['place']}{_ROUNDS.format(has_ended=has_ended, **fields)}{COMPONENTS}"


def search_text(
    emitted: Emitted,
    expand: str = EXPAND,
    more: Mapping[str, object] = MappingProxyType({}),
    *,
    together: bool = False,
) -> str:
    """Return the source of a search around *emitted*; *expand* expands layers, *more* stands there
    for its own names.
    """
    fields = _fields(emitted, together=together)
    return (
        f"{emitted.text}"
        f"\n{_SEARCH.format(expand=expand.rstrip().format(**{**fields, **more}), **fields)}"
    )


def batch_most(emitted: Emitted) -> int:
    """Return how many positions the buffer has room for, which is the most that are found before
    they are looked up.
    """
    return emitted.most_moves + min((MOST_EXPANDED - 1) * emitted.most_moves, BUFFERED)


def buffer_words(emitted: Emitted) -> int:
    """Return how many words the buffer has."""
    size = emitted.layout.words
    return FIRST + batch_most(emitted) * size + max(emitted.most_moves * size, emitted.scratch)


def _fields(emitted: Emitted, *, together: bool) -> dict[str, object]:
    """Return what stands in the place of each name of the templates: our constants, for one."""
    size = emitted.layout.words
    fields = {name: value for name, value in globals().items() if name.isupper()} | each_of(size)
    fields |= {
        "batch_most": batch_most(emitted),
        "enough": FIRST + (batch_most(emitted) - emitted.most_moves) * size,
        "table": "shared" if together else "table",
        "is_less": _less(size),
        "taking": "s0" if size == 1 else TAKEN,
        "published": "pass" if size == 1 else f"published(shared, at * {size}, s0)",
        "waiting": "" if size == 1 else _WAITING.format(size=size, TAKEN=TAKEN),
        "OUT_CUT": hooks.CUT,
        "OUT_BITS": hooks.BITS,
    }
    parts = {
        "place": _PLACE,
        "entered": _TOGETHER if together else _ALONE,
        "expanding": _EXPANDING,
        "counting": _COUNTING,
    }
    return fields | {name: part.format(**fields) for name, part in parts.items()}


def _less(size: int) -> str:
    """Return the condition that a position is smaller than one noted, word by word."""
    condition = f"s{size - 1} < positions[k + {size - 1}]"
    for n in reversed(range(size - 1)):
        condition = f"(s{n} < positions[k + {n}] or s{n} == positions[k + {n}] and {condition})"
    return condition
