"""Renaming: which names of the new rules stand for which names of the old ones.

Names are said by somebody (``--map old=new``), or guessed: what is gone on one side stands for what
has come on the other if it is declared alike but for its name, and nothing else is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ...models import ir
from ...models.diagnostics import wrong_input
from ...models.shipped import target_of
from ...properties.binding.roles import ZONE_ROLES

SortAndName = tuple[str, str]
"""What is named (``kind``, ``zone``, ``attribute``, ``value``, ``sequence``, ``step``), and its
name; of steps, with their sequence's.
"""


@dataclass(frozen=True)
class NameMap:
    """For each name of the new rules that is another in the old ones, that other name; *guessed*
    are those that nobody said.
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
        message = f"{old.name} and {new.name} have no kind of item, no zone, no attribute and no step in common."
        both = " ".join(target_of(one.name, one.source) for one in (old, new))
        hint = f"`stacklaw compare {both}` sets two games side by side; `--map OLD=NEW` says what is only called otherwise"
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
                message = f"--map says of {after} that it was {old_of[what, after]}, and that it was {before}"
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
    """Yield each sort of name with the new and the old name of what nobody named, and whose
    declaration nothing else has.
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
            if len(alike) == 1 and _count(shape, come.values()) == 1:
                yield what, name, alike[0]


def _count(shape: Hashable, shapes: Iterable[Hashable]) -> int:
    return sum(other == shape for other in shapes)
