"""Learning the switches with a camera: it says where the miniature is, in whatever order people put it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from functools import partial

import numpy as np

from calibration.bench import Bench
from calibration.board_drawing import draw_spaces
from calibration.board_sight import BoardSight
from calibration.evidence import Evidence
from calibration.places import middle, named
from calibration.reeds.asking import EMPTY_LOOKS, NONE_CLOSES
from calibration.reeds.felt import FeltSwitches
from calibration.reeds.ghosts import Ghosts
from calibration.reeds.learner import Learner
from calibration.reeds.lights import asking_lights
from calibration.reeds.wand import NEAR_MM, STILL_MM, Piece, pieces_on
from calibration.reeds.wishes import ClearBoard, LayTokens, PutPiece
from calibration.step import Advice, StepError
from companion.games.above.box import Table
from companion.sensing.frames import Frame

# People take their time; after so long in which nothing has come of it, the step is given up.
PATIENCE_S = 180.0
# Where something looks closed that should not be, so many looks are taken.
ODD_LOOKS = 3


class Looking:
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
                self._bench.say(Advice(text, 0.0, lights=asking_lights((), ()), wish=ClearBoard()), frame)
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
                        asking_lights(lit, visited),
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
                asking_lights((wanted,), done),
                partial(draw_spaces, sight=self._sight, table=self._table, done=done, wanted=(wanted,)),
                wish=PutPiece(wanted),
            ),
            frame,
        )
