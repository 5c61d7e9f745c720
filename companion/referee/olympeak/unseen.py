"""Unseen: whole turns that were played while nobody could see, told by what they have left on the table.

Who played what is never made up. Where the rows below the known ones can only have come to this, the game goes on
from there, and the journal says that it was not seen; else the players are asked to say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations

from companion.games.olympeak.cards import FEW_PLAYERS
from companion.games.olympeak.events import Lying, Ruling
from companion.games.olympeak.position import COLUMN_FULL, CUBE_MAX, CUBE_MIN, GameState, Phase
from companion.referee.olympeak.ledger import Unit
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, Misfit, placed_misfits
from companion.referee.olympeak.path import Explanation, Path
from companion.referee.olympeak.patience import MISSING_S
from companion.referee.olympeak.scoreboard import ROUND
from companion.referee.olympeak.wording import UNSEEN

# After a gap of so long (seconds), what lies there may be more than was seen.
LONG_S = 2.0


class Gap:
    """Follows how long the table has not been seen, and how long hands have hidden what happened on it.

    `was_long`, `was_busy`: no picture, or hands in every picture, for long since the table last lay as the game has it.
    """

    def __init__(self) -> None:
        self._began: float | None = None
        self._busy_since: float | None = None
        self.was_long = False
        self.was_busy = False

    def look(self, seen: bool, now: float, *, moving: bool = False) -> None:
        """One reading at `now` in seconds; `seen`: its picture shows the table; `moving`: with hands at work on it."""
        if seen and not moving:
            self._busy_since = None
        elif self._busy_since is None:
            self._busy_since = now
        self.was_busy = self.was_busy or (self._busy_since is not None and now - self._busy_since >= LONG_S)
        if seen:
            self._began = None
            return
        if self._began is None:
            self._began = now
        self.was_long = self.was_long or now - self._began >= LONG_S

    def closed(self) -> None:
        """The table lies as the game has it: nothing is uncertain any more."""
        self.was_long = self.was_busy = False


def played_unseen(
    state: GameState, misfits: Sequence[Misfit], look: Look, seen: Mapping[str, int]
) -> Ruling | None:
    """Where the game stands after turns that have left just these cards; None where that is not certain.

    `state` is before a reveal; `seen`: where the cubes stand, as far as is known. Round and game may be over by then.
    A card that may not lie there by the rules is for the players to tell.
    """
    last = max((each.row for each in state.placed), default=0)
    if state.phase is not Phase.REVEAL or look.beside or look.columns_hidden:
        return None
    if not misfits or any(each.fault is not Fault.EXTRA or each.row <= last for each in misfits):
        return None
    if not all(may_lie(state, each) for each in misfits):
        return None
    ends = set(_cubes_after(state, misfits))
    if len(ends) > 1:
        ends = {
            end for end in ends if dict(zip(state.setup.racing, end, strict=True)).items() <= seen.items()
        }
    if len(ends) != 1:
        return None
    cubes = ends.pop()
    known = [Lying(each.card, each.contender, each.row, each.turn, each.seat) for each in state.placed]
    new = [Lying(each.card, each.contender, each.row, max(state.turn - 1, 0), 0) for each in misfits]
    placed = tuple(sorted((*known, *new), key=lambda each: (each.row, each.turn)))
    return Ruling(UNSEEN, state.round, tuple(zip(state.setup.racing, cubes, strict=True)), placed)


def as_it_stands(state: GameState) -> Ruling:
    """The game goes on with cubes and columns as they are in `state`, before a reveal: more than that is not known."""
    placed = tuple(Lying(each.card, each.contender, each.row, each.turn, each.seat) for each in state.placed)
    return Ruling(UNSEEN, state.round, tuple(zip(state.setup.racing, state.cubes, strict=True)), placed)


def unseen_patience(state: GameState, ruling: Ruling, seen: Mapping[str, int], *, usual: float) -> float:
    """How long (seconds) what was `played_unseen` after `state` must lie there; `usual` where nothing is odd about it.

    Where fewer cards lie there than players have played, or a cube stands where they have not led it, somebody may hold
    one just now: it gets the time of anything that is merely not seen.
    """
    last = max((each.row for each in state.placed), default=0)
    rows = Counter(each.row for each in ruling.placed if each.row > last)
    led = dict(ruling.cubes)
    off = any(seen.get(part, place) not in (place, state.cube[part]) for part, place in led.items())
    whole = _are_whole_turns([rows[row] for row in sorted(rows)], len(state.setup.players), len(led))
    return usual if whole and not off else max(usual, MISSING_S)


def _are_whole_turns(cards: Sequence[int], players: int, contenders: int) -> bool:
    """Are rows of so many cards those of turns in which every player has placed one (O4)?"""
    left = players
    for count in cards:
        if count != min(left, contenders):
            return False
        left = left - count or players
    return left == players


def more_unseen(unit: Unit, look: Look, seen: Mapping[str, int]) -> Ruling | None:
    """What was played unseen in `unit` after all: with cards that were not seen when it was told, and as the cubes say.

    `look`: what lies there, held against what lay before. None where nothing else is certain.
    """
    told = unit.events[-1]
    if not isinstance(told, Ruling) or told.text != UNSEEN or len(unit.events) > 1:
        return None
    misfits, _, _ = placed_misfits(unit.before, look)
    anew = played_unseen(unit.before, misfits, look, seen)
    if anew is None or not dict(anew.cubes).items() <= seen.items():
        return None
    last = max(each.row for each in told.placed) if told.placed else 0
    known, now = ({(each.card, each.to) for each in which.placed} for which in (told, anew))
    return anew if known < now and all(each.row <= last for each in anew.placed) else None


def before_the_open_turn(misfits: Sequence[Misfit], playing: int) -> Sequence[Misfit]:
    """Without the cards of the last rows, where those are as many as players have played in the open turn."""
    rows = sorted({each.row for each in misfits}, reverse=True)
    for row in rows:
        if sum(each.row >= row for each in misfits) == playing:
            return [each for each in misfits if each.row < row]
    return ()


def _cubes_after(state: GameState, misfits: Sequence[Misfit]) -> Iterator[tuple[int, ...]]:
    """Where the cubes may stand: the rows are those of one turn each, or of one turn where the first was filled (O4)."""
    rows = sorted({each.row for each in misfits})
    filled = [sum(each.row == row for each in misfits) == len(state.setup.racing) for row in rows]
    may_join = [n for n in range(1, len(rows)) if filled[n - 1]]
    for joined in chain.from_iterable(combinations(may_join, count) for count in range(len(may_join) + 1)):
        cubes = _moved(state, misfits, [row for n, row in enumerate(rows) if n + 1 not in joined])
        if cubes is not None:
            yield cubes


def _moved(state: GameState, misfits: Sequence[Misfit], last_rows: Sequence[int]) -> tuple[int, ...] | None:
    """Where the cubes stand after turns that ended in these rows (O10); None if nobody would have gone on till then."""
    racing, deck = state.setup.racing, state.setup.deck
    cubes, columns = list(state.cubes), Counter(state.columns)
    above = 0
    for last in last_rows:
        if CUBE_MAX in cubes or max(columns.values()) >= COLUMN_FULL:
            return None  # round or game were over before (O11, O12)
        steps: Counter[str] = Counter()
        for each in misfits:
            if above < each.row <= last:
                steps[each.contender] += deck[each.card].value
                columns[each.contender] += 1
        cubes = [
            min(CUBE_MAX, max(CUBE_MIN, cube + steps[contender]))
            for contender, cube in zip(racing, cubes, strict=True)
        ]
        above = last
    return tuple(cubes)


def round_over_unseen(state: GameState, look: Look, seen: Mapping[str, int]) -> Ruling | None:
    """Where the game stands if its round was played to the end and cleared away, as the scoreboard has it.

    `seen`: where the cubes and the round marker (`round`) were seen last; one look may mistake a cube. None where the
    table does not look like that. Nothing but the cubes tells what was played: it is to be asked.
    """
    covered = look.columns_hidden or "row" in look.hidden
    if not state.placed or look.columns or look.beside or covered or state.round == state.setup.rounds:
        return None
    if seen.get(ROUND) not in (state.round, state.round + 1) or not seen.keys() >= set(state.setup.racing):
        return None
    cubes = tuple((contender, seen[contender]) for contender in state.setup.racing)
    return None if CUBE_MAX in dict(cubes).values() else Ruling(UNSEEN, state.round + 1, cubes, ())


def may_lie(state: GameState, extra: Misfit) -> bool:
    """Can this card have been played there by the rules?"""
    if extra.card not in state.setup.deck or state.lying(extra.card) is not None:
        return False
    card = state.setup.deck[extra.card]
    if card.star and len(state.setup.players) <= FEW_PLAYERS:
        return False
    return extra.contender in state.setup.racing and (card.is_order or extra.contender in card.signs)


def over_before(explanation: Explanation) -> Path | None:
    """The course of the turn that is over and leaves only cards of later rows unexplained; None if there is none."""
    for path in explanation.paths:
        if len(path.misfits) > len(explanation.best.misfits):
            return None
        last = max(each.row for each in path.state.placed) if path.state.placed else 0
        later = all(each.fault is Fault.EXTRA and each.row > last for each in path.misfits)
        if path.is_over and later and not path.unsure:
            return path
    return None
