"""People at an OlymPeak table: whole random games, laid card by card before a referee, in sloppy order."""

from __future__ import annotations

from random import Random

from companion.games.olympeak import rules
from companion.games.olympeak.cards import Kind as CardKind
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import (
    Blocked,
    DeclineInsert,
    EndRound,
    EndTurn,
    Event,
    Insert,
    Play,
    Predictions,
    Remove,
    Reveal,
    Stop,
)
from companion.games.olympeak.position import GameState, Phase, Setup, begin
from companion.games.olympeak.simulation import Players, Step, random_setup
from companion.referee.olympeak.ledger import Ledger
from companion.referee.olympeak.referee import OlympeakReferee
from companion.referee.verdict import Kind, Verdict
from tests.referee.olympeak.tabletop import Notes, Tabletop

LOOK_S = 0.07


class Session:
    """A referee, its notes, a table, and a clock that moves with every look."""

    def __init__(
        self, setup: Setup, table: Tabletop, notes: Notes | None = None, ledger: Ledger | None = None
    ) -> None:
        self.notes = notes or Notes()
        self.table = table
        self.setup = setup
        self.now = 0.0
        self.referee = OlympeakReferee(
            [player.name for player in setup.players],
            ledger or self.notes,
            ages=[player.age_order for player in setup.players],
            ranking=setup.ranking,
        )

    def look(self, seconds: float = 0.5) -> Verdict:
        """Looks at the settled table for so long."""
        until = self.now + seconds
        while self.now < until:
            self.now += LOOK_S
            self.referee.observe(self.table.reading(self.now))
        return self.referee.verdict


def settled(state: GameState) -> GameState:
    """The state once everything has happened that is nobody's decision."""
    while True:
        match rules.legal(state):
            case (Blocked() | EndTurn() as event,):
                state = rules.apply(state, event)
            case (Stop(seat=seat), Stop()) if not state.waiting:
                state = rules.apply(state, Stop(seat, False))
            case (Remove(card=None) as event,):
                state = rules.apply(state, event)
            case _:
                return state


