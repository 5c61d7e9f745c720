"""Why an action is refused: one sentence for players that names the smallest rule broken."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.above import turn as course
from companion.games.above.action import DEITY_INDEX, PICKED, Action
from companion.games.above.box import DEITIES
from companion.games.above.names import deity_name, place_name, seat_name, token_name
from companion.games.above.position import Phase, Position
from companion.messages import Text, either, say

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


# The turn is over without its power.
SKIPPED = ("above.power_struck", "above.power_impossible")


def explain_illegal(position: Position, action: Action) -> Text | None:
    """None if the action is legal in the position, else a sentence that says which rule it breaks."""
    if course.AFTER[action.kind](position._state, action) is not None:
        return None
    return _refusal(position, action)


def _refusal(position: Position, action: Action) -> Text:
    if position.is_over:
        return say("above.over_already", winner=deity_name(position.mini_on("top") or ""))
    for space in (action.origin, action.space):
        if space is not None and space not in position.board.index:
            return say("above.no_space", space=space)
    if action.seat is not None and action.seat >= position.players:
        return say("above.no_seat", n=action.seat, players=position.players)
    if position.phase is Phase.RECOVER:
        return _recovery(position, action)
    if action.kind == "recover":
        if position.players == 2:
            return say("above.nobody_picks")
        return say("above.picks_not", seat=seat_name(action.seat or 0))
    if position.phase is Phase.ACTIVATE:
        return _before_activation(position, action)
    if action.kind == "activate":
        return say("above.one_activation", deity=deity_name(position.activated or ""))
    return _BY_PHASE[position.phase](position, action)


def _deity(action: Action) -> Text:
    return deity_name(action.deity or "")


def _token(action: Action) -> Text:
    return token_name(action.token or "")


def _recovery(position: Position, action: Action) -> Text:
    picker, seat = position.decides, action.seat
    if action.kind != "recover":
        return say("above.must_pick", seat=seat_name(picker), n=PICKED)
    if seat != picker:
        if seat in position.picking:
            return say("above.picks_before", seat=seat_name(picker), other=seat_name(seat))
        return say("above.other_picks", seat=seat_name(seat or 0), picker=seat_name(picker))
    in_pile = position.pile()
    for deity in action.deities:
        if action.deities.count(deity) > in_pile.count(deity):
            return say("above.pile_has", n=in_pile.count(deity), deity=deity_name(deity))
    return say("above.pick_different", n=PICKED, kinds=len(set(in_pile)), these=len(set(action.deities)))


def _before_activation(position: Position, action: Action) -> Text:
    seat = seat_name(position.turn)
    if action.kind == "activate":
        if position.players == 2:
            return say("above.is_spent", deity=_deity(action), seat=seat)
        return say("above.not_held", seat=seat, deity=_deity(action))
    lost = _lost_power(position, action)
    if lost is not None:
        return lost
    what: dict[str, Text] = {"seat": seat}
    if action.deity is not None:
        what["deity"] = _deity(action)
    if action.token is not None:
        what["token"] = _token(action)
    return say(f"above.activate_first_{action.kind}", **what)


def _lost_power(position: Position, action: Action) -> Text | None:
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
    why = "above.power_struck" if triggered else "above.power_impossible"
    return say(why, deity=deity_name(deity), seat=seat_name(position.turn))


def _rule(phase: int, ruling: str) -> Text:
    return say("names.phase_ruling", n=phase, ruling=ruling)


def _thunder(state: course.State) -> int:
    return state[course.TOKENS][course.THUNDER]


def _while_moving(position: Position, action: Action) -> Text:
    mover = position.mover or ""
    name = deity_name(mover)
    rule = _rule(2, "A6") if position.movement_phase else _rule(3, "A8")
    if action.kind == "move":
        if action.deity == mover:
            return _no_step(position, action, rule)
        if position.movement_phase:
            return say("above.must_move_itself", deity=name, other=_deity(action))
        return say("above.must_step_on", deity=name, other=_deity(action))
    if action.kind == "jump":
        return say("above.on_no_gate", other=_deity(action), deity=name, rule=rule)
    if position.power_lost:
        return say("above.struck_moves_on", deity=name)
    if position.movement_phase:
        return say("above.move_first", deity=name, rule=rule)
    return say("above.step_on_first", deity=name)


def _no_step(position: Position, action: Action, rule: Text) -> Text:
    """Why the deity of a move cannot make that step."""
    board, name = position.board, _deity(action)
    deity, space = action.deity or "", action.space or ""
    here, there = board.index[position.space_of(deity)], board.index[space]
    place = place_name(space)
    if here == there:
        return say("above.already_there", deity=name, place=place, rule=rule)
    if board.back[here] >> there & 1:
        return say("above.no_step_back", deity=name, rule=rule)
    if not board.steps[here] >> there & 1:
        return say("above.cannot_reach", deity=name, place=place, rule=rule)
    occupant = position.mini_on(space)
    if occupant is not None:
        return say("above.is_occupied", deity=name, place=place, other=deity_name(occupant), rule=rule)
    if there == board.top:
        return say("above.not_by_aphrodite", deity=name)
    return say("above.is_barred", deity=name, place=place, rule=rule)


def _while_jumping(position: Position, action: Action) -> Text:
    board, mover = position.board, position.mover or ""
    name, space = deity_name(mover), action.space or ""
    place = place_name(space)
    if action.kind != "jump" or action.deity != mover:
        if action.kind not in ("move", "jump") and position.power_lost:
            return say("above.struck_jumps", deity=name)
        return say("above.jump_first", deity=name)
    gates = position.tokens_on("gate")
    if gates:
        return say("above.jump_to_gate", deity=name, gates=either(map(place_name, gates)), place=place)
    if board.ring_of(board.index[space]) != 1:
        return say("above.jump_to_ring_one", deity=name, place=place)
    occupant = position.mini_on(space)
    if occupant == mover:
        return say("above.jump_in_place", deity=name, place=place)
    if occupant is not None:
        return say("above.jump_occupied", deity=name, place=place, other=deity_name(occupant))
    return say("above.jump_barred", deity=name, place=place)


def _in_power(position: Position, action: Action) -> Text:
    deity = position.activated or ""
    name, power = deity_name(deity), say(f"above.power_{deity}")
    if action.kind in _POWER_KINDS[deity]:
        return _BY_KIND[action.kind](position, action)
    if action.kind == "jump":
        return say("above.no_gate_triggered", deity=_deity(action))
    if action.kind == "move" and action.deity == deity:
        before = position._before
        if before is not None and before[course.STAGE] == course.ACTIVATE:
            return say("above.was_blocked", deity=name, power=power)
        return say("above.has_moved", deity=name, power=power)
    if action.kind == "move":
        return say("above.other_moved", deity=name, other=_deity(action), power=power)
    return say("above.not_its_power", deity=name, power=power)


def _seduction(position: Position, action: Action) -> Text:
    if action.deity == "ap":
        return say("above.never_herself")
    return _no_step(position, action, _rule(3, "A14"))


def _not_open(position: Position, space: str) -> Text:
    """Why a token cannot be laid on a space that is not open (A11)."""
    if space == "top":
        return say("above.never_on_summit")
    occupant, token = position.mini_on(space), position.token_at(space)
    if occupant is not None:
        return say("above.open_only_deity", other=deity_name(occupant), place=place_name(space))
    return say("above.open_only_token", token=token_name(token or ""), place=place_name(space))


def _laying(position: Position, action: Action) -> Text:
    deity, due = position.activated or "", position.token_to_lay or ""
    token, space = token_name(due), action.space or ""
    if action.token != due:
        return say("above.other_token", deity=deity_name(deity), token=token, other=_token(action))
    left = position.reserve(due)
    if action.kind == "place":
        if not left:
            return say("above.reserve_empty", token=token)
        return _not_open(position, space)
    if left:
        return say("above.reserve_has", token=token, n=left)
    origin = action.origin or ""
    if origin == position.just_laid:
        return say("above.just_laid", place=place_name(origin))
    if origin not in position.tokens_on(due):
        return say("above.none_to_shift", token=token, place=place_name(origin))
    if origin == space:
        return say("above.different_space", token=token, place=place_name(origin))
    return _not_open(position, space)


def _removal(position: Position, action: Action) -> Text:
    if action.space == "top":
        return say("above.none_on_summit")
    lies, place = position.token_at(action.space or ""), place_name(action.space or "")
    if lies is not None:
        return say("above.other_lies_there", place=place, token=token_name(lies), other=_token(action))
    return say("above.none_to_remove", token=_token(action), place=place)


def _retreat(position: Position, action: Action) -> Text:
    board, name, space = position.board, _deity(action), action.space or ""
    here, place = position.minis[DEITY_INDEX[action.deity or ""]], place_name(space)
    if not board.back[here]:
        return say("above.no_further_back", deity=name)
    behind = board.spaces[here - 1]
    if space != behind:
        return say("above.one_ring_back", deity=name, behind=place_name(behind), place=place)
    occupant = position.mini_on(space)
    if occupant is not None:
        return say("above.back_occupied", deity=name, place=place, other=deity_name(occupant))
    return say("above.back_barred", deity=name, place=place)


def _disgrace(position: Position, action: Action) -> Text:
    if position.players == 2:
        return say("above.cannot_name", seat=seat_name(1 - position.turn), deity=_deity(action))
    return say("above.cannot_name_any", deity=_deity(action))


def _exhaustion(position: Position, action: Action) -> Text:
    turn, seat = position.turn, action.seat or 0
    if position.players == 2 and seat != turn:
        return say("above.athena_own", seat=seat_name(turn))
    if seat not in (turn, turn ^ 2) and position.players == 4:
        return say("above.athena_team", seat=seat_name(seat))
    if position.players == 4 and seat in position.athena_used:
        return say("above.athena_once", seat=seat_name(seat))
    return say("above.athena_none", seat=seat_name(seat), deity=_deity(action))


_BY_PHASE: dict[Phase, Callable[[Position, Action], Text]] = {
    Phase.MOVE: _while_moving,
    Phase.JUMP: _while_jumping,
    Phase.POWER: _in_power,
}
_BY_KIND: dict[str, Callable[[Position, Action], Text]] = {
    "move": _seduction,
    "place": _laying,
    "shift": _laying,
    "remove": _removal,
    "back": _retreat,
    "disgrace": _disgrace,
    "exhaust": _exhaustion,
}
