"""Wording: what the referee says, in sentences for players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.above.action import Action
from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, DEITY_NAMES, TOKENS
from companion.games.above.position import Position
from companion.games.above.rules import legal_actions
from companion.referee.corrections import Correction
from companion.referee.evidence import AIR
from companion.referee.hypothesis import Hypothesis, Item
from companion.referee.turn import Turn
from companion.referee.verdict import Todo


def place_name(space: str | int) -> str:
    """A space as people say it."""
    name = SPACES[space] if isinstance(space, int) else space
    return "the summit" if name == "top" else name


def deity_name(deity: str | int) -> str:
    """A deity's name, by code or index."""
    return DEITY_NAMES[DEITIES[deity] if isinstance(deity, int) else deity]


def token_name(token: str | int) -> str:
    """A token's name with a capital, by name or index."""
    return (TOKENS[token] if isinstance(token, int) else token).capitalize()


def listed(words: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    items = list(words)
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def card_act(item: Item, count: int, before: int, position: Position, names: Sequence[str]) -> str:
    """What to do with a card so that `count` lie Powered where `before` did."""
    _, seat, deity = item
    whose = f"{names[seat]}'s {deity_name(deity)} card"
    if position.players == 2:
        return f"Turn {whose} to its {'Powered' if count > before else 'Spent'} side."
    if count > before:
        return f"{names[seat]} takes {deity_name(deity)} from the discard pile, Powered face up."
    return f"Put {whose} on the discard pile."


_ACT_ORDER = {"mini": 0, "token": 1, "card": 2, "reed": 3}


def pending_acts(hypotheses: Sequence[Hypothesis], names: Sequence[str]) -> tuple[Todo, ...]:
    """What remains to be done of a turn; where the hypotheses differ on the place, it is left open."""
    first = hypotheses[0]
    picks = _free_picks(first)
    todo: list[Todo] = []
    # Always in the same order, so that a list people work off does not jump about.
    for item in sorted((*first.pending, *first.unsure), key=lambda item: (_ACT_ORDER[item[0]], item)):
        kind, one, two = item
        ends = {h.trajectory[item][-1] for h in hypotheses if item in h.trajectory}
        start = first.trajectory.get(item, (AIR,))[0]
        if kind == "mini":
            if item not in first.trajectory:
                space = first.positions[0].minis[one]
                todo.append(Todo(f"Put {deity_name(one)} back on {place_name(space)}.", SPACES[space]))
            elif len(ends) == 1:
                end = next(iter(ends))
                todo.append(Todo(f"Move {deity_name(one)} to {place_name(end)}.", SPACES[end]))
            else:
                todo.append(Todo(f"Move {deity_name(one)} one space to the side or forward."))
        elif kind == "token":
            if first.trajectory[item][-1]:
                certain = all(item in h.trajectory for h in hypotheses)
                where = place_name(two) if certain else "an open space"
                todo.append(
                    Todo(f"Place a {token_name(one)} token on {where}.", SPACES[two] if certain else None)
                )
            else:
                text = f"Take the {token_name(one)} token off {place_name(two)}."
                todo.append(Todo(text, SPACES[two]))
        elif kind == "reed":
            if not todo:
                # Else it is what has not been moved yet.
                todo.append(Todo(f"Take away what stands on {place_name(one)}.", SPACES[one]))
        elif item not in picks:
            count = first.trajectory[item][-1]
            todo.append(Todo(card_act(item, count, start, first.positions[0], names)))
    if picks:
        seat = next(iter(picks))[1]
        cards = "card" if len(picks) == 1 else "cards"
        todo.append(
            Todo(f"{names[seat]} takes {len(picks)} more {cards} from the discard pile, Powered face up.")
        )
    return tuple(todo)


def _free_picks(hypothesis: Hypothesis) -> frozenset[Item]:
    """The cards still to be recovered where the player is free to pick others (A5): none of them is to be named."""
    picked = {
        ("card", action.seat, DEITIES.index(deity))
        for action, before in zip(hypothesis.actions, hypothesis.positions, strict=False)
        if action.kind == "recover" and len(legal_actions(before)) > 1
        for deity in action.deities
    }
    return frozenset(item for item in hypothesis.pending if item in picked)


def next_decision(position: Position, names: Sequence[str]) -> str:
    """What the deciding player is to do next, in one sentence."""
    actions = legal_actions(position)
    name = names[position.decides]
    kinds = {action.kind for action in actions}
    if not actions:
        return "The game is over."
    first = actions[0]
    if "activate" in kinds:
        return f"{name}: choose a Powered card, turn it and move its deity."
    if "recover" in kinds:
        return f"{name}: pick {len(first.deities)} cards from the discard pile and lay them Powered face up."
    if "jump" in kinds:
        return f"{name}: move {deity_name(_deity(first))} through the Gate{_targets(actions)}."
    if "move" in kinds:
        deities = {_deity(action) for action in actions}
        if len(deities) == 1:
            who = deity_name(next(iter(deities)))
            return f"{name}: move {who} one space to the side or forward{_targets(actions)}."
        return f"{name}: move another deity one space to the side or forward."
    if "place" in kinds:
        assert first.token is not None
        return f"{name}: place a {token_name(first.token)} token on an open space."
    if "shift" in kinds:
        assert first.token is not None
        return (
            f"{name}: the Reserve is empty, so move a {token_name(first.token)} token to another open space."
        )
    if kinds & {"remove", "back"}:
        choices = {"remove": "take any one token off the board", "back": "move any one deity a ring back"}
        return f"{name}: " + " or ".join(choices[kind] for kind in ("remove", "back") if kind in kinds) + "."
    if "disgrace" in kinds:
        return f"{name}: name a Powered card of the opponent, which is exhausted."
    return f"{name}: you may exhaust more cards."


def _targets(actions: Sequence[Action]) -> str:
    spaces = [place_name(action.space) for action in actions if action.space is not None]
    return f" (to {', '.join(spaces)})" if len(spaces) <= 4 else ""


def _deity(action: Action) -> str:
    assert action.deity is not None
    return action.deity


def turn_line(turn: Turn, names: Sequence[str]) -> str:
    """A completed turn in a line, however it came about."""
    if turn.ruling:
        return f"played on from what lay there – {turn.ruling}"
    return turn_text(turn.actions, names)


def correction_text(said: Correction) -> str:
    """What was read, and what it is."""
    read, right = (_piece_name(said.what, name.partition(" ")[0]) for name in (said.read, said.said))
    return f"{read} was read, and it is {right}."


def _piece_name(what: str, name: str) -> str:
    if what == "token":
        return f"a {token_name(name)} token"
    return f"the {deity_name(name)} card" if what == "card" else deity_name(name)


def turn_text(actions: Sequence[Action], names: Sequence[str]) -> str:
    """A completed turn in a line: "Zeus: to b2, Thunder on c3"."""
    parts: list[str] = []
    active = deity_name(_deity(actions[0]))
    for action in actions[1:]:
        who = (
            ""
            if action.deity is None or deity_name(action.deity) == active
            else f"{deity_name(action.deity)} "
        )
        where = "" if action.space is None else place_name(action.space)
        match action.kind:
            case "move":
                parts.append(f"{who}to {where}")
            case "jump":
                parts.append(f"{who}through the Gate to {where}")
            case "place":
                parts.append(f"{token_name(action.token or '')} on {where}")
            case "shift":
                parts.append(f"{token_name(action.token or '')} from {action.origin} to {where}")
            case "remove":
                parts.append(f"{token_name(action.token or '')} off {where}")
            case "back":
                parts.append(f"{deity_name(_deity(action))} back to {where}")
            case "disgrace":
                parts.append(f"{deity_name(_deity(action))} disgraced")
            case "exhaust":
                parts.append(f"{deity_name(_deity(action))} exhausted")
            case "recover":
                parts.append(f"{names[action.seat or 0]} recovers " + listed(map(deity_name, action.deities)))
            case _:
                pass
    return f"{active}: {', '.join(parts)}" if parts else f"{active}: no move possible"
