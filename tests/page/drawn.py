"""Whether a picture can be read."""

from __future__ import annotations

from itertools import combinations

from stacklaw.reports.pictures.scene import Scene, text_width


def is_laid_out_well(scene: Scene) -> None:
    """Hold boxes to lie side by side, each word to be in a box, and all of it to be inside of the
    picture.
    """
    for one, other in combinations(scene.boxes, 2):
        beside = one.x + one.width <= other.x or other.x + other.width <= one.x
        assert beside or one.y + one.height <= other.y or other.y + other.height <= one.y
    for label in scene.labels:
        half = text_width(label.text, label.size, bold="bold" in label.css) / 2
        assert any(
            box.x <= label.x - half
            and label.x + half <= box.x + box.width
            and box.y < label.y < box.y + box.height
            for box in scene.boxes
        )
    points = [point for line in scene.lines for point in line.points]
    corners = [(box.x + box.width, box.y + box.height) for box in scene.boxes]
    assert all(0 < x < scene.width and 0 < y < scene.height for x, y in (*points, *corners))
