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
    """Notes since when nothing but a token is wanted that may lie unseen, or may be gone unseen."""

    def __init__(self) -> None:
        self._wanted: tuple[tuple[Action, ...], float] | None = None

    def asked(self, verdict: Verdict, best: Hypothesis, evidence: Evidence, now: float) -> Verdict:
        """What is said of a turn in which, after `best`, a token is to be laid or was to be taken off: after a while
        (s), where it may lie, or from where it may be gone.
        """
        soon, later = self._laid(verdict, best, evidence)
        gone = self._gone(verdict, best, evidence)
        if not soon and not later and not gone:
            self._wanted = None
            return verdict
        if self._wanted is None or self._wanted[0] != best.actions:
            self._wanted = (best.actions, now)
        waited = now - self._wanted[1]
        asked_for = sorted(soon | gone) if waited >= ASKED_AFTER_S else []
        asked_for += sorted(later) if waited >= ASKED_LATER_S else []
        if not asked_for:
            return verdict
        spaces = tuple(SPACES[space] for space in asked_for)
        places = row(place_name(space) for space in spaces)
        if gone:
            asks = say("above.behind_caps_gone", places=places)
        elif len(spaces) <= NAMED:
            asks = say("above.behind_caps_at", places=places)
        else:
            asks = say("above.behind_caps")
        marks = (*verdict.marks, *((space, Mark.MISSING) for space in spaces))
        return replace(verdict, text=sentences(verdict.text, asks), marks=marks)

    def _laid(
        self, verdict: Verdict, best: Hypothesis, evidence: Evidence
    ) -> tuple[frozenset[int], frozenset[int]]:
        """The spaces that caps hide, and those of which they cover a part, where the token may lie that is to be laid."""
        unseen, partly = evidence.unseen_behind_caps, evidence.partly_behind_caps
        open_to_it = self._open_to_it(verdict, best) if unseen or partly else frozenset()
        return unseen & open_to_it, partly & open_to_it

    @staticmethod
    def _gone(verdict: Verdict, best: Hypothesis, evidence: Evidence) -> frozenset[int]:
        """The hidden spaces from which a token is to be taken that may be off already, if that is all that is left."""
        if verdict.kind is not Kind.UNFINISHED or not best.is_complete:
            return frozenset()
        off = frozenset(
            space
            for kind, token, space in (*best.pending, *best.unsure)
            if kind == "token" and not best.trajectory[kind, token, space][-1]
        )
        # Where its switch is closed, that pends as well: its item names the space first.
        rest = [item for item in best.pending if (item[2] if item[0] == "token" else item[1]) not in off]
        is_all = not rest and all(item[0] in ("token", "reed") for item in best.pending)
        return off if is_all and all(map(evidence.is_hidden, off)) else frozenset()

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
