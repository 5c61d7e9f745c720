"""No test reads or writes what the person at this machine keeps: games, deck, table code."""

from __future__ import annotations

import os
import tempfile

# Before anything of ours is imported: the default places are worked out then.
os.environ["HOME"] = tempfile.mkdtemp(prefix="olympus-home-")
