"""The table: round trips of every message, golden bytes, and refusal of everything else."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import protocol_header, protocol_page
from firmware_bridge.errors import ProtocolError
from firmware_bridge.protocol import (
    MAX_PAYLOAD,
    TABLE,
    TABLE_HASH,
    AxisMove,
    Capability,
    Direction,
    EmergencyStop,
    Heartbeat,
    LedLimits,
    LedPixels,
    LedShow,
    Message,
    ReedChange,
    ReedSnapshot,
    ScanOrder,
    Settings,
    canonical_table,
    decode,
    encode,
)
from firmware_bridge.wire import BitSet, Converted, Integer, Kind, Pixels, Text

BYTE = st.integers(0, 255)


def values_of(kind: Kind) -> st.SearchStrategy[Any]:
    """Every value a kind of field allows."""
    match kind:
        case Integer(code=code):
            bits = 8 * kind.size
            return (
                st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
                if code.islower()
                else st.integers(0, 2**bits - 1)
            )
        case Converted(name="Capability" | "Part"):
            return st.integers(0, 31).map(lambda n: n & (7 if kind.name == "Part" else 31)).map(kind.convert)
        case Converted():
            return st.sampled_from([n for n in range(8) if converts(kind, n)]).map(kind.convert)
        case BitSet(count=count):
            return st.frozensets(st.integers(0, count - 1))
        case Pixels(limit=limit):
            return st.lists(st.tuples(BYTE, BYTE, BYTE), min_size=1, max_size=limit).map(tuple)
        case Text(limit=limit):
            return st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=limit)
    raise AssertionError(kind)


def converts(kind: Converted, number: int) -> bool:
    """The number stands for a value."""
    try:
        kind.convert(number)
    except (ValueError, KeyError):
        return False
    return True


def messages() -> st.SearchStrategy[Message]:
    """Any message of the table."""
    each = [
        st.builds(cls, **{field.name: values_of(field.kind) for field in cls.SPEC.fields})
        for _, cls in sorted(TABLE.items())
    ]
    return st.one_of(each)


@given(messages())
def test_every_message_comes_back_as_it_was(message: Message) -> None:
    payload = encode(message)
    assert len(payload) <= MAX_PAYLOAD
    assert decode(payload) == message


@given(st.binary(max_size=MAX_PAYLOAD))
def test_any_payload_is_a_message_or_refused(payload: bytes) -> None:
    try:
        message = decode(payload)
    except ProtocolError:
        return
    assert encode(message) == payload  # one meaning, one form


GOLDEN: tuple[tuple[Message, str], ...] = (
    (Heartbeat(1, 2, 3, 4), "03 01000000 0200 0300 0400"),
    (ReedSnapshot(258, frozenset({0, 9, 96}), 0), "10 02010000 01020000000000000000000001 0000"),
    (ReedChange(65536, 96, True), "11 00000100 60 01"),
    (LedPixels(35, ((1, 2, 3), (255, 0, 128))), "20 23 010203 ff0080"),
    (LedShow(0, ((9, 8, 7),)), "21 00 090807"),
    (LedLimits(200, 1500), "22 c8 dc05"),
    (AxisMove(4, -180_000, 40_000, 200_000), "31 04 e040fdff 409c0000 400d0300"),
    (Settings(2, ScanOrder.COLUMNS), "40 02 01"),
    (EmergencyStop(), "60"),
)


@pytest.mark.parametrize(("message", "golden"), GOLDEN, ids=lambda value: type(value).__name__)
def test_golden_bytes(message: Message, golden: str) -> None:
    assert encode(message).hex() == golden.replace(" ", "")
    assert decode(bytes.fromhex(golden)) == message


@pytest.mark.parametrize(
    ("payload", "complaint"),
    [
        ("", "without id"),
        ("ff", "unknown message ff"),
        ("22c8", "LedLimits ends within budget_ma"),
        ("600001", "EmergencyStop is 2 bytes too long"),
        ("11000001006002", "ReedChange.closed: 2 is none of"),
        ("4002ff", "Settings.scan_order: 255 is none of the values of ScanOrder"),
        ("10020100000000000000000000000000000200 00", "ReedSnapshot.closed: a bit above 96"),
        ("20230102", "not 1…35 pixels"),
        ("2023", "0 bytes are not 1…35 pixels"),
        ("5001ff", "Part"),
    ],
)
def test_what_is_not_in_the_table_is_named(payload: str, complaint: str) -> None:
    with pytest.raises(ProtocolError) as error:
        decode(bytes.fromhex(payload))
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        (LedLimits(256, 0), "LedLimits.brightness: 256 does not fit into u8"),
        (LedPixels(0, ()), "0 pixels in one message"),
        (LedPixels(0, ((1, 2, 3),) * 36), "36 pixels in one message"),
        (LedPixels(0, ((1, 2, 300),)), "0…255"),
        (ReedSnapshot(0, frozenset({97}), 0), "97 is not in 0…96"),
    ],
)
def test_what_does_not_fit_is_named(message: Message, complaint: str) -> None:
    with pytest.raises(ProtocolError) as error:
        encode(message)
    assert complaint in str(error.value)


def test_only_the_right_end_may_send_a_message() -> None:
    payload = encode(EmergencyStop())
    assert decode(payload, Direction.TO_BOARD) == EmergencyStop()
    with pytest.raises(ProtocolError, match="wrong end"):
        decode(payload, Direction.TO_HOST)


def test_messages_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        LedLimits(1, 2).brightness = 3  # type: ignore[misc]


def test_hash_covers_names_types_units_and_values() -> None:
    text = canonical_table()
    for part in ("LedShow TO_BOARD quiet", "budget_ma u16 mA", "0 rows, 1 columns", "window 3"):
        assert part in text
    assert 0 < TABLE_HASH < 2**32
    assert Capability.SIMULATED in Capability(31)


def test_the_page_in_docs_is_the_tables() -> None:
    page = Path(__file__).parents[2] / "docs" / "protocol.md"
    remedy = "run: python -m firmware_bridge.protocol_page docs/protocol.md"
    assert page.read_text(encoding="utf-8") == protocol_page.page(), remedy


def test_the_header_of_the_firmware_is_the_tables() -> None:
    path = Path(__file__).parents[2] / "firmware_bridge" / "firmware" / "core" / "protocol.h"
    remedy = "run: python -m firmware_bridge.protocol_header firmware_bridge/firmware/core/protocol.h"
    assert path.read_text(encoding="utf-8") == protocol_header.header(), remedy


def test_the_header_is_written_where_asked(tmp_path: Path) -> None:
    assert protocol_header.main([str(tmp_path / "p.h")]) == 0
    assert (tmp_path / "p.h").read_text(encoding="utf-8") == protocol_header.header()
    assert protocol_header.main([]) == 2


def test_the_page_is_written_where_asked(tmp_path: Path) -> None:
    assert protocol_page.main([str(tmp_path / "p.md")]) == 0
    assert (tmp_path / "p.md").read_text(encoding="utf-8") == protocol_page.page()
    assert protocol_page.main([]) == 2
