"""An action: one physical decision of a player, and its text form (NOTATION, "Actions")."""

from __future__ import annotations

import re
from functools import lru_cache

from companion.errors import CompanionError
from companion.games.above.board import STANDARD, Board
from companion.games.above.box import DEITIES, TOKENS

DEITY_INDEX: dict[str | None, int] = {deity: n for n, deity in enumerate(DEITIES)}
TOKEN_INDEX: dict[str | None, int] = {token: n for n, token in enumerate(TOKENS)}
SEATS = 4
PICKED = 4

# What follows the kind, word by word.
GRAMMAR: dict[str, tuple[str, ...]] = {
    "activate": ("deity",),
    "recover": ("seat", "deities"),
    "move": ("deity", "space"),
    "jump": ("deity", "space"),
    "place": ("token", "space"),
    "shift": ("token", "origin", "space"),
    "remove": ("token", "space"),
    "back": ("deity", "space"),
    "disgrace": ("deity",),
    "exhaust": ("deity", "seat"),
    "done": (),
}
_SPACE = re.compile(r"[a-t][1-9]|top")
_PARTS = ("deity", "token", "space", "origin", "seat", "deities")
# So many texts are known without being taken apart.
_PARSED = 1024


class ActionError(CompanionError, ValueError):
    """A text or a combination of parts that is no action; the text names the offending part."""


# All parts but `space`, and the kind before them: shared by the actions that differ in nothing else.
_Shared = tuple[str, str | None, str | None, str | None, int | None, tuple[str, ...]]
Fields = tuple[str, str | None, str | None, str | None, str | None, int | None, tuple[str, ...]]


class Action:
    """One decision, immutable and hashable. Equal actions are the same object.

    `kind` is the first word of the text. Of the other parts those that the kind has are set: `deity`,
    `token`, `space` (where it ends, or what is removed), `origin` (where a shifted token comes from), `seat`
    (who recovers or whose card is exhausted), `deities` (the four cards recovered). `ActionError` if they
    do not fit the kind.
    """

    # There are 36 480 shifts of a token, and a table that runs for days meets most of them: so an action is small.
    __slots__ = ("_shared", "deity_index", "kind", "space", "token_index")

    kind: str
    space: str | None
    #: Place of `deity` in the canonical order; -1 without one.
    deity_index: int
    #: Place of `token` in the canonical order; -1 without one.
    token_index: int
    _shared: _Shared

    def __new__(
        cls,
        kind: str,
        deity: str | None = None,
        token: str | None = None,
        space: str | None = None,
        origin: str | None = None,
        seat: int | None = None,
        deities: tuple[str, ...] = (),
    ) -> Action:
        shared: _Shared = (kind, deity, token, origin, seat, deities)
        alike = _KNOWN.get(shared)
        known = None if alike is None else alike.get(space)
        if known is not None:
            return known
        _check((kind, deity, token, space, origin, seat, deities))
        # The set of well-formed actions is finite, so this cannot grow without end; setdefault keeps one
        # object per action even when two threads meet here.
        alike = _KNOWN.setdefault(shared, {})
        shared = next(iter(alike.values()))._shared if alike else shared
        action = object.__new__(cls)
        put = object.__setattr__
        put(action, "kind", kind)
        put(action, "space", space)
        put(action, "deity_index", DEITY_INDEX.get(deity, -1))
        put(action, "token_index", TOKEN_INDEX.get(token, -1))
        put(action, "_shared", shared)
        return alike.setdefault(space, action)

    @property
    def deity(self) -> str | None:
        """Whose card or miniature it is."""
        return self._shared[1]

    @property
    def token(self) -> str | None:
        """The type of the token."""
        return self._shared[2]

    @property
    def origin(self) -> str | None:
        """The space that a shifted token leaves."""
        return self._shared[3]

    @property
    def seat(self) -> int | None:
        """Who recovers, or whose card is exhausted."""
        return self._shared[4]

    @property
    def deities(self) -> tuple[str, ...]:
        """The four cards recovered."""
        return self._shared[5]

    @staticmethod
    def parse(text: str, board: Board = STANDARD) -> Action:
        """The action a canonical text names; `ActionError` names the offending part."""
        return _parse(text, board)

    def __str__(self) -> str:
        words = [self.kind]
        for part in GRAMMAR[self.kind]:
            words += self.deities if part == "deities" else [str(getattr(self, part))]
        return " ".join(words)

    def __repr__(self) -> str:
        return f"<Action {self}>"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"An action cannot be changed ({name}).")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"An action cannot be changed ({name}).")

    def __copy__(self) -> Action:
        return self

    def __deepcopy__(self, memo: object) -> Action:
        return self

    def __reduce__(self) -> tuple[type[Action], Fields]:
        return (
            Action,
            (self.kind, self.deity, self.token, self.space, self.origin, self.seat, self.deities),
        )


