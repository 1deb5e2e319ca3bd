"""Rounds: what goes on for ever among the positions of a table, as text to be compiled with a
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

from ..moves import hooks

TRUE, DROPPED, TOP, NUMBERED, EDGES = range(5)
"""The cells of a tally: positions that may be part of a loop, how many of them are in none, the
height of the stack, and of the rest the positions numbered and the moves between them.
"""
AT, INDEX, FOUND, DEPTH, LEFT = range(5)
"""The cells of that of ``components``: where it goes on, its next rank, the next number of a
component, and the heights of its stacks.
"""
LOOP = 1 << 62
"""The bit that says that a component has a move inside."""
OF_ROUNDS = {
    "count": 12,
    "drop": 12,
    "enumerated": 5,
    "linked": 9,
    "components": 8,
    "judged": 12,
    "spared": 8,
    "least": 7,
    "seek": 3,
}
"""The functions, with the numbers of their parameters."""
PART = 1 << 16
"""How many positions ``drop`` drops at most, and how many steps ``components`` makes, until
somebody has looked whether they may go on.
"""

_PLACE = """

def place(table, at, last, {words}):
    while True:
        there = table[at * {size}]
        if there == 0:
            return -1
        if {same}:
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
            n = successors({at_words}, out, {FIRST})
            if out[{OUT_BITS}] == 0 and said & owed == 0 and {has_ended}:
                return at
            tally[{TRUE}] += 1
            for k in range({FIRST}, n, {size}):
                j = place(table, slot({out_words}, wide), last, {out_words})
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
            n = successors({i_words}, out, {FIRST})
            for k in range({FIRST}, n, {size}):
                j = place(table, slot({out_words}, wide), last, {out_words})
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
        n = successors({i_words}, out, {FIRST})
        for k in range({FIRST}, n, {size}):
            j = place(table, slot({out_words}, wide), last, {out_words})
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
        j = place(table, slot({layer_words}, wide), last, {layer_words})
        if j >= 0:
            if counts[j] > 0:
                noted(positions, 0, {layer_words})
        at += 1
    return at


def seek(table, log, positions):
    return place(table, slot({first_words}, 64 - log), (1 << log) - 1, {first_words})

"""
COMPONENTS = f"""
def components(begins, leads, ranks, going, calls, stack, tally, number):
    at = tally[{AT}]
    index = tally[{INDEX}]
    found = tally[{FOUND}]
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
    tally[{FOUND}] = found
    tally[{DEPTH}] = depth
    tally[{LEFT}] = left
    return 1 if depth > 0 or at < number else 0
"""


def place_text(size: int) -> str:
    """Return the function that says where a position of *size* words is in a table, -1 if it is not
    there.
    """
    same = " and ".join(
        ["there == s0", *(f"table[at * {size} + {n}] == s{n}" for n in range(1, size))]
    )
    return _PLACE.format(size=size, words=", ".join(f"s{n}" for n in range(size)), same=same)


def rounds_text(size: int, *, asks_ends: bool) -> str:
    """Return the functions for positions of *size* words; where all moves of one are cut, they may
    have to ask whether it is an end.
    """
    numbers = range(size)
    at_words = ", ".join(f"table[at * {size} + {n}]" for n in numbers)
    is_uncut = f"out[{hooks.CUT}] == 0"
    text = _ROUNDS.format(
        size=size,
        has_ended=f"({is_uncut} or is_end({at_words}, out, 0) != 0)" if asks_ends else is_uncut,
        out_words=", ".join(f"out[k + {n}]" for n in numbers),
        at_words=at_words,
        i_words=", ".join(f"table[i * {size} + {n}]" for n in numbers),
        layer_words=", ".join(f"layer[at * {size} + {n}]" for n in numbers),
        first_words=", ".join(f"positions[{n}]" for n in numbers),
        OUT_CUT=hooks.CUT,
        OUT_BITS=hooks.BITS,
        **{
            name: globals()[name]
            for name in ("TRUE", "DROPPED", "TOP", "NUMBERED", "EDGES", "PART", "LOOP")
        },
        FIRST=hooks.FIRST,
    )
    return place_text(size) + text + COMPONENTS
