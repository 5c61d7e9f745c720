"""Where each physical card can be, told only from what lay face up (O17)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.games.olympeak.cards import FEW_PLAYERS
from companion.games.olympeak.names import contender_name
from companion.games.olympeak.piles import Piles
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.refusal import Reason, Refusal
from companion.messages import say


def misplaced(state: GameState, seat: int, card: str) -> Refusal | None:
    """Why `seat` cannot hold `card` in hand, as far as open information tells; None when it may."""
    setup = state.setup
    name = setup.players[seat].name
    if card not in setup.deck:
        return Refusal(Reason.UNKNOWN_CARD, "O17", say("olympeak.no_card_of_box", card=card))
    shown = setup.deck[card]
    if shown.star and len(setup.players) <= FEW_PLAYERS:
        return Refusal(
            Reason.STARRED, "O1", say("olympeak.starred", card=shown.words, players=len(setup.players))
        )
    if lying := state.lying(card):
        return Refusal(
            Reason.ON_TABLE,
            "O17",
            say(
                "olympeak.lies_already",
                card=shown.words,
                name=name,
                contender=contender_name(lying.contender),
                row=lying.row,
            ),
        )
    if card in state.discarded:
        return Refusal(
            Reason.DISCARDED,
            "O6",
            say("olympeak.discarded", card=shown.words, name=name),
        )
    for other in setup.seats:
        if card in state.held[other] and other != seat:
            owner = setup.players[other].name
            return Refusal(
                Reason.OTHER_HAND,
                "O17",
                say("olympeak.taken_back_by", card=shown.words, name=name, owner=owner),
            )
        if card in state.loose[other] and other != seat:
            owner = setup.players[other].name
            return Refusal(
                Reason.OTHER_HAND,
                "O17",
                say("olympeak.taken_back_long_ago", card=shown.words, name=name, owner=owner),
            )
    if card not in state.held[seat] and state.hands[seat] <= len(state.held[seat]):
        return Refusal(Reason.OTHER_HAND, "O17", say("olympeak.hand_known", name=name, card=shown.words))
    return None


def may_hold(state: GameState, seat: int) -> tuple[str, ...]:
    """The cards that `seat` may have in hand as far as anybody at the table can tell, sorted."""
    before_others = {state.revealed[other] for other in state.waiting}
    return tuple(
        sorted(
            card.id
            for card in state.setup.deck
            if card.id not in before_others and misplaced(state, seat, card.id) is None
        )
    )


def with_piles(state: GameState, piles: Piles) -> GameState:
    """The state with other piles; a shuffle makes what lay on the discard pile unknown."""
    if piles.reshuffles == state.piles.reshuffles:
        return replace(state, piles=piles)
    nothing: tuple[frozenset[str], ...] = (frozenset(),) * len(state.hands)
    return replace(state, piles=piles, discarded=frozenset(), loose=nothing)


def draw(state: GameState, seat: int) -> GameState:
    """`seat` draws one card, if there is one (O6)."""
    if not state.piles.total:
        return state
    hands = tuple(count + (each == seat) for each, count in enumerate(state.hands))
    return with_piles(replace(state, hands=hands), state.piles.draw())


def take_back(state: GameState, seat: int) -> GameState:
    """`seat` takes its revealed card back to hand and draws one (O5, O7)."""
    hands = tuple(count + (each == seat) for each, count in enumerate(state.hands))
    held = tuple(
        cards | {state.revealed[seat]} if each == seat else cards for each, cards in enumerate(state.held)
    )
    return draw(replace(state, hands=hands, held=held), seat)


def leave_hand(state: GameState, seat: int, card: str) -> GameState:
    """`card` comes out of `seat`'s hand into the open."""
    hands = tuple(max(0, count - (each == seat)) for each, count in enumerate(state.hands))
    held, loose = (tuple(known - {card} for known in hand) for hand in (state.held, state.loose))
    return replace(state, hands=hands, held=held, loose=loose, discarded=state.discarded - {card})


def discard(state: GameState, cards: Iterable[str]) -> GameState:
    """`cards` go face up to the discard pile."""
    gone = frozenset(cards)
    return replace(state, piles=state.piles.discard(len(gone)), discarded=state.discarded | gone)


def exchange(state: GameState) -> GameState:
    """All players exchange cards, unseen (O11): what was surely in a hand may be on the discard pile."""
    loose = tuple(known | held for known, held in zip(state.loose, state.held, strict=True))
    nothing: tuple[frozenset[str], ...] = (frozenset(),) * len(state.hands)
    return with_piles(replace(state, held=nothing, loose=loose), state.piles.exchange(sum(state.hands)))


def is_waiting(state: GameState, card: str) -> int | None:
    """The seat before which `card` lies revealed and not yet played, if any."""
    if state.phase not in (Phase.PLAY, Phase.CHOICE):
        return None
    return next((seat for seat in state.waiting if state.revealed[seat] == card), None)
