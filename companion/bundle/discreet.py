"""What is nobody's business is taken out of what a bundle tells: the page's code, names of computer and login."""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from pathlib import Path

# The links that make a phone the host's, or give it a seat.
_LINK = re.compile(r"#(host|join)=[^\s&]+")
_HIDDEN = "…"


@dataclass(frozen=True, slots=True)
class Discreet:
    """`code`: the page's, "" if unknown. `home`: this user's folder. `host`: this computer's name."""

    code: str
    home: str
    host: str

    @classmethod
    def here(cls, code_file: Path) -> Discreet:
        """Of this computer; `code_file`: where the table keeps its code."""
        try:
            code = code_file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            code = ""
        return cls(code, str(Path.home()), socket.gethostname().partition(".")[0])

    def __call__(self, text: str) -> str:
        """The text without any of it."""
        text = _LINK.sub(rf"#\1={_HIDDEN}", text)
        if self.code:
            text = re.sub(rf"\b{re.escape(self.code)}\b", _HIDDEN, text)
        if self.home != "/":
            text = re.sub(rf"{re.escape(self.home)}(?=[/\s\"')]|$)", "~", text, flags=re.MULTILINE)
        if self.host:
            # Alone it may be a word like any other; as the page's name it is this computer's.
            text = re.sub(rf"\b{re.escape(self.host)}\.local\b", f"{_HIDDEN}.local", text)
        return text
