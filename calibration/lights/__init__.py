"""Which light shines where: blinked as a code, seen by the camera."""
