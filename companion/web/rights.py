"""Who may ask for what: the rights that the page's requests name.

Anyone may look, and anyone may press the emergency stop. A seat answers its own questions, takes its own last turn
back, pauses, and silences the buzzer. All else is the host's: games begun and ended, rulings, corrections, lights,
the release of the emergency stop, and what is nobody's own question; where there is no host, any seat answers that.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader

from companion.messages import say
from companion.web.models import Snapshot
from companion.web.phones import HOST_ONLY, JOIN_FIRST, SEAT_ONLY, Phone, Phones, Unwelcome

PHONE_HEADER = "X-Phone"
Token = Annotated[
    str | None,
    Security(
        APIKeyHeader(
            name=PHONE_HEADER,
            auto_error=False,
            scheme_name="phone",
            description="A long random token that this browser made up and joined with (`/api/join`).",
        )
    ),
]


def phones_of(request: Request) -> Phones:
    """The phones of the table that the application shows."""
    phones = request.app.state.phones
    assert isinstance(phones, Phones)
    return phones


def anybody(request: Request, token: Token = None) -> Phone | None:
    """Whoever asks: the phone if it has joined."""
    return phones_of(request).known(token)


def joined(request: Request, token: Token = None) -> Phone:
    """A phone that has joined: the host's, or one with a seat."""
    phone = phones_of(request).known(token)
    if phone is None:
        raise Unwelcome(401, JOIN_FIRST)
    return phone


def host(phone: Annotated[Phone, Depends(joined)]) -> Phone:
    """The host's phone."""
    if not phone.host:
        raise Unwelcome(403, HOST_ONLY)
    return phone


def seated(phone: Annotated[Phone, Depends(joined)]) -> Phone:
    """The host's phone or one with a seat."""
    if not phone.host and phone.seat is None:
        raise Unwelcome(403, SEAT_ONLY)
    return phone


Anybody = Annotated[Phone | None, Depends(anybody)]
Joined = Annotated[Phone, Depends(joined)]
Host = Annotated[Phone, Depends(host)]
Seated = Annotated[Phone, Depends(seated)]


def must_be_asked(phone: Phone, phones: Phones, table: Snapshot) -> None:
    """Raises Unwelcome unless the table's question is this phone's to answer."""
    if phone.host:
        return
    if table.asks is None:
        if phones.has_host:
            raise Unwelcome(403, say("web.host_answers"))
    elif phone.seat != table.asks:
        name = next((each.name for each in table.players if each.seat == table.asks), "")
        raise Unwelcome(403, say("web.seat_answers", name=name or say("web.another_seat")))


def must_be_own_turn(phone: Phone, table: Snapshot, turns: int) -> None:
    """Raises Unwelcome unless this phone may take so many turns back: a seat only its own last one."""
    if phone.host:
        return
    last = table.history[-1].seat if table.history else None
    if turns != 1 or phone.seat != last:
        raise Unwelcome(403, say("web.own_turn"))
