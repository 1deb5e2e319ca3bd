"""Rows of the page: verdicts, each with its play in cards, and the clauses of the ruleset.

A page that is served gets them as plain data, for each question that it asks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rich.console import Group

from ...models import ir
from ...models.frozen import frozen
from ...models.words import clean, join_words
from ..naming import players_words
from ..pictures.draw_play import missed_in
from ..pictures.graph import targets_of
from ..plays.passages import Passage, passages_of
from ..plays.play import Card, Pile, Play, PlayState, StateCell
from ..telling.record import STILL, Record, Row, evidence
from ..text.page import STATUS, plain
from ..text.ruling import findings_title, findings_words, render_why


@frozen
class Usage:
    """How often each clause is *used* in the moves of all positions, or of the first if they are
    not *all*.

    Those that are *open* are not used there, and a larger scope may show that they are.
    """

    used: Mapping[str, int]
    open: Collection[str]
    all: bool

    @property
    def never(self) -> list[str]:
        """The clauses that are never used, if all positions are known."""
        return [
            id_
            for id_, times in self.used.items()
            if self.all and not times and id_ not in self.open
        ]


@frozen
class ClauseEntry:
    """A *clause*, the titles of the stages it *leads* to, and the numbers of rows: *claims* about
    its statement, *plays* that use it.
    """

    clause: ir.Clause
    leads: tuple[str, ...]
    claims: tuple[int, ...]
    plays: tuple[int, ...]


@frozen
class StageEntry:
    """A *stage* and its clauses."""

    stage: ir.Stage
    clauses: tuple[ClauseEntry, ...]


def rulebook_of(program: ir.Program, rows: Sequence[PageRow]) -> Iterator[StageEntry]:
    """Yield the stages of *program*, in the order of its text, with *rows* where its clauses come
    in.
    """
    titles = {stage.name: stage.title or stage.name for stage in program.stages}
    for stage in program.stages:
        yield StageEntry(stage, tuple(_entry(clause, titles, rows) for clause in stage.clauses))


def _entry(clause: ir.Clause, titles: dict[str, str], rows: Sequence[PageRow]) -> ClauseEntry:
    ids = {clause.id, *clause.cites}
    claims = (number for number, one in enumerate(rows) if ids & {*one.row.cites, one.row.name})
    plays = (
        number
        for number, one in enumerate(rows)
        if one.row.play is not None
        and any(moment.clause == clause.id for moment in one.row.play.moments)
    )
    return ClauseEntry(
        clause,
        tuple(titles.get(name, name) for name in targets_of(clause)),
        tuple(claims),
        tuple(plays),
    )


@frozen
class PassageCard:
    """A passage as a card: what is decided and what comes of it, and how things are then."""

    passage: Passage
    css: str
    priority: str
    passed: str
    piles: tuple[Pile, ...]
    missed: str
    is_again: bool
    conclusion: str


def cards_of(play: Play) -> Iterator[PassageCard]:
    """Yield a card for each passage of *play*."""
    passages = passages_of(play)
    missed = missed_in(play, passages)
    for row, passage in enumerate(passages):
        end, is_last = passage.end, passage is passages[-1] and bool(play.conclusion)
        seat = passage.head.seat if passage.kind == "move" else None
        yield PassageCard(
            passage,
            f"{'rules' if seat is None else f'player{seat % 6}'}"
            f"{f' {play.ending}' if is_last else ''}",
            f"{join_words(end.priority) or 'nobody'} {'have' if len(end.priority) > 1 else 'has'} "
            "priority",
            players_words(end.passed),
            tuple(pile for pile in end.piles if pile.cards),
            missed[row].player if row in missed else "",
            play.round is not None and passage.head.number >= play.round[0],
            play.conclusion if is_last else "",
        )


_UNBROKEN = 2_000


@frozen
class PageRow:
    """A *row* as the page shows it: the word of its status, what it rests on, and the *cards* and
    reasons of its play.

    *keys* are of each move of the play its clause, what tells it from the others of that, and what
    tells the position after it from all others (of the start only the last); they are empty where
    the play needs more players or more room than the page has.
    """

    row: Row
    status: str
    rests: str
    cards: Sequence[PassageCard]
    why: str
    keys: Sequence[tuple[str, str, str]]

    @property
    def is_guard(self) -> bool:
        """Whether it only guards the text of a clause, as a name with a slash says, and does."""
        return "/" in self.row.name and self.row.status == "met"


Numbered = tuple[int, PageRow]
"""A row, and its number among all."""


def by_heading(rows: Iterable[Numbered]) -> dict[str, list[Numbered]]:
    """Return *rows* by what they stand below: first what is not met, below nothing; last what is
    not claimed.
    """
    found: dict[str, list[Numbered]] = {"": []}
    unclaimed: list[Numbered] = []
    for number, one in rows:
        if one.row.status in ("none", "answered"):
            unclaimed.append((number, one))
        else:
            heading = one.row.heading if one.row.status == "met" else ""
            found.setdefault(heading, []).append((number, one))
    if unclaimed:
        found.setdefault("Not claimed" if any(found.values()) else "", []).extend(unclaimed)
    return {heading: its for heading, its in found.items() if its}


def row_data(one: PageRow) -> dict[str, Any]:
    """Return what the scripts say of *one*, and the play that they put on the board: its names for
    items, what is told of each move, and why it decides.
    """
    row, play = one.row, one.row.play
    said = {
        "name": row.name,
        "title": row.says or row.title,
        "outcome": str(row.outcome),
        "says": row.as_said or str(row.outcome),
        "every": "" if row.proof is None else row.proof.every,
        "end": "" if play is None else play.conclusion,
        "isWrong": row.status == "not met",
        "keys": one.keys,
        "room": row.room,
    }
    if play is None or not one.keys:
        return said
    named = [
        [[_card_name(card) for card in pile.cards] for pile in moment.piles]
        for moment in play.moments
    ]
    told = [[*moment.choices, *moment.events] for moment in play.moments]
    why = [findings_title(play), list(findings_words(play))] if play.findings else []
    return {**said, "named": named, "told": told, "why": why}


def proving_words(record: Record) -> str:
    """Return how many of the proofs that are looked for are found, or not, in *record*."""
    tried = [row for row in record.rows if row.proof is not None or row.unproved]
    known = sum(1 for row in tried if row.untried != STILL)
    return f"proving {known} of {len(tried)}"


def _card_name(card: Card) -> str:
    return f"{card.label}, {card.spotlight}" if card.spotlight else card.label


def page_rows(record: Record, most: Mapping[str, int] = MappingProxyType({})) -> Iterator[PageRow]:
    """Yield the rows of *record*, in its order; the page may have more players and more room than
    that, up to *most*.
    """
    for row in record.rows:
        play = row.play
        cards = () if play is None else tuple(cards_of(play))
        why = "" if play is None else plain(Group(*render_why(play)), _UNBROKEN).strip()
        has_room = all(size <= most.get(name, 0) for name, size in row.room)
        keys = tuple(_keys(play)) if play is not None and has_room else ()
        yield PageRow(row, STATUS[row.status][0], ", ".join(evidence(row)), cards, why, keys)


def _keys(play: Play) -> Iterator[tuple[str, str, str]]:
    for moment, way, state in zip(play.moments, ("", *play.ways), play.states, strict=True):
        yield moment.clause, way, position_key(moment.stage, state)


def position_key(stage: str, state: PlayState) -> str:
    """Return what tells a position from all others, as ``keyOf`` of play.js does."""
    zones = (
        " ".join(f"{item.kind}/{item.controller}/{_cells(item.attributes)}" for item in items)
        for _, items in state.zones
    )
    return "|".join([stage, _cells(state.arguments), _cells(state.variables), *zones])


def _cells(cells: Sequence[StateCell]) -> str:
    return ",".join("+".join(cell.words) for cell in cells)


def answers_of(record: Record) -> dict[str, Any]:
    """Return the answers of *record*, in the order of its rows; their texts are fit to be shown."""
    return {
        "players": record.players,
        "sizes": [size for _, size in record.sizes],
        "milliseconds": record.milliseconds,
        "answers": [
            {
                "name": clean(one.row.name),
                "outcome": str(one.row.outcome),
                "says": clean("; ".join(filter(None, [one.rests, one.row.reason]))),
                "keys": [[clean(part) for part in key] for key in one.keys],
                "cards": [_card(card) for card in one.cards],
            }
            for one in page_rows(record)
        ],
    }


def _card(card: PassageCard) -> dict[str, str]:
    """Return the texts of *card*."""
    passage = card.passage
    piles = [f"{pile.zone}: {', '.join(one.label for one in pile.cards)}" for pile in card.piles]
    passed = [f"passed: {card.passed}"] if card.passed else []
    texts = {
        "css": f"{card.css} again" if card.is_again else card.css,
        "who": f"{passage.numbers}. "
        f"{passage.mover}{f', by {passage.clause}' if passage.clause else ''}",
        "what": f"{passage.title}{passage.follows}",
        "now": "; ".join([card.priority, *passed, *piles]),
        "end": " ".join(
            filter(None, [f"{card.missed} has no window." if card.missed else "", card.conclusion])
        ),
    }
    return {name: clean(text) for name, text in texts.items()}
