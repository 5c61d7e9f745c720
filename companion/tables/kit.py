"""A kit: what the service needs to know of a game. One kit a game; nothing else in the wiring asks which.

How to add a game: docs/adding-a-game.md.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from companion.referee.evidence import Switches
from companion.referee.journal_reader import JournalReader
from companion.referee.verdict import Choice, Verdict
from companion.sensing.frames import Frame, FrameSource
from companion.sensing.geometry import Camera
from companion.sensing.place import BoardPrint
from companion.sensing.reading import Finding
from companion.signals.scenes import Scene
from companion.signals.scoreboard import Look as ScoreboardLook
from companion.virtual.arm import BRISK, Pace
from companion.virtual.faults import Fault
from companion.virtual.layers import Look
from companion.virtual.tally import Tally
from companion.web.models import DeviceView, Snapshot
from companion.web.practice import Practice


class AnyReading(Protocol):
    """What every reading has."""

    @property
    def exposed_at(self) -> float: ...

    @property
    def frame(self) -> str: ...

    @property
    def moving(self) -> bool: ...

    @property
    def findings(self) -> tuple[Finding, ...]: ...


class Referee(Protocol):
    """A session of any game."""

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def players(self) -> int: ...

    @property
    def verdict(self) -> Verdict: ...

    @property
    def turns(self) -> Sequence[object]:
        """What can be taken back, the newest last."""

    @property
    def open_turns(self) -> int:
        """How many whole turns lie there that might have gone on or been read otherwise: none is completed yet."""

    @property
    def was_taken_back(self) -> bool:
        """Does the table still show what was taken back?"""

    @property
    def notices(self) -> Sequence[Finding]:
        """What is out of order with the table's parts, as far as the game shows."""

    def observe(self, reading: Any, switches: Any = None) -> Verdict:
        """Weighs one reading, of the game's own kind. Raises JournalError if what it says cannot be written."""

    @property
    def is_offered(self) -> bool:
        """Was this game opened again, and has the table not shown it since?"""

    @property
    def shows_another(self) -> bool:
        """Does the table show the beginning of another game instead of the one that is offered?"""

    @property
    def has_begun(self) -> bool:
        """Is there a game, or does the table still have to show where it starts?"""

    @property
    def may_rule(self) -> bool:
        """Can the players declare that they play on from what lies there?"""

    def corrected(self, reading: Any) -> Any:
        """A reading with everything under the name that people have said."""

    def go_on(self) -> None:
        """The players have said that this game is the one that goes on."""

    def take_back(self, turns: int = 1) -> Verdict:
        """Takes the last turns back, so many; the table is then to be restored."""

    def rule(self, seat: int) -> Verdict:
        """A ruling of the house: what lies there is taken as it is, `seat` is next. Raises Refused."""

    def start_here(self, seat: int) -> Verdict:
        """Begins the game from whatever lies on the table, `seat` to move. Raises Refused."""

    def correct(self, what: str, place: str, shown: str, said: str) -> Verdict:
        """What is `shown` at `place` is `said`. Raises Refused."""

    def answer(self, key: str) -> bool:
        """Takes an answer to the verdict's choices. False when it answers nothing that is asked now."""


class Eyes(Protocol):
    """What turns a frame into a reading."""

    def process(self, frame: Frame) -> Any:
        """The next picture of a live table: a reading of the game's own kind."""


class Book(Protocol):
    """The journal as a table uses it: one of its games at a time is played."""

    @property
    def journal(self) -> JournalReader:
        """The journal, for reading."""

    @property
    def current(self) -> int | None:
        """The number of the game that is played, None before it has begun."""

    def resume(self, number: int | None = None) -> Referee | None:
        """The referee of a game that goes on, the newest if no `number` is given; None if it cannot."""

    def referee(self, players: int, names: Sequence[str] = (), ages: Sequence[int] | None = None) -> Referee:
        """The referee of a new game; one that was open is set aside. `ages`: by seat, 0 for the youngest."""

    def set_aside(self) -> int | None:
        """The newest open game other than the one that is played, None if there is none."""

    def abandon(self, number: int | None = None) -> None:
        """Gives a game up for good, the one that is played if no `number` is given."""

    def record(self) -> str | None:
        """The current game's record as text, None before it has begun."""

    @property
    def waiting(self) -> int:
        """So many facts are in memory only, because there is no room on the disk."""

    @property
    def trouble(self) -> str:
        """What people should know and do about what is not on the disk yet; empty if all is."""

    @property
    def findings(self) -> Sequence[Finding]:
        """What people should know about the journal itself, and what to do about it."""

    def looking(self) -> JournalReader:
        """The games as the page looks at them, in another thread; it is closed with the book."""

    def catch_up(self) -> None:
        """Writes what there was no room for. Raises JournalError if the file is no journal any more."""

    def close(self) -> None:
        """Closes the journal."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """A fact that is certain although nobody saw how it came about: what was played before it may be left out."""

    fact: Hashable


class People(Protocol):
    """The people at a simulated table and the game they play."""

    tally: Tally
    last_hand_left_at: float | None

    @property
    def finished(self) -> bool:
        """Is the game over, or have they given up?"""

    @property
    def showing_illegal(self) -> str:
        """What kind of illegal act lies there to be seen; empty while there is none."""

    @property
    def hands_away(self) -> bool:
        """No hand is in the picture."""

    def held_still_at(self, due: float) -> float | None:
        """When what is held up into the picture came to rest, if it was on its way there at `due`; else None."""

    def step(self, now: float) -> None:
        """They act up to the time `now` in seconds."""

    def answer(
        self, choices: Sequence[Choice], asked: int | None = None, told: int | None = None
    ) -> str | None:
        """What they answer when the seat `asked` (None: all of them) is: a key; None when no choice is true.

        `told`: how many turns they find on the page; None if they do not look.
        """


class SimulatedTable(Protocol):
    """A table with people at it.

    `on_played(fact, when)`: what they have truly done, as `Kit.accepted` has it, the moment the last hand had left;
    None if it went over into what they did next, or nobody could see it.
    """

    on_played: Callable[[Hashable, float | None], None] | None

    @property
    def camera(self) -> FrameSource: ...

    @property
    def people(self) -> People: ...

    @property
    def practice(self) -> Practice:
        """The same table for somebody real who sits down at it."""

    def deal(self, players: int, referee: Referee | None) -> None:
        """Lays a game out: where the referee's game stands, or a new one."""

    def look(self) -> None:
        """The people look at the lights."""

    @property
    def faults(self) -> frozenset[Fault]:
        """What is out of order at the table at the moment."""

    def set_fault(self, fault: Fault, active: bool) -> None:
        """Something goes wrong at the table, or right again."""

    def break_reed(self, space: str, fault: Fault) -> bool:
        """The switch of a space is broken from now on; False where a table has none."""

    def closed_reeds(self) -> frozenset[int]:
        """The switches with a magnet over them, by index."""

    def plays_on_from(self, referee: Referee) -> bool:
        """Do the people play the game as the referee has it, or was a turn taken back since?"""


