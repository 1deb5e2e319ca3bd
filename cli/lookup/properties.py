"""``stacklaw properties``: the catalogue."""

from __future__ import annotations

import click

from ...properties.load import catalogue
from ...reports.text.listing import render_catalogue
from ..output.printing import print_found


@click.command("properties")
def properties_command() -> None:
    """List the properties of the catalogue, family by family."""
    print_found(render_catalogue(catalogue()))
