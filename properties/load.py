"""Loading: from a name or a claim to a Property: the catalogue, property files, and the claims of a
ruleset.

    catalogue/*.props --parse--> syntax.PropertyText --type, for one Program--> formula.Property

Every property gets the lemmas that its proof may use: a lemma gets those declared before it, any
other property gets all of its ruleset and of the files that are given beside it. Unusable input
raises InputError with everything found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cache, lru_cache
from itertools import takewhile
from pathlib import Path

from ..models import ir, syntax
from ..models.diagnostics import Diagnostic, InputError, Report
from ..models.frozen import frozen
from ..models.load import opened
from ..models.parsing.parse import parse_properties
from ..models.printing.show_lines import show_expression, show_formula
from ..models.source import Source
from ..models.words import did_you_mean
from . import formula as f
from .binding.type import check_terms, containing, type_property


@frozen
class CatalogueEntry:
    """A property of the catalogue as people read it.

    *family* is the file it stands in; *about* is what it is about where its text says so; one that
    *is_strategy* asks what players can enforce. That takes a game to answer, so it is only asked by
    name.
    """

    name: str
    title: str
    why: str
    text: str
    about: str
    family: str
    is_strategy: bool


@frozen
class TypedClaim:
    """A claim of a ruleset and the property it makes a claim of."""

    claim: ir.Claim
    property: f.Property


def catalogue() -> tuple[CatalogueEntry, ...]:
    """Return every property of the catalogue, family by family."""
    return tuple(
        CatalogueEntry(
            text.name,
            text.title,
            text.why,
            show_formula(text.formula),
            "" if text.formula.about is None else show_expression(text.formula.about),
            source.name.removesuffix(".props"),
            isinstance(text.formula.body, syntax.Enforce),
        )
        for source, text in _written().values()
    )


def catalogue_for(program: ir.Program) -> tuple[CatalogueEntry, ...]:
    """Return the properties of the catalogue that are asked of *program* unless somebody says
    which: of the turn only if it has one.
    """
    has_turn = any(sequence.name == ir.TURN for sequence in program.sequences)
    asked = (entry for entry in catalogue() if not entry.is_strategy)
    return tuple(entry for entry in asked if has_turn or not _speaks_of_the_turn(entry.name))


def _speaks_of_the_turn(name: str) -> bool:
    _, text = _written()[name]
    return any(
        isinstance(node, syntax.Phrase) and node.subject == syntax.Name(ir.TURN)
        for node in ir.walk(text.formula.body)
    )


def is_of_catalogue(name: str) -> bool:
    """Whether *name* is that of a property of the catalogue."""
    return name in _written()


def property_named(program: ir.Program, name: str, beside: Beside | None = None) -> f.Property:
    """Return the property called *name*, of those *beside* the ruleset, of the catalogue or of
    *program*'s claims, typed for *program*.
    """
    beside = beside or Beside()
    lemmas = [*_lemmas_of(program), *beside.lemmas]
    for property_ in beside.properties:
        if property_.name == name:
            return _with_lemmas(property_, lemmas)
    if name in _written():
        return _with_lemmas(_of_catalogue(program, name), lemmas)
    for claim in program.claims:
        if claim.name == name and claim.formula is not None and claim.condition != ir.NO:
            return _with_lemmas(of_claim(program, claim, claim.formula), lemmas)
    raise InputError([_unknown(program, name, beside=beside)])


@frozen
class Beside:
    """What property files that are given beside a ruleset have in them: their *properties*, typed
    for it, and which are *lemmas*.

    *empty* are the names of the files without properties. *mistaken* are the mistakes in properties
    that are not asked for.
    """

    properties: tuple[f.Property, ...] = ()
    lemmas: tuple[f.Property, ...] = ()
    empty: tuple[str, ...] = ()
    mistaken: tuple[Diagnostic, ...] = ()


def typed_files(
    program: ir.Program, sources: Iterable[Source], names: Collection[str] = ()
) -> Beside:
    """Return what the property files *sources* have in them, typed for *program*; each name is said
    once, in them, it and the catalogue.

    Where only those of these *names* are asked for, what is wrong with the others refuses none of
    them.
    """
    claimed = {claim.name: claim for claim in program.claims if claim.formula is not None}
    first: dict[str, Source] = {}
    found: list[f.Property] = []
    lemmas: list[f.Property] = []
    empty: list[str] = []
    mistaken: list[Diagnostic] = []
    for source in sources:
        report = Report(source)
        texts, typed = _typed_in(source, program, report)
        for text in texts:
            if text.name in _written():
                said = f"`{text.name}` is a property of the catalogue already."
                report.add("P403", text.span, said, "give this one another name")
            elif text.name in claimed:
                place = program.source.files.place_of(claimed[text.name].span.line)
                said = f"`{text.name}` is a claim of the ruleset already ({place[0]}:{place[1]})."
                report.add("P403", text.span, said, "give this one another name")
            elif text.name in first:
                said = f"`{text.name}` is in {first[text.name].name} already."
                report.add("P402", text.span, said, "give each its own name")
        first.update((text.name, source) for text in texts)
        aside = _set_aside(report, names) if names else []
        report.check()
        mistaken += aside
        empty += [] if texts or aside else [source.name]
        found += typed
        named = {text.name for text in texts if text.is_lemma}
        lemmas += [property_ for property_ in typed if property_.name in named]
    return Beside(tuple(found), tuple(lemmas), tuple(empty), tuple(mistaken))


def _set_aside(report: Report, names: Collection[str]) -> list[Diagnostic]:
    """Take the mistakes in properties of other *names* out of *report*, and return them as
    warnings.
    """
    aside = [
        error
        for error in report.errors
        if error.span and _heading_above(report.source, error.span.line) not in names
    ]
    report.errors = [error for error in report.errors if error not in aside]
    return [replace(error, severity="warning") for error in aside]


def _heading_above(source: Source, line: int) -> str:
    """Return the name of the property of *source* that *line* belongs to; empty above the first."""
    lines = source.text.splitlines()[:line]
    heads = (
        words
        for text in reversed(lines)
        if text[:1] not in ("", " ", "\t", "#") and (words := text.split())
    )
    return next((words[1] if len(words) > 1 else "" for words in heads), "")


def _typed_in(
    source: Source, program: ir.Program, report: Report
) -> tuple[list[syntax.PropertyText], list[f.Property]]:
    """Return the properties of *source* as written and typed, fewer of these if the *report* has
    mistakes.
    """
    texts = list(parse_properties(source, report))
    _check_unique(texts, report)
    typed = []
    for text in texts:
        alone = Report(source)  # what is told once is told of each
        typed.append(type_property(text, program, alone, of_file=True))
        report.errors += alone.errors
    for text, property_ in zip(texts, typed, strict=True):
        if text.is_lemma and property_ is not None and not _can_be_lemma(property_):
            report.add("P405", text.span, *_NO_LEMMA)
    return texts, [property_ for property_ in typed if property_ is not None]


def is_of_others(program: ir.Program, name: str) -> bool:
    """Whether *name* is claimed of other readings alone, and means nothing in that of *program*."""
    return (
        name not in _written()
        and all(claim.name != name for claim in program.claims)
        and _of_others(program, name) is not None
    )


def may_be_of_others(program: ir.Program, name: str) -> bool:
    """Whether `is_of_others` may say so of *name* in some reading of *program*'s ruleset: it is
    claimed under conditions only.
    """
    claims = opened(program.source).claims if name not in _written() else ()
    return _of_others(program, name) is not None and all(
        claim.condition != ir.YES for claim in claims if claim.name == name
    )


def _of_others(program: ir.Program, name: str) -> ir.Claim | None:
    """Return what is claimed of some reading of *program*'s ruleset under this *name*."""
    claims = opened(program.source).claims if program.source.text else ()
    return next(
        (claim for claim in claims if claim.name == name and claim.formula is not None), None
    )


