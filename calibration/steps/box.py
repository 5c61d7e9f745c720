"""The step that registers the owner's cards: each is held to the camera, and what is printed on it is confirmed."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from calibration.bench import Bench
from calibration.cards.book import CardBook, CardRefused, listed, missing
from calibration.form import Field, Form
from calibration.gate import Finding, Judgement, held
from calibration.profile import TableProfile
from calibration.step import Advice, Outcome, Part
from companion.sensing.frames import Frame
from companion.sensing.grey import gray_of
from companion.sensing.markers import detect

# A card is asked about once two looks in a row have read it.
LOOKS = 2


@dataclass(frozen=True, slots=True)
class ShowCard:
    """The simulated owner's part: show the card; once asked, with nobody real there, say what is printed on it."""

    card: str
    marker_seen: bool = False
    answer: Callable[[dict[str, str]], None] | None = None


@dataclass(eq=False, slots=True)
class BoxStep:
    """Registers cards into `book`, kept in `file` after each. `again`: ask about registered cards, too."""

    book: CardBook
    file: Path
    again: bool = False

    name = "box"
    needs = frozenset({Part.CAMERA})

    @property
    def title(self) -> str:
        """What the step is called."""
        return f"The cards of {'Above' if self.book.game == 'above' else 'OlymPeak'}"

    @property
    def instructions(self) -> str:
        """What to do, in plain words."""
        left = missing(self.book)
        return (
            f"{len(left)} of {len(self.book.cards)} cards are not registered yet. Hold one after the other under the "
            "camera, its marker up; what is assumed of it is offered, and you confirm or correct it. Each is kept at "
            "once. Say that it is enough whenever you like: the rest can follow another day."
        )

    def measured_at(self, profile: TableProfile) -> datetime | None:
        """The box is no part of a table's profile."""
        return None

    async def measure(self, bench: Bench) -> Outcome:
        """Register cards until all are, or it is said to be enough."""
        while not bench.answers.empty():
            bench.answers.get_nowait()
        numbers = itertools.count(1)
        form: Form | None = None
        card: str | None = None
        last: str | None = None
        done: str | None = None  # the card in view that was answered or put aside
        seen, said = 0, ""
        async for frame in bench.frames():
            if form is not None and card is not None:
                form, words = self._answered(bench, form, card, numbers)
                said = words or said
                done = card if form is None else None
            if not self.again and not missing(self.book):
                break
            shown = await bench.work(self._look, frame)
            if form is None:
                seen = seen + 1 if shown == last else 1
                last = shown
                done = done if shown == done else None
                if seen >= LOOKS and shown not in (None, done) and self._wanted(shown):
                    card = shown
                    form = None if card is None else Form(next(numbers), *self._asked(card))
            bench.say(self._advice(form, card, shown, said, bench), frame)
        return self._outcome()

    def _asked(self, card: str) -> tuple[str, tuple[Field, ...]]:
        return self.book.title(card), self.book.fields(card)

    def _wanted(self, card: str | None) -> bool:
        return card is not None and (self.again or card not in self.book.registered)

    def _look(self, frame: Frame) -> str | None:
        """The card in the picture; of several the one that is not registered, if there is only one."""
        cards = {self.book.card_of(marker.id) for marker in detect(gray_of(frame.image))} - {None}
        fresh = [card for card in cards if card is not None and card not in self.book.registered]
        if len(fresh) == 1:
            return fresh[0]
        return next(iter(cards)) if len(cards) == 1 else None

    def _answered(
        self, bench: Bench, form: Form, card: str, numbers: itertools.count[int]
    ) -> tuple[Form | None, str]:
        """The form that is still open, and what became of an answer, if one has come."""
        try:
            number, values = bench.answers.get_nowait()
        except asyncio.QueueEmpty:
            return form, ""
        if number != form.number:
            return form, ""
        if values is None:
            return None, f"{form.title} was put aside."
        try:
            book = self.book.confirmed(card, values)
        except CardRefused as refused:
            typed = tuple(replace(field, value=values.get(field.name, "")) for field in form.fields)
            return Form(next(numbers), form.title, typed, str(refused)), ""
        book.save(self.file)
        self.book = book
        return None, f"{book.title(card)}: {book.told(card)}. Kept."

    def _advice(
        self, form: Form | None, card: str | None, shown: str | None, said: str, bench: Bench
    ) -> Advice:
        book = self.book
        left = missing(book)
        share = len(book.registered) / len(book.cards)
        lines = tuple(
            line for line in (said, f"{len(book.registered)} of {len(book.cards)} registered") if line
        )
        if form is not None and card is not None:
            number = form.number

            def answer(values: dict[str, str]) -> None:
                bench.answers.put_nowait((number, values))

            text = f"{form.title}: is this what is printed on it?"
            wish = ShowCard(card, True, answer if bench.unattended else None)
            return Advice(text, share, lines, form=form, wish=wish)
        if shown is not None and shown in book.registered and not self.again:
            text = f"{book.title(shown)} is registered: {book.told(shown)}. The next one, please."
        else:
            text = (
                f"Hold one card under the camera. Missing: {listed(book, left)}."
                if left
                else "Hold one card up."
            )
        return Advice(text, share, lines, wish=ShowCard(left[0]) if left else None)

    def _outcome(self) -> Outcome:
        book, left = self.book, missing(self.book)
        findings: tuple[Finding, ...] = (
            held(
                "cards registered",
                f"{len(book.registered)} of {len(book.cards)}",
                "all",
                good=not left,
                bearable=True,
                advice=f"missing: {listed(book, left)}; type calibrate box {book.game} again",
            ),
            *(
                Finding(
                    doubt,
                    "",
                    "each once",
                    Judgement.DOUBTFUL,
                    f"look at them again: calibrate box {book.game} --again",
                )
                for doubt in book.doubts()
            ),
        )
        data = {
            "game": book.game,
            "file": str(self.file),
            "registered": len(book.registered),
            "cards": len(book.cards),
            "missing": list(left),
        }
        return Outcome(
            f"{len(book.registered)} of {len(book.cards)} cards are registered, kept in {self.file}.",
            findings,
            lambda profile: profile,
            data,
        )
