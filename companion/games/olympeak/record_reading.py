"""One line of an OlymPeak record read strictly into a header or an event, the offending part named."""

from __future__ import annotations

import json
from typing import Any

from companion.errors import CompanionError
from companion.games.olympeak.cards import CARD_NAMES, CONTENDERS, HEADS, VALUES, Card, Deck, Kind, canonical
from companion.games.olympeak.events import (
    Blocked,
    DeclineInsert,
    EndRound,
    EndTurn,
    Event,
    Insert,
    Lying,
    Play,
    Predictions,
    Remove,
    Reveal,
    Ruling,
    Stop,
)
from companion.games.olympeak.position import GameState, Phase, Player, Setup, SetupError, begin

_HEADER_KEYS = ("game", "version", "players", "contenders", "rounds", "ranking", "cards")
_RULING_KEYS = ("event", "text", "round", "cubes", "placed", "revealed", "order", "played", "pending")
_LYING_KEYS = ("card", "to", "row", "turn", "seat")
_CARD_KEYS = ("kind", "value", "heads", "signs", "star")
_EVENT_OF = {
    Phase.REVEAL: ("reveal",),
    Phase.PLAY: ("play", "blocked"),
    Phase.TURN_END: ("turn_end",),
    Phase.ROUND_END: ("round_end",),
    Phase.PREDICTIONS: ("predictions",),
}


class LineError(CompanionError, ValueError):
    """A line of a record that departs from the notation or the rules."""


