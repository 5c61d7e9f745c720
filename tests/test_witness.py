"""What a ruling was made from: counted from when the hands left, told for the places that count, kept with a picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.games.above.position import Position
from companion.messages import LANGUAGES, render
from companion.referee.evidence import Switches
from companion.referee.referee import Referee
from companion.tables.above.kit import AboveKit
from companion.web.stills import Ruling, Stills
from companion.witness import Witness
from tests.referee.tabletop import Tabletop
from tests.referee.test_referee import Notes
from tests.room import Room, begun, run

OPENING = (
    "ze=a1,he=c1,ar=e1,at=g1,ha=i1,de=k1,po=m1,ap=o1 thunder=b3.f5,fertility=d2.n4,gate=h3.l6,barrier=j2.p3 "
    "ze.he.ar.at.ha.de.po.ap/ze.he.ar.at.ha.de.po.ap 0 2"
)


class Sitting:
    """A referee whose looks a witness follows."""

    def __init__(self) -> None:
        self.position = Position.parse(OPENING)
        self.referee = Referee(("Ada", "Ben"), Notes(), self.position)
        self.witness = Witness(AboveKit(), lambda: 99.0)
        self.top = Tabletop.of(self.position)
        self.now = 0.0
        self.rulings: list[Ruling] = []

    def look(self, times: int = 1, *, moving: bool = False, closed: frozenset[str] | None = None) -> None:
        for _ in range(times):
            self.now += 0.2
            reading = replace(self.top.reading(self.now), moving=moving)
            switches = None if closed is None else Switches(closed)
            self.referee.observe(reading, switches)
            ruling = self.witness.look(reading, switches, self.referee)
            if ruling is not None:
                self.rulings.append(ruling)

    def play(self) -> None:
        """Ada activates Zeus and moves him to b1, and a token goes to a2."""
        self.look(5)
        self.top.cards[0]["ze"] -= 1
        self.top.minis["ze"] = "b1"
        self.top.tokens.add(("thunder", "a2"))
        self.look(2, moving=True)


def test_an_accepted_turn_tells_what_was_seen_where_it_changed_something() -> None:
    sitting = Sitting()
    sitting.play()
    sitting.look(4)
    (ruling,) = sitting.rulings
    assert (ruling.kind, ruling.turn, ruling.at) == ("accepted", 1, 99.0)
    # By the capital: sentences begin with it.
    told = " ".join(ruling.evidence).lower()
    assert "b1: zeus seen in" in told and "99 % sure" in told
    assert "a1: nothing seen in" in told
    assert "a2: thunder seen in" in told
    assert "hera" not in told, "what has not changed is no reason"


def test_a_refusal_counts_only_the_looks_since_the_hands_left() -> None:
    sitting = Sitting()
    sitting.look(9)
    sitting.top.minis["ze"] = "d6"
    sitting.look(1, moving=True)
    sitting.look(6)
    (ruling,) = sitting.rulings
    assert ruling.kind == "illegal" and ruling.text == sitting.referee.verdict.text
    (zeus,) = (line for line in ruling.evidence if "Zeus seen in" in line)
    seen, looks = (int(words.split()[-1 if n == 0 else 0]) for n, words in enumerate(zeus.split(" of ")))
    assert 2 <= seen == looks <= 6, "what was seen before the hands came is no evidence"


def test_the_same_ruling_is_told_once() -> None:
    sitting = Sitting()
    sitting.look(3)
    sitting.top.minis["ze"] = "d6"
    sitting.look(12)
    assert len(sitting.rulings) == 1


def test_switches_are_told_as_they_stood() -> None:
    sitting = Sitting()
    standing = {space for space in sitting.top.minis.values() if space is not None}
    others = frozenset(standing | {space for _, space in sitting.top.tokens}) - {"a1"}
    sitting.look(5, closed=others | {"a1"})
    sitting.top.minis["ze"] = "d6"
    sitting.look(1, moving=True, closed=others)
    sitting.look(8, closed=others | {"d6"})
    (ruling,) = sitting.rulings
    told = " ".join(ruling.evidence).lower()
    assert "d6: the switch is closed" in told
    assert "a1: the switch is open" in told


def test_the_evidence_is_said_in_every_language() -> None:
    sitting = Sitting()
    sitting.play()
    sitting.look(4)
    for line in sitting.rulings[0].evidence:
        said = {render(line, language) for language in LANGUAGES}
        assert len(said) == len(LANGUAGES)


def test_only_the_latest_pictures_are_kept() -> None:
    stills = Stills(kept=3)
    ruling = Ruling(1, "accepted", "", ("seen",), 5.0)
    for n in range(5):
        stills.keep(ruling, b"%d" % n)
    assert [view.number for view in stills.views] == [3, 4, 5]
    assert stills.picture(2) is None and stills.picture(5) == b"4"
    stills.forget()
    assert stills.marks == ()


def test_a_ruling_is_kept_with_its_picture_and_shown_to_pages(tmp_path: Path) -> None:
    async def test() -> None:
        room = Room(tmp_path)
        table, position = begun(room)
        top = Tabletop.of(position)
        top.minis["ze"] = "d6"
        room.look(top, 8)
        table.keep_still(b"a picture")
        table.keep_still(b"another one, of no ruling")
        (mark,) = room.hub.latest.stills
        assert mark.kind == "illegal"
        assert room.hub.stills.picture(mark.number) == b"a picture"
        table.new_game(2)
        room.look(top)
        assert room.hub.latest.stills == ()

    run(test)
