"""A service that cannot start shows its sentence to this computer, and never tells systemd that it is ready."""

from __future__ import annotations

import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablecoin import appliance
from tablecoin.cli import main, unstarted


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The socket at which systemd listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield listening


def test_the_sentence_is_at_every_address_of_this_computer_alone() -> None:
    with unstarted.page("<b> is no port", 0) as port:
        for path in ("", "kiosk", "healthz", "api/state"):
            with pytest.raises(urllib.error.HTTPError) as answer:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=5)
            assert answer.value.code == 503
            assert "<p>&lt;b&gt; is no port</p>" in answer.value.read().decode()
        with pytest.raises(ConnectionRefusedError):  # every address of 127.0.0.0/8 is this computer's
            socket.create_connection(("127.0.0.2", port), 5)


def test_it_ends_when_it_is_stopped_and_systemd_never_hears_ready(systemd: socket.socket) -> None:
    ended = threading.Event()
    ended.set()
    unstarted.show("the disk is full", 0, ended)
    assert systemd.recv(1000) == b"STATUS=the disk is full"
    with pytest.raises(BlockingIOError):
        systemd.recv(1000)


def test_where_the_port_is_taken_it_ends_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        unstarted.show("the port is taken", taken.getsockname()[1], threading.Event())


Shown = list[tuple[str, int]]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """(sentence, port) of each page that `serve` shows."""
    pages: Shown = []
    monkeypatch.setattr(unstarted, "on_signal", lambda stop: None)
    monkeypatch.setattr(unstarted, "show", lambda sentence, port, ended: pages.append((sentence, port)))
    return pages


@pytest.mark.parametrize(
    ("settings", "port"),
    [
        ("[camera]\nsauce = 1", 8000),
        ("[camera]\nsauce = 1\n[web]\nport = 81", 81),
        ("[web]\nport = 'no'", 8000),
        ("[web]\nport = 99999", 8000),
        ("[web\n", 8000),
    ],
)
def test_wrong_settings_are_shown_at_the_port_that_they_name(
    settings: str, port: int, shown: Shown, systemd: socket.socket, tmp_path: Path
) -> None:
    file = tmp_path / "tablecoin.toml"
    file.write_text(settings, "utf-8")
    done = CliRunner().invoke(main, ["serve", "--config", str(file)])
    assert done.exit_code == 2
    assert shown == [(done.stderr.removeprefix("tablecoin: ").strip(), port)]


@pytest.mark.parametrize("error", [appliance.CannotStart("the journal is held"), PermissionError(13, "no", "/data")])
@pytest.mark.parametrize("port", [0, 8123])
def test_whatever_else_keeps_it_from_starting_is_shown(
    error: Exception, port: int, shown: Shown, systemd: socket.socket, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(appliance, "Appliance", broken)
    command = ["serve", "--data", str(tmp_path), "--port", str(port)]
    assert CliRunner().invoke(main, command).exit_code == 2
    assert [page[1] for page in shown] == [port or 8000]
    monkeypatch.delenv("NOTIFY_SOCKET")
    on_a_terminal = CliRunner().invoke(main, command)
    assert (on_a_terminal.exit_code, len(shown)) == (2, 1)
    assert on_a_terminal.stderr == f"tablecoin: {shown[0][0]}\n"
