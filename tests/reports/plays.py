"""Verdicts made by hand for the renderers: a small ruleset as a Program, and plays of it by the
interpreter.
"""

from __future__ import annotations

from dataclasses import replace

from stacklaw.checker.prover.prover import NOT_TRIED
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.run.check import check
from stacklaw.checker.types.position import SpotlitItem, Trace, TraceStep
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Counts, Outcome, Proved, Verdict
from stacklaw.models import ir, syntax
from stacklaw.models.load import load
from stacklaw.models.options.cases import Case
from stacklaw.models.source import Source, Span
from stacklaw.properties import formula as f
from stacklaw.properties.load import property_named
from stacklaw.reports.telling.record import Answer, Record, make_proof, make_record
from stacklaw.reports.text.for_which import CaseTable, Known

SCOPE = Scope(2, (("stack", 3), ("waiting", 2)))
COUNTS = Counts(1204, 3108, 14, 212)
HOLDER, PASSED, ACTIVE = ir.Local("holder"), ir.Variable("passed"), ir.Variable("active")
NONE_PASSED = ir.Assign("passed", None, ir.NoPlayers())


def clause(
    id_: str,
    title: str,
    mode: ir.Mode,
    body: ir.Block,
    guard: ir.Expr = ir.YES,
    owner: ir.Expr | None = None,
) -> ir.Clause:
    line = 20 + 4 * int(id_.split(".")[1])
    return ir.Clause(
        id_, title, mode, (f"DOC-{id_}",), ir.Owner(owner), guard, body, Span(line, 3, 9)
    )


def go(stage: str, *arguments: ir.Expr) -> ir.Go:
    return ir.Go(stage, arguments)


def put(kind: str) -> ir.Put:
    return ir.Put(kind, HOLDER, (), "stack")


def program() -> ir.Program:
    """A game in which the active player's pass is enough: its opponents get no window."""
    steps = (ir.Step("upkeep", "", ()), ir.Step("main", "main phase", ("main",)))
    kinds = (
        ir.Kind("instant", "instant spell", ()),
        ir.Kind("sorcery", "noninstant spell", ("slow",)),
        ir.Kind("triggered", "triggered ability", ()),
    )
    return ir.Program(
        name="one_pass",
        title="One pass",
        document="a made-up rulebook",
        players=(2, None),
        options=(),
        settings=(),
        kinds=kinds,
        attributes=(),
        zones=(ir.Zone("stack", "lifo", "", ()), ir.Zone("waiting", "unordered", "", ())),
        sequences=(ir.Sequence("turn", "step", "", steps),),
        variables=(
            ir.VariableDeclaration("active", ir.PlayerType(), False, ir.Literal(0), "", ()),
            ir.VariableDeclaration(
                "step", ir.EnumType(("upkeep", "main")), False, ir.Literal("upkeep"), "", ()
            ),
            ir.VariableDeclaration(
                "passed",
                ir.PlayersType(),
                False,
                ir.NoPlayers(),
                "who has passed in succession",
                (),
            ),
        ),
        stages=(_check(), _decide(), _resolve()),
        start=go("check", ACTIVE),
        scope=(("players", 2), ("stack", 3)),
        claims=(
            ir.Claim("holds", "response_window", "", ("DOC-1",), None, ir.YES, Span(60, 3, 9)),
            ir.Claim(
                "possible", "hold_priority", "", ("DOC-2", "DOC-3"), None, ir.YES, Span(61, 3, 9)
            ),
        ),
        left_out=(syntax.LeftOut(("DOC-9",), "how a spell is written down; no timing"),),
        inactive=(),
        terms=(),
        source=Source("one_pass.rules", ""),
    )


