"""Gap: how long the table has not been seen, and when the switches alone may be gone by."""

from __future__ import annotations

from companion.sensing.reading import Reading

# Without a camera a table counts as settled when no switch has changed for so long. A hand has left some 0.3 s after the
# piece that it set down, and what lies there is to be told a quarter of a second later.
SETTLED_S = 0.5
# A camera that was there comes back, as a rule: so long nobody is asked or accused by the switches alone.
BACK_WITHIN_S = 20.0
# After a gap of so long, what lies there may be more than one turn that nobody saw.
UNSEEN_S = 2.0


class Gap:
    """Follows when the table was seen last. Times in seconds."""

    def __init__(self) -> None:
        self._seen_at: float | None = None
        self._began: float | None = None
        # Since the last turn was completed in plain view.
        self.was_long = False
        # Has there ever been a camera that saw the table?
        self.has_camera = False
        # Have the switches been followed since before anything was played that no camera saw?
        self.is_followed = True

    def look(self, reading: Reading, now: float) -> None:
        """One reading, good or not."""
        if reading.blind or reading.frame != "ok":
            if self._began is None:
                self._began = now
            self.was_long = self.was_long or now - self._began >= UNSEEN_S
            if self._seen_at is not None:
                self.is_followed = self.is_followed and now - self._seen_at < UNSEEN_S
        else:
            self._seen_at = now
            self._began = None
            self.has_camera = True

    def followed(self) -> None:
        """Without a camera, the switches show just the position."""
        self._seen_at, self.is_followed = None, True

    def closed(self) -> None:
        """A turn was completed in plain view, or the table shows the position: nothing is uncertain any more."""
        if self._began is None:
            self.was_long = False

    def may_return(self, now: float) -> bool:
        """Was the camera there a moment ago, so that it is better waited for than guessed without?"""
        return self._seen_at is not None and now - self._seen_at < BACK_WITHIN_S
