"""Records: written to the letter, replayed, and every corruption found on its line."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.olympeak.position import SetupError
from companion.games.olympeak.records import check, random_game
from companion.games.records import Departure

from .independent import first_wrong_line

Lines = list[dict[str, Any]]
GAMES = st.tuples(st.integers(2, 6), st.integers(0, 2**32))
# Keys that follow from the rest and leave a player no choice.
DERIVED = {
    "order": ("seats",),
    "play": ("seat", "card", "legal", "row"),
    "blocked": ("seat", "card"),
    "stop": ("seat", "legal"),
    "remove": ("seat", "legal"),
    "insert": ("seat", "legal", "row"),
    "turn_end": ("cubes", "columns"),
    "round_end": ("round",),
    "game_end": ("places", "points", "winners"),
}


def load(record: list[str]) -> Lines:
    return [json.loads(line) for line in record]


def dump(data: Lines) -> list[str]:
    return [json.dumps(line) for line in data]


def departs(data: Lines) -> Departure:
    found = check(dump(data))
    assert found is not None
    return found


@settings(deadline=None, max_examples=30)
@given(GAMES, st.sampled_from(("dense", "competition")))
def test_random_games_follow_the_rules(game: tuple[int, int], ranking: str) -> None:
    record = list(random_game(*game, ranking=ranking))
    assert check(record) is None
    assert check(line + "\n" for line in record) is None
    assert first_wrong_line(record) is None


def test_the_same_seed_is_the_same_game() -> None:
    assert list(random_game(4, 7)) == list(random_game(4, 7)) != list(random_game(4, 8))


@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_only_two_to_six_can_play(players: int) -> None:
    with pytest.raises(SetupError, match=f"^The game cannot begin: {players} players where 2 to 6 can play"):
        next(random_game(players, 1))


def test_a_record_reads_as_the_notation_says() -> None:
    header, first, second, third, *_ = random_game(2, 7)
    head = json.loads(header)
    assert list(head) == ["game", "version", "players", "contenders", "rounds", "ranking", "cards"]
    assert head["players"] == [{"name": "Ada", "age_order": 1}, {"name": "Ben", "age_order": 0}]
    assert head["cards"]["p001"] == {"kind": "progress", "value": -2, "heads": 1, "signs": ["blue"]}
    assert head["cards"]["o01"] == {"kind": "stop", "value": 0, "heads": 0, "signs": []}
    assert not [card for card in head["cards"].values() if "star" in card or "white" in card["signs"]]
    assert json.loads(next(random_game(4, 7)))["cards"]["p105"]["star"] is True
    assert first == '{"event":"reveal","cards":["p007","p028"]}'
    assert second == '{"event":"order","seats":[1,0]}'
    assert third == ('{"event":"play","seat":1,"card":"p028","legal":["blue","green"],"to":"green","row":1}')


def other_values(value: Any) -> Iterator[Any]:
    """Values near `value` that are not it."""
    if isinstance(value, bool):
        yield not value
        yield int(value)
    elif isinstance(value, int):
        yield from (value + 1, value - 1, float(value), str(value))
    elif isinstance(value, str):
        yield from (name for name in ("p001", "p077", "blue", "red", "x") if name != value)
    elif isinstance(value, list):
        yield from (changed for changed in ([*value, 0], value[:-1], value[::-1]) if changed != value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: changed} for changed in other_values(inner))
            yield {k: v for k, v in value.items() if k != key}
        yield {**value, "gold": 0}


@settings(deadline=None, max_examples=4)
@given(GAMES)
def test_what_follows_from_the_rest_cannot_be_changed(game: tuple[int, int]) -> None:
    data = load(list(random_game(*game)))
    rng = Random(game[1])
    seen: set[tuple[str, str]] = set()
    for number in rng.sample(range(1, len(data)), len(data) - 1):
        line = data[number]
        for key in DERIVED.get(line["event"], ()):
            if key not in line or (line["event"], key) in seen:
                continue
            seen.add((line["event"], key))
            for value in other_values(line[key]):
                changed = [*data[:number], {**line, key: value}, *data[number + 1 :]]
                assert departs(changed).line == number + 1, (line, key, value)
            without = {k: v for k, v in line.items() if k != key}
            assert departs([*data[:number], without, *data[number + 1 :]]).line == number + 1
    assert len(seen) > 8


@settings(deadline=None, max_examples=60)
@given(GAMES, st.data())
def test_both_checkers_agree_on_corrupted_records(game: tuple[int, int], data: st.DataObject) -> None:
    lines = load(list(random_game(*game)))
    number = data.draw(st.integers(1, len(lines) - 1), label="line")
    line = lines[number]
    corruption = data.draw(st.sampled_from(("drop", "twice", "swap", "value", "cut", "key")), label="how")
    if corruption == "drop":
        del lines[number]
    elif corruption == "twice":
        lines.insert(number, copy.deepcopy(line))
    elif corruption == "swap":
        lines[number - 1 : number + 1] = lines[number - 1 : number + 1][::-1]
    elif corruption == "cut":
        del lines[number:]
    elif corruption == "key":
        lines[number] = {**line, "extra": 1}
    else:
        key = data.draw(st.sampled_from([k for k in line if k != "event"]), label="key")
        lines[number] = {**line, key: data.draw(st.sampled_from(list(other_values(line[key]))))}
    record = dump(lines)
    found, plain = check(record), first_wrong_line(record)
    if corruption == "cut" and found is None:
        # The independent one wants whole games; an open one is in order as far as it goes.
        assert plain == len(lines) + 1
    elif found is None:
        assert plain is None
    elif plain != found.line:
        # Only the companion's checker knows where cards are, when nobody draws, and 1 from 1.0.
        known = ("cannot come from", "whole hand is known", "must be", "Both piles", "whole number")
        assert any(text in found.text for text in known), found
        assert plain is None or found.line < plain


Change = Callable[[dict[str, Any]], object]


def drop(key: str) -> Change:
    return lambda head: head.pop(key)


def put(**values: Any) -> Change:
    return lambda head: head.update(values)


HEADERS: list[tuple[Change, str]] = [
    (drop("cards"), "the header lacks cards"),
    (drop("ranking"), "the header lacks ranking"),
    (put(game="above"), 'the header must say "game":"olympeak"'),
    (put(version=2), 'the header must say "version":1'),
    (put(version=True), 'the header must say "version":1'),
    (put(rounds=4), "4 rounds where the cards say 1 to 3"),
    (put(rounds="2"), "rounds must be a whole number"),
    (put(ranking="loose"), "ranking 'loose' is neither dense nor competition (O13)"),
    (put(seed=1), "unknown key 'seed' in the header"),
    (put(players=[]), "0 players where 2 to 6 can play"),
    (put(players="Ada"), "players must be a list"),
    (put(players=["Ada", "Ben"]), "each of players is an object"),
    (put(contenders=["red", "blue", "white"]), "with 2 players blue, green, red race (O1)"),
    (put(contenders=["red", "blue", 3]), "contenders must list texts"),
    (put(cards=[]), "cards must be an object"),
    (lambda head: head["players"][0].update(age_order=0), "the age order must name each of 0 to 1 once"),
    (lambda head: head["cards"].update(p106={}), "'p106' is no card"),
    (lambda head: head["cards"].update(p001=3), "card p001 must be an object"),
    (lambda head: head["cards"]["p001"].update(kind="stop"), "card p001: kind must be progress"),
    (
        lambda head: head["cards"]["o01"].update(kind="halt"),
        "card o01: kind must be stop or remove or insert",
    ),
    (lambda head: head["cards"]["o01"].update(kind=[]), "card o01: kind must be stop or remove or insert"),
    (lambda head: head["cards"]["p001"].update(value=5), "card p001: value must be -2 to 4, not 5"),
    (lambda head: head["cards"]["p001"].update(heads=0), "card p001: heads must be 1 to 4, not 0"),
    (lambda head: head["cards"]["p001"].update(signs=[]), "card p001: signs must name at least one"),
    (lambda head: head["cards"]["p001"].update(signs=["pink"]), "card p001: signs must name at least one"),
    (lambda head: head["cards"]["p001"].update(star=1), "card p001: star must be true or left out"),
    (lambda head: head["cards"]["p001"].pop("value"), "value must be a whole number, it is missing"),
    (lambda head: head["cards"]["p001"].update(rank=1), "unknown key 'rank' in card p001"),
]


@pytest.mark.parametrize(("change", "text"), HEADERS)
def test_a_bad_header_is_refused_with_the_part_named(change: Change, text: str) -> None:
    data = load(list(random_game(2, 7)))
    change(data[0])
    found = departs(data)
    assert found.line == 1
    assert text in found.text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("", "not a JSON object: Expecting value at character 1"),
        ("[1]", "each line of a record is one JSON object"),
        ('{"event":"reveal"', "not a JSON object"),
        ('{"event":"reveal","cards":NaN}', "NaN is no value of a record"),
        ('{"event":"reveal","event":"order"}', "key 'event' stands there twice"),
        ('{"event":"reveal","cards":["\\ud800"]}', "lone surrogate"),
        ("[" * 100_000, "nested too deeply"),
        ('{"event":' + "9" * 5000 + "}", "endless number"),
        ('{"event":3}', "event must be a text"),
        ("{}", "event must be a text, it is missing"),
        ('{"event":"order","seats":[]}', "expected event reveal, not order"),
        ('{"event":"reveal","cards":["p001",null]}', "cards must list texts"),
    ],
)
def test_what_is_no_line_of_a_record_is_named(line: str, text: str) -> None:
    found = check([next(random_game(2, 7)), line])
    assert found is not None
    assert found.line == 2
    assert text in found.text
    assert str(found).startswith("line 2: ")


def test_a_record_that_stops_early_or_goes_on() -> None:
    record = list(random_game(3, 5))
    assert check([]) == Departure(1, "the record is empty, it must begin with a header")
    ends = set()
    for length in range(1, len(record)):
        found = check(record[:length])
        ends.add(found is None)
        # A game may be written down before it is over, but not without what certainly follows.
        if found is not None:
            assert found.line == length + 1
            assert found.text.startswith("the record ends here, but ")
    assert ends == {True, False}
    assert check(record[:-1]) is not None, "predictions without the end"
    assert check(record[:-2]) is not None, "the game is over, but nobody turned up the tiles"
    assert check([*record, record[-1]]) == Departure(len(record) + 1, "the game is over, nothing may follow")


def test_a_bare_insert_may_leave_its_empty_keys() -> None:
    data, number = find("insert", choice="decline")
    for key in ("legal", "to", "row"):
        changed = copy.deepcopy(data)
        changed[number][key] = [] if key == "legal" else None
        assert check(dump(changed)) is None
    changed = copy.deepcopy(data)
    changed[number]["to"] = "red"
    assert departs(changed).line == number + 1
    del changed[number]["drew"]
    assert "drew" in departs(changed).text


def find(event: str, **values: Any) -> tuple[Lines, int]:
    """A random game with such a line, and the index of the line."""
    for seed in range(200):
        data = load(list(random_game(4, seed)))
        for number, line in enumerate(data[1:], 1):
            if line["event"] == event and all(line.get(key) == value for key, value in values.items()):
                return data, number
    raise LookupError(event)


def test_a_player_who_can_place_is_not_blocked() -> None:
    data, number = find("play")
    line = data[number]
    data[number] = {"event": "blocked", "seat": line["seat"], "card": line["card"]}
    assert "must place" in departs(data).text
    assert "(O5)" in departs(data).text


def test_an_order_card_is_always_followed_by_its_line() -> None:
    for kind in ("stop", "remove", "insert"):
        data, number = find(kind)
        del data[number]
        found = departs(data)
        assert found.line == number + 1
        assert f"expected event {kind}" in found.text


def test_a_card_from_the_columns_is_found_when_it_is_revealed_again() -> None:
    data = load(list(random_game(4, 3)))
    first, second = [n for n, line in enumerate(data[1:], 1) if line["event"] == "reveal"][:2]
    placed = next(line["card"] for line in data[first:second] if line["event"] == "play")
    data[second]["cards"][0] = placed
    found = departs(data)
    assert found.line == second + 1
    assert "it lies under" in found.text


def test_a_removed_card_is_found_when_it_comes_back_before_a_reshuffle() -> None:
    data, number = find("remove", choice="decline")
    for seed in range(200):
        data = load(list(random_game(6, seed)))
        removed = [n for n, line in enumerate(data[1:], 1) if line.get("choice", "")[:1] == "p"]
        removed = [n for n in removed if data[n]["event"] == "remove" and n < 40]
        later = [n for n, line in enumerate(data[1:], 1) if line["event"] == "reveal"]
        if removed and any(n > removed[0] for n in later):
            number = next(n for n in later if n > removed[0])
            data[number]["cards"][1] = data[removed[0]]["choice"]
            found = departs(data)
            assert found.line == number + 1
            assert "on the discard pile" in found.text
            return
    raise LookupError("no early remove")


def test_a_card_taken_back_is_found_in_another_hand() -> None:
    data, number = find("blocked")
    seat, card = data[number]["seat"], data[number]["card"]
    later = next(n for n, line in enumerate(data) if n > number and line["event"] == "reveal")
    other = (seat + 1) % 4
    cards = data[later]["cards"]
    cards[other], cards[seat] = card, cards[other] if cards[seat] == card else cards[seat]
    found = departs(data)
    assert found.line == later + 1
    assert "took it back" in found.text


def test_starred_cards_may_be_listed_but_not_played_by_two() -> None:
    four = load(list(random_game(4, 1)))[0]["cards"]
    data = load(list(random_game(2, 7)))
    data[0]["cards"] = four
    assert check(dump(data)) is None
    data[1]["cards"][0] = "p105"
    assert "has a star" in departs(data).text


def test_a_record_may_list_only_the_cards_it_shows() -> None:
    data = load(list(random_game(6, 2)))
    text = json.dumps(data[1:])
    shown = {name: card for name, card in data[0]["cards"].items() if f'"{name}"' in text}
    data[0]["cards"] = dict(list(shown.items()))
    short = {name: card for name, card in shown.items() if name in set(data[1]["cards"])}
    assert check(dump(data)) is None
    data[0]["cards"] = short
    found = departs(data)
    assert "is no card of this box" in found.text
