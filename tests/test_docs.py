"""The documents are true: every command exists with its options, every link and picture is there, every pin is right."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import typer

from calibration.cli import app as calibrate
from companion.cli import app as companion
from companion.settings import Settings
from companion.signals.pins.plan import REFERENCE
from firmware_bridge.cli import app as firmware_bridge

ROOT = Path(__file__).parent.parent
DOCS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "firmware_bridge/firmware/README.md",
]
FOR_OWNERS = ("build", "first-evening", "care", "troubleshooting")
PROGRAMS = {
    "companion": typer.main.get_command(companion),
    "calibrate": typer.main.get_command(calibrate),
    "firmware-bridge": typer.main.get_command(firmware_bridge),
}
INSTALL = (ROOT / "deploy" / "install.sh").read_text(encoding="utf-8")


def commands(text: str) -> Iterator[str]:
    """Every line of code, and every piece of it in a sentence, that calls one of the programs."""
    lines = re.findall(r"^ {4,}(\S.*)$", text, re.MULTILINE) + re.findall(r"`([^`\n]+)`", text)
    for line in lines:
        bare = re.sub(r"^(sudo( -u olympus| -E)? )?", "", line.split(" #")[0].strip())
        if bare.split(" ")[0] in PROGRAMS and "…" not in bare:
            yield bare


def told() -> list[tuple[str, str]]:
    return sorted({(path.name, line) for path in DOCS for line in commands(path.read_text(encoding="utf-8"))})


def unknown(line: str) -> str:
    """What of a command line does not exist, "" if all of it does."""
    name, *words = shlex.split(line)
    command: Any = PROGRAMS[name]
    while (commands := getattr(command, "commands", None)) and words and not words[0].startswith("-"):
        if words[0] not in commands:
            return words[0]
        command, words = commands[words[0]], words[1:]
    options = {
        option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)
    }
    for word in words:
        option = word.partition("=")[0]
        if option.startswith("-") and option not in {*options, "--help"}:
            return option
    return ""


@pytest.mark.parametrize(("document", "line"), told())
def test_every_command_exists_with_its_options(document: str, line: str) -> None:
    assert unknown(line) == ""


def test_what_does_not_exist_is_found() -> None:
    assert unknown("companion play above --camera usb") == ""
    assert unknown("companion paint") == "paint"
    assert unknown("calibrate all --colour red") == "--colour"
    assert len(told()) > 40


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_link_and_picture_is_there(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_every_file_of_the_program_that_is_named_exists() -> None:
    for name in ("one-move", "adding-a-game", *FOR_OWNERS):
        text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
        for file in re.findall(r"`([a-z_]+(?:/[A-Za-z_]+)*\.(?:py|sh|toml))`", text):
            # A game that is still to be written.
            if "NAME" in file:
                continue
            places = [ROOT / file, ROOT / "companion" / file, *(ROOT / "companion" / "sensing").glob(file)]
            installed = any(rest in file for rest in ("companion.toml", "table.toml"))
            kit = file in ("box.py", "kit.py", "book.py", "replay.py", "snapshot.py", "simulated.py")
            assert installed or kit or any(place.exists() for place in places), (name, file)


@pytest.mark.parametrize("name", FOR_OWNERS)
def test_every_setting_that_is_named_exists(name: str) -> None:
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    settings = set(re.findall(r"`([a-z_]+) = ", text)) - {"emergency_opens"}
    assert settings <= set(Settings.model_fields)


def test_the_example_settings_are_settings() -> None:
    text = (ROOT / "deploy" / "companion.toml").read_text(encoding="utf-8")
    named = set(re.findall(r"^(?:# )?([a-z_]+) = ", text, re.MULTILINE))
    assert named <= set(Settings.model_fields) and {"game", "camera", "host", "journal"} <= named


def test_every_word_of_the_installer_that_is_named_exists() -> None:
    for path in DOCS:
        for line in re.findall(r"install\.sh((?: [a-z-]+)*)", path.read_text(encoding="utf-8")):
            for word in re.findall(r" (install|rollback|uninstall|steps|--[a-z-]+)", line):
                assert f"    {word} " in INSTALL or f" {word})" in INSTALL or f"| {word}" in INSTALL, word


def words(picture: str) -> list[str]:
    """All that is written in a picture."""
    tree = ElementTree.parse(ROOT / "docs" / "pictures" / picture)
    return [text for element in tree.iter() if (text := (element.text or "").strip())]


def test_the_pins_of_the_controller_are_drawn_as_they_are_wired() -> None:
    pins = (ROOT / "firmware_bridge/firmware/README.md").read_text(encoding="utf-8")
    columns = re.search(r"matrix columns.*\| ([0-9 ]+) \|", pins)
    rows = re.search(r"matrix rows.*\| (.+) \|", pins)
    ends = re.search(r"endstop of axis.*\| ([A-Z, -]+) \| ([0-9 ]+) \|", pins)
    assert columns and rows and ends
    drawn = words("reeds.svg")
    found = [text for text in drawn if text.isdigit()]
    assert found == columns[1].split()
    wanted = re.findall(r"\d+(?: \(A\d+\))?", rows[1])
    assert [text.removeprefix("pin ") for text in drawn if re.match(r"pin \d", text)] == wanted
    sockets = [f"{name}, pin {pin}" for name, pin in zip(ends[1].split(", "), ends[2].split(), strict=True)]
    assert [text for text in words("ramps.svg") if re.match(r"[XY Z]-M", text)][:5] == sockets
    assert "servo 1, pin 11" in words("ramps.svg") and "Z-MAX, pin 19" in words("ramps.svg")


# The Pi's 40-pin header: BCM number to pin, of those that are used.
HEADER = {17: 11, 27: 13, 22: 15, 18: 12, 5: 29, 6: 31, 13: 33, 19: 35}


def test_the_pins_of_the_pi_are_drawn_as_the_reference_has_them() -> None:
    drawn = [text for text in words("pins.svg") if text.startswith("BCM ")]
    assert sorted(drawn) == sorted(f"BCM {pin} (pin {HEADER[pin]})" for pin in REFERENCE.values())


@pytest.mark.parametrize("name", ["overview.svg", "reeds.svg", "ramps.svg", "pins.svg"])
def test_pictures_say_what_they_show(name: str) -> None:
    tree = ElementTree.parse(ROOT / "docs" / "pictures" / name)
    space = "{http://www.w3.org/2000/svg}"
    for tag in ("title", "desc"):
        element = tree.find(f"{space}{tag}")
        assert element is not None and element.text
