"""Printable sheets with all markers of a table at their exact size."""
