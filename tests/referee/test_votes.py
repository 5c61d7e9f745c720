"""What a print has been read as, look after look."""

from __future__ import annotations

import pytest

from companion.referee.votes import Votes, spot_of

HERE, THERE = (100.0, 200.0, 30.0), (400.0, 200.0, 30.0)


def test_one_look_that_reads_a_resting_print_otherwise_is_outvoted() -> None:
    votes = Votes()
    for _ in range(3):
        assert votes.count([(HERE, "ze"), (THERE, "he")]) == ["ze", "he"]
    assert votes.count([(HERE, "he"), (THERE, "he")]) == ["ze", "he"]


def test_a_fresh_print_is_what_it_says_and_two_looks_that_differ_say_nothing() -> None:
    votes = Votes()
    assert votes.count([(HERE, "ze")]) == ["ze"]
    assert votes.count([(HERE, "he")]) == [None]
    assert votes.count([(HERE, "he")]) == ["he"]


def test_after_hands_were_there_another_piece_is_believed_sooner() -> None:
    votes = Votes()
    for _ in range(9):
        votes.count([(HERE, "ze")])
    votes.stirred()
    assert [votes.count([(HERE, "he")])[0] for _ in range(3)] == ["ze", None, "he"]


def test_a_card_turned_over_in_its_place_is_unclear_for_one_look_and_never_what_it_was() -> None:
    votes = Votes(kept=1)
    for _ in range(9):
        votes.count([(HERE, "Spent")])
    votes.stirred()
    assert [votes.count([(HERE, "Powered")])[0] for _ in range(3)] == [None, "Powered", "Powered"]


def test_a_card_misread_once_after_hands_were_there_is_what_it_was_again() -> None:
    votes = Votes(kept=1)
    for _ in range(9):
        votes.count([(HERE, "Spent")])
    votes.stirred()
    read = [votes.count([(HERE, name)])[0] for name in ("Powered", "Spent", "Spent")]
    assert read == [None, "Spent", "Spent"]


@pytest.mark.parametrize("kept", [1, 2, 3])
def test_a_print_misread_just_before_hands_came_is_still_what_most_looks_said(kept: int) -> None:
    votes, fresh = Votes(kept=kept), Votes(kept=kept)
    for _ in range(9):
        votes.count([(HERE, "Powered")])
        fresh.count([(HERE, "Powered")])
    votes.count([(HERE, "Spent")])
    votes.stirred()
    fresh.stirred()
    looks = ["Spent"] * 4
    read = [votes.count([(HERE, name)])[0] for name in looks]
    assert read == [fresh.count([(HERE, name)])[0] for name in looks]
    assert read[0] != "Spent"


def test_a_print_moved_or_turned_is_another_one_and_none_without_corners_is_followed() -> None:
    votes = Votes()
    votes.count([(HERE, "ze")])
    assert votes.count([((105.0, 200.0, 30.0), "he")]) == ["he"]
    votes.count([(HERE, "ze")])
    assert votes.count([((100.0, 200.0, 90.0), "he")]) == ["he"]
    assert votes.count([(None, "po")]) == ["po"]
    assert spot_of(()) is None
    assert spot_of(((0, 0), (2, 0), (2, 2), (0, 2))) == (1.0, 1.0, 0.0)


def test_two_prints_in_one_place_go_on_each_as_what_it_was() -> None:
    votes = Votes()
    for _ in range(5):
        assert votes.count([(HERE, "ze"), (HERE, "he")]) == ["ze", "he"]
    assert votes.count([(HERE, "he"), (HERE, "ze")]) == ["he", "ze"]
    assert votes.count([(HERE, "he"), (HERE, "ar")]) == ["he", "ze"]


@pytest.mark.parametrize("misread", [("he", "ar"), ("he", "he"), ("he", "ze", "he")])
def test_a_resting_print_is_no_other_unless_most_looks_say_so(misread: tuple[str, ...]) -> None:
    """Also right after hands were there, and whatever it is taken for by turns."""
    votes = Votes(kept=3)
    for _ in range(5):
        votes.count([(HERE, "ze")])
    votes.stirred()
    for name in (*misread, "ze", "ze", *misread, "ze"):
        assert votes.count([(HERE, name)]) in (["ze"], [None])
    assert votes.count([(HERE, "ze")]) == ["ze"]


def test_a_print_read_in_three_ways_is_none_of_them() -> None:
    votes = Votes()
    read = [votes.count([(HERE, name)])[0] for name in ("ze", "he", "ar", "he")]
    assert read == ["ze", None, None, None]


@pytest.mark.parametrize("there", [(101.0, 202.0, 51.0), (100.0, 200.0, -60.0), (106.0, 197.0, 30.0)])
def test_a_brushed_piece_that_is_read_otherwise_is_unclear_for_a_look(
    there: tuple[float, float, float],
) -> None:
    votes = Votes(kept=3, brushed=True)
    for _ in range(5):
        votes.count([(HERE, "gate"), (THERE, "thunder")])
    votes.stirred()
    assert votes.count([(THERE, "thunder"), (there, "thunder")]) == ["thunder", None]
    assert votes.count([(THERE, "thunder"), (there, "thunder")]) == ["thunder", "thunder"]


def test_of_two_pieces_one_brushed_against_the_other_each_goes_on_as_what_it_was() -> None:
    votes = Votes(kept=3, brushed=True)
    beside = (107.0, 200.0, 30.0)
    for _ in range(5):
        votes.count([(HERE, "gate"), (beside, "thunder")])
    votes.stirred()
    assert votes.count([((104.0, 200.0, 30.0), "barrier"), (beside, "thunder")]) == [None, "thunder"]
    assert votes.count([((104.0, 200.0, 30.0), "gate"), (beside, "thunder")]) == ["gate", "thunder"]


def test_a_piece_set_down_elsewhere_is_what_its_first_look_says() -> None:
    votes = Votes(kept=3, brushed=True)
    votes.count([(HERE, "gate")])
    votes.stirred()
    assert votes.count([((132.0, 200.0, 30.0), "thunder")]) == ["thunder"]


def test_a_print_somewhere_new_that_two_looks_misread_alike_is_unclear_at_the_third() -> None:
    votes = Votes(few=4)
    assert [votes.count([(HERE, name)])[0] for name in ("thunder", "thunder", "gate", "gate", "gate")] == [
        "thunder",
        "thunder",
        None,
        None,
        "gate",
    ]
    votes.stirred()
    votes.count([(THERE, "gate")])
    # Once right, once misread, right again: two to one, the newest among them.
    assert [votes.count([(THERE, name)])[0] for name in ("thunder", "gate", "thunder")] == [
        None,
        "gate",
        None,
    ]
