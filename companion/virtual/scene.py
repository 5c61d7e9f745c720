"""The simulated table as a body of things: pieces, crept rings, hands and the camera, in millimetres.

The scene knows no rules. Players move its pieces; the picture draws its snapshots; the reeds feel its magnets.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.errors import CompanionError
from companion.games.above.box import Board, Table
from companion.virtual.faults import Fault
from companion.virtual.jostle import pushed_apart
from companion.virtual.optics import Optics, mount
from companion.virtual.piece import Piece, Pose, box_of_pieces
from companion.virtual.snapshot import HandPose, Ring, Snapshot
from companion.virtual.stage import Stage

__all__ = ["HandPose", "Ring", "Scene", "SceneError", "Snapshot"]

MAX_OFF_CENTRE_MM = 4.0
# Towards the summit the next ring's step stops a base of ⌀ 18 earlier than 4 mm.
MAX_INWARD_MM = 3.4
# The ring that slips and by how many degrees; how far the whole board is turned and pushed (degrees, mm).
SLIPPED = (3, 5.0)
PUSHED = (3.0, (7.0, -5.0))
# A magnet higher than this above its ring no longer closes a reed.
REED_REACH_MM = 12.0
# A piece that leans more than this has fallen over.
FALLEN_DEG = 30.0
# Nearly all pieces lie where they lay when it was last asked.
_MOST_ANSWERS = 1000


class SceneError(CompanionError, ValueError):
    """Something was asked of the simulated table that no table can do; the message names it."""


class Scene(Stage):
    """The table of Above."""

    def __init__(self, rng: random.Random, table: Table | None = None, optics: Optics | None = None) -> None:
        self.table = table or Table()
        super().__init__(rng, optics or mount(rng, self.table))
        self._rings = (Ring(), *(self._random_ring() for _ in range(self.board.rings)))
        self._pieces = box_of_pieces()
        self._bad_reed = "c4"
        self._broken_reeds: dict[str, Fault] = {}
        self._reed_looks = 0
        # What each magnet was last found to close, and all of them: people move one thing at a time, if any.
        self._felt: dict[str, tuple[Piece, tuple[Ring, ...], str | None]] = {}
        self._lay: tuple[tuple[Piece, ...], tuple[Ring, ...]] = ((), ())
        self._closed: frozenset[str] = frozenset()
        # Where the rings lay when it was last asked which space is where, and the answers.
        self._answers: tuple[tuple[Ring, ...], dict[tuple[float, float], str | None]] = ((), {})

    @property
    def board(self) -> Board:
        """The board's measures."""
        return self.table.board

    @property
    def rings(self) -> tuple[Ring, ...]:
        """How the rings really lie: ring 1 first, the summit disc last; fewer while the board is put together."""
        return self._rings

    def build(self, rings: Iterable[Ring]) -> None:
        """Put the board together anew, of these rings from ring 1 on; those that are left out lie elsewhere."""
        built = tuple(rings)
        if len(built) > self.board.rings + 1:
            raise SceneError(
                f"A board has {self.board.rings} rings and the summit, not {len(built)} of them."
            )
        with self.lock:
            self._rings = built

    def _random_ring(self) -> Ring:
        shift, towards = 3.0 * math.sqrt(self.rng.random()), self.rng.uniform(0, math.tau)
        return Ring(self.rng.uniform(-4, 4), (shift * math.cos(towards), shift * math.sin(towards)))

    def snapshot(self) -> Snapshot:
        """The scene as of now, for drawing."""
        with self.lock:
            return Snapshot(
                dict(self._pieces),
                self._rings,
                tuple(self._hands.values()),
                self._optics,
                frozenset(self._faults),
            )

    # ---- pieces

    def piece(self, name: str) -> Piece:
        """The piece of that name (`mini ze`, `token 18`, `card ze 1`); SceneError when there is none."""
        try:
            return self._pieces[name]
        except KeyError:
            raise SceneError(f"There is no piece {name!r} in the box; names are like 'mini ze'.") from None

    def pieces(self, kind: str | None = None) -> list[Piece]:
        """All pieces, or those of one kind (`mini`, `token`, `card`)."""
        with self.lock:
            return [piece for piece in self._pieces.values() if kind is None or piece.kind == kind]

    def put(self, name: str, pose: Pose, *, held: bool = False, powered: bool | None = None) -> Piece:
        """Lay a piece exactly so; `powered` turns a card."""
        with self.lock:
            piece = self.piece(name)
            side = piece.powered if powered is None else powered
            self._pieces[name] = replace(piece, pose=pose, held=held, powered=side)
            return self._pieces[name]

    def move(self, name: str, x: float, y: float, yaw: float | None = None) -> Piece:
        """Slide a piece to (x, y) in mm; it comes to rest on whatever is there: table or ring."""
        with self.lock:
            pose = self.piece(name).pose
            turned = pose.yaw if yaw is None else yaw
            return self.put(name, replace(pose, x=x, y=y, z=self.surface_z(x, y), yaw=turned))

    # ---- where things are

    def printed_centre(self, space: str) -> tuple[float, float, float]:
        """Where the printed centre of a space really lies, with its ring turned and shifted."""
        x, y, z = self.board.space_centre(space)
        ring = self.board.rings + 1 if space == "top" else int(space[1:])
        return (*self._rings[ring - 1].to_world(x, y), z)

    def ring_at(self, x: float, y: float) -> int:
        """The ring whose surface lies open at (x, y): 0 is the table, one past the last ring the summit."""
        for ring in range(len(self._rings), 0, -1):
            px, py = self._rings[ring - 1].to_print(x, y)
            summit = ring > self.board.rings
            radius = self.board.summit_radius_mm if summit else self.board.ring_radii(ring)[1]
            if math.hypot(px, py) <= radius:
                return ring
        return 0

    def surface_z(self, x: float, y: float) -> float:
        """Height in mm of the table or the board at (x, y)."""
        ring = self.ring_at(x, y)
        return self.board.ring_z(ring) if ring else 0.0

    def space_at(self, x: float, y: float) -> str | None:
        """The space printed at (x, y), `top` for the summit, None beside the board."""
        (rings, known), now = self._answers, self._rings
        if rings is not now or len(known) > _MOST_ANSWERS:
            known = {}
            self._answers = (now, known)
        if (x, y) not in known:
            known[x, y] = self._printed_at(x, y)
        return known[x, y]

    def _printed_at(self, x: float, y: float) -> str | None:
        ring = self.ring_at(x, y)
        if ring == 0:
            return None
        if ring > self.board.rings:
            return "top"
        px, py = self._rings[ring - 1].to_print(x, y)
        turn = (90.0 - math.degrees(math.atan2(py, px))) / (360.0 / self.board.columns)
        return f"{chr(ord('a') + round(turn) % self.board.columns)}{ring}"

    def holding(self) -> dict[str, tuple[str, ...]]:
        """The physical truth: space → names of the pieces that stand on it, in nobody's hand."""
        found: dict[str, tuple[str, ...]] = {}
        with self.lock:
            for piece in self._pieces.values():
                out = piece.held or piece.kind == "card" or piece.pose.tilt > FALLEN_DEG
                space = None if out else self.space_at(piece.pose.x, piece.pose.y)
                if space is not None:
                    found[space] = (*found.get(space, ()), piece.name)
        return found

    def closed_reeds(self) -> frozenset[str]:
        """Spaces whose reed switch is closed: a magnet stands on it or is slid low over it."""
        with self.lock:
            lies = tuple(self._pieces.values()), self._rings
            if lies != self._lay:
                spaces = (self._closed_by(piece) for piece in lies[0] if piece.magnetic)
                self._lay, self._closed = lies, frozenset(space for space in spaces if space is not None)
            closed = set(self._closed)
            self._reed_looks += 1
            if Fault.REED_STUCK in self._faults:
                closed.add(self._bad_reed)
            if Fault.REED_WEAK in self._faults and self._reed_looks % 2:
                closed.discard(self._bad_reed)
            for space, fault in self._broken_reeds.items():
                if fault is Fault.REED_STUCK:
                    closed.add(space)
                elif fault is Fault.REED_OPEN or self._reed_looks % 2:
                    closed.discard(space)
            if Fault.REED_DEAD in self._faults:
                closed.clear()
        return frozenset(closed)

    @property
    def broken_reeds(self) -> frozenset[str]:
        """The spaces whose switch is broken for good."""
        return frozenset(self._broken_reeds)

    def _closed_by(self, piece: Piece) -> str | None:
        """The space whose reed a piece's magnet closes."""
        felt = self._felt.get(piece.name)
        if felt is not None and felt[0] is piece and felt[1] is self._rings:
            return felt[2]
        x, y, z = piece.pose.x, piece.pose.y, piece.pose.z
        space = self.space_at(x, y) if piece.pose.tilt <= FALLEN_DEG else None
        if space is not None and z - self.surface_z(x, y) > REED_REACH_MM:
            space = None
        self._felt[piece.name] = (piece, self._rings, space)
        return space

    def break_reed(self, space: str, fault: Fault) -> None:
        """The reed of `space` is REED_OPEN, REED_STUCK or REED_WEAK from now on, beside all others that are."""
        with self.lock:
            self._broken_reeds[space] = fault

    def blame_reed(self, space: str) -> None:
        """The reed of `space` is the one that REED_STUCK and REED_WEAK act on (`c4` if none is named)."""
        with self.lock:
            self._bad_reed = space

    # ---- hands

    @property
    def hands(self) -> dict[str, HandPose]:
        """The hands over the table."""
        with self.lock:
            return dict(self._hands)

    # ---- coming to rest

    def stand(self, name: str, space: str, *, aside_mm: float = 0.0) -> Piece:
        """Put a miniature or token down on a space as people do: off centre, turned at random, leaning.

        Neighbours it would touch are pushed apart. `aside_mm` puts it beside what already stands there.
        """
        with self.lock:
            piece = self.piece(name)
            x, y, z = self.printed_centre(space)
            # Along the ring, so that two pieces in one space stand side by side.
            along = math.atan2(y, x) + math.pi / 2
            x, y = x + aside_mm * math.cos(along), y + aside_mm * math.sin(along)
            off, towards = self.rng.uniform(0, MAX_OFF_CENTRE_MM * 0.8), self.rng.uniform(0, math.tau)
            leaning = piece.kind == "mini" and self.rng.random() < 0.3
            pose = Pose(
                x + off * math.cos(towards) * (0.4 if aside_mm else 1.0),
                y + off * math.sin(towards) * (0.4 if aside_mm else 1.0),
                z,
                self.rng.uniform(-180, 180),
                self.rng.uniform(0.5, 4.0) if leaning else self.rng.uniform(0, 0.3),
                self.rng.uniform(-180, 180),
            )
            self.put(name, pose)
            self.spread(name, keep_off_centre=bool(aside_mm))
            return self._pieces[name]

    def spread(self, name: str, *, keep_off_centre: bool = False) -> None:
        """Push apart what stands too close around a piece, each staying within its space."""
        with self.lock:
            here = self.piece(name).pose
            near = [
                other
                for other in self._pieces.values()
                if other.kind != "card" and not other.held and _apart(other.pose, here) < 46
            ]
            homes = {other.name: self.space_at(other.pose.x, other.pose.y) for other in near}
            if keep_off_centre:
                homes[name] = None

            def hold(which: str, x: float, y: float) -> tuple[float, float]:
                home = homes[which]
                return (x, y) if home is None else self._within(home, x, y)

            for piece in pushed_apart(near, self.table, hold):
                self._pieces[piece.name] = piece

    def _within(self, space: str, x: float, y: float) -> tuple[float, float]:
        """The nearest point to (x, y) at which people would say the piece stands on `space`."""
        cx, cy, _ = self.printed_centre(space)
        dx, dy = x - cx, y - cy
        off = math.hypot(dx, dy)
        if off > MAX_OFF_CENTRE_MM:
            dx, dy = dx * MAX_OFF_CENTRE_MM / off, dy * MAX_OFF_CENTRE_MM / off
        radius = math.hypot(cx, cy)
        if space != "top" and radius > 1:
            inward = -(dx * cx + dy * cy) / radius
            if inward > MAX_INWARD_MM:
                dx += (inward - MAX_INWARD_MM) * cx / radius
                dy += (inward - MAX_INWARD_MM) * cy / radius
        return (cx + dx, cy + dy)

    def nudge(self, name: str, by_mm: float) -> None:
        """Knock against a piece: a random push that leaves it within its space."""
        with self.lock:
            piece = self.piece(name)
            space = self.space_at(piece.pose.x, piece.pose.y)
            towards = self.rng.uniform(0, math.tau)
            x, y = piece.pose.x + by_mm * math.cos(towards), piece.pose.y + by_mm * math.sin(towards)
            if space is not None:
                x, y = self._within(space, x, y)
            turned = piece.pose.yaw + self.rng.uniform(-25, 25)
            self.put(name, replace(piece.pose, x=x, y=y, yaw=turned))
            self.spread(name)

    def creep(self) -> None:
        """A ring slips a little on its sticky pads, with everything that stands on it."""
        with self.lock:
            ring = self.rng.randrange(2, self.board.rings + 1)
            old, first = self._rings[ring - 1], self._rings[0]
            # Against ring 1, wherever the board lies.
            turned = old.rotation_deg - first.rotation_deg + self.rng.uniform(-0.4, 0.4)
            x, y = (s + self.rng.uniform(-0.3, 0.3) for s in first.to_print(*old.shift_mm))
            stretch = min(1.0, 3.0 / max(math.hypot(x, y), 1e-9))
            shift = first.to_world(x * stretch, y * stretch)
            for name in self._lay_rings(
                {ring: Ring(first.rotation_deg + max(-4.0, min(4.0, turned)), shift)}
            ):
                self.spread(name)

    def slip(self, ring: int, turn_deg: float, shift_mm: tuple[float, float] = (0.0, 0.0)) -> None:
        """A ring (past the last one: the summit) is turned at one go, with everything that stands on it."""
        with self.lock:
            old = self._rings[ring - 1]
            x, y = old.shift_mm
            new = Ring(old.rotation_deg + turn_deg, (x + shift_mm[0], y + shift_mm[1]))
            self._lay_rings({ring: new})

    def push_board(self, turn_deg: float, shift_mm: tuple[float, float]) -> None:
        """The whole board is turned about the table's middle and then shifted, with everything on it."""
        with self.lock:
            motion = Ring(turn_deg, shift_mm)
            self._lay_rings(
                {
                    ring: Ring(old.rotation_deg + turn_deg, motion.to_world(*old.shift_mm))
                    for ring, old in enumerate(self._rings, 1)
                }
            )

    def _lay_rings(self, rings: Mapping[int, Ring]) -> list[str]:
        """Rings come to lie otherwise; what stands on them rides along. Returns its names."""
        holding = self.holding()
        before = self._rings
        self._rings = tuple(rings.get(ring, old) for ring, old in enumerate(before, 1))
        riding: list[str] = []
        for space, names in holding.items():
            ring = self.board.rings + 1 if space == "top" else int(space[1:])
            if ring not in rings:
                continue
            turned = rings[ring].rotation_deg - before[ring - 1].rotation_deg
            for name in names:
                pose = self._pieces[name].pose
                x, y = rings[ring].to_world(*before[ring - 1].to_print(pose.x, pose.y))
                self.put(name, replace(pose, x=x, y=y, yaw=pose.yaw + turned, lean=pose.lean + turned))
                riding.append(name)
        return riding

    def set_fault(self, fault: Fault, active: bool = True) -> None:
        """Make something go wrong, or right again: a ring or a board that was pushed is pushed back."""
        with self.lock:
            changes = active != (fault in self._faults)
            super().set_fault(fault, active)
            if not changes:
                return
            if fault is Fault.RING_SLIPS:
                ring, turn = SLIPPED
                self.slip(ring, turn if active else -turn)
            elif fault is Fault.BOARD_TURNED:
                turn, shift = PUSHED
                if active:
                    self.push_board(turn, shift)
                else:
                    self.push_board(-turn, _undone(turn, shift))

    # ---- beside the board

    def reserve_spot(self, avoid: Iterable[str] = ()) -> tuple[float, float]:
        """A free place for a token beside the board: in view, off the cards, the pile and other tokens."""
        out = set(avoid)
        with self.lock:
            taken = [
                p.pose for p in self._pieces.values() if p.kind != "card" and not p.held and p.name not in out
            ]
            width, height = self._optics.size
            wide = height / 1296 * 14
            for attempt in range(4000):
                x, y = self.rng.uniform(-195, 195), self.rng.uniform(-204, 204)
                gap = 17.6 if attempt < 3000 else 16.6
                if math.hypot(x, y) < 203 or any(math.hypot(x - p.x, y - p.y) < gap for p in taken):
                    continue
                px, py = self.table.pile_centre_mm
                if abs(x - px) < 37 and abs(y - py) < 49:
                    continue
                (u, v) = self._optics.project([(x, y, 2.0)])[0]
                margin = self._optics.scale_at(2.0) * 8 + wide
                if margin < u < width - margin and margin < v < height - margin:
                    return (x, y)
        raise SceneError("No room is left beside the board for another token; take something off the table.")

    def card_pose(self, centre: tuple[float, float], level: int = 0) -> Pose:
        """A card as people lay it: up to 4 mm and 6° off, at times upside down. `level`: cards below it."""
        off, towards = self.rng.uniform(0, MAX_OFF_CENTRE_MM), self.rng.uniform(0, math.tau)
        yaw = self.rng.uniform(-6, 6) + (180 if self.rng.random() < 0.25 else 0)
        x, y = centre[0] + off * math.cos(towards), centre[1] + off * math.sin(towards)
        return Pose(x, y, 0.35 * level, yaw)


def _undone(turn_deg: float, shift_mm: tuple[float, float]) -> tuple[float, float]:
    """The shift that, after turning back, undoes a turn and a shift."""
    x, y = Ring(-turn_deg).to_world(*shift_mm)
    return (-x, -y)


def _apart(a: Pose, b: Pose) -> float:
    return math.hypot(a.x - b.x, a.y - b.y)
