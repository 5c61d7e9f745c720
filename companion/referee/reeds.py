"""Reeds: which switches can be believed. One that contradicts what is plainly seen is found out and ignored.

Owners wire 97 switches by hand, and magnets age: a switch may never close (dead), never open (stuck), or flicker
(a weak magnet, a loose wire). None of that is ever a move.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from enum import Enum

from companion.games.above.board import SPACES, bits
from companion.games.above.names import place_name
from companion.games.above.position import Position
from companion.messages import say
from companion.referee.evidence import Switches
from companion.sensing.reading import Finding, Reading

# A switch must contradict what is plainly seen for so long.
CONTRARY_S = 2.0
# So many changes within so long, while nothing moves over it, are flicker; so long without one, and it is over.
FLICKERS = 4
BLIND_FLICKERS = 12  # without a camera, hands that put a piece right again and again look alike
FLICKER_S = 5.0
CALM_S = 20.0
# A piece is plainly seen on a space from this probability on.
_PLAIN = 0.9
# So many changes of a switch in one turn are kept, the newest.
_MOST_KEPT = 32
# From so many dead switches on nothing is connected at all.
_MOST_DEAD = 8

_INDEX = {name: number for number, name in enumerate(SPACES)}


class Trouble(Enum):
    """What is wrong with a switch, as it is said."""

    DEAD = "dead"
    STUCK = "stuck"
    WEAK = "weak"  # it flickers: a weak magnet or a loose wire


@dataclass(slots=True)
class _Switch:
    closed: bool = False
    has_closed: bool = False
    has_changed: bool = False
    changed_at: float = -math.inf
    contrary_since: float | None = None
    changes: list[float] = field(default_factory=list)
    in_turn: list[float] = field(default_factory=list)
    trouble: Trouble | None = None


class Reeds:
    """Follows the switches against what the camera sees, or without one against what people have said.

    `ignored`: the switches that are not believed, by name.
    """

    def __init__(self) -> None:
        self._switches: dict[int, _Switch] = {}
        self._moved_at = 0.0
        self._changed_at = 0.0
        self.ignored: frozenset[str] = frozenset()
        self._known: frozenset[str] = frozenset()

    def look(self, reading: Reading, switches: Switches | None) -> Switches | None:
        """Takes in one reading with the switches as they stand; gives those that may be believed.

        Those that come in as ignored stay so: their owner knows of them, and nothing follows from what they do.
        """
        if switches is None:
            self._switches.clear()
            self.ignored = frozenset()
            return None
        self._known = switches.ignored
        now = reading.exposed_at
        self._take_in(switches, now, blind=reading.blind)
        if reading.moving or reading.frame != "ok":
            self._moved_at = now
        elif not reading.blind:
            for space, there in plainly_seen(reading):
                if SPACES[space] not in self._known:
                    self._compare(space, there, now)
        self._judge_flicker(now, BLIND_FLICKERS if reading.blind else FLICKERS)
        troubled = {space for space, each in self._switches.items() if each.trouble is not None}
        self.ignored = frozenset(SPACES[space] for space in troubled) | switches.ignored
        if self.are_all_dead:
            return None
        changed = frozenset(SPACES[space] for space, each in self._switches.items() if each.has_changed)
        return Switches(switches.closed, self.ignored, changed)

    def settled_for(self, now: float) -> float:
        """For how many seconds no switch that is believed has changed."""
        return now - self._changed_at

    def has_opened(self, space: int) -> bool:
        """Is a switch open that has been closed and can be believed: was what stood there lifted?"""
        each = self._believed(space)
        return each is not None and each.has_closed and not each.closed

    def turn_begins(self, since: float = math.inf) -> None:
        """What has changed up to `since` (seconds) belongs to turns that are over; after that the next one was begun."""
        for each in self._switches.values():
            each.has_changed = each.has_changed and each.changed_at > since
            each.in_turn = [at for at in each.in_turn if at > since]

    def has_changed(self, space: int) -> bool:
        """Has a switch that can be believed opened or closed in this turn?"""
        each = self._believed(space)
        return each is not None and each.has_changed

    def has_closed_since(self, space: int, since: float) -> bool:
        """Is a switch open that can be believed, and was closed for a moment after `since` (seconds)?"""
        each = self._believed(space)
        return each is not None and not each.closed and each.changed_at > since

    def is_still_open(self, space: int) -> bool:
        """Is a switch open that can be believed, and has been all this turn?"""
        each = self._believed(space)
        return each is not None and not each.closed and not each.has_changed

    def changes(self, space: int) -> tuple[float, ...]:
        """When (seconds) a switch that can be believed opened or closed in this turn, as far as it is kept."""
        each = self._believed(space)
        return () if each is None else tuple(each.in_turn)

    def spells(self, space: int, *, closed: bool) -> tuple[tuple[float, float], ...]:
        """From when to when (seconds) a switch that can be believed was closed, or open, in this turn: what is over."""
        each = self._believed(space)
        if each is None:
            return ()
        pairs = list(zip(each.in_turn, each.in_turn[1:], strict=False))
        # They take turns, and what it is now is not over.
        return tuple(pairs[::-1][::2] if closed is not each.closed else pairs[::-1][1::2])

    def _believed(self, space: int) -> _Switch | None:
        each = self._switches.get(space)
        broken = each is None or each.trouble is not None or SPACES[space] in self._known
        return None if broken else each

    def may_be_dead(self, space: int) -> bool:
        """Has a switch never been closed?"""
        each = self._switches.get(space)
        return each is None or not each.has_closed

    def are_told(self, position: Position) -> None:
        """People have said that the table shows this position: switches that say otherwise are not believed."""
        standing = position.stood_on
        for space, switch in self._switches.items():
            if SPACES[space] not in self._known:
                self._told(switch, bool(standing >> space & 1))

    def is_played(self, before: Position, after: Position, left: Set[int] = frozenset()) -> None:
        """People have said that this turn was played: a switch that should have felt it and has not is not believed.

        One that has changed since the turn began has felt something: what does not agree is the next turn by now.
        `left`: the spaces of tokens that may lie there still, and are asked for.
        """
        for space in bits(before.stood_on ^ after.stood_on):
            switch = self._switches.get(space)
            if (
                space not in left
                and switch is not None
                and not switch.has_changed
                and SPACES[space] not in self._known
            ):
                self._told(switch, bool(after.stood_on >> space & 1))

    def is_told(self, space: int, there: bool) -> None:
        """People have said whether a magnet stands on one space."""
        if SPACES[space] not in self._known:
            self._told(self._switches.setdefault(space, _Switch()), there)

    def _told(self, switch: _Switch, there: bool) -> None:
        if switch.closed != there:
            switch.trouble = Trouble.DEAD if there else Trouble.STUCK

    @property
    def are_all_dead(self) -> bool:
        """Is none of many switches that should be closed closed? Then no reeds are connected."""
        dead = sum(each.trouble is Trouble.DEAD for each in self._switches.values())
        return dead >= _MOST_DEAD and not any(each.closed for each in self._switches.values())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is out of order, in words."""
        if self.are_all_dead:
            return (
                Finding(
                    "reeds",
                    say("table.reeds_dead"),
                    say("table.reeds_cable"),
                ),
            )
        return tuple(
            Finding(
                f"reed {SPACES[space]}",
                say(f"table.reed_{each.trouble.value}", place=place_name(SPACES[space])),
                say("table.reed_try"),
            )
            for space, each in sorted(self._switches.items())
            if each.trouble is not None
        )

    # -- one look

    def _take_in(self, switches: Switches, now: float, *, blind: bool) -> None:
        closed = {_INDEX[name] for name in switches.closed - switches.ignored if name in _INDEX}
        if not self._switches:
            self._switches = {
                space: _Switch(space in closed, has_closed=space in closed) for space in range(len(SPACES))
            }
            self._changed_at = now
            return
        if closed and self.are_all_dead:
            # The cable is in again: what was called dead for its sake has yet to be shown to be so.
            for each in self._switches.values():
                if each.trouble is Trouble.DEAD:
                    each.trouble = each.contrary_since = None
        for space, each in self._switches.items():
            # One that has just been found to be broken has not opened.
            if each.closed != (space in closed) and SPACES[space] not in switches.ignored:
                each.closed = space in closed
                each.has_closed = each.has_closed or each.closed
                each.has_changed = True
                each.changed_at = now
                each.changes.append(now)
                each.in_turn = [*each.in_turn, now][-_MOST_KEPT:]
                if blind and each.trouble is (Trouble.DEAD if each.closed else Trouble.STUCK):
                    each.trouble = None  # it does what it was said not to do
                if each.trouble is None:
                    self._changed_at = now

    def _compare(self, space: int, there: bool, now: float) -> None:
        each = self._switches[space]
        if each.closed == there:
            each.contrary_since = None
            # Shown to work where it did not before.
            if each.trouble is (Trouble.DEAD if there else Trouble.STUCK):
                each.trouble = None
        elif each.contrary_since is None:
            each.contrary_since = now
        elif now - each.contrary_since >= CONTRARY_S and each.trouble is not Trouble.WEAK:
            each.trouble = Trouble.DEAD if there else Trouble.STUCK

    def _judge_flicker(self, now: float, most: int) -> None:
        for each in self._switches.values():
            if not each.changes:
                continue
            each.changes = [at for at in each.changes if now - at < CALM_S]
            if each.trouble is Trouble.WEAK:
                if not each.changes:
                    each.trouble = None
            elif sum(at > max(self._moved_at, now - FLICKER_S) for at in each.changes) >= most:
                each.trouble = Trouble.WEAK


def plainly_seen(reading: Reading) -> Iterator[tuple[int, bool]]:
    """The spaces of which one look tells for certain whether a magnet stands on them."""
    doubtful = {_INDEX[name] for name in reading.hidden | reading.partly_hidden if name in _INDEX}
    there: set[int] = set()
    seen = [*(mini.spaces for mini in reading.minis), *(token.spaces for token in reading.tokens)]
    for name, p in (pair for spaces in seen for pair in spaces):
        (there if p >= _PLAIN else doubtful).add(_INDEX[name])
    for space in range(len(SPACES)):
        if space in there:
            yield space, True
        elif space not in doubtful:
            yield space, False
