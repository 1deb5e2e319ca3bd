"""Plays and rulebooks as networkx graphs: what the pictures and the exports are made of.

A play is a path of positions: each node says who has priority, the step and the zones, each edge
the clause. A rulebook is a graph of its stages, with an edge for each clause and stage that it may
lead to.
"""

from __future__ import annotations

from itertools import chain

import networkx as nx

from ...models import ir
from ...models.words import join_words
from ..naming import more_words, moves_words
from ..plays.play import Play

NOBODY = "nobody"
OVER = "game over"


def play_graph(play: Play) -> nx.DiGraph[int]:
    """Return *play* as a graph; node *k* is moment *k*, and the one that breaks the property is
    marked.

    Where moves are made again and again, an edge leads back from the last moment to the one before
    them.
    """
    graph: nx.DiGraph[int] = nx.DiGraph()
    for moment in play.moments:
        decides = play.ending if moment is play.moments[-1] and play.ending != "stops" else ""
        zones = {pile.zone: "; ".join(card.label for card in pile.cards) for pile in moment.piles}
        graph.add_node(
            moment.number,
            priority=join_words(moment.priority) or NOBODY,
            active=moment.active,
            step=moment.step,
            stage=moment.stage or OVER,
            decides=decides,
            **{f"zone_{zone}": items for zone, items in zones.items()},
        )
        if moment.number:
            said = " ".join((*moment.choices, *moment.events))
            graph.add_edge(
                moment.number - 1,
                moment.number,
                clause=moment.clause,
                title=moment.title,
                mover=moment.mover,
                said=said,
            )
    if play.again_from is not None and play.round is not None:
        more = f", each time with {more_words(play.more)}" if play.more else ""
        title = f"{moves_words(*play.round)} again and again{more}"
        graph.add_edge(
            play.moments[-1].number, play.again_from, clause="", title=title, mover="", said=""
        )
    return graph


def stage_graph(program: ir.Program) -> nx.MultiDiGraph[str]:
    """Return the stages of *program*, in the order in which a play can first come to them, joined
    by the clauses.
    """
    leads = [
        (stage, clause, target)
        for stage, clause in program.clauses
        for target in targets_of(clause)
    ]
    targets: nx.DiGraph[str] = nx.DiGraph()
    targets.add_nodes_from(stage.name for stage in program.stages)
    targets.add_edges_from((stage.name, target) for stage, _, target in leads)
    reached = chain.from_iterable(nx.bfs_layers(targets, program.start.stage))
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for name in dict.fromkeys([*reached, *targets]):
        if name != OVER:
            stage = program.stage(name)
            graph.add_node(name, title=stage.title, priority=stage.priority is not None)
    if OVER in targets:
        graph.add_node(OVER, title="the game is over", priority=False)
    for stage, clause, target in leads:
        graph.add_edge(
            stage.name,
            target,
            key=clause.id,
            clause=clause.id,
            title=clause.title,
            mode=clause.mode,
        )
    return graph


def targets_of(clause: ir.Clause) -> tuple[str, ...]:
    """Return the stages that *clause* may lead to, in the order of its text."""
    found = [node for node in ir.walk(clause.body) if isinstance(node, ir.Go | ir.GameOver)]
    return tuple(dict.fromkeys(node.stage if isinstance(node, ir.Go) else OVER for node in found))
