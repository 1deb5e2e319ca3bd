"""A play as a picture: time runs downward, one lane a player, the zones beside the lanes.

In: a `Play`. Out: a `Scene`. A row is a passage, a decision and what the rules then do, and shows
the position that it leads to: who has priority, whose pass still counts, and what lies on the
zones. Each row is as high as the highest of its texts and piles.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ...models.frozen import frozen
from ..naming import player_name
from ..plays.passages import Passage, passages_of
from ..plays.play import Denial, Pile, Play
from ..text.ruling import findings_words
from .graph import NOBODY
from .scene import LINE, Box, Label, Polyline, Scene, text_width, wrap

MARGIN, GAP = 24.0, 20.0
TEXT_WIDTH, PILE_WIDTH, LANE = 340.0, 190.0, 124.0
TITLE, BODY, SMALL = 19.0, 13.0, 11.5
CARD_GAP, PILL, PADDING, TOKEN = 4.0, 24.0, 12.0, 18.0
_COLOURS = 6


@frozen
class Titled:
    """A play and what stands above its picture; on a page also what is known of the *smallest* such
    play.
    """

    play: Play
    title: str
    subtitle: str
    formula: str
    smallest: str = ""


def draw_play(titled: Titled) -> Scene:
    """Return the picture of a play."""
    return _Drawing(titled)


class _Drawing(Scene):
    """One picture, which is drawn from the top downward."""

    def __init__(self, titled: Titled) -> None:
        self.play = play = titled.play
        self.passages = passages_of(play)
        super().__init__(titled.title, f"{titled.subtitle} {titled.formula}".strip())
        self.lanes = [player_name(seat) for seat in range(play.players)] + [NOBODY]
        self.lanes_left = MARGIN + TEXT_WIDTH + GAP
        self.piles_left = self.lanes_left + LANE * len(self.lanes) + GAP
        ends = [passage.end for passage in self.passages]
        used = {pile.zone for end in ends for pile in end.piles if pile.cards}
        self.zones = [pile.zone for pile in play.moments[0].piles if pile.zone in used]
        self.missed = missed_in(play, self.passages)
        self.width = self.piles_left + (PILE_WIDTH + GAP) * len(self.zones) + MARGIN - GAP
        top = self.heading(titled)
        bottom = self.rows(top)
        self.height = bottom + MARGIN

    def heading(self, titled: Titled) -> float:
        """Write what stands above, and return where the rows begin."""
        room = self.width - 2 * MARGIN
        y = self.paragraph((MARGIN, MARGIN), titled.title, room, "bold", TITLE) + 4
        y = self.paragraph((MARGIN, y), titled.subtitle, room, "", BODY)
        y = self.paragraph((MARGIN, y), titled.formula, room, "faint italic", SMALL)
        spotlights = ", ".join(f"{name} is {words}" for name, words in self.play.spotlights)
        y = self.paragraph((MARGIN, y + 2), spotlights, room, "", BODY) + GAP
        for number, lane in enumerate(self.lanes):
            css = "bold faint" if lane == NOBODY else f"bold player{number % _COLOURS}"
            self.text((self.lane_centre(number), y), [lane], css, BODY, "middle")
        self.labels.append(Label(self.lanes_left + 6, y - 3, "who has priority", "faint", SMALL))
        for number, zone in enumerate(self.zones):
            name = wrap(zone, PILE_WIDTH, BODY, "bold")[:1]
            self.text((self.pile_left(number), y), name, "bold", BODY)
        return y + BODY * LINE + 6

    def lane_centre(self, lane: int) -> float:
        """Return the middle of a lane."""
        return self.lanes_left + LANE * (lane + 0.5)

    def pile_left(self, number: int) -> float:
        """Return the left side of a zone's column."""
        return self.piles_left + (PILE_WIDTH + GAP) * number

    # ------------------------------------------------------------------ rows

    def rows(self, top: float) -> float:
        """Draw every passage below the one before, with the arrow between them, and return where
        the last one ends.
        """
        y = top
        ends: list[tuple[float, float]] = []
        again = y
        for row, passage in enumerate(self.passages):
            if self.play.round and passage.head.number == self.play.round[0]:
                again = y
            if passage.place or not row:
                y = self.band(passage, y)
            height = self.row_height(row)
            self.row_ground(row, y, height)
            self.write_words(row, y + PADDING / 2)
            half = self.node_height(passage) / 2
            self.node(row, y + height / 2)
            self.piles(passage, y + PADDING / 2)
            if row in self.missed:
                self.no_window(self.missed[row], passage, y + height / 2)
            ends.append((y + height / 2 - half, y + height / 2 + half))
            y += height
        for lane in range(len(self.lanes)):
            x = self.lane_centre(lane)
            self.lines.insert(0, Polyline(((x, top), (x, y)), "lane", plain=True))
        self.denials(ends)
        for row, ((_, start), (end, _)) in enumerate(itertools.pairwise(ends), start=1):
            self.arrow(row, start, end)
        self.loop([(start + end) / 2 for start, end in ends], again, y)
        return y

    def loop(self, centres: list[float], top: float, bottom: float) -> None:
        """Shade what is made again and again, and draw the way back from the last row to the one
        before it, beside the lanes.
        """
        if self.play.again_from is None:
            return
        self.boxes.insert(0, Box(MARGIN / 2, top, self.width - MARGIN, bottom - top, "again"))
        last, first = len(self.passages) - 1, _row_of(self.passages, self.play.again_from)
        side, half = self.lanes_left + LANE * len(self.lanes) + 4, (LANE - GAP) / 2
        from_x, to_x = (self.lane_centre(self.lanes_of(row)[0]) + half for row in (last, first))
        below, above = centres[last], centres[first]
        self.lines.append(
            Polyline(((from_x, below), (side, below), (side, above), (to_x, above)), "arrow breaks")
        )

    def denials(self, ends: list[tuple[float, float]]) -> None:
        """Shade the lane of a player who should have had a window, from the first row that counted
        to the last.
        """
        for denial in self.play.denials:
            if denial.windows:
                x = self.lane_centre(self.lanes.index(denial.player)) - LANE / 2 + 4
                first, row = (_row_of(self.passages, at) for at in (denial.first, denial.last))
                top, bottom = ends[first][0], ends[row][1]
                if self.missed.get(row) is denial:
                    begin, lines = self.no_window_lines(
                        denial, self.passages[row], sum(ends[row]) / 2
                    )
                    bottom = max(bottom, begin + (len(lines) + 0.5) * SMALL * LINE)
                self.boxes.append(
                    Box(x, top, LANE - 8, max(bottom - top, PILL), f"denied {self.break_class}")
                )

    @property
    def break_class(self) -> str:
        """Return the class of what is missing: red, unless the author expects it."""
        return "expected" if self.play.ending == "expected" else "breaks"

    def no_window(self, denial: Denial, passage: Passage, centre: float) -> None:
        """Write where the missing window should have been that there is none."""
        y, lines = self.no_window_lines(denial, passage, centre)
        x = self.lane_centre(self.lanes.index(denial.player))
        self.text((x, y), lines, f"bold {self.break_class}", SMALL, "middle")

    def no_window_lines(
        self, denial: Denial, passage: Passage, centre: float
    ) -> tuple[float, list[str]]:
        """Return where that is written, below what says that the player has passed, and its
        lines.
        """
        is_below = self.lanes.index(denial.player) in passage.end.passed
        lines = wrap(f"{denial.player} has no window", LANE - 16, SMALL, "bold")
        return centre + (TOKEN / 2 + 2 if is_below else -SMALL * LINE), lines

    def band(self, passage: Passage, y: float) -> float:
        """Draw the line that says whose turn and which step it is, and return where it ends."""
        words = f"{passage.end.active}'s turn" + (
            f", {passage.end.step}" if passage.end.step else ""
        )
        lines = wrap(words, TEXT_WIDTH, BODY, "bold")
        height = len(lines) * BODY * LINE + 8
        self.boxes.append(Box(MARGIN / 2, y + 2, self.width - MARGIN, height - 4, "band", 4))
        self.text((MARGIN, y + 4), lines, "bold", BODY)
        return y + height

    def texts(self, row: int) -> list[tuple[str, str, float]]:
        """Return what is written of a passage: texts, their classes and their size."""
        passage, ending = self.passages[row], self.play.ending
        by = f", by {passage.clause}" if passage.clause else ""
        head = f"{passage.numbers}. {passage.mover}{by}"
        texts = [
            (head, f"bold {self.mover_class(passage)}", BODY),
            (f"{passage.title}{passage.follows}", "", SMALL),
        ]
        if self.decides(passage):
            texts.append((self.play.conclusion, f"bold {ending}", BODY))
            denied = [
                f"{one.player} had no window{f' for {one.subject}' if one.subject else ''}."
                for one in self.play.denials
            ]
            texts += [(words, ending, SMALL) for words in denied]
            texts += [
                (f"{'yes' if holds else 'no'}: {words}", "", SMALL)
                for holds, words in findings_words(self.play)
            ]
        return texts

    def write_words(self, row: int, y: float) -> None:
        """Write what is said of a passage."""
        for text, css, size in self.texts(row):
            y = self.paragraph((MARGIN, y), text, TEXT_WIDTH, css, size)

    def mover_class(self, passage: Passage) -> str:
        """Return the class of the colour of the decider."""
        return (
            f"player{passage.head.seat % _COLOURS}"
            if passage.kind == "move" and passage.head.seat is not None
            else "faint"
        )

    def decides(self, passage: Passage) -> bool:
        """Return whether this passage is the one that decides."""
        return passage is self.passages[-1] and bool(self.play.conclusion)

    def row_height(self, row: int) -> float:
        """Return how high a row is."""
        passage = self.passages[row]
        words = sum(
            len(wrap(text, TEXT_WIDTH, size, css)) * size * LINE
            for text, css, size in self.texts(row)
        )
        piles = max((self.pile_height(pile) for pile in self.shown(passage)), default=0.0)
        missed = 2 * (TOKEN / 2 + 3 * SMALL * LINE) if row in self.missed else 0.0
        return max(words, piles, self.node_height(passage) + PILL, missed) + PADDING + 6

    def row_ground(self, row: int, y: float, height: float) -> None:
        """Draw the ground of the deciding row, and a hairline above every other."""
        passage = self.passages[row]
        if self.decides(passage):
            self.boxes.append(
                Box(
                    MARGIN / 2,
                    y + 1,
                    self.width - MARGIN,
                    height - 2,
                    f"row {self.play.ending}",
                )
            )
        elif row and not passage.place:
            self.lines.append(Polyline(((MARGIN, y), (self.width - MARGIN, y)), "hair", plain=True))

    # ------------------------------------------------------------------ positions and arrows

    def stage_lines(self, passage: Passage) -> list[str]:
        """Return what the stage is called where a passage ends, in lines as wide as a lane."""
        return wrap(passage.end.stage_title, LANE - GAP - 12, SMALL)

    def node_height(self, passage: Passage) -> float:
        """Return how high the node of a position is."""
        return max(PILL, len(self.stage_lines(passage)) * SMALL * LINE + 8)

    def lanes_of(self, row: int) -> tuple[int, ...]:
        """Return the lanes of those who have priority where a row ends; the lane of nobody is the
        last.
        """
        return self.passages[row].end.holders or (self.play.players,)

    def node(self, row: int, centre: float) -> None:
        """Draw a position in the lanes of those who have priority, and a token for each pass that
        still counts.
        """
        passage = self.passages[row]
        end = passage.end
        width = LANE - GAP
        height = self.node_height(passage)
        lines = self.stage_lines(passage)
        decides = f" {self.play.ending}" if self.decides(passage) else ""
        for lane in self.lanes_of(row):
            colour = f"player{lane % _COLOURS}" if end.holders else "nobody"
            x = self.lane_centre(lane)
            self.pills.append(
                Box(
                    x - width / 2, centre - height / 2, width, height, f"node {colour}{decides}", 12
                )
            )
            top = centre - len(lines) * SMALL * LINE / 2
            for number, line in enumerate(lines):
                self.labels.append(
                    Label(
                        x, top + number * SMALL * LINE + SMALL * 1.05, line, "on", SMALL, "middle"
                    )
                )
        for seat in end.passed:
            if seat not in end.holders:
                x, wide = self.lane_centre(seat), text_width("passed", SMALL) + 12
                self.pills.append(
                    Box(
                        x - wide / 2,
                        centre - TOKEN / 2,
                        wide,
                        TOKEN,
                        f"token player{seat % _COLOURS}",
                        TOKEN / 2,
                    )
                )
                self.labels.append(
                    Label(
                        x,
                        centre + SMALL * 0.36,
                        "passed",
                        f"player{seat % _COLOURS}",
                        SMALL,
                        "middle",
                    )
                )

    def arrow(self, row: int, start: float, end: float) -> None:
        """Draw the arrow to a row, from whoever makes the move, with its clause on it."""
        passage, lanes = self.passages[row], self.lanes_of(row - 1)
        mover = passage.head.seat
        from_x = self.lane_centre(mover if mover is not None and mover in lanes else lanes[0])
        to_x = self.lane_centre(self.lanes_of(row)[0])
        colour = self.mover_class(passage)
        middle = (start + end) / 2
        self.lines.append(Polyline(((from_x, start), (to_x, end)), f"arrow {colour}"))
        clause = passage.clause or "all pass"
        shown = clause if text_width(clause, SMALL) <= LANE - 12 else f"{clause[:8]}…"
        width = text_width(shown, SMALL) + 10
        x = (from_x + to_x) / 2
        self.pills.append(Box(x - width / 2, middle - 8, width, 16, "tag", 8))
        self.labels.append(Label(x, middle + SMALL * 0.36, shown, colour, SMALL, "middle"))

    # ------------------------------------------------------------------ zones

    def shown(self, passage: Passage) -> list[Pile]:
        """Return the zones that are drawn where a passage ends: those with items, and those that
        are empty now.
        """
        changed = {pile.zone for pile in passage.changed_piles}
        return [
            pile
            for pile in passage.end.piles
            if pile.zone in self.zones and (pile.cards or pile.zone in changed)
        ]

    def card_lines(self, pile: Pile) -> list[list[str]]:
        """Return the texts of a pile's cards, wrapped."""
        said = [
            f"{card.label}{f' ({card.spotlight})' if card.spotlight else ''}" for card in pile.cards
        ]
        return [wrap(words, PILE_WIDTH - 12, SMALL) for words in said]

    def pile_height(self, pile: Pile) -> float:
        """Return how high a pile is."""
        return (
            sum(len(lines) * SMALL * LINE + 6 + CARD_GAP for lines in self.card_lines(pile))
            + SMALL * LINE
        )

    def piles(self, passage: Passage, y: float) -> None:
        """Draw the zones as piles of cards, fainter where nothing is different."""
        changed = {pile.zone for pile in passage.changed_piles}
        for pile in self.shown(passage):
            self.pile(
                pile,
                self.pile_left(self.zones.index(pile.zone)),
                y,
                "" if pile.zone in changed else " kept",
            )

    def pile(self, pile: Pile, x: float, y: float, kept: str) -> None:
        """Draw one pile from the card that leaves next."""
        if not pile.cards:
            self.text((x, y), ["empty"], "faint", SMALL)
        for card, lines in zip(pile.cards, self.card_lines(pile), strict=True):
            height = len(lines) * SMALL * LINE + 6
            css = f"card player{card.seat % _COLOURS}{' spotlit' if card.spotlight else ''}{kept}"
            self.boxes.append(Box(x, y, PILE_WIDTH, height, css, 4))
            self.text((x + 6, y + 2), lines, "faint" if kept else "", SMALL)
            y += height + CARD_GAP


def missed_in(play: Play, passages: Sequence[Passage]) -> dict[int, Denial]:
    """Return the rows, of *passages*, in which a window is missing: where the player would have had
    it, or else where it first counted.
    """
    return {
        _row_of(passages, denial.barred[-1].moment if denial.barred else denial.first): denial
        for denial in play.denials
        if denial.windows
    }


def _row_of(passages: Sequence[Passage], moment: int) -> int:
    return next(row for row, passage in enumerate(passages) if passage.end.number >= moment)
