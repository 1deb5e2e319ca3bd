"""Logs against rules, as text and as Markdown. In: `ConformedTold`. Out: lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..models.words import counted, join_words, shortened
from .telling.conformed import ClassTold, ConformedTold, DeviationTold, ReadingFit, summary

_MOST_LIKE_IT = 12


def render_conformed(head: str, logs: Sequence[ConformedTold], fits: Sequence[ReadingFit]) -> str:
    """Return what came of *logs* and which readings fit: the first deviation of each class in
    full, those like it by their numbers.
    """
    lines = [head]
    for told in logs:
        lines += [
            "",
            told.file,
            *(f"  {line}".rstrip() for line in _of_log(told)),
            f"  {summary(told)}.",
        ]
    if fits:
        lines += ["", "Readings:", *(f"  {_fit_words(one)}" for one in fits)]
    return "\n".join(lines) + "\n"


def render_markdown(head: str, logs: Sequence[ConformedTold], fits: Sequence[ReadingFit]) -> str:
    """Return the same as a report in Markdown."""
    lines = [f"# {head}"]
    for told in logs:
        lines += ["", f"## {told.file}", "", f"{summary(told)}.", ""]
        lines += [f"- {' '.join(block)}" for block in _blocks(told)]
    if fits:
        lines += ["", "## Readings", "", *(f"- {_fit_words(one)}" for one in fits)]
    return "\n".join(lines) + "\n"


def _of_log(told: ConformedTold) -> Iterator[str]:
    for block in _blocks(told):
        yield block[0]
        yield from (f"  {line}" for line in block[1:])
        yield ""


def _blocks(told: ConformedTold) -> Iterator[list[str]]:
    """Yield what there is to say of each class of deviations, and of what is unknown or waived."""
    yield from (block for _, block in deviations(told))
    unknown = [one for one in told.found if one.status == "unknown"]
    for reason, number in Counter(one.rules for one in unknown).items():
        at = next(one for one in unknown if one.rules == reason)
        yield [f"unknown: {counted(number, 'window')}, first at {_where(at)}: {reason}"]
    for waiver in told.waived:
        of = f"{waiver.words} ({waiver.who}: {waiver.why})"
        said = (
            f"waived {counted(waiver.count, 'time')}"
            if waiver.count
            else "nothing needs this waiver"
        )
        yield [f"{said}: {of}"]


def deviations(told: ConformedTold) -> list[tuple[DeviationTold, list[str]]]:
    """Return the first deviation of each class without a waiver, with what there is to say."""
    alike: dict[tuple[str, str, str], list[DeviationTold]] = {}
    for one in told.found:
        if one.status == "deviation":
            alike.setdefault((one.clause, one.name, one.wanted), []).append(one)
    classes = {(one.clause, one.name, one.wanted): one for one in told.classes}
    return [(found[0], _deviation(found, classes[of])) for of, found in alike.items()]


def _deviation(found: Sequence[DeviationTold], of: ClassTold) -> list[str]:
    first, number = found[0], of.count
    lines = deviation_lines(first)
    if first.right and of.name == of.wanted == "priority":
        never = f", but never after {of.only_after}" if of.only_after else ""
        lines.append(
            f"Elsewhere in this log {first.clause} is followed "
            f"{counted(first.right, 'time')}{never}."
        )
    if number > 1:
        others = [str(one.event) for one in found[1 : _MOST_LIKE_IT + 1]]
        more = " and more" if number > len(others) + 1 else ""
        lines.append(f"{number - 1:,} more like it: events {', '.join(others)}{more}.")
    if of.as_if:
        lines.append(of.as_if)
    return lines


def deviation_lines(one: DeviationTold) -> list[str]:
    """Return what there is to say of a deviation by itself."""
    after = f", after {join_words(one.before)}" if one.before else ""
    lines = [f"{_where(one)}: {one.saw}{after}.", one.rules]
    if one.clause:
        cited = f" ({'; '.join(one.statements)})" if one.statements else ""
        lines.append(f"{one.clause}: {one.title}{cited}.")
    return lines


def _where(one: DeviationTold) -> str:
    line = f" (line {one.line})" if one.line and one.line != one.event else ""
    step = f", {one.step}" if one.step else ""
    return f"event {one.event}{line}, turn {one.turn}{step}"


def _fit_words(one: ReadingFit) -> str:
    if one.first is None:
        return f"{one.reading}: fits"
    said = shortened(f"{one.first.saw}. {one.first.rules}", 200)
    return f"{one.reading}: ruled out by event {one.first.event}: {said}"
