"""The table profile: what was measured at one table, when and how, as a TOML file the owner may edit.

Strict: an unknown key is an error with a suggestion. Files of earlier versions are read as if they had been
written today (`profile_versions.py`); how a file is written stands in `profile_file.py`.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, Field, ValidationError, model_validator

from calibration.lens import LensFit
from calibration.profile_base import Measured, Strict
from calibration.profile_file import ProfileError, write_profile
from calibration.profile_versions import VERSION, migrated
from calibration.wiring_profile import BadSwitch, LaneProfile, LightsProfile, ReedsProfile, ScoreboardProfile
from companion.sensing.geometry import Camera
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose

__all__ = [
    "CameraProfile",
    "LensMismatch",
    "Measured",
    "ProfileError",
    "RingProfile",
    "RingsProfile",
    "TableProfile",
    "camera_profile",
    "load_profile",
    "rings_profile",
    "save_profile",
]

# A focus this near is the same: 0.1 dioptres change a picture by less than half a pixel at its edge. USB cameras
# have units of their own, of which a share is let pass.
SAME_FOCUS = 0.1
SAME_FOCUS_SHARE = 0.02


class LensMismatch(ProfileError):
    """The lens was measured for other pictures than these. The message says which, and what to do."""


class CameraProfile(Strict):
    """The lens as measured at one resolution: `matrix` 3 × 3 in pixels, `distortion` (k1, k2, p1, p2, k3).

    `lens_position`: the focus it was measured with, of a Pi camera in dioptres, of a USB camera in its own unit;
    another focus is another lens. `crop_px`: the part of the sensor (x, y, width, height) that the picture showed.
    Both None where the camera does not tell.
    """

    matrix: tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
    distortion: tuple[float, float, float, float, float]
    width_px: int = Field(gt=0)
    height_px: int = Field(gt=0)
    lens_position: float | None = Field(default=None, ge=0)
    crop_px: tuple[int, int, int, int] | None = None
    # One sigma of the focal lengths and of the centre; the middling and the worst view's error.
    sigma_focal_px: float | None = Field(default=None, ge=0)
    sigma_centre_px: float | None = Field(default=None, ge=0)
    median_error_px: float | None = Field(default=None, ge=0)
    worst_error_px: float | None = Field(default=None, ge=0)
    measured: Measured

    @model_validator(mode="after")
    def _is_a_lens(self) -> Self:
        (fx, _, cx), (_, fy, cy), last = self.matrix
        if fx <= 0 or fy <= 0 or last != (0.0, 0.0, 1.0):
            raise ValueError("matrix must be [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] with fx and fy above 0")
        if not (0 < cx < self.width_px and 0 < cy < self.height_px):
            raise ValueError("the matrix' centre must lie inside the picture of width_px × height_px")
        if self.crop_px is not None and (min(self.crop_px[:2]) < 0 or min(self.crop_px[2:]) <= 0):
            raise ValueError("crop_px must be [x, y, width, height] with width and height above 0")
        return self

    def lens(self) -> Camera:
        """The lens as sight takes it, at the resolution it was measured at."""
        (fx, _, cx), (_, fy, cy), _ = self.matrix
        return Camera(fx, fy, cx, cy, self.distortion, (self.width_px, self.height_px))

    def lens_for(
        self,
        size: tuple[int, int],
        lens_position: float | None = None,
        crop_px: tuple[int, int, int, int] | None = None,
    ) -> tuple[Camera, str]:
        """The lens for pictures of `size` (w, h), and a sentence where it was scaled (else empty).

        Raises LensMismatch for another focus, and for another shape of picture unless both crops are known:
        nothing is used at another size or focus silently.
        """
        if (
            lens_position is not None
            and self.lens_position is not None
            and abs(lens_position - self.lens_position)
            > max(SAME_FOCUS, SAME_FOCUS_SHARE * self.lens_position)
        ):
            raise LensMismatch(
                f"The lens was measured with its focus at {self.lens_position:.2f}, the camera's is at "
                f"{lens_position:.2f}: another focus is another lens. Lock the focus where it was, or type "
                "calibrate camera."
            )
        lens = self.lens()
        crop = crop_px or self.crop_px
        if size == lens.size and crop == self.crop_px:
            return lens, ""
        said = (
            f"The lens was measured at {lens.size[0]} × {lens.size[1]} and is used at {size[0]} × {size[1]}"
        )
        if crop is not None and self.crop_px is not None and crop != self.crop_px:
            return _recropped(
                lens, self.crop_px, size, crop
            ), f"{said}, another part of the sensor: converted."
        try:
            return lens.scaled_to(size), f"{said}: scaled."
        except ValueError:
            raise LensMismatch(
                f"{said}, another shape: nothing says which part of the picture that is. Set the camera to the "
                "measured size, or type calibrate camera."
            ) from None


def _recropped(
    lens: Camera,
    measured: tuple[int, int, int, int],
    size: tuple[int, int],
    crop: tuple[int, int, int, int],
) -> Camera:
    """The lens for pictures of another part of the sensor; pixel centres are at whole numbers."""
    sensor_x, sensor_y = measured[2] / lens.size[0], measured[3] / lens.size[1]
    picture_x, picture_y = size[0] / crop[2], size[1] / crop[3]
    cx = (lens.cx + 0.5) * sensor_x + measured[0] - crop[0]
    cy = (lens.cy + 0.5) * sensor_y + measured[1] - crop[1]
    return Camera(
        lens.fx * sensor_x * picture_x,
        lens.fy * sensor_y * picture_y,
        cx * picture_x - 0.5,
        cy * picture_y - 0.5,
        lens.distortion,
        size,
    )


class RingProfile(Strict):
    """How one ring's print lies in the world: counter-clockwise turn in degrees, shift in mm, with sigmas."""

    ring: int = Field(ge=1, le=7)
    rotation_deg: float = Field(ge=-15, le=15)
    shift_mm: tuple[float, float]
    sigma_deg: float = Field(gt=0)
    sigma_mm: float = Field(gt=0)


