"""Calibration: from a box of parts to a table that knows itself."""
