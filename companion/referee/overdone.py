"""Overdone: a turn was over, and its player goes on with it: lays one more token, or moves on who has been moved."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.above.box import DEITIES, TOKENS
from companion.referee.evidence import Evidence
from companion.referee.hypothesis import Explanation, Hypothesis, Item, Trajectory
from companion.referee.reason import POWER_TOKENS, Reasons, closest
from companion.referee.refusal import Refusal, refused
from companion.referee.trajectory import extended, walked
from companion.referee.turn import Turn


def overdone(
    last: Turn, explanation: Explanation, evidence: Evidence, names: Sequence[str]
) -> Refusal | None:
    """What the last turn does not allow besides; None if its player has rather not done it.

    `explanation`: of the turn after it, which the next player has begun if any of it accounts for what lies there.
    """
    best = closest(explanation)
    if best.actions:
        return None
    played = _with_wrong(last, best.wrong)
    if not all(_goes_on(played, item, evidence) for item in best.wrong):
        return None
    return refused(Reasons(last.before, played, evidence, names), last.after)


def _with_wrong(last: Turn, wrong: tuple[Item, ...]) -> Hypothesis:
    """The last turn as it was, and what lies wrong besides."""
    positions, trajectory = walked(last.before, last.actions), Trajectory()
    assert positions is not None
    for before, action, after in zip(positions, last.actions, positions[1:], strict=False):
        trajectory = extended(trajectory, before, action, after)
    return Hypothesis(last.actions, positions, trajectory, 0.0, 0.0, wrong, (), ())


def _goes_on(played: Hypothesis, item: Item, evidence: Evidence) -> bool:
    """Is it more of what this turn has done, and nothing that the next player would begin with?"""
    kind, one, _ = item
    activated, after = played.actions[0].deity or "", played.after
    if kind == "mini":
        # Somebody's own card may be turned after its miniature has moved, wrongly.
        return item in played.trajectory and DEITIES[one] not in after.powered(after.turn)
    if kind != "token":
        return False
    token, is_laid = TOKENS[one], item[1:] in evidence.tokens_seen()
    if activated in POWER_TOKENS:
        # Without one in the Reserve the power moves one that lies there (A12).
        return token == POWER_TOKENS[activated][0] and (is_laid or not after.reserve(token))
    return activated == "po" and not is_laid
