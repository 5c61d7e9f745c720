"""The step of the box: a card held up is asked about once, answered, kept at once; what is missing stays named."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.bench import Bench
from calibration.cards.above import AboveCards
from calibration.cards.book import CardBook
from calibration.cards.olympeak import OlympeakCards
from calibration.form import Form
from calibration.profile import TableProfile
from calibration.session import Key, Phase, Session, View
from calibration.step import Advice
from calibration.steps.box import BoxStep
from companion.games.olympeak.deck_file import read
from companion.sensing.frames import Frame, Image
from companion.sensing.markers import dictionary


def picture(*markers: int) -> Image:
    image = np.full((180, 320, 3), 200, np.uint8)
    for place, marker in enumerate(markers):
        print_ = cv2.aruco.generateImageMarker(dictionary(), marker, 70)
        image[50:120, 30 + 100 * place : 100 + 100 * place] = print_[..., None]
    return image


class Cards:
    """A camera before which cards are held, one after the other, each for three pictures."""

    simulated = False
    name, notice = "cards", ""

    def __init__(self, held: Sequence[tuple[int, ...]]) -> None:
        self._pictures = [picture(*markers) for markers in held for _ in range(3)]
        self.number = 0

    def open(self) -> None: ...

    def read(self, timeout_s: float) -> Frame:
        self.number += 1
        return Frame(self._pictures[(self.number - 1) % len(self._pictures)], 0.1 * self.number, self.number)

    def close(self) -> None: ...


class Registering:
    """A person who answers each form by `answers` and says it is enough once `until` forms were answered."""

    def __init__(
        self,
        step: BoxStep,
        held: Sequence[tuple[int, ...]],
        answer: Callable[[Form], dict[str, str] | None],
        until: int,
    ) -> None:
        self.forms: list[Form] = []
        self.views: list[View] = []
        self._answer, self._until = answer, until
        self.saved = 0

        def bench(listen: Callable[[Advice, Frame | None], None]) -> Bench:
            return Bench(TableProfile(), camera=Cards(held), listen=listen)

        async def play() -> bool:
            self._session = Session([step], bench, show=self._show, save=self._save)
            async with asyncio.timeout(20):
                return await self._session.run()

        self.complete = asyncio.run(play())

    def _save(self, bench: Bench) -> None:
        self.saved += 1

    def _show(self, view: View, frame: Frame | None) -> None:
        self.views.append(view)
        loop = asyncio.get_running_loop()
        if view.phase is Phase.INTRO:
            loop.call_soon(self._session.press, Key.GO)
        elif view.phase is Phase.JUDGED:
            loop.call_soon(self._session.press, Key.KEEP)
        form = None if view.advice is None or view.phase is not Phase.MEASURING else view.advice.form
        if form is not None and form not in self.forms:
            self.forms.append(form)
            assert self._session.answer(form.number, self._answer(form))
            assert not self._session.answer(form.number + 7, {})
        if form is None and len(self.forms) >= self._until:
            loop.call_soon(self._session.press, Key.ENOUGH)


def step(book: CardBook, tmp_path: Path, again: bool = False) -> BoxStep:
    return BoxStep(book, tmp_path / "cards.csv", again)


def test_cards_held_up_are_asked_about_once_and_kept(tmp_path: Path) -> None:
    run = Registering(
        step(AboveCards(), tmp_path),
        [(41,), (57,), (42,)],
        lambda form: {"letter": "", "ring": "6"},
        until=2,
    )
    assert run.complete
    # The other side of the same card is the same card, and what was left empty stays as it was offered.
    assert [form.title for form in run.forms] == ["Hera, set 1", "Ares, set 1"]
    kept = AboveCards.kept(tmp_path / "cards.csv")
    assert [kept.told(card) for card in ("he1", "ar1")] == ["letter β, ring 6", "letter γ, ring 6"]
    judged = next(view for view in run.views if view.outcome is not None)
    assert judged.outcome is not None
    assert judged.outcome.summary.startswith("2 of 16 cards are registered")
    assert judged.findings[0].advice.startswith("missing: Zeus 1, Athena 1")
    # The table's profile has nothing to do with it.
    assert run.saved == 0


def test_what_cannot_be_is_asked_again_with_what_was_typed(tmp_path: Path) -> None:
    said = iter([{"letter": "k", "ring": "7"}, {"letter": "k", "ring": "1"}])
    run = Registering(step(AboveCards(), tmp_path), [(41,)], lambda form: next(said), until=2)
    second = run.forms[1]
    assert "there is no ring '7'" in second.trouble
    assert [field.value for field in second.fields] == ["k", "7"]
    assert AboveCards.kept(tmp_path / "cards.csv").told("he1") == "letter λ, ring 1"


def test_a_card_put_aside_is_not_asked_about_while_it_lies_there(tmp_path: Path) -> None:
    run = Registering(step(AboveCards(), tmp_path), [(41,), (41,), (42,)], lambda form: None, until=2)
    assert [form.title for form in run.forms] == ["Hera, set 1", "Ares, set 1"]
    assert not (tmp_path / "cards.csv").exists()


def test_of_several_cards_the_one_that_is_missing_is_meant(tmp_path: Path) -> None:
    book = AboveCards().confirmed("he1", {"letter": "b", "ring": "1"})
    run = Registering(step(book, tmp_path), [(42, 43), (41, 44)], lambda form: {}, until=1)
    assert [form.title for form in run.forms] == ["Hades, set 1"]


def test_registered_cards_are_asked_about_again_when_that_is_wished(tmp_path: Path) -> None:
    book = AboveCards().confirmed("he1", {"letter": "b", "ring": "1"})
    run = Registering(step(book, tmp_path, again=True), [(41,), (42,)], lambda form: {}, until=2)
    assert [form.title for form in run.forms] == ["Hera, set 1", "Ares, set 1"]


def test_cards_of_olympeak_are_registered_the_same_way(tmp_path: Path) -> None:
    values = {"value": "3", "heads": "4", "signs": "green", "star": "no"}
    run = Registering(
        step(OlympeakCards.kept(tmp_path / "x"), tmp_path), [(120,)], lambda form: values, until=1
    )
    assert [form.title for form in run.forms] == ["progress card p006"]
    box = read(tmp_path / "cards.csv")
    assert (box.deck["p006"].value, box.deck["p006"].signs) == (3, ("green",))
    assert len(box.unconfirmed) == 123
