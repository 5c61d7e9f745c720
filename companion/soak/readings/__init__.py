"""True readings: of a simulated table itself, without a picture."""
