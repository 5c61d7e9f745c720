"""Wording: what the referee says, in sentences for players."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.games.above import names as above
from companion.games.above.action import Action
from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.position import Position
from companion.games.above.rules import legal_actions
from companion.messages import Text, either, listed, row, say
from companion.referee.corrections import Correction
from companion.referee.evidence import AIR
from companion.referee.hypothesis import Hypothesis, Item
from companion.referee.trajectory import state_of, struck_by
from companion.referee.turn import Turn
from companion.referee.verdict import Todo


def place_name(space: str | int) -> Text:
    """A space as people say it."""
    return above.place_name(SPACES[space] if isinstance(space, int) else space)


def deity_name(deity: str | int) -> Text:
    """A deity's name, by code or index."""
    return above.deity_name(DEITIES[deity] if isinstance(deity, int) else deity)


def token_name(token: str | int) -> Text:
    """A token's name, by type or index."""
    return above.token_name(TOKENS[token] if isinstance(token, int) else token)


def side_name(powered: bool) -> str:
    """A card's side, as the catalogue's sentences choose by it."""
    return "powered" if powered else "spent"


def card_act(item: Item, count: int, before: int, position: Position, names: Sequence[str]) -> Text:
    """What to do with a card so that `count` lie Powered where `before` did."""
    _, seat, number = item
    whose, deity = names[seat], deity_name(number)
    # A last card that was exhausted and is recovered at once (A5) ends as it lay before.
    up = count > before or 0 < count == before
    if position.players == 2:
        return say("above.turn_card", whose=whose, deity=deity, side=side_name(up))
    if up:
        return say("above.takes_from_pile", name=whose, deity=deity)
    return say("above.put_on_pile", whose=whose, deity=deity)


def lies_text(position: Position, item: Item, names: Sequence[str]) -> Text:
    """How a miniature, a token or a card lies in a position, without a full stop."""
    kind, one, two = item
    state = state_of(position, item)
    if kind == "mini":
        return say("above.stands_there", deity=deity_name(one), place=place_name(state))
    if kind == "token":
        key = "above.lies_there" if state else "above.lies_no_more"
        return say(key, token=token_name(one), place=place_name(two))
    whose, deity = names[one], deity_name(two)
    if position.players == 2:
        return say("above.card_lies", whose=whose, deity=deity, side=side_name(state > 0))
    return say("above.holds_powered", whose=whose, deity=deity, n=state)


_GATE = TOKENS.index("gate")
_ACT_ORDER = {"mini": 0, "token": 1, "card": 2, "reed": 3}


def pending_acts(hypotheses: Sequence[Hypothesis], names: Sequence[str]) -> tuple[Todo, ...]:
    """What remains to be done of a turn; where the hypotheses differ on the place, it is left open."""
    first = hypotheses[0]
    picks, free, jumps = _free_picks(first), free_places(first), free_jumps(first)
    arrivals = {("token", _GATE, SPACES.index(str(jump.space))) for each in jumps.values() for jump in each}
    perhaps = perhaps_taken_off(hypotheses)
    todo: list[Todo] = []
    # Always in the same order, so that a list people work off does not jump about.
    for item in sorted((*first.pending, *first.unsure), key=lambda item: (_ACT_ORDER[item[0]], item)):
        kind, one, two = item
        ends = {h.trajectory[item][-1] for h in hypotheses if item in h.trajectory}
        start = first.trajectory.get(item, (AIR,))[0]
        if kind == "mini":
            if item not in first.trajectory:
                space = first.positions[0].minis[one]
                todo.append(
                    Todo(say("above.put_back", deity=deity_name(one), place=place_name(space)), SPACES[space])
                )
            elif item in jumps:
                mover = names[first.positions[0].turn]
                todo.append(Todo(_with_targets("above.through_gate", mover, deity_name(one), jumps[item])))
            elif len(ends) == 1:
                end = next(iter(ends))
                text = say("above.move_to", deity=deity_name(one), place=place_name(end))
                todo.append(Todo(text, SPACES[end]))
            else:
                todo.append(Todo(say("above.move_one", deity=deity_name(one))))
        elif kind == "token":
            if first.trajectory[item][-1]:
                if item not in free and all(item in h.trajectory for h in hypotheses):
                    text = say("above.place_on", token=token_name(one), place=place_name(two))
                    todo.append(Todo(text, SPACES[two]))
                else:
                    todo.append(Todo(say("above.place_somewhere", token=token_name(one))))
            elif item in perhaps:
                of_type = either(place_name(space) for _, token, space in sorted(perhaps) if token == one)
                one_of = Todo(say("above.take_off_triggered", token=token_name(one), places=of_type))
                if one_of not in todo:
                    todo.append(one_of)
            elif item not in arrivals:
                text = say("above.take_off", token=token_name(one), place=place_name(two))
                todo.append(Todo(text, SPACES[two]))
        elif kind == "reed":
            if not todo:
                # Else it is what has not been moved yet.
                todo.append(Todo(say("above.take_away", place=place_name(one)), SPACES[one]))
        elif item not in picks:
            count = first.trajectory[item][-1]
            todo.append(Todo(card_act(item, count, start, first.positions[0], names)))
    if picks:
        seat = next(iter(picks))[1]
        todo.append(Todo(say("above.takes_more", name=names[seat], n=len(picks))))
    return tuple(todo)