def _decide() -> ir.Stage:
    enough = ir.Any((ir.Equal(PASSED, ir.Everyone()), ir.Equal(HOLDER, ACTIVE)))
    idle = ir.If(
        ir.IsEmpty("stack"),
        (NONE_PASSED, ir.Advance("turn"), go("check", ACTIVE)),
        (go("resolve"),),
    )
    return ir.Stage(
        "decide",
        "a player has priority",
        (ir.Parameter("holder", ir.PlayerType()),),
        HOLDER,
        (
            clause(
                "1.1",
                "cast an instant spell",
                "may",
                (put("instant"), NONE_PASSED, go("check", HOLDER)),
                owner=HOLDER,
            ),
            clause(
                "1.2",
                "cast a sorcery",
                "may",
                (put("sorcery"), NONE_PASSED, go("check", HOLDER)),
                ir.All((ir.Equal(HOLDER, ACTIVE), ir.IsEmpty("stack"))),
                HOLDER,
            ),
            clause(
                "1.3",
                "pass",
                "may",
                (
                    ir.Pass(),
                    ir.Assign("passed", None, ir.With(PASSED, HOLDER)),
                    ir.If(enough, (idle,), (go("decide", ir.Neighbour(HOLDER, 1)),)),
                ),
                owner=HOLDER,
            ),
        ),
    )


def _check() -> ir.Stage:
    some = ir.Not(ir.IsEmpty("waiting"))
    chosen = ir.Choose(
        "t",
        ir.ItemsOn("waiting"),
        ir.YES,
        ir.Nearest(ir.AttributeOf(ir.Local("t"), "controller"), ACTIVE),
        None,
    )
    return ir.Stage(
        "check",
        "before a player receives priority",
        (ir.Parameter("next", ir.PlayerType()),),
        None,
        (
            clause(
                "2.1",
                "waiting abilities are put on the stack",
                "must",
                (chosen, ir.Move(ir.Local("t"), "stack"), go("check", ir.Local("next"))),
                some,
            ),
            clause(
                "2.2",
                "the player receives priority",
                "must",
                (go("decide", ir.Local("next")),),
                ir.IsEmpty("waiting"),
            ),
        ),
    )


def _resolve() -> ir.Stage:
    triggers = ir.Branch(
        (("", ()), ("an ability of A triggers", (ir.Put("triggered", ACTIVE, (), "waiting"),))),
        "cards",
    )
    return ir.Stage(
        "resolve",
        "the top of the stack resolves",
        (),
        None,
        (
            clause(
                "3.1",
                "the top item resolves",
                "must",
                (
                    ir.Leave(ir.EndOf("stack"), "resolves"),
                    NONE_PASSED,
                    triggers,
                    go("check", ACTIVE),
                ),
            ),
        ),
    )


def play(*wanted: str, players: int = 2) -> tuple[Interpreter, Trace]:
    """Return the play in which the clauses *wanted* fire in turn; ``3.1+`` takes the last of a
    clause's moves.
    """
    interpreter = Interpreter(program(), Scope(players, SCOPE.sizes))
    position, steps = interpreter.initial(), []
    for name in wanted:
        fitting = [
            pair for pair in interpreter.moves(position).moves if pair[0].clause == name.rstrip("+")
        ]
        assert fitting, (
            f"{name} is not possible; possible: "
            f"{[m.clause for m, _ in interpreter.moves(position).moves]}"
        )
        move, position = fitting[-1 if name.endswith("+") else 0]
        steps.append(TraceStep(move, position))
    return interpreter, Trace(interpreter.initial(), tuple(steps))


def spotlit(trace: Trace, number: int) -> SpotlitItem:
    """Return the spotlight on the item that is put *number*-th in *trace*, from 0."""
    puts = [
        (s, e, event)
        for s, step in enumerate(trace.steps, 1)
        for e, event in enumerate(step.move.events)
        if event.kind == "put"
    ]
    since, at, event = puts[number]
    assert event.item is not None
    return SpotlitItem(event.item, since, at)


RESPONSE_WINDOW = f.Property(
    name="response_window",
    title="every other player has a window before an item resolves",
    why="without one, a player can only watch the item happen",
    mode="always",
    spotlights=(f.Spotlight("item", "i"), f.Spotlight("player", "p")),
    body=f.Or(
        (
            f.Not(
                f.And(
                    (
                        f.ItemEvent("resolves", "i"),
                        f.Holds(
                            ir.Not(
                                ir.Equal(ir.Local("p"), ir.AttributeOf(ir.Local("i"), "controller"))
                            ),
                            ("i",),
                        ),
                    )
                )
            ),
            f.Once(f.And((f.HasPriority(ir.Local("p")), f.On("i", "stack")))),
        )
    ),
    about=f.ItemEvent("resolves", "i"),
    text="for every item i, player p: always (i resolves and p is not controller of i implies once "
    "(p has priority and i on stack))",
    about_text="i resolves",
)
HOLD_PRIORITY = f.Property(
    name="hold_priority",
    title="a player may act again before anybody answers",
    why="holding priority lets a player stack two items without a response in between",
    mode="possible",
    spotlights=(f.Spotlight("item", "i"), f.Spotlight("player", "p")),
    body=f.And(
        (
            f.PlayerEvent("acts", ir.Local("p")),
            f.Previously(f.On("i", "stack")),
            f.Once(f.ItemEvent("is put on", "i", "stack")),
        )
    ),
    about=None,
    text="possible for some item i, player p: p acts and previously (i on stack) and once (i is "
    "put on stack)",
)
LIFO = f.Property(
    "lifo",
    "what was put last resolves first",
    "it is what a stack is",
    "always",
    (),
    f.Not(f.Gap()),
    None,
    "never no clause applies",
)


