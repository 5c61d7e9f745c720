"""The referee of OlymPeak: one game on one table, from readings to verdicts.

Plain synchronous code. It holds the state the game has certainly reached, weighs every settled reading
against what may follow (`explain` for a turn, `reveal`, `ending`), and says what the table is. Events are
written to the ledger before they are announced. Nothing of a hand or of a tile that lies face down is known
here, so nothing can be kept or shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.games.olympeak import rules
from companion.games.olympeak.box import Box
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import EndRound, EndTurn, Event, Predictions, Remove, Reveal, Stop
from companion.games.olympeak.position import GameState, Phase, Player, begin
from companion.games.olympeak.refusal import Refusal as Finding
from companion.referee.olympeak import verdicts
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
from companion.referee.olympeak.ledger import LENIENT, Ledger, Unit, lines_of, states_of, units_of
from companion.referee.olympeak.left_over import LeftOver
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.patience import (
    CLEARED_S,
    FINDING_S,
    ILLEGAL_S,
    LOOKS,
    MISSING_S,
    QUESTION_S,
    REMOVED_S,
    STALE_S,
    STOPPED_S,
    SWAPPED_S,
    TILE_S,
    TWICE_S,
    Agreement,
)
from companion.referee.olympeak.refusal import Refusal, refusal
from companion.referee.olympeak.reveal import findings, is_possible, missed_reveals
from companion.referee.olympeak.scoreboard import ROUND, Scoreboard
from companion.referee.olympeak.setup import differences, read_setup, start_targets
from companion.referee.olympeak.steady import Steady
from companion.referee.olympeak.verdicts import Extras
from companion.referee.olympeak.wording import exchange_text, listed, order_text, turn_over_text
from companion.referee.verdict import Kind, Verdict
from companion.sensing.olympeak.reading import OlympeakReading


@dataclass(frozen=True, slots=True)
class Unwritten:
    """What a resumed game brings along: the open turn as it was announced, and the answers given in it."""

    path: tuple[Event, ...] = ()
    answers: tuple[tuple[str, str], ...] = ()


class OlympeakReferee:
    """A session of one game. `start` None: the game starts from the set-up that is laid on the table.

    `ages`: by seat, 0 for the youngest; left out, the last seat is the oldest. With `start` and `events` (a
    resumed game) the table must first show where the game stands.
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
    ) -> None:
        self.names = tuple(names)
        self.players = len(self.names)
        self.box = box or default_box()
        self.ranking = ranking
        self.seats = tuple(
            Player(name, age) for name, age in zip(self.names, ages or range(self.players), strict=True)
        )
        self.turns: list[Unit] = list(units_of(start, events)) if start is not None else []
        self.state: GameState | None = self.turns[-1].after if self.turns else start
        self.findings: list[str] = []
        self.scoreboard = Scoreboard()
        self.look: Look | None = None
        self._ledger = ledger
        self._reading: OlympeakReading | None = None
        self._resuming = start is not None
        self._undone: Unit | None = None
        self._known_reveal: tuple[str, ...] = ()
        self._tiles = Tiles()
        self._notes: list[str] = []
        self._news = ""
        self._refused_text = ""
        self._agreement = Agreement()
        self._steady = Steady()
        self._left_over = LeftOver()
        self._choosing: Explanation | None = None
        self._missed: tuple[tuple[str, ...], ...] = ()
        self._twice_since: dict[str, float] = {}
        self._twice_told: set[str] = set()
        unwritten = unwritten or Unwritten()
        if self.turns and self.turns[-1].is_open:
            # Until a turn is over, everything after its reveal is a hypothesis.
            last = self.turns[-1]
            played = last.events[1:]
            self.turns[-1] = units_of(last.before, last.events[:1])[0]
            self.state = self.turns[-1].after
            unwritten = replace(unwritten, path=(*played, *unwritten.path))
        self._announced: tuple[Event, ...] = ()
        self._answers: dict[str, str] = {}
        if self.state is not None and self.state.phase is Phase.PLAY:
            self._announced, self._answers = unwritten.path, dict(unwritten.answers)
        self._begin_unit()
        self.verdict = self._first_verdict()

    # -- what others see

    @property
    def current(self) -> GameState | None:
        """The state as announced: with the open turn as far as it has got."""
        if self.state is None or not self._announced:
            return self.state
        return states_of(self.state, self._announced)[-1]

    @property
    def events(self) -> tuple[Event, ...]:
        """All events the game has certainly had, in order."""
        return tuple(event for unit in self.turns for event in unit.events)

    @property
    def under_way(self) -> int:
        """How many events of the open turn have been announced."""
        return len(self._announced)

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
        self._note_twice(look, now)
        for text in self.scoreboard.look(reading, self._passing()):
            self._find(text, "")
        if self._undone is not None:
            if self._still_shows(look, self._undone):
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

    def _note_twice(self, look: Look, now: float) -> None:
        """One physical card in two places: a second print, said once each."""
        self._twice_since = {card: self._twice_since.get(card, now) for card in look.twice}
        for card, since in self._twice_since.items():
            if now - since >= TWICE_S and card not in self._twice_told:
                self._twice_told.add(card)
                self._find(f"{card} lies twice on the table, and there is only one of it.", "O17")

    # -- set-up

    def _set_up(self, reading: OlympeakReading, now: float) -> Verdict:
        setup, todo = read_setup(reading, self.seats, self.box, self.ranking)
        looks, _ = self._agreement.count(("setup", reading.contenders, setup is None), now)
        if setup is None:
            return verdicts.set_up(todo)
        if looks < LOOKS:
            return self.verdict
        self._ledger.begin(setup)
        self.state = begin(setup)
        self._begin_unit()
        row = listed(setup.contenders)
        rounds = "1 round is" if setup.rounds == 1 else f"{setup.rounds} rounds are"
        self._news = f"The row shows {row}: {rounds} played."
        return self._reveal_verdict(self.state, Look.of(reading))

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
        self._write(Reveal(cards))
        for each in odd:
            self._find(each.sentence + ".", each.ruling)
        self._twice_told |= look.twice
        assert self.state is not None
        if self.state.phase is Phase.PLAY:
            self._news = order_text(self.state)
            best = explain(self.state, look, Memory()).best
            if not best.events and not best.misfits:
                return self._play_verdict(best)
            return Verdict(Kind.READY, self.state.order[0], self._tell(""))
        self._news = "Only order cards: put them all on the discard pile, everybody draws one (O3)."
        return self._reveal_verdict(self.state, look)

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
        explanation = explain(state, look, Memory(self._announced, self._answers))
        best = explanation.best
        if best.misfits:
            return self._not_fitting(best.state, list(best.misfits), look, now)
        self._resuming = False
        looks, lasted = self._agreement.count(("path", best.events, best.unsure), now)
        if best.unsure:
            if lasted < QUESTION_S:
                return self.verdict
            return verdicts.cannot_see(self._seat, best)
        patience = self._patience(best, look)
        if looks < LOOKS or lasted < patience:
            if patience >= STOPPED_S and lasted >= QUESTION_S:
                return self._ask_stop(state, best)
            return self.verdict
        if explanation.rivals:
            if lasted < QUESTION_S:
                return self.verdict
            self._choosing = explanation
            return verdicts.which_turn(self._seat, explanation.rivals)
        if best.is_over:
            return self._end_turn(state, best, look)
        self._announce(state, best)
        return self._play_verdict(best)

    def _patience(self, best: Path, look: Look) -> float:
        """How long the table must show this path before it is believed: longer where little tells of it."""
        wait = 0.0
        new = best.events[len(self._announced) :]
        if best.events[: len(self._announced)] != self._announced:
            new = best.events
        for event in new:
            if isinstance(event, Stop) and event.stop and "stop" not in self._answers.values():
                wait = max(wait, STOPPED_S)
            elif isinstance(event, Remove) and event.card is not None and look.discard_top != event.card:
                # Where the discard pile is in view and shows another card, this one may come back.
                wait = max(wait, REMOVED_S if look.discard_top is None else MISSING_S)
        return max(wait, FINDING_S) if best.findings else wait

    def _announce(self, state: GameState, best: Path) -> None:
        if best.events == self._announced:
            return
        self._ledger.progress(lines_of(state, best.events), self._answers)
        if self._announced and best.events[: len(self._announced)] != self._announced:
            # Something was laid otherwise: what was said about the old way is no news any more.
            self._notes.clear()
        self._announced = best.events
        self._news = "" if best.events else self._news
        self._find_all(best.findings)

    def _end_turn(self, state: GameState, best: Path, look: Look) -> Verdict:
        before = self.turns[-1]
        end = rules.apply(best.state, EndTurn())
        events = (*best.events, EndTurn())
        self._ledger.events(lines_of(state, events))
        self.turns[-1] = Unit(before.before, (*before.events, *events), end)
        self.state = end
        self._begin_unit()
        self._news = turn_over_text(best.state, end)
        self._find_all(best.findings)
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
        return verdicts.play(best, self._answers, self._extras())

    def _ask_stop(self, state: GameState, best: Path) -> Verdict:
        number = next(n for n, event in enumerate(best.events) if isinstance(event, Stop) and event.stop)
        self._announce(state, replace(best, events=best.events[:number], states=best.states[: number + 1]))
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
        assert self.state is not None
        todo = differences(self.current or self.state, look)
        if self._undone is not None and not todo:
            text = f"{text} Put the table as it was before it."
        return verdicts.differing(self._seat, text, todo)

    def _find_all(self, found: Iterable[Finding]) -> None:
        """These findings, each told once."""
        for each in found:
            if f"{each.sentence}." not in self.findings:
                self._find(f"{each.sentence}.", each.ruling)

    def _find(self, text: str, ruling: str) -> None:
        """Something is odd about a physical thing: it is said and kept, and the game goes on."""
        self._ledger.finding(text, ruling)
        self.findings.append(text)
        self._notes.append(f"{text[:-1]} ({ruling})." if ruling else text)

    # -- the end of a round

    def _ending_round(self, state: GameState, look: Look, now: float) -> Verdict:
        self._resuming = False
        if look.columns or look.columns_hidden or "row" in look.hidden:
            self._agreement.reset()
            return self._round_verdict(state, look)
        looks, lasted = self._agreement.count("cleared", now)
        if looks < LOOKS or lasted < CLEARED_S:
            return self._round_verdict(state, look)
        self._write(EndRound())
        assert self.state is not None
        self._news = exchange_text(self.state)
        return self._reveal_verdict(self.state, look)

    def _round_verdict(self, state: GameState, look: Look) -> Verdict:
        return verdicts.round_over(state, look, self._left_over, self._leader, self._extras())

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
            self._find_all(wrong)
            return verdicts.tiles_wrong(state, event, wrong)
        return self._finish(event)

    def _tiles_verdict(self, state: GameState) -> Verdict:
        return verdicts.turn_tiles(state, self._tiles.missing(self.players), self._extras())

    def _tile_missing(self, state: GameState, seat: int, side: str) -> Verdict:
        text = verdicts.missing_tile_text(state, seat, side)
        if text not in self.findings:
            self._find(text, "O15")
        return verdicts.tile_missing(state, seat, side, self._tiles_verdict(state))

    def _finish(self, event: Predictions) -> Verdict:
        self._write(event)
        self._tiles.forget()
        assert self.state is not None
        return verdicts.over(self.state)

    # -- keeping the game

    @property
    def _seat(self) -> int:
        seat = None if (current := self.current) is None else current.seat
        return self._leader if seat is None else seat

    @property
    def _leader(self) -> int:
        return self.turns[-1].seat if self.turns else 0

    def _first_verdict(self) -> Verdict:
        if self.state is None:
            return Verdict(Kind.SETUP, 0, "Set up the table: I am looking at the row of contenders.")
        if self.state.phase is Phase.OVER:
            return verdicts.over(self.state)
        return Verdict(Kind.SETUP, self._seat, "I am comparing the table with the game.")

    def _write(self, event: Event) -> None:
        """Writes an event that is a unit of its own, or begins one."""
        assert self.state is not None
        before = self.state
        after = rules.apply(before, event, accept=LENIENT)
        self._ledger.events(lines_of(before, (event,)))
        self.turns.append(Unit(before, (event,), after))
        self.state = after
        self._begin_unit()

    def _begin_unit(self) -> None:
        """Everything that belonged to what is now over is forgotten."""
        state = self.state
        self._agreement.reset()
        self._choosing = None
        self._missed = ()
        self._undone = None
        self._refused_text = ""
        self._notes.clear()
        self._known_reveal = ()
        if state is None:
            self.scoreboard.expect(start_targets(self.players))
            return
        if state.phase is not Phase.PLAY:
            self._announced = ()
            self._answers = {}
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
        return Extras(self._tell, self.scoreboard.todo(self._passing()))

    def _tell(self, text: str) -> str:
        """The sentence with what is new: findings first, then what has just happened."""
        return " ".join(each for each in (*self._notes, self._news, text) if each)

    # -- what people say

    def take_back(self) -> Verdict:
        """Takes the last turn back, the open one if it has begun; the table is then to be restored."""
        if not self.turns:
            return self.verdict
        unit = self.turns[-1]
        shown = self.current
        self._ledger.take_back(len(self.events) - len(unit.events))
        self.turns.pop()
        self.state = unit.before
        self._announced = ()
        self._answers = {}
        self._tiles.forget()
        self._news = ""
        self._begin_unit()
        assert shown is not None
        self._undone = replace(unit, after=shown) if unit.is_open else unit
        first = unit.events[0]
        if isinstance(first, Reveal):
            self._known_reveal = first.cards
        self.verdict = Verdict(
            Kind.SETUP, self._seat, "The last turn is taken back: put the table as it was before."
        )
        return self.verdict

    def _still_shows(self, look: Look, unit: Unit) -> bool:
        """Does the table show what was taken back?"""
        first = unit.events[0]
        if isinstance(first, Predictions):
            return self._reading is not None and any(
                (each.first, each.second) == (first.first[each.seat], first.second[each.seat])
                for each in self._reading.tiles
                if each.seat < len(first.first)
            )
        seen = Look.of(self._reading, unit.before.placed) if self._reading is not None else look
        misfits, _, _ = placed_misfits(unit.after, seen)
        if misfits:
            return False
        if unit.after.placed != unit.before.placed:
            return True
        cards = first.cards if isinstance(first, Reveal) else ()
        return any(look.shown.get(seat) == card for seat, card in enumerate(cards))

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
            self.verdict = self._end_turn(self.state, path, self.look)
            return True
        else:
            return self._answer_order(key)
        if self._reading is not None:
            self.verdict = self._judge(self._reading)
        return True

    def _answer_order(self, key: str) -> bool:
        """An answer to an open order card: kept with the turn, and weighed with what the table shows."""
        assert self.state is not None
        current = self.current
        pending = None if current is None else current.pending
        if pending is None or self.look is None or self._reading is None:
            return False
        answers = {**self._answers, pending: key}
        self._ledger.progress(lines_of(self.state, self._announced), answers)
        self._answers = answers
        best = explain(self.state, self.look, Memory(self._announced, answers)).best
        if best.misfits or best.unsure:
            return True
        if best.is_over:
            self.verdict = self._end_turn(self.state, best, self.look)
        else:
            self._announce(self.state, best)
            self.verdict = self._play_verdict(best)
        return True
