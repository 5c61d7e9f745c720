"""In which language a phone is answered: what it has chosen, else what its browser prefers."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from http.cookies import CookieError, SimpleCookie
from typing import Annotated, Any

from pydantic import PlainSerializer, WrapValidator
from pydantic_core.core_schema import ValidatorFunctionWrapHandler

from companion.messages import LANGUAGES, Text, aloud, render
from companion.messages.catalogue import entry, keys
from companion.messages.pattern import Choice, Pattern

COOKIE = "language"
# Of whoever is being answered; set by the guard before anything else.
LANGUAGE: ContextVar[str] = ContextVar("language", default="en")

# What the page calls pieces by, and what the catalogue does.
_PIECES = {
    "deity": ("ze", "he", "ar", "at", "ha", "de", "po", "ap"),
    "token": ("thunder", "fertility", "gate", "barrier"),
    "contender": ("blue", "green", "red", "white"),
    "order": ("stop", "remove", "insert"),
}


def language_of(headers: Mapping[str, str]) -> str:
    """The language for a request with these headers (lower case)."""
    try:
        chosen = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        chosen = None
    if chosen is not None and chosen.value in LANGUAGES:
        return chosen.value
    return _preferred(headers.get("accept-language", ""))


def _preferred(accepted: str) -> str:
    """The best of `fr-CH, fr;q=0.9, en;q=0.8` that the catalogue has; English if it has none."""
    wishes: list[tuple[float, int, str]] = []
    for number, wish in enumerate(accepted[:200].split(",")):
        tag, _, weight = wish.partition(";")
        try:
            wanted = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        code = tag.strip().lower().partition("-")[0]
        # Hebrew was "iw" until 1989, and is to some browsers still.
        wishes.append((-wanted, number, {"iw": "he"}.get(code, code)))
    return next((code for wanted, _, code in sorted(wishes) if wanted < 0 and code in LANGUAGES), "en")


def said(text: str) -> str:
    """The text in the language of whoever is being answered."""
    return render(text, LANGUAGE.get())


def _as_it_is(text: Any, check: ValidatorFunctionWrapHandler) -> Any:
    return text if isinstance(text, Text) else check(text)


def _aloud(text: str) -> str:
    return aloud(text, LANGUAGE.get())


# What is to be read out.
SpokenWords = Annotated[str, WrapValidator(_as_it_is), PlainSerializer(_aloud, return_type=str)]
# A sentence of a model: kept as it was made, and written in the language of whoever is being answered.
Words = Annotated[str, WrapValidator(_as_it_is), PlainSerializer(said, return_type=str)]


@cache
def page_words(language: str) -> bytes:
    """The page's own words as JSON: by key a text, or its parts (`companion.messages.pattern`)."""
    strings = {key.partition(".")[2]: _plain(entry(key, language).pattern) for key in keys("page")}
    for what, names in _PIECES.items():
        for name in names:
            told = render(Text(f"names.{name}", {}), language)
            strings[f"{what}.{name}"] = told[:1].upper() + told[1:]
    foreign = LANGUAGES[language].foreign.pattern
    names_of = {code: each.name for code, each in LANGUAGES.items()}
    whole = {"language": language, "languages": names_of, "foreign": foreign, "strings": strings}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()


@cache
def page_words_address(language: str) -> str:
    """Where the page finds its words: another address whenever they change, so that they may be kept."""
    return f"messages/{language}.json?v={zlib.crc32(page_words(language)):08x}"


def _plain(pattern: Pattern) -> Any:
    parts: list[Any] = []
    for part in pattern:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, Choice):
            parts.append({"by": part.name, "of": {case: _plain(each) for case, each in part.cases.items()}})
        else:
            parts.append({"put": part.name})
    if all(isinstance(part, str) for part in parts):
        return "".join(parts)
    return parts