class RingsProfile(Strict):
    """The rings as last measured, in the world (not against ring 1)."""

    measured: Measured
    ring: tuple[RingProfile, ...]

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        numbers = [ring.ring for ring in self.ring]
        twice = sorted({number for number in numbers if numbers.count(number) > 1})
        if twice:
            raise ValueError(f"ring {twice[0]} is given twice")
        return self

    def board_print(self) -> BoardPrint:
        """The rings as sight takes them."""
        return BoardPrint(
            {
                ring.ring: RingPose(
                    ring.ring, ring.rotation_deg, ring.shift_mm, ring.sigma_deg, ring.sigma_mm
                )
                for ring in self.ring
            }
        )


class TableProfile(Strict):
    """Everything measured at one table. What was not measured is left out, and the defaults hold."""

    version: Literal[2] = VERSION
    name: str = "table"
    # As in the settings: "picamera", "usb:NAME", "folder:DIRECTORY", …
    source: str | None = None
    # The controller's serial port, as "/dev/olympus-table".
    port: str | None = None
    # The parts on the Pi's pins with their BCM numbers, as in the settings.
    pins: dict[str, int | bool] | None = None
    camera: CameraProfile | None = None
    rings: RingsProfile | None = None
    reeds: ReedsProfile | None = None
    lights: LightsProfile | None = None
    scoreboard: ScoreboardProfile | None = None


