"""The simulated OlymPeak table: cards, hands, cubes and the people who play with them."""
