"""What was taken back: as long as the table shows it, nothing new is read from the table."""

from __future__ import annotations

from companion.games.olympeak.events import Predictions, Reveal
from companion.referee.olympeak.explain import placed_misfits
from companion.referee.olympeak.ledger import Unit
from companion.referee.olympeak.look import Look
from companion.sensing.olympeak.reading import OlympeakReading


def still_shows(unit: Unit, reading: OlympeakReading, look: Look) -> bool:
    """Does the table show what was taken back?

    `look`: what lies before the seats, a card that one reading missed included. The columns are read anew, by
    the cards that lay there before.
    """
    first = unit.events[0]
    if isinstance(first, Predictions):
        return any(
            (each.first, each.second) == (first.first[each.seat], first.second[each.seat])
            for each in reading.tiles
            if each.seat < len(first.first)
        )
    misfits, _, _ = placed_misfits(unit.after, Look.of(reading, unit.before.placed))
    if misfits:
        return False
    if unit.after.placed != unit.before.placed:
        return True
    cards = first.cards if isinstance(first, Reveal) else ()
    return any(look.shown.get(seat) == card for seat, card in enumerate(cards))
