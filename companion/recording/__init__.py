"""The recording of a sitting: all that the referee was told, kept so that it can be told again exactly."""
