"""An unseen round: finished and cleared away while nobody could see, as the round marker tells.

Nobody could see where there was no picture, or hands were at work in all of them from the last cards on till the columns
were empty. Cleared columns alone may be anything, and are asked about. Nobody moves the marker on but at the end of a
round: then the round is over, and the cubes count as they stand once they have stood still, until the next cards are
turned up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.games.olympeak.events import Ruling
from companion.games.olympeak.position import COLUMN_FULL, CUBE_MAX, CUBE_MIN, GameState, Phase
from companion.messages import say, sentences
from companion.referee.olympeak.course import IN_TURN
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.patience import MOST_STILL_S, RECOUNT_S, STILL_S
from companion.referee.olympeak.revealing import go_on_from
from companion.referee.olympeak.scoreboard import ROUND
from companion.referee.olympeak.session import Session
from companion.referee.olympeak.unseen import round_over_unseen
from companion.referee.olympeak.wording import UNSEEN
from companion.referee.verdict import Verdict


def round_went_by(session: Session, state: GameState, look: Look, now: float) -> Verdict | None:
    """The next round is on, if that is what the table shows after a gap; None if it does not."""
    current, seen = session.course.current, session.scoreboard.seen_again
    if session.resuming or current is None:
        return None
    if not session.gap.was_long and not (session.gap.was_busy and may_end(current)):
        return None
    if state.phase not in (Phase.REVEAL, *IN_TURN) or seen.get(ROUND) != current.round + 1:
        return None
    ruling = round_over_unseen(current, look, seen)
    if ruling is None or not can_have_come(current, seen):
        return None
    still, waited = session.standstill.look(ruling, now)
    if still < STILL_S:
        # A cube that is read now here, now there, is for people to tell.
        return session.verdict if waited < MOST_STILL_S else None
    return go_on_from(session, ruling, look)


def may_end(state: GameState) -> bool:
    """Can the rest of the open turn end the round (O11)? A column gets one card in each of two rows at most (O4, O9)."""
    if state.phase not in IN_TURN:
        return False
    left = 2 * len(state.waiting) + (state.phase is Phase.CHOICE)
    return max(state.columns.values()) + min(2, left) >= COLUMN_FULL


def count_anew(session: Session, state: GameState, look: Look, now: float) -> Verdict | None:
    """A cube that is moved after such a round, before anybody turns a card up, was merely moved late; None if none is."""
    turns, seen = session.course.turns, session.scoreboard.seen_again
    told = turns[-1].events[-1] if turns else None
    if not isinstance(told, Ruling) or told.text != UNSEEN or told.placed or state.phase is not Phase.REVEAL:
        return None
    before = turns[-1].states[-2]
    if look.shown or look.columns or seen.get(ROUND) != state.round or before.round != state.round - 1:
        return None
    anew = round_over_unseen(before, look, seen)
    if anew is None or anew == told or not can_have_come(before, seen):
        return None
    still, _ = session.standstill.look(anew, now)
    if still < RECOUNT_S:
        return None
    end = session.course.rewrite(1, (*turns[-1].events[:-1], anew))
    session.begin_unit()
    session.notes.news = sentences(UNSEEN, say("olympeak.unseen_go_on"))
    return session.after_turn_verdict(end, look)


def can_have_come(state: GameState, seen: Mapping[str, int]) -> bool:
    """Can every cube have come where it is `seen` by the cards that may have been played in the rest of the round (O10)?

    A column takes no more cards than make it full, and one in a second row of the last turn (O4, O11).
    """
    in_play = state.setup.deck.in_play(len(state.setup.players))
    values = [card.value for card in in_play if not card.is_order]
    earlier = Counter(each.contender for each in state.placed if each.turn < state.turn)
    for contender, place in state.cube.items():
        room = COLUMN_FULL + 1 - earlier[contender]
        low, high = (max(CUBE_MIN, place + room * min(values)), min(CUBE_MAX, place + room * max(values)))
        if not low <= seen[contender] <= high:
            return False
    return True
