"""Write what is made of the grammar of the language: the tables of its parser, and the grammar by
which VS Code colours rules.

usage: python editors/write_grammar.py
"""

from __future__ import annotations

from pathlib import Path

from stacklaw.models.parsing.scan import TABLES, tables
from stacklaw.reports.colours import textmate

FILE = Path(__file__).with_name("vscode") / "syntaxes" / "stacklaw.tmLanguage.json"


def main() -> None:
    """Write the files."""
    TABLES.write_bytes(tables())
    FILE.write_text(textmate(), encoding="utf-8")


if __name__ == "__main__":
    main()
