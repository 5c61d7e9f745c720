"""The rules of Above: positions, actions, what is legal and why not, and records. Pure Python, no I/O."""
