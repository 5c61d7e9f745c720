"""The stage: what every simulated table has, whatever is played on it."""

from __future__ import annotations

import random
import threading

from companion.virtual.faults import Fault
from companion.virtual.optics import Optics
from companion.virtual.snapshot import HandPose


class Stage:
    """Camera, hands and what is out of order. All randomness comes from `rng`: equal seeds give equal tables.

    One lock guards it, so that players and camera may live in different threads.
    """

    def __init__(self, rng: random.Random, optics: Optics) -> None:
        self.rng = rng
        self.lock = threading.RLock()
        self._optics = optics
        self._hands: dict[str, HandPose] = {}
        self._faults: set[Fault] = set()

    @property
    def optics(self) -> Optics:
        """The camera's true lens and pose."""
        return self._optics

    @optics.setter
    def optics(self, optics: Optics) -> None:
        with self.lock:
            self._optics = optics

    @property
    def faults(self) -> frozenset[Fault]:
        """What is out of order at the moment."""
        return frozenset(self._faults)

    def set_fault(self, fault: Fault, active: bool = True) -> None:
        """Make something go wrong, or right again."""
        with self.lock:
            (self._faults.add if active else self._faults.discard)(fault)

    def show_hand(self, key: str, pose: HandPose | None) -> None:
        """Bring a hand into the picture or move it; None takes it out."""
        with self.lock:
            if pose is None:
                self._hands.pop(key, None)
            else:
                self._hands[key] = pose
