"""What is seen of a table of Above, for `companion look`: as lines for programs, and as a table for people."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table as RichTable

from companion.games.above.box import DEITY_NAMES, TOKENS
from companion.sensing.reading import Reading

# So sure a miniature whose marker cannot be read must be, by its colour and place, to be told.
SURE_BY_COLOUR = 0.9


def as_json(picture: str, reading: Reading) -> dict[str, Any]:
    """A reading in the form others build on: one object a picture, what is not seen left out.

    Tokens have their id from their marker: without one they are left out, too.
    """
    if reading.frame != "ok":
        return {"picture": picture, "frame": reading.frame}

    def place(spaces: tuple[tuple[str, float], ...], xyz: tuple[float, ...]) -> dict[str, Any]:
        space, p = spaces[0] if spaces else (None, 1.0)
        return {"space": space, "p": round(p, 3), "xyz_mm": [round(value, 1) for value in xyz]}

    return {
        "picture": picture,
        "frame": "ok",
        **({"findings": [f"{one.text} {one.todo}" for one in reading.findings]} if reading.findings else {}),
        "minis": {
            mini.deity: place(mini.spaces, mini.xyz_mm)
            for mini in reading.minis
            if mini.by_marker or sum(p for _, p in mini.spaces) >= SURE_BY_COLOUR
        },
        "tokens": [
            {"type": token.token, "id": token.marker, **place(token.spaces, token.xyz_mm)}
            for token in sorted(reading.tokens, key=lambda token: (TOKENS.index(token.token), token.marker))
            if token.by_marker
        ],
        "cards": [
            {
                "id": card.marker,
                "deity": card.deity,
                "set": card.card_set,
                "side": "powered" if card.powered else "spent",
                "xyz_mm": [round(value, 1) for value in card.xyz_mm],
            }
            for card in reading.cards
        ],
        "rings": [
            {
                "ring": ring.ring,
                "rotation_deg": round(ring.rotation_deg, 3),
                "shift_mm": [round(value, 3) for value in ring.shift_mm],
            }
            for ring in reading.rings
        ],
    }


def show(console: Console, picture: str, reading: Reading) -> None:
    """A table of the pieces that are seen in a picture that shows the table."""
    table = RichTable(title=picture, title_justify="left")
    for heading in ("piece", "space", "surely", "x, y, z in mm"):
        table.add_column(heading)
    pieces = [(DEITY_NAMES[m.deity], m.spaces, m.xyz_mm) for m in reading.minis]
    pieces += [(f"{t.token} {t.marker}", t.spaces, t.xyz_mm) for t in reading.tokens]
    for name, spaces, xyz in pieces:
        space, p = spaces[0] if spaces else ("beside the board", 1.0)
        table.add_row(name, space, f"{p:.0%}", ", ".join(f"{value:.1f}" for value in xyz))
    for card in reading.cards:
        side = "powered" if card.powered else "spent"
        where = ", ".join(f"{value:.1f}" for value in card.xyz_mm)
        table.add_row(f"card {DEITY_NAMES[card.deity]} {card.card_set}", side, "", where)
    console.print(table)
