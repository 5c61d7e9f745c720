"""The referee of OlymPeak."""
