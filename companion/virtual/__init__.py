"""The simulated table: pieces, hands, camera picture, players."""
