"""The steps of the calibration, one module each."""
