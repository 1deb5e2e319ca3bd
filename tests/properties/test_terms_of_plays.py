"""Terms that speak of a play: claims use them as if what they mean stood there; rules cannot."""

from __future__ import annotations

import pytest

from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import claims_of

RULES = """language 2
game "Terms"
players 2
start talk(active)

state
  heard : players

{terms}

stage talk(q: player)
  priority q

  may 1 "speak"
    when {guard}
    heard += q
    go talk(after q)

  may 2 "pass"
    pass
    go talk(after q)

claims
{claims}
"""
SPOKE = "term spoke(p: player) means once (p acts)"


def bodies(terms: str, *formulas: str, guard: str = "yes") -> list[object]:
    """Return what each formula says of plays, with these *terms*."""
    claims = "\n".join(
        f"  holds c{at}\n    for every player p:\n      {formula}"
        for at, formula in enumerate(formulas)
    )
    program = load(Source("terms.rules", RULES.format(terms=terms, claims=claims, guard=guard)))
    return [typed.property.body for typed in claims_of(program)]


def codes(terms: str, *formulas: str, guard: str = "yes") -> list[tuple[str, int]]:
    with pytest.raises(InputError) as caught:
        bodies(terms, *formulas, guard=guard)
    return [(one.code, one.line) for one in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("terms", "short", "long"),
    [
        (
            SPOKE,
            "always (spoke(p) implies p in heard)",
            "always (once (p acts) implies p in heard)",
        ),
        (
            SPOKE,
            "never (p has priority and not spoke(after p))",
            "never (p has priority and not once (after p acts))",
        ),
        (
            f"{SPOKE}\nterm both(p: player) means spoke(p) and spoke(after p)",
            "never (p passes and both(p))",
            "never (p passes and (once (p acts) and once (after p acts)))",
        ),
        (
            "term silent_since means not someone acts since someone passes",
            "never (p passes and silent_since)",
            "never (p passes and (not someone acts since someone passes))",
        ),
        (
            "term other(r: player) means once (r acts) and some p in heard where not p is r",
            "never (p passes and other(p))",
            "never (p passes and (once (p acts) and some x in heard where not x is p))",
        ),
    ],
)
def test_a_term_means_what_is_written_out(terms: str, short: str, long: str) -> None:
    one, other = bodies(terms, short, long)
    assert str(one).replace("p_2", "x") == str(other)


def test_the_claim_is_told_in_its_own_words() -> None:
    program = load(
        Source(
            "terms.rules",
            RULES.format(
                terms=SPOKE,
                claims="  holds c\n    for every player p:\n      never (p passes and spoke(p))",
                guard="yes",
            ),
        )
    )
    assert "spoke(p)" in claims_of(program)[0].property.text


def test_rules_cannot_use_it() -> None:
    assert codes(SPOKE, "never spoke(p)", guard="spoke(q)") == [("R111", 15)]


@pytest.mark.parametrize(
    ("terms", "formula", "code"),
    [
        (
            "term a(p: player) means once b(p)\nterm b(p: player) means once a(p)",
            "never a(p)",
            "R112",
        ),
        (SPOKE, "never (p passes and spoke)", "R108"),
        (SPOKE, "never spoke(p, p)", "R108"),
        ("term bad(p: player) means once (p acts and nobodys)", "never p passes", "R101"),
        ("term later(p: player) means eventually (p acts)", "never later(p)", "P202"),
    ],
)
def test_a_mistake_in_a_term_is_told(terms: str, formula: str, code: str) -> None:
    assert code in {found for found, _ in codes(terms, formula)}


@pytest.mark.parametrize("many", [20, 39, 500])
def test_terms_that_double_one_another_end_in_an_error(many: int) -> None:
    terms = "\n".join(
        f"term t{at}(p: player) means t{at - 1}(p) and once t{at - 1}(p)" for at in range(1, many)
    )
    assert "R305" in {
        found
        for found, _ in codes(
            f"term t0(p: player) means once (p acts)\n{terms}", f"never t{many - 1}(p)"
        )
    }
