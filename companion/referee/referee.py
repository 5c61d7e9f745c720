"""The referee: one game of Above on one table, from readings to verdicts.

Plain synchronous code. It holds the position at the start of the turn, weighs every settled reading against
the legal turns (`explain`), and says what the table is: ready, unfinished, complete, illegal, a question. A
turn is written to the ledger before it is announced.

Here is what others see of it. What it knows and thinks is the `Session`; readings go through `watching` to `judging`,
what people say through `answering`, `put_back`, `house` and `correcting`.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.above.box import Table
from companion.games.above.cards import SETUP_CARDS, SetupCard
from companion.games.above.position import Position
from companion.referee.answering import answer
from companion.referee.correcting import correct
from companion.referee.corrections import Correction
from companion.referee.evidence import Switches
from companion.referee.house import may_rule, rule, start_here
from companion.referee.ledger import Ledger
from companion.referee.put_back import take_back
from companion.referee.session import Session
from companion.referee.turn import Turn
from companion.referee.two_turns import open_turns
from companion.referee.verdict import Verdict
from companion.referee.watching import observe
from companion.sensing.reading import Finding, Reading


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
        self._session = Session(names, ledger, position, turns, table, corrections, cards)

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays, by seat."""
        return self._session.names

    @property
    def players(self) -> int:
        """How many play."""
        return self._session.players

    @property
    def verdict(self) -> Verdict:
        """What is said of the table now."""
        return self._session.verdict

    @property
    def position(self) -> Position | None:
        """The position at the start of the open turn, None before the game has begun."""
        return self._session.position

    @property
    def turns(self) -> Sequence[Turn]:
        """What can be taken back, the newest last."""
        return self._session.turns

    @property
    def open_turns(self) -> int:
        """How many whole turns lie there that might have gone on or been read otherwise: none is completed yet."""
        return open_turns(self._session)

    @property
    def was_taken_back(self) -> bool:
        """Does the table still show a turn that was taken back?"""
        return self._session.was_taken_back

    @property
    def has_begun(self) -> bool:
        """Is there a game, or does the table still have to show where it starts?"""
        return self._session.position is not None

    @property
    def shows_another(self) -> bool:
        """Does the table show the beginning of another game instead of the one that is offered?"""
        return self._session.offered and self._session.another

    @property
    def is_offered(self) -> bool:
        """Was this game opened again, and has the table not shown it since?"""
        return self._session.offered

    @property
    def may_be_over(self) -> Position | None:
        """The position if the turn that lies there complete, but could still go on, ends as it is."""
        return None if self._session.soft is None else self._session.soft.after

    @property
    def taken_to_be(self) -> Position | None:
        """Where the game stands if two turns that lie there whole are the ones that they are taken for."""
        return self._session.ahead.newest

    @property
    def notices(self) -> Sequence[Finding]:
        """What is out of order with the switches, as far as the game shows."""
        return self._session.reeds.findings

    def corrected(self, reading: Reading) -> Reading:
        """A reading with every piece and card under the name that people have said."""
        return self._session.corrected.reading(reading)

    def tell_set_up(self, position: Position) -> None:
        """The set-up that people are told if there is no camera to read theirs."""
        self._session.told = position

    def go_on(self) -> None:
        """The players have said that this game is the one that goes on."""
        self._session.offered = False

    def observe(self, reading: Reading, switches: Switches | None = None) -> Verdict:
        """Weighs one reading. What is seen while hands move is no evidence: the verdict stands,
        but what the switches say is in a hand is shown where it may go.

        A reading without a picture is weighed by the switches alone, if there are any and no camera is to be
        waited for.
        """
        return observe(self._session, reading, switches)

    # -- what people say

    def take_back(self, turns: int = 1) -> Verdict:
        """Takes the last turns back, so many; the table is then to be restored, or another turn played."""
        return take_back(self._session, turns)

    def answer(self, key: str) -> bool:
        """Takes an answer to the verdict's choices. False when it answers nothing that is asked now."""
        return answer(self._session, key)

    def start_here(self, seat: int) -> Verdict:
        """Begins the game from whatever lies on the table, `seat` to move.

        Raises Refused with everything that makes that impossible.
        """
        return start_here(self._session, seat)

    @property
    def may_rule(self) -> bool:
        """Can the players declare that they play on from what lies there?"""
        return may_rule(self._session)

    def rule(self, seat: int) -> Verdict:
        """A ruling of the house: what lies there is taken as it is, and `seat` is next to move.

        Raises Refused if nothing is amiss, or with everything that makes the position impossible.
        """
        return rule(self._session, seat)

    def correct(self, what: str, place: str, shown: str, said: str) -> Verdict:
        """What is `shown` at `place` is `said`: the table is weighed anew, the last turn too if it was misread.

        `what`: "mini", "token" or "card"; `place`: a space, or `cards` and a seat. Raises Refused with a sentence.
        """
        return correct(self._session, what, place, shown, said)
