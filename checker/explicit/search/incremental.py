"""Incremental search: one that remembers what the moves of every position lead to, and searches of
patched texts that go by it.

In comes a text, searched once in plain Python, and patches of it (`edit_engine`). Where a patch
changes nothing at any position that the text reaches, the search of the patched text would be the
same and is not made. Else it looks only at the positions whose moves are others and at those that
are new; the rest it knows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from ....models.frozen import frozen
from ...types.budget import Meter
from ...types.verdict import Counts
from ..moves.hooks import BITS, CUT, FIRST, WHICH
from ..moves.layout import Field, Key, Words, as_key, as_words
from .interpreted import CHECK_EVERY, Interpreted
from .lasso import PackedLasso, Rounds, in_python
from .result import Result


class Expansion(NamedTuple):
    """What the moves of a position come to: positions *after* it, *bits* of formulas that become
    true, whether the scope *cut* some.
    """

    after: tuple[Key, ...]
    bits: int
    cut: bool


Look: TypeAlias = Callable[[Key], Expansion]
"""Finds out what the moves of a position come to."""


@frozen
class PatchedPlaces:
    """Where the moves of a patched text may be others than those of the text itself.

    *stage* is the code of the stage of the edit, *before* those of all stages from which a play
    comes there. *moves* and *able* are the functions there that are others (`Patch`). Formulas that
    are watched ask *rules* of the position reached, and so what they say of the moves that lead
    there may be another; with *are_steps* they look at no position that the search does not keep.
    """

    stage: int
    before: frozenset[int]
    moves: tuple[str, ...]
    able: tuple[str, ...]
    rules: bool
    are_steps: bool


class KnownSearch:
    """The search of one text from *starts* for the bits *wanted* (0: all positions are looked at),
    and with *rounds* for a lasso.

    *stage* says where a position has its stage. Raises `BudgetSpentError` if *meter* lets it go no
    further.
    """

    def __init__(
        self,
        run: Interpreted,
        which: int,
        starts: Sequence[Words],
        wanted: int,
        rounds: Rounds | None,
        stage: Field,
        meter: Meter,
    ) -> None:
        self.run, self.which, self.starts, self.wanted = run, which, starts, wanted
        self.rounds, self.stage = rounds, stage
        self.begun = _begun(run, which, starts)
        self.moves: dict[Key, Expansion] = {}
        self.result, self.known = self._walk(run, self.begun, {}, self._looked, meter)
        self._own: dict[tuple[int, str], list[_Written]] = {}

    def _looked(self, key: Key) -> Expansion:
        self.moves[key] = found = expanded(self.run, self.which, key)
        return found

    @cached_property
    def by_stage(self) -> Mapping[int, list[Key]]:
        """The positions that were found, by the codes of their stages."""
        found: dict[int, list[Key]] = defaultdict(list)
        word, shift, mask = self.stage.word, self.stage.shift, self.stage.mask
        for key in self.known:
            found[(key if isinstance(key, int) else key[word]) >> shift & mask].append(key)
        return found

    # ------------------------------------------------------------------ a patched text

    def patched_result(self, run: Interpreted, changes: PatchedPlaces, meter: Meter) -> Result:
        """Return what the search of the patched text *run* comes to, where it is other than this
        one as *changes* say.

        Raises `BudgetSpentError` if *meter* lets it go no further.
        """
        begun = _begun(run, self.which, self.starts)
        others = self._others(run, changes, self.which)
        if (
            not others
            and begun == self.begun
            and not (self.rounds and self._stays_otherwise(run, changes, self.rounds.which))
        ):
            return self.result
        return self._walk(run, begun, others, lambda key: expanded(run, self.which, key), meter)[0]

    def _others(self, run: Interpreted, changes: PatchedPlaces, which: int) -> dict[Key, Expansion]:
        """Return the positions that were looked at whose moves are others in *run*, each with what
        they come to.
        """
        if changes.rules and not (changes.are_steps and self._is_able_alike(run, changes)):
            return self._all_others(run, changes, which)
        own = [self._of_clause(name, which, changes.stage) for name in changes.moves]
        different: dict[Key, Expansion] = {}
        for at, key in enumerate(self.by_stage.get(changes.stage, ())):
            if any(
                _written(run, run.names[name], which, key) != of[at]
                for name, of in zip(changes.moves, own, strict=True)
            ):
                different[key] = expanded(run, which, key)
        return different

    def _all_others(
        self, run: Interpreted, changes: PatchedPlaces, which: int
    ) -> dict[Key, Expansion]:
        """Return what `_others` does, where what the formulas say of a move that leads to the stage
        may be another as well.
        """
        different: dict[Key, Expansion] = {}
        for key in (
            key
            for stage in {changes.stage, *changes.before}
            for key in self.by_stage.get(stage, ())
        ):
            found = expanded(run, which, key)
            if found != (
                self.moves.get(key) if which == self.which else expanded(self.run, which, key)
            ):
                different[key] = found
        return different

    def _stays_otherwise(self, run: Interpreted, changes: PatchedPlaces, which: int) -> bool:
        """Whether moves that may be part of a loop are others, or what ends a play might be."""
        return bool(self._others(run, changes, which)) or not self._is_able_alike(run, changes)

    def _is_able_alike(self, run: Interpreted, changes: PatchedPlaces) -> bool:
        """Whether the same is possible at every position that was found, as far as the changed
        functions say.
        """
        pairs = [(run.names[name], self.run.names[name]) for name in changes.able]
        places = [as_words(key) for key in self.by_stage.get(changes.stage, ())] if pairs else []
        return all(
            one(*words, run.out, 0) == other(*words, self.run.out, 0)
            for words in places
            for one, other in pairs
        )

    def _of_clause(self, name: str, which: int, stage: int) -> list[_Written]:
        """Return what the function *name* writes at each position of a *stage* that was looked
        at.
        """
        key = which, name
        if key not in self._own:
            function = self.run.names[name]
            self._own[key] = [
                _written(self.run, function, which, place) for place in self.by_stage.get(stage, ())
            ]
        return self._own[key]

    # ------------------------------------------------------------------ searching

    def _walk(
        self,
        run: Interpreted,
        begun: tuple[list[Key], int],
        others: Mapping[Key, Expansion],
        look: Look,
        meter: Meter,
    ) -> tuple[Result, set[Key]]:
        """Search breadth-first from where plays have *begun*, as `search` does, layer by layer.

        What is known already is known, but of *others*, and what is neither is *look*ed at.
        """
        layer, bits = set(begun[0]), begun[1]
        known, hits, layers, moves, is_cut = set(layer), dict[int, int](), 1, 0, False
        _note(hits, bits, 0)
        ended = bool(self.wanted) and self.wanted & ~bits == 0
        while layer and not ended:
            meter.check(layers, len(known), moves)
            following, new = set[Key](), 0
            for key in layer:
                found = others.get(key) or self.moves.get(key)
                if found is None:
                    if new % CHECK_EVERY == 0:
                        meter.grow(len(known))
                        meter.check(layers, len(known), moves)
                    found, new = look(key), new + 1
                bits |= found.bits
                is_cut |= found.cut
                moves += len(found.after)
                following.update(found.after)
            layer = following - known
            known |= layer
            _note(hits, bits, layers)
            ended = bool(self.wanted) and self.wanted & ~bits == 0
            layers += bool(layer)
        lasso = self._lasso(run, known)
        return Result(
            Counts(len(known), moves, layers, int(is_cut)),
            layers,
            "",
            "interpreted",
            hits=hits,
            lasso=lasso,
        ), known

    def _lasso(self, run: Interpreted, known: Collection[Key]) -> PackedLasso | None:
        """Return that there is a lasso among the positions *known*, if one is looked for and there
        is.
        """
        if self.rounds is None:
            return None
        run.out[WHICH] = self.rounds.which
        return PackedLasso(()) if in_python(run, self.rounds, known, lambda: None).is_play else None


def _note(hits: dict[int, int], bits: int, moves: int) -> None:
    for bit in range(bits.bit_length()):
        if bits >> bit & 1:
            hits.setdefault(bit, moves)


def _begun(run: Interpreted, which: int, starts: Sequence[Words]) -> tuple[list[Key], int]:
    """Return the positions in which plays begin, and the bits true there."""
    run.out[WHICH] = which
    begun = [run.begun(words) for words in starts]
    bits = 0
    for _, its in begun:
        bits |= its
    return [as_key(words) for positions, _ in begun for words in positions], bits


def expanded(run: Interpreted, which: int, key: Key) -> Expansion:
    """Return what the moves of the position *key* come to."""
    words, bits, is_cut = _written(run, run.function, which, key)
    size = run.size
    if size == 1:
        after: tuple[Key, ...] = tuple(sorted(set(words)))
    else:
        after = tuple(sorted({words[at : at + size] for at in range(0, len(words), size)}))
    return Expansion(after, bits, is_cut)


_Written: TypeAlias = tuple[tuple[int, ...], int, bool]
"""What a function writes down of moves: the words of the positions after them, the bits that become
true, whether the scope cut some.
"""


def _written(run: Interpreted, function: Callable[..., int], which: int, key: Key) -> _Written:
    out = run.out
    out[WHICH], out[BITS], out[CUT] = which, 0, 0
    end = function(key, out, FIRST) if run.size == 1 else function(*as_words(key), out, FIRST)
    return tuple(out[FIRST:end]), out[BITS], out[CUT] > 0
