"""Arenas: the game for a property of mode ``enforce``, found position by position.

In comes the text of `emit.game`, out goes a `PackedArena` with an entry for every choice of
players. Small games are found by CPython; one that grows is carried over to compiled code, which
goes on in the same arrays.

The kernel of games: finds positions, and writes down at once who decides what on the way from
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

from collections.abc import Mapping
from contextlib import suppress
from inspect import signature
from itertools import product

from ....models.storage.opening import cache_folder
from ....properties import formula as f
from ...types.budget import BudgetSpentError, Meter
from ...types.verdict import Counts
from ..emit import game
from ..emit.game import GameText
from ..moves import hooks
from ..moves.hooks import FIRST
from ..moves.layout import Words
from ..native.machine import BEST, QUICK, Machine, NoMachineError
from ..native.memory import Memory, Room
from ..search.interpreted import functions_of
from . import passes
from .passes import PASS_FUNCTIONS, PASSES, WHOSE_BITS

_FUNCTIONS = "start", "admit", "grow", "rehash", *PASS_FUNCTIONS
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


def descended(nodes, sources, targets, stack, tally, source, path, number, have, same, most, mine,
              ours):
    last = min(number, most)
    j = have
    stack[{LEVELS}] = source
    if same < have:
        chooser = path >> (number - have) * {digit} & {CHOOSER}
        if stack[{CHOOSERS} + have] != chooser and (
                ours != 0 or mine << 1 >> stack[{CHOOSERS} + have] & 1 != 0):
            nodes[stack[{LEVELS} + have]] = {WITHIN_OURS} if ours != 0 else {OTHERS}
    source = stack[{LEVELS} + have]
    while j < last:
        j += 1
        chooser = path >> (number - j) * {digit} & {CHOOSER}
        whose = {WITHIN_OURS} if ours != 0 else {OTHERS}
        if mine << 1 >> chooser & 1 != 0:
            whose = {OURS}
        if whose != {OTHERS} or nodes[source] & {WHOSE_MASK} == {OURS}:
            node = made(nodes, tally, whose, 0)
            link(sources, targets, tally, source, node, 0)
            source = node
        stack[{LEVELS} + j] = source
        stack[{CHOOSERS} + j] = chooser
    return source


def common(path, number, before, old):
    same = 0
    while (same < number and same < old
           and path >> (number - 1 - same) * {digit} == before >> (old - 1 - same) * {digit}):
        same += 1
    return same


def enter(table, log, positions, nodes, sources, targets, out, slots, stack, tally, at, begin, n,
          assuming):
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
            source = descended(nodes, sources, targets, stack, tally, source, path, number, have,
                               same, most, mine, ours)
        before_whose = whose
        before = path
        before_number = number
        if said & {IS_CUT} != 0:
            edge = tally[{EDGES}] - 1
            if sources[edge] != source or targets[edge] != {CUT}:
                link(sources, targets, tally, source, {CUT}, 0)
        else:
            record = record_of(table, log, slots[k], positions, nodes, tally, said & {OF_NODES},
                               {k_words})
            acting = (said >> {ACTS} & 3) & (forced ^ 3)
            priority = 0
            if said & {IS_FORBIDDEN} != 0:
                priority = {FORBIDDEN}
            if acting & assuming != 0 or (
                    acting & 1 != 0 and assuming & {ASSUMED_OTHERS} != 0 and ours == 0):
                priority = {ASSUMED}
            target = positions[record * {record} + {NODE}]
            if priority != 0:
                target = twin_of(positions, nodes, sources, targets, tally, record, priority)
            link(sources, targets, tally, source, target, whose + 1)
    return 0


def grow(table, log, positions, nodes, sources, targets, out, slots, stack, tally, steps,
         most_known, most_nodes, most_edges, assuming, deep):
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
        if (tally[{NODES}] + number * deep > most_nodes
                or tally[{EDGES}] + number * deep > most_edges):
            return 1
        for k in range({FIRST}, n, {width}):
            slots[k] = hashed({k_words})
            prefetch(table, slots[k] >> 31 - log)
        for k in range({FIRST}, n, {width}):
            prefetch(positions, ((table[slots[k] >> 31 - log] & {LOW}) - 1) * {record})
        begin = {FIRST}
        for j in range(at, stop):
            n = stack[{ENDS} + j - at]
            enter(table, log, positions, nodes, sources, targets, out, slots, stack, tally, j,
                  begin, n, assuming)
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
        f"    h = (h >> 31 ^ h & {low} ^ s{n} & {low}) * {_FACTORS[0]} ^ (s{n} >> 31) * "
        f"{_FACTORS[1]}"
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
        **vars(passes),
    )
    return f"{text.emitted.text}\n{kernel}{PASSES}"


FEW = 1 << 10
"""How many positions are found by CPython before compiled code is looked for that was kept."""
SMALL = 1 << 12
"""How many positions are found by CPython before anything is compiled."""
LARGE = 1 << 18
"""How many of them before it is compiled as well as can be."""
MOST_NODES = 1 << 30
"""How many nodes a game may have at most: an edge has so much room for each (`passes.SOURCE`), and
a slot of the table for a position.
"""
_STEPS = 1 << 14
"""How many positions are expanded between two looks at the meter, in compiled code; CPython expands
fewer.
"""
_PYTHON_STEPS = 1 << 7


class OpenCutError(Exception):
    """A move was cut of which it is open whether it comes to its end."""


class GameCode:
    """The functions of one text: those of CPython, or compiled once that pays. Arrays are given to
    either as `Memory`.
    """

    def __init__(self, text: GameText) -> None:
        self.source = game_text(text)
        self.functions = functions_of(self.source)
        self.parameters = {
            name: tuple(signature(self.functions[name]).parameters) for name in _FUNCTIONS
        }
        self.machine: Machine | None = None
        self._looked_for = set[tuple[int, bool]]()

    def __call__(self, name: str, given: Mapping[str, Memory | int]) -> int:
        """Return what the function *name* does with those of the *given* that its parameters
        name.
        """
        arguments = [given[parameter] for parameter in self.parameters[name]]
        if self.machine is not None:
            return self.machine.functions[name](*arguments)
        return self.functions[name](
            *(one.numbers if isinstance(one, Memory) else one for one in arguments)
        )

    @property
    def steps(self) -> int:
        """How many positions are expanded at once."""
        return _PYTHON_STEPS if self.machine is None else _STEPS

    def compile(self, level: int, *, only_kept: bool = False) -> None:
        """Go on in compiled code, if there can be any; with *only_kept* in what was compiled
        before.
        """
        if (level, only_kept) in self._looked_for or (
            self.machine is not None and self.machine.level >= level
        ):
            return
        self._looked_for.add((level, only_kept))
        with suppress(NoMachineError):
            self.machine = Machine(
                self.source,
                _FUNCTIONS,
                cache_folder(),
                level=level,
                only_kept=only_kept,
            )


class PackedArena:
    """The nodes and edges of the game for a *question*, found in *layers* layers; what functions of
    the text are given is called here as there.

    *entries* has the node at which it begins for each choice of seats, *starts* the edge that
    leaves each of these nodes.
    """

    def __init__(self, text: GameText, question: f.Property, meter: Meter) -> None:
        self.text = text
        self.question = question
        self.meter = meter
        self.code = GameCode(text)
        self.layers = 1
        self.size = text.emitted.layout.words + OF_RECORD
        self.batch = batch(text)
        self.room = Room(meter)
        take = self.room.take
        self.log = 14
        self.most_known = 1 << 13
        self.most_nodes = 1 << 15
        self.most_edges = 1 << 16
        self.table = take(1 << self.log, "a table")
        self.sources, self.targets = (take(self.most_edges, "edges") for _ in range(2))
        self.positions = take(self.most_known * self.size, "positions")
        self.nodes = take(self.most_nodes, "nodes")
        self.tally = take(16, "a tally")
        moves = max(text.emitted.most_moves, 1) * text.emitted.width
        self.out = take(FIRST + (self.batch + 1) * moves + text.emitted.scratch, "a buffer")
        self.stack = take(STACK, "a path")
        self.slots = take(self.out.size, "a buffer")
        self.entries = dict[tuple[int, ...], int]()
        self.starts = dict[int, int]()
        self.assuming = sum(
            {"players": passes.PLAYERS, "cards": passes.CARDS, "others": passes.ASSUMED_OTHERS}[who]
            for who in question.assuming
        )

    @property
    def node_count(self) -> int:
        """How many nodes there are."""
        return self.tally.numbers[passes.NODES]

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return self.tally.numbers[passes.EDGES]

    @property
    def counts(self) -> Counts:
        """How much has been found."""
        cells = self.tally.numbers
        return Counts(cells[passes.KNOWN], cells[passes.MOVES], self.layers, cells[passes.CUTS])

    def call(self, function: str, **given: Memory | int) -> int:
        """Run a *function* of the text on what is here and what is *given*."""
        return self.code(function, {**vars(self), **given})

    def words(self, node: int) -> Words | None:
        """Return the position that *node* is, or its twin; None if it is a decision on the way to
        one.
        """
        place = self.nodes.numbers[node] >> passes.PLACE
        begin = (place - 1) * self.size
        return (
            tuple(self.positions.numbers[begin : begin + self.size - OF_RECORD]) if place else None
        )

    def label(self, edge: int) -> int:
        """Return whose move of which clause *edge* is, as `emit.game` tells it, and 1; 0 of what
        leads to no position, or from its twin.
        """
        return self.sources.numbers[edge] >> passes.LABEL

    def source(self, edge: int) -> int:
        """Return the node that *edge* leaves."""
        return self.sources.numbers[edge] & passes.SOURCE

    # ------------------------------------------------------------------ the search

    def find_all(self, small: int = SMALL) -> None:
        """Find all, up to *small* positions before anything is compiled; raises `BudgetSpentError`,
        and `OpenCutError` where the arrays cannot say what becomes of a move.
        """
        self._set_up()
        cells = self.tally.numbers
        end = cells[passes.KNOWN]
        while cells[passes.AT] < cells[passes.KNOWN]:
            if cells[passes.AT] == end:
                self.layers = self.layers + 1
                end = cells[passes.KNOWN]
            for level in (BEST, QUICK) if cells[passes.KNOWN] > FEW else ():
                self.code.compile(level, only_kept=True)
            if cells[passes.KNOWN] > small:
                self.code.compile(BEST if cells[passes.KNOWN] > LARGE else QUICK)
            self.meter.grow(cells[passes.KNOWN])
            self.meter.check(self.layers, cells[passes.KNOWN], cells[passes.MOVES])
            steps = min(self.code.steps, end - cells[passes.AT])
            deep = self.text.depth + 4
            if self.call("grow", steps=steps, deep=deep):
                self._widen(deep)
            if cells[passes.OPEN]:
                raise OpenCutError

    def _set_up(self) -> None:
        """Make the ends of games, and the positions in which plays begin."""
        layout = self.text.emitted.layout
        for end, priority in enumerate((2, 1, 1, 1)):
            self.nodes.numbers[end] = priority << passes.WHOSE_BITS
            self.sources.numbers[end] = self.targets.numbers[end] = end
        self.tally.numbers[passes.NODES] = self.tally.numbers[passes.EDGES] = passes.FIRST_NODE
        for seats in product(range(layout.players), repeat=len(self.question.spotlights)):
            words = list(layout.initial())
            for number, seat in enumerate(seats):
                layout.extra[f"seat of {number}"].write(words, seat)
            if self.code.functions["start"](*words, self.out.numbers, FIRST) > FIRST:
                edge = self.edges
                self.entries[seats] = entry = self.call("admit", at=FIRST)
                self.starts[entry] = edge

    def _widen(self, deep: int) -> None:
        """Take more room where a position with as many moves as possible might not have enough."""
        cells = self.tally.numbers
        most = self.batch * (self.text.emitted.most_moves + 1)
        enlarge = self.room.enlarge
        what = "what players can enforce"
        if cells[passes.NODES] + most * deep > MOST_NODES:
            raise BudgetSpentError(
                f"a game between players may have {MOST_NODES:,} positions and decisions"
            )
        if cells[passes.KNOWN] + most > self.most_known:
            self.most_known = min(2 * self.most_known + most, MOST_NODES)
            enlarge(self.positions, self.most_known * self.size, what)
            self.log = (4 * self.most_known // 3).bit_length()
            old = self.table
            self.table = self.room.take(1 << self.log, "a table")
            self.call("rehash", following=old, at=0, stop=old.size)
            self.room.give_back(old)
        if cells[passes.NODES] + most * deep > self.most_nodes:
            self.most_nodes = min(2 * self.most_nodes + most * deep, MOST_NODES)
            enlarge(self.nodes, self.most_nodes, what)
        if cells[passes.EDGES] + most * deep > self.most_edges:
            self.most_edges = 2 * self.most_edges + most * deep
            for memory in (self.sources, self.targets):
                enlarge(memory, self.most_edges, what)
