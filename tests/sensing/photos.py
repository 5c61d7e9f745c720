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


def upside_down(name: str) -> tuple[Camera, Image]:
    """One photograph as a camera sees it that hangs the other way round, and that camera's lens."""
    lens, (width, height) = camera(name), SIZE
    turned = Camera(lens.fx, lens.fy, width - 1 - lens.cx, height - 1 - lens.cy, lens.distortion, lens.size)
    return turned, np.ascontiguousarray(photo(name)[::-1, ::-1])


def turned(name: str, degrees: float, scale: float = 1.0, shift: tuple[float, float] = (0.0, 0.0)) -> Image:
    """One photograph turned a little around the middle of its lens, shrunk and shifted (px)."""
    lens = camera(name)
    turn = cv2.getRotationMatrix2D((lens.cx, lens.cy), degrees, scale)
    turn[:, 2] += np.array(shift)
    image = cv2.warpAffine(photo(name), turn, lens.size, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(image, dtype=np.uint8)


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
