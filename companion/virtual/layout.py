"""Laying the table out: a position in text (the notation's five fields) becomes pieces that lie somewhere."""

from __future__ import annotations

from dataclasses import replace

from companion.games.above.box import DEITIES, TOKEN_IDS, TOKENS
from companion.virtual.piece import CARD_THICKNESS_MM, Pose
from companion.virtual.scene import Scene, SceneError


def lay_out(scene: Scene, position: str) -> None:
    """Lay every piece of the box on the table as `position` says, as people do; SceneError for bad text."""
    minis, tokens, cards, turn, players = fields_of(position)
    with scene.lock:
        for piece in scene.pieces():
            scene.put(piece.name, replace(piece.pose, x=0.0, y=0.0, z=500.0), held=True)
        for deity, space in minis.items():
            scene.stand(f"mini {deity}", space)
        for token in TOKENS:
            numbers = list(TOKEN_IDS[token])
            scene.rng.shuffle(numbers)
            for space in tokens[token]:
                scene.stand(f"token {numbers.pop()}", space)
            for number in numbers:
                to_reserve(scene, f"token {number}")
        deal(scene, cards, players, turn)


def fields_of(position: str) -> tuple[dict[str, str], dict[str, list[str]], list[list[str]], int, int]:
    """The five fields of a position: minis, tokens, Powered cards by seat, seat to move, players."""
    try:
        minis, tokens, cards, turn, players = position.split(" ")
        places = dict(item.split("=") for item in minis.split(","))
        lying = {k: v.split(".") if v else [] for k, v in (item.split("=") for item in tokens.split(","))}
        hands = [seat.split(".") if seat else [] for seat in cards.split("/")]
        return places, lying, hands, int(turn), int(players)
    except ValueError:
        raise SceneError(f"This is not a position of Above: {position!r}; it has five fields.") from None


def to_reserve(scene: Scene, name: str) -> None:
    """A token goes back beside the board."""
    x, y = scene.reserve_spot(avoid=(name,))
    scene.put(name, Pose(x, y, 0.0, scene.rng.uniform(-180, 180)))


def deal(scene: Scene, cards: list[list[str]], players: int, turn: int) -> None:
    """Lay the cards out: all 8 before each of two seats; with four the Powered ones, the rest on the pile."""
    decks = {deity: scene.rng.sample((1, 2), 2) for deity in DEITIES}
    # The Zeus card marked α, of the first set, lies before the player who begins (A4).
    if players == 2:
        decks["ze"] = [1, 2] if turn == 0 else [2, 1]
    elif sets := _dealt(cards, turn):
        for deity in DEITIES:
            decks[deity] = [sets[seat] for seat in reversed(range(4)) if deity in cards[seat]]
    elif "ze" in cards[turn]:
        holders = [seat for seat, held in enumerate(cards) for deity in held if deity == "ze"]
        first = holders.index(turn)
        taken = [1 if n == first else 2 for n in range(len(holders))]
        decks["ze"] = [*({1, 2} - set(taken)), *reversed(taken)]
    if players == 2:
        for seat in (0, 1):
            order = scene.rng.sample(DEITIES, len(DEITIES))
            for deity, slot in zip(order, scene.table.card_slots(seat, 2), strict=True):
                name = f"card {deity} {decks[deity][seat]}"
                scene.put(name, scene.card_pose(slot), powered=deity in cards[seat])
        return
    for seat, held in enumerate(cards):
        for deity, slot in zip(held, scene.table.card_slots(seat, 4), strict=False):
            scene.put(f"card {deity} {decks[deity].pop()}", scene.card_pose(slot), powered=True)
    rest = [f"card {deity} {number}" for deity, numbers in decks.items() for number in numbers]
    scene.rng.shuffle(rest)
    for name in rest:
        to_pile(scene, name)


def _dealt(cards: list[list[str]], turn: int) -> dict[int, int] | None:
    """The set that each of four seats was dealt its cards of (A4), None where the game has gone on since."""
    for one in ((turn, (turn + 1) % 4), (turn, (turn + 3) % 4)):
        two = [seat for seat in range(4) if seat not in one]
        if all(sorted(cards[a] + cards[b]) == sorted(DEITIES) for a, b in (one, two)) and "ze" in cards[turn]:
            return {**dict.fromkeys(one, 1), **dict.fromkeys(two, 2)}
    return None


def pile(scene: Scene) -> list[str]:
    """Names of the cards on the common discard pile, the lowest first."""
    px, py = scene.table.pile_centre_mm
    lying = [
        card
        for card in scene.pieces("card")
        if not card.held and abs(card.pose.x - px) < 15 and abs(card.pose.y - py) < 15
    ]
    return [card.name for card in sorted(lying, key=lambda card: card.pose.z)]


def to_pile(scene: Scene, name: str) -> None:
    """A card goes face up onto the discard pile, mostly with its Spent side up."""
    level = len([card for card in pile(scene) if card != name])
    spent = scene.rng.random() < 0.85
    scene.put(name, scene.card_pose(scene.table.pile_centre_mm, level), powered=not spent)


def free_slot(scene: Scene, seat: int, players: int) -> tuple[float, float]:
    """A place of the seat's grid on which no card lies."""
    lying = [card.pose for card in scene.pieces("card") if not card.held]
    for x, y in scene.table.card_slots(seat, players):
        if not any(abs(p.x - x) < 20 and abs(p.y - y) < 20 for p in lying):
            return (x, y)
    raise SceneError(f"No place is free for another card before seat {seat}.")


def settle_pile(scene: Scene) -> None:
    """Close the gaps that cards taken from within the pile have left."""
    for level, name in enumerate(pile(scene)):
        scene.put(name, replace(scene.piece(name).pose, z=CARD_THICKNESS_MM * level))
