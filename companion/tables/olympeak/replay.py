"""A kept game of OlymPeak, fact by fact: only what lay face up is in it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak.events import Event, Predictions, Ruling
from companion.games.olympeak.names import contenders_listed
from companion.games.olympeak.position import GameState, Phase
from companion.messages import Text, listed, row, say
from companion.referee.corrections import Correction
from companion.referee.entry import as_said
from companion.referee.journal_reader import Fact, Header, JournalReader
from companion.referee.olympeak.journal import OlympeakGame, course, current_state, record
from companion.referee.olympeak.ledger import states_of, units_of
from companion.referee.olympeak.wording import name_of, result_text, unit_text
from companion.tables.olympeak.snapshot import state_view
from companion.web.archive import StepView
from companion.web.models import PlayerView, Snapshot


class OlympeakReplay:
    """The steps of a game. Raises what a damaged journal raises."""

    def __init__(self, journal: JournalReader, header: Header) -> None:
        self._journal = journal
        self._header = header
        self._reached: list[tuple[GameState, Predictions | None, tuple[str, ...]]] = []
        steps: list[StepView] = []
        before: OlympeakGame | None = None
        for number, (fact, game) in enumerate(course(journal, header.id)):
            last = game.events[-1] if game.events else None
            tiles = last if isinstance(last, Predictions) else None
            self._reached.append((current_state(game), tiles, game.findings))
            steps.append(self._step(number, fact, before, game))
            before = game
        assert before is not None
        self._game = before
        self.steps = tuple(steps)

    @property
    def status(self) -> str:
        """`open`, `over` or `abandoned`."""
        if self._game.state.phase is Phase.OVER:
            return "over"
        return "abandoned" if self._game.abandoned else "open"

    @property
    def turns(self) -> int:
        """How many turns are completed."""
        return _turns(self._game)

    @property
    def text(self) -> str:
        """How the game stands or ended."""
        state = self._game.state
        if state.phase is Phase.OVER:
            return result_text(state)
        ahead = max(state.cubes)
        leading = contenders_listed(contender for contender, cube in state.cube.items() if cube == ahead)
        return say(
            "olympeak.stands", round=state.round, rounds=state.setup.rounds, contenders=leading, place=ahead
        )

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, nobody before the end."""
        outcome = self._game.state.outcome
        return () if outcome is None else outcome.winners

    def snapshot(self, step: int) -> Snapshot:
        """The table after a step."""
        state, tiles, findings = self._reached[step]
        return Snapshot(
            game="olympeak",
            players=tuple(PlayerView(seat=seat, name=name) for seat, name in enumerate(self._header.players)),
            turn=self.steps[step].turn,
            olympeak=state_view(state, tiles=tiles, findings=findings),
        )

    def record(self) -> str:
        """The record as text."""
        return "".join(f"{line}\n" for line in record(self._journal, self._header.id))

    def _step(
        self, number: int, fact: Fact | None, before: OlympeakGame | None, game: OlympeakGame
    ) -> StepView:
        at = self._header.begun_at if fact is None else fact.written_at
        kind = "begin" if fact is None else fact.kind
        names = [player.name for player in game.start.setup.players]
        if fact is None or before is None:
            shown = contenders_listed(game.start.setup.contenders)
            text: str = say("olympeak.begins", names=listed(names), contenders=shown)
        elif kind == "events":
            new = game.events[len(before.events) :]
            kind = "ruling" if any(isinstance(event, Ruling) for event in new) else "turn"
            text = _told(before.state, new, len(before.unwritten.path))
        elif kind == "progress":
            kind = "play"
            path = game.unwritten.path
            text = _told(game.state, path, _shared(before.unwritten.path, path))
        elif kind == "keep":
            kind, text = "take_back", say("olympeak.back")
        elif kind == "correction":
            said = Correction.of_data(fact.data)
            text = say("referee.corrected", read=said.read, right=said.said)
        elif kind == "abandon":
            text = say("table.given_up")
        else:
            text = as_said(fact.data)
        return StepView(number=number, at=at, kind=kind, turn=_turns(game), text=text)


def _turns(game: OlympeakGame) -> int:
    return sum(not unit.is_open for unit in units_of(game.start, game.events))


def _shared(one: Sequence[Event], other: Sequence[Event]) -> int:
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return shared


def _told(start: GameState, events: Sequence[Event], known: int) -> Text:
    """What is new in these events from `start`, after the first `known` of them."""
    states = states_of(start, events)
    text = unit_text(states[known:], events[known:])
    if text:
        return say("olympeak.told", text=text)
    after = states[-1]
    if after.phase in (Phase.PLAY, Phase.CHOICE) and not known and len(events) == 1:
        cards = row(
            say("olympeak.card_of", name=name_of(after, seat), card=card)
            for seat, card in enumerate(after.revealed)
        )
        return say("olympeak.turned_up", cards=cards)
    return say("olympeak.seen_anew")
