"""The embedded server: starts, serves, and stops at once with streams open."""

from __future__ import annotations

import http.client
import socket
import threading
import urllib.request

import pytest
from flask import Flask

from tablecoin.storage import structs
from tests.web.quiet import QuietTable
from web.app import create_app
from web.server import CannotServe, Server, join_urls


def web_threads() -> set[threading.Thread]:
    """The threads of servers. Page tests keep one of their own in this process."""
    return {thread for thread in threading.enumerate() if thread.name == "web"}


def test_it_serves_and_stops_with_open_streams(live: QuietTable) -> None:
    before = web_threads()
    server = Server(create_app(live), live, "127.0.0.1", 0)
    with server:
        streams = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=10) for _ in range(3)]
        answers = []
        for stream in streams:
            stream.request("GET", "/api/stream")
            answers.append(stream.getresponse())
            assert answers[-1].readline() == b"retry: 1000\n"
        idle = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        idle.request("GET", "/api/state")
        assert idle.getresponse().status == 200  # kept open: it must not hold the server up either
    assert web_threads() <= before
    for answer in answers:
        assert answer.read().startswith(b"id: ")  # the stream ended, it was not left hanging
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", server.port), timeout=5)
    for connection in (*streams, idle):
        connection.close()
    server.stop()  # twice does no harm


def test_every_struct_is_known_before_the_first_call(live: QuietTable, monkeypatch: pytest.MonkeyPatch) -> None:
    before, served = web_threads(), list[set[threading.Thread]]()
    monkeypatch.setattr(structs, "make_known", lambda: served.append(web_threads()))
    with Server(create_app(live), live, "127.0.0.1", 0):
        assert served == [before]


def test_a_snapshot_reaches_an_open_stream(live: QuietTable) -> None:
    server = Server(create_app(live), live, "127.0.0.1", 0)
    with server, urllib.request.urlopen(f"http://127.0.0.1:{server.port}/api/stream", timeout=10) as stream:
        lines = iter(stream)
        assert [next(lines)[:4] for _ in range(4)] == [b"retr", b"id: ", b"data", b"\n"]
        live.news()
        assert next(lines) == b"id: %d\n" % live.snapshot().seq


def test_a_port_in_use_is_one_sentence(live: QuietTable) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"^port {port} is already in use; .* --port$"):
            Server(create_app(live), live, "127.0.0.1", port)


@pytest.mark.parametrize(("host", "port"), [("192.0.2.77", 0), ("no such host", 0), ("127.0.0.1", 70_000)])
def test_a_wrong_address_is_one_sentence(live: QuietTable, host: str, port: int) -> None:
    with pytest.raises(CannotServe, match=r"; choose .*--(host|port)"):
        Server(create_app(live), live, host, port)


def test_where_phones_find_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.security.own_addresses", lambda: ["192.168.1.20", "fd00::20"])
    monkeypatch.setattr("socket.gethostname", lambda: "table.home")
    assert join_urls("127.0.0.1", 8000) is None
    assert join_urls("192.168.1.20", 80) == ["http://192.168.1.20/"]
    expected = ["http://192.168.1.20:8000/", "http://[fd00::20]:8000/", "http://table.local:8000/"]
    assert join_urls("0.0.0.0", 8000) == expected
    monkeypatch.setattr("web.security.own_addresses", list)
    assert join_urls("0.0.0.0", 8000) == [], "there is no network yet"


def test_a_watcher_who_is_not_let_in_gets_the_refusal(live: QuietTable) -> None:
    app = Flask("refuses")
    app.add_url_rule("/api/stream", view_func=lambda: ("Not you.", 403))
    with Server(app, live, "127.0.0.1", 0) as server:
        for _ in range(5):  # no place of the four for an address stays taken
            caller = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
            caller.request("GET", "/api/stream")
            answer = caller.getresponse()
            assert (answer.status, answer.read()) == (403, b"Not you.")
            caller.close()
