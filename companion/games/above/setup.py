"""Setting up a game by the cards (A3, A4), with a passed-in generator."""

from __future__ import annotations

import random

from companion.errors import CompanionError
from companion.games.above.board import STANDARD, Board
from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.cards import SETUP_CARDS, SetupCard
from companion.games.above.hands import HAND_BITS, ONE_OF_EACH
from companion.games.above.position import Position, position_of
from companion.games.above.tables import tables_of
from companion.games.above.turn import ACTIVATE

__all__ = ["SETUP_CARDS", "STARTERS", "STARTERS_PER_TYPE", "SetupCard", "SetupError", "initial_position"]

#: The starter tokens in the order in which the cards place them.
STARTERS: tuple[str, ...] = ("thunder", "barrier", "gate", "fertility")
STARTERS_PER_TYPE = 2


class SetupError(CompanionError, ValueError):
    """A game that cannot be set up: wrong number of players, a board too small, cards off the board."""


def initial_position(
    players: int,
    rng: random.Random,
    board: Board = STANDARD,
    cards: tuple[SetupCard, ...] = SETUP_CARDS,
) -> Position:
    """A legal first position: deities, starter tokens, cards dealt, the holder of Zeus-α to move."""
    if players not in (2, 4):
        raise SetupError(f"Above is played by 2 or 4, not by {players}.")
    if board.columns < 2 * len(DEITIES):
        raise SetupError(f"{len(DEITIES)} deities on every other space need {2 * len(DEITIES)} columns.")
    parity = rng.randrange(2)
    row = [column * board.rings for column in range(parity, 2 * len(DEITIES), 2)]
    rng.shuffle(row)
    occupied = sum(1 << space for space in row)
    tokens = _starters(rng, board, cards, occupied)
    hands, starter = _deal(players, rng)
    return position_of(
        (
            tables_of(board, players),
            starter,
            bytes(row),
            occupied,
            tokens,
            sum(hand << HAND_BITS * seat for seat, hand in enumerate(hands)),
            ACTIVATE,
            -1,
            -1,
            False,
            0,
            (),
        ),
        None,
    )


def _starters(
    rng: random.Random, board: Board, cards: tuple[SetupCard, ...], occupied: int
) -> tuple[int, int, int, int]:
    """Two tokens of each type where pairs of cards say: the first the column, the second the ring.

    The rulebook does not say what to do when a pair names a space that is not open: shuffle again.
    """
    spots = STARTERS_PER_TYPE * len(STARTERS)
    if len(cards) != 2 * spots or any(f"{c.column}{c.ring}" not in board.index for c in cards):
        raise SetupError(f"The set-up needs {2 * spots} cards whose columns and rings are on the board.")
    pack = list(cards)
    for _ in range(10_000):
        rng.shuffle(pack)
        spaces = [board.index[f"{pack[n].column}{pack[n + 1].ring}"] for n in range(0, len(pack), 2)]
        if len(set(spaces)) == spots and not any(occupied >> space & 1 for space in spaces):
            laid = {token: 1 << spaces[2 * n] | 1 << spaces[2 * n + 1] for n, token in enumerate(STARTERS)}
            thunder, fertility, gate, barrier = (laid[token] for token in TOKENS)
            return (thunder, fertility, gate, barrier)
    raise SetupError("The columns and rings of the cards give no eight open spaces: correct the card data.")


def _deal(players: int, rng: random.Random) -> tuple[list[int], int]:
    """The hands, and the seat that holds Zeus of set 1."""
    if players == 2:
        return [ONE_OF_EACH, ONE_OF_EACH], rng.randrange(2)
    # Set 1 goes to one seat of either side, set 2 to the two others.
    pairs = [(0, 1), (0, 3), (2, 1), (2, 3)]
    one = rng.choice(pairs)
    two = (one[0] ^ 2, one[1] ^ 2)
    hands, starter = [0, 0, 0, 0], 0
    for pair in (one, two):
        pack = list(range(len(DEITIES)))
        rng.shuffle(pack)
        for n, deity in enumerate(pack):
            seat = pair[n % 2]
            hands[seat] += 1 << 2 * deity
            if pair is one and deity == 0:
                starter = seat
    return hands, starter
