"""The referee: one game of Above on one table, from readings to verdicts.

Plain synchronous code. It holds the position at the start of the turn, weighs every settled reading against
the legal turns (`explain`), and says what the table is: ready, unfinished, complete, illegal, a question. A
turn is written to the ledger before it is announced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from companion.games.above.action import Action
from companion.games.above.board import SPACES
from companion.games.above.box import DEITIES, Table
from companion.games.above.position import Position
from companion.games.above.rules import legal_actions
from companion.referee.evidence import Evidence, Switches
from companion.referee.explain import Explanation, Hypothesis, explain
from companion.referee.refusal import Refusal, refusal
from companion.referee.setup import differences, read_start
from companion.referee.verdict import Choice, Kind, Mark, Todo, Verdict
from companion.referee.wording import deity_name, listed, next_decision, pending_acts, place_name
from companion.sensing.reading import Reading

# A refusal needs this many settled looks in a row that agree, and this long; one look is never enough to
# accuse anybody. Where something is merely not seen, a marker may be blurred or a piece being straightened.
ILLEGAL_LOOKS = 2
MISSING_S = 1.5
IN_HAND_S = 6.0
QUESTION_S = 1.5


class Ledger(Protocol):
    """Where a game is written down before anything about it is announced."""

    def begin(self, names: Sequence[str], position: Position) -> None: ...

    def turn(self, actions: Sequence[Action]) -> None: ...

    def take_back(self) -> None: ...

    def refusal(self, text: str, rule: str) -> None: ...


class Referee:
    """A session of one game. `position` None: the game starts from the set-up that is laid on the table.

    With a position (a resumed game), the table must first show it, or a turn that continues it.
    """

    def __init__(
        self,
        names: Sequence[str],
        ledger: Ledger,
        position: Position | None = None,
        turns: Sequence[tuple[Position, tuple[Action, ...]]] = (),
        table: Table | None = None,
    ) -> None:
        self.names = tuple(names)
        self.players = len(self.names)
        self.position = position
        self.turns = list(turns)
        self._ledger = ledger
        self._table = table or Table()
        self._resuming = position is not None
        self._reading: Reading | None = None
        self._key: object = None
        self._explanation: Explanation | None = None
        self._soft: Hypothesis | None = None
        self._taken_back: Position | None = None
        self._refused: tuple[object, float, int] | None = None
        self._rivals_since: float | None = None
        self._announced_refusal = ""
        self._touched: set[int] = set()
        self.verdict = self._first_verdict()

    def _first_verdict(self) -> Verdict:
        if self.position is None:
            return Verdict(Kind.SETUP, 0, "Set up the board: I am looking at the table.")
        if self.position.is_over:
            return self._over(self.position)
        return Verdict(Kind.SETUP, self.position.turn, "I am comparing the table with the game.")

    @property
    def was_taken_back(self) -> bool:
        """Does the table still show a turn that was taken back?"""
        return self._taken_back is not None

    @property
    def may_be_over(self) -> Position | None:
        """The position if the turn that lies there complete, but could still go on, ends as it is."""
        return None if self._soft is None else self._soft.after

    # -- the table

    def observe(self, reading: Reading, switches: Switches | None = None) -> Verdict:
        """Weighs one reading. What is seen while hands move is no evidence: the verdict stands."""
        if self.position is not None and self.position.is_over:
            return self.verdict
        if reading.frame != "ok":
            self._refused = None
            self.verdict = Verdict(Kind.HOLD, self._seat, reading.frame)
            return self.verdict
        self._note_touched(reading, switches)
        if reading.moving:
            # A disturbance: agreement among looks before it counts no longer.
            self._refused = None
            return self.verdict
        key = (
            replace(reading, exposed_at=0.0, rings=(), findings=()),
            switches,
            self.position,
            self._taken_back,
        )
        if key != self._key:
            self._key = key
            self._explanation = None
        evidence = Evidence(reading, self.players, self._table, switches)
        self.verdict = self._judge(evidence, reading.exposed_at)
        return self.verdict

    def _note_touched(self, reading: Reading, switches: Switches | None) -> None:
        """Remembers which miniatures left their space this turn, if only for a moment."""
        if self.position is None:
            return
        seen = {} if reading.moving else {mini.deity: mini.space for mini in reading.minis}
        for deity, space in enumerate(self.position.minis):
            name = SPACES[space]
            lifted = switches is not None and name not in switches.closed
            if lifted or seen.get(DEITIES[deity], name) != name:
                self._touched.add(deity)

    def _judge(self, evidence: Evidence, now: float) -> Verdict:
        if self.position is None:
            return self._set_up(evidence)
        if self._taken_back is not None:
            verdict = self._still_taken_back(evidence, self._taken_back)
            if verdict is not None:
                return verdict
        if self._explanation is None:
            self._explanation = explain(self.position, evidence)
        explanation = self._explanation
        if explanation.best.fits:
            self._resuming = False
            self._refused = None
            return self._fitting(explanation, evidence, now)
        if self._soft is not None:
            # The table no longer fits the turn that might have gone on, but fits the next one: it was over.
            following = explain(self._soft.after, evidence)
            if following.best.fits:
                self._commit(self._soft)
                self._explanation = following
                return self._judge(evidence, now)
            if len(following.best.wrong) <= len(explanation.best.wrong):
                return self._not_fitting(self._soft.after, following, evidence, now)
        if self._resuming:
            return self._differing(evidence, "The table differs from where the game stands.")
        return self._not_fitting(self.position, explanation, evidence, now)

    def _set_up(self, evidence: Evidence) -> Verdict:
        start, todo = read_start(evidence)
        if start is None:
            text = "Set up the board: " + (todo[0].text if todo else "I am looking at the table.")
            marks = tuple((item.space, Mark.MISSING) for item in todo if item.space is not None)
            return Verdict(Kind.SETUP, 0, text, todo=todo, marks=marks)
        self._ledger.begin(self.names, start)
        self.position = start
        return self._ready(start, prefix="All set. ")

    def _fitting(self, explanation: Explanation, evidence: Evidence, now: float) -> Verdict:
        assert self.position is not None
        accepted = explanation.accepted
        if accepted is not None:
            self._rivals_since = None
            if not explanation.may_be_under_way:
                return self._commit(accepted)
            self._soft = accepted
            if self._touched.issuperset(accepted.returned):
                return self._complete(accepted)
            # It may be over only if a miniature went forth and back unseen; more likely it has not moved yet.
            verdict = self._unfinished(explanation, evidence)
            return replace(verdict, choices=(Choice("done", f"{self.names[self._seat]} has finished"),))
        self._soft = None
        rivals = explanation.rivals
        if rivals:
            if self._rivals_since is None:
                self._rivals_since = now
            if now - self._rivals_since >= QUESTION_S:
                return self._question(rivals)
            return self.verdict
        self._rivals_since = None
        return self._unfinished(explanation, evidence)

    def _not_fitting(
        self, position: Position, explanation: Explanation, evidence: Evidence, now: float
    ) -> Verdict:
        best = explanation.best
        key = (best.wrong, tuple(evidence.mini_at(item[1]) for item in best.wrong if item[0] == "mini"))
        if self._refused is None or self._refused[0] != key:
            self._refused = (key, now, 0)
        since, looks = self._refused[1], self._refused[2] + 1
        self._refused = (key, since, looks)
        refused = refusal(position, explanation, evidence, self.names)
        patience = MISSING_S if refused.only_missing else 0.0
        if any(evidence.mini_at(d) is None for d in range(len(position.minis))):
            patience = IN_HAND_S
        if looks < ILLEGAL_LOOKS or now - since < patience:
            return self.verdict
        return self._illegal(refused, position.turn)

    # -- verdicts

    @property
    def _seat(self) -> int:
        return 0 if self.position is None else self.position.turn

    def _ready(self, position: Position, prefix: str = "") -> Verdict:
        text = f"{prefix}{next_decision(position, self.names)}"
        return Verdict(Kind.READY, position.turn, text)

    def _unfinished(self, explanation: Explanation, evidence: Evidence) -> Verdict:
        assert self.position is not None
        self._announced_refusal = ""
        best = explanation.best
        lifted = [
            deity
            for deity, space in enumerate(self.position.minis)
            if evidence.in_hand(deity, space)
            and all(evidence.in_hand(deity, stop) for stop in best.trajectory.get(("mini", deity, 0), ()))
        ]
        if lifted:
            return self._lifted(lifted, explanation)
        if not best.actions:
            return self._ready(self.position)
        alike = [h for h in explanation.partial if _alike(h, best)]
        todo = pending_acts(alike, self.names)
        if best.unsure and not best.pending and best.is_complete:
            text = "I cannot see all of it yet: " + todo[0].text
            return Verdict(Kind.HOLD, self._seat, text, todo=todo, actions=_texts(best))
        if not best.is_complete:
            todo = (*todo, Todo(next_decision(best.after, self.names)))
        marks = [(item.space, _mark(item)) for item in todo if item.space is not None]
        if not best.is_complete:
            marks += [(space, Mark.TARGET) for space in _step_targets(best.after)]
        return Verdict(
            Kind.UNFINISHED,
            self._seat,
            todo[0].text,
            todo=todo,
            marks=tuple(dict(reversed(marks)).items()),
            actions=_texts(best),
        )

    def _lifted(self, lifted: Sequence[int], explanation: Explanation) -> Verdict:
        assert self.position is not None
        deity = lifted[0]
        item = ("mini", deity, 0)
        home = self.position.minis[deity]
        fitting = [h for h in explanation.partial if not h.wrong and item in h.trajectory]
        least = min((len(h.pending) for h in fitting), default=0)
        targets = {
            space
            for h in fitting
            if len(h.pending) == least
            for space in h.trajectory[item][1:]
            if space != home
        }
        name = deity_name(deity)
        others = f" {listed(map(deity_name, lifted[1:]))} too." if len(lifted) > 1 else ""
        if targets:
            spaces = ", ".join(place_name(space) for space in sorted(targets))
            text = f"{name} is lifted.{others} {name} may go to {spaces}."
        else:
            text = f"{name} is lifted.{others} {name} belongs on {place_name(home)}."
        marks = tuple((SPACES[space], Mark.TARGET) for space in sorted(targets))
        if not targets:
            marks = ((SPACES[home], Mark.RETURN),)
        return Verdict(Kind.LIFTED, self._seat, text, marks=marks, actions=_texts(explanation.best))

    def _complete(self, hypothesis: Hypothesis) -> Verdict:
        self._announced_refusal = ""
        after = hypothesis.after
        mover = self.names[self._seat]
        text = f"{mover} may exhaust more cards (Athena). Otherwise: {next_decision(after, self.names)}"
        choices = (Choice("done", f"{mover} is done"),)
        return Verdict(Kind.COMPLETE, after.turn, text, actions=_texts(hypothesis), choices=choices)

    def _question(self, rivals: Sequence[Hypothesis]) -> Verdict:
        assert self.position is not None
        choices = tuple(Choice(f"turn:{number}", ", ".join(_texts(h))) for number, h in enumerate(rivals[:4]))
        return Verdict(Kind.QUESTION, self._seat, "Which of these was played?", choices=choices)

    def _illegal(self, refused: Refusal, seat: int) -> Verdict:
        if refused.text != self._announced_refusal:
            self._ledger.refusal(refused.text, refused.rule)
            self._announced_refusal = refused.text
        return Verdict(
            Kind.ILLEGAL,
            seat,
            refused.text,
            rule=refused.rule,
            todo=refused.todo,
            marks=refused.marks,
            actions=refused.actions,
        )

    def _differing(self, evidence: Evidence, text: str) -> Verdict:
        assert self.position is not None
        todo = differences(self.position, evidence, self.names)
        marks = tuple((item.space, Mark.RETURN) for item in todo if item.space is not None)
        if todo:
            text = f"{text} {todo[0].text}"
        return Verdict(Kind.SETUP, self._seat, text, todo=todo, marks=marks)

    def _over(self, position: Position) -> Verdict:
        winners = position.winner
        who = listed(self.names[seat] for seat in winners)
        on_top = [deity_name(d) for d, space in enumerate(position.minis) if SPACES[space] == "top"]
        text = f"{on_top[0]} stands on the summit: {who} {'wins' if len(winners) == 1 else 'win'}!"
        return Verdict(Kind.OVER, winners[0], text, marks=(("top", Mark.WINNER),), winners=winners)

    # -- turns

    def _commit(self, hypothesis: Hypothesis) -> Verdict:
        assert self.position is not None
        self._ledger.turn(hypothesis.actions)
        self.turns.append((self.position, hypothesis.actions))
        self.position = hypothesis.after
        self._soft = None
        self._refused = None
        self._taken_back = None
        self._touched.clear()
        self._announced_refusal = ""
        self._explanation = None
        self._key = None
        if self.position.is_over:
            self.verdict = self._over(self.position)
        else:
            self.verdict = self._ready(self.position)
        return self.verdict

    def take_back(self) -> Verdict:
        """Takes the last turn back; the table is then to be restored, or another turn played."""
        if self._soft is not None:
            self._commit(self._soft)
        if not self.turns:
            return self.verdict
        assert self.position is not None
        self._ledger.take_back()
        self._taken_back = self.position
        self.position, _ = self.turns.pop()
        self._key = None
        self._refused = None
        self.verdict = Verdict(
            Kind.SETUP, self.position.turn, "The last turn is taken back: put the table as it was before."
        )
        return self.verdict

    def _still_taken_back(self, evidence: Evidence, undone: Position) -> Verdict | None:
        """While the table still shows the turn that was taken back, it is not accepted a second time."""
        if differences(undone, evidence, self.names):
            self._taken_back = None
            self._resuming = True
            return None
        return self._differing(evidence, "The last turn is taken back.")

    def answer(self, key: str) -> bool:
        """Takes an answer to the verdict's choices. False when it answers nothing that is asked now."""
        if key not in {choice.key for choice in self.verdict.choices}:
            return False
        if key == "done" and self._soft is not None:
            self._commit(self._soft)
            return True
        if key.startswith("turn:") and self._explanation is not None:
            self._commit(self._explanation.rivals[int(key.removeprefix("turn:"))])
            return True
        return False


def _alike(hypothesis: Hypothesis, best: Hypothesis) -> bool:
    """Does it fit as well as the best, with the same items still to come?"""
    return (
        not hypothesis.wrong
        and hypothesis.is_complete == best.is_complete
        and abs(hypothesis.cost - best.cost) < 1.0
        and set(hypothesis.pending) == set(best.pending)
        and set(hypothesis.unsure) == set(best.unsure)
    )


def _mark(todo: Todo) -> Mark:
    return Mark.REMOVE if todo.text.startswith("Take") else Mark.TARGET


def _step_targets(position: Position) -> tuple[str, ...]:
    """Where the miniature that must go on may step."""
    actions = legal_actions(position)
    if len({action.deity for action in actions}) != 1:
        return ()
    return tuple(a.space for a in actions if a.kind in ("move", "jump") and a.space is not None)


def _texts(hypothesis: Hypothesis) -> tuple[str, ...]:
    return tuple(str(action) for action in hypothesis.actions)
