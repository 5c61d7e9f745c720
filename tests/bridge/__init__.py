"""Tests of the link to the table controller."""
