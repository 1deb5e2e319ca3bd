"""The kernel of games: finds positions, and writes down at once who decides what on the way from
each to the next.

It is text in the subset of `native.assembly`, which CPython runs too, on the same arrays. Nodes are
numbered as they are found: the ends of games first, then positions and the decisions between them.
What a node is stands in one number: whose it is, its priority, what is won or lost there. Edges are
a *source* and a *target* each, and those to positions say whose move of which clause they are
(*wanted*). The moves of a position share a node as far as they share choices: a trie of paths, in
which what has one way on only is no node, nor is what others choose after others.

- ``admit`` makes the node of a position in which plays begin, and ``grow`` expands positions one
  after the other; both return before there is no room. ``rehash`` fills a larger table.
- what is done with nodes and edges then is in `passes`.
"""

from __future__ import annotations

from ..emit import game
from ..emit.game import GameText
from ..moves import hooks
from . import passes
from .passes import PASSES, WHOSE_BITS

FUNCTIONS = {"admit": 9, "grow": 16, "rehash": 5}
"""The functions, with the numbers of their parameters."""
_COUNTS = 1 << game.OWNERS
_LEVELS, _CHOOSERS, _ENDS, _FORCED = (2 * _COUNTS + 64 * number for number in range(4))
_MOST_BATCH, _BUFFERED = 32, 1 << 13
STACK = _FORCED + 1
"""How many numbers ``grow`` needs to find nodes again: of each owner the node and the moves, of
each depth of a path the node and who chooses there; where the moves of each position of a batch
end, and in which every move acts.
"""
OF_RECORD = 2
"""What a record of ``positions`` has after the words: the node of the position, and its twins."""

