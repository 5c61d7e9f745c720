"""The step of the switches: a miniature goes over the board, and each space finds its switch.

With a camera the miniature may be put or drawn anywhere, in any order; without one it is asked for space by space.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Collection
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial

import numpy as np

from calibration.bench import Bench
from calibration.board_drawing import draw_spaces
from calibration.board_sight import BoardSight, sighted
from calibration.evidence import Evidence
from calibration.places import middle, named
from calibration.profile import TableProfile
from calibration.reeds.felt import FeltSwitches
from calibration.reeds.ghosts import Ghosts, tokens_for
from calibration.reeds.learner import Learner, Learnt
from calibration.reeds.told import bad_switches, judged, reeds_profile
from calibration.reeds.wand import NEAR_MM, STILL_MM, Piece, pieces_on
from calibration.reeds.wishes import ClearBoard, LayTokens, PutPiece
from calibration.step import Advice, Outcome, Part, Pixel, StepError
from calibration.wiring_profile import SPACES
from companion.games.above.box import LED_COUNT, Table, led_index
from companion.sensing.frames import Frame

# Looks at an empty board, before anything is put on it.
EMPTY_LOOKS = 3
# People take their time; after so long in which nothing has come of it, the step is given up.
PATIENCE_S = 180.0
# Where something looks closed that should not be, so many looks are taken.
ODD_LOOKS = 3
# Without a camera: a switch must stay as it is for so long, and a space is asked for for so long, twice.
STEADY_S = 0.4
ASKED_S = 15.0
# A switch that opens so often while one space is asked for flickers there.
FLICKERS = 3
# After so many spaces at which nothing at all was heard, nothing will be.
MOST_SILENT = 6
NONE_CLOSES = (
    "No switch closes, wherever the miniature stands. Is the cable of the switches plugged in? Are the magnets in the "
    "miniatures? If the diodes are soldered the other way round, see firmware_bridge/firmware/README.md."
)
# No brighter than needed: the camera has to read the marker that stands over it.
LIT: Pixel = (110, 110, 110)
DONE: Pixel = (0, 24, 4)
DARK: Pixel = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class ReedsStep:
    """Learns the switches. `only`: of these spaces; `diodes`: try them, too, with tokens on the board."""

    only: tuple[str, ...] = ()
    diodes: bool = True
    table: Table = field(default_factory=Table)

    name = "reeds"
    title = "The order of the switches"
    needs = frozenset({Part.REEDS})

    @property
    def instructions(self) -> str:
        """What to do, in plain words."""
        return (
            "Take everything off the board. Then put any miniature on the lit space, and on the next; or draw it over "
            "the board in any order, with a moment's rest on each space: the page shows which are left. It takes about "
            "three minutes. Bad switches are found and named."
        )

    def measured_at(self, profile: TableProfile) -> datetime | None:
        """When the profile's switches were measured."""
        return None if profile.reeds is None else profile.reeds.measured.at

    async def measure(self, bench: Bench) -> Outcome:
        """Look at the empty board, then at every space, then at every diode."""
        known = _known(bench.profile)
        spaces = self.only or SPACES
        learner = Learner(spaces, {space: n for space, n in known.items() if space not in spaces})
        ghosts = Ghosts()
        looking: _ByLooking | None = None
        with FeltSwitches(bench.controller) as felt:
            if bench.camera is None:
                await _ByAsking(bench, felt, learner).run()
                tokens: tuple[str, ...] = ()
            else:
                sight, _ = await sighted(bench, self.table)
                looking = _ByLooking(bench, felt, learner, sight, self.table)
                await looking.empty()
                await looking.learn()
                tokens = self._tokens(learner)
                if tokens:
                    await looking.diodes(ghosts, tokens)
        learnt = learner.learnt()
        home = {number: space for space, number in learnt.switches.items()}
        no_diode = [home[number] for number in ghosts.missing() if number in home]
        untried: list[str] | None = [] if self.only else None
        if tokens:
            bad = {*learnt.dead, *learnt.stuck, *learnt.weak, "top"}
            untried = [s for s, n in learnt.switches.items() if n not in ghosts.tried and s not in bad]
        outcome = _outcome(learnt, no_diode, untried, bench.profile, len(spaces))
        if looking is None:
            return outcome
        bad = {*learnt.dead, *learnt.stuck, *learnt.weak, *no_diode, *(other for _, other in learnt.doubled)}
        return replace(
            outcome, pictures=(looking.picture([s for s in learnt.switches if s not in bad], bad),)
        )

    def _tokens(self, learner: Learner) -> tuple[str, ...]:
        if not self.diodes or self.only:
            return ()
        learnt = learner.learnt()
        bad = {*learnt.dead, *learnt.stuck, *learnt.weak}
        return tokens_for({space: n for space, n in learnt.switches.items() if space not in bad})