def perhaps_taken_off(hypotheses: Sequence[Hypothesis]) -> frozenset[Item]:
    """The tokens that some of these have still to take off and others not: nobody can tell which was triggered."""
    lying = [hypothesis.left_lying for hypothesis in hypotheses]
    return frozenset().union(*lying).difference(frozenset.intersection(*lying))


def free_places(hypothesis: Hypothesis) -> dict[Item, tuple[str, ...]]:
    """The tokens still to be laid where the player is free to choose, with the spaces there are: none is to be named."""
    free: dict[Item, tuple[str, ...]] = {}
    for action, before in zip(hypothesis.actions, hypothesis.positions, strict=False):
        if action.kind not in ("place", "shift") or action.token is None or action.space is None:
            continue
        item = ("token", TOKENS.index(action.token), SPACES.index(action.space))
        spaces = tuple(
            str(other.space)
            for other in legal_actions(before)
            if (other.kind, other.token, other.origin) == (action.kind, action.token, action.origin)
        )
        if item in hypothesis.pending and len(spaces) > 1:
            free[item] = spaces
    return free


def free_jumps(hypothesis: Hypothesis) -> dict[Item, tuple[Action, ...]]:
    """The miniatures still to jump from a Gate (A9), where the player is free to choose, with the jumps there are: none
    is to be named, nor the Gate that it would use up. What lies there already tells whether the power follows (A7).
    """
    free: dict[Item, tuple[Action, ...]] = {}
    for action, before in zip(hypothesis.actions, hypothesis.positions, strict=False):
        if action.kind != "jump":
            continue
        item = ("mini", action.deity_index, 0)
        jumps = tuple(
            other
            for other in legal_actions(before)
            if bool(struck_by(before, other)) == bool(struck_by(before, action))
        )
        ends_there = hypothesis.trajectory[item][-1] == SPACES.index(str(action.space))
        if item in hypothesis.pending and ends_there and len(jumps) > 1:
            free[item] = jumps
    return free


def _free_picks(hypothesis: Hypothesis) -> frozenset[Item]:
    """The cards still to be recovered where the player is free to pick others (A5): none of them is to be named."""
    picked = {
        ("card", action.seat, DEITIES.index(deity))
        for action, before in zip(hypothesis.actions, hypothesis.positions, strict=False)
        if action.kind == "recover" and len(legal_actions(before)) > 1
        for deity in action.deities
    }
    return frozenset(item for item in hypothesis.pending if item in picked)


