"""WebAssembly: the source of a kernel -> a module that a browser can run.

In comes source in the subset of `assembly`, out comes one module with the functions of the same
names. It imports its memory (``env.__linear_memory``), whose first page is its own. LLVM's object
file is such a module but for one thing: nothing in it is exported. So a section of exports is put
in, by the names in its table of symbols.

Numbers of 64 bits are given and returned as BigInt; an array is given as the address of its first
byte. Format: WebAssembly Core Specification 2.0, 5 (modules); that of the symbols is in
WebAssembly's tool-conventions (Linking).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ....models.storage.keeping import keep, kept, name_of
from ....models.storage.key import code_digest
from ....models.storage.opening import cache_folder
from .assembly import assemble
from .machine import BEST, COMPILER, NoMachineError, compiler, object_code, version_of

TRIPLE = "wasm32-unknown-unknown"
PAGE = 1 << 16
"""The bytes of a page of memory; what a module itself needs lies in the first."""
_CUSTOM, _TYPE, _IMPORT, _FUNCTION, _EXPORT, _CODE, _DATA, _DATA_COUNT = 0, 1, 2, 3, 7, 10, 11, 12
_KEPT = {_TYPE, _IMPORT, _FUNCTION, _CODE, _DATA, _DATA_COUNT}
_SYMBOLS, _IS_FUNCTION, _IS_UNDEFINED, _MEMORY = 8, 0, 0x10, b"\x03env\x0f__linear_memory\x02"
_HEAD = b"\0asm\x01\0\0\0"
_FORMAT = "1"
"""Part of the name of what is kept: to be changed when the same source should give another
module.
"""


def web_module(source: str, exported: Collection[str], level: int = BEST) -> bytes:
    """Return the module of *source*, whose functions *exported* can be called, optimized at
    *level*; it is kept, as compiled code is.

    Raises `NoMachineError` if LLVM makes none here.
    """
    llvm = compiler()
    by = code_digest(*COMPILER, "checker/explicit/native/webassembly.py")
    name = name_of(_FORMAT, TRIPLE, by, str(level), version_of(llvm), *exported, source)
    file = cache_folder() / f"{name}.wasm"
    module = kept(file)
    if module is None:
        module = _module_of(source, exported, level, llvm)
        keep(file, module, "the page's compiled code")
    return module


def _module_of(source: str, exported: Collection[str], level: int, llvm: Any) -> bytes:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=level)
        module = llvm.parse_assembly(assemble(source, exported, hints=False))
        module.triple, module.data_layout = TRIPLE, str(target.target_data)
        return _exporting(object_code(module, target, level, llvm), exported)
    except RuntimeError as error:
        raise NoMachineError(f"LLVM makes no WebAssembly of the kernel: {error}") from error


def _exporting(code: bytes, exported: Collection[str]) -> bytes:
    """Return the object file *code* as a module that exports the functions *exported*."""
    sections = list(_sections(code))
    (imports,) = (content for number, content in sections if number == _IMPORT)
    if imports[:1] != b"\x01" or not imports[1:].startswith(_MEMORY):
        raise NoMachineError("the WebAssembly of the kernel needs more than a memory")
    numbers = dict(
        _functions(
            next(
                content
                for number, content in sections
                if number == _CUSTOM and content.startswith(b"\x07linking")
            )
        )
    )
    exports = b"".join(
        [
            _leb(len(exported)),
            *(_name_bytes(name) + b"\0" + _leb(numbers[name]) for name in exported),
        ]
    )
    kept = {number: content for number, content in sections if number in _KEPT} | {_EXPORT: exports}
    if _DATA in kept and len(kept[_DATA]) > PAGE // 2:
        raise NoMachineError("the WebAssembly of the kernel has too large tables")
    order = (_TYPE, _IMPORT, _FUNCTION, _EXPORT, _DATA_COUNT, _CODE, _DATA)
    return _HEAD + b"".join(
        bytes([number]) + _leb(len(kept[number])) + kept[number]
        for number in order
        if number in kept
    )


def _sections(code: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the sections of a module, each with its number."""
    at = len(_HEAD)
    while at < len(code):
        size, start = _leb128(code, at + 1)
        yield code[at], code[start : start + size]
        at = start + size


def _functions(linking: bytes) -> Iterator[tuple[str, int]]:
    """Yield the names of the functions in a section of symbols, with their numbers."""
    at = 1 + len("linking") + 1
    while at < len(linking):
        kind, (size, start) = linking[at], _leb128(linking, at + 1)
        at = start + size
        if kind == _SYMBOLS:
            yield from _symbols(linking[start:at])


def _symbols(table: bytes) -> Iterator[tuple[str, int]]:
    number, at = _leb128(table, 0)
    for _ in range(number):
        kind, (flags, at) = table[at], _leb128(table, at + 1)
        if kind == _IS_FUNCTION:
            index, at = _leb128(table, at)
            size, at = _leb128(table, at)
            yield table[at : at + size].decode(), index
            at += size
            continue
        size, at = _leb128(
            table, at
        )  # of a piece of data: its name and, if it is here, which segment, from where, how long
        at += size
        for _ in range(0 if flags & _IS_UNDEFINED else 3):
            _, at = _leb128(table, at)


def _leb128(code: bytes, at: int) -> tuple[int, int]:
    """Return the number that is written from byte *at* on, seven bits in each, and where it
    ends.
    """
    value = shift = 0
    while True:
        byte, at = code[at], at + 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _leb(value: int) -> bytes:
    """Return *value* as `_leb128` reads it."""
    more, last = value >> 7, value & 0x7F
    return bytes([last]) if not more else bytes([last | 0x80]) + _leb(more)


def _name_bytes(name: str) -> bytes:
    return _leb(len(name)) + name.encode()
