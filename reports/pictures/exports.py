"""Exports of graphs for other tools: DOT (https://graphviz.org/doc/info/lang.html) and GraphML (http://graphml.graphdrawing.org)."""

from __future__ import annotations

from typing import Any

import networkx as nx


def render_dot(graph: nx.DiGraph[Any] | nx.MultiDiGraph[Any]) -> str:
    """Return *graph*, with what its nodes and edges say as their labels."""
    lines = [
        "digraph stacklaw {",
        '  rankdir="TB"; node [shape="box", style="rounded", fontname="Helvetica"]; edge [fontname="Helvetica"];',
    ]
    for node, data in graph.nodes(data=True):
        style = ', color="#c62828", penwidth="3"' if data.get("decides") == "breaks" else ""
        lines.append(f"  {_quoted(str(node))} [label={_quoted(_label(node, data))}{style}];")
    for source, target, data in graph.edges(data=True):
        words = "\n".join(str(data[key]) for key in ("clause", "title", "mover") if data.get(key))
        lines.append(f"  {_quoted(str(source))} -> {_quoted(str(target))} [label={_quoted(words)}];")
    return "\n".join([*lines, "}", ""])


def _label(node: object, data: dict[str, Any]) -> str:
    """Return what a node says: its name, and all it carries that is not empty."""
    said = [f"{key.removeprefix('zone_')}: {value}" for key, value in data.items() if value not in ("", None)]
    return "\n".join([str(node), *said])


def _quoted(text: str) -> str:
    """Return *text* as a DOT string, each of its lines on one of its own."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "").replace("\n", "\\n")
    return f'"{escaped}"'


def render_graphml(graph: nx.DiGraph[Any] | nx.MultiDiGraph[Any]) -> str:
    """Return *graph* with all that its nodes and edges carry."""
    return "\n".join(nx.generate_graphml(graph)) + "\n"
