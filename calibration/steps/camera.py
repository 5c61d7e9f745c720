"""The step that measures the lens with a ChArUco sheet in front of the live camera."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

from calibration.bench import Bench
from calibration.camera_pictures import MeasuredLens, SheetReader
from calibration.charuco import CharucoSheet, SheetMissed, SheetView
from calibration.drawings import draw_sheet
from calibration.evidence import Evidence
from calibration.gate import Finding, held
from calibration.guidance import Collector, Guided
from calibration.profile import SAME_FOCUS, SAME_FOCUS_SHARE, TableProfile, camera_profile
from calibration.report.drawings import draw_coverage
from calibration.step import Advice, Outcome, Part, StepError
from companion.sensing.frames import Frame
from companion.sensing.grey import gray_of
from companion.sensing.sources.setting import Setting, setting_of


@dataclass(frozen=True, slots=True)
class CameraStep:
    """Measures the lens; `source`: the setting that named the camera, kept with it."""

    sheet: CharucoSheet = field(default_factory=CharucoSheet)
    source: str | None = None

    name = "camera"
    title = "The camera's lens"
    needs = frozenset({Part.CAMERA})

    @property
    def instructions(self) -> str:
        """What to do, in plain words."""
        return (
            f"Print the ChArUco sheet ({self.sheet.said}; calibrate stickers --only charuco) and glue it to something "
            "flat. Hold it under the camera where you are told, still for a moment each time; pictures are taken by "
            "themselves. It takes about two minutes. Do not move the camera's focus afterwards."
        )

    def measured_at(self, profile: TableProfile) -> datetime | None:
        """When the profile's lens was measured."""
        return None if profile.camera is None else profile.camera.measured.at

    async def measure(self, bench: Bench) -> Outcome:
        """Collect views until all parts of the picture and all tilts are there, or it is said to be enough."""
        reader = SheetReader(self.sheet)
        collector = Collector(self.sheet)
        stood: Setting | None = None
        async for frame in bench.frames():
            if stood is None and bench.camera is not None:
                stood = setting_of(bench.camera)
            found, guided = await bench.work(_look, reader, collector, frame)
            bench.say(_advice(found, guided, collector), frame)
            if guided.done:
                break
        if not collector.views:
            raise StepError("No view of the sheet was taken; hold it under the camera and begin again.")
        measured = await bench.work(reader.finish)
        stands = Setting() if bench.camera is None else setting_of(bench.camera)
        return _outcome(measured, stood or Setting(), stands, self.source)


def _look(reader: SheetReader, collector: Collector, frame: Frame) -> tuple[SheetView | SheetMissed, Guided]:
    """Search the sheet in one picture and take the view if it is worth it."""
    gray = gray_of(frame.image)
    found = reader.look(gray, f"view {len(collector.views) + 1}")
    guided = collector.see(found)
    if guided.taken and isinstance(found, SheetView):
        reader.take(found, gray)
    return found, guided


def _advice(found: SheetView | SheetMissed, guided: Guided, collector: Collector) -> Advice:
    return Advice(
        guided.text,
        guided.share,
        (_views(len(collector.views)),),
        draw=partial(
            draw_sheet, view=found if isinstance(found, SheetView) else None, counts=collector.counts
        ),
        wish=guided.wish,
    )


def _views(taken: int) -> str:
    return "1 view taken" if taken == 1 else f"{taken} views taken"


def _outcome(measured: MeasuredLens, stood: Setting, stands: Setting, source: str | None) -> Outcome:
    fit = measured.fit
    findings = (*measured.findings, *_focus(stood, stands))
    how = f"ChArUco live, {len(fit.views)} views, {fit.median_px:.2f} px"
    lens = camera_profile(fit, datetime.now(UTC), how, stands.lens_position, stands.crop_px)

    def keep(profile: TableProfile) -> TableProfile:
        return profile.model_copy(update={"camera": lens, "source": source or profile.source})

    remarks = "".join(f" {remark[0].upper()}{remark[1:]}." for remark in measured.remarks)
    summary = f"Focal length {fit.camera.fx:.1f} px ± {fit.sigma_focal_px:.1f}, from {len(fit.views)} views.{remarks}"
    pictures = (Evidence("corners seen and how far each is off", draw_coverage(fit.views, fit.camera.size)),)
    return Outcome(summary, findings, keep, lens.model_dump(mode="json", exclude_none=True), pictures)


def _focus(stood: Setting, stands: Setting) -> tuple[Finding, ...]:
    """Did the lens stand still while it was measured? Nothing to say of a camera that does not tell."""
    if stood.lens_position is None or stands.lens_position is None:
        return ()
    moved = abs(stands.lens_position - stood.lens_position)
    limit = max(SAME_FOCUS, SAME_FOCUS_SHARE * stood.lens_position)
    return (
        held(
            "focus moved while measuring",
            f"{moved:.2f}",
            f"{limit:.2f}",
            good=moved <= limit,
            advice="the autofocus was still at work: begin again, now that it has found the table",
        ),
    )
