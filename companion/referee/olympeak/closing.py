"""The stages that close a round and a game: the columns are cleared, the tiles are turned up."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak.events import EndRound, Predictions, Ruling
from companion.games.olympeak.position import GameState
from companion.messages import say
from companion.referee.olympeak import verdicts
from companion.referee.olympeak.ending import wrong_tiles
from companion.referee.olympeak.laid_after import laid_after
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Misfit, placed_misfits
from companion.referee.olympeak.patience import BESIDE_S, FINDING_S, LOOKS, TILE_S
from companion.referee.olympeak.session import Session
from companion.referee.olympeak.wording import UNSEEN, exchange_text
from companion.referee.verdict import Verdict
from companion.sensing.olympeak.reading import OlympeakReading


def ending_round(session: Session, state: GameState, look: Look, now: float) -> Verdict:
    """Waits until the columns are empty (O11), or until cards of the next round alone lie there."""
    if session.restoring:
        # Taken back as far as this: bare columns are those of the round that followed, and are to be laid again.
        misfits, _, _ = placed_misfits(state, look)
        if misfits:
            return session.differing(look, say("referee.taken_back", n=1))
        session.restoring = False
    extra = _extra(session, state, look)
    if extra:
        # Everybody lends a hand now: a card may be put down for a moment.
        return session.not_fitting(state, list(extra), look, now, patience=BESIDE_S)
    if extra is not None:
        session.gap.closed()
    session.resuming = False
    old = {each.card for each in state.placed}
    if not old.isdisjoint(look.in_columns) or look.columns_hidden or "row" in look.hidden:
        session.agreement.reset()
        return session.round_verdict(state, look)
    looks, _ = session.agreement.count("cleared", now)
    if looks < LOOKS:
        return session.round_verdict(state, look)
    state = session.write(EndRound())
    session.notes.news = exchange_text(state)
    return session.reveal_verdict(state, look)


def turning_tiles(
    session: Session, state: GameState, reading: OlympeakReading, look: Look, now: float
) -> Verdict:
    """Waits until all tiles are turned up (O15)."""
    tiles, players = session.tiles, session.players
    tiles.look(reading)
    event = tiles.predictions(state)
    extra = _extra(session, state, look) if event is None else None
    if extra:
        return session.not_fitting(state, list(extra), look, now, patience=BESIDE_S)
    if extra is not None:
        session.gap.closed()
    session.resuming = False
    missing = tiles.missing(players)
    looks, lasted = session.agreement.count(("tiles", event, missing), now)
    if event is None:
        if len(missing) < 2 * players and lasted >= TILE_S:
            return _tile_missing(session, state, *missing[0])
        return session.tiles_verdict(state)
    if looks < LOOKS:
        return session.verdict
    wrong = wrong_tiles(state, event)
    if wrong:
        if lasted < FINDING_S:
            return session.verdict
        session.notes.find_all(wrong)
        return verdicts.tiles_wrong(state, event, wrong)
    return finish(session, event)


def _extra(session: Session, state: GameState, look: Look) -> Sequence[Misfit] | None:
    """Cards that were laid after the end; None where that is not certain, as after turns that nobody saw."""
    turns = session.course.turns
    last = turns[-1].events[-1] if turns else None
    return None if isinstance(last, Ruling) and last.text == UNSEEN else laid_after(state, look)


def finish(session: Session, event: Predictions) -> Verdict:
    """The tiles are scored: the game is over."""
    state = session.write(event)
    session.tiles.forget()
    return verdicts.over(state)


def _tile_missing(session: Session, state: GameState, seat: int, side: str) -> Verdict:
    text = verdicts.missing_tile_text(state, seat, side)
    if not session.notes.knows(text):
        session.notes.find(text, "O15")
    return verdicts.tile_missing(state, seat, side, session.tiles_verdict(state))