def next_decision(position: Position, names: Sequence[str]) -> Text:
    """What the deciding player is to do next, in one sentence."""
    actions = legal_actions(position)
    name = names[position.decides]
    kinds = {action.kind for action in actions}
    if not actions:
        return say("above.over")
    first = actions[0]
    if "activate" in kinds:
        return say("above.choose_card", name=name)
    if "recover" in kinds:
        return say("above.pick_cards", name=name, n=len(first.deities))
    if "jump" in kinds:
        return _with_targets("above.through_gate", name, deity_name(_deity(first)), actions)
    if "move" in kinds:
        deities = {_deity(action) for action in actions}
        if len(deities) == 1:
            return _with_targets("above.step", name, deity_name(next(iter(deities))), actions)
        return say("above.step_other", name=name)
    if "place" in kinds:
        assert first.token is not None
        return say("above.lay_token", name=name, token=token_name(first.token))
    if "shift" in kinds:
        assert first.token is not None
        return say("above.shift_token", name=name, token=token_name(first.token))
    if kinds & {"remove", "back"}:
        if "back" not in kinds:
            return say("above.flood_token", name=name)
        return say("above.flood" if "remove" in kinds else "above.flood_back", name=name)
    if "disgrace" in kinds:
        return say("above.name_card", name=name)
    return say("above.exhaust_more", name=name)


def _with_targets(key: str, name: str, deity: Text, actions: Sequence[Action]) -> Text:
    """With the spaces to go to, where they are few."""
    places = [place_name(action.space) for action in actions if action.space is not None]
    if len(places) > 4:
        return say(key, name=name, deity=deity)
    return say(f"{key}_to", name=name, deity=deity, places=row(places))


def _deity(action: Action) -> str:
    assert action.deity is not None
    return action.deity


def turn_line(turn: Turn, names: Sequence[str]) -> Text:
    """A completed turn in a line, however it came about."""
    if turn.ruling:
        return say("above.played_on", ruling=turn.ruling)
    return _turn_text(turn.actions, tuple(names))


def correction_text(said: Correction) -> Text:
    """What was read, and what it is."""
    read, right = (_piece_name(said.what, name.partition(" ")[0]) for name in (said.read, said.said))
    return say("referee.corrected", read=read, right=right)


def _piece_name(what: str, name: str) -> Text:
    if what == "token":
        return say("above.a_token", token=token_name(name))
    return say("above.the_card", deity=deity_name(name)) if what == "card" else deity_name(name)


def turn_text(actions: Sequence[Action], names: Sequence[str]) -> Text:
    """A completed turn in a line: "Zeus: to b2, Thunder on c3"."""
    return _turn_text(tuple(actions), tuple(names))


# A snapshot tells the same turns again and again.
@lru_cache(maxsize=256)
def _turn_text(actions: tuple[Action, ...], names: tuple[str, ...]) -> Text:
    active = _deity(actions[0])
    parts = [text for action in actions[1:] if (text := _act_text(action, active, names)) is not None]
    done = row(parts) if parts else say("above.no_move")
    return say("above.turn", deity=deity_name(active), done=done)


def _act_text(action: Action, active: str, names: Sequence[str]) -> Text | None:
    """One action in a few words; a deity is named where it is not the activated one."""
    place = place_name(action.space) if action.space is not None else None
    match action.kind:
        case "move" | "jump" if place is not None:
            if action.deity == active:
                return say(f"above.did_{action.kind}", place=place)
            return say(f"above.did_{action.kind}_other", other=deity_name(_deity(action)), place=place)
        case "place" | "remove" if place is not None:
            return say(f"above.did_{action.kind}", token=token_name(action.token or ""), place=place)
        case "shift" if place is not None:
            origin = place_name(action.origin or "")
            return say("above.did_shift", token=token_name(action.token or ""), origin=origin, place=place)
        case "back" if place is not None:
            return say("above.did_back", deity=deity_name(_deity(action)), place=place)
        case "exhaust" if len(names) > 2:
            # A card of the partner's, as a rule there is another one of the same deity.
            whose = names[action.seat or 0]
            return say("above.did_exhaust_of", name=whose, deity=deity_name(_deity(action)))
        case "disgrace" | "exhaust":
            return say(f"above.did_{action.kind}", deity=deity_name(_deity(action)))
        case "recover":
            deities = listed(map(deity_name, action.deities))
            return say("above.did_recover", name=names[action.seat or 0], deities=deities)
        case _:
            return None
