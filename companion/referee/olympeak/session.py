"""One session at an OlymPeak table: what the stages of a game share, and what they all say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.games.olympeak import rules
from companion.games.olympeak.box import Box
from companion.games.olympeak.events import Event, Ruling
from companion.games.olympeak.position import GameState, Phase, Player
from companion.messages import say, sentences
from companion.referee.agreement import Agreement
from companion.referee.corrections import Correction
from companion.referee.objection import Objection
from companion.referee.olympeak import verdicts
from companion.referee.olympeak.corrected import Corrected
from companion.referee.olympeak.course import IN_TURN, Course
from companion.referee.olympeak.doubles import Doubles
from companion.referee.olympeak.ending import Tiles
from companion.referee.olympeak.in_hand import is_in_hand
from companion.referee.olympeak.ledger import Ledger, Unit
from companion.referee.olympeak.left_over import LeftOver
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, Misfit
from companion.referee.olympeak.notes import Notes
from companion.referee.olympeak.path import Explanation, Memory, Path
from companion.referee.olympeak.patience import BESIDE_S, LOOKS, MISSING_S, QUESTION_S, SWAPPED_S
from companion.referee.olympeak.prints import Prints
from companion.referee.olympeak.refusal import Refusal, refusal, remedies
from companion.referee.olympeak.restored import is_cleared
from companion.referee.olympeak.scoreboard import ROUND, Scoreboard
from companion.referee.olympeak.setup import differences, start_targets
from companion.referee.olympeak.standstill import Standstill
from companion.referee.olympeak.steady import Steady
from companion.referee.olympeak.traces import Traces
from companion.referee.olympeak.unseen import Gap, round_over_unseen
from companion.referee.olympeak.verdicts import Extras
from companion.referee.requests import KEEP
from companion.referee.verdict import Choice, Kind, Todo, Verdict
from companion.sensing.olympeak.reading import OlympeakReading


class Session:
    """A game as it is watched. `verdict` is what was said last, and stands until something else is sure.

    `resuming`: the table is yet to show where the game stands; `offered`: and has not since the game was opened
    again. `undone`: what was taken back, as long as the table still shows it. `doubtful`: what fits nothing, and
    the state it was held against.
    """

    def __init__(
        self,
        seats: Sequence[Player],
        ledger: Ledger,
        course: Course,
        box: Box,
        ranking: str,
        corrections: Sequence[Correction] = (),
    ) -> None:
        self.corrected = Corrected(box, corrections)
        self.seats = tuple(seats)
        self.players = len(self.seats)
        self.box = box
        self.ranking = ranking
        self.ledger = ledger
        self.course = course
        self.notes = Notes(ledger)
        self.scoreboard = Scoreboard()
        self.agreement = Agreement()
        self.setting_up = Agreement()
        # Looks between that mistake a card in a column do not count against it.
        self.taken_up = Agreement()
        self.standstill = Standstill()
        self.prints = Prints()
        self.steady = Steady()
        self.traces = Traces()
        self.gap = Gap()
        self.left_over = LeftOver()
        self.doubles = Doubles()
        self.objection = Objection()
        self.tiles = Tiles()
        # The newest settled reading as it was read, and as it is understood.
        self.reading: OlympeakReading | None = None
        self.told: OlympeakReading | None = None
        self.look: Look | None = None
        self.resuming = self.offered = course.state is not None and course.state.phase is not Phase.OVER
        self.undone: Unit | None = None
        # The same turn by turn, until the table goes on from what was before them.
        self.undone_units: tuple[Unit, ...] = ()
        # The table shows neither what was taken back nor yet what was before it.
        self.restoring = False
        self.known_reveal: tuple[str, ...] = ()
        # What lay face up before a seat since the last turn, and which reveals that leaves possible.
        self.glimpsed: dict[int, str] = {}
        # The same, also of the cards that have gone from there since: seat and card.
        self.turned_up: frozenset[tuple[int, str]] = frozenset()
        self.missed: tuple[tuple[str, ...], ...] = ()
        # How many looks have told one reveal alone by what has been played: all cards were up by then.
        self.told_by_play: Counter[tuple[str, ...]] = Counter()
        # The only reveal that enough looks have left possible, whatever hands did between them.
        self.telling = Agreement()
        self.inferred: tuple[str, ...] = ()
        # Who was asked to lay once more what they had taken back, and what lay in the columns then.
        self.asked_again: tuple[int, ...] = ()
        self.asked_about: frozenset[Misfit] = frozenset()
        # Before which seats a card has lain since the last turn, face up or down.
        self.chosen: frozenset[int] = frozenset()
        self.choosing: Explanation | None = None
        # The course of the open turn after which it was asked where a card had lain that is gone.
        self.asked_where: tuple[Event, ...] | None = None
        # How the last turn lay there last, where that is not as it was told, and was not seen for long enough to tell.
        self.lay_otherwise: Path | None = None
        # The same with turns that nobody saw.
        self.lay_unseen: Ruling | None = None
        # Where the game stands if the players say so.
        self.round_over: Ruling | None = None
        # Do hands move, and which order cards were answered for while they did?
        self.stirring = False
        self.hasty: frozenset[str] = frozenset()
        self.doubtful: tuple[GameState, tuple[Misfit, ...]] | None = None
        self._refused_text = ""
        # When what goes on now began: the open turn with its reveal.
        self.unit_since: float | None = None
        self.begin_unit()
        self.verdict = self._first_verdict()

    # -- where the game stands

    @property
    def seat(self) -> int:
        """The seat that is to act, else the one that led the last turn."""
        seat = None if (current := self.course.current) is None else current.seat
        return self.course.leader if seat is None else seat

    @property
    def memory(self) -> Memory:
        """What is known of the open turn beside the look."""
        return Memory(self.course.announced, self.course.answers, self.hasty, self.traces.lain)

    @property
    def extras(self) -> Extras:
        """What goes with every verdict."""
        return Extras(self.notes.tell, self.scoreboard.todo(self.passing()))

    def passing(self) -> dict[str, int]:
        """Where the cubes may stand already, while a turn goes on."""
        state, current = self.course.state, self.course.current
        if current is None or state is None or state.phase not in IN_TURN:
            return {}
        return dict(zip(current.setup.racing, rules.cubes_after_turn(current), strict=True))

    # -- keeping the game

    def write(self, event: Event) -> GameState:
        """An event that is taken back by itself, or begins what is."""
        state = self.course.write(event)
        self.begin_unit()
        return state

    def begin_unit(self) -> None:
        """Everything that belonged to what is now over is forgotten."""
        state = self.course.state
        self.agreement.reset()
        self.taken_up.reset()
        self.standstill.stirred()
        if state is None or state.phase not in IN_TURN:
            # What lay there before its reveal was known belongs to the open turn too.
            self.traces.forget()
        self.doubtful = None
        self.objection.forget()
        self.choosing = None
        self.asked_where = None
        self.lay_otherwise = self.lay_unseen = None
        self.round_over = None
        self.glimpsed = {}
        self.turned_up = frozenset()
        self.told_by_play.clear()
        self.chosen = frozenset()
        self.hasty = frozenset()
        self.missed = ()
        self.telling.reset()
        self.inferred = ()
        self.asked_again, self.asked_about = (), frozenset()
        self.undone, self.undone_units = None, ()
        self.restoring = False
        self._refused_text = ""
        self.notes.grow_old()
        self.known_reveal = ()
        if state is None:
            self.scoreboard.expect(start_targets(self.players))
            return
        turns = self.course.turns
        seen_at = None if self.reading is None else self.reading.exposed_at
        self.unit_since = seen_at
        self.left_over.turn_over(turns[-1] if turns else None, seen_at)
        # After the last card of a round the marker moves together with the cubes.
        number = min(state.round + (state.phase is Phase.ROUND_END), state.setup.rounds)
        targets = {**state.cube, ROUND: number}
        if targets != self.scoreboard.targets:
            self.scoreboard.expect(targets)

    # -- what is said

    def _first_verdict(self) -> Verdict:
        state = self.course.state
        if state is None:
            return Verdict(Kind.SETUP, 0, say("olympeak.looking"))
        if state.phase is Phase.OVER:
            return verdicts.over(state)
        return Verdict(Kind.SETUP, self.seat, say("referee.comparing"))

    def reveal_verdict(self, state: GameState, look: Look) -> Verdict:
        """Everybody chooses a card and turns it up."""
        self._refused_text = ""
        return verdicts.reveal(state, look, self.left_over, self.extras)

    def play_verdict(self, best: Path) -> Verdict:
        """Somebody is to play, or to decide on an order."""
        self._refused_text = ""
        return verdicts.play(best, self.course.answers, self.extras)

    def round_verdict(self, state: GameState, look: Look) -> Verdict:
        """The columns are to be cleared."""
        return verdicts.round_over(state, look, self.left_over, self.course.leader, self.extras)

    def tiles_verdict(self, state: GameState) -> Verdict:
        """The tiles are to be turned up."""
        return verdicts.turn_tiles(state, self.tiles.missing(self.players), self.extras)

    def after_turn_verdict(self, state: GameState, look: Look) -> Verdict:
        """What follows the turn that led to `state`."""
        match state.phase:
            case Phase.REVEAL:
                return self.reveal_verdict(state, look)
            case Phase.ROUND_END:
                return self.round_verdict(state, look)
            case _:
                return self.tiles_verdict(state)

    def not_fitting(
        self, state: GameState, misfits: list[Misfit], look: Look, now: float, *, patience: float = 0.0
    ) -> Verdict:
        """What lies there is explained by nothing: it is refused once it is sure, `patience` (s) at the earliest."""
        self.doubtful = (state, tuple(misfits))
        if self.resuming:
            return self.differing(look, say("referee.differs"))
        if self.gap.was_long:
            looks, lasted = self.agreement.count(("unseen", tuple(misfits)), now)
            if looks < LOOKS or lasted < QUESTION_S:
                return self.verdict
            current = self.course.current
            if current is not None:
                self.round_over = round_over_unseen(current, look, self.scoreboard.seen)
                if self.round_over is not None:
                    return verdicts.is_round_over(self.seat, current.round)
            # An exchanged card lies before a seat, and in no column.
            swapped = [each for each in misfits if each.fault is Fault.SWAPPED]
            return self.differing(look, say("olympeak.not_seen"), remedies(state, swapped)[0])
        if look.kept:
            # What was seen a moment ago and is not now may just have been taken away: the next look tells.
            return self.verdict
        refused = refusal(state, misfits, look)
        # What merely is not seen comes and goes; what lies wrong counts.
        firm = [each for each in misfits if each.fault is not Fault.MISSING] or misfits
        looks, lasted = self.agreement.count(("wrong", tuple(firm)), now)
        if refused.only_missing or is_in_hand(state, misfits, look):
            patience = MISSING_S
        elif all(each.seat is not None for each in misfits):
            patience = SWAPPED_S
        if self.stirring:
            patience = max(patience, BESIDE_S)
        if looks < LOOKS or lasted < patience:
            return self.verdict
        taken_back = is_cleared(self.course.turns, misfits, look)
        current = self.course.current
        if refused.cleared and not taken_back and self.gap.was_busy and current is not None:
            self.round_over = round_over_unseen(current, look, self.scoreboard.seen_again)
            if self.round_over is not None:
                return verdicts.is_round_over(self.seat, current.round)
        if refused.cleared:
            return verdicts.cleared(self.seat, refused, taken_back)
        if taken_back:
            return verdicts.is_it_taken_back(self.seat, refused)
        return self._illegal(refused)

    def _illegal(self, refused: Refusal) -> Verdict:
        if refused.text != self._refused_text:
            self.ledger.refusal(refused.text, refused.rule)
            self._refused_text = refused.text
        return verdicts.illegal(refused)

    def differing(self, look: Look, text: str, also: tuple[Todo, ...] = ()) -> Verdict:
        """A resumed or taken-back game: what must be done so that the table shows it. Accuses nobody.

        `also`: besides what the columns show.
        """
        current = self.course.current
        todo = () if current is None else differences(current, look)
        if self.undone is not None and not (todo or also):
            text = sentences(text, say("olympeak.as_before_it"))
        return self.with_keeping(verdicts.differing(self.seat, text, (*also, *todo, *self.extras.board)))

    def with_keeping(self, verdict: Verdict) -> Verdict:
        """The verdict with the button for those who did not mean to take anything back, as long as that can be undone."""
        if not self.undone_units:
            return verdict
        text = say("referee.counts_after_all", n=len(self.undone_units))
        return replace(verdict, choices=(Choice(KEEP, text),), by_rules=True)
