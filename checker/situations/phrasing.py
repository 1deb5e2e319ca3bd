"""Phrasing: what people say in many ways, in the one way that statements and questions are read.

Patterns and what stands in their place are data, which the page reads, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .words import seat_of, words_of

_WHO = r"([A-P]|[Tt]he (?:[a-z-]+ )?(?:player|opponent))"
_DOES = r"(casts|plays|activates|uses)"
_KIND = r"((?:[\w-]+ |\w+-)?)"
_STOPS = r"(?=\s*[;:.,?]|\s+(?:and|then|in|on|during)\b|\s*$)"
_ACTS = "cast|play|activat|us(?:e|ing)|pass|put|call|attack|block|declar|announc|begin|began|start|tap|buy|bought|conced"
_ABILITY = r"(abilit(?:y|ies)|effects?)"
_TOGETHER = r"\1's \3\4 triggers together with \2's \3\4"
_BOTH_OF = r"\1's \2\3 triggers together with \1's \2\3"

PHRASES: tuple[tuple[str, str], ...] = (
    (r"\b[Pp]layer ([A-P])\b", r"\1"),
    (r"\b([Ii])t's\b", r"\1t is"),
    (r"\b(do|does|did|is|has|was)n't\b", r"\1 not"),
    (r"\b([A-P]) ?[,(] ?(?:who is )?the (?:active|turn) player ?[,)]", r"\1 is active; \1"),
    # When and where.
    (r"^(?:[Ii]f|[Ww]hen|[Oo]nce|[Aa]fter|[Ss]uppose(?: that)?) (?=(?:both|all|everybody|everyone)\b)", ""),
    (r"(^|[.;:] +)(?:[Tt]hen|[Nn]ext|[Aa]fter that|[Aa]fterwards|[Ff]inally),? +(?=\w)", r"\1"),
    (r"\b(?:[Ii]n response|[Aa]s a response)((?: to (?:it|that|this|[^,;:]+(?=,)))?),? ([A-P] [a-z][^;:.?,]*)", r"\2 in response\1"),
    (r"\b(?:[Dd]uring|in) the resolution of ([^,;:]+),? (?=[A-P] |may|can|who|what)", r"\1 is resolving: "),
    (r"\b([Ii]n|[Oo]n|[Dd]uring|[Aa]t) (?:the )?((?:[\w-]+ )?(?:step|phase|upkeep)(?: \d)?) of ([A-P])'s turn\b", r"\1 \3's \2"),
    (r"\b[Aa]t (?:the )?(?:beginning|start) of (?:([A-P]'s)|the|a)? ?turn\b", r"in \1 start of turn"),
    (r"\b(?:[Aa]t|[Ii]n) (?:the )?end of (?:([A-P]'s)|the|a)? ?turn\b", r"in \1 end of turn"),
    (r"(^|[.;:,] +)(?:[Ww]ith|[Oo]n) an? empty (\w+),?", r"\1the \2 is empty;"),
    (r"(^|[.;:] +)((?:[A-P]|everybody|everyone|both) [a-z][^;:.?]*?) (?:with|on) an empty (\w+)\b", r"\1the \3 is empty; \2"),
    (r"\b([Ii]n|[Oo]n|[Dd]uring) ([^;:.,]+?),? with nothing on the (\w+)\b", r"\1 \2; the \3 is empty"),
    (r"^([^;:]+?),? (?:with|on) an empty (\w+)\?$", r"the \2 is empty: \1?"),
    (r"^([^;:]+?),? (?:with|on) a non-?empty (\w+)\?$", r"the \2 is not empty: \1?"),
    (r"^([^;:]+?),? (?:while|when|if) the (\w+) is not empty\?$", r"the \2 is not empty: \1?"),
    (r"^([^;:]+?) while (?:there is |there's )?(?:something|anything|(?:another|an?) (?:\w+ )?(?:spell|ability|card))"
     r"(?: is)? on the (\w+)\?$", r"the \2 is not empty: \1?"),
    (r"^[Ww]hat (?:happens|comes|comes next|is next) (?:if|when|once) (?:all|everybody|everyone|both)(?: players)? pass(?:es)?"
     r"(?: priority)?(?: in succession)?(?:,? (?:and|while|with|on) (?:an empty|the) \w+(?: is empty)?)?\?",
     "everybody passes: what happens?"),
    # Who passes.
    (r"\b[Ee]veryone (?=pass)", "everybody "),
    (r"\bEvery(body|one|\s?player)\b", r"every\1"),
    (r"\bBoth\b", "both"),
    (r"\bAll (?=players\b|pass\b|of\b)", "all "),
    (r"\bEach (?=player\b)", "each "),
    (r"\bpass(es)? (?:priority )?(?:in succession|as well|too|in turn)\b", r"pass\1"),
    (r"\b(?:yields|gives up|relinquishes) (?:the )?priority\b", "passes"),
    (rf"\b{_WHO} (?:does nothing|do(?:es)? ?n[o']t respond|declines to respond|has no response|takes no action)\b", r"\1 passes"),
    (r"\b(?:[Nn]obody|[Nn]o ?one|[Nn]o player|[Nn]either player)(?: else)? (?:responds?|reacts?|does anything|adds anything|acts?)"
     r"(?: else| to (?:it|that|this))?\b", "everybody passes"),
    # What is done, and by whom.
    (rf"\b{_WHO} (?:(?:do(?:es)?|did|will) not|(?:chooses|elects|decides) not to|declines to|forgoes the) (attack|block)\b",
     r"\1 forfeits to \2"),
    (r"\b(casts|plays|activates|uses) a (?:second|third|fourth|further) ", r"\1 another "),
    (rf"\b([A-P]) (?:(?:has|have|had|just|already|now|also|immediately|will) )+(?=(?:{_ACTS})\w*\b)", r"\1 "),
    (r"\b[Aa]n? ([a-z][\w -]*?) is (cast|played|activated|used|called|put) by ([A-P])\b", r"\3 \2 a \1"),
    (rf"\b([A-P]) {_DOES} (?:two|2) ([a-z][\w -]*?),? (?:without passing(?: priority)?|(?:while )?holding priority)\b",
     r"\1 \2 \3; \1 holds priority and \2 another \3"),
    (rf"\b([A-P]) {_DOES} (?:two|2) ([a-z][\w -]*?)(?: in a row| back to back)?{_STOPS}", r"\1 \2 \3; \1 \2 another \3"),
    (rf"\b([A-P]) {_DOES} (an? [\w -]+?),? (?:while )?holding priority\b", r"\1 \2 \3; \1 holds priority"),
    (rf"\b([A-P]) {_DOES} another ([a-z][\w -]*?),? (?:without passing(?: priority)?|(?:while )?holding priority)\b",
     r"\1 holds priority and \2 another \3"),
    # What triggers at once.
    (r"\b(triggers?) and (?:then )?(?:it )?resolves?\b", r"\1; it resolves"),
    (r"(^|[;.:,] +)((?:[A-P]'s|[Aa]n?) [\w -]+ triggers) (?:as|when) ((?:[A-P]'s|the) [\w -]+ resolves|it resolves)\b", r"\1\3; \2"),
    (r",? (?:at the same time|simultaneously)\b", ""),
    (rf"\b([A-P])'s and ([A-P])'s {_KIND}{_ABILITY} (?:(?:both|each) )?triggers?\b", _TOGETHER),
    (rf"\b([A-P]) and ([A-P]) (?:each|both) have an? {_KIND}{_ABILITY}(?: that)? triggers?\b", _TOGETHER),
    (rf"\b[Aa]n? {_KIND}{_ABILITY} of ([A-P]) and (?:an? (?:{_KIND[1:-1]})?\2|one) of ([A-P]) (?:each |both )?triggers?\b",
     r"\3's \1\2 triggers together with \4's \1\2"),
    (rf"\b(?:[Tt]wo|2|[Bb]oth) of ([A-P])'s {_KIND}{_ABILITY} trigger\b", _BOTH_OF),
    (rf"\b([A-P])'s two {_KIND}{_ABILITY} trigger\b", _BOTH_OF),
    (rf"\b([A-P]) has two {_KIND}{_ABILITY}(?: that)? trigger(?:ing)?\b", _BOTH_OF),
    (rf"\b(?:[Tt]wo|2) {_KIND}{_ABILITY} of ([A-P]) trigger\b", r"\3's \1\2 triggers together with \3's \1\2"),
    # What is asked.
    (r"\b([Ww]ho (?!or\b)[a-z ]+), (?:[A-P](?:, | or |, or ))+[A-P]\?", r"\1?"),
    (rf"\b[Ww]hy (?:can't|cannot|can not|may not) {_WHO} ", r"may \1 "),
    (rf"\b[Ww]hy (?:may|can|could) {_WHO} (?:not )?", r"may \1 "),
    (rf"\b[Ww]hen (?:may|can|could|does|will) {_WHO} (?:next |first )?(?:get|receive|have) (?:the )?priority\b", r"does \1 get priority"),
    (rf"\b[Ww]hen (?:may|can|could) {_WHO} (?:next |first )?", r"may \1 "),
    (rf"\b(?:[Dd]oes|[Ww]ill) {_WHO} (?:still )?get to ", r"may \1 "),
    (rf"\b([Mm]ay|[Cc]an|[Cc]ould) {_WHO} (?:still )?"
     r"(?:counter|interrupt|negate|chain(?: on)?(?: to)?) (?=it\b|that\b|this\b|the\b|[A-P]'s)",
     r"\1 \2 respond to "),
    (rf"\b[Ww]hat are {_WHO}'s options\b", r"what may \1 do"),
    (r"\b(?:[Tt]o whom (?:does|will)|[Ww]here does) (?:the )?priority (?:go|pass)\b", "who has priority"),
    (r"\b[Ww]ho (?:does|will) (?:the )?priority (?:go|pass) to\b", "who has priority"),
    (rf"\b(?:[Dd]oes|[Ww]ill) (?:the )?priority (?:go|pass|return|come|move)(?: back)? to {_WHO}", r"does \1 have priority"),
    (rf"\b(?:[Dd]oes|[Ww]ill) {_WHO} (?:get|receive|gain) (?:the )?priority (?:back|again)\b", r"does \1 have priority"),
    (r"\b[Ww]ho (?:has|needs) to (?:act|decide|choose)(?: next| now| first)?\b", "who decides"),
    (r"\b[Ww]ho (?:gets to act|has the right to act|is allowed to act|(?:can|may) take actions?)\b", "who may act"),
    (rf"\b(?:[Dd]oes|[Ww]ill) {_WHO} (?:still )?(?:have|hold|keep|retain) (?:the )?priority after ((?:{_ACTS})\w*ing )([^;:.?]+)",
     r"\1 \2\3: does \1 have priority"),
)  # fmt: skip
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
"""Somebody speaks of themselves, or to somebody: of both nobody knows who is who."""


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