def _known(profile: TableProfile) -> dict[str, int]:
    if profile.reeds is None:
        return {}
    return {space: number for number, space in enumerate(profile.reeds.spaces) if space}


class _ByLooking:
    """The camera says where the miniature is."""

    def __init__(
        self, bench: Bench, felt: FeltSwitches, learner: Learner, sight: BoardSight, table: Table
    ) -> None:
        self._bench = bench
        self._felt = felt
        self._learner = learner
        self._sight = sight
        self._table = table
        self._before: dict[int, Piece] = {}
        self._since: float | None = None
        self._reached: object = None
        self._last: Frame | None = None

    async def empty(self) -> None:
        """Wait until the board is empty, and see which switches are closed even so."""
        looks = 0
        async with aclosing(self._looks()) as all_looks:
            async for frame, pieces, closed, _ in all_looks:
                if pieces:
                    looks = 0
                    text = f"Take everything off the board: {named([piece.name for piece in pieces])}."
                else:
                    looks += 1
                    self._learner.empty(closed)
                    text = "The empty board is looked at."
                self._bench.say(Advice(text, 0.0, lights=_lights(None, ()), wish=ClearBoard()), frame)
                if looks >= EMPTY_LOOKS:
                    return

    async def learn(self) -> None:
        """Follow the miniature until every space is known."""
        near = "a1"
        async with aclosing(self._looks()) as all_looks:
            async for frame, pieces, closed, opened in all_looks:
                if len(pieces) == 1 and (space := self._resting(pieces[0])) is not None:
                    near = space
                    self._learner.rest(space, closed, opened)
                self._remember(pieces)
                left = self._learner.left
                if not left:
                    return
                if self._learner.deaf:
                    raise StepError(NONE_CLOSES)
                self._progress(left)
                wanted = self._nearest(near, left)
                self._say(frame, pieces, wanted, left)

    async def diodes(self, ghosts: Ghosts, tokens: tuple[str, ...]) -> None:
        """Have tokens laid, then the miniature drawn over all other spaces."""
        learnt = self._learner.learnt()
        bad = {learnt.switches[space] for space in (*learnt.stuck, *learnt.weak) if space in learnt.switches}
        bad |= set(learnt.lost)
        near, visited = tokens[0], set()
        looks: Counter[str] = Counter()
        also: dict[str, set[int]] = {}
        for space, other in learnt.doubled:
            also.setdefault(space, set()).add(learnt.switches[other])
        walk = [space for space in self._learner.spaces if space not in tokens and space not in learnt.dead]
        async with aclosing(self._looks()) as all_looks:
            async for frame, pieces, closed, _ in all_looks:
                lying = {piece.lies.space for piece in pieces if not piece.tall}
                # One that a hand hides still holds its switch.
                held = [space for space in tokens if learnt.switches[space] in closed]
                missing = [space for space in tokens if space not in lying and space not in held]
                tall = [piece for piece in pieces if piece.tall]
                resting = [self._resting(piece) for piece in pieces]
                if None not in resting:
                    truly = {
                        number
                        for space in resting
                        if space is not None
                        for number in ({learnt.switches.get(space, -1)} | also.get(space, set()))
                    }
                    truly |= {learnt.switches[space] for space in held}
                    shown = ghosts.look(truly - bad, closed - bad)
                    if len(tall) == 1 and not missing:
                        near = tall[0].lies.space
                        looks[near] += 1
                        # What looks odd is looked at again.
                        if not shown or looks[near] >= ODD_LOOKS:
                            visited.add(near)
                self._remember(pieces)
                left = [space for space in walk if space not in visited]
                if not left:
                    return
                self._progress((len(left), len(missing)))
                share = 1.0 - len(left) / max(1, len(walk))
                if missing:
                    text = (
                        "Now the diodes: leave the miniature aside and lay a token on each lit space, "
                        f"{len(missing)} more: {named(missing)}. Or say that it is enough."
                    )
                    wish: object = LayTokens(tokens)
                    lit: tuple[str, ...] = tuple(missing)
                else:
                    wanted = self._nearest(near, left)
                    text = f"Draw a miniature once more over the board, now to {wanted}; the tokens stay."
                    wish, lit = PutPiece(wanted), (wanted,)
                self._bench.say(
                    Advice(
                        text,
                        share,
                        (f"{len(left)} spaces are left",),
                        _lights(lit, visited),
                        partial(
                            draw_spaces, sight=self._sight, table=self._table, done=tuple(visited), wanted=lit
                        ),
                        wish=wish,
                    ),
                    frame,
                )

    async def _looks(
        self,
    ) -> AsyncGenerator[tuple[Frame, tuple[Piece, ...], frozenset[int], frozenset[int]], None]:
        """Picture after picture: the pieces on the board, the closed switches, those that opened since."""
        async with aclosing(self._bench.frames()) as frames:
            async for frame in frames:
                pieces = await self._bench.work(pieces_on, frame.image, self._sight, self._table)
                if self._since is None:
                    self._since = frame.exposed_at
                if frame.exposed_at - self._since > PATIENCE_S:
                    raise StepError(
                        f"Nothing has come of it for {PATIENCE_S / 60:.0f} minutes; begin again when you like."
                    )
                self._last = frame
                yield frame, pieces, *self._felt.look()

    def picture(self, good: Collection[str], bad: Collection[str]) -> Evidence:
        """The board as it was looked at last, with what is known of its switches."""
        image = np.zeros((1, 1, 3), np.uint8) if self._last is None else self._last.image
        drawn = draw_spaces(image, self._sight, self._table, tuple(good), tuple(bad))
        return Evidence("switches good green, bad red", drawn)

    def _progress(self, to: object) -> None:
        """So far it has come; patience begins anew where that is further than before."""
        if to != self._reached:
            self._reached, self._since = to, None

    def _resting(self, piece: Piece) -> str | None:
        """The space on whose middle a piece has not moved since the look before; None if it does not rest so."""
        before = self._before.get(piece.id)
        if before is None or math.dist(before.at_mm, piece.at_mm) > STILL_MM or piece.lies.off_mm > NEAR_MM:
            return None
        return piece.lies.space

    def _remember(self, pieces: tuple[Piece, ...]) -> None:
        self._before = {piece.id: piece for piece in pieces}

    def _nearest(self, near: str, left: tuple[str, ...] | list[str]) -> str:
        here = middle(near, self._sight.rings, self._table.board)
        return min(
            left, key=lambda space: math.dist(here, middle(space, self._sight.rings, self._table.board))
        )

    def _say(self, frame: Frame, pieces: tuple[Piece, ...], wanted: str, left: tuple[str, ...]) -> None:
        done = tuple(space for space in self._learner.spaces if space not in left)
        if len(pieces) > 1:
            text = (
                f"Only one piece may be on the board; take off {named([piece.name for piece in pieces[1:]])}."
            )
        else:
            text = f"Put any miniature on the lit space {wanted}, or draw it over the spaces that are left."
        self._bench.say(
            Advice(
                text,
                len(done) / len(self._learner.spaces),
                (f"{len(left)} spaces are left",),
                _lights((wanted,), done),
                partial(draw_spaces, sight=self._sight, table=self._table, done=done, wanted=(wanted,)),
                wish=PutPiece(wanted),
            ),
            frame,
        )