_GAME = """
def hashed({words}):
    h = 0
{mixing}
    return (h >> 20 & {LOW}) * {SPREAD} & {LOW}


def met(table, log, hash, positions, {words}):
    last = (1 << log) - 1
    at = hash >> 31 - log
    while True:
        there = table[at]
        if there == 0:
            return at
        if there >> 31 == hash:
            there = (there & {LOW}) - 1
            if {same}:
                return at
        at = at + 1 & last


def rehash(table, log, following, at, stop):
    last = (1 << log) - 1
    while at < stop:
        there = following[at]
        if there != 0:
            j = there >> 62 - log
            while table[j] != 0:
                j = j + 1 & last
            table[j] = there
        at += 1
    return at


def made(nodes, tally, what, place):
    node = tally[{NODES}]
    nodes[node] = what | place << {PLACE}
    tally[{NODES}] = node + 1
    return node


def link(sources, targets, tally, source, target, label):
    edge = tally[{EDGES}]
    sources[edge] = label << {LABEL} | source
    targets[edge] = target
    tally[{EDGES}] = edge + 1
    return edge


def record_of(table, log, hash, positions, nodes, tally, said, {words}):
    at = met(table, log, hash, positions, {words})
    if table[at] == 0:
        known = tally[{KNOWN}]
{storing}
        positions[known * {record} + {NODE}] = made(nodes, tally, said << {WHOSE_BITS}, known + 1)
        tally[{KNOWN}] = known + 1
        table[at] = hash << 31 | known + 1
    return (table[at] & {LOW}) - 1


def twin_of(positions, nodes, sources, targets, tally, record, priority):
    shift = ({ASSUMED} - priority) * 31
    twins = positions[record * {record} + {TWINS}]
    if twins >> shift & {LOW} != 0:
        return twins >> shift & {LOW}
    twin = made(nodes, tally, priority << {WHOSE_BITS}, record + 1)
    link(sources, targets, tally, twin, positions[record * {record} + {NODE}], 0)
    positions[record * {record} + {TWINS}] = twins | twin << shift
    return twin


def admit(table, log, positions, nodes, sources, targets, out, tally, at):
    node = made(nodes, tally, 0, 0)
    said = out[at + {SAID}] & {OF_NODES}
    record = record_of(table, log, hashed({admitted}), positions, nodes, tally, said, {admitted})
    link(sources, targets, tally, node, positions[record * {record} + {NODE}], 0)
    return node


def counted(nodes, root, out, begin, n, stack, tally):
    owner = -1
    forced = 3
    cuts = 0
    for o in range({owners}):
        stack[o] = 0
        stack[{COUNTS} + o] = 0
    for k in range(begin, n, {width}):
        said = out[k + {SAID}]
        whose = out[k + {WHOSE}] & {OWNER}
        stack[{COUNTS} + whose] += 1
        if owner == -1:
            owner = whose
        if owner != whose:
            owner = -2
        if said & {IS_CUT} == 0:
            tally[{MOVES}] += 1
            forced &= said >> {ACTS} & 3
        else:
            cuts += 1
            tally[{OPEN}] |= said & {IS_OPEN}
    tally[{CUTS}] += cuts
    stack[{FORCED}] = forced
    if cuts != 0 and forced != 0:
        nodes[root] |= {MAY_BE_UNFORCED}
    return owner


def digits(path):
    number = 0
    while path >> number * {digit} != 0:
        number += 1
    return number


def descended(nodes, sources, targets, stack, tally, source, path, number, have, same, most, mine, ours):
    last = min(number, most)
    j = have
    stack[{LEVELS}] = source
    if same < have:
        chooser = path >> (number - have) * {digit} & {CHOOSER}
        if stack[{CHOOSERS} + have] != chooser and (ours != 0 or mine << 1 >> stack[{CHOOSERS} + have] & 1 != 0):
            nodes[stack[{LEVELS} + have]] = {WITHIN_OURS} if ours != 0 else {OTHERS}
    source = stack[{LEVELS} + have]
    while j < last:
        j += 1
        chooser = path >> (number - j) * {digit} & {CHOOSER}
        whose = {WITHIN_OURS} if ours != 0 else {OTHERS}
        if mine << 1 >> chooser & 1 != 0:
            whose = {OURS}
        if whose != {OTHERS}:
            node = made(nodes, tally, whose, 0)
            link(sources, targets, tally, source, node, 0)
            source = node
        stack[{LEVELS} + j] = source
        stack[{CHOOSERS} + j] = chooser
    return source


def common(path, number, before, old):
    same = 0
    while same < number and same < old and path >> (number - 1 - same) * {digit} == before >> (old - 1 - same) * {digit}:
        same += 1
    return same


def enter(table, log, positions, nodes, sources, targets, out, slots, stack, tally, at, begin, n, assuming):
    mine = coalition({at_words})
    root = positions[at * {record} + {NODE}]
    if n == begin:
        is_won = nodes[root] & {IS_REACHED} == {IS_REACHED}
        link(sources, targets, tally, root, {WON} if is_won else {LOST}, 0)
        return 0
    owner = counted(nodes, root, out, begin, n, stack, tally)
    forced = stack[{FORCED}]
    if owner >= 0 and mine << 1 >> owner & 1 != 0:
        nodes[root] |= {OURS}
        stack[owner] = root
    before_whose = -1
    before = 0
    before_number = 0
    for k in range(begin, n, {width}):
        said = out[k + {SAID}]
        whose = out[k + {WHOSE}]
        path = out[k + {PATH}]
        o = whose & {OWNER}
        ours = mine << 1 >> o & 1
        source = root
        if ours != 0 and (owner >= 0 or stack[{COUNTS} + o] > 1):
            if stack[o] == 0:
                stack[o] = made(nodes, tally, {OURS}, 0)
                link(sources, targets, tally, root, stack[o], 0)
            source = stack[o]
        number = digits(path)
        if number != 0:
            same = 0
            have = 0
            if whose == before_whose:
                same = common(path, number, before, before_number)
                have = min(same + 1, min(before_number, number))
            most = 0
            if k + {width} < n:
                if out[k + {width} + {WHOSE}] == whose:
                    next = out[k + {width} + {PATH}]
                    most = common(path, number, next, digits(next)) + 1
            source = descended(nodes, sources, targets, stack, tally, source, path, number, have, same, most, mine, ours)
        before_whose = whose
        before = path
        before_number = number
        if said & {IS_CUT} != 0:
            edge = tally[{EDGES}] - 1
            if sources[edge] != source or targets[edge] != {CUT}:
                link(sources, targets, tally, source, {CUT}, 0)
        else:
            record = record_of(table, log, slots[k], positions, nodes, tally, said & {OF_NODES}, {k_words})
            acting = (said >> {ACTS} & 3) & (forced ^ 3)
            priority = 0
            if said & {IS_FORBIDDEN} != 0:
                priority = {FORBIDDEN}
            if acting & assuming != 0 or acting & 1 != 0 and assuming & {ASSUMED_OTHERS} != 0 and ours == 0:
                priority = {ASSUMED}
            target = positions[record * {record} + {NODE}]
            if priority != 0:
                target = twin_of(positions, nodes, sources, targets, tally, record, priority)
            link(sources, targets, tally, source, target, whose + 1)
    return 0


def grow(table, log, positions, nodes, sources, targets, out, slots, stack, tally, steps, most_known, most_nodes,
         most_edges, assuming, deep):
    at = tally[{AT}]
    end = min(at + steps, tally[{KNOWN}])
    while at < end:
        stop = min(at + {batch}, end)
        n = {FIRST}
        for j in range(at, stop):
            out[{OUT_CUT}] = 0
            n = successors({j_words}, out, n)
            stack[{ENDS} + j - at] = n
        number = (n - {FIRST}) // {width} + {batch}
        if tally[{KNOWN}] + number > most_known:
            return 1
        if tally[{NODES}] + number * deep > most_nodes or tally[{EDGES}] + number * deep > most_edges:
            return 1
        for k in range({FIRST}, n, {width}):
            slots[k] = hashed({k_words})
            prefetch(table, slots[k] >> 31 - log)
        for k in range({FIRST}, n, {width}):
            prefetch(positions, ((table[slots[k] >> 31 - log] & {LOW}) - 1) * {record})
        begin = {FIRST}
        for j in range(at, stop):
            n = stack[{ENDS} + j - at]
            enter(table, log, positions, nodes, sources, targets, out, slots, stack, tally, j, begin, n, assuming)
            begin = n
        at = stop
        tally[{AT}] = at
    return 0
"""
_FACTORS = 0x5851F42D, 0x2545F491, 0x6C078965
"""Odd numbers of 31 bits whose bits look random: what the halves of a word are multiplied with, so
that nothing exceeds 63 bits, and then what comes of them. The slot is the high bits of that, so a
larger table has the positions in the same order.
"""


