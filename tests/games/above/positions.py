"""Positions to try the rules on: a plain start, and random ones crowded enough for chains to happen."""

from __future__ import annotations

import random

DEITIES = ("ze", "he", "ar", "at", "ha", "de", "po", "ap")
TOKENS = ("thunder", "fertility", "gate", "barrier")

ALL = ".".join(DEITIES)
MINIS = "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1"
START = f"{MINIS} thunder=b3.f5,fertility=d2.n4,gate=h3.l6,barrier=j2.p3 {ALL}/{ALL} 0 2"


def text(
    minis: str = "",
    tokens: str = "",
    cards: str = f"{ALL}/{ALL}",
    turn: int = 0,
) -> str:
    """A position given by what differs from an empty board with the deities on ring 1."""
    spaces = _named(MINIS) | _named(minis)
    lying = dict.fromkeys(TOKENS, "") | _named(tokens)
    where = ",".join(f"{deity}={spaces[deity]}" for deity in DEITIES)
    what = ",".join(f"{token}={lying[token]}" for token in TOKENS)
    return f"{where} {what} {cards} {turn} {cards.count('/') + 1}"


def _named(field: str) -> dict[str, str]:
    return {part.partition("=")[0]: part.partition("=")[2] for part in field.split(",") if part}


def random_text(rng: random.Random) -> str:
    """A legal position with pieces anywhere, often crowded together, and hands of any size."""
    width, lowest = rng.choice(((16, 1), (6, 1), (5, 4), (4, 1), (8, 5)))
    first = rng.randrange(16)
    spaces = [
        f"{'abcdefghijklmnop'[(first + n) % 16]}{ring}" for n in range(width) for ring in range(lowest, 7)
    ]
    rng.shuffle(spaces)
    minis = ",".join(f"{deity}={spaces.pop()}" for deity in DEITIES)
    tokens = []
    for token in TOKENS:
        count = rng.choice((0, 1, 2, 3, 6)) if len(spaces) > 40 else rng.randrange(3)
        count = min(count, len(spaces))
        tokens.append(f"{token}={'.'.join(sorted(spaces.pop() for _ in range(count)))}")
    players = rng.choice((2, 4))
    hands = []
    box = list(DEITIES * 2)
    rng.shuffle(box)
    for _ in range(players):
        if players == 2:
            held = rng.sample(DEITIES, rng.choice((1, 1, 2, 3, 8)))
        else:
            held = [box.pop() for _ in range(rng.choice((1, 1, 2, 3, 4)))]
        hands.append(".".join(sorted(held, key=DEITIES.index)))
    return f"{minis} {','.join(tokens)} {'/'.join(hands)} {rng.randrange(players)} {players}"
