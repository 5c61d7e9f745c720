"""What is said aloud: the turn, what is not allowed, a question, the victory; each thing once."""

from __future__ import annotations

import pytest

from companion.games.above.names import deity_name, place_name
from companion.messages import aloud, listed, say, sentences
from companion.referee.verdict import Kind, Verdict
from companion.signals.speech.announcer import Announcer

NAMES = ("Ada", "Ben")
CHOOSE = Verdict(Kind.READY, 0, say("above.choose_card", name="Ada"))
BACK = Verdict(
    Kind.ILLEGAL,
    0,
    say("above.no_step_back", deity=deity_name("ze"), rule=say("names.phase_ruling", n=2, ruling="A6")),
)
WON = Verdict(Kind.OVER, 0, say("above.wins", deity=deity_name("ze"), winners=listed(["Ada"])))


def said(announcer: Announcer, verdict: Verdict, turns: int = 3) -> str | None:
    told = announcer.tell(verdict, turns, NAMES)
    return None if told is None else told.text


def test_a_turn_is_said_shortly_and_once() -> None:
    announcer = Announcer()
    assert announcer.last is None
    assert said(announcer, CHOOSE) == "Ada, it is your turn."
    lifted = Verdict(Kind.LIFTED, 0, say("above.lifted_home", deity=deity_name("ze"), place=place_name("a1")))
    assert said(announcer, lifted) is None
    assert said(announcer, CHOOSE) is None
    assert said(announcer, CHOOSE, turns=5) == "Ada, it is your turn."


def test_what_is_not_allowed_is_said_with_its_reason_once_however_it_flickers() -> None:
    announcer = Announcer()
    for verdict, words in (
        (BACK, str(BACK.text)),
        (CHOOSE, "Ada, it is your turn."),
        (BACK, None),
        (CHOOSE, None),
    ):
        assert said(announcer, verdict) == words
    assert announcer.last is not None


def test_a_question_and_the_victory_are_said() -> None:
    announcer = Announcer()
    question = Verdict(Kind.QUESTION, 0, say("referee.which_played"))
    assert said(announcer, question) == "Which of these was played?"
    assert said(announcer, WON) == WON.text


@pytest.mark.parametrize("kind", [Kind.SETUP, Kind.LIFTED, Kind.UNFINISHED, Kind.COMPLETE, Kind.HOLD])
def test_what_changes_while_hands_move_is_not_said(kind: Kind) -> None:
    assert said(Announcer(), Verdict(kind, 0, "I am looking.")) is None


def test_what_everybody_is_to_do_is_said_without_the_news_before_it() -> None:
    all_lay = say("olympeak.everybody_lays")
    verdict = Verdict(Kind.READY, 0, sentences(say("olympeak.turn_over_still", n=3), all_lay))
    assert said(Announcer(), verdict) == all_lay


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Zeus cannot step back: a miniature moves forward or sideways."),
        ("fr", "Zeus ne peut pas reculer\u00a0: une figurine avance ou va de côté."),
        ("he", "זאוס לא יכול לסגת: דמות זזה קדימה או הצידה."),
    ],
)
def test_what_it_rests_on_is_not_read_out(language: str, words: str) -> None:
    assert aloud(BACK.text, language) == words


def test_what_is_no_citation_is_read_out() -> None:
    assert aloud("Lay p014 (+3, blue) under red (O4).", "en") == "Lay p014 (+3, blue) under red."
    assert aloud("Activate one (phase 1).", "en") == "Activate one."
