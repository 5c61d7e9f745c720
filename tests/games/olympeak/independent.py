"""A second, plain checker of OlymPeak records, written from the notation alone: no code of the companion's.

It keeps a grid of rows and contenders instead of a list of placed cards and knows nothing of hands, so it is
blind to a card that comes from the wrong place; all else must agree with the companion's checker.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Grid = dict[int, dict[str, str]]


class Wrong(Exception):
    """The line just taken is not what it must be."""


class Tape:
    """The lines of a record, taken one by one; remembers the number of the last."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.at = lines, 0

    def take(self) -> dict[str, Any]:
        self.at += 1
        if self.at > len(self.lines):
            raise Wrong
        data = json.loads(self.lines[self.at - 1])
        if not isinstance(data, dict):
            raise Wrong
        return data

    def expect(self, wanted: dict[str, Any]) -> None:
        if self.take() != wanted:
            raise Wrong


def first_wrong_line(lines: list[str]) -> int | None:
    """Number of the first line that is not as it must be, None for a right record."""
    tape = Tape(lines)
    try:
        Referee(tape).game()
    except (Wrong, KeyError, TypeError, ValueError, AttributeError, IndexError):
        return tape.at
    return None


class Referee:
    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        head = tape.take()
        if head["game"] != "olympeak" or head["version"] != 1 or not 1 <= head["rounds"] <= 3:
            raise Wrong
        self.ages = [player["age_order"] for player in head["players"]]
        self.seats = len(self.ages)
        small = self.seats in (2, 3)
        self.race = ["blue", "green", "red"] + ([] if small else ["white"])
        if sorted(head["contenders"]) != self.race or sorted(self.ages) != list(range(self.seats)):
            raise Wrong
        if not 2 <= self.seats <= 6 or head["ranking"] not in ("dense", "competition"):
            raise Wrong
        self.rounds, self.dense = head["rounds"], head["ranking"] == "dense"
        self.cards = {name: c for name, c in head["cards"].items() if not (small and c.get("star"))}
        self.cubes = dict.fromkeys(self.race, 0)
        self.grid: Grid = {}
        self.top = 0  # the highest row used before this turn
        self.ended = False

    def game(self) -> None:
        round_number = 1
        while True:
            if not self.turn():
                continue
            columns = self.columns()
            full = any(count >= 6 for count in columns.values())
            if 35 in self.cubes.values() or (full and round_number == self.rounds):
                break
            if full:
                self.tape.expect({"event": "round_end", "round": round_number})
                round_number += 1
                self.grid = {}
        self.finish()

    def turn(self) -> bool:
        cards = self.tape.take()
        if set(cards) != {"event", "cards"} or cards["event"] != "reveal":
            raise Wrong
        shown = cards["cards"]
        if len(shown) != self.seats or len(set(shown)) != self.seats or set(shown) & self.lying():
            raise Wrong
        order = list(self.order([self.cards[card] for card in shown]))
        self.tape.expect({"event": "order", "seats": order})
        if not order:
            return False
        self.top = max(self.grid, default=0)
        self.ended = False
        for n, seat in enumerate(order):
            if self.ended:
                break
            waiting = {shown[other] for other in order[n + 1 :]}
            if self.places(shown[seat]):
                self.play(seat, shown[seat], waiting)
            else:
                self.tape.expect({"event": "blocked", "seat": seat, "card": shown[seat]})
        for contender in self.race:
            gain = sum(
                self.cards[row[contender]].get("value", 0)
                for number, row in self.grid.items()
                if number > self.top and contender in row
            )
            self.cubes[contender] = max(-5, min(35, self.cubes[contender] + gain))
        self.tape.expect({"event": "turn_end", "cubes": self.cubes, "columns": self.columns()})
        return True

    def order(self, shown: list[dict[str, Any]]) -> Iterator[int]:
        best: int | None = None
        for seat, card in enumerate(shown):
            if card["kind"] != "progress":
                continue
            if best is None:
                best = seat
                continue
            rival = shown[best]
            if card["heads"] != rival["heads"]:
                better = card["heads"] > rival["heads"]
            elif card["value"] != rival["value"]:
                better = card["value"] < rival["value"]
            else:
                better = self.ages[seat] < self.ages[best]
            best = seat if better else best
        if best is not None:
            yield from range(best, self.seats)
            yield from range(best)

    def open_row(self) -> int:
        row = max([number for number in self.grid if number > self.top], default=self.top + 1)
        return row + 1 if set(self.grid.get(row, {})) == set(self.race) else row

    def places(self, card: str) -> list[str]:
        taken = self.grid.get(self.open_row(), {})
        anywhere = self.cards[card]["kind"] != "progress"
        return [c for c in self.race if c not in taken and (anywhere or c in self.cards[card]["signs"])]

    def play(self, seat: int, card: str, waiting: set[str]) -> None:
        line = self.tape.take()
        row, legal = self.open_row(), self.places(card)
        to = line["to"]
        wanted = {"event": "play", "seat": seat, "card": card, "legal": legal, "to": to, "row": row}
        if line != wanted or to not in legal:
            raise Wrong
        self.lay(seat, card, to, row, waiting)

    def lay(self, seat: int, card: str, to: str, row: int, waiting: set[str]) -> None:
        self.grid.setdefault(row, {})[to] = card
        kind = self.cards[card]["kind"]
        if kind == "stop":
            line = self.tape.take()
            choice = line["choice"]
            legal = ["decline", "stop"]
            if (
                line != {"event": "stop", "seat": seat, "legal": legal, "choice": choice}
                or choice not in legal
            ):
                raise Wrong
            self.ended = choice == "stop"
        elif kind == "remove":
            line = self.tape.take()
            choice = line["choice"]
            legal = sorted({*self.grid[row].values(), "decline"} - {card})
            if line != {"event": "remove", "seat": seat, "legal": legal, "choice": choice}:
                raise Wrong
            if choice not in legal:
                raise Wrong
            self.grid[row] = {c: other for c, other in self.grid[row].items() if other != choice}
        elif kind == "insert":
            self.insert(seat, waiting)

    def insert(self, seat: int, waiting: set[str]) -> None:
        line = self.tape.take()
        choice = line["choice"]
        if choice == "decline":
            if set(line) != {"event", "seat", "choice", "drew"} or line["drew"] not in (True, False):
                raise Wrong
            if line["event"] != "insert" or line["seat"] != seat:
                raise Wrong
            return
        if choice in self.lying() | waiting:
            raise Wrong
        row, legal, to = self.open_row(), self.places(choice), line["to"]
        wanted = {"event": "insert", "seat": seat, "choice": choice, "legal": legal, "to": to, "row": row}
        if line != wanted or to not in legal:
            raise Wrong
        self.lay(seat, choice, to, row, waiting)

    def lying(self) -> set[str]:
        return {card for row in self.grid.values() for card in row.values()}

    def columns(self) -> dict[str, int]:
        return {c: sum(c in row for row in self.grid.values()) for c in self.race}

    def finish(self) -> None:
        tiles = self.tape.take()
        first, second = tiles["first"], tiles["second"]
        if tiles != {"event": "predictions", "first": first, "second": second}:
            raise Wrong
        if len(first) != self.seats or len(second) != self.seats or {*first, *second} - set(self.race):
            raise Wrong
        if any(one == two for one, two in zip(first, second, strict=True)):
            raise Wrong
        if self.seats < 4 and len(set(second)) < self.seats:
            raise Wrong
        heights = list(self.cubes.values())
        places = {}
        for contender, height in self.cubes.items():
            above = [other for other in heights if other > height]
            places[contender] = 1 + (len(set(above)) if self.dense else len(above))
        table = {1: (5, 3), 2: (3, 4)}
        points = [
            table.get(places[one], (0, 0))[0] + table.get(places[two], (0, 0))[1]
            for one, two in zip(first, second, strict=True)
        ]
        winners = [seat for seat in range(self.seats) if points[seat] == max(points)]
        self.tape.expect({"event": "game_end", "places": places, "points": points, "winners": winners})
        if self.tape.at != len(self.tape.lines):
            self.tape.at += 1
            raise Wrong
