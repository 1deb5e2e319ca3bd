"""Machine code: the source of a kernel -> functions of the machine, compiled and loaded once.

In comes source in the subset of `assembly`, out comes a `Machine` with its functions. LLVM compiles
it (by llvmlite, which is imported only when something is compiled or loaded). The object code is
kept in the user's cache directory (`models.storage.keeping`) under a name made of all it depends
on: the source, the processor, the versions.

Loading: the compiled code of texts, loaded once for all searches, and how a play begins in it.

In comes an `Emitted`, out comes its `Machine`. What was not kept when it was first asked for is not
looked for again.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from ....models.frozen import frozen
from ....models.storage.keeping import keep, kept, name_of
from ....models.storage.key import code_digest, digest
from ....models.storage.opening import cache_folder
from ..emit.emit import Emitted
from ..moves.hooks import BITS, FIRST, WHICH
from ..moves.layout import Words
from ..moves.state import DIGITS
from . import kernel
from .assembly import assemble, assemble_among, functions_of, parameters_of
from .kernel import OF_ROUNDS
from .memory import Memory

_FUNCTIONS = "start", "expand", "insert", "lead", "make"
"""The functions of a kernel that are called."""
_LOADED = 32
"""How many kernels stay loaded: one text serves many searches."""


def machine_for(
    emitted: Emitted, level: int, *, only_kept: bool = False, together: bool = False
) -> Machine:
    """Return the kernel of *emitted* compiled at *level*, or *only_kept* code; raise
    `NoMachineError` if there cannot be one.
    """
    return _kernel(emitted, level, cache_folder(), together).loaded(only_kept=only_kept)


@dataclass
class _Kernel:
    """The kernel of *emitted*, whose compiled code is in *folder* if it is kept."""

    emitted: Emitted
    level: int
    folder: Path
    together: bool
    machine: Machine | None = None
    is_missing: bool = False

    def loaded(self, *, only_kept: bool) -> Machine:
        if self.machine is None:
            if only_kept and self.is_missing:
                raise NoMachineError("nothing is compiled yet")
            self.is_missing = only_kept
            functions = (*_FUNCTIONS, *(OF_ROUNDS if self.emitted.goes_round else ()))
            source = kernel.kernel_text(self.emitted, together=self.together)
            self.machine = Machine(
                source, functions, self.folder, level=self.level, only_kept=only_kept
            )
        return self.machine


_kernel = lru_cache(_LOADED)(_Kernel)


def started(
    machine: Machine, emitted: Emitted, words: Words, which: int
) -> tuple[list[Words], int]:
    """Return the position in which a play begins whose variables are those of *words*, and the bits
    of the formulas true there.

    There is none if the formula never becomes true, and one for each way to owe something about the
    future.
    """
    out = Memory(kernel.buffer_words(emitted))
    out.numbers[WHICH] = which
    end = machine.functions["start"](*words, out, FIRST)
    size = emitted.layout.words
    return [tuple(out.numbers[at : at + size]) for at in range(FIRST, end, size)], out.numbers[BITS]


FORMAT = "1"
"""Part of every name: to be changed when the same source should give other code."""
COMPILER = "checker/explicit/native/assembly.py", "checker/explicit/native/machine.py"
"""What makes machine code of a source."""
QUICK, FAIR, BEST = 0, 1, 3
"""How much LLVM optimizes.

