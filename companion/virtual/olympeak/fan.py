"""A fan of cards that a player holds over the edge of the table: in the picture, and no part of the game."""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.virtual.arm import Clock, Motion
from companion.virtual.olympeak.hand import seat_angle
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.things import LAYER_FAN
from companion.virtual.piece import Pose

_RADIUS_MM, _SPREAD_DEG, _HEIGHT_MM = 92.0, 9.0, 45.0
# How far from the table's middle the cards' middles are: held over the edge, where at the north the contender
# row begins, and out of the picture.
_SHOWN_MM, _SHOWN_NORTH_MM, _HIDDEN_MM = 218.0, 236.0, 330.0
_LASTS_S = 0.35


class Fan:
    """The cards of one player, held so that the camera sees their faces or their backs."""

    def __init__(self, scene: CardScene, clock: Clock, seat: int, players: int) -> None:
        self.scene = scene
        self.seat = seat
        self._clock = clock
        self._shown = _SHOWN_MM if seat == 0 else _SHOWN_NORTH_MM
        self._turn = round(seat_angle(seat, players)) - 270
        self._cards: tuple[str, ...] = ()
        self._face_up = False
        self._middle = 0.0
        # From when to when the cards were last brought in or taken out.
        self._glided: tuple[float, float] | None = None

    @staticmethod
    def can_be_seen(seat: int, players: int) -> bool:
        """Whether the seat is at the south or north edge, where the picture ends close to the table's."""
        return abs(math.sin(math.radians(seat_angle(seat, players)))) > 0.99

    def show(self, cards: Sequence[str], *, face_up: bool, middle_mm: float) -> Motion:
        """Bring a hand of cards over the edge, `middle_mm` beside the player's own middle."""
        yield from self.hide()
        self._cards, self._face_up, self._middle = tuple(cards), face_up, middle_mm
        yield from self._glide(_HIDDEN_MM, self._shown)

    def hide(self) -> Motion:
        """Take the cards back out of the picture."""
        if not self._cards:
            return
        yield from self._glide(self._shown, _HIDDEN_MM)
        for card in self._cards:
            self.scene.take(card)
        self._cards = ()

    def _glide(self, start: float, end: float) -> Motion:
        began = self._clock.now
        while (share := (self._clock.now - began) / _LASTS_S) < 1.0:
            self._hold(start + (end - start) * share)
            yield
        self._hold(end)
        self._glided = (began, self._clock.now)

    def held_still_at(self, due: float) -> float | None:
        """When the cards came to rest, if they are held in the picture and were on their way there at `due`."""
        if not self._cards or self._glided is None:
            return None
        began, ended = self._glided
        return ended if began <= due <= ended else None

    def _hold(self, away: float) -> None:
        turn = math.radians(self._turn)
        for n, card in enumerate(self._cards):
            angle = math.radians((n - (len(self._cards) - 1) / 2) * _SPREAD_DEG)
            x = self._middle + _RADIUS_MM * math.sin(angle)
            y = -away - _RADIUS_MM + _RADIUS_MM * math.cos(angle)
            pose = Pose(
                x * math.cos(turn) - y * math.sin(turn),
                x * math.sin(turn) + y * math.cos(turn),
                _HEIGHT_MM + n * 0.4,
                self._turn - math.degrees(angle),
            )
            self.scene.put(self.scene.card(card, pose, face_up=self._face_up, layer=LAYER_FAN + n))
