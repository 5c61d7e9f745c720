"""Nothing that people are told stands beside the catalogue."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
from companion.messages.catalogue import entry, keys, subjects
from companion.messages.pattern import names
from companion.tables.catalogue import GAMES

ROOT = Path(companion.__file__).parent
# What the referee, the page and the table's parts say; commands, settings and files are told of in English.
WHOLE = (
    "referee",
    "signals/speech",
    "web",
    "sensing/sources/usb.py",
    "sensing/sources/v4l.py",
    "sensing/sources/live.py",
)
MODULES = (
    "games/above/explain.py",
    "games/olympeak/legality.py",
    "games/olympeak/ruling.py",
    "games/olympeak/scoring.py",
    "games/olympeak/whereabouts.py",
    "signals/emergency.py",
    "signals/scoreboard.py",
    "sensing/frame_watch.py",
    "sensing/creep.py",
    "sensing/registration.py",
    "sitting.py",
    "fittings.py",
    "lens.py",
    "service.py",
    "terminal.py",
    "tables/above/replay.py",
    "tables/above/snapshot.py",
    "tables/olympeak/replay.py",
    "tables/olympeak/snapshot.py",
    "virtual/guest.py",
    "virtual/olympeak/guest.py",
)
# Not told to people at a table: the API's own page, the server's start, what stands in the picture, the log.
PASSED = {"web/reference.py", "web/server.py", "web/overlay.py", "web/phone_file.py", "referee/schema.py"}
FILES = sorted(
    {
        *(
            file
            for part in WHOLE
            for file in ([ROOT / part] if part.endswith(".py") else (ROOT / part).rglob("*.py"))
        ),
        *(ROOT / part for part in MODULES),
        *(ROOT.parent / "calibration" / "check").glob("*.py"),
    }
    - {ROOT / part for part in PASSED}
)
# A sentence begins with a capital or a name that is put in, has several words, and ends.
_SENTENCE = re.compile(r"^[A-Z…][^<>=]* [^<>=]*[a-z…][^<>=]*[.?!:]$")
# Raised where a program is wrong, or on the command line before a table is opened.
_ERRORS = {"ValueError", "TypeError", "RuntimeError", "CameraUnusable", "JournalUnknown"}


def sentences(source: str) -> Iterator[str]:
    """The sentences that stand in a module, with … for what is put in; not its documentation."""
    tree = ast.parse(source)
    passed = set[ast.AST]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(node.value)
        if isinstance(node, ast.Call) and _called(node.func) in _ERRORS | {
            "info",
            "warning",
            "error",
            "Path",
        }:
            passed |= {each for each in ast.walk(node) if isinstance(each, ast.expr)}
        if isinstance(node, ast.keyword) and node.arg == "description":
            passed |= {each for each in ast.walk(node.value) if isinstance(each, ast.expr)}
        if isinstance(node, ast.JoinedStr):
            passed |= {each for each in ast.walk(node) if isinstance(each, ast.Constant)}
    for node in ast.walk(tree):
        if node in passed:
            continue
        words = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value
        elif isinstance(node, ast.JoinedStr):
            words = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values
            )
        if _SENTENCE.match(words):
            yield words


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT.parent)))
def test_no_sentence_stands_beside_the_catalogue(file: Path) -> None:
    assert [words for words in sentences(file.read_text()) if words not in ALLOWED] == []


# The journal's own, before a table is opened (`companion play` ends with it).
ALLOWED = {
    # To systemd.
    "Nothing has been read of the table for … s.",
    "…, … turns played.",
    "There is no journal …. Name another file with --journal.",
    "… is a database of something else, not a journal. Name another file with --journal.",
    "The journal … was written by a newer companion (schema …, this one knows …). Update the companion, or name another "
    "file with --journal.",
    "The journal … cannot be opened (…). Name another file with --journal, or move this one aside: a new one is begun.",
    "The journal … is in use by another table. End that one first, or name another file with --journal.",
}


def test_a_sentence_is_found_wherever_it_stands() -> None:
    source = '"""A doc string."""\nsay("above.over")\nTEXT = "The table is laid."\nraise Odd(f"{name} is not {there}.")\n'
    assert list(sentences(source)) == ["The table is laid.", "… is not …."]


def test_every_key_is_said_somewhere() -> None:
    """By its whole name, or as one of those that are put together."""
    folders = (ROOT, ROOT.parent / "calibration")
    code = "\n".join(path.read_text() for folder in folders for path in folder.rglob("*.py"))
    script = "\n".join(path.read_text() for path in ROOT.rglob("*.js"))
    named = set(re.findall(r"""["']([a-z]+\.[a-zA-Z0-9_.]+)["']""", code))
    begun = tuple(set(re.findall(r"""f["']([a-z]+\.[a-z0-9_.]*)\{""", code)))
    # "above.step" with "_to" behind it.
    ends = set(re.findall(r"""f"\{key\}(_[a-z]+)""" + '"', code))
    ended = {f"{name}{end}" for name in named for end in ends}
    on_page = set(re.findall(r"""["'`]([a-zA-Z]+)["'`]""", script))
    # `kind.${…}`, `statistics${…}`
    grouped = tuple(set(re.findall(r"`([a-zA-Z]+\.?)\$", script)))
    unsaid = []
    for key in (key for subject in subjects() for key in keys(subject)):
        subject, _, name = key.partition(".")
        if subject == "page":
            said = name in on_page or name.startswith(grouped) or name in GAMES
        else:
            said = key in named | ended or key.startswith(begun)
        if not said:
            unsaid.append(key)
    assert unsaid == []


def test_whoever_says_something_gives_what_it_needs() -> None:
    """Keys exist, and every place of their patterns is filled, wherever both stand in the call."""
    calls = 0
    for file in (*ROOT.rglob("*.py"), *(ROOT.parent / "calibration").rglob("*.py")):
        source = file.read_text()
        for node in ast.walk(ast.parse(source)) if "say(" in source else ():
            if not (isinstance(node, ast.Call) and _called(node.func) == "say" and len(node.args) == 1):
                continue
            first = node.args[0]
            said = (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,)
            given = {keyword.arg for keyword in node.keywords}
            for key in (each.value for each in said if isinstance(each, ast.Constant)):
                # Others have a `say` of their own, for plain words.
                if not isinstance(key, str) or "." not in key or " " in key:
                    continue
                calls += 1
                needed = set(names(entry(key, "en").pattern))
                assert None in given or needed <= given, (file, node.lineno, key, needed - given)
    assert calls > 400
