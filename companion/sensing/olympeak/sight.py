"""Sight of the OlymPeak table: from pictures to readings of what lies where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.games.above.box import FRAME_IDS
from companion.games.above.box import Table as FrameTable
from companion.games.olympeak.box import Box, Table
from companion.games.olympeak.deck_file import default_box
from companion.sensing.frames import Image
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.markers import QUICK, THOROUGH, Gray, Marker, detect, merge_prints
from companion.sensing.olympeak.closer import find_missed
from companion.sensing.olympeak.layout import contender_columns, lay_out, player_cards, tiles_of
from companion.sensing.olympeak.prints import Placed, Prints, frame_ids
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.olympeak.scoreboard import board_lie, cubes_on, round_on
from companion.sensing.registration import Registration, Unregistered, register
from companion.sensing.sight import BLACK_LEVEL, _complaint, gray_of


@dataclass(frozen=True, eq=False, slots=True)
class _Known:
    """What is known of a settled table: where the camera is and every print in the picture."""

    found: Registration
    markers: tuple[Marker, ...]


class OlympeakSight:
    """Reads pictures of one OlymPeak table. `camera` None: the reference lens is assumed."""

    def __init__(
        self, camera: Camera | None = None, table: Table | None = None, box: Box | None = None
    ) -> None:
        self._camera = camera
        self._table = table or Table()
        self._box = box or default_box()
        self._frame = FrameTable()
        self._prints = Prints(self._table, self._box)

    def look(self, image: Image, exposed_at: float = 0.0) -> OlympeakReading:
        """Everything one still picture shows, searched thoroughly."""
        known = self._survey(image, exposed_at)
        if isinstance(known, OlympeakReading):
            return known
        return self._reading(gray_of(image), known, known.markers, exposed_at)

    def _survey(self, image: Image, exposed_at: float) -> _Known | OlympeakReading:
        gray = gray_of(image)
        size = (gray.shape[1], gray.shape[0])
        try:
            camera = (self._camera or Camera.assumed(size)).scaled_to(size)
        except ValueError as error:
            return OlympeakReading(exposed_at, frame=str(error))
        if float(gray[::8, ::8].mean()) < BLACK_LEVEL:
            return OlympeakReading(
                exposed_at, frame="the picture is black: take the cap off the camera or give the table light"
            )
        markers = detect(gray, QUICK)
        found = register(gray, markers, camera, self._frame)
        if isinstance(found, Unregistered) or len(found.used) < len(FRAME_IDS):
            markers = merge_prints([*markers, *detect(gray, THOROUGH)])
            found = register(gray, markers, camera, self._frame)
        if isinstance(found, Unregistered):
            return OlympeakReading(exposed_at, frame=_complaint(gray, found))
        markers = merge_prints([*markers, *detect(gray, THOROUGH)])
        believed = self._believed(gray, markers, found.pose)
        believed += find_missed(gray, found.pose, self._prints, self._table, believed)
        return _Known(found, tuple(merge_prints(believed)))

    def _believed(self, gray: Gray, markers: Iterable[Marker], pose: CameraPose) -> list[Marker]:
        return [
            marker
            for marker in markers
            if marker.id in frame_ids() or self._prints.plausible(gray, marker, pose)
        ]

    def _reading(
        self, gray: Gray, known: _Known, markers: Sequence[Marker], exposed_at: float
    ) -> OlympeakReading:
        pose = known.found.pose
        placed: list[Placed] = [
            self._prints.placed(gray, marker, pose) for marker in markers if self._prints.known(marker.id)
        ]
        columns = contender_columns(placed, self._prints, self._table)
        cards = lay_out(placed, columns, self._prints, self._table, self._box)
        lie = board_lie(placed, self._table)
        with_player_card = player_cards(placed, self._table)
        return OlympeakReading(
            exposed_at,
            contenders=tuple(column.contender for column in columns if column.seen),
            columns=cards.columns,
            reveal=cards.reveal,
            discard_top=cards.discard_top,
            cubes=cubes_on(placed, lie, self._table),
            round_marker=round_on(placed, lie, self._table),
            player_cards=tuple(sorted(with_player_card)),
            tiles=tiles_of(placed, with_player_card, self._table),
            stray=cards.stray,
        )
