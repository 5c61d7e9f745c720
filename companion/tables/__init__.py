"""The two tables: for each game, the parts that make one running table of it."""
