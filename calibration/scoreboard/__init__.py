"""Which axis carries which cube, which way, how far and how well: driven, and seen by the camera."""
