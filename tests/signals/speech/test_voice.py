"""The table's voice: never over itself, the newest only, and no trouble where it is missing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from companion.messages import say
from companion.signals.speech.voice import PROGRAM, Process, Voice


class Speaking:
    def __init__(self) -> None:
        self.status: int | None = None
        self.killed = False

    def poll(self) -> int | None:
        return self.status

    def kill(self) -> None:
        self.killed, self.status = True, -9


class Programs:
    """An installed program (or not), and what was asked of it."""

    def __init__(self, installed: bool = True) -> None:
        self.installed = installed
        self.commands: list[Sequence[str]] = []
        self.running: list[Speaking] = []
        self.refuses: OSError | None = None

    def which(self, name: str) -> str | None:
        assert name == PROGRAM
        return f"/usr/bin/{name}" if self.installed else None

    def start(self, command: Sequence[str]) -> Process:
        if self.refuses is not None:
            raise self.refuses
        assert all(each.status is not None for each in self.running), "it speaks over itself"
        self.commands.append(command)
        self.running.append(Speaking())
        return self.running[-1]

    @property
    def said(self) -> list[str]:
        return [command[-1] for command in self.commands]

    def voice(self, language: str = "en") -> Voice:
        return Voice(language, self.start, self.which)


def test_it_speaks_in_its_language_and_no_sentence_is_an_option() -> None:
    programs = Programs()
    voice = programs.voice("he")
    voice.say(say("speech.turn", name="--help"))
    (command,) = programs.commands
    assert command[:3] == ("/usr/bin/espeak-ng", "-v", "he")
    assert command[-2:] == ("--", "--help, תורכם.")
    assert voice.trouble == ""


def test_it_never_speaks_over_itself_and_skips_what_is_old() -> None:
    programs = Programs()
    voice = programs.voice()
    for words in ("One.", "Two.", "Three."):
        voice.say(words)
    voice.step()
    assert programs.said == ["One."]
    programs.running[0].status = 0
    voice.step()
    voice.step()
    assert programs.said == ["One.", "Three."]


def test_where_no_program_is_installed_that_is_told_and_mends_itself() -> None:
    programs = Programs(installed=False)
    voice = programs.voice("fr")
    assert voice.trouble.startswith("The table has no voice")
    voice.say("One.")
    assert programs.said == []
    programs.installed = True
    voice.say("Two.")
    programs.running[0].status = 0
    voice.step()
    assert (programs.said, voice.trouble) == (["Two."], "")


def test_a_program_that_fails_is_told_and_tried_again() -> None:
    programs = Programs()
    voice = programs.voice()
    voice.say("One.")
    programs.running[0].status = 1
    voice.step()
    assert "espeak-ng: 1" in voice.trouble
    programs.refuses = PermissionError(13, "Permission denied")
    voice.say("Two.")
    assert "Permission denied" in voice.trouble
    programs.refuses = None
    voice.say("Three.")
    assert programs.said[-1] == "Three."


def test_it_falls_silent_at_once_when_the_table_closes() -> None:
    programs = Programs()
    voice = programs.voice()
    voice.say("One.")
    voice.say("Two.")
    voice.close()
    voice.step()
    assert programs.running[0].killed
    assert programs.said == ["One."]


def test_a_real_program_is_started_and_heard_to_end(tmp_path: Path) -> None:
    spoken = tmp_path / "spoken"
    program = tmp_path / PROGRAM
    program.write_text(f"#!{sys.executable}\nimport sys\nopen({str(spoken)!r}, 'w').write(sys.argv[-1])\n")
    program.chmod(0o755)
    voice = Voice("en", which=lambda _: str(program))
    voice.say("Ada, it is your turn.")
    while voice._speaking is not None:
        voice.step()
    assert spoken.read_text() == "Ada, it is your turn."
    assert voice.trouble == ""
