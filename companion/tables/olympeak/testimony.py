"""What a ruling at a table of OlymPeak was made from: the columns and zones that counted, and the cards seen there."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak.events import Insert, Play, Remove
from companion.messages import Text, say
from companion.referee.olympeak.referee import OlympeakReferee
from companion.sensing.olympeak.reading import OlympeakReading


def testimony(
    looks: Sequence[OlympeakReading], referee: OlympeakReferee, *, accepted: bool
) -> tuple[str, ...]:
    """Which cards were seen in the looks since the hands left, in each place that counted."""
    if accepted and referee.turns:
        last = referee.turns[-1]
        cards = [
            event.card for event in last.events if isinstance(event, Play | Insert | Remove) and event.card
        ]
        places = {f"card {card}" for card in cards}
    else:
        places = {place for place, _ in referee.verdict.marks}
    seen: dict[tuple[str, int, str], list[float]] = {}
    before: dict[tuple[int, str], int] = {}
    for look in looks:
        for card in look.columns:
            if f"column {card.contender}" in places or f"card {card.card}" in places:
                seen.setdefault((card.contender, card.row, card.card), []).append(card.p)
        for each in look.reveal:
            if each.card is not None and f"reveal {each.seat}" in places:
                before[each.seat, each.card] = before.get((each.seat, each.card), 0) + 1
    lines: list[Text] = [
        say(
            "seen.card",
            column=say(f"names.{contender}"),
            row=row,
            card=card,
            seen=len(sure),
            looks=len(looks),
            percent=int(100 * sum(sure) / len(sure)),
        )
        for (contender, row, card), sure in sorted(seen.items())
    ]
    lines += [
        say("seen.revealed", name=referee.names[seat], card=card, seen=count, looks=len(looks))
        for (seat, card), count in sorted(before.items())
    ]
    return tuple(lines)
