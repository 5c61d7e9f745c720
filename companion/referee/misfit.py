"""Misfit: a table that no turn accounts for. What it shows instead, and in the end what is against the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.position import Position
from companion.referee import verdicts
from companion.referee.begun_early import mover_of
from companion.referee.by_switches import is_told_by_one_switch
from companion.referee.changed import changed_turn, offered, refused_change
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.explain import explain
from companion.referee.hypothesis import Explanation, Item
from companion.referee.objecting import with_objection
from companion.referee.overdone import overdone
from companion.referee.patience import (
    BESIDE_S,
    ILLEGAL_LOOKS,
    ILLEGAL_PRINT_LOOKS,
    IN_HAND_S,
    MISSING_S,
    RESTORING_S,
)
from companion.referee.refusal import refusal
from companion.referee.restored import is_being_restored, is_replayed
from companion.referee.sequel import Sequel
from companion.referee.session import Session
from companion.referee.trajectory import cost_of, state_of
from companion.referee.turn import Turn
from companion.referee.unseen import not_seen, went_by
from companion.referee.verdict import Verdict

_EXHAUSTING = (DEITIES.index("he"), DEITIES.index("at"))


def misfit(
    session: Session, position: Position, explanation: Explanation, evidence: Evidence, now: float
) -> Verdict | None:
    """No turn from `position` accounts for it: what has gone by unseen is asked for, what is against the rules is said
    in the end. None: the last turn is open again, and the look is to be judged anew.
    """
    best = explanation.best
    session.judged_from = position
    places = tuple(evidence.mini_at(item[1]) for item in best.wrong if item[0] == "mini")
    # Nobody is accused by looks with an unclear one between them. A turn within the rules has these to speak for it.
    looks, lasted = session.agree((best.wrong, places, session.steady.parted), now)
    in_all = session.agreement.count_in_all((best.wrong, places))
    refused = refusal(position, explanation, evidence, session.names)
    patience = MISSING_S if refused.only_missing else 0.0
    if any(evidence.in_hand(deity, space) for deity, space in enumerate(position.minis)):
        patience = IN_HAND_S
    if not session.at_rest:
        patience = max(patience, BESIDE_S)
    by_print = _rests_on_a_print(best.wrong, evidence)
    enough = looks >= ILLEGAL_LOOKS
    if by_print and (in_all < ILLEGAL_PRINT_LOOKS or _is_contested(best.wrong, session.steady.contested)):
        enough = False
    last = session.course.last
    last = last if last is not None and last.after == position else None
    if last is not None:
        back = is_being_restored(last, evidence)
        if back and enough and lasted < max(patience, RESTORING_S):
            return verdicts.being_restored(last, back, evidence, session.names)
    if not enough or lasted < patience:
        return session.stands
    if _has_yet_to_recover(position, evidence):
        recover = verdicts.to_recover(position, position.turn, evidence, session.names)
        return not_seen(session, evidence, recover.text) if _by_turns(position, evidence) else recover
    if last is not None and (anew := _put_back(session, last, evidence)) is not None:
        session.reach(last.before, session.course.take_back(1))
        session.explanation = anew
        return None
    anew = None if last is None else _recovering(session, last, explanation, evidence)
    if anew is not None and not anew.finished:
        return verdicts.unfinished(anew, evidence, session.names)
    if anew is not None:
        session.course.take_back(1)
        session.forget()
        session.explanation = anew
        return None
    if evidence.is_blind and session.gap.has_camera and is_told_by_one_switch(position, best, evidence):
        return verdicts.doubted(refused, position.turn)
    # It stays so whatever is put back or played besides, as long as the table shows nothing that is known.
    session.went_by = session.went_by or (not evidence.is_blind and went_by(position, evidence))
    unseen = session.gap.was_long or (not session.denied and session.went_by)
    if unseen and not evidence.is_blind:
        return not_seen(session, evidence)
    search = session.sequels.get(position)
    if search is not None and search.early is not None:
        return _begun_early(session, search.early, evidence)
    verdict = None if last is None else _held_against(session, last, explanation, evidence)
    verdict = verdict or session.illegal(refused, position.turn)
    return with_objection(session, verdict, evidence, now)


def _held_against(
    session: Session, last: Turn, explanation: Explanation, evidence: Evidence
) -> Verdict | None:
    """What is against the rules, if the player of the last turn has rather done it than the next one."""
    if evidence.is_blind:
        return None
    seat = last.before.turn
    instead = changed_turn(last, _anew(session, last, evidence))
    if instead is not None:
        refused = refused_change(last, instead, evidence, session.names)
        session.illegal(refused, seat)
        session.asked = (instead,)
        return offered(refused, last, instead, session.names)
    too_much = overdone(last, explanation, evidence, session.names)
    if too_much is None:
        return None
    # It has to be put right, and with it all of that turn may be put back and played otherwise.
    session.overdone = True
    return session.illegal(too_much, seat)


def _begun_early(session: Session, early: Sequel, evidence: Evidence) -> Verdict:
    """The next player has begun, or a miniature was moved by mistake: either is said, and nobody accused."""
    mover = mover_of(early.then.best)
    assert mover is not None
    looked = evidence.without(early.owed)
    return verdicts.unfinished(early.then, looked, session.names, mistaken=(mover,))


def _anew(session: Session, last: Turn, evidence: Evidence) -> Explanation:
    """What lies there as the last turn, searched once as long as nothing about the table changes."""
    if last.before not in session.anew:
        session.anew[last.before] = explain(last.before, evidence, thorough=False)
    return session.anew[last.before]


def _rests_on_a_print(wrong: Iterable[Item], evidence: Evidence) -> bool:
    """Does a print alone say what is wrong? A miniature that was misread would leave its own place empty besides."""
    seen = evidence.tokens_seen()
    return any(kind == "card" or (kind == "token" and (one, two) in seen) for kind, one, two in wrong)


def _is_contested(wrong: Iterable[Item], contested: Collection[tuple[str, str]]) -> bool:
    """Does the newest look itself read one of these prints otherwise? Nobody is accused by a look that denies it."""
    return any(
        (kind == "card" and (kind, DEITIES[two]) in contested)
        or (kind == "token" and (kind, TOKENS[one]) in contested)
        for kind, one, two in wrong
    )


def _has_yet_to_recover(position: Position, evidence: Evidence) -> bool:
    """Has the player on turn exhausted the last card and turned none back (A5), and does the next one play already?"""
    seat = position.turn
    if evidence.is_blind or evidence.powered_seen(seat):
        return False
    gone: list[bool] = []
    begun = False
    for each in range(position.players):
        for deity in range(len(DEITIES)):
            card: Item = ("card", each, deity)
            held = state_of(position, card)
            otherwise = cost_of(evidence, card, held) >= CONTRADICTION
            if each == seat and held:
                gone.append(otherwise)
            begun = begun or (each != seat and otherwise)
    return begun and all(gone)


def _by_turns(position: Position, evidence: Evidence) -> bool:
    """Has the player on turn several cards less, each turned in a turn of its own?

    Only Athena and Hera exhaust further cards (A15, A16). Where neither was turned, or the miniatures of several of the
    cards stand otherwise as well, what was moved in those turns nobody has seen.
    """
    gone = [deity for deity in range(len(DEITIES)) if state_of(position, ("card", position.turn, deity))]
    exhausted = any(
        evidence.card_cost(seat, deity, state_of(position, ("card", seat, deity))) >= CONTRADICTION
        for seat in range(position.players)
        for deity in _EXHAUSTING
    )
    moved = [deity for deity in gone if evidence.mini_cost(deity, position.minis[deity]) >= CONTRADICTION]
    return len(gone) > 1 and (not exhausted or len(moved) > 1)


def _put_back(session: Session, last: Turn, evidence: Evidence) -> Explanation | None:
    """What lies there in place of the last turn, whole or in part, if its player has put that back; None if not."""
    if session.position != last.after or evidence.is_blind:
        return None
    anew = _anew(session, last, evidence)
    if anew.best.fits and (session.overdone or is_replayed(last, anew.best, evidence)):
        return anew
    return None


def _recovering(
    session: Session, last: Turn, explanation: Explanation, evidence: Evidence
) -> Explanation | None:
    """The last turn, if only cards of somebody who recovered in it lie otherwise, and it was not over but for them.

    Cards recovered one by one look for a while like ones that Athena exhausted, or like another pick (A5). What is still
    to be turned is said; if they make another turn of it, that one is open again. Not if a piece was moved besides: who
    has just recovered and turns a card and moves has begun another turn.
    """
    if session.position != last.after or evidence.is_blind:
        return None
    otherwise = next(each for each in explanation.partial if not each.actions).wrong
    if not all(item[0] == "card" and last.recovered(item[1]) for item in otherwise):
        return None
    anew = _anew(session, last, evidence)
    return anew if anew.best.fits else None
