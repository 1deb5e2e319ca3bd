"""The kernel of games: finds positions, and writes down at once who decides what on the way from each to the next.

It is text in the subset of `native.assembly`, which CPython runs too, on the same arrays. Nodes are numbered as they are found: the ends of
games first, then positions and the decisions between them. What a node is stands in one number: whose it is, its priority, what is won
or lost there. Edges are a *source* and a *target* each, and those to positions say whose move of
which clause they are (*wanted*). The moves of a position share a node as far as they share choices: a trie of
paths, in which what has one way on only is no node, nor is what others choose after others.

- ``admit`` makes the node of a position in which plays begin, and ``grow`` expands positions one after the other; both return before there
  is no room. ``rehash`` fills a larger table.
- what is done with nodes and edges then is in `passes`.
"""

from __future__ import annotations

from ..emit import game
from ..emit.game import GameText
from ..moves import hooks
from . import passes
from .passes import PASSES, WHOSE_BITS

FUNCTIONS = {"admit": 12, "grow": 18, "rehash": 5}
"""The functions, with the numbers of their parameters."""
_COUNTS, _LEVELS, _CHOOSERS = (first + (1 << game.OWNERS) for first in (0, 1 << game.OWNERS, 64 + (1 << game.OWNERS)))
STACK = _CHOOSERS + 64
"""How many numbers ``grow`` needs to find nodes again: of each owner the node and the moves, of each depth of a path the node and who
chooses there."""

_GAME = """
def slot({words}, last):
    h = 0
{mixing}
    return h >> 20 & last


def met(table, last, positions, {words}):
    at = slot({words}, last)
    while True:
        there = table[at]
        if there == 0:
            return at
        if {same}:
            return at
        at = at + 1 & last


def rehash(table, log, positions, known, at):
    last = (1 << log) - 1
    while at < known:
        table[met(table, last, positions, {at_words})] = at + 1
        at += 1
    return at


def made(nodes, places, tally, what, place):
    node = tally[{NODES}]
    nodes[node] = what
    places[node] = place
    tally[{NODES}] = node + 1
    return node


def link(sources, targets, tally, source, target):
    edge = tally[{EDGES}]
    sources[edge] = source
    targets[edge] = target
    tally[{EDGES}] = edge + 1
    return edge


def node_of(table, log, positions, numbers, nodes, places, tally, said, {words}):
    at = met(table, (1 << log) - 1, positions, {words})
    if table[at] == 0:
        known = tally[{KNOWN}]
{storing}
        numbers[known] = made(nodes, places, tally, said << {WHOSE_BITS}, known)
        tally[{KNOWN}] = known + 1
        table[at] = known + 1
    return numbers[table[at] - 1]


def admit(table, log, positions, numbers, nodes, places, sources, targets, wanted, out, tally, at):
    node = made(nodes, places, tally, 0, -1)
    said = out[at + {SAID}] & {OF_NODES}
    link(sources, targets, tally, node, node_of(table, log, positions, numbers, nodes, places, tally, said, {admitted}))
    return node


def only_owner(out, n, stack, tally):
    owner = -1
    for o in range({owners}):
        stack[o] = 0
        stack[{COUNTS} + o] = 0
    for k in range({FIRST}, n, {width}):
        whose = out[k + {WHOSE}] & {OWNER}
        stack[{COUNTS} + whose] += 1
        if owner == -1:
            owner = whose
        if owner != whose:
            owner = -2
        if out[k + {SAID}] & {IS_CUT} == 0:
            tally[{MOVES}] += 1
        else:
            tally[{CUTS}] += 1
            tally[{OPEN}] |= out[k + {SAID}] & {IS_OPEN}
    return owner


def forced_acts(out, n):
    forced = 3
    for k in range({FIRST}, n, {width}):
        if out[k + {SAID}] & {IS_CUT} == 0:
            forced &= out[k + {SAID}] >> {ACTS} & 3
    return forced


def digits(path):
    number = 0
    while path >> number * {digit} != 0:
        number += 1
    return number


def descended(nodes, places, sources, targets, stack, tally, source, path, have, same, most, mine, ours):
    number = digits(path)
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
            node = made(nodes, places, tally, whose, -1)
            link(sources, targets, tally, source, node)
            source = node
        stack[{LEVELS} + j] = source
        stack[{CHOOSERS} + j] = chooser
    return source


def common(path, before):
    number = digits(path)
    old = digits(before)
    same = 0
    while same < number and same < old and path >> (number - 1 - same) * {digit} == before >> (old - 1 - same) * {digit}:
        same += 1
    return same


def enter(table, log, positions, numbers, nodes, places, sources, targets, wanted, out, stack, tally, at, n, assuming):
    mine = coalition({at_words})
    root = numbers[at]
    if n == {FIRST}:
        is_won = nodes[root] & {IS_REACHED} == {IS_REACHED}
        link(sources, targets, tally, root, {WON} if is_won else {LOST})
        return 0
    owner = only_owner(out, n, stack, tally)
    forced = forced_acts(out, n)
    if owner >= 0 and mine << 1 >> owner & 1 != 0:
        nodes[root] |= {OURS}
        stack[owner] = root
    before_whose = -1
    before = 0
    for k in range({FIRST}, n, {width}):
        said = out[k + {SAID}]
        whose = out[k + {WHOSE}]
        path = out[k + {PATH}]
        o = whose & {OWNER}
        ours = mine << 1 >> o & 1
        source = root
        if ours != 0 and (owner >= 0 or stack[{COUNTS} + o] > 1):
            if stack[o] == 0:
                stack[o] = made(nodes, places, tally, {OURS}, -1)
                link(sources, targets, tally, root, stack[o])
            source = stack[o]
        same = 0
        have = 0
        if whose == before_whose:
            same = common(path, before)
            have = min(same + 1, min(digits(before), digits(path)))
        most = 0
        if k + {width} < n:
            if out[k + {width} + {WHOSE}] == whose:
                most = common(path, out[k + {width} + {PATH}]) + 1
        source = descended(nodes, places, sources, targets, stack, tally, source, path, have, same, most, mine, ours)
        before_whose = whose
        before = path
        if said & {IS_CUT} != 0:
            edge = tally[{EDGES}] - 1
            if sources[edge] != source or targets[edge] != {CUT}:
                link(sources, targets, tally, source, {CUT})
        else:
            target = node_of(table, log, positions, numbers, nodes, places, tally, said & {OF_NODES}, {k_words})
            acting = (said >> {ACTS} & 3) & (forced ^ 3)
            priority = 0
            if said & {IS_FORBIDDEN} != 0:
                priority = {FORBIDDEN}
            if acting & assuming != 0 or acting & 1 != 0 and assuming & {ASSUMED_OTHERS} != 0 and ours == 0:
                priority = {ASSUMED}
            if priority != 0:
                node = made(nodes, places, tally, priority << {WHOSE_BITS}, -1)
                link(sources, targets, tally, source, node)
                source = node
            wanted[link(sources, targets, tally, source, target)] = whose + 1
    return 0


def grow(table, log, positions, numbers, nodes, places, sources, targets, wanted, out, stack, tally, steps, most_known, most_nodes,
         most_edges, assuming, deep):
    at = tally[{AT}]
    end = at + steps
    while at < end and at < tally[{KNOWN}]:
        out[{OUT_CUT}] = 0
        n = successors({at_words}, out, {FIRST})
        number = (n - {FIRST}) // {width} + 1
        if tally[{KNOWN}] + number > most_known:
            return 1
        if tally[{NODES}] + number * deep > most_nodes or tally[{EDGES}] + number * deep > most_edges:
            return 1
        enter(table, log, positions, numbers, nodes, places, sources, targets, wanted, out, stack, tally, at, n, assuming)
        at += 1
        tally[{AT}] = at
    return 0
"""
_FACTORS = 0x5851F42D, 0x2545F491
"""Odd numbers of 31 bits whose bits look random: what the halves of a word are multiplied with, so that nothing exceeds 63 bits."""


