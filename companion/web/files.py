"""The page's own files: read once, packed once, and only those that were there when the table was switched on."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

# What is smaller gains nothing by being packed, what is a picture neither.
WORTH_PACKING = 512
TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
PACKED = ("text/", "application/json", "application/manifest+json", "image/svg+xml")


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent. `packed`: the same by gzip, None where that gains nothing."""

    kind: str
    plain: bytes
    packed: bytes | None
    tag: str


class Files:
    """An ASGI application that serves the files of one folder, by their names in it."""

    def __init__(self, folder: Path) -> None:
        self._files = read(folder)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers GET and HEAD."""
        if scope["type"] != "http":
            return
        request = Request(scope)
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        # Whatever the address says, it is looked up and never becomes a path.
        file = self._files.get(scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/"))
        if file is None:
            raise HTTPException(404)
        await answer(file, request)(scope, receive, send)


def answer(file: File, request: Request) -> Response:
    """A file for whoever asks: packed if they can take it, nothing if they have it."""
    takes = {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    packed = file.packed if "gzip" in takes else None
    tag = f'"{file.tag}{"-gz" if packed else ""}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if packed is not None:
        headers["Content-Encoding"] = "gzip"
    return Response(file.plain if packed is None else packed, media_type=file.kind, headers=headers)


def pack(plain: bytes, kind: str) -> File:
    """Something to be sent, with its packed form."""
    small = None
    if len(plain) > WORTH_PACKING and kind.startswith(PACKED):
        small = gzip.compress(plain, 6, mtime=0)
    return File(kind, plain, small, hashlib.sha256(plain).hexdigest()[:16])


@cache
def read(folder: Path) -> dict[str, File]:
    """The files of a folder by their names in it."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            found[path.relative_to(folder).as_posix()] = pack(path.read_bytes(), kind)
    return found
