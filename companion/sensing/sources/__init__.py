"""Real cameras and stored pictures as frame sources, a module for each kind.

Hardware libraries are imported inside their adapter. Every failure is a CameraAbsent in one sentence; time comes
from the injected clock.
"""
