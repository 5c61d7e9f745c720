"""Taken back: as long as the table shows it, nothing new is read; and what is put back by hand is taken back too."""

from __future__ import annotations

from companion.games.olympeak.events import Predictions, Reveal
from companion.games.olympeak.position import GameState
from companion.messages import say
from companion.referee.olympeak.explain import explain
from companion.referee.olympeak.ledger import Unit
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import placed_misfits
from companion.referee.olympeak.patience import LOOKS, RESTORED_S
from companion.referee.olympeak.restored import restored
from companion.referee.olympeak.session import Session
from companion.referee.verdict import Verdict
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
    # What was taken back may reach into another round: of its cards only those that lay on tell the rows.
    lay_on = [each for each in unit.before.placed if each in unit.after.placed]
    misfits, _, _ = placed_misfits(unit.after, Look.of(reading, lay_on))
    if misfits:
        return False
    if unit.after.placed != unit.before.placed:
        return True
    cards = first.cards if isinstance(first, Reveal) else ()
    return any(look.shown.get(seat) == card for seat, card in enumerate(cards))


def take_back_restored(
    session: Session, state: GameState, reading: OlympeakReading, now: float
) -> Verdict | None:
    """Who puts the cards of the last turn back before their seats has taken it back as far as that.

    None while that is not what the table shows.
    """
    events = restored(session.course.turns, state, reading)
    if events is None:
        return None
    looks, lasted = session.agreement.count(("restored", events), now)
    if looks < LOOKS or lasted < RESTORED_S:
        return session.verdict
    session.course.take_back()
    session.tiles.forget()
    revealed = session.write(events[0])
    session.course.announce(events[1:])
    session.notes.news = say("olympeak.back_so_far")
    session.look = Look.of(reading, tuple(each for each in revealed.placed if each.turn < revealed.turn))
    return session.play_verdict(explain(revealed, session.look, session.memory).best)
