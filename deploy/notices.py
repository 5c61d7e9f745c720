"""THIRD-PARTY-NOTICES.md: under which licences the packages stand that are installed with the companion.

usage: python deploy/notices.py [--check]   in an environment with the locked packages
"""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent
NOTICES = ROOT / "THIRD-PARTY-NOTICES.md"
LOCKS = ("requirements.lock", "deploy/bookworm.lock", "deploy/trixie.lock")

# Only on Windows, so not in the environment this runs in.
ELSEWHERE = {"colorama": ("BSD-3-Clause", "https://github.com/tartley/colorama")}
# What older packages say instead of the SPDX name.
SPDX = {
    "Apache 2.0": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "ISC License": "ISC",
    "PSFL": "PSF-2.0",
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: MIT License": "MIT",
}
# Programs may be built on these, whatever their own licence; LGPL-3.0: installed as a package that can be exchanged.
USABLE = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "LGPL-3.0-only",
    "MIT",
    "MIT-CMU",
    "PSF-2.0",
    "Zlib",
}

HEAD = """\
# Third-party notices

The companion itself is under the MIT licence ([LICENSE](LICENSE)). It copies no code of others. Installed with it, each
under its own licence and with its text in its own package, are the packages below. This file is written by
`python deploy/notices.py` from the locks; a test compares.

| package | version | licence | home |
| --- | --- | --- | --- |
"""
TAIL = """
`opencv-python` brings libraries of its own (FFmpeg under LGPL-2.1, Qt under LGPL-3.0 and others, see its
`LICENSE-3RD-PARTY.txt`), `numpy` brings OpenBLAS (BSD-3-Clause) and the GCC run-time library (GPL-3.0 with the GCC
run-time exception).

The firmware image `olympus-mega2560.hex` is linked with avr-libc (BSD-3-Clause) and libgcc (GPL-3.0 with the GCC
run-time exception).

On a Raspberry Pi the companion uses, where they are installed, the system's own packages picamera2
(BSD-2-Clause), libcamera (LGPL-2.1), lgpio (Unlicense) and avrdude (GPL-2.0, a program of its own).
"""


class NoticeError(Exception):
    """A package whose licence cannot be told."""


def locked() -> dict[str, list[str]]:
    """Package names to the versions that the locks hold."""
    versions: dict[str, set[str]] = {}
    for lock in LOCKS:
        text = (ROOT / lock).read_text(encoding="utf-8")
        for name, version in re.findall(r"^([a-z0-9][a-z0-9._-]*)==([^ ;\\\n]+)", text, re.MULTILINE):
            versions.setdefault(name, set()).add(version)
    return {name: sorted(found, key=_by_number) for name, found in sorted(versions.items())}


def licence_of(name: str) -> tuple[str, str]:
    """A package's licence (SPDX) and its home. Raises NoticeError if the package does not say."""
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        raise NoticeError(f"{name} is not installed here: install requirements.lock first.") from None
    said = [about.get("License-Expression"), about.get("License"), *(about.get_all("Classifier") or [])]
    for text in said:
        licence = SPDX.get(text or "", text or "")
        if licence and all(part in USABLE for part in licence.split(" AND ")):
            return licence, _home(about)
    raise NoticeError(f"The licence of {name} is none that is known to be usable: look it up.")


def _home(about: metadata.PackageMetadata) -> str:
    urls = dict(url.split(", ", 1) for url in about.get_all("Project-URL") or [])
    lower = {key.lower(): url for key, url in urls.items()}
    for key in ("source", "source code", "repository", "homepage"):
        if key in lower:
            return lower[key]
    home = about.get("Home-page")
    return home if home and home != "UNKNOWN" else f"https://pypi.org/project/{about['Name']}/"


def notices() -> str:
    """The file's text."""
    rows = []
    for name, versions in locked().items():
        licence, home = licence_of(name)
        rows.append(f"| {name} | {', '.join(versions)} | {licence} | <{home}> |\n")
    return HEAD + "".join(rows) + TAIL


def _by_number(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def main() -> int:
    """Writes the file, or with --check compares it."""
    try:
        text = notices()
    except NoticeError as error:
        sys.stderr.write(f"notices: {error}\n")
        return 1
    if "--check" in sys.argv[1:]:
        if NOTICES.read_text(encoding="utf-8") == text:
            return 0
        sys.stderr.write(f"notices: {NOTICES.name} is not what the locks say; run python deploy/notices.py\n")
        return 1
    NOTICES.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
