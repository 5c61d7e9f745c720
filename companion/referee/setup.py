"""Set-up: the position a game starts from, read off the table, and what differs from a known position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.position import Position
from companion.messages import listed, say
from companion.referee.drawn import Drawn
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.laid_out import laid_out
from companion.referee.requests import Refused
from companion.referee.trajectory import state_of
from companion.referee.verdict import Mark, Todo
from companion.referee.wording import deity_name, place_name, side_name, token_name

START_TOKENS = 2
# In the order in which the rulebook has them placed.
_PLACED = ("thunder", "barrier", "gate", "fertility")

Marks = tuple[tuple[str, Mark], ...]


@dataclass(frozen=True, slots=True)
class Act:
    """Something to be put right, with the spaces that show it: where a piece stands, where it belongs."""

    todo: Todo
    marks: Marks = ()

    @classmethod
    def of(
        cls, text: str, belongs: str | None = None, stands: str | None = None, mark: Mark = Mark.MISSING
    ) -> Act:
        """An act at a space."""
        marks = ((stands, Mark.WRONG),) if stands is not None else ()
        if belongs is not None:
            marks = (*marks, (belongs, mark))
        return cls(Todo(text, belongs or stands), marks)


def read_start(
    evidence: Evidence, names: Sequence[str], drawn: Drawn | None = None
) -> tuple[Position | None, tuple[Act, ...]]:
    """The starting position that lies on the table (A3, A4), or everything that is still missing or stands wrong.

    `drawn`: what the cards turned up so far say of the tokens.
    """
    acts = (*_minis(evidence), *_tokens(evidence, drawn), *_cards(evidence, names))
    first = starter(evidence)
    if not acts and first is None:
        acts = (Act.of(say("above.zeus_alpha")),)
    if acts or first is None:
        return None, acts
    try:
        return laid_out(evidence, first, names), ()
    except Refused as refused:
        return None, tuple(Act.of(defect) for defect in refused.defects)


def starter(evidence: Evidence) -> int | None:
    """The seat with the Zeus card of the first set, marked α (A4); None while it lies before nobody."""
    return next(
        (
            seat
            for card in evidence.reading.cards
            if card.deity == "ze" and card.card_set == 1 and (seat := evidence.seat_of(card)) is not None
        ),
        None,
    )


def differences(position: Position, evidence: Evidence, names: Sequence[str]) -> tuple[Act, ...]:
    """Every act that makes the table show the position; nothing for what is covered or merely unclear."""
    return (
        *_minis_differ(position, evidence),
        *_tokens_differ(position, evidence),
        *_cards_differ(position, evidence, names),
    )


def _minis_differ(position: Position, evidence: Evidence) -> Iterator[Act]:
    for deity, space in enumerate(position.minis):
        if evidence.mini_cost(deity, space) < CONTRADICTION:
            continue
        name, belongs = deity_name(deity), SPACES[space]
        at = evidence.mini_at(deity)
        if at is None:
            text = say("above.put_absent", deity=name, place=place_name(belongs))
            yield Act.of(text, belongs, mark=Mark.RETURN)
        else:
            text = say("above.put_from", deity=name, place=place_name(belongs), stands=place_name(at))
            yield Act.of(text, belongs, SPACES[at], Mark.RETURN)


def _tokens_differ(position: Position, evidence: Evidence) -> Iterator[Act]:
    slots = {
        (number, SPACES.index(name))
        for number, kind in enumerate(TOKENS)
        for name in position.tokens_on(kind)
    }
    for token, space in sorted(slots | set(evidence.tokens_seen())):
        there, place = (token, space) in slots, SPACES[space]
        if evidence.token_cost(token, space, there) < CONTRADICTION:
            continue
        if there:
            text = say("above.put_token", token=token_name(token), place=place_name(place))
            yield Act.of(text, place, mark=Mark.RETURN)
        else:
            text = say("above.take_off", token=token_name(token), place=place_name(place))
            yield Act.of(text, place, mark=Mark.REMOVE)


def _cards_differ(position: Position, evidence: Evidence, names: Sequence[str]) -> Iterator[Act]:
    for seat in range(position.players):
        for deity in range(len(DEITIES)):
            count = state_of(position, ("card", seat, deity))
            if evidence.card_cost(seat, deity, count) < CONTRADICTION:
                continue
            whose, name = names[seat], deity_name(deity)
            if position.players == 4:
                yield Act.of(say("above.so_many_powered", whose=whose, deity=name, n=count))
            else:
                side = side_name(bool(count))
                yield Act.of(say("above.turn_card", whose=whose, deity=name, side=side))


# -- the beginning of a game


def _minis(evidence: Evidence) -> Iterator[Act]:
    """Miniatures that are missing from ring 1, stand elsewhere, or too close to another."""
    missing = [deity_name(deity) for deity in range(len(DEITIES)) if evidence.mini_at(deity) is None]
    if missing:
        yield Act.of(say("above.to_ring_one", deities=listed(missing)))
    at: dict[int, int] = {}
    for deity in range(len(DEITIES)):
        space = evidence.mini_at(deity)
        if space is None:
            continue
        name = SPACES[space]
        if name == "top" or not name.endswith("1"):
            text = say("above.move_to_ring_one", deity=deity_name(deity), place=place_name(name))
            yield Act.of(text, stands=name)
        else:
            at[deity] = ord(name[0]) - ord("a")
    yield from _spacing(at)


def _spacing(at: dict[int, int]) -> Iterator[Act]:
    """On ring 1 (deity to column), those that do not stand on every other space like most of the others."""
    columns = Counter(at.values())
    even = sum(count for column, count in columns.items() if column % 2 == 0)
    odd_ones = 1 if 2 * even >= len(at) else 0
    for deity, column in at.items():
        name = f"{chr(ord('a') + column)}1"
        if column % 2 == odd_ones:
            text = say("above.move_one_on", deity=deity_name(deity), place=place_name(name))
            yield Act.of(text, stands=name)
        elif columns[column] > 1:
            text = say("above.two_stand", deity=deity_name(deity), place=place_name(name))
            yield Act.of(text, stands=name)


def _tokens(evidence: Evidence, drawn: Drawn | None) -> Iterator[Act]:
    seen = Counter(token for (token, _), p in evidence.tokens_seen().items() if p > 0.5)
    told = drawn.spaces if drawn is not None else ()
    # Where the cards name a space that is not open, the rulebook says nothing: any open space will do (A3).
    taken = {SPACES[space] for _, space in evidence.tokens_seen()}
    taken |= {SPACES[s] for s in map(evidence.mini_at, range(len(DEITIES))) if s is not None}
    for kind in _PLACED:
        number, name = TOKENS.index(kind), token_name(kind)
        count = seen[number]
        if count > START_TOKENS:
            yield Act.of(say("above.start_tokens", n=count, token=name, most=START_TOKENS))
        if count >= START_TOKENS:
            continue
        due = [each for each in told if each.token == kind and each.space not in taken][
            : START_TOKENS - count
        ]
        for each in due:
            text = say("above.place_because", token=name, place=place_name(each.space), why=each.why)
            yield Act.of(text, each.space, mark=Mark.TARGET)
        left = START_TOKENS - count - len(due)
        if left > 0:
            yield Act.of(say("above.place_drawn", n=left, token=name))


def _cards(evidence: Evidence, names: Sequence[str]) -> Iterator[Act]:
    each = 8 if evidence.players == 2 else 4
    for seat in range(evidence.players):
        spent = evidence.spent_seen(seat)
        if spent:
            yield Act.of(
                say("above.turn_up", name=names[seat], deities=listed(map(deity_name, sorted(spent))))
            )
            continue
        seen = evidence.powered_seen(seat)
        count = sum(seen.values())
        if count != each or (evidence.players == 2 and len(seen) != each):
            missing = [deity_name(deity) for deity in range(len(DEITIES)) if deity not in seen]
            if evidence.players == 2 and 0 < len(missing) < each:
                text = say(
                    "above.lay_cards_missing", name=names[seat], n=each, seen=count, missing=listed(missing)
                )
            else:
                text = say("above.lay_cards", name=names[seat], n=each, seen=count)
            yield Act.of(text)
    if evidence.players == 4:
        yield from _sets(evidence, names)


def _sets(evidence: Evidence, names: Sequence[str]) -> Iterator[Act]:
    """With four, each set of 8 is dealt 4 and 4 to two opponents (A4); the card before a seat tells its set."""
    held: dict[int, dict[int, list[int]]] = {}
    for card in evidence.reading.cards:
        seat = evidence.seat_of(card)
        if seat is not None and card.powered:
            held.setdefault(seat, {}).setdefault(card.card_set, []).append(DEITIES.index(card.deity))
    mixed = False
    for seat, sets in sorted(held.items()):
        if len(sets) > 1:
            mixed = True
            few, _ = sorted(sets.values(), key=len)
            cards = listed(map(deity_name, sorted(few)))
            yield Act.of(say("above.other_set", name=names[seat], deities=cards))
    for one, other in ((0, 2), (1, 3)):
        if not mixed and held.get(one, {}).keys() & held.get(other, {}).keys():
            yield Act.of(say("above.team_one_set", one=names[one], other=names[other]))
