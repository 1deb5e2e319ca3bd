"""``stacklaw properties``: the catalogue."""

from __future__ import annotations

import sys

import click

from ...properties.load import catalogue
from ...reports.text.listing import render_catalogue
from ..output.printing import print_page


@click.command("properties")
def command() -> None:
    """List the properties of the catalogue, family by family."""
    print_page(render_catalogue(catalogue()), sys.stdout)
