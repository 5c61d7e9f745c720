"""The table of OlymPeak: its parts, its journal, its page."""
