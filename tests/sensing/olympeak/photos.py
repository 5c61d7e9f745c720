"""The reference photographs of OlymPeak tables with their truth, and what is asked of a reading of one."""

from __future__ import annotations

from typing import Any

from companion.games.olympeak.box import CARD_IDS
from companion.sensing.olympeak.reading import OlympeakReading
from tests.sensing.photos import truth

NAMES = ("51", "52", "53", "54", "55", "56")
# What is hidden by more than two fifths need not be read.
READABLE = 0.6

CARD_BY_ID = {marker: card for card, marker in CARD_IDS.items()}


def faults(reading: OlympeakReading, name: str) -> list[str]:
    """Everything a reading says wrongly of a photograph, or does not say although it can be seen."""
    data = truth(name)
    if reading.frame != "ok":
        return [f"frame: {reading.frame}"]
    lying = {m["id"]: m["visible"] for m in data["markers"] if m["kind"] not in ("held", "fan")}
    return [
        *_contenders(reading, data, lying),
        *_columns(reading, data, lying),
        *_reveal(reading, data, lying),
        *_scoreboard(reading, data),
        *_tiles(reading, data),
        *(f"{one.card} lies nowhere" for one in reading.stray),
    ]


def _contenders(reading: OlympeakReading, data: dict[str, Any], lying: dict[int, float]) -> list[str]:
    true = [one["contender"] for one in data["contenders"]]
    plain = [one["contender"] for one in data["contenders"] if lying[one["id"]] >= READABLE]
    seen = list(reading.contenders)
    if [one for one in seen if one in plain] != plain or [one for one in true if one in seen] != seen:
        return [f"contenders {seen}, truly {true}"]
    return []


def _columns(reading: OlympeakReading, data: dict[str, Any], lying: dict[int, float]) -> list[str]:
    true = {
        (contender, one["row"], one["card"]): lying[one["id"]]
        for contender, cards in data["columns"].items()
        for one in cards
    }
    seen = [(one.contender, one.row, one.card) for one in reading.columns]
    wrong = [f"{one} invented" for one in seen if one not in true]
    wrong += [f"{one} not seen" for one, share in true.items() if share >= READABLE and one not in seen]
    if len(set(seen)) != len(seen):
        wrong.append("a card is seen twice")
    return wrong


def _reveal(reading: OlympeakReading, data: dict[str, Any], lying: dict[int, float]) -> list[str]:
    true = {one["seat"]: one["card"] for one in data["reveal"]}
    hard = {one["seat"] for one in data["reveal"] if one["id"] and lying[one["id"]] < READABLE}
    seen = {one.seat: one.card for one in reading.reveal}
    wrong = [f"seat {seat}: {card}, truly {true.get(seat, 'nothing')}" for seat, card in seen.items()
             if true.get(seat, "nothing") != card]  # fmt: skip
    return wrong + [f"seat {seat}: {true[seat]} not seen" for seat in set(true) - set(seen) - hard]


def _scoreboard(reading: OlympeakReading, data: dict[str, Any]) -> list[str]:
    wrong: list[str] = []
    cubes = {one.contender: one.place for one in reading.cubes}
    true = {contender: one["place"] for contender, one in data["cubes"].items()}
    if cubes != true:
        wrong.append(f"cubes {cubes}, truly {true}")
    if reading.round_marker != data["round_marker"]["round"]:
        wrong.append(f"round {reading.round_marker}, truly {data['round_marker']['round']}")
    top = CARD_BY_ID.get(data["discard_top"])
    if reading.discard_top != top:
        wrong.append(f"discard pile {reading.discard_top}, truly {top}")
    return wrong


def _tiles(reading: OlympeakReading, data: dict[str, Any]) -> list[str]:
    tiles = [(one.seat, one.first, one.second) for one in reading.tiles]
    true = [(one["seat"], one["first"]["contender"], one["second"]["contender"]) for one in data["tiles"]]
    wrong = [] if tiles == true else [f"tiles {tiles}, truly {true}"]
    if list(reading.player_cards) != [one["seat"] for one in data["player_cards"]]:
        wrong.append(f"player cards before {reading.player_cards}")
    return wrong
