"""The real firmware in a simulated ATmega2560, with a table of switches, LEDs and carriages around it."""
