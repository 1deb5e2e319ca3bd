"""Graphs as GraphML (http://graphml.graphdrawing.org), for other graph tools."""

from __future__ import annotations

from typing import Any

import networkx as nx


def render_graphml(graph: nx.DiGraph[Any] | nx.MultiDiGraph[Any]) -> str:
    """Return *graph* with all that its nodes and edges carry."""
    return "\n".join(nx.generate_graphml(graph)) + "\n"
