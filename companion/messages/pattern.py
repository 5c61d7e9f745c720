"""Pattern: a sentence with places for what is put in.

{deity}                    what is put in
{deity:of}                 in a case of the language: "d’Arès", "de Zeus"
{^place}                   with a capital, at the beginning of a sentence
{n?=0:none|one:one card|other:{n} cards}
                           by number: exactly, or by the language's plural
{deity?m:soulevé|f:soulevée}
                           by gender, or by the value itself
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_SLOT = re.compile(r"(\^?)([a-z][a-z0-9_]*)((?::[a-z]+)*)\}")
_CHOICE = re.compile(r"([a-z][a-z0-9_]*)\?")
_CASE = re.compile(r"([=a-z0-9_-]+):")


class PatternError(ValueError):
    """A pattern that cannot be read; the text says where."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Where an argument goes, in which forms, with a capital or not."""

    name: str
    forms: tuple[str, ...] = ()
    capital: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several texts, by an argument."""

    name: str
    cases: Mapping[str, Pattern]


Part = str | Slot | Choice
Pattern = tuple[Part, ...]


def parse(text: str) -> Pattern:
    """The parts of a pattern. Raises PatternError."""
    parts, end = _parts(text, 0, inside=False)
    if end < len(text):
        raise PatternError(f"Nothing is open at {text[end:]!r} in {text!r}.")
    return parts


def names(pattern: Pattern) -> Iterator[str]:
    """Every argument that the pattern asks for."""
    for part in pattern:
        if isinstance(part, Slot):
            yield part.name
        elif isinstance(part, Choice):
            yield part.name
            for case in part.cases.values():
                yield from names(case)


def _parts(text: str, at: int, *, inside: bool) -> tuple[Pattern, int]:
    parts: list[Part] = []
    begun = at
    while at < len(text):
        sign = text[at]
        if sign == "{":
            if begun < at:
                parts.append(text[begun:at])
            part, at = _opened(text, at + 1)
            parts.append(part)
            begun = at
        elif sign == "}" or (inside and sign == "|"):
            break
        else:
            at += 1
    if begun < at:
        parts.append(text[begun:at])
    return tuple(parts), at


def _opened(text: str, at: int) -> tuple[Part, int]:
    if slot := _SLOT.match(text, at):
        capital, name, forms = slot.groups()
        return Slot(name, tuple(forms.split(":")[1:]), bool(capital)), slot.end()
    choice = _CHOICE.match(text, at)
    if choice is None:
        raise PatternError(f"Neither a place nor a choice at {text[at - 1 :]!r} in {text!r}.")
    cases: dict[str, Pattern] = {}
    at = choice.end()
    while case := _CASE.match(text, at):
        cases[case[1]], at = _parts(text, case.end(), inside=True)
        if at == len(text):
            raise PatternError(f"A brace is not closed in {text!r}.")
        at += 1
        if text[at - 1] == "}":
            return Choice(choice[1], cases), at
    raise PatternError(f"A case is missing at {text[at:]!r} in {text!r}.")
