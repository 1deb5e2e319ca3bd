"""Lifting: a packed play becomes one of the game, with everything in it; each move is made again by
a *player*, who knows the rules.

The text for whole positions tells whose each move is, in NOTE(move-order), so it goes beside the
moves of the player. From alike positions there are alike moves (`slicing.needs`), so whichever
looks like the next one is made; should there be none, no play is told.
"""

from __future__ import annotations

from ...types.trace import Trace, TraceStep
from ..emit.game import IS_CUT, SAID, WHOSE, GameText
from ..layout.layout import Layout, Words
from ..search.interpreted import Interpreted
from ..search.lift import Player
from .plays import ArenaPlay


def lifted(whole: GameText, searched: Layout, play: ArenaPlay, player: Player) -> Trace:
    """Return the play of the game that looks like *play*, of positions of the layout *searched*; a
    loop is gone round until all is back.
    """
    return _Lifting(whole, searched, player).lift(play)


class _Lifting:
    def __init__(self, whole: GameText, searched: Layout, player: Player) -> None:
        self.layout, self.searched, self.player = whole.emitted.layout, searched, player
        self.run = Interpreted(whole.emitted)
        self.same = [name for name in searched.extra if name in self.layout.extra]
        self.steps: list[TraceStep] = []

    def lift(self, play: ArenaPlay) -> Trace:
        """Return the whole *play*."""
        first = here = self._start_of(play.way[0])
        for words, label in zip(play.way[1:], play.labels[1:], strict=True):
            here = self._after(here, words, label)
        loop = None
        if play.loop is not None:
            round_ = list(zip(play.way[play.loop + 1 :], play.labels[play.loop + 1 :], strict=True))
            at = self.layout.unpack(first), *(step.position for step in self.steps)
            met = {at[play.loop]: play.loop}
            while (position := self.layout.unpack(here)) not in met:
                met[position] = len(self.steps)
                for words, label in round_:
                    here = self._after(here, words, label)
            loop = met[position]
        return Trace(self.layout.unpack(first), tuple(self.steps), loop=loop)

    def _start_of(self, wanted: Words) -> Words:
        words = list(self.layout.initial())
        for name, field in self.layout.extra.items():
            if name.startswith("seat of "):
                field.write(words, self.searched.extra[name].code_in(wanted))
        size = self.layout.words
        return next(
            told[:size]
            for told in self.run.started(tuple(words))
            if self._is_like(told[:size], wanted)
        )

    def _after(self, here: Words, wanted: Words, label: int) -> Words:
        """Make the move from *here* that looks like the one to *wanted* of *label*; return the
        position after it.
        """
        size, moves = self.layout.words, self.player.moves(self.layout.unpack(here)).moves
        told = [one for one in self.run.outputs(here) if not one[size + SAID] & IS_CUT]
        for one, (move, target) in zip(told, moves, strict=True):
            if one[size + WHOSE] + 1 == label and self._is_like(one[:size], wanted):
                if self.layout.unpack(one) != target:
                    raise AssertionError(f"{move.clause} leads elsewhere")
                self.steps.append(TraceStep(move, target))
                return one[:size]
        raise AssertionError(
            "no move looks like the one that was found: a slice leaves out what matters"
        )

    def _is_like(self, words: Words, wanted: Words) -> bool:
        if any(
            self.layout.extra[name].code_in(words) != self.searched.extra[name].code_in(wanted)
            for name in self.same
        ):
            return False
        bare = self.searched.pack(self.layout.unpack(words))
        return all(
            word == other & mask
            for word, other, mask in zip(bare, wanted, self.searched.bare, strict=True)
        )
