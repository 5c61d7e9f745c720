"""Serving the page from the loop the table runs in."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Iterator

import uvicorn
from fastapi import FastAPI

from companion.errors import CompanionError
from companion.web.hub import Hub

# How long open requests may finish by themselves after the event streams have been ended.
GRACE_S = 0.3


class AddressTaken(CompanionError, OSError):
    """The page cannot be served at this address. The text says why and what to type instead."""


def bind(host: str, port: int) -> socket.socket:
    """A listening socket for the page; port 0 takes any free one. AddressTaken if it cannot be had."""
    shown = f"[{host}]" if ":" in host else host
    if not 0 <= port <= 65535:
        raise AddressTaken(f"There is no port {port}; ports go from 1 to 65535, try --port 8080.")
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise AddressTaken(f"There is no address {shown}:{port} here; try --host 127.0.0.1.") from None
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        # Only skips the wait after a restart; a port that another program listens on is still refused.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        raise AddressTaken(_why(shown, port, error)) from None
    return listener


def _why(host: str, port: int, error: OSError) -> str:
    number = error.errno
    if number == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else 8080
        return f"Port {port} on {host} is in use by another program; stop that, or try --port {other}."
    if number == errno.EACCES:
        return f"Port {port} on {host} needs special rights; try --port 8080."
    if number == errno.EADDRNOTAVAIL:
        return f"This machine has no address {host}; try --host 127.0.0.1, or 0.0.0.0 for the whole network."
    return f"The page cannot be served at {host}:{port} ({error}); try --host 127.0.0.1 --port 8080."


class _QuietServer(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the program that the page is a part of."""
        yield


async def serve(app: FastAPI, host: str, port: int, *, listener: socket.socket | None = None) -> None:
    """Serve `app` until cancelled; then end at once, whoever is still connected.

    `listener`: a socket from `bind`, for a caller that wants to know first whether the address can be had.
    """
    listener = listener or bind(host, port)
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    server = _QuietServer(config)
    task = asyncio.create_task(server.serve(sockets=[listener]), name="page")
    try:
        await asyncio.shield(task)
    finally:
        # A page of another program's making has none.
        hub = getattr(app.state, "hub", None)
        if isinstance(hub, Hub):
            hub.close()
        server.should_exit = True
        await asyncio.wait({task}, timeout=GRACE_S)
        for connection in list(server.server_state.connections):
            # A client that has stopped reading would otherwise hold up the end.
            transport = getattr(connection, "transport", None)
            if isinstance(transport, asyncio.WriteTransport):
                transport.abort()
        await task
