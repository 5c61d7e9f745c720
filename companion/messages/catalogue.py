"""The catalogue: what is said by which key, in every language, side by side in one TOML file a subject.

`[missing]` in `above.toml` is the key `above.missing`. For each language it holds a pattern, or, for a name, a table:
`is` (as it stands by itself), its cases, `gender`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from companion.messages.languages import LANGUAGES
from companion.messages.pattern import Pattern, PatternError, parse

IS, GENDER = "is", "gender"
_FOLDER = resources.files("companion.messages") / "words"


class CatalogueError(LookupError):
    """A key or a language that the catalogue does not have, or an entry that cannot be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands under a key in one language."""

    forms: Mapping[str, Pattern]
    gender: str = ""

    @property
    def pattern(self) -> Pattern:
        """As it stands by itself."""
        return self.forms[IS]


def subjects() -> tuple[str, ...]:
    """The names of the files."""
    return tuple(sorted(each.name.removesuffix(".toml") for each in _FOLDER.iterdir()))


def keys(subject: str) -> tuple[str, ...]:
    """Every key of a subject."""
    return tuple(f"{subject}.{name}" for name in _subject(subject))


@cache
def entry(key: str, language: str) -> Entry:
    """What stands under a key; a file is read when something of it is said for the first time.

    Raises CatalogueError.
    """
    subject, _, name = key.partition(".")
    found = _subject(subject).get(name)
    if found is None:
        raise CatalogueError(f"The catalogue has no {key}; add it to words/{subject}.toml in every language.")
    if language not in found:
        raise CatalogueError(f"{key} is not said in {language}; add it in words/{subject}.toml.")
    said = found[language]
    forms = {IS: said} if isinstance(said, str) else dict(said)
    gender = forms.pop(GENDER, "")
    written = LANGUAGES[language].written
    try:
        return Entry({form: parse(written(text)) for form, text in forms.items()}, gender)
    except PatternError as error:
        raise CatalogueError(f"{key} cannot be read in {language}: {error}") from None


@cache
def _subject(name: str) -> dict[str, dict[str, Any]]:
    file = _FOLDER / f"{name}.toml"
    if not file.is_file():
        raise CatalogueError(f"The catalogue has no subject {name}.")
    return tomllib.loads(file.read_text(encoding="utf-8"))