QUICK: not at all, which is ten times quicker to compile and half as fast to run. FAIR: each
function by itself, which is four times quicker to compile and a third slower to run. BEST: as far
as it can.
"""


_MOST_SHARED = 50_000
"""How many functions stay loaded for all sources to share, some kilobytes each."""
_SHARED: list[_SharedCode] = []
"""What is compiled for all sources, once there is any."""
_SHARING: list[None] = []
"""Something in it for each that is `sharing` now."""


_FEW_NEW = 1 / 8
"""Which part of the functions of a source may be new for its code to count as kept."""
_CALL = re.compile(r"\b([A-Za-z]\w*)\(")


class NoMachineError(Exception):
    """There is no compiled code to be had; the message says why, in one sentence."""


@frozen
class CompiledFunction:
    """A function of compiled code; its arguments are numbers and arrays, or their addresses.

    *code* is what the function lives in: as long as somebody has the function, the code stays.
    """

    address: int
    parameters: int
    code: object

    def __call__(self, *arguments: Memory | int) -> int:
        """Run it; other threads of Python go on meanwhile."""
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * self.parameters)
        return int(prototype(self.address)(*arguments))


class Machine:
    """The functions of one source, *note* being what went wrong with keeping it; *was_kept* says
    that nothing had to be compiled.

    With *only_kept* nothing ever is: there is a `NoMachineError` instead.
    """

    def __init__(
        self,
        source: str,
        functions: Collection[str],
        folder: Path | None = None,
        *,
        level: int = BEST,
        only_kept: bool = False,
    ) -> None:
        llvm = compiler()
        self.level, self.note, self.was_kept = level, "", not _SHARING
        addresses = (
            self._shared(source, functions, only_kept=only_kept, llvm=llvm)
            if _SHARING and level == QUICK
            else {}
        )
        if not addresses:
            self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target(level, llvm))
            code = self._code(
                source, functions, folder or cache_folder(), only_kept=only_kept, llvm=llvm
            )
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
            self._engine.finalize_object()
            addresses = {name: self._engine.get_function_address(name) for name in functions}
        if missing := [name for name, address in addresses.items() if not address]:
            raise NoMachineError(f"the compiled code has no {', '.join(missing)}")
        texts = functions_of(source)
        self.functions = {
            name: CompiledFunction(address, len(parameters_of(texts[name])), self._engine)
            for name, address in addresses.items()
        }

    def _shared(
        self, source: str, functions: Collection[str], *, only_kept: bool, llvm: Any
    ) -> dict[str, int]:
        """Return the addresses of *functions*, which live with those of all sources."""
        shared = _shared_code(llvm)
        self._engine = shared.engine
        addresses = shared.addresses(source, functions, only_kept=only_kept)
        if addresses is None:
            raise NoMachineError("nothing is compiled yet")
        return addresses

    def _code(
        self, source: str, functions: Collection[str], folder: Path, *, only_kept: bool, llvm: Any
    ) -> bytes:
        """Return the object code of *source*, which is kept in *folder*."""
        level = self.level
        file = folder / f"{_code_name(source, level, llvm)}.o"
        code = kept(file)
        if code is None:
            if only_kept:
                raise NoMachineError("nothing is compiled yet")
            self.was_kept, code = False, _compiled(assemble(source, functions), level, llvm)
            self.note = keep(file, code, "compiled code")
        return code


# ------------------------------------------------------------------ compiling


def compiler() -> Any:
    """Return the binding of LLVM; raise `NoMachineError` if there is none."""
    try:
        llvm = import_module("llvmlite.binding")
    except (ImportError, OSError) as error:
        raise NoMachineError(f"llvmlite is not there, so nothing is compiled: {error}") from None
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


def _target(level: int, llvm: Any) -> Any:
    features = llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple().create_target_machine(
        opt=level, cpu=llvm.get_host_cpu_name(), features=features, jit=True
    )


def _compiled(assembly: str, level: int, llvm: Any) -> bytes:
    try:
        return object_code(llvm.parse_assembly(assembly), _target(level, llvm), level, llvm)
    except RuntimeError as error:
        raise NoMachineError(f"LLVM does not compile the kernel: {error}") from error


@contextmanager
def sharing() -> Iterator[None]:
    """Compile each function once meanwhile, where nothing is optimized, for all sources that have
    it; that code is not kept.

    Of readings of one ruleset most sources have few functions that others have not.
    """
    _SHARING.append(None)
    try:
        yield
    finally:
        _SHARING.pop()


def _shared_code(llvm: Any) -> _SharedCode:
    """Return what is compiled for all sources; it begins anew where it has become large."""
    if not _SHARED or len(_SHARED[0].known) > _MOST_SHARED:
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target(QUICK, llvm))

        def joined(text: str) -> None:
            engine.add_object_file(llvm.ObjectFileRef.from_data(_compiled(text, QUICK, llvm)))
            engine.finalize_object()

        _SHARED[:] = [_SharedCode(engine, joined)]
    return _SHARED[0]


def object_code(module: Any, target: Any, level: int, llvm: Any) -> bytes:
    """Return the object code of *module* for the machine *target*, both of *llvm*; raises
    RuntimeError.
    """
    module.verify()
    builder = llvm.create_pass_builder(
        target, llvm.create_pipeline_tuning_options(speed_level=level)
    )
    passes = _few_passes(llvm) if level == FAIR else builder.getModulePassManager()
    passes.run(module, builder)
    return bytes(target.emit_object(module))


def _few_passes(llvm: Any) -> Any:
    """Return the passes that make registers of stack cells, and less of what becomes of them; no
    function goes into another.
    """
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    return passes


def _code_name(source: str, level: int, llvm: Any) -> str:
    """Return the name of the code of *source*: a digest of all that it depends on."""
    return name_of(FORMAT, code_digest(*COMPILER), str(level), *_here(llvm), source)


@lru_cache
def _here(llvm: Any) -> tuple[str, str]:
    """Return the version of *llvm*, and for what processor it compiles here."""
    processor = (
        f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} "
        f"{llvm.get_host_cpu_features().flatten()}"
    )
    return version_of(llvm), processor


def version_of(llvm: Any) -> str:
    """Return the version of *llvm*."""
    return ".".join(map(str, llvm.llvm_version_info))


@dataclass
class _SharedCode:
    """What was compiled of all sources so far, in one *engine*; *joined* compiles a piece of
    assembly and puts it there.

    What no source had before is compiled as one piece and joined to what is there. A function is
    known by its text and by those of all that it calls.
    """

    engine: Any
    joined: Callable[[str], None]
    known: set[str] = field(default_factory=set)

    def addresses(
        self, source: str, exported: Collection[str], *, only_kept: bool
    ) -> dict[str, int] | None:
        """Return the addresses of the *exported* functions of *source*; None if too many are new,
        and *only_kept* code may be used.
        """
        texts = named_by_content(source, exported)
        known = {name: text for name, text in texts.values() if name in self.known}
        new = {name: text for name, text in texts.values() if name not in self.known}
        if only_kept and len(new) > _FEW_NEW * len(texts):
            return None
        if new:
            self.joined(assemble_among(new, known, [texts[name][0] for name in exported]))
            self.known |= new.keys()
        return {name: self.engine.get_function_address(texts[name][0]) for name in exported}


def named_by_content(source: str, exported: Collection[str]) -> dict[str, tuple[str, str]]:
    """Return for each function of *source* a name made of its content, and its text with such
    names.

    A function that is called above its definition has a name of its own in each source, and for
    each choice of what is exported.
    """
    functions, found, early = functions_of(source), dict[str, tuple[str, str]](), dict[str, str]()
    whole = digest(*sorted(exported), source)[:DIGITS]

    def called(match: re.Match[str]) -> str:
        name = match[1]
        if name in found:
            return f"{found[name][0]}("
        if name in functions:
            return f"{early.setdefault(name, f'{name}_{whole}')}("
        return match[0]

    for name, text in functions.items():
        said = _CALL.sub(called, text[len(f"def {name}") :])
        new = early.get(name) or f"{name}_{digest(str(name in exported), said)[:DIGITS]}"
        found[name] = new, f"def {new}{said}"
    return found
