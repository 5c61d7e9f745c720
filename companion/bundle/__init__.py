"""The bundle: one file with all that is needed to see again, elsewhere, what happened at a table."""
