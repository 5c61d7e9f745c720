"""The phones in the room: which of them is the host's, which has which seat, and how one becomes that.

Whoever only looks is not known here. A phone that joins has made up a long random token, which its browser keeps;
here only the token's digest is kept, and nothing that is sent to anybody holds either. Everybody sees a phone by
its `id`, which is good for nothing but naming it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from companion.errors import CompanionError
from companion.messages import say
from companion.web.access import Attempts, new_code
from companion.web.models import PhoneView

# What a browser makes up: at least 128 bits, written without anything that a header could not hold.
TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}")
# An evening is over after this long, and who has not been heard of since has gone home.
FORGOTTEN_S = 12 * 3600.0
PHONES_LIMIT = 32
# A clock that goes off by more from one request to the next was set.
SET_S = 60.0

JOIN_FIRST = say("web.join_first")
HOST_ONLY = say("web.host_only")
SEAT_ONLY = say("web.seat_only")


class Unwelcome(CompanionError, PermissionError):
    """A phone may not do what it asks for. `status`: 401 not joined, 403 not its right, 409 taken, 429 too often.

    `wait_s`: how long it should wait before it tries again, 0 where waiting does not help.
    """

    def __init__(self, status: int, sentence: str, wait_s: float = 0.0) -> None:
        super().__init__(sentence)
        self.status = status
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone that has joined. `digest`: of its token; `heard_at`: in seconds since 1970."""

    digest: str
    id: str
    seat: int | None = None
    host: bool = False
    heard_at: float = 0.0


class Phones:
    """Who has joined. `clock`: seconds since 1970; `ticks`: seconds that never jump, for the limits.

    `host_code` makes a phone the host's, `invitation` gives it a seat. `changed` is called after every change that
    people can see.
    """

    def __init__(
        self,
        host_code: str,
        *,
        clock: Callable[[], float],
        ticks: Callable[[], float],
        known: Iterable[Phone] = (),
    ) -> None:
        self.invitation = new_code()
        self.changed: Callable[[], None] = lambda: None
        self._host_code = host_code
        self._clock, self._ticks = clock, ticks
        self._attempts = Attempts(ticks)
        now, self._tick = clock(), ticks()
        self._wall = now
        self._phones = {phone.id: phone for phone in known if now - phone.heard_at < FORGOTTEN_S}

    def _now(self) -> float:
        """Seconds since 1970. When the clock is set, nobody grows older by it.

        A Pi has no clock of its own: it begins where it was switched off, and the network sets it forward by days.
        """
        wall, tick = self._clock(), self._ticks()
        jump = (wall - self._wall) - (tick - self._tick)
        self._wall, self._tick = wall, tick
        if abs(jump) > SET_S:
            for phone in self.all:
                self._phones[phone.id] = replace(phone, heard_at=phone.heard_at + jump)
        return wall

    # -- who is who

    @property
    def all(self) -> tuple[Phone, ...]:
        """Everyone who has joined, the first to come first."""
        return tuple(self._phones.values())

    @property
    def has_host(self) -> bool:
        """Does any phone have the host's rights?"""
        return any(phone.host for phone in self._phones.values())

    def views(self) -> tuple[PhoneView, ...]:
        """What everybody may see of them."""
        return tuple(PhoneView(id=each.id, seat=each.seat, host=each.host) for each in self._phones.values())

    def by_id(self, name: str) -> Phone | None:
        """The phone that everybody sees by this name, None if it has gone."""
        return self._phones.get(name)

    def known(self, token: str | None) -> Phone | None:
        """The phone with this token, None if it has not joined. It counts as heard of."""
        if token is None or not TOKEN.fullmatch(token):
            return None
        now, digest, found = self._now(), _digest(token), None
        # Every digest is compared, each in constant time: how long this takes tells nothing.
        for phone in self._phones.values():
            if hmac.compare_digest(phone.digest, digest):
                found = phone
        if found is None or now - found.heard_at > FORGOTTEN_S:
            return None
        found = replace(found, heard_at=now)
        self._phones[found.id] = found
        return found

    # -- coming and going

    def join(self, token: str | None, code: str, seat: int | None, *, address: str, players: int) -> Phone:
        """A phone joins with a code: the host's, or the invitation together with a free `seat`.

        Raises Unwelcome: wrong code, too many wrong ones from `address` or from everywhere, a seat that is taken.
        """
        if token is None or not TOKEN.fullmatch(token):
            raise Unwelcome(401, say("web.no_token"))
        wait_s = self._attempts.wait_s(address)
        if wait_s > 0:
            raise Unwelcome(429, say("web.too_many_codes", n=int(wait_s) + 1), wait_s)
        given = code.encode("utf-8", "replace")
        as_host = hmac.compare_digest(given, self._host_code.encode())
        as_guest = hmac.compare_digest(given, self.invitation.encode())
        if not (as_host or as_guest):
            self._attempts.failed(address)
            raise Unwelcome(401, say("web.wrong_code"))
        phone = self.known(token) or Phone(_digest(token), secrets.token_hex(4), heard_at=self._now())
        if as_host:
            phone = replace(phone, host=True)
        elif seat is None:
            raise Unwelcome(409, say("web.say_seat"))
        if seat is not None:
            phone = self._seated(phone, seat, players)
        self._make_room(phone)
        self._put(phone)
        return phone

    def sit(self, phone: Phone, seat: int | None, *, players: int) -> Phone:
        """A phone that has joined takes another seat, or none. Raises Unwelcome if it is taken."""
        moved = replace(phone, seat=None) if seat is None else self._seated(phone, seat, players)
        self._put(moved)
        return moved

    def leave(self, phone: Phone) -> None:
        """A phone gives up its seat and the host's rights."""
        if self._phones.pop(phone.id, None) is not None:
            self.changed()

    def free(self, seat: int) -> None:
        """Whoever had this seat has it no more; the host's phone keeps its other rights. Raises Unwelcome."""
        for phone in self.all:
            if phone.seat == seat:
                self._phones[phone.id] = replace(phone, seat=None)
                if not phone.host:
                    del self._phones[phone.id]
                self.changed()
                return
        raise Unwelcome(409, say("web.free_already"))

    def pass_on(self, phone: Phone, to: str) -> None:
        """The host's rights go from one phone to the one with the id `to`. Raises Unwelcome if it is not here."""
        heir = self._phones.get(to)
        if heir is None or heir.id == phone.id:
            raise Unwelcome(409, say("web.phone_gone"))
        self._phones[phone.id] = replace(phone, host=False)
        self._phones[heir.id] = replace(heir, host=True)
        self.changed()

    def invite_anew(self) -> None:
        """The old invitation is no longer good; whoever has joined stays."""
        self.invitation = new_code()

    def _seated(self, phone: Phone, seat: int, players: int) -> Phone:
        if not 0 <= seat < players:
            raise Unwelcome(409, say("web.no_such_seat", players=players))
        now = self._now()
        for other in self.all:
            if other.seat == seat and other.id != phone.id:
                if now - other.heard_at < FORGOTTEN_S:
                    raise Unwelcome(409, say("web.seat_taken"))
                del self._phones[other.id]
        return replace(phone, seat=seat)

    def _put(self, phone: Phone) -> None:
        if self._phones.get(phone.id) != phone:
            self._phones[phone.id] = phone
            self.changed()

    def _make_room(self, phone: Phone) -> None:
        """Of too many phones the one goes that has been silent for longest."""
        others = [each for each in self.all if each.id != phone.id]
        if len(others) >= PHONES_LIMIT:
            del self._phones[min(others, key=lambda each: each.heard_at).id]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