# Where each motor axis stands, in mm north of its lane's middle.
Carriages = Callable[[], Sequence[float]]
Leds = Callable[[], Sequence[tuple[int, int, int]]]


@dataclass(frozen=True, slots=True)
class Company:
    """Who sits down at a simulated table. `now`: the clock they live by; `leds`: the lights as lit right now.

    `referee`: whose game goes on, None for a new one. `illegal`: how often a turn begins against the rules, 0 to 1.
    `sloppy`: they do all that people do beside playing. `sighted`: does a camera look on, or are there but switches?
    `look`: cloth, print, light and lens; None: a friendly oak table. `carriages`: of the motors
    that move the cubes; None: people do.
    """

    players: int
    seed: int
    now: Callable[[], float]
    leds: Leds
    referee: Referee | None = None
    illegal: float = 0.0
    pace: Pace = BRISK
    look: Look | None = None
    carriages: Carriages | None = None
    sloppy: bool = False
    sighted: bool = True


class Kit(Protocol):
    """The parts of one game's table."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def seats(self) -> tuple[int, ...]:
        """How many may play."""

    @property
    def fresh_looks(self) -> int:
        """What has just come to rest is looked at so often, twice as fast: a doubt is over sooner."""

    def book(self, path: Path, wall_clock: Callable[[], float], *, unattended: bool = False) -> Book:
        """The journal in the file `path`; `wall_clock` in seconds since 1970. Raises JournalError.

        `unattended`: nobody is there to mend what is wrong with the file; then only another table that writes to it
        is an error.
        """

    def eyes(self, camera: Camera | None = None, rings: BoardPrint | None = None) -> Eyes:
        """Sight for a live table; without a measured `camera` the reference lens is assumed.

        `rings`: how the rings of Above's board lay when they were calibrated.
        """

    def blind(self, now: float) -> AnyReading | None:
        """A reading of nothing at `now`, where a game can be told by its switches alone; None where it cannot."""

    def scene(self, verdict: Verdict, players: int) -> Scene:
        """What the lights mean."""

    def waiting(self, players: int) -> Scene:
        """What they mean while nothing can be seen."""

    def snapshot(
        self, referee: Any, reading: Any, devices: Sequence[DeviceView], *, paused: bool
    ) -> Snapshot:
        """Everything the page shows; `reading`: the newest settled one, None before there was any."""

    def annotate(self, image: Any, reading: Any, width_px: int) -> bytes:
        """The camera picture with what was recognised drawn in, as JPEG.

        `image`: the picture or a smaller copy of it; `width_px`: how wide the one was that was read.
        """

    def evidence(
        self, looks: Sequence[Any], switches: Switches | None, referee: Any, *, accepted: bool
    ) -> tuple[str, ...]:
        """What was seen in these looks, a sentence each, that a ruling was made from.

        Where the last turn has changed something if it was `accepted`, else where the verdict points.
        """

    def places_mm(self, referee: Any) -> Mapping[int, float]:
        """Where each motor axis belongs, in mm north of its lane's middle; empty for a game without a scoreboard."""

    def scoreboard_look(self, reading: Any) -> ScoreboardLook:
        """What a reading says of the scoreboard, axis by axis."""

    def simulate(self, company: Company) -> SimulatedTable:
        """A simulated table with these people at it."""

    def accepted(self, referee: Any) -> tuple[Hashable, ...]:
        """What has certainly been played, fact by fact, as the people's `on_played` tells it."""

    def told(self, referee: Any) -> tuple[Hashable, ...]:
        """All facts that the lights go by already: those of the open turn too."""
