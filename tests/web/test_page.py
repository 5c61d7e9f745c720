"""The page's files: complete, small, and independent of the internet."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from companion.games.above.box import DEITIES, DEITY_COLOURS, TOKEN_COLOURS, TOKENS
from companion.games.olympeak.box import CONTENDER_COLOURS
from companion.messages import LANGUAGES
from companion.messages.catalogue import entry, keys
from companion.messages.pattern import Choice, Pattern, Slot
from companion.referee.verdict import Kind, Mark
from companion.signals.emergency import StopBy
from companion.signals.night import NightMode
from companion.signals.pins.plan import BUTTONS, LAMPS, Part
from companion.signals.rhythms import Rhythm
from companion.web.app import STATIC
from companion.web.files import pack, read
from companion.web.language import page_words

FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
SCRIPTS = [path for path in FILES if path.suffix == ".js"]
WORDS = json.loads(page_words("en"))["strings"]


TEXTS = [path for path in FILES if path.suffix != ".png"]


def test_the_whole_page_is_small() -> None:
    words = [pack(page_words(language), "application/json") for language in LANGUAGES]
    files = [file for name, file in read(STATIC).items() if not name.endswith(".png")]
    assert (
        sum(len(file.packed or file.plain) for file in files) + max(len(each.packed or b"") for each in words)
        < 75_000
    )


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_nothing_comes_from_elsewhere(path: Path) -> None:
    addresses = re.findall(
        r"""(?:https?:)?//[a-z0-9][^\s"'`)]*\.[^\s"'`)]*""", path.read_text(), re.IGNORECASE
    )
    assert [address for address in addresses if "www.w3.org/2000/svg" not in address] == []


def test_the_page_needs_no_inline_script_or_style() -> None:
    page = (STATIC / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"\sstyle=|<style|\son\w+=", page)
    for script in SCRIPTS:
        text = script.read_text()
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text)
        assert not re.search(r"""setAttribute\(["']style""", text)


def test_every_file_that_is_named_is_there() -> None:
    page = (STATIC / "index.html").read_text()
    for name in re.findall(r'(?:src|href)="([^"#]+)"', page):
        assert (STATIC / name).is_file() or name in ("camera.jpg", "messages/en.json"), name
    for script in SCRIPTS:
        for name in re.findall(r'from "(\./[^"]+)"', script.read_text()):
            assert (script.parent / name).is_file(), name
    waiting = (STATIC / "waiting.html").read_text()
    kept = re.findall(r'"([\w.]+)"', re.findall(r"WAITING = \[(.*)\]", (STATIC / "sw.js").read_text())[0])
    assert set(re.findall(r'(?:src|href)="([^"#]+)"', waiting)) | {"waiting.html"} == set(kept)
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text())
    assert all((STATIC / icon["src"]).is_file() for icon in manifest["icons"])


def test_every_message_that_is_used_exists() -> None:
    keys = {key.partition(".")[0] for key in WORDS}
    used = {key for script in SCRIPTS for key in re.findall(r"""\bt\(["'`](\w+)""", script.read_text())}
    assert used
    assert used - keys == set()


def block(name: str) -> set[str]:
    return {key.partition(".")[2] for key in WORDS if key.startswith(f"{name}.")}


def test_every_state_mark_deity_and_token_has_a_word() -> None:
    assert block("kind") == {kind.value for kind in Kind} | {"none"}
    assert block("mark") == {mark.value for mark in Mark}
    assert block("deity") == set(DEITIES)
    assert block("token") == set(TOKENS)


def test_every_state_and_mark_has_a_sign_and_a_colour() -> None:
    panels, board = (STATIC / "js" / "panels.js").read_text(), (STATIC / "js" / "board.js").read_text()
    style = (STATIC / "style.css").read_text()
    for kind in Kind:
        assert re.search(rf"^  {kind.value}: \"M", panels, re.MULTILINE), kind
        assert f'[data-kind="{kind.value}"]' in style or kind is Kind.HOLD
    for mark in Mark:
        assert re.search(rf"^  {mark.value}: \"M", board, re.MULTILINE), mark
        assert f".badge.{mark.value}" in style


def test_the_pieces_have_the_colours_of_the_box() -> None:
    box = (STATIC / "js" / "box.js").read_text()
    drawn = {
        name: tuple(int(part) for part in colour.split(","))
        for name, colour in re.findall(r"(\w+): (?:\{ colour: )?\[(\d+, \d+, \d+)\]", box)
    }
    assert drawn == DEITY_COLOURS | TOKEN_COLOURS


def test_the_contenders_have_their_colours_and_words() -> None:
    script = (STATIC / "js" / "olympeak.js").read_text()
    drawn = {
        name: tuple(int(part) for part in colour.split(","))
        for name, colour in re.findall(r"(\w+): \[(\d+, \d+, \d+)\]", script)
    }
    assert drawn == CONTENDER_COLOURS
    assert block("contender") == set(CONTENDER_COLOURS)
    assert block("order") == {"stop", "remove", "insert"}


def test_every_lamp_button_and_rhythm_has_a_word_and_keeps_its_time() -> None:
    style = (STATIC / "style.css").read_text()
    assert block("rhythm") == {rhythm.name.lower() for rhythm in Rhythm} | {"dark"}
    assert block("lamp") == {part.value for part in LAMPS}
    assert block("pin") == {part.value for part in (*BUTTONS, Part.EMERGENCY)}
    assert block("nightMode") == {mode.value for mode in NightMode}
    assert block("stopBy") == {by.value for by in StopBy}
    for rhythm in Rhythm:
        if not rhythm.period_ms:
            continue
        name = rhythm.name.lower()
        moves = re.search(rf"\.pilot\.{name} \.bulb {{ animation: {name} ([\d.]+)s step-end infinite", style)
        assert moves is not None and float(moves[1]) * 1000 == rhythm.period_ms
        frames = re.search(rf"@keyframes {name} {{(.*)}}\n", style)
        assert frames is not None
        edges = sorted(
            (float(each.rstrip("%")), "var" in look)
            for stops, look in re.findall(r"([\d.%, ]+) {([^}]*)}", frames[1])
            for each in stops.split(",")
        )
        wanted = sorted(
            [(100 * end / rhythm.period_ms, False) for _, end in rhythm.spans_ms]
            + [(100 * begin / rhythm.period_ms, True) for begin, _ in rhythm.spans_ms if begin]
        )
        assert [lit for _, lit in edges] == [lit for _, lit in wanted]
        assert [at for at, _ in edges] == pytest.approx([at for at, _ in wanted], abs=0.01)


def slots(pattern: Pattern) -> list[Slot]:
    found = [part for part in pattern if isinstance(part, Slot)]
    return found + [
        slot
        for part in pattern
        if isinstance(part, Choice)
        for case in part.cases.values()
        for slot in slots(case)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browser_can_put_the_page_s_words_together(language: str) -> None:
    for key in keys("page"):
        assert all(not slot.forms and not slot.capital for slot in slots(entry(key, language).pattern)), key
