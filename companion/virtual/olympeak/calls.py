"""Calls: whom the seat lights call, as the players see it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.olympeak.position import GameState, Setup
from companion.virtual.olympeak.eyes import SeatEyes


class Calls:
    """What `eyes` see of the lights. `early`: who has laid the next turn's card down already, by seat."""

    def __init__(self, eyes: SeatEyes, setup: Setup, early: Mapping[int, str]) -> None:
        self._eyes = eyes
        self._seats = setup.seats
        self._early = early

    def red(self) -> bool:
        """Something is against the rules."""
        return any(self._eyes.seat_red(seat) for seat in self._seats)

    def everybody(self) -> bool:
        """Everybody is called who has not laid the next card down already."""
        return all(self._eyes.seat_lit(seat) for seat in self._without_card())

    def turn_over(self, seat: int) -> bool:
        """The table has gone on from the last card, which `seat` has laid: everybody chooses, or takes a card back first.

        The light of `seat` tells nothing by itself: it has been on since that card was to be laid.
        """
        others = [each for each in self._without_card() if each != seat]
        return bool(others) and all(self._is_called(each) for each in (seat, *others))

    def alone(self, seat: int) -> bool:
        """This seat is called, and no other."""
        return all(self._eyes.seat_lit(each) == (each == seat) for each in self._seats)

    def off(self, seat: int, after: GameState) -> bool:
        """The seat is told to take its card back, or the table has gone on to who acts after it."""
        if self._eyes.seat_amber(seat) or self.alone(seat) or self.everybody():
            return True
        return after.seat is not None and self.alone(after.seat)

    def _is_called(self, seat: int) -> bool:
        return self._eyes.seat_lit(seat) or self._eyes.seat_amber(seat)

    def _without_card(self) -> list[int]:
        return [seat for seat in self._seats if seat not in self._early] or list(self._seats)
