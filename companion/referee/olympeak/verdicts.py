"""Verdicts: what the referee's findings about the table come to, in words, acts, marks and choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.olympeak.events import Play, Predictions
from companion.games.olympeak.names import contender_name
from companion.games.olympeak.position import GameState, Phase
from companion.games.olympeak.refusal import Reason
from companion.games.olympeak.refusal import Refusal as Finding
from companion.messages import Text, listed, row, say, sentences
from companion.referee.olympeak.ending import tile_choices
from companion.referee.olympeak.left_over import LeftOver
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.path import Path
from companion.referee.olympeak.refusal import Refusal
from companion.referee.olympeak.wording import (
    blocked_act,
    choice_text,
    choices_of,
    game_over_text,
    name_of,
    play_text,
    prevented_text,
    result_text,
    round_over_text,
    unit_text,
)
from companion.referee.verdict import Choice, Kind, Mark, Todo, Verdict

Marks = tuple[tuple[str, Mark], ...]


@dataclass(frozen=True, slots=True)
class Extras:
    """What goes with every verdict: `tell` puts the news before a sentence, `board` is to do on the scoreboard."""

    tell: Callable[[str], str]
    board: tuple[Todo, ...]

    @property
    def marks(self) -> Marks:
        """The parts of the scoreboard that are concerned."""
        return tuple((each.space, Mark.MISSING) for each in self.board if each.space is not None)


def set_up(todo: tuple[Todo, ...]) -> Verdict:
    """The table does not show the beginning of a game yet."""
    marks = tuple((each.space, Mark.MISSING) for each in todo if each.space is not None)
    return Verdict(Kind.SETUP, 0, say("olympeak.set_up", act=todo[0].text), todo=todo, marks=marks)


def reveal(state: GameState, look: Look, left_over: LeftOver, extras: Extras) -> Verdict:
    """Everybody chooses a card, lays it down, turns it up."""
    seats = state.setup.seats
    fresh = {s for s in look.shown if s not in left_over.cards}
    unseen = [s for s in seats if look.zone_hidden(s) and s not in look.shown and s not in look.face_down]
    without = [s for s in seats if s not in fresh and s not in look.face_down and s not in unseen]
    covered = [s for s in seats if s in look.face_down]
    due = without or unseen or covered or list(seats)
    who = listed(name_of(state, s) for s in due)
    if without:
        some = len(due) < len(seats)
        text = say("olympeak.lay_face_down", names=who) if some else say("olympeak.everybody_lays")
    elif unseen:
        text = say("olympeak.cannot_see_before", names=who)
    elif not covered:
        text = say("olympeak.all_up")
    elif len(covered) == len(seats):
        text = say("olympeak.turn_up_together")
    else:
        text = say("olympeak.turn_up", names=who)
    acts = left_over.acts(state)
    marks = (
        *((f"reveal {s}", Mark.TARGET) for s in due if s not in left_over.cards),
        *((f"reveal {s}", Mark.REMOVE) for s in sorted(left_over.cards)),
        *extras.marks,
    )
    said = extras.tell(sentences(*(act.text for act in acts), text))
    return Verdict(Kind.READY, due[0], said, todo=(*acts, *extras.board), marks=marks)


def is_it_new(state: GameState, left_over: LeftOver) -> Verdict:
    """The question whether what lies there since the last turn was chosen for this one."""
    names = listed(name_of(state, seat) for seat in left_over.cards)
    text = say("olympeak.is_it_new", names=names)
    choices = (Choice("new", say("olympeak.it_is_new")), Choice("old", say("olympeak.it_is_old")))
    return Verdict(Kind.QUESTION, min(left_over.cards), text, todo=left_over.acts(state), choices=choices)


def who_revealed_what(state: GameState, reveals: Sequence[tuple[str, ...]]) -> Verdict:
    """The question after a reveal that no picture caught."""
    choices = tuple(
        Choice(f"revealed:{number}", cards_of(state, cards, state.setup.seats))
        for number, cards in enumerate(reveals[:4])
    )
    return Verdict(Kind.QUESTION, 0, say("olympeak.who_revealed"), choices=choices)


def lay_once_more(state: GameState, seats: Sequence[int]) -> Verdict:
    """After a reveal that no picture caught: which card was it that its player could lay nowhere? Accuses nobody."""
    acts = tuple(
        Todo(say("olympeak.lay_once_more", name=name_of(state, seat)), f"reveal {seat}") for seat in seats
    )
    marks = tuple((f"reveal {seat}", Mark.TARGET) for seat in seats)
    names = listed(name_of(state, seat) for seat in seats)
    return Verdict(
        Kind.UNFINISHED, seats[0], say("olympeak.reveal_unseen", names=names), todo=acts, marks=marks
    )


def play(best: Path, answers: Mapping[str, str], extras: Extras) -> Verdict:
    """Who is to play, or to decide on an order, and what else is to be done."""
    state = best.state
    seat = state.seat
    assert seat is not None
    blocked = [blocked_act(state, each) for each in best.left_lying]
    askew = [
        Todo(
            say("olympeak.lay_straight", card=each.card, contender=contender_name(each.contender)),
            f"column {each.contender}",
        )
        for each in best.askew
    ]
    actions = (unit_text(best.states[n : n + 2], (event,)) for n, event in enumerate(best.events))
    marks: Marks = (*((f"reveal {s}", Mark.REMOVE) for s in best.left_lying), *extras.marks)
    reasons = [prevented_text(state, each) for each in best.left_lying]
    choices: tuple[Choice, ...] = ()
    if state.phase is Phase.CHOICE:
        kind, choices = Kind.UNFINISHED, choices_of(state)
        text = choice_text(state, answers.get(state.pending or ""))
        marks = (*marks, (f"reveal {seat}", Mark.TARGET))
    else:
        kind = Kind.LIFTED if seat in best.lifted else Kind.READY
        text = play_text(state)
        targets = state.targets(state.revealed[seat])
        marks = (*((f"column {contender}", Mark.TARGET) for contender in targets), *marks)
    return Verdict(
        kind,
        seat,
        extras.tell(sentences(*reasons, text)),
        todo=(*blocked, *askew, *extras.board),
        marks=marks,
        actions=tuple(text for text in actions if text),
        choices=choices,
        # What an order card is used for is its player's to decide (O7-O9): nobody is in doubt.
        by_rules=bool(choices),
    )


def cannot_see(seat: int, best: Path) -> Verdict:
    """Something that matters is covered."""
    hidden = listed(sorted(best.unsure))
    return Verdict(Kind.HOLD, seat, say("olympeak.cannot_see", cards=hidden))


def which_turn(seat: int, rivals: Sequence[Path]) -> Verdict:
    """Two turns fit alike."""
    choices = tuple(
        Choice(f"turn:{number}", unit_text(path.states, path.events))
        for number, path in enumerate(rivals[:4])
    )
    return Verdict(Kind.QUESTION, seat, say("referee.which_played"), choices=choices)


def which_turned_up(
    state: GameState, seats: Sequence[int], reveals: Sequence[tuple[str, tuple[str, ...]]]
) -> Verdict:
    """The question which of `reveals`, by their answers' keys, was turned up before these seats."""
    choices = tuple(Choice(key, cards_of(state, cards, seats)) for key, cards in reveals)
    text = say("olympeak.which_turned_up", cards=cards_of(state, state.revealed, seats))
    marks = tuple((f"reveal {seat}", Mark.TARGET) for seat in seats)
    return Verdict(Kind.QUESTION, seats[0], text, marks=marks, choices=choices)


