"""Hypothesis strategies for surface trees: everything that can be written, whether or not it means
anything.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar, get_args

from hypothesis import strategies as st

from stacklaw.models import syntax as s
from stacklaw.models.ir import rewrite

T = TypeVar("T")

NAMES = (
    "a",
    "b2",
    "holder",
    "passed",
    "stack",
    "spell",
    "Main",
    "is_it",
    "to_",
    "players_",
    "resolving",
    "first",
    "turn",
    "item",
)
"""Names; some are words of the language that are free as names."""

names = st.sampled_from(NAMES)
ids = st.sampled_from(("1.1", "117.3d", "FF-63", "C-1/a", "1.1a'", "x", "holds", "when", "7"))
titles = st.sampled_from(
    ("", "a title", "an # in it", "(it is: “so”)", "when, it 'is' -= [so]", "é", "  wide  ")
)
said = titles.filter(bool)
numbers = st.integers(0, 999_999)
some_names = st.lists(names, max_size=3).map(tuple)
some_ids = st.lists(ids, max_size=3).map(tuple)


def several(
    strategy: st.SearchStrategy[T], least: int = 0, most: int = 3
) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


def primaries(exprs: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.Expr]:
    return st.one_of(
        st.builds(s.Call, names, several(exprs, 1)),
        st.builds(s.Of, names, exprs),
        st.builds(s.Neighbour, st.sampled_from(("after", "before")), exprs),
        st.builds(s.Count, exprs),
    )


def phrases(exprs: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.Expr]:
    of_subject = (
        "chooses",
        "has priority",
        "passes",
        "acts",
        "may act",
        "may pass",
        "resolves",
        "begins resolving",
        "is removed",
        "begins",
        "ends",
    )
    return st.one_of(
        st.builds(s.Phrase, st.sampled_from(of_subject), exprs),
        st.builds(s.Phrase, st.sampled_from(("is put on", "leaves", "on")), exprs, names),
        st.builds(s.Phrase, st.just("uses"), exprs, ids),
        st.builds(s.Phrase, st.sampled_from(("clause", "clause is possible")), st.none(), ids),
        st.builds(s.Phrase, st.just("at"), st.none(), names),
        st.builds(
            s.Phrase, st.sampled_from(("game is over", "no clause applies", "clauses conflict"))
        ),
    )


def domains(exprs: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.Domain]:
    return st.one_of(exprs, st.builds(s.Range, exprs, exprs))


def enforced(exprs: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.Expr]:
    spotlights = several(
        st.builds(s.Spotlight, st.sampled_from(("item", "player", "clause")), names), 1
    )
    alone = st.builds(s.Enforce, exprs, st.just("every"), st.just(()), exprs)
    return alone | st.builds(
        s.Enforce, exprs, st.sampled_from(("every", "some")), spotlights, exprs
    )


def larger(exprs: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.Expr]:
    quantifiers = st.sampled_from(("some", "no", "every"))
    return st.one_of(
        st.builds(s.Binary, st.sampled_from(get_args(s.BinaryOperator)), exprs, exprs),
        st.builds(s.Unary, st.sampled_from(get_args(s.UnaryOperator)), exprs),
        st.builds(s.Quantified, quantifiers, names, domains(exprs), exprs),
        st.builds(s.Quantified, quantifiers, names, domains(exprs), st.just(s.ANYTHING)),
        st.builds(s.OneOf, exprs, several(names, 1)),
        st.builds(s.Idiom, st.sampled_from(get_args(s.IdiomKind)), exprs, exprs),
        enforced(exprs),
        primaries(exprs),
        phrases(exprs),
    )


leaves: st.SearchStrategy[s.Expr] = st.one_of(
    st.builds(s.Name, names),
    st.builds(s.Number, numbers),
    st.builds(s.Word, st.sampled_from(get_args(s.WordText))),
    st.just(s.PlayerNumber()),
    st.builds(s.Size, names),
    st.builds(s.EndOf, st.sampled_from(("top", "front")), names),
)
expressions: st.SearchStrategy[s.Expr] = st.recursive(leaves, larger, max_leaves=8)
maybe_expressions = st.none() | expressions

types: st.SearchStrategy[s.Type] = st.one_of(
    st.just(s.FlagType()),
    st.just(s.PlayersType()),
    st.builds(s.PlayerType, st.booleans()),
    st.builds(s.EnumType, several(names, 1)),
    st.builds(s.NumberType, expressions, expressions),
)
parameters = several(st.builds(s.Parameter, names, types), most=2)
items = st.one_of(
    st.builds(s.Name, names), st.builds(s.EndOf, st.sampled_from(("top", "front")), names)
)
settings = several(st.tuples(names, expressions), most=2)

simple_statements: st.SearchStrategy[s.Statement] = st.one_of(
    st.builds(s.When, expressions),
    st.builds(s.By, expressions),
    st.builds(s.By, st.none(), names, maybe_expressions),
    st.builds(s.Require, expressions),
    st.builds(s.Put, names, names, maybe_expressions, settings),
    st.builds(s.ItemEffect, st.just("move"), items, names),
    st.builds(s.ItemEffect, st.sampled_from(("remove", "resolve", "begin resolving")), items),
    st.builds(s.EveryItem, st.just("move"), names, names, names, maybe_expressions),
    st.builds(
        s.EveryItem,
        st.sampled_from(("remove", "resolve")),
        names,
        names,
        st.none(),
        maybe_expressions,
    ),
    st.just(s.Pass()),
    st.builds(s.StepEffect, st.just("advance"), st.none() | names),
    st.builds(s.StepEffect, st.sampled_from(("end", "skip to")), names),
    st.builds(s.StepEffect, st.just("begin"), names.filter(lambda name: name != "resolving")),
    st.builds(s.Assign, st.sampled_from((":=", "+=", "-=")), names, maybe_expressions, expressions),
    st.builds(
        s.AssignEvery,
        st.sampled_from((":=", "+=", "-=")),
        names,
        names,
        expressions,
        expressions,
        maybe_expressions,
    ),
    st.builds(s.Let, names, expressions),
    st.builds(s.Choose, names, domains(expressions), maybe_expressions, maybe_expressions),
    st.builds(s.Do, names, several(expressions)),
    st.builds(s.Go, names, several(expressions)),
    st.just(s.GameOver()),
    st.just(s.Todo()),
)


def compound(statements: st.SearchStrategy[s.Statement]) -> st.SearchStrategy[s.Statement]:
    blocks = several(statements, 1)
    return st.one_of(
        st.builds(s.If, expressions, blocks, several(statements)),
        st.builds(s.Maybe, blocks, titles),
        st.builds(s.Either, several(st.tuples(titles, blocks), 2), maybe_expressions),
    )


statements = st.recursive(simple_statements, compound, max_leaves=5)
blocks = several(statements, 1)

formulas = st.builds(
    s.Formula,
    st.sampled_from(("every", "some")),
    several(st.builds(s.Spotlight, st.sampled_from(("item", "player", "clause")), names), 1),
    expressions,
    maybe_expressions,
) | st.builds(s.Formula, st.just("every"), st.just(()), expressions, maybe_expressions)
options = st.builds(
    s.Option,
    names,
    said,
    several(st.builds(s.OptionValue, names, said, some_ids), 1),
    st.none(),
    some_ids,
) | st.builds(s.Option, names, said, st.just(()), st.tuples(numbers, numbers, numbers), some_ids)
steps = several(st.builds(s.Step, names, titles, some_names, condition=maybe_expressions), 1)
sequences = st.builds(s.Sequence, st.just("turn"), steps) | st.builds(
    s.Sequence, names.filter(lambda name: name != "turn"), steps, titles
)
modes = st.sampled_from(("may", "must", "chance"))


@st.composite
def clauses(draw: st.DrawFn) -> tuple[s.Clause, ...]:
    """Clauses of a stage, some of them in blocks ``the first that applies``, which are numbered in
    their order.
    """
    made: list[s.Clause] = []
    block = 0
    for clause in draw(several(st.builds(s.Clause, modes, ids, titles, blocks, some_ids), 1, 3)):
        stands = draw(st.sampled_from(("by itself", "in the block", "in a new block")))
        block += stands == "in a new block" or (
            stands == "in the block" and (not made or not made[-1].block)
        )
        made.append(replace(clause, block=0 if stands == "by itself" else block))
    return tuple(made)


claims = st.builds(
    s.Claim,
    st.sampled_from(get_args(s.Expectation)),
    ids,
    titles,
    some_ids,
    st.none() | formulas,
    maybe_expressions,
    several(st.tuples(names, numbers), most=2),
    maybe_expressions,
    st.booleans(),
)
_in_language_1: st.SearchStrategy[s.Ruleset] = st.builds(
    s.Ruleset,
    title=titles,
    source=titles,
    players=st.builds(s.PlayersHeader, numbers, st.none() | numbers),
    scope=several(st.tuples(names, numbers)),
    start=st.builds(s.Go, names, several(expressions)),
    options=several(options, most=2),
    items=several(st.builds(s.ItemKind, names, said, some_names)),
    attributes=several(st.builds(s.Attribute, names, types, maybe_expressions)),
    zones=several(
        st.builds(s.Zone, names, st.sampled_from(("lifo", "fifo", "unordered")), titles, some_names)
    ),
    sequences=several(sequences, most=2),
    state=several(
        st.builds(
            s.StateVariable, names, types, st.booleans(), maybe_expressions, titles, some_names
        )
    ),
    terms=several(st.builds(s.Term, names, parameters, expressions), most=2),
    routines=several(st.builds(s.Routine, names, parameters, blocks, titles), most=2),
    stages=several(
        st.builds(s.Stage, names, parameters, clauses(), maybe_expressions, titles), most=2
    ),
    claims=several(claims, most=2),
    left_out=several(st.builds(s.LeftOut, several(ids, 1), said), most=2),
)
_in_language_2 = _in_language_1.map(lambda ruleset: replace(ruleset, **wide(ruleset), language=2))
rulesets: st.SearchStrategy[s.Ruleset] = st.one_of(_in_language_1, _in_language_2)


def wide(ruleset: s.Ruleset) -> dict[str, Any]:
    """Return the parts of *ruleset* with quantifiers that reach as far as they can, as in language
    2.
    """

    def change(node: Any) -> Any:
        return replace(node, wide=True) if isinstance(node, s.Quantified) else node

    parts = ("state", "terms", "routines", "stages", "claims", "attributes", "start")
    return {name: rewrite(getattr(ruleset, name), change) for name in parts}


lines_of_text: st.SearchStrategy[str] = st.lists(
    st.sampled_from(
        (
            "game",
            "players",
            "2",
            "stage",
            "decide",
            "(",
            ")",
            ":",
            "player",
            "may",
            "1.1",
            '"t"',
            '"',
            "when",
            "stack",
            "is",
            "not",
            "empty",
            "\n",
            "\n  ",
            "\n    ",
            "\n\t",
            "if",
            "else",
            "either",
            "or",
            "maybe",
            "go",
            ":=",
            "+=",
            "claims",
            "holds",
            "x",
            "for every item i:",
            "always",
            "#",
            "state",
            "items",
            "[",
            "]",
            ",",
            "-",
            "é",
            "\x0c",
            "\u2028",
            "1e9",
            "'",
            "put",
            "on",
        )
    ),
    max_size=40,
).map(" ".join)
"""Texts of words that are nearly right."""
