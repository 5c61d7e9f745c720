"""The simulated table of OlymPeak for somebody real: what lies open there, and the hand that plays their cards.

Of a card face down only its back is told, and of cards in a hand nothing but to who plays that hand.
"""

from __future__ import annotations

from companion.games.olympeak.box import Table
from companion.games.olympeak.cards import Deck
from companion.virtual.olympeak.guest import DOWN, Guest, GuestError
from companion.virtual.olympeak.scene import CardScene
from companion.virtual.olympeak.things import LAYER_FAN, LAYER_ZONE, Thing, size_mm
from companion.virtual.olympeak.truth import zone_at
from companion.web.models import PlayCardView
from companion.web.practice import AreaView, HandView, PracticeView, PrivateView, ThingView


class PracticeOlympeak:
    """The table as the page draws it. All calls come from the thread that steps the people."""

    def __init__(self, scene: CardScene, guest: Guest) -> None:
        self._scene = scene
        self._guest = guest

    def view(self) -> PracticeView:
        """The table as it truly lies, without what is hidden."""
        with self._scene.lock:
            shot = self._scene.snapshot()
        # A fan is somebody's hand of cards: nobody else looks into it.
        lying = [thing for thing in shot.things.values() if thing.layer != LAYER_FAN]
        lying.sort(key=lambda thing: (thing.held, thing.layer, thing.pose.z))
        return PracticeView(
            seats=tuple(sorted(self._guest.seats)),
            areas=tuple(_areas(self._scene.table, self._guest.players)),
            things=tuple(self._thing(thing, number) for number, thing in enumerate(lying)),
            hands=tuple(
                HandView(
                    seat=hand.look,
                    tip=(round(hand.tip[0]), round(hand.tip[1])),
                    elbow=(round(hand.elbow[0]), round(hand.elbow[1])),
                )
                for hand in shot.hands
            ),
        )

    def _thing(self, thing: Thing, number: int) -> ThingView:
        hidden = not thing.face_up and thing.kind in ("card", "tile")
        name = thing.name
        if hidden:
            # The name of a thing says what is on its face.
            seat = zone_at(self._scene, thing.pose.x, thing.pose.y, self._guest.players)
            lies = thing.kind == "card" and thing.layer == LAYER_ZONE and not thing.held and seat is not None
            name = f"{DOWN}{seat}" if lies else f"hidden {number}"
        wide, long, _ = size_mm(thing.kind, self._scene.table)
        return ThingView(
            name=name,
            kind="play" if thing.kind == "card" else thing.kind,
            what="" if hidden else thing.what,
            x=round(thing.pose.x, 1),
            y=round(thing.pose.y, 1),
            yaw_deg=round(thing.pose.yaw),
            size_mm=(wide, long),
            up=thing.face_up,
            held=thing.held,
            face=None if hidden or thing.kind != "card" else _face(self._scene.box.deck, thing.what),
        )

    def take(self, seat: int, taken: bool) -> None:
        """A guest takes a seat over, or gives it back. Raises GuestError."""
        self._guest.take(seat, taken)

    def private(self, seat: int) -> PrivateView:
        """A guest's cards and tiles. Raises GuestError for a seat that no guest plays."""
        first, second = self._guest.predictions(seat)
        return PrivateView(
            cards=tuple(_face(self._scene.box.deck, card) for card in self._guest.hand(seat)),
            first=first,
            second=second,
            may_predict=self._guest.may_predict,
        )

    def predict(self, seat: int, first: str, second: str) -> None:
        """A guest lays other tiles. Raises GuestError."""
        self._guest.predict(seat, first, second)

    def put(self, piece: str, x: float, y: float, own: frozenset[int]) -> None:
        """A card is laid at (x, y) in mm, from the hand of one of these seats or off the table. Raises GuestError."""
        self._guest.put(piece, x, y, own)

    def turn(self, piece: str) -> None:
        """Cards are turned up by everybody at once. Raises GuestError."""
        raise GuestError("All cards are turned up together, once everybody has chosen.")


def _face(deck: Deck, name: str) -> PlayCardView:
    card = deck[name]
    return PlayCardView(id=name, kind=card.kind.value, value=card.value, heads=card.heads, signs=card.signs)


def _areas(table: Table, players: int) -> list[AreaView]:
    wide, long = table.card_mm
    (left, right), (low, high) = table.scoreboard_x_mm, table.scoreboard_y_mm
    zones = [
        AreaView(kind="zone", x=x, y=y, size_mm=(wide + 16, long + 14), seat=seat)
        for seat, (x, y) in enumerate(table.reveal_centres_mm[:players])
    ]
    x, y = table.discard_pile_mm
    return [
        *zones,
        AreaView(kind="discard", x=x, y=y, size_mm=(wide + 8, long + 8)),
        AreaView(kind="scoreboard", x=(left + right) / 2, y=0.0, size_mm=(right - left, high - low)),
    ]
