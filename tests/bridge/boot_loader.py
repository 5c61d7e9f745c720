"""A Mega with its boot loader on a pseudo-terminal: it lets itself be programmed, then it is a table controller.

The boot loader's language is STK500 version 2 (Atmel application note AVR068), as the Mega's own speaks it.
"""

from __future__ import annotations

import os
import select
import threading
import time
import tty

from firmware_bridge.events import Role, Timing
from firmware_bridge.protocol import ResetCause
from firmware_bridge.session import Session
from firmware_bridge.virtual_board import VirtualBoard

START, TOKEN = 0x1B, 0x0E
SIGN_ON, SET_PARAMETER, GET_PARAMETER, LOAD_ADDRESS = 0x01, 0x02, 0x03, 0x06
ENTER, LEAVE, WRITE, READ, READ_SIGNATURE, SPI_MULTI = 0x10, 0x11, 0x13, 0x14, 0x1B, 0x1D


class BootLoader:
    """A context manager; `path` is its port. `signature` of the chip; `forgetful` flash holds other bits."""

    def __init__(self, *, signature: bytes = b"\x1e\x98\x01", forgetful: bool = False) -> None:
        self.flash = bytearray(b"\xff" * 0x40000)
        self._signature = signature
        self._forgetful = forgetful
        self._address = 0
        self._programmed = False
        self._running = False
        self._closing = threading.Event()
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        self._board = VirtualBoard(time.monotonic, 1, ResetCause.EXTERNAL)
        self._session = Session(Role.BOARD, identity=self._board.identity, timing=Timing(beacon_s=0.05))
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> BootLoader:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._closing.set()
        self._thread.join()
        os.close(self._slave)
        os.close(self._master)

    def _run(self) -> None:
        waiting = b""
        while not self._closing.is_set():
            select.select([self._master], [], [], 0.01)
            try:
                heard = os.read(self._master, 4096)
            except BlockingIOError:
                heard = b""
            if self._running:
                self._be_a_board(heard)
            else:
                waiting = self._serve(waiting + heard)

    def _be_a_board(self, heard: bytes) -> None:
        now = time.monotonic()
        self._session.receive(heard, now)
        for event in self._session.events():
            self._board.take(event, self._session)
        if out := self._session.poll(now):
            os.write(self._master, out)

    def _serve(self, waiting: bytes) -> bytes:
        """Answer every whole message; what is left of the last one."""
        while (begin := waiting.find(START)) >= 0 and len(waiting) >= begin + 5:
            sequence, size = waiting[begin + 1], int.from_bytes(waiting[begin + 2 : begin + 4], "big")
            end = begin + 5 + size + 1
            if waiting[begin + 4] != TOKEN:
                waiting = waiting[begin + 1 :]
                continue
            if len(waiting) < end:
                break
            answer = self._answer(waiting[begin + 5 : end - 1])
            message = bytes((START, sequence)) + len(answer).to_bytes(2, "big") + bytes((TOKEN,)) + answer
            check = 0
            for byte in message:
                check ^= byte
            os.write(self._master, message + bytes((check,)))
            waiting = waiting[end:]
        return waiting

    def _answer(self, body: bytes) -> bytes:
        command, fine = body[0], bytes((body[0], 0))
        if command == SIGN_ON:
            return fine + b"\x08AVRISP_2"
        if command == GET_PARAMETER:
            return fine + b"\x0a"
        if command == LOAD_ADDRESS:
            self._address = 2 * (int.from_bytes(body[1:5], "big") & 0x7FFFFFFF)
        elif command == WRITE:
            size = int.from_bytes(body[1:3], "big")
            self.flash[self._address : self._address + size] = body[10 : 10 + size]
            self._address += size
            self._programmed = True
        elif command == READ:
            size = int.from_bytes(body[1:3], "big")
            data = bytes(self.flash[self._address : self._address + size])
            self._address += size
            return fine + (bytes((data[0] ^ 1,)) + data[1:] if self._forgetful else data) + b"\0"
        elif command == READ_SIGNATURE:
            return fine + bytes((self._signature[body[4] % 4], 0))
        elif command == SPI_MULTI:
            found = self._signature[body[6] % 4] if body[4] == 0x30 else 0
            return fine + bytes((0, body[5], 0, found, 0))
        elif command == LEAVE:
            self._running = self._programmed
        elif command not in (SET_PARAMETER, ENTER):
            return bytes((command, 0xC0))
        return fine