def cards_of(state: GameState, cards: Sequence[str], seats: Sequence[int]) -> Text:
    """Whose card is which, of these seats."""
    return row(say("olympeak.card_of", name=name_of(state, seat), card=cards[seat]) for seat in seats)


def where_it_lay(play: Play, contenders: Sequence[str]) -> Verdict:
    """The question where a card lay that is on the discard pile again and was never seen in its column."""
    choices = tuple(Choice(f"lay:{play.card}:{each}", contender_name(each)) for each in contenders)
    return Verdict(Kind.QUESTION, play.seat, say("olympeak.where_it_lay", card=play.card), choices=choices)


def illegal(refused: Refusal) -> Verdict:
    """What lies there is against the rules."""
    return Verdict(
        Kind.ILLEGAL,
        refused.seat,
        refused.text,
        rule=refused.rule,
        todo=refused.todo,
        marks=refused.marks,
    )


_TAKEN_BACK = Choice("undo", say("olympeak.is_taken_back"))


def cleared(seat: int, refused: Refusal, taken_back: bool) -> Verdict:
    """So much is gone that nobody is playing. `taken_back`: just the cards of the last turn."""
    text = say("olympeak.cleared")
    choices = (_TAKEN_BACK,) if taken_back else ()
    return Verdict(Kind.HOLD, seat, text, todo=refused.todo, marks=refused.marks, choices=choices)


