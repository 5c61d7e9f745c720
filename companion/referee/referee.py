"""The referee: one game of Above on one table, from readings to verdicts.

Plain synchronous code. It holds the position at the start of the turn, weighs every settled reading against
the legal turns (`explain`), and says what the table is: ready, unfinished, complete, illegal, a question. A
turn is written to the ledger before it is announced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, MINI_IDS, Table
from companion.games.above.cards import SETUP_CARDS, SetupCard
from companion.games.above.position import Position
from companion.messages import say, sentences
from companion.referee import verdicts
from companion.referee.corrected import MINI, Corrected
from companion.referee.corrections import Correction
from companion.referee.course import Course
from companion.referee.drawn import Drawn
from companion.referee.evidence import CONTRADICTION, Evidence, Switches
from companion.referee.explain import explain, state_of
from companion.referee.gap import SETTLED_S, Gap
from companion.referee.hypothesis import Explanation, Hypothesis, Item, alike
from companion.referee.laid_out import laid_out
from companion.referee.ledger import Ledger
from companion.referee.lift import Lift
from companion.referee.owed import Owed
from companion.referee.question import NONE, Said, chosen, which_turn
from companion.referee.reeds import Reeds
from companion.referee.refusal import Refusal, refusal
from companion.referee.requests import Refused
from companion.referee.restored import cost_of, is_being_restored, turns_restored
from companion.referee.sequel import SequelSearch, unseen_end
from companion.referee.setup import differences, read_start
from companion.referee.steady import Steady
from companion.referee.telling import TELL, Telling
from companion.referee.told import told_acts, told_start
from companion.referee.trajectory import magnets
from companion.referee.turn import Turn
from companion.referee.verdict import Choice, Kind, Verdict
from companion.referee.wording import deity_name, place_name
from companion.sensing.reading import Finding, MiniSighting, Reading

# A refusal needs this many settled looks in a row that agree, and this long; one look is never enough to
# accuse anybody. Where something is merely not seen, a marker may be blurred or a piece being straightened.
ILLEGAL_LOOKS = 2
# Which token was laid and which card was turned only the print itself tells: that takes a second look, too.
TOLD_BY_PRINTS = 2
_BY_PRINTS = ("place", "shift", "recover", "disgrace", "exhaust")
MISSING_S = 1.5
IN_HAND_S = 6.0
QUESTION_S = 1.5
# What switches alone tell is looked at longer before anybody is accused.
BLIND_S = 2.0
# Two turns are looked for in portions, so many paths a look, so that no look takes longer than a picture.
PORTION = 500
# Where something of a turn cannot be told from switches, it may still be done; so long, and it is asked for.
BLIND_QUESTION_S = 4.0
# Where switches alone have told nothing new for so long, what was played can be told.
TELL_S = 5.0
# So many turns that may have been played before the next one are kept in mind.
MOST_EARLIER = 8
# A told turn is believed against so many switches; against more, it was told of another table.
MOST_BROKEN = 2

UNSEEN = say("above.unseen")
STANDS, LIES = "stands", "lies:"
_TOP = SPACES.index("top")
# A turn that was put back piece by piece is taken back; one that is being put back is given this long for the next.
RESTORED_S = 0.8
# So long a new set-up stands there instead of a game that was opened again, and it is a new game.
ANOTHER_S = 2.0
RESTORING_S = 4.0


class Referee:
    """A session of one game. `position` None: the game starts from the set-up that is laid on the table.

    With a position (a resumed game), the table must first show it, or a turn that continues it.
    `corrections`: what people said of pieces in it before. `cards`: what is printed on the owner's cards for the set-up.
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
        self._course = Course(ledger, position, turns)
        self._ledger = ledger
        self._table = table or Table()
        self._corrected = Corrected(self._table, self.players, corrections)
        self._drawn = Drawn(cards)
        self._resuming = self._offered = position is not None and not position.is_over
        self._another = False
        self._reading: Reading | None = None
        self._switches: Switches | None = None
        self._key: object = None
        self._explanation: Explanation | None = None
        self._soft: Hypothesis | None = None
        # All turns that might have been over in this one, by where they led.
        self._softs: dict[Position, Hypothesis] = {}
        # How the last turn ended, and how else it may have, where a card may belong to either turn.
        self._ends_before: tuple[Hypothesis, ...] = ()
        self._ended_otherwise_since: float | None = None
        self._judged_from = position
        self._taken_back: Position | None = None
        self._agreed: tuple[object, float, int] | None = None
        self._rivals_since: float | None = None
        self._announced_refusal = ""
        self._news = ""
        self._touched: set[int] = set()
        self._lift = Lift(self.names, self._table)
        self._steady = Steady()
        self._reeds = Reeds()
        self._gap = Gap()
        self._owed = Owed()
        self._said = Said()
        self._asked: tuple[Hypothesis, ...] = ()
        # Where turns were asked for that were not played, if the players say so.
        self._denied: frozenset[Position] = frozenset()
        self._is_doubtful = False
        self._telling: Telling | None = None
        # Turns that have accounted for what switches alone told in this one, and of those the ones that do with what
        # was begun after them.
        self._earlier: dict[Position, Hypothesis] = {}
        self._overtaken: tuple[Hypothesis, ...] | None = None
        self._told = told_start(self.players)
        # By the position that the first of the two turns would begin from.
        self._sequels: dict[Position, SequelSearch] = {}
        # What the judging has come to, and what is shown of it.
        self._stands = self.verdict = self._first_verdict()

    def _first_verdict(self) -> Verdict:
        if self.position is None:
            return Verdict(Kind.SETUP, 0, say("above.looking"))
        if self.position.is_over:
            return verdicts.over(self.position, self.names)
        return Verdict(Kind.SETUP, self.position.turn, say("above.comparing"))

    @property
    def position(self) -> Position | None:
        """The position at the start of the open turn, None before the game has begun."""
        return self._course.position

    @property
    def turns(self) -> Sequence[Turn]:
        """What can be taken back, the newest last."""
        return self._course.turns

    @property
    def has_open_end(self) -> bool:
        """Does a whole turn lie there that could still go on, and is no completed one yet?"""
        return self._soft is not None

    @property
    def was_taken_back(self) -> bool:
        """Does the table still show a turn that was taken back?"""
        return self._taken_back is not None

    @property
    def has_begun(self) -> bool:
        """Is there a game, or does the table still have to show where it starts?"""
        return self.position is not None

    @property
    def shows_another(self) -> bool:
        """Does the table show the beginning of another game instead of the one that is offered?"""
        return self._offered and self._another

    @property
    def is_offered(self) -> bool:
        """Was this game opened again, and has the table not shown it since?"""
        return self._offered

    @property
    def may_be_over(self) -> Position | None:
        """The position if the turn that lies there complete, but could still go on, ends as it is."""
        return None if self._soft is None else self._soft.after

    # -- the table

    @property
    def notices(self) -> Sequence[Finding]:
        """What is out of order with the switches, as far as the game shows."""
        return self._reeds.findings

    def observe(self, reading: Reading, switches: Switches | None = None) -> Verdict:
        """Weighs one reading. What is seen while hands move is no evidence: the verdict stands,
        but what the switches say is in a hand is shown where it may go.

        A reading without a picture is weighed by the switches alone, if there are any and no camera is to be
        waited for.
        """
        now = reading.exposed_at
        switches = self._reeds.look(reading, switches)
        self._gap.look(reading, now)
        self._note_touched(reading, switches)
        trouble = self._trouble(reading, switches)
        if trouble:
            self._agreed = None
            self._steady.stirred()
            if not self._course.is_over:
                self._say(Verdict(Kind.HOLD, self._course.seat, trouble))
            return self.verdict
        if reading.frame != "ok":
            reading = Reading(now, blind=True)
        if reading.moving or (reading.blind and self._reeds.settled_for(now) < SETTLED_S):
            # A disturbance: agreement among looks before it counts no longer.
            self._agreed = None
            self._steady.stirred()
            if reading.moving:
                lifted = self._lift.shown(self._stands, self.position, switches, now)
                self.verdict = self._owed.said_with(lifted)
            return self.verdict
        steady = reading if reading.blind else self._steady.reading(reading)
        if steady is None:
            return self.verdict  # a print is read in two ways: the next look tells
        reading = steady
        self._reading, self._switches = reading, switches
        if self.position is not None:
            self._owed.look(self._evidence(reading), self.position)
        evidence = self._evidence(reading)
        self._weigh_anew_unless((evidence.says, self.position, self._taken_back, self._owed.slots))
        self._stands = self._lift.settle(self._stands, evidence, switches)
        if self._course.is_over:
            self._stands = self._take_back_restored(evidence, now) or self._stands
        else:
            self._stands = self._judge(evidence, now)
        self.verdict = self._owed.said_with(self._stands)
        if evidence.is_blind and self._reeds.settled_for(now) >= TELL_S:
            self.verdict = self._may_be_told(self.verdict)
        return self.verdict

    def _trouble(self, reading: Reading, switches: Switches | None) -> str:
        """Why nothing can be judged at all; empty if it can, by sight or by the switches alone."""
        if reading.frame == "ok" and not reading.blind:
            return ""
        why = say("above.camera_away") if reading.frame == "ok" else reading.frame
        if switches is None:
            return why
        if self._gap.may_return(reading.exposed_at) or (self.position is None and reading.frame != "ok"):
            return why
        return ""

    def _weigh_anew_unless(self, key: object) -> None:
        """What was thought of the table counts only as long as nothing about it changes."""
        if key != self._key:
            self._key = key
            self._explanation = self._overtaken = self._telling = None
            self._sequels.clear()

    def _say(self, verdict: Verdict) -> None:
        self._stands = self.verdict = verdict

    def corrected(self, reading: Reading) -> Reading:
        """A reading with every piece and card under the name that people have said."""
        return self._corrected.reading(reading)

    def _evidence(self, reading: Reading) -> Evidence:
        read = self.corrected(reading)
        return Evidence(read, self.players, self._table, self._switches, self._owed.slots)

    def _note_touched(self, reading: Reading, switches: Switches | None) -> None:
        """Remembers which miniatures left their space this turn, if only for a moment."""
        if self.position is None:
            return
        seen = {} if reading.moving else {mini.deity: mini.space for mini in reading.minis}
        for deity, space in enumerate(self.position.minis):
            name = SPACES[space]
            lifted = switches is not None and self._reeds.has_opened(space)
            if lifted or seen.get(DEITIES[deity], name) != name:
                self._touched.add(deity)

    def _judge(self, evidence: Evidence, now: float) -> Verdict:
        if self.position is None:
            return self._told_set_up(evidence) if evidence.is_blind else self._set_up(evidence)
        if self._taken_back is not None:
            verdict = self._still_taken_back(evidence, self._taken_back)
            if verdict is not None:
                return verdict
        if self._telling is not None:
            return self._telling.verdict()
        if self._explanation is None:
            self._explanation = explain(self.position, evidence)
        explanation = self._explanation
        if explanation.best.fits:
            self._resuming = self._offered = False
            if explanation.accepted is None or evidence.is_blind:
                self._agreed = None
            if not explanation.best.actions:
                self._gap.closed()
            return self._fitting(explanation, evidence, now)
        if self._soft is not None:
            # The table no longer fits the turn that might have gone on, but fits the next one: it was over.
            soft, following = self._ended(self._soft, evidence)
            if following.best.fits:
                if soft is None:
                    return verdicts.unfinished(following, evidence, self.names)
                self._commit(soft)
                self._explanation = following
                return self._judge(evidence, now)
            went_on = self._going_on(self._soft.after, evidence, now)
            if went_on is not None:
                return went_on
            if len(following.best.wrong) <= len(explanation.best.wrong):
                return self._not_fitting(self._soft.after, following, evidence, now)
        if self._resuming:
            self._another = self._shows_another(evidence, now)
            return self._differing(evidence, say("above.differs"))
        restored = self._take_back_restored(evidence, now)
        if restored is not None:
            return restored
        went_on = self._going_on(self.position, evidence, now)
        if went_on is not None:
            return went_on
        return self._not_fitting(self.position, explanation, evidence, now)

    def _ended(self, soft: Hypothesis, evidence: Evidence) -> tuple[Hypothesis | None, Explanation]:
        """How the turn that might have gone on ended, and what fits as the next one.

        A card that went last may have been its last act or the next turn's first (Athena, Hera): None while both fit.
        """
        ends = [soft, *(each for after, each in self._softs.items() if after != soft.after)]
        followings = [(end, explain(end.after, evidence, thorough=end is soft)) for end in ends]
        fitting = [(end, then) for end, then in followings if then.best.fits]
        if len(fitting) > 1:
            over = [(end, then) for end, then in fitting if then.accepted is not None]
            if not over:
                return None, fitting[0][1]
            return over[0]
        return fitting[0] if fitting else followings[0]

    def _shows_another(self, evidence: Evidence, now: float) -> bool:
        """Has a whole new game been set up, and stood there for a while?"""
        start = None if evidence.is_blind or not self._offered else read_start(evidence, self.names)[0]
        if start is None or start == self.position:
            return False
        looks, lasted = self._agree(("another", start), now)
        return looks > ILLEGAL_LOOKS and lasted >= ANOTHER_S

    def _going_on(self, position: Position, evidence: Evidence, now: float) -> Verdict | None:
        """The next turn was begun before this one was quite over, or both were played and nobody saw it."""
        search = self._sequels.get(position)
        if search is None:
            search = SequelSearch(position, evidence, self._owed.slots, self._touched)
            self._sequels[position] = search
        if not search.run(PORTION):
            return self._stands
        found = tuple(each for each in search.found if each.first.after not in self._denied)
        if not found:
            return None
        looks, lasted = self._agree(("sequel", tuple(each.first.actions for each in found)), now)
        if looks < ILLEGAL_LOOKS:
            return self._stands
        end = unseen_end(found)
        doubtful = found[0].is_doubtful
        certain = end is not None or (len(found) == 1 and not doubtful)
        if certain and self._soft is not None and self._soft.after == position:
            self._commit(self._soft)
        if end is not None:
            # Where the game stands is certain; how it came there nobody has seen.
            self._course.rule(UNSEEN, "", end)
            return self._reach(end, UNSEEN)
        if not certain:
            if lasted < QUESTION_S:
                return self._stands
            self._asked = tuple(each.first for each in found)
            self._is_doubtful = doubtful
            return which_turn(position.turn, self._asked, self.names, or_none=doubtful)
        self._commit(found[0].first)
        self._owed.owe(found[0].owed)
        return self._judge(evidence.without(self._owed.slots), now)

    def _told_set_up(self, evidence: Evidence) -> Verdict:
        """Without a camera people are told how to set up, and say when it lies so."""
        verdict = verdicts.set_up(told_acts(self._told, evidence, self.names))
        return replace(verdict, choices=(Choice(STANDS, say("above.lies_so")),), by_rules=True)

    def tell_set_up(self, position: Position) -> None:
        """The set-up that people are told if there is no camera to read theirs."""
        self._told = position

    def _set_up(self, evidence: Evidence) -> Verdict:
        self._drawn.look(evidence.reading)
        start, acts = read_start(evidence, self.names, self._drawn)
        if start is None:
            return verdicts.set_up(acts)
        self._course.begin(self.names, start)
        self._news = say("above.all_set", name=self.names[start.turn])
        return verdicts.ready(start, self.names, self._news)

    def _fitting(self, explanation: Explanation, evidence: Evidence, now: float) -> Verdict:
        if evidence.is_blind:
            return self._fitting_blindly(explanation, evidence, now)
        accepted = explanation.accepted
        if accepted is not None:
            self._rivals_since = None
            unseen = not self._touched.issuperset(accepted.returned) and explanation.under_way.best.fits
            if not (explanation.may_be_under_way or accepted.replaced or unseen):
                looks, _ = self._agree(("turn", accepted.after), now)
                by_prints = any(action.kind in _BY_PRINTS for action in accepted.actions)
                return self._stands if by_prints and looks < TOLD_BY_PRINTS else self._commit(accepted)
            self._soft = self._softs[accepted.after] = accepted
            self._announced_refusal = ""
            if self._touched.issuperset(accepted.returned) and not accepted.replaced:
                return verdicts.complete(accepted, self.names)
            # It may be over only if something went and came back unseen; more likely it has not moved yet.
            verdict = verdicts.unfinished(explanation.under_way, evidence, self.names)
            return replace(
                verdict,
                choices=(Choice("done", say("above.has_finished", name=self.names[self._course.seat])),),
            )
        if self._soft is not None:
            followed = self._followed(self._soft, explanation, evidence, now)
            if followed is not None:
                return followed
        rivals = explanation.rivals
        if rivals:
            if self._rivals_since is None:
                self._rivals_since = now
            if now - self._rivals_since >= QUESTION_S:
                return self._ask(rivals)
            return self._stands
        self._rivals_since = None
        self._announced_refusal = ""
        asked = self._ended_otherwise(evidence, now) if explanation.best.actions else None
        if asked is not None:
            return asked
        verdict = verdicts.unfinished(explanation, evidence, self.names, self._news)
        if verdict.kind is not Kind.READY:
            self._news = ""
        return verdict

    def _ended_otherwise(self, evidence: Evidence, now: float) -> Verdict | None:
        """This turn lies there whole if the last one ended before its last card was turned: which of the two is asked.

        Whoever lets Hera name a card may turn that one first, just when Athena's player might have turned it.
        """
        whole = any(
            (then := explain(end.after, evidence, thorough=False)).accepted and not then.may_be_under_way
            for end in self._ends_before[1:]
        )
        if not whole:
            self._ended_otherwise_since = None
            return None
        if self._ended_otherwise_since is None:
            self._ended_otherwise_since = now
        if now - self._ended_otherwise_since < QUESTION_S:
            return None
        self._asked = self._ends_before
        return which_turn(self._ends_before[0].positions[0].turn, self._asked, self.names)

    def _followed(
        self, soft: Hypothesis, explanation: Explanation, evidence: Evidence, now: float
    ) -> Verdict | None:
        """The turn that might have gone on lies there still, but for what is in somebody's hand: is it the next one?"""
        if not all(
            evidence.in_hand(item[1], states[-1])
            if item[0] == "mini" and not evidence.mini_sure(item[1], states[-1])
            else cost_of(evidence, item, states[-1]) < CONTRADICTION
            for item, states in soft.trajectory.items()
        ):
            self._soft = None
            return None
        following = explain(soft.after, evidence)
        if following.accepted is not None:
            self._commit(soft)
            self._explanation = following
            return self._judge(evidence, now)
        if not following.best.fits or len(following.best.pending) > len(explanation.best.pending):
            return None
        return verdicts.unfinished(following, evidence, self.names, self._news)

    def _fitting_blindly(self, explanation: Explanation, evidence: Evidence, now: float) -> Verdict:
        """By the switches and the rules alone: what leaves no trace in them is asked for."""
        self._soft = None
        nothing = not explanation.best.actions
        if nothing:
            self._gap.followed()
        ends = alike([end for end in explanation.finished if self._left_trace(end)])
        narrowed = self._said.narrowed(ends)
        self._remember(ends or _with_tokens_taken_off(explanation))
        # What lies there after a gap may be more than one turn, though one turn explains it.
        if len(narrowed) == 1 and self._gap.is_followed and self._was_felt(narrowed[0]):
            return self._commit(narrowed[0])
        left = explanation.under_way if explanation.best.is_finished else explanation
        if not left.best.fits:
            # Nothing is left to do, and nothing tells whether it was done: a miniature that went forth and back.
            return self._ask(alike(explanation.finished))
        verdict = verdicts.unfinished(left, evidence, self.names)
        wait = QUESTION_S
        if not all(map(self._was_felt, ends)):
            # A miniature in the air and a token that lies where it may go look like one that has got there.
            wait = BLIND_QUESTION_S
        if not ends and not nothing:
            # A miniature may stand on a switch that is dead; or it is still in somebody's hand.
            ends, wait = _with_lifted_set_down(explanation), BLIND_QUESTION_S
        if ends:
            if self._rivals_since is None:
                self._rivals_since = now
            if now - self._rivals_since < wait:
                return verdict if wait > QUESTION_S else self._stands
            return self._ask(ends)
        self._rivals_since = None
        traceless = alike([end for end in explanation.finished if not self._left_trace(end)])
        if traceless and nothing:
            return replace(verdict, choices=self._ask(traceless).choices)
        return verdict

    def _left_trace(self, end: Hypothesis) -> bool:
        """Has a turn moved anything that switches still tell of? What was only lifted may have gone nowhere."""
        if not self._touched.issuperset(end.returned):
            return False
        return any(item[0] != "card" and states[0] != states[-1] for item, states in end.trajectory.items())

    def _played_before(self, evidence: Evidence) -> tuple[Hypothesis, ...]:
        """By the switches alone: turns that account for the table where the open one does not.

        The last turn may have been taken back for another one; and after a turn that was not quite over,
        or was asked for, the next one may have been begun.
        """
        if not evidence.is_blind or self._soft is not None:
            return ()
        if self._overtaken is None:
            last = self._course.last
            instead: tuple[Hypothesis, ...] = ()
            if last is not None and not self.was_taken_back:
                ends = explain(last.before, evidence).finished
                instead = alike([end for end in ends if end.after != last.after and self._left_trace(end)])
            begun = [
                end
                for end in self._earlier.values()
                if explain(end.after, evidence, thorough=False).best.fits
            ]
            self._remember(instead)
            self._overtaken = instead or tuple(begun)
        return self._overtaken

    def _remember(self, ends: Sequence[Hypothesis]) -> None:
        """These turns account for what lies there, if no more than tokens are still to be taken off."""
        for end in ends:
            if len(self._earlier) < MOST_EARLIER:
                self._earlier.setdefault(end.after, end)

    def _may_be_told(self, verdict: Verdict) -> Verdict:
        """The verdict with the offer to tell the turn: no table waits for what switches cannot tell."""
        told = self._telling is not None or self.was_taken_back or self._resuming
        if self.position is None or told or verdict.kind in (Kind.OVER, Kind.COMPLETE):
            return verdict
        if any(choice.key == TELL for choice in verdict.choices):
            return verdict
        return replace(verdict, choices=(*verdict.choices, Choice(TELL, say("above.tell"))))

    def _tell(self) -> bool:
        """The turn is told from its beginning."""
        position, seen = self.position, self._seen()
        assert position is not None
        self._asked = ()
        self._telling = Telling(position, self.names, lambda name: not seen.is_felt_bare(SPACES.index(name)))
        self._say(self._telling.verdict())
        return True

    def _contrary(self, position: Position) -> int:
        """How many switches that are believed say otherwise than a position."""
        seen, standing = self._seen(), magnets(position)
        return sum(
            seen.is_felt_bare(space) if standing >> space & 1 else seen.magnet_cost(space, present=False) > 0
            for space in range(len(SPACES))
        )

    def _take_told(self, telling: Telling, key: str) -> bool:
        if not telling.take(key):
            return False
        end = telling.end
        if telling.is_given_up or (end is not None and self._contrary(end.after) > MOST_BROKEN):
            # Told from a position that the table is not in: nothing is taken for played.
            self._telling = None
            self._say(Verdict(Kind.UNFINISHED, self._course.seat, say("above.as_before")))
        elif end is None:
            self._say(telling.verdict())
        else:
            self._commit(end)
            self._reeds.are_told(end.after)
        return True

    def _was_felt(self, end: Hypothesis) -> bool:
        """Have the switches felt every miniature of a turn leave its space and come to where it ends?"""
        return all(
            item[1] in self._touched and self._reeds.has_changed(states[-1])
            for item, states in end.trajectory.items()
            if item[0] == "mini"
        )

    def _ask(self, ends: Sequence[Hypothesis]) -> Verdict:
        narrowed = self._said.narrowed(ends)
        if not narrowed:
            self._said.forget()  # what was said was of another table
            narrowed = tuple(ends)
        self._asked = narrowed
        return which_turn(self._course.seat, narrowed, self.names)

    def _not_fitting(
        self, position: Position, explanation: Explanation, evidence: Evidence, now: float
    ) -> Verdict:
        best = explanation.best
        self._judged_from = position
        places = tuple(evidence.mini_at(item[1]) for item in best.wrong if item[0] == "mini")
        looks, lasted = self._agree((best.wrong, places), now)
        refused = refusal(position, explanation, evidence, self.names)
        patience = MISSING_S if refused.only_missing else 0.0
        if any(evidence.in_hand(deity, space) for deity, space in enumerate(position.minis)):
            patience = IN_HAND_S
        if evidence.is_blind:
            patience = max(patience, BLIND_S)
        last = self._course.last
        if last is not None and last.after == position:
            back = is_being_restored(last, evidence)
            if back and looks >= ILLEGAL_LOOKS and lasted < max(patience, RESTORING_S):
                return verdicts.being_restored(last, back, evidence, self.names)
        overtaken = self._played_before(evidence)
        if looks < ILLEGAL_LOOKS or lasted < (BLIND_S if overtaken else patience):
            return self._stands
        if position == self.position and self._recovers_still(best.wrong, evidence):
            return self._judge(evidence, now)
        if overtaken:
            self._asked = overtaken
            return which_turn(overtaken[0].positions[0].turn, overtaken, self.names)
        went_by = not self._denied and self._went_by(position, evidence)
        if not evidence.is_blind and (self._gap.was_long or went_by):
            return self._not_seen(evidence)
        return self._illegal(refused, position.turn)

    def _recovers_still(self, wrong: Sequence[Item], evidence: Evidence) -> bool:
        """Do cards of somebody who recovered in the last turn lie otherwise, and was it not over yet but for them?

        Cards recovered one by one look for a while like ones that Athena exhausted, or like another pick (A5). The
        turn is then open again.
        """
        last = self._course.last
        if last is None or last.after != self.position or evidence.is_blind:
            return False
        seats = {seat for seat in range(self.players) if last.recovered(seat)}
        if not all(item[0] == "card" and item[1] in seats for item in wrong):
            return False
        anew = explain(last.before, evidence)
        if not anew.best.fits:
            return False
        self._course.take_back(1)
        self._forget()
        self._explanation = anew
        return True

    def _went_by(self, position: Position, evidence: Evidence) -> bool:
        """Do cards of both sides lie otherwise, and stand two miniatures elsewhere?

        No single turn does that: whole turns have gone by that were not told apart. Who has just made a mistake has
        not done all that.
        """
        sides = {
            seat % 2
            for seat in range(position.players)
            for deity in range(len(DEITIES))
            if evidence.card_cost(seat, deity, state_of(position, ("card", seat, deity))) >= CONTRADICTION
        }
        moved = sum(
            evidence.mini_cost(deity, space) >= CONTRADICTION for deity, space in enumerate(position.minis)
        )
        return len(sides) == 2 and moved >= 2

    def _not_seen(self, evidence: Evidence) -> Verdict:
        """What lies there was played while nobody could see it, and the rules do not tell how: nobody is accused."""
        verdict = self._differing(evidence, say("above.not_seen"))
        # Who reached the summit was not seen either.
        won = any(evidence.mini_at(deity) == _TOP for deity in range(len(DEITIES)))
        whose = (
            Choice(f"{LIES}{seat}", say("above.right_won" if won else "above.right_next", name=name))
            for seat, name in enumerate(self.names)
        )
        return replace(verdict, choices=tuple(whose))

    def _agree(self, key: object, now: float) -> tuple[int, float]:
        """How many looks in a row, and for how many seconds, the table has been `key`, this one included."""
        if self._agreed is None or self._agreed[0] != key:
            self._agreed = (key, now, 0)
        _, since, looks = self._agreed
        self._agreed = (key, since, looks + 1)
        return looks + 1, now - since

    def _illegal(self, refused: Refusal, seat: int) -> Verdict:
        if refused.text != self._announced_refusal:
            self._ledger.refusal(refused.text, refused.rule)
            self._announced_refusal = refused.text
        return verdicts.illegal(refused, seat)

    def _differing(self, evidence: Evidence, text: str) -> Verdict:
        assert self.position is not None
        return verdicts.differing(self._course.seat, text, differences(self.position, evidence, self.names))

    # -- turns

    def _commit(self, hypothesis: Hypothesis) -> Verdict:
        self._course.play(hypothesis.actions, hypothesis.after)
        self._gap.closed()
        others = tuple(end for after, end in self._softs.items() if after != hypothesis.after)
        verdict = self._reach(hypothesis.after)
        # It may have been over before its last card was turned: then that card belongs to this turn.
        self._ends_before = (hypothesis, *others) if others else ()
        return verdict

    def _reach(self, position: Position, news: str = "") -> Verdict:
        """The game stands at the start of a turn, and what belonged to the one before is forgotten."""
        self._forget()
        self._news = news
        self._taken_back = None
        self._resuming = self._offered = False
        if position.is_over:
            self._say(verdicts.over(position, self.names))
        else:
            self._say(verdicts.ready(position, self.names, news))
        return self._stands

    def _forget(self) -> None:
        """What was thought of the open turn so far."""
        self._soft = None
        self._softs.clear()
        self._ends_before = ()
        self._ended_otherwise_since = None
        self._agreed = None
        self._rivals_since = None
        self._asked = ()
        self._earlier.clear()
        self._said.forget()
        self._sequels.clear()
        self._denied = frozenset()
        self._is_doubtful = False
        self._touched.clear()
        self._reeds.turn_begins()
        self._news = ""
        self._announced_refusal = ""
        self._explanation = self._overtaken = self._telling = None
        self._key = None

    def take_back(self, turns: int = 1) -> Verdict:
        """Takes the last turns back, so many; the table is then to be restored, or another turn played."""
        if self._soft is not None:
            self._commit(self._soft)
        turns = min(turns, len(self.turns))
        if not turns:
            return self._stands
        shown = self.position
        text = self._course.take_back(turns)
        self._forget()
        self._taken_back = shown
        self._say(Verdict(Kind.SETUP, self._course.seat, sentences(text, say("above.as_before"))))
        return self._stands

    def _take_back_restored(self, evidence: Evidence, now: float) -> Verdict | None:
        """Who restores the table takes a turn back as well; None while it does not show an earlier position."""
        turns = turns_restored(self.turns, evidence)
        if not turns:
            return None
        looks, lasted = self._agree(("restored", turns), now)
        if looks <= ILLEGAL_LOOKS or lasted < RESTORED_S:
            return self._stands
        before = self.turns[-turns].before
        return self._reach(before, self._course.take_back(turns))

    def _still_taken_back(self, evidence: Evidence, undone: Position) -> Verdict | None:
        """While the table still shows the turn that was taken back, it is not accepted a second time."""
        if differences(undone, evidence, self.names):
            self._taken_back = None
            self._resuming = True
            return None
        return self._differing(evidence, say("above.taken_back", n=1))

    # -- what people say

    def answer(self, key: str) -> bool:
        """Takes an answer to the verdict's choices. False when it answers nothing that is asked now."""
        if key not in {choice.key for choice in self.verdict.choices}:
            return False
        if key == "done" and self._soft is not None:
            self._commit(self._soft)
            return True
        if key == STANDS and self.position is None:
            self._course.begin(self.names, self._told)
            self._reeds.are_told(self._told)
            self._reach(self._told)
            return True
        if key.startswith(LIES):
            after = laid_out(
                self._seen(), self._known_seat(int(key.removeprefix(LIES))), self.names, self.position
            )
            self._course.rule(UNSEEN, "", after)
            self._reach(after, UNSEEN)
            return True
        return self._answer_question(key)

    def _answer_question(self, key: str) -> bool:
        if self._telling is not None:
            return self._take_told(self._telling, key)
        if key == TELL:
            return self._tell()
        asked = self._asked
        end = chosen(key, asked)
        if key == NONE and self._is_doubtful:
            # So it was not played: the table is judged without it.
            self._denied = frozenset(each.after for each in asked)
            self._asked, self._is_doubtful, self._agreed = (), False, None
            self._say(Verdict(Kind.UNFINISHED, self.verdict.seat, self.verdict.text))
            return True
        if end is None:
            if not self._said.take(key, asked):
                return False
            left = self._said.narrowed(asked)
            if not left and self._reading is not None and self._reading.blind:
                return self._tell()
            if len(left) != 1:
                # The next question, with the same verdict around it.
                self._say(replace(self.verdict, choices=self._ask(left or asked).choices))
                return True
            end = left[0]
        if self._ends_before and end is self._ends_before[0]:
            # It is as it was taken; this turn is still to be ended.
            self._ends_before, self._asked = (), ()
            self._say(replace(self.verdict, kind=Kind.UNFINISHED, seat=self._course.seat, choices=()))
            return True
        blind = self._reading is not None and self._reading.blind
        if self._soft is not None and self._soft.after == end.positions[0]:
            self._commit(self._soft)
        elif end.positions[0] != self.position:
            self._course.take_back(1)
        self._commit(end)
        if blind:
            self._reeds.are_told(end.after)
        return True

    def go_on(self) -> None:
        """The players have said that this game is the one that goes on."""
        self._offered = False

    def start_here(self, seat: int) -> Verdict:
        """Begins the game from whatever lies on the table, `seat` to move.

        Raises Refused with everything that makes that impossible.
        """
        if self.position is not None:
            raise Refused(say("above.under_way"))
        position = laid_out(self._seen(), self._known_seat(seat), self.names)
        if position.is_over:
            raise Refused(say("above.over_already_there"))
        self._course.begin(self.names, position)
        return self._reach(position, say("above.begins_here"))

    @property
    def may_rule(self) -> bool:
        """Can the players declare that they play on from what lies there?"""
        if self.position is None or self.was_taken_back:
            return False
        return self.verdict.kind in (Kind.ILLEGAL, Kind.SETUP)

    def rule(self, seat: int) -> Verdict:
        """A ruling of the house: what lies there is taken as it is, and `seat` is next to move.

        Raises Refused if nothing is amiss, or with everything that makes the position impossible.
        """
        if not self.may_rule:
            raise Refused(say("above.nothing_wrong"))
        said, seen = self.verdict, self._seen()
        before = self._judged_from if self._soft is not None else self.position
        assert before is not None
        after = laid_out(seen, self._known_seat(seat), self.names, before)
        if after.is_over:
            # Who reached the summit has won, whoever would be next.
            after = laid_out(seen, before.turn, self.names, before)
        if self._soft is not None and self._soft.after == before:
            self._commit(self._soft)
        self._course.rule(said.text, said.rule, after)
        return self._reach(after, say("above.house_ruled"))

    def correct(self, what: str, place: str, shown: str, said: str) -> Verdict:
        """What is `shown` at `place` is `said`: the table is weighed anew, the last turn too if it was misread.

        `what`: "mini", "token" or "card"; `place`: a space, or `cards` and a seat. Raises Refused with a sentence.
        """
        reading = self._reading
        if reading is None:
            raise Refused(say("above.nothing_seen"))
        if what == MINI and self._stands_unseen(reading, place, shown):
            self._correct_turn(reading, place, shown, said)
        else:
            correction = self._corrected.correction(reading, what, place, shown, said)
            self._ledger.correction(correction)
            self._corrected.add(correction)
            self._read_last_turn_anew(self._evidence(reading))
        self._key = self._explanation = None
        return self.observe(reading, self._switches)

    def _stands_unseen(self, reading: Reading, place: str, deity: str) -> bool:
        """Does the game have a deity on a space where no picture shows anything?"""
        known = self.position is not None and place in SPACES and self.position.mini_on(place) == deity
        return known and all(mini.space != place and mini.deity != deity for mini in reading.minis)

    def _correct_turn(self, reading: Reading, place: str, shown: str, said: str) -> None:
        """Only switches told of the last turn, and it was another's: it is read anew with what is said."""
        if said not in MINI_IDS:
            raise Refused(say("above.no_such_mini", name=said))
        told = MiniSighting(said, MINI_IDS[said], ((place, 1.0),), (0.0, 0.0, 0.0))
        evidence = self._evidence(replace(reading, minis=(*reading.minis, told)))
        if not self._read_last_turn_anew(evidence, Correction("turn", place, shown, said)):
            raise Refused(say("above.no_turn_brings", deity=deity_name(said), place=place_name(place)))

    def _read_last_turn_anew(self, evidence: Evidence, correction: Correction | None = None) -> bool:
        """Where what lies there fits another turn and not the one that was accepted, it is that one."""
        last = self._course.last
        if last is None or self.was_taken_back or explain(last.after, evidence).best.fits:
            return False
        other = explain(last.before, evidence).accepted
        if other is None or other.after == last.after:
            return False
        if correction is not None:
            self._ledger.correction(correction)
        self._course.take_back(1)
        self._commit(other)
        return True

    def _seen(self) -> Evidence:
        if self._reading is None:
            raise Refused(say("above.nothing_seen"))
        return self._evidence(self._reading)

    def _known_seat(self, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise Refused(say("above.no_such_seat", n=seat + 1, players=self.players))
        return seat


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
