"""Unsupported by the symbolic engine: an error with its reason, never something left out in
silence.
"""

from __future__ import annotations


class UnsupportedError(Exception):
    """A Program or a Property has something in it that the encoding does not know; the message says
    what.
    """
