"""Binding a whole ruleset: surface syntax -> Program, with its options open; all ways end.

Names first (`declare`), then every clause for itself (`expressions`, `statements`,
`definite`), then what concerns the ruleset as a whole.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from .. import ir, syntax
from ..diagnostics import Report
from ..ir.analysis import most_joining
from ..parsing.blocks import blocks_below
from ..printing.show_lines import show_expression, show_statement
from ..source import Span
from .declare import blame_declarations, declare, is_constant, on_options
from .definite import Text, check_clause
from .expressions import ExpressionBinder
from .names import MOST_STATEMENTS, PLAYER, Names, Typed, all_of, describe, negated
from .statements import OWNER, StatementBinder


def check_ends(ruleset: syntax.Ruleset, report: Report) -> None:
    """Report a way through a clause that says no next stage, statements that no way comes to, and
    routines used as they cannot be.
    """
    unread = _unread(ruleset, report)
    mistaken = unread | {
        routine.name
        for routine in ruleset.routines
        if routine.name not in unread and _ends_sometimes(routine, report)
    }
    ending = {
        routine.name for routine in ruleset.routines if _ends(routine.body, Report(report.source))
    } - mistaken
    others = {routine.name for routine in ruleset.routines} - ending - mistaken
    for routine in ruleset.routines:
        _ends(routine.body, report)
        mistaken |= {routine.name} if _is_misused(routine.body, ending, others, report) else set()
    for stage in ruleset.stages:
        for clause in stage.clauses:
            uses = {
                statement.name
                for statement in _within(clause.body)
                if isinstance(statement, syntax.Do)
            }
            is_told = _is_misused(clause.body, ending, others, report) or bool(uses & mistaken)
            if not is_told and not _ends(clause.body, report):
                hint = (
                    "every way through a clause ends with `go STAGE` or `game over`; does an `if` "
                    "need an `else`?"
                )
                report.add(
                    "R201",
                    clause.span,
                    f"Clause {clause.id} does not say which stage is next.",
                    hint,
                )


def _unread(ruleset: syntax.Ruleset, report: Report) -> set[str]:
    """Return the routines with an unreadable line: how they end is unknown."""
    begins = sorted(one.span.line for one in (*ruleset.routines, *ruleset.stages))
    mistaken = {bisect(begins, error.span.line) for error in report.errors if error.span}
    return {one.name for one in ruleset.routines if bisect(begins, one.span.line) in mistaken}


def _ends_sometimes(routine: syntax.Routine, report: Report) -> bool:
    """Whether some ways through *routine* say which stage is next and others do not, which is
    reported.
    """
    goes = [statement for statement in _within(routine.body) if isinstance(statement, syntax.Go)]
    if not goes or _ends(routine.body, Report(report.source)):
        return False
    hint = (
        f"end every way with `go` or `game over`, and write `go {routine.name}` in the clause; or "
        f"no way, and `do {routine.name}`"
    )
    report.add(
        "R210",
        goes[0].span,
        f"Only some ways through the routine `{routine.name}` say which stage is next.",
        hint,
    )
    return True


def _is_misused(block: syntax.Block, ending: set[str], others: set[str], report: Report) -> bool:
    """Whether *block* does a routine that is *ending* a clause, or goes to one of the *others*;
    each such use is reported.
    """
    errors = len(report.errors)
    for each in _blocks(block):
        for place, statement in enumerate(each, 1):
            match statement:
                case syntax.Do(name, arguments) if name in ending:
                    said = (
                        f"Every way through the routine `{name}` says what comes after the clause."
                    )
                    go = f"`{show_statement(syntax.Go(name, arguments))}`"
                    hint = (
                        f"write {go}"
                        if place == len(each)
                        else f"nothing can follow it: the clause ends here with {go}"
                    )
                    report.add("R210", statement.span, said, hint)
                case syntax.Go(name, arguments) if name in others:
                    said = f"The routine `{name}` does not say which stage is next."
                    hint = (
                        f"write `{show_statement(syntax.Do(name, arguments))}`, and below it `go "
                        "STAGE`"
                    )
                    report.add("R210", statement.span, said, hint)
                case _:
                    pass
    return len(report.errors) > errors


def _within(block: syntax.Block) -> Iterator[syntax.Statement]:
    """Yield the statements of *block* and all that stand below them."""
    for each in _blocks(block):
        yield from each


def _blocks(block: syntax.Block) -> Iterator[syntax.Block]:
    """Yield *block* and the blocks below its statements."""
    yield block
    for statement in block:
        for below in blocks_below(statement):
            yield from _blocks(below)


def _ends(block: syntax.Block, report: Report) -> bool:
    """Whether every way through *block* ends the clause; what stands behind its end is reported."""
    for index, statement in enumerate(block):
        if _all_end(statement, report):
            if index + 1 < len(block) and not isinstance(
                statement, syntax.Todo
            ):  # a `todo` among statements is told as such
                message = (
                    "Nothing can follow here: every way to it has ended with `go` or `game over`."
                )
                report.add("R202", block[index + 1].span, message)
            return True
    return False


def _all_end(statement: syntax.Statement, report: Report) -> bool:
    ended = [_ends(below, report) for below in blocks_below(statement)]
    match statement:
        case syntax.Go() | syntax.GameOver() | syntax.Todo():
            return True
        case syntax.If() | syntax.Either():
            return all(ended)
        case _:
            return False


DEFAULT_SIZE = 2
"""How many items of a zone a search looks at unless the ruleset says otherwise, or a clause puts
more there.
"""


_STACK = "stack"


def bind(ruleset: syntax.Ruleset, name: str, report: Report) -> ir.Program:
    """Return the Program of *ruleset*, called *name*.

    Mistakes go to *report*; after any, what is returned is of no use.
    """
    names = declare(ruleset, report)
    _players(ruleset, report)
    _clause_ids(ruleset, report)
    for term in ruleset.terms:
        _check_term(term, names, report)
    check_ends(ruleset, report)
    routines = {routine.name: routine for routine in ruleset.routines}
    stages = tuple(_stage(stage, names, routines, report) for stage in ruleset.stages)
    start = _start(ruleset, names, report)
    blame_declarations(ruleset, report)
    return ir.Program(
        name=name,
        title=ruleset.title,
        document=ruleset.source,
        players=(ruleset.players.least, ruleset.players.most),
        options=tuple(names.options.values()),
        settings=(),
        kinds=tuple(names.kinds.values()),
        attributes=tuple(names.attributes.values()),
        zones=_with_stacks(tuple(names.zones.values()), stages),
        sequences=tuple(names.sequences.values()),
        variables=tuple(names.variables.values()),
        stages=stages,
        start=start,
        scope=_scope(ruleset, names, stages, report),
        claims=_claims(ruleset, names, report),
        left_out=ruleset.left_out,
        inactive=(),
        terms=ruleset.terms,
        source=report.source,
    )


# ------------------------------------------------------------------ the ruleset as a whole


def _players(ruleset: syntax.Ruleset, report: Report) -> None:
    least, most = ruleset.players.least, ruleset.players.most
    if not 1 <= least <= (least if most is None else most) <= ir.MOST_PLAYERS:
        report.add(
            "R302",
            ruleset.players.span,
            f"A game has 1 to {ir.MOST_PLAYERS} players.",
            "write `2 to 4`, or `2 or more`",
        )


def _clause_ids(ruleset: syntax.Ruleset, report: Report) -> None:
    first: dict[str, int] = {}
    for stage in ruleset.stages:
        for clause in stage.clauses:
            line = first.setdefault(clause.id, clause.span.line)
            if line != clause.span.line:
                hint = (
                    f"ids are cited in plays, so each stands for one clause: `{clause.id}'` or a "
                    "letter tells them apart"
                )
                report.add(
                    "R110",
                    clause.span,
                    f"There is a clause {clause.id} already, in line {line}.",
                    hint,
                )


def _check_term(term: syntax.Term, names: Names, report: Report) -> None:
    """Bind *term* by itself: one that is never used is checked too, and one that is, once.

    What speaks of a play is said where properties are bound.
    """
    if term.name in names.of_plays:
        return
    binder = ExpressionBinder(names, report, inside=(term.name,))
    for parameter in term.parameters:
        type_ = binder.type(parameter.type)
        if type_ is None:
            return
        binder.local(parameter.name, type_, parameter)
    binder.typed(term.meaning)


def _start(ruleset: syntax.Ruleset, names: Names, report: Report) -> ir.Go:
    go = ruleset.start
    if go is None:
        return ir.Go("", ())
    binder = StatementBinder(ExpressionBinder(names, report), {}, None)
    bound = binder.go(go, go.stage, go.arguments)
    if bound and not all(is_constant(argument) for argument in bound[0].arguments):
        hint = "a play begins with values that every play has; the player who is known is `active`"
        report.add("R113", go.span, "The start must be constant.", hint)
    return bound[0] if bound else ir.Go("", ())


def _scope(
    ruleset: syntax.Ruleset, names: Names, stages: Iterable[ir.Stage], report: Report
) -> syntax.NamedSizes:
    """Return the sizes that *ruleset* says; a zone of which it says none has room for what one
    clause of *stages* puts there.
    """
    said = _check_sizes(ruleset.scope, ruleset.scope_span, "scope has", ruleset, names, report)
    joining = most_joining((clause.body for stage in stages for clause in stage.clauses), {})
    least = {zone: max(DEFAULT_SIZE, joining[zone]) for zone in names.zones}
    return tuple({"players": ruleset.players.least, **least, **said}.items())


def _check_sizes(
    sizes: syntax.NamedSizes,
    span: Span,
    what: str,
    ruleset: syntax.Ruleset,
    names: Names,
    report: Report,
) -> dict[str, int]:
    """Return those of *sizes* that a search can have; the others, of *what* stands at *span*, go
    into *report*.
    """
    least, most = ruleset.players.least, ruleset.players.most or ir.MOST_PLAYERS
    known: dict[str, int] = {}
    for name, size in sizes:
        low, high = (least, most) if name == "players" else (1, ir.MOST_ITEMS)
        if name != "players" and name not in names.zones:
            hint = report.near(name, ["players", *names.zones])
            report.add("R105", span, f"The {what} a size of `{name}`, which is no zone.", hint)
        elif low <= high and not low <= size <= high:
            room = (
                "players, but the game is for"
                if name == "players"
                else f"items on `{name}`, which can have"
            )
            wanted = f"{low} to {high}" if low < high else f"{low}"
            report.add("R303", span, f"The {what} {size} {room} {wanted}.")
        else:
            known[name] = size
    return known


# ------------------------------------------------------------------ stages and clauses


def _stage(
    stage: syntax.Stage, names: Names, routines: dict[str, syntax.Routine], report: Report
) -> ir.Stage:
    binder = ExpressionBinder(names, report)
    for parameter, typed in zip(stage.parameters, names.stages[stage.name], strict=False):
        binder.local(parameter.name, typed.type, parameter)
    holder = None if stage.priority is None else _priority(stage.priority, binder)
    clauses = []
    for clause in stage.clauses:
        above = [
            other
            for other in stage.clauses
            if clause.block == other.block != 0 and other.span.line < clause.span.line
        ]
        clauses.append(_clause(clause, above, binder, holder, routines))
    return ir.Stage(
        stage.name,
        stage.title,
        names.stages[stage.name],
        holder.expression if holder else None,
        tuple(clauses),
        stage.span,
    )


def _priority(priority: syntax.Expr, binder: ExpressionBinder) -> Typed:
    """Return who has *priority*; the active player if that is mistaken, so that the mistake is not
    taken for a stage without priority as well.
    """
    holder = binder.typed(priority)
    if holder is not None and holder.type not in (PLAYER, ir.PlayersType()):
        binder.wrong_type(priority, "a player or a set of players", describe(holder.type), "")
    elif holder is not None and binder.is_bearable(priority, holder.expression):
        return holder
    return Typed(ir.Variable(ir.ACTIVE), PLAYER)


def _clause(
    clause: syntax.Clause,
    above: Sequence[syntax.Clause],
    outer: ExpressionBinder,
    holder: Typed | None,
    routines: dict[str, syntax.Routine],
) -> ir.Clause:
    """Bind *clause*, which is used only where none of those *above* it in its block applies."""
    binder = outer.within()
    binder.taken = set(outer.taken)
    errors = len(binder.report.errors)
    head = _head(clause)
    owner = _owner(clause, [s for s in head if isinstance(s, syntax.By)], binder, holder)
    guards = [binder.flag(s.condition) for s in head if isinstance(s, syntax.When)]
    prelude, player = _owner_as_local(owner, binder)
    rest = clause.body[len(head) :]
    unfinished = len(rest) == 1 and isinstance(rest[0], syntax.Todo)
    body = (
        (ir.GameOver(),)
        if unfinished
        else (*prelude, *StatementBinder(binder, routines, player).block(rest))
    )
    first = [
        (other.id, applies)
        for other in above
        if (applies := _applies(other, outer, binder)) is not None
    ]
    guard = all_of(
        [
            *(guard for guard in guards if guard is not None),
            *(negated(applies) for _, applies in first),
        ]
    )
    bound = ir.Clause(
        clause.id, clause.title, clause.mode, clause.cites, owner, guard, body, clause.span,
        tuple(first), unfinished, clause.also,
    )  # fmt: skip
    if len(binder.report.errors) == errors and _is_bearable(clause, bound, binder):
        check_clause(
            bound,
            binder.places,
            binder.report,
            Text(
                binder.written,
                frozenset(s.span.line for s in head if isinstance(s, syntax.When)),
                rest[0].span if rest else None,
                binder.names.fewest,
                tuple(binder.names.options.values()),
            ),
        )
    return bound


def _head(clause: syntax.Clause) -> list[syntax.By | syntax.When]:
    """Return the statements at the beginning of *clause* that say who may use it, and when."""
    head: list[syntax.By | syntax.When] = []
    for statement in clause.body:
        if not isinstance(statement, syntax.By | syntax.When):
            break
        head.append(statement)
    return head


def _applies(
    clause: syntax.Clause, outer: ExpressionBinder, binder: ExpressionBinder
) -> ir.Expr | None:
    """Return what says that *clause*, another one, applies: its conditions, for some player where
    any who meets one may use it.

    Names that *binder* has given are not used again. None if *clause* is mistaken, which is told
    where it stands itself.
    """
    inner = replace(outer.within(), taken=binder.taken, report=Report(binder.report.source))
    variable = next(
        (s.variable for s in _head(clause) if isinstance(s, syntax.By) and s.variable is not None),
        None,
    )
    by_any = None if variable is None else inner.local(variable, PLAYER, clause)
    said = [s.condition for s in _head(clause) if s.condition is not None]
    conditions = [inner.flag(condition) for condition in said]
    if inner.report.errors:
        return None
    joined = all_of([condition for condition in conditions if condition is not None])
    return joined if by_any is None else ir.Exists(by_any.name, ir.PlayersIn(ir.Everyone()), joined)


def _is_bearable(clause: syntax.Clause, bound: ir.Clause, binder: ExpressionBinder) -> bool:
    """Tell whether what *clause* has become is neither too large nor too deep for what comes after;
    report it if it is.
    """
    if not binder.is_bearable(clause, (bound.owner, bound.guard, bound.body)):
        return False
    if sum(isinstance(node, ir.Statement) for node in ir.walk(bound.body)) <= MOST_STATEMENTS:
        return True
    message = (
        f"Clause {clause.id} has more than {MOST_STATEMENTS} statements, those of its routines "
        "among them."
    )
    binder.report.add(
        "R306",
        clause.span,
        message,
        "take it apart into several clauses, each with a stage of its own",
    )
    return False


def _owner(
    clause: syntax.Clause, by: list[syntax.By], binder: ExpressionBinder, holder: Typed | None
) -> ir.Owner:
    report = binder.report
    if len(by) > 1:
        report.add(
            "R121", by[1].span, f"Clause {clause.id} says twice whose move it is.", "keep one `by`"
        )
    if by and clause.mode == "chance":
        report.add(
            "R121",
            by[0].span,
            "What the cards may cause is nobody's move.",
            "make it a `may` or a `must` clause, or leave out the `by`",
        )
        return ir.Owner()
    if by and by[0].variable is not None:
        variable = binder.local(by[0].variable, PLAYER, by[0])
        condition = ir.YES if by[0].condition is None else binder.flag(by[0].condition)
        return ir.Owner(None, variable.name, condition or ir.YES)
    if by and by[0].player is not None:
        match by[0].player:
            case syntax.Binary("in" | "not in", syntax.Name(name)) if binder.is_unknown(name):
                said = show_expression(by[0].player)
                hint = f"write `by any {name} where {said}`"
                report.add("R121", by[0].span, f"`{said}` is a condition, and no player.", hint)
                return ir.Owner(None, binder.local(name, PLAYER, by[0]).name)
        return ir.Owner(binder.player(by[0].player))
    if clause.mode != "may":
        return ir.Owner()
    if holder is None or not isinstance(holder.type, ir.PlayerType):
        why = (
            "nobody has priority in this stage"
            if holder is None
            else "several players may have priority in this stage"
        )
        hint = "say `by PLAYER` or `by any p where CONDITION`, or give the stage a `priority`"
        report.add("R121", clause.span, f"Who may use clause {clause.id}? Here {why}.", hint)
        return ir.Owner()
    return ir.Owner(holder.expression)


def _owner_as_local(
    owner: ir.Owner, binder: ExpressionBinder
) -> tuple[tuple[ir.Statement, ...], ir.Expr | None]:
    """Return statements that fix the owner, and how the body calls it: what the body changes must
    not change its owner.
    """
    if owner.variable is not None:
        return (), ir.Local(owner.variable)
    if owner.player is None or isinstance(owner.player, ir.Local | ir.Literal):
        return (), owner.player
    local = binder.within().local(OWNER, PLAYER, syntax.Pass())
    return (ir.Let(local.name, owner.player),), local


# ------------------------------------------------------------------ claims


def _claims(ruleset: syntax.Ruleset, names: Names, report: Report) -> tuple[ir.Claim, ...]:
    claims = []
    seen: set[tuple[str, ir.Expr]] = set()
    for claim in ruleset.claims:
        condition = on_options(claim.condition, "A claim", ExpressionBinder(names, report))
        if condition is None:
            continue
        if (claim.name, condition) in seen:
            report.add(
                "R110",
                claim.span,
                f"There is a claim {claim.name} already.",
                "claims with a formula need names of their own"
                if claim.formula
                else "keep one of the two",
            )
        seen.add((claim.name, condition))
        _check_sizes(claim.needs, claim.span, "claim needs", ruleset, names, report)
        claims.append(
            ir.Claim(
                claim.expect, claim.name, claim.title, claim.cites, claim.formula, condition,
                claim.span, claim.needs, claim.containing, claim.every_size, claim.heading,
            )
        )  # fmt: skip
    return tuple(claims)


def _with_stacks(zones: Sequence[ir.Zone], stages: Iterable[ir.Stage]) -> tuple[ir.Zone, ...]:
    """Return *zones*. Unless there is a stack already, each whose items resolve by some clause of
    *stages* is tagged as a stack.

    The catalogue asks about the stack, by any name that a game gives it.
    """
    if any(_STACK in (zone.name, *zone.tags) for zone in zones):
        return tuple(zones)
    found = {zone for stage in stages for clause in stage.clauses for zone in _resolving(clause)}
    return tuple(
        replace(zone, tags=(*zone.tags, _STACK)) if zone.name in found else zone for zone in zones
    )


def _resolving(clause: ir.Clause) -> Iterable[str]:
    """Return the zones from which *clause* resolves an item."""
    lies = dict[str, str]()
    for node in ir.walk(clause):
        match node:
            case ir.Choose(name, ir.ItemsOn(zone)) | ir.ForEach(name, ir.ItemsOn(zone)):
                lies[name] = zone
            case ir.Leave(ir.EndOf(zone), "resolves") | ir.BeginResolving(ir.EndOf(zone)):
                yield zone
            case ir.Leave(ir.Local(name), "resolves") | ir.BeginResolving(ir.Local(name)) if (
                name in lies
            ):
                yield lies[name]
            case _:
                pass
