"""Text: a sentence in English that can be said in every other language as well."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from types import MappingProxyType
from typing import Any

from companion.messages.catalogue import IS, CatalogueError, Entry, entry, keys
from companion.messages.languages import END, ISOLATE, LANGUAGES, Language
from companion.messages.pattern import Choice, Pattern, Slot

Arg = str | int

_GAMES = ("above", "olympeak")

_ISOLATES = str.maketrans("", "", ISOLATE + END)
# "(phase 2, A6)", "(O4)", "(phase 1)"
_RESTS_ON = re.compile(r"\s*\((?:[^()]*\b[AO]\d+|(?:phase|שלב) \d)\)")
_LISTS = {
    "and": "names.and_last",
    "or": "names.or_last",
    "row": "names.row_last",
    "clauses": "names.clauses_last",
}


class Text(str):
    """The English sentence, with the key and the arguments that it was made of.

    An argument is a name that is the same in every language, a number, or a Text itself.
    """

    __slots__ = ("_args", "_key")
    _key: str
    _args: Mapping[str, Arg]

    def __new__(cls, key: str, args: Mapping[str, Arg]) -> Text:
        """Raises CatalogueError for an unknown key or a missing argument."""
        made = super().__new__(cls, _said(key, args, LANGUAGES["en"]))
        made._key, made._args = key, MappingProxyType(dict(args))
        return made

    @property
    def key(self) -> str:
        """Where it stands in the catalogue."""
        return self._key

    @property
    def args(self) -> Mapping[str, Arg]:
        """What is put in."""
        return self._args

    def mapped(self, change: Callable[[Text], Arg]) -> Text:
        """With every Text in it, the innermost first, put through `change`."""
        args = {
            name: change(arg.mapped(change)) if isinstance(arg, Text) else arg
            for name, arg in self._args.items()
        }
        return Text(self._key, args)

    def as_data(self) -> dict[str, Any]:
        """As JSON, for `text_of`."""
        args = {name: arg.as_data() if isinstance(arg, Text) else arg for name, arg in self._args.items()}
        return {"key": self._key, "args": args}

    def __reduce__(self) -> tuple[Any, ...]:
        return (Text, (self._key, dict(self._args)))


def say(key: str, /, **args: Arg) -> Text:
    """What stands in the catalogue under `key`, with the arguments put in."""
    return Text(key, args)


def text_of(data: object, otherwise: str) -> str:
    """The Text that was kept as `data`; the plain `otherwise` where the catalogue no longer has it."""
    try:
        return _text_of(data)
    except (CatalogueError, TypeError, KeyError, AttributeError):
        return otherwise


def _text_of(data: Any) -> Text:
    args = {name: _text_of(arg) if isinstance(arg, dict) else arg for name, arg in data["args"].items()}
    return Text(_key_today(data["key"]), args)


def _key_today(key: str) -> str:
    """Where the catalogue has what a journal may have kept under an older key.

    What both games' referees say stood among each game's own words once.
    """
    subject, _, name = key.partition(".")
    shared = f"referee.{name}"
    has_moved = subject in _GAMES and key not in keys(subject) and shared in keys("referee")
    return shared if has_moved else key


def listed(items: Iterable[Arg]) -> Text:
    """ "a", "a and b", "a, b and c"."""
    return _list("and", items)


def either(items: Iterable[Arg]) -> Text:
    """ "a", "a or b", "a, b or c"."""
    return _list("or", items)


def row(items: Iterable[Arg]) -> Text:
    """ "a, b, c"."""
    return _list("row", items)


def clauses(items: Iterable[Arg]) -> Text:
    """ "a; b; c"."""
    return _list("clauses", items)


def _list(kind: str, items: Iterable[Arg]) -> Text:
    return Text(f"list.{kind}", {str(number): item for number, item in enumerate(items)})


def sentences(*texts: str) -> Text:
    """One sentence after the other; empty ones are left out."""
    return Text("list.sentences", {str(number): text for number, text in enumerate(filter(None, texts))})


def words_of(error: BaseException) -> str:
    """What an error says, as the Text that it was raised with."""
    return error.args[0] if error.args and isinstance(error.args[0], Text) else str(error)


def render(text: str, language: str) -> str:
    """The sentence in another language; what is no Text is the same in all of them.

    Names that run the other way are set in isolates (`bare` takes them out). Raises CatalogueError for an unknown
    language.
    """
    if language not in LANGUAGES:
        raise CatalogueError(f"There is no language {language}: there are {', '.join(LANGUAGES)}.")
    if not isinstance(text, Text) or language == "en":
        return str(text)
    return _said(text.key, text.args, LANGUAGES[language])


def aloud(text: str, language: str) -> str:
    """As it is read out: without isolates, and without what a sentence of the rules rests on."""
    return _RESTS_ON.sub("", bare(render(text, language)))


def bare(text: str) -> str:
    """Without isolates, for what reads them out or cannot show them."""
    return text.translate(_ISOLATES)


def _said(
    key: str,
    args: Mapping[str, Arg],
    language: Language,
    forms: tuple[str, ...] = (),
    *,
    capital: bool = False,
) -> str:
    subject, _, kind = key.partition(".")
    if subject == "list":
        items = [_put_in(item, language, forms, capital=capital) for item in args.values()]
        return " ".join(items) if kind == "sentences" else _enumerated(items, kind, language)
    found = entry(key, language.code)
    form, rest = _own_form(found, forms)
    said = "".join(_parts(found.forms[form], args, language, key))
    said = language.before(said, rest) + said if rest else said
    # The name of a space is written as on the board, also where a sentence begins.
    return said[:1].upper() + said[1:] if capital and not said[1:2].isdigit() else said


def _own_form(found: Entry, forms: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Which of its forms an entry gives itself, and which the language makes."""
    own = next((form for form in forms if form in found.forms), None)
    return (IS, forms) if own is None else (own, tuple(form for form in forms if form != own))


