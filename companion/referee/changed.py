"""Changed: a turn was over, and before the next one begins its player lays or moves something otherwise after all.

The turn stands as it was, and that is said; but it is also offered to take it as it lies now, which people often mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.messages import say, sentences
from companion.referee import verdicts
from companion.referee.evidence import Evidence
from companion.referee.hypothesis import Explanation, Hypothesis
from companion.referee.question import TURN, notation
from companion.referee.refusal import Refusal, cited, remedies
from companion.referee.trajectory import otherwise
from companion.referee.turn import Turn
from companion.referee.verdict import Choice, Verdict
from companion.referee.wording import turn_text


def changed_turn(last: Turn, anew: Explanation) -> Hypothesis | None:
    """The whole turn that lies there instead of the last one, None if there is none. `anew`: what lies there as it."""
    instead = anew.accepted
    return instead if instead is not None and instead.after != last.after else None


def refused_change(last: Turn, anew: Hypothesis, evidence: Evidence, names: Sequence[str]) -> Refusal:
    """The last turn is over as it was: what must be put back to where it lay."""
    reason = say("above.turn_was_over", whose=names[last.before.turn], turn=turn_text(last.actions, names))
    todo, marks = remedies(last.after, otherwise(last.after, anew.after), evidence, names)
    return Refusal(sentences(reason, todo[0].text), cited(reason), todo, marks, (), only_missing=False)


def offered(refused: Refusal, last: Turn, anew: Hypothesis, names: Sequence[str]) -> Verdict:
    """The refusal, with the button that takes the turn as it lies now."""
    seat = last.before.turn
    text = say("above.turn_was_rather", name=names[seat], turn=turn_text(anew.actions, names))
    return replace(verdicts.illegal(refused, seat), choices=(Choice(TURN + notation(anew), text),))
