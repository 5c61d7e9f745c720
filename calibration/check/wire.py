"""What the controller shows within a few seconds: link errors, switches that flicker, motors, the emergency stop."""

from __future__ import annotations

from collections import Counter

from calibration.gate import Finding, Judgement, held, not_fitted
from companion.messages import row, say
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
            return [
                Finding(
                    say("check.controller"),
                    say("check.silent"),
                    say("check.ready"),
                    Judgement.BAD,
                    status.reason,
                )
            ]
        found = [
            Finding(
                say("check.controller"),
                controller.identity.firmware,
                say("check.ready"),
                *_doubt(status.trouble),
            ),
            self._link(),
            *(
                [self._answers(answered_s)]
                if self._has(Capability.LEDS)
                else [not_fitted(say("check.lights"))]
            ),
            *([self._reeds()] if self._has(Capability.REEDS) else [not_fitted(say("check.switches"))]),
            *(self._axes() if self._has(Capability.AXES) else [not_fitted(say("check.cubes"))]),
        ]
        if controller.emergency:
            found.append(
                Finding(
                    say("check.emergency"),
                    say("check.pressed"),
                    say("check.released"),
                    Judgement.BAD,
                    say("check.release"),
                )
            )
        return found

    def _link(self) -> Finding:
        wrong = spoiled(self.controller.counters) - self._spoiled
        frames = max(1, self._traffic() - self._frames)
        return held(
            say("check.wire_errors"),
            say("check.out_of", n=wrong, all=frames),
            "0",
            good=wrong == 0,
            bearable=wrong <= SPOILED * frames,
            advice=say("check.other_cable"),
        )

    def _answers(self, answered_s: float | None) -> Finding:
        return held(
            say("check.lights_answer"),
            say("check.no_answer")
            if answered_s is None
            else say("check.ms", value=f"{1000 * answered_s:.0f}"),
            say("check.ms", value=f"{1000 * ANSWER_S:g}"),
            good=answered_s is not None and answered_s <= ANSWER_S,
            bearable=answered_s is not None and answered_s <= MOST_ANSWER_S,
            advice=say("check.busy"),
        )

    def _reeds(self) -> Finding:
        flickering = sorted(self._changes)
        count, names = len(flickering), row(reed_name(index) for index in flickering[:SHOWN])
        seen = say("check.so_many", n=count, names=names) if count else "0"
        if count > SHOWN:
            seen = say("check.so_many_more", n=count, names=names, more=count - SHOWN)
        return held(
            say("check.flickering"),
            seen,
            "0",
            good=not flickering,
            bearable=len(flickering) <= FLICKERING,
            advice=say("check.weak"),
        )

    def _axes(self) -> list[Finding]:
        troubles = [
            (axis_name(axis), axis_trouble(status))
            for axis, status in sorted(self.controller.axes.items())
            if axis_trouble(status)
        ]
        if not troubles:
            known = [axis for axis in self.controller.axes.values() if isinstance(axis, AxisStatus)]
            return [
                Finding(say("check.motors"), say("check.without_fault", n=len(known)), say("check.no_fault"))
            ]
        return [
            Finding(
                say("check.motor", name=name),
                say("check.fault"),
                say("check.no_fault"),
                Judgement.BAD,
                trouble,
            )
            for name, trouble in troubles
        ]


def _doubt(trouble: str) -> tuple[Judgement, str]:
    return (Judgement.DOUBTFUL, trouble) if trouble else (Judgement.GOOD, "")
