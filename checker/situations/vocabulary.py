"""The vocabulary of a game: what clauses, kinds, steps and the roles of its players are called."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import assert_never

from ...models import ir, syntax
from ...models.frozen import frozen
from ...models.ir.analysis import passes, unchanged
from ...models.ir.parts import statements
from ...models.words import join_words, player_name
from .causes import by_cards, ways_inside
from .words import content, stem, words_of


def roles_of(program: ir.Program) -> dict[str, int]:
    """Return the seat of each role of *program*, by what it is called, without an article."""
    players = {one.name for one in program.variables if one.type == ir.PlayerType(optional=False)}
    if players == {ir.ACTIVE}:
        return {}
    seats = {
        name: initial.value
        for name, initial in unchanged(program).items()
        if name in players and isinstance(initial, ir.Literal) and isinstance(initial.value, int)
    }
    called = {one.name: _without_article(one.title) for one in program.variables if one.title}
    for term in program.terms:
        if (seat := _seat_of(term.meaning, seats, program.players)) is not None:
            seats[term.name] = seat
    return {words: seat for name, seat in seats.items() for words in {name, called.get(name, name)}}


def roles_words(program: ir.Program) -> str:
    """Return who has which role, in words; empty if there are none."""
    named = dict[int, str]()
    for words, seat in sorted(roles_of(program).items()):
        named.setdefault(seat, f"{player_name(seat)} is the {words[0].upper()}{words[1:]}")
    return join_words([named[seat] for seat in sorted(named)])


def by_letter(program: ir.Program) -> tuple[tuple[str, str], ...]:
    """Return patterns of the names of roles, each with the letter of the player who has it."""
    return tuple(
        (
            rf"\b(?:[Tt]he )?[{words[0].upper()}{words[0].lower()}]{re.escape(words[1:])}\b",
            player_name(seat),
        )
        for words, seat in sorted(roles_of(program).items(), key=lambda one: (-len(one[0]), one[0]))
    )


def _without_article(title: str) -> str:
    return re.sub(r"^(?:the|an?) ", "", title, flags=re.IGNORECASE)


def _seat_of(
    meaning: syntax.Expr, seats: dict[str, int], players: tuple[int, int | None]
) -> int | None:
    """Return the seat that *meaning* names at a table of any of these numbers of *players*."""
    if isinstance(meaning, syntax.Name):
        return seats.get(meaning.name)
    if not isinstance(meaning, syntax.Neighbour):
        return None
    of = _seat_of(meaning.player, seats, players)
    if of is None:
        return None
    seat = of + (1 if meaning.side == "after" else -1)
    least, most = players
    return seat % least if least == most else seat if 0 <= seat < least else None


Stems = frozenset[str]
GENERIC_VERBS = frozenset(
    map(stem, ("cast", "play", "use", "activate", "announce", "put", "answer", "respond"))
)
DOING_VERBS = GENERIC_VERBS | set(
    map(stem, ("start", "begin", "initiate", "declare", "perform", "make"))
)
"""Verbs that may be said of an act in the place of its own."""
_ORDINALS = {stem("first"): "1", stem("second"): "2"}
_MOST_TOLD = 3
_OF_STEPS = frozenset(map(stem, ("step", "phase")))


@frozen
class ClauseName:
    """A name of a clause: its stems, and the *choice* of a player or the *kind* of item without
    which a move is not meant.

    *verb* is the stem of its first word, which counts first where a phrase says what somebody does.
    """

    clause: str
    words: Stems
    choice: str = ""
    kind: str = ""
    verb: str = ""


@frozen
class Fit:
    """What a phrase fits best: the names with the fewest *extra* words that it does not say."""

    names: tuple[ClauseName, ...]
    extra: int

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses of these names, each once."""
        return tuple(dict.fromkeys(name.clause for name in self.names))


