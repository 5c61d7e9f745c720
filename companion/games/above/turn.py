"""The course of a turn on plain tuples: which actions are legal and what each leads to.

This is the quick inside of the rules; `rules` and `position` are the door. A state is one tuple, laid out as
`State` says, so that a step costs a handful of integer operations. Sets of spaces are integers (`board`),
hands of cards too (`tables`). Everything that is no decision happens here by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.games.above.action import DEITY_INDEX, Action
from companion.games.above.box import TOKENS_PER_TYPE
from companion.games.above.tables import (
    DEITIES_BY_NAME,
    HAND,
    HAND_BITS,
    ONE_OF_EACH,
    TOKENS_BY_NAME,
    TWO_OF_EACH,
    Actions,
    Tables,
    activate_list,
    disgrace_list,
    exhaust_list,
    recover_list,
)

ZE, HE, AR, AT, HA, DE, PO, AP = range(8)
THUNDER, FERTILITY, GATE, BARRIER = range(4)

# Stages of a turn. A pending recovery comes before whatever the stage asks for.
ACTIVATE = 0  # phase 1
STEP = 1  # phase 2: `mover` must step
JUMP = 2  # phase 2: `mover` stands on a Gate
POWER = 3  # phase 3
CHAIN_STEP = 4  # phase 3: the miniature moved by Poseidon or Aphrodite must step on
CHAIN_JUMP = 5  # phase 3: it stands on a Gate
END = 6  # only with a recovery pending
OVER = 7

Tokens = tuple[int, int, int, int]
State = tuple[
    Tables,  # the board, the number of players, and the ready-made actions
    int,  # turn: the seat whose turn it is
    tuple[int, ...],  # minis: the space of each miniature
    int,  # occupied: all spaces with a miniature
    Tokens,  # tokens: the spaces of each type
    int,  # cards: the Powered cards, a hand per seat
    int,  # stage
    int,  # activated: the deity, -1 before phase 1
    int,  # mover: the deity that must go on in STEP, JUMP and the chains, else -1
    bool,  # struck: the activated deity has triggered Thunder in its Movement phase
    int,  # detail: in POWER, of Ares 1 + the space of the Barrier just laid, of Athena what she has used
    tuple[int, ...],  # pending: seats that must recover, in order
]

# What Athena's player has used: two players count the cards, four note whose card it was.
OWN, MATE = 1, 2

_COPIES = tuple(3 << 2 * deity for deity in range(8))
_POWER_TOKEN = {ZE: THUNDER, AR: BARRIER, HA: GATE, DE: FERTILITY}
_ALL_BUT_APHRODITE = tuple(deity for deity in DEITIES_BY_NAME if deity != AP)


def power_token(deity: int) -> int | None:
    """The token that a deity's power places, None for a power that places none."""
    return _POWER_TOKEN.get(deity)


def hand_of(cards: int, seat: int) -> int:
    """The Powered cards of a seat."""
    return cards >> HAND_BITS * seat & HAND


def pile(cards: int) -> int:
    """The common discard pile of four players as a hand."""
    return TWO_OF_EACH - sum(cards >> HAND_BITS * seat & HAND for seat in range(4))


def opposing_hands(players: int, turn: int, cards: int) -> int:
    """The hands of the active player's opponents laid over each other."""
    if players == 2:
        return cards >> HAND_BITS * (1 - turn) & HAND
    one = (turn + 1) & 3
    return (cards >> HAND_BITS * one | cards >> HAND_BITS * (one ^ 2)) & HAND


def legal(state: State) -> Actions:
    """The legal actions of a state in code-point order."""
    tables, turn, minis, occupied, tokens, cards, stage, activated, mover, _, detail, pending = state
    if pending:
        return recover_list(pending[0], pile(cards))
    if stage == ACTIVATE:
        return activate_list(cards >> HAND_BITS * turn & HAND)
    if stage == STEP:
        return tables.moves[mover][tables.steps[minis[mover]] & ~(occupied | tokens[BARRIER])]
    if stage == POWER:
        if activated == HE:
            return disgrace_list(opposing_hands(tables.players, turn, cards))
        if activated == AT:
            return _exhaustions(tables.players, turn, cards, detail)
        if activated == PO:
            return _floods(tables, minis, occupied, tokens)
        if activated == AP:
            return _seductions(tables, minis, occupied | tokens[BARRIER])
        thunder, fertility, gate, barrier = tokens
        free = tables.field & ~(occupied | thunder | fertility | gate | barrier)
        token = _POWER_TOKEN[activated]
        laid = tokens[token]
        if laid.bit_count() < TOKENS_PER_TYPE:
            return tables.pick(tables.places[token], free)
        if detail:
            laid ^= 1 << (detail - 1)
        return tables.shift_list(token, laid, free)
    if stage == CHAIN_STEP:
        steps = tables.steps_below if activated == AP else tables.steps
        return tables.moves[mover][steps[minis[mover]] & ~(occupied | tokens[BARRIER])]
    if stage in (JUMP, CHAIN_JUMP):
        exits = tokens[GATE] or tables.ring_one & ~(occupied | tokens[BARRIER])
        return tables.pick(tables.jumps[mover], exits)
    return ()


