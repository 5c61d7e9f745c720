"""The motion gate by itself: noise, exposure, hands, changes and their regions."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.sensing.frames import STRIDE, Image
from companion.sensing.gate import QUIET_CLEAR, QUIET_HAND, Glance, MotionGate, changed_regions
from companion.sensing.region import Region
from tests.sensing.noise import Noise
from tests.sensing.photos import photo


class Watch:
    """A gate that has seen and read a quiet photograph."""

    def __init__(self, noise: float = 2.0) -> None:
        self.gate = MotionGate()
        self.noise = Noise(noise)
        self.plain = photo("09")
        for _ in range(5):
            self.see(self.plain)
        self.gate.accept()

    def see(self, image: Image) -> Glance:
        return self.gate.glance(self.noise.over(image))


@pytest.mark.parametrize("noise", [0.0, 3.0, 9.0])
def test_noise_is_no_motion(noise: float) -> None:
    watch = Watch(noise)
    for _ in range(6):
        glance = watch.see(watch.plain)
        assert not glance.moving
        assert glance.settled
        assert not glance.changed.any()


def test_exposure_that_adapts_is_no_change() -> None:
    watch = Watch()
    for gain in (1.02, 1.05, 1.1, 1.15, 1.2):
        glance = watch.see(np.clip(watch.plain * gain, 0, 250).astype(np.uint8))
        assert not glance.moving
        assert not glance.hand_in_view


# Each factor against the picture at first, as a camera that hunts for its exposure, with what is then clipped.
JUMPS = (
    (1.3, 1.0, 1.3, 1.0, 0.7, 1.0),
    (1.3, 1.69, 2.2, 1.69, 1.3, 1.0),
    (0.77, 0.6, 0.45, 0.6, 0.77),
    (2.0, 1.0),
)


def exposed(image: Image, gain: float) -> Image:
    """A picture exposed so many times as long: white is white."""
    return np.asarray(np.clip(image.astype(np.float32) * gain, 0, 255), np.uint8)


@pytest.mark.parametrize("gains", JUMPS)
def test_exposure_that_jumps_by_a_third_and_more_is_no_motion_and_no_change(gains: tuple[float, ...]) -> None:
    watch = Watch()
    for gain in gains:
        glance = watch.see(exposed(watch.plain, gain))
        assert glance.settled
        assert not glance.hand_in_view
        assert not glance.changed.any()


@pytest.mark.parametrize("gain", [0.6, 1.3, 1.8])
@pytest.mark.parametrize("tone", [(105, 140, 200), (25, 22, 20), (225, 228, 230), (80, 120, 70)])
def test_a_hand_is_noticed_that_comes_while_the_exposure_jumps(
    gain: float, tone: tuple[int, int, int]
) -> None:
    watch = Watch()
    image = watch.plain.copy()
    cv2.line(image, (1200, 1300), (1150, 700), tone, 150)
    image = exposed(image, gain)
    assert watch.see(image).moving
    assert watch.see(image).hand[1000 // STRIDE, 1175 // STRIDE]


@pytest.mark.parametrize("gain", [0.6, 1.5])
def test_a_token_that_comes_while_the_exposure_jumps_is_a_change(gain: float) -> None:
    watch = Watch()
    image = watch.plain.copy()
    cv2.circle(image, (1300, 700), 22, (30, 30, 30), -1)
    image = exposed(image, gain)
    watch.see(image)
    glance = watch.see(image)
    (region,) = changed_regions(glance.changed, (2304, 1296))
    assert region.holds(1300, 700)
    assert (region.x1 - region.x0) < 220


def test_a_token_put_down_is_a_change_and_no_hand() -> None:
    watch = Watch()
    image = watch.plain.copy()
    cv2.circle(image, (1300, 700), 22, (240, 240, 240), -1)
    assert watch.see(image).moving
    glance = watch.see(image)
    assert glance.settled
    assert not glance.hand_in_view
    (region,) = changed_regions(glance.changed, (2304, 1296))
    assert region.holds(1300, 700)
    assert (region.x1 - region.x0) < 220
    watch.gate.accept()
    assert not watch.see(image).changed.any()


def test_an_arm_over_the_edge_is_a_hand_and_waits_longer() -> None:
    watch = Watch()
    image = watch.plain.copy()
    cv2.line(image, (1200, 1300), (1150, 700), (105, 140, 200), 150)
    glances = [watch.see(image) for _ in range(6)]
    assert glances[0].moving
    assert [glance.settled for glance in glances] == [False, False, False, False, True, True]
    assert glances[-1].hand[800 // STRIDE, 1160 // STRIDE]
    assert not glances[-1].hand[200 // STRIDE, 1160 // STRIDE]


def test_a_fan_of_cards_that_is_held_still_makes_nobody_wait() -> None:
    """Once it was seen to lie there; another hand, or the fan held elsewhere or otherwise, is waited for as ever."""
    watch = Watch()
    fan = watch.plain.copy()
    cv2.rectangle(fan, (700, 1150), (1150, 1296), (105, 140, 200), -1)
    for _ in range(5):
        glance = watch.see(fan)
    watch.gate.accept(glance.hand)
    token = fan.copy()
    cv2.circle(token, (1300, 700), 22, (240, 240, 240), -1)
    assert watch.see(token).moving
    glance = watch.see(token)
    assert glance.settled and glance.hand_in_view and glance.changed.any()
    watch.gate.accept(glance.hand)

    def until_settled(image: Image) -> int:
        assert watch.see(image).moving
        return next(looks for looks in range(1, 9) if watch.see(image).settled)

    both, shifted, turned = token.copy(), watch.plain.copy(), token.copy()
    cv2.rectangle(shifted, (760, 1150), (1210, 1296), (105, 140, 200), -1)
    cv2.line(both, (2300, 700), (1900, 700), (105, 140, 200), 150)
    cv2.rectangle(turned, (850, 1180), (1000, 1296), (40, 40, 60), -1)
    for image in (both, shifted, turned):
        assert until_settled(image) == QUIET_HAND
        watch.gate.accept(watch.see(image).hand)
        assert until_settled(token) <= QUIET_HAND
        watch.gate.accept(watch.see(token).hand)
    assert until_settled(watch.plain) == QUIET_CLEAR
    # A hand that comes back to where it lay before has only paused there so far.
    assert until_settled(fan) == QUIET_HAND


SKIN = (105, 140, 200)


def with_fan(image: Image) -> Image:
    """Cards held over the southern edge."""
    return np.asarray(cv2.rectangle(image.copy(), (700, 1150), (1150, 1296), SKIN, -1), np.uint8)


def with_arm(image: Image, y: int) -> Image:
    """An arm over the eastern edge, so far down."""
    return np.asarray(cv2.line(image.copy(), (2303, y), (1900, y), SKIN, 100), np.uint8)


@pytest.mark.parametrize("still", [0, 2, QUIET_HAND])
def test_a_fan_that_came_while_another_hand_never_paused_is_waited_for_once_and_not_again(still: int) -> None:
    """It has lain still for so many frames when the other hand leaves: only what a pause lacks is waited for."""
    watch = Watch()
    watch.see(with_arm(watch.plain, 300))
    fan = with_fan(watch.plain)
    for n in range(1 + still):
        assert not watch.see(with_arm(fan, 330 + 30 * n)).settled
    waited = next(looks for looks in range(9) if watch.see(fan).settled)
    # The first of these looks shows it leave.
    assert waited == max(QUIET_HAND - 1 - still, 1)


def test_what_is_at_rest_is_told_while_a_hand_moves_elsewhere() -> None:
    """The hand with where it was a frame ago is restless; a token that lies beside it is a change."""
    watch = Watch()
    watch.see(with_arm(watch.plain, 300))
    image = watch.plain.copy()
    cv2.circle(image, (1300, 700), 22, (240, 240, 240), -1)
    assert watch.see(with_arm(image, 340)).restless is None
    glance = watch.see(with_arm(image, 380))
    assert glance.moving and not glance.settled
    restless = glance.restless
    assert restless is not None
    for y in (340, 380):
        assert restless[y // STRIDE, 2100 // STRIDE] and glance.hand[y // STRIDE, 2100 // STRIDE]
    assert not glance.changed[340 // STRIDE, 2100 // STRIDE]
    assert not restless[700 // STRIDE, 1300 // STRIDE]
    assert glance.changed[700 // STRIDE, 1300 // STRIDE]


def test_a_hand_at_rest_is_told_from_one_that_moves_or_has_paused() -> None:
    watch = Watch()
    fan = with_fan(watch.plain)
    for n in range(QUIET_HAND + 2):
        glance = watch.see(with_arm(fan, 300 + 40 * (n % 2)))
    for _ in range(2):
        assert glance.restless is not None
        assert glance.restless[300 // STRIDE, 2100 // STRIDE]
        assert glance.hand[1200 // STRIDE, 900 // STRIDE]
        assert not glance.restless[1200 // STRIDE, 900 // STRIDE]
        glance = watch.see(with_arm(fan, 340))
    assert not glance.moving and not glance.settled


def test_beside_what_moves_without_being_a_hand_nothing_is_told() -> None:
    watch = Watch()
    watch.see(with_arm(watch.plain, 300))
    for n in range(4):
        image = watch.plain.copy()
        cv2.circle(image, (1300 + 40 * n, 700), 22, (240, 240, 240), -1)
        glance = watch.see(with_arm(image, 340 + 40 * n))
        assert glance.moving
        assert glance.restless is None


def under_an_arm() -> tuple[Watch, Image, Glance]:
    """An arm lies over a photograph and rests: the gate, the picture with it, and the last look at that."""
    watch = Watch()
    image = np.asarray(cv2.line(watch.plain.copy(), (1200, 1300), (1150, 700), SKIN, 150), np.uint8)
    return watch, image, [watch.see(image) for _ in range(5)][-1]


def test_an_arm_that_was_taken_for_a_thing_leaves_no_ghost_when_it_goes() -> None:
    watch, image, glance = under_an_arm()
    watch.gate.accept_thing(glance.hand)
    assert not watch.see(image).hand_in_view
    assert watch.see(watch.plain).moving
    glance = watch.see(watch.plain)
    assert glance.settled and not glance.hand_in_view
    assert glance.changed[800 // STRIDE, 1160 // STRIDE]
    watch.gate.accept()
    watch.see(image)
    assert watch.see(image).hand_in_view


def test_where_a_thing_was_a_hand_is_one_again_whatever_colour_it_has() -> None:
    """The thing has gone and that was read; what looks as the table did before is a sleeve of its colour."""
    watch = Watch()
    bare = np.full_like(watch.plain, 120)
    thing, other = bare.copy(), bare.copy()
    box = np.s_[700:1296, 1000:1300]
    thing[box], other[box] = (105, 140, 200), (30, 60, 30)

    def settled(image: Image) -> Glance:
        return [watch.see(image) for _ in range(QUIET_HAND + 1)][-1]

    settled(bare)
    watch.gate.accept()
    watch.gate.accept_thing(settled(thing).hand)
    for image in (bare, other):
        settled(image)
        watch.gate.accept()
    sleeve = bare
    assert settled(sleeve).hand_in_view


def test_under_a_hand_the_old_picture_is_kept() -> None:
    watch, image, glance = under_an_arm()
    watch.gate.accept(glance.hand)
    assert watch.see(image).hand_in_view
    watch.see(watch.plain)
    glance = watch.see(watch.plain)
    assert not glance.hand_in_view
    assert not glance.changed.any()


def test_most_of_the_picture_is_the_light() -> None:
    watch = Watch()
    light = np.linspace(2.4, 1.0, 2304)[None, :, None]
    image = np.clip(watch.plain * light, 0, 255).astype(np.uint8)
    assert watch.see(image).moving
    glance = watch.see(image)
    assert glance.relit
    assert not glance.hand_in_view


def test_another_size_starts_over() -> None:
    watch = Watch()
    glance = watch.gate.glance(np.zeros((648, 1152, 3), np.uint8))
    assert glance.moving
    assert not glance.settled


def test_grey_frames_do() -> None:
    gate = MotionGate()
    grey = photo("09")[..., 1]
    for _ in range(6):
        glance = gate.glance(grey)
    assert glance.settled


def test_regions_do_not_overlap_and_stay_inside() -> None:
    changed = np.zeros((324, 576), np.uint8)
    changed[3, 3] = changed[5, 20] = changed[300, 570] = 255
    regions = changed_regions(changed, (2304, 1296))
    assert len(regions) == 2
    for region in regions:
        assert 0 <= region.x0 < region.x1 <= 2304
        assert 0 <= region.y0 < region.y1 <= 1296
    assert isinstance(regions[0], Region)
    assert changed_regions(np.zeros_like(changed), (2304, 1296)) == []
    # A picture on its side shows the same table as large.
    turned = changed_regions(np.ascontiguousarray(changed.T), (1296, 2304))
    assert {(r.y0, r.x0, r.y1, r.x1) for r in turned} == {(r.x0, r.y0, r.x1, r.y1) for r in regions}


def darkened(image: Image, x: float, y: float, radius: float, depth: float) -> Image:
    """Somebody's soft shadow over a part of the picture."""
    height, width = image.shape[:2]
    columns, rows = np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)
    away = np.hypot(columns[None, :] - np.float32(x), rows[:, None] - np.float32(y))
    share = 1 - depth / (1 + np.exp((away - radius) / 120))
    shaded: Image = np.clip(image * share[..., None], 0, 255).astype(np.uint8)
    return shaded


