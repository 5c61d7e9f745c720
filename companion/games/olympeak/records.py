"""Records of OlymPeak games in JSON Lines: writing a game, playing a random one, checking one by replay.

One rendering (`header`, `lines`) serves the journal's export, the random games and the checker: the checker
reads the decision in a line, applies it, and compares the line with what it would have written itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from random import Random
from typing import Any

from companion.games.olympeak import rules
from companion.games.olympeak.box import Box
from companion.games.olympeak.cards import Card
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import (
    Blocked,
    DeclineInsert,
    EndRound,
    EndTurn,
    Event,
    Insert,
    Play,
    Predictions,
    Remove,
    Reveal,
    Ruling,
    Stop,
)
from companion.games.olympeak.position import GameState, Phase, Setup
from companion.games.olympeak.record_reading import LineError, read_event, read_header, read_line
from companion.games.olympeak.refusal import Reason
from companion.games.olympeak.simulation import play, random_setup
from companion.games.records import Departure

__all__ = ["Departure", "check", "header", "lines", "random_game"]

GAME, VERSION = "olympeak", 1


def random_game(players: int, seed: int, *, ranking: str = "dense", box: Box | None = None) -> Iterator[str]:
    """A random legal game of 2 to 6 players as record lines, the same for the same seed."""
    rng = Random(seed)
    setup = random_setup(players, rng, box or default_box(), ranking)
    yield header(setup)
    for step in play(setup, rng):
        yield from lines(step.before, step.event, step.after)


def check(record: Iterable[str], *, rulings: bool = False) -> Departure | None:
    """Replay a record; None when it follows the rules to the end, else where it first departs from them.

    `rulings`: where the players made a ruling of their own, the replay goes on from there; else it is a departure.
    """
    accept = frozenset({Reason.RULING}) if rulings else frozenset[Reason]()
    state: GameState | None = None
    due: list[str] = []
    count = 0
    for line in record:
        count += 1
        try:
            data = read_line(line)
            if state is None:
                state = read_header(data)
            elif due:
                _compare(data, due.pop(0))
            elif state.phase is Phase.OVER:
                raise LineError("the game is over, nothing may follow")
            else:
                state, due = _replay(state, data, accept)
        except LineError as error:
            return Departure(count, str(error))
    if state is None:
        return Departure(1, "the record is empty, it must begin with a header")
    # A game that is not over may be written down as far as it has got; what certainly follows may not be missing.
    if due or state.phase is Phase.PREDICTIONS:
        return Departure(count + 1, f"the record ends here, but {_missing(due)}")
    return None


def header(setup: Setup) -> str:
    """The first line of a record: everything that is needed to replay it, cards out of play left out."""
    return _dump(
        {
            "game": GAME,
            "version": VERSION,
            "players": [{"name": player.name, "age_order": player.age_order} for player in setup.players],
            "contenders": list(setup.contenders),
            "rounds": setup.rounds,
            "ranking": setup.ranking,
            "cards": {card.id: _card(card) for card in setup.deck.in_play(len(setup.players))},
        }
    )


def lines(before: GameState, event: Event, after: GameState) -> list[str]:
    """The record lines of one event that led from `before` to `after`."""
    return [_dump(each) for each in _lines(before, event, after)]


def _card(card: Card) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "kind": card.kind.value,
        "value": card.value,
        "heads": card.heads,
        "signs": list(card.signs),
    }
    return {**entry, "star": True} if card.star else entry


def _lines(before: GameState, event: Event, after: GameState) -> list[dict[str, Any]]:
    match event:
        case Ruling():
            return [_ruling(event)]
        case Reveal(cards=cards):
            return [
                {"event": "reveal", "cards": list(cards)},
                {"event": "order", "seats": list(after.order)},
            ]
        case Play(seat=seat, card=card, to=to):
            legal, row = list(before.targets(card)), before.open_row[0]
            return [{"event": "play", "seat": seat, "card": card, "legal": legal, "to": to, "row": row}]
        case Blocked(seat=seat, card=card):
            return [{"event": "blocked", "seat": seat, "card": card}]
        case Stop(seat=seat, stop=stop):
            choice = "stop" if stop else "decline"
            return [{"event": "stop", "seat": seat, "legal": ["decline", "stop"], "choice": choice}]
        case Remove(seat=seat, card=removed):
            legal = sorted(["decline", *before.removable()])
            return [{"event": "remove", "seat": seat, "legal": legal, "choice": removed or "decline"}]
        case Insert(seat=seat, card=card, to=to):
            legal, row = list(before.targets(card)), before.open_row[0]
            return [{"event": "insert", "seat": seat, "choice": card, "legal": legal, "to": to, "row": row}]
        case DeclineInsert(seat=seat, drew=drew):
            return [{"event": "insert", "seat": seat, "choice": "decline", "drew": drew}]
        case EndTurn():
            return [{"event": "turn_end", "cubes": after.cube, "columns": before.columns}]
        case EndRound():
            return [{"event": "round_end", "round": before.round}]
        case Predictions(first=first, second=second):
            return [
                {"event": "predictions", "first": list(first), "second": list(second)},
                _game_end(after),
            ]


def _ruling(event: Ruling) -> dict[str, Any]:
    placed = [asdict(each) for each in event.placed]
    return {"event": "ruling", **asdict(event), "cubes": dict(event.cubes), "placed": placed}


def _game_end(state: GameState) -> dict[str, Any]:
    result = state.outcome
    if result is None:
        raise ValueError("Only a finished game has a game_end line; apply the predictions first.")
    return {
        "event": "game_end",
        "places": dict(result.places),
        "points": list(result.points),
        "winners": list(result.winners),
    }


def _replay(state: GameState, data: dict[str, Any], accept: frozenset[Reason]) -> tuple[GameState, list[str]]:
    """The state after the event in a line, and the lines that must follow it; LineError when it departs."""
    event = read_event(state, data)
    if wrong := next((each for each in rules.refusals(state, event) if each.reason not in accept), None):
        raise LineError(wrong.text.removesuffix("."))
    after = rules.apply(state, event, accept=accept)
    if isinstance(event, DeclineInsert):
        # What was not placed has no place: such keys may stand there empty.
        data = {key: value for key, value in data.items() if value not in ([], None)}
    expected, *due = lines(state, event, after)
    _compare(data, expected)
    return after, due


def _compare(found: dict[str, Any], expected_line: str) -> None:
    """Key by key, so that the departure names the key; types count (1 is neither true nor 1.0)."""
    expected = json.loads(expected_line)
    for key in expected:
        if key not in found:
            raise LineError(f"{key} is missing, expected {_dump(expected[key])}")
        if _dump(found[key], canonical=True) != _dump(expected[key], canonical=True):
            raise LineError(f"{key} must be {_dump(expected[key])}, not {_dump(found[key])}")
    for key in found:
        if key not in expected:
            raise LineError(f"unknown key {key!r} in a line of event {expected['event']}")


def _missing(due: list[str]) -> str:
    if due:
        return f"{json.loads(due[0])['event']} must follow"
    return "the game is over and predictions must follow"


def _dump(data: object, *, canonical: bool = False) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=canonical)
