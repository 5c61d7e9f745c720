"""Judging: a settled look held against the open turn. What fits, what went on, what is against the rules."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.above.position import Position
from companion.messages import say
from companion.referee import verdicts
from companion.referee.by_switches import judged_blindly
from companion.referee.ends import ended, ended_otherwise, lay_there_as, misread_once, stepped_on
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.explain import explain
from companion.referee.felt_order import has_relaid, may_have_come_by
from companion.referee.hypothesis import Explanation, Hypothesis
from companion.referee.misfit import misfit
from companion.referee.patience import (
    BESIDE_S,
    PORTION,
    QUESTION_S,
    TOLD_BY_PRINTS,
    UNDER_HAND_S,
    UNSEEN_LOOKS,
)
from companion.referee.put_back import still_taken_back, take_back_restored, with_keeping
from companion.referee.question import MOST_WHOLE
from companion.referee.sequel import SequelSearch, left_trace, unseen_end
from companion.referee.session import Session
from companion.referee.starting import set_up, shows_another, told_set_up
from companion.referee.trajectory import cost_of
from companion.referee.two_turns import call_ahead, play_ahead
from companion.referee.unseen import UNSEEN, as_declared, not_seen
from companion.referee.verdict import Kind, Verdict

_BY_PRINTS = ("place", "shift", "recover", "disgrace", "exhaust")


def judge(session: Session, evidence: Evidence, now: float) -> Verdict:
    """What a settled look at `now` (seconds) comes to. What is certain is played, and the next turn judged."""
    if session.position is None:
        return told_set_up(session, evidence) if evidence.is_blind else set_up(session, evidence)
    declared = as_declared(session, evidence)
    if declared is not None:
        return declared
    if session.taken_back is not None:
        verdict = still_taken_back(session, evidence, session.taken_back)
        if verdict is not None:
            return verdict
    if session.telling is not None:
        return session.telling.verdict()
    if session.explanation is None:
        session.explanation = explain(session.position, evidence)
        session.portion.spend(len(session.explanation.partial))
    explanation = session.explanation
    if explanation.best.fits:
        session.resuming, session.offered, session.undone = False, False, ()
        session.ahead.forget()
        if explanation.accepted is None or evidence.is_blind:
            session.agreement.reset()
        if not explanation.best.actions:
            session.gap.closed()
            session.went_by = False
        else:
            session.overdone = False
        return _fitting(session, explanation, evidence, now)
    if session.soft is not None and not evidence.is_blind:
        # The table no longer fits the turn that might have gone on, but fits the next one: it was over.
        soft, following = ended(session, session.soft, evidence)
        if following.best.fits:
            if soft is None or (following.best.actions and not following.best.has_begun):
                return verdicts.unfinished(following, evidence, session.names)
            session.commit(soft)
            session.explanation = following
            return judge(session, evidence, now)
        misread, followed = misread_once(session, session.soft, evidence)
        if misread is not None and followed.best.fits:
            if not followed.finished:
                return verdicts.unfinished(followed, evidence, session.names)
            # Or the card was turned since, as the first act of the turn after the next.
            _, lasted = session.agree(("misread", misread.after, followed.finished[0].after), now)
            return session.stands if lasted < QUESTION_S else session.ask((misread, session.soft))
        # It may not have been over either: then its player went on, and the next one has begun.
        befores = (session.soft.after, *session.misread, session.position)
        went_on = _by_two_turns(session, befores, evidence, now)
        if went_on is not None:
            return went_on
        after = session.soft.after
        if misread is not None and len(followed.best.wrong) < len(following.best.wrong):
            after, following = misread.after, followed
        if len(following.best.wrong) <= len(explanation.best.wrong):
            return _not_fitting(session, after, following, evidence, now)
    if session.resuming:
        session.another = shows_another(session, evidence, now)
        return with_keeping(session, session.differing(evidence, say("referee.differs")))
    if evidence.is_blind:
        return _blindly(session, explanation, evidence, now)
    restored = take_back_restored(session, evidence, now)
    if restored is not None:
        return restored
    went_on = _gone_on(session, evidence, now)
    went_on = went_on or _by_two_turns(session, (session.position,), evidence, now)
    if went_on is not None:
        return went_on
    return _not_fitting(session, session.position, explanation, evidence, now)


def _fitting(session: Session, explanation: Explanation, evidence: Evidence, now: float) -> Verdict:
    """The open turn accounts for what lies there: over, not over, or one of several."""
    if evidence.is_blind:
        return _blindly(session, explanation, evidence, now)
    accepted = explanation.accepted
    if accepted is not None:
        session.rivals_since = None
        begun = stepped_on(session, accepted, evidence)
        if begun is not None:
            return begun
        unseen = not session.touched.issuperset(accepted.returned) and explanation.under_way.best.fits
        felt = _as_felt(session, accepted, explanation) if accepted.replaced else None
        # Half of it may lie there alike; but both tokens were shifted, and with that the turn is over.
        may_go_on = explanation.may_be_under_way and felt is None
        replaced = accepted.replaced and felt is None
        accepted = felt or accepted
        if not (may_go_on or replaced or unseen):
            looks, lasted = session.agree(("turn", accepted.after), now)
            by_prints = any(action.kind in _BY_PRINTS for action in accepted.actions)
            early = lasted < _patience(session, evidence)
            if not early and not (by_prints and looks < TOLD_BY_PRINTS):
                asked = ended_otherwise(session, evidence, now)
                if asked is None and session.ended_otherwise_since is None:
                    return session.commit(accepted)
                # Whichever is answered, or if nobody answers and play goes on: this turn is over.
                lay_there_as(session, accepted, explanation)
                return asked or session.stands
            if session.soft is not None:
                # It has gone on since it might have been over: if hands come now, this is the turn that lay there last.
                lay_there_as(session, accepted, explanation)
            return session.stands
        lay_there = session.soft is not None and session.soft.after == accepted.after
        lay_there_as(session, accepted, explanation)
        session.announced_refusal = ""
        if session.touched.issuperset(accepted.returned) and not replaced:
            if lay_there:
                # In plain view, as a turn that cannot go on: what comes from now on was not played in a gap before.
                session.gap.closed()
            return verdicts.complete(accepted, session.names)
        # It may be over only if something went and came back unseen; more likely it has not moved yet.
        verdict = verdicts.unfinished(explanation.under_way, evidence, session.names)
        verdict = verdicts.perhaps_over(verdict, session.names[session.course.seat])
        # Athena's player may exhaust more: then the next one is called as well. Half of what Ares does is likelier half.
        open_end = may_go_on and accepted.actions[-1].kind != "done"
        is_called = not (open_end or replaced) and _has_come_back(session, accepted, explanation, evidence)
        if is_called and session.agree(("come back", accepted.after), now)[1] >= QUESTION_S:
            return verdicts.called(verdict, accepted, session.names)
        return verdict
    if session.soft is not None:
        went_on = _followed(session, session.soft, explanation, evidence, now)
        if went_on is not None:
            return went_on
    rivals = explanation.rivals
    if rivals:
        if session.rivals_since is None:
            session.rivals_since = now
        if now - session.rivals_since >= QUESTION_S:
            return session.ask(rivals)
        return session.stands
    session.rivals_since = None
    session.announced_refusal = ""
    _note_but_for_tokens(session, explanation)
    asked = ended_otherwise(session, evidence, now) if explanation.best.actions else None
    if asked is not None:
        return asked
    verdict = verdicts.unfinished(explanation, evidence, session.names, session.news)
    if verdict.kind is not Kind.READY:
        session.news = ""
    return session.behind_caps.asked(verdict, explanation.best, evidence, now)


def _has_come_back(session: Session, over: Hypothesis, explanation: Explanation, evidence: Evidence) -> bool:
    """Has a token gone from where each miniature came by that has gone forth and back unseen, and is all else done?

    Whoever carries out all of a turn before the first step is told by that step, and until then the next one called.
    """
    unseen = {*over.returned} - session.touched
    to_do = {item[:2] for item in explanation.under_way.best.pending if item[0] != "reed"}
    seen_to_go = all(left_trace(deity, over, evidence) for deity in unseen)
    return bool(unseen) and seen_to_go and to_do <= {("mini", deity) for deity in unseen}


def _patience(session: Session, evidence: Evidence) -> float:
    """For how many seconds a whole turn must lie there until it is over."""
    if evidence.reading.under_hand:
        return UNDER_HAND_S
    return 0.0 if session.at_rest else BESIDE_S


def _as_felt(session: Session, over: Hypothesis, explanation: Explanation) -> Hypothesis | None:
    """This turn as the switches have felt it, where what lies there may as well be half of it; None if they tell not."""
    ways = (each for each in explanation.partial if each.is_finished and each.after == over.after)
    return next((way for way in ways if has_relaid(session.reeds, way)), None)


def _blindly(session: Session, explanation: Explanation, evidence: Evidence, now: float) -> Verdict:
    """By the switches and the rules alone."""
    verdict = judged_blindly(session, explanation, evidence, now)
    if verdict is not None:
        return verdict
    return session.stands if session.course.is_over else judge(session, evidence, now)


def _followed(
    session: Session, soft: Hypothesis, explanation: Explanation, evidence: Evidence, now: float
) -> Verdict | None:
    """The turn that might have gone on lies there still, but for what is in somebody's hand: is it the next one?"""
    if not all(
        evidence.in_hand(item[1], states[-1])
        if item[0] == "mini" and not evidence.mini_sure(item[1], states[-1])
        else cost_of(evidence, item, states[-1]) < CONTRADICTION
        for item, states in soft.trajectory.items()
        # Whose magnet a switch feels lies or stands there by itself in the turn, and is held against what is seen so.
        if item[0] != "reed"
    ):
        session.soft = None
        return None
    following = explain(soft.after, evidence)
    if following.accepted is not None:
        session.commit(soft)
        session.explanation = following
        return judge(session, evidence, now)
    if not following.best.fits or len(following.best.pending) > len(explanation.best.pending):
        return None
    return verdicts.unfinished(following, evidence, session.names, session.news)


