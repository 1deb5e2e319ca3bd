"""Write the grammar by which VS Code colours rules, from the words of the language.

usage: python editors/write_grammar.py
"""

from __future__ import annotations

from pathlib import Path

from stacklaw.reports.colours import textmate

FILE = Path(__file__).with_name("vscode") / "syntaxes" / "stacklaw.tmLanguage.json"


def main() -> None:
    """Write the file."""
    FILE.write_text(textmate(), encoding="utf-8")


if __name__ == "__main__":
    main()
