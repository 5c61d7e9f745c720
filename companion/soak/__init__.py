"""Soak: whole games on the simulated table, through pictures and the serial link, in virtual time."""
