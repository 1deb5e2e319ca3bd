"""The codes of lints: a closed table, for `stacklaw explain`.

W1.. what a ruleset has and does not use, W2.. what a claim asks.
"""

from __future__ import annotations

from ...models.diagnostics import Code

CODES: dict[str, Code] = {
    "W101": Code(
        "nobody can pass here",
        "In a stage with `priority` a player has priority, and whoever has priority may usually pass. No clause of this stage has "
        "a `pass`, so a formula about passing never sees one here.",
        'stage reply(p: player)\n  priority p\n\n  may 2.1 "say nothing"\n    go decide(p)',
        'stage reply(p: player)\n  priority p\n\n  may 2.1 "say nothing"\n    pass\n    go decide(p)',
    ),
    "W102": Code(
        "a pass that is none",
        "The clause is called a pass and has no statement `pass`, so for every formula its player acts.",
        'may 2.1 "pass"\n  go decide(p)',
        'may 2.1 "pass"\n  pass\n  go decide(p)',
    ),
    "W103": Code(
        "an option that nothing asks about",
        "No rule and no claim asks for its value, so all of its values are the same game.",
        'option flash "whether there is flash"\n  no "there is none"\n  yes "there is"',
        'option flash "whether there is flash"\n  no "there is none"\n  yes "there is"\n\nclaims when flash is yes\n  holds lifo',
    ),
    "W104": Code(
        "a variable that nothing asks about",
        "The rules set it, perhaps, and no rule and no claim ever asks for its value, so it decides nothing.",
        "state\n  told : flag",
        "state\n  told : flag\n\nclaims\n  holds silence\n    never told",
    ),
    "W105": Code(
        "a kind that nothing puts anywhere",
        "No clause puts an item of this kind on a zone, so no play has one.",
        'items\n  trap "trap"',
        'items\n  trap "trap"\n\nstage traps\n  chance 2.1 "a trap is set"\n    put trap by active on stack\n    go decide(active)',
    ),
    "W106": Code(
        "a tag that nothing knows",
        "No rule and no claim asks for this tag, and the catalogue does not know it. It may be a slip for one that it knows: "
        "`stack` and `waiting` on a zone, `slow` on a kind, `process` on a flag, `silent` and `ending` on a step.",
        "turn\n  opening [silnt]\n  main",
        "turn\n  opening [silent]\n  main",
    ),
    "W107": Code(
        "where a quantifier ends",
        "In version 1 of the language one comparison stands after `where` or `satisfies`. In version 2 it goes on as far as it can.",
        "never (some i in stack where kind of i is spell and size of stack > 1)",
        "never (some i in stack where (kind of i is spell and size of stack > 1))",
    ),
    "W108": Code(
        "a clause that is still to be written",
        "`todo` stands in the place of its body. Until it is written, only what plays show before they come to it is known.",
        'may 2.1 "trade"\n  todo',
        'may 2.1 "trade"\n  go decide(p)',
    ),
    "W109": Code(
        "a zone that nothing comes to",
        "No clause puts or moves an item there, so it is always empty.",
        "zones\n  hand in any order",
        'zones\n  hand in any order\n\nstage hands\n  chance 2.1 "one is drawn"\n    put spell by active on hand\n    go decide(active)',
    ),
    "W201": Code(
        "who has priority after the move",
        "At a moment a formula sees a move and the position that the move has led to. Who acts or passes has done so with the priority "
        "they had before: `previously`.",
        "for every player p: never (p acts and not p has priority)",
        "for every player p: never (p acts and not previously p has priority)",
    ),
    "W202": Code(
        "a claim that does not ask anything",
        "It is true, or false, by its form alone, whatever the rules say. So it cannot notice anything.",
        "always (game is over implies game is over)",
        "always (game is over implies stack is empty)",
    ),
}
