"""What the table says aloud, where somebody wants it to."""
