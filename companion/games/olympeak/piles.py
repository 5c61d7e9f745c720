"""The draw pile and the discard pile as counts (O6): what is known about them without seeing a hand."""

from __future__ import annotations

from dataclasses import dataclass

# More cards than any game can draw: stands for a box of unknown size.
_ENDLESS = 1000


@dataclass(frozen=True, slots=True)
class Piles:
    """Cards in the two piles.

    `total`: cards in both together, always known exactly. `sizes`: bit d is set while the draw pile may hold
    d cards; how many cards people exchange between rounds is not seen (O11), so there may be several. A draw
    pile that has just run out may be made anew at once (rulebook) or at the next draw (O6): both are kept
    open. `reshuffles`: how often the discard pile may have been shuffled in; as long as it stands still, a
    discarded card cannot come back.
    """

    total: int
    sizes: int
    reshuffles: int = 0

    @classmethod
    def of(cls, cards: int) -> Piles:
        """A fresh draw pile of `cards` cards."""
        return cls(cards, 1 << cards)

    @classmethod
    def unknown(cls) -> Piles:
        """Piles of which nothing is known: there is always a card to draw, and it may be any."""
        return cls(_ENDLESS, (1 << (_ENDLESS + 1)) - 1)

    @property
    def draw_range(self) -> tuple[int, int]:
        """Fewest and most cards the draw pile can hold."""
        return (self.sizes & -self.sizes).bit_length() - 1, self.sizes.bit_length() - 1

    def draw(self) -> Piles:
        """One card drawn, the discard pile shuffled in if need be; unchanged when both piles are empty."""
        if not self.total:
            return self
        total, sizes, reshuffled = self.total - 1, self.sizes >> 1, bool(self.sizes & 1)
        if reshuffled:
            sizes |= 1 << total
        if sizes & 1 and total:
            sizes |= 1 << total
            reshuffled = True
        return Piles(total, sizes, self.reshuffles + reshuffled)

    def discard(self, cards: int) -> Piles:
        """`cards` cards laid on the discard pile."""
        return Piles(self.total + cards, self.sizes, self.reshuffles)

    def exchange(self, hands: int) -> Piles:
        """Players who hold `hands` cards together discard any number and draw as many (O11), unseen."""
        if self.draw_range[0] <= hands and self.total + hands:
            return Piles(self.total, (1 << (self.total + 1)) - 1, self.reshuffles + 1)
        sizes = 0
        for exchanged in range(hands + 1):
            sizes |= self.sizes >> exchanged
        return Piles(self.total, sizes, self.reshuffles)
