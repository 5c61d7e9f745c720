"""The course of a turn on plain tuples: which actions are legal and what each leads to.

This is the quick inside of the rules; `rules` and `position` are the door. A state is one tuple, laid out as
`State` says, so that a step costs a handful of integer operations. Sets of spaces are integers (`board`),
hands of cards too (`tables`). Everything that is no decision happens here by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.games.above.action import Action
from companion.games.above.box import TOKENS_PER_TYPE
from companion.games.above.hands import (
    DEITIES_BY_NAME,
    HAND,
    HAND_BITS,
    ONE_OF_EACH,
    Actions,
    activate_lists,
    can_recover,
    disgrace_lists,
    exhaust_list,
    hand_of_deities,
    opposing_hands,
    pile,
    recover_list,
)
from companion.games.above.tables import TOKENS_BY_NAME, Tables

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
_STEPPING = frozenset((STEP, CHAIN_STEP))
_JUMPING = frozenset((JUMP, CHAIN_JUMP))

Tokens = tuple[int, int, int, int]
State = tuple[
    Tables,  # the board, the number of players, and the ready-made actions
    int,  # turn: the seat whose turn it is
    bytes,  # minis: the space of each miniature
    int,  # occupied: all spaces with a miniature
    Tokens,  # tokens: the spaces of each type
    int,  # cards: the Powered cards, a hand per seat
    int,  # stage
    int,  # activated: the deity, -1 before phase 1
    int,  # mover: the deity that must go on in STEP, JUMP and the chains, else -1
    bool,  # struck: the activated deity has triggered Thunder in its Movement phase
    int,  # detail: where the mover can go; in POWER of Ares 1 + the space just laid, of Athena what is used
    tuple[int, ...],  # pending: seats that must recover, in order
]

TABLES: Final = 0
TURN: Final = 1
MINIS: Final = 2
OCCUPIED: Final = 3
TOKENS: Final = 4
CARDS: Final = 5
STAGE: Final = 6
ACTIVATED: Final = 7
MOVER: Final = 8
STRUCK: Final = 9
DETAIL: Final = 10
PENDING: Final = 11

# What Athena's player has used: two players count the cards, four note whose card it was.
OWN, MATE = 1, 2

ONE_SPACE = tuple(bytes((space,)) for space in range(256))
_COPIES = tuple(3 << 2 * deity for deity in range(8))
_POWER_TOKEN = {ZE: THUNDER, AR: BARRIER, HA: GATE, DE: FERTILITY}
_ALL_BUT_APHRODITE = tuple(deity for deity in DEITIES_BY_NAME if deity != AP)


def power_token(deity: int) -> int | None:
    """The token that a deity's power places, None for a power that places none."""
    return _POWER_TOKEN.get(deity)


def legal(state: State) -> Actions:
    """The legal actions of a state in code-point order."""
    # By index, not unpacked: most calls end within these lines.
    if state[PENDING]:
        return recover_list(state[PENDING][0], pile(state[CARDS]))
    stage = state[STAGE]
    if stage == ACTIVATE:
        return activate_lists[state[CARDS] >> HAND_BITS * state[TURN] & HAND]
    if stage in _STEPPING:
        return state[TABLES].moves[state[MOVER]][state[DETAIL]]
    if stage in _JUMPING:
        return state[TABLES].pick(state[TABLES].jumps[state[MOVER]], state[DETAIL])
    if stage == POWER:
        tables, turn, minis, occupied, tokens, cards, _, activated, _, _, detail, _ = state
        if activated == HE:
            return disgrace_lists[opposing_hands(tables.players, turn, cards)]
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
            return tables.placements(token, free)
        if detail:
            laid ^= 1 << (detail - 1)
        return tables.shift_list(token, laid, free)
    return ()


def _exhaustions(players: int, turn: int, cards: int, used: int) -> Actions:
    if players == 2:
        return exhaust_list(cards >> HAND_BITS * turn & HAND, turn, 0, turn)
    mate = turn ^ 2
    own = 0 if used & OWN else cards >> HAND_BITS * turn & HAND
    other = 0 if used & MATE else cards >> HAND_BITS * mate & HAND
    return exhaust_list(own, turn, other, mate)


def _seductions(tables: Tables, minis: bytes, blocked: int) -> Actions:
    below, moves = tables.steps_below, tables.moves
    listed: Actions = ()
    for deity in _ALL_BUT_APHRODITE:
        listed += moves[deity][below[minis[deity]] & ~blocked]
    return listed


