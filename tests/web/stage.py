"""One server and one browser for all page tests of a process: each test puts its own table behind the one address.

A window keeps its cache from test to test, so that a page costs a few calls and not ninety. All else is as in a window
that was just opened: cookies, storage, size, routes, scripts and history of the test before are gone.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from flask import Flask, Response
from playwright.sync_api import Browser, CDPSession, Error, Page

from tablecoin.live.bell import Bell
from web.server import Server
from web.source import Numbered, Streamed

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

Motion = Literal["no-preference", "reduce"]

PHONE = (390, 844)
_EMPTY = "/empty"  # where windows are between two tests: a page of the same origin keeps what was read of its scripts
_LEAVE_NOTHING = "() => { localStorage.clear(); sessionStorage.clear(); window.name = ''; }"


class Held:
    """Calls of one path: the first waits until it is let go."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []  # what was sent with each call
        self.came, self._free = threading.Event(), threading.Event()

    def let_go(self) -> None:
        self._free.set()

    def __call__(self, environ: WSGIEnvironment) -> None:
        self.bodies.append(environ["wsgi.input"].read())
        environ["wsgi.input"].seek(0)
        self.came.set()
        if len(self.bodies) == 1:
            assert self._free.wait(60), "nobody let the call go"


class _Answered:
    """Calls of one path, which get this answer and do not reach the table."""

    def __init__(self, body: object, status: int, times: float) -> None:
        self._body, self._status, self._left = body, status, times

    def __call__(self, environ: WSGIEnvironment) -> Response | None:
        self._left -= 1
        if self._left < 0:
            return None
        kind = "text/plain" if isinstance(self._body, bytes) else "application/json"
        body = self._body if isinstance(self._body, bytes) else json.dumps(self._body)
        return Response(body, self._status, mimetype=kind)


class _Shown(Flask):
    """Hands each call to the application of the test that runs. Between two tests there is one empty page."""

    def __init__(self) -> None:
        super().__init__("stage", static_folder=None)
        self.now: Flask | None = None
        self.instead: dict[str, Held | _Answered] = {}

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if not self.now or path == _EMPTY:
            page = "<!doctype html><title>Empty</title><link rel=icon href=data:,>"  # else Chromium asks for an icon
            nothing = Response(page, headers={"Cache-Control": "no-store"})
            return nothing(environ, start_response)
        answer = self.instead[path](environ) if path in self.instead else None
        return answer(environ, start_response) if answer else self.now.wsgi_app(environ, start_response)


class _Followed:
    """The table of the test that runs, as the server streams it."""

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self.snapshots, self.pictures = Bell(), Bell()
        self._now: Streamed | None = None
        self._stop_listening: list[Callable[[], None]] = []

    def follow(self, now: Streamed | None) -> None:
        for stop in self._stop_listening:
            stop()
        self._now = now
        self._stop_listening = (
            [now.snapshots.listen(self.snapshots.ring), now.pictures.listen(self.pictures.ring)] if now else []
        )
        self.snapshots.ring()
        self.pictures.ring()

    @property
    def picture_number(self) -> int:
        return self._now.picture_number if self._now else -1

    @property
    def changed_number(self) -> int:
        return self._now.changed_number if self._now else -1

    def snapshot(self, seat: str | None = None) -> Numbered:
        assert self._now, "there is no table behind the pages"
        return self._now.snapshot(seat)


class _Window:
    """A window with cookies and storage of its own, and what its page complained of in this test."""

    def __init__(self, browser: Browser, locale: str, address: str) -> None:
        self.errors: list[str] = []
        self.calls_may_fail = False
        self._context = browser.new_context(locale=locale, base_url=address)
        self.page: Page = self._context.new_page()
        self._cdp: CDPSession = self._context.new_cdp_session(self.page)
        self._cdp.send("Page.enable")
        self._scripts: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._said)

    def open(self, path: str, size: tuple[int, int], script: str, calls_may_fail: bool, motion: Motion) -> None:
        self.errors.clear()
        self.calls_may_fail = calls_may_fail
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.emulate_media(reduced_motion=motion)
        if script:
            self.run_before(script)
        self.page.goto(path)

    def run_before(self, script: str) -> None:
        added = self._cdp.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        self._scripts.append(added["identifier"])

    def leave(self) -> None:
        """Leave the page, and all that the test set."""
        page, context = self.page, self._context
        page.unroute_all(behavior="ignoreErrors")
        context.set_offline(False)
        for script in self._scripts:
            self._cdp.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        self._scripts.clear()
        page.mouse.move(-1, -1)
        page.goto(_EMPTY)
        page.evaluate(_LEAVE_NOTHING)
        context.clear_cookies()
        self._cdp.send("Page.resetNavigationHistory")

    def close(self) -> None:
        self._context.close()

    def _said(self, said: Any) -> None:
        if said.type == "error" and not self.calls_may_fail:
            self.errors.append(f"{said.text} {said.location.get('url', '')}".strip())


class Stage:
    """The address and the windows of a process. `shows` says what stands behind the address, `open` opens a window."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._app, self._live = _Shown(), _Followed()
        self._windows: dict[str, list[_Window]] = {}  # of each locale
        self._used: list[tuple[str, _Window]] = []
        self._server = Server(self._app, self._live, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self._server.port}"

    def __enter__(self) -> Stage:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        for window in [each for windows in self._windows.values() for each in windows]:
            window.close()
        self._server.stop()

    def shows(self, app: Flask, live: Streamed) -> None:
        """Put these behind the address, until the end of the test."""
        self._live.follow(live)
        self._app.now = app

    def open(
        self,
        path: str = "/",
        size: tuple[int, int] = PHONE,
        locale: str = "en-US",
        script: str = "",
        calls_may_fail: bool = False,
        motion: Motion = "no-preference",
    ) -> Page:
        """A window at this page. `script` runs before those of each page. `motion`: whether the person wants less.

        What the page throws or logs as an error fails the test; with `calls_may_fail` only what it throws.
        """
        free = self._windows.setdefault(locale, [])
        window = free.pop() if free else _Window(self._browser, locale, self.address)
        self._used.append((locale, window))
        window.open(path, size, script, calls_may_fail, motion)
        return window.page

    def run_before(self, page: Page, script: str) -> None:
        """Have `script` run before those of the page, each time that it is opened from now on."""
        next(window for _, window in self._used if window.page is page).run_before(script)

    def answer(self, path: str, body: object, status: int = 200, times: float = math.inf) -> None:
        """Answer the next calls of `path` in place of the table. `body`: JSON, or bytes as they are."""
        self._app.instead[path] = _Answered(body, status, times)

    def hold(self, path: str) -> Held:
        """Let the next call of `path` wait."""
        held = self._app.instead[path] = Held()
        return held

    def clear(self) -> list[str]:
        """End the test: what its pages complained of. Windows are left empty; one that cannot be is closed."""
        errors = [error for _, window in self._used for error in window.errors]
        for locale, window in reversed(self._used):
            try:
                window.leave()
            except Error:  # the test closed it, or it crashed
                with suppress(Error):
                    window.close()
            else:
                self._windows[locale].append(window)
        self._used.clear()
        self._app.now = None
        self._app.instead.clear()
        self._live.follow(None)
        return errors
