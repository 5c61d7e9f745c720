"""A position of Above: everything that lies on the table, whose turn it is and how far the turn has come."""

from __future__ import annotations

from enum import Enum

from companion.games.above import turn as course
from companion.games.above.board import STANDARD, Board
from companion.games.above.box import DEITIES, TOKENS, TOKENS_PER_TYPE
from companion.games.above.hands import hand_deities, hand_of, pile
from companion.games.above.notation import PositionError, read_position, write_position
from companion.games.above.turn import State

__all__ = ["Phase", "Position", "PositionError"]


class Phase(Enum):
    """What has to be done next."""

    ACTIVATE = "activate"  # phase 1: exhaust a Powered card
    MOVE = "move"  # `mover` must step (phase 2, or a chain that a power started)
    JUMP = "jump"  # `mover` stands on a Gate and must jump (A9)
    POWER = "power"  # phase 3: the power of `activated`
    RECOVER = "recover"  # `decides` picks cards from the discard pile (A5, four players)
    OVER = "over"  # a miniature stands on the summit


_PHASES = {
    course.ACTIVATE: Phase.ACTIVATE,
    course.STEP: Phase.MOVE,
    course.JUMP: Phase.JUMP,
    course.POWER: Phase.POWER,
    course.CHAIN_STEP: Phase.MOVE,
    course.CHAIN_JUMP: Phase.JUMP,
    course.OVER: Phase.OVER,
}


