"""A turn read anew: what it comes to once a card in it goes by another name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.games.olympeak.events import Blocked, Event, Insert, Play, Remove, Reveal, Ruling
from companion.games.olympeak.refusal import IllegalEvent
from companion.messages import say
from companion.referee.corrections import Correction
from companion.referee.olympeak.ledger import Unit, states_of
from companion.referee.requests import Refused


def reread(unit: Unit, correction: Correction, shown: str) -> tuple[Event, ...] | None:
    """The events of a turn in which the card `shown` is another; None if it was not in it.

    Where the other card leads to another order of play or may not lie there, its reveal alone is given: what was
    played since is then told by the table. Raises Refused if not even that is possible.
    """
    names = {shown: correction.said}
    if correction.swapped:
        names[correction.said] = shown
    events = tuple(_renamed(event, names) for event in unit.events)
    if events == unit.events or any(isinstance(event, Ruling) for event in events):
        return None
    for tried in (events, events[:1]):
        try:
            states_of(unit.before, tried)
        except IllegalEvent:
            continue
        return tried
    raise Refused(say("olympeak.not_revealed_so", card=correction.said))


def _renamed(event: Event, names: Mapping[str, str]) -> Event:
    match event:
        case Reveal(cards=cards):
            return Reveal(tuple(names.get(card, card) for card in cards))
        case Play(card=card) | Blocked(card=card) | Insert(card=card):
            return replace(event, card=names.get(card, card))
        case Remove(card=removed) if removed is not None:
            return replace(event, card=names.get(removed, removed))
        case _:
            return event
