"""The commands of `calibrate`, one module each."""
