"""What the controller shows within a few seconds: link errors, switches that flicker, motors, the emergency stop."""

from __future__ import annotations

from collections import Counter

from calibration.gate import Finding, Judgement, held, not_fitted
from firmware_bridge.controller import Controller, ReedEvent
from firmware_bridge.events import Counters
from firmware_bridge.names import axis_name, axis_trouble, reed_name
from firmware_bridge.protocol import AxisStatus, Capability

# A picture of the lights is acknowledged within this; on the real wire it takes 18 ms.
ANSWER_S, MOST_ANSWER_S = 0.1, 0.5
# Of the frames on the wire so many may be spoiled.
SPOILED = 0.01
# So many switches may flicker: they are told apart and ignored while playing.
FLICKERING = 3
SHOWN = 6


def spoiled(counters: Counters) -> int:
    """How many frames went wrong, at either end."""
    return (
        counters.damaged_frames
        + counters.repeated_frames
        + counters.gaps
        + counters.malformed
        + counters.peer_damaged_frames
        + counters.peer_repeated_frames
        + counters.peer_overruns
    )


class WireWatch:
    """Watches a controller from now until `findings`. Its callback runs in the link's thread."""

    def __init__(self, controller: Controller) -> None:
        self.controller = controller
        self._changes: Counter[int] = Counter()
        self._leave = self.controller.on_reeds(self._changed)
        self._spoiled = spoiled(self.controller.counters)
        self._frames = self._traffic()

    def _traffic(self) -> int:
        counters = self.controller.counters
        return counters.sent_frames + counters.received_frames

    def _changed(self, events: tuple[ReedEvent, ...], closed: frozenset[int]) -> None:
        # The first snapshot tells how they are, not that they changed.
        self._changes.update(event.index for event in events if not event.missed)

    def ask(self) -> None:
        """Ask for what is not told by itself."""
        if self.controller.ready and self._has(Capability.AXES):
            self.controller.query_axis()

    def _has(self, part: Capability) -> bool:
        hello = self.controller.identity
        return hello is not None and part in hello.capabilities

    def findings(self, answered_s: float | None) -> list[Finding]:
        """What was found; `answered_s`: how long the lights took to answer, None: they did not."""
        self._leave()
        controller = self.controller
        status = controller.status
        if not controller.ready or controller.identity is None:
            return [Finding("controller", "does not answer", "ready", Judgement.BAD, status.reason)]
        found = [
            Finding("controller", controller.identity.firmware, "ready", *_doubt(status.trouble)),
            self._link(),
            *([self._answers(answered_s)] if self._has(Capability.LEDS) else [not_fitted("lights")]),
            *([self._reeds()] if self._has(Capability.REEDS) else [not_fitted("switches under the board")]),
            *(self._axes() if self._has(Capability.AXES) else [not_fitted("moving cubes")]),
        ]
        if controller.emergency:
            found.append(
                Finding(
                    "emergency stop",
                    "pressed",
                    "released",
                    Judgement.BAD,
                    "release the button, then on the page",
                )
            )
        return found

    def _link(self) -> Finding:
        wrong = spoiled(self.controller.counters) - self._spoiled
        frames = max(1, self._traffic() - self._frames)
        return held(
            "errors on the wire",
            f"{wrong} of {frames}",
            "0",
            good=wrong == 0,
            bearable=wrong <= SPOILED * frames,
            advice="another USB cable, shorter and away from the motors' wires; nothing is lost, but it grows slow",
        )

    def _answers(self, answered_s: float | None) -> Finding:
        return held(
            "lights answer within",
            "no answer" if answered_s is None else f"{1000 * answered_s:.0f} ms",
            f"{1000 * ANSWER_S:g} ms",
            good=answered_s is not None and answered_s <= ANSWER_S,
            bearable=answered_s is not None and answered_s <= MOST_ANSWER_S,
            advice="end what else keeps this computer or the board busy",
        )

    def _reeds(self) -> Finding:
        flickering = sorted(self._changes)
        names = ", ".join(reed_name(index) for index in flickering[:SHOWN])
        more = f" and {len(flickering) - SHOWN} more" if len(flickering) > SHOWN else ""
        return held(
            "switches that change while nothing moves",
            f"{len(flickering)}{f' ({names}{more})' if flickering else ''}",
            "0",
            good=not flickering,
            bearable=len(flickering) <= FLICKERING,
            advice="a weak magnet or a loose wire; measure the switches: calibrate reeds",
        )

    def _axes(self) -> list[Finding]:
        troubles = [
            (axis_name(axis), axis_trouble(status))
            for axis, status in sorted(self.controller.axes.items())
            if axis_trouble(status)
        ]
        if not troubles:
            known = [axis for axis in self.controller.axes.values() if isinstance(axis, AxisStatus)]
            return [Finding("motors", f"{len(known)} without a fault", "no fault")]
        return [
            Finding(f"motor of {name}", "fault", "no fault", Judgement.BAD, trouble)
            for name, trouble in troubles
        ]


def _doubt(trouble: str) -> tuple[Judgement, str]:
    return (Judgement.DOUBTFUL, trouble) if trouble else (Judgement.GOOD, "")