def game_text(text: GameText) -> str:
    """Return the source of the kernel for *text*."""
    layout, width = text.emitted.layout, text.emitted.width
    numbers = range(layout.words)
    low = (1 << 31) - 1
    mixing = [f"    h = (h >> 31 ^ h & {low} ^ s{n} & {low}) * {_FACTORS[0]} ^ (s{n} >> 31) * {_FACTORS[1]}" for n in numbers]

    def words(array: str, at: str) -> str:
        return ", ".join(f"{array}[{at} + {n}]" for n in numbers)

    kernel = _GAME.format(
        words=", ".join(f"s{n}" for n in numbers),
        mixing="\n".join(mixing),
        same=" and ".join(f"positions[(there - 1) * {layout.words} + {n}] == s{n}" for n in numbers),
        storing="\n".join(f"        positions[known * {layout.words} + {n}] = s{n}" for n in numbers),
        at_words=words("positions", f"at * {layout.words}"),
        k_words=words("out", "k"),
        admitted=words("out", "at"),
        width=width,
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
        OUT_CUT=hooks.CUT,
        FIRST=hooks.FIRST,
        **{name: getattr(passes, name) for name in _NAMES},
    )
    return f"{text.emitted.text}\n{kernel}{PASSES}"


_NAMES = (
    "WON", "LOST", "CUT", "OTHERS", "OURS", "WITHIN_OURS", "WHOSE_BITS", "ASSUMED", "FORBIDDEN", "AT", "KNOWN", "NODES", "EDGES", "MOVES",
    "CUTS", "OPEN", "ASSUMED_OTHERS",
)  # fmt: skip
