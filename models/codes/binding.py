"""The codes of mistakes in the binding of a ruleset: names and types (R1..), the way through a clause (R2..), sizes (R30.)."""

from __future__ import annotations

from ..diagnostics import Code

BINDING_CODES: dict[str, Code] = {
    "R101": Code(
        "unknown name",
        "A name stands for something that the ruleset declares: a state variable, an option, a term, a step, a value, or "
        "something named in the clause. Nothing here has this name.",
        "when pased is everyone",
        "when passed is everyone",
    ),
    "R102": Code(
        "wrong type",
        "Flags, numbers, players, sets of players, named values and items are different things, and each place takes one of "
        "them. A set of players is asked with `p in passed` or `passed is everyone`; a number is compared.",
        "when count",
        "when count > 0",
    ),
    "R103": Code(
        "unknown option or value",
        "`--set name=value`, or `game@name=value`, names an option of the ruleset and one of its values. `stacklaw show GAME` lists them.",
        "stacklaw check fow@additions=adders",
        "stacklaw check fow@additions=adder",
    ),
    "R104": Code(
        "unknown kind of item",
        "What is put on a zone, and what an item `is`, is a kind that `items` declares, or a tag of kinds.",
        "put spel on stack",
        "put spell on stack",
    ),
    "R105": Code(
        "unknown zone",
        "Items are on zones, and `zones` declares them.",
        "put spell on stak",
        "put spell on stack",
    ),
    "R106": Code(
        "unknown stage",
        "`go` and `start` name a stage of the ruleset.",
        "go decid(holder)",
        "go decide(holder)",
    ),
    "R107": Code(
        "unknown step or sequence",
        "`skip to` names a step; `advance`, `begin` and `end` name a sequence, `advance` alone is the turn's. The turn itself "
        "neither begins nor ends by a statement: after its last step comes its first.",
        "skip to man",
        "skip to main",
    ),
    "R108": Code(
        "wrong number of arguments",
        "A stage, a term or a routine takes as many values as it has parameters, in their order.",
        "go decide",
        "go decide(active)",
    ),
    "R109": Code(
        "name declared twice",
        "Options, state, zones, terms and sequences share their names; so do the names that one clause gives to choices and "
        "values. Each means one thing.",
        "let passed be 3",
        "let number_passed be 3",
    ),
    "R110": Code(
        "clause or claim declared twice",
        "Plays cite clauses by their ids, so an id stands for one clause. Where a rule needs two clauses, an apostrophe or a "
        "letter tells them apart. A claim with a formula has a name of its own too.",
        'may 1.1 "cast a spell" … may 1.1 "cast a slow spell"',
        'may 1.1 "cast a spell" … may 1.1\' "cast a slow spell"',
    ),
    "R111": Code(
        "only a formula can say this",
        "Who had priority, what happens, what happened before: these speak of a play, and only claims and properties do. A rule"
        " sees the position; what it needs to know of the past must be kept in `state`.",
        "when once (sba)",
        "when was_sba",
    ),
    "R112": Code(
        "explained by itself",
        "A term or a routine uses itself, perhaps by way of others. Something that is repeated is a stage that goes to itself.",
        "term settled means not sba and settled",
        "term settled means not sba and waiting is empty",
    ),
    "R113": Code(
        "not constant, or not here",
        "Ranges, first values and the arguments of `start` depend only on numbers, options and the number of players; the "
        "condition of a claim only on options. `comes first from` compares the candidates of a `choose`, once.",
        "count : 0 to other",
        "count : 0 to number of players",
    ),
    "R117": Code(
        "no such end",
        "The next item of a `last in first out` zone is its top, that of a `first in first out` zone its front; a zone `in any "
        "order` has neither, and an item of it is chosen.",
        "resolve top of queue",
        "resolve front of queue",
    ),
    "R118": Code(
        "cannot be changed",
        "Clauses change what `state` declares, `active`, and attributes of items. Parameters, choices and options stay as they are, and "
        "so do the kind and the controller of an item; steps change by `advance`, `skip to`, `begin` and `end`.",
        "holder := active",
        "go decide(active)",
    ),
    "R119": Code(
        "an item nobody controls",
        "Every item has a controller: the player whose move it is, or the one named with `by`. A move of the rules or of the "
        "cards has no player.",
        "put ability on waiting",
        "put ability by active on waiting",
    ),
    "R120": Code(
        "nobody to pass",
        "`pass` says that the player whose move it is passes, and this move is no player's.",
        'must 1.1 "pass" … pass',
        'may 1.1 "pass" … pass',
    ),
    "R121": Code(
        "whose move is it",
        "A `may` clause is for the player who has priority, or for the one named with `by`. Where nobody has priority, or "
        "several players may have, it has to say. What the cards may cause is nobody's move.",
        "stage rest … may 2.1 …",
        "stage rest … may 2.1 … by active",
    ),
    "R123": Code(
        "an empty range",
        "The low end of a range is not above its high end, and a default lies between them.",
        "count : 3 to 1",
        "count : 1 to 3",
    ),
    "R126": Code(
        "unknown game",
        "`stacklaw games` lists the games that come with Stacklaw; anything else is the path of a ruleset, whose name ends in `.rules`.",
        "stacklaw check mgt",
        "stacklaw check mtg",
    ),
    "R127": Code(
        "no such revision",
        "A ruleset of an earlier time is named as git names it: a revision, a colon, and the path from the top of the repository "
        "or from here.",
        "stacklaw diff HEAD~1:mine.rule mine.rules",
        "stacklaw diff HEAD~1:rules/mine.rules rules/mine.rules",
    ),
    "R201": Code(
        "no next stage",
        "Every way through a clause ends with `go STAGE` or `game over`. An `if` without `else` has a way around it.",
        "if passed is everyone … go resolve",
        "if passed is everyone … go resolve … else … go decide(after holder)",
    ),
    "R202": Code(
        "statements after the end",
        "`go` and `game over` end the move; nothing happens after them.",
        "go decide(holder) … passed := none",
        "passed := none … go decide(holder)",
    ),
    "R203": Code(
        "unreachable stage",
        "No clause of a stage that a play can come to goes to this one, and the game does not start in it.",
        "stage resolve … (and no `go resolve`)",
        "may 1.2 … go resolve",
    ),
    "R204": Code(
        "a choice that can be empty",
        "A `choose` needs something to choose. Make sure before it: with `when ZONE is not empty`, or for a choice with a "
        "condition with `when some x in … where` and the same condition.",
        "choose t in waiting where t is slow",
        "when some t in waiting where t is slow … choose t in waiting where t is slow",
    ),
    "R205": Code(
        "an item that may not be there",
        "`top of` and `front of` take the next item of a zone, and the zone may be empty here. A guard, an enclosing `if`, a "
        "`put` just before or an earlier part of an `and` makes sure.",
        "resolve top of stack",
        "when stack is not empty … resolve top of stack",
    ),
    "R206": Code(
        "an item that may have left",
        "A chosen item is asked for after it was moved, resolved or removed, or after the top of its zone was, or another item chosen "
        "there, as that may be the same one. Name what is needed of it before.",
        "remove t … go decide(controller of t)",
        "let who be controller of t … remove t … go decide(who)",
    ),
    "R207": Code(
        "a guard inside a clause",
        "`when` and `by` say when a clause can be used and whose move it is, so they stand before everything else. Inside, `if`"
        " branches, and `require` makes the whole move impossible.",
        "put spell on stack … when stack is not empty",
        "when stack is not empty … put spell on stack",
    ),
    "R208": Code(
        "todo among other statements",
        "`todo` stands in the place of the whole body of a clause that is still to be written, below its `when`s and `by`. `check` then "
        "says only what is so whatever the clause will do.",
        "resolve top of stack … todo",
        "when stack is not empty … todo",
    ),
    "R209": Code(
        "what cannot move together",
        "`move every` takes items of a zone to another one all at once, in the order in which they lie. Items of a zone in any order have "
        "none, so nothing says how they would lie on a zone that has one.",
        "move every t in waiting to stack",
        "choose t in waiting … move t to stack … go place_the_next",
    ),
    "R210": Code(
        "an end inside a routine",
        "A routine changes things; where the game goes then is said by the clause that uses it. A routine may say `game over` only on some "
        "of its ways.",
        "to open(p: player) … go watch(p)",
        "to open(p: player) … passed := none … and in the clause: do open(p) … go watch(p)",
    ),
    "R301": Code(
        "too many values",
        "A variable with very many values makes a search that never ends. Timing rules seldom need a number: none, some and "
        "many, or a flag, say what a rule asks.",
        "life : 0 to 100000",
        "life : none or some",
    ),
    "R302": Code(
        "too many players",
        "A ruleset is for at most 16 players. (What holds for every number of players is not found by trying them.)",
        "players 40",
        "players 2 or more",
    ),
    "R303": Code(
        "no such scope",
        "The scope has a number of players that the game can be played by, and sizes of zones from 1 to 100.",
        "scope players 2, stack 500",
        "scope players 2, stack 4",
    ),
    "R304": Code(
        "too many ways through a clause",
        "Every `if`, `maybe` and `either` doubles the ways through a clause, and each way is a move. Several clauses with "
        "stages between them say the same with far fewer.",
        "maybe … maybe … maybe … (fourteen times)",
        "maybe … go more_happenings",
    ),
    "R305": Code(
        "rules that grow without end",
        "Terms and routines are put in place of their names. Where they use one another again and again, a few lines become "
        "more than any machine can hold.",
        "term b means a and not a; term c means b and not b; …",
        "state … b : flag",
    ),
    "R306": Code(
        "a clause too long",
        "A clause has one or two statements, or ten; more than 150, those of the routines it uses among them, no search and no reader "
        "can follow. Several clauses with stages between them say the same.",
        "put spell on stack; put spell on stack; … (two hundred times)",
        "put spell on stack; go put_the_next",
    ),
}