def _exhaustions(players: int, turn: int, cards: int, used: int) -> Actions:
    own = (turn, cards >> HAND_BITS * turn & HAND)
    if players == 2:
        return exhaust_list(own, None)
    mate = turn ^ 2
    return exhaust_list(
        None if used & OWN else own,
        None if used & MATE else (mate, cards >> HAND_BITS * mate & HAND),
    )


def _seductions(tables: Tables, minis: tuple[int, ...], blocked: int) -> Actions:
    below, moves = tables.steps_below, tables.moves
    listed: Actions = ()
    for deity in _ALL_BUT_APHRODITE:
        listed += moves[deity][below[minis[deity]] & ~blocked]
    return listed


def _floods(tables: Tables, minis: tuple[int, ...], occupied: int, tokens: Tokens) -> Actions:
    blocked = occupied | tokens[BARRIER]
    back, retreats = tables.back, tables.retreats
    listed = [retreats[deity][minis[deity]] for deity in DEITIES_BY_NAME if back[minis[deity]] & ~blocked]
    for token in TOKENS_BY_NAME:
        laid, removals = tokens[token], tables.removals[token]
        while laid:
            low = laid & -laid
            listed.append(removals[low.bit_length() - 1])
            laid ^= low
    return tuple(listed)


def _end_turn(
    tables: Tables,
    turn: int,
    minis: tuple[int, ...],
    occupied: int,
    tokens: Tokens,
    cards: int,
    activated: int,
    pending: tuple[int, ...],
) -> State:
    """The next seat's turn, once nobody is left who must recover."""
    if pending:
        return (tables, turn, minis, occupied, tokens, cards, END, activated, -1, False, 0, pending)
    turn = (turn + 1) % tables.players
    return (tables, turn, minis, occupied, tokens, cards, ACTIVATE, -1, -1, False, 0, ())


def _begin_power(
    tables: Tables,
    turn: int,
    minis: tuple[int, ...],
    occupied: int,
    tokens: Tokens,
    cards: int,
    activated: int,
    pending: tuple[int, ...],
) -> State:
    """Phase 3, or the end of the turn when the power cannot be carried out at all (A10)."""
    if activated == PO:
        possible = any(tokens)
        if not possible:
            back = tables.back  # no token lies anywhere, so no Barrier does
            possible = any(back[space] & ~occupied for space in minis)
    elif activated == AP:
        possible = bool(_seductions(tables, minis, occupied | tokens[BARRIER]))
    elif activated in (HE, AT):
        possible = True  # by A5 nobody is without Powered cards
    else:
        # With an empty Reserve all six lie on the board, so something can be shifted if a space is open.
        thunder, fertility, gate, barrier = tokens
        possible = tables.field & ~(occupied | thunder | fertility | gate | barrier) != 0
    if possible:
        return (tables, turn, minis, occupied, tokens, cards, POWER, activated, -1, False, 0, pending)
    return _end_turn(tables, turn, minis, occupied, tokens, cards, activated, pending)


