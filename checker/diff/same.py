"""The same at every size: two rulesets that say the same, but for names and order.

Both are brought into one form that leaves out what no play depends on: titles, ids of clauses, what
they cite, the order of clauses, of declarations and of the parts of a condition, the names of
choices and of parameters. If the forms are equal, the plays of the one are those of the other, move
for move, with any number of players and zones of any size.

Renaming: which names of the new rules stand for which names of the old ones.

Names are said by somebody (``--map old=new``), or guessed: what is gone on one side stands for what
has come on the other if it is declared alike but for its name, and nothing else is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import field, fields
from functools import cache
from typing import Any, TypeAlias, get_type_hints

from ...models import ir
from ...models.diagnostics import wrong_input
from ...models.frozen import frozen
from ...models.ir.analysis import bound_in
from ...models.shipped import target_of
from ...properties.binding.roles import ZONE_ROLES

SortAndName = tuple[str, str]
"""What is named (``kind``, ``zone``, ``attribute``, ``value``, ``sequence``, ``step``), and its
name; of steps, with their sequence's.
"""


@frozen
class NameMap:
    """For each name of the new rules that is another in the old ones, that other name; *guessed*
    are those that were not stated.
    """

    old_of: Mapping[SortAndName, str] = field(default_factory=dict)
    guessed: tuple[SortAndName, ...] = ()

    def old(self, what: str, name: str) -> str:
        """Return what the old rules call the *what* that the new ones call *name*."""
        return self.old_of.get((what, name), name)


def need_common(old: ir.Program, new: ir.Program, renaming: NameMap) -> None:
    """Raise `InputError` if *old* and *new* have nothing by the same name: then no edit leads from
    one to the other.
    """
    declared = _declared(old), _declared(new)
    names = {(what, name) for what, its in declared[0].items() for name in its}
    others = {(what, renaming.old(what, name)) for what, its in declared[1].items() for name in its}
    if names and others and not names & others:
        message = (
            f"{old.name} and {new.name} have no kind of item, no zone, no attribute and no step in "
            "common."
        )
        both = " ".join(target_of(one.name, one.source) for one in (old, new))
        hint = (
            f"`stacklaw compare {both}` sets two games side by side; `--map OLD=NEW` says what is "
            "only called otherwise"
        )
        raise wrong_input("C119", message, hint=hint)


def renaming_of(old: ir.Program, new: ir.Program, said: Mapping[str, str]) -> NameMap:
    """Return which names of *new* stand for which of *old*, as *said* (old name: new name) or
    guessed.

    Raises `InputError` (C113) for a name that there is not, and for one that is said to be two.
    """
    declared = _declared(old), _declared(new)
    old_of: dict[SortAndName, str] = {}
    for before, after in said.items():
        whats = [
            what
            for what in declared[0]
            if before in declared[0][what] and after in declared[1][what]
        ]
        if not whats:
            message = f"nothing is called {before} in the old rules and {after} in the new ones"
            hint = (
                "--map OLD=NEW is for a kind, a zone, an attribute, a value, a sequence or a step"
            )
            raise wrong_input("C113", message, hint=hint)
        for what in whats:
            if (what, after) in old_of:
                message = (
                    f"--map says of {after} that it was {old_of[what, after]}, and that it was "
                    f"{before}"
                )
                raise wrong_input("C113", message)
            old_of[what, after] = before
    guessed = tuple(_guesses(declared, old_of))
    for what, names in declared[1].items():
        told = [old_of.get((what, name), name) for name in names]
        if twice := sorted({name for name in told if told.count(name) > 1}):
            message = f"two things of the new rules would be called {twice[0]}"
            raise wrong_input("C113", message, hint="say with --map what the other one was called")
    return NameMap(
        {**old_of, **{(what, after): before for what, after, before in guessed}},
        tuple((what, after) for what, after, _ in guessed),
    )


_Declared = Mapping[str, Mapping[str, Hashable]]
"""For each sort of name the names there are, each with its declaration but for the name."""


def _declared(program: ir.Program) -> _Declared:
    values = {
        value: None
        for attribute in program.attributes
        if isinstance(attribute.type, ir.EnumType)
        for value in attribute.type.values
    }
    return {
        "kind": {kind.name: (kind.title, kind.tags) for kind in program.kinds},
        "zone": {zone.name: (zone.order, _title(zone), _roles(zone)) for zone in program.zones},
        "attribute": {
            attribute.name: (attribute.type, attribute.default) for attribute in program.attributes
        },
        "value": values,
        "sequence": {
            sequence.name: (sequence.title, sequence.steps) for sequence in program.sequences
        },
        "step": {
            step.name: (step.title, step.tags)
            for sequence in program.sequences
            for step in sequence.steps
        },
    }


def _title(zone: ir.Zone) -> str:
    """Return the title of *zone*, empty if it is called by its name."""
    return "" if zone.title == zone.name else zone.title


def _roles(zone: ir.Zone) -> frozenset[str]:
    """Return the tags of *zone*, as which its name counts, too, if it is the name of a role."""
    return frozenset({*zone.tags, *({zone.name} & {*ZONE_ROLES})})


def _guesses(
    declared: tuple[_Declared, _Declared], said: Mapping[SortAndName, str]
) -> Iterator[tuple[str, str, str]]:
    """Yield each sort of name with a new and an old name, if neither was stated and no other new or
    old name has the same declaration.
    """
    for what in declared[0]:
        before, after = declared[0][what], declared[1][what]
        gone = {
            name: shape
            for name, shape in before.items()
            if name not in after and name not in said.values()
        }
        come = {
            name: shape
            for name, shape in after.items()
            if name not in before and (what, name) not in said
        }
        for name, shape in come.items():
            alike = [other for other, its in gone.items() if its == shape]
            if len(alike) == 1 and [*come.values()].count(shape) == 1:
                yield what, name, alike[0]


_Node: TypeAlias = ir.Statement | ir.Expr | ir.Domain | ir.Type | ir.Nearest
_Form = Any
"""A tree of tuples and plain values that can be compared, and sorted by how it is written."""


def same_at_every_size(old: ir.Program, new: ir.Program, renaming: NameMap) -> bool:
    """Return whether *new* says what *old* says, by the names that *renaming* gives; stages and
    variables may have others.
    """

    def of(*sorts: str) -> dict[str, str]:
        """Return the names of these sorts, each with the old one."""
        told = renaming.old_of.items()
        return {name: before for (what, name), before in told if what in sorts}

    names = {
        "stage": _alike(
            {stage.name: _of_stage(stage) for stage in old.stages},
            {stage.name: _of_stage(stage) for stage in new.stages},
        ),
        "variable": _alike(
            {v.name: _of_variable(v) for v in old.variables},
            {v.name: _of_variable(v) for v in new.variables},
        ),
        "zone": of("zone"),
        "attribute": of("attribute"),
        "sequence": of("sequence"),
        "word": of("kind", "step", "value"),
    }
    if any(len(set(renamed.values())) < len(renamed) for renamed in names.values()) or _is_mixed(
        new, renaming
    ):
        return False
    return bool(_Former({}).program(old) == _Former(names).program(new))


def declarations(program: ir.Program) -> object:
    """Return what positions of *program* are made of, as it is declared."""
    return (
        program.kinds,
        program.attributes,
        program.zones,
        program.sequences,
        program.variables,
        program.players,
    )


def _of_stage(stage: ir.Stage) -> Hashable:
    return stage.title, tuple(parameter.type for parameter in stage.parameters), len(stage.clauses)


def _of_variable(variable: ir.VariableDeclaration) -> Hashable:
    return variable.type, variable.each_player, variable.initial


def _alike(before: Mapping[str, Hashable], after: Mapping[str, Hashable]) -> dict[str, str]:
    """Return for names that have come those that are gone and are declared alike, in the order of
    the declarations.
    """
    gone = {name: shape for name, shape in before.items() if name not in after}
    found: dict[str, str] = {}
    for name, shape in after.items():
        other = (
            next((other for other, its in gone.items() if its == shape), None)
            if name not in before
            else None
        )
        if other is not None:
            found[name] = other
            del gone[other]
    return found


def _is_mixed(program: ir.Program, renaming: NameMap) -> bool:
    """Return whether a name of *program* stands for two things of which one is renamed: as a value
    it could be either.
    """
    words = [("kind", kind.name) for kind in program.kinds]
    words += [("step", step.name) for sequence in program.sequences for step in sequence.steps]
    steps = {sequence.variable for sequence in program.sequences}
    enums = [
        *(a.type for a in program.attributes),
        *(v.type for v in program.variables if v.name not in steps),
    ]
    words += [
        ("value", value)
        for type_ in enums
        if isinstance(type_, ir.EnumType)
        for value in type_.values
    ]
    olds: dict[str, set[str]] = {}
    for what, name in words:
        olds.setdefault(name, set()).add(renaming.old(what, name))
    return any(len(old) > 1 for old in olds.values())


class _Former:
    """Brings a Program into the form; *names* says what its names are in it."""

    def __init__(self, names: Mapping[str, Mapping[str, str]]) -> None:
        self._names = names
        self._locals: dict[str, str] = {}
        self._attributes: list[str] = []

    def program(self, program: ir.Program) -> _Form:
        self._attributes = [
            self._shared_name("attribute", attribute.name) for attribute in program.attributes
        ]
        zones = [(self._shared_name("zone", zone.name), zone.order) for zone in program.zones]
        kinds = [self._shared_name("word", kind.name) for kind in program.kinds]
        attributes = [
            (self._shared_name("attribute", a.name), self.form(a.type), self.form(a.default))
            for a in program.attributes
        ]
        sequences = [
            (
                self._shared_name("sequence", s.name),
                self._shared_name("variable", s.variable),
                tuple(self._shared_name("word", step.name) for step in s.steps),
            )
            for s in program.sequences
        ]
        variables = [
            (
                self._shared_name("variable", v.name),
                self.form(v.type),
                v.each_player,
                self.form(v.initial),
            )
            for v in program.variables
        ]
        stages = [self._stage(stage) for stage in program.stages]
        lists: list[Iterable[_Form]] = [zones, kinds, attributes, sequences, variables, stages]
        return (program.players, self.form(program.start), *(_sorted(part) for part in lists))

    def _shared_name(self, what: str, name: str) -> str:
        return self._names.get(what, {}).get(name, name)

    def _stage(self, stage: ir.Stage) -> _Form:
        parameters = {
            parameter.name: f"parameter {number}"
            for number, parameter in enumerate(stage.parameters)
        }
        self._locals = parameters
        types = tuple(self.form(parameter.type) for parameter in stage.parameters)
        priority = self.form(stage.priority)
        return (
            self._shared_name("stage", stage.name),
            types,
            priority,
            _sorted(self._clause_form(clause, parameters) for clause in stage.clauses),
        )

    def _clause_form(self, clause: ir.Clause, parameters: Mapping[str, str]) -> _Form:
        self._locals = dict(parameters)
        for name in bound_in(clause):
            self._locals.setdefault(name, f"local {len(self._locals)}")
        owner = clause.owner.variable and self._locals[clause.owner.variable]
        return (
            clause.mode,
            self.form(clause.owner.player),
            owner,
            self.form(clause.owner.condition),
            self.form(clause.guard),
            self.form(clause.body),
        )

    def form(self, node: object) -> _Form:
        """Return the form of *node*: of a type, an expression, a statement, or a tuple of them; of
        anything else, itself.
        """
        if isinstance(node, tuple):
            return tuple(self.form(part) for part in node)
        return self._of_node(node) if isinstance(node, _Node) else node

    def _of_node(self, node: _Node) -> _Form:
        match node:
            case ir.All(parts) | ir.Any(parts):
                return type(node).__name__, _sorted(
                    self.form(part) for part in _flat(type(node), parts)
                )
            case ir.Equal(left, ir.Literal(str(value))) | ir.Equal(ir.Literal(str(value)), left):
                return self.form(ir.OneOf(left, (value,)))
            case ir.Equal(left, right):
                return "Equal", _sorted([self.form(left), self.form(right)])
            case ir.OneOf(operand, values):
                return (
                    "OneOf",
                    self.form(operand),
                    _sorted(self._shared_name("word", value) for value in values),
                )
            case ir.Literal(value):
                return (
                    "Literal",
                    type(value).__name__,
                    self._shared_name("word", value) if isinstance(value, str) else value,
                )
            case ir.EnumType(values):
                return "EnumType", tuple(self._shared_name("word", value) for value in values)
            case ir.Put(kind, controller, attributes, zone):
                given = zip(self._attributes, map(self.form, attributes), strict=True)
                return (
                    "Put",
                    self._shared_name("word", kind),
                    self.form(controller),
                    _sorted(given),
                    self._shared_name("zone", zone),
                )
            case ir.Branch(options, by):
                # Whether nothing happens shows in what does: titles are for people.
                return "Branch", _sorted(self.form(body) for _, body in options), self.form(by)
            case _:
                return self._plain(node)

    def _plain(self, node: _Node) -> _Form:
        """Return the form of *node*: its fields, by the names of the old rules.

        Nodes of any kind that do different things have different forms.
        """
        kind: type = type(node)
        below = (
            self._part_form(getattr(node, name), of) for name, of in _named_fields(kind).items()
        )
        return (kind.__name__, *below)

    def _part_form(self, part: object, kind: str) -> _Form:
        if not isinstance(part, str) or not kind:
            return self.form(part)
        return self._locals[part] if kind == "local" else self._shared_name(kind, part)


@cache
def _named_fields(kind: type) -> Mapping[str, str]:
    """Return for each field of *kind* what its name is of (a zone, a local …); empty if it has no
    name.
    """
    hints = get_type_hints(kind, include_extras=True)
    return {
        field.name: "".join(getattr(hints[field.name], "__metadata__", ()))
        for field in fields(kind)
        if field.compare
    }


def _flat(kind: type, parts: Iterable[ir.Expr]) -> Iterable[ir.Expr]:
    """Yield *parts*, those that are of the same *kind* as what they are in part by part."""
    for part in parts:
        if isinstance(part, ir.All | ir.Any) and isinstance(part, kind):
            yield from _flat(kind, part.parts)
        else:
            yield part


def _sorted(forms: Iterable[_Form]) -> _Form:
    return tuple(sorted(forms, key=repr))
