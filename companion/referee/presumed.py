"""Presumed: by the switches alone, a whole turn that they have felt is gone by while it may still be read otherwise.

It might be part of another turn, or have been over before its last act, which then is the next player's first. The next
player is called at once, and nothing is written down: whoever goes on with the turn is told to, as if nobody had been
called. After a while what is done next decides, and people are asked only if it does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.referee import verdicts
from companion.referee.accounts import Accounts
from companion.referee.claims import Claims
from companion.referee.evidence import Evidence
from companion.referee.explain import explain
from companion.referee.felt import was_felt_to_come
from companion.referee.hypothesis import Hypothesis
from companion.referee.patience import BLIND_QUESTION_S, CALLED_S
from companion.referee.question import TURN, notation
from companion.referee.session import Session
from companion.referee.verdict import Verdict


def is_one_of(turn: Hypothesis, turns: Sequence[Hypothesis]) -> bool:
    """Does one of these turns lead where this one does?"""
    return any(each.after == turn.after for each in turns)


def presumed(
    session: Session,
    called_after: Hypothesis | None,
    ends: Accounts,
    found: Claims,
    played: Sequence[Hypothesis],
) -> Hypothesis | None:
    """Which of the turns that may have been `played` is gone by; None if they are to be told apart at once.

    Who was called by the last look stays so as long as that turn is one of them.
    """
    if session.gap.has_camera or found.back or not session.gap.is_followed:
        return None
    if any(end.positions[0] != session.position or end.after.is_over for end in played):
        return None
    if called_after is not None and is_one_of(called_after, played):
        return called_after
    if any(session.earlier.is_two_ahead(end) for end in played):
        return None  # what is done next decides nothing: no third turn is looked for after that
    lying = {end.after for end in ends.whole}
    whole = [end for end in played if end.after in lying]
    return whole[0] if len(whole) == 1 and was_felt_to_come(session, whole[0]) else None


def gone_by(
    session: Session,
    turn: Hypothesis,
    ends: Accounts,
    played: Sequence[Hypothesis],
    evidence: Evidence,
    now: float,
) -> Verdict | None:
    """What is said if this turn was played: that it lies there, or what the next player still has to do.

    Whoever waits in vain says which it was. None if the next player's turn lies there whole as well, or may: then it
    matters.
    """
    if session.reeds.settled_for(now) >= CALLED_S and _has_gone_on(turn, evidence):
        return None
    session.soft = turn
    if is_one_of(turn, ends.whole):
        asked = session.ask(played).choices
        named = TURN + notation(turn)
        # Other readings are offered where all of them can be named whole.
        others = [choice for choice in asked if choice.key.startswith(TURN) and choice.key != named]
        verdict = verdicts.taken_for(turn, session.names, others)
    else:
        following = session.earlier.following(turn) or explain(turn.after, evidence, thorough=False)
        if following.finished or not following.best.fits:
            return None
        verdict = verdicts.unfinished(following, evidence, session.names)
        if session.reeds.settled_for(now) >= BLIND_QUESTION_S:
            verdict = replace(verdict, choices=session.ask(played).choices)
    return verdict


def _has_gone_on(turn: Hypothesis, evidence: Evidence) -> bool:
    """Have switches changed that are no part of the turn? What has left no trace may be a turn over a stuck one."""
    moved = {item: states for item, states in turn.trajectory.items() if item[0] != "card"}
    own = {space for (kind, _, _), states in moved.items() if kind == "mini" for space in states}
    own |= {two for kind, _, two in moved if kind == "token"}
    return not evidence.stirred <= own
