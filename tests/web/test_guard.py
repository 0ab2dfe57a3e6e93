"""Nobody locks the others out: limits by address, a deadline for everything a client sends or takes, kept places."""

from __future__ import annotations

import resource
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from queue import Queue
from typing import Any

import pytest
from flask import Flask, request

from tests.web.everybody import OpenGate
from tests.web.quiet import QuietTable
from web import guard
from web.app import create_app
from web.front import _AT_ONCE as AT_ONCE
from web.guard import Deadlines, Guard, connection_places
from web.peers import HERE, Places
from web.server import Server

SHORT = Deadlines(head_s=0.3, next_head_s=0.3, body_s=0.3, send_s=0.3)
PHONE = "127.0.0.2"  # any address but 127.0.0.1, which is the kiosk's
HEAD = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n"
BIG_BYTES = 16 << 20  # more than the system keeps for a reader who does not read


@pytest.fixture
def app(live: QuietTable) -> Flask:
    made = create_app(live, gate=OpenGate())
    made.add_url_rule("/big", "big", view_func=lambda: b"x" * BIG_BYTES)
    made.add_url_rule("/read", "read", view_func=lambda: str(len(request.get_data())), methods=["POST"])
    return made


@pytest.fixture
def server(live: QuietTable, app: Flask) -> Iterator[Server]:
    with Server(app, live, "127.0.0.1", 0, SHORT) as made:
        yield made


def connect(server: Server, host: str = PHONE) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=10, source_address=(host, 0))


