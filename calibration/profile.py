"""The table profile: what was measured at one table, when and how, as a TOML file the owner may edit.

Strict: an unknown key is an error with a suggestion. Saved by writing a new file beside it, flushing it to the
disk and putting it in the old one's place; the old one is kept as `.previous`.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Self

import tomlkit
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from companion.errors import CompanionError
from companion.sensing.geometry import Camera
from companion.sensing.place import BoardPrint
from companion.sensing.reading import RingPose

VERSION = 1


class ProfileError(CompanionError, ValueError):
    """A table profile cannot be used. The message names the file, the key and what to do."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Measured(_Strict):
    """When and how something was measured."""

    at: datetime
    how: str = Field(min_length=1)


class CameraProfile(_Strict):
    """The lens as measured at one resolution: `matrix` 3 × 3 in pixels, `distortion` (k1, k2, p1, p2, k3).

    `lens_position`: the focus it was measured with, in dioptres; another focus is another lens.
    """

    matrix: tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
    distortion: tuple[float, float, float, float, float]
    width_px: int = Field(gt=0)
    height_px: int = Field(gt=0)
    lens_position: float | None = Field(default=None, ge=0)
    measured: Measured

    @model_validator(mode="after")
    def _is_a_lens(self) -> Self:
        (fx, _, cx), (_, fy, cy), last = self.matrix
        if fx <= 0 or fy <= 0 or last != (0.0, 0.0, 1.0):
            raise ValueError("matrix must be [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] with fx and fy above 0")
        if not (0 < cx < self.width_px and 0 < cy < self.height_px):
            raise ValueError("the matrix' centre must lie inside the picture of width_px × height_px")
        return self

    def lens(self) -> Camera:
        """The lens as sight takes it."""
        (fx, _, cx), (_, fy, cy), _ = self.matrix
        return Camera(fx, fy, cx, cy, self.distortion, (self.width_px, self.height_px))


class RingProfile(_Strict):
    """How one ring's print lies in the world: counter-clockwise turn in degrees, shift in mm, with sigmas."""

    ring: int = Field(ge=1, le=7)
    rotation_deg: float = Field(ge=-15, le=15)
    shift_mm: tuple[float, float]
    sigma_deg: float = Field(gt=0)
    sigma_mm: float = Field(gt=0)


class RingsProfile(_Strict):
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


class TableProfile(_Strict):
    """Everything measured at one table. What was not measured is left out, and the defaults hold."""

    version: Literal[1] = 1
    name: str = "table"
    # As in the settings: "picamera", "usb:NAME", "folder:DIRECTORY", …
    source: str | None = None
    # The controller's serial port, as "/dev/olympus-table".
    port: str | None = None
    camera: CameraProfile | None = None
    rings: RingsProfile | None = None


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
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProfileError(
            f"{file}: is not TOML ({error}); mend it or put {file.name}.previous back."
        ) from None
    if data.get("version", VERSION) != VERSION:
        raise ProfileError(
            f"{file}: has version {data['version']!r}, this program reads version {VERSION}; calibrate again."
        )
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
    }
    model = models.get(tuple(part for part in path if isinstance(part, str)))
    return list(model.model_fields) if model else []


def save_profile(file: Path, profile: TableProfile) -> None:
    """Put a profile in `file`'s place so that a power cut leaves the old or the new one; the old one is kept.

    Raises ProfileError when it cannot be written.
    """
    text = tomlkit.dumps(profile.model_dump(mode="python", exclude_none=True))
    fresh = file.with_name(file.name + ".new")
    previous = file.with_name(file.name + ".previous")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        if file.exists():
            # A second name for the old one: at no moment is there no profile.
            previous.unlink(missing_ok=True)
            os.link(file, previous)
        fresh.replace(file)
        directory = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
    except OSError as error:
        raise ProfileError(
            f"{file}: cannot be written ({error.strerror}); check the folder and the disk's free space."
        ) from None
