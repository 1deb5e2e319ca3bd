"""Assembly: the text that CPython runs as it is, for the machine.

In comes Python source of the subset below, out goes the same in LLVM's assembly language, one
module for all of it, so that LLVM optimizes the whole once. The subset: functions of whole numbers
and of arrays of them (the parameters named in `ARRAYS`), assignments, ``if``, ``while``, ``for``
over ``range``, ``continue``, ``return``; arithmetic, shifts, comparisons, ``and``, ``or``, ``not``,
conditional expressions; calls of each other; and ``prefetch(array, index)``, a hint. Arrays that
several threads write are named in `SHARED`, and what they share is read by ``fetched(array,
index)`` and written by ``published(array, index, value)`` and ``swapped(array, index, old, new)``,
which writes *new* only in the place of *old* and returns what was there.

A number has 64 bits. It means what it means in Python as long as it stays below 2 ** 63, a
remainder or a shift to the right is of numbers that are not negative, and a shift is by less than
64. The emitted text keeps to that; a hash makes use of what happens beyond (products lose their
high bits).

Every local variable is a stack cell here; LLVM's ``mem2reg`` makes registers of them (Cytron,
Ferrante, Rosen, Wegman and Zadeck, "Efficiently computing static single assignment form", TOPLAS
1991).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping
from functools import lru_cache

ARRAYS = frozenset({
    "out", "table", "layer", "following", "slots", "tally", "positions", "wanted", "counts",
    "stack", "begins", "leads", "ranks", "going", "calls", "sent", "leaving", "fresh", "numbers",
    "nodes", "places", "sources", "targets", "priorities", "levels", "choices", "stamps", "winners",
    "chooses", "came", "queue",
})  # fmt: skip
"""Parameters that are arrays of numbers; no two given to one function overlap."""
SHARED = frozenset({"shared"})
"""Parameters that are arrays which other threads write at the same time."""
_ALL_ARRAYS = ARRAYS | SHARED

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Mod: "urem", ast.FloorDiv: "udiv",
    ast.LShift: "shl", ast.RShift: "lshr", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge",
}  # fmt: skip
_ATOMIC = frozenset({"fetched", "published", "swapped"})
_FUNCTION = re.compile(r"^(?=def )", re.MULTILINE)
_CALLED = re.compile(r"call fastcc i64 @(\w+)\(")
_MOST_ASSEMBLED = 4096
"""How many functions are remembered with their assembly; a text has some two hundred."""
_PREFETCH = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"


def assemble(source: str, exported: Collection[str], *, hints: bool = True) -> str:
    """Return *source* in assembly; only the functions *exported* can be called from outside.

    For a machine that takes no *hints* a prefetch is a load with an unused result: it brings the
    same line into the cache.
    """
    functions = functions_of(source).items()
    return "\n".join(
        [*(_assembled(text, name in exported, hints) for name, text in functions), _PREFETCH, ""]
    )


def functions_of(source: str) -> dict[str, str]:
    """Return the functions of *source*, each text by its name."""
    return {
        text[4 : text.index("(")]: text
        for text in _FUNCTION.split(source)
        if text.startswith("def ")
    }


def assemble_among(
    texts: Mapping[str, str], others: Mapping[str, str], exported: Collection[str]
) -> str:
    """Return the functions of *texts*, by their names, as a module of its own; what they call of
    the *others* is declared there.
    """
    said = "\n".join(_assembled(text, name in exported, True) for name, text in texts.items())
    called = sorted(set(_CALLED.findall(said)) - texts.keys())
    declared = (_declared(name, others[name]) for name in called)
    return "\n".join(
        [said.replace("define internal fastcc", "define fastcc"), *declared, _PREFETCH, ""]
    )


def parameters_of(text: str) -> list[str]:
    """Return the parameters of the function *text*."""
    return text[text.index("(") + 1 : text.index(")")].replace(",", " ").split()


def _declared(name: str, text: str) -> str:
    given = ", ".join(_parameter(one).partition(" %")[0] for one in parameters_of(text))
    return f"declare fastcc i64 @{name}({given})"


@lru_cache(_MOST_ASSEMBLED)
def _assembled(source: str, is_exported: bool, hints: bool) -> str:
    """Return the one function of *source* in assembly. Texts of one ruleset, and of its readings,
    have many functions in common.
    """
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    return str(_Assembler(function, is_exported=is_exported, hints=hints))


def _parameter(name: str) -> str:
    if name in _ALL_ARRAYS:
        return f"ptr %{name}" if name in SHARED else f"ptr noalias %{name}"
    return f"i64 %{name}"


class _Assembler:
    """The assembly of one function."""

    def __init__(self, function: ast.FunctionDef, *, is_exported: bool, hints: bool) -> None:
        self._hints = hints
        self._lines: list[str] = []
        self._numbers = 0
        self._cells: dict[str, None] = {}
        self._repeats: list[str] = []
        self._parameters = [argument.arg for argument in function.args.args]
        for name in self._parameters:
            if name not in _ALL_ARRAYS:
                self._line(f"store i64 %{name}, ptr {self._cell(name)}")
        self._block(function.body)
        self._line("ret i64 0")
        given = ", ".join(map(_parameter, self._parameters))
        linkage = "dso_local" if is_exported else "internal fastcc"
        self._head = f"define {linkage} i64 @{function.name}({given}) nounwind {{"

    def __str__(self) -> str:
        cells = [f"  %cell.{name} = alloca i64" for name in self._cells]
        return "\n".join([self._head, *cells, *self._lines, "}"])

    # ------------------------------------------------------------------ lines

    def _line(self, text: str) -> None:
        self._lines.append("  " + text)

    def _new(self, text: str) -> str:
        """Write an instruction with a result, and return its name."""
        self._numbers += 1
        self._line(f"%t{self._numbers} = {text}")
        return f"%t{self._numbers}"

    def _labels(self, *words: str) -> list[str]:
        self._numbers += 1
        return [f"{word}.{self._numbers}" for word in words]

    def _open(self, label: str) -> None:
        self._lines.append(f"{label}:")

    def _jump(self, label: str) -> None:
        self._line(f"br label %{label}")

    def _fork(self, condition: str, yes: str, no: str) -> None:
        self._line(f"br i1 {condition}, label %{yes}, label %{no}")

    def _cell(self, name: str) -> str:
        self._cells[name] = None
        return f"%cell.{name}"

    # ------------------------------------------------------------------ statements

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign([target], value):
                self._store(target, self._value(value))
            case ast.AugAssign(target, operator, value):
                old = self._value(target)
                self._store(
                    target,
                    self._new(f"{_OPERATORS[type(operator)]} i64 {old}, {self._value(value)}"),
                )
            case ast.If(test, body, orelse):
                self._if(test, body, orelse)
            case ast.While(test, body):
                self._while(test, body)
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), body):
                self._for(name, bounds, body)
            case ast.Return(value):
                self._line(f"ret i64 {self._value(value) if value is not None else '0'}")
                self._open(*self._labels("gone"))
            case ast.Continue():
                self._jump(self._repeats[-1])
                self._open(*self._labels("gone"))
            case ast.Expr(value):
                self._value(value)
            case ast.Pass():
                pass
            case _:
                raise ValueError(f"{ast.unparse(node)} is not of the subset")

    def _store(self, target: ast.expr, value: str) -> None:
        match target:
            case ast.Name(name):
                self._line(f"store i64 {value}, ptr {self._cell(name)}")
            case ast.Subscript(ast.Name(name), index):
                self._line(f"store i64 {value}, ptr {self._element(name, index)}")
            case _:
                raise ValueError(f"{ast.unparse(target)} cannot be assigned")

    def _element(self, array: str, index: ast.expr) -> str:
        return self._new(f"getelementptr inbounds i64, ptr %{array}, i64 {self._value(index)}")

    def _if(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        yes, no, end = self._labels("then", "else", "end")
        self._fork(self._condition(test), yes, no)
        for label, block in ((yes, body), (no, orelse)):
            self._open(label)
            self._block(block)
            self._jump(end)
        self._open(end)

    def _while(self, test: ast.expr, body: list[ast.stmt]) -> None:
        again, inside, end = self._labels("again", "inside", "end")
        self._jump(again)
        self._open(again)
        self._fork(self._condition(test), inside, end)
        self._open(inside)
        self._repeated(body, again)
        self._jump(again)
        self._open(end)

    def _for(self, name: str, bounds: list[ast.expr], body: list[ast.stmt]) -> None:
        first, stop, step = (
            ["0", *map(self._value, bounds), "1"]
            if len(bounds) == 1
            else [*map(self._value, bounds), "1"]
        )[:3]
        again, inside, next_, end = self._labels("again", "inside", "next", "end")
        cell = self._cell(name)
        self._line(f"store i64 {first}, ptr {cell}")
        self._jump(again)
        self._open(again)
        at = self._new(f"load i64, ptr {cell}")
        self._fork(self._new(f"icmp slt i64 {at}, {stop}"), inside, end)
        self._open(inside)
        self._repeated(body, next_)
        self._jump(next_)
        self._open(next_)
        self._line(f"store i64 {self._new(f'add nsw i64 {at}, {step}')}, ptr {cell}")
        self._jump(again)
        self._open(end)

    def _repeated(self, body: list[ast.stmt], repeat: str) -> None:
        self._repeats.append(repeat)
        self._block(body)
        self._repeats.pop()

    # ------------------------------------------------------------------ values

    def _value(self, node: ast.expr) -> str:
        """Write what computes *node*, and return it: a number of 64 bits."""
        match node:
            case ast.Constant(bool() | int() as value):
                return str(int(value))
            case ast.Name(name):
                return self._new(f"load i64, ptr {self._cell(name)}")
            case ast.Subscript(ast.Name(name), index):
                return self._new(f"load i64, ptr {self._element(name, index)}")
            case ast.BinOp(left, operator, right):
                return self._new(
                    f"{_OPERATORS[type(operator)]} i64 {self._value(left)}, {self._value(right)}"
                )
            case ast.UnaryOp(ast.USub(), operand):
                return self._new(f"sub i64 0, {self._value(operand)}")
            case ast.UnaryOp(ast.Invert(), operand):
                return self._new(f"xor i64 -1, {self._value(operand)}")
            case ast.IfExp(test, body, orelse):
                return self._choice("i64", self._condition(test), body, orelse)
            case ast.Call(ast.Name(name), arguments):
                return self._call(name, arguments)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(ast.Not()):
                return self._new(f"zext i1 {self._condition(node)} to i64")
            case _:
                raise ValueError(f"{ast.unparse(node)} is not of the subset")

    def _call(self, name: str, arguments: list[ast.expr]) -> str:
        if name == "prefetch":
            array, index = arguments
            assert isinstance(array, ast.Name)
            place = self._element(array.id, index)
            if not self._hints:
                return self._new(f"load volatile i64, ptr {place}")
            self._line(f"call void @llvm.prefetch.p0(ptr {place}, i32 1, i32 3, i32 1)")
            return "0"
        if name == "min":
            left, right = map(self._value, arguments)
            return self._new(
                f"select i1 {self._new(f'icmp slt i64 {left}, {right}')}, i64 {left}, i64 {right}"
            )
        if name in _ATOMIC:
            return self._atomic(name, arguments)
        given = [
            f"ptr %{a.id}"
            if isinstance(a, ast.Name) and a.id in _ALL_ARRAYS
            else f"i64 {self._value(a)}"
            for a in arguments
        ]
        return self._new(f"call fastcc i64 @{name}({', '.join(given)})")

    def _atomic(self, name: str, arguments: list[ast.expr]) -> str:
        """Write what threads do to an array they share: a thread that fetches a published value
        sees all that was written before it.
        """
        array, index, *values = arguments
        assert isinstance(array, ast.Name)
        place, given = self._element(array.id, index), [self._value(value) for value in values]
        match name:
            case "fetched":
                return self._new(f"load atomic i64, ptr {place} acquire, align 8")
            case "published":
                self._line(f"store atomic i64 {given[0]}, ptr {place} release, align 8")
                return given[0]
            case _:
                pair = self._new(
                    f"cmpxchg ptr {place}, i64 {given[0]}, i64 {given[1]} acq_rel acquire"
                )
                return self._new(f"extractvalue {{ i64, i1 }} {pair}, 0")

    # ------------------------------------------------------------------ conditions

    def _condition(self, node: ast.expr) -> str:
        """Write what computes *node*, and return it: a bit."""
        match node:
            case ast.Constant(bool(value)):
                return "true" if value else "false"
            case ast.UnaryOp(ast.Not(), operand):
                return self._new(f"xor i1 true, {self._condition(operand)}")
            case ast.Compare(left, operators, rights):
                return self._comparison(left, operators, rights)
            case ast.BoolOp(operator, [first, *rest]):
                return self._short_circuit(operator, first, rest)
            case _:
                return self._new(f"icmp ne i64 {self._value(node)}, 0")

    def _comparison(
        self, left: ast.expr, operators: list[ast.cmpop], rights: list[ast.expr]
    ) -> str:
        before, result = self._value(left), "true"
        for operator, right in zip(operators, rights, strict=True):
            value = self._value(right)
            one = self._new(f"icmp {_COMPARISONS[type(operator)]} i64 {before}, {value}")
            before = value
            result = one if result == "true" else self._new(f"and i1 {result}, {one}")
        return result

    def _short_circuit(self, operator: ast.boolop, first: ast.expr, rest: list[ast.expr]) -> str:
        result, is_and = self._condition(first), isinstance(operator, ast.And)
        for part in rest:
            sides = (part, ast.Constant(False)) if is_and else (ast.Constant(True), part)
            result = self._choice("i1", result, *sides)
        return result

    def _choice(self, type_: str, condition: str, body: ast.expr, orelse: ast.expr) -> str:
        """Return the value of *body* or *orelse*; what is not asked for may have no value, and
        calls are not made.
        """
        write = self._condition if type_ == "i1" else self._value
        if not any(
            isinstance(node, ast.Call) for side in (body, orelse) for node in ast.walk(side)
        ):
            # A select does not pass on that the side not taken has no value (a shift by a negative
            # number).
            return self._new(
                f"select i1 {condition}, {type_} {write(body)}, {type_} {write(orelse)}"
            )
        yes, no, end = self._labels("yes", "no", "end")
        cell = self._cell(f"choice.{end}")
        self._fork(condition, yes, no)
        for label, side in ((yes, body), (no, orelse)):
            self._open(label)
            value = self._value(side)
            self._line(f"store i64 {value}, ptr {cell}")
            self._jump(end)
        self._open(end)
        value = self._new(f"load i64, ptr {cell}")
        return value if type_ == "i64" else self._new(f"icmp ne i64 {value}, 0")
