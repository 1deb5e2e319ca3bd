"""The codes of mistakes in syntax, in how a text is written (R0..), and of texts beyond every bearable size (R31.)."""

from __future__ import annotations

from ..diagnostics import Code

SYNTAX_CODES: dict[str, Code] = {
    "R001": Code(
        "not understood",
        "Something stands in this line where nothing of the kind can stand. The message says what it is and what could stand "
        "there; the hint shows how such a line is written. Lines are read one by one, so the lines around it are not affected.",
        "go decide holder",
        "go decide(holder)",
    ),
    "R002": Code(
        "tab in the indentation",
        "Blocks are made by indentation, and a tab is as wide as each editor likes. So lines are indented with spaces, two for each level.",
        "\tpass",
        "  pass",
    ),
    "R003": Code(
        "wrong indentation",
        "All lines of a block are indented alike. A line that is deeper than the one above belongs to that one: it is part of its "
        "block or, where it opens none, goes on with it.",
        "pass\n  passed += holder",
        "pass\npassed += holder",
    ),
    "R004": Code(
        "wrong quotes",
        'Titles and other texts stand between two plain quotes `"` on one line. Typographic quotes are for the text inside.',
        'may 1.2 "pass',
        'may 1.2 "pass"',
    ),
    "R005": Code(
        "line ends too early",
        "Something is missing at the end of the line. If the line was to go on below, indent the next line deeper; "
        "only a line that opens a block of its own cannot go on below.",
        "when stack is",
        "when stack is empty",
    ),
    "R006": Code(
        "empty block",
        "This line begins a block: the lines that belong to it stand below it, two spaces deeper. There are none.",
        "if stack is empty\ngo resolve",
        "if stack is empty\n  go resolve",
    ),
    "R007": Code(
        "branches that do not fit together",
        "`else` stands right below the lines of an `if` and is indented like it; `or` belongs to an `either` in the same way. "
        "`else` comes last and only once, and an `either` has at least one `or`.",
        "pass\nelse\n  go resolve",
        "if stack is empty\n  pass\nelse\n  go resolve",
    ),
    "R008": Code(
        "line in the wrong place",
        "Each kind of line has its place: headers and sections at the left margin, clauses below a stage, statements below a clause "
        "or a routine, claims below `claims`. Most often the indentation is wrong, or the line above this block is missing.",
        'stage decide\n  pass\n  may 1.2 "pass"',
        'stage decide\n  may 1.2 "pass"\n    pass',
    ),
    "R009": Code(
        "wrong kind of file",
        "A ruleset says how a game works (`.rules`); a file of properties says what may be asked of any game (`.props`).",
        'property nobody_waits "…"  (in a ruleset)',
        'claims\n  holds nobody_waits "…"',
    ),
    "R010": Code(
        "header missing",
        "A ruleset says what it is called (`game`), how many can play (`players`), and at which stage play begins (`start`).",
        'game "Two passes"\nplayers 2',
        'game "Two passes"\nplayers 2\nstart decide(active)',
    ),
    "R011": Code(
        "said twice",
        "This can be said only once, and it was said before. Of two, neither is known to be meant.",
        "players 2\nplayers 3",
        "players 2 to 3",
    ),
    "R012": Code(
        "word of the language as a name",
        "Most words are free as names. This one begins an expression or a statement, so a line with it could not be read.",
        "state\n  before : players",
        "state\n  earlier : players",
    ),
    "R013": Code(
        "not one formula",
        "A property has exactly one formula, and a claim that is not of the catalogue too. A long formula goes on in deeper lines.",
        "never (something resolves\nand stack is empty)",
        "never (something resolves\n  and stack is empty)",
    ),
    "R014": Code(
        "parentheses that do not match",
        "Each `(` needs its `)` in the same line, or in the deeper lines with which it goes on.",
        "when (stack is empty and step is main",
        "when (stack is empty and step is main)",
    ),
    "R015": Code(
        "misspelt word",
        "A word of the language seems to be misspelt here: with the word of the hint the line could be read.",
        "whn stack is empty",
        "when stack is empty",
    ),
    "R016": Code(
        "other version of the language",
        "`language N` says for which version of the rules language a text was written. This program knows versions 1 and 2.",
        "language 3",
        "language 2",
    ),
    "R020": Code(
        "file cannot be read",
        "There is no such file, it is a folder, or it may not be read.",
        "stacklaw check mtg.ruels",
        "stacklaw check mtg.rules",
    ),
    "R021": Code(
        "not a text",
        "The file has zero bytes, which no text has. Perhaps it is a picture, a program, or a text saved as UTF-16.",
        "stacklaw check cards.png",
        "stacklaw check cards.rules",
    ),
    "R022": Code(
        "not UTF-8",
        "Texts are read as UTF-8. This one was saved in another encoding; the place is that of the first byte that does not fit.",
        "a file saved as Latin-1",
        "the same file saved as UTF-8",
    ),
    "R310": Code(
        "file too large",
        "A ruleset of a few hundred clauses has less than a tenth of the limit. A larger file is hardly a ruleset.",
        "stacklaw check video.mp4",
        "stacklaw check game.rules",
    ),
    "R311": Code(
        "number too large",
        "Numbers in a ruleset count players, cards or rounds. Even far smaller ones make a search endless.",
        "round : 0 to 99999999999",
        "round : 0 to 3",
    ),
    "R312": Code(
        "line too long",
        "A line with everything that goes on below it has a limit. What is longer is not meant for people.",
        "when a or a or a … (thousands of times)",
        "term due means a or b",
    ),
    "R313": Code(
        "blocks nested too deep",
        "Blocks within blocks have a limit, and so have the branches of an `if`. A routine (`to NAME`) or a stage of its own "
        "is easier to read.",
        "if a\n  if b\n    if c …",
        "do decide_it",
    ),
    "R314": Code(
        "expression nested too deep",
        "Parentheses, `not`s and other operators within each other have a limit; so has a chain of many `and`s.",
        "when ((((((((((…))))))))))",
        "when ready",
    ),
    "R315": Code(
        "too many mistakes",
        "After this many mistakes the rest of the text is not read. Perhaps it is not a text of this language at all.",
        "a poem",
        "a ruleset",
    ),
}
