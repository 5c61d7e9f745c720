"""The session in a terminal: what to do, how far it is, what was found, and one key for each choice."""

from __future__ import annotations

import asyncio
import sys
import termios
import tty
from collections.abc import Callable
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.text import Text

from calibration.course import Standing, Station
from calibration.fronts.typing import Typing
from calibration.gate import findings_table
from calibration.session import WORDS, Key, Phase, View

LETTERS: dict[Key, str] = {
    Key.AGAIN: "a",
    Key.ENOUGH: "e",
    Key.BACK: "b",
    Key.SKIP: "s",
    Key.QUIT: "q",
}
ENTER = "\n"
ESCAPE = "\x1b"
MARKS: dict[Standing, tuple[str, str]] = {
    Standing.DONE: ("✓", "green"),
    Standing.NOW: ("▶", "bold"),
    Standing.OPEN: ("·", "dim"),
    Standing.NOT_FITTED: ("–", "dim"),
}


def drawn(view: View, footer: str = "", typed: Typing | None = None) -> RenderableType:
    """A view as one renderable; `footer` says where the page is, `typed` what has been typed into its form."""
    parts: list[RenderableType] = []
    head = Text()
    if view.simulated:
        head.append(" SIMULATED ", style="bold white on magenta")
        head.append(" ")
    if view.title:
        head.append(f"{view.number} of {view.count}  ", style="dim")
        head.append(view.title, style="bold")
    if len(view.course) > 1:
        parts += [_course(view.course), _bar(view.whole, 60)]
    parts.append(head)
    if view.phase is Phase.INTRO and view.instructions:
        parts.append(Text(view.instructions))
    if view.phase is Phase.MEASURING:
        parts.append(_advice(view))
        if typed is not None:
            parts.append(typed.drawn())
    if view.phase is Phase.JUDGED and view.outcome is not None:
        parts.append(Text(view.outcome.summary, style="bold"))
    if view.findings and view.phase is not Phase.INTRO:
        parts.append(findings_table(view.findings))
    if view.trouble:
        parts.append(Text(view.trouble, style="bold red"))
    if view.phase is Phase.ENDED:
        parts.append(Text(view.ending))
    if view.keys and typed is None:
        parts.append(_keys(view.keys))
    if footer:
        parts.append(Text(footer, style="dim"))
    return Group(*parts)


def _bar(share: float, width: int) -> RenderableType:
    """A progress bar on a line of its own."""
    return Group(ProgressBar(total=1.0, completed=share, width=width), Text(""))


def _course(course: tuple[Station, ...]) -> Text:
    """All steps in a row, with a sign for how each stands."""
    text = Text()
    for station in course:
        sign, style = MARKS[station.standing]
        words = f"{station.name} (not fitted)" if station.standing is Standing.NOT_FITTED else station.name
        text.append(f"{sign} {words}   ", style=style)
    return text


def _advice(view: View) -> RenderableType:
    if view.advice is None:
        return Text("Waiting for the first picture …", style="dim")
    rows: list[RenderableType] = [Text(view.advice.text, style="bold")]
    rows += [Text(line, style="dim") for line in view.advice.lines]
    if view.advice.share is not None:
        rows.append(_bar(view.advice.share, 40))
    return Panel(Group(*rows))


def _keys(keys: tuple[Key, ...]) -> Text:
    text = Text()
    for key, letter in letters(keys).items():
        text.append(f" {'Enter' if letter == ENTER else letter} ", style="reverse")
        text.append(f" {WORDS[key]}   ")
    return text


def letters(keys: tuple[Key, ...]) -> dict[Key, str]:
    """The letter for each key offered: Enter for the first, unless that one breaks off a measurement."""
    found = {key: LETTERS[key] for key in keys if key in LETTERS}
    for key in keys[:1]:
        if key not in (Key.BACK, Key.SKIP, Key.QUIT):
            found = {key: ENTER, **{other: letter for other, letter in found.items() if other is not key}}
    return found


class TerminalFront:
    """Shows views on a console and turns typed letters into keys. A context manager, inside the running loop."""

    def __init__(
        self,
        console: Console,
        press: Callable[[Key], object],
        footer: str = "",
        answer: Callable[[int, dict[str, str] | None], object] = lambda number, values: None,
    ) -> None:
        self._press = press
        self._answer = answer
        self._footer = footer
        self._typing: Typing | None = None
        self._live = Live(console=console, auto_refresh=False, vertical_overflow="visible")
        self._view: View | None = None
        self._keyboard: list[object] | None = None

    def __enter__(self) -> TerminalFront:
        self._live.start()
        if sys.stdin.isatty():
            # One key is enough: nobody has to press Enter after it.
            self._keyboard = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
            asyncio.get_running_loop().add_reader(sys.stdin, self._typed)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._keyboard is not None:
            asyncio.get_running_loop().remove_reader(sys.stdin)
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._keyboard)  # type: ignore[arg-type]
        self._live.stop()

    def show(self, view: View) -> None:
        """Draw a view in place of the one before."""
        self._view = view
        form = None if view.advice is None or view.phase is not Phase.MEASURING else view.advice.form
        if form is None:
            self._typing = None
        elif self._typing is None or self._typing.form.number != form.number:
            self._typing = Typing(form)
        self._live.update(drawn(view, self._footer, self._typing), refresh=True)

    def _typed(self) -> None:
        self.type(sys.stdin.read(1))

    def type(self, letter: str) -> None:
        """Somebody typed a letter; one that is not offered is ignored."""
        if self._view is None:
            return
        if self._typing is not None:
            self._type_answer(self._typing, letter)
            return
        for key, wanted in letters(self._view.keys).items():
            if letter.lower() == wanted:
                self._press(key)
                return

    def _type_answer(self, typing: Typing, letter: str) -> None:
        """Into the form: Enter goes on to the next field and answers after the last, Esc puts it aside."""
        if letter == ESCAPE:
            self._answer(typing.form.number, None)
        elif typing.type(letter):
            self._answer(typing.form.number, typing.values)
        if self._view is not None:
            self.show(self._view)