class _ByAsking:
    """Nobody sees the miniature: each space is asked for, and what closes then is its switch."""

    def __init__(self, bench: Bench, felt: FeltSwitches, learner: Learner) -> None:
        self._bench = bench
        self._felt = felt
        self._learner = learner
        self._always: frozenset[int] = frozenset()
        # Has anything ever closed?
        self._heard = False

    async def run(self) -> None:
        """Ask for every space, and once more for those at which nothing closed, or what had closed elsewhere."""
        async with aclosing(self._bench.moments()) as moments:
            await self._empty(moments)
            silent = 0
            for last in (False, True):
                for space in self._learner.conflicts if last else ():
                    self._learner.forget(space)
                for space in self._learner.left:
                    await self._ask(moments, space, last)
                    silent = 0 if self._heard else silent + 1
                    if silent >= MOST_SILENT:
                        raise StepError(NONE_CLOSES)

    async def _empty(self, moments: AsyncIterator[tuple[float, Frame | None]]) -> None:
        looks = 0
        async for _, _ in moments:
            closed, opened = self._felt.look()
            self._bench.say(
                Advice("Take everything off the board.", 0.0, lights=_lights(None, ()), wish=ClearBoard())
            )
            looks = looks + 1 if closed == self._always and not opened else 0
            self._always = closed
            if looks >= EMPTY_LOOKS:
                self._learner.empty(closed)
                return

    async def _ask(self, moments: AsyncIterator[tuple[float, Frame | None]], space: str, last: bool) -> None:
        """Ask for one space until its switch has shown itself, or has had its time."""
        began: float | None = None
        before: frozenset[int] | None = None
        here: frozenset[int] = frozenset()
        since = 0.0
        opened_here: Counter[int] = Counter()
        async for now, _ in moments:
            closed, opened = self._felt.look()
            new = closed - self._always
            if began is None or before is None:
                began, before = now, new
            opened_here.update(opened - before)
            if new != here:
                here, since, self._heard = new, now, True
            flickers = frozenset(number for number, times in opened_here.items() if times >= FLICKERS)
            if flickers or (here and here != before and now - since >= STEADY_S):
                self._learner.rest(space, closed, opened & (here | flickers))
            if self._learner.done(space):
                return
            if now - began >= ASKED_S:
                while last and not self._learner.done(space):
                    self._learner.rest(space, self._always)
                return
            self._tell(space, last)

    def _tell(self, space: str, last: bool) -> None:
        left = self._learner.left
        done = tuple(each for each in self._learner.spaces if each not in left)
        again = " It was not plain before; move it about a little." if last else ""
        self._bench.say(
            Advice(
                f"Put any miniature on {space}, alone on the board.{again}",
                len(done) / len(self._learner.spaces),
                (f"{len(left)} spaces are left",),
                _lights((space,), done),
                wish=PutPiece(space),
            )
        )


