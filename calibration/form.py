"""What a step asks a person to confirm or type: a few fields, each with the value it has now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LONGEST = 60


@dataclass(frozen=True, slots=True)
class Field:
    """One thing asked. `value`: what it is now, empty if unknown; `choices`: what it may be; `several` of them at once,
    with blanks between.
    """

    name: str
    label: str
    value: str = ""
    choices: tuple[str, ...] = ()
    several: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """Fields under a title. `trouble`: what was wrong with the last answer. `number`: another form has another one."""

    number: int
    title: str
    fields: tuple[Field, ...]
    trouble: str = ""


def answered(form: Form, values: Mapping[str, str]) -> dict[str, str]:
    """A value for every field, trimmed and cut to a bearable length; what was left empty stays what it was."""
    found = {}
    for field in form.fields:
        text = "".join(sign for sign in values.get(field.name, "") if sign.isprintable()).strip()[:LONGEST]
        found[field.name] = text or field.value
    return found
