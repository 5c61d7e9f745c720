"""The rules of OlymPeak."""
