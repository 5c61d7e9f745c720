"""A token laid behind a cap, where neither the camera nor a switch tells of it: people are asked to bring it to light."""

from __future__ import annotations

from dataclasses import replace

from companion.games.above.action import Action
from companion.games.above.board import SPACES
from companion.games.above.rules import legal_actions
from companion.messages import row, say, sentences
from companion.referee.evidence import Evidence
from companion.referee.hypothesis import Hypothesis
from companion.referee.verdict import Kind, Mark, Verdict
from companion.referee.wording import free_places, place_name

# People think a while about where to lay a token, but whoever has laid one waits for the light.
ASKED_AFTER_S = 3.0
# A space of which a cap covers a part is asked about later: most tokens on it would have been seen.
ASKED_LATER_S = 6.0
# With more places than this the lights say it better.
NAMED = 4


class BehindCaps:
    """Notes since when nothing but a token is wanted that may lie unseen."""

    def __init__(self) -> None:
        self._wanted: tuple[tuple[Action, ...], float] | None = None

    def asked(self, verdict: Verdict, best: Hypothesis, evidence: Evidence, now: float) -> Verdict:
        """What is said of a turn in which, after `best`, a token is to be laid: after a while (s), where it may lie."""
        unseen, partly = evidence.unseen_behind_caps, evidence.partly_behind_caps
        open_to_it = self._open_to_it(verdict, best) if unseen or partly else frozenset()
        unseen, partly = unseen & open_to_it, partly & open_to_it
        if not unseen and not partly:
            self._wanted = None
            return verdict
        if self._wanted is None or self._wanted[0] != best.actions:
            self._wanted = (best.actions, now)
        waited = now - self._wanted[1]
        asked_for = sorted(unseen) if waited >= ASKED_AFTER_S else []
        asked_for += sorted(partly) if waited >= ASKED_LATER_S else []
        if not asked_for:
            return verdict
        spaces = tuple(SPACES[space] for space in asked_for)
        if len(spaces) <= NAMED:
            asks = say("above.behind_caps_at", places=row(place_name(space) for space in spaces))
        else:
            asks = say("above.behind_caps")
        marks = (*verdict.marks, *((space, Mark.MISSING) for space in spaces))
        return replace(verdict, text=sentences(verdict.text, asks), marks=marks)

    @staticmethod
    def _open_to_it(verdict: Verdict, best: Hypothesis) -> frozenset[int]:
        """The open spaces where the token may be laid that is wanted and not seen."""
        if verdict.kind is not Kind.UNFINISHED or best.unsure:
            return frozenset()
        free = free_places(best)
        if any(item not in free for item in best.pending):
            return frozenset()
        wanted = {space for spaces in free.values() for space in spaces}
        if not best.is_complete:
            wanted |= {str(action.space) for action in legal_actions(best.after) if action.kind == "place"}
        return frozenset(number for number, space in enumerate(SPACES) if space in wanted)
