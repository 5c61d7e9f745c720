"""Who may ask for what: the table's code, the names the page answers to, and limits on every request."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from companion.messages import say
from companion.web.language import LANGUAGE, language_of, said

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]

CODE_HEADER = "x-table-code"
WRONG_CODES_PER_MINUTE = 5
EVERYBODYS_WRONG_CODES_PER_MINUTE = 60
ADDRESSES_KEPT = 1024
BODY_LIMIT = 4096
BODY_S = 5.0

SECURITY_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        b"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


def new_code() -> str:
    """A fresh table code of six digits, to be shown by the host."""
    return f"{secrets.randbelow(1_000_000):06d}"


class Attempts:
    """Wrong codes, counted: no address may try more than a few a minute, nor all of them together very many."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()
        self._everybody: deque[float] = deque(maxlen=EVERYBODYS_WRONG_CODES_PER_MINUTE)

    def wait_s(self, address: str) -> float:
        """How long `address` has to wait before it may try a code; 0 when it may now."""
        now = self._clock()
        tries = self._wrong.get(address, deque())
        while tries and tries[0] <= now - 60.0:
            tries.popleft()
        if not tries:
            self._wrong.pop(address, None)
        wait_s = tries[0] + 60.0 - now if len(tries) >= WRONG_CODES_PER_MINUTE else 0.0
        # Somebody with many addresses is still one guesser.
        if len(self._everybody) == self._everybody.maxlen:
            wait_s = max(wait_s, self._everybody[0] + 60.0 - now)
        return wait_s

    def failed(self, address: str) -> None:
        """A wrong code came from `address`."""
        self._everybody.append(self._clock())
        self._wrong.setdefault(address, deque()).append(self._clock())
        self._wrong.move_to_end(address)
        if len(self._wrong) > ADDRESSES_KEPT:
            self._wrong.popitem(last=False)


class CodeCheck:
    """Compares one code in constant time, and limits how often it may be guessed."""

    def __init__(self, code: str, clock: Callable[[], float]) -> None:
        self._code = code.encode()
        self._attempts = Attempts(clock)

    def wait_s(self, address: str) -> float:
        """How long `address` has to wait before it may try a code; 0 when it may now."""
        return self._attempts.wait_s(address)

    def right(self, address: str, code: str) -> bool:
        """Whether `code` is the table's; a wrong one counts against `address`."""
        if hmac.compare_digest(self._code, code.encode("utf-8", "replace")):
            return True
        self._attempts.failed(address)
        return False


def host_allowed(host: str, names: Iterable[str]) -> bool:
    """Whether the page answers to this Host header.

    Localhost, bare addresses, `.local` names and the configured `names`. Any other name may be a stranger's,
    pointed at this machine to make a browser here speak for them (DNS rebinding).
    """
    try:
        name = (urlsplit("//" + host).hostname or "").rstrip(".").lower()
        _ = urlsplit("//" + host).port
    except ValueError:
        return False
    if name == "localhost" or name.endswith(".local") or name in {known.lower() for known in names}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """ASGI middleware before all else: refuses what must not reach the table, adds security headers.

    `codes`: every POST has to bring the table's code; None where the application itself knows who may ask for what.
    """

    def __init__(self, app: Any, codes: CodeCheck | None, names: tuple[str, ...]) -> None:
        self._app = app
        self._codes = codes
        self._names = names

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Handle one request as ASGI prescribes."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), *SECURITY_HEADERS]
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-cache"))
                message["headers"] = headers
            await send(message)

        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        before = LANGUAGE.set(language_of(headers))
        try:
            await self._answer(scope, headers, receive, guarded)
        finally:
            LANGUAGE.reset(before)

    async def _answer(self, scope: Scope, headers: dict[str, str], receive: Any, send: Any) -> None:
        refusal = self._refusal(scope, headers)
        body = b""
        if refusal is None and scope["method"] == "POST":
            body, refusal = await _read_body(receive)
        if refusal is not None:
            await _refuse(send, *refusal)
        elif scope["method"] == "POST":
            await self._app(scope, _replay(body, receive), send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str, float] | None:
        host = headers.get("host", "")
        if not host_allowed(host, self._names):
            return (
                403,
                say("web.other_name"),
                0.0,
            )
        origin = headers.get("origin")
        if origin is not None and _site(origin) != host.lower():
            return 403, say("web.other_site"), 0.0
        if scope["method"] != "POST":
            return None
        if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            return 403, say("web.other_site"), 0.0
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415, say("web.not_json"), 0.0
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > BODY_LIMIT:
            return 413, say("web.too_large", n=BODY_LIMIT), 0.0
        return None if self._codes is None else self._code_refusal(self._codes, scope, headers)

    def _code_refusal(
        self, codes: CodeCheck, scope: Scope, headers: dict[str, str]
    ) -> tuple[int, str, float] | None:
        address = scope["client"][0] if scope.get("client") else ""
        wait = codes.wait_s(address)
        if wait > 0:
            return 429, say("web.too_many_codes", n=int(wait) + 1), wait
        code = headers.get(CODE_HEADER)
        if code is None:
            return 401, say("web.needs_code"), 0.0
        if not codes.right(address, code):
            return 401, say("web.wrong_code_screen"), 0.0
        return None


def _site(origin: str) -> str:
    """Host and port of an origin; empty for what is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


async def _read_body(receive: Any) -> tuple[bytes, tuple[int, str, float] | None]:
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            while True:
                message = await receive()
                body += message.get("body", b"")
                if len(body) > BODY_LIMIT:
                    return b"", (413, say("web.too_large", n=BODY_LIMIT), 0.0)
                if not message.get("more_body"):
                    return bytes(body), None
    except TimeoutError:
        return b"", (408, say("web.too_slow"), 0.0)


def _replay(body: bytes, receive: Any) -> Any:
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            message: Message = await receive()
            return message
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


async def _refuse(send: Any, status: int, sentence: str, wait_s: float) -> None:
    body = json.dumps({"error": said(sentence)}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if wait_s:
        headers.append((b"retry-after", str(int(wait_s) + 1).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
