"""Revised: the turn that was just ended is played otherwise after all, before anybody reveals anew.

A card was laid in the wrong place and is moved, a Remove is carried out after it was waived, somebody who only held
the card plays it: the turn is then the one that the table shows now.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak import rules
from companion.games.olympeak.events import (
    DeclineInsert,
    EndTurn,
    Event,
    Insert,
    Lying,
    Play,
    Remove,
    Reveal,
    Ruling,
    Stop,
)
from companion.games.olympeak.position import GameState, Phase, Placed
from companion.messages import say, sentences
from companion.referee.olympeak.explain import explain
from companion.referee.olympeak.laid_after import laid_after
from companion.referee.olympeak.ledger import LENIENT, Unit
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import Fault, placed_misfits
from companion.referee.olympeak.path import RIVAL, Memory, Path
from companion.referee.olympeak.patience import LOOKS, REVISED_S, patience_for
from companion.referee.olympeak.revealing import go_on_from
from companion.referee.olympeak.session import Session
from companion.referee.olympeak.unseen import more_unseen, over_before, played_unseen
from companion.referee.olympeak.wording import UNSEEN, turn_over_text
from companion.referee.verdict import Verdict
from companion.sensing.olympeak.reading import OlympeakReading

_AFTER_TURN = (Phase.REVEAL, Phase.ROUND_END, Phase.PREDICTIONS)


def revise(
    session: Session, state: GameState, reading: OlympeakReading, look: Look, now: float
) -> Verdict | None:
    """Reads the last turn anew where that alone explains the table; None while it does not."""
    turns = session.course.turns
    if not turns or state.phase not in _AFTER_TURN or look.kept:
        return None
    misfits, covered, _ = placed_misfits(state, look)
    if not misfits:
        if not covered:
            session.lay_otherwise = session.lay_unseen = None
        return None
    if state.phase is not Phase.REVEAL and all(each.fault is Fault.MISSING for each in misfits):
        return None  # the columns are being cleared
    unit = turns[-1]
    seen = Look.of(reading, unit.before.placed)
    unseen = more_unseen(unit, seen, session.scoreboard.seen)
    if unseen is not None:
        looks, lasted = session.agreement.count(("more unseen", unseen), now)
        if looks < LOOKS or lasted < REVISED_S:
            return session.verdict
        end = session.course.rewrite(1, (unseen,))
        session.begin_unit()
        session.notes.news = sentences(UNSEEN, say("olympeak.unseen_go_on"))
        return session.after_turn_verdict(end, look)
    best = _otherwise(unit, seen)
    if best is None and session.gap.was_long:
        best = _otherwise_before_the_gap(session, unit, seen)
    if best is None:
        return None
    looks, lasted = session.agreement.count(("revised", best.events), now)
    if looks < LOOKS:
        return session.verdict
    gesture = patience_for(best, seen, Memory())
    # Who has turned up the next cards has left the last turn as it lies; order cards alone are gone again soon (O3).
    wait = 0.0 if best.is_over and len(look.shown) == session.players else REVISED_S
    wait = 0.0 if _is_told_by_cubes(session, unit, best) else max(wait, gesture)
    if lasted >= wait:
        return _tell_anew(session, best, look)
    if not gesture:
        session.lay_otherwise = best
    return session.verdict


def tell_as_seen_last(session: Session, state: GameState, reading: OlympeakReading, look: Look) -> None:
    """Where people have gone on, the last turns were played as they lay there last, however shortly."""
    best, unseen = session.lay_otherwise, session.lay_unseen
    if look.kept:
        return
    # Who clears the columns at the end of a round has not ended it otherwise.
    if unseen is not None:
        if _are_cleared(unseen.placed, look) and session.course.ruled(unseen)[1].phase is Phase.ROUND_END:
            go_on_from(session, unseen, look)
    elif best is not None and _are_cleared(best.state.placed, look):
        if state.phase is not Phase.ROUND_END or (best.is_over and _end_of(best).phase is Phase.ROUND_END):
            _tell_anew(session, best, look)
    elif best is not None and best.is_over and laid_after(best.state, Look.of(reading, best.state.placed)):
        _tell_anew(session, best, look)


def _are_cleared(placed: Sequence[Placed | Lying], look: Look) -> bool:
    covered = look.columns_hidden or "row" in look.hidden
    return not covered and all(each.card not in look.in_columns for each in placed)


def _tell_anew(session: Session, best: Path, look: Look) -> Verdict:
    """The last turn went as `best` says, not as it was told."""
    first = session.course.turns[-1].events[0]
    if not best.is_over:
        # Somebody who was prevented may play after all.
        session.course.take_back()
        session.write(first)
        session.course.announce(best.events)
        session.notes.news = say("olympeak.turn_corrected")
        return session.play_verdict(best)
    end = session.course.rewrite(1, (first, *best.events, EndTurn()))
    session.begin_unit()
    session.notes.news = sentences(say("olympeak.turn_corrected"), turn_over_text(best.state, end))
    session.notes.find_all(best.findings)
    return session.after_turn_verdict(end, look)


def _end_of(best: Path) -> GameState:
    return rules.apply(best.state, EndTurn())


def _is_told_by_cubes(session: Session, unit: Unit, best: Path) -> bool:
    """Do the cubes stand where this course of the turn has led them, and not where the one that was told has?

    Then two looks will do: whoever has moved the cubes clears the columns next.
    """
    if not best.is_over:
        return False
    end = _end_of(best)
    return end.cubes != unit.after.cubes and end.cube.items() <= session.scoreboard.seen.items()


def _revealed(unit: Unit) -> GameState | None:
    """Where a turn that was played to its end stood after its reveal; None for anything else."""
    first = unit.events[0]
    if not isinstance(first, Reveal) or unit.is_open or any(isinstance(e, Ruling) for e in unit.events):
        return None
    start = rules.apply(unit.before, first, accept=LENIENT)
    return start if start.phase is Phase.PLAY else None


def _otherwise_before_the_gap(session: Session, unit: Unit, look: Look) -> Path | None:
    """Another course of this turn after which whole turns were played that nobody saw; None where that is not certain."""
    start = _revealed(unit)
    if start is None:
        return None
    explanation = explain(start, look, _as_told(unit.events[1:-1]))
    over = over_before(explanation)
    if over is None or not over.misfits or over.state.placed == unit.after.placed:
        return None
    alike = (
        path
        for path in explanation.paths
        if path.is_over and len(path.misfits) == len(over.misfits) and path.cost < over.cost + RIVAL
    )
    if any(path.state != over.state for path in alike):
        return None
    after = rules.apply(over.state, EndTurn())
    return None if played_unseen(after, over.misfits, look, session.scoreboard.seen) is None else over


def _otherwise(unit: Unit, look: Look) -> Path | None:
    """Another course of this turn that the table shows without a doubt: with every card that is still to be played."""
    start = _revealed(unit)
    if start is None:
        return None
    # What was said of order cards stands, unless the table can only have come about otherwise.
    for memory in (_as_told(unit.events[1:-1]), Memory()):
        explanation = explain(start, look, memory)
        best = explanation.best
        if not (best.misfits or best.unsure or best.askew or explanation.rivals):
            break
    else:
        return None
    if not best.is_over and (best.lifted or not best.events or look.face_down):
        return None
    return None if best.events == unit.events[1:-1] else best


def _as_told(events: tuple[Event, ...]) -> Memory:
    """The turn as it was told, with what was decided on each order card as if its player had said so."""
    answers: dict[str, str] = {}
    order = ""
    for event in events:
        match event:
            case DeclineInsert(drew=drew):
                answers[order] = "drew" if drew else "decline"
            case Stop(stop=stop):
                answers[order] = "stop" if stop else "decline"
            case Remove(card=card):
                answers[order] = card or "decline"
        order = event.card if isinstance(event, Play | Insert) else ""
    return Memory(events, answers)