def claims_of(program: ir.Program, beside: Beside | None = None) -> tuple[TypedClaim, ...]:
    """Return what *program*'s author claims under its settings, each with its property; its proof
    may use lemmas *beside* it, too.

    Raises InputError with the mistakes in all claims of its text, in those too that are made under
    other settings.
    """
    typed, errors = _typed_claims(program)
    report = Report(program.source, [*errors, *_in_every_reading(program.source)])
    report.check()
    lemmas = [
        *(one.property for one in typed if one.claim.expect == "lemma"),
        *(beside.lemmas if beside else ()),
    ]
    return tuple(replace(one, property=_with_lemmas(one.property, lemmas)) for one in typed)


@lru_cache(maxsize=32)
def _in_every_reading(source: Source) -> tuple[Diagnostic, ...]:
    """Return the mistakes in all claims of the ruleset in *source*. Every option is left open, so
    the claims of all readings are looked at.
    """
    if not source.text:
        return ()
    program, report = opened(source), Report(source)
    check_terms(program, report)
    return (*report.errors, *_typed_claims(program)[1])


def _typed_claims(program: ir.Program) -> tuple[list[TypedClaim], list[Diagnostic]]:
    """Return the claims that *program* has, with their properties, and each mistake in them
    once.
    """
    typed: list[TypedClaim] = []
    errors: dict[Diagnostic, None] = {}
    for claim in program.claims:
        if claim.condition == ir.NO:
            continue
        try:
            typed.append(_typed_claim(program, claim))
        except InputError as error:
            errors |= dict.fromkeys(error.diagnostics)
    return typed, list(errors)


