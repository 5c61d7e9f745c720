"""Which legal actions explain what lies on the table; the verdict and the journal."""
