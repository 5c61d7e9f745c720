"""How a turn ended that might have gone on: the card that went last may belong to it or to the next one."""

from __future__ import annotations

from dataclasses import replace

from companion.games.above.action import Action
from companion.games.above.box import DEITIES
from companion.games.above.rules import apply, is_legal
from companion.messages import say
from companion.referee import verdicts
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.explain import explain
from companion.referee.hypothesis import Explanation, Hypothesis, Item, Trajectory
from companion.referee.patience import QUESTION_S
from companion.referee.question import TURN, notation
from companion.referee.session import Session
from companion.referee.trajectory import cost_of, extended, state_of
from companion.referee.verdict import Choice, Verdict
from companion.referee.wording import turn_text

_DONE = Action.parse("done")


def lay_there_as(session: Session, over: Hypothesis, explanation: Explanation) -> None:
    """The open turn may have been over as `over`, or with cards exhausted besides of which this look tells nothing.

    A card that was just turned is unclear for a look. If the next player's hands come right then, no look of this turn
    tells whether it went (Athena, A16); the looks after the next turn do.
    """
    lay_there = session.soft is not None and session.soft.after == over.after
    session.soft_looks = session.soft_looks + 1 if lay_there else 1
    session.misread.clear()
    session.soft = session.softs[over.after] = over
    session.touched_since.clear()
    for end in explanation.partial:
        if end.is_complete and end.fits and not end.pending and _is_unclear_besides(end, over):
            session.softs.setdefault(end.after, end)


def _is_unclear_besides(end: Hypothesis, over: Hypothesis) -> bool:
    """Is nothing of this turn in doubt but cards that it has exhausted and `over` has not?"""
    return bool(end.unsure) and all(item[0] == "card" and item not in over.trajectory for item in end.unsure)


def ended(session: Session, soft: Hypothesis, evidence: Evidence) -> tuple[Hypothesis | None, Explanation]:
    """How the turn that might have gone on ended, and what fits as the next one.

    A card that went last may have been its last act or the next turn's first (Athena, Hera): None while both fit.
    """
    ends = [soft, *(each for after, each in session.softs.items() if after != soft.after)]
    followings = [(end, explain(end.after, evidence, thorough=end is soft)) for end in ends]
    fitting = [(end, then) for end, then in followings if then.best.fits]
    if len(fitting) > 1:
        over = [(end, then) for end, then in fitting if then.accepted is not None]
        if not over:
            return None, fitting[0][1]
        return over[0]
    return fitting[0] if fitting else followings[0]


def misread_once(
    session: Session, soft: Hypothesis, evidence: Evidence
) -> tuple[Hypothesis | None, Explanation]:
    """How the turn that might have gone on was over if its only look misread a card, and what lies there as the next one.

    Hands may come right after that look, and nothing else tells of a card that Athena exhausted besides (A16): one that
    lies Spent by now. None where more than one look has shown the turn, or no card that it may have exhausted is Spent.
    """
    session.misread.clear()
    if session.soft_looks == 1 and soft.actions[0].deity == "at":
        for seat in range(soft.after.players):
            for deity in range(len(DEITIES)):
                end = _with_exhausted(soft, ("card", seat, deity), evidence)
                if end is not None:
                    session.misread[end.after] = end
    followed = [(end, explain(end.after, evidence, thorough=False)) for end in session.misread.values()]
    return min(followed, key=lambda each: len(each[1].best.wrong), default=(None, Explanation((), ())))


def _with_exhausted(over: Hypothesis, card: Item, evidence: Evidence) -> Hypothesis | None:
    """The same turn with this card exhausted besides, which is clearly not Powered now; None if that cannot be."""
    _, seat, deity = card
    count = state_of(over.after, card)
    if not count or cost_of(evidence, card, count) < CONTRADICTION:
        return None
    exhausted = Action.parse(f"exhaust {DEITIES[deity]} {seat}")
    # After as many as she may exhaust the turn is over without a word.
    acts = tuple(action for action in over.actions if action != _DONE)
    ways = (_played(over, (*acts[:at], exhausted, *acts[at:])) for at in range(len(acts), 0, -1))
    return next((way for way in ways if way is not None), None)


def _played(over: Hypothesis, actions: tuple[Action, ...]) -> Hypothesis | None:
    """These actions in place of those of `over`, up to where the turn ends; None if the rules do not allow them."""
    positions, trajectory = [over.positions[0]], Trajectory()
    done: list[Action] = []
    for action in (*actions, _DONE):
        if done and (positions[-1].at_turn_start or positions[-1].is_over):
            break
        if not is_legal(positions[-1], action):
            return None
        after = apply(positions[-1], action)
        trajectory = extended(trajectory, positions[-1], action, after)
        positions.append(after)
        done.append(action)
    if len(done) < len(actions):
        return None
    return replace(over, actions=tuple(done), positions=tuple(positions), trajectory=trajectory)


def ended_otherwise(session: Session, evidence: Evidence, now: float) -> Verdict | None:
    """This turn lies there whole if the last one ended before its last card was turned: which of the two is asked.

    Whoever lets Hera name a card may turn that one first, just when Athena's player might have turned it. None if it is
    not so, or has not been for long enough to ask.
    """
    if not _lies_there_whole(session, evidence):
        session.ended_otherwise_since = None
        return None
    if session.ended_otherwise_since is None:
        session.ended_otherwise_since = now
    if now - session.ended_otherwise_since < QUESTION_S:
        return None
    return session.ask(session.ends_before)


def stepped_on(session: Session, instead: Hypothesis, evidence: Evidence) -> Verdict | None:
    """A miniature has gone on from where a turn of Athena's had left it that might have been over, and no card has gone.

    The light has called the next player by then: what may be the first step of the next turn is one, unless somebody says
    that the last turn was `instead`, which lies there now. None if it can be no such step.
    """
    soft = session.soft
    if soft is None or soft.actions[0].deity != "at" or soft.replaced:
        return None
    if soft.after.minis == instead.after.minis or not session.touched.issuperset(soft.returned):
        return None
    following = explain(soft.after, evidence, thorough=False)
    if not following.best.fits or not following.best.actions:
        return None
    session.softs[instead.after] = instead
    session.asked = (instead,)
    name, turn = session.names[session.course.seat], turn_text(instead.actions, session.names)
    text = say("above.turn_was_rather", name=name, turn=turn)
    verdict = verdicts.unfinished(following, evidence, session.names)
    return replace(verdict, choices=(Choice(TURN + notation(instead), text),))


def _lies_there_whole(session: Session, evidence: Evidence) -> bool:
    """Is this turn over if the last one ended otherwise than it was taken?"""
    return any(
        (then := explain(end.after, evidence, thorough=False)).accepted and not then.may_be_under_way
        for end in session.ends_before[1:]
    )
