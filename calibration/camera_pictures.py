"""Measuring a lens from picture files of the sheet: which showed it, which did not, and the scale of the prints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from calibration.charuco import CharucoSheet, SheetMissed, SheetView, find_sheet
from calibration.gate import Finding
from calibration.lens import LensFit, fit_lens
from calibration.lens_gate import judge_lens
from calibration.print_scale import judge_scale, print_scale
from companion.games.above.box import Table
from companion.sensing.grey import gray_of
from companion.sensing.markers import QUICK, Gray, Marker, detect
from companion.sensing.picture_file import PictureUnreadable, load_picture


@dataclass(frozen=True, slots=True)
class MeasuredLens:
    """A lens with what it was judged by; `missed`: pictures without a sheet; `remarks`: what to tell the owner."""

    fit: LensFit
    findings: tuple[Finding, ...]
    missed: tuple[SheetMissed, ...]
    remarks: tuple[str, ...]


class SheetReader:
    """Reads pictures of a sheet one after the other, and remembers which sheet it really is.

    `views` and `missed` hold what was read; `remark` says how the sheet differs from the one asked for.
    """

    def __init__(self, sheet: CharucoSheet, table: Table | None = None) -> None:
        self.views: list[SheetView] = []
        self.missed: list[SheetMissed] = []
        self.remark = ""
        self._sheet = sheet
        self._table = table or Table()
        self._framed: tuple[Gray, list[Marker]] | None = None

    def look(self, gray: Gray, name: str) -> SheetView | SheetMissed:
        """Look for the sheet in one grey picture; nothing is kept but which sheet it is."""
        found = find_sheet(gray, self._sheet, name)
        if isinstance(found, SheetView) and found.remark:
            self.remark, self._sheet = found.remark, found.sheet
        return found

    def take(self, view: SheetView, gray: Gray) -> None:
        """Keep a view, and of its picture what it says about the printer."""
        self.views.append(view)
        # The picture with most frame markers tells the printer's scale best.
        frame_ids = {marker for marker, _, _ in self._table.frame_centres_mm}
        markers = [marker for marker in detect(gray, QUICK) if marker.id in frame_ids]
        if self._framed is None or len(markers) > len(self._framed[1]):
            self._framed = (gray, markers)

    def read(self, gray: Gray, name: str) -> None:
        """Look for the sheet in one grey picture and keep what is found."""
        found = self.look(gray, name)
        if isinstance(found, SheetMissed):
            self.missed.append(found)
        else:
            self.take(found, gray)

    def finish(self) -> MeasuredLens:
        """The lens of all pictures read. Raises LensError where they are too few."""
        fit = fit_lens(self.views)
        findings = judge_lens(fit)
        if self._framed is not None and self._framed[0].shape[::-1] == fit.camera.size:
            gray, markers = self._framed
            scale = print_scale(gray, markers, fit.camera, self._table)
            if scale is not None:
                findings = (*findings, judge_scale(scale, self._table))
        return MeasuredLens(fit, findings, tuple(self.missed), (self.remark,) if self.remark else ())


def read_files(files: Iterable[Path], sheet: CharucoSheet) -> SheetReader:
    """Read picture files; one that cannot be read, or shows no sheet, is named among the missed."""
    reader = SheetReader(sheet)
    for file in files:
        try:
            reader.read(gray_of(load_picture(file)), file.name)
        except PictureUnreadable as error:
            reader.missed.append(SheetMissed(file.name, str(error)))
    return reader