def _floods(tables: Tables, minis: bytes, occupied: int, tokens: Tokens) -> Actions:
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
    minis: bytes,
    occupied: int,
    tokens: Tokens,
    cards: int,
    activated: int,
    pending: tuple[int, ...],
) -> State:
    """The next seat's turn, once nobody is left who must recover."""
    if pending:
        return (tables, turn, minis, occupied, tokens, cards, END, activated, -1, False, 0, pending)
    return (tables, tables.next_seat[turn], minis, occupied, tokens, cards, ACTIVATE, -1, -1, False, 0, ())


def _begin_power(
    tables: Tables,
    turn: int,
    minis: bytes,
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
        clear, below = ~(occupied | tokens[BARRIER]), tables.steps_below
        possible = False
        for deity in _ALL_BUT_APHRODITE:
            if below[minis[deity]] & clear:
                possible = True
                break
    elif tables.sure[activated]:
        possible = True
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
    minis: bytes,
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
    bit, left = tables.bit, minis[deity]
    here = bit[space]
    occupied ^= bit[left] | here
    # No two miniatures share a space, so only this one is replaced.
    minis = minis.replace(ONE_SPACE[left], ONE_SPACE[space])
    if space == tables.top:
        return (tables, turn, minis, occupied, tokens, cards, OVER, -1, -1, False, 0, ())
    thunder, fertility, gate, barrier = tokens
    hit = thunder & tables.reach[space]
    if hit:
        thunder ^= hit
        struck = movement
        tokens = (thunder, fertility, gate, barrier)
    if (gate | fertility) & here:
        if gate & here:
            gate ^= here
            ways = gate or tables.ring_one & ~(occupied | barrier)
            stage = JUMP if movement else CHAIN_JUMP
        else:
            fertility ^= here
            steps = tables.steps if movement or activated != AP else tables.steps_below
            ways = steps[space] & ~(occupied | barrier)
            stage = STEP if movement else CHAIN_STEP
        tokens = (thunder, fertility, gate, barrier)
        if ways:
            return (tables, turn, minis, occupied, tokens, cards, stage, activated, deity, struck, ways, ())
    if movement and not struck:
        if tables.sure[activated]:
            return (tables, turn, minis, occupied, tokens, cards, POWER, activated, -1, False, 0, ())
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
    ways = tables.steps[minis[deity]] & ~(occupied | tokens[BARRIER])
    if ways:
        return (tables, turn, minis, occupied, tokens, cards, STEP, deity, deity, False, ways, pending)
    return _begin_power(tables, turn, minis, occupied, tokens, cards, deity, pending)


def _recover(state: State, action: Action) -> State | None:
    tables, turn, minis, occupied, tokens, cards, stage, activated, mover, struck, detail, pending = state
    if not pending or not can_recover(action, pending[0], pile(cards)):
        return None
    cards += hand_of_deities(action.deities) << HAND_BITS * pending[0]
    pending = pending[1:]
    if stage == END:
        return _end_turn(tables, turn, minis, occupied, tokens, cards, activated, pending)
    return (tables, turn, minis, occupied, tokens, cards, stage, activated, mover, struck, detail, pending)


def _move(state: State, action: Action) -> State | None:
    tables, turn, minis, occupied, tokens, cards, stage, activated, mover, struck, ways, pending = state
    deity = action.deity_index
    space = tables.index.get(action.space)
    if pending or space is None:
        return None
    if stage in _STEPPING:
        if deity != mover:
            return None
    elif stage == POWER and activated == AP and deity != AP:
        ways = tables.steps_below[minis[deity]] & ~(occupied | tokens[BARRIER])
    else:
        return None
    if not ways & tables.bit[space]:
        return None
    movement = stage == STEP
    return _enter(tables, turn, minis, occupied, tokens, cards, activated, deity, space, struck, movement)


def _jump(state: State, action: Action) -> State | None:
    tables, turn, minis, occupied, tokens, cards, stage, activated, mover, struck, ways, _ = state
    space = tables.index.get(action.space)
    if stage not in _JUMPING or action.deity_index != mover or space is None:
        return None
    if not ways & tables.bit[space]:
        return None
    thunder, fertility, gate, barrier = tokens
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
    if players == 2:
        if seat != turn:
            return None
    elif seat == turn:
        if used & OWN:
            return None
    elif seat != turn ^ 2 or used & MATE:
        return None
    hand = HAND_BITS * seat
    card = hand + 2 * action.deity_index
    if not cards >> card & 3:
        return None
    cards -= 1 << card
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
