"""Tests of the referee of OlymPeak."""
