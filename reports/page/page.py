"""The page: a record, the words and the text of a ruleset, its options -> one file.

Its policy allows its own script and style, by their digests, modules of WebAssembly, and nothing
else. All that a ruleset says stands in it as text: the template escapes it, and the scripts make
text of it. Of what a ruleset names the scripts get pairs of a name and its title, for names are a
stranger's.

They come in the order in which `use_parts` and `stops_in` have them, as the records do that the
compiled rules write. A text is a list of strings and of names, each in a list of its own, that
stand for players whom only a position knows. What an obstacle rests on are names as ``partsOf`` of
positions.js gives them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ...checker.types.scope import make_scope
from ...models import ir
from ...models.binding.names import negated
from ...models.frozen import frozen
from ...models.ir.analysis import Stopping, effect_of, is_moving, stops_in, use_parts
from ...models.ir.parts import asked_by, expressions, locals_in, statements, things_named
from ...models.options.cases import Case, CaseValue, boxes, cases_of, number_of_cases, values_of
from ...models.options.configure import simplified
from ...models.source import Source
from ...models.words import clean, counted
from ..naming import digest_of, kind_title, play_link, player_name
from ..pictures.map import map_scene, narrow_map_scene, positions_scene
from ..pictures.scene import environment, render_svg
from ..plays.wording import PlayWords, comes_first
from ..rulings.asking import asking_words
from ..telling.record import Record, Status
from ..telling.state_space import ReachedPosition
from .pieces import (
    CONNECTS,
    as_json,
    data_of,
    packed,
    page_file,
    page_style,
    policy_of,
)
from .rows import Usage, by_heading, page_rows, position_key, row_data, rulebook_of

_MOST_CASES = 4096
"""What compares options that can be more ways is asked in no reading."""


@frozen
class SwitchedQuestion:
    """A question: its *name* and *title*, the number of the *row* that answers it in the page's
    reading, if any, and *when* it is asked.
    """

    name: str
    title: str
    row: int | None
    when: ir.Expr = ir.YES


@frozen
class Switched:
    """A *program* with variables in the place of *options*, and the *questions* about it."""

    program: ir.Program
    options: Sequence[ir.Option] = ()
    questions: Sequence[SwitchedQuestion] = ()


def questions_table(switched: Switched) -> list[dict[str, Any]]:
    """Return the questions of *switched*, each with the condition on options under which it is
    asked, as ``isMet`` of reading.js reads it.
    """
    return [
        {
            "name": one.name,
            "title": one.title,
            "row": one.row,
            "when": _switch_condition(one.when, switched),
        }
        for one in switched.questions
    ]


class _TooManyCasesError(Exception):
    """Options that are compared can be more ways than are looked at."""


def _switch_condition(when: ir.Expr, switched: Switched) -> Any:
    try:
        return _as_lists(when, switched)
    except _TooManyCasesError:
        return False


def _as_lists(when: ir.Expr, switched: Switched) -> Any:
    """Return *when* as nested lists: ``in``, the number of an option and those of its values;
    ``not``, ``all`` and ``any`` of others.
    """
    match when:
        case ir.Literal(value):
            return value
        case ir.Not(operand):
            return ["not", _as_lists(operand, switched)]
        case ir.All(parts):
            return ["all", *(_as_lists(part, switched) for part in parts)]
        case ir.Any(parts):
            return ["any", *(_as_lists(part, switched) for part in parts)]
    names = {part.name for part in expressions(when) if isinstance(part, ir.OptionValue)}
    numbers = [number for number, option in enumerate(switched.options) if option.name in names]
    options = [switched.options[number] for number in numbers]
    if number_of_cases(options) > _MOST_CASES:
        raise _TooManyCasesError
    met = [
        case
        for case in cases_of(options)
        if simplified(_settled(switched.program, options, case), when) == ir.YES
    ]
    return ["any", *(["all", *map(_one_of, numbers, options, box)] for box in boxes(met))]


def _settled(program: ir.Program, options: Sequence[ir.Option], case: Case) -> ir.Program:
    return replace(
        program,
        settings=tuple((option.name, value) for option, value in zip(options, case, strict=True)),
    )


def _one_of(number: int, option: ir.Option, values: Sequence[CaseValue]) -> list[Any]:
    return ["in", number, [values_of(option).index(value) for value in values]]


_HOLE = "\0"
"""Stands on both sides of a name that a position fills in; no text of a ruleset has it."""
_DECIDES = ir.Require | ir.Choose | ir.If | ir.Branch
"""What decides how a clause goes on."""


def obstacles_of(program: ir.Program, options: Collection[str] = ()) -> list[tuple[str, Any]]:
    """Return for each stage of *program* what its priority rests on (None if nobody has priority
    there) and the obstacles of its clauses.

    A part that reads nothing but *options* is said to be of the reading.
    """
    words = PlayWords(program)
    return [
        (
            stage.name,
            {
                "priority": None if stage.priority is None else _reads(stage, [stage.priority]),
                "clauses": [
                    (clause.id, _Obstacles(words, stage, clause, options).as_data())
                    for clause in stage.clauses
                ],
            },
        )
        for stage in program.stages
    ]


class _Obstacles:
    """Those of one *clause* of a *stage*."""

    def __init__(
        self, words: PlayWords, stage: ir.Stage, clause: ir.Clause, options: Collection[str]
    ) -> None:
        self.words, self.stage, self.clause, self.options = words, stage, clause, options
        players = [
            parameter.name
            for parameter in stage.parameters
            if isinstance(parameter.type, ir.PlayerType)
        ]
        self.steps = {sequence.name: sequence.variable for sequence in words.program.sequences}
        owner = [] if clause.owner.variable is None else [clause.owner.variable]
        self.names = {name: f"{_HOLE}{name}{_HOLE}" for name in (*players, *owner)}

    def as_data(self) -> dict[str, Any]:
        """Return whether who has priority may use the clause, what any player is called in it,
        and its obstacles.
        """
        return {
            "isHolders": self.clause.mode == "may"
            and self.stage.priority is not None
            and self.clause.owner.player == self.stage.priority,
            "any": self.clause.owner.variable,
            "parts": [self._part_data(part, above) for part, above in use_parts(self.clause)],
            "stops": [self._stop(stop) for stop in stops_in(self.clause.body)],
        }

    def _part_data(self, part: ir.Expr, above: str) -> dict[str, Any]:
        rest = self._rest(part)
        says = comes_first(above) if above else self.words.condition(rest, self.names, held=False)
        return {
            "says": _with_holes(says),
            "reads": _reads(self.stage, [rest]),
            "isOfReading": self._is_of_reading(rest),
        }

    def _is_of_reading(self, part: ir.Expr) -> bool:
        """Whether *part* depends on options, and on nothing else."""
        moving = [one for one in expressions(part) if is_moving(one)]
        return bool(moving) and all(
            isinstance(one, ir.Variable) and one.name in self.options for one in moving
        )

    def _rest(self, part: ir.Expr) -> ir.Expr:
        """Return what is left of *part*, where it is false, without what the reading says: nothing
        else of an ``or`` can change.
        """
        match part:
            case ir.Any(parts) if rest := [one for one in parts if not self._is_of_reading(one)]:
                return rest[0] if len(rest) == 1 else ir.Any(tuple(rest))
            case ir.Not(ir.All(parts)) if rest := [
                one for one in parts if not self._is_of_reading(one)
            ]:
                return negated(rest[0] if len(rest) == 1 else ir.All(tuple(rest)))
        return part

    def _stop(self, stop: Stopping) -> dict[str, Any]:
        """Return an obstacle that is met on the way.

        It rests on what it reads, on what decides how the clause comes to it, and where the clause
        changes any of that before, on what the change rests on.
        """
        whole = list(statements(self.clause.body))
        inside = {id(one) for one in statements((stop,))}
        kept = [one for one in whole if id(one) in inside]
        before = whole[: next(number for number, one in enumerate(whole) if one is stop)]
        for one in reversed(before):
            asked = [expr for other in kept for expr in asked_by(other)]
            if isinstance(one, _DECIDES) or self._changes(one) & {
                *self._read_by(kept),
                *locals_in(expressions(*asked)),
            }:
                kept.append(one)
        return {
            "says": _with_holes(self.words.stopped(stop, self.names)),
            "reads": self._read_by(kept),
        }

    def _read_by(self, kept: Sequence[ir.Statement]) -> list[str]:
        """Return the names of what the statements *kept* read of a position."""
        effects = [effect_of(one) for one in kept]
        sequences = {
            f"variable {self.steps[one.advances]}" for one in effects if one.advances is not None
        }
        zones = {one.among for one in effects if one.among is not None}
        return sorted(
            {
                *_reads(self.stage, [expr for one in kept for expr in asked_by(one)], zones),
                *sequences,
            }
        )

    def _changes(self, statement: ir.Statement) -> set[str]:
        """Return the names of what *statement* changes, and the name that it gives to something."""
        effect, zones = effect_of(statement), set[str]()
        if isinstance(effect.item, ir.Local):
            zones = {zone.name for zone in self.words.program.zones}
        elif effect.item is not None:
            zones = {effect.item.zone}
        if effect.joins is not None:
            zones.add(effect.joins)
        changed = {f"{kind} {zone}" for kind in ("zone", "size", "empty") for zone in zones}
        return (
            changed
            | {f"variable {name}" for name in effect.variables}
            | ({effect.names} if effect.names else set())
        )


def _with_holes(says: str) -> list[str | list[str]]:
    """Return *says* with its names apart."""
    return [[part] if number % 2 else part for number, part in enumerate(re.split(_HOLE, says))]


def _reads(stage: ir.Stage, asked: Iterable[ir.Expr], zones: Iterable[str] = ()) -> list[str]:
    """Return the names of what *asked* reads of a position at *stage*; *zones* are read, too."""
    each = [part for expr in asked for part in expressions(expr)]
    arguments = locals_in(each) & {parameter.name for parameter in stage.parameters}
    looked_at = things_named(
        "zone", [part for part in each if not isinstance(part, ir.IsEmpty | ir.Size)]
    ) | frozenset(zones)
    read = {
        "variable": things_named("variable", each),
        "zone": looked_at,
        "empty": {part.zone for part in each if isinstance(part, ir.IsEmpty)},
        "size": {part.zone for part in each if isinstance(part, ir.Size)},
        "argument": arguments,
    }
    return [f"{kind} {name}" for kind, names in read.items() for name in sorted(names)]


RULINGS = "language", "lexicon", "referee", "happenings", "situation", "ruling", "lanes", "box"
"""The scripts that answer questions, and show what is answered."""
SCRIPTS = (
    "kernel",
    "positions",
    "dom",
    "phrases",
    "reading",
    "course",
    "play",
    "why",
    "claim",
    "turns",
    "kept",
    "view",
    "left",
    "ask",
    *RULINGS,
    "main",
)
WORKER = "kernel", "positions", "search", "verdicts", "worker"
"""The scripts of the page, in this order, and those of the worker that searches for it."""
SERVED = (*SCRIPTS[:-1], "tool", "standing", SCRIPTS[-1])
"""The scripts of a page that is served, which asks the tool as well."""
_LARGE_MAP = 1100.0
"""A map that is wider is for large screens only."""
_FIRST: tuple[Status, ...] = ("not met", "undecided", "too small", "met", "answered", "none")
"""The order of the verdicts."""


@frozen
class Modules:
    """A game that can run in a browser: what *tells* moves, what *searches* positions, in pairs,
    and the *tables* to read them by.

    They are of the Program *switched*, which may have variables in the place of options, and of its
    *questions*.
    """

    tells: bytes
    searches: Sequence[tuple[bytes, bytes]]
    tables: Mapping[str, Any]
    switched: Switched

    @property
    def most(self) -> dict[str, int]:
        """The most players that it can have, and the most items on each zone."""
        return {"players": self.tables["layout"]["players"], **self.tables["layout"]["sizes"]}


@frozen
class Served:
    """What a page that is served may ask: from *fewest* to *most_players*, and up to *most_items*
    on a zone.
    """

    fewest: int
    most_players: int
    most_items: int


def render_page(
    record: Record,
    program: ir.Program,
    game: Modules | None,
    why: str,
    version: str,
    usage: Usage | None = None,
    reached: Sequence[ReachedPosition] = (),
    served: Served | None = None,
    rulings: Sequence[str] = (),
    missing: str = "",
) -> str:
    """Return the page of *record*, which is about *program*, with its *usage*; with no *game* it
    says *why*, and shows the rest.

    All positions are drawn if they are *reached*. If it is *served*, it asks its server,
    too. It offers *rulings*. If something is *missing* there will be another page in its place.
    """
    rows = list(page_rows(record, {} if game is None else game.most))
    switched = game.switched if game is not None else Switched(program)
    told = {
        "words": {**words_of(switched.program), "map": [stage.name for stage in program.stages]},
        "obstacles": obstacles_of(switched.program, [option.name for option in switched.options]),
        "claiming": claiming_words(
            program, record.players if game is None else game.most["players"]
        ),
        "usual": {
            "target": _target(record),
            "settings": [(option.name, option.default) for option in program.options],
        },
        "questions": questions_table(switched),
        "positions": [position_key(one.stage, one.state) for one in reached],
        "rows": [row_data(one) for one in rows],
    }
    verdicts = sorted(enumerate(rows), key=lambda one: _FIRST.index(one[1].row.status))
    digest = digest_of(program, record.settings, record.players, record.sizes)
    tool = {} if served is None else {"tool": _tool(record, program, served)}
    given = {
        "game": None if game is None else _carried(game, told),
        "asking": _asking(record, program, rulings),
    }
    data = {"digest": digest, "why": why, "missing": missing, **given, **tool}
    script, worker = (
        "\n".join(page_file(f"{name}.js") for name in names)
        for names in (SERVED if served else SCRIPTS, WORKER)
    )
    style = page_style("page.css")
    text = environment().get_template("page.html.jinja").render(
        record=record,
        rows=rows,
        verdicts=by_heading(one for one in verdicts if not one[1].is_guard),
        guards=[one for one in verdicts if one[1].is_guard],
        rulebook=list(rulebook_of(program, rows)),
        usage=usage,
        map=_map(program, usage),
        positions=_positions(program, reached, digest),
        inactive=program.inactive,
        why=why,
        version=version,
        missing=missing,
        player_name=player_name,
        scope=", ".join(
            (counted(record.players, "player"), *(f"{n} on {zone}" for zone, n in record.sizes))
        ),
        settings=", ".join(f"{name}={value}" for name, value in record.settings),
        files=list(_files(program.source)),
        policy=policy_of(script, style, "worker-src blob:", *([CONNECTS] if served else [])),
        served=served,
        example=(rulings[0].partition("?")[0] if rulings else "A passes: who has priority") + "?",
        worker=Markup(worker),
        script=Markup(script),
        style=Markup(style),
        data=Markup(data_of(data)),
    )  # fmt: skip
    return clean(text)


def _tool(record: Record, program: ir.Program, served: Served) -> dict[str, Any]:
    """Return what a page of *record*, which is about *program*, needs to ask the tool."""
    now = dict(program.settings)
    options = [
        {
            "name": one.name,
            "title": one.title,
            "values": one.values,
            "numbers": one.numbers,
            "value": str(now[one.name]),
        }
        for one in program.options
    ]
    rows = [[row.name, str(row.outcome)] for row in record.rows]
    players = [record.players, served.fewest, served.most_players]
    return {
        "rows": rows,
        "players": players,
        "zones": record.sizes,
        "most": served.most_items,
        "options": options,
    }


def _asking(record: Record, program: ir.Program, rulings: Sequence[str]) -> str:
    """Return what the scripts need to answer questions about *program*, packed."""
    command = ["stacklaw", "ask", _target(record), *_settings(record, program)]
    return packed(
        as_json(
            {**asking_words(program, rulings), "players": record.players, "command": command}
        ).encode()
    )


def _settings(record: Record, program: ir.Program) -> Iterator[str]:
    """Yield what a command says of the scope and the reading of *record* where they are not those
    of *program* itself.
    """
    usual, defaults = (
        make_scope(program),
        {option.name: option.default for option in program.options},
    )
    if record.players != usual.players:
        yield from ("--players", str(record.players))
    for zone, size in record.sizes:
        if size != dict(usual.sizes).get(zone):
            yield from ("--scope", f"{zone}={size}")
    for name, value in record.settings:
        if value != defaults.get(name):
            yield from ("--set", f"{name}={value}")


def _target(record: Record) -> str:
    """Return the ruleset of *record* as its command names it, but for what that says of options."""
    _, _, target, *_ = shlex.split(record.command) or ("", "", record.file)
    return target.partition("@")[0]


def _files(source: Source) -> Iterator[tuple[str, int, list[str]]]:
    """Yield each file of *source*: its name, the number of its first line among all of them, and
    its lines.
    """
    begin = 1
    for part in source.parts():
        yield Path(part.name).name, begin, part.lines
        begin += len(part.lines)


def _map(program: ir.Program, usage: Usage | None) -> Markup | None:
    """Return the map of *program* as SVG, for wide and for narrow screens, in which what is never
    used is marked; None if it is too large.
    """
    never = () if usage is None else usage.never
    wide = map_scene(program, never)
    if wide is None:
        return None
    narrow = render_svg(narrow_map_scene(program, never), style=False)
    css = "wide large" if wide.width > _LARGE_MAP else "wide"
    return Markup(
        f'<div class="{css}">{render_svg(wide, style=False)}</div>\n'
        f'<div class="narrow">{narrow}</div>'
    )


def _positions(
    program: ir.Program, reached: Sequence[ReachedPosition], digest: str
) -> Markup | None:
    """Return the picture of what is *reached* as SVG, each position a link to a play of it; None if
    nothing is.
    """
    links = [play_link(digest, one.way) for one in reached]
    return (
        Markup(render_svg(positions_scene(program.title, reached, links), style=False))
        if reached
        else None
    )


def _carried(game: Modules, told: Mapping[str, Any]) -> dict[str, Any]:
    """Return *game* as the scripts take it, packed, with what is *told* of it."""
    searches = [tuple(map(packed, pair)) for pair in game.searches]
    tables, others = (packed(as_json(one).encode()) for one in (game.tables, told))
    return {"tells": packed(game.tells), "searches": searches, "tables": tables, "told": others}


def words_of(program: ir.Program) -> dict[str, Any]:
    """Return the titles of what *program* has, by their names; a clause has the line of its text,
    too.
    """
    clauses = [
        (clause.id, {"title": _title(clause), "line": clause.span.line, "mode": clause.mode})
        for _, clause in program.clauses
    ]
    roles = {
        zone.name: role for role in ("waiting", "stack") for zone in program.zones_tagged(role)
    }
    return {
        "stages": [(stage.name, stage.title or stage.name) for stage in program.stages],
        "variables": [
            (variable.name, variable.title or variable.name) for variable in program.variables
        ],
        "kinds": [(kind.name, kind_title(program, kind.name)) for kind in program.kinds],
        "zones": [
            (
                zone.name,
                {
                    "title": zone.title or zone.name,
                    "order": ir.ORDERS[zone.order],
                    "role": roles.get(zone.name, ""),
                },
            )
            for zone in program.zones
        ],
        "clauses": clauses,
        "defaults": [
            (one.name, str(one.default.value))
            for one in program.attributes
            if isinstance(one.default, ir.Literal)
        ],
        "options": [
            (option.name, {"title": option.title, "values": option.values})
            for option in program.options
        ],
        "sequences": [
            {"variable": one.variable, "title": one.title or one.name} for one in program.sequences
        ],
        "steps": [
            (f"{one.variable}.{step.name}", step.title or step.name)
            for one in program.sequences
            for step in one.steps
        ],
    }


def _title(clause: ir.Clause) -> str:
    return f"{clause.title} (still to be written)" if clause.unfinished else clause.title


def claiming_words(program: ir.Program, players: int) -> dict[str, Any]:
    """Return names for *players* and for an item that nothing in *program* has, its scope, and its
    reading.
    """
    taken = set(re.findall(r"\w+", program.source.text))

    def free(name: str) -> str:
        return name if name not in taken else free(f"{name}_")

    scope = make_scope(program)
    return {
        "players": [free(f"p{player_name(seat)}") for seat in range(players)],
        "item": free("x"),
        "settings": program.settings,
        "scope": {"players": scope.players, "sizes": scope.sizes},
    }
