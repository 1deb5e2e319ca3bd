"""Trees as data: what nodes (`frozen`) are made of, in JSON and back; nothing is built but nodes of
known modules whose fields fit. So everything goes that one process asks of another or that is kept.

The data is a list of the types that occur, a list of nodes, and what is to be told. Each node
stands behind those that it is made of: the number of its type, and its fields. A node within a
field is the number of that node; so what occurs twice is there once, and reading goes into no
recursion.
"""

from __future__ import annotations

import json
import sys
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from itertools import repeat
from pathlib import Path
from types import ModuleType, NoneType, SimpleNamespace, UnionType
from typing import Any, NoReturn, TypeAlias

from . import source, syntax
from .ir import program

_Nodes: TypeAlias = list[Any]
_Fits: TypeAlias = Callable[[Any, _Nodes], Any]
"""Return what data stands for, given the nodes before it; raise ValueError if it does not fit."""
_Node: TypeAlias = tuple[type[Any], list[tuple[str, _Fits]]]
"""A type with its fields."""


class Trees:
    """Tells and reads the nodes that *modules* define."""

    def __init__(self, modules: Iterable[ModuleType]) -> None:
        self._modules = {module.__name__: module for module in modules}
        self._hints: dict[str, dict[str, _Fits]] = {}
        self._known: dict[str, _Node] = {}

    # ------------------------------------------------------------------ telling

    def as_bytes(self, value: object, given: Sequence[object] = ()) -> bytes:
        """Return *value*, a node, a word of an enumeration, or a tuple or a dict of such, as data;
        raise TypeError if it has something else in it.

        The nodes *given* are those that its reader has already; they are only numbered.
        """
        numbers = {id(node): place for place, node in enumerate(given)}
        types: dict[type[Any], int] = {}
        nodes: list[list[Any]] = []

        def tell(part: Any) -> Any:
            kind: type[Any] = part.__class__
            if kind in _PLAIN:
                return part
            if kind is tuple:
                return [tell(one) for one in part]
            if kind is dict:
                return {name: tell(one) for name, one in part.items()}
            if issubclass(kind, Path):
                return str(part)
            if issubclass(kind, StrEnum) and kind.__module__ in self._modules:
                return part.value
            number = numbers.get(id(part))
            if number is None:
                if kind.__module__ not in self._modules or "__dataclass_fields__" not in vars(kind):
                    raise TypeError(f"{kind.__qualname__} is no node")
                inner = [tell(getattr(part, field.name)) for field in fields(kind) if field.init]
                number = numbers[id(part)] = len(given) + len(nodes)
                nodes.append([types.setdefault(kind, len(types)), *inner])
            return number

        said = tell(value)
        named = [f"{kind.__module__}:{kind.__qualname__}" for kind in types]
        return json.dumps([named, nodes, said], separators=(",", ":")).encode()

    # ------------------------------------------------------------------ reading

    def from_bytes(self, content: bytes, kind: Any, given: Sequence[object] = ()) -> Any:
        """Return what was told as *content*, which is of the type *kind*; raise ValueError if it
        cannot be. *given* is as in `as_bytes`.
        """
        try:
            whole = json.loads(content, parse_constant=_no_number)
        except RecursionError:
            raise ValueError("it is too deep") from None
        fits = self._fits(kind)
        match whole:
            case [[*names], [*told], said]:
                pass
            case _:
                raise ValueError("it is not made of types, nodes and what is told")
        types = [self._node(name) for name in names]
        nodes: _Nodes = [*given]
        for number in told:
            if (
                number.__class__ is not list
                or not number
                or number[0].__class__ is not int
                or not 0 <= number[0] < len(types)
            ):
                raise ValueError("a node has no type")
            made, inner = types[number[0]]
            if len(inner) != len(number) - 1:
                raise ValueError(f"{made.__qualname__} has {len(inner)} fields")
            nodes.append(
                made(
                    **{
                        name: fits_it(part, nodes)
                        for (name, fits_it), part in zip(inner, number[1:], strict=True)
                    }
                )
            )
        return fits(said, nodes)

    def _node(self, name: Any) -> _Node:
        """Return the type *name* and what its fields have to be; raise ValueError if there is none
        that is a node.
        """
        if name.__class__ is not str:
            raise ValueError("the name of a type is a text")
        if name not in self._known:
            where, _, called = name.partition(":")
            kind = vars(self._modules[where]).get(called) if where in self._modules else None
            if (
                not isinstance(kind, type)
                or not is_dataclass(kind)
                or (kind.__module__, kind.__qualname__) != (where, called)
            ):
                raise ValueError(f"there is no node {name}")
            try:
                inner = [(f.name, self._field(kind, f.name)) for f in fields(kind) if f.init]
            except TypeError as error:
                raise ValueError(f"{name} cannot be read: {error}") from None
            self._known[name] = kind, inner
        return self._known[name]

    def _field(self, kind: type[Any], name: str) -> _Fits:
        """Return what fits the field *name* of *kind*, as it is written where the field stands, in
        *kind* or one that it inherits from.
        """
        owner = next(base for base in kind.__mro__ if name in vars(base).get("__annotations__", ()))
        hints = self._hints.setdefault(owner.__module__, {})
        written = str(owner.__annotations__[name])
        if written not in hints:
            told = typing.get_type_hints(
                SimpleNamespace(__annotations__={"it": written}),
                vars(sys.modules[owner.__module__]),
            )
            hints[written] = self._fits(told["it"])
        return hints[written]

    def _fits(self, hint: Any) -> _Fits:
        """Return what reads data of the type *hint*: by what JSON makes of it."""
        by_class: dict[type[Any], _Fits] = {}
        nodes: set[type[Any]] = set()
        values: set[tuple[type[Any], Any]] = set()
        for part in (
            typing.get_args(hint)
            if typing.get_origin(hint) in (typing.Union, UnionType)
            else (hint,)
        ):
            origin = typing.get_origin(part)
            if origin is typing.Literal:
                values |= {(value.__class__, value) for value in typing.get_args(part)}
            elif origin is tuple:
                by_class[list] = self._tuple(typing.get_args(part))
            elif origin is Mapping:
                by_class[dict] = self._mapping(*typing.get_args(part))
            elif part in _PLAIN:
                by_class |= {part: _itself} | ({int: _itself} if part is float else {})
            elif part is Path or (
                isinstance(part, type)
                and issubclass(part, StrEnum)
                and part.__module__ in self._modules
            ):
                by_class[str] = _made_by(part)
            elif isinstance(part, type) and is_dataclass(part) and part.__module__ in self._modules:
                nodes.add(part)
            else:
                raise TypeError(f"{part} is nothing that can be told")
        if nodes and (int in by_class or any(kind is int for kind, _ in values)):
            raise TypeError(f"in {hint} numbers would stand for two things")
        for kind in {kind for kind, _ in values if kind not in by_class}:
            by_class[kind] = _one_of(frozenset(value for other, value in values if other is kind))
        if nodes:
            by_class[int] = _numbered(frozenset(nodes))
        return _any_of(by_class)

    def _tuple(self, parts: tuple[Any, ...]) -> _Fits:
        if len(parts) == 2 and parts[1] is Ellipsis:
            each = self._fits(parts[0])
            return lambda data, nodes: tuple(map(each, data, repeat(nodes)))
        all_of = [self._fits(part) for part in parts]

        def fits(data: Any, nodes: _Nodes) -> Any:
            if len(data) != len(all_of):
                raise ValueError(f"there are {len(data)} parts and not {len(all_of)}")
            return tuple(one(part, nodes) for one, part in zip(all_of, data, strict=True))

        return fits

    def _mapping(self, names: Any, parts: Any) -> _Fits:
        if names is not str:
            raise TypeError(f"{names} is no name that can be told")
        each = self._fits(parts)
        return lambda data, nodes: {name: each(part, nodes) for name, part in data.items()}


_PLAIN = frozenset((str, int, float, bool, NoneType))


def _itself(data: Any, _nodes: _Nodes) -> Any:
    return data


def _made_by(kind: Callable[[str], object]) -> _Fits:
    return lambda data, _nodes: kind(data)


def _one_of(values: frozenset[Any]) -> _Fits:
    def fits(data: Any, _nodes: _Nodes) -> Any:
        if data not in values:
            raise ValueError("it is none of the values that there are")
        return data

    return fits


def _numbered(kinds: frozenset[type[Any]]) -> _Fits:
    def fits(data: Any, nodes: _Nodes) -> Any:
        if not 0 <= data < len(nodes) or (found := nodes[data]).__class__ not in kinds:
            raise ValueError("there is no such node")
        return found

    return fits


def _any_of(by_class: dict[type[Any], _Fits]) -> _Fits:
    get = by_class.get

    def fits(data: Any, nodes: _Nodes) -> Any:
        reads = get(data.__class__)
        if reads is None:
            raise ValueError("it is of another type")
        return data if reads is _itself else reads(data, nodes)

    return fits


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


TREES = (program, syntax, source)
"""The modules that define what a ruleset is made of."""
