"""The referee of OlymPeak: one game on one table, from readings to verdicts.

Plain synchronous code. It weighs every settled reading against what may follow from where the game stands
(`course`), stage by stage (`revealing`, `playing`, `closing`), and says what the table is. Events are written
to the ledger before they are announced. Nothing of a hand or of a tile that lies face down is known
here, so nothing can be kept or shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak.box import Box
from companion.games.olympeak.deck_file import default_box
from companion.games.olympeak.events import Event, Ruling
from companion.games.olympeak.names import contenders_listed
from companion.games.olympeak.position import GameState, Phase, Player, Setup
from companion.messages import say, sentences
from companion.referee.corrections import Correction
from companion.referee.olympeak import sayings, verdicts
from companion.referee.olympeak.closing import ending_round, turning_tiles
from companion.referee.olympeak.course import IN_TURN, Course
from companion.referee.olympeak.laid_out import laid_out
from companion.referee.olympeak.ledger import Ledger, Unit, Unwritten
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.objecting import with_objection
from companion.referee.olympeak.patience import ANOTHER_S, LOOKS
from companion.referee.olympeak.playing import playing
from companion.referee.olympeak.revealing import revealing
from companion.referee.olympeak.revised import revise, tell_as_seen_last
from companion.referee.olympeak.scoreboard import Scoreboard
from companion.referee.olympeak.session import Session
from companion.referee.olympeak.setup import read_setup
from companion.referee.olympeak.taken_back import still_shows, take_back_restored
from companion.referee.olympeak.unseen_round import count_anew, round_went_by
from companion.referee.requests import Refused
from companion.referee.verdict import Kind, Verdict
from companion.sensing.olympeak.reading import OlympeakReading
from companion.sensing.reading import Finding


class OlympeakReferee:
    """A session of one game. `start` None: the game starts from the set-up that is laid on the table.

    `ages`: by seat, 0 for the youngest; left out, the last seat is the oldest. With `start`, `events`, `findings`
    and `corrections` (a resumed game) the table must first show where the game stands.
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
        corrections: Sequence[Correction] = (),
    ) -> None:
        self.names = tuple(names)
        self.players = len(self.names)
        self.box = box or default_box()
        seats = [Player(name, age) for name, age in zip(names, ages or range(self.players), strict=True)]
        self._course = Course(ledger, start, events, unwritten)
        self._session = Session(seats, ledger, self._course, self.box, ranking, corrections)
        self._session.notes.findings += findings
        self._another = False

    # -- what others see

    @property
    def verdict(self) -> Verdict:
        """What the table is."""
        return self._session.verdict

    @property
    def state(self) -> GameState | None:
        """What the game has certainly reached; None before the set-up was read."""
        return self._course.state

    @property
    def current(self) -> GameState | None:
        """The state as announced: with the open turn as far as it has got."""
        return self._course.current

    @property
    def open_turns(self) -> int:
        """A turn of OlymPeak ends with its last card."""
        return 0

    @property
    def turns(self) -> Sequence[Unit]:
        """What can be taken back, the newest last."""
        return self._course.turns

    @property
    def events(self) -> tuple[Event, ...]:
        """All events the game has certainly had, in order."""
        return self._course.events

    @property
    def announced(self) -> tuple[Event, ...]:
        """The events of the open turn that have been announced."""
        return self._course.announced

    @property
    def under_way(self) -> int:
        """How many events of the open turn have been announced."""
        return len(self._course.announced)

    @property
    def findings(self) -> Sequence[str]:
        """What was odd about physical things, all through the game."""
        return self._session.notes.findings

    @property
    def look(self) -> Look | None:
        """The newest settled look, None before there was one."""
        return self._session.look

    @property
    def scoreboard(self) -> Scoreboard:
        """Where cubes and round marker belong and are."""
        return self._session.scoreboard

    @property
    def was_taken_back(self) -> bool:
        """Does the table still show what was taken back?"""
        return self._session.undone is not None

    @property
    def has_begun(self) -> bool:
        """Is there a game, or does the table still have to show where it starts?"""
        return self.state is not None

    @property
    def shows_another(self) -> bool:
        """Does the table show the beginning of another game instead of the one that is offered?"""
        return self._session.offered and self._another

    @property
    def is_offered(self) -> bool:
        """Was this game opened again, and has the table not shown it since?"""
        return self._session.offered

    @property
    def targets(self) -> dict[str, int]:
        """Where the cubes (by contender) and the round marker (`round`) belong, for the motors."""
        return dict(self.scoreboard.targets)

    @property
    def notices(self) -> Sequence[Finding]:
        """Cards have no magnets, so no switch can be out of order."""
        return ()

    # -- the table

    def observe(self, reading: OlympeakReading, switches: object = None) -> Verdict:
        """Weighs one reading. What is seen while hands move is no evidence: the verdict stands."""
        session = self._session
        if self.state is not None and self.state.phase is Phase.OVER:
            return self.verdict
        session.objection.tick(reading.exposed_at)
        session.gap.look(reading.frame == "ok", reading.exposed_at, moving=reading.moving)
        session.stirring = reading.moving or reading.hands_beside or reading.frame != "ok"
        if reading.frame != "ok":
            session.agreement.reset()
            session.prints.stirred()
            session.scoreboard.unseen()
            session.standstill.stirred()
            session.verdict = Verdict(Kind.HOLD, session.seat, reading.frame)
            return self.verdict
        if reading.moving:
            # A disturbance: agreement among looks before it counts no longer.
            session.agreement.reset()
            session.standstill.stirred()
            session.prints.stirred()
            if session.gap.was_busy:
                # By now the cubes may have been moved.
                session.scoreboard.unseen()
            if session.left_over.cards:
                read = session.corrected.reading(reading)
                shown = {each.seat: each.card for each in read.reveal if each.card is not None}
                session.left_over.glance(shown, reading.exposed_at)
            return self.verdict
        told = session.prints.reading(session.corrected.reading(reading))
        if told is None:
            return self.verdict
        session.reading, session.told = reading, told
        read = told
        verdict = self._judge(read)
        if verdict is not session.verdict:
            session.verdict = with_objection(session, verdict, reading.exposed_at)
        if not session.resuming:
            session.offered = False
            if session.undone is None:
                session.undone_units = ()
        self._another = session.offered and self._shows_another(read)
        return self.verdict

    def _shows_another(self, reading: OlympeakReading) -> bool:
        """Has a whole new game been set up, and lain there for a while?"""
        fresh, _ = read_setup(reading, self._session.seats, self.box, self._session.ranking)
        whole = fresh is not None and len(reading.cubes) == len(fresh.racing) and not reading.hidden
        _, lasted = self._session.setting_up.count(whole, reading.exposed_at)
        return whole and lasted >= ANOTHER_S

    def corrected(self, reading: OlympeakReading) -> OlympeakReading:
        """A reading with every card under the name that people have said."""
        return self._session.corrected.reading(reading)

    def _judge(self, reading: OlympeakReading) -> Verdict:
        session, now = self._session, reading.exposed_at
        if self.state is None:
            return self._set_up(reading, now)
        seen = Look.of(reading, tuple(p for p in self.state.placed if p.turn < self.state.turn))
        session.traces.look(seen)
        look = session.look = session.steady.look(seen, now)
        session.left_over.look(look, self.state.revealed if self.state.phase in IN_TURN else (), now)
        for card in session.doubles.look(look, now):
            session.notes.find(say("olympeak.lies_twice", card=card), "O17")
            session.doubles.are_told({card})
        moved = self.scoreboard.look(reading, session.passing())
        if self.state.phase not in IN_TURN and not session.gap.was_long:
            # While a turn goes on, people may move cubes for what is not seen yet.
            for text in moved:
                session.notes.find(text, "")
        if session.undone is not None:
            if still_shows(session.undone, reading, look):
                return session.differing(look, say("referee.taken_back", n=1))
            session.undone = None
            session.resuming = session.restoring = True
        if not session.resuming:
            tell_as_seen_last(session, self.state, reading, look)
        verdict = None if session.resuming else take_back_restored(session, self.state, reading, now)
        if verdict is None and not session.resuming:
            verdict = revise(session, self.state, reading, look, now)
        if verdict is None and not session.resuming:
            verdict = round_went_by(session, self.state, look, now) or count_anew(
                session, self.state, look, now
            )
        if verdict is not None:
            return verdict
        match self.state.phase:
            case Phase.REVEAL:
                return revealing(session, self.state, look, now)
            case Phase.PLAY | Phase.CHOICE:
                return playing(session, self.state, look, now)
            case Phase.ROUND_END:
                return ending_round(session, self.state, look, now)
            case _:
                return turning_tiles(session, self.state, reading, look, now)

    def _set_up(self, reading: OlympeakReading, now: float) -> Verdict:
        session = self._session
        setup, todo = read_setup(reading, session.seats, self.box, session.ranking)
        looks, _ = session.agreement.count(("setup", reading.contenders, setup is None), now)
        if setup is None:
            return verdicts.set_up(todo)
        if looks < LOOKS:
            return self.verdict
        return self._begin(setup, None, reading)

    def _begin(self, setup: Setup, ruling: Ruling | None, reading: OlympeakReading) -> Verdict:
        session = self._session
        state = self._course.begin(setup, ruling)
        session.begin_unit()
        row = contenders_listed(setup.contenders)
        news = say("olympeak.row_shows", contenders=row, n=setup.rounds)
        if ruling is not None:
            news = sentences(news, say("olympeak.begins_in_round", n=ruling.round))
        session.notes.news = news
        session.verdict = session.reveal_verdict(state, Look.of(reading))
        return session.verdict

    # -- what people say

    def take_back(self, turns: int = 1) -> Verdict:
        """Takes the last turns back, so many, the open one if it has begun; the table is then to be restored."""
        return sayings.take_back(self._session, turns)

    def go_on(self) -> None:
        """The players have said that this game is the one that goes on."""
        self._session.offered = False

    def start_here(self, seat: int) -> Verdict:
        """Begins the game from whatever lies on the table; a reveal says who leads, whatever `seat` is.

        Raises Refused with everything that makes that impossible.
        """
        session = self._session
        if self.state is not None:
            raise Refused(say("referee.under_way"))
        reading = self._seen()
        self._refuse_while_stirring()
        setup, ruling = laid_out(reading, session.seats, self.box, session.ranking)
        return self._begin(setup, ruling, reading)

    @property
    def may_rule(self) -> bool:
        """Can the players declare that they play on from what lies there?"""
        return sayings.may_rule(self._session)

    def rule(self, seat: int) -> Verdict:
        """A ruling of the house: what lies there is taken as it is; the order of play says who is next, not `seat`.

        Raises Refused if nothing is amiss, or with everything that makes the table impossible.
        """
        self._refuse_while_stirring()
        return self._say(sayings.rule(self._session))

    def correct(self, what: str, place: str, shown: str, said: str) -> Verdict:
        """The card `shown` at `place` is `said`: the table is weighed anew, and the last turn if it was in it.

        `place`: `column red`, `reveal 1`. Raises Refused with a sentence.
        """
        sayings.correct(self._session, what, place, shown, said)
        return self._weigh_again()

    def _refuse_while_stirring(self) -> None:
        """What lies there is taken as it is only while nobody may be moving it. Raises Refused."""
        if self._session.stirring:
            raise Refused(say("referee.not_at_rest"))

    def _seen(self) -> OlympeakReading:
        session = self._session
        if session.told is None:
            raise Refused(say("referee.nothing_seen"))
        return session.told

    def _weigh_again(self) -> Verdict:
        return self._say(self._judge(self._seen()))

    def _say(self, verdict: Verdict) -> Verdict:
        self._session.verdict = verdict
        return verdict

    def answer(self, key: str) -> bool:
        """Takes an answer to the verdict's choices. False when it answers nothing that is asked now."""
        taken = sayings.answer(self._session, key)
        if taken is sayings.Taken.WEIGH_AGAIN and self._session.reading is not None:
            self._weigh_again()
        return taken is not sayings.Taken.NO