def _enter(
    tables: Tables,
    turn: int,
    minis: tuple[int, ...],
    occupied: int,
    tokens: Tokens,
    cards: int,
    activated: int,
    deity: int,
    space: int,
    struck: bool,
    movement: bool,
) -> State:
    """Puts a miniature onto a space and resolves what it triggers there, in the order of A7."""
    here = 1 << space
    occupied ^= 1 << minis[deity] | here
    minis = (*minis[:deity], space, *minis[deity + 1 :])
    if space == tables.top:
        return (tables, turn, minis, occupied, tokens, cards, OVER, -1, -1, False, 0, ())
    thunder, fertility, gate, barrier = tokens
    hit = thunder & tables.reach[space]
    if hit:
        thunder ^= hit
        struck = movement
        tokens = (thunder, fertility, gate, barrier)
    stage = 0
    if gate & here:
        gate ^= here
        tokens = (thunder, fertility, gate, barrier)
        if gate or tables.ring_one & ~(occupied | barrier):
            stage = JUMP if movement else CHAIN_JUMP
    elif fertility & here:
        tokens = (thunder, fertility ^ here, gate, barrier)
        steps = tables.steps if movement or activated != AP else tables.steps_below
        if steps[space] & ~(occupied | barrier):
            stage = STEP if movement else CHAIN_STEP
    if stage:
        return (tables, turn, minis, occupied, tokens, cards, stage, activated, deity, struck, 0, ())
    if movement and not struck:
        return _begin_power(tables, turn, minis, occupied, tokens, cards, activated, ())
    return _end_turn(tables, turn, minis, occupied, tokens, cards, activated, ())


def _activate(state: State, action: Action) -> State | None:
    tables, turn, minis, occupied, tokens, cards, stage, _, _, _, _, pending = state
    deity = action.deity_index
    hand = HAND_BITS * turn
    card = hand + 2 * deity
    if stage != ACTIVATE or not cards >> card & 3:
        return None
    cards -= 1 << card
    if not cards >> hand & HAND:  # A5: before the movement
        if tables.players == 2:
            cards |= ONE_OF_EACH << hand
        else:
            pending = (turn,)
    if tables.steps[minis[deity]] & ~(occupied | tokens[BARRIER]):
        return (tables, turn, minis, occupied, tokens, cards, STEP, deity, deity, False, 0, pending)
    return _begin_power(tables, turn, minis, occupied, tokens, cards, deity, pending)


def _recover(state: State, action: Action) -> State | None:
    tables, turn, minis, occupied, tokens, cards, stage, activated, mover, struck, detail, pending = state
    if not pending or action not in recover_list(pending[0], pile(cards)):
        return None
    hand = HAND_BITS * pending[0]
    for deity in action.deities:
        cards += 1 << hand + 2 * DEITY_INDEX[deity]
    pending = pending[1:]
    if stage == END:
        return _end_turn(tables, turn, minis, occupied, tokens, cards, activated, pending)
    return (tables, turn, minis, occupied, tokens, cards, stage, activated, mover, struck, detail, pending)


def _move(state: State, action: Action) -> State | None:
    tables, turn, minis, occupied, tokens, cards, stage, activated, mover, struck, _, pending = state
    deity = action.deity_index
    if stage == POWER:
        if activated != AP or deity == AP:
            return None
    elif (stage != STEP and stage != CHAIN_STEP) or deity != mover:
        return None
    movement = stage == STEP
    steps = tables.steps if movement or activated != AP else tables.steps_below
    space = tables.index.get(action.space)
    if pending or space is None or not (steps[minis[deity]] & ~(occupied | tokens[BARRIER])) >> space & 1:
        return None
    return _enter(tables, turn, minis, occupied, tokens, cards, activated, deity, space, struck, movement)


def _jump(state: State, action: Action) -> State | None:
    tables, turn, minis, occupied, tokens, cards, stage, activated, mover, struck, _, _ = state
    space = tables.index.get(action.space)
    if (stage != JUMP and stage != CHAIN_JUMP) or action.deity_index != mover or space is None:
        return None
    thunder, fertility, gate, barrier = tokens
    if not (gate or tables.ring_one & ~(occupied | barrier)) >> space & 1:
        return None
    # The Gate of arrival is used up and does not send the miniature on (A9).
    tokens = (thunder, fertility, gate & ~(1 << space), barrier)
    movement = stage == JUMP
    return _enter(tables, turn, minis, occupied, tokens, cards, activated, mover, space, struck, movement)


