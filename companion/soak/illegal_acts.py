"""Which acts against the rules a soak counts, and which of them were asked back because nobody could see them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set

from companion.referee.verdict import Kind, Verdict
from companion.virtual.tally import IllegalAct

# Could nothing see what was done from … to … (s)?
Hid = Callable[[float, float], bool]
# What lay in view for less than this (s) before the picture went was looked at once, and one look accuses nobody.
LOOKED_AT_S = 0.5
# Answers that name cards, and neither a miniature nor a space.
_OF_CARDS = ("did:activate ", "did:disgrace ", "did:exhaust ", "did:pick ")
# Answers that name a token, of which there are several alike.
_OF_TOKENS = ("did:place ", "did:remove ")
# The answer that a card was turned up as it was read first, and exchanged since.
_AS_READ = "as read:"


class AskedBack:
    """Notes the acts that the table asks to have put back without an accusation, and could not have seen."""

    def __init__(self, hid: Hid) -> None:
        self._hid = hid
        self._acts: list[IllegalAct] = []
        self._asked: list[IllegalAct] = []

    def look(self, act: IllegalAct, verdict: Verdict) -> None:
        """The act lies there, and this is what the table says.

        It counts if the verdict names a place or a thing of it, and if truly nothing could see it being done, or only
        for a moment.
        """
        if not _names(verdict, act):
            return
        if all(act is not noted for noted in self._asked):
            self._asked.append(act)
        is_new = all(act is not noted for noted in self._acts)
        if verdict.kind is Kind.SETUP and is_new and self._hid(act.began_at, act.done_at + LOOKED_AT_S):
            self._acts.append(act)

    def count(self, acts: Sequence[IllegalAct]) -> int:
        """How many of these acts were asked back and not called illegal besides."""
        return sum(self._is_put_back(act) for act in acts)

    def count_doubtful(self, acts: Sequence[IllegalAct]) -> int:
        """Over how many more, which a broken switch may account for, the table has asked and accused nobody.

        Whoever is asked of other pieces has learnt nothing of the mistake.
        """
        return sum(
            act.doubtful
            and not (act.caught or self._is_put_back(act))
            and any(act is noted for noted in self._asked)
            for act in acts
        )

    def _is_put_back(self, act: IllegalAct) -> bool:
        return not act.caught and any(act is noted for noted in self._acts)


def _names(verdict: Verdict, act: IllegalAct) -> bool:
    """Does it ask for a place or a thing of the act: to be put right, or as what may have been played?

    A whole turn names its card with its miniature, and tokens by their kind: it asks for the act if it names a space.
    """
    if verdict.kind is Kind.SETUP:
        return any(todo.space in act.places or _tells(todo.text, act.things) for todo in verdict.todo)
    if verdict.kind is not Kind.QUESTION:
        return False
    for choice in verdict.choices:
        if choice.key.startswith(_OF_CARDS):
            continue
        # Of an act without a space only cards lie otherwise.
        of_one = bool(act.places) and choice.key.startswith("did:") and not choice.key.startswith(_OF_TOKENS)
        spaces = act.places.intersection(re.findall(r"\w+", choice.text))
        if spaces or (of_one and _tells(choice.text, act.things)):
            return True
    return False


def _tells(text: str, things: Set[str]) -> bool:
    return any(thing in text for thing in things)


def asks_to_turn_back(verdict: Verdict, act: IllegalAct, *, any_card: bool = False) -> bool:
    """Does it tell to turn back a card of an act that nobody is to be accused of, and nothing of the board?

    `any_card`: cards are taken from a pile, and any of them will do: it is said how many, and not which.
    """
    is_open = verdict.kind in (Kind.UNFINISHED, Kind.SETUP) and bool(verdict.todo)
    of_cards = all(todo.space is None for todo in verdict.todo)
    return is_open and of_cards and (any_card or any(_tells(todo.text, act.things) for todo in verdict.todo))


def asks_what_it_was(verdict: Verdict, act: IllegalAct) -> bool:
    """Does it ask whether a card of this act was misread at first, or exchanged? Who is asked says so, whoever did it."""
    return verdict.kind is Kind.QUESTION and any(
        choice.key.startswith(_AS_READ) and _tells(choice.key, act.things) for choice in verdict.choices
    )


def that_count(acts: Sequence[IllegalAct], over_at: float | None) -> list[IllegalAct]:
    """All that could be noticed, but for the last act if it was begun after all that is wanted had been played.

    That one counts only if it was caught: nobody waits for an answer to what was begun after the last wanted turn was
    complete, at `over_at` (None: it was not).
    """
    late = over_at is not None and bool(acts) and not acts[-1].caught and acts[-1].began_at > over_at
    return [act for act in (acts[:-1] if late else acts) if not act.unfelt]