# ------------------------------------------------------------------ lemmas


_NO_LEMMA = (
    "A lemma is said of every moment.",
    "let it begin with `always` or `never`, and ask it of no clause in turn",
)


def _lemmas_of(program: ir.Program) -> list[f.Property]:
    return [
        _typed_claim(program, claim).property
        for claim in program.claims
        if claim.expect == "lemma" and claim.condition != ir.NO
    ]


def _with_lemmas(property_: f.Property, lemmas: list[f.Property]) -> f.Property:
    """Return *property_* with those of *lemmas* that its proof may use: all, if it is none of them,
    else those before it.
    """
    if property_.mode == "enforce":
        return property_  # strategies are not proved
    return replace(
        property_, lemmas=tuple(takewhile(lambda lemma: lemma.name != property_.name, lemmas))
    )


def _can_be_lemma(property_: f.Property) -> bool:
    return property_.mode == "always" and not property_.is_of_clauses


# ------------------------------------------------------------------ the catalogue


@cache
def _written() -> dict[str, tuple[Source, syntax.PropertyText]]:
    """Return the properties of the catalogue's files by name, in the order of the files and the
    texts.
    """
    found: dict[str, tuple[Source, syntax.PropertyText]] = {}
    for path in sorted(Path(__file__).with_name("catalogue").glob("*.props")):
        source = Source(path.name, path.read_text(encoding="utf-8"))
        report = Report(source)
        texts = parse_properties(source, report)
        _check_unique(texts, report)
        report.check()
        found.update((text.name, (source, text)) for text in texts)
    return found


def _of_catalogue(program: ir.Program, name: str) -> f.Property:
    source, text = _written()[name]
    report = Report(source)
    return _checked(type_property(text, program, report, of_catalogue=True), report)


def property_of_text(program: ir.Program, name: str, text: str) -> f.Property:
    """Return the formula *text*, which is in the words of the catalogue, as a property of *program*
    that is called *name*.

    Raises InputError if it is too long, or nested too deeply.
    """
    source = Source(name, f'property asked "{name}"\n  {text}\n')
    report = Report(source)
    written = parse_properties(source, report)
    report.check()
    (one,) = written
    called = replace(one, name=name)
    return _checked(type_property(called, program, report, of_catalogue=True), report)


def _checked(typed: f.Property | None, report: Report) -> f.Property:
    report.check()
    assert typed is not None  # without a mistake there is a property
    return typed


def _check_unique(texts: Iterable[syntax.PropertyText], report: Report) -> None:
    first: dict[str, syntax.PropertyText] = {}
    for text in texts:
        other = first.setdefault(text.name, text)
        if other is not text:
            what = "lemma" if other.is_lemma else "property"
            said = (
                f"There is a {what} `{text.name}` already, in "
                f"{report.source.files.lines_in_words(other.span.line)}."
            )
            report.add("P402", text.span, said, "give each its own name")


# ------------------------------------------------------------------ claims


def _typed_claim(program: ir.Program, claim: ir.Claim) -> TypedClaim:
    if claim.formula is not None:
        property_ = of_claim(program, claim, claim.formula)
    elif claim.name in _written():
        property_ = as_claimed(program, claim, _of_catalogue(program, claim.name))
    else:
        raise InputError([_unknown(program, claim.name, claim)])
    _check_expectation(program, claim, property_)
    return TypedClaim(claim, property_)


