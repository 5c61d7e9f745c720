"""The calibration's page: what a session shows, with the live picture, on any phone in the room."""
