"""The codes of what can be wrong with a command line: a closed table, code to meaning."""

from __future__ import annotations

CODES: dict[str, str] = {
    "L101": "a folder has no ruleset in it",
    "L102": "a ruleset has no inventory of its document's statements, a file beside it that ends in .clauses",
    "L103": "a word that is no code, verdict or property",
}
