"""Questions: which of several turns that fit alike was played, asked so that a few buttons are enough.

Up to four turns are offered whole. Of more, one thing is asked after the other: who was disgraced, which card was
taken from the pile.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.games.above.action import Action
from companion.messages import Text, say
from companion.referee.hypothesis import Hypothesis
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
            self._not.update(_options(ends))
        elif key.startswith(DID):
            self._did.add(key.removeprefix(DID))
        elif key.startswith(TURN):
            return any(notation(end) == key.removeprefix(TURN) for end in ends)
        else:
            return False
        return True

    def narrowed(self, ends: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
        """The ends that agree with what was answered."""
        if not (self._did or self._not):
            return tuple(ends)
        kept = []
        for end in ends:
            has = frozenset(_features(end))
            if self._did <= has and not self._not & has:
                kept.append(end)
        return tuple(kept)


def chosen(key: str, ends: Sequence[Hypothesis]) -> Hypothesis | None:
    """The end that an answer names whole."""
    return next((end for end in ends if TURN + notation(end) == key), None)


def denies_all(ends: Sequence[Hypothesis]) -> bool:
    """Does `none` to the question about these ends leave not one of them?"""
    if len(ends) <= MOST_WHOLE:
        return True
    options = _options(ends)
    return not any(options.keys().isdisjoint(_features(end)) for end in ends)


def notation(end: Hypothesis) -> str:
    """A turn as it is written down."""
    return ", ".join(str(action) for action in end.actions)


def which_turn(
    seat: int, ends: Sequence[Hypothesis], names: Sequence[str], *, or_none: bool = False
) -> Verdict:
    """The question which of these turns was played; `or_none`: it may well be that none was."""
    if len(ends) <= MOST_WHOLE:
        texts: list[str] = [turn_text(end.actions, names) for end in ends]
        if len(set(texts)) < len(texts):
            texts = [notation(end) for end in ends]
        choices = [Choice(TURN + notation(end), text) for end, text in zip(ends, texts, strict=True)]
        if or_none:
            choices.append(Choice(NONE, say("above.none_of_these")))
        return Verdict(Kind.QUESTION, seat, say("above.which_played"), choices=tuple(choices))
    options = _options(ends)
    choices = [Choice(DID + option, feature_text(option, names)) for option in options]
    if or_none or any(options.keys().isdisjoint(_features(end)) for end in ends):
        choices.append(Choice(NONE, say("above.none_of_these")))
    return Verdict(Kind.QUESTION, seat, say("above.what_done"), choices=tuple(choices))


def _options(ends: Sequence[Hypothesis]) -> dict[str, None]:
    """What some of the ends have and others have not: all of one kind, in order, the first that tells them apart."""
    features = [_features(end) for end in ends]
    common = set(features[0]).intersection(*features[1:])
    found: dict[str, None] = {}
    for each in features:
        for feature in each:
            if feature not in common:
                found[feature] = None
    first = min(
        (next((n for n, feature in enumerate(each) if feature not in common), 1 << 30), n)
        for n, each in enumerate(features)
    )
    kind = features[first[1]][first[0]].split(" ")[0]
    return {feature: None for feature in found if feature.split(" ")[0] == kind}


def _features(end: Hypothesis) -> tuple[str, ...]:
    return _told(end.actions)


@lru_cache(maxsize=1 << 12)
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
