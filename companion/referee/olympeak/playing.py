"""The stage of a turn in which the revealed cards are played, one after the other."""

from __future__ import annotations

from companion.games.olympeak import rules
from companion.games.olympeak.events import EndTurn
from companion.games.olympeak.position import GameState
from companion.messages import say
from companion.referee.olympeak import verdicts
from companion.referee.olympeak.doubted import doubted
from companion.referee.olympeak.explain import explain
from companion.referee.olympeak.left_open import played_on
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, placed_misfits
from companion.referee.olympeak.misread import told_anew, untouched
from companion.referee.olympeak.path import Explanation, Path
from companion.referee.olympeak.patience import BESIDE_S, LOOKS, MISSING_S, QUESTION_S, UNSEEN_S, patience_for
from companion.referee.olympeak.session import Session
from companion.referee.olympeak.unseen import over_before, played_unseen
from companion.referee.olympeak.wording import turn_over_text, unit_text
from companion.referee.verdict import Kind, Verdict


def playing(session: Session, state: GameState, look: Look, now: float) -> Verdict:
    """Follows the turn that began at `state`; what it is sure of is announced."""
    memory = session.memory
    explanation = explain(state, look, memory)
    best = explanation.best
    if best.misfits and session.gap.was_long and not session.resuming:
        over = over_before(explanation)
        if (
            over is not None
            and played_unseen(_after(over), over.misfits, look, session.scoreboard.seen) is not None
        ):
            looks, lasted = session.agreement.count(("over unseen", over.events), now)
            if looks < LOOKS or lasted < UNSEEN_S:
                return session.verdict
            return end_turn(session, over, look)
    left = _left_open(session, explanation, look, now)
    if left is not None:
        return left
    if best.misfits:
        misread = untouched(session, state, best.misfits)
        told = told_anew(session, state, misread, look, now) if misread else None
        misfits = [each for each in best.misfits if each not in misread]
        if told is not None or not misfits:
            return told or session.verdict
        doubt = doubted(session, state, misfits, look, now)
        if doubt is not None:
            said, over = doubt
            return said if over is None else end_turn(session, over, look)
        return session.not_fitting(best.state, misfits, look, now)
    session.resuming = False
    session.gap.closed()
    looks, lasted = session.agreement.count(("path", best.events, best.unsure), now)
    if best.unsure:
        if lasted < QUESTION_S:
            return session.verdict
        return verdicts.cannot_see(session.seat, best)
    patience = patience_for(best, look, memory)
    if looks < LOOKS or lasted < patience:
        return session.verdict
    if explanation.rivals:
        if lasted < QUESTION_S:
            return session.verdict
        session.choosing = explanation
        return verdicts.which_turn(session.seat, explanation.rivals)
    session.choosing = None
    untold = explanation.untold
    # Asked once: whoever plays on, or chooses the next card, leaves it open.
    if (
        untold is not None
        and session.asked_where in (None, best.events)
        and not (best.is_over and look.face_down)
    ):
        if lasted < QUESTION_S:
            return session.verdict
        session.asked_where = best.events
        return verdicts.where_it_lay(*untold)
    if best.is_over and session.stirring and lasted < BESIDE_S:
        return session.verdict
    if untold is not None:
        session.notes.find(say("olympeak.where_is_open", card=untold[0].card), "O8")
    if best.is_over:
        return end_turn(session, best, look)
    announce(session, best)
    session.hasty = frozenset()
    return session.play_verdict(best)


def _left_open(session: Session, explanation: Explanation, look: Look, now: float) -> Verdict | None:
    """The turn is over as it was most likely played, of the ways that are still possible, where it was asked in vain
    which and people play on; None while they do not.
    """
    if session.choosing is None or session.verdict.kind is Kind.ILLEGAL or session.resuming:
        return None
    fits = not explanation.best.misfits
    rivals = explanation.rivals if fits else session.choosing.rivals
    if not rivals:
        return None
    tiles = session.told is not None and bool(session.told.tiles)
    left = played_on(rivals, look, tiles=tiles)
    if left is None:
        return None if fits else _lifted(session, rivals[0], look, now)
    possible, wait = left
    looks, lasted = session.agreement.count(("left open", possible), now)
    if looks < LOOKS or lasted < wait:
        return session.verdict
    if len(possible) > 1:
        played = unit_text(possible[0].states, possible[0].events)
        session.notes.find(say("olympeak.which_is_open", turn=played), "")
    return end_turn(session, possible[0], look)


def _lifted(session: Session, asked: Path, look: Look, now: float) -> Verdict | None:
    """What is asked stands while a card of it is merely in a hand, and no longer."""
    misfits, _, _ = placed_misfits(asked.state, look)
    if not misfits or any(each.fault is not Fault.MISSING for each in misfits):
        return None
    _, lasted = session.agreement.count(("lifted", tuple(misfits)), now)
    if lasted < MISSING_S:
        return session.verdict
    session.choosing = None
    return None


def _after(over: Path) -> GameState:
    return rules.apply(over.state, EndTurn())


def announce(session: Session, best: Path) -> None:
    """The open turn has got as far as `best`."""
    announced, notes = session.course.announced, session.notes
    if best.events == announced:
        return
    session.course.announce(best.events)
    if announced and best.events[: len(announced)] != announced:
        # Something was laid otherwise: what was said about the old way is no news any more.
        notes.grow_old()
    notes.news = "" if best.events else notes.news
    notes.find_all(best.findings)


def end_turn(session: Session, best: Path, look: Look) -> Verdict:
    """Everybody has played as `best` says: the turn is over."""
    end = session.course.end_turn(best.events, best.state)
    session.begin_unit()
    session.notes.news = turn_over_text(best.state, end)
    session.notes.find_all(best.findings)
    return session.after_turn_verdict(end, look)


def answer_order(session: Session, key: str) -> bool:
    """An answer to an open order card: kept with the turn, and weighed with what the table shows."""
    state, current, look = session.course.state, session.course.current, session.look
    if state is None or current is None or current.pending is None or look is None:
        return False
    session.course.answer(current.pending, key)
    if session.stirring:
        session.hasty |= {current.pending}
    best = explain(state, look, session.memory).best
    if best.misfits or best.unsure:
        return True
    if best.is_over:
        session.verdict = end_turn(session, best, look)
    else:
        announce(session, best)
        session.verdict = session.play_verdict(best)
    return True