def violated() -> Verdict:
    """The active player casts, passes, and the spell resolves; B had no window."""
    interpreter, trace = play("2.2", "1.1", "2.2", "1.3", "3.1")
    shown = Trace(trace.initial, trace.steps, (("i", spotlit(trace, 0)), ("p", 1)))
    return Verdict(
        interpreter.program, RESPONSE_WINDOW, Outcome.VIOLATED, interpreter.scope, COUNTS, shown
    )


def witness() -> Verdict:
    interpreter, trace = play("2.2", "1.1", "2.2", "1.1")
    shown = Trace(trace.initial, trace.steps, (("i", spotlit(trace, 0)), ("p", 0)))
    return Verdict(
        interpreter.program, HOLD_PRIORITY, Outcome.POSSIBLE, interpreter.scope, COUNTS, shown
    )


def long(players: int = 3) -> Verdict:
    """A play of 25 moves with triggers, several items and a new turn."""
    cast, passed, again = ("2.2", "1.1"), ("2.2", "1.3", "3.1"), ("3.1+", "2.1")
    names = (
        "2.2",
        "1.2",
        *cast,
        *cast,
        "2.2",
        "1.3",
        *again,
        *passed,
        *passed,
        "2.2",
        "1.3",
        *again,
        *passed,
        "2.2",
        "1.3",
    )
    interpreter, trace = play(*names, players=players)
    shown = Trace(trace.initial, trace.steps, (("i", spotlit(trace, 1)), ("p", 1)))
    return Verdict(
        interpreter.program, RESPONSE_WINDOW, Outcome.VIOLATED, interpreter.scope, COUNTS, shown
    )


def holds() -> Verdict:
    return Verdict(program(), LIFO, Outcome.HOLDS, SCOPE, COUNTS)


def record() -> Record:
    """A run with a claim that is met, one that is not, one undecided, and unclaimed rows."""
    game = program()
    undecided = Verdict(
        game,
        replace(LIFO, name="never_ends"),
        Outcome.BOUNDED,
        SCOPE,
        COUNTS,
        reason="the time of 10 s was up",
        bound=12,
    )
    vacuous = Verdict(
        game,
        replace(LIFO, name="says_nothing", about_text="a rules process is due"),
        Outcome.VACUOUS,
        SCOPE,
        COUNTS,
    )
    claim = ir.Claim("holds", "never_ends", "", (), None, ir.YES, Span(62, 3, 9))
    answers = [
        Answer(violated(), game.claims[0]),
        Answer(witness(), game.claims[1], asked=True),
        Answer(undecided, claim),
        Answer(holds()),
        Answer(vacuous),
    ]
    return make_record(game, SCOPE, answers)


def sliced() -> Record:
    """A run of an engine that decides each question on its own slice, and that had to take a slower
    way and did not finish.
    """
    game = program()
    note = "nothing could be compiled, for llvmlite is not installed"
    found = replace(
        violated(),
        engine="explicit",
        counts=Counts(310, 1041, 9, 0),
        sliced=("step",),
        notes=(note,),
    )
    found = replace(found, is_shortest=False)
    held = replace(
        holds(),
        engine="explicit",
        sliced=("the controller of items on waiting", "passed"),
        symmetric=True,
        notes=(note,),
    )
    undecided = Verdict(
        game,
        replace(LIFO, name="never_ends"),
        Outcome.BOUNDED,
        SCOPE,
        Counts(90_000, 200_000, 13, 7),
        reason="the time of 10 s was up",
        bound=12,
        engine="explicit",
        notes=("it went on from the checkpoint of layer 9",),
    )
    return make_record(
        game, SCOPE, [Answer(found, game.claims[0]), Answer(held, asked=True), Answer(undecided)]
    )


