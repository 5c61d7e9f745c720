"""Where the page is said to be found."""

from __future__ import annotations

import pytest

from companion.web.addresses import address_of, page_addresses, qr_for_terminal


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.1.2.3"])
def test_what_only_this_machine_reaches_is_told_to_nobody(host: str) -> None:
    assert page_addresses(host, 8080) == ()


def test_one_address_is_told_as_it_is_and_everywhere_as_where_this_machine_is() -> None:
    assert page_addresses("192.168.1.5", 80) == ("http://192.168.1.5:80",)
    for host in ("0.0.0.0", "::"):
        for address in page_addresses(host, 8080):
            assert address.startswith("http://") and address.endswith(":8080")
            assert "0.0.0.0" not in address and "localhost" not in address


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0.0.0.0", "http://127.0.0.1:8"),
        ("fe80::1", "http://[fe80::1]:8"),
        ("table.local", "http://table.local:8"),
    ],
)
def test_addresses_are_written_as_browsers_take_them(host: str, address: str) -> None:
    assert address_of(host, 8) == address


def test_the_terminals_code_is_square_and_quiet_at_its_edge() -> None:
    lines = qr_for_terminal("http://192.168.1.5:8080/#host=123456").splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines[0]) in (2 * len(lines), 2 * len(lines) - 1)
    assert set(lines[0]) == {"█"}