def as_claimed(program: ir.Program, claim: ir.Claim, property_: f.Property) -> f.Property:
    """Return *property_* as *claim* asks it: with the sizes it needs, and of the plays that contain
    what it says; raises InputError.
    """
    property_ = replace(property_, needs=claim.needs, every_size=claim.every_size)
    if claim.containing is None:
        return property_
    report = Report(program.source)
    if claim.expect not in ("fails", "possible") or property_.mode == "enforce":
        report.add("P207", claim.span, *_NO_PLAY)
    formula = claim.formula or _written()[claim.name][1].formula
    found = containing(property_, formula, claim.containing, program, report)
    report.check()
    return found


_NO_PLAY = (
    "`with` says what a play must contain, and this claim says that there is none.",
    "put it into the formula: `A and once B`",
)


def of_claim(program: ir.Program, claim: ir.Claim, formula: syntax.Formula) -> f.Property:
    """Return what *claim* asks of *program* by its *formula*; raises InputError."""
    report = Report(program.source)
    if claim.name in _written():
        hint = "give the claim another name, or leave out its formula"
        report.add(
            "P403",
            claim.span,
            f"`{claim.name}` is a property of the catalogue; here it has another formula.",
            hint,
        )
    text = syntax.PropertyText(claim.name, claim.title, "", formula)
    typed = type_property(text, program, report)
    return as_claimed(program, claim, _checked(typed, report))


def _check_expectation(program: ir.Program, claim: ir.Claim, property_: f.Property) -> None:
    """Report a word that the verdict of *property_* can never be, and a lemma that is none."""
    report, one_play_decides = Report(program.source), property_.is_of_possibility
    if claim.every_size and (
        claim.expect not in ("holds", "lemma", "impossible") or property_.mode == "enforce"
    ):
        report.add("P404", claim.span, *_NO_PROOF)
    elif claim.expect == "lemma":
        if not _can_be_lemma(property_):
            report.add("P405", claim.span, *_NO_LEMMA)
    elif not (claim.expect == "vacuous" and property_.absent) and one_play_decides != (
        claim.expect in ("possible", "impossible")
    ):
        words = (
            "`possible` or `impossible`" if one_play_decides else "`holds`, `fails` or `vacuous`"
        )
        message = f"`{claim.name}` can be {words}, not `{claim.expect}`."
        meant = f"write `{_MEANT[claim.expect]}` in place of `{claim.expect}`"
        hint = f"{meant}; it asks: {property_.text}"
        report.add("P404", claim.span, message, hint)
    report.check()


_MEANT = {
    "possible": "holds",
    "impossible": "fails",
    "holds": "possible",
    "fails": "impossible",
    "vacuous": "impossible",
}
"""What may be meant by the word of a claim whose formula is of the other kind."""


_NO_PROOF = (
    "`for every size` asks for a proof, and of this there is none.",
    "it stands with `holds`, `lemma` and `impossible`, but not with `can enforce`",
)


def _unknown(
    program: ir.Program, name: str, claim: ir.Claim | None = None, beside: Beside | None = None
) -> Diagnostic:
    """Return what is wrong with *name*: there is no such property."""
    source, span = (None, None) if claim is None else (program.source, claim.span)
    known = [entry.name for entry in catalogue()] + [
        c.name for c in program.claims if c.formula is not None
    ]
    known += [property_.name for property_ in beside.properties] if beside else []
    otherwise = "`stacklaw properties` lists the catalogue"
    if claim is None and (elsewhere := _of_others(program, name)) is not None:
        place = program.source.files.lines_in_words(elsewhere.span.line)
        where = f"`{name}` is claimed of other readings, in {place} below `claims when CONDITION`"
        return Diagnostic(
            "P401",
            f"There is no property called `{name}` in this reading.",
            hint=f"{where}; --set chooses one of them",
        )
    if claim is not None:
        otherwise = "name a property of the catalogue, or write a formula below the claim"
    return Diagnostic(
        "P401",
        f"There is no property called `{name}`.",
        source,
        span,
        did_you_mean(name, known) or otherwise,
    )
