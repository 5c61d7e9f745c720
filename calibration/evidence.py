"""Evidence: the pictures by which a kept measurement can be judged later, beside the profile."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.drawings import as_jpeg
from calibration.output import write_file
from companion.sensing.frames import Image

WIDEST_PX = 1152
# A step keeps so many; a report shows them all.
MOST = 3


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """A picture with what it shows."""

    title: str
    image: Image


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture as it was kept: the step, what it shows, and the JPEG."""

    step: str
    title: str
    jpeg: bytes


def folder_of(profile: Path) -> Path:
    """Where the pictures of a profile are kept."""
    return profile.with_name(f"{profile.stem}-pictures")


def keep(profile: Path, step: str, pictures: Sequence[Evidence]) -> None:
    """Put a step's pictures in the place of those of its last measurement. Raises OutputError."""
    folder = folder_of(profile)
    for old in folder.glob(f"{step}-*.jpg"):
        old.unlink(missing_ok=True)
    for number, picture in enumerate(pictures[:MOST], start=1):
        title = re.sub(r"[^A-Za-z0-9 ]+", "", picture.title).strip().replace(" ", "_")
        write_file(folder / f"{step}-{number}-{title}.jpg", as_jpeg(picture.image, WIDEST_PX))


def load(profile: Path, steps: Sequence[str]) -> tuple[Kept, ...]:
    """The pictures kept of these steps, in their order; those that cannot be read are left out."""
    found = []
    for step in steps:
        for file in sorted(folder_of(profile).glob(f"{step}-*.jpg"))[:MOST]:
            try:
                jpeg = file.read_bytes()
            except OSError:
                continue
            title = file.stem.split("-", 2)[-1].replace("_", " ")
            found.append(Kept(step, title, jpeg))
    return tuple(found)
