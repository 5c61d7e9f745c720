"""The simulated table of Above for somebody real: what lies there, and the hand that moves it."""

from __future__ import annotations

from companion.virtual.guest import Guest, GuestError
from companion.virtual.piece import Piece
from companion.virtual.scene import Scene
from companion.web.practice import HandView, PracticeView, PrivateView, RingView, ThingView

# What carries what, lowest first: pieces of equal height are drawn in this order.
_LAYERS = {"card": 0, "token": 1, "mini": 2}


class PracticeAbove:
    """The table as the page draws it. All calls come from the thread that steps the people."""

    def __init__(self, scene: Scene, guest: Guest) -> None:
        self._scene = scene
        self._guest = guest

    def view(self) -> PracticeView:
        """The table as it truly lies."""
        board = self._scene.board
        radii = [board.ring_radii(ring) for ring in range(1, board.rings + 1)]
        with self._scene.lock:
            lying, hands, rings = self._scene.pieces(), self._scene.hands, self._scene.rings
        return PracticeView(
            seats=tuple(sorted(self._guest.seats)),
            columns=board.columns,
            rings=tuple(
                RingView(
                    outer_mm=max(radius),
                    inner_mm=min(radius),
                    turn_deg=round(ring.rotation_deg, 2),
                    shift_mm=(round(ring.shift_mm[0], 2), round(ring.shift_mm[1], 2)),
                )
                for radius, ring in zip(radii, rings, strict=False)
            ),
            things=tuple(self._thing(piece) for piece in sorted(lying, key=_height)),
            hands=tuple(
                HandView(
                    seat=hand.look,
                    tip=(round(hand.tip[0]), round(hand.tip[1])),
                    elbow=(round(hand.elbow[0]), round(hand.elbow[1])),
                )
                for hand in hands.values()
            ),
        )

    def take(self, seat: int, taken: bool) -> None:
        """A guest takes a seat over, or gives it back. Raises GuestError."""
        self._guest.take(seat, taken)

    def private(self, seat: int) -> PrivateView:
        """Nothing is hidden in Above."""
        return PrivateView()

    def predict(self, seat: int, first: str, second: str) -> None:
        """Nothing is predicted in Above. Raises GuestError."""
        raise GuestError("Nothing is predicted in Above.")

    def put(self, piece: str, x: float, y: float, own: frozenset[int]) -> None:
        """A piece is carried to (x, y) in mm; nothing in Above is anybody's own. Raises GuestError."""
        self._guest.put(piece, x, y)

    def turn(self, piece: str) -> None:
        """A card is turned over. Raises GuestError."""
        self._guest.turn(piece)

    def _thing(self, piece: Piece) -> ThingView:
        table = self._scene.table
        card = (table.card_width_mm, table.card_length_mm)
        round_mm = table.mini_cap_mm if piece.kind == "mini" else table.token_diameter_mm
        return ThingView(
            name=piece.name,
            kind=piece.kind,
            what=piece.what,
            x=round(piece.pose.x, 1),
            y=round(piece.pose.y, 1),
            yaw_deg=round(piece.pose.yaw),
            size_mm=card if piece.kind == "card" else (round_mm, round_mm),
            up=piece.powered,
            held=piece.held,
        )


def _height(piece: Piece) -> tuple[bool, float, int]:
    return (piece.held, round(piece.pose.z, 1), _LAYERS[piece.kind])
