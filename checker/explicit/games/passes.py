"""Passes over the nodes and edges of games, as text to be compiled with a kernel.

- ``derive`` leaves of the edges what one question asks of them, ``hope`` makes won what the scope
  cuts, ``turn`` finds from where edges lead to each node (or, given sources, the edges that leave
  it: the *whole* of them), by counting; ``prioritize`` reads the priorities of nodes.
- ``attract`` finds from where a visit to some nodes can be forced. The nodes inside a game have a
  *level* or more; ``prepare`` says of each what is waited for, in one number: twice as many edges
  as lead inside, or 1 where one is enough, and 0 where nothing is asked any more. The rest are the
  steps of Zielonka's algorithm around it (`solve`).
- ``reach`` finds all that can be reached from a node if one side does as it has chosen.
"""

from __future__ import annotations

from ..emit import game

WON, LOST, BEYOND, CUT, FIRST_NODE = range(5)
"""The ends of games: won and lost, what the others choose beyond the scope, and what is lost
because the scope cuts it.
"""
OTHERS, OURS, WITHIN_OURS = range(3)
"""Whose a node is: of the others, of the coalition, or of the others within a move of the
coalition.
"""
WHOSE_BITS = 2
"""The bits of whose a node is; above them is what is said of it, as of a move to it."""
ASSUMED, FORBIDDEN = 4, 3
"""The priorities of nodes on edges: somebody acts of whom it is assumed that they do not, what is
to happen only finitely often happens.
"""
AT, KNOWN, NODES, EDGES, MOVES, CUTS, OPEN, HEAD, TOP = range(9)
"""The cells of a tally: positions expanded and known, nodes and edges, moves and those that were
cut, whether it is open of one what becomes of it; and where a queue begins and ends.
"""
PLAYERS, CARDS, ASSUMED_OTHERS = 1, 2, 4
"""The bits of who is assumed to act only finitely often."""
PASS_FUNCTIONS = (
    "derive", "hope", "turn", "prioritize", "prepare", "attract", "greatest", "selected", "lost",
    "descend", "remove", "keep", "reach", "present",
)  # fmt: skip
"""The functions, whose parameters are called as what they are given."""
MAY_BE_UNFORCED = 1 << 16
"""The bit of a position in which somebody is forced to act who with more room might do something
else.
"""
WHOSE_MASK = (1 << WHOSE_BITS) - 1
"""The bits that say whose a node is."""
PLACE = 20
"""Above how many bits of a node stands which position it is."""
LABEL, SOURCE = 31, (1 << 31) - 1
"""Above how many bits of the source of an edge stands its label; and the bits that are the
source.
"""

