"""A difference of rulesets as one page: what is lost, what players notice with the plays of both sides beside each other, the text."""

from __future__ import annotations

from ..pictures.svg import environment
from ..telling.differences import DifferenceRecord
from ..text.page import plain
from ..text.ruling import render_ruling
from .differences import FATES, summary

_WIDTH = 78


def render_difference_html(record: DifferenceRecord) -> str:
    """Return the page of *record*; it needs no network, and is light or dark as the reader's system is."""
    alike = [parting.folded_alike for parting in record.partings]
    partings = [(parting, *(plain(render_ruling(play), _WIDTH) for play in (parting.old, parting.new))) for parting in alike]
    fates = [(heading, record.fated(fate)) for fate, (heading, _) in FATES.items()]
    lost = [(row.name, plain(render_ruling(row.play), _WIDTH)) for row in record.guarantees if row.play is not None]
    template = environment().get_template("difference.html.jinja")
    said = [line.plain for line in summary(record)]
    return template.render(record=record, partings=partings, fates=fates, lost=lost, summary=said) + "\n"
