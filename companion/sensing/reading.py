"""The reading: what lies on the table, where, and how surely. Sight hands it to the referee."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class MiniSighting:
    """A miniature seen. `spaces`: (space, probability) pairs, likeliest first; empty when beside the board.

    What the probabilities lack to 1 is that it is not this miniature at all. `by_marker`: its marker was read; else
    it is known by its colour and where it stood, and there may be several such sightings of it.
    """

    deity: str
    marker: int
    spaces: tuple[tuple[str, float], ...]
    xyz_mm: Point
    corners_px: tuple[tuple[float, float], ...] = ()
    by_marker: bool = True

    @property
    def space(self) -> str | None:
        """The likeliest space, None beside the board."""
        return self.spaces[0][0] if self.spaces else None


@dataclass(frozen=True, slots=True)
class TokenSighting:
    """A token seen. `spaces` and `by_marker` as for a miniature; else `marker` is one that it may carry."""

    token: str
    marker: int
    spaces: tuple[tuple[str, float], ...]
    xyz_mm: Point
    corners_px: tuple[tuple[float, float], ...] = ()
    by_marker: bool = True

    @property
    def space(self) -> str | None:
        """The likeliest space, None beside the board."""
        return self.spaces[0][0] if self.spaces else None


@dataclass(frozen=True, slots=True)
class CardSighting:
    """A deity card seen, by the marker of the side that lies up."""

    deity: str
    card_set: int
    powered: bool
    marker: int
    xyz_mm: Point
    corners_px: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class RingPose:
    """How a ring's print lies against ring 1: counter-clockwise rotation (degrees) and shift (mm)."""

    ring: int
    rotation_deg: float
    shift_mm: tuple[float, float]
    sigma_deg: float
    sigma_mm: float


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about the table itself that its owner should know, and what to do about it.

    `key` names it: as long as it stays the same it is the same finding, to be told once.
    """

    key: str
    text: str
    todo: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at the table.

    `exposed_at`: seconds of the monotonic clock when the picture was taken. `frame`: "ok", or in words what is
    wrong with the picture (then nothing was read). `moving`: hands or pieces were in motion; what is read then
    is not evidence. `hidden`: spaces that could not be seen (a hand, the picture's edge), and card zones that a
    hand reaches into (`cards sw`, …): nothing seen there says nothing. `under_hand`: those of the hidden spaces that a
    hand covers, which may still be at work there. `findings`: what is wrong with the table itself, though it can be
    read. `blind`: there is no camera at all, and only the switches tell anything. `hands_beside`: hands move, but over
    nothing that the game is played with or on: what is seen is evidence, though nobody may be done yet.
    `partly_hidden`: spaces in view where a cap may cover a token that lies aside of the middle.
    """

    exposed_at: float
    frame: str = "ok"
    moving: bool = False
    minis: tuple[MiniSighting, ...] = ()
    tokens: tuple[TokenSighting, ...] = ()
    cards: tuple[CardSighting, ...] = ()
    hidden: frozenset[str] = frozenset()
    rings: tuple[RingPose, ...] = ()
    findings: tuple[Finding, ...] = ()
    blind: bool = False
    under_hand: frozenset[str] = frozenset()
    hands_beside: bool = False
    partly_hidden: frozenset[str] = frozenset()
