"""The hardware-independent part of the firmware, compiled for this computer."""
