"""The reference photographs with their truth, and what is asked of a reading of one."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.sensing.frames import Image
from companion.sensing.geometry import Camera, CameraPose
from companion.sensing.reading import Reading

FOLDER = Path(__file__).parent.parent / "data" / "photos"
NAMES = tuple(f"{n:02}" for n in range(1, 10))
SIZE = (2304, 1296)


@cache
def truth(name: str) -> dict[str, Any]:
    """The truth of one photograph."""
    loaded: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())
    return loaded


@cache
def _image(name: str) -> Image:
    image = cv2.imread(str(FOLDER / f"{name}.jpg"))
    assert image is not None
    return np.asarray(image, dtype=np.uint8)


def photo(name: str) -> Image:
    """One photograph, to be changed at will."""
    return _image(name).copy()


def camera(name: str) -> Camera:
    """The true lens of one photograph."""
    data = truth(name)["camera"]
    (fx, _, cx), (_, fy, cy), _ = data["matrix"]
    return Camera(fx, fy, cx, cy, tuple(float(k) for k in data["distortion"]), SIZE)


def pose(name: str) -> CameraPose:
    """The true pose of one photograph's camera."""
    data = truth(name)["camera"]
    return CameraPose(camera(name), np.array(data["R"]), np.array(data["t"], dtype=np.float64))


def faults(reading: Reading, name: str) -> list[str]:
    """Everything a reading says wrongly of a photograph, or does not say although it can be seen."""
    data = truth(name)
    occluded = set(data["occluded"])
    wrong: list[str] = []
    if reading.frame != "ok":
        return [f"frame: {reading.frame}"]
    minis = {mini.deity: mini for mini in reading.minis}
    if len(minis) != len(reading.minis):
        wrong.append("a miniature is seen twice")
    for deity, true in data["minis"].items():
        if deity not in minis:
            if true["id"] not in occluded:
                wrong.append(f"{deity} not seen")
            continue
        mini = minis.pop(deity)
        if mini.space != true["space"]:
            wrong.append(f"{deity} on {mini.space}, truly on {true['space']}")
        if math.dist(mini.xyz_mm, true["xyz_cap_mm"]) > 2.0:
            wrong.append(f"{deity} at {mini.xyz_mm}, truly at {true['xyz_cap_mm']}")
    wrong += [f"{deity} invented" for deity in minis]
    tokens = {token.marker: token for token in reading.tokens}
    if len(tokens) != len(reading.tokens):
        wrong.append("a token is seen twice")
    for true in data["tokens"]:
        if true["id"] not in tokens:
            if true["id"] not in occluded:
                wrong.append(f"token {true['id']} not seen")
            continue
        token = tokens.pop(true["id"])
        if token.space != true["space"]:
            wrong.append(f"token {true['id']} on {token.space}, truly on {true['space']}")
        if token.token != true["type"]:
            wrong.append(f"token {true['id']} is no {token.token}")
        if math.dist(token.xyz_mm, true["xyz_mm"]) > 1.5:
            wrong.append(f"token {true['id']} at {token.xyz_mm}, truly at {true['xyz_mm']}")
    wrong += [f"token {marker} invented" for marker in tokens]
    cards = {card.marker: card for card in reading.cards}
    for true in data["cards"]:
        if true["id"] not in cards:
            if true["id"] not in occluded:
                wrong.append(f"card {true['id']} not seen")
            continue
        card = cards.pop(true["id"])
        side = "powered" if card.powered else "spent"
        if (card.deity, card.card_set, side) != (true["deity"], true["set"], true["side"]):
            wrong.append(f"card {true['id']} taken for {card.deity} {card.card_set} {side}")
        if math.dist(card.xyz_mm, true["xyz_mm"]) > 1.5:
            wrong.append(f"card {true['id']} at {card.xyz_mm}")
    wrong += [f"card {marker} invented" for marker in cards]
    return wrong
