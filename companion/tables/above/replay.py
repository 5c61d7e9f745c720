"""A kept game of Above, fact by fact."""

from __future__ import annotations

from companion.games.above.position import Position
from companion.messages import listed, say, sentences
from companion.referee.corrections import Correction
from companion.referee.entry import as_said
from companion.referee.game import Game, course, record
from companion.referee.journal_reader import Fact, Header, JournalReader
from companion.referee.verdicts import over
from companion.referee.wording import correction_text, turn_line
from companion.tables.above.snapshot import board_of, leaders
from companion.web.archive import StepView
from companion.web.models import PlayerView, Snapshot


class AboveReplay:
    """The steps of a game. Raises what a damaged journal raises."""

    def __init__(self, journal: JournalReader, header: Header) -> None:
        self._journal = journal
        self._header = header
        self._positions: list[Position] = []
        steps: list[StepView] = []
        before: Game | None = None
        for number, (fact, game) in enumerate(course(journal, header.id)):
            self._positions.append(game.position)
            steps.append(self._step(number, fact, before, game))
            before = game
        assert before is not None
        self._game = before
        self.steps = tuple(steps)

    @property
    def status(self) -> str:
        """`open`, `over` or `abandoned`."""
        if self._game.position.is_over:
            return "over"
        return "abandoned" if self._game.abandoned else "open"

    @property
    def turns(self) -> int:
        """How many turns are completed."""
        return len(self._game.turns)

    @property
    def text(self) -> str:
        """How the game stands or ended."""
        position, names = self._game.position, self._header.players
        if position.is_over:
            return over(position, names).text
        return sentences(say("above.to_move", name=names[position.turn]), *leaders(position))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, nobody before the end."""
        position = self._game.position
        return over(position, self._header.players).winners if position.is_over else ()

    def snapshot(self, step: int) -> Snapshot:
        """The table after a step."""
        position = self._positions[step]
        return Snapshot(
            players=tuple(PlayerView(seat=seat, name=name) for seat, name in enumerate(self._header.players)),
            board=board_of(position),
            turn=self.steps[step].turn,
            score=leaders(position),
        )

    def record(self) -> str:
        """The record as text."""
        return "".join(f"{line}\n" for line in record(self._journal, self._header.id))

    def _step(self, number: int, fact: Fact | None, before: Game | None, game: Game) -> StepView:
        at = self._header.begun_at if fact is None else fact.written_at
        kind = "begin" if fact is None else fact.kind
        name = ""
        names = self._header.players
        if fact is None or before is None:
            text: str = say("above.begins", names=listed(names), first=names[game.start.turn])
        elif kind in ("turn", "ruling"):
            turn = game.turns[-1]
            name = names[turn.before.turn]
            text = turn_line(turn, names)
            if turn.after.is_over:
                text = say("above.turn_wins", turn=text, wins=over(turn.after, names).text)
        elif kind == "take_back":
            count = len(before.turns) - len(game.turns)
            text = say("referee.taken_back", n=count)
        elif kind == "correction":
            text = correction_text(Correction.of_data(fact.data))
        elif kind == "abandon":
            text = say("table.given_up")
        else:
            text = as_said(fact.data)
        return StepView(number=number, at=at, kind=kind, turn=len(game.turns), text=text, name=name)
