"""The rules: pure, no clock, no devices."""