class Position:
    """A state of the game, immutable, hashable and equal by value; also in the middle of a turn.

    Obtain one with `Position.parse`, `rules.initial_position` or `rules.apply`. What happens without a
    decision (tokens triggered and removed, two players' cards flipped back) has happened already, so what is
    told here is what should lie on the table. Everything public is a property without a setter.
    """

    __slots__ = ("_before", "_state")

    _state: State
    #: The state that the last action was applied to, for explanations only: it takes no part in equality.
    _before: State | None

    @staticmethod
    def parse(text: str, board: Board = STANDARD) -> Position:
        """The position of a canonical text; `PositionError` lists all its defects at once."""
        return position_of(read_position(text, board), None)

    def __str__(self) -> str:
        """The canonical text. Only the start of a turn has one: `PositionError` in the middle."""
        if not (self.at_turn_start or self.is_over):
            raise PositionError(
                ("A position has a text at the start of a turn only, this one is in the middle",)
            )
        return write_position(self._state)

    def __repr__(self) -> str:
        told = f"<Position {write_position(self._state)}"
        if self.at_turn_start or self.is_over:
            return told + ">"
        return f"{told}, {self.activated} activated, seat {self.decides} to {self.phase.value}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state)

    def __reduce__(self) -> tuple[object, tuple[State, State | None]]:
        return (position_of, (self._state, self._before))

    @property
    def board(self) -> Board:
        """The board it is played on (A1)."""
        return self._state[course.TABLES].board

    @property
    def players(self) -> int:
        """2, or 4 in two teams."""
        return self._state[course.TABLES].players

    @property
    def turn(self) -> int:
        """The seat whose turn it is; in a finished game the one that reached the summit."""
        return self._state[course.TURN]

    @property
    def decides(self) -> int:
        """The seat that decides the next action: `turn`, or the one that picks cards (A5)."""
        pending = self._state[course.PENDING]
        return pending[0] if pending else self._state[course.TURN]

    @property
    def picking(self) -> tuple[int, ...]:
        """The seats that must pick cards from the discard pile, in order (A5); four players only."""
        return self._state[course.PENDING]

    @property
    def at_turn_start(self) -> bool:
        """No card has been exhausted yet this turn, and the game is not over."""
        return self._state[course.STAGE] == course.ACTIVATE

    @property
    def is_over(self) -> bool:
        """A miniature stands on the summit (A17)."""
        return self._state[course.STAGE] == course.OVER

    @property
    def winner(self) -> tuple[int, ...]:
        """The winning seats, ascending; empty while the game goes on."""
        if not self.is_over:
            return ()
        return (self.turn,) if self.players == 2 else (self.turn % 2, self.turn % 2 + 2)

    @property
    def phase(self) -> Phase:
        """What has to be done next."""
        return Phase.RECOVER if self._state[course.PENDING] else _PHASES[self._state[course.STAGE]]

    @property
    def movement_phase(self) -> bool:
        """The activated deity is moving (phase 2), so Thunder would cost it its power (A7)."""
        return self._state[course.STAGE] in (course.STEP, course.JUMP)

    @property
    def activated(self) -> str | None:
        """The deity activated this turn; None before phase 1 and when the game is over."""
        deity = self._state[course.ACTIVATED]
        return None if deity < 0 else DEITIES[deity]

    @property
    def mover(self) -> str | None:
        """The deity that must step or jump next; None if none must or, with Aphrodite, the player chooses."""
        deity = self._state[course.MOVER]
        return None if deity < 0 else DEITIES[deity]

    @property
    def power_lost(self) -> bool:
        """The activated deity has triggered Thunder and is still moving: phase 3 will be skipped (A7)."""
        return self._state[course.STRUCK]

    @property
    def token_to_lay(self) -> str | None:
        """In phase 3 the token that has to be placed, or shifted if `reserve` has none left; else None."""
        if self._state[course.STAGE] != course.POWER:
            return None
        token = course.power_token(self._state[course.ACTIVATED])
        return None if token is None else TOKENS[token]

    @property
    def just_laid(self) -> str | None:
        """The space of Ares's first Barrier while the second is due; it may not be shifted (A12)."""
        state = self._state
        laid = (
            state[course.DETAIL]
            if state[course.STAGE] == course.POWER and state[course.ACTIVATED] == course.AR
            else 0
        )
        return self.board.spaces[laid - 1] if laid else None

    @property
    def athena_used(self) -> tuple[int, ...]:
        """The seats whose cards Athena's player has exhausted in this phase 3, one entry a card (A16)."""
        state = self._state
        if state[course.STAGE] not in (course.POWER, course.END) or state[course.ACTIVATED] != course.AT:
            return ()
        if self.players == 2:
            return (self.turn,) * state[course.DETAIL]
        mate = self.turn ^ 2
        return tuple(
            seat
            for seat, flag in ((self.turn, course.OWN), (mate, course.MATE))
            if state[course.DETAIL] & flag
        )

    @property
    def minis(self) -> tuple[int, ...]:
        """The space of each miniature by index, in the canonical order of the deities."""
        return tuple(self._state[course.MINIS])

    def space_of(self, deity: str) -> str:
        """The name of the space a deity's miniature stands on."""
        return self.board.spaces[self._state[course.MINIS][DEITIES.index(deity)]]

    def mini_on(self, space: str) -> str | None:
        """The deity on a space, if any."""
        index = self.board.index[space]
        return DEITIES[self._state[course.MINIS].index(index)] if index in self._state[course.MINIS] else None

    def tokens_on(self, token: str) -> tuple[str, ...]:
        """The spaces on which tokens of a type lie, in order."""
        return self.board.names(self._state[course.TOKENS][TOKENS.index(token)])

    def token_at(self, space: str) -> str | None:
        """The type of the token on a space, if any."""
        index = self.board.index[space]
        return next(
            (t for t, laid in zip(TOKENS, self._state[course.TOKENS], strict=True) if laid >> index & 1), None
        )

    def reserve(self, token: str) -> int:
        """How many tokens of a type lie in the Reserve."""
        return TOKENS_PER_TYPE - self._state[course.TOKENS][TOKENS.index(token)].bit_count()

    def powered(self, seat: int) -> tuple[str, ...]:
        """The Powered cards of a seat in canonical order, named twice if held twice."""
        return hand_deities(hand_of(self._state[course.CARDS], seat))

    @property
    def laid(self) -> tuple[int, int, int, int]:
        """The spaces of the four token types as bit sets of space indexes, for who compares many positions."""
        return self._state[course.TOKENS]

    @property
    def stood_on(self) -> int:
        """The spaces with a miniature or a token as a bit set of space indexes: magnets lie there."""
        thunder, fertility, gate, barrier = self._state[course.TOKENS]
        return self._state[course.OCCUPIED] | thunder | fertility | gate | barrier

    @property
    def powered_bits(self) -> int:
        """All Powered cards as one integer: 16 bits a seat, two bits a deity, which count its cards there."""
        return self._state[course.CARDS]

    def pile(self) -> tuple[str, ...]:
        """The common discard pile in canonical order; empty with two players."""
        return hand_deities(pile(self._state[course.CARDS])) if self.players == 4 else ()


def position_of(state: State, before: State | None) -> Position:
    """Wraps a state of `turn`; for the modules of the rules."""
    position = Position()
    position._state = state
    position._before = before
    return position