def _enumerated(items: list[str], kind: str, language: Language) -> str:
    if len(items) < 2:
        return "".join(items)
    # All but the last are set apart alike: with commas, or as the last is.
    before = [items[0]] if kind == "clauses" else [", ".join(items[:-1])]
    pattern = entry(_LISTS[kind], language.code).pattern

    def joined(first: str, last: str) -> str:
        return "".join(_parts(pattern, {"first": first, "last": last}, language, kind, isolate=False))

    return reduce(joined, [*before, *(items[1:] if kind == "clauses" else items[-1:])])


def _parts(
    pattern: Pattern, args: Mapping[str, Arg], language: Language, key: str, *, isolate: bool = True
) -> Iterator[str]:
    for part in pattern:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Slot):
            arg = _arg(args, part.name, key)
            yield _put_in(arg, language, part.forms, isolate=isolate, capital=part.capital)
        else:
            case = _case(part, _arg(args, part.name, key), language, key)
            yield from _parts(case, args, language, key, isolate=isolate)


def _arg(args: Mapping[str, Arg], name: str, key: str) -> Arg:
    try:
        return args[name]
    except KeyError:
        raise CatalogueError(f"{key} needs {name}, and was given {', '.join(args) or 'nothing'}.") from None


def _put_in(
    arg: Arg, language: Language, forms: tuple[str, ...], *, isolate: bool = True, capital: bool = False
) -> str:
    if isinstance(arg, Text):
        if language.code == "en" and not forms and not capital:
            # A Text is its own English sentence.
            return str(arg)
        return _said(arg.key, arg.args, language, forms, capital=capital)
    name = str(arg)
    name = name[:1].upper() + name[1:] if capital else name
    return language.before(name, forms) + (language.isolated(name) if isolate else name)


def _case(choice: Choice, arg: Arg, language: Language, key: str) -> Pattern:
    for wanted in (*_values(arg, language), "other"):
        if wanted in choice.cases:
            return choice.cases[wanted]
    raise CatalogueError(f"{key} does not say what to do in {language.code} where {choice.name} is {arg!r}.")


def _values(arg: Arg, language: Language) -> Iterator[str]:
    if isinstance(arg, Text):
        subject, _, name = arg.key.partition(".")
        if subject == "list":
            yield from _values(len(arg.args), language)
            return
        yield name
        yield entry(arg.key, language.code).gender
    elif isinstance(arg, int):
        yield f"={int(arg)}"
        yield language.plural(int(arg))
    else:
        yield arg
