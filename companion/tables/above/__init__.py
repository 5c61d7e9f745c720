"""The table of Above: its parts, its journal, its page."""