def _lights(lit: tuple[str, ...] | None, done: tuple[str, ...] | set[str]) -> tuple[Pixel, ...]:
    """The lights: the wanted spaces bright, those that are done dim green."""
    pixels = [DARK] * LED_COUNT
    for space in done:
        pixels[led_index(space)] = DONE
    for space in lit or ():
        pixels[led_index(space)] = LIT
    return tuple(pixels)


def _outcome(
    learnt: Learnt,
    no_diode: list[str],
    untried: list[str] | None,
    profile: TableProfile,
    count: int,
) -> Outcome:
    bad = bad_switches(learnt, no_diode)
    how = f"a miniature on {count - len(learnt.open)} spaces" + ("" if untried is None else ", diodes tried")
    reeds = reeds_profile(learnt, bad, profile.reeds, datetime.now(UTC), how)

    def keep(old: TableProfile) -> TableProfile:
        return old.model_copy(update={"reeds": reeds})

    words = learnt.pattern.in_words()
    good = count - len({each.space for each in bad}) - len(learnt.open)
    summary = f"{good} of {count} switches are good" + (
        f"; {'; '.join(words)}: that is kept, nothing needs to be soldered." if words else ", wired as drawn."
    )
    return Outcome(
        summary,
        judged(learnt, bad, count, untried),
        keep,
        reeds.model_dump(mode="json", exclude_none=True),
    )
