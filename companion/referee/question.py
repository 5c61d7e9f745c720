"""Questions: which of several turns that fit alike was played, asked so that a few buttons are enough.

Up to four turns are offered whole. Of more, one thing is asked after the other: who was disgraced, which card was
taken from the pile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from companion.games.above.action import Action
from companion.games.above.box import DEITIES
from companion.games.above.position import Position
from companion.messages import Text, say
from companion.referee.hypothesis import Hypothesis
from companion.referee.trajectory import walked
from companion.referee.unseen_cards import MOST_NAMED
from companion.referee.verdict import Choice, Kind, Verdict
from companion.referee.wording import deity_name, place_name, token_name, turn_text

MOST_WHOLE = 4
TURN, DID, NONE = "turn:", "did:", "none"
# What was taken for the last turn, written down: it was not played.
WRONG = "wrong:"


class Said:
    """What has been answered about the open turn."""

    def __init__(self) -> None:
        self._did: set[str] = set()
        self._not: set[str] = set()

    def forget(self) -> None:
        """Another turn."""
        self._did.clear()
        self._not.clear()

    def take(self, key: str, ends: Sequence[Hypothesis]) -> bool:
        """Takes an answer to the question about these ends; False if it is none."""
        if key == NONE:
            self._not.update(_options(self.ways(ends)))
        elif key.startswith(DID):
            self._did.add(key.removeprefix(DID))
        elif key.startswith(TURN):
            return chosen(key, ends) is not None
        else:
            return False
        return True

    def narrowed(self, ends: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
        """The ends that agree with what was answered."""
        if not (self._did or self._not):
            return tuple(ends)
        return tuple(end for end in ends if any(map(self._agrees, _ways(end.positions[0], end.actions))))

    def ways(self, ends: Sequence[Hypothesis]) -> list[tuple[str, ...]]:
        """What may have happened in a turn, each way that agrees with what was answered: what may be asked next."""
        return [way for end in ends for way in _ways(end.positions[0], end.actions) if self._agrees(way)]

    def _agrees(self, way: Sequence[str]) -> bool:
        return self._did.issubset(way) and self._not.isdisjoint(way)


def chosen(key: str, ends: Sequence[Hypothesis]) -> Hypothesis | None:
    """The end that an answer names whole."""
    return next((end for end, named in zip(ends, _keys(ends), strict=True) if named == key), None)


def denies_all(ends: Sequence[Hypothesis], said: Said) -> bool:
    """Does `none` to the question about these ends, of which some was `said`, leave not one of them?"""
    if len(ends) <= MOST_WHOLE:
        return True
    ways = said.ways(ends)
    options = _options(ways)
    return not options or not any(options.keys().isdisjoint(way) for way in ways)


def notation(end: Hypothesis) -> str:
    """A turn as it is written down."""
    return ", ".join(str(action) for action in end.actions)


def _keys(ends: Sequence[Hypothesis]) -> list[str]:
    """How each is named whole. The same acts may be one player's, or another's instead of the turn before."""
    texts = [notation(end) for end in ends]
    if len(set(texts)) < len(texts):
        texts = [f"by {end.positions[0].turn}, {text}" for end, text in zip(ends, texts, strict=True)]
    return [TURN + text for text in texts]


def which_turn(
    seat: int,
    ends: Sequence[Hypothesis],
    names: Sequence[str],
    said: Said,
    *,
    or_none: bool = False,
    several: bool = False,
) -> Verdict:
    """The question which of these turns was played, of which some was `said`; `or_none`: it may be that none was;
    `several`: or more than one, by the same player.
    """
    ways = said.ways(ends) if len(ends) > MOST_WHOLE else ()
    options = _options(ways) if ways else {}
    if not options:
        # They are few, or nothing that can be told apart by one act: each is named whole.
        texts: list[str] = [turn_text(end.actions, names) for end in ends]
        if len({end.positions[0].turn for end in ends}) > 1:
            whose = (names[end.positions[0].turn] for end in ends)
            texts = [
                say("above.turn_by", name=name, turn=text) for name, text in zip(whose, texts, strict=True)
            ]
        choices = [Choice(key, text) for key, text in zip(_keys(ends), texts, strict=True)]
        if or_none:
            choices.append(Choice(NONE, say("above.none_of_these")))
        asked = say("above.which_first" if several else "referee.which_played")
        return Verdict(Kind.QUESTION, seat, asked, choices=tuple(choices))
    choices = [Choice(DID + option, feature_text(option, names)) for option in options]
    if or_none or any(options.keys().isdisjoint(way) for way in ways):
        choices.append(Choice(NONE, say("above.none_of_these")))
    return Verdict(Kind.QUESTION, seat, say("above.what_done"), choices=tuple(choices))


def _options(features: Sequence[Sequence[str]]) -> dict[str, None]:
    """What some ways have and others have not: all of one kind, in order, the first that tells them apart.

    Empty if nothing does: a card exhausted once in one and twice in the other is the same thing told.
    """
    common = set(features[0]).intersection(*features[1:])
    found: dict[str, None] = {}
    for each in features:
        for feature in each:
            if feature not in common:
                found[feature] = None
    if not found:
        return found
    first = min(
        (next((n for n, feature in enumerate(each) if feature not in common), 1 << 30), n)
        for n, each in enumerate(features)
    )
    kind = features[first[1]][first[0]].split(" ")[0]
    return {feature: None for feature in found if feature.split(" ")[0] == kind}


# One question is asked at many looks, of no more turns than these; each takes more than a kilobyte.
@lru_cache(maxsize=MOST_NAMED)
def _ways(position: Position, actions: tuple[Action, ...]) -> tuple[tuple[str, ...], ...]:
    """All ways in which what was played may be told, each thing by a text.

    A card that was taken from the pile and given up again in the same turn may have been any other one that lay there:
    all of it leads to the same position, but only one way happened, and that is what people tell.
    """
    after = _led_to(position, actions)
    found = {actions: None}
    for each in (open_ways := [actions]):
        for other in _otherwise(each):
            if other not in found and _led_to(position, other) == after:
                found[other] = None
                open_ways.append(other)
    return tuple(dict.fromkeys(map(_told, found)))


def _otherwise(actions: tuple[Action, ...]) -> Iterator[tuple[Action, ...]]:
    """The same turn with another card in place of one that was taken from the pile and given up again."""
    for taking, picked in enumerate(actions):
        for giving in range(taking + 1, len(actions) if picked.kind == "recover" else 0):
            given = actions[giving]
            if given.kind not in ("exhaust", "disgrace") or given.deity not in picked.deities:
                continue
            rest = list(picked.deities)
            rest.remove(given.deity)
            # There are two of each card.
            for code in (code for code in DEITIES if rest.count(code) < 2):
                cards = tuple(sorted((*rest, code), key=DEITIES.index))
                changed = list(actions)
                changed[taking] = Action("recover", seat=picked.seat, deities=cards)
                changed[giving] = Action(given.kind, deity=code, seat=given.seat)
                yield tuple(changed)


def _led_to(position: Position, actions: Sequence[Action]) -> Position | None:
    """Where the actions lead; None if one of them is against the rules."""
    positions = walked(position, actions)
    return None if positions is None else positions[-1]


def _told(actions: tuple[Action, ...]) -> tuple[str, ...]:
    """What happened in a turn, each thing by a text; the order of acts does not matter."""
    told: list[str] = []
    for action in actions:
        if action.kind == "recover":
            for code in dict.fromkeys(action.deities):
                both = " twice" if action.deities.count(code) > 1 else ""
                told.append(f"pick {action.seat} {code}{both}")
        elif action.kind == "shift":
            # Of two Barriers that come to lie here and there either may be the one that was taken from elsewhere.
            told += (f"remove {action.token} {action.origin}", f"place {action.token} {action.space}")
        elif action.kind != "done":
            told.append(str(action))
    return tuple(told)


def feature_text(feature: str, names: Sequence[str]) -> Text:
    """What happened in a turn, in words."""
    if feature.startswith("pick "):
        _, seat, code, *both = feature.split(" ")
        key = "above.took_from_pile_twice" if both else "above.took_from_pile"
        return say(key, name=names[int(seat)], deity=deity_name(code))
    action = Action.parse(feature)
    place = place_name(action.space) if action.space is not None else ""
    match action.kind:
        case "activate":
            return say("above.was_activated", deity=deity_name(action.deity or ""))
        case "disgrace":
            return say("above.was_disgraced", deity=deity_name(action.deity or ""))
        case "exhaust":
            whose = names[action.seat or 0]
            return say("above.was_exhausted", name=whose, deity=deity_name(action.deity or ""))
        case "place" | "shift":
            return say("above.came_to", token=token_name(action.token or ""), place=place)
        case "done":
            return say("above.no_more")
        case "remove":
            return say("above.was_taken_off", token=token_name(action.token or ""), place=place)
        case _:
            return say("above.went_to", deity=deity_name(action.deity or ""), place=place)
