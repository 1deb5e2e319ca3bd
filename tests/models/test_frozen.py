"""Nodes are dataclasses: equal by what they compare, hashed alike, shown with their fields."""

from __future__ import annotations

from dataclasses import field, replace

from stacklaw.models.frozen import frozen


@frozen
class Base:
    place: int = field(default=0, compare=False, repr=False, kw_only=True)


@frozen
class Pair(Base):
    left: object
    right: object = None


@frozen
class Single(Base):
    left: object


@frozen
class Bare:
    pass


def test_equal_by_what_is_compared() -> None:
    assert Pair(1, 2, place=3) == Pair(1, 2) != Pair(2, 1)
    assert hash(Pair(1, 2, place=3)) == hash(Pair(1, 2)) != hash(Pair(2, 1))
    assert Bare() == Bare()
    assert hash(Bare()) == hash(Bare())


def test_nodes_of_two_types_differ() -> None:
    assert len({Single(1), Pair(1), Bare()}) == 3
    assert len({Single((1, 2)), Pair(1, 2), Bare(), Base()}) == 4


def test_shown_with_their_fields() -> None:
    assert repr(Pair(Single("x"), place=1)) == "Pair(left=Single(left='x'), right=None)"


def test_replaced_and_matched() -> None:
    match replace(Pair(1, 2, place=3), right=4):
        case Pair(left, right) as pair:
            assert (left, right, pair.place) == (1, 4, 3)
