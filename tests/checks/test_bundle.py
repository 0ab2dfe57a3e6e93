"""The bug report: secrets lie everywhere, and none is in the file."""

from __future__ import annotations

import io
import json
import socket
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from tablecoin.checks import bundle
from tablecoin.checks.bundle import Redactor, report, shown_settings
from tablecoin.checks.finding import Finding, found
from tablecoin.cli import main
from tablecoin.rules.rulebook import Message
from tablecoin.settings import Settings, load, with_flags
from tablecoin.vision.calibrated import FILE, Calibration, save

PIN, KEY, COOKIE = "482913", "k9ZqT3vWmB71xYp0LrNe55aQ", "eyJzZWF0IjoiaGVhZHMifQ.Zx81"
PEOPLE = ("Wilhelmina", "Xiaoyun")
SECRETS = (
    PIN, KEY, COOKIE, *PEOPLE, "hunter2", "192.168.7.31", "fd12:3456::77", "b8:27:eb:12:34:56", "coins.example",
    "secretcam", "/home/wilma", "wilma", "amount", "wilma@mail.example", "dead.letter", "table-at-home.local",
)  # fmt: skip
LOG = f"""\
2026-11-22T20:59:42+0000 tablecoin[1234]: INFO web: the PIN is {PIN}
2026-11-22T20:59:43+0000 tablecoin[1234]: INFO web: pin={PIN} key: {KEY}
2026-11-22T20:59:43+0000 tablecoin[1234]: INFO web: PIN {PIN} was tried from 192.168.7.31 and [fd12:3456::77]:51234
2026-11-22T20:59:44+0000 tablecoin[1234]: DEBUG web: Set-Cookie: session={COOKIE}; Path=/
2026-11-22T20:59:44+0000 tablecoin[1234]: WARNING web: token {KEY} of the phone b8:27:eb:12:34:56 has ended
2026-11-22T20:59:45+0000 tablecoin[1234]: ERROR referee: could not handle {{"do": "commit", "seat": "1", "amount": 4}}
2026-11-22T20:59:45+0000 tablecoin[1234]: ERROR referee: could not handle Commit(seat='1', target='2', amount=4)
2026-11-22T20:59:46+0000 tablecoin[1234]: INFO club: 'Wilhelmina' plays "Xiaoyun"; mail wilma@mail.example
2026-11-22T20:59:47+0000 tablecoin[1234]: INFO live: for phones: http://192.168.7.31:8000/ http://table-at-home.local:8000/
2026-11-22T20:59:47+0000 tablecoin[1234]: INFO live: reached as table-at-home.local
2026-11-22T20:59:48+0000 tablecoin[1234]: ERROR vision: rtsp://wilma:hunter2@secretcam:554/stream does not answer
2026-11-22T20:59:48+0000 tablecoin[1234]:   File "/home/wilma/tablecoin/live/eye.py", line 93, in watch
2026-11-22T20:59:49+0000 tablecoin[1234]: WARNING panel: The panel stopped answering (lgpio.error): check its cable.
"""


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A machine full of secrets: settings, data folder, log, user and computer name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/wilma"))
    monkeypatch.setattr(bundle, "_user", lambda: "wilma")
    monkeypatch.setattr(socket, "gethostname", lambda: "table-at-home")
    monkeypatch.setattr(bundle, "_log", lambda: LOG)
    data = tmp_path / "wilma-data"
    data.mkdir()
    (data / "keys.json").write_text(json.dumps({"pin": PIN, "key": KEY}))
    (data / "dead.letter").write_text(COOKIE)
    (data / "coins of Wilhelmina.npz").write_text("")
    (data / "journal.sqlite").write_text(f"{PEOPLE} {PIN}")
    save(Calibration.begin("camera at rtsp://wilma:hunter2@secretcam:554/", (1456, 1088), "2026-11-22"), data / FILE)
    chosen = with_flags(load(), camera="rtsp://wilma:hunter2@secretcam:554/stream", host="192.168.7.31", data=str(data))
    web = msgspec.structs.replace(chosen.web, hosts=("coins.example",))
    return msgspec.structs.replace(chosen, web=web)


def findings(settings: Settings) -> list[Finding]:
    return [
        found(
            "versions", "ok", "versions", tablecoin="0.1", python="3.11", machine="aarch64", packages="opencv 5.0.0.93"
        ),
        found("network", "ok", "network", addresses="192.168.7.31, fd12:3456::77"),
        found("disk", "ok", "disk", folder=str(settings.data_dir), free="3.1", ms=12),
        Finding("camera", "fail", Message("camera.stream.absent", {"camera": "rtsp://wilma:hunter2@secretcam:554/"})),
    ]


