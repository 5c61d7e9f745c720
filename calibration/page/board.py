"""What the page shows: the latest view and picture; nobody gets a backlog."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from calibration.drawings import as_jpeg
from calibration.session import WORDS, Key, Phase, View
from companion.sensing.frames import Frame, Image

LED_SHOWN = 97


class NoticeBoard:
    """Holds the latest view; all methods but `jpeg` are called in the event loop's thread."""

    def __init__(
        self,
        press: Callable[[Key], bool],
        answer: Callable[[int, Mapping[str, str] | None], bool] = lambda number, values: False,
    ) -> None:
        self.press = press
        self.answer = answer
        self.version = 0
        self.closed = False
        self._view = View(Phase.INTRO)
        self._picture: tuple[int, Image, Callable[[Image], Image] | None] | None = None
        self._changed = asyncio.Event()

    def show(self, view: View, frame: Frame | None = None) -> None:
        """Put a view up, with the picture it was given on."""
        self._view = view
        if frame is not None:
            draw = None if view.advice is None else view.advice.draw
            self._picture = (frame.number, frame.image, draw)
        self._bump()

    def close(self) -> None:
        """End the streams of all pages."""
        self.closed = True
        self._bump()

    def _bump(self) -> None:
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def newer(self, than: int) -> None:
        """Wait for a version newer than the one given, or the end."""
        while self.version <= than and not self.closed:
            await self._changed.wait()

    def state(self) -> str:
        """The view as JSON for the page."""
        return json.dumps(view_json(self._view, None if self._picture is None else self._picture[0]))

    def jpeg(self) -> bytes | None:
        """The latest picture with what is drawn into it; None before the first. For a worker thread."""
        if self._picture is None:
            return None
        _, image, draw = self._picture
        return as_jpeg(image if draw is None else draw(image))


def view_json(view: View, picture: int | None) -> dict[str, Any]:
    """A view for the page."""
    advice = view.advice
    return {
        "phase": view.phase.value,
        "step": view.name,
        "title": view.title,
        "number": view.number,
        "count": view.count,
        "instructions": view.instructions,
        "advice": None
        if advice is None
        else {
            "text": advice.text,
            "share": advice.share,
            "lines": list(advice.lines),
            "form": None if advice.form is None else asdict(advice.form),
            "lights": None
            if advice.lights is None
            else [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in advice.lights[:LED_SHOWN]],
        },
        "summary": "" if view.outcome is None else view.outcome.summary,
        "findings": [finding.as_json() for finding in view.findings],
        "trouble": view.trouble,
        "ending": view.ending,
        "keys": [{"key": key.value, "words": WORDS[key]} for key in view.keys],
        "simulated": view.simulated,
        "course": [
            {"step": station.name, "title": station.title, "standing": station.standing.value}
            for station in view.course
        ],
        "whole": round(view.whole, 3),
        "picture": picture,
    }
