"""Evidence: what one settled look says about every item on the table, as costs (negative log likelihoods).

An item is a miniature (its state is a space or in the air), a token slot (a type on a space: there or not), a
card slot (a deity at a seat: how many lie Powered) or, where there are switches, the magnet over one of them.
Nothing is believed outright: every state of every item has a cost, and what a hand covers costs nothing. A cost
of CONTRADICTION or more says "clearly not so".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Set
from dataclasses import dataclass, field, replace

from companion.games.above.board import SPACES, Board
from companion.games.above.box import DEITIES, TOKEN_IDS, TOKENS, Table
from companion.sensing.reading import CardSighting, Reading

AIR = -1
# A miniature in the air is nowhere on its path, which is a little less likely than standing somewhere on it.
AIR_COST = 0.2
CONTRADICTION = 2.5

# A seen marker leaves at most this much doubt about where it is: misread ids and slips of the lens exist.
_FLOOR = 0.002
# Costs of not seeing something. Sight keeps a piece whose surroundings did not change, so an uncovered piece
# that is not seen has very probably gone; its switch still being closed says the opposite.
_UNSEEN_VISIBLE = 3.5
_UNSEEN_CLOSED = 0.2
_UNSEEN_OPEN = 5.0
_UNSEEN_OPEN_COVERED = 1.0
_UNSEEN_HIDDEN = 0.3
# Not seen, but another miniature's marker is read here that is read in a second place too: one of the two is wrong.
_MISREAD = 1.5
# What a piece known by its colour leaves open is worth weighing from here on; and so sure it must be to count as seen.
_OPEN = 0.03
_SURE_BY_COLOUR = 0.9
_WRONG_SIDE = 4.0
_UNSEEN_CARD = 0.5
# A switch that is closed where no magnet should be; only where the camera cannot see better.
_CLOSED_UNEXPLAINED = 3.5

# The card zones by seat, four players (see `Table.seat_at`), as a reading names them when a hand is there.
_ZONES = ("cards sw", "cards nw", "cards ne", "cards se")

_BOARD = Board.of()
_INDEX = {name: number for number, name in enumerate(SPACES)}


@dataclass(frozen=True, slots=True)
class Switches:
    """The reeds as they stand: the spaces whose switch is closed. No object: no reeds.

    `ignored`: switches that cannot be believed (see `reeds`): nothing follows from them either way. `changed`: those that
    have opened or closed in this turn.
    """

    closed: frozenset[str]
    ignored: frozenset[str] = field(default=frozenset())
    changed: frozenset[str] = field(default=frozenset())


class Evidence:
    """Costs of every item's states, from one reading and the reeds.

    `mini_cost(deity, space)`, `token_cost(token, space, present)`, `card_cost(seat, deity, count)` and
    `magnet_cost(space, present)` take the indexes of `DEITIES`, `TOKENS` and `SPACES`; the matching `..._sure`
    functions say whether the state was positively seen, which accepting a turn demands.

    `owed`: (token, space) of tokens that no longer count, though nobody has taken them off the board yet. `stirred`:
    without a camera, the spaces whose switch has changed in this turn: what lies there need not be what lay there.
    `felt_unseen`: (token, space) of tokens that may have been laid in this turn where only a switch can tell: under a
    hand, or behind a miniature's cap.
    """

    def __init__(
        self,
        reading: Reading,
        players: int,
        table: Table,
        switches: Switches | None = None,
        owed: Set[tuple[int, int]] = frozenset(),
    ) -> None:
        self.reading = reading
        self.players = players
        self.owed = owed
        self._table = table
        self._switches = switches
        self._hidden = frozenset(_INDEX[name] for name in reading.hidden if name in _INDEX)
        self._under_hand = frozenset(_INDEX[name] for name in reading.under_hand if name in _INDEX)
        self._closed: frozenset[int] | None = None
        self._ignored: frozenset[int] = frozenset()
        if switches is not None:
            self._ignored = frozenset(_INDEX[name] for name in switches.ignored)
            self._closed = frozenset(_INDEX[name] for name in switches.closed) - self._ignored
            if reading.blind:
                # A magnet that does not count any more tells nothing about what else may stand there.
                self._ignored |= {space for _, space in owed} & self._closed
                self._closed -= self._ignored
        changed = () if switches is None else switches.changed
        self._changed = frozenset(_INDEX[name] for name in changed) - self._ignored
        self.stirred = self._changed if reading.blind else frozenset()
        self._partly_hidden = frozenset(_INDEX[name] for name in reading.partly_hidden)
        # Where nothing at all can be seen.
        self._out_of_view = self._hidden
        self._read_tokens_at: set[tuple[int, int]] = set()
        self._tokens = self._read_tokens()
        if self._closed is not None:
            # Where a cap may cover what lies there, the switch knows better; but for what is seen there none the less.
            self._hidden |= self._partly_in_doubt & self._closed
        self._minis, self._misread = self._read_minis()
        self._by_marker = frozenset(
            DEITIES.index(sighting.deity) for sighting in self.reading.minis if sighting.by_marker
        )
        standing = (_likeliest(seen) for seen in self._minis.values())
        self._stood_on = frozenset(space for space in standing if space is not None)
        self.felt_unseen = frozenset() if reading.blind else self._felt_unseen()
        self._cards = self._read_cards()

    def without(self, owed: Set[tuple[int, int]]) -> Evidence:
        """The same evidence when these tokens do not count any more, whether they lie there or not."""
        return Evidence(self.reading, self.players, self._table, self._switches, owed)

    def without_switch(self, space: int) -> Evidence:
        """The same evidence when one more switch is not believed."""
        assert self._switches is not None
        deaf = replace(self._switches, ignored=self._switches.ignored | {SPACES[space]})
        return Evidence(self.reading, self.players, self._table, deaf, self.owed)

    @property
    def says(self) -> Hashable:
        """All that any cost follows from: looks of which it is the same are the same evidence."""
        return (
            self.is_blind,
            tuple((deity, tuple(seen.items())) for deity, seen in sorted(self._minis.items())),
            self._misread,
            self._by_marker,
            tuple(sorted(self._tokens.items())),
            frozenset(self._read_tokens_at),
            tuple(sorted(self._cards.items())),
            self.reading.hidden,
            self._hidden,
            self.reading.under_hand,
            self._closed,
            self._ignored,
            self._changed if self._hidden or self.is_blind else frozenset(),
        )

    @property
    def is_blind(self) -> bool:
        """Is there no camera? Then the rules and the switches have to do, and cards cannot be known."""
        return self.reading.blind

    def watched(self, stood_on: int) -> int:
        """The spaces (a bit set) where a switch tells what the camera cannot. `stood_on`: those with a magnet when the
        turn began.

        Where the camera sees the rest of the table, a switch that was closed before this turn, over nothing, tells
        nothing of it: whatever that is, nobody has put it there now.
        """
        if self._closed is None:
            return 0
        if self.is_blind:
            spaces = frozenset(range(len(SPACES)))
        else:
            stale = self._closed - self._changed
            spaces = frozenset(
                space for space in self._out_of_view if space not in stale or stood_on >> space & 1
            )
        return sum(1 << space for space in spaces - self._ignored)

    # -- miniatures

    def mini_cost(self, deity: int, space: int) -> float:
        """How badly "this miniature stands on this space" fits (AIR: is in nobody's space)."""
        seen = self._minis.get(deity)
        if seen is None:
            return self._unseen_mini_cost(space)
        if not seen:
            return 0.0 if space == AIR else -math.log(_FLOOR)
        p = seen.get(space, 0.0)
        left = 1.0 - sum(seen.values())
        if left > _OPEN:
            # It may be another piece that was seen there: then this one was not seen at all.
            p += left * math.exp(-self._unseen_mini_cost(space))
        return -math.log(max(p, _FLOOR))

    def _unseen_mini_cost(self, space: int) -> float:
        """The same for a miniature that was not seen."""
        if space == AIR:
            return 0.3
        if space in self._misread:
            return _MISREAD
        if self._closed is not None and space not in self._ignored:
            if space in self._closed:
                return 0.0 if self.is_blind else _UNSEEN_CLOSED
            covered = space in self._hidden and not self.is_blind
            return _UNSEEN_OPEN_COVERED if covered else _UNSEEN_OPEN
        return _UNSEEN_HIDDEN if self.is_out_of_sight(space) else _UNSEEN_VISIBLE

    def mini_sure(self, deity: int, space: int) -> bool:
        """Was this miniature seen on this space, more likely than not? Without a camera its switch has to do."""
        if self.is_blind:
            return self._is_closed(space)
        least = 0.5 if deity in self._by_marker else _SURE_BY_COLOUR
        return self._minis.get(deity, {}).get(space, 0.0) > least

    def mini_at(self, deity: int) -> int | None:
        """The likeliest space of a miniature that was seen on the board, None if it was not."""
        return _likeliest(self._minis.get(deity))

    def in_hand(self, deity: int, space: int) -> bool:
        """Is a miniature that was last on this space more likely in somebody's hand or beside the board?"""
        return self.mini_cost(deity, AIR) + AIR_COST < self.mini_cost(deity, space)

    # -- tokens

    def token_cost(self, token: int, space: int, present: bool) -> float:
        """How badly "a token of this type lies (does not lie) on this space" fits."""
        seen = self._tokens.get((token, space), 0.0)
        if not present:
            return -math.log(max(1.0 - seen, _FLOOR))
        if seen > 0.0:
            return -math.log(max(seen, _FLOOR))
        if self._closed is not None and space not in self._ignored:
            if self._is_closed(space) and self.is_blind:
                return 0.0
            if self._is_closed(space):
                # In view, a closed switch may only mean a token under glare; it makes none of nothing.
                return _UNSEEN_CLOSED if space in self._hidden else 1.0
            covered = space in self._hidden and not self.is_blind
            return _UNSEEN_OPEN_COVERED if covered else _UNSEEN_VISIBLE
        if self.is_blind:
            return 0.0  # nothing tells either way: a token that lies there is no likelier to have gone
        return _UNSEEN_HIDDEN if self.is_out_of_sight(space) else _UNSEEN_VISIBLE

    def token_sure(self, token: int, space: int, present: bool) -> bool:
        """Was it positively seen there, or seen not to be there (the space in plain view and bare of it)?

        A miniature covers the space it stands on. Nobody stands one on a token, so that counts as bare; so does a space
        behind a cap, unless its switch is closed: people who can see it are believed (see `owed`). Without
        a camera the space's switch has to do, and a magnet over it is whatever the rules make of it.
        """
        if self.is_blind:
            return self._is_closed(space) if present else space not in self._ignored
        seen = self._tokens.get((token, space), 0.0)
        if present:
            least = 0.5 if (token, space) in self._read_tokens_at else _SURE_BY_COLOUR
            return seen > least or ((token, space) in self.felt_unseen and self._is_behind_a_cap(space))
        unseen = space in self._hidden and space not in self._stood_on
        return seen < 0.5 and not (unseen and (self._is_closed(space) or not self._is_behind_a_cap(space)))

    def tokens_seen(self) -> Mapping[tuple[int, int], float]:
        """The probability of each (token, space) on which a token was seen."""
        return self._tokens

    # -- magnets

    def magnet_cost(self, space: int, present: bool) -> float:
        """How badly "a magnet stands (does not stand) over this space's switch" fits.

        That one is missing is weighed with the piece itself.
        """
        return 0.0 if present or not self._is_closed(space) else _CLOSED_UNEXPLAINED

    def is_out_of_sight(self, space: int) -> bool:
        """Does nothing tell what stands on a space? Without a camera so where its switch cannot be believed."""
        return space in self._hidden or (self.is_blind and space in self._ignored)

    @property
    def unfelt(self) -> frozenset[int]:
        """The spaces whose switch cannot be believed."""
        return self._ignored

    def is_felt_bare(self, space: int) -> bool:
        """Does a switch that can be believed say that no magnet stands on this space?"""
        return self._closed is not None and space not in self._ignored and space not in self._closed

    def _is_closed(self, space: int) -> bool:
        return self._closed is not None and space in self._closed

    # -- cards

    def card_cost(self, seat: int, deity: int, count: int) -> float:
        """How badly "`count` cards of this deity lie Powered before this seat" fits."""
        if self.is_blind:
            return 0.0
        powered, spent = self._cards.get((seat, deity), (0, 0))
        if self.players == 4:
            # What a hand covers may lie there; what is seen does.
            if powered < count and _ZONES[seat] in self.reading.hidden:
                return _UNSEEN_CARD
            return _WRONG_SIDE * abs(count - powered)
        if powered == spent:
            return _UNSEEN_CARD
        return 0.0 if count == (1 if powered else 0) else _WRONG_SIDE

    def card_sure(self, seat: int, deity: int, count: int) -> bool:
        """Was the card seen to lie so? Without a camera nobody ever sees it, and the rules have to do."""
        if self.is_blind:
            return True
        powered, spent = self._cards.get((seat, deity), (0, 0))
        if self.players == 4:
            return count == powered and _ZONES[seat] not in self.reading.hidden
        return powered != spent and count == (1 if powered else 0)

    def powered_seen(self, seat: int) -> dict[int, int]:
        """How many Powered cards of each deity (index) were seen before a seat."""
        return {deity: n for (at, deity), (n, _) in self._cards.items() if at == seat and n}

    def spent_seen(self, seat: int) -> frozenset[int]:
        """The deities of which a Spent card was seen before a seat."""
        return frozenset(deity for (at, deity), (_, n) in self._cards.items() if at == seat and n)

    def is_hidden(self, space: int) -> bool:
        """Could this space not be seen?"""
        return space in self._hidden

    def seat_of(self, sighting: CardSighting) -> int | None:
        """The seat before which a card lies, None if before nobody."""
        return self._table.seat_at(sighting.xyz_mm[0], sighting.xyz_mm[1], self.players)

    # -- reading in

    def _read_minis(self) -> tuple[dict[int, dict[int, float]], frozenset[int]]:
        """Where each miniature was seen, and where one was read that is read in another place as well.

        There is one of each: of two markers with one id on the board, either may be the misread one.
        """
        minis: dict[int, dict[int, float]] = {}
        places: dict[int, list[dict[int, float]]] = {}
        by_colour: dict[int, dict[int, float]] = {}
        for sighting in self.reading.minis:
            spaces = {_INDEX[name]: p for name, p in sighting.spaces if name in _INDEX}
            deity = DEITIES.index(sighting.deity)
            if sighting.by_marker:
                places.setdefault(deity, []).append(spaces)
                continue
            known = by_colour.setdefault(deity, {})
            for space, p in spaces.items():
                known[space] = known.get(space, 0.0) + p
        misread: set[int] = set()
        minis |= {deity: seen for deity, seen in by_colour.items() if deity not in places and seen}
        for deity, seen in places.items():
            on_board = [spaces for spaces in seen if spaces]
            if len(on_board) < 2:
                minis[deity] = on_board[0] if on_board else {}
                continue
            merged: dict[int, float] = {}
            for spaces in on_board:
                misread.add(max(spaces, key=lambda space: spaces[space]))
                for space, p in spaces.items():
                    merged[space] = max(merged.get(space, 0.0), p)
            minis[deity] = merged
        return minis, frozenset(misread)

    def _read_tokens(self) -> dict[tuple[int, int], float]:
        """A token known by its colour may be any of several of its type: that it is one of them is sure."""
        tokens: dict[tuple[int, int], float] = {}
        by_colour: dict[tuple[int, int], float] = {}
        for sighting in self.reading.tokens:
            kind = TOKENS.index(sighting.token)
            for name, p in sighting.spaces:
                slot = (kind, _INDEX[name])
                if slot in self.owed:
                    continue
                if sighting.by_marker:
                    tokens[slot] = max(tokens.get(slot, 0.0), p)
                    self._read_tokens_at.add(slot)
                else:
                    by_colour[slot] = by_colour.get(slot, 0.0) + p
        for slot, p in by_colour.items():
            tokens[slot] = max(tokens.get(slot, 0.0), min(p, 1.0))
        return tokens

    def _felt_unseen(self) -> frozenset[tuple[int, int]]:
        """(token, space) where a magnet has come in this turn that cannot be seen.

        Of which type it is the rules tell; but it is none of a type of which all are seen elsewhere.
        """
        if self._closed is None or not self._hidden:
            return frozenset()
        known = self._stood_on | {space for _, space in self._tokens}
        felt = (self._hidden & self._closed & self._changed) - known
        in_view = Counter(each.token for each in self.reading.tokens if each.by_marker)
        return frozenset(
            (number, space)
            for number, token in enumerate(TOKENS)
            if in_view[token] < len(TOKEN_IDS[token])
            for space in felt
        )

    @property
    def unseen_behind_caps(self) -> frozenset[int]:
        """The spaces that caps alone hide, where no switch tells that no token lies there."""
        return frozenset(space for space in self._perhaps_laid(self._hidden) if self._is_behind_a_cap(space))

    @property
    def partly_behind_caps(self) -> frozenset[int]:
        """The spaces in view where a cap may cover a token that lies aside, and no switch tells that none does."""
        return self._perhaps_laid(self._partly_in_doubt)

    @property
    def _partly_in_doubt(self) -> frozenset[int]:
        """The spaces in view where a cap may cover a token, and none is read."""
        return self._partly_hidden - {space for _, space in self._tokens}

    def _perhaps_laid(self, spaces: frozenset[int]) -> frozenset[int]:
        """Those on which nobody stands and of which no switch tells that they are empty.

        One that was closed when the turn began may be so for what was laid there since, or for what has gone.
        """
        if self.is_blind:
            return frozenset()
        return frozenset(space for space in spaces - self._stood_on if not self.is_felt_bare(space))

    def _is_behind_a_cap(self, space: int) -> bool:
        """May a cap hide a token here: that of a miniature next to it, seen to stand there, and no hand over the space?

        A hand may still be at work.
        """
        return space not in self._under_hand and any(
            _BOARD.reach[space] >> near & 1 for near in self._stood_on
        )

    def _read_cards(self) -> dict[tuple[int, int], tuple[int, int]]:
        cards: dict[tuple[int, int], tuple[int, int]] = {}
        for sighting in self.reading.cards:
            seat = self.seat_of(sighting)
            if seat is None:
                continue
            slot = (seat, DEITIES.index(sighting.deity))
            powered, spent = cards.get(slot, (0, 0))
            cards[slot] = (powered + 1, spent) if sighting.powered else (powered, spent + 1)
        return cards


def _likeliest(seen: Mapping[int, float] | None) -> int | None:
    """Where a miniature is; None if it is likelier that it was not seen on the board."""
    if not seen or sum(seen.values()) < 0.5:
        return None
    return max(seen, key=lambda space: seen[space])
