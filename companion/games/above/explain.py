"""Why an action is refused: one sentence for players that names the smallest rule broken."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.above import turn as course
from companion.games.above.action import DEITY_INDEX, PICKED, Action
from companion.games.above.box import DEITIES, DEITY_NAMES, TOKENS
from companion.games.above.position import Phase, Position

TOKEN_NAMES: dict[str, str] = {token: token.capitalize() for token in TOKENS}

_POWERS: dict[str, str] = {
    "ze": "places a Thunder token",
    "he": "names a card to be exhausted",
    "ar": "places two Barrier tokens",
    "at": "exhausts Powered cards",
    "ha": "places a Gate token",
    "de": "places a Fertility token",
    "po": "removes a token or moves a miniature one ring back",
    "ap": "moves another deity one step",
}
# The kinds of action that a power consists of.
_POWER_KINDS: dict[str, tuple[str, ...]] = {
    "ze": ("place", "shift"),
    "he": ("disgrace",),
    "ar": ("place", "shift"),
    "at": ("exhaust", "done"),
    "ha": ("place", "shift"),
    "de": ("place", "shift"),
    "po": ("remove", "back"),
    "ap": ("move",),
}
_ASKED: dict[str, str] = {
    "move": "{deity} cannot move yet",
    "jump": "{deity} cannot jump yet",
    "place": "no {token} token can be placed yet",
    "shift": "no {token} token can be moved yet",
    "remove": "no token can be removed yet",
    "back": "{deity} cannot be moved back yet",
    "disgrace": "no card can be named yet",
    "exhaust": "no further card can be exhausted yet",
    "done": "there is nothing to end yet",
}


def explain_illegal(position: Position, action: Action) -> str | None:
    """None if the action is legal in the position, else a sentence that says which rule it breaks."""
    if course.AFTER[action.kind](position._state, action) is not None:
        return None
    return _refusal(position, action)


def _refusal(position: Position, action: Action) -> str:
    if position.is_over:
        winner = DEITY_NAMES[position.mini_on("top") or ""]
        return f"The game is over: {winner} stands on the summit (A17)."
    for space in (action.origin, action.space):
        if space is not None and space not in position.board.index:
            return f"This board has no space {space} (A1)."
    if action.seat is not None and action.seat >= position.players:
        return f"There is no seat {action.seat}: {position.players} play."
    if position.phase is Phase.RECOVER:
        return _recovery(position, action)
    if action.kind == "recover":
        if position.players == 2:
            return "With two players nobody picks: all 8 cards flip back by themselves (A5)."
        return f"Seat {action.seat} still has a Powered card, so it does not pick cards (A5)."
    if position.phase is Phase.ACTIVATE:
        return _before_activation(position, action)
    if action.kind == "activate":
        return f"{_activated(position)} has been activated: only one card a turn is activated (phase 1)."
    return _BY_PHASE[position.phase](position, action)


def _activated(position: Position) -> str:
    return DEITY_NAMES[position.activated or ""]


def _deity(action: Action) -> str:
    return DEITY_NAMES[action.deity or ""]


def _token(action: Action) -> str:
    return TOKEN_NAMES[action.token or ""]


def _recovery(position: Position, action: Action) -> str:
    picker, seat = position.decides, action.seat
    if action.kind != "recover":
        return f"Seat {picker} has no Powered card and must first pick {PICKED} from the discard pile (A5)."
    if seat != picker:
        if seat in position.picking:
            return f"Seat {picker} picks before seat {seat}: clockwise from the active player (A5)."
        return f"Seat {seat} still has a Powered card: it is seat {picker} that picks (A5)."
    in_pile = position.pile()
    for deity in action.deities:
        if action.deities.count(deity) > in_pile.count(deity):
            held = "one" if deity in in_pile else "no"
            return f"The discard pile has {held} {DEITY_NAMES[deity]} card (A5)."
    kinds = len(set(in_pile))
    return (
        f"The {PICKED} cards must be as different as possible: the discard pile has {kinds} kinds, "
        f"these are {len(set(action.deities))} (A5)."
    )


def _before_activation(position: Position, action: Action) -> str:
    seat = position.turn
    if action.kind == "activate":
        if position.players == 2:
            return f"The {_deity(action)} card of seat {seat} is Spent: activate a Powered one (phase 1)."
        return f"Seat {seat} has no Powered {_deity(action)} card: activate one that lies there (phase 1)."
    lost = _lost_power(position, action)
    if lost is not None:
        return lost
    asked = _ASKED[action.kind].format(
        deity=DEITY_NAMES.get(action.deity or ""), token=TOKEN_NAMES.get(action.token or "")
    )
    return f"{asked[0].upper()}{asked[1:]}: seat {seat} must first activate a Powered card (phase 1)."


def _lost_power(position: Position, action: Action) -> str | None:
    """The turn has just ended without the power that this action would be part of: why."""
    before = position._before
    if before is None or before[course.STAGE] not in (course.STEP, course.JUMP):
        return None
    number = before[course.ACTIVATED]
    deity = DEITIES[number]
    token = course.power_token(number)
    if action.kind not in _POWER_KINDS[deity] or (token is not None and token != action.token_index):
        return None
    triggered = before[course.STRUCK] or _thunder(before) != _thunder(position._state)
    name, seat = DEITY_NAMES[deity], position.turn
    if triggered:
        return f"{name} triggered Thunder while moving, so its power is skipped; seat {seat} is next (A7)."
    return f"The power of {name} could not be carried out and is skipped; seat {seat} is next (A10)."


def _thunder(state: course.State) -> int:
    return state[course.TOKENS][course.THUNDER]


def _while_moving(position: Position, action: Action) -> str:
    mover = position.mover or ""
    name = DEITY_NAMES[mover]
    rule = "phase 2, A6" if position.movement_phase else "phase 3, A8"
    if action.kind == "move":
        if action.deity == mover:
            return _no_step(position, action, rule)
        if position.movement_phase:
            return f"{name} has been activated, so {name} must move, not {_deity(action)} (phase 2)."
        return f"{name} must step on from Fertility first; {_deity(action)} does not move (A8)."
    if action.kind == "jump":
        return f"{_deity(action)} is on no Gate: {name} must step forward or sideways ({rule})."
    if position.power_lost:
        return f"{name} has triggered Thunder: it moves on, and its power is skipped this turn (A7)."
    if position.movement_phase:
        return f"{name} must move before its power is used ({rule})."
    return f"{name} must step on from Fertility before anything else (A8)."


def _no_step(position: Position, action: Action, rule: str) -> str:
    """Why the deity of a move cannot make that step."""
    board, name = position.board, _deity(action)
    deity, space = action.deity or "", action.space or ""
    here, there = board.index[position.space_of(deity)], board.index[space]
    if here == there:
        return f"{name} already stands on {space}: a step leads to another space ({rule})."
    if board.back[here] >> there & 1:
        return f"{name} cannot step back: a miniature moves forward or sideways ({rule})."
    if not board.steps[here] >> there & 1:
        goal = "the summit" if there == board.top else space
        return f"{name} cannot reach {goal}: a step leads one space forward or sideways ({rule})."
    occupant = position.mini_on(space)
    if occupant is not None:
        return f"{name} cannot move to {space}: {DEITY_NAMES[occupant]} stands there ({rule})."
    if there == board.top:
        return f"{name} cannot step onto the summit when Aphrodite moves it (A14)."
    return f"{name} cannot move to {space}: a Barrier lies there ({rule})."


def _while_jumping(position: Position, action: Action) -> str:
    board, mover = position.board, position.mover or ""
    name, space = DEITY_NAMES[mover], action.space or ""
    if action.kind != "jump" or action.deity != mover:
        if action.kind not in ("move", "jump") and position.power_lost:
            return f"{name} has triggered Thunder: it jumps from its Gate, and its power is skipped (A7)."
        return f"{name} is on a Gate and must first jump from it (A9)."
    gates = position.tokens_on("gate")
    if gates:
        return f"{name} must jump to the space of another Gate, to {' or '.join(gates)}, not to {space} (A9)."
    if board.ring_of(board.index[space]) != 1:
        return f"{name} must jump to ring 1, since no other Gate lies on the board, not to {space} (A9)."
    occupant = position.mini_on(space)
    if occupant == mover:
        return f"{name} cannot jump to {space}: it stands there already (A9)."
    if occupant is not None:
        return f"{name} cannot jump to {space}: {DEITY_NAMES[occupant]} stands there (A9)."
    return f"{name} cannot jump to {space}: a Barrier lies there (A9)."


def _in_power(position: Position, action: Action) -> str:
    deity = position.activated or ""
    name = DEITY_NAMES[deity]
    if action.kind in _POWER_KINDS[deity]:
        return _BY_KIND[action.kind](position, action)
    if action.kind == "jump":
        return f"{_deity(action)} has triggered no Gate and cannot jump (A9)."
    if action.kind == "move" and action.deity == deity:
        before = position._before
        if before is not None and before[course.STAGE] == course.ACTIVATE:
            return f"{name} was blocked and stays where it is; now {name} {_POWERS[deity]} (A6)."
        return f"{name} has finished moving; now {name} {_POWERS[deity]} (phase 3)."
    if action.kind == "move":
        return f"{name} was activated, not {_deity(action)}; {name} {_POWERS[deity]} (phase 3)."
    return f"That is not the power of {name}: {name} {_POWERS[deity]} (phase 3)."


def _seduction(position: Position, action: Action) -> str:
    if action.deity == "ap":
        return "Aphrodite moves another deity, never herself (A14)."
    return _no_step(position, action, "phase 3, A14")


def _not_open(position: Position, space: str) -> str | None:
    """Why a token cannot be laid on a space; None if it can (A11)."""
    if space == "top":
        return "A token may never lie on the summit (A11)."
    occupant, token = position.mini_on(space), position.token_at(space)
    if occupant is not None:
        return f"A token goes to an open space only, and {DEITY_NAMES[occupant]} stands on {space} (A11)."
    if token is not None:
        return f"A token goes to an open space only, and a {TOKEN_NAMES[token]} token lies on {space} (A11)."
    return None


def _laying(position: Position, action: Action) -> str:
    deity, due = position.activated or "", position.token_to_lay or ""
    name, token, space = DEITY_NAMES[deity], TOKEN_NAMES[due], action.space or ""
    if action.token != due:
        return f"The power of {name} is a {token} token, not a {_token(action)} token (phase 3)."
    left = position.reserve(due)
    if action.kind == "place":
        if not left:
            return f"No {token} token is left in the Reserve: move one that lies on the board (A12)."
        return _not_open(position, space) or f"A {token} token cannot be placed on {space} (A11)."
    if left:
        return f"The Reserve still has {token} tokens ({left}): place one of them (A12)."
    origin = action.origin or ""
    if origin == position.just_laid:
        return f"The Barrier token on {origin} was laid by this same power and stays (A12)."
    if origin not in position.tokens_on(due):
        return f"No {token} token lies on {origin}, so none can be moved from there (A12)."
    if origin == space:
        return f"The {token} token of {origin} must be moved to a different space (A12)."
    return _not_open(position, space) or f"The {token} token cannot be moved to {space} (A12)."


def _removal(position: Position, action: Action) -> str:
    if action.space == "top":
        return "No token lies on the summit that Poseidon could remove (A11)."
    lies = position.token_at(action.space or "")
    if lies is not None:
        return f"On {action.space} lies a {TOKEN_NAMES[lies]} token, not a {_token(action)} token (A13)."
    return f"No {_token(action)} token lies on {action.space} that Poseidon could remove (A13)."


def _retreat(position: Position, action: Action) -> str:
    board, name, space = position.board, _deity(action), action.space or ""
    here = position.minis[DEITY_INDEX[action.deity or ""]]
    if not board.back[here]:
        return f"{name} stands on ring 1 and cannot be moved back (A13)."
    behind = board.spaces[here - 1]
    if space != behind:
        return f"Poseidon can move {name} one ring back to {behind}, not to {space} (A13)."
    occupant = position.mini_on(space)
    if occupant is not None:
        return f"{name} cannot be moved back to {space}: {DEITY_NAMES[occupant]} stands there (A13)."
    return f"{name} cannot be moved back to {space}: a Barrier lies there (A13)."


def _disgrace(position: Position, action: Action) -> str:
    if position.players == 2:
        return f"Seat {1 - position.turn} has no Powered {_deity(action)} card that Hera could name (A15)."
    return f"No opponent has a Powered {_deity(action)} card that Hera could name (A15)."


def _exhaustion(position: Position, action: Action) -> str:
    turn, seat = position.turn, action.seat
    if position.players == 2 and seat != turn:
        return f"Athena exhausts cards of seat {turn} only, her own player's (A16)."
    if seat not in (turn, turn ^ 2) and position.players == 4:
        return f"Athena exhausts a card of her own player or of the teammate, not of seat {seat} (A16)."
    if position.players == 4 and seat in position.athena_used:
        return f"Athena exhausts at most one card of seat {seat} (A16)."
    return f"Seat {seat} has no Powered {_deity(action)} card that Athena could exhaust (A16)."


_BY_PHASE: dict[Phase, Callable[[Position, Action], str]] = {
    Phase.MOVE: _while_moving,
    Phase.JUMP: _while_jumping,
    Phase.POWER: _in_power,
}
_BY_KIND: dict[str, Callable[[Position, Action], str]] = {
    "move": _seduction,
    "place": _laying,
    "shift": _laying,
    "remove": _removal,
    "back": _retreat,
    "disgrace": _disgrace,
    "exhaust": _exhaustion,
}
