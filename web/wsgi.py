"""From ASGI to WSGI (PEP 3333) and back: a whole request goes in, a whole answer comes out.

So Flask's thread never waits for the network, however slowly a client sends or reads.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import IO, Any, NamedTuple

from flask import Flask, Response

from web.peers import plain_address

Scope = Mapping[str, Any]  # of the ASGI specification, type "http"
Headers = list[tuple[bytes, bytes]]

_WITHOUT_HTTP = frozenset({"CONTENT_TYPE"})  # the other headers' keys begin with HTTP_
_OURS = frozenset({"content-length", "transfer-encoding"})  # the body is whole, so its length is known


class Answer(NamedTuple):
    status: int
    headers: Headers
    body: bytes


def environ_of(scope: Scope, body: IO[bytes], length: int) -> dict[str, Any]:
    """The request as WSGI has it. `length`: of the body, in bytes."""
    server, port = scope["server"]
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server,
        "SERVER_PORT": str(port),
        "REMOTE_ADDR": plain_address(scope["client"][0]),
        "REMOTE_PORT": str(scope["client"][1]),
        "CONTENT_LENGTH": str(length),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw, value in scope["headers"]:
        name, text = raw.decode("latin-1").lower(), value.decode("latin-1")
        if "_" in name or name in _OURS:  # X_Seat would pass for X-Seat
            continue
        key = name.upper().replace("-", "_")
        key = key if key in _WITHOUT_HTTP else f"HTTP_{key}"
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ


def call(app: Flask, environ: dict[str, Any]) -> Answer:
    """What the application answers. What it writes into `environ` stays there."""
    begun: list[tuple[str, list[tuple[str, str]]]] = []
    written: list[bytes] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> Any:
        begun.append((status, headers))
        return written.append

    chunks: Iterable[bytes] = app.wsgi_app(environ, start_response)
    try:
        written += chunks
    finally:
        getattr(chunks, "close", lambda: None)()
    status, headers = begun[-1]
    return Answer(int(status.split()[0]), _encoded(headers), b"".join(written))


def answer_of(made: Response) -> Answer:
    """An answer that was made without a request."""
    return Answer(made.status_code, _encoded(list(made.headers)), made.get_data())


def _encoded(headers: Iterable[tuple[str, str]]) -> Headers:
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
