"""A form in the terminal: one field after the other, each with the value it has, which Enter leaves as it is."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from calibration.form import LONGEST, Form

BACKSPACE = ("\x7f", "\b")
ENTERS = ("\n", "\r")


class Typing:
    """What has been typed into a form so far."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self._lines: list[str] = []
        self._line = ""

    @property
    def values(self) -> dict[str, str]:
        """What was typed, by field; empty where it was left as it was."""
        return {field.name: line for field, line in zip(self.form.fields, self._lines, strict=False)}

    def type(self, letter: str) -> bool:
        """One more letter; True when the last field has been left."""
        if len(self._lines) >= len(self.form.fields):
            return False
        if letter in ENTERS:
            self._lines.append(self._line)
            self._line = ""
            return len(self._lines) == len(self.form.fields)
        if letter in BACKSPACE:
            self._line = self._line[:-1]
        elif letter.isprintable() and len(self._line) < LONGEST:
            self._line += letter
        return False

    def drawn(self) -> RenderableType:
        """The fields down to the one that is being typed."""
        rows = [Text(self.form.trouble, style="bold red")] if self.form.trouble else []
        for number, field in enumerate(self.form.fields[: len(self._lines) + 1]):
            choices = f" ({' '.join(field.choices)})" if field.choices else ""
            row = Text(f"{field.label}{choices} ")
            row.append(f"[{field.value}] ", style="dim")
            row.append(self._lines[number] if number < len(self._lines) else f"{self._line}▁", style="bold")
            rows.append(row)
        rows.append(
            Text("Enter: go on, an empty line leaves the value as it is. Esc: put it aside.", style="dim")
        )
        return Group(*rows)
