"""The position that lies on the table, whatever led to it, and everything that makes it impossible."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, TOKENS, TOKENS_PER_TYPE
from companion.games.above.position import Position, PositionError
from companion.messages import Text, listed, say
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.explain import state_of
from companion.referee.requests import Refused
from companion.referee.wording import deity_name, place_name, token_name

_TOP = SPACES.index("top")
_FOUR_HOLD = 4


def laid_out(evidence: Evidence, turn: int, names: Sequence[str], known: Position | None = None) -> Position:
    """The position with `turn` to move. What is not seen to be otherwise is as in `known`, where that is given.

    Raises Refused with all its defects at once: a piece that is missing, two on one space, too many tokens or
    cards, a seat without a Powered card.
    """
    minis = [_mini(evidence, deity, known) for deity in range(len(DEITIES))]
    tokens = _tokens(evidence, known, minis)
    hands = [_hand(evidence, seat, known) for seat in range(evidence.players)]
    defects = tuple(
        dict.fromkeys(
            (
                *_unplaced(minis),
                *_crowded(minis, tokens),
                *_too_many(tokens),
                *_cards(evidence, hands, names, known),
            )
        )
    )
    if defects:
        raise Refused(say("above.cannot_play_from"), defects)
    spaces = [space for space in minis if space is not None]
    text = " ".join(
        (
            ",".join(f"{code}={SPACES[space]}" for code, space in zip(DEITIES, spaces, strict=True)),
            ",".join(
                f"{kind}={'.'.join(SPACES[s] for t, s in tokens if t == number)}"
                for number, kind in enumerate(TOKENS)
            ),
            "/".join(".".join(DEITIES[n] for n in sorted(hand.elements())) for hand in hands),
            str(turn),
            str(evidence.players),
        )
    )
    try:
        return Position.parse(text)
    except PositionError as error:
        raise Refused(say("above.cannot_play_from"), (f"{error}",)) from None


def _mini(evidence: Evidence, deity: int, known: Position | None) -> int | None:
    space = evidence.mini_at(deity)
    if space is None and known is not None:
        home = known.minis[deity]
        return home if evidence.mini_cost(deity, home) < CONTRADICTION else None
    return space


def _tokens(evidence: Evidence, known: Position | None, minis: Sequence[int | None]) -> list[tuple[int, int]]:
    """(type, space) of every token, by type, then space. What a miniature that came there has used up is taken."""
    lying = {slot for slot, p in evidence.tokens_seen().items() if p > 0.5}
    if known is not None:
        for number, kind in enumerate(TOKENS):
            spaces = {SPACES.index(name) for name in known.tokens_on(kind)}.difference(minis)
            lying |= {(number, s) for s in spaces if evidence.token_cost(number, s, True) < CONTRADICTION}
    return sorted(lying)


def _hand(evidence: Evidence, seat: int, known: Position | None) -> Counter[int]:
    """The Powered cards of a seat, by deity."""
    seen = Counter(evidence.powered_seen(seat))
    if known is None:
        return seen
    for deity in range(len(DEITIES)):
        count = state_of(known, ("card", seat, deity))
        if evidence.card_cost(seat, deity, count) < CONTRADICTION:
            seen[deity] = count
    return +seen


def _unplaced(minis: Sequence[int | None]) -> Iterator[Text]:
    missing = [deity_name(deity) for deity, space in enumerate(minis) if space is None]
    if missing:
        yield say("above.not_on_board", deities=listed(missing))


def _crowded(minis: Sequence[int | None], tokens: Sequence[tuple[int, int]]) -> Iterator[Text]:
    on: dict[int, list[Text]] = defaultdict(list)
    for deity, space in enumerate(minis):
        if space is not None:
            on[space].append(deity_name(deity))
    for token, space in tokens:
        on[space].append(say("above.a_token", token=token_name(token)))
        if space == _TOP:
            yield say("above.none_on_top")
    for space, pieces in sorted(on.items()):
        if len(pieces) > 1:
            yield say("above.room_for_one", place=place_name(space), pieces=listed(pieces))


def _too_many(tokens: Sequence[tuple[int, int]]) -> Iterator[Text]:
    for token, count in sorted(Counter(token for token, _ in tokens).items()):
        if count > TOKENS_PER_TYPE:
            yield say("above.too_many_tokens", n=count, token=token_name(token), most=TOKENS_PER_TYPE)


def _cards(
    evidence: Evidence, hands: Sequence[Counter[int]], names: Sequence[str], known: Position | None
) -> Iterator[Text]:
    for seat, hand in enumerate(hands):
        whose = names[seat]
        if not hand:
            yield say("above.none_powered", name=whose)
        if evidence.players == 2:
            if known is None:
                unseen = [
                    d for d in range(len(DEITIES)) if d not in hand and d not in evidence.spent_seen(seat)
                ]
                if unseen:
                    yield say("above.cards_unseen", name=whose, deities=listed(map(deity_name, unseen)))
            double = [deity_name(deity) for deity, count in sorted(hand.items()) if count > 1]
            if double:
                yield say("above.cards_twice", name=whose, deities=listed(double))
        elif hand.total() > _FOUR_HOLD:
            yield say("above.holds_too_many", name=whose, n=hand.total(), most=_FOUR_HOLD)
    for deity, count in sorted(sum(hands, Counter[int]()).items()):
        if evidence.players == 4 and count > 2:
            yield say("above.cards_too_many", n=count, deity=deity_name(deity))