def _note_but_for_tokens(session: Session, explanation: Explanation) -> None:
    """Remembers a turn that lies there whole, but for tokens that it takes off by the rules, in every way it may be.

    It has lain there so, too, when the next player then lifts a miniature and turns a card that it has recovered (A5).
    """
    ways = explanation.but_for_tokens
    known, looks = session.but_for_tokens or ((), 0)
    lay_there = {way.after for way in known}
    if ways:
        session.but_for_tokens = (ways, looks + 1 if lay_there == {way.after for way in ways} else 1)
    elif explanation.best.after not in lay_there:
        session.but_for_tokens = None


def _gone_on(session: Session, evidence: Evidence, now: float) -> Verdict | None:
    """The next turn was begun after one that had lain there whole, but for tokens that it takes off by the rules.

    None as long as it may have taken off one or another: only when that has gone can it be told.
    """
    ways, looks = session.but_for_tokens or ((), 0)
    if looks < TOLD_BY_PRINTS:
        return None
    seen = evidence.tokens_seen()
    followed = []
    for first in ways:
        left = frozenset((token, space) for _, token, space in first.left_lying if (token, space) in seen)
        best = explain(first.after, evidence.without(session.owed.slots | left)).best
        if best.fits and best.has_begun:
            followed.append((first, left, best))
    if len(followed) != 1:
        return None
    ((first, left, best),) = followed
    if session.agree(("gone on", first.after, best.actions[0]), now)[0] < TOLD_BY_PRINTS:
        return session.stands
    session.commit(first)
    session.owed.owe(left)
    return judge(session, evidence.without(session.owed.slots), now)


