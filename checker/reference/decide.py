"""Deciding: a property and a graph -> what is known of it, with the play that shows it.

What a property asks is written down in `checker.questions`; here each formula it needs is looked for in the graph.
"""

from __future__ import annotations

from ...properties import formula as f
from ..budget import INTERRUPTED, Meter, SpentError
from ..engine import Decision
from ..questions import Looked, Wanted
from ..questions import decide as decide_question
from .explore import collector_paused
from .lasso import Lasso
from .scan import can_scan, scan
from .signals import Signals
from .watch import Watch


def decide(signals: Signals, question: f.Property, meter: Meter) -> Decision:
    """Return what *signals*' graph says about *question*."""
    return decide_question(signals.graph.interpreter.program, question, lambda wanted: _look_for(signals, wanted, meter))


def look_for(signals: Signals, formula: f.Formula, spotlights: tuple[f.Spotlight, ...], meter: Meter) -> Looked:
    """Return a shortest play to a moment at which *formula* is true, if the graph has one."""
    return _look_for(signals, Wanted(formula, spotlights), meter)


def _look_for(signals: Signals, wanted: Wanted, meter: Meter) -> Looked:
    graph, formula, spotlights = signals.graph, wanted.formula, wanted.spotlights
    try:
        with collector_paused():
            if wanted.for_ever:
                return Lasso(signals, formula, spotlights, wanted.assuming, meter).look()
            if not can_scan(formula, spotlights):
                return Watch(signals, formula, spotlights, meter).search()
            trace = scan(signals, formula, spotlights, meter)
            return Looked(trace is not None, graph.complete_layers - 1, graph.stopped, trace)
    except SpentError as spent:
        return Looked(False, 0, str(spent))
    except KeyboardInterrupt:
        meter.interrupted = True
        return Looked(False, 0, INTERRUPTED)
