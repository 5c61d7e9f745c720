"""What a report tells, section by section, from a profile, its evidence and a preflight."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version

import cv2

from calibration.cards.book import CardBook, missing
from calibration.check.preflight import Preflight
from calibration.drawings import as_jpeg, draw_rings
from calibration.evidence import Kept
from calibration.profile import TableProfile
from calibration.report.drawings import MAGNIFIED as ARROWS
from calibration.report.drawings import draw_glare, draw_markers
from calibration.report.page import Pictures, Section, drawing, findings_rows, page, paragraph, table
from calibration.report.plans import MAGNIFIED, rings_plan, spaces_plan
from calibration.rings import rings_json
from calibration.wiring_profile import SPACES, LightsProfile, ReedsProfile
from companion.games.above.box import Board


@dataclass(frozen=True, eq=False, slots=True)
class Report:
    """What there is to be told. `books`: the owner's cards."""

    profile: TableProfile
    preflight: Preflight
    kept: tuple[Kept, ...]
    books: tuple[CardBook, ...]
    at: datetime

    def html(self) -> str:
        """The page."""
        pictures = Pictures()
        sections = [
            Section("Preflight", (findings_rows(self.preflight.findings),)),
            *self._live(pictures),
            *self._lens(),
            *self._rings(),
            *self._wiring(),
            *self._kept(pictures),
            self._cards(),
            Section("Versions", (table(("what", "version"), _versions()),)),
        ]
        verdict = "Go." if self.preflight.go else "No go: mend what says no go."
        intro = (paragraph(f"{self.at:%Y-%m-%d %H:%M}. {verdict}"),)
        return page(f"Table {self.profile.name}", intro, sections, simulated=self.preflight.simulated)

    def _live(self, pictures: Pictures) -> list[Section]:
        seen = self.preflight.picture
        if seen is None:
            return []
        parts = [
            pictures.figure(
                as_jpeg(draw_markers(seen)),
                f"{len(seen.markers)} markers read; arrows: how far the frame's corners are off, {ARROWS:g} times",
            )
        ]
        if seen.found is not None and seen.rings is not None and seen.rings.poses:
            draw = partial(
                draw_rings, pose=seen.found.pose, seen=seen.rings, board=Board(), ring=0, well=True
            )
            parts.append(pictures.figure(as_jpeg(draw(seen.image)), "the rings' lines as they were read"))
        parts.append(
            pictures.figure(as_jpeg(draw_glare(seen)), "glare: the share of each part that is burnt out")
        )
        return [Section("The table now", tuple(parts))]

    def _lens(self) -> list[Section]:
        lens = self.profile.camera
        if lens is None:
            return [Section("Lens", (paragraph("Not measured: the reference lens is assumed."),))]
        rows = [
            ("picture", f"{lens.width_px} × {lens.height_px}"),
            (
                "focal length",
                f"{lens.matrix[0][0]:.1f}, {lens.matrix[1][1]:.1f} px ± {lens.sigma_focal_px or 0:.1f}",
            ),
            (
                "centre",
                f"{lens.matrix[0][2]:.1f}, {lens.matrix[1][2]:.1f} px ± {lens.sigma_centre_px or 0:.1f}",
            ),
            ("distortion", ", ".join(f"{value:.4f}" for value in lens.distortion)),
            ("focus", "not told" if lens.lens_position is None else f"{lens.lens_position:.2f}"),
            (
                "error, middling and worst view",
                f"{lens.median_error_px or 0:.2f}, {lens.worst_error_px or 0:.2f} px",
            ),
            ("measured", f"{lens.measured.at:%Y-%m-%d %H:%M}, {lens.measured.how}"),
        ]
        return [Section("Lens", (table(("what", "value"), rows),))]

    def _rings(self) -> list[Section]:
        rings = self.profile.rings
        if rings is None:
            return [Section("Rings", (paragraph("Not measured: they are measured while playing."),))]
        lies = rings.board_print()
        rows = [
            (
                ring["ring"],
                f"{ring['rotation_deg']:+.2f}° ± {ring['sigma_deg']:.2f}",
                f"{ring['shift_mm'][0]:+.2f}, {ring['shift_mm'][1]:+.2f} mm ± {ring['sigma_mm']:.2f}",
            )
            for ring in rings_json("", lies)["rings"]
        ]
        return [
            Section(
                "Rings",
                (
                    table(("ring", "turned", "shifted x, y"), rows),
                    drawing(rings_plan(lies), f"against ring 1, {MAGNIFIED:g} times as large"),
                    paragraph(f"Measured {rings.measured.at:%Y-%m-%d %H:%M}, {rings.measured.how}."),
                ),
            )
        ]

    def _wiring(self) -> list[Section]:
        found = []
        if self.profile.reeds is not None:
            found.append(_reeds(self.profile.reeds))
        if self.profile.lights is not None:
            found.append(_lights(self.profile.lights))
        if self.profile.scoreboard is not None:
            rows = [
                (
                    lane.carries,
                    lane.axis,
                    f"{lane.scale:+.4f}",
                    f"{lane.offset_mm:+.2f} mm",
                    f"{lane.repeat_mm:.2f} mm",
                    f"{lane.slack_mm:.2f} mm",
                )
                for lane in self.profile.scoreboard.lane
            ]
            heads = ("lane", "axis", "scale", "offset", "repeats within", "slack")
            found.append(Section("Scoreboard", (table(heads, rows),)))
        return found

    def _kept(self, pictures: Pictures) -> list[Section]:
        if not self.kept:
            return []
        parts = tuple(pictures.figure(one.jpeg, f"{one.step}: {one.title}") for one in self.kept)
        return [Section("Pictures kept when it was measured", parts)]

    def _cards(self) -> Section:
        rows = [
            (book.game, f"{len(book.registered)} of {len(book.cards)}", f"{len(missing(book))} missing")
            for book in self.books
        ]
        return Section("Cards registered", (table(("game", "registered", ""), rows),))


