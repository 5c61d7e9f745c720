"""The session as lines: for a pipe, a log, or a program that reads JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from calibration.session import Phase, View
from calibration.step import Outcome


class LinesFront:
    """Writes a line when something new is to be said; advice only when its words change."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._said = ""
        self._phase: tuple[str, Phase] | None = None

    def show(self, view: View) -> None:
        """Say what is new in a view."""
        begun = (view.name, view.phase) != self._phase
        self._phase = (view.name, view.phase)
        if begun and view.phase is Phase.INTRO:
            simulated = "[simulated] " if view.simulated else ""
            self._say(f"{simulated}{view.number} of {view.count}: {view.title}. {view.instructions}")
        if view.phase is Phase.MEASURING and view.advice is not None:
            self._say(view.advice.text)
        if begun and view.phase is Phase.JUDGED and view.outcome is not None:
            self._say(view.outcome.summary)
            for finding in view.findings:
                advice = f": {finding.advice}" if finding.advice else ""
                self._say(
                    f"  {finding.what}: {finding.seen} ({finding.limit}) {finding.judgement.value}{advice}"
                )
        if view.trouble:
            self._say(view.trouble)
        if begun and view.phase is Phase.ENDED:
            self._say(view.ending)

    def _say(self, text: str) -> None:
        if text and text != self._said:
            self._said = text
            self._write(text)


class JsonFront:
    """Writes one JSON object a line for every step that was judged or failed, and one for the end."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write

    def show(self, view: View) -> None:
        """Write what a step came to."""
        if view.phase is Phase.JUDGED or (view.phase is Phase.INTRO and view.trouble):
            self._write(json.dumps(judged(view.name, view.outcome, view.trouble), ensure_ascii=False))
        if view.phase is Phase.ENDED:
            steps = {station.name: station.standing.value for station in view.course}
            said = {"ended": True, "kept": list(view.kept), "steps": steps, "said": view.ending}
            self._write(json.dumps(said, ensure_ascii=False))


def judged(name: str, outcome: Outcome | None, trouble: str = "") -> dict[str, Any]:
    """What a step came to, for programs."""
    if outcome is None:
        return {"step": name, "good": False, "trouble": trouble}
    return {
        "step": name,
        "good": outcome.passed,
        "summary": outcome.summary,
        "findings": [finding.as_json() for finding in outcome.findings],
        "data": dict(outcome.data),
    }
