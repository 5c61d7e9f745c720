"""Is a measured lens good enough to be kept? Few or only frontal views look fine and are wrong."""

from __future__ import annotations

import numpy as np

from calibration.gate import Finding, held
from calibration.lens import REFERENCE_WIDTH, LensFit
from companion.sensing.geometry import Floats

FEWEST_VIEWS = 5
USUAL_VIEWS = 8
# The picture in 3 × 3 cells; a cell is covered by so many corners.
CELLS = 3
CELL_CORNERS = 4
FEWEST_CELLS = 7
# Views must be tilted by so much in the mean square along the weaker of two directions across each other.
TILT_DEG = 5.0
# One sigma of focal lengths and centre, as shares of the focal length and of the picture's width.
FOCAL_SHARE = 0.004
CENTRE_SHARE = 0.003
# Pixels of a picture 2304 wide.
MEDIAN_PX = 0.5
WORST_PX = 1.0
FINE_PX = 0.3
# Lenses have their centre this near to the picture's middle, as a share of its width.
OFF_MIDDLE = 0.08


def coverage(pixels: Floats, size: tuple[int, int]) -> Floats:
    """How many corners (n, 2) lie in each cell (CELLS, CELLS) of a picture; rows from the top."""
    columns = np.clip((pixels[:, 0] + 0.5) / size[0] * CELLS, 0, CELLS - 1e-9).astype(int)
    rows = np.clip((pixels[:, 1] + 0.5) / size[1] * CELLS, 0, CELLS - 1e-9).astype(int)
    counts = np.zeros((CELLS, CELLS))
    np.add.at(counts, (rows, columns), 1)
    return counts


def tilt_spread_deg(raised: Floats) -> float:
    """How far views (n, 2; see FittedView.raised) are tilted along the direction in which they are least, in degrees."""
    if len(raised) == 0:
        return 0.0
    weakest = np.linalg.eigvalsh(raised.T @ raised / len(raised))[0]
    return float(np.degrees(np.arcsin(min(1.0, np.sqrt(max(weakest, 0.0))))))


def judge_lens(fit: LensFit) -> tuple[Finding, ...]:
    """All that is asked of a lens before it is kept."""
    lens = fit.camera
    scale = max(lens.size) / REFERENCE_WIDTH
    covered = int((covered_cells(fit) >= CELL_CORNERS).sum())
    tilt = tilt_spread_deg(np.array([view.raised for view in fit.views]))
    focal = (lens.fx + lens.fy) / 2
    focal_share = fit.sigma_focal_px / focal
    centre_share = fit.sigma_centre_px / max(lens.size)
    off = max(
        abs(lens.cx - (lens.size[0] - 1) / 2) / max(lens.size),
        abs(lens.cy - (lens.size[1] - 1) / 2) / max(lens.size),
    )
    return (
        held(
            "views of the sheet",
            str(len(fit.views)),
            f"{FEWEST_VIEWS} or more",
            good=len(fit.views) >= USUAL_VIEWS,
            bearable=len(fit.views) >= FEWEST_VIEWS,
            advice=f"take more pictures, {USUAL_VIEWS} or more are usual",
        ),
        held(
            "parts of the picture covered",
            f"{covered} of {CELLS**2}",
            f"{FEWEST_CELLS} or more",
            good=covered == CELLS**2,
            bearable=covered >= FEWEST_CELLS,
            advice=f"hold the sheet into {uncovered_words(covered_cells(fit))}",
        ),
        held(
            "spread of tilt",
            f"{tilt:.1f}°",
            f"{TILT_DEG:g}° or more",
            good=tilt >= TILT_DEG,
            advice="tilt the sheet by about 25°, in turn to the left, right, front and back; "
            "frontal views cannot tell focal length from distance",
        ),
        held(
            "focal length known to",
            f"± {100 * focal_share:.2f} %",
            f"{100 * FOCAL_SHARE:g} %",
            good=focal_share <= FOCAL_SHARE,
            advice="take more views, tilted more",
        ),
        held(
            "centre known to",
            f"± {100 * centre_share:.2f} % of the width",
            f"{100 * CENTRE_SHARE:g} %",
            good=centre_share <= CENTRE_SHARE,
            advice="take more views, tilted more and nearer to the picture's corners",
        ),
        held(
            "error of the middling view",
            f"{fit.median_px:.2f} px",
            f"{MEDIAN_PX * scale:.2f} px",
            good=fit.median_px <= FINE_PX * scale,
            bearable=fit.median_px <= MEDIAN_PX * scale,
            advice="glue the sheet to something flat, hold it still, and give it light",
        ),
        held(
            "error of the worst view",
            f"{fit.worst_px:.2f} px",
            f"{WORST_PX * scale:.2f} px",
            good=fit.worst_px <= WORST_PX * scale,
            advice="glue the sheet to something flat and hold it still",
        ),
        held(
            "centre off the picture's middle",
            f"{100 * off:.1f} % of the width",
            f"{100 * OFF_MIDDLE:g} %",
            good=off <= OFF_MIDDLE,
            bearable=True,
            advice="were the pictures cropped? Take them as the camera gives them",
        ),
    )


def covered_cells(fit: LensFit) -> Floats:
    """Corners in each cell of the picture, over all views."""
    return coverage(np.concatenate([view.view.pixels for view in fit.views]), fit.camera.size)


def uncovered_words(counts: Floats) -> str:
    """The picture's parts that are still to be covered, in words."""
    names = [cell_words(row, column) for row, column in np.argwhere(counts < CELL_CORNERS)]
    return f"the picture's {', '.join(names)}" if names else "every part of the picture"


def cell_words(row: int, column: int) -> str:
    """A cell in words: `top left`, `middle`, `bottom`."""
    words = [("top", "", "bottom")[row], ("left", "", "right")[column]]
    return " ".join(word for word in words if word) or "middle"
