"""A turn by the switches and the rules alone: what leaves no trace in them is asked for."""

from __future__ import annotations

from dataclasses import replace

from companion.referee import verdicts
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.hypothesis import Explanation, Hypothesis, alike
from companion.referee.patience import BLIND_QUESTION_S, QUESTION_S
from companion.referee.session import Session
from companion.referee.verdict import Verdict


def fitting_blindly(session: Session, explanation: Explanation, evidence: Evidence, now: float) -> Verdict:
    """By the switches and the rules alone: what leaves no trace in them is asked for."""
    session.soft = None
    nothing = not explanation.best.actions
    if nothing:
        session.gap.followed()
    ends = alike([end for end in explanation.finished if _left_trace(session, end)])
    narrowed = session.said.narrowed(ends)
    session.earlier.remember(ends or _with_tokens_taken_off(explanation))
    # What lies there after a gap may be more than one turn, though one turn explains it.
    if len(narrowed) == 1 and session.gap.is_followed and _was_felt(session, narrowed[0]):
        return session.commit(narrowed[0])
    left = explanation.under_way if explanation.best.is_finished else explanation
    if not left.best.fits:
        # Nothing is left to do, and nothing tells whether it was done: a miniature that went forth and back.
        return session.ask(alike(explanation.finished))
    verdict = verdicts.unfinished(left, evidence, session.names)
    wait = QUESTION_S
    if not all(_was_felt(session, each) for each in ends):
        # A miniature in the air and a token that lies where it may go look like one that has got there.
        wait = BLIND_QUESTION_S
    if not ends and not nothing:
        # A miniature may stand on a switch that is dead; or it is still in somebody's hand.
        ends, wait = _with_lifted_set_down(explanation), BLIND_QUESTION_S
    if ends:
        if session.rivals_since is None:
            session.rivals_since = now
        if now - session.rivals_since < wait:
            return verdict if wait > QUESTION_S else session.stands
        return session.ask(ends)
    session.rivals_since = None
    traceless = alike([end for end in explanation.finished if not _left_trace(session, end)])
    if traceless and nothing:
        return replace(verdict, choices=session.ask(traceless).choices)
    return verdict


def _left_trace(session: Session, end: Hypothesis) -> bool:
    """Has a turn moved anything that switches still tell of? What was only lifted may have gone nowhere."""
    if not session.touched.issuperset(end.returned):
        return False
    return any(item[0] != "card" and states[0] != states[-1] for item, states in end.trajectory.items())


def _was_felt(session: Session, end: Hypothesis) -> bool:
    """Have the switches felt every miniature of a turn leave its space and come to where it ends?

    Where it has stood there before and went on, they must have felt that, too: it may not have gone on yet.
    """
    return all(
        item[1] in session.touched
        and all(session.reeds.has_changed(space) for space in states[states.index(states[-1]) :])
        for item, states in end.trajectory.items()
        if item[0] == "mini"
    )


def played_before(session: Session, evidence: Evidence) -> tuple[Hypothesis, ...]:
    """By the switches alone: turns that account for the table where the open one does not.

    The last turn may have been taken back for another one; and after a turn that was not quite over,
    or was asked for, the next one may have been begun.
    """
    if not evidence.is_blind or session.soft is not None:
        return ()
    if session.overtaken is None:
        last = session.course.last
        instead: tuple[Hypothesis, ...] = ()
        if last is not None and not session.was_taken_back:
            ends = explain(last.before, evidence).finished
            instead = alike([end for end in ends if end.after != last.after and _left_trace(session, end)])
        begun = session.earlier.overtaken(evidence)
        session.earlier.remember(instead)
        session.overtaken = instead or begun
    return session.overtaken


def _with_lifted_set_down(explanation: Explanation) -> tuple[Hypothesis, ...]:
    """Complete turns of which only miniatures that no switch feels are still to arrive."""
    return alike(
        sorted(
            (
                h
                for h in explanation.partial
                if h.is_complete and not h.wrong and all(item[0] == "mini" for item in h.pending)
            ),
            key=lambda h: h.final_cost,
        )
    )


def _with_tokens_taken_off(explanation: Explanation) -> tuple[Hypothesis, ...]:
    """Complete turns after which nothing is left to do but to take tokens off the board."""
    return tuple(
        h
        for h in explanation.partial
        if h.is_complete
        and not h.wrong
        and all(
            item[0] in ("token", "reed") and not h.trajectory[item][-1]
            for item in h.pending
            if item in h.trajectory
        )
        and all(item in h.trajectory for item in h.pending)
    )
