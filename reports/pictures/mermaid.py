"""Mermaid: plays as sequence diagrams and stages as flowcharts, in text (https://mermaid.js.org),
for pages that render it.

A stranger's words are only words in it: what means anything to Mermaid or to HTML is written as a
code of its character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...models.words import clean_line
from ..naming import player_name
from ..plays.passages import Passage, passages_of
from ..plays.play import Play
from .draw_play import missed_in

if TYPE_CHECKING:
    import networkx as nx

_PLAIN = frozenset(" .,:()+*/'!?-")
_BREAK = "<br/>"
_WRAPPED = "%%{init: {'sequence': {'wrap': true, 'width': 240}}}%%"
"""What makes Mermaid break long messages into lines; else players stand as far apart as the longest
is wide.
"""
_END = re.compile(r"\b(e)(nd)\b", re.IGNORECASE)
"""A word that closes a block of a diagram at any place in it."""


def render_sequence(play: Play) -> str:
    """Return *play* as a sequence diagram: a message for each passage, from who decides to who has
    priority then.
    """
    return "\n".join([_WRAPPED, "sequenceDiagram", *(f"  {line}" for line in _lines(play))]) + "\n"


def _lines(play: Play) -> Iterator[str]:
    passages = passages_of(play)
    missed = missed_in(play, passages)
    for seat in range(play.players):
        yield f"participant P{seat} as {diagram_words(player_name(seat))}"
    yield f"participant R as the rules{_BREAK}and the cards"
    for row, passage in enumerate(passages):
        if play.round and passage.head.number == play.round[0]:
            yield f"loop {diagram_words('again and again')}"
        if passage.place:
            yield f"Note over {_all(play)}: {diagram_words(passage.place)}"
        said = f"{passage.numbers}. {passage.clause} {passage.title}{passage.follows}"
        yield f"{_who(passage)}->>{_next(passage)}: {diagram_words(said)}"
        for pile in passage.changed_piles:
            lying = ", ".join(card.label for card in pile.cards) or "empty"
            yield f"Note right of R: {diagram_words(f'{pile.zone}: {lying}')}"
        if row in missed:
            player = missed[row].player
            seat = next(seat for seat in range(play.players) if player_name(seat) == player)
            yield f"Note over P{seat}: {diagram_words(f'{player} has no window')}"
    if play.round:
        yield "end"
    if play.conclusion:
        yield f"Note over {_all(play)}: {diagram_words(play.conclusion)}"


def _all(play: Play) -> str:
    return "P0,R" if play.players else "R"


def _who(passage: Passage) -> str:
    """Return who decides: a player, else the rules."""
    return "R" if passage.kind != "move" or passage.head.seat is None else f"P{passage.head.seat}"


def _next(passage: Passage) -> str:
    """Return who has priority then, the first of several; the rules if nobody has."""
    return f"P{passage.end.holders[0]}" if passage.end.holders else "R"


def render_flowchart(graph: nx.DiGraph[Any] | nx.MultiDiGraph[Any]) -> str:
    """Return the stages of *graph* as a flowchart, each with its title, and one arrow to each next
    stage with the clauses that lead there.

    Arrows of their own for two clauses between the same stages are drawn one over the other.
    """
    numbers = {node: number for number, node in enumerate(graph)}
    lines = [
        f'S{numbers[node]}["{diagram_words(data.get("title") or str(node))}"]'
        for node, data in graph.nodes(data=True)
    ]
    said: dict[tuple[Any, Any], list[str]] = {}
    for source, target, data in graph.edges(data=True):
        said.setdefault((source, target), []).append(
            diagram_words(f"{data['clause']} {data['title']}")
        )
    lines += [
        f'S{numbers[source]} -->|"{_BREAK.join(clauses)}"| S{numbers[target]}'
        for (source, target), clauses in said.items()
    ]
    return "\n".join(["flowchart TB", *(f"  {line}" for line in lines)]) + "\n"


def diagram_words(text: str) -> str:
    """Return *text* as it can stand in a line of a diagram, and means nothing to it: letters,
    numbers, and codes of everything else.
    """
    line = clean_line(" ".join(text.split()))
    coded = "".join(sign if sign.isalnum() or sign in _PLAIN else f"#{ord(sign)};" for sign in line)
    return _END.sub(lambda found: f"#{ord(found[1])};{found[2]}", coded)