def is_it_taken_back(seat: int, refused: Refusal) -> Verdict:
    """All cards of the last turn are gone: taken back, or taken away?"""
    text = say("olympeak.all_gone")
    return Verdict(Kind.QUESTION, seat, text, todo=refused.todo, marks=refused.marks, choices=(_TAKEN_BACK,))


def is_round_over(seat: int, number: int) -> Verdict:
    """The question whether this round was finished while nothing could be seen."""
    choices = (Choice("round over", say("olympeak.is_round_over", n=number)),)
    return Verdict(Kind.QUESTION, seat, say("olympeak.round_over_unseen", n=number), choices=choices)


def differing(seat: int, text: str, todo: tuple[Todo, ...]) -> Verdict:
    """A resumed or taken-back game: what must be done so that the table shows it. Accuses nobody."""
    marks = tuple((each.space, Mark.RETURN) for each in todo if each.space is not None)
    if todo:
        text = sentences(text, todo[0].text)
    return Verdict(Kind.SETUP, seat, text, todo=todo, marks=marks)


def round_over(state: GameState, look: Look, left_over: LeftOver, leader: int, extras: Extras) -> Verdict:
    """The columns are to be cleared. Everybody lends a hand, and everybody may exchange cards afterwards."""
    clear = tuple(
        Todo(say("olympeak.clear_column", contender=contender_name(contender)), f"column {contender}")
        for contender in state.setup.contenders
        if any(each.contender == contender for each in look.columns)
    )
    todo = (*clear, *left_over.acts(state), *extras.board)
    marks = tuple((f"reveal {s}", Mark.TARGET) for s in state.setup.seats if s not in left_over.cards)
    marks += tuple((each.space, Mark.REMOVE) for each in todo if each.space is not None)
    return Verdict(Kind.UNFINISHED, leader, extras.tell(round_over_text(state)), todo=todo, marks=marks)


def turn_tiles(state: GameState, missing: Sequence[tuple[int, str]], extras: Extras) -> Verdict:
    """The game is over and the tiles are to be turned up."""
    acts = tuple(
        Todo(say("olympeak.turn_tile", name=name_of(state, seat), side=side), f"tiles {seat}")
        for seat, side in missing
    )
    marks = tuple((f"tiles {seat}", Mark.TARGET) for seat in sorted({seat for seat, _ in missing}))
    seat = missing[0][0] if missing else 0
    text = extras.tell(game_over_text(state))
    return Verdict(Kind.UNFINISHED, seat, text, todo=(*acts, *extras.board), marks=marks)


def tile_missing(state: GameState, seat: int, side: str, verdict: Verdict) -> Verdict:
    """All but a few tiles lie there: what does this one show?"""
    missing = say("olympeak.uncited", sentence=missing_tile_text(state, seat, side))
    text = sentences(missing, say("olympeak.turn_or_say"))
    return replace(verdict, seat=seat, text=text, choices=tile_choices(state, seat, side))


def missing_tile_text(state: GameState, seat: int, side: str) -> Text:
    """That a tile is missing, without a full stop."""
    return say("olympeak.tile_missing", name=name_of(state, seat), side=side)


def tiles_wrong(state: GameState, event: Predictions, wrong: Sequence[Finding]) -> Verdict:
    """The tiles cannot be as they lie; where they can be scored at all, the players may say so."""
    seat = 0
    choices: tuple[Choice, ...] = (Choice("as it lies", say("olympeak.score_as_is")),)
    if any(each.reason is Reason.OUT_OF_PLAY for each in wrong):
        seat, side = next(
            (seat, side)
            for side, tiles in (("first", event.first), ("second", event.second))
            for seat, tile in enumerate(tiles)
            if tile not in state.setup.racing
        )
        choices = tile_choices(state, seat, side)
    text = sentences(*(each.text for each in wrong), say("olympeak.right_tiles"))
    return Verdict(Kind.QUESTION, seat, text, choices=choices)


def over(state: GameState) -> Verdict:
    """Who has won."""
    assert state.outcome is not None
    winners = state.outcome.winners
    return Verdict(Kind.OVER, winners[0], result_text(state), winners=winners)
