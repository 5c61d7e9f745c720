"""One session at a table of Above: what is known and thought of the game, and what all that judge it share."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

from companion.games.above.box import Table
from companion.games.above.cards import SETUP_CARDS, SetupCard
from companion.games.above.position import Position
from companion.messages import say
from companion.referee import verdicts
from companion.referee.accounts import Accounts
from companion.referee.agreement import Agreement
from companion.referee.ahead import Ahead
from companion.referee.behind_caps import BehindCaps
from companion.referee.brought_to_light import BroughtToLight
from companion.referee.claims import Claims
from companion.referee.corrected import Corrected
from companion.referee.corrections import Correction
from companion.referee.course import Course
from companion.referee.drawn import Drawn
from companion.referee.earlier import Earlier
from companion.referee.evidence import Evidence, Switches
from companion.referee.gap import Gap
from companion.referee.hypothesis import Explanation, Hypothesis
from companion.referee.leaned_over import LeanedOver
from companion.referee.ledger import Ledger
from companion.referee.lift import Lift
from companion.referee.objection import Objection
from companion.referee.overlooked import Overlooked
from companion.referee.owed import Owed
from companion.referee.patience import BLIND_PORTION
from companion.referee.portion import InPortions, Portion
from companion.referee.question import Said, which_turn
from companion.referee.reeds import Reeds
from companion.referee.refusal import Refusal
from companion.referee.requests import Refused
from companion.referee.sequel import SequelSearch
from companion.referee.setup import differences
from companion.referee.steady import Steady
from companion.referee.telling import Telling
from companion.referee.told import told_start
from companion.referee.turn import Turn
from companion.referee.verdict import Kind, Verdict
from companion.sensing.reading import Reading


class Session:
    """A game as it is watched. `verdict` is what is shown; `stands` what the judging has come to, without what is shown
    while a piece is lifted or a token is owed.
    """

    def __init__(
        self,
        names: Sequence[str],
        ledger: Ledger,
        position: Position | None = None,
        turns: Sequence[Turn] = (),
        table: Table | None = None,
        corrections: Sequence[Correction] = (),
        cards: tuple[SetupCard, ...] = SETUP_CARDS,
    ) -> None:
        self.names = tuple(names)
        self.players = len(self.names)
        self.course = Course(ledger, position, turns)
        self.ledger = ledger
        self.table = table or Table()
        self.corrected = Corrected(self.table, self.players, corrections)
        self.drawn = Drawn(cards)
        self.resuming = self.offered = position is not None and not position.is_over
        self.another = False
        self.reading: Reading | None = None
        # Has nothing moved, and was nothing hidden, since it was read?
        self.at_rest = False
        self.switches: Switches | None = None
        self.key: object = None
        self.explanation: Explanation | None = None
        self.soft: Hypothesis | None = None
        # By switches alone: the turn after which the next player has been called for so long that what is done since may
        # be the next turn; and since when that is so of the one that is taken for over.
        self.called: Hypothesis | None = None
        self.called_since = -math.inf
        # In which ways a turn may have lain there whole but for tokens that it takes off, and in how many looks.
        self.but_for_tokens: tuple[tuple[Hypothesis, ...], int] | None = None
        # All turns that might have been over in this one, by where they led.
        self.softs: dict[Position, Hypothesis] = {}
        # In how many looks it lay there, and how else it may have been over where a single one may have misread a card.
        self.soft_looks = 0
        self.misread: dict[Position, Hypothesis] = {}
        self.ahead = Ahead()
        # Was the last turn told by the switches alone?
        self.is_told_by_switches = False
        # Has more been played in this one than anybody saw, so that what lies there has been asked for?
        self.went_by = False
        # Was its player seen to go on with the last turn after it was over?
        self.overdone = False
        # How the last turn ended, and how else it may have, where a card may belong to either turn.
        self.ends_before: tuple[Hypothesis, ...] = ()
        self.ended_otherwise_since: float | None = None
        self.judged_from = position
        self.taken_back: Position | None = None
        # The turns that were taken back on request, until the table goes on from what was before them.
        self.undone: tuple[Turn, ...] = ()
        self.agreement = Agreement()
        self.rivals_since: float | None = None
        self.announced_refusal = ""
        self.news = ""
        self.touched: set[int] = set()
        # Those of them that were since a turn that might have gone on lay there: in the next one, if it was over.
        self.touched_since: set[int] = set()
        self.lift = Lift(self.names, self.table)
        self.steady = Steady()
        self.behind_caps = BehindCaps()
        self.leaned_over = LeanedOver()
        self.brought_to_light = BroughtToLight()
        self.reeds = Reeds()
        self.gap = Gap()
        self.owed = Owed()
        self.said = Said()
        self.asked: tuple[Hypothesis, ...] = ()
        # Where turns were asked for that were not played, if the players say so.
        self.denied: frozenset[Position] = frozenset()
        self.is_doubtful = False
        # What lies there, if people have said that it is right so and no settled look has shown it since.
        self.declared: Position | None = None
        self.objection = Objection()
        self.telling: Telling | None = None
        # Where a turn led that was told last, and that the switches spoke against.
        self.told_in_vain: Position | None = None
        # Is a turn being told after which others lie there that have to be told as well?
        self.is_catching_up = False
        # By switches alone: turns that have accounted for what lay there in this one, and what may have been played.
        self.earlier = Earlier()
        self.overlooked = Overlooked()
        self.accounts: Accounts | None = None
        self.claims: InPortions[Claims] | None = None
        # The same of those turns that need a switch to be broken.
        self.doubtful: InPortions[tuple[Hypothesis, ...]] | None = None
        # What this look may still try.
        self.portion = Portion(BLIND_PORTION)
        # What fits none of that has come to.
        self.concluded: Verdict | None = None
        self.told = told_start(self.players)
        # By the position that the first of the two turns would begin from.
        self.sequels: dict[Position, SequelSearch] = {}
        # What lies there as the last turn, by where that began: searched once for all looks that say the same.
        self.anew: dict[Position, Explanation] = {}
        # What the judging has come to, and what is shown of it.
        self.stands = self.verdict = self.first_verdict()

    @property
    def position(self) -> Position | None:
        """The position at the start of the open turn, None before the game has begun."""
        return self.course.position

    @property
    def turns(self) -> Sequence[Turn]:
        """What can be taken back, the newest last."""
        return self.course.turns

    @property
    def was_taken_back(self) -> bool:
        """Does the table still show a turn that was taken back?"""
        return self.taken_back is not None

    def first_verdict(self) -> Verdict:
        """What is said before the table was looked at."""
        if self.position is None:
            return Verdict(Kind.SETUP, 0, say("above.looking"))
        if self.position.is_over:
            return verdicts.over(self.position, self.names)
        return Verdict(Kind.SETUP, self.position.turn, say("referee.comparing"))

    def evidence(self, reading: Reading) -> Evidence:
        """What a reading says, by the names that people have given and without tokens that are still owed."""
        read = self.corrected.reading(reading)
        return Evidence(read, self.players, self.table, self.switches, self.owed.slots)

    def say(self, verdict: Verdict) -> None:
        """This stands, and is shown."""
        self.stands = self.verdict = verdict

    def differing(self, evidence: Evidence, text: str) -> Verdict:
        """`text`, and what lies otherwise than in the game."""
        assert self.position is not None
        return verdicts.differing(self.course.seat, text, differences(self.position, evidence, self.names))

    def commit(self, hypothesis: Hypothesis, *, more_lies_there: bool = False) -> Verdict:
        """A turn is over. It is written down before anything is said.

        `more_lies_there`: the next one lies there as well, at least in part, and its switches have felt it.
        """
        self.course.play(hypothesis.actions, hypothesis.after)
        self.is_told_by_switches = self.reading is not None and self.reading.blind
        if self.reading is not None:
            self.owed.taken_unseen(hypothesis, self.seen())
        self.gap.closed()
        others = tuple(end for after, end in self.softs.items() if after != hypothesis.after)
        over_at = -math.inf if more_lies_there else self.earlier.over_at(hypothesis)
        was_over = self.soft is not None and self.soft.after.minis == hypothesis.after.minis
        touched_since = set(self.touched_since) if was_over and not self.is_told_by_switches else set()
        left = self.earlier.left_lying(hypothesis)
        following = [*self.earlier.followed_by(hypothesis)]
        if left:
            self.owed.owe(left)
        verdict = self.reach(hypothesis.after, since=over_at)
        self.touched |= touched_since
        for turn, whole_at in following:
            # A third one may have been begun by now.
            self.earlier.remember([turn], whole_at)
        # It may have been over before its last card was turned: then that card belongs to this turn.
        self.ends_before = (hypothesis, *others) if others else ()
        return verdict

    def reach(self, position: Position, news: str = "", *, since: float = math.inf) -> Verdict:
        """The game stands at the start of a turn, and what belonged to the one before is forgotten (see `forget`)."""
        self.forget(since=since)
        self.news = news
        self.taken_back, self.undone = None, ()
        self.resuming = self.offered = False
        if position.is_over:
            self.say(verdicts.over(position, self.names))
        else:
            self.say(verdicts.ready(position, self.names, news))
        return self.stands

    def forget(self, *, since: float = math.inf) -> None:
        """What was thought of the open turn so far. What switches have felt after `since` (seconds) is the next one's."""
        self.soft = self.called = self.but_for_tokens = None
        self.went_by = self.overdone = False
        self.softs.clear()
        self.ahead.forget()
        self.soft_looks = 0
        self.misread.clear()
        self.ends_before = ()
        self.ended_otherwise_since = None
        self.agreement.reset()
        self.rivals_since = None
        self.asked = ()
        self.earlier.forget()
        self.overlooked.forget()
        self.said.forget()
        self.brought_to_light.forget()
        self.sequels.clear()
        self.anew.clear()
        self.denied = frozenset()
        self.is_doubtful = False
        self.declared = self.told_in_vain = None
        self.objection.forget()
        self.touched.clear()
        self.touched_since.clear()
        self.reeds.turn_begins(since)
        self.news = ""
        self.announced_refusal = ""
        self.explanation = self.accounts = self.claims = self.doubtful = None
        self.concluded = self.telling = None
        self.key = None

    def over_as(self, after: Position) -> Hypothesis | None:
        """The open turn as it was over if the next one began from `after`; None if it cannot have."""
        if self.soft is not None and self.soft.after == after:
            return self.soft
        return self.misread.get(after)

    def agree(self, key: Hashable, now: float) -> tuple[int, float]:
        """How many looks in a row have come to `key`, and for how many seconds, this one included."""
        return self.agreement.count(key, now)

    def disturbed(self) -> None:
        """Hands were there, or nothing could be seen."""
        self.agreement.reset()
        self.steady.stirred()

    def ask(self, ends: Sequence[Hypothesis], *, or_none: bool = False) -> Verdict:
        """Which of these turns was played, as far as it was not answered yet? `or_none`: it may be that none was."""
        narrowed = self.said.narrowed(ends)
        if not narrowed:
            self.said.forget()  # what was said was of another table
            narrowed = tuple(ends)
        self.asked = narrowed
        several = any(map(self.earlier.is_two_ahead, narrowed))
        seat = narrowed[0].positions[0].turn
        return which_turn(seat, narrowed, self.names, self.said, or_none=or_none, several=several)

    def illegal(self, refused: Refusal, seat: int) -> Verdict:
        """A refusal; a new one is written down."""
        if refused.text != self.announced_refusal:
            self.ledger.refusal(refused.text, refused.rule)
            self.announced_refusal = refused.text
        return verdicts.illegal(refused, seat)

    def seen(self) -> Evidence:
        """What was seen last. Raises Refused if nothing was."""
        if self.reading is None:
            raise Refused(say("referee.nothing_seen"))
        return self.evidence(self.reading)

    def lying(self) -> Evidence:
        """What lies there now. Raises Refused if nothing was seen yet, or a hand has been over it since."""
        seen = self.seen()
        if not self.at_rest:
            raise Refused(say("referee.not_at_rest"))
        return seen

    def known_seat(self, seat: int) -> int:
        """The seat. Raises Refused if nobody sits there."""
        if not 0 <= seat < self.players:
            raise Refused(say("above.no_such_seat", n=seat + 1, players=self.players))
        return seat
