"""A folder of pictures as a camera."""

from __future__ import annotations

from pathlib import Path

from companion.sensing.frames import CameraAbsent, CameraUnusable, Clock, Frame, Image
from companion.sensing.picture_file import PictureUnreadable, load_picture
from companion.sensing.sources.opencv import hush

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png"})
# Long enough for each picture to be read as a settled table.
EACH_S = 2.0


class FolderCamera:
    """The pictures of a folder in the order of their names, each for `each_s` seconds; the last one stays.

    Pictures that are put in meanwhile follow it.
    """

    simulated = True

    def __init__(self, folder: Path, clock: Clock, each_s: float = EACH_S) -> None:
        self.notice = ""
        self._folder = folder
        self._clock = clock
        self._each_s = each_s
        self._shown: tuple[Path, Image] | None = None
        self._until = 0.0
        self._unreadable: set[Path] = set()
        self._number = 0
        self._open = False

    @property
    def name(self) -> str:
        """How the source is called in messages."""
        return f"folder {self._folder}"

    def open(self) -> None:
        """Show the first picture; CameraUnusable when there is none that can be read."""
        hush()
        self._shown, self._unreadable, self.notice = None, set(), ""
        if not self._folder.is_dir():
            raise CameraUnusable(f"{self._folder} is not a folder; name one that holds pictures.")
        if not self._pictures():
            raise CameraUnusable(f"The folder {self._folder} holds no pictures (JPEG or PNG); put some in.")
        self._show_next()
        if self._shown is None:
            raise CameraUnusable(
                f"None of the {len(self._unreadable)} pictures in the folder {self._folder} can be read; "
                "put JPEG or PNG files in."
            )
        self._open = True

    def _pictures(self) -> list[Path]:
        try:
            return sorted(f for f in self._folder.iterdir() if f.suffix.lower() in PICTURE_SUFFIXES)
        except OSError as error:
            raise CameraAbsent(
                f"The {self.name} cannot be looked into ({error.strerror}); check the folder."
            ) from None

    def _show_next(self) -> None:
        """The next picture that can be read, if there is one."""
        for file in self._pictures():
            if self._shown is not None and file <= self._shown[0]:
                continue
            try:
                image = load_picture(file)
            except PictureUnreadable:
                # It may still be being written.
                self._unreadable.add(file)
                continue
            self._unreadable.discard(file)
            self._shown = (file, image)
            self._until = self._clock() + self._each_s
            break
        passed = sorted(f.name for f in self._unreadable if self._shown is None or f < self._shown[0])
        self.notice = f"Not readable as pictures and left out: {', '.join(passed)}." if passed else ""

    def read(self, timeout_s: float) -> Frame:
        """The picture of now."""
        if not self._open or self._shown is None:
            raise CameraAbsent(f"The {self.name} is closed; open it before reading.")
        if self._clock() >= self._until:
            self._show_next()
        self._number += 1
        return Frame(self._shown[1], self._clock(), self._number)

    def close(self) -> None:
        """Nothing to let go of but the picture."""
        self._open, self._shown = False, None
