"""The stage of a turn before its cards are turned up, and how a reveal comes to be known."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak import rules
from companion.games.olympeak.events import Reveal, Ruling
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.refusal import Refusal
from companion.messages import say, sentences
from companion.referee.olympeak import verdicts
from companion.referee.olympeak.explain import explain
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, Misfit, placed_misfits
from companion.referee.olympeak.path import Memory
from companion.referee.olympeak.patience import (
    FINDING_S,
    LOOKS,
    MISSED_S,
    QUESTION_S,
    STALE_S,
    THINKING_S,
    UNNOTICED_S,
    UNSEEN_S,
)
from companion.referee.olympeak.reveal import (
    discarded_unseen,
    findings,
    is_possible,
    missed_reveals,
    taken_up,
)
from companion.referee.olympeak.session import Session
from companion.referee.olympeak.unseen import (
    as_it_stands,
    before_the_open_turn,
    may_lie,
    played_unseen,
    unseen_patience,
)
from companion.referee.olympeak.wording import UNSEEN, order_text
from companion.referee.verdict import Kind, Verdict


def revealing(session: Session, state: GameState, look: Look, now: float) -> Verdict:
    """Waits until a card lies face up before every seat."""
    session.glimpsed |= {
        seat: card for seat, card in look.shown.items() if session.left_over.cards.get(seat) != card
    }
    # What else a card went by that nobody has touched was misread.
    went_by = session.prints.went_by
    misread = {(seat, name) for seat in look.shown for name in went_by.get(seat, ())}
    session.turned_up = (session.turned_up - misread) | session.glimpsed.items()
    session.chosen |= look.face_down | session.glimpsed.keys()
    misfits, _, _ = placed_misfits(state, look)
    if misfits:
        return _played_before_reveal(session, state, look, misfits, now)
    session.resuming = False
    session.gap.closed()
    left_over = session.left_over
    shown = {seat: look.shown[seat] for seat in state.setup.seats if seat in look.shown}
    if not left_over.cards and discarded_unseen(state, look, session.chosen, session.glimpsed):
        looks, lasted = session.agreement.count(("discarded", look.discard_top), now)
        if looks < LOOKS or lasted < MISSED_S:
            return session.reveal_verdict(state, look)
        return _only_orders(session, state, look)
    if len(shown) < session.players:
        session.agreement.reset()
        return session.reveal_verdict(state, look)
    cards = tuple(shown[seat] for seat in state.setup.seats)
    # A doubt is as old as the gap that it comes from.
    key = ("reveal", cards, tuple(left_over.cards), left_over.unwatched)
    looks, lasted = session.agreement.count(key, now)
    if left_over.cards:
        patience = _doubt_after(session, state, cards)
        if not left_over.is_asked and (patience is None or lasted < patience):
            return session.reveal_verdict(state, look)
        left_over.is_asked = True
        return verdicts.is_it_new(state, left_over)
    odd = findings(state, cards)
    if not is_possible(state, cards) or looks < LOOKS or (odd and lasted < FINDING_S):
        return session.verdict
    return commit_reveal(session, state, cards, look)


def _only_orders(session: Session, state: GameState, look: Look) -> Verdict:
    """Order cards alone were turned up and are discarded by now: that is written with the cards if all were seen."""
    cards = tuple(session.glimpsed.get(seat, "") for seat in state.setup.seats)
    if not all(cards) or not is_possible(state, cards):
        return go_on_from(session, as_it_stands(state), look)
    after = session.write(Reveal(cards))
    session.left_over.forget()
    return _tell_reveal(session, after, findings(state, cards), look)


def _doubt_after(session: Session, state: GameState, cards: tuple[str, ...]) -> float | None:
    """After how long (seconds) it is to be asked whether what was left lying was chosen anew; None: it was not.

    Where the others have turned up new cards, it may have been. Where nothing new lies anywhere, people look at what
    they have just turned up, and think: only what could not be watched at all may be another reveal, and not with
    cards that cannot have come back to the hands (O3, O6).
    """
    left_over = session.left_over
    if left_over.is_known_old:
        return None
    unwatched = left_over.cards.keys() <= left_over.unwatched
    if len(left_over.cards) < session.players:
        return STALE_S if unwatched else THINKING_S
    return THINKING_S if unwatched and not findings(state, cards) else None


def commit_reveal(session: Session, state: GameState, cards: tuple[str, ...], look: Look) -> Verdict:
    """These cards were turned up: it is written, and the order of play said."""
    odd = findings(state, cards)
    return _tell_reveal(session, session.write(Reveal(cards)), odd, look)


def correct_reveal(session: Session, cards: tuple[str, ...], look: Look) -> Verdict:
    """These cards were turned up in the open turn, in place of those that were read first."""
    odd = findings(session.course.turns[-1].before, cards)
    state = session.course.rewrite(1, (Reveal(cards),))
    session.begin_unit()
    return _tell_reveal(session, state, odd, look)


def _tell_reveal(session: Session, state: GameState, odd: Sequence[Refusal], look: Look) -> Verdict:
    notes = session.notes
    for each in odd:
        notes.find(each.sentence, each.ruling)
    session.doubles.are_told(look.twice)
    if state.phase is Phase.PLAY:
        notes.news = order_text(state)
        best = explain(state, look, Memory()).best
        if not best.events and not best.misfits:
            return session.play_verdict(best)
        return Verdict(Kind.READY, state.order[0], notes.tell(""))
    notes.news = say("olympeak.only_orders")
    return session.reveal_verdict(state, look)


def go_on_from(session: Session, ruling: Ruling, look: Look) -> Verdict:
    """What was played out of sight is taken as it lies."""
    state = session.course.rule(ruling)
    session.begin_unit()
    session.gap.closed()
    session.notes.news = sentences(UNSEEN, say("olympeak.unseen_go_on"))
    return session.after_turn_verdict(state, look)


def _played_before_reveal(
    session: Session, state: GameState, look: Look, misfits: list[Misfit], now: float
) -> Verdict:
    """Something lies in the columns that the game does not know: was the reveal missed, or whole turns?"""
    known = session.known_reveal or session.inferred
    session.missed = missed_reveals(state, look, misfits, known, session.glimpsed)
    certain = not session.left_over.cards.keys() & look.shown.keys()
    if len(session.missed) == 1 and certain:
        session.told_by_play[session.missed[0]] += 1
        if session.telling.count(session.missed, now)[0] >= LOOKS:
            session.inferred = session.missed[0]
    # Whoever was asked to show a card once more, and chooses the next one, plays on from what lies there.
    still_lies = bool(session.asked_again) and session.asked_about <= set(misfits)
    went_on = still_lies and (look.shown.keys() | look.face_down).issuperset(state.setup.seats)
    whole = session.gap.was_long or len(misfits) >= session.players or went_on
    fresh = look.shown.keys() - session.left_over.cards.keys()
    unknown: Sequence[Misfit] = misfits
    if 0 < len(fresh) < session.players:
        # The others have revealed and played: what lies lowest is theirs.
        unknown = before_the_open_turn(misfits, session.players - len(fresh))
    ruling = None
    if whole and not session.resuming and len(session.missed) != 1:
        ruling = played_unseen(state, unknown, look, session.scoreboard.seen)
    if ruling is not None:
        looks, lasted = session.agreement.count(("unseen", ruling), now)
        usual = UNSEEN_S if session.gap.was_long else UNNOTICED_S
        patience = unseen_patience(state, ruling, session.scoreboard.seen, usual=usual)
        if looks >= LOOKS and lasted >= patience:
            return go_on_from(session, ruling, look)
        if looks >= LOOKS and patience == usual:
            session.lay_unseen = ruling
        return session.verdict
    seen = _as_seen(session, state, look) if certain and len(session.missed) <= 1 else None
    if len(session.missed) == 1 and certain:
        looks, lasted = session.agreement.count(("missed", session.missed), now)
        if looks < LOOKS or lasted < MISSED_S:
            return session.verdict
        session.resuming = False
        return _commit_missed(session, state, seen or session.missed[0], session.missed[0], look)
    if seen is not None and not session.missed and not session.resuming:
        looks, lasted = session.agreement.count(("exchanged", seen), now)
        if looks < LOOKS or lasted < MISSED_S:
            return session.verdict
        return _commit_missed(session, state, seen, _glimpsed(session, state, look), look)
    if session.missed and not session.resuming:
        _, lasted = session.agreement.count(("missed", session.missed), now)
        if lasted < QUESTION_S:
            return session.verdict
        return verdicts.who_revealed_what(state, session.missed)
    absent = taken_up(state, look, misfits, session.chosen)
    if absent and not session.left_over.cards and not session.gap.was_long and not session.resuming:
        # Whoever can show no card any more can still declare that play goes on from what lies there.
        session.doubtful = (state, tuple(misfits))
        _, lasted = session.taken_up.count(absent, now)
        if lasted < QUESTION_S:
            return session.verdict
        session.asked_again, session.asked_about = absent, frozenset(misfits)
        return verdicts.lay_once_more(state, absent)
    so_asked = session.asked_again and session.asked_about == set(misfits) and not session.resuming
    if so_asked and all(may_lie(state, each) for each in misfits):
        # All cards had gone from before the seats: whatever lies there since, nobody has played too early.
        session.doubtful = (state, tuple(misfits))
        return verdicts.lay_once_more(state, session.asked_again)
    return session.not_fitting(state, misfits, look, now)


def _commit_missed(
    session: Session, state: GameState, cards: tuple[str, ...], told: tuple[str, ...], look: Look
) -> Verdict:
    """The reveal was not seen whole. Where a card that was seen counts, not the one told by what lies there now, nothing
    says whether it was exchanged before all were turned up, which is free, or after: unless it lay there after somebody
    had played.
    """
    if session.told_by_play[cards] < LOOKS:
        for seat, (card, other) in enumerate(zip(cards, told, strict=True)):
            if card != other:
                session.prints.doubt(seat, card)
    return commit_reveal(session, state, cards, look)


def _as_seen(session: Session, state: GameState, look: Look) -> tuple[str, ...] | None:
    """The reveal with the card that was seen before a seat, where another one lies there or was played in its place:
    whether that was misread, or exchanged, is for the open turn to ask. None where nothing else was seen, or several
    cards as often.
    """
    told = session.missed[0] if session.missed else _glimpsed(session, state, look)
    if not told or session.gap.was_long or told == session.known_reveal:
        return None
    seen = []
    for seat, card in sorted(session.turned_up):
        if seat not in look.shown and session.glimpsed.get(seat) == told[seat]:
            continue  # chosen anew in plain view before all cards were turned up
        if session.prints.are_one(seat, card, told[seat]):
            continue  # misread: nobody touched it before it was read as the one that lies there now
        looks = session.prints.looks_at(seat, card)
        gone = card not in (*told, *look.in_view, look.discard_top)
        cards = (*told[:seat], card, *told[seat + 1 :])
        if not (looks and gone and is_possible(state, cards)) or findings(state, cards):
            continue
        after = rules.apply(state, Reveal(cards))
        if after.phase is Phase.PLAY and (session.missed or _is_exchanged(after, seat, look)):
            seen.append((looks, cards))
    most = max((looks for looks, _ in seen), default=0)
    likeliest = [cards for looks, cards in seen if looks == most]
    return likeliest[0] if len(likeliest) == 1 else None


def _glimpsed(session: Session, state: GameState, look: Look) -> tuple[str, ...]:
    """What lies or was seen last before each seat; empty where nothing was before one of them."""
    cards = session.glimpsed | look.shown
    seats = state.setup.seats
    return tuple(cards[seat] for seat in seats) if cards.keys() >= set(seats) else ()


def _is_exchanged(after: GameState, seat: int, look: Look) -> bool:
    """Is all that lies there rightly played after this reveal, but that another card lies before this seat?"""
    best = explain(after, look, Memory()).best
    return bool(best.events) and [(each.fault, each.seat) for each in best.misfits] == [(Fault.SWAPPED, seat)]
