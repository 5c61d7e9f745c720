"""The camera over a simulated OlymPeak table."""

from __future__ import annotations

from collections.abc import Callable

from companion.virtual.camera import TableCamera
from companion.virtual.layers import Look
from companion.virtual.olympeak.picture import CardPicture
from companion.virtual.olympeak.scene import CardScene


class CardCamera(TableCamera):
    """Frames of a simulated OlymPeak table, as any camera hands them over."""

    def __init__(
        self,
        scene: CardScene,
        now: Callable[[], float],
        *,
        look: Look | None = None,
        fps: float = 15.0,
        wait: Callable[[float], None] | None = None,
        before: Callable[[float], None] | None = None,
    ) -> None:
        picture = CardPicture.of(scene, look)
        super().__init__(
            scene, lambda: picture.expose(scene.snapshot()), now, fps=fps, wait=wait, before=before
        )