def proved() -> Record:
    """A run in which some things were proved for every size, and others were not."""
    game = program()
    proof = Proved(
        "(check-sat)\n" * 500,
        23,
        ("Seats are forgotten; more plays, none lost.", "Items are not counted."),
    )
    explained = replace(
        proof,
        invariant=("while a player has priority, nothing waits", "[1]: a trigger waits"),
        rests_on=("1.1", "2.1"),
    )
    explained = replace(explained, lemmas=("nothing_waits", "paired"))
    held = replace(holds(), outcome=Outcome.PROVED, engine="symbolic", proof=proof)
    also = replace(
        held,
        property=replace(LIFO, name="settled"),
        proof=replace(explained, forgets=proof.forgets[1:]),
    )
    never = Verdict(
        game,
        replace(HOLD_PRIORITY, name="twice"),
        Outcome.IMPOSSIBLE,
        SCOPE,
        COUNTS,
        engine="symbolic",
        proof=proof,
    )
    reason = "Spacer has not decided it within its budget: max. resource limit exceeded"
    tried = replace(
        holds(),
        property=replace(LIFO, name="resists"),
        engine="explicit",
        counts=Counts(90, 212, 9, 3),
        unproved=reason,
    )
    later = replace(tried, property=replace(LIFO, name="waits"), unproved=NOT_TRIED)
    within = replace(
        never,
        property=replace(HOLD_PRIORITY, name="thrice"),
        engine="explicit",
        proof=None,
        unproved=NOT_TRIED,
    )
    record = make_record(
        game,
        SCOPE,
        [
            Answer(held, asked=True),
            *(Answer(verdict) for verdict in (also, never, tried, later, within)),
        ],
    )
    first, *others = record.rows
    assert first.proof is not None
    return replace(
        record,
        rows=(
            replace(first, proof=replace(first.proof, file="proofs/one_pass.lifo.smt2")),
            *others,
        ),
    )


def for_which() -> CaseTable:
    """For which values of two options something holds: proved, broken, and open."""
    cards, way = (
        ir.Option("cards", "", (), (1, 5), 1, ()),
        ir.Option("way", "", (("up", ""), ("down", "")), None, "up", ()),
    )
    proof = make_proof(
        program(),
        Proved(
            "(check-sat)\n" * 500,
            23,
            ("Items are not counted.",),
            ("at decide: cards >= hand",),
            ("1.1",),
        ),
    )
    (row,) = make_record(program(), SCOPE, [Answer(violated(), asked=True)]).rows
    held = replace(
        row,
        outcome=Outcome.PROVED,
        play=None,
        proof=replace(proof, file="proofs/one.smt2"),
    )
    known: dict[Case, Known] = {
        (number, name): Known(row)
        if number > 4
        else Known(held if number > 3 else replace(held, proof=proof))
        if name == "up" or number < 3
        else Known(reason="nobody knows")
        for number in range(1, 6)
        for name in ("up", "down")
    }
    return CaseTable("response_window", "one_pass.rules", (cards, way), known)


ROUND = """\
game "Round and round"
players 2
scope players 2, stack 1
start decide(active)

items
  spell  "spell"
  echo  "echo"

zones
  stack  last in first out

stage decide(holder: player) "a player has priority"
  priority holder

  may 1.1 "cast a spell"
    put spell on stack
    go resolve

stage resolve "the top of the stack resolves"

  must 2.1 "the top item resolves"
    when stack is not empty
    resolve top of stack
    go again

stage again "its echo comes"

  must 3.1 "an echo is put on the stack"
    when stack is empty
    put echo by active on stack
    go resolve

claims
  holds  kernel_terminates
"""


def goes_round() -> Record:
    """A run in which what the rules do by themselves has no end."""
    game = load(Source("round.rules", ROUND))
    scope = make_scope(game)
    (verdict,) = check(game, [property_named(game, "kernel_terminates")], scope, engine=Reference())
    return make_record(game, scope, [Answer(verdict, game.claims[0])])
