"""Verdicts: what the referee's findings about the table come to, in words, acts, marks and choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.above.action import PICKED
from companion.games.above.board import SPACES
from companion.games.above.position import Position
from companion.games.above.rules import legal_actions
from companion.messages import Text, listed, row, say, sentences
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.hypothesis import Explanation, Hypothesis, Item
from companion.referee.refusal import Refusal, remedies
from companion.referee.setup import Act
from companion.referee.trajectory import cost_of
from companion.referee.turn import Turn
from companion.referee.verdict import Choice, Kind, Mark, Todo, Verdict
from companion.referee.wording import (
    card_act,
    deity_name,
    next_decision,
    pending_acts,
    perhaps_taken_off,
    place_name,
    turn_text,
)

Marks = tuple[tuple[str, Mark], ...]


def set_up(acts: Sequence[Act]) -> Verdict:
    """The table does not show the beginning of a game yet."""
    verdict = _putting(0, "", acts)
    if not acts:
        return replace(verdict, text=say("above.set_up_now"))
    return replace(verdict, text=say("above.set_up", act=acts[0].todo.text))


def differing(seat: int, text: str, acts: Sequence[Act]) -> Verdict:
    """A resumed or taken-back game: what must be done so that the table shows it. Accuses nobody."""
    return _putting(seat, text, acts)


def _putting(seat: int, text: str, acts: Sequence[Act]) -> Verdict:
    marks = tuple(mark for act in acts for mark in act.marks)
    said = sentences(text, acts[0].todo.text if acts else "")
    return Verdict(Kind.SETUP, seat, said, todo=tuple(act.todo for act in acts), marks=marks)


def ready(position: Position, names: Sequence[str], news: str = "") -> Verdict:
    """Nothing has happened this turn yet. `news`: what goes before."""
    return Verdict(Kind.READY, position.turn, sentences(news, next_decision(position, names)))


def unfinished(
    explanation: Explanation,
    evidence: Evidence,
    names: Sequence[str],
    news: str = "",
    mistaken: Sequence[Item] = (),
) -> Verdict:
    """Part of a legal turn lies there, or nothing of one yet; a miniature may be in somebody's hand.

    `news`: what is told as long as nothing of the turn lies there. `mistaken`: what may as well be somebody's mistake.
    """
    best = explanation.best
    start = best.positions[0]
    lifted = [
        deity
        for deity, space in enumerate(start.minis)
        if evidence.in_hand(deity, space)
        and all(evidence.in_hand(deity, stop) for stop in best.trajectory.get(("mini", deity, 0), ()))
    ]
    if lifted:
        return _lifted(lifted, explanation, start)
    if not best.actions:
        return ready(start, names, news)
    alike = [h for h in explanation.partial if h.is_like(best)]
    todo = pending_acts(alike, names)
    text = todo[0].text if todo else next_decision(best.after, names)
    back: Marks = ()
    chance = mistaken or _perhaps_by_chance(best, evidence)
    if chance:
        whose, mover = names[start.turn], deity_name(best.actions[0].deity_index)
        acts, lit = remedies(start, chance, evidence, names)
        text = sentences(
            say("above.if_plays", name=whose, deity=mover, act=text), say("above.if_not", act=acts[0].text)
        )
        back = tuple((space, mark) for space, mark in lit if mark is Mark.RETURN)
    if best.unsure and not best.pending and best.is_complete:
        # It may stand there: then it is to be set straight there, so that it can be read.
        text = say("above.not_all_seen", act=text)
    if not best.is_complete:
        todo = (*todo, Todo(next_decision(best.after, names)))
    marks = [(item.space, _mark(item)) for item in todo if item.space is not None]
    marks += [(SPACES[space], Mark.REMOVE) for _, _, space in perhaps_taken_off(alike)]
    if not best.is_complete:
        marks += [(space, Mark.TARGET) for space in _step_targets(best.after)]
    marks += back
    return Verdict(
        Kind.UNFINISHED,
        start.turn,
        text,
        todo=todo,
        marks=tuple(dict(reversed(marks)).items()),
        actions=_texts(best),
    )


def _perhaps_by_chance(best: Hypothesis, evidence: Evidence) -> tuple[Item, ...]:
    """What lies otherwise, where only the power of a deity explains it whose card and miniature show nothing yet.

    A card turned by whoever is not on turn, a token knocked off the board: that looks like Hera's or Poseidon's
    power, carried out first. Tokens are not laid by chance. Switches alone tell of no card.
    """
    if evidence.is_blind or not best.actions:
        return ()
    deity, seat = best.actions[0].deity_index, best.positions[0].turn
    mover = ("mini", deity, 0)
    if ("card", seat, deity) not in best.pending or (mover in best.trajectory and mover not in best.pending):
        return ()
    otherwise = tuple(
        item
        for item, states in best.trajectory.items()
        if item[0] != "reed" and cost_of(evidence, item, states[0]) >= CONTRADICTION
    )
    laid = any(item[0] == "token" and not best.trajectory[item][0] for item in otherwise)
    # A last card that was turned is to be recovered (A5): so it is pending and shows something all the same.
    return () if laid or ("card", seat, deity) in otherwise else otherwise


def _lifted(lifted: Sequence[int], explanation: Explanation, start: Position) -> Verdict:
    deity = lifted[0]
    item = ("mini", deity, 0)
    home = start.minis[deity]
    fitting = [h for h in explanation.partial if not h.wrong and item in h.trajectory]
    least = min((len(h.pending) for h in fitting), default=0)
    targets = {
        space for h in fitting if len(h.pending) == least for space in h.trajectory[item][1:] if space != home
    }
    name = deity_name(deity)
    said: dict[str, Text] = {"deity": name}
    if len(lifted) > 1:
        said["others"] = listed(map(deity_name, lifted[1:]))
    if targets:
        said["places"] = row(place_name(space) for space in sorted(targets))
    else:
        said["place"] = place_name(home)
    text = say(f"above.lifted{'_with' if len(lifted) > 1 else ''}_{'to' if targets else 'home'}", **said)
    marks: Marks = tuple((SPACES[space], Mark.TARGET) for space in sorted(targets))
    if not targets:
        marks = ((SPACES[home], Mark.RETURN),)
    return Verdict(Kind.LIFTED, start.turn, text, marks=marks, actions=_texts(explanation.best))


def complete(hypothesis: Hypothesis, names: Sequence[str]) -> Verdict:
    """A whole turn lies there that may still go on."""
    after, mover = hypothesis.after, names[hypothesis.positions[0].turn]
    text = say("above.may_exhaust_more", mover=mover, next=next_decision(after, names))
    choices = (Choice("done", say("above.is_done", name=mover)),)
    return Verdict(Kind.COMPLETE, after.turn, text, actions=_texts(hypothesis), choices=choices)


def taken_for(hypothesis: Hypothesis, names: Sequence[str], others: Sequence[Choice]) -> Verdict:
    """A whole turn lies there, and another reading of it is left: the next player is called meanwhile."""
    after, mover = hypothesis.after, names[hypothesis.positions[0].turn]
    turn = turn_text(hypothesis.actions, names)
    text = say("above.taken_for_turn", mover=mover, turn=turn, next=next_decision(after, names))
    if others:
        text = sentences(text, say("above.other_turns_below"))
    choices = (Choice("done", say("above.is_done", name=mover)), *others)
    return Verdict(Kind.COMPLETE, after.turn, text, actions=_texts(hypothesis), choices=choices)


def perhaps_over(verdict: Verdict, name: str) -> Verdict:
    """What is still to be done, unless it was done and left no trace: that only people know, and have a button for it."""
    text = verdict.text
    if verdict.kind is Kind.UNFINISHED:
        text = sentences(say("above.may_be_over", whose=name), say("above.if_not", act=text))
    return replace(verdict, text=text, choices=(Choice("done", say("above.has_finished", name=name)),))


def called(unfinished: Verdict, hypothesis: Hypothesis, names: Sequence[str]) -> Verdict:
    """A whole turn lies there, or one `unfinished` but for a miniature: the next player is called meanwhile."""
    whose, after = names[unfinished.seat], hypothesis.after
    over = say("above.over_then", whose=whose, next=next_decision(after, names))
    text = sentences(over, *(say("above.if_not", act=act.text) for act in unfinished.todo[:1]))
    return replace(unfinished, kind=Kind.COMPLETE, seat=after.turn, text=text)


def to_recover(position: Position, seat: int, evidence: Evidence, names: Sequence[str]) -> Verdict:
    """A player has exhausted the last card and recovered none (A5): that comes before anything else."""
    if position.players > 2:
        text = say("above.pick_cards", name=names[seat], n=PICKED)
        return Verdict(Kind.UNFINISHED, seat, text, todo=(Todo(text),))
    todo = tuple(
        Todo(card_act(("card", seat, deity), 1, 0, position, names))
        for deity in sorted(evidence.spent_seen(seat))
    )
    return Verdict(Kind.UNFINISHED, seat, say("above.recover_all", name=names[seat]), todo=todo)


def illegal(refused: Refusal, seat: int) -> Verdict:
    """What lies there is against the rules."""
    return Verdict(
        Kind.ILLEGAL,
        seat,
        refused.text,
        rule=refused.rule,
        todo=refused.todo,
        marks=refused.marks,
        actions=refused.actions,
    )


def doubted(refused: Refusal, seat: int, *, has_camera: bool = True, by_two: bool = False) -> Verdict:
    """What would be against the rules is told by one switch alone, or by two, which may be broken. Accuses nobody.

    `has_camera`: there is one, but it is away. Where there is none, no light is red for it.
    """
    why = say("above.one_switch") if has_camera else say("above.one_switch_alone")
    if by_two:
        why = say("above.two_switches")
    text = sentences(why, refused.todo[0].text)
    marks = refused.marks
    if not has_camera:
        marks = tuple((space, Mark.REMOVE if mark is Mark.WRONG else mark) for space, mark in marks)
    return Verdict(Kind.SETUP, seat, text, todo=refused.todo, marks=marks)


def being_restored(last: Turn, items: Sequence[Item], evidence: Evidence, names: Sequence[str]) -> Verdict:
    """Something was put back as before the last turn, something not: it is taken back, or it is not."""
    whose = names[last.before.turn]
    todo, marks = remedies(last.before, items, evidence, names)
    text = say("above.if_taken_back", whose=whose, act=todo[0].text)
    if len(todo) > 1:
        text = sentences(text, say("above.then_more", n=len(todo) - 1))
    return Verdict(Kind.UNFINISHED, last.after.turn, text, todo=todo, marks=marks)


def perhaps_taken_back(
    verdict: Verdict,
    last: Turn,
    position: Position,
    items: Sequence[Item],
    evidence: Evidence,
    names: Sequence[str],
) -> Verdict:
    """Part of the last turn was put back, and its player plays it otherwise; or it is a mistake. Accuses nobody.

    `verdict`: what that player does next. `items`: what lies otherwise than in the `position` that the game stands at.
    """
    todo, lit = remedies(position, items, evidence, names)
    text = sentences(
        say("above.if_taken_back", whose=names[last.before.turn], act=verdict.text),
        say("above.if_not", act=todo[0].text),
    )
    back = tuple((space, Mark.REMOVE if mark is Mark.WRONG else mark) for space, mark in lit)
    return Verdict(
        Kind.SETUP, verdict.seat, text, todo=todo, marks=tuple(dict((*verdict.marks, *back)).items())
    )


def over(position: Position, names: Sequence[str]) -> Verdict:
    """Who has won."""
    winners = position.winner
    who = listed(names[seat] for seat in winners)
    on_top = [deity_name(d) for d, space in enumerate(position.minis) if SPACES[space] == "top"]
    text = say("above.wins", deity=on_top[0], winners=who)
    return Verdict(Kind.OVER, winners[0], text, marks=(("top", Mark.WINNER),), winners=winners)


def _mark(todo: Todo) -> Mark:
    taken = isinstance(todo.text, Text) and todo.text.key in ("above.take_off", "above.take_away")
    return Mark.REMOVE if taken else Mark.TARGET


def _step_targets(position: Position) -> tuple[str, ...]:
    """Where the miniature that must go on may step."""
    actions = legal_actions(position)
    if len({action.deity for action in actions}) != 1:
        return ()
    return tuple(a.space for a in actions if a.kind in ("move", "jump") and a.space is not None)


def _texts(hypothesis: Hypothesis) -> tuple[str, ...]:
    return tuple(str(action) for action in hypothesis.actions)
