"""Small decks and games for the tests: cards written as `+3 h2 blue red`, events applied one by one."""

from __future__ import annotations

from companion.games.olympeak.cards import Card, Deck, Kind, canonical, contenders_in_play
from companion.games.olympeak.events import Event, Play, Reveal
from companion.games.olympeak.position import GameState, Player, Setup, begin
from companion.games.olympeak.rules import apply

NAMES = ("Ada", "Ben", "Chloe", "Dan", "Eve", "Finn")


def card(name: str, text: str = "") -> Card:
    """`card("p001", "+3 h2 blue red *")`, `card("o01", "stop")`; `*` is a star."""
    words = text.split()
    star = "*" in words
    if name.startswith("o"):
        return Card(name, Kind(words[0]), star=star)
    signs = canonical(words)
    return Card(name, Kind.PROGRESS, int(words[0]), int(words[1][1:]), signs, star)


def table(players: int, cards: dict[str, str], *, rounds: int = 3, ranking: str = "dense") -> GameState:
    """A fresh game with exactly these cards; seat 0 is the oldest, the last seat the youngest."""
    seats = tuple(Player(NAMES[seat], players - 1 - seat) for seat in range(players))
    deck = Deck(tuple(card(name, text) for name, text in cards.items()))
    return begin(Setup(seats, contenders_in_play(players), rounds, deck, ranking))


def reveal(state: GameState, *cards: str) -> GameState:
    """The state after everybody showed a card, by seat."""
    return apply(state, Reveal(cards))


def play(state: GameState, to: str) -> GameState:
    """The seat to act lays its revealed card under `to`."""
    seat = state.seat
    assert seat is not None
    return apply(state, Play(seat, state.revealed[seat], to))


def after(state: GameState, *events: Event) -> GameState:
    """The state after these events."""
    for event in events:
        state = apply(state, event)
    return state


def grid(state: GameState) -> dict[str, dict[int, str]]:
    """The columns: contender → row → card."""
    columns: dict[str, dict[int, str]] = {contender: {} for contender in state.setup.racing}
    for placed in state.placed:
        columns[placed.contender][placed.row] = placed.card
    return columns
