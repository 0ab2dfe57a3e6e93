"""systemd/healthy.py decides whether an update stays: it waits long enough, and is not fooled."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tablecoin
from tests.web.quiet import QuietTable
from web.app import create_app
from web.server import Server

FILE = Path(__file__).parents[2] / "systemd" / "healthy.py"


def _loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("healthy", FILE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


healthy = _loaded()

DEAD = None


def judged(answers: Callable[[float], int | None], wanted: str) -> tuple[int, str]:
    """The judgement on a program that has read `answers(seconds)` frames; None: it does not answer."""
    now = 0.0

    def ask() -> dict[str, Any]:
        frames = answers(now)
        if frames is None:
            raise ConnectionRefusedError("refused")
        return {"version": "1.2.3", "frames": frames}

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    status, said = healthy.judge(ask, wanted, lambda: now, sleep)
    assert now < 100  # it never waits much longer than its two limits
    return status, said


@pytest.mark.parametrize(
    ("program", "answers", "with_camera", "without"),
    [
        ("is well at once", lambda s: int(20 * s), 0, 0),
        ("needs 20 s to start", lambda s: DEAD if s < 20 else int(20 * (s - 20)), 0, 0),
        ("is well, but the camera needs 10 s more", lambda s: int(max(0, s - 10) * 20), 0, 0),
        ("has no camera", lambda s: 0, 3, 0),
        ("has a camera that stops after its first frame", lambda s: 1, 3, 0),
        ("never answers", lambda s: DEAD, 1, 1),
        ("dies after 2 s", lambda s: 0 if s < 2 else DEAD, 1, 1),
        ("dies and starts again every 2 s, reading 3 frames each time", lambda s: int(s % 2 * 2), 3, 0),
    ],
)
def test_a_program_is_judged(
    program: str, answers: Callable[[float], int | None], with_camera: int, without: int
) -> None:
    assert judged(answers, "frames")[0] == with_camera, program
    assert judged(answers, "page")[0] == without, program


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        (None, "http://127.0.0.1:8000/healthz"),
        ('data = "/d"', "http://127.0.0.1:8000/healthz"),
        ("[web]\nport = 80", "http://127.0.0.1:80/healthz"),
        ('[web]\nhost = "0.0.0.0"', "http://127.0.0.1:8000/healthz"),
        ('[web]\nhost = "::"', "http://127.0.0.1:8000/healthz"),
        ('[web]\nhost = "192.0.2.7"', "http://192.0.2.7:8000/healthz"),
        ('[web]\nhost = "::1"', "http://[::1]:8000/healthz"),
        ("[web\n", "http://127.0.0.1:8000/healthz"),
    ],
)
def test_the_settings_say_where_to_ask(settings: str | None, url: str, tmp_path: Path) -> None:
    file = tmp_path / "tablecoin.toml"
    if settings is not None:
        file.write_text(settings, "utf-8")
    assert healthy.address(file) == url


def test_the_address_is_said_without_asking_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tablecoin.toml").write_text('[web]\nhost = "::1"\nport = 81', "utf-8")
    assert healthy.main(tmp_path / "tablecoin.toml", "address") == 0
    assert capsys.readouterr().out == "[::1]:81\n"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    live = QuietTable(tmp_path / "table")
    with Server(create_app(live), live, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.port}"
    live.stop()


def test_a_running_table_answers(served: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QuietTable, "frames", 7)  # it has no camera
    assert healthy.asking(f"{served}/healthz")() == {"version": tablecoin.__version__, "frames": 7}


def test_whether_it_answers_now_is_told_without_waiting(
    served: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(healthy, "judge", None)  # which waits
    file, port = tmp_path / "tablecoin.toml", served.rpartition(":")[2]
    file.write_text(f"[web]\nport = {port}", "utf-8")
    assert healthy.main(file, "now") == 0
    file.write_text("[web]\nport = 9", "utf-8")
    assert healthy.main(file, "now") == 1


def test_another_program_at_the_port_is_not_taken_for_the_table(served: str) -> None:
    with pytest.raises(ValueError, match="another program"):
        healthy.asking(f"{served}/api/games")()
