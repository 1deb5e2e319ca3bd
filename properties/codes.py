"""The codes of what can be wrong with a property: a closed table, for `stacklaw explain`.

P1.. what a phrase speaks of, P2.. operators and the form of a formula, P3.. spotlights, P4.. names of
properties and claims. Expressions about the position are bound as in rules, and their mistakes have
the codes of `stacklaw.models.codes`.
"""

from __future__ import annotations

from ..models.diagnostics import Code

CODES: dict[str, Code] = {
    "P101": Code(
        "unknown clause",
        "A formula names a clause by its id, and the ruleset has no clause of that id. "
        "(A clause that only the present options rule out is known; it is never used.)",
        "never clause 9.9",
        "never clause 1.1",
    ),
    "P102": Code(
        "unknown stage",
        "`at STAGE` names a stage of the ruleset. (A stage that only the present options rule out is known; no play comes to it.)",
        "never (at decision and game is over)",
        "never (at decide and game is over)",
    ),
    "P103": Code(
        "what begins or ends is no step and no sequence",
        "`step begins` and `step ends` are said of any step, `turn begins`, `turn ends` and the same of another "
        "sequence's name of the sequence as a whole. One step is picked out by asking for the present step beside it.",
        "never (upkeep begins and stack is not empty)",
        "never (step begins and step is upkeep and stack is not empty)",
    ),
    "P104": Code(
        "this is said of an item",
        "Items are put, moved and resolved. A formula speaks of an item that it watches (`for every item i:`), or of `something`. "
        "An item that is on a zone just now, such as `top of stack`, is another one at the next moment.",
        "never (top of stack resolves and nobody has priority)",
        "for every item i: never (i resolves and nobody has priority)",
    ),
    "P105": Code(
        "this is said of a player",
        "Players have priority, pass and act. A formula speaks of a player that it watches (`for every player p:`), "
        "of one that the rules name (`active`), or of `someone` and `nobody`. A value cannot be `someone`.",
        "never (something has priority and game is over)",
        "never (someone has priority and game is over)",
    ),
    "P106": Code(
        "unclear of an item that is not there",
        "Everything said of an item is false before it is first put on a zone. So `i is not top of stack` would be false "
        "of an item that does not exist, and its opposite too; `not i is top of stack` says which is meant.",
        "for every item i: never (i resolves and i is not top of stack)",
        "for every item i: never (i resolves and not i is top of stack)",
    ),
    "P107": Code(
        "a player who may be nobody",
        "`controller of top of stack` is a player only while the stack has a top. A formula names the player and asks whose the item is.",
        "never (controller of top of stack has priority and game is over)",
        "for every player p: never (p has priority and p is controller of top of stack and game is over)",
    ),
    "P201": Code(
        "a formula without its first word",
        "A formula asks whether something is so at every moment (`always`), at none (`never`), "
        "or at some moment of some play (`possible`).",
        "someone has priority implies stack is empty",
        "always (someone has priority implies stack is empty)",
    ),
    "P202": Code(
        "a word about all plays or about the future, where it cannot stand",
        "`possible` begins a formula. Words about the future (`always`, `never`, `eventually`, `until`, `leads to`, `again and again`, "
        "`finitely often`) stand inside each other, in parentheses, but not below `possible`, nor below a word that looks back: "
        "which moment would decide it?",
        "always (game is over implies once (always someone has priority))",
        "always (game is over implies not (eventually someone has priority))",
    ),
    "P203": Code(
        "a play inside an expression about the position",
        "Comparisons, the quantifiers of the rules language and the arguments of terms speak of the position alone. "
        "The past, events and who has priority are joined to them by `and`, `or`, `not` and `implies`, and "
        "`for every player p:` before the formula stands for a quantifier over players.",
        "never (some p in players where (p has priority and p is not active))",
        "for every player p: never (p has priority and p is not active)",
    ),
    "P205": Code(
        "about, of something possible",
        "`about` says what must happen for a property to mean anything. A play that shows that something is possible is proof enough.",
        "about someone passes\npossible game is over",
        "possible game is over",
    ),
    "P206": Code(
        "assuming, without a future",
        "`assuming` leaves out plays in which somebody acts for ever. That only matters to `eventually`, `leads to` and their like, "
        "which speak of "
        "what eventually comes; a play that breaks anything else, or shows that it is possible, ends after finitely many moves.",
        "assuming players act only finitely often\nnever someone passes",
        "assuming players act only finitely often\nsomeone has priority leads to someone passes",
    ),
    "P207": Code(
        "with, where no play decides",
        "`with` says what the play that decides must make true by the moment that decides. So it stands below `fails` and `possible`: "
        "the other words claim that there is no such play, and what must eventually happen is decided by no moment.",
        "impossible over\n  possible game is over\n  with someone passes",
        "possible over\n  possible game is over\n  with someone passes",
    ),
    "P208": Code(
        "what cannot be enforced",
        "Before `can enforce` stand players that the formula watches, behind it what becomes of a whole play: `always`, `never`, "
        "`eventually`, `leads to`, that a player acts only finitely often, or several of these joined by `and`.",
        "for some player p: p can enforce p passes",
        "for some player p: p can enforce eventually p passes",
    ),
    "P301": Code(
        "a spotlight nothing is said of",
        "An item, player or clause that stands before a formula must occur in it.",
        "for every item i, player p: never (i resolves and nobody has priority)",
        "for every item i: never (i resolves and nobody has priority)",
    ),
    "P302": Code(
        "for every and for some",
        "`for every` stands before `always` and `never`, `for some` before `possible`: one play shows that it is possible for one item. "
        "`for some player p:` stands before `p can enforce`, and items behind it. "
        "Clauses are always asked each in turn: `for every clause c: possible clause c`.",
        "for every player p: possible p acts",
        "for some player p: possible p acts",
    ),
    "P303": Code(
        "a name that is taken",
        "The name of a spotlight must not mean anything else in the formula: no other spotlight, no variable, zone or step of the ruleset.",
        "for every item stack: never (stack resolves and nobody has priority)",
        "for every item i: never (i resolves and nobody has priority)",
    ),
    "P304": Code(
        "too many spotlights",
        "A formula may watch six items and players at once and ask for one clause: each more multiplies the work.",
        "for every clause c, clause d: never (clause c is possible and clause d is possible)",
        "for every clause c: never (clause c is possible and clause 1.1 is possible)",
    ),
    "P305": Code(
        "too much about the future",
        "Each word about the future doubles the work, so a formula and what it assumes may look at it eight times. `eventually`, `always`, "
        "`never` and `until` look once; `leads to`, `again and again` and `finitely often` twice.",
        "assuming again and again someone acts\n"
        "always ((again and again someone passes) and (again and again something resolves) and (again and again game is over))",
        "assuming again and again someone acts\nagain and again something resolves",
    ),
    "P401": Code(
        "unknown property",
        "A claim without a formula names a property of the catalogue.",
        "holds lfo",
        "holds lifo",
    ),
    "P402": Code(
        "two properties of one name",
        "Each property and each lemma of a file has a name of its own.",
        'property over "it ends"\n  possible game is over\nproperty over "it ends"\n  possible game is over',
        'property over "it ends"\n  possible game is over',
    ),
    "P403": Code(
        "a name that means another property already",
        "The names of the catalogue mean the same in every ruleset, so a claim with a formula of its own has another name. "
        "So has a property in a file that is given beside a ruleset, and it is not called like one of its claims either.",
        "possible lifo\n  possible game is over",
        "possible ending\n  possible game is over",
    ),
    "P404": Code(
        "a word that can never be the verdict",
        "What a formula asks with `always` or `never` holds, fails or is vacuous; what it asks with `possible` or "
        "`can enforce` is possible or impossible.",
        "holds hold_priority",
        "possible hold_priority",
    ),
    "P405": Code(
        "a lemma that is not about every moment",
        "A lemma is what the proofs of other properties may build on: something that is so at every moment of every play. "
        "So it begins with `always` or `never`. What is possible, what must eventually happen, and what is asked of each clause "
        "in turn can be no lemma.",
        "lemma ending\n  possible game is over",
        "lemma ending\n  always (game is over implies stack is empty)",
    ),
}
