"""Every sentence is said in every language, with the same things put in, and nothing of English is left."""

import re

import pytest

from companion.messages import LANGUAGES, CatalogueError, Text, clauses, render, say
from companion.messages.catalogue import entry, keys, subjects
from companion.messages.languages import END, ISOLATE
from companion.messages.pattern import Choice, Pattern, Slot, names
from tests.messages.samples import PEOPLE, arguments

KEYS = tuple(key for subject in subjects() for key in keys(subject))
OTHERS = tuple(code for code in LANGUAGES if code != "en")
# What a sentence rests on goes by the same number in every language; devices and files keep their names.
_KEPT = re.compile(
    r"\b[AO]\d+\b|\b[op]\d{2,3}\b|\b(?:Above|OlymPeak|QR|JSON|JavaScript|allowed_hosts)\b|--host 0\.0\.0\.0|\.local\b"
    r"|Content-Type: application/json|/api|--journal|firmware-bridge selftest"
    r"|calibrate (?:check|camera|reeds|rings --measure-only)"
    r"|exposure_ms|--source|--controller|\b(?:picamera|usb(?!:)|auto)\b"
    r"|sudo (?:usermod -aG video \$USER|apt install espeak-ng)|usb:NAME|USB|Ctrl-C"
    r"|\bPi\b"
)
_LATIN = re.compile(r"[A-Za-z]{2,}")
_ISOLATED = re.compile(f"{ISOLATE}[^{END}]*{END}")


def _slots(pattern: Pattern) -> set[str]:
    found = set()
    for part in pattern:
        if isinstance(part, Slot):
            found.add(part.name)
        elif isinstance(part, Choice):
            for case in part.cases.values():
                found |= _slots(case)
    return found


@pytest.mark.parametrize("subject", subjects())
def test_every_key_has_every_language_and_the_same_things_put_in(subject: str) -> None:
    for key in keys(subject):
        english = entry(key, "en").pattern
        for code in OTHERS:
            found = entry(key, code)
            for pattern in found.forms.values():
                assert set(names(pattern)) <= set(names(english)), (key, code)
            assert _slots(found.pattern) == _slots(english), (key, code)


@pytest.mark.parametrize("subject", subjects())
def test_every_sentence_is_said_in_every_language_with_whatever_may_be_put_in(subject: str) -> None:
    for key in keys(subject):
        for args in arguments(key):
            text = Text(key, args)
            for code in LANGUAGES:
                said = render(text, code)
                assert said and not set("{}|") & set(said), (key, code, said)


@pytest.mark.parametrize("subject", subjects())
def test_nothing_of_english_is_left_in_hebrew(subject: str) -> None:
    for key in keys(subject):
        for args in arguments(key):
            said = _ISOLATED.sub("", render(Text(key, args), "he"))
            assert not _LATIN.search(_KEPT.sub("", said)), (key, said)


def test_names_that_run_the_other_way_are_isolated() -> None:
    said = render(say("above.to_move", name="Ada"), "he")
    assert f"{ISOLATE}Ada{END}" in said
    assert f"{ISOLATE}דנה{END}" in render(say("above.to_move", name="דנה"), "fr")
    assert ISOLATE not in render(say("above.to_move", name="דנה"), "he")


def test_french_is_its_own() -> None:
    same = {key for key in KEYS if entry(key, "fr") == entry(key, "en")}
    words = {
        key for key in same if any(isinstance(p, str) and _LATIN.search(p) for p in entry(key, "fr").pattern)
    }
    assert words <= SAME_IN_FRENCH


SAME_IN_FRENCH = {
    *(f"names.{name}" for name in ("ze", "ap", "stop", "phase", "phase_ruling")),
    *(f"page.{name}" for name in ("above", "olympeak", "pause", "minutes", "device.journal")),
    *("table.shifted", "check.px", "check.ms", "check.turn_shift", "terminal.kind.question"),
}


def test_a_key_that_is_not_there_says_where_to_add_it() -> None:
    with pytest.raises(CatalogueError, match=r"no above\.never_heard; add it to words/above\.toml"):
        say("above.never_heard")
    with pytest.raises(CatalogueError, match="no subject nowhere"):
        say("nowhere.at_all")
    with pytest.raises(CatalogueError, match=r"above\.to_move needs name"):
        say("above.to_move")
    with pytest.raises(CatalogueError, match="no language xx"):
        render(say("above.over"), "xx")


def test_people_are_named_the_same_everywhere() -> None:
    for name in PEOPLE:
        for code in LANGUAGES:
            assert name in render(say("above.to_move", name=name), code)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            "en",
            "Then this counts: no Gate token lies on a6 any more; Ada has no Hera card Powered. Does everybody agree?",
        ),
        (
            "fr",
            "Alors voici ce qui compte : il n’y a plus de jeton Porte en a6 ; Ada n’a aucune carte Héra Active. "
            "Tout le monde est-il d’accord ?",
        ),
        (
            "he",
            "אם כן, זה מה שייקבע: אין עוד אסימון שער על a6; ל־Ada אין קלף הרה טעון. האם כולם מסכימים?",
        ),
    ],
)
def test_what_would_count_is_one_sentence_with_one_colon(code: str, said: str) -> None:
    things = [
        say("above.lies_no_more", token=say("names.gate"), place=say("names.space", space="a6")),
        say("above.holds_powered", whose="Ada", deity=say("names.he"), n=0),
    ]
    named = [
        say("referee.would_count", things=clauses(things)),
        say("above.turn_by", name="Ada", turn="Athena: to a6"),
    ]
    told = [re.sub(f"[{ISOLATE}{END}]", "", re.sub(r"\s", " ", render(text, code))) for text in named]
    assert told == [said, "Ada, Athena: to a6"]