class GameWords:
    """What things of *program* are called."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.clauses = {clause.id: clause for _, clause in program.clauses}
        self.kinds = {kind.name: kind for kind in program.kinds}

    @cached_property
    def letters(self) -> tuple[tuple[str, str], ...]:
        """The patterns of the names of roles, each with the letter of the player who has it."""
        return by_letter(self.program)

    # ------------------------------------------------------------------ clauses

    @cached_property
    def names(self) -> tuple[ClauseName, ...]:
        """Every name of a clause."""
        return tuple(name for clause in self.clauses.values() for name in self._names_of(clause))

    def fit(
        self,
        phrase: str,
        modes: Iterable[str] = ("may", "must"),
        *,
        passing: bool = False,
        of: Collection[str] | None = None,
        is_deed: bool = False,
    ) -> Fit | None:
        """Return what *phrase* fits best among clauses of these *modes*, None if it fits nothing.

        Every word of it that carries content has to occur; names that begin with the same word come
        first. Passes count only if *passing* says so; *of* some clauses only these do. What *is a
        deed* begins with a verb.
        """
        said, verb = content(phrase), _verb(phrase)
        ids = {word for word in words_of(phrase) if word in self.clauses}
        named = [
            name
            for name in self.names
            if self.clauses[name.clause].mode in modes
            and (name.clause in self.passing) == passing
            and (of is None or name.clause in of)
        ]
        if ids:
            return Fit(tuple(ClauseName(id_, frozenset()) for id_ in sorted(ids)), 0)
        if not said:
            return None
        fits = [
            ((name.verb != verb, len(name.words - said)), name)
            for name in named
            if said <= name.words and (not is_deed or self._is_deed(said, verb, name))
        ]
        if not fits and verb in GENERIC_VERBS:
            # "Plays", "uses" and the like are said of anything that is put on the stack.
            kind = said - {verb}
            fits = [
                ((True, len(name.words - kind)), name)
                for name in named
                if name.kind and kind and kind <= name.words
            ]
        if not fits and verb in DOING_VERBS:
            # "Uses judgment" says "does judgment", if it leaves next to nothing of the title out.
            what = said - {verb}
            fits = [
                ((True, extra), name)
                for name in named
                if what and what <= name.words and (extra := len(name.words - what)) <= 1
            ]
        if not fits:
            return None
        least = min(rank for rank, _ in fits)
        best = [name for rank, name in fits if rank == least]
        # What a clause itself is called comes before what it puts somewhere.
        titled = {name.clause for name in best if not name.kind}
        return Fit(tuple(name for name in best if not titled or name.clause in titled), least[1])

    def _is_deed(self, said: Stems, verb: str, name: ClauseName) -> bool:
        """Whether *name* may be meant by what is *said*, which begins with this *verb*: alone, or
        without content ("has priority"), it has to begin the name, unless that is a sentence.
        """
        is_sentence = self.clauses[name.clause].mode == "must" and not name.choice
        return verb == name.verb or (verb in said and (len(said) > 1 or is_sentence))

    def decided(self, phrase: str) -> Fit | None:
        """Return what *phrase* fits of what players decide: an act, else what the rules ask of
        them, else a pass in other words.
        """
        return (
            self.fit(phrase, ("may",), is_deed=True)
            or self.fit(phrase, ("must",), of=self.asking, is_deed=True)
            or self.fit(phrase, passing=True, is_deed=True)
        )

    def done(self, phrase: str) -> Fit | None:
        """Return what *phrase* fits of what is done by players, be it that the rules say so."""
        said, verb = content(phrase), _verb(phrase)
        fits = [
            clause
            for clause, deeds in self.deeds.items()
            if any(verb == first and said <= words for _, first, words in deeds)
        ]
        names = tuple(ClauseName(clause, frozenset()) for clause in fits)
        return self.decided(phrase) or (Fit(names, 0) if names else None)

    @cached_property
    def doers(self) -> dict[str, int]:
        """The seat that does what each clause without a decision does, if its title names a
        role.
        """
        roles = {role.lower(): seat for role, seat in roles_of(self.program).items()}
        named = {clause: roles.get(deeds[0][0]) for clause, deeds in self.deeds.items() if deeds}
        return {clause: seat for clause, seat in named.items() if seat is not None}

    @cached_property
    def deeds(self) -> dict[str, list[tuple[str, str, Stems]]]:
        """Who does what by each clause without a decision, as its titles say: "the turn owner draws
        a card", "the Runner approaches ice"; the verb, and all words.
        """
        roles = map(re.escape, roles_of(self.program))
        somebody = "|".join(["(?:turn|active) (?:player|owner)", *roles])
        return {
            clause.id: [
                (who.lower(), _verb(does), content(does))
                for title in (clause.title, *clause.also)
                for who, does in re.findall(rf"(?i)\bthe ({somebody}) ([^,;:()]+)", title)
            ]
            for clause in self.clauses.values()
            if clause.mode == "must" and clause.id not in self.asking
        }

    @cached_property
    def passing(self) -> frozenset[str]:
        """The clauses by which a player may pass."""
        return frozenset(one.id for one in self.clauses.values() if passes(one.body))

    @cached_property
    def asking(self) -> frozenset[str]:
        """The clauses in which a player decides."""
        return frozenset(
            clause.id
            for clause in self.clauses.values()
            if clause.owner != ir.Owner()
            or any(
                isinstance(one, ir.Branch | ir.Choose) and one.by not in (None, "cards")
                for one in statements(clause.body)
            )
        )

    def _names_of(self, clause: ir.Clause) -> Iterator[ClauseName]:
        whole = content(clause.title)
        titles = [
            (words, _verb(text))
            for text in (clause.title, *clause.also)
            if (words := content(text))
        ]
        # What people call it may be said with what the text adds: "play a Forward from hand".
        titles += [
            (content(text) | whole, _verb(text))
            for text in clause.also
            if whole and not content(text) >= whole
        ]
        for words, verb in titles:
            yield ClauseName(clause.id, words, verb=verb)
            for kind in self.kinds_put(clause):
                for named in self.kind_names(kind):
                    yield ClauseName(clause.id, named | {verb}, kind=kind, verb=verb)
        for title in _choices(clause):
            if words := content(title):
                yield ClauseName(clause.id, words, choice=title, verb=_verb(title))
                for called, verb in titles:
                    yield ClauseName(clause.id, words | called, choice=title, verb=verb)

    @cached_property
    def answering(self) -> frozenset[str]:
        """The clauses by which players put something where items wait to resolve."""
        return frozenset(one.id for one in self.clauses.values() if self.kinds_put(one))

    def kinds_put(self, clause: ir.Clause) -> list[str]:
        """Return the kinds that a player puts where items wait to resolve, by *clause*."""
        if clause.mode != "may":
            return []
        stacks = {zone.name for zone in self.program.zones_tagged("stack")}
        put = [
            one.kind for one in _own(clause.body) if isinstance(one, ir.Put) and one.zone in stacks
        ]
        return list(dict.fromkeys(put))

    # ----------------------------------------------------------- kinds, steps, and what cards cause

    def kind_names(self, kind: str) -> list[Stems]:
        """Return the names of an item *kind*, as sets of stems."""
        texts = _texts_of(self.kinds[kind])
        return list(dict.fromkeys(words for text in texts if (words := content(text))))

    def is_called(self, kind: str, phrase: Stems) -> bool:
        """Whether *phrase* may be said of an item of this *kind*: all of its words are in one name
        of it.
        """
        return not phrase or any(phrase <= words for words in self.kind_names(kind))

    def kinds_called(self, phrase: Stems) -> list[str]:
        """Return the kinds that *phrase* names with the fewest words left out."""
        fits = [
            (min(len(words - phrase) for words in self.kind_names(kind) if phrase <= words), kind)
            for kind in self.kinds
            if phrase and self.is_called(kind, phrase)
        ]
        least = min((extra for extra, _ in fits), default=0)
        return [kind for extra, kind in fits if extra == least]

    def steps_called(self, phrase: Stems) -> list[tuple[int, str]]:
        """Return the steps that *phrase* names best, each with the number of its sequence; each may
        be called a step, or a phase.
        """
        return next(filter(None, map(self._steps_called, _as_step(phrase))), [])

    def standing_in(self, phrase: Stems, steps: Iterable[tuple[int, str]]) -> str:
        """Return the title of what stands for *phrase* among *steps*, empty if one is called so
        itself.

        What a step is called beside its title may be another one, which the rules leave out:
        nothing is known of what follows that.
        """
        declared = [
            (step.name, step.title)
            for number, name in steps
            for step in self.program.sequences[number].steps
            if step.name == name
        ]
        own = [content(text.replace("_", " ")) for names in declared for text in names]
        is_own = any(said <= words for said in _as_step(phrase) for words in own)
        return "" if is_own or not declared else declared[0][1] or declared[0][0]

    def _steps_called(self, phrase: Stems) -> list[tuple[int, str]]:
        fits = []
        for number, sequence in enumerate(self.program.sequences):
            for step in sequence.steps:
                extra = [
                    len(words - phrase)
                    for text in _texts_of(step)
                    if (words := content(text)) and phrase <= words
                ]
                fits += [(min(extra), (number, step.name))] if extra and phrase else []
            whole = content(f"{sequence.name} {sequence.title}")
            if phrase and phrase <= whole and sequence.name != ir.TURN and sequence.steps:
                fits.append((0, (number, "")))
        least = min((extra for extra, _ in fits), default=0)
        return [step for extra, step in fits if extra == least]

    @cached_property
    def causes(self) -> dict[str, Stems]:
        """What the cards may cause: the title of each ``maybe``, of each clause of luck, and of
        each way that such a clause can go, which is said with what its clause is called.
        """
        maybes = [
            title
            for one in by_cards(*(clause.body for clause in self.clauses.values()))
            for title, _ in one.options
            if title and not title.startswith(ir.NOT)
        ]
        chances = [clause for clause in self.clauses.values() if clause.mode == "chance"]
        titles = [*maybes, *(clause.title for clause in chances if clause.title)]
        found = {title: content(title) for title in dict.fromkeys(titles)}
        for clause in chances:
            for title in _choices(clause):
                found[title] = found.get(title, content(title)) | content(clause.title)
        return found

    def causes_called(self, phrase: Stems) -> list[str]:
        """Return what the cards may cause that *phrase* may name, the titles with the fewest words
        more first.
        """
        fits = [
            (len(words - phrase), title)
            for title, words in self.causes.items()
            if phrase and phrase <= words
        ]
        found = [title for _, title in sorted(fits, key=lambda fit: fit[0])]
        again = [more for title in found for more in self.repeats.get(title, ())]
        return list(dict.fromkeys([*found, *again]))

    def causing(self, titles: Collection[str]) -> str:
        """Return in which clauses the cards may cause one of *titles*, in words."""
        found = [
            f"{clause.title} ({clause.id})"
            for clause in self.clauses.values()
            for one in by_cards(clause.body)
            if any(title in titles for title, _ in one.options)
        ]
        return f"the cards may cause it as: {'; '.join(found[:_MOST_TOLD])}" if found else ""

    @cached_property
    def repeats(self) -> dict[str, list[str]]:
        """What is also meant by what the cards may cause, by its title: that the same is put where
        it was put, once more, and each way in which it can be caused.
        """
        found = {title: ways for title, ways in ways_inside(self.program).items() if title}
        for one in by_cards(*(clause.body for clause in self.clauses.values())):
            for title, block in one.options:
                put = {(s.kind, s.zone) for s in block if isinstance(s, ir.Put)}
                again = [
                    more
                    for inner in block
                    if isinstance(inner, ir.Branch) and inner.by == "cards"
                    for more, inside in inner.options
                    if put & {(s.kind, s.zone) for s in inside if isinstance(s, ir.Put)}
                ]
                found.setdefault(title, []).extend(again)
        return found

    @cached_property
    def verbs(self) -> Stems:
        """The first words of the names of clauses."""
        return GENERIC_VERBS | {name.verb for name in self.names}

    @cached_property
    def hyphenated(self) -> frozenset[str]:
        """The stems of words that are written with a hyphen: ``chantinstant``."""
        return frozenset(one for one, word in self.all_words.items() if "-" in word)

    def hyphened(self, text: str) -> str:
        """Return *text* with a hyphen between words that this game writes as one: ``chant
        instant``.
        """

        def joined(found: re.Match[str]) -> str:
            first, second = found[1], found[2]
            return f"{first}-" if stem(first + second) in self.hyphenated else found[0]

        return re.sub(r"\b([A-Za-z]{3,}) (?=([A-Za-z]{3,})\b)", joined, text)

    @cached_property
    def all_words(self) -> dict[str, str]:
        """Every stem that something is called by, with a word as it is written."""
        texts = [
            text
            for clause in self.clauses.values()
            for text in (clause.title, *clause.also, *_choices(clause))
        ]
        texts += [text for kind in self.kinds.values() for text in _texts_of(kind)]
        texts += [
            text
            for s in self.program.sequences
            for step in s.steps
            for text in (s.title, step.title, step.name, *step.also)
        ]
        texts += [*self.causes, *(stage.title for stage in self.program.stages)]
        return {stem(word): word for text in texts for word in words_of(text)}


def _as_step(phrase: Stems) -> tuple[Stems, ...]:
    """Return *phrase* as it may be said of a step: so, with numbers, or without calling it one."""
    counted = frozenset(_ORDINALS.get(word, word) for word in phrase)
    return phrase, counted, phrase - _OF_STEPS


def _texts_of(declared: ir.Kind | ir.Step) -> tuple[str, ...]:
    """Return what a kind or a step is called."""
    return (declared.name.replace("_", " "), declared.title, *declared.also)


def _verb(text: str) -> str:
    """Return the stem of the first word of *text*."""
    return next((stem(word) for word in words_of(text)), "")


def _own(block: ir.Block) -> Iterator[ir.Statement]:
    """Yield the statements of *block* that are done even if the cards cause nothing."""
    for one in block:
        match one:
            case ir.Branch(options, "cards"):
                for statement in options[0][1]:
                    yield from _own((statement,))
            case ir.Branch(options):
                for _, inside in options:
                    yield from _own(inside)
            case ir.If(_, then, otherwise):
                yield from _own(then)
                yield from _own(otherwise)
            case (
                ir.Simple()
                | ir.Require()
                | ir.Let()
                | ir.Choose()
                | ir.ForEach()
                | ir.Go()
                | ir.GameOver()
            ):
                yield one
            case _:
                assert_never(one)


def _choices(clause: ir.Clause) -> list[str]:
    """Return the titles among which a player chooses in *clause*; in one of luck, the cards."""
    return [
        title
        for one in statements(clause.body)
        if isinstance(one, ir.Branch) and one.by != "cards"
        for title, _ in one.options
        if title
    ]
