"""The table of positions: open addressing in one array, twice as large when it is `LOAD` full.

In comes the `Room` it may take. Where there is no room for twice the table, it may become `CROWDED`
before the search has to end. The old and the new table are there together while one is moved into
the other.
"""

from __future__ import annotations

from . import kernel
from .layers import ThreadTeam
from .machine import Machine
from .memory import Memory, Room

LOAD = 0.7
"""How full a table may be; with linear probing a search looks at about two slots then."""
CROWDED = 0.9
"""How full it may be if there is no room for a larger one: a search looks at about five slots then,
at fifty for what is new.
"""


class Table:
    """Two to *log* slots for positions of *size* words, of which *most* may be taken."""

    def __init__(self, room: Room, size: int, log: int) -> None:
        self.room, self.size, self.log = room, size, log
        self.memory = room.take(size << log, "a table")
        self.crowd(LOAD)

    def crowd(self, load: float) -> None:
        """Let so large a part of the slots be taken."""
        self.most = int(load * (1 << self.log))

    def insert(self, machine: Machine, positions: Memory, first: int, number: int) -> None:
        """Put *number* positions from number *first* into the table."""
        machine.functions["insert"](
            self.memory, self.log, positions.address + first * self.size * 8, number
        )

    def move_from(self, machine: Machine, old: Table, team: ThreadTeam) -> None:
        """Put what is in an *old* table into this one, giving its memory back bit by bit: both are
        filled from their beginning.
        """
        slots = 1 << old.log
        part = max(slots >> 5, 1 << kernel.SLOTS_LOG - 1)
        left = list(reversed(range(0, slots, part)))

        def move(_: int) -> None:
            while left:
                try:
                    first = left.pop()
                except IndexError:
                    return
                self.insert(machine, old.memory, first, part)
                old.memory.forget(first * old.size, part * old.size)

        team.run(move, lambda: None, left.clear)
        self.room.give_back(old.memory)


def log_for(positions: int) -> int:
    """Return the logarithm of the number of slots of a table with room for *positions*."""
    log = kernel.SLOTS_LOG
    while positions > int(LOAD * (1 << log)):
        log += 1
    return log


def largest(room: Room, size: int, positions: int, least: int) -> Table:
    """Return a table for *positions*, or the largest there is room for that has some for *least*;
    raise `BudgetSpentError` if there is no room for that.
    """
    for log in range(log_for(max(positions, least)), log_for(least), -1):
        if room.has(size << log):
            return Table(room, size, log)
    return Table(room, size, log_for(least))
