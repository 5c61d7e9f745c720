"""The preflight: is everything fit to play with? In numbers, each with its limit and what to do."""
