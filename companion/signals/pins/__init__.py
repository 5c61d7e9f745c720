"""Lamps, buzzer and buttons on the Raspberry Pi's own pins."""
