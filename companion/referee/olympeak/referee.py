"""The referee of OlymPeak: one game on one table, from readings to verdicts.

Plain synchronous code. It weighs every settled reading against what may follow from where the game stands
(`course`; `explain` for a turn, `reveal`, `ending`), and says what the table is. Events are written to the
ledger before they are announced. Nothing of a hand or of a tile that lies face down is known
here, so nothing can be kept or shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.olympeak import rules
from companion.games.olympeak.box import Box
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import EndRound, Event, Predictions, Reveal, Stop
from companion.games.olympeak.position import GameState, Phase, Player
from companion.referee.olympeak import verdicts
from companion.referee.olympeak.course import Course
from companion.referee.olympeak.doubles import Doubles
from companion.referee.olympeak.ending import Tiles, wrong_tiles
from companion.referee.olympeak.explain import (
    Explanation,
    Fault,
    Memory,
    Misfit,
    Path,
    explain,
    placed_misfits,
)
from companion.referee.olympeak.ledger import Ledger, Unit, Unwritten
from companion.referee.olympeak.left_over import LeftOver
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.notes import Notes
from companion.referee.olympeak.patience import (
    CLEARED_S,
    FINDING_S,
    ILLEGAL_S,
    LOOKS,
    MISSING_S,
    QUESTION_S,
    STALE_S,
    STOPPED_S,
    SWAPPED_S,
    TILE_S,
    Agreement,
    patience_for,
)
from companion.referee.olympeak.refusal import Refusal, refusal
from companion.referee.olympeak.reveal import findings, is_possible, missed_reveals
from companion.referee.olympeak.scoreboard import ROUND, Scoreboard
from companion.referee.olympeak.setup import differences, read_setup, start_targets
from companion.referee.olympeak.steady import Steady
from companion.referee.olympeak.taken_back import still_shows
from companion.referee.olympeak.verdicts import Extras
from companion.referee.olympeak.wording import exchange_text, listed, order_text, turn_over_text
from companion.referee.verdict import Kind, Verdict
from companion.sensing.olympeak.reading import OlympeakReading


class OlympeakReferee:
    """A session of one game. `start` None: the game starts from the set-up that is laid on the table.

    `ages`: by seat, 0 for the youngest; left out, the last seat is the oldest. With `start`, `events` and
    `findings` (a resumed game) the table must first show where the game stands.
    """

    def __init__(
        self,
        names: Sequence[str],
        ledger: Ledger,
        *,
        ages: Sequence[int] | None = None,
        box: Box | None = None,
        ranking: str = "dense",
        start: GameState | None = None,
        events: Sequence[Event] = (),
        unwritten: Unwritten | None = None,
        findings: Sequence[str] = (),
    ) -> None:
        self.names = tuple(names)
        self.players = len(self.names)
        self.box = box or default_box()
        self.ranking = ranking
        self.seats = tuple(
            Player(name, age) for name, age in zip(self.names, ages or range(self.players), strict=True)
        )
        self.scoreboard = Scoreboard()
        self.look: Look | None = None
        self._ledger = ledger
        self._course = Course(ledger, start, events, unwritten)
        self._notes = Notes(ledger)
        self._notes.findings += findings
        self._reading: OlympeakReading | None = None
        self._resuming = start is not None
        self._undone: Unit | None = None
        self._known_reveal: tuple[str, ...] = ()
        self._tiles = Tiles()
        self._refused_text = ""
        self._agreement = Agreement()
        self._steady = Steady()
        self._left_over = LeftOver()
        self._doubles = Doubles()
        self._choosing: Explanation | None = None
        self._missed: tuple[tuple[str, ...], ...] = ()
        self._begin_unit()
        self.verdict = self._first_verdict()

    # -- what others see

    @property
    def state(self) -> GameState | None:
        """What the game has certainly reached; None before the set-up was read."""
        return self._course.state

    @property
    def current(self) -> GameState | None:
        """The state as announced: with the open turn as far as it has got."""
        return self._course.current

    @property
    def turns(self) -> Sequence[Unit]:
        """What can be taken back, the newest last."""
        return self._course.turns

    @property
    def events(self) -> tuple[Event, ...]:
        """All events the game has certainly had, in order."""
        return self._course.events

    @property
    def under_way(self) -> int:
        """How many events of the open turn have been announced."""
        return len(self._course.announced)

    @property
    def findings(self) -> Sequence[str]:
        """What was odd about physical things, all through the game."""
        return self._notes.findings

    @property
    def was_taken_back(self) -> bool:
        """Does the table still show what was taken back?"""
        return self._undone is not None

    @property
    def targets(self) -> dict[str, int]:
        """Where the cubes (by contender) and the round marker (`round`) belong, for the motors."""
        return dict(self.scoreboard.targets)

    # -- the table

    def observe(self, reading: OlympeakReading, switches: object = None) -> Verdict:
        """Weighs one reading. What is seen while hands move is no evidence: the verdict stands."""
        if self.state is not None and self.state.phase is Phase.OVER:
            return self.verdict
        if reading.frame != "ok":
            self._agreement.reset()
            self.verdict = Verdict(Kind.HOLD, self._seat, reading.frame)
            return self.verdict
        if reading.moving:
            # A disturbance: agreement among looks before it counts no longer.
            self._agreement.reset()
            return self.verdict
        self._reading = reading
        self.verdict = self._judge(reading)
        return self.verdict

    def _judge(self, reading: OlympeakReading) -> Verdict:
        now = reading.exposed_at
        if self.state is None:
            return self._set_up(reading, now)
        seen = Look.of(reading, tuple(p for p in self.state.placed if p.turn < self.state.turn))
        look = self._steady.look(seen, now)
        self.look = look
        self._left_over.look(look, self.state.revealed if self.state.phase is Phase.PLAY else (), now)
        for card in self._doubles.look(look, now):
            self._notes.find(f"{card} lies twice on the table, and there is only one of it.", "O17")
            self._doubles.are_told({card})
        for text in self.scoreboard.look(reading, self._passing()):
            self._notes.find(text, "")
        if self._undone is not None:
            if still_shows(self._undone, reading, look):
                return self._differing(look, "The last turn is taken back.")
            self._undone = None
            self._resuming = True
        match self.state.phase:
            case Phase.REVEAL:
                return self._revealing(self.state, look, now)
            case Phase.PLAY:
                return self._playing(self.state, look, now)
            case Phase.ROUND_END:
                return self._ending_round(self.state, look, now)
            case _:
                return self._turning_tiles(self.state, reading, now)

    # -- set-up

    def _set_up(self, reading: OlympeakReading, now: float) -> Verdict:
        setup, todo = read_setup(reading, self.seats, self.box, self.ranking)
        looks, _ = self._agreement.count(("setup", reading.contenders, setup is None), now)
        if setup is None:
            return verdicts.set_up(todo)
        if looks < LOOKS:
            return self.verdict
        state = self._course.begin(setup)
        self._begin_unit()
        row = listed(setup.contenders)
        rounds = "1 round is" if setup.rounds == 1 else f"{setup.rounds} rounds are"
        self._notes.news = f"The row shows {row}: {rounds} played."
        return self._reveal_verdict(state, Look.of(reading))

    # -- reveal

    def _revealing(self, state: GameState, look: Look, now: float) -> Verdict:
        misfits, _, _ = placed_misfits(state, look)
        if misfits:
            return self._played_before_reveal(state, look, misfits, now)
        self._resuming = False
        shown = {s: look.shown[s] for s in state.setup.seats if s in look.shown}
        if len(shown) < self.players:
            self._agreement.reset()
            return self._reveal_verdict(state, look)
        cards = tuple(shown[seat] for seat in state.setup.seats)
        looks, lasted = self._agreement.count(("reveal", cards, tuple(self._left_over.cards)), now)
        if self._left_over.cards:
            if lasted < STALE_S:
                return self._reveal_verdict(state, look)
            return verdicts.is_it_new(state, self._left_over)
        odd = findings(state, cards)
        if not is_possible(state, cards) or looks < LOOKS or (odd and lasted < FINDING_S):
            return self.verdict
        return self._commit_reveal(state, cards, look, now)

    def _commit_reveal(self, state: GameState, cards: tuple[str, ...], look: Look, now: float) -> Verdict:
        odd = findings(state, cards)
        state = self._write(Reveal(cards))
        for each in odd:
            self._notes.find(each.sentence + ".", each.ruling)
        self._doubles.are_told(look.twice)
        if state.phase is Phase.PLAY:
            self._notes.news = order_text(state)
            best = explain(state, look, Memory()).best
            if not best.events and not best.misfits:
                return self._play_verdict(best)
            return Verdict(Kind.READY, state.order[0], self._notes.tell(""))
        self._notes.news = "Only order cards: put them all on the discard pile, everybody draws one (O3)."
        return self._reveal_verdict(state, look)

    def _played_before_reveal(
        self, state: GameState, look: Look, misfits: list[Misfit], now: float
    ) -> Verdict:
        """Something lies in the columns that the game does not know: was the reveal missed?"""
        self._missed = missed_reveals(state, look, misfits, self._known_reveal)
        if len(self._missed) == 1 and not self._left_over.cards.keys() & look.shown.keys():
            looks, lasted = self._agreement.count(("missed", self._missed), now)
            if looks < LOOKS or lasted < ILLEGAL_S:
                return self.verdict
            self._resuming = False
            return self._commit_reveal(state, self._missed[0], look, now)
        if self._missed and not self._resuming:
            _, lasted = self._agreement.count(("missed", self._missed), now)
            if lasted < QUESTION_S:
                return self.verdict
            return verdicts.who_revealed_what(state, self._missed)
        return self._not_fitting(state, misfits, look, now)

    def _reveal_verdict(self, state: GameState, look: Look) -> Verdict:
        self._refused_text = ""
        return verdicts.reveal(state, look, self._left_over, self._extras())

    # -- the turn

    def _playing(self, state: GameState, look: Look, now: float) -> Verdict:
        memory = self._memory
        explanation = explain(state, look, memory)
        best = explanation.best
        if best.misfits:
            return self._not_fitting(best.state, list(best.misfits), look, now)
        self._resuming = False
        looks, lasted = self._agreement.count(("path", best.events, best.unsure), now)
        if best.unsure:
            if lasted < QUESTION_S:
                return self.verdict
            return verdicts.cannot_see(self._seat, best)
        patience = patience_for(best, look, memory)
        if looks < LOOKS or lasted < patience:
            if patience >= STOPPED_S and lasted >= QUESTION_S:
                return self._ask_stop(best)
            return self.verdict
        if explanation.rivals:
            if lasted < QUESTION_S:
                return self.verdict
            self._choosing = explanation
            return verdicts.which_turn(self._seat, explanation.rivals)
        if best.is_over:
            return self._end_turn(best, look)
        self._announce(best)
        return self._play_verdict(best)

    def _announce(self, best: Path) -> None:
        announced = self._course.announced
        if best.events == announced:
            return
        self._course.announce(best.events)
        if announced and best.events[: len(announced)] != announced:
            # Something was laid otherwise: what was said about the old way is no news any more.
            self._notes.grow_old()
        self._notes.news = "" if best.events else self._notes.news
        self._notes.find_all(best.findings)

    def _end_turn(self, best: Path, look: Look) -> Verdict:
        end = self._course.end_turn(best.events, best.state)
        self._begin_unit()
        self._notes.news = turn_over_text(best.state, end)
        self._notes.find_all(best.findings)
        return self._turn_over_verdict(end, look)

    def _turn_over_verdict(self, state: GameState, look: Look) -> Verdict:
        match state.phase:
            case Phase.REVEAL:
                return self._reveal_verdict(state, look)
            case Phase.ROUND_END:
                return self._round_verdict(state, look)
            case _:
                return self._tiles_verdict(state)

    def _play_verdict(self, best: Path) -> Verdict:
        self._refused_text = ""
        return verdicts.play(best, self._course.answers, self._extras())

    def _ask_stop(self, best: Path) -> Verdict:
        number = next(n for n, event in enumerate(best.events) if isinstance(event, Stop) and event.stop)
        self._announce(replace(best, events=best.events[:number], states=best.states[: number + 1]))
        return verdicts.does_it_stop(best.states[number])

    # -- what does not fit

    def _not_fitting(self, state: GameState, misfits: list[Misfit], look: Look, now: float) -> Verdict:
        if self._resuming:
            return self._differing(look, "The table differs from where the game stands.")
        refused = refusal(state, misfits, look)
        # What merely is not seen comes and goes; what lies wrong counts.
        firm = [each for each in misfits if each.fault is not Fault.MISSING] or misfits
        looks, lasted = self._agreement.count(("wrong", tuple(firm)), now)
        patience = ILLEGAL_S
        if refused.only_missing:
            patience = MISSING_S
        elif all(each.seat is not None for each in misfits):
            patience = SWAPPED_S
        if looks < LOOKS or lasted < patience:
            return self.verdict
        if refused.cleared:
            return verdicts.cleared(self._seat, refused)
        return self._illegal(refused)

    def _illegal(self, refused: Refusal) -> Verdict:
        if refused.text != self._refused_text:
            self._ledger.refusal(refused.text, refused.rule)
            self._refused_text = refused.text
        return verdicts.illegal(refused)

    def _differing(self, look: Look, text: str) -> Verdict:
        """A resumed or taken-back game: what must be done so that the table shows it. Accuses nobody."""
        current = self.current
        todo = () if current is None else differences(current, look)
        if self._undone is not None and not todo:
            text = f"{text} Put the table as it was before it."
        return verdicts.differing(self._seat, text, todo)

    # -- the end of a round

    def _ending_round(self, state: GameState, look: Look, now: float) -> Verdict:
        self._resuming = False
        if look.columns or look.columns_hidden or "row" in look.hidden:
            self._agreement.reset()
            return self._round_verdict(state, look)
        looks, lasted = self._agreement.count("cleared", now)
        if looks < LOOKS or lasted < CLEARED_S:
            return self._round_verdict(state, look)
        state = self._write(EndRound())
        self._notes.news = exchange_text(state)
        return self._reveal_verdict(state, look)

    def _round_verdict(self, state: GameState, look: Look) -> Verdict:
        return verdicts.round_over(state, look, self._left_over, self._course.leader, self._extras())

    # -- the end of the game

    def _turning_tiles(self, state: GameState, reading: OlympeakReading, now: float) -> Verdict:
        self._resuming = False
        self._tiles.look(reading)
        event = self._tiles.predictions(state)
        missing = self._tiles.missing(self.players)
        looks, lasted = self._agreement.count(("tiles", event, missing), now)
        if event is None:
            if len(missing) < 2 * self.players and lasted >= TILE_S:
                return self._tile_missing(state, *missing[0])
            return self._tiles_verdict(state)
        if looks < LOOKS:
            return self.verdict
        wrong = wrong_tiles(state, event)
        if wrong:
            if lasted < FINDING_S:
                return self.verdict
            self._notes.find_all(wrong)
            return verdicts.tiles_wrong(state, event, wrong)
        return self._finish(event)

    def _tiles_verdict(self, state: GameState) -> Verdict:
        return verdicts.turn_tiles(state, self._tiles.missing(self.players), self._extras())

    def _tile_missing(self, state: GameState, seat: int, side: str) -> Verdict:
        text = verdicts.missing_tile_text(state, seat, side)
        if text not in self.findings:
            self._notes.find(text, "O15")
        return verdicts.tile_missing(state, seat, side, self._tiles_verdict(state))

    def _finish(self, event: Predictions) -> Verdict:
        state = self._write(event)
        self._tiles.forget()
        return verdicts.over(state)

    # -- keeping the game

    @property
    def _seat(self) -> int:
        seat = None if (current := self.current) is None else current.seat
        return self._course.leader if seat is None else seat

    @property
    def _memory(self) -> Memory:
        return Memory(self._course.announced, self._course.answers)

    def _first_verdict(self) -> Verdict:
        if self.state is None:
            return Verdict(Kind.SETUP, 0, "Set up the table: I am looking at the row of contenders.")
        if self.state.phase is Phase.OVER:
            return verdicts.over(self.state)
        return Verdict(Kind.SETUP, self._seat, "I am comparing the table with the game.")

    def _write(self, event: Event) -> GameState:
        state = self._course.write(event)
        self._begin_unit()
        return state

    def _begin_unit(self) -> None:
        """Everything that belonged to what is now over is forgotten."""
        state = self.state
        self._agreement.reset()
        self._choosing = None
        self._missed = ()
        self._undone = None
        self._refused_text = ""
        self._notes.grow_old()
        self._known_reveal = ()
        if state is None:
            self.scoreboard.expect(start_targets(self.players))
            return
        seen_at = None if self._reading is None else self._reading.exposed_at
        self._left_over.turn_over(self.turns[-1] if self.turns else None, seen_at)
        # After the last card of a round the marker moves together with the cubes.
        number = min(state.round + (state.phase is Phase.ROUND_END), state.setup.rounds)
        targets = {**state.cube, ROUND: number}
        if targets != self.scoreboard.targets:
            self.scoreboard.expect(targets)

    def _passing(self) -> dict[str, int]:
        """Where the cubes may stand already, while a turn goes on."""
        current = self.current
        if current is None or self.state is None or self.state.phase is not Phase.PLAY:
            return {}
        return dict(zip(current.setup.racing, rules.cubes_after_turn(current), strict=True))

    def _extras(self) -> Extras:
        return Extras(self._notes.tell, self.scoreboard.todo(self._passing()))

    # -- what people say

    def take_back(self) -> Verdict:
        """Takes the last turn back, the open one if it has begun; the table is then to be restored."""
        if not self.turns:
            return self.verdict
        unit = self._course.take_back()
        self._tiles.forget()
        self._notes.news = ""
        self._begin_unit()
        self._undone = unit
        first = unit.events[0]
        if isinstance(first, Reveal):
            self._known_reveal = first.cards
        self.verdict = Verdict(
            Kind.SETUP, self._seat, "The last turn is taken back: put the table as it was before."
        )
        return self.verdict

    def answer(self, key: str) -> bool:
        """Takes an answer to the verdict's choices. False when it answers nothing that is asked now."""
        if key not in {choice.key for choice in self.verdict.choices} or self.state is None:
            return False
        if key == "new":
            self._left_over.forget()
        elif key == "as it lies":
            event = self._tiles.predictions(self.state)
            if event is None:
                return False
            self.verdict = self._finish(event)
            return True
        elif key.startswith("tile:"):
            _, seat, side, contender = key.split(":")
            self._tiles.say(int(seat), side, contender)
        elif key.startswith("revealed:") and self._reading is not None and self.look is not None:
            cards = self._missed[int(key.removeprefix("revealed:"))]
            self.verdict = self._commit_reveal(self.state, cards, self.look, self._reading.exposed_at)
            return True
        elif key.startswith("turn:") and self._choosing is not None and self.look is not None:
            path = self._choosing.rivals[int(key.removeprefix("turn:"))]
            self.verdict = self._end_turn(path, self.look)
            return True
        else:
            return self._answer_order(key)
        if self._reading is not None:
            self.verdict = self._judge(self._reading)
        return True

    def _answer_order(self, key: str) -> bool:
        """An answer to an open order card: kept with the turn, and weighed with what the table shows."""
        state, current = self.state, self.current
        if state is None or current is None or current.pending is None:
            return False
        if self.look is None or self._reading is None:
            return False
        self._course.answer(current.pending, key)
        best = explain(state, self.look, self._memory).best
        if best.misfits or best.unsure:
            return True
        if best.is_over:
            self.verdict = self._end_turn(best, self.look)
        else:
            self._announce(best)
            self.verdict = self._play_verdict(best)
        return True
