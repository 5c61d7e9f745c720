"""Which switch lies where, and which can be believed: felt while a magnet goes over the board."""