def _by_two_turns(
    session: Session, befores: Iterable[Position], evidence: Evidence, now: float
) -> Verdict | None:
    """One turn was played from one of these positions and the next one begun, or played too, and a third one begun."""
    for before in befores:
        went_on = _going_on(session, before, evidence, now)
        if went_on is not None:
            return went_on
    followed = session.ahead.followed(evidence)
    if len(followed) != 1:
        return None
    ((end, third),) = followed.items()
    if session.agree(("third", end, third.actions[0]), now)[0] < TOLD_BY_PRINTS:
        return session.stands
    play_ahead(session, end)
    return judge(session, evidence.without(session.owed.slots), now)


def _going_on(session: Session, position: Position, evidence: Evidence, now: float) -> Verdict | None:
    """The next turn was begun before this one was quite over, or both were played and nobody saw it."""
    search = session.sequels.get(position)
    if search is None:
        # What lay there whole may have gone on, but not have been something else.
        lay_there = session.soft if position == session.position else None
        search = SequelSearch(
            position,
            evidence,
            session.owed.slots,
            session.touched,
            lay_there,
            gap=session.gap.was_long,
            reeds=session.reeds,
        )
        session.sequels[position] = search
    if not search.run(PORTION):
        return session.stands
    found = tuple(each for each in search.found if each.first.after not in session.denied)
    if not found:
        return None
    if len(found) > 1:
        # What came first, and where something stood between, the switches have felt, though nobody saw it.
        felt = may_have_come_by(session.reeds, [(each.first, each.then.best) for each in found])
        found = tuple(each for each in found if each.first in felt)
    looks, lasted = session.agree(("sequel", tuple(each.first.actions for each in found)), now)
    if looks < (UNSEEN_LOOKS if session.gap.was_long else TOLD_BY_PRINTS):
        return session.stands
    if lasted < _patience(session, evidence) and any(each.first.unsure or each.unseen for each in found):
        return session.stands  # the hand that hides where a piece has come to will show it
    before = () if session.gap.was_long else session.ahead.followed(evidence)
    if before:
        # It may be one of the pairs that lay there before and the beginning of a third turn as well.
        if not session.ahead.lie_there(found) or lasted < QUESTION_S:
            return session.stands
        pairs = (*found, *(pair for end in before for pair in session.ahead.pairs(end)))
        return session.ask([*{each.first.after: each.first for each in pairs}.values()])
    end = unseen_end(found)
    doubtful = found[0].is_doubtful or search.is_a_guess
    certain = end is not None or (len(found) == 1 and not doubtful)
    over = session.over_as(position)
    if certain and over is not None:
        session.commit(over)
    if end is not None:
        # Where the game stands is certain; how it came there nobody has seen.
        session.course.rule(UNSEEN, "", end)
        session.owed.owe(frozenset().union(*(each.owed for each in found)))
        return session.reach(end, UNSEEN)
    if not certain:
        if not session.gap.was_long and session.ahead.lie_there(found):
            return call_ahead(session, found)
        if lasted < QUESTION_S:
            return session.stands
        # Of two turns that nobody saw not every pair is tried, nor where a token lay between them: what was played may
        # not be among what is offered, and nobody could say so.
        cut_short = search.was_cut_short and session.gap.was_long and len(found) > MOST_WHOLE
        if cut_short or any(each.is_guessed for each in found):
            return not_seen(session, evidence)
        session.is_doubtful = doubtful or session.gap.was_long
        return session.ask([each.first for each in found], or_none=session.is_doubtful)
    session.commit(found[0].first)
    session.owed.owe(found[0].owed)
    return judge(session, evidence.without(session.owed.slots), now)


def _not_fitting(
    session: Session, position: Position, explanation: Explanation, evidence: Evidence, now: float
) -> Verdict:
    """No turn accounts for it."""
    verdict = misfit(session, position, explanation, evidence, now)
    return judge(session, evidence, now) if verdict is None else verdict
