"""Who shows a session and presses its keys: a terminal, plain lines, and the page (`calibration.page`)."""
