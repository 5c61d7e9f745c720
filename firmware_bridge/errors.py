"""The bridge's error tree: what happened, where, and what to do next."""

from __future__ import annotations


class BridgeError(Exception):
    """Root of every error of the bridge. Its text is one sentence or two that say what to do."""


class ProtocolError(BridgeError, ValueError):
    """Bytes or values that the protocol table does not allow."""


class LinkAbsentError(BridgeError, ConnectionError):
    """A command was given while no controller is connected. `reason` is the link's own sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"No table controller: {reason}")
        self.reason = reason


class LinkBusyError(BridgeError, BufferError):
    """More was sent than the bounded queue holds: wait until what is queued has been acknowledged."""


class ControllerTimeoutError(BridgeError, TimeoutError):
    """The controller did not answer within the time allowed."""
