"""What is printed: every marker of both games with its size, its sticker's shape and its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from calibration.pucks import PUCK_DIAMETER_MM, PUCK_IDS, PUCK_MARKER_MM
from companion.errors import CompanionError
from companion.games.above import box as above
from companion.games.olympeak import box as olympeak

# Cells across a marker with its black border; the quiet zone is one cell.
CELLS = 7
CORNERS = ("north-west", "north-east", "south-east", "south-west")


class Shape(Enum):
    """How a sticker is cut."""

    SQUARE = "square"
    ROUND = "round"


class PrintsError(CompanionError, ValueError):
    """Something was asked for that is not printed. The message says what is."""


@dataclass(frozen=True, slots=True)
class Print:
    """One sticker: marker `id` with sides of `side_mm` on a white sticker `trim_mm` across, called `name`."""

    id: int
    side_mm: float
    trim_mm: float
    name: str
    shape: Shape = Shape.SQUARE


@dataclass(frozen=True, slots=True)
class Group:
    """Stickers that belong together: `key` as on the command line, `game` None for what both games need."""

    key: str
    title: str
    game: str | None
    prints: tuple[Print, ...]


def quiet(side_mm: float) -> float:
    """Width of a marker with a quiet zone of one cell around it."""
    return side_mm * (CELLS + 2) / CELLS


def _square(marker: int, side: float, name: str, widest: float | None = None) -> Print:
    trim = quiet(side) if widest is None else min(widest, quiet(side))
    return Print(marker, side, round(trim, 3), name)


def _above() -> Iterator[Group]:
    table = above.Table()
    yield Group(
        "minis",
        f"Miniatures: round caps of {table.mini_cap_mm:g} mm",
        "above",
        tuple(
            Print(marker, table.mini_marker_mm, table.mini_cap_mm, above.DEITY_NAMES[deity], Shape.ROUND)
            for deity, marker in above.MINI_IDS.items()
        ),
    )
    yield Group(
        "tokens",
        f"Tokens: round stickers of {table.token_diameter_mm - 1:g} mm",
        "above",
        tuple(
            Print(marker, table.token_marker_mm, table.token_diameter_mm - 1, f"{token} {n}", Shape.ROUND)
            for token, ids in above.TOKEN_IDS.items()
            for n, marker in enumerate(ids, start=1)
        ),
    )
    sides = sorted(above.CARD_IDS.items(), key=lambda item: item[1])
    yield Group(
        "cards",
        "Deity cards: one in the middle of each side",
        "above",
        tuple(
            _square(
                marker,
                table.card_marker_mm,
                f"{above.DEITY_NAMES[deity]} {card_set} {'powered' if powered else 'spent'}",
            )
            for (deity, card_set, powered), marker in sides
        ),
    )


def _olympeak() -> Iterator[Group]:
    table = olympeak.Table()
    yield Group(
        "contenders",
        "Contender cards, player cards and tiles",
        "olympeak",
        (
            *(
                _square(marker, table.card_marker_mm, f"contender {contender}")
                for contender, marker in olympeak.CONTENDER_IDS.items()
            ),
            *(
                _square(marker, table.card_marker_mm, f"player {n}")
                for n, marker in enumerate(olympeak.PLAYER_CARD_IDS, start=1)
            ),
            *(
                _square(marker, table.tile_marker_mm, f"tile {contender} {n}")
                for contender, ids in olympeak.TILE_IDS.items()
                for n, marker in enumerate(ids, start=1)
            ),
        ),
    )
    yield Group(
        "scoreboard",
        "Scoreboard: corners, cubes and the round marker",
        "olympeak",
        (
            *(
                _square(marker, table.scoreboard_marker_mm, f"board {corner}")
                for (marker, _, _), corner in zip(table.scoreboard_corners_mm, CORNERS, strict=True)
            ),
            *(
                _square(marker, table.cube_marker_mm, f"cube {contender}", table.cube_mm)
                for contender, marker in olympeak.CUBE_IDS.items()
            ),
            Print(
                olympeak.ROUND_MARKER_ID,
                table.round_marker_mm,
                table.round_marker_diameter_mm,
                "round",
                Shape.ROUND,
            ),
        ),
    )
    inset = f"{table.card_marker_inset_mm:g}"
    yield Group(
        "deck",
        f"Progress and order cards: centre {inset} mm from the top and {inset} mm from the left edge",
        "olympeak",
        tuple(_square(marker, table.card_marker_mm, card) for card, marker in olympeak.CARD_IDS.items()),
    )


def _shared() -> Iterator[Group]:
    table = above.Table()
    x, y = (abs(value) for value in table.frame_centres_mm[0][1:])
    yield Group(
        "frame",
        f"Table frame: centres {x:g} mm left and right, {y:g} mm up and down from the table's middle",
        None,
        tuple(
            _square(marker, table.frame_marker_mm, f"frame {corner}")
            for (marker, _, _), corner in zip(table.frame_centres_mm, CORNERS, strict=True)
        ),
    )
    yield Group(
        "spares",
        "Spare frame markers",
        None,
        tuple(
            _square(marker, table.frame_marker_mm, f"spare {n}")
            for n, marker in enumerate(above.SPARE_FRAME_IDS, start=1)
        ),
    )
    yield Group(
        "pucks",
        f"Calibration pucks: on discs of {PUCK_DIAMETER_MM:g} mm",
        None,
        tuple(
            Print(marker, PUCK_MARKER_MM, PUCK_DIAMETER_MM, f"puck {n}", Shape.ROUND)
            for n, marker in enumerate(PUCK_IDS, start=1)
        ),
    )


def all_groups() -> tuple[Group, ...]:
    """Everything that is printed, in the order of the sheets."""
    return (*_shared(), *_above(), *_olympeak())


def groups_for(game: str, only: Iterable[str] = ()) -> tuple[Group, ...]:
    """The groups one game needs (`above`, `olympeak` or `all`), or `only` those named. Raises PrintsError."""
    if game not in ("above", "olympeak", "all"):
        raise PrintsError(f"there is no game {game!r}; write above, olympeak or all.")
    groups = all_groups()
    wanted = tuple(only)
    known = [group.key for group in groups]
    for key in wanted:
        if key not in known:
            raise PrintsError(f"there are no stickers called {key!r}; there are {', '.join(known)}, charuco.")
    if wanted:
        return tuple(group for group in groups if group.key in wanted)
    return tuple(group for group in groups if game == "all" or group.game in (None, game))
