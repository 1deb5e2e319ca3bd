"""A play as a picture: time runs downward, one lane a player, the zones beside the lanes.

In: a `Play`. Out: a `Scene`. A row is a moment and a lane a player (`graph`); here they
get their sizes in points, each row as high as the highest of its texts and piles.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from ..naming import player_name
from ..plays.play import Moment, Pile, Play
from .graph import NOBODY, lane_of
from .scene import LINE, Box, Label, Polyline, Scene, text_width, wrap

MARGIN, GAP = 24.0, 20.0
TEXT_WIDTH, PILE_WIDTH, LANE_LEAST = 340.0, 190.0, 84.0
TITLE, BODY, SMALL = 19.0, 13.0, 11.5
CARD_GAP, PILL, PADDING = 4.0, 24.0, 12.0
_COLOURS = 6


@dataclass(frozen=True)
class PictureHeading:
    """What stands above a picture."""

    title: str
    subtitle: str
    formula: str


def draw_play(play: Play, heading: PictureHeading) -> Scene:
    """Return the picture of *play*."""
    return _Drawing(play, heading).scene


class _Drawing:
    """One picture while it is drawn, from the top downward."""

    def __init__(self, play: Play, heading: PictureHeading) -> None:
        self.play = play
        self.places = {moment.number: (row, lane_of(moment, play.players)) for row, moment in enumerate(play.moments)}
        self.scene = Scene(heading.title, f"{heading.subtitle} {heading.formula}".strip())
        widest = max(text_width(moment.stage or "game over", SMALL) for moment in play.moments) + 2 * PADDING
        self.lane_width = max(LANE_LEAST, widest + GAP)
        self.lanes = [player_name(seat) for seat in range(play.players)] + [NOBODY]
        self.lanes_left = MARGIN + TEXT_WIDTH + GAP
        self.piles_left = self.lanes_left + self.lane_width * len(self.lanes) + GAP
        self.zones = [pile.zone for pile in play.moments[0].piles if self.is_used(pile.zone)]
        self.scene.width = self.piles_left + (PILE_WIDTH + GAP) * len(self.zones) + MARGIN - GAP
        top = self.heading(heading)
        bottom = self.rows(top)
        self.scene.height = bottom + MARGIN

    def is_used(self, zone: str) -> bool:
        """Return whether any item is ever on *zone*."""
        return any(pile.cards for moment in self.play.moments for pile in moment.piles if pile.zone == zone)

    def heading(self, heading: PictureHeading) -> float:
        """Write what stands above, and return where the rows begin."""
        room = self.scene.width - 2 * MARGIN
        y = self.scene.text((MARGIN, MARGIN), wrap(heading.title, room, TITLE, bold=True), "bold", TITLE) + 4
        y = self.scene.text((MARGIN, y), wrap(heading.subtitle, room, BODY), "", BODY)
        y = self.scene.text((MARGIN, y), wrap(heading.formula, room, SMALL), "faint italic", SMALL)
        spotlights = ", ".join(f"{name} is {words}" for name, words in self.play.spotlights)
        y = self.scene.text((MARGIN, y + 2), wrap(spotlights, room, BODY), "", BODY) + GAP
        for number, lane in enumerate(self.lanes):
            css = "bold faint" if lane == NOBODY else f"bold player{number % _COLOURS}"
            self.scene.labels.append(Label(self.lane_centre(number), y + BODY, lane, css, BODY, "middle"))
        self.scene.labels.append(Label(self.lane_centre(0) - self.lane_width / 2 + 6, y - 3, "who has priority", "faint", SMALL))
        if self.zones:
            self.scene.labels.append(Label(self.pile_left(0), y - 3, "dotted where nothing changes", "faint", SMALL))
        for number, zone in enumerate(self.zones):
            self.scene.labels.append(Label(self.pile_left(number), y + BODY, wrap(zone, PILE_WIDTH, BODY, bold=True)[0], "bold", BODY))
        return y + BODY * LINE + 6

    def lane_centre(self, lane: int) -> float:
        """Return the middle of a lane."""
        return self.lanes_left + self.lane_width * (lane + 0.5)

    def pile_left(self, number: int) -> float:
        """Return the left side of a zone's column."""
        return self.piles_left + (PILE_WIDTH + GAP) * number

    # ------------------------------------------------------------------ rows

    def rows(self, top: float) -> float:
        """Draw every moment below the one before, with the arrow between them, and return where the last one ends."""
        y, centre = top, 0.0
        ends: list[tuple[int, float, float]] = []
        for moment in self.play.moments:
            if moment.step_changed:
                y = self.band(moment, y)
            height = self.row_height(moment)
            self.row_ground(moment, y, height)
            self.words(moment, y + PADDING / 2)
            centre = y + height / 2
            self.node(moment, centre)
            self.piles(moment, y + PADDING / 2)
            ends.append((moment.number, centre - PILL / 2, centre + PILL / 2))
            y += height
        for lane in range(len(self.lanes)):
            x = self.lane_centre(lane)
            self.scene.lines.insert(0, Polyline(((x, top), (x, y)), "lane", plain=True))
        self.denials(ends)
        for (_, _, start), (number, end, _) in itertools.pairwise(ends):
            self.arrow(number, start, end)
        self.loop({number: (start + end) / 2 for number, start, end in ends})
        return y

    def loop(self, centres: dict[int, float]) -> None:
        """Draw the way back from the last moment to the one before what is made again and again, beside the lanes."""
        if self.play.again_from is None:
            return
        last = self.play.moments[-1].number
        side, half = self.lanes_left + self.lane_width * len(self.lanes) + 4, (self.lane_width - GAP) / 2
        from_x, to_x = (self.lane_centre(self.places[number][1]) + half for number in (last, self.play.again_from))
        bottom, top = centres[last], centres[self.play.again_from]
        self.scene.lines.append(Polyline(((from_x, bottom), (side, bottom), (side, top), (to_x, top)), "arrow breaks"))

    def denials(self, ends: list[tuple[int, float, float]]) -> None:
        """Shade the lane of a player who should have had a window, from the first moment that counted to the last."""
        heights = {number: (top, bottom) for number, top, bottom in ends}
        for denial in self.play.denials:
            if denial.windows:
                x = self.lane_centre(self.lanes.index(denial.player)) - self.lane_width / 2 + 4
                top, bottom = heights[denial.first][0], heights[denial.last][1]
                self.scene.boxes.append(Box(x, top, self.lane_width - 8, bottom - top, "denied"))

    def band(self, moment: Moment, y: float) -> float:
        """Draw the line that says whose turn and which step begins, and return where it ends."""
        words = f"{moment.active}'s turn" + (f", {moment.step}" if moment.step else "")
        height = BODY * LINE + 8
        self.scene.boxes.append(Box(MARGIN / 2, y + 2, self.scene.width - MARGIN, height - 4, "band", 4))
        self.scene.labels.append(Label(MARGIN, y + height / 2 + BODY * 0.36, wrap(words, TEXT_WIDTH, BODY, bold=True)[0], "bold", BODY))
        return y + height

    def texts(self, moment: Moment) -> list[tuple[list[str], str, float]]:
        """Return what is written of a moment: lines, their classes and their size."""
        room = TEXT_WIDTH
        if not moment.number:
            start = "start" if moment.priority else f"start: {moment.stage_title}"
            return [(wrap(start, room, BODY), "faint", BODY)]
        said = " ".join((*moment.choices, *moment.events))
        head = f"{moment.number}. {moment.mover}, by {moment.clause}"
        texts = [(wrap(head, room, BODY, bold=True), f"bold {self.mover_class(moment)}", BODY), (wrap(moment.title, room, BODY), "", BODY)]
        if said:
            texts.append((wrap(said, room, SMALL), "", SMALL))
        if moment.decided:
            texts.append((wrap(f"because {', and '.join(moment.decided)}", room, SMALL), "faint italic", SMALL))
        if self.decides(moment):
            texts.append((wrap(self.play.conclusion, room, BODY, bold=True), f"bold {self.play.ending}", BODY))
            denied = [f"{one.player} had no window{f' for {one.subject}' if one.subject else ''}." for one in self.play.denials]
            texts += [(wrap(words, room, SMALL), self.play.ending, SMALL) for words in denied]
        return texts

    def words(self, moment: Moment, y: float) -> None:
        """Write what is said of a moment."""
        for lines, css, size in self.texts(moment):
            y = self.scene.text((MARGIN, y), lines, css, size)

    def mover_class(self, moment: Moment) -> str:
        """Return the class of the colour of whoever moved."""
        return "faint" if moment.seat is None else f"player{moment.seat % _COLOURS}"

    def decides(self, moment: Moment) -> bool:
        """Return whether this moment is the one that decides."""
        return moment is self.play.moments[-1] and bool(self.play.conclusion)

    def row_height(self, moment: Moment) -> float:
        """Return how high the row of a moment is."""
        words = sum(len(lines) * size * LINE for lines, _, size in self.texts(moment))
        piles = max((self.pile_height(pile) for pile in self.shown(moment)), default=0.0)
        return max(words, piles, PILL * 2) + PADDING + 6

    def row_ground(self, moment: Moment, y: float, height: float) -> None:
        """Draw the ground of the deciding row, and a hairline above every other."""
        if self.decides(moment):
            self.scene.boxes.append(Box(MARGIN / 2, y + 1, self.scene.width - MARGIN, height - 2, f"row {self.play.ending}"))
        elif moment.number and not moment.step_changed:
            self.scene.lines.append(Polyline(((MARGIN, y), (self.scene.width - MARGIN, y)), "hair", plain=True))

    # ------------------------------------------------------------------ positions and arrows

    def node(self, moment: Moment, centre: float) -> None:
        """Draw a position in the lanes of those who have priority; nobody has a lane, too."""
        width = self.lane_width - GAP
        decides = f" {self.play.ending}" if self.decides(moment) else ""
        for lane in moment.holders or (self.play.players,):
            colour = f"player{lane % _COLOURS}" if moment.holders else "nobody"
            x = self.lane_centre(lane) - width / 2
            self.scene.pills.append(Box(x, centre - PILL / 2, width, PILL, f"node {colour}{decides}", PILL / 2))
            stage = moment.stage or "game over"
            self.scene.labels.append(Label(self.lane_centre(lane), centre + SMALL * 0.36, stage, "on", SMALL, "middle"))

    def arrow(self, number: int, start: float, end: float) -> None:
        """Draw the arrow to moment *number* with its clause on it."""
        row = self.places[number - 1][1], self.places[number][1]
        from_x, to_x = (self.lane_centre(lane) for lane in row)
        colour = self.mover_class(self.play.moments[number])
        middle = (start + end) / 2
        self.scene.lines.append(Polyline(((from_x, start), (to_x, end)), f"arrow {colour}"))
        clause = self.play.moments[number].clause
        shown = clause if text_width(clause, SMALL) <= self.lane_width else f"{clause[:8]}…"
        width = text_width(shown, SMALL) + 10
        x = (from_x + to_x) / 2
        self.scene.pills.append(Box(x - width / 2, middle - 8, width, 16, "tag", 8))
        self.scene.labels.append(Label(x, middle + SMALL * 0.36, shown, colour, SMALL, "middle"))

    # ------------------------------------------------------------------ zones

    def shown(self, moment: Moment) -> list[Pile]:
        """Return the zones that are drawn at a moment: those that changed; the others only go on."""
        return [pile for pile in moment.piles if pile.zone in self.zones and pile.zone in moment.changed_piles]

    def card_lines(self, pile: Pile) -> list[list[str]]:
        """Return the texts of a pile's cards, wrapped."""
        said = [f"{card.label}{f' ({card.spotlight})' if card.spotlight else ''}" for card in pile.cards]
        return [wrap(words, PILE_WIDTH - 12, SMALL) for words in said]

    def pile_height(self, pile: Pile) -> float:
        """Return how high a pile is."""
        return sum(len(lines) * SMALL * LINE + 6 + CARD_GAP for lines in self.card_lines(pile)) + SMALL * LINE

    def piles(self, moment: Moment, y: float) -> None:
        """Draw the zones that changed as piles of cards, and a line for those that did not."""
        drawn = {pile.zone: pile for pile in self.shown(moment)}
        held = {pile.zone: pile for pile in moment.piles}
        for number, zone in enumerate(self.zones):
            x = self.pile_left(number)
            if zone in drawn:
                self.pile(drawn[zone], x, y)
            elif held[zone].cards:
                height = self.row_height(moment) - PADDING
                self.scene.lines.append(Polyline(((x + PILE_WIDTH / 2, y), (x + PILE_WIDTH / 2, y + height)), "same", plain=True))

    def pile(self, pile: Pile, x: float, y: float) -> None:
        """Draw one pile from the card that leaves next."""
        if not pile.cards:
            self.scene.text((x, y), ["empty"], "faint", SMALL)
        for card, lines in zip(pile.cards, self.card_lines(pile), strict=True):
            height = len(lines) * SMALL * LINE + 6
            css = f"card player{card.seat % _COLOURS}{' spotlit' if card.spotlight else ''}"
            self.scene.boxes.append(Box(x, y, PILE_WIDTH, height, css, 4))
            self.scene.text((x + 6, y + 2), lines, "", SMALL)
            y += height + CARD_GAP