# By what they share, then by space.
_KNOWN: dict[_Shared, dict[str | None, Action]] = {}


def _check(fields: Fields) -> None:
    kind, deity, token, space, origin, seat, deities = fields
    if kind not in GRAMMAR:
        raise ActionError(f'"{kind}" is no kind of action: use one of {", ".join(GRAMMAR)}.')
    parts = GRAMMAR[kind]
    for part, value in zip(_PARTS, fields[1:], strict=True):
        given = value is not None and value != ()
        if given != (part in parts):
            raise ActionError(f'"{kind}" {"has no" if given else "needs a"} {part}.')
    if deity is not None and deity not in DEITY_INDEX:
        raise ActionError(f'"{deity}" is no deity: use one of {", ".join(DEITIES)}.')
    if token is not None and token not in TOKEN_INDEX:
        raise ActionError(f'"{token}" is no token: use one of {", ".join(TOKENS)}.')
    for name in (origin, space):
        if name is not None and _SPACE.fullmatch(name) is None:
            raise ActionError(f'"{name}" is no space: spaces are a letter and a ring (c4), or top.')
    if seat is not None and (isinstance(seat, bool) or seat not in range(SEATS)):
        raise ActionError(f'"{seat}" is no seat: seats are 0 to {SEATS - 1}.')
    if deities:
        _check_cards(deities)


def _check_cards(cards: tuple[str, ...]) -> None:
    for card in cards:
        if card not in DEITY_INDEX:
            raise ActionError(f'"{card}" is no deity: use one of {", ".join(DEITIES)}.')
    if len(cards) != PICKED:
        raise ActionError(f"{PICKED} cards are recovered, not {len(cards)} (A5).")
    if list(cards) != sorted(cards, key=DEITIES.index):
        raise ActionError(f'The cards "{" ".join(cards)}" are not in the order {" ".join(DEITIES)}.')
    for card in cards:
        if cards.count(card) > 2:
            raise ActionError(f'"{card}" is picked {cards.count(card)} times: there are two of each card.')


@lru_cache(maxsize=_PARSED)
def _parse(text: str, board: Board) -> Action:
    kind, *words = text.split(" ")
    parts = GRAMMAR.get(kind)
    if parts is None:
        raise ActionError(f'Action "{text}": "{kind}" is no kind of action: use one of {", ".join(GRAMMAR)}.')
    expected = len(parts) + (PICKED - 1 if "deities" in parts else 0)
    if len(words) != expected:
        raise ActionError(f'Action "{text}": "{kind}" is followed by {expected} words, not {len(words)}.')
    values: dict[str, str] = {}
    seat: int | None = None
    deities: tuple[str, ...] = ()
    for n, part in enumerate(parts):
        word = words[n]
        if part == "deities":
            deities = tuple(words[n:])
        elif part == "seat":
            if word not in ("0", "1", "2", "3"):
                raise ActionError(f'Action "{text}": "{word}" is no seat: seats are 0 to {SEATS - 1}.')
            seat = int(word)
        else:
            if part in ("space", "origin") and word not in board.index:
                last = board.spaces[-2]
                raise ActionError(f'Action "{text}": "{word}" is no space: spaces are a1 to {last} and top.')
            values[part] = word
    try:
        return Action(
            kind,
            values.get("deity"),
            values.get("token"),
            values.get("space"),
            values.get("origin"),
            seat,
            deities,
        )
    except ActionError as error:
        raise ActionError(f'Action "{text}": {error}') from None
