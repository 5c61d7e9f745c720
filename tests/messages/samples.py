"""What may be put into the sentences of the catalogue: an argument's name tells what it is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from companion.games.above.names import deity_name, place_name, seat_name, token_name
from companion.messages import Arg, either, listed, row, say
from companion.messages.catalogue import entry
from companion.messages.pattern import Choice, Pattern, names

PEOPLE = ("Ada", "Yves", "דנה")
DEITIES = tuple(deity_name(code) for code in ("ze", "he", "ha"))
PLACES = (place_name("c3"), place_name("top"))
TOKENS = tuple(token_name(token) for token in ("thunder", "gate"))
CONTENDERS = tuple(say(f"names.{colour}") for colour in ("blue", "white"))
SENTENCE = say("above.over")
CARDS: tuple[Arg, ...] = (
    "p014",
    say("olympeak.card_progress", card="p014", value="+3", signs=either(CONTENDERS)),
)
COUNTS = (0, 1, 2, 5)
SIZES = (
    "camera.changed_size",
    "camera.too_small",
    "camera.lens_scaled",
    "camera.lens_other_shape",
    "camera.lens_shape_todo",
)
# Places of the scoreboard.
PLACED = (-3, 0, 35)

_BY_NAME: dict[str, tuple[Arg, ...]] = {
    **dict.fromkeys(("deity", "other", "active", "winner", "first", "second"), DEITIES),
    **dict.fromkeys(("deities", "others", "missing"), (listed(DEITIES[:1]), listed(DEITIES))),
    **dict.fromkeys(("place", "behind", "origin", "stands"), PLACES),
    **dict.fromkeys(("places", "gates"), (listed(PLACES[:1]), listed(PLACES))),
    "pieces": (listed((*DEITIES[:1], say("above.a_token", token=TOKENS[0]))),),
    "token": TOKENS,
    **dict.fromkeys(("seat", "picker"), (seat_name(1), *PEOPLE)),
    **dict.fromkeys(("whose", "name", "mover", "one"), PEOPLE),
    **dict.fromkeys(("names", "winners"), (listed(PEOPLE[:1]), listed(PEOPLE))),
    **dict.fromkeys(("rule",), (say("names.phase_ruling", n=2, ruling="A6"), say("names.phase", n=1))),
    "ruling": ("A6",),
    "power": tuple(say(f"above.power_{code}") for code in ("ze", "he")),
    **dict.fromkeys(("next", "act", "wins", "turn", "done", "read", "right"), (SENTENCE,)),
    **dict.fromkeys(("n", "players", "kinds", "these", "most", "seen", "ring"), COUNTS),
    "space": ("c3",),
    **dict.fromkeys(("contender", "to"), CONTENDERS),
    **dict.fromkeys(("contenders", "free"), (listed(CONTENDERS[:1]), either(CONTENDERS))),
    **dict.fromkeys(("card", "revealed", "played"), CARDS),
    "cards": (row(("p014", "o03")),),
    "value": ("+3", "-2"),
    "by": ("+3", "-2"),
    "signs": (either(CONTENDERS),),
    "order": (say("names.stop"),),
    "cube": (say("olympeak.cube", contender=CONTENDERS[0]),),
    "part": (say("olympeak.round_marker"), say("olympeak.cube", contender=CONTENDERS[1])),
    **dict.fromkeys(("who", "owner"), PEOPLE),
    **dict.fromkeys(("sentence", "text", "moves"), (SENTENCE,)),
    **dict.fromkeys(("shown", "heads", "round", "rounds", "at", "high", "row"), COUNTS),
    "low": (-5,),
    "file": ("/data/journal.db",),
    "why": ("No space left",),
    "box": ("OlymPeak",),
    **dict.fromkeys(("step", "last", "marker"), COUNTS),
    "far": (listed([say("table.turned", degrees="3.0", way="left"), say("table.shifted", mm="2")]),),
    **dict.fromkeys(("degrees", "seconds", "wanted", "now"), ("3.5",)),
    "mm": ("4",),
    "corner": ("north-west",),
    "markers": (row([1, 2]),),
    "camera": (say("camera.usb"), say("camera.usb_called", name="C920")),
    "todo": (say("camera.usb_silent"),),
    **dict.fromkeys(("value", "shift"), ("+3.5",)),
    "all": COUNTS,
    "more": COUNTS,
    "command": ("calibrate camera",),
    "date": ("2026-11-30",),
    "rings": (listed([2]), listed([2, 4])),
    "link": ("http://table.local/#host=123456",),
    "node": ("/dev/video0",),
    "program": ("zoom (4711)",),
    "size": ("640 × 480",),
    **dict.fromkeys(("looks", "row", "percent"), COUNTS),
    "card": ("p014",),
    "column": ("c",),
}
# Where a word means something else in one sentence.
_BY_KEY: dict[str, dict[str, tuple[Arg, ...]]] = {
    "names.and_last": {"first": ("Ada, Ben",), "last": PEOPLE},
    "names.or_last": {"first": ("Ada, Ben",), "last": PEOPLE},
    **{key: {"other": ("640 × 480",)} for key in SIZES},
    "table.other_game": {"lies": ("OlymPeak", "Above"), "played": ("Above", "OlymPeak")},
    "table.other_game_todo": {"lies": ("OlymPeak", "Above"), "played": ("Above", "OlymPeak")},
    "table.journal_damaged": {"what": (say("table.journal_list"),)},
    "camera.usb_not_called": {"names": (row(["C920"]),)},
    "camera.usb_several_called": {"names": (row(["C920"]),)},
    "camera.usb_several": {"names": (row(["C920"]),)},
    "check.turn_shift": {"turn": ("+3.5",)},
    "check.glare_at": {
        "row": ("far", "near", "middle"),
        "column": ("left", "right", "middle"),
        "both": (0, 1),
    },
    "check.range": {"low": ("70",), "high": ("252",)},
    "check.so_many": {"names": (row(["a1", "b2"]),)},
    "check.so_many_more": {"names": (row(["a1", "b2"]),)},
    "check.motor": {"name": ("X",)},
    "web.not_understood": {"where": ("names.2",), "why": ("Field required",)},
    "web.ages": {"last": COUNTS},
    "web.no_language": {"languages": (row(["en", "fr"]),)},
    "names.clauses_last": {"first": ("Ada, Ben",), "last": PEOPLE},
    "names.row_last": {"first": ("Ada, Ben",), "last": PEOPLE},
    "above.other_token": {"other": TOKENS},
    "above.other_lies_there": {"other": TOKENS},
    "above.picks_before": {"other": PEOPLE},
    "above.team_one_set": {"other": PEOPLE},
    "above.everybody_lays": {"first": PEOPLE},
    "above.begins": {"first": PEOPLE},
    "above.cards_name": {"ring": COUNTS},
    "above.turn": {"done": (SENTENCE,)},
    "referee.would_count": {"things": (say("above.stands_there", deity=DEITIES[0], place=PLACES[0]),)},
    "above.holds_powered": {"n": (0, 1, 2)},
    "above.played_on": {"ruling": (SENTENCE,)},
    "olympeak.wrong_row": {"other": COUNTS},
    "olympeak.moved_by_hand": {"place": PLACED, "other": PLACED},
    "olympeak.put_back_from": {"other": CONTENDERS},
    "olympeak.wrong_seat": {"turn": PEOPLE},
    "olympeak.cannot_have_played": {"played": COUNTS},
    "olympeak.move": {"place": PLACED},
    "olympeak.moved_to": {"place": PLACED},
    "olympeak.stands": {"place": PLACED},
    "olympeak.move_part": {"place": PLACED},
    "olympeak.move_part_from": {"place": PLACED},
    "olympeak.cube_off": {"place": PLACED},
    "olympeak.came": {"place": (1, 2, 3, 4)},
    "olympeak.score": {"place": (1, 2, 3, 4), "predicted": (1, 2), "shared": (0, 1)},
    "olympeak.result": {"places": (SENTENCE,)},
    "referee.corrected": {"read": ("p014",), "right": ("o03",)},
    "olympeak.cannot_be_there": {"turn": COUNTS, "seat": COUNTS},
    "olympeak.no_such_card": {"name": ("x9",)},
    "seen.piece": {"what": (*DEITIES, *TOKENS)},
    "seen.card": {"column": CONTENDERS},
}
MOST = 60


def arguments(key: str) -> Iterator[dict[str, Arg]]:
    """Arguments that a key may be said with."""
    pattern = entry(key, "en").pattern
    values = {name: _values(key, name, pattern) for name in dict.fromkeys(names(pattern))}
    for chosen in islice(product(*values.values()), MOST):
        yield dict(zip(values, chosen, strict=True))


def _values(key: str, name: str, pattern: Pattern) -> tuple[Arg, ...]:
    if key.startswith("page."):
        # The browser puts these in: numbers and names as they are.
        chosen = any(isinstance(part, Choice) and part.name == name for part in pattern)
        return COUNTS if chosen else ("c3", "Ada")
    own = _BY_KEY.get(key, {}).get(name) or _BY_NAME.get(name)
    if own is not None:
        return own
    cases = [part.cases for part in pattern if isinstance(part, Choice) and part.name == name]
    if cases:
        return tuple(case for case in cases[0] if case != "other")
    raise KeyError(f"{key}: nobody knows what {name} is; say so in tests/messages/samples.py")
