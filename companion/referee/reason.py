"""Reason: the smallest rule that what lies on the table breaks, in a sentence for players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.above.action import Action
from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, TOKENS
from companion.games.above.explain import SKIPPED, explain_illegal
from companion.games.above.position import Phase, Position
from companion.games.above.rules import apply, legal_actions
from companion.messages import Text, listed, say
from companion.referee.evidence import CONTRADICTION, Evidence
from companion.referee.hypothesis import Explanation, Hypothesis, Item
from companion.referee.trajectory import state_of
from companion.referee.wording import deity_name, place_name, token_name

_STEPS = ("move", "jump", "back")
# The tokens that a power lays, by the deity: their type, and how many of them.
POWER_TOKENS = {"ze": ("thunder", 1), "ar": ("barrier", 2), "ha": ("gate", 1), "de": ("fertility", 1)}


def closest(explanation: Explanation) -> Hypothesis:
    """The legal turn, complete or not, that least is wrong with: rather one whose card was truly turned."""
    least = len(explanation.best.wrong)
    return min(
        (each for each in explanation.partial if len(each.wrong) == least),
        key=lambda each: (_card_not_turned(each), round(each.cost), len(each.pending), len(each.actions)),
    )


def _card_not_turned(hypothesis: Hypothesis) -> bool:
    if not hypothesis.actions:
        return False
    activated = hypothesis.actions[0]
    return ("card", hypothesis.positions[0].turn, DEITIES.index(activated.deity or "")) in hypothesis.pending


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why each wrong item of `best`, a turn from `position`, cannot be as it is. Seats go by their number."""

    position: Position
    best: Hypothesis
    evidence: Evidence
    names: Sequence[str]

    def weight(self, item: Item) -> int:
        """What is told first: whose turn it is, a miniature that stands wrong, tokens, cards, what is missing."""
        kind, one, two = item
        if kind == "card":
            return 0 if one != self.position.turn and self._is_spent(one, two) else 3
        if kind == "mini":
            return 1 if self.evidence.mini_at(one) is not None else 5
        if kind == "token":
            return 2 if (one, two) in self.evidence.tokens_seen() else 4
        return 3

    def reason(self, item: Item) -> Text:
        """The sentence."""
        kind, one, two = item
        if kind == "mini":
            return self._mini(one)
        if kind == "token":
            return self._token(one, two)
        if kind == "reed":
            return say("above.stands_wrongly", place=place_name(one))
        return self._card(one, two)

    # -- how far the turn has come

    def _stage(self) -> int:
        """How many of the actions have been carried out, as far as the table shows by what is not wrong."""
        stage = 0
        for number in range(len(self.best.actions)):
            changed = list(self._changed(number))
            if not all(self._reached(item, number + 1) for item in changed):
                break
            if changed:
                stage = number + 1
        return stage

    def _changed(self, number: int) -> Iterator[Item]:
        """The pieces that an action puts elsewhere."""
        before, after = self.best.positions[number], self.best.positions[number + 1]
        for item in self.best.trajectory:
            moved = item[0] in ("mini", "token") and state_of(before, item) != state_of(after, item)
            if moved and item not in self.best.wrong:
                yield item

    def _reached(self, item: Item, number: int) -> bool:
        """Is an item in its state after so many actions, or in a later one?"""
        kind, one, two = item
        states = {state_of(position, item) for position in self.best.positions[number:]}
        if kind == "mini":
            return any(self.evidence.mini_cost(one, state) < CONTRADICTION for state in states)
        return any(self.evidence.token_cost(one, two, bool(state)) < CONTRADICTION for state in states)

    def _contexts(self) -> list[Position]:
        """The positions of the turn, where it has come to first, then back to its beginning, then what is to come."""
        positions, stage = self.best.positions, self._stage()
        order = [*reversed(positions[: stage + 1]), *positions[stage + 1 :]]
        return [position for position in order if not position.at_turn_start] or [self._begun()]

    def _begun(self) -> Position:
        """The position itself; where no card was turned and a miniature stands wrong, it counts as activated."""
        wrong = [DEITIES[item[1]] for item in self.best.wrong if item[0] == "mini"]
        held = self.position.powered(self.position.turn)
        mover = next((code for code in wrong if code in held), None)
        if self.best.actions or mover is None:
            return self.position
        return apply(self.position, Action("activate", deity=mover))

    # -- reasons

    def _mini(self, deity: int) -> Text:
        name, code = deity_name(deity), DEITIES[deity]
        stands = self.evidence.mini_at(deity)
        if stands is None:
            return say("above.missing", deity=name)
        contexts = self._contexts()
        moves = [p for p in contexts if any(a.deity == code and a.kind in _STEPS for a in legal_actions(p))]
        for position in (*moves, *contexts):
            kind = "move"
            if position.phase is Phase.JUMP and position.mover == code:
                kind = "jump"
            elif position.phase is Phase.POWER and position.activated == "po":
                kind = "back"
            text = explain_illegal(position, Action(kind, deity=code, space=SPACES[stands]))
            if text is not None:
                return text
        return say("above.cannot_have_come", deity=name, place=place_name(stands))

    def _token(self, token: int, space: int) -> Text:
        name, kind, where = token_name(token), TOKENS[token], SPACES[space]
        seen = self.evidence.tokens_seen()
        laid = (token, space) in seen
        action = Action("place" if laid else "remove", token=kind, space=where)
        gone = [s for what, t, s in self.best.wrong if (what, t) == ("token", token) and (t, s) not in seen]
        if laid and gone:
            action = Action("shift", token=kind, origin=SPACES[gone[0]], space=where)
        skipped = self._skipped(action)
        if skipped is not None:
            return skipped
        position = self._contexts()[0]
        if not laid and action.kind == "remove" and position.activated not in (None, "po"):
            return say("above.token_stays", token=name, place=place_name(where))
        text = explain_illegal(position, action)
        if text is not None:
            return text
        if laid and position.token_to_lay == kind and action.kind == "place":
            return self._too_many(position, kind)
        if laid:
            return say("above.no_token_now", token=name, place=place_name(where))
        return say("above.token_missing", token=name, place=place_name(where))

    def _skipped(self, action: Action) -> Text | None:
        """Where the turn is over without its power, why that was skipped."""
        if self._stage() < len(self.best.actions) or not self.best.is_complete or self.best.after.is_over:
            return None
        text = explain_illegal(self.best.after, action)
        return text if text is not None and text.key in SKIPPED else None

    def _too_many(self, position: Position, kind: str) -> Text:
        """The power lays one of these, and this one besides."""
        deity = position.activated or ""
        _, many = POWER_TOKENS[deity]
        before = self.position.tokens_on(kind)
        number = TOKENS.index(kind)
        new = sorted(
            SPACES[space]
            for (token, space), p in self.evidence.tokens_seen().items()
            if token == number and p > 0.5 and SPACES[space] not in before
        )
        places = listed(map(place_name, new))
        return say(
            "above.too_many_laid", deity=deity_name(deity), n=many, token=token_name(kind), places=places
        )

    def _is_spent(self, seat: int, deity: int) -> bool:
        """Do fewer cards lie Powered than did when the turn began?"""
        powered = self.evidence.powered_seen(seat).get(deity, 0)
        return state_of(self.position, ("card", seat, deity)) > powered

    def _card(self, seat: int, deity: int) -> Text:
        whose, name = self.names[seat], deity_name(deity)
        mover = self.names[self.position.turn]
        if not self._is_spent(seat, deity):
            return say("above.stays_spent", whose=whose, deity=name)
        if seat != self.position.turn:
            return say("above.stays_powered", mover=mover, whose=whose, deity=name)
        if any(action.kind == "exhaust" for action in self.best.actions):
            most = 2 if self.position.players == 2 else 1
            return say("above.athena_no_more", n=most, whose=whose, deity=name)
        if self.best.actions:
            active = deity_name(self.best.actions[0].deity or "")
            return say("above.one_card_a_turn", mover=mover, active=active, deity=name)
        return say("above.cannot_be_exhausted", mover=mover, deity=name)