def batch(text: GameText) -> int:
    """Return how many positions are expanded before what their moves lead to is looked up."""
    return max(1, min(_MOST_BATCH, _BUFFERED // max(text.emitted.most_moves, 1)))


def game_text(text: GameText) -> str:
    """Return the source of the kernel for *text*."""
    layout = text.emitted.layout
    width = text.emitted.width
    record = text.emitted.layout.words + OF_RECORD
    numbers = range(layout.words)
    low = (1 << 31) - 1
    mixing = [
        f"    h = (h >> 31 ^ h & {low} ^ s{n} & {low}) * {_FACTORS[0]} ^ (s{n} >> 31) * {_FACTORS[1]}"
        for n in numbers
    ]

    def words(array: str, at: str) -> str:
        return ", ".join(f"{array}[{at} + {n}]" for n in numbers)

    kernel = _GAME.format(
        words=", ".join(f"s{n}" for n in numbers),
        mixing="\n".join(mixing),
        same=" and ".join(f"positions[there * {record} + {n}] == s{n}" for n in numbers),
        storing="\n".join(f"        positions[known * {record} + {n}] = s{n}" for n in numbers),
        at_words=words("positions", f"at * {record}"),
        j_words=words("positions", f"j * {record}"),
        k_words=words("out", "k"),
        admitted=words("out", "at"),
        width=width,
        record=record,
        batch=batch(text),
        NODE=layout.words,
        TWINS=layout.words + 1,
        LOW=low,
        SPREAD=_FACTORS[2],
        digit=text.digit,
        owners=layout.players + 1,
        SAID=layout.words + game.SAID,
        WHOSE=layout.words + game.WHOSE,
        PATH=layout.words + game.PATH,
        OWNER=(1 << game.OWNERS) - 1,
        CHOOSER=(1 << text.chooser) - 1,
        OF_NODES=game.PRIORITY | game.WON | game.LOST | game.IS_OVER | game.BROKEN,
        IS_REACHED=(2 | game.IS_OVER) << WHOSE_BITS,
        IS_FORBIDDEN=game.FORBIDDEN,
        ACTS=game.PLAYERS_ACT.bit_length() - 1,
        IS_CUT=game.IS_CUT,
        IS_OPEN=game.IS_OPEN,
        COUNTS=_COUNTS,
        LEVELS=_LEVELS,
        CHOOSERS=_CHOOSERS,
        ENDS=_ENDS,
        FORCED=_FORCED,
        OUT_CUT=hooks.CUT,
        FIRST=hooks.FIRST,
        **{name: getattr(passes, name) for name in _NAMES},
    )
    return f"{text.emitted.text}\n{kernel}{PASSES}"


_NAMES = (
    "WON", "LOST", "CUT", "OTHERS", "OURS", "WITHIN_OURS", "WHOSE_BITS", "ASSUMED", "FORBIDDEN", "AT", "KNOWN", "NODES", "EDGES", "MOVES",
    "CUTS", "OPEN", "ASSUMED_OTHERS", "PLACE", "LABEL", "MAY_BE_UNFORCED",
)  # fmt: skip
