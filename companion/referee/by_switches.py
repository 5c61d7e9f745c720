"""A turn by the switches and the rules alone: only what no other reading contradicts is taken, the rest is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from companion.games.above.position import Position
from companion.messages import say
from companion.referee import verdicts
from companion.referee.accounts import Accounts, accounts
from companion.referee.claims import Claims, claims
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.felt import is_still_to_lay, was_felt
from companion.referee.hypothesis import Explanation, Hypothesis, alike
from companion.referee.magnets import amiss, contrary
from companion.referee.patience import (
    BLIND_QUESTION_S,
    BLIND_S,
    FOLLOWED_S,
    ILLEGAL_LOOKS,
    IN_HAND_S,
    QUESTION_S,
    SURE_S,
)
from companion.referee.portion import InPortions
from companion.referee.presumed import gone_by, is_one_of, presumed
from companion.referee.refusal import refusal
from companion.referee.session import Session
from companion.referee.told_turn import tell
from companion.referee.unseen_cards import MOST_NAMED
from companion.referee.verdict import Kind, Verdict
from companion.referee.without_one import left_behind, may_be_two, without_one

# So many miniatures nobody moves by mistake; one alone is told by so many switches.
_SEVERAL = 2
_OF_ONE = 2
# A table that is never still for as long as a question waits is asked after so many times that.
_LONG = 3.0


def judged_blindly(
    session: Session, explanation: Explanation, evidence: Evidence, now: float
) -> Verdict | None:
    """What a look comes to. None: the game has moved on, and what lies there is to be held against its next turn."""
    # What the sight has taken for over may have been something else, now that only switches tell.
    called, called_last = session.called, session.soft
    called_after = None if session.gap.has_camera else called
    session.soft = session.called = None
    best = explanation.best
    is_new = session.accounts is None
    session.overlooked.note(evidence, now, is_new=is_new)
    ends = session.accounts = session.accounts or accounts(explanation, evidence, session.touched)
    if best.fits and not best.actions and not best.pending:
        if is_new:
            session.earlier.put_back(evidence, now, session.reeds)
        return _as_before(session, explanation, ends, evidence, now)
    session.earlier.remember(ends.whole or ends.left, now)
    session.earlier.suspect(ends.unfelt, now)
    if session.claims is None:
        session.claims = InPortions(
            claims(
                explanation,
                evidence,
                whole=ends.whole,
                earlier=session.earlier,
                turns=session.turns,
                reeds=session.reeds,
                now=now,
                called_after=called_after,
            )
        )
    found = session.claims.run(session.portion)
    if found is None:
        session.soft, session.called = called_last, called
        return _as_it_stands(session, is_stale=session.stands.kind is Kind.ILLEGAL)
    # What may have been played instead of the last turn may be followed by the next one as well.
    session.earlier.suspect([end for end in found.ends if end.positions[0] != session.position], now)
    if len(found.ends) > MOST_NAMED:
        return _told(session, explanation, found, evidence, now)
    played = session.said.narrowed(found.ends)
    if len(played) == 1 and _is_certain(session, played[0], found, called_after):
        if session.gap.has_camera and session.reeds.settled_for(now) < SURE_S:
            return session.stands
        session.commit(played[0])
        return None
    if found.back and not (found.ends or found.is_open):
        return _taken_back(session, found.back, now)
    # Who goes on as nobody can after the turn that has called has made a mistake, unless another was felt to be played.
    is_left_open = any(was_felt(session, each) or is_still_to_lay(session, each) for each in played)
    if played and (called_after is None or is_left_open or is_one_of(called_after, played)):
        turn = presumed(session, called_after, ends, found, played)
        verdict = None if turn is None else gone_by(session, turn, ends, played, evidence, now)
        if turn is not None and verdict is not None:
            if called_last is None or called_last.after != turn.after:
                session.called_since = now
            if turn is called_after or now - session.called_since >= FOLLOWED_S:
                session.called, session.rivals_since = turn, None
            return verdict
        return _asked(session, played, found, evidence, now)
    session.soft = session.called = called_after
    return _going_on(session, explanation, ends, found, evidence, now)


def _as_before(
    session: Session, explanation: Explanation, ends: Accounts, evidence: Evidence, now: float
) -> Verdict:
    """The switches say that nothing has happened, or that all of it was put back."""
    session.gap.followed()
    session.overlooked.forget()
    # Who was lifted may have gone forth and back, and used up a token on the way that still lies there.
    forth_and_back = [end for end in ends.left if end.returned and session.touched.issuperset(end.returned)]
    session.earlier.suspect(forth_and_back, now)
    session.is_catching_up = False
    session.rivals_since = None
    session.announced_refusal = ""
    verdict = verdicts.unfinished(explanation.under_way, evidence, session.names, session.news)
    unfelt = (*alike(explanation.finished), *session.earlier.turns)
    if 0 < len(unfelt) <= MOST_NAMED:
        return replace(verdict, choices=session.ask(unfelt).choices)
    return verdict


def _is_certain(session: Session, end: Hypothesis, found: Claims, called_after: Hypothesis | None) -> bool:
    """Was this turn played whatever else may be? What lies there after a gap may be more than one turn.

    `called_after`: the turn after which the next player has been called: if nothing else is left, it was that one.
    """
    return (
        end.positions[0] == session.position
        and not (found.is_open or found.back)
        and session.gap.is_followed
        and (was_felt(session, end) or (called_after is not None and called_after.after == end.after))
    )


def _taken_back(session: Session, turns: int, now: float) -> Verdict | None:
    """The table lies as it did some turns ago, and nothing else accounts for that."""
    looks, _ = session.agree(("restored", turns), now)
    if looks <= ILLEGAL_LOOKS:
        return session.stands
    before = session.turns[-turns].before
    session.reach(before, session.course.take_back(turns))
    return session.stands


def _asked(
    session: Session,
    played: tuple[Hypothesis, ...],
    found: Claims,
    evidence: Evidence,
    now: float,
) -> Verdict:
    """Several turns may have been played, or it is not known whether one was: in the end people are asked."""
    wait = _wait(session, played, found)
    may_be_asked = _have_waited(session, wait, now)
    # While the next player is called nobody else is told to go on.
    under_way = found.under_way if session.soft is None else None
    if under_way is not None and all(is_still_to_lay(session, each) for each in played):
        # Who still thinks about where to lay it is not asked; who has laid it, and waits in vain, says so.
        verdict = verdicts.unfinished(under_way, evidence, session.names)
        return replace(verdict, choices=session.ask(played).choices) if may_be_asked else verdict
    if may_be_asked:
        return session.ask(played)
    if under_way is not None and wait > QUESTION_S:
        return verdicts.unfinished(under_way, evidence, session.names)
    return _as_it_stands(session, is_stale=session.stands.kind is Kind.ILLEGAL)


def _wait(session: Session, played: tuple[Hypothesis, ...], found: Claims) -> float:
    """For how long (seconds) nobody is asked which of these was played."""
    if found.is_open or found.back or not all(was_felt(session, each) for each in played):
        # A miniature in the air and a token that lies where it may go look like one that has got there.
        return BLIND_QUESTION_S
    return QUESTION_S


def _told(
    session: Session, explanation: Explanation, found: Claims, evidence: Evidence, now: float
) -> Verdict:
    """So many turns may have been played that the one that was is told act by act."""
    if not _have_waited(session, BLIND_QUESTION_S, now):
        under_way = found.under_way or explanation
        return verdicts.unfinished(under_way, evidence, session.names)
    return _ask(session, found.ends)


def _have_waited(session: Session, wait: float, now: float) -> bool:
    """Is it time to ask? Who still moves pieces is not asked yet, unless it goes on for long; a question is kept up."""
    if session.rivals_since is None:
        session.rivals_since = now
    waited = now - session.rivals_since
    is_calm = session.reeds.settled_for(now) >= wait or session.stands.kind is Kind.QUESTION
    return waited >= wait and (is_calm or waited >= _LONG * wait)


def _ask(session: Session, ends: Sequence[Hypothesis]) -> Verdict:
    """Which of these was played is asked, or told where not all of them can be named."""
    if len(ends) <= MOST_NAMED:
        return session.ask(ends)
    tell(session)
    return session.stands


def _going_on(
    session: Session,
    explanation: Explanation,
    ends: Accounts,
    found: Claims,
    evidence: Evidence,
    now: float,
) -> Verdict | None:
    """No whole turn accounts for it: one is under way, something cannot be felt, or it is against the rules."""
    under_way = found.under_way or (explanation if explanation.best.fits else None)
    if under_way is not None:
        session.is_catching_up = False
        session.announced_refusal = ""
        verdict = verdicts.unfinished(under_way, evidence, session.names)
        if under_way.best.positions[0] != session.position and verdict.kind is Kind.UNFINISHED:
            return _perhaps_taken_back(session, under_way, verdict, evidence, now)
        if not ends.raised or under_way is not explanation:
            session.rivals_since = None
            return verdict
        # A miniature may stand on a switch that is dead; or it is still in somebody's hand.
        if not _have_waited(session, BLIND_QUESTION_S, now):
            return verdict
        if verdict.kind is Kind.LIFTED:
            return _ask(session, ends.set_down)
        if len(ends.set_down) > MOST_NAMED:
            return verdict
        # Who only thinks about where to go on is not asked; who waits in vain says what was played.
        return replace(verdict, choices=session.ask(ends.set_down).choices)
    position = session.position
    assert position is not None
    best = explanation.best
    session.judged_from = position
    looks, lasted = session.agree(best.wrong, now)
    patience = BLIND_S
    if any(evidence.in_hand(deity, space) for deity, space in enumerate(position.minis)):
        patience = IN_HAND_S
    if session.is_catching_up and contrary(evidence, position) > _OF_ONE:
        # Turns are being told, and more of them lie there.
        tell(session)
        return session.stands
    if looks < ILLEGAL_LOOKS or lasted < patience:
        # Whose turn it is is not certain, so nobody is told to go on; nor is what lay there before still refused.
        was_refused = session.stands.kind is Kind.ILLEGAL and session.concluded is None
        return _as_it_stands(session, is_stale=was_refused or session.stands.kind is Kind.READY)
    if session.soft is not None:
        # The next player was called, and this is neither the turn that was open nor another reading of it.
        session.commit(session.soft)
        return None
    if session.concluded is not None:
        return session.concluded
    if _ended_otherwise(session, evidence):
        return None
    verdict = _concluded(session, position, explanation, evidence, now)
    # What is asked depends on what has been answered meanwhile.
    session.concluded = None if verdict.kind in (Kind.QUESTION, Kind.HOLD) else verdict
    return verdict


def _perhaps_taken_back(
    session: Session, under_way: Explanation, verdict: Verdict, evidence: Evidence, now: float
) -> Verdict:
    """What lies there may be part of an earlier turn, put back to be played otherwise; or of none, by mistake.

    Where that goes no further, how the table lay is said as well.
    """
    start, position = under_way.best.positions[0], session.position
    assert position is not None
    is_said = session.stands.kind is Kind.SETUP and session.rivals_since is not None
    if not (is_said or _have_waited(session, BLIND_QUESTION_S, now)):
        return verdict
    last = next(turn for turn in reversed(session.turns) if turn.before == start)
    items = amiss(evidence, position)
    if not items:
        return verdict
    either = verdicts.perhaps_taken_back(verdict, last, position, items, evidence, session.names)
    # All of it may have been played otherwise, over a switch that is not believed: whoever has done so says it.
    lying = accounts(under_way, evidence, session.touched).set_down
    return replace(either, choices=session.ask(lying).choices) if 0 < len(lying) <= MOST_NAMED else either


def _ended_otherwise(session: Session, evidence: Evidence) -> bool:
    """Does what fits nothing fit the last turn with another end, and have only switches told how it ended?

    One that closes by itself just when a token is laid tells the wrong place. The turn is then open again. Where there
    never was a camera the switches are all there is, and nobody would confirm it.
    """
    last = session.course.last
    if last is None or not (session.gap.has_camera and session.is_told_by_switches):
        return False
    anew = explain(last.before, evidence)
    if not anew.finished:
        return False
    session.course.take_back(1)
    session.forget()
    session.explanation = anew
    return True


def _as_it_stands(session: Session, *, is_stale: bool) -> Verdict:
    """What stands, unless it is stale, or calls the next player after a turn that is no longer taken to be over."""
    calls_in_vain = session.stands.kind is Kind.COMPLETE and session.soft is None
    return _looking(session) if is_stale or calls_in_vain else session.stands


def _looking(session: Session) -> Verdict:
    return Verdict(Kind.HOLD, session.course.seat, say("above.working_out"))


def _concluded(
    session: Session, position: Position, explanation: Explanation, evidence: Evidence, now: float
) -> Verdict:
    """What fits nothing for long enough: told by a switch that may be broken, more than was followed, or illegal."""
    best = explanation.best
    refused = refusal(position, explanation, evidence, session.names)
    has_camera = session.gap.has_camera
    doubted = partial(verdicts.doubted, refused, position.turn, has_camera=has_camera)
    by_one = is_told_by_one_switch(position, best, evidence)
    if by_one and has_camera:
        return doubted()
    if not session.overlooked.is_searched(position, session.touched, session.earlier):
        return _looking(session)
    if session.doubtful is None:
        session.doubtful = InPortions(session.earlier.doubtfully_overtaken(evidence, now, session.reeds))
    overtaken = session.doubtful.run(session.portion)
    if overtaken is None:
        return _looking(session)
    if overtaken:
        return session.ask(overtaken)
    behind = left_behind(position, explanation, evidence)
    excused = without_one(behind, evidence)
    if excused is not None:
        ends = alike(excused.finished)
        if ends:
            return _ask(session, ends)
        # One that has still to be played on is not told to whoever may have made a mistake.
        best = excused.best
        has_moved = best.is_complete and all(item[0] != "mini" for item in best.pending)
        is_sure = has_moved or has_camera
        return verdicts.unfinished(excused, evidence, session.names) if is_sure else doubted()
    if by_one:
        return doubted()
    if may_be_two(behind, evidence, session.reeds):
        # A stuck switch and a dead one together account for it, or somebody has made a mistake and reads which; who
        # has made none tells what was played.
        return doubted(by_two=True)
    is_behind = session.is_catching_up or session.earlier.are_too_many
    if _have_left(session, evidence) >= _SEVERAL or (is_behind and contrary(evidence, position) > _OF_ONE):
        # Who has just made a mistake has not done all that: more was played than could be followed.
        tell(session)
        return session.stands
    if is_behind:
        # A mistake, or more was played; who has made none tells what it was.
        return doubted(by_two=True)
    return session.illegal(refused, position.turn)


def is_told_by_one_switch(position: Position, best: Hypothesis, evidence: Evidence) -> bool:
    """Without a camera: does one switch alone tell of something illegal? Then it may be broken.

    Either a token is no longer felt, whatever legal has been done besides, or a magnet is felt where nothing else
    has changed.
    """
    if len(best.wrong) != 1:
        return False
    kind = best.wrong[0][0]
    return kind == "token" or (kind == "reed" and contrary(evidence, position) == 1)


def _have_left(session: Session, evidence: Evidence) -> int:
    """How many miniatures are felt to stand no longer where the open turn began?"""
    assert session.position is not None
    return sum(evidence.is_felt_bare(space) for space in session.position.minis)
