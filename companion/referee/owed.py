"""Owed: tokens that a turn has taken off by the rules and that still lie on the board, though play has gone on."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from companion.games.above.board import SPACES
from companion.games.above.box import TOKENS
from companion.games.above.position import Position
from companion.messages import say, sentences
from companion.referee.evidence import Evidence
from companion.referee.hypothesis import Hypothesis
from companion.referee.patience import OWED_S
from companion.referee.verdict import Kind, Mark, Todo, Verdict
from companion.referee.wording import place_name, token_name

# What is asked of people goes with these; a refusal, a question and a bare table have more urgent things to say.
_SAID_WITH = frozenset((Kind.READY, Kind.LIFTED, Kind.UNFINISHED, Kind.COMPLETE))
# From one look to the next it was asked for so many seconds at most; longer, and nobody looked.
_LOOK_S = 1.0


class Owed:
    """`slots`: (token, space) of each such token, by index."""

    def __init__(self) -> None:
        self.slots: frozenset[tuple[int, int]] = frozenset()
        # Those that may have been left where nobody could see it.
        self._unseen: frozenset[tuple[int, int]] = frozenset()
        # For how many seconds each was asked for by the switches alone.
        self._asked_s: dict[tuple[int, int], float] = {}
        self._looked_at = 0.0

    def forget(self) -> None:
        """Nothing is owed any more."""
        self.slots = self._unseen = frozenset()

    def taken_unseen(self, hypothesis: Hypothesis, evidence: Evidence) -> None:
        """A turn is over that took tokens off: where that could not be seen they may lie there still."""
        self._unseen |= {
            (token, space)
            for (kind, token, space), states in hypothesis.trajectory.items()
            if kind == "token" and not states[-1] and states[0] and evidence.is_out_of_sight(space)
        }

    def owe(self, slots: Set[tuple[int, int]]) -> None:
        """These were left lying as well."""
        self.slots |= slots

    def look(self, evidence: Evidence, position: Position) -> None:
        """What has been taken off by now, or lies there rightly again, is owed no longer; what comes to light is owed."""
        if not (self.slots or self._unseen):
            return
        bare = evidence.without(frozenset())
        seen = {slot for slot, p in bare.tokens_seen().items() if p > 0.5}
        wrongly = {(t, s) for t, s in self.slots | self._unseen if not position.laid[t] >> s & 1}
        lying = {slot for slot in wrongly if slot in self.slots or slot in seen}
        self.slots = frozenset((t, s) for t, s in lying if not _has_gone(bare, position, t, s))
        self._unseen = frozenset((t, s) for t, s in wrongly - self.slots if bare.is_out_of_sight(s))

    def asked_in_vain(self, evidence: Evidence, verdict: Verdict) -> frozenset[int]:
        """The spaces whose token was asked for by the switches alone for so long that the switch is likelier stuck.

        `verdict`: what was shown up to this look. People take off what a lamp points at, and play on.
        """
        now = evidence.reading.exposed_at
        step, self._looked_at = min(now - self._looked_at, _LOOK_S), now
        if not evidence.is_blind or not self.slots:
            self._asked_s.clear()
        elif verdict.kind in _SAID_WITH:
            self._asked_s = {slot: self._asked_s.get(slot, 0.0) + step for slot in self.slots}
        return frozenset(space for (_, space), asked_s in self._asked_s.items() if asked_s >= OWED_S)

    def said_with(self, verdict: Verdict) -> Verdict:
        """The verdict with what is owed asked for besides."""
        if not self.slots or verdict.kind not in _SAID_WITH:
            return verdict
        todo = tuple(
            Todo(
                say("above.take_off", token=token_name(TOKENS[token]), place=place_name(space)), SPACES[space]
            )
            for token, space in sorted(self.slots)
        )
        marks = tuple((act.space, Mark.REMOVE) for act in todo if act.space is not None)
        return replace(
            verdict,
            text=sentences(*(act.text for act in todo), verdict.text),
            todo=(*todo, *verdict.todo),
            marks=tuple(dict((*verdict.marks, *marks)).items()),
        )


def _has_gone(evidence: Evidence, position: Position, token: int, space: int) -> bool:
    """Was this token taken off, as far as was seen, or without a camera was felt?

    A switch that cannot be believed would never say so: what only it could tell is not asked for. Nor can one whose
    space something else has come to by now, for which the token had to make room.
    """
    if evidence.is_blind:
        return (
            bool(position.stood_on >> space & 1) or evidence.is_felt_bare(space) or space in evidence.unfelt
        )
    return evidence.token_sure(token, space, present=False)