@pytest.mark.parametrize("depth", [0.2, 0.45])
def test_a_shadow_that_stays_is_light_and_no_hand(depth: float) -> None:
    watch = Watch()
    shaded = darkened(watch.plain, 700, -100, 520, depth)
    glances = [watch.see(shaded) for _ in range(6)]
    assert not any(glance.hand_in_view for glance in glances)
    assert glances[-1].relit
    watch.gate.accept()
    assert not watch.see(shaded).changed.any()


def test_a_lamp_switched_on_at_one_side_is_light_and_no_hand() -> None:
    watch = Watch()
    glow = 1 + 0.8 * np.exp(-(((np.arange(2304) - 300) / 500) ** 2))[None, :, None]
    lit = np.clip(watch.plain * glow, 0, 255).astype(np.uint8)
    glances = [watch.see(lit) for _ in range(6)]
    assert not any(glance.hand_in_view for glance in glances)
    assert glances[-1].settled


# Skin, a dark sleeve, a black glove, a white sleeve, green cloth.
@pytest.mark.parametrize(
    "tone", [(105, 140, 200), (25, 22, 20), (40, 38, 38), (225, 228, 230), (80, 120, 70)]
)
def test_arms_of_all_colours_are_hands_in_shadow_too(tone: tuple[int, int, int]) -> None:
    watch = Watch()
    image = watch.plain.copy()
    cv2.line(image, (1200, 1300), (1150, 700), tone, 150)
    image = darkened(image, 1200, 1200, 300, 0.15)
    watch.see(image)
    glance = watch.see(image)
    assert glance.hand[1000 // STRIDE, 1175 // STRIDE]


def test_mains_light_that_flickers_in_bands_is_no_hand_and_does_not_stop_the_game() -> None:
    watch = Watch()
    rows = np.arange(1296)[:, None, None]
    settled = 0
    plain = watch.plain.astype(np.float32)
    for k in range(12):
        banded = plain * (1 + 0.06 * np.sin(2 * np.pi * (rows / 432 + k * 0.37))).astype(np.float32)
        glance = watch.see(np.clip(banded, 0, 255).astype(np.uint8))
        assert not glance.hand_in_view
        settled += glance.settled
    assert settled >= 9


def test_lights_that_blink_are_never_hands_and_leave_pictures_between_to_read() -> None:
    watch = Watch()
    lit = watch.plain.copy()
    for angle in range(0, 360, 45):
        centre = (round(1152 + 400 * np.cos(np.radians(angle))), round(648 + 400 * np.sin(np.radians(angle))))
        cv2.circle(lit, centre, 18, (120, 220, 255), -1)
    glances = [watch.see(lit if k // 3 % 2 else watch.plain) for k in range(36)]
    assert not any(glance.hand_in_view for glance in glances)
    assert sum(glance.settled for glance in glances[-12:]) >= 8
