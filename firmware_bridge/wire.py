"""Kinds of fields on the wire: each knows its bytes, its limits, and its name in the page and in C.

Numbers are little-endian, as the ATmega keeps them. A kind of variable length may only be a message's last
field.
"""

from __future__ import annotations

import enum
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from .errors import ProtocolError

Pixel = tuple[int, int, int]


class Kind(Protocol):
    """One kind of field. `pack` and `unpack` raise ProtocolError for what the kind does not allow."""

    @property
    def name(self) -> str: ...
    @property
    def c_type(self) -> str: ...
    @property
    def size(self) -> int:
        """Bytes on the wire; of a kind of variable length the most it may take."""
        ...

    @property
    def is_tail(self) -> bool: ...
    def pack(self, value: Any) -> bytes: ...
    def unpack(self, data: bytes) -> Any: ...


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number of 8, 16 or 32 bits."""

    name: str
    code: str
    c_type: str
    is_tail: bool = False

    @property
    def size(self) -> int:
        return struct.calcsize("<" + self.code)

    def pack(self, value: Any) -> bytes:
        try:
            return struct.pack("<" + self.code, value)
        except struct.error as error:
            raise ProtocolError(f"{value!r} does not fit into {self.name}") from error

    def unpack(self, data: bytes) -> int:
        return int(struct.unpack("<" + self.code, data)[0])


U8 = Integer("u8", "B", "uint8_t")
U16 = Integer("u16", "H", "uint16_t")
U32 = Integer("u32", "I", "uint32_t")
I16 = Integer("i16", "h", "int16_t")
I32 = Integer("i32", "i", "int32_t")


@dataclass(frozen=True, slots=True)
class Converted:
    """An integer on the wire that is a truth value, an enum or a set of flags in Python."""

    name: str
    base: Integer
    convert: Callable[[int], Any]
    values: str
    is_tail: bool = False

    @property
    def c_type(self) -> str:
        return self.base.c_type

    @property
    def size(self) -> int:
        return self.base.size

    def pack(self, value: Any) -> bytes:
        return self.base.pack(int(value))

    def unpack(self, data: bytes) -> Any:
        number = self.base.unpack(data)
        try:
            return self.convert(number)
        except (ValueError, KeyError) as error:
            raise ProtocolError(f"{number} is none of the values of {self.name} ({self.values})") from error


BOOL = Converted("bool", U8, {0: False, 1: True}.__getitem__, "0 no, 1 yes")


def one_of(choices: type[enum.IntEnum]) -> Converted:
    """One value of an enum, as u8."""
    values = ", ".join(f"{choice.value} {choice.name.lower()}" for choice in choices)
    return Converted(choices.__name__, U8, choices, values)


def some_of(flags: type[enum.IntFlag]) -> Converted:
    """Any values of a flag enum, as u16; unknown bits are refused."""
    known = sum(flags)

    def convert(number: int) -> Any:
        if number & ~known:
            raise ValueError(number)
        return flags(number)

    values = ", ".join(f"{flag.value} {(flag.name or '').lower()}" for flag in flags)
    return Converted(flags.__name__, U16, convert, values)


@dataclass(frozen=True, slots=True)
class BitSet:
    """A set of small numbers, one bit each, lowest bit of the first byte is 0."""

    count: int
    is_tail: bool = False

    @property
    def name(self) -> str:
        return f"bits[{self.count}]"

    @property
    def c_type(self) -> str:
        return f"uint8_t[{self.size}]"

    @property
    def size(self) -> int:
        return (self.count + 7) // 8

    def pack(self, value: Any) -> bytes:
        bits = 0
        for number in value:
            if not 0 <= number < self.count:
                raise ProtocolError(f"{number} is not in 0…{self.count - 1}")
            bits |= 1 << number
        return bits.to_bytes(self.size, "little")

    def unpack(self, data: bytes) -> frozenset[int]:
        bits = int.from_bytes(data, "little")
        if bits >> self.count:
            raise ProtocolError(f"a bit above {self.count - 1} is set")
        return frozenset(n for n in range(self.count) if bits >> n & 1)


@dataclass(frozen=True, slots=True)
class Pixels:
    """Up to `limit` colours, three bytes each: red, green, blue. Takes the rest of the message."""

    limit: int
    is_tail: bool = True

    @property
    def name(self) -> str:
        return f"rgb[1…{self.limit}]"

    @property
    def c_type(self) -> str:
        return f"uint8_t[{self.size}]"

    @property
    def size(self) -> int:
        return 3 * self.limit

    def pack(self, value: Any) -> bytes:
        if not 1 <= len(value) <= self.limit:
            raise ProtocolError(f"{len(value)} pixels in one message; 1…{self.limit} are allowed")
        try:
            return b"".join(bytes((red, green, blue)) for red, green, blue in value)
        except (ValueError, TypeError) as error:
            raise ProtocolError(f"a pixel is three numbers 0…255: {error}") from error

    def unpack(self, data: bytes) -> tuple[Pixel, ...]:
        if not data or len(data) % 3 or len(data) > self.size:
            raise ProtocolError(f"{len(data)} bytes are not 1…{self.limit} pixels of 3")
        return tuple((data[n], data[n + 1], data[n + 2]) for n in range(0, len(data), 3))


@dataclass(frozen=True, slots=True)
class Text:
    """Up to `limit` printable ASCII characters. Takes the rest of the message."""

    limit: int
    is_tail: bool = True

    @property
    def name(self) -> str:
        return f"text[0…{self.limit}]"

    @property
    def c_type(self) -> str:
        return f"char[{self.limit}]"

    @property
    def size(self) -> int:
        return self.limit

    def pack(self, value: Any) -> bytes:
        data = str(value).encode("ascii", errors="replace")
        return self._checked(data)

    def unpack(self, data: bytes) -> str:
        return self._checked(data).decode("ascii")

    def _checked(self, data: bytes) -> bytes:
        if len(data) > self.limit or any(not 32 <= byte < 127 for byte in data):
            raise ProtocolError(f"{data!r} is not up to {self.limit} printable ASCII characters")
        return data


@dataclass(frozen=True, slots=True)
class Wire:
    """How a dataclass field travels: its kind, its unit, and what a reader of the page must know."""

    kind: Kind
    unit: str = ""
    note: str = ""
