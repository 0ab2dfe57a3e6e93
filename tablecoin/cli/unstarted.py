"""A service that cannot start says why on a page, because nobody reads its log at the table.

Only systemd's services do this; on a terminal the sentence is on standard error. The page is for this computer alone.
It uses Python's own web server, because the program's own may be what cannot start.
"""

from __future__ import annotations

import base64
import hashlib
import html
import os
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tablecoin.cli.sentences import UserError, refusal_in_one_sentence
from tablecoin.cli.stopping import on_signal

DEFAULT_PORT = 8000
SHOWN_S = 60.0  # then it ends, and systemd starts it again
_RELOAD = "setInterval(() => fetch('/healthz').then(a => a.ok && location.reload(), () => 0), 3000)"
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>tablecoin</title>
<body style="font: 1.5rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 10vh auto; padding: 0 1rem">
<h1>{title}</h1><p>{sentence}</p><p>{again}</p><script>{reload}</script>
"""


@dataclass
class Refusal:
    """What becomes of a refusal to start. `on_a_page`: no longer once it runs, when systemd would miss its signs."""

    port: int
    on_a_page: bool


@contextmanager
def refused_on_a_page(config: Path | None, port: int | None) -> Iterator[Refusal]:
    """Show a refusal in the block for a minute, where systemd waits for a READY=1 that does not come; then raise it."""
    refusal = Refusal(port or _configured(config), bool(os.environ.get("NOTIFY_SOCKET")))
    try:
        with refusal_in_one_sentence():
            yield refusal
    except UserError as error:
        if refusal.on_a_page:
            ended = threading.Event()
            on_signal(ended.set)
            show(error.message, refusal.port or DEFAULT_PORT, ended)
        raise


def show(sentence: str, port: int, ended: threading.Event, seconds: float = SHOWN_S) -> None:
    """Show the sentence until `ended`, for `seconds` at most; not at all where the port is taken."""
    from tablecoin.live.watchdog import notify

    notify(f"STATUS={sentence}")
    with suppress(OSError), page(sentence, port):
        ended.wait(seconds)


@contextmanager
def page(sentence: str, port: int) -> Iterator[int]:
    """The sentence at every address of 127.0.0.1; gives the port (0: any free one). OSError: it is taken."""
    with ThreadingHTTPServer(("127.0.0.1", port), _handler(sentence)) as server:
        threading.Thread(target=server.serve_forever, args=(0.1,), name="page", daemon=True).start()
        try:
            yield server.server_port
        finally:
            server.shutdown()


def _configured(config: Path | None) -> int:
    """The port in a settings file, of which other lines may be wrong; DEFAULT_PORT where it names none."""
    try:
        port = tomllib.loads(config.read_text("utf-8"))["web"]["port"] if config else DEFAULT_PORT
    except (OSError, ValueError, LookupError, TypeError):
        return DEFAULT_PORT
    return port if isinstance(port, int) and 0 < port < 1 << 16 else DEFAULT_PORT


def _handler(sentence: str) -> type[BaseHTTPRequestHandler]:
    from tablecoin.rules.rulebook import Message, texts

    titles, agains = texts(Message("start.failed")), texts(Message("start.again"))
    page = _PAGE.format(
        title=html.escape(" · ".join(titles.values())),
        sentence=html.escape(sentence),
        again=html.escape(" · ".join(agains.values())),
        reload=_RELOAD,
    ).encode("utf-8", "replace")
    script = base64.b64encode(hashlib.sha256(_RELOAD.encode()).digest()).decode()

    class Handler(BaseHTTPRequestHandler):
        timeout = 5.0  # seconds without a request

        def do_GET(self) -> None:
            self.send_response(503)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page)))
            self.send_header("Cache-Control", "no-store")
            allowed = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script}'; connect-src 'self'"
            self.send_header("Content-Security-Policy", allowed)
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *args: object) -> None:
            """Write nothing: every look at the page would be a line in the log."""

    return Handler
