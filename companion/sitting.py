"""The sitting: which game is played at the table, what is offered beside it, and what people ask of it."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.errors import CompanionError
from companion.messages import say, words_of
from companion.referee.requests import Refused
from companion.referee.verdict import Verdict
from companion.tables.kit import Book, Referee
from companion.web.archive import Archive, NotKept
from companion.web.hub import (
    Abandon,
    Answer,
    Correct,
    NewGame,
    Pause,
    Request,
    Resume,
    Rule,
    StartHere,
    Undo,
)
from companion.web.models import OfferView

log = logging.getLogger(__name__)


class Sitting:
    """`referee`: of the game that is played. `paused`: nothing is judged.

    `book`: the journal, which gives a referee to every game that is begun or goes on; `archive`: the same for looking
    at. `on_game` is told when the game is another, or goes on otherwise than the people at the table made it.
    """

    def __init__(
        self,
        book: Book,
        referee: Referee,
        archive: Archive | None,
        on_game: Callable[[Referee], None] | None = None,
    ) -> None:
        self.referee = referee
        self.paused = False
        self._book = book
        self._archive = archive
        self._on_game = on_game
        self._aside = book.set_aside()

    # -- which game

    def new_game(
        self, players: int, names: tuple[str, ...] = (), ages: tuple[int, ...] | None = None
    ) -> None:
        """Begins another game; one that is open is set aside."""
        self._play(self._book.referee(players, names, ages))

    def look_for_open_games(self) -> None:
        """The journal may hold others now than before."""
        self._aside = self._book.set_aside()

    def take_what_is_set_up(self) -> None:
        """Where people have set up another game instead of the one that is offered, it is that one."""
        if self.referee.shows_another:
            # Nothing is lost: the game that was offered stays open in the journal.
            log.info("Another game is set up; the open one is set aside.")
            self.new_game(self.referee.players, self.referee.names)

    def _play(self, referee: Referee) -> None:
        self.referee = referee
        self._aside = self._book.set_aside()
        self._laid_anew()

    def _laid_anew(self) -> None:
        if self._on_game is not None:
            self._on_game(self.referee)

    def _resume(self, number: int) -> str:
        if number == self._book.current:
            self.referee.go_on()
            return say("table.goes_on_when_shown")
        referee = self._book.resume(number)
        if referee is None:
            raise NotKept(say("table.cannot_go_on", n=number))
        self._play(referee)
        return say("table.goes_on")

    def _abandon(self, number: int) -> str:
        self._book.abandon(number)
        if number == self._book.current:
            self._play(self._book.referee(self.referee.players, self.referee.names))
        self._aside = self._book.set_aside()
        return say("table.given_up")

    # -- what is offered

    @property
    def offered(self) -> tuple[int, bool] | None:
        """The open game that may go on, and whether the table is compared with it already."""
        if self.referee.is_offered and self._book.current is not None:
            return self._book.current, True
        if self.referee.has_begun or self._aside is None:
            return None
        return self._aside, False

    @property
    def offer(self) -> OfferView | None:
        """The same with its picture, None where nothing is offered or nothing can be shown."""
        if self.offered is None or self._archive is None:
            return None
        number, here = self.offered
        try:
            replay = self._archive.replay(number)
            table = self._archive.step(number, len(replay.steps) - 1)
        except NotKept:
            return None
        game = replay.game
        return OfferView(
            game=number,
            here=here,
            players=game.players,
            begun_at=game.begun_at,
            turns=game.turns,
            text=game.text,
            board=None if table.olympeak is not None else table.board,
            olympeak=table.olympeak,
        )

    # -- what people ask for

    def serve(self, request: Request, shown: Verdict) -> None:
        """Carries a request out, or refuses it with the reason. `shown`: the verdict as people see it."""
        try:
            request.accept(self._carry_out(request, shown))
        except CompanionError as error:
            request.refuse(words_of(error))

    def _carry_out(self, request: Request, shown: Verdict) -> str:
        referee = self.referee
        match request.command:
            case Answer(key):
                if not referee.answer(key):
                    raise Refused(say("table.settled"))
                return say("table.taken")
            case Undo(turns):
                # A whole turn that lies there counts, though it could still go on.
                many = len(referee.turns) + referee.open_turns
                if not many:
                    raise Refused(say("table.no_turn"))
                if turns > many:
                    raise Refused(say("table.only_so_many", n=many))
                referee.take_back(turns)
                return say("table.taken_back", n=turns)
            case Correct(what, place, name, said):
                referee.correct(what, place, name, said)
                return say("table.noted")
            case Rule(seat):
                if shown is not referee.verdict:
                    raise Refused(say("table.unseen_now"))
                referee.rule(seat)
                self._laid_anew()
                return say("table.house_ruled")
            case StartHere(seat):
                referee.start_here(seat)
                self._laid_anew()
                return say("referee.begins_here")
            case Resume(game):
                return self._resume(game)
            case Abandon(game):
                return self._abandon(game)
            case NewGame(players, names, ages):
                self.new_game(players, names, ages or None)
                return say("table.new_game")
            case Pause(paused):
                self.paused = paused
                return say("table.paused" if paused else "table.going_on")
            case _:
                raise Refused(say("table.impossible"))
