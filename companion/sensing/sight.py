"""Sight: from a picture of the table to a reading of what lies where."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.games.above.box import CARD_BY_ID, FRAME_IDS, MINI_BY_ID, TOKEN_BY_ID, Table
from companion.sensing.finder import Region, find_missed, plausible
from companion.sensing.frames import Image
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.markers import QUICK, THOROUGH, Gray, Marker, detect, merge_prints
from companion.sensing.place import BoardPrint, place
from companion.sensing.reading import CardSighting, MiniSighting, Reading, TokenSighting
from companion.sensing.registration import Registration, Unregistered, register

# Below this mean grey level a picture is black.
BLACK_LEVEL = 4.0


def gray_of(image: Image) -> Gray:
    """A BGR picture (h, w, 3) or a gray one (h, w) as gray uint8."""
    if image.ndim == 2:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def corner_points(marker: Marker) -> tuple[tuple[float, float], ...]:
    """A marker's corners as plain numbers."""
    return tuple((float(x), float(y)) for x, y in marker.corners)


def sightings(
    markers: Iterable[Marker], pose: CameraPose, table: Table, rings: BoardPrint
) -> tuple[tuple[MiniSighting, ...], tuple[TokenSighting, ...], tuple[CardSighting, ...]]:
    """Miniatures, tokens and cards among the markers, placed on the table, by marker id."""
    minis: list[MiniSighting] = []
    tokens: list[TokenSighting] = []
    cards: list[CardSighting] = []
    for marker in sorted(markers, key=lambda marker: marker.id):
        corners = corner_points(marker)
        if marker.id in MINI_BY_ID:
            spaces, xyz = place(marker, pose, table, rings)
            minis.append(MiniSighting(MINI_BY_ID[marker.id], marker.id, spaces, xyz, corners))
        elif marker.id in TOKEN_BY_ID:
            spaces, xyz = place(marker, pose, table, rings)
            tokens.append(TokenSighting(TOKEN_BY_ID[marker.id], marker.id, spaces, xyz, corners))
        elif marker.id in CARD_BY_ID:
            deity, card_set, powered = CARD_BY_ID[marker.id]
            x, y, z = (float(value) for value in pose.intersect(marker.centre, 0.5))
            cards.append(CardSighting(deity, card_set, powered, marker.id, (x, y, z), corners))
    return tuple(minis), tuple(tokens), tuple(cards)


class Sight:
    """Reads pictures of one table through one camera. `camera` None: the reference lens is assumed."""

    def __init__(
        self, camera: Camera | None = None, table: Table | None = None, rings: BoardPrint | None = None
    ) -> None:
        self._camera = camera
        self._table = table or Table()
        self._rings = rings or BoardPrint()

    def look(self, image: Image, exposed_at: float = 0.0) -> Reading:
        """Everything one still picture shows, searched thoroughly."""
        gray = gray_of(image)
        size = (gray.shape[1], gray.shape[0])
        try:
            camera = (self._camera or Camera.assumed(size)).scaled_to(size)
        except ValueError as error:
            return Reading(exposed_at, frame=str(error))
        if float(gray.mean()) < BLACK_LEVEL:
            return Reading(
                exposed_at, frame="the picture is black: take the cap off the camera or give the table light"
            )
        markers = detect(gray, QUICK)
        found = register(gray, markers, camera, self._table)
        if isinstance(found, Unregistered) or len(found.used) < len(FRAME_IDS):
            markers = merge_prints([*markers, *detect(gray, THOROUGH)])
            found = register(gray, markers, camera, self._table)
        if isinstance(found, Unregistered):
            return Reading(exposed_at, frame=self._complaint(gray, found))
        pieces = self._pieces(gray, markers, found)
        minis, tokens, cards = sightings(pieces, found.pose, self._table, self._rings)
        return Reading(
            exposed_at,
            minis=minis,
            tokens=tokens,
            cards=cards,
            rings=self._rings.against_ring_one(),
        )

    def _pieces(self, gray: Gray, markers: Iterable[Marker], found: Registration) -> list[Marker]:
        pose, table = found.pose, self._table
        good = [
            marker for marker in markers if marker.id in FRAME_IDS or plausible(gray, marker, pose, table)
        ]
        whole = Region(0, 0, gray.shape[1], gray.shape[0])
        return merge_prints([*good, *find_missed(gray, whole, pose, table, good)])

    @staticmethod
    def _complaint(gray: Gray, found: Unregistered) -> str:
        mirrored = detect(np.ascontiguousarray(gray[:, ::-1]), QUICK)
        if sum(marker.id in FRAME_IDS for marker in mirrored) >= 2:
            return "the picture is mirrored: switch off mirroring (horizontal flip) in the camera's settings"
        return found.reason