def _reeds(reeds: ReedsProfile) -> Section:
    marks = {bad.space: ("bad" if bad.trust < 0.5 else "doubtful", bad.fault.value) for bad in reeds.bad} | {
        space: ("bad", "none") for space in SPACES if space not in reeds.spaces
    }
    rows = [(bad.space, bad.fault.value, f"{100 * bad.trust:.0f} %", bad.also or "") for bad in reeds.bad]
    listed = (
        table(("space", "fault", "trust", "closes with"), rows) if rows else paragraph("All can be trusted.")
    )
    told = f"Measured {reeds.measured.at:%Y-%m-%d %H:%M}, {reeds.measured.how}."
    plan = drawing(spaces_plan("Switches", marks), "switches by space: red cannot be trusted, orange partly")
    return Section("Switches", (listed, plan, paragraph(told)))


def _lights(lights: LightsProfile) -> Section:
    marks = {place: ("bad", "dark") for place in lights.dark if place in SPACES} | {
        place: ("doubtful", "weak") for place in lights.weak if place in SPACES
    }
    told = (
        f"Colours in the order {lights.channels}. Dark: {', '.join(lights.dark) or 'none'}. "
        f"Weak: {', '.join(lights.weak) or 'none'}. Measured {lights.measured.at:%Y-%m-%d %H:%M}."
    )
    plan = drawing(spaces_plan("Lights", marks), "lights by space: red was not seen, orange is weak")
    return Section("Lights", (plan, paragraph(told)))


def _versions() -> Sequence[tuple[str, str]]:
    try:
        own = version("olympus-companion")
    except PackageNotFoundError:
        own = "from its sources"
    return (
        ("olympus-companion", own),
        ("OpenCV", cv2.__version__),
        ("Python", platform.python_version()),
        ("machine", f"{platform.system()} {platform.machine()}"),
    )
