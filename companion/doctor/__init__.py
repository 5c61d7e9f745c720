"""The doctor: what of a table's programs, devices, computer and network is well, and what to do about the rest."""
