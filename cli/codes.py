"""The codes of what can be wrong with a command line: a closed table."""

from __future__ import annotations

from ..models.diagnostics import Code

CODES: dict[str, Code] = {
    "L101": Code(
        "no ruleset in a folder",
        "A folder stands for the rulesets in it, files whose names end in `.rules`, and this one has none. Where no ruleset is named, "
        "those of the present folder are checked.",
        "stacklaw check docs",
        "stacklaw check rules",
    ),
    "L102": Code(
        "no inventory",
        "Coverage compares a ruleset with the list of its document's statements: a file beside it of the same name that ends in "
        "`.clauses`, with an id and a statement on each line.",
        "stacklaw coverage mygame.rules",
        "stacklaw coverage mygame.rules … with mygame.clauses beside it",
    ),
    "L103": Code(
        "nothing of this name to explain",
        "`stacklaw explain` knows the codes of errors, the verdicts, the properties of the catalogue, and the words of the glossary.",
        "stacklaw explain response",
        "stacklaw explain response_window",
    ),
    "L104": Code(
        "no folder for checkpoints",
        "A search writes down in a folder how far it is, so `--checkpoint` needs one in which files can be written. "
        "It is made if it is not there.",
        "stacklaw check mtg --checkpoint mygame.rules",
        "stacklaw check mtg --checkpoint searches",
    ),
    "L105": Code(
        "no folder for certificates",
        "Each proof has a certificate, a file of its own, so `--certificates` needs a folder in which files can be written. "
        "It is made if it is not there.",
        "stacklaw check mtg --certificates mygame.rules",
        "stacklaw check mtg --certificates proofs",
    ),
    "L106": Code(
        "no certificate",
        "`stacklaw certify` reads the files that `stacklaw check --certificates` has written. This one cannot be read at all; "
        "one that can be read and proves nothing is told as REJECTED.",
        "stacklaw certify nosuchfile.smt2",
        "stacklaw certify proofs/mtg.lifo.smt2",
    ),
    "L107": Code(
        "no solver",
        "A certificate is checked by Z3, which is installed with Stacklaw and is missing here. "
        "Any other solver that reads SMT-LIB can check it, too: every answer has to be `unsat`.",
        "stacklaw certify proofs/mtg.lifo.smt2 … without z3-solver",
        "pip install z3-solver",
    ),
    "L108": Code(
        "too many values to ask for",
        "One proof is tried for all values of an option at once, but where only a search is asked (`--engine`) it has to look at each of "
        "them, and these are too many.",
        "stacklaw check mygame.rules -p lifo --for-which cards --engine explicit … with an option from 1 to 500",
        "stacklaw check mygame.rules -p lifo --for-which cards",
    ),
    "L109": Code(
        "no property in a file",
        "A file that ends in `.props` has properties in it, which are asked of the rulesets that are named beside it. "
        'Each has a name, a title and, below, a formula: `property ending "the game ends on an empty stack"`, and in the next line, '
        "indented, `always (game is over implies stack is empty)`.",
        "stacklaw check mtg mine.props … with nothing in mine.props",
        "stacklaw check mtg mine.props … with a property in mine.props",
    ),
    "L110": Code(
        "properties and no ruleset",
        "A file of properties (`.props`) says what to ask, and its words are those of a ruleset, which is named beside it.",
        "stacklaw check mine.props",
        "stacklaw check mtg mine.props",
    ),
    "L111": Code(
        "a file that cannot be written",
        "What `--junit`, `--graph` and `--certificates` name is tried before a check begins, and written whole or not at all; what is "
        "printed has to go somewhere, too. There is no such folder, it may not be written there, or the disk is full.",
        "stacklaw check mtg --junit nosuchfolder/claims.xml",
        "stacklaw check mtg --junit claims.xml",
    ),
    "L112": Code(
        "no file of proofs",
        "`stacklaw prove` writes the proofs of a ruleset into a file beside it, whose name ends in `.proofs`, and "
        "`stacklaw prove --check` reads it. "
        "There is none, or it is not as it was written.",
        "stacklaw prove mygame.rules --check … with no mygame.proofs beside it",
        "stacklaw prove mygame.rules",
    ),
}
