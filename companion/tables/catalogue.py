"""Which games there are. The kits are loaded when they are asked for: they bring half the program along."""

from __future__ import annotations

from pathlib import Path

from companion.errors import CONFIGURATION, CompanionError
from companion.tables.kit import Kit

GAMES = ("above", "olympeak")


class UnknownGame(CompanionError, ValueError):
    """A game, or a number of players, that there is no table for."""

    exit_status = CONFIGURATION


def kit_for(game: str, players: int | None = None, deck: Path | None = None, *, named: bool = False) -> Kit:
    """The kit of a game; UnknownGame if there is none, or if so many cannot play it.

    `deck`: where the owner's cards of this game are kept, None for those that come with the program; `named`: a person
    has named that file, so it has to be there. Raises DeckError or CardsError if it cannot be used.
    """
    kit: Kit
    if game == "above":
        from companion.games.above.cards_file import owners_cards
        from companion.tables.above.kit import AboveKit

        kit = AboveKit() if deck is None else AboveKit(cards=owners_cards(deck, named=named))
    elif game == "olympeak":
        from companion.games.olympeak.deck_file import owners_box
        from companion.tables.olympeak.kit import OlympeakKit

        kit = OlympeakKit(None if deck is None else owners_box(deck, named=named))
    else:
        raise UnknownGame(f'There is no table for "{game}". Known: {", ".join(GAMES)}.')
    if players is not None and players not in kit.seats:
        *some, last = (str(number) for number in kit.seats)
        many = f"{', '.join(some)} or {last}"
        raise UnknownGame(f"{kit.title} is played by {many}, not {players}. Use --players {kit.seats[0]}.")
    return kit