def contents(packed: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name).decode("utf-8") for name in archive.namelist()}


def test_secrets_lie_everywhere_and_none_is_in_the_file(settings: Settings) -> None:
    texts = contents(report(settings, findings(settings))[0])
    everything = "\n".join([*texts, *texts.values()]).replace("a sealed choice", "")
    assert [secret for secret in SECRETS if secret.lower() in everything.lower()] == []


def test_what_helps_is_in_the_file(settings: Settings) -> None:
    packed, inside = report(settings, findings(settings))
    texts = contents(packed)
    assert list(texts) == inside
    assert inside == [
        "README.txt",
        "doctor.jsonl",
        "system.json",
        "settings.json",
        "calibration.json",
        "files.json",
        "log.txt",
    ]
    assert all(name in texts["README.txt"] for name in inside[1:])
    assert "The panel stopped answering (lgpio.error): check its cable." in texts["log.txt"]
    assert "2026-11-22T20:59:49+0000" in texts["log.txt"]
    assert 'live/eye.py", line 93, in watch' in texts["log.txt"]
    assert "opencv 5.0.0.93" in texts["doctor.jsonl"]
    assert '"<data>: 3.1 GB free' in texts["doctor.jsonl"]
    assert json.loads(texts["settings.json"])["camera"]["source"] == "rtsp:…"
    assert json.loads(texts["files.json"]).keys() == {"calibration.json", "journal.sqlite"}
    assert len(texts["log.txt"].splitlines()) == len(LOG.splitlines())


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("at 10.0.0.7:8000 now", "at <address>:8000 now"),
        ("127.0.0.1:8000 is free", "127.0.0.1:8000 is free"),
        ("version 3.11.7", "version 3.11.7"),
        ("at 20:59:42 o'clock", "at 20:59:42 o'clock"),
        ("fe80::1 and ::1", "<address> and ::1"),
        ("http://u:p@host/x?y=1 fails", "http://<address> fails"),
        ("the pin is 1234", "the pin is <left-out>"),
        ("pins 16 and 20", "pins 16 and 20"),
        ("header pin 29", "header pin 29"),
        ("password=a b", "password=<left-out> b"),
        ("Cookie: a=b; c=d", "Cookie <left-out>"),
        ("/home/ann/x.toml", "/home/<user>/x.toml"),
        ("1456×1088, 0.34 mm", "1456×1088, 0.34 mm"),
    ],
)
def test_a_text_without_what_is_private(text: str, clean: str) -> None:
    assert Redactor(load()).text(text) == clean


def test_every_setting_is_shown_or_known_to_be_private() -> None:
    """A new key is left out until somebody has decided that it is no secret."""
    private = {
        "web": {"hosts", "host"},
        "virtual": set[str](),
        "camera": set[str](),
        "table": set[str](),
        "panel": set[str](),
    }
    shown = shown_settings(load())
    assert shown.keys() == set(Settings.__struct_fields__)
    assert {
        name: set(getattr(load(), name).__struct_fields__) - shown[name].keys() - private[name] for name in private
    } == {name: set() for name in private}


def test_the_command_writes_it_and_says_what_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "_log", lambda: "")
    file = tmp_path / "report.zip"
    flags = ["--camera", "virtual", "--data", str(tmp_path / "data"), "--bundle"]
    run = CliRunner().invoke(main, ["doctor", *flags, str(file)])
    assert run.exit_code == 0
    assert "holds README.txt, doctor.jsonl, system.json, settings.json, files.json. Look at it" in run.stderr
    assert "log.txt" not in contents(file.read_bytes())


def test_a_report_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    flags = ["--camera", "virtual", "--data", str(tmp_path), "--bundle", str(tmp_path / "no" / "report.zip")]
    run = CliRunner().invoke(main, ["doctor", *flags])
    assert run.exit_code == 2
    assert "cannot be written (No such file or directory): give another place" in run.stderr.splitlines()[-1]


@pytest.mark.parametrize("answer", [OSError(2, "no journalctl"), "-- No entries --\n"])
def test_without_a_log_there_is_none(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    def journalctl(*_: Any, **__: Any) -> SimpleNamespace:
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(stdout=answer)

    monkeypatch.setattr("subprocess.run", journalctl)
    assert bundle._log() == ""
