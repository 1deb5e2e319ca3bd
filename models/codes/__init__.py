"""The closed table of the codes of mistakes in rules texts, for `stacklaw explain CODE` and the manual."""

from __future__ import annotations

from ..diagnostics import Code
from .binding import BINDING_CODES
from .syntax import SYNTAX_CODES

CODES: dict[str, Code] = {code: SYNTAX_CODES.get(code) or BINDING_CODES[code] for code in sorted({*SYNTAX_CODES, *BINDING_CODES})}
"""R0..: how a text is written; R1..: names and types; R2..: the way through a clause; R3..: limits."""