PASSES = f"""

def derive(nodes, sources, targets, leads, levels, at, stop, empty):
    while at < stop:
        source = sources[at] & {SOURCE}
        target = targets[at]
        if source >= {FIRST_NODE}:
            if levels[source] != 0:
                target = {CUT}
            else:
                if levels[target] != 0:
                    target = {CUT} if nodes[source] & {WHOSE_MASK} == {OURS} else {BEYOND}
                else:
                    if empty != 0:
                        target = {LOST} if target == {WON} else target
                    else:
                        if nodes[target] & {game.LOST << WHOSE_BITS} != 0:
                            target = {LOST}
                        if nodes[target] & {game.WON << WHOSE_BITS} != 0:
                            target = {WON}
        leads[at] = target
        at += 1
    return at


def hope(nodes, sources, targets, leads, at, stop):
    while at < stop:
        source = sources[at] & {SOURCE}
        if source >= {FIRST_NODE} and (
                targets[at] == {CUT} or nodes[source] & {MAY_BE_UNFORCED} != 0):
            leads[at] = {WON}
        at += 1
    return at


def turn(leads, sources, begins, calls, number, edges, whole):
    for edge in range(edges):
        begins[(leads[edge] & {SOURCE}) + 2] += 1
    for node in range(number):
        begins[node + 2] += begins[node + 1]
    for edge in range(edges):
        lead = (leads[edge] & {SOURCE}) + 1
        place = begins[lead]
        calls[place] = edge if whole != 0 else sources[edge] & {SOURCE}
        begins[lead] = place + 1
    return 0


def prioritize(nodes, priorities, number, empty):
    for node in range(number):
        priority = nodes[node] >> {WHOSE_BITS} & {game.PRIORITY}
        if empty != 0 and priority < {ASSUMED} and priority > 1:
            priority = 1
        priorities[node] = priority
    return 0


def prepare(nodes, sources, leads, levels, stamps, numbers, number, edges, level, stamp, whose,
            forcing):
    for node in range(number):
        numbers[node] = 0
    if level == 0:
        for edge in range(edges):
            numbers[sources[edge] & {SOURCE}] += 2
    else:
        for edge in range(edges):
            if levels[leads[edge]] >= level:
                numbers[sources[edge] & {SOURCE}] += 2
    for node in range(number):
        if levels[node] < level or stamps[node] == stamp:
            numbers[node] = 0
        else:
            if (1 if nodes[node] & {WHOSE_MASK} == whose else 0) == forcing:
                numbers[node] = 1
    return 0


def attract(begins, calls, numbers, choices, stamps, following, tally, stamp, steps):
    at = tally[{HEAD}]
    top = tally[{TOP}]
    end = min(at + steps, top)
    while at < end:
        node = following[at]
        at += 1
        for place in range(begins[node], begins[node + 1]):
            source = calls[place]
            waits = numbers[source]
            if waits != 0:
                if waits == 1:
                    choices[source] = node
                    waits = 2
                waits -= 2
                numbers[source] = waits
                if waits == 0:
                    stamps[source] = stamp
                    following[top] = source
                    top += 1
    tally[{HEAD}] = at
    tally[{TOP}] = top
    return top - at


def present(priorities, number):
    found = 0
    for node in range({FIRST_NODE}, number):
        found |= 1 << priorities[node]
    return found


def greatest(priorities, levels, number, level):
    found = -1
    for node in range(number):
        if levels[node] >= level and priorities[node] > found:
            found = priorities[node]
    return found


def selected(priorities, levels, stamps, following, number, level, priority, stamp):
    top = 0
    for node in range(number):
        if levels[node] >= level and priorities[node] == priority:
            stamps[node] = stamp
            following[top] = node
            top += 1
    return top


def lost(winners, levels, stamps, following, number, level, side, stamp):
    top = 0
    for node in range(number):
        if levels[node] >= level and winners[node] != side:
            stamps[node] = stamp
            following[top] = node
            top += 1
    return top


def descend(winners, levels, stamps, number, level, stamped):
    rest = 0
    side = stamped & 1
    for node in range(number):
        if levels[node] >= level:
            if stamps[node] == stamped >> 1:
                winners[node] = side
            else:
                levels[node] = level + 1
                rest += 1
    return rest


def remove(winners, levels, stamps, number, level, stamped):
    side = stamped & 1
    for node in range(number):
        if levels[node] >= level and (stamped >> 1 == 0 or stamps[node] == stamped >> 1):
            winners[node] = side
            levels[node] = level - 1
    return 0


def keep(nodes, sources, leads, priorities, levels, choices, edges, level, sided):
    for edge in range(edges):
        source = sources[edge] & {SOURCE}
        if (levels[source] >= level and levels[leads[edge]] >= level
                and sided >> 1 + priorities[source] & 1 != 0):
            is_ours = 1 if nodes[source] & {WHOSE_MASK} == {OURS} else 0
            if is_ours == sided & 1:
                choices[source] = leads[edge]
    return 0


def reach(nodes, leads, begins, leaving, chooses, came, queue, tally, ours, steps):
    at = tally[{HEAD}]
    top = tally[{TOP}]
    end = min(at + steps, top)
    while at < end:
        node = queue[at]
        at += 1
        is_ours = 1 if nodes[node] & {WHOSE_MASK} == {OURS} else 0
        for place in range(begins[node], begins[node + 1]):
            edge = leaving[place]
            target = leads[edge]
            if (is_ours != ours or chooses[node] == target) and came[target] == 0:
                came[target] = edge + 1
                if target >= {FIRST_NODE}:
                    queue[top] = target
                    top += 1
    tally[{HEAD}] = at
    tally[{TOP}] = top
    return top - at
"""
