"""The interpreted tier: the emitted text as CPython runs it. Small searches end here before a
kernel would be there.

A position of one word is a number, of several a tuple of numbers: a `Key`. The table is a set.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType
from typing import Any

from ....models.frozen import frozen
from ....models.storage.keeping import keep, kept, name_of
from ....models.storage.opening import cache_folder
from ...types.budget import Meter
from ...types.verdict import Counts
from ..emit.emit import Emitted
from ..moves.hooks import BITS, CUT, FIRST, NUMBER, WHICH
from ..moves.layout import Key, Words, as_key, as_words
from .tier import Tier

CHECK_EVERY = 512
"""How many positions are expanded between two looks at the meter."""
_MOST_COMPILED = 8192
"""How many functions are remembered with their code; a text has some three hundred."""
_FORMAT = "1"
"""Part of the name of code that is kept: to be changed when the same text should give other
code.
"""


class Interpreted:
    """An emitted text, ready to run, watching the formula of number *which*; functions that are
    *patched* stand in the place of its own.
    """

    def __init__(
        self, emitted: Emitted, which: int = 0, patched: Mapping[str, str] | None = None
    ) -> None:
        defined = _defined(emitted.text)
        self.names = names = _patched(defined, patched) if patched else defined.names
        self.size, self.width = emitted.layout.words, emitted.width
        self.function: Callable[..., int] = names["successors"]
        words = emitted.most_moves * emitted.width
        self.out = [0] * (FIRST + words + max(words, emitted.scratch))
        self.out[WHICH] = which
        self._start: Callable[..., int] = names["start"]
        self._is_end: Callable[..., int] | None = names["is_end"] if emitted.asks_ends else None

    def started(self, words: Words) -> list[Words]:
        """Return the position in which a play begins whose variables are those of *words*; none if
        the formula never becomes true.
        """
        return self._outputs(self._start, words)

    def begun(self, words: Words) -> tuple[list[Words], int]:
        """Return what `started` returns, and the bits of the formulas true there."""
        self.out[BITS] = 0
        return self.started(words), self.out[BITS]

    def is_end(self, words: Words) -> bool:
        """Whether the rules allow none of the moves from the position *words*, all of which the
        scope cuts.
        """
        return self._is_end is not None and bool(self._is_end(*words, self.out, 0))

    def outputs(self, words: Words) -> list[Words]:
        """Return what the text finds for the position *words*, a tuple for each move; the header is
        added to (NOTE(buffer)).
        """
        return self._outputs(self.function, words)

    def _outputs(self, function: Callable[..., int], words: Words) -> list[Words]:
        self.out[NUMBER] = 0
        end = function(*words, self.out, FIRST)
        return [tuple(self.out[at : at + self.width]) for at in range(FIRST, end, self.width)]


class _Functions:
    """The functions of a text by their *names*, for all its searches; each is compiled when it is
    first called, and few ever are.

    What was compiled for an earlier run is kept as machine code is: `kept` gives nothing that this
    user's key has not signed.
    """

    def __init__(self, text: str, folder: Path) -> None:
        self.file = folder / f"{name_of(_FORMAT, MAGIC_NUMBER.hex(), text)}.code"
        self.codes = _codes(kept(self.file))
        self.names: dict[str, Any] = {}
        self.is_kept = True
        self.sources = {
            source[: source.index("(")]: f"def {source}"
            for source in text.removeprefix("def ").split("\ndef ")
        }
        self.names |= _pending(self.names, self.code, self.sources)
        for name in ("start", "successors"):
            self.names[name].compile()

    def code(self, name: str, source: str) -> CodeType:
        """Return the code of the function *name*, which is *source*."""
        code = self.codes.get(name)
        if code is None:
            code = self.codes[name] = _compiled(source)
            self.is_kept = False
        return code

    def keep(self) -> None:
        """Keep what was compiled, if anything was."""
        if not self.is_kept:
            keep(self.file, marshal.dumps(self.codes), "code")
            self.is_kept = True


def _patched(whole: _Functions, others: Mapping[str, str]) -> dict[str, Any]:
    """Return the functions of a text, *whole*, by their names, of which some are *others*; what is
    compiled of the rest serves all.
    """

    def code(name: str, source: str) -> CodeType:
        return _compiled(source) if name in others else whole.code(name, source)

    names: dict[str, Any] = {}
    names |= _pending(names, code, {**whole.sources, **others})
    return names


@lru_cache(_MOST_COMPILED)
def _compiled(source: str) -> CodeType:
    """Return the code of one function, which texts of one ruleset, and of its readings, have in
    common.
    """
    return compile(source, "<emitted>", "exec")


def _codes(content: bytes | None) -> dict[str, CodeType]:
    """Return the codes by their names that are kept as *content*; none if it is something else."""
    try:
        known = marshal.loads(content or b"")
    except (EOFError, TypeError, ValueError):
        return {}
    return (
        known
        if isinstance(known, dict) and all(isinstance(code, CodeType) for code in known.values())
        else {}
    )


_DEFINED: dict[tuple[str, Path], _Functions] = {}
_MOST_DEFINED = 64


def _defined(text: str) -> _Functions:
    """Return the functions of *text*."""
    key = text, cache_folder()
    if key not in _DEFINED:
        if len(_DEFINED) == _MOST_DEFINED:
            _DEFINED.pop(next(iter(_DEFINED))).keep()
        _DEFINED[key] = _Functions(*key)
    return _DEFINED[key]


def keep_code() -> None:
    """Keep what was compiled of all texts, for the next run."""
    for functions in _DEFINED.values():
        functions.keep()


@lru_cache(8)
def functions_of(text: str) -> Mapping[str, Callable[..., int]]:
    """Return the functions of a *text* that is compiled with kernels, by their names, as CPython
    runs them.
    """
    names: dict[str, Any] = {"prefetch": lambda *_: 0}  # a hint, to machines only
    exec(text, names)
    return names


@frozen
class _Pending:
    """The function *name* of *names* before its first call; *code* is that of its *source*."""

    names: dict[str, Any]
    code: Callable[[str, str], CodeType]
    name: str
    source: str

    def compile(self) -> None:
        """Put the function itself in this place."""
        exec(self.code(self.name, self.source), self.names)

    def __call__(self, *arguments: Any) -> Any:
        """Compile the function and call it."""
        self.compile()
        return self.names[self.name](*arguments)


def _pending(
    names: dict[str, Any], code: Callable[[str, str], CodeType], sources: Mapping[str, str]
) -> dict[str, _Pending]:
    """Return what stands in *names* for the functions of these *sources*, until they are called."""
    return {name: _Pending(names, code, name, source) for name, source in sources.items()}


@dataclass
class Grown:
    """A search that has not ended: the positions *known*, the present *layer* up to number *at*,
    the *following* layer, counts, and the layers left *behind* if they are kept.

    *bits* are those of the formulas seen to be true.
    """

    known: set[Key]
    layer: list[Key]
    at: int = 0
    following: list[Key] = field(default_factory=list)
    moves: int = 0
    cut: int = 0
    bits: int = 0
    layers: int = 1
    behind: list[list[Key]] = field(default_factory=list)


def begun(positions: Iterable[Words]) -> Grown:
    """Return the search in which only the *positions* are known in which plays begin."""
    first = [as_key(words) for words in positions]
    return Grown(set(first), first)


class InPython(Tier):
    """A search in plain Python of up to *most* positions in *emitted*, which watches the formula of
    number *which*; layers are kept if *keep*.

    *started* are positions in which plays begin, and the bits true in them. *take* is called
    between two parts of the work; it raises KeyboardInterrupt if somebody has asked for the end.
    """

    def __init__(
        self,
        emitted: Emitted,
        which: int,
        started: Sequence[tuple[list[Words], int]],
        meter: Meter,
        take: Callable[[], None],
        *,
        most: int,
        keep: bool,
    ) -> None:
        self.emitted, self.which, self.meter, self.take = emitted, which, meter, take
        self.most, self.keep = most, keep
        self.grown = begun(words for positions, _ in started for words in positions)
        for _, bits in started:
            self.grown.bits |= bits

    @cached_property
    def _interpreted(self) -> Interpreted:
        return Interpreted(self.emitted, self.which)

    @property
    def known(self) -> int:
        """How many positions are known."""
        return len(self.grown.known)

    @property
    def bits(self) -> int:
        """The bits of the formulas that have been true at some moment."""
        return self.grown.bits

    @property
    def so_far(self) -> Counts:
        """How much there is so far."""
        return Counts(self.known, self.grown.moves, self.grown.layers, self.grown.cut)

    def finish_layer(self) -> bool:
        """Expand the rest of the present layer; return False if too many positions are known before
        its end.
        """
        run, grown = self._interpreted, self.grown
        run.out[CUT] = run.out[BITS] = 0
        expand = _expand_numbers if run.size == 1 else _expand_tuples
        try:
            while grown.at < len(grown.layer):
                if self.known > self.most:
                    return False
                self.take()
                self.meter.grow(self.known)
                self.meter.check(grown.layers, self.known, grown.moves)
                stop = min(grown.at + CHECK_EVERY, len(grown.layer))
                expand(run, grown, stop)
                grown.at = stop
            return True
        finally:
            grown.cut += run.out[CUT]
            grown.bits |= run.out[BITS]

    def next_layer(self) -> bool:
        """Go to the following layer; return False if there is none."""
        grown = self.grown
        if not grown.following:
            return False
        if self.keep:
            grown.behind.append(grown.layer)
        grown.layer, grown.following, grown.at = grown.following, [], 0
        grown.layers += 1
        return True

    def words_of(self, number: int) -> Iterator[Words]:
        """Yield the positions of layer *number*."""
        grown = self.grown
        return map(as_words, [*grown.behind, grown.layer, grown.following][number])

    def makers(self, number: int, bits: Collection[int]) -> dict[int, Words]:
        """Return for each of *bits* the smallest position of layer *number* with a move that makes
        its formula true, if any has.
        """
        found: dict[int, Words] = {}
        for words in sorted(self.words_of(number)):
            self._interpreted.out[BITS] = 0
            self._interpreted.outputs(words)
            true = self._interpreted.out[BITS]
            found |= {bit: words for bit in bits if bit not in found and true >> bit & 1}
            if len(found) == len(bits):
                break
        return found

    def leaders(self, number: int, wanted: Collection[Words]) -> dict[Words, Words]:
        """Return for each of the *wanted* positions the smallest one of layer *number* that has a
        move to it, if any has.
        """
        found: dict[Words, Words] = {}
        for words in sorted(self.words_of(number)):
            for after in self._interpreted.outputs(words):
                if after in wanted:
                    found.setdefault(after, words)
            if len(found) == len(wanted):
                break
        return found


def _expand_numbers(run: Interpreted, grown: Grown, stop: int) -> None:
    successors = run.function
    out = run.out
    known = grown.known
    following = grown.following
    moves = 0
    for position in grown.layer[grown.at : stop]:
        end = successors(position, out, FIRST)
        moves += end - FIRST
        for found in out[FIRST:end]:
            if found not in known:
                known.add(found)
                following.append(found)
    grown.moves += moves


def _expand_tuples(run: Interpreted, grown: Grown, stop: int) -> None:
    successors = run.function
    out = run.out
    known = grown.known
    following = grown.following
    moves = 0
    size = run.size
    for position in grown.layer[grown.at : stop]:
        # Where a position has several words, all are tuples.
        end = successors(*position, out, FIRST)  # type: ignore[misc]
        moves += end - FIRST
        for at in range(FIRST, end, size):
            found = tuple(out[at : at + size])
            if found not in known:
                known.add(found)
                following.append(found)
    grown.moves += moves // size
