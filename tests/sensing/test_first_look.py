"""The first look: which print lies there and how, told by the whole of it or by the part that is not covered."""

from __future__ import annotations

import numpy as np

from companion.sensing.first_look import likeliest, looks_at
from companion.sensing.print_model import PARTS, WHOLE
from tests.sensing.prints import cells_of, corners_at
from tests.sensing.test_decoder import MIDDLE, SIDE, TOKENS, UPRIGHT, picture


def test_the_first_look_is_right_about_print_and_turn() -> None:
    looks = looks_at(picture(cells_of(18), 130.0), [MIDDLE], [UPRIGHT])
    (likely,) = likeliest(looks, TOKENS)[WHOLE]
    assert likely is not None
    assert likely.id == 18
    assert np.linalg.norm(likely.corners - corners_at(MIDDLE, SIDE, 130.0), axis=1).max() < 4.0


def test_a_print_that_is_covered_on_one_side_is_told_by_the_rest_of_it() -> None:
    """By the part that leaves out what lies beyond the print's own right side, and by none that needs it."""
    gray = picture(cells_of(18), 0.0)
    gray[:, 64:] = 60
    by_part = likeliest(looks_at(gray, [MIDDLE], [UPRIGHT]), TOKENS, PARTS)
    told = {part for part, (likely,) in by_part.items() if likely is not None and likely.id == 18}
    assert 1 in told
    assert 5 not in told


def test_a_plain_surface_is_like_no_print_by_any_part() -> None:
    looks = looks_at(np.full((120, 120), 90, np.uint8), [MIDDLE], [UPRIGHT])
    assert set(likeliest(looks, TOKENS, (WHOLE, *PARTS))) == {WHOLE, *PARTS}
    assert all(one == [None] for one in likeliest(looks, TOKENS, (WHOLE, *PARTS)).values())