def camera_profile(
    fit: LensFit,
    at: datetime,
    how: str,
    lens_position: float | None = None,
    crop_px: tuple[int, int, int, int] | None = None,
) -> CameraProfile:
    """A measured lens as it is kept."""
    lens = fit.camera
    bend = (*(round(k, 7) for k in lens.distortion), 0.0, 0.0, 0.0, 0.0, 0.0)[:5]
    return CameraProfile(
        matrix=(
            (round(lens.fx, 3), 0.0, round(lens.cx, 3)),
            (0.0, round(lens.fy, 3), round(lens.cy, 3)),
            (0.0, 0.0, 1.0),
        ),
        distortion=(bend[0], bend[1], bend[2], bend[3], bend[4]),
        width_px=lens.size[0],
        height_px=lens.size[1],
        lens_position=lens_position,
        crop_px=crop_px,
        sigma_focal_px=round(fit.sigma_focal_px, 3),
        sigma_centre_px=round(fit.sigma_centre_px, 3),
        median_error_px=round(fit.median_px, 3),
        worst_error_px=round(fit.worst_px, 3),
        measured=Measured(at=at, how=how),
    )


def rings_profile(rings: BoardPrint, at: datetime, how: str) -> RingsProfile:
    """Measured rings as they are kept."""
    return RingsProfile(
        measured=Measured(at=at, how=how),
        ring=tuple(
            RingProfile(
                ring=pose.ring,
                rotation_deg=round(pose.rotation_deg, 4),
                shift_mm=(round(pose.shift_mm[0], 4), round(pose.shift_mm[1], 4)),
                sigma_deg=max(0.001, round(pose.sigma_deg, 4)),
                sigma_mm=max(0.001, round(pose.sigma_mm, 4)),
            )
            for _, pose in sorted(rings.poses.items())
        ),
    )


def load_profile(file: Path) -> TableProfile:
    """A table profile from its TOML file. Raises ProfileError, naming the key."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(
            f"{file}: cannot be read ({error.strerror}); check the path, or calibrate to make one."
        ) from None
    except (ValueError, RecursionError) as error:
        # Also numbers of thousands of digits and brackets without end, which the parser does not name as errors of TOML.
        previous = file.with_name(file.name + ".previous")
        advice = (
            f"mend it or put {previous.name} back"
            if previous.exists()
            else "mend it, or delete it and calibrate"
        )
        raise ProfileError(f"{file}: is not TOML ({error}); {advice}.") from None
    try:
        data = migrated(data)
    except ProfileError as error:
        raise ProfileError(f"{file}: {error}") from None
    try:
        return TableProfile.model_validate(data)
    except ValidationError as error:
        raise ProfileError(f"{file}: {_explained(error, data)}") from None


def _explained(error: ValidationError, data: Mapping[str, Any]) -> str:
    """The first thing wrong, by its dotted key, with a suggestion for a misspelt one."""
    # A misspelt key is also a missing one: the misspelling is what helps.
    errors = error.errors()
    first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] != "extra_forbidden":
        return f"`{where or 'profile'}`: {first['msg'].removeprefix('Value error, ')}."
    near = difflib.get_close_matches(str(first["loc"][-1]), _allowed(first["loc"][:-1]), n=1)
    hint = f"; is `{near[0]}` meant?" if near else "; take it out."
    return f"`{where}` is no key of a table profile{hint}"


def _allowed(path: tuple[int | str, ...]) -> list[str]:
    """The keys allowed at a place in the profile."""
    models: dict[tuple[str, ...], type[BaseModel]] = {
        (): TableProfile,
        ("camera",): CameraProfile,
        ("camera", "measured"): Measured,
        ("rings",): RingsProfile,
        ("rings", "measured"): Measured,
        ("rings", "ring"): RingProfile,
        ("reeds",): ReedsProfile,
        ("reeds", "measured"): Measured,
        ("reeds", "bad"): BadSwitch,
        ("lights",): LightsProfile,
        ("lights", "measured"): Measured,
        ("scoreboard",): ScoreboardProfile,
        ("scoreboard", "measured"): Measured,
        ("scoreboard", "lane"): LaneProfile,
    }
    model = models.get(tuple(part for part in path if isinstance(part, str)))
    return list(model.model_fields) if model else []


def save_profile(file: Path, profile: TableProfile) -> None:
    """Put a profile in `file`'s place; the one before is kept as `.previous`, and the owner's comments stay.

    Raises ProfileError when it cannot be written.
    """
    write_profile(file, profile.model_dump(mode="python", exclude_none=True))
