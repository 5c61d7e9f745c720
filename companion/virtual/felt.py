"""What switches can know: is the lie of all magnets also that of some legal turn, complete or in part?

Cards have no magnets, and one magnet is like another: what switches feel is which spaces are stood on. An illegal act
after which they feel just what a legal one may leave cannot be told from it by anybody who sees nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from companion.games.above.action import Action
from companion.games.above.board import SPACES, bits
from companion.games.above.box import TOKENS
from companion.games.above.position import Position
from companion.games.above.rules import apply, legal_actions
from companion.virtual.truth import Lie

_INDEX = {name: number for number, name in enumerate(SPACES)}
# What only cards show makes no difference here: one choice stands for all, unless the next player goes on from it.
_OF_CARDS = ("exhaust", "disgrace", "recover", "done")
# The states an item takes along a path: a set of bit sets, each the space it stands on then, or none.
_States = dict[tuple[str, int, int], frozenset[int]]


def is_felt_legal(
    position: Position,
    table: Lie,
    deaf: Set[str] = frozenset(),
    before: Sequence[Lie] = (),
    earlier: Sequence[Position] = (),
    broken: int = 0,
) -> bool:
    """Whether some legal turn from `position`, in whatever order, leaves magnets just where they are on `table`.

    One miniature may be in a hand meanwhile. `deaf`: the spaces whose switch is broken, so that nothing follows from it.
    `before`: how the table lay on the way there. If a turn could have been over then, this may be the next one.
    `earlier`: the positions before the last turns, which may be taken back by putting all as it was. `broken`: so many
    more switches may be broken besides, whichever they are.
    """
    heard = (1 << len(SPACES)) - 1
    for name in deaf:
        heard &= ~(1 << _INDEX[name])
    felt = _felt(table) & heard
    if any((felt ^ position.stood_on & heard).bit_count() <= broken for position in earlier):
        return True
    on_the_way = {_felt(each) & heard for each in before}
    for states, after in _turns(position, felt, heard, goes_on=bool(on_the_way)):
        if _may_be(states, felt, heard, broken):
            return True
        for lay in on_the_way if after is not None else ():
            assert after is not None
            otherwise = {SPACES[space] for space in bits(after.stood_on & heard ^ lay)}
            if len(otherwise) <= broken and is_felt_legal(
                after, table, deaf | otherwise, broken=broken - len(otherwise)
            ):
                return True
    return False


def _felt(table: Lie) -> int:
    felt = 0
    for space in (*table.minis.values(), *(space for _, space in table.tokens)):
        if space is not None:
            felt |= 1 << _INDEX[space]
    return felt


def _turns(
    position: Position, felt: int, heard: int, *, goes_on: bool
) -> Iterator[tuple[_States, Position | None]]:
    """The states of every item in each turn that matters here, and where it leads; of no turn, None. `goes_on`: what the
    next player holds after it matters, too.
    """
    start: _States = {
        ("mini", deity, 0): frozenset((1 << space,)) for deity, space in enumerate(position.minis)
    }
    for token, laid in enumerate(position.laid):
        for space in range(len(SPACES)):
            if laid >> space & 1:
                start["token", token, space] = frozenset((1 << space,))
    yield start, None
    open_nodes = [(position, start)]
    seen: set[tuple[Position, frozenset[object]]] = set()
    while open_nodes:
        here, states = open_nodes.pop()
        for action in _worth_trying(here, felt, heard, goes_on):
            after = apply(here, action)
            longer = _longer(states, here, after)
            key = (after, frozenset(longer.items()))
            if key in seen:
                continue
            seen.add(key)
            if after.at_turn_start or after.is_over:
                yield longer, None if after.is_over else after  # whatever was done before is among its states
            else:
                open_nodes.append((after, longer))


def _worth_trying(position: Position, felt: int, heard: int, goes_on: bool) -> Iterator[Action]:
    """The legal actions; one stands for all that only cards tell, but for those of the next player where that one
    `goes_on`, and for all tokens laid where nothing is felt, or where nothing can be."""
    stood_for: set[object] = set()
    for action in legal_actions(position):
        kind: object = None
        if action.kind in _OF_CARDS:
            kind = None if goes_on and _is_of_the_next(position, action) else "cards"
        elif action.kind in ("place", "shift") and not felt >> _INDEX[str(action.space)] & 1:
            kind = (action.token, action.origin, heard >> _INDEX[str(action.space)] & 1)
        if kind is not None:
            if kind in stood_for:
                continue
            stood_for.add(kind)
        yield action


def _is_of_the_next(position: Position, action: Action) -> bool:
    """Does it decide what the player after this turn holds?"""
    following = (position.turn + 1) % position.players
    return action.kind == "disgrace" or (action.kind == "recover" and action.seat == following)


def _longer(states: _States, before: Position, after: Position) -> _States:
    longer = dict(states)
    for deity, (old, new) in enumerate(zip(before.minis, after.minis, strict=True)):
        if old != new:
            longer["mini", deity, 0] |= {1 << new}
    for token in range(len(TOKENS)):
        changed = before.laid[token] ^ after.laid[token]
        for space in range(len(SPACES)):
            if changed >> space & 1:
                known = longer.get(("token", token, space), frozenset((0,)))
                longer["token", token, space] = known | {1 << space if after.laid[token] >> space & 1 else 0}
    return longer


def _may_be(states: _States, felt: int, heard: int, broken: int) -> bool:
    """Can every item be in one of its states so that just the spaces of `felt` are stood on, but for so many as are
    `broken`? One miniature is nowhere."""
    lifted: list[tuple[str, int, int] | None] = [None, *(item for item in states if item[0] == "mini")]
    return any(_stands_so(states, felt, heard, item, broken) for item in lifted)


def _stands_so(
    states: _States, felt: int, heard: int, lifted: tuple[str, int, int] | None, broken: int
) -> bool:
    standing = 0
    free: list[frozenset[int]] = []
    for item, each in states.items():
        if item == lifted:
            continue
        if len(each) == 1:
            standing |= next(iter(each)) & heard
        else:
            free.append(each)
    if (standing & ~felt).bit_count() > broken:
        return False
    reached = {standing}
    for choices in free:
        reached = {one | choice & heard for one in reached for choice in choices}
        reached = {one for one in reached if (one & ~felt).bit_count() <= broken}
    return any((one ^ felt).bit_count() <= broken for one in reached)
