"""The camera picture with what was recognised drawn in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.above.box import DEITY_COLOURS, DEITY_NAMES, TOKEN_COLOURS, Table
from companion.games.olympeak.box import CONTENDER_COLOURS
from companion.games.olympeak.box import Table as CardTable
from companion.lettering import lettered
from companion.sensing.frames import Image
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.reading import CardSighting, MiniSighting, Reading, TokenSighting
from companion.web.grid import Projection, grid_lines, space_mm

WIDTH_PX = 1152
JPEG_QUALITY = 80
FONT = cv2.FONT_HERSHEY_SIMPLEX
WHITE = (255, 255, 255)
INK = (24, 20, 16)
UNCERTAIN = (40, 170, 255)
HIDDEN = (200, 200, 200)
COVER = (96, 96, 96)
CARDS = CardTable()
GRID = (235, 225, 120)
# Below this probability a piece's space is shown as doubtful.
SURE = 0.9

Corners = NDArray[np.float64]
Box = tuple[int, int, int, int]  # left, top, right, bottom
Sighting = MiniSighting | TokenSighting | CardSighting


@dataclass(frozen=True, slots=True)
class Outlined:
    """A print to be drawn: its corners (4, 2) in the full picture, BGR colour, name ("" for none)."""

    corners_px: tuple[tuple[float, float], ...]
    colour: tuple[int, int, int]
    label: str
    doubtful: bool = False


def reduced(image: Image) -> Image:
    """A copy of a picture (h, w, 3) uint8, at most 1152 px wide."""
    scale = min(1.0, WIDTH_PX / image.shape[1])
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    smaller = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image.copy()
    return np.asarray(smaller, dtype=np.uint8)


def annotate(
    image: Image, reading: Reading, table: Table | None = None, width_px: int | None = None
) -> bytes:
    """`image` (h, w, 3) uint8 BGR as JPEG, at most 1152 px wide, with `reading`'s pieces outlined and named.

    `width_px`: the width of the picture that was read, if `image` is a smaller copy of it. The rings' grid is drawn as it
    was measured and hidden spaces are ringed, as far as enough pieces are seen to tell where they lie. What is wrong
    with the picture, or that hands are in it, stands at the top. `image` is left as it is.
    """
    canvas, scale = _canvas(image, width_px)
    _draw_board(canvas, reading, scale, table or Table())
    pieces: tuple[Sighting, ...] = (*reading.minis, *reading.tokens, *reading.cards)
    prints = [_outlined(piece) for piece in pieces]
    return _finished(canvas, scale, prints, _notice(reading.frame, reading.moving))


def annotate_olympeak(image: Image, reading: OlympeakReading, width_px: int | None = None) -> bytes:
    """The same for a table of OlymPeak. What is secret is covered: tiles, and cards that somebody holds (O15, O17)."""
    canvas, scale = _canvas(image, width_px)
    for each in reading.private:
        _cover(
            canvas, np.asarray(each.corners_px, dtype=np.float32) * np.float32(scale), is_tile=each.is_tile
        )
    prints = [
        Outlined(card.corners_px, WHITE, f"{card.contender} {card.row}: {card.card}", card.p < SURE)
        for card in reading.columns
    ]
    prints += [
        Outlined(card.corners_px, WHITE, card.card) for card in reading.reveal if card.card is not None
    ]
    prints += [Outlined(card.corners_px, UNCERTAIN, f"{card.card}?") for card in reading.stray]
    for cube in reading.cubes:
        red, green, blue = CONTENDER_COLOURS[cube.contender]
        prints.append(Outlined(cube.corners_px, (blue, green, red), str(cube.place), abs(cube.offset) > 0.35))
    return _finished(canvas, scale, prints, _notice(reading.frame, reading.moving))


def _cover(canvas: Image, corners: NDArray[np.float32], *, is_tile: bool) -> None:
    """Paints over all of a tile or a card, whose print's corners (4, 2) these are in the canvas."""
    if is_tile:
        side = CARDS.tile_marker_mm
        before = (CARDS.tile_mm - side) / 2
        wide, long = CARDS.tile_mm, CARDS.tile_mm
    else:
        side = CARDS.card_marker_mm
        before = CARDS.card_marker_inset_mm - side / 2
        wide, long = CARDS.card_mm
    # In the print's own frame, x to the right and y down, its side being 1; and a little more on every side.
    spare = 0.1
    low = -before / side - spare
    right, bottom = (wide - before) / side + spare, (long - before) / side + spare
    outline = np.array([[[low, low], [right, low], [right, bottom], [low, bottom]]], dtype=np.float32)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
    there = cv2.perspectiveTransform(outline, cv2.getPerspectiveTransform(square, corners))
    cv2.fillConvexPoly(canvas, np.round(there[0]).astype(np.int32), COVER)


def _canvas(image: Image, width_px: int | None) -> tuple[Image, float]:
    """A picture to draw on, and its size against the one that was read."""
    canvas = reduced(image)
    return canvas, canvas.shape[1] / (width_px or image.shape[1])


