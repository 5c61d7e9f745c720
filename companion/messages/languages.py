"""Languages: how each puts small words before names, counts, and is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

ISOLATE, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"

# The page goes by the same patterns, so they are written as both Python and JavaScript read them.
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u03ff]|^[+\u2212-]\d")
_HEBREW = re.compile(r"[\u0590-\u08ff]")
# A vowel elides; so does y before a consonant ("d’Yves", but "de Yann").
_ELIDED = re.compile(r"[aeiouàâäéèêëîïôöùûü]|y(?![aeiouàâéèêëîïôöùûü])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the catalogue.

    `name`: in itself. `direction`: `ltr` or `rtl`. `plural`: the category of a count (Unicode CLDR). `forms`: what a
    name gets before it in each of its cases, where the catalogue does not give the whole form. `foreign`: what
    runs the other way and must be isolated, so that signs beside it stay where they belong. `written`: typography
    that the catalogue's files leave out.
    """

    code: str
    name: str
    direction: str
    plural: Callable[[int], str]
    foreign: re.Pattern[str]
    forms: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    written: Callable[[str], str] = str

    def before(self, name: str, forms: Iterable[str]) -> str:
        """What these cases put before a name. Raises LookupError for one that the language does not have."""
        return "".join(self.forms[form](name) for form in forms)

    def isolated(self, name: str) -> str:
        """A name as it stands in a sentence of this language."""
        return f"{ISOLATE}{name}{END}" if self.foreign.search(name) else name


def _one_or_other(count: int) -> str:
    return "one" if count == 1 else "other"


def _french(count: int) -> str:
    return "one" if abs(count) < 2 else "other"


def _hebrew(count: int) -> str:
    return {1: "one", 2: "two"}.get(count, "other")


def _of(name: str) -> str:
    return "d’" if _ELIDED.match(name) else "de "


def _attached(letter: str) -> Callable[[str], str]:
    """A Hebrew particle is written together with its word, with a maqaf before what is not Hebrew."""

    def before(name: str) -> str:
        return letter if _HEBREW.match(name) else f"{letter}\N{HEBREW PUNCTUATION MAQAF}"

    return before


def _spaced(text: str) -> str:
    """French sets its high signs apart, and they never begin a line."""
    text = re.sub(r" ([!?;])", "\N{NARROW NO-BREAK SPACE}\\1", text)
    return re.sub(r" ([:»])", "\N{NO-BREAK SPACE}\\1", text).replace("« ", "«\N{NO-BREAK SPACE}")


LANGUAGES: dict[str, Language] = {
    each.code: each
    for each in (
        Language("en", "English", "ltr", _one_or_other, _HEBREW),
        Language("fr", "Français", "ltr", _french, _HEBREW, {"of": _of}, _spaced),
        Language(
            "he",
            "עברית",
            "rtl",
            _hebrew,
            _LATIN,
            {
                form: _attached(letter)
                for form, letter in {"to": "ל", "at": "ב", "from": "מ", "and": "ו", "the": "ה"}.items()
            },
        ),
    )
}
