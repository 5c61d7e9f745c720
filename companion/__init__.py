"""The Olympus companion: watches two boxed games on a real table and knows their rules."""