def is_cut(connection: socket.socket) -> bool:
    """Whether the server closes the connection within 10 s, without an answer."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def hung_up(connection: socket.socket, within_s: float) -> bool:
    """Whether the server cuts the connection within this time, however much there is still to be read."""
    poll = select.poll()
    poll.register(connection, 0)  # it tells of a cut whatever is asked
    return bool(poll.poll(within_s * 1000))


def told_of(monkeypatch: pytest.MonkeyPatch, what: str) -> Queue[tuple[str, int]]:
    """The addresses whose connection (`closed`) or request (`ended`) has ended, as the guard is told of it."""
    told, act = Queue[tuple[str, int]](), getattr(Guard, what)

    def telling(guarding: Guard, of: Any) -> None:
        act(guarding, of)
        told.put(of if isinstance(of, tuple) else of.get_extra_info("peername"))

    monkeypatch.setattr(Guard, what, telling)
    return told


def leave(connection: socket.socket, told: Queue[tuple[str, int]]) -> None:
    """Close the connection, and wait until the guard knows it."""
    own = connection.getsockname()
    connection.close()
    while told.get(timeout=10) != own:
        pass


def is_refused(server: Server, host: str = PHONE) -> bool:
    """Whether a new connection ends at once."""
    try:
        with connect(server, host) as refused:
            return is_cut(refused)
    except ConnectionResetError:
        return True


def all_from(connection: socket.socket) -> bytes:
    """Everything that still comes before the connection ends."""
    read = bytearray()
    with suppress(ConnectionResetError):
        while more := connection.recv(1 << 20):
            read += more
    return bytes(read)


def status(connection: socket.socket, said: bytes = HEAD) -> int:
    connection.sendall(said)
    return int(connection.recv(65536).split()[1])


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET /api/state HTTP/1.1\r\nHost: local",
        b"POST /api/undo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{",
        b"POST /api/undo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    ],
    ids=["silent", "half a head", "half a body", "half a chunked body"],
)
def test_what_is_not_sent_in_time_is_cut(server: Server, said: bytes) -> None:
    with connect(server) as slow:
        slow.sendall(said)
        assert is_cut(slow)


def test_who_trickles_is_cut_all_the_same(server: Server) -> None:
    def trickle(slow: socket.socket) -> None:
        for byte in HEAD:  # 43 bytes, slower than the deadline allows
            slow.sendall(bytes([byte]))
            hung_up(slow, within_s=0.05)

    with connect(server) as slow, pytest.raises(OSError, match=r"reset|Broken pipe"):
        trickle(slow)


def test_a_second_head_has_a_deadline_too(server: Server) -> None:
    with connect(server) as slow:
        assert status(slow) == 200
        slow.sendall(HEAD[:20])
        all_from(slow)  # the rest of the first answer; it returns because the connection is cut


def test_who_does_not_read_is_cut(server: Server) -> None:
    with connect(server) as stalled:
        stalled.sendall(b"GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert hung_up(stalled, within_s=10)
        assert len(all_from(stalled)) < BIG_BYTES


def test_a_request_that_runs_has_no_deadline(live: QuietTable, app: Flask) -> None:
    app.add_url_rule("/slow", "slow", view_func=lambda: str(threading.Event().wait(3 * SHORT.head_s)))
    with Server(app, live, "127.0.0.1", 0, SHORT) as server, connect(server) as patient:
        assert status(patient, b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n") == 200


@pytest.mark.parametrize(
    ("head", "body"),
    [(b"Content-Length: 300000", b"x" * 300_000), (b"Transfer-Encoding: chunked", b"493e0\r\n" + b"x" * 300_000)],
    ids=["as declared", "chunked"],
)
def test_a_body_beyond_the_limit_is_refused_before_it_is_whole(server: Server, head: bytes, body: bytes) -> None:
    """The last of it is never sent, and no thread waits for it."""
    with connect(server) as sending:
        sending.sendall(b"POST /read HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n\r\n" + body[:-1])
        assert b" 413 " in sending.recv(65536)


def test_a_chunked_body_arrives_whole(server: Server) -> None:
    with connect(server) as sending:
        sending.sendall(b"POST /read HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        for chunk in (b"3\r\nabc\r\n", b"2\r\nde\r\n", b"0\r\n\r\n"):
            sending.sendall(chunk)
        assert all_from(sending).endswith(b"\r\n\r\n5")


def test_a_header_with_an_underscore_passes_for_no_other(live: QuietTable, app: Flask) -> None:
    app.add_url_rule("/seat", "seat", view_func=lambda: request.headers.get("X-Seat", "none"))
    with Server(app, live, "127.0.0.1", 0) as server, connect(server) as asking:
        asking.sendall(b"GET /seat HTTP/1.1\r\nHost: localhost\r\nX_Seat: 2\r\nConnection: close\r\n\r\n")
        assert all_from(asking).endswith(b"none")


@pytest.fixture
def phones() -> Iterator[ExitStack]:
    """Closes the connections that a test opens."""
    with ExitStack() as opened:
        yield opened


def test_one_address_has_its_share_of_connections_and_the_others_have_theirs(
    live: QuietTable, app: Flask, phones: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = told_of(monkeypatch, "closed")
    monkeypatch.setattr("web.server.connection_places", lambda: Places(total=5, each=3, here=1))
    with Server(app, live, "127.0.0.1", 0) as server:
        greedy = [phones.enter_context(connect(server)) for _ in range(3)]
        assert [status(each) for each in greedy] == [200] * 3
        assert is_refused(server)
        others = [phones.enter_context(connect(server, "127.0.0.3")) for _ in range(2)]
        assert [status(each) for each in others] == [200] * 2
        assert is_refused(server, "127.0.0.3")  # the network's places are all taken
        assert status(phones.enter_context(connect(server, "127.0.0.1"))) == 200
        leave(greedy[0], told)
        assert status(phones.enter_context(connect(server, "127.0.0.3"))) == 200


def test_one_address_has_four_streams(
    live: QuietTable, app: Flask, phones: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = told_of(monkeypatch, "ended")
    watch = HEAD.replace(b"state", b"stream")
    with Server(app, live, "127.0.0.1", 0) as server:
        watching = [phones.enter_context(connect(server)) for _ in range(5)]
        assert [status(each, watch) for each in watching] == [200] * 4 + [503]
        for host in ("127.0.0.3", "127.0.0.1"):
            assert status(phones.enter_context(connect(server, host)), watch) == 200
        leave(watching[0], told)
        assert status(phones.enter_context(connect(server)), watch) == 200  # the place is free again


def test_calls_of_one_address_leave_threads_to_the_others(live: QuietTable, app: Flask, phones: ExitStack) -> None:
    free, runs = threading.Event(), threading.Semaphore(0)

    def slow() -> str:
        runs.release()
        return str(free.wait(10))

    app.add_url_rule("/slow", view_func=slow)
    with Server(app, live, "127.0.0.1", 0) as server:
        for _ in range(15):
            phones.enter_context(connect(server)).sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert all(runs.acquire(timeout=10) for _ in range(AT_ONCE))
        for host in ("127.0.0.3", "127.0.0.1"):
            assert status(phones.enter_context(connect(server, host))) == 200
        free.set()


def test_stopping_does_not_wait_for_those_who_trickle_or_do_not_read(
    live: QuietTable, app: Flask, phones: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.server._CALLS_END_S", 0.2)
    before = set(threading.enumerate())
    server = Server(app, live, "127.0.0.1", 0)
    with server:
        for said in (b"", HEAD[:9]):
            phones.enter_context(connect(server)).sendall(said)
        for said in (HEAD.replace(b"state", b"stream"), b"GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            begun = phones.enter_context(connect(server))
            begun.sendall(said)
            assert begun.recv(1) == b"H"  # the answer has begun
    later = set(threading.enumerate()) - before
    assert not any(thread.name == "web" for thread in later)  # `stop` waits for it for seconds only


@pytest.mark.parametrize(
    ("descriptors", "network", "here"), [(524_288, 512, 128), (1024, 512, 128), (512, 205, 51), (64, 32, 8)]
)
def test_connections_leave_descriptors_to_the_rest(
    descriptors: int, network: int, here: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (descriptors, descriptors))
    monkeypatch.setattr(guard, "_EACH", 10_000)
    places = connection_places()
    taken = {peer: sum(places.take(peer) is not None for _ in range(1000)) for peer in ("192.168.1.20", HERE)}
    assert taken == {"192.168.1.20": network, HERE: here}
