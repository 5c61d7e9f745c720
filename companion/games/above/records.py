"""Game records of Above: JSON Lines that can be replayed (NOTATION, "Game records").

`header`, `action_line`, `position_line`, `ruling_line` and `winner_line` are the lines; `random_game` writes a whole
record, `check` replays one. A record may stop anywhere before the game is over, since a real game may be left
unfinished; one that has reached the summit must say so to the last line.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from typing import Any

from companion.errors import CompanionError
from companion.games.above.action import Action, ActionError
from companion.games.above.position import Position, PositionError
from companion.games.above.rules import apply, explain_illegal, initial_position, legal_actions
from companion.games.records import Departure

__all__ = [
    "Departure",
    "action_line",
    "check",
    "header",
    "position_line",
    "random_game",
    "ruling_line",
    "winner_line",
]

GAME, VERSION = "above", 1
PLAYER_NAMES = ("Ada", "Ben", "Cleo", "Dan")
#: A random game lasts some 55 turns; nothing but a very long one is cut off here.
MAX_TURNS = 10_000

_HEADER_KEYS = ("game", "version", "players", "position")
_ACTION_KEYS = ("seat", "legal", "action")
_RULING_KEYS = ("ruling", "position")


def _dump(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def header(names: Iterable[str], position: Position) -> str:
    """The first line: who plays, and the position at the start of a turn from which it goes on."""
    return _dump({"game": GAME, "version": VERSION, "players": list(names), "position": str(position)})


def action_line(position: Position, action: Action) -> str:
    """The line of an action in the position it is made in."""
    legal = [str(listed) for listed in legal_actions(position)]
    return _dump({"seat": position.decides, "legal": legal, "action": str(action)})


def position_line(position: Position) -> str:
    """The line after a completed turn."""
    return _dump({"position": str(position)})


def ruling_line(text: str, position: Position) -> str:
    """The line of a ruling of the house: players go on from `position`, although of the table `text` was said."""
    return _dump({"ruling": text, "position": str(position)})


def winner_line(position: Position) -> str:
    """The last line of a finished game."""
    return _dump({"winner": list(position.winner)})


def random_game(players: int, seed: int, *, max_turns: int = MAX_TURNS) -> Iterator[str]:
    """A random legal game of 2 or 4 players as record lines, the same for the same seed.

    After `max_turns` turns it stops unfinished.
    """
    rng = random.Random(seed)
    position = initial_position(players, rng)
    yield header(PLAYER_NAMES[:players], position)
    turns = 0
    while not position.is_over and turns < max_turns:
        action = rng.choice(legal_actions(position))
        yield action_line(position, action)
        position = apply(position, action)
        if position.at_turn_start or position.is_over:
            turns += 1
            yield position_line(position)
    if position.is_over:
        yield winner_line(position)


class _LineError(CompanionError, ValueError):
    """A line that does not follow."""


def check(record: Iterable[str], *, rulings: bool = False) -> Departure | None:
    """Replays a record: None if all of it follows the rules, else the first line that does not and why.

    `rulings`: where the players made a ruling of their own, the replay goes on from there; else it is a departure.
    """
    replay: _Replay | None = None
    count = 0
    for count, line in enumerate(record, 1):
        try:
            data = _read(line)
            if replay is None:
                replay = _Replay(data, rulings)
            else:
                replay.follow(data)
        except _LineError as error:
            return Departure(count, str(error))
    if replay is None:
        return Departure(1, "the record is empty, it must begin with a header")
    if replay.position.is_over and not replay.told_winner:
        return Departure(count + 1, f"the record ends here, but the game is over: expected {replay.due()}")
    return None


class _Replay:
    """The position a record has come to, and which kind of line must be next."""

    def __init__(self, data: dict[str, Any], rulings: bool) -> None:
        self._rulings = rulings
        _keys(data, _HEADER_KEYS, "the header")
        if data["game"] != GAME:
            raise _LineError(f'expected "game":"{GAME}", found {_dump({"game": data["game"]})[1:-1]}')
        if not _same(data["version"], VERSION):
            raise _LineError(
                f'expected "version":{VERSION}, found {_dump({"version": data["version"]})[1:-1]}'
            )
        self.position = _position(data["position"])
        names = data["players"]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise _LineError('"players" must be a list of names')
        if len(names) != self.position.players:
            raise _LineError(
                f'"players" names {len(names)}, the position is of {self.position.players} players'
            )
        self.told_winner = False
        # The header tells a position already, so no line of it is due.
        self._position_due = False

    def due(self) -> str:
        """The kind of line that must be next, in words."""
        if self.told_winner:
            return "no further line"
        if self._position_due:
            return 'the position after the turn, {"position":…}'
        if self.position.is_over:
            return 'the winner, {"winner":…}'
        return f'an action of seat {self.position.decides}, {{"seat":…,"legal":…,"action":…}}'

    def follow(self, data: dict[str, Any]) -> None:
        """Goes on by one line."""
        if self.told_winner:
            raise _LineError("the winner is told, no line may follow")
        if self._position_due:
            self._expect(data, "position")
            if data["position"] != str(self.position):
                raise _LineError(
                    f'expected the position "{self.position}", found {_quoted(data["position"])}'
                )
            self._position_due = False
        elif self.position.is_over:
            self._expect(data, "winner")
            winner = list(self.position.winner)
            if not _same(data["winner"], winner):
                raise _LineError(f"expected the winner {winner}, found {_quoted(data['winner'])}")
            self.told_winner = True
        elif "ruling" in data and self.position.at_turn_start:
            self._rule(data)
        else:
            self._expect(data, *_ACTION_KEYS)
            self._act(data)

    def _expect(self, data: dict[str, Any], *keys: str) -> None:
        if keys[0] not in data:
            raise _LineError(f"expected {self.due()}, found {_quoted(data)}")
        _keys(data, keys, "the line")

    def _rule(self, data: dict[str, Any]) -> None:
        _keys(data, _RULING_KEYS, "the line")
        if not isinstance(data["ruling"], str):
            raise _LineError('"ruling" must be a text')
        after = _position(data["position"])
        if after.players != self.position.players:
            raise _LineError(f"the position is of {after.players} players, {self.position.players} play")
        if not self._rulings:
            raise _LineError(f"the players made a ruling of their own here and played on: {data['ruling']}")
        self.position = after

    def _act(self, data: dict[str, Any]) -> None:
        position = self.position
        if not _same(data["seat"], position.decides):
            raise _LineError(f"seat {position.decides} decides, not {_quoted(data['seat'])}")
        legal = [str(action) for action in legal_actions(position)]
        if data["legal"] != legal:
            raise _LineError(_legal_differs(data["legal"], legal))
        if not isinstance(data["action"], str):
            raise _LineError(f"{_quoted(data['action'])} is no action")
        try:
            action = Action.parse(data["action"], position.board)
        except ActionError as error:
            raise _LineError(str(error)) from None
        refusal = explain_illegal(position, action)
        if refusal is not None:
            raise _LineError(f'"{action}" is not legal: {refusal}')
        self.position = apply(position, action)
        self._position_due = self.position.at_turn_start or self.position.is_over


def _read(line: str) -> dict[str, Any]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) != len(pairs):
            raise _LineError("a key stands twice in one object")
        return data

    try:
        data = json.loads(line, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise _LineError(f"this is no JSON ({error.msg} at column {error.colno})") from None
    except RecursionError:
        raise _LineError("this is no JSON of a record, it is nested too deep") from None
    except _LineError:
        raise
    except ValueError:
        raise _LineError("this is no JSON of a record, a number is too long") from None
    if not isinstance(data, dict):
        raise _LineError("a line must be one JSON object")
    return data


def _keys(data: dict[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in keys:
        if key not in data:
            raise _LineError(f'{where} has no "{key}"')
    for key in data:
        if key not in keys:
            raise _LineError(f'{where} has an unknown key "{key}"')


def _position(text: object) -> Position:
    if not isinstance(text, str):
        raise _LineError('"position" must be a text')
    try:
        return Position.parse(text)
    except PositionError as error:
        raise _LineError(str(error)) from None


def _same(found: object, expected: object) -> bool:
    """Equality that does not take `true` or 1.0 for 1."""
    return _dump({"": found}) == _dump({"": expected})


def _quoted(value: object) -> str:
    """The JSON of a value, shortened to fit into a sentence."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:197] + "…"


def _legal_differs(found: object, expected: list[str]) -> str:
    """The first difference between a legal list and what it should be."""
    if not isinstance(found, list) or not all(isinstance(action, str) for action in found):
        return f'"legal" must be a list of actions, found {_quoted(found)}'
    missing = [action for action in expected if action not in found]
    if missing:
        return f'the legal list lacks "{missing[0]}"'
    surplus = [action for action in found if action not in expected]
    if surplus:
        return f'the legal list names "{surplus[0]}", which is not legal'
    if len(found) != len(expected):
        return "the legal list names an action twice"
    return "the legal list is not sorted by code point"