@lettered
def _finished(canvas: Image, scale: float, prints: Iterable[Outlined], notice: str) -> bytes:
    seen = [
        (each, np.asarray(each.corners_px, dtype=np.float64) * scale) for each in prints if each.corners_px
    ]
    taken = [_box(corners) for _, corners in seen]
    for each, corners in seen:
        _draw_outline(canvas, each, corners)
    for each, corners in seen:
        _draw_label(canvas, each, corners, taken)
    if notice:
        cv2.rectangle(canvas, (0, 0), (canvas.shape[1], 34), INK, -1)
        cv2.putText(canvas, notice, (12, 24), FONT, 0.7, UNCERTAIN, 2, cv2.LINE_AA)
    done, jpeg = cv2.imencode(".jpg", canvas, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
    if not done:
        raise ValueError(f"a picture of shape {canvas.shape} cannot be written as JPEG")
    return jpeg.tobytes()


def _notice(frame: str, moving: bool) -> str:
    if frame != "ok":
        # The drawing font knows plain letters only.
        return frame.encode("ascii", "replace").decode()
    return "Hands or pieces in motion: not read" if moving else ""


def _draw_outline(canvas: Image, each: Outlined, at: Corners) -> None:
    outline = np.round(at * 8).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(canvas, [outline], True, WHITE, 4, cv2.LINE_AA, shift=3)
    cv2.polylines(
        canvas, [outline], True, UNCERTAIN if each.doubtful else each.colour, 2, cv2.LINE_AA, shift=3
    )


def _draw_label(canvas: Image, each: Outlined, at: Corners, taken: list[Box]) -> None:
    """The piece's name beside it, where it covers no other piece or name, and `taken` grows by its box."""
    text = each.label
    if not text:
        return
    (width, height), _ = cv2.getTextSize(text, FONT, 0.42, 1)
    left, top, right, bottom = _box(at)
    middle = (left + right - width) // 2
    level = (top + bottom + height) // 2
    places = (
        (middle, bottom + height + 6),
        (middle, top - 6),
        (right + 7, level),
        (left - width - 7, level),
    )
    boxes = [(x - 3, y - height - 3, x + width + 3, y + 3) for x, y in places]
    free = [box for box in boxes if _inside(box, canvas) and not any(_overlap(box, other) for other in taken)]
    box = free[0] if free else boxes[0]
    taken.append(box)
    cv2.rectangle(canvas, box[:2], box[2:], INK, -1)
    ink = UNCERTAIN if each.doubtful else WHITE
    cv2.putText(canvas, text, (box[0] + 3, box[3] - 3), FONT, 0.42, ink, 1, cv2.LINE_AA)


def _box(at: Corners) -> Box:
    (left, top), (right, bottom) = at.min(axis=0), at.max(axis=0)
    return int(left), int(top), int(right), int(bottom)


def _inside(box: Box, canvas: Image) -> bool:
    return min(box) >= 0 and box[2] < canvas.shape[1] and box[3] < canvas.shape[0]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _outlined(sighting: Sighting) -> Outlined:
    colour, doubtful = _colour(sighting)
    return Outlined(sighting.corners_px, colour, _label(sighting), doubtful)


def _colour(sighting: Sighting) -> tuple[tuple[int, int, int], bool]:
    match sighting:
        case CardSighting(deity=deity, powered=powered):
            red, green, blue = DEITY_COLOURS[deity] if powered else (120, 120, 120)
            return (blue, green, red), False
        case MiniSighting(deity=deity):
            red, green, blue = DEITY_COLOURS[deity]
        case TokenSighting(token=token):
            red, green, blue = TOKEN_COLOURS[token]
    return (blue, green, red), bool(sighting.spaces) and sighting.spaces[0][1] < SURE


def _label(sighting: Sighting) -> str:
    match sighting:
        case CardSighting(deity=deity, powered=powered):
            return f"{DEITY_NAMES[deity]}{'' if powered else ' spent'}"
        case MiniSighting(deity=deity):
            name = DEITY_NAMES[deity]
        case TokenSighting(token=token):
            # A token that lies beside the board is the reserve: outlined, but not worth words.
            if not sighting.spaces:
                return ""
            name = token.capitalize()
    if not sighting.spaces:
        return f"{name} beside"
    space, sure = sighting.spaces[0]
    return f"{name} {space} {sure * 100:.0f} %"


def _draw_board(canvas: Image, reading: Reading, scale: float, table: Table) -> None:
    """The grid as it lies, faintly, and a ring round every space that could not be seen."""
    projection = Projection.of(reading)
    if projection is None:
        return
    if reading.rings:
        faint = canvas.copy()
        for line in grid_lines(reading, table.board):
            points = projection.at(line) * scale
            if np.isfinite(points).all() and np.abs(points).max() < 1e5:
                cv2.polylines(
                    faint, [np.round(points * 8).astype(np.int32)], False, GRID, 1, cv2.LINE_AA, shift=3
                )
        cv2.addWeighted(faint, 0.6, canvas, 0.4, 0.0, dst=canvas)
    for space in sorted(name for name in reading.hidden if not name.startswith("cards ")):
        (u, v) = projection.at(np.array([space_mm(space, reading, table.board)]))[0] * scale
        if np.isfinite(u + v) and max(abs(u), abs(v)) < 1e5:
            centre = (round(float(u)), round(float(v)))
            cv2.circle(canvas, centre, 11, INK, 4, cv2.LINE_AA)
            cv2.circle(canvas, centre, 11, HIDDEN, 2, cv2.LINE_AA)
