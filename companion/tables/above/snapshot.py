"""The snapshot for the page: what lies on the table and what the referee makes of it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, TOKENS, Table
from companion.games.above.position import Position
from companion.messages import Text, row, say
from companion.referee.evidence import Evidence
from companion.referee.referee import Referee
from companion.referee.wording import deity_name, place_name, turn_line
from companion.sensing.reading import Reading
from companion.web.models import (
    BoardView,
    CardView,
    DeviceView,
    HistoryLine,
    PlayerView,
    Snapshot,
    TokenView,
    VerdictView,
)

HISTORY_LINES = 30


def snapshot_of(
    referee: Referee,
    reading: Reading | None,
    devices: Sequence[DeviceView],
    table: Table,
    *,
    paused: bool = False,
) -> Snapshot:
    """Everything the page shows, from the referee's state and the newest settled reading."""
    position = referee.position
    turns = referee.turns
    history = tuple(
        HistoryLine(
            turn=number + 1,
            seat=turn.before.turn,
            name=referee.names[turn.before.turn],
            text=turn_line(turn, referee.names),
        )
        for number, turn in list(enumerate(turns))[-HISTORY_LINES:]
    )
    return Snapshot(
        players=tuple(PlayerView(seat=seat, name=name) for seat, name in enumerate(referee.names)),
        simulated=any(device.simulated for device in devices),
        devices=tuple(devices),
        board=_board(
            position, None if reading is None else referee.corrected(reading), referee.players, table
        ),
        verdict=VerdictView.of(referee.verdict, len(turns)),
        turn=len(turns),
        paused=paused,
        history=history,
        score=() if position is None else leaders(position),
    )


def _board(position: Position | None, reading: Reading | None, players: int, table: Table) -> BoardView:
    """What is seen; what is covered or missed is shown where the game says it is."""
    if reading is None or reading.frame != "ok":
        return BoardView() if position is None else board_of(position)
    evidence = Evidence(reading, players, table)
    known = None if position is None else board_of(position)
    minis: dict[str, str | None] = {}
    for number, code in enumerate(DEITIES):
        space = evidence.mini_at(number)
        if space is not None:
            minis[code] = SPACES[space]
        elif position is not None and evidence.is_hidden(position.minis[number]):
            minis[code] = SPACES[position.minis[number]]
        else:
            minis[code] = None
    tokens = [
        TokenView(type=TOKENS[token], space=SPACES[space])
        for (token, space), p in sorted(evidence.tokens_seen().items())
        if p > 0.5
    ]
    if known is not None:
        seen = {token.space for token in tokens}
        tokens += [
            token
            for token in known.tokens
            if token.space not in seen and evidence.is_hidden(SPACES.index(token.space))
        ]
    cards: list[tuple[CardView, ...]] = []
    for seat in range(players):
        lying = [card for card in reading.cards if evidence.seat_of(card) == seat]
        lying.sort(key=lambda card: (DEITIES.index(card.deity), not card.powered))
        cards.append(tuple(CardView(deity=card.deity, powered=card.powered) for card in lying))
    pile = () if known is None else known.pile
    return BoardView(minis=minis, tokens=tuple(tokens), cards=tuple(cards), pile=pile)


def board_of(position: Position) -> BoardView:
    """The board as it lies in a position."""
    minis: dict[str, str | None] = {
        code: SPACES[space] for code, space in zip(DEITIES, position.minis, strict=True)
    }
    tokens = tuple(
        TokenView(type=token, space=space) for token in TOKENS for space in position.tokens_on(token)
    )
    cards: list[tuple[CardView, ...]] = []
    pile: list[str] = []
    for seat in range(position.players):
        powered = position.powered(seat)
        if position.players == 2:
            cards.append(tuple(CardView(deity=code, powered=code in powered) for code in DEITIES))
        else:
            cards.append(tuple(CardView(deity=code, powered=True) for code in powered))
    if position.players == 4:
        held = [code for seat in range(4) for code in position.powered(seat)]
        pile = [code for code in DEITIES for _ in range(2 - held.count(code))]
    return BoardView(minis=minis, tokens=tokens, cards=tuple(cards), pile=tuple(pile))


def leaders(position: Position) -> tuple[Text, ...]:
    """Which deities stand highest."""
    heights = {code: _height(SPACES[space]) for code, space in zip(DEITIES, position.minis, strict=True)}
    best = max(heights.values())
    leading = [code for code, height in heights.items() if height == best]
    if best == 7:
        return (say("above.leads_top", deity=deity_name(leading[0]), place=place_name("top")),)
    names = row(map(deity_name, leading))
    return (say("above.leads", deities=names, ring=best),) if len(leading) <= 4 else ()


def _height(space: str) -> int:
    return 7 if space == "top" else int(space[1:])