def _lay(state: State, action: Action) -> State | None:
    """`place` and `shift` (A11, A12)."""
    tables, turn, minis, occupied, tokens, cards, stage, activated, _, _, detail, pending = state
    token = action.token_index
    space = tables.index.get(action.space)
    if stage != POWER or pending or _POWER_TOKEN.get(activated) != token or space is None:
        return None
    laid = tokens[token]
    thunder, fertility, gate, barrier = tokens
    free = tables.field & ~(occupied | thunder | fertility | gate | barrier)
    if not free >> space & 1:
        return None
    reserve = TOKENS_PER_TYPE - laid.bit_count()
    if action.kind == "shift":
        origin = tables.index.get(action.origin)
        if reserve or origin is None or origin == detail - 1 or not laid >> origin & 1:
            return None
        laid ^= 1 << origin
        free |= 1 << origin
    elif not reserve:
        return None
    laid |= 1 << space
    free ^= 1 << space
    if token == THUNDER:
        tokens = (laid, fertility, gate, barrier)
    elif token == FERTILITY:
        tokens = (thunder, laid, gate, barrier)
    elif token == GATE:
        tokens = (thunder, fertility, laid, barrier)
    else:
        tokens = (thunder, fertility, gate, laid)
        if not detail and free:  # Ares lays a second one
            return (tables, turn, minis, occupied, tokens, cards, POWER, AR, -1, False, space + 1, ())
    return _end_turn(tables, turn, minis, occupied, tokens, cards, activated, ())


def _remove(state: State, action: Action) -> State | None:
    tables, turn, minis, occupied, tokens, cards, stage, activated, _, _, _, pending = state
    space = tables.index.get(action.space)
    if stage != POWER or activated != PO or pending or space is None:
        return None
    if not tokens[action.token_index] >> space & 1:
        return None
    # A space bears one token, so only the type named loses a bit.
    kept = ~(1 << space)
    thunder, fertility, gate, barrier = tokens
    tokens = (thunder & kept, fertility & kept, gate & kept, barrier & kept)
    return _end_turn(tables, turn, minis, occupied, tokens, cards, activated, ())


def _back(state: State, action: Action) -> State | None:
    tables, turn, minis, occupied, tokens, cards, stage, activated, _, _, _, pending = state
    deity = action.deity_index
    space = tables.index.get(action.space)
    if stage != POWER or activated != PO or pending or space is None:
        return None
    if not (tables.back[minis[deity]] & ~(occupied | tokens[BARRIER])) >> space & 1:
        return None
    return _enter(tables, turn, minis, occupied, tokens, cards, activated, deity, space, False, False)


def _disgrace(state: State, action: Action) -> State | None:
    tables, turn, minis, occupied, tokens, cards, stage, activated, _, _, _, pending = state
    players = tables.players
    copies = _COPIES[action.deity_index]
    if stage != POWER or activated != HE or pending or not opposing_hands(players, turn, cards) & copies:
        return None
    for opponent in range(turn + 1, turn + players, 2):
        hand = HAND_BITS * (opponent % players)
        cards &= ~(copies << hand)
        if not cards >> hand & HAND:
            if players == 2:
                cards |= ONE_OF_EACH << hand
            else:
                pending += (opponent % players,)
    return _end_turn(tables, turn, minis, occupied, tokens, cards, activated, pending)


def _exhaust(state: State, action: Action) -> State | None:
    tables, turn, minis, occupied, tokens, cards, stage, activated, _, _, used, pending = state
    players, seat = tables.players, action.seat
    if stage != POWER or activated != AT or pending or seat is None:
        return None
    if action not in _exhaustions(players, turn, cards, used):
        return None
    hand = HAND_BITS * seat
    cards -= 1 << hand + 2 * action.deity_index
    if not cards >> hand & HAND:
        if players == 2:
            cards |= ONE_OF_EACH << hand
        else:
            pending = (seat,)
    if players == 2:
        used += 1
        spent = used == 2
    else:
        used |= OWN if seat == turn else MATE
        spent = used == OWN | MATE
    if spent:
        return _end_turn(tables, turn, minis, occupied, tokens, cards, activated, pending)
    return (tables, turn, minis, occupied, tokens, cards, POWER, AT, -1, False, used, pending)


def _done(state: State, action: Action) -> State | None:
    tables, turn, minis, occupied, tokens, cards, stage, activated, _, _, _, pending = state
    if stage != POWER or activated != AT or pending:
        return None
    return _end_turn(tables, turn, minis, occupied, tokens, cards, activated, ())


#: What each kind of action makes of a state; None where it is not legal.
AFTER: dict[str, Callable[[State, Action], State | None]] = {
    "activate": _activate,
    "recover": _recover,
    "move": _move,
    "jump": _jump,
    "place": _lay,
    "shift": _lay,
    "remove": _remove,
    "back": _back,
    "disgrace": _disgrace,
    "exhaust": _exhaust,
    "done": _done,
}
