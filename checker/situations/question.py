"""Questions: a judge's sentence, in any phrasing -> a situation, and what is asked of it.

Nothing here knows a game: what the words name is found by `vocabulary`.

Phrasing: what people say in many ways, in the one way that statements and questions are read.

Patterns and what stands in their place are data, which the page reads, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from ...models.diagnostics import InputError, wrong_input
from ...models.frozen import frozen
from ...models.words import join_words
from .words import seat_of, words_of

_WHO = r"([A-P]|[Tt]he (?:[a-z-]+ )?(?:player|opponent))"
_DOES = r"(casts|plays|activates|uses)"
_KIND = r"((?:[\w-]+ |\w+-)?)"
_STOPS = r"(?=\s*[;:.,?]|\s+(?:and|then|in|on|during)\b|\s*$)"
_ACTS = (
    "cast|play|activat|us(?:e|ing)|pass|put|call|attack|block|declar|announc|begin|began|start|tap"
    "|buy|bought|conced"
)
_ABILITY = r"(abilit(?:y|ies)|effects?)"
_TOGETHER = r"\1's \3\4 triggers together with \2's \3\4"
_BOTH_OF = r"\1's \2\3 triggers together with \1's \2\3"

PHRASES: tuple[tuple[str, str], ...] = (
    (r"\b[Pp]layer ([A-P])\b", r"\1"),
    (r"\b([Ii])t's\b", r"\1t is"),
    (r"\b(do|does|did|is|has|was)n't\b", r"\1 not"),
    (r"\b([A-P]) ?[,(] ?(?:who is )?the (?:active|turn) player ?[,)]", r"\1 is active; \1"),
    # When and where.
    (
        r"^(?:[Ii]f|[Ww]hen|[Oo]nce|[Aa]fter|[Ss]uppose(?: that)?) "
        r"(?=(?:both|all|everybody|everyone)\b)",
        "",
    ),
    (r"(^|[.;:] +)(?:[Tt]hen|[Nn]ext|[Aa]fter that|[Aa]fterwards|[Ff]inally),? +(?=\w)", r"\1"),
    (
        r"\b(?:[Ii]n response|[Aa]s a response)((?: to (?:it|that|this|[^,;:]+(?=,)))?),? ([A-P] "
        r"[a-z][^;:.?,]*)",
        r"\2 in response\1",
    ),
    (
        r"\b(?:[Dd]uring|in) the resolution of ([^,;:]+),? (?=[A-P] |may|can|who|what)",
        r"\1 is resolving: ",
    ),
    (
        r"\b([Ii]n|[Oo]n|[Dd]uring|[Aa]t) (?:the )?((?:[\w-]+ )?(?:step|phase|upkeep)(?: \d)?) of "
        r"([A-P])'s turn\b",
        r"\1 \3's \2",
    ),
    (
        r"\b[Aa]t (?:the )?(?:beginning|start) of (?:([A-P]'s)|the|a)? ?turn\b",
        r"in \1 start of turn",
    ),
    (r"\b(?:[Aa]t|[Ii]n) (?:the )?end of (?:([A-P]'s)|the|a)? ?turn\b", r"in \1 end of turn"),
    (r"(^|[.;:,] +)(?:[Ww]ith|[Oo]n) an? empty (\w+),?", r"\1the \2 is empty;"),
    (
        r"(^|[.;:] +)((?:[A-P]|everybody|everyone|both) [a-z][^;:.?]*?) (?:with|on) an empty "
        r"(\w+)\b",
        r"\1the \3 is empty; \2",
    ),
    (
        r"\b([Ii]n|[Oo]n|[Dd]uring) ([^;:.,]+?),? with nothing on the (\w+)\b",
        r"\1 \2; the \3 is empty",
    ),
    (r"^([^;:]+?),? (?:with|on) an empty (\w+)\?$", r"the \2 is empty: \1?"),
    (r"^([^;:]+?),? (?:with|on) a non-?empty (\w+)\?$", r"the \2 is not empty: \1?"),
    (r"^([^;:]+?),? (?:while|when|if) the (\w+) is not empty\?$", r"the \2 is not empty: \1?"),
    (
        r"^([^;:]+?) while (?:there is |there's )?(?:something|anything|(?:another|an?) (?:\w+ "
        r")?(?:spell|ability|card))"
        r"(?: is)? on the (\w+)\?$",
        r"the \2 is not empty: \1?",
    ),
    (
        r"^[Ww]hat (?:happens|comes|comes next|is next) (?:if|when|once) "
        r"(?:all|everybody|everyone|both)(?: players)? pass(?:es)?"
        r"(?: priority)?(?: in succession)?(?:,? (?:and|while|with|on) (?:an empty|the) \w+(?: is "
        r"empty)?)?\?",
        "everybody passes: what happens?",
    ),
    # Who passes.
    (r"\b[Ee]veryone (?=pass)", "everybody "),
    (r"\bEvery(body|one|\s?player)\b", r"every\1"),
    (r"\bBoth\b", "both"),
    (r"\bAll (?=players\b|pass\b|of\b)", "all "),
    (r"\bEach (?=player\b)", "each "),
    (r"\bpass(es)? (?:priority )?(?:in succession|as well|too|in turn)\b", r"pass\1"),
    (r"\b(?:yields|gives up|relinquishes) (?:the )?priority\b", "passes"),
    (
        rf"\b{_WHO} (?:does nothing|do(?:es)? ?n[o']t respond|declines to respond|has no "
        r"response|takes no action)\b",
        r"\1 passes",
    ),
    (
        rf"\b{_WHO} (?:lets?|allows?) (?:it|that|this|(?:the|[A-P]'s) [\w -]+?) (?:to )?resolve\b",
        r"it resolves",
    ),
    (
        r"\b(?:[Nn]obody|[Nn]o ?one|[Nn]o player|[Nn]either player)(?: else)? "
        r"(?:responds?|reacts?|does anything|adds anything|acts?)"
        r"(?: else| to (?:it|that|this))?\b",
        "everybody passes",
    ),
    # What is done, and by whom.
    (
        rf"\b{_WHO} (?:(?:do(?:es)?|did|will) not|(?:chooses|elects|decides) not to|declines "
        r"to|forgoes the) (attack|block)\b",
        r"\1 forfeits to \2",
    ),
    (r"\b(casts|plays|activates|uses) a (?:second|third|fourth|further) ", r"\1 another "),
    (
        rf"\b([A-P]) (?:(?:has|have|had|just|already|now|also|immediately|will) )+(?=(?:{_ACTS}"
        r")\w*\b)",
        r"\1 ",
    ),
    (
        r"\b[Aa]n? ([a-z][\w -]*?) is (cast|played|activated|used|called|put) by ([A-P])\b",
        r"\3 \2 a \1",
    ),
    (
        rf"\b([A-P]) {_DOES} (?:two|2) ([a-z][\w -]*?),? (?:without passing(?: "
        r"priority)?|(?:while )?holding priority)\b",
        r"\1 \2 \3; \1 holds priority and \2 another \3",
    ),
    (
        rf"\b([A-P]) {_DOES} (?:two|2) ([a-z][\w -]*?)(?: in a row| back to back)?{_STOPS}",
        r"\1 \2 \3; \1 \2 another \3",
    ),
    (
        rf"\b([A-P]) {_DOES} (an? [\w -]+?),? (?:while )?holding priority\b",
        r"\1 \2 \3; \1 holds priority",
    ),
    (
        rf"\b([A-P]) {_DOES} another ([a-z][\w -]*?),? (?:without passing(?: priority)?|(?:while "
        r")?holding priority)\b",
        r"\1 holds priority and \2 another \3",
    ),
    # What triggers at once.
    (r"\b(triggers?) and (?:then )?(?:it )?resolves?\b", r"\1; it resolves"),
    (
        r"(^|[;.:,] +)((?:[A-P]'s|[Aa]n?) [\w -]+ triggers) (?:as|when) ((?:[A-P]'s|the) [\w -]+ "
        r"resolves|it resolves)\b",
        r"\1\3; \2",
    ),
    (r",? (?:at the same time|simultaneously)\b", ""),
    (rf"\b([A-P])'s and ([A-P])'s {_KIND}{_ABILITY} (?:(?:both|each) )?triggers?\b", _TOGETHER),
    (
        rf"\b([A-P]) and ([A-P]) (?:each|both) have an? {_KIND}{_ABILITY}(?: that)? triggers?\b",
        _TOGETHER,
    ),
    (
        rf"\b[Aa]n? {_KIND}{_ABILITY} of ([A-P]) and (?:an? (?:{_KIND[1:-1]})?\2|one) of ([A-P]) "
        r"(?:each |both )?triggers?\b",
        r"\3's \1\2 triggers together with \4's \1\2",
    ),
    (rf"\b(?:[Tt]wo|2|[Bb]oth) of ([A-P])'s {_KIND}{_ABILITY} trigger\b", _BOTH_OF),
    (rf"\b([A-P])'s two {_KIND}{_ABILITY} trigger\b", _BOTH_OF),
    (rf"\b([A-P]) has two {_KIND}{_ABILITY}(?: that)? trigger(?:ing)?\b", _BOTH_OF),
    (
        rf"\b(?:[Tt]wo|2) {_KIND}{_ABILITY} of ([A-P]) trigger\b",
        r"\3's \1\2 triggers together with \3's \1\2",
    ),
    # What is asked.
    (r"\b([Ww]ho (?!or\b)[a-z ]+), (?:[A-P](?:, | or |, or ))+[A-P]\?", r"\1?"),
    (rf"\b[Ww]hy (?:can't|cannot|can not|may not) {_WHO} ", r"may \1 "),
    (rf"\b[Ww]hy (?:may|can|could) {_WHO} (?:not )?", r"may \1 "),
    (
        rf"\b[Ww]hen (?:may|can|could|does|will) {_WHO} (?:next |first )?(?:get|receive|have) "
        r"(?:the )?priority\b",
        r"does \1 get priority",
    ),
    (rf"\b[Ww]hen (?:may|can|could) {_WHO} (?:next |first )?", r"may \1 "),
    (rf"\b(?:[Dd]oes|[Ww]ill) {_WHO} (?:still )?get to ", r"may \1 "),
    (
        rf"\b([Mm]ay|[Cc]an|[Cc]ould) {_WHO} (?:still )?"
        r"(?:answer|counter|interrupt|negate|chain(?: on)?(?: to)?) "
        r"(?=it\b|that\b|this\b|the\b|[A-P]'s)",
        r"\1 \2 respond to ",
    ),
    (
        rf": (?:[Mm]ay|[Cc]an|[Cc]ould) {_WHO} (?:hold|keep|retain) (?:the )?priority\?",
        r": does \1 have priority?",
    ),
    (rf"\b[Ww]hat are {_WHO}'s options\b", r"what may \1 do"),
    (
        r"\b(?:[Tt]o whom (?:does|will)|[Ww]here does) (?:the )?priority (?:go|pass)\b",
        "who has priority",
    ),
    (r"\b[Ww]ho (?:does|will) (?:the )?priority (?:go|pass) to\b", "who has priority"),
    (
        r"\b(?:[Dd]oes|[Ww]ill) (?:the )?priority (?:go|pass|return|come|move)(?: back)? "
        rf"to {_WHO}",
        r"does \1 have priority",
    ),
    (
        rf"\b(?:[Dd]oes|[Ww]ill) {_WHO} (?:get|receive|gain) (?:the )?priority (?:back|again)\b",
        r"does \1 have priority",
    ),
    (r"\b[Ww]ho (?:has|needs) to (?:act|decide|choose)(?: next| now| first)?\b", "who decides"),
    (
        r"\b[Ww]ho (?:gets to act|has the right to act|is allowed to act|(?:can|may) take "
        r"actions?)\b",
        "who may act",
    ),
    (
        rf"\b(?:[Dd]oes|[Ww]ill) {_WHO} (?:still )?(?:have|hold|keep|retain) (?:the )?priority "
        rf"after ((?:{_ACTS})\w*ing )([^;:.?]+)",
        r"\1 \2\3: does \1 have priority",
    ),
)
"""Patterns, each with what stands in its place; they are applied in this order."""

MINE: tuple[tuple[str, str], ...] = (
    (r"\b(?:(?:[Mm]y|[Yy]our|[Tt]he|[Aa]n) )?[Oo]pponent\b", "B"),
    (r"\b(?:[Aa]nother|[Tt]he other) player\b", "B"),
    (r"\bof (?:mine|yours)\b", "of A"),
    (r"\b[Dd]o (?:I|you)\b", "does A"),
    (r"\b[Aa]m I\b", "is A"),
    (r"\bI(?:'m| am)\b", "A is"),
    (r"\bI'(?:ve|ll)\b", "A"),
    (r"\b(?:[Mm]y|[Yy]our)\b", "A's"),
    (r"\b(?:I|me|[Yy]ou)\b", "A"),
)
"""Who speaks of themselves and an opponent is A, and the opponent is B."""
SPEAKING = r"^(?!.*\b[Yy]ou).*\b(?:I|me|[Mm]y)\b|^(?!.*\b(?:I|me|[Mm]y)\b).*\b[Yy]ou"
"""Somebody speaks of themselves, or to somebody: with both it is not known who is who."""


def plain(text: str, roles: Sequence[tuple[str, str]] = ()) -> str:
    """Return *text* with what can be said in many ways put in the one way that is read, after the
    patterns of *roles*.
    """
    for pattern, letter in roles:
        text = re.sub(pattern, letter, text)
    seats = {seat_of(word) for word in words_of(text)} - {None, seat_of("I")}
    tables = (MINE, PHRASES) if re.search(SPEAKING, text) and not seats else (PHRASES,)
    for pattern, instead in (pair for table in tables for pair in table):
        text = re.sub(pattern, instead, text)
    return " ".join(text.split())


Form = Literal[
    "may",
    "must",
    "who",
    "holds",
    "first",
    "ahead",
    "next",
    "happens",
    "cause",
    "decides",
    "whose",
    "turn",
    "fate",
    "lies",
    "can",
]
"""What can be asked: whether a player may or must do something, who has priority, whether a player
has it, what resolves first, whether something does, what comes next, what the cards may cause, who
decides, whose an item or the turn is, what becomes of it, what lies on a zone, what a player
can do.
"""
MOST_LETTERS = 2_000
MOST_STATEMENTS = 60
ASKING = (
    "may|can|could|must|who|whom|which|what|whose|does|do|has|have|is|are|will|would|in "
    "which|under which|at what|to whom"
)
PLAYER = (
    "[A-P](?:'s opponent)?|the [a-z -]*player|the "
    "opponent|anybody|anyone|somebody|someone|everybody|a player"
)
TURNS_TO_ASK = (
    rf"(?:may|can|could|must) (?:{PLAYER})|(?:who|which player|to whom) \w+|what "
    r"(?:happens|comes)|whose turn"
)
"""What begins a question with no comma before it: "in B's turn may A …"."""
_LIST = re.compile(r"^[A-P](?:, [A-P])*,? (?:and )?[A-P] (?:both |all |each )?pass(?:es)?\.?$")
_DEED = re.compile(r"^[A-P] (?:both |all |each )?(?=[a-z])")
SUBJECT = r"([A-P](?:'s opponent)?|[Tt]he [a-z -]*(?:player|owner)|[Tt]he opponent)"
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
TABLE = re.compile(
    rf"\s*(?:with|in a game of|at a table of|in an?) ([1-9]\d?|{'|'.join(COUNTS[1:])})"
    r"(?: players|[ -]player game| player(?=[:;,]))\b[\s:;,]*",
    re.IGNORECASE | re.ASCII,  # to others a dotless i is an i, and no number has one
)
IN_TURN = re.compile(
    r"(?!(?:in|during|at|on)\b(?! (?:which|what) readings?\b))(.+?),? "
    r"((?:in|on|during|at) (?!(?:response|answer)\b)(?:(?:[A-P]'s|the) )?(?:own )?"
    r"(?:[\w -]+ )?(?:turn|step|phase|upkeep)(?: \d)?)",
    re.IGNORECASE,
)
"""What is said of where something is done, behind it: "B casts an instant in A's draw step"."""
WHEN_DONE = re.compile(
    r"(?!what (?:may|can|could) )(.+?),? (?:after|once|when|if|while(?=.+ is resolving)) "
    r"((?:[A-P](?:,? (?:and )?[A-P])* [a-z]|(?:[A-P]'s|the) [\w -]+ (?:resolves|triggers|is "
    r"resolving)|it (?:resolves|is resolving)).*)"
)
"""What is done before it is asked, said behind the question: "what happens if B passes"."""
FILLED_IN = re.compile(r"(?:who|which|to whom)\b.*(?:pass|resolve)")
"""Where what is said so is waited for, with all passes before: "who has priority once B passes"."""
_VERBS = (
    "casts|plays|activates|attacks|begins|declares|calls|buys|keeps|puts|does|concedes|produces"
    "|reveals|uses|responds|taps|performs|initiates|takes"
)
JOINS = re.compile(
    r"(?:,\s+and\s+|,\s+|\s+and\s+)(?=(?:[A-P] [a-z]|everybody |both |nobody |[A-P]'s |\w+: "
    r"|passes\b|holds priority"
    r"|(?:the )?(?:(?:non-?)?(?:turn|active)|other) player [a-z]|(?:an?|another) (?:[\w-]+ "
    r"){1,3}(?:of [A-P] )?(?:triggers|becomes)\b"
    rf"|(?:the )?\w+ is (?:not )?empty\b|it (?:resolves|is)\b|its |(?:{_VERBS})\b))"
)
"""What stands between statements that are joined."""
_STARTS = (
    "[A-P] [a-z]|everybody|both players|[A-P], [A-P]|the "
    "(?:(?:non-?)?(?:turn|active)|other|opposing|defending) player [a-z]|the opponent [a-z]"
)
BEGINS = re.compile(
    rf"^((?:[Ii]n|[Dd]uring|[Aa]t|[Oo]n)\b.*?)(?:,\s*|\s+)"
    rf"(?=(?:{_STARTS})|(?:(?<=[Ss]tep )|(?<=[Pp]hase ))[A-P]'s "
    r"|(?:[A-P]'s|an?) (?:(?!an?\b|the\b)[\w-]+ ){1,4}(?:of [A-P] )?(?:triggers?|becomes)\b)"
)
"""What is said of a step before the statements that it begins."""
NO_SUBJECT = re.compile(rf"(?:passes|holds|keeps|retains|{_VERBS})\b")


@frozen
class Inquiry:
    """One question: its *form*, the *player* it asks about, *what* they would do, and its limits.

    *before* is the event before which it has to be, *after* the one after which it is asked,
    *respond* says that what they do answers something. *now* and *readings* are asked explicitly.
    """

    form: Form
    text: str
    player: str
    what: str
    before: str
    after: str
    respond: bool = False
    now: bool = False
    readings: bool = False


@frozen
class JudgesText:
    """What is said and asked: the *statements* of a situation, and the *questions*."""

    statements: tuple[str, ...]
    questions: tuple[Inquiry, ...]


def read_question(text: str) -> JudgesText:
    """Return what *text* asks, as `spoken` has it. Raises InputError where it asks nothing that can
    be answered.
    """
    situation, asked = _cut(text)
    if not situation and len(asked) == 1 and (found := IN_TURN.fullmatch(asked[0])):
        situation, asked = found[2], [found[1]]
    done = WHEN_DONE.fullmatch(asked[0]) if len(asked) == 1 else None
    if done and not FILLED_IN.match(asked[0]):
        situation, asked = f"{situation}; {done[2]}", [done[1]]
    if len(asked) > 1 or "?" in situation:
        _need_one_situation([*situation.split("?")[1:], *asked])
    parts = [one for part in _statements(situation) for one in _joined_statements(part)]
    statements = tuple(_with_subjects(parts))
    if len(statements) > MOST_STATEMENTS:
        raise not_understood(
            f"The situation has {len(statements)} statements.",
            f"say it in {MOST_STATEMENTS} at most",
        )
    return JudgesText(statements, tuple(read_inquiry(one) for one in asked))


def _need_one_situation(asked: Sequence[str]) -> None:
    """Raise InputError if one of the questions *asked* adds to the situation, which all share."""
    for one in asked:
        done = WHEN_DONE.fullmatch(one) and not FILLED_IN.match(one)
        if done or not re.match(rf"(?:and )?(?:{ASKING})\b", one, re.IGNORECASE):
            said = f"`{one.strip()}` says more of what happens, but there are several questions."
            hint = "put what happens before the colon, or ask this question alone"
            raise not_understood(said, hint)


def spoken(text: str, roles: Sequence[tuple[str, str]] = ()) -> tuple[str, int]:
    """Return *text* as questions are read, players by their letters in the place of their *roles*,
    without what it says of how many players there are, and how many that is; 0 if it says nothing
    of it. Raises InputError where it is none, or too long.
    """
    whole = " ".join(text.split())
    if len(whole) > MOST_LETTERS:
        raise not_understood(
            f"The question has {len(whole):,} characters.", f"ask in {MOST_LETTERS:,} at most"
        )
    if not whole:
        raise not_understood("There is no question.", "write `A casts an instant: may B respond?`")
    found = TABLE.match(whole)
    if found is None:
        return plain(whole, roles), 0
    count = COUNTS.index(found[1].lower()) if found[1].lower() in COUNTS else int(found[1])
    return plain(whole[found.end() :], roles), count


NOT_FOUND = "C206"
"""The code of a situation that was not found, and may come about all the same."""


def not_understood(message: str, hint: str = "", code: str = "C201") -> InputError:
    """Return the error that says why a question is not answered."""
    return wrong_input(code, message, hint=hint)


# ------------------------------------------------------------------ the situation


def _cut(whole: str) -> tuple[str, list[str]]:
    """Return the situation, and the questions behind it."""
    begins = [
        match.end()
        for match in re.finditer(rf"(?:^|[:;.?,]\s+)(?=(?:{ASKING})\b)", whole, re.IGNORECASE)
    ]
    if not begins and (found := re.search(rf"\s(?=(?:{TURNS_TO_ASK})\b)", whole, re.IGNORECASE)):
        begins = [found.end()]
    if not begins and whole.endswith("?"):
        raise none_of_the_forms(re.split(r"[:;.,] ", whole)[-1].rstrip("?"))
    if not begins:
        raise not_understood(
            "This asks nothing.",
            "end with a question: `may B respond?`, `who has priority?`, `what happens next?`",
        )
    colon = whole.rfind(": ")
    first = next((at for at in begins if colon < 0 or at >= colon + 2), begins[0])
    asked = [one.strip() for one in re.split(r"\?", whole[first:]) if one.strip(" .;")]
    return whole[:first].rstrip(" :;,."), asked


def _statements(situation: str) -> list[str]:
    """Return the statements of *situation*, one after the other."""
    text = re.sub(
        r"(^|[.;]\s+)(if|when|suppose|say|given that|while|after|once)\s+",
        r"\1",
        situation,
        flags=re.IGNORECASE,
    )
    return [
        one.strip(" .;,")
        for one in re.split(r";|\.\s+|,?\s+then\s+(?=[a-zA-Z])", text)
        if one.strip(" .;,")
    ]


def _joined_statements(part: str) -> list[str]:
    """Return the statements that a comma or ``and`` joins in *part*, each with its player."""
    named = BEGINS.match(part)
    if named and not re.match(r"^(?:[Ii]n|[Dd]uring|[Aa]t|[Oo]n)\s+[A-P] [a-z]", part):
        begin = named[1].strip(" ,")
        return [begin, *_joined_statements(part[named.end() :])]
    later = IN_TURN.fullmatch(part)
    if _LIST.match(later[1] if later else part):
        return [part] if later is None else [later[2], later[1]]
    if re.match(r"^\w+( zone)?: ", part):
        return [part]
    pieces = [one for joined in JOINS.split(part) for one in _listed(joined.strip())]
    for at in range(len(pieces) - 2, -1, -1):  # "A and B fold": each of them does
        if re.fullmatch("[A-P]", pieces[at]) and (deed := _DEED.match(pieces[at + 1])):
            words = pieces[at + 1][deed.end() :]
            pieces[at : at + 2] = f"{pieces[at]} {words}", f"{deed[0][0]} {words}"
    found: list[str] = []
    subject = re.match(rf"^{SUBJECT} [a-z]", part)
    for piece in pieces:
        own = re.match(r"^(?:[A-P](?:'s)? |everybody|both|nobody|all |an? |the |it |\w+: )", piece)
        said = re.sub("^its ", f"{subject[1]}'s " if subject else "its ", piece)
        is_whole = own is not None or said != piece
        said = said if is_whole or subject is None or not found else f"{subject[1]} {said}"
        later = IN_TURN.fullmatch(said)
        found += [said] if later is None else [later[2], later[1]]
    return [one for one in found if one]


def _listed(joined: str) -> list[str]:
    """Return the players of "A, B", each; what is more than such a list stays as it is."""
    return joined.split(", ") if re.fullmatch("[A-P](?:, [A-P])+", joined) else [joined]


def _with_subjects(statements: list[str]) -> list[str]:
    """Return *statements*, those without a subject with that of the statement before."""
    found, subject = list[str](), ""
    for one in statements:
        subject = named[1] if (named := re.match(rf"^{SUBJECT} [a-z]", one)) else subject
        found.append(f"{subject} {one}" if subject and NO_SUBJECT.match(one) else one)
    return found


# ------------------------------------------------------------------ the question

_P = rf"(?P<player>{PLAYER})"
_ANY = r"(?:anybody|anyone|somebody|someone|any player|a player)"
_BEFORE = r"(?: (?:before|until) (?P<before>.+))?"
FORMS: tuple[tuple[str, Form], ...] = (
    (
        rf"what (?:else )?(?:may|can|could) {_P}(?: still| now)? (?:do|play|cast|use)"
        r"(?: here| now| next| then)?(?P<what> in response)?(?: now)?",
        "can",
    ),
    (rf"(?:may|can|could) {_P}(?: still| also| now| then| legally)? (?P<what>.+?){_BEFORE}", "may"),
    (rf"is {_P} (?:allowed|able|free) to (?P<what>.+?){_BEFORE}", "may"),
    (
        rf"(?:does|do|will|has) {_ANY} (?:still |now )?(?:have|has|get|got|hold|receive)s? (?:the "
        r")?priority",
        "who",
    ),
    (
        rf"(?:does|do|will) {_P} (?:still |now )?(?:have|hold|keep|retain) (?:the )?priority",
        "holds",
    ),
    (rf"has {_P} (?:the )?priority", "holds"),
    (
        rf"(?:does|will) {_P} "
        r"(?P<what>(?:(?:get|have|receive)s? (?:(?:an?|the) "
        rf"(?:chance|window|opportunity)|priority)|gets? to respond).*?){_BEFORE}",
        "may",
    ),
    (rf"has {_P} (?P<what>a (?:window|chance).*?){_BEFORE}", "may"),
    (rf"is {_P} (?:forced|required|obliged) to (?P<what>.+)", "must"),
    (rf"must {_P} (?P<what>.+)", "must"),
    (rf"(?:does|do|will) {_P} have to (?P<what>.+)", "must"),
    (rf"has {_P} to (?P<what>.+)", "must"),
    (
        r"(?:who|which player|to whom) (?:now |then |next )?"
        r"(?:has|have|gets?|receives?|gains?|holds|will have|will get) (?:the )?priority(?: now| "
        r"next| then| first| afterwards?| after that)*"
        r"(?: (?:after|once|when) (?P<after>.+))?",
        "who",
    ),
    (
        r"who (?:may|can|could) (?:act|respond|do something|speak)(?: now| next| first)?"
        r"(?: (?:after|once|when) (?P<after>.+))?",
        "who",
    ),
    (r"whose priority is it", "who"),
    (r"who (?:is|acts|speaks|goes) (?:next|first)(?: to (?:act|have priority))?", "who"),
    (
        r"(?:which|what|who|whose)(?: \w+){0,3}? (?:resolves|resolve|is resolved|will resolve)(?: "
        r"first| next)?",
        "first",
    ),
    (
        r"what (?:happens|comes|follows|is next|will happen)(?: next| now| then| first)?"
        r"(?: (?:if|when|once) (?:all|everybody|everyone|both|both players|all players) (?:of "
        r"them )?pass(?:es)?)?",
        "next",
    ),
    (r"what is next", "next"),
    (r"(?:what|which) (?:phase|step) (?:is|comes|begins) next", "next"),
    (
        r"what (?:may|can|could) (?:the )?cards (?:cause|do)(?: here| now)?"
        r"(?: (?:as|when|while|once) (?P<after>.+?))?(?: here| now)?",
        "cause",
    ),
    (r"what (?:may|can|could) happen (?:as|when|while) (?P<after>.+)", "cause"),
    (r"who (?:decides|chooses|orders|picks|says|puts|places)(?: (?P<what>.+))?", "decides"),
    (
        r"(?:what|which)(?: \w+)?? (?:is|are|lies|lie|waits|wait)(?: now| still| left| then)? "
        r"(?:on|in) (?:the )?(?P<what>.+?)"
        r"(?: now| then)?",
        "lies",
    ),
    (r"what (?:is|are) (?:still )?(?P<what>waiting)(?: now| then)?", "lies"),
    (r"whose turn is it", "turn"),
    (r"whose (?P<what>.+?) is (?:it|that|this)", "whose"),
    (r"who (?:controls|is the controller of) (?P<what>.+)", "whose"),
    (r"what (?:happens to|becomes of) (?P<what>.+)", "fate"),
    (r"(?:does|will) (?P<what>.+?) resolve", "fate"),
    (r"(?:does|will) (?P<what>.+?) resolve (?:first|before (?P<before>.+))", "ahead"),
    (r"(?:does|do|will|is|has) (?P<what>.+)", "happens"),
)
EXAMPLES = (
    "may B respond?",
    "may A cast an instant now?",
    "must A pass?",
    "who has priority?",
    "does B have priority?",
    "which resolves first?",
    "what happens next?",
    "does the step end?",
    "does it resolve before the ability?",
    "what may B do?",
    "what may the cards cause here?",
    "what is on the stack?",
    "what happens to it?",
    "who decides?",
    "whose ability is it?",
    "whose turn is it?",
)
"""A question of each form, one at least."""
NOW = re.compile(r" (?:right (?:now|away)|now|straight away|immediately|at once)$")
RESPOND = re.compile(
    r"^(?:respond|answer|react|reply)s?(?: in response)?(?: to (?P<to>.+?))?(?: with "
    r"(?P<with>.+?))?(?: by (?P<by>.+))?$",
    re.IGNORECASE,
)
CHANCE = re.compile(
    r"^(?:get|have|receive)?s?\s*(?:(?:an?|the) (?:chance|window|opportunity)|(?=to respond))"
    r"(?:\s*to (?P<what>.+?))?(?: (?:first|here|then|again|too|as well))?$",
    re.IGNORECASE,
)
ACT = re.compile(r"^(?:act|do (?:something|anything))(?: here| else)?$", re.IGNORECASE)
PRIORITY = re.compile(r"^(?:get|have|receive)s? (?:the )?priority$", re.IGNORECASE)
IN_RESPONSE = re.compile(
    r"\s+(?:(?:in response|as a response|in answer)(?: to (?P<to>.+))?|on top of (?P<over>.+))$",
    re.IGNORECASE,
)


def read_inquiry(text: str) -> Inquiry:
    """Return what is asked by *text*, without a situation. Raises InputError where it is none of
    the forms.
    """
    said = text.strip(" .;:,")
    readings = re.match(r"^(?:in|under) (?:which|what) readings? ", said, re.IGNORECASE)
    if readings:
        said = said[readings.end() :]
    said = said[:1].lower() + said[1:]
    said = re.sub(r"^and\s+", "", said)
    now = bool(NOW.search(said))
    for pattern, form in FORMS:
        found = re.fullmatch(pattern, NOW.sub("", said)) or re.fullmatch(pattern, said)
        if found is None:
            continue
        said_of = found.groupdict()
        player, what, before, after = (
            (said_of.get(part) or "").strip() for part in ("player", "what", "before", "after")
        )
        asked = Inquiry(
            form, text.strip(), player, what, before, after, now=now, readings=bool(readings)
        )
        asked = replace(asked, respond=True) if form == "can" and asked.what else asked
        return _responding(asked) if form in ("may", "must") else asked
    raise none_of_the_forms(text)


def none_of_the_forms(text: str) -> InputError:
    """Return the error that says that *text* is no question of any form: those that begin with the
    same word are named, else all.
    """
    first = re.match(r"\w*", text.strip().lower())
    alike = [one for one in EXAMPLES if first and one.split()[0] == first[0]]
    quoted = [f"`{one}`" for one in alike or EXAMPLES]
    message = f"`{text.strip()}?` is none of the questions that can be answered."
    return not_understood(message, f"ask {join_words(quoted, 'or')}")


def _responding(asked: Inquiry) -> Inquiry:
    """Return *asked* with what it says of answering something taken out of the act."""
    said = asked.what
    if found := CHANCE.match(said):
        said = found["what"] or "respond"
    if found := RESPOND.match(said):
        what = found["with"] or found["by"] or ""
        return replace(asked, what=what, respond=True, after=found["to"] or "")
    if found := IN_RESPONSE.search(said):
        to = found["to"] or found["over"] or ""
        return replace(asked, what=said[: found.start()], respond=True, after=to)
    return replace(asked, what="" if ACT.match(said) else said)