def read_line(line: str) -> dict[str, Any]:
    """The JSON object in a line."""
    try:
        data = json.loads(line, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise LineError(f"not a JSON object: {error.msg} at character {error.pos + 1}") from None
    except LineError:
        raise
    except (RecursionError, ValueError):
        raise LineError("not a JSON object of a record: nested too deeply, or an endless number") from None
    if "\\u" in line and any("\ud800" <= sign <= "\udfff" for sign in json.dumps(data, ensure_ascii=False)):
        raise LineError("half a character (a lone surrogate) stands in a text")
    if not isinstance(data, dict):
        raise LineError("each line of a record is one JSON object")
    return data


def read_header(data: dict[str, Any]) -> GameState:
    """The state at the beginning of the game that a header describes."""
    if data.get("game") != "olympeak":
        raise LineError('the header must say "game":"olympeak"')
    if type(data.get("version")) is not int or data["version"] != 1:
        raise LineError('the header must say "version":1')
    _only_keys(data, _HEADER_KEYS, _HEADER_KEYS, "the header")
    players = tuple(_player(entry) for entry in _list(data, "players"))
    cards = data["cards"]
    if not isinstance(cards, dict):
        raise LineError("cards must be an object from card ids to cards")
    deck = Deck(tuple(_card(name, entry) for name, entry in cards.items()))
    contenders, rounds = _strings(data, "contenders"), _integer(data, "rounds")
    try:
        return begin(Setup(players, contenders, rounds, deck, _string(data, "ranking")))
    except SetupError as error:
        raise LineError("; ".join(error.defects)) from None


def read_event(state: GameState, data: dict[str, Any]) -> Event:
    """The decision that a line states; what follows from it is compared afterwards."""
    name = _string(data, "event")
    if name == "ruling":
        return _ruling(data)
    wanted = _wanted(state)
    if name not in wanted:
        seat = state.seat
        who = f" of seat {seat} ({state.setup.players[seat].name})" if seat is not None else ""
        raise LineError(f"expected event {' or '.join(wanted)}{who}, not {name}")
    match name:
        case "reveal":
            return Reveal(_strings(data, "cards"))
        case "play":
            return Play(
                _integer(data, "seat"), _string(data, "card"), _string(data, "to"), _integer(data, "row")
            )
        case "blocked":
            return Blocked(_integer(data, "seat"), _string(data, "card"))
        case "stop":
            return Stop(_integer(data, "seat"), _choice(data, ("decline", "stop")) == "stop")
        case "remove":
            removed = _string(data, "choice")
            return Remove(_integer(data, "seat"), None if removed == "decline" else removed)
        case "insert":
            return _insert(data)
        case "turn_end":
            return EndTurn()
        case "round_end":
            return EndRound()
        case _:
            return Predictions(_strings(data, "first"), _strings(data, "second"))


def _wanted(state: GameState) -> tuple[str, ...]:
    kind = state.pending_kind
    return (kind.value,) if kind is not None else _EVENT_OF[state.phase]


def _insert(data: dict[str, Any]) -> Event:
    seat, choice = _integer(data, "seat"), _string(data, "choice")
    if choice == "decline":
        drew = data.get("drew")
        if not isinstance(drew, bool):
            raise LineError('a declined insert says "drew":true or "drew":false')
        return DeclineInsert(seat, drew)
    return Insert(seat, choice, _string(data, "to"), _integer(data, "row"))


def _ruling(data: dict[str, Any]) -> Ruling:
    _only_keys(data, _RULING_KEYS, _RULING_KEYS, "a ruling")
    cubes = data["cubes"]
    if not isinstance(cubes, dict):
        raise LineError("cubes must be an object from contenders to places")
    order = _list(data, "order")
    if any(type(seat) is not int for seat in order):
        raise LineError("order must list seats")
    return Ruling(
        _string(data, "text"),
        _integer(data, "round"),
        tuple((contender, _integer(cubes, contender)) for contender in cubes),
        tuple(_lying(entry) for entry in _list(data, "placed")),
        _strings(data, "revealed"),
        tuple(order),
        _integer(data, "played"),
        None if data["pending"] is None else _string(data, "pending"),
    )


def _lying(entry: object) -> Lying:
    if not isinstance(entry, dict):
        raise LineError("each of placed is an object")
    _only_keys(entry, _LYING_KEYS, _LYING_KEYS, "a placed card")
    row, turn, seat = (_integer(entry, key) for key in ("row", "turn", "seat"))
    return Lying(_string(entry, "card"), _string(entry, "to"), row, turn, seat)


def _player(entry: object) -> Player:
    if not isinstance(entry, dict):
        raise LineError("each of players is an object with name and age_order")
    _only_keys(entry, ("name", "age_order"), ("name", "age_order"), "a player")
    return Player(_string(entry, "name"), _integer(entry, "age_order"))


def _card(name: str, entry: object) -> Card:
    if name not in CARD_NAMES:
        raise LineError(f"{name!r} is no card, they are called p001 to p105 and o01 to o15")
    if not isinstance(entry, dict):
        raise LineError(f"card {name} must be an object")
    _only_keys(entry, ("kind",), _CARD_KEYS, f"card {name}")
    star = entry.get("star", False)
    if not isinstance(star, bool):
        raise LineError(f"card {name}: star must be true or left out")
    kinds = {kind.value: kind for kind in Kind if (kind is Kind.PROGRESS) == name.startswith("p")}
    if entry["kind"] not in tuple(kinds):
        raise LineError(f"card {name}: kind must be {' or '.join(kinds)}, not {entry['kind']!r}")
    kind = kinds[entry["kind"]]
    if kind is not Kind.PROGRESS:
        return Card(name, kind, star=star)
    value, heads = _integer(entry, "value"), _integer(entry, "heads")
    signs = _strings(entry, "signs")
    if value not in VALUES:
        raise LineError(f"card {name}: value must be {VALUES[0]} to {VALUES[-1]}, not {value}")
    if heads not in HEADS:
        raise LineError(f"card {name}: heads must be {HEADS[0]} to {HEADS[-1]}, not {heads}")
    if not signs or len(set(signs)) < len(signs) or not set(signs) <= set(CONTENDERS):
        raise LineError(f"card {name}: signs must name at least one of {', '.join(CONTENDERS)}, each once")
    return Card(name, kind, value, heads, canonical(signs), star)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(key for n, (key, _) in enumerate(pairs) if key in dict(pairs[:n]))
        raise LineError(f"key {twice!r} stands there twice")
    return data


def _refuse_constant(text: str) -> None:
    raise LineError(f"{text} is no value of a record")


def _only_keys(data: dict[str, Any], needed: tuple[str, ...], known: tuple[str, ...], what: str) -> None:
    for key in needed:
        if key not in data:
            raise LineError(f"{what} lacks {key}")
    for key in data:
        if key not in known:
            raise LineError(f"unknown key {key!r} in {what}")


def _integer(data: dict[str, Any], key: str) -> int:
    value = data.get(key)
    if type(value) is not int:
        raise LineError(f"{key} must be a whole number" + ("" if key in data else ", it is missing"))
    return value


def _string(data: dict[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise LineError(f"{key} must be a text" + ("" if key in data else ", it is missing"))
    return value


def _choice(data: dict[str, Any], allowed: tuple[str, ...]) -> str:
    value = _string(data, "choice")
    if value not in allowed:
        raise LineError(f"choice must be {' or '.join(allowed)}, not {value}")
    return value


def _list(data: dict[str, Any], key: str) -> list[Any]:
    value = data.get(key)
    if not isinstance(value, list):
        raise LineError(f"{key} must be a list" + ("" if key in data else ", it is missing"))
    return value


def _strings(data: dict[str, Any], key: str) -> tuple[str, ...]:
    value = _list(data, key)
    for each in value:
        if not isinstance(each, str):
            raise LineError(f"{key} must list texts")
    return tuple(value)
