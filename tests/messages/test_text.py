"""A sentence knows how it is made: other languages, lists, cases, counts, keeping."""

import copy
import json
import pickle

import pytest

from companion.games.above.names import deity_name, place_name
from companion.messages import (
    bare,
    either,
    listed,
    render,
    row,
    say,
    sentences,
    text_of,
    words_of,
)
from companion.referee.requests import Refused


def test_it_is_the_english_sentence() -> None:
    text = say("above.move_to", deity=deity_name("ze"), place=place_name("c3"))
    assert text == "Move Zeus to c3."
    assert json.dumps(text) == '"Move Zeus to c3."'
    assert hash(text) == hash("Move Zeus to c3.")
    assert type(render(text, "en")) is str


@pytest.mark.parametrize(
    ("deity", "said"),
    [
        ("ze", "La place de Zeus"),
        ("ar", "La place d’Arès"),
        ("he", "La place d’Héra"),
        ("ha", "La place d’Hadès"),
    ],
)
def test_french_elides(deity: str, said: str) -> None:
    others = listed([deity_name("po")])
    text = say("above.lifted_with_home", deity=deity_name(deity), others=others, place=place_name("c3"))
    assert said in render(text, "fr")


@pytest.mark.parametrize(
    ("name", "said"),
    [("Ada", "d’Ada"), ("Ben", "de Ben"), ("Yves", "d’Yves"), ("Yann", "de Yann"), ("Élise", "d’Élise")],
)
def test_french_elides_before_people(name: str, said: str) -> None:
    assert said in render(say("above.right_won", name=name), "fr")


def test_french_contracts_with_the_summit_and_agrees() -> None:
    hera, top = deity_name("he"), place_name("top")
    assert render(say("above.move_to", deity=hera, place=top), "fr") == "Déplacez Héra au sommet."
    assert render(say("above.was_activated", deity=hera), "fr") == "Héra a été activée"
    assert render(say("above.was_activated", deity=deity_name("po")), "fr") == "Poséidon a été activé"


def test_french_signs_stand_apart_and_never_begin_a_line() -> None:
    said = render(say("above.wins", deity=deity_name("ze"), winners=listed(["Ada", "Ben"])), "fr")
    assert said == "Zeus est au sommet\u00a0: victoire d’Ada et de Ben\u202f!"


def test_hebrew_particles_are_written_together() -> None:
    zeus = deity_name("ze")
    to_space = render(say("above.move_to", deity=zeus, place=place_name("c3")), "he")
    assert bare(to_space) == "הזיזו את זאוס ל־c3."
    assert (
        bare(render(say("above.move_to", deity=zeus, place=place_name("top")), "he"))
        == "הזיזו את זאוס לפסגה."
    )
    both = listed([zeus, deity_name("he")])
    assert "זאוס והרה" in render(say("above.to_ring_one", deities=both), "he")


@pytest.mark.parametrize(
    ("n", "he", "fr"),
    [
        (1, "אסימון רעם:", "un jeton Foudre"),
        (2, "שני אסימוני רעם:", "2 jetons"),
        (3, "3 אסימוני רעם:", "3 jetons"),
    ],
)
def test_counts_have_the_language_s_own_plurals(n: int, he: str, fr: str) -> None:
    text = say("above.place_drawn", n=n, token=say("names.thunder"))
    assert he in render(text, "he")
    assert fr in render(text, "fr")


@pytest.mark.parametrize(
    ("place", "en", "fr"),
    [("c1", "c1: the switch is open.", "c1"), ("top", "The summit: the switch is open.", "Le sommet")],
)
def test_a_sentence_begins_with_a_capital_but_not_with_another_space_s_name(
    place: str, en: str, fr: str
) -> None:
    told = say("seen.open", place=place_name(place))
    assert told == en
    assert render(told, "fr").startswith(fr)


def test_lists() -> None:
    zeus, hera, ares = map(deity_name, ("ze", "he", "ar"))
    assert listed([zeus]) == "Zeus"
    assert listed([zeus, hera, ares]) == "Zeus, Hera and Ares"
    assert either([zeus, hera]) == "Zeus or Hera"
    assert row([zeus, hera, ares]) == "Zeus, Hera, Ares"
    assert render(listed([zeus, hera, ares]), "fr") == "Zeus, Héra et Arès"
    assert listed([]) == ""


def test_sentences_one_after_the_other() -> None:
    text = sentences("", say("above.over"), "Ada")
    assert text == "The game is over. Ada"
    assert render(text, "fr") == "La partie est terminée. Ada"


def test_what_is_in_it_can_be_put_otherwise() -> None:
    inner = say("above.is_spent", deity=deity_name("ze"), seat=say("names.seat", n=1))
    text = sentences(say("above.over"), inner)
    named = text.mapped(lambda each: "Ben" if each.key == "names.seat" else each)
    assert named == "The game is over. The Zeus card of Ben is Spent: activate a Powered one (phase 1)."


def test_it_is_kept_and_comes_back() -> None:
    text = sentences(say("above.wins", deity=deity_name("ze"), winners=listed(["Ada", "Ben"])))
    kept = json.loads(json.dumps(text.as_data()))
    again = text_of(kept, "other")
    assert again == text
    assert render(again, "he") == render(text, "he")
    for twin in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):
        assert render(twin, "fr") == render(text, "fr")


MOVED = """
    begins_here comparing corrected counts_after_all differs heard_first house_ruled is_right not_at_rest not_right
    not_there_now nothing_seen nothing_wrong right_so taken_back that_counts under_way which_played would_count
"""


@pytest.mark.parametrize(
    "old", [*(f"above.{name}" for name in MOVED.split()), "olympeak.corrected", "olympeak.which_played"]
)
def test_what_an_old_journal_kept_under_another_key_is_said_in_every_language(old: str) -> None:
    today = say(f"referee.{old.partition('.')[2]}", n=2, read="p014", right="p015", things=say("above.over"))
    alone, among = today.as_data(), sentences(say("above.over"), today).as_data()
    alone["key"] = among["args"]["1"]["key"] = old
    for language in ("en", "fr", "he"):
        said = render(today, language)
        assert render(text_of(alone, "other"), language) == said
        assert render(text_of(among, "other"), language).endswith(said)


@pytest.mark.parametrize(
    "damaged",
    [None, "text", 3, [], {}, {"key": "above.gone", "args": {}}, {"key": "above.to_move", "args": {}}],
)
def test_what_cannot_come_back_is_said_as_it_was_kept(damaged: object) -> None:
    assert text_of(damaged, "What it said.") == "What it said."


def test_an_error_says_it_in_every_language_too() -> None:
    refused = Refused(say("above.cannot_play_from"), (say("above.none_on_top"),))
    assert str(refused) == "This position cannot be played from. No token lies on the summit (A11)."
    assert render(words_of(refused), "fr").startswith("On ne peut pas jouer à partir de cette position.")
    assert words_of(ValueError("plain")) == "plain"
