"""Small Programs built by hand, without the parser: what the tests of the checker play."""

from __future__ import annotations

from stacklaw.models import ir

ACTIVE = ir.VariableDeclaration(ir.ACTIVE, ir.PlayerType(), False, ir.Literal(0), "", ())
SPELL = ir.Kind("spell", "", ())
STACK = ir.Zone("stack", "lifo", "", ("stack",))
HOLDER = ir.Local("holder")
NOT_EMPTY = ir.Not(ir.IsEmpty("stack"))


def program(**given: object) -> ir.Program:
    """Return a Program with *given* and otherwise nothing in it."""
    fields: dict[str, object] = {
        "name": "tiny", "title": "Tiny", "document": "", "players": (1, None), "options": (),
        "settings": (), "kinds": (SPELL,), "attributes": (), "zones": (), "sequences": (),
        "variables": (ACTIVE,), "stages": (), "start": ir.Go("only", ()), "scope": (), "claims": (),
        "left_out": (), "inactive": (), "terms": (),
    }  # fmt: skip
    return ir.Program(**{**fields, **given})  # type: ignore[arg-type]  # each field with its own type would be Program's declaration again


def clause(
    id_: str,
    mode: ir.Mode,
    *body: ir.Statement,
    guard: ir.Expr = ir.YES,
    owner: ir.Owner | None = None,
) -> ir.Clause:
    """Return a clause: the holder of priority's if it is a may clause, else no player's."""
    if owner is None:
        owner = ir.Owner(HOLDER if mode == "may" else None)
    return ir.Clause(id_, f"clause {id_}", mode, (), owner, guard, body)


def clock() -> ir.Program:
    """A bit that ticks for ever: two positions, two moves."""
    bit = ir.VariableDeclaration(
        "bit", ir.NumberType(ir.Literal(0), ir.Literal(1)), False, ir.Literal(0), "", ()
    )
    tick = clause(
        "tick",
        "must",
        ir.Assign("bit", None, ir.Add(ir.Variable("bit"), ir.Literal(1))),
        ir.Go("only", ()),
    )
    tock = clause(
        "tock",
        "must",
        ir.Assign("bit", None, ir.Subtract(ir.Variable("bit"), ir.Literal(1))),
        ir.Go("only", ()),
    )
    return program(variables=(ACTIVE, bit), stages=(ir.Stage("only", "", (), None, (tick, tock)),))


def two_passes() -> ir.Program:
    """The example of docs/language.md: all pass in succession, the top resolves, or the game
    ends.
    """
    passed = ir.VariableDeclaration("passed", ir.PlayersType(), False, ir.NoPlayers(), "", ())
    nobody = ir.Assign("passed", None, ir.NoPlayers())
    cast = clause(
        "1.1", "may", ir.Put("spell", HOLDER, (), "stack"), nobody, ir.Go("decide", (HOLDER,))
    )
    last = ir.If(NOT_EMPTY, (ir.Go("resolve", ()),), (ir.GameOver(),))
    pass_ = clause(
        "1.2",
        "may",
        ir.Pass(),
        ir.Assign("passed", None, ir.With(ir.Variable("passed"), HOLDER)),
        ir.If(
            ir.Not(ir.Equal(ir.Variable("passed"), ir.Everyone())),
            (ir.Go("decide", (ir.Neighbour(HOLDER, 1),)),),
            (last,),
        ),
    )
    resolve = clause(
        "1.3",
        "must",
        ir.Leave(ir.EndOf("stack"), "resolves"),
        nobody,
        ir.Go("decide", (ir.Variable("active"),)),
        guard=NOT_EMPTY,
    )
    return program(
        players=(2, None),
        zones=(STACK,),
        variables=(ACTIVE, passed),
        stages=(
            ir.Stage(
                "decide", "", (ir.Parameter("holder", ir.PlayerType()),), HOLDER, (cast, pass_)
            ),
            ir.Stage("resolve", "", (), None, (resolve,)),
        ),
        start=ir.Go("decide", (ir.Variable("active"),)),
    )