class Evening:
    """A random game played before a referee; every look that shows a false accusation fails at once."""

    def __init__(
        self, players: int, seed: int, notes: Notes | None = None, ledger: Ledger | None = None
    ) -> None:
        self.rng = Random(seed)
        self.setup = random_setup(players, self.rng, default_box())
        self.people = Players(self.setup, self.rng)
        self.truth: GameState = begin(self.setup)
        self.events: list[Event] = []
        table = Tabletop(self.setup.contenders, cubes=dict(self.truth.cube))
        self.session = Session(self.setup, table, notes, ledger)
        self.late: list[int] = []
        self.unanswered = False

    def look(self, seconds: float = 0.3) -> Verdict:
        verdict = self.session.look(seconds)
        assert verdict.kind is not Kind.ILLEGAL, (verdict, self.truth.phase, self.events[-3:])
        return verdict

    def play(self, turns: int | None = None) -> None:
        """Plays to the end, or so many turns."""
        self.look()
        while self.truth.phase is not Phase.OVER and (turns is None or self.truth.turn <= turns):
            event = self.people.decide(self.truth)
            step = Step(self.truth, event, rules.apply(self.truth, event))
            self.people.settle(step)
            self.act(event)
            self.truth = step.after
            self.events.append(event)
            self.check()

    def check(self) -> None:
        """The referee knows as much as everybody at the table."""
        current = self.session.referee.current
        assert current is not None
        if not self.unanswered:
            truth = settled(self.truth)
            assert current.phase is truth.phase, (self.session.referee.verdict, self.events[-4:])
            assert current.seat == truth.seat
            assert current.cubes == truth.cubes
            assert current.placed == truth.placed, (current.placed, truth.placed, self.events[-6:])

    def act(self, event: Event) -> None:
        table, rng = self.session.table, self.rng
        self.unanswered = False
        match event:
            case Reveal(cards=cards):
                self.reveal(cards)
            case Play(seat=seat, card=card, to=to):
                del table.zones[seat]
                if rng.random() < 0.5:
                    self.look(0.2)
                table.columns[to, self.truth.open_row[0]] = card
                self.look()
            case Blocked(seat=seat):
                if rng.random() < 0.5:
                    self.look()
                    del table.zones[seat]
                else:
                    self.late.append(seat)
                self.look()
            case Stop(seat=seat, stop=stop):
                self.stop(stop)
            case Remove(card=card):
                self.remove(card)
            case Insert(card=card, to=to):
                self.look(0.2)
                table.columns[to, self.truth.open_row[0]] = card
                self.look()
            case DeclineInsert(seat=seat, drew=drew):
                self.decline("drew" if drew else "decline")
            case EndTurn():
                self.end_turn()
            case EndRound():
                for spot in rng.sample(sorted(table.columns), len(table.columns)):
                    table.discard_top = table.columns.pop(spot)
                    if rng.random() < 0.3:
                        self.look(0.1)
                self.look(1.2)
                table.round_marker = self.truth.round + 1
                self.look(0.1)
            case Predictions(first=first, second=second):
                for seat in rng.sample(self.setup.seats, len(first)):
                    table.tiles[seat] = (first[seat], None)
                    self.look(0.1)
                    table.tiles[seat] = (first[seat], second[seat])
                self.look()

    def reveal(self, cards: tuple[str, ...]) -> None:
        table, rng = self.session.table, self.rng
        seats = rng.sample(range(len(cards)), len(cards))
        for seat in seats:
            table.zones[seat] = None
            if rng.random() < 0.3:
                self.look(0.2)
        self.late.clear()
        self.look(0.2)
        for seat in seats:
            table.zones[seat] = cards[seat]
            if rng.random() < 0.3:
                self.look(0.2)
        self.look()
        if not rules.apply(self.truth, Reveal(cards)).order:
            for seat in seats:
                table.discard_top = table.zones.pop(seat)
                self.look(0.1)

    def stop(self, stop: bool) -> None:
        table, rng = self.session.table, self.rng
        waiting = self.truth.waiting
        if not waiting:
            self.look()
        elif stop and rng.random() < 0.5:
            self.press("stop")
            self.look()
            self.late += waiting
        elif stop:
            for seat in waiting:
                del table.zones[seat]
                self.look(0.2)
            if len(waiting) == 1:
                table.zones[waiting[0]] = None
            self.look(5.0)
        else:
            self.decline("decline")

    def remove(self, card: str | None) -> None:
        table = self.session.table
        if card is not None:
            spot = next(spot for spot, lying in table.columns.items() if lying == card)
            del table.columns[spot]
            self.look(0.2)
            table.discard_top = card
            self.look(0.5)
        elif self.truth.removable():
            self.decline("decline")

    def decline(self, key: str) -> None:
        """By a button, or not at all while the next player's doing will tell."""
        if self.truth.waiting and self.rng.random() < 0.5 and self.next_can_place(key):
            self.unanswered = True
            return
        self.look(0.2)
        self.press(key)
        self.look()

    def next_can_place(self, key: str) -> bool:
        seat = self.truth.seat
        assert seat is not None
        declines: dict[CardKind | None, Event] = {
            CardKind.STOP: Stop(seat, False),
            CardKind.REMOVE: Remove(seat, None),
            CardKind.INSERT: DeclineInsert(seat, key == "drew"),
        }
        after = rules.apply(self.truth, declines[self.truth.pending_kind])
        waiting = after.seat
        return waiting is not None and bool(after.targets(after.revealed[waiting]))

    def press(self, key: str) -> None:
        verdict = self.session.referee.verdict
        assert key in {choice.key for choice in verdict.choices}, (key, verdict)
        assert self.session.referee.answer(key)

    def end_turn(self) -> None:
        table = self.session.table
        self.look()
        for seat in self.late:
            table.zones.pop(seat, None)
        if self.late:
            self.look(0.2)
        after = rules.apply(self.truth, EndTurn())
        if self.rng.random() < 0.7:
            for contender, place in after.cube.items():
                if table.cubes[contender] != place:
                    assert self.session.referee.targets[contender] == place
                    table.cubes[contender] = place
                    self.look(0.1)
