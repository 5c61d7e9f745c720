"""Agreement: how many looks at the table have come to the same, and for how long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable


class Agreement:
    """Follows what each look at a table at rest says, and what that comes to."""

    def __init__(self) -> None:
        # What it comes to, since when (seconds), and the looks in a row; and the looks in all, whatever lay between them.
        self._key: Hashable | None = None
        self._since = 0.0
        self._looks = 0
        self._in_all: Counter[Hashable] = Counter()
        # What the newest looks have said, and how many in a row, none of them unclear.
        self._says: Hashable | None = None
        self._alike = 0

    def look(self, says: Hashable | None) -> None:
        """One more look that said this; None for one that said nothing."""
        self._alike = 0 if says is None else self._alike + 1 if says == self._says else 1
        self._says = says

    def reset(self) -> None:
        """Hands were there, nothing could be seen, or a turn was written down: nothing from before counts any longer.

        Two turns at once do not rest on the same looks: two that misread one card alike must not make two turns of one.
        """
        self.look(None)
        self._key = None
        self._in_all.clear()

    def count(self, key: Hashable, now: float) -> tuple[int, float]:
        """How many looks in a row have come to `key`, and for how many seconds, this one at `now` included.

        Earlier looks that have said just the same count as well: what they come to takes some looks to work out.
        """
        if self._key != key:
            self._key, self._since, self._looks = key, now, 0
        self._looks = max(self._looks + 1, self._alike)
        return self._looks, now - self._since

    def count_in_all(self, key: Hashable) -> int:
        """Counts this look, once; gives how many since hands were there have come to `key`, whatever lay between them."""
        self._in_all[key] = max(self._in_all[key] + 1, self._alike)
        return self._in_all[key]
