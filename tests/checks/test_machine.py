"""The computer's own state, on file systems that the tests make: a hot Pi, a weak supply, a clock that is wrong."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tablecoin.checks import machine
from tablecoin.checks.disk import disk
from tablecoin.settings import WebSettings


def put(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


@pytest.fixture(autouse=True)
def no_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """No vcgencmd and no timedatectl."""

    def missing(command: Any, **_: Any) -> None:
        raise FileNotFoundError(2, f"no {command[0]}")

    monkeypatch.setattr("subprocess.run", missing)


def says(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    monkeypatch.setattr("subprocess.run", lambda *_, **__: SimpleNamespace(stdout=answer))


@pytest.mark.parametrize(
    ("milli", "status", "said"),
    [
        (["45123"], "ok", "the processor has 45 °C"),
        (["45123", "81200"], "warn", "the processor has 81 °C"),
        (["broken", "50000"], "ok", "the processor has 50 °C"),
        ([], "ok", "this computer does not tell"),
    ],
)
def test_the_hottest_thermometer_counts(tmp_path: Path, milli: list[str], status: str, said: str) -> None:
    for k, text in enumerate(milli):
        put(tmp_path, f"sys/class/thermal/thermal_zone{k}/temp", text)
    found = machine.temperature(tmp_path)
    assert (found.status, found.said) == (status, said)
    assert ("fan" in found.todo) == (status == "warn")


@pytest.mark.parametrize(
    ("bits", "status", "said"),
    [
        ("0", "ok", "enough"),
        ("50005", "fail", "the voltage is low right now"),
        ("50000", "warn", "the voltage was too low at times"),
        ("20002", "warn", "the processor is slowed down"),
        ("80000", "warn", "the processor was slowed down at times"),
    ],
)
def test_a_weak_supply_and_heat_are_told_now_and_before(tmp_path: Path, bits: str, status: str, said: str) -> None:
    put(tmp_path, "sys/devices/platform/soc/soc:firmware/get_throttled", f"{bits}\n")
    found = machine.power(tmp_path)
    assert found.status == status
    assert said in found.said


def test_where_the_file_is_missing_vcgencmd_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.power(tmp_path).said == "this computer does not tell"
    says(monkeypatch, "throttled=0x50005\n")
    assert machine.power(tmp_path).status == "fail"


def test_a_clock_that_the_network_has_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.clock(tmp_path).said == "this computer does not tell"
    says(monkeypatch, "no\n")
    assert machine.clock(tmp_path).status == "warn"
    says(monkeypatch, "yes\n")
    assert machine.clock(tmp_path).status == "ok"


def test_the_clock_of_timesyncd_is_read_from_its_file(tmp_path: Path) -> None:
    put(tmp_path, "run/systemd/timesync/synchronized", "")
    assert machine.clock(tmp_path).said == "set by the network"


@pytest.mark.parametrize(
    ("addresses", "host", "status", "said"),
    [
        (["192.0.2.9"], "0.0.0.0", "ok", "this computer is at 192.0.2.9"),
        ([], "0.0.0.0", "warn", "there is none"),
        ([], "127.0.0.1", "ok", "there is none"),
    ],
)
def test_a_missing_network_matters_where_phones_are_to_join(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str], host: str, status: str, said: str
) -> None:
    monkeypatch.setattr(machine, "_addresses", lambda: iter(addresses))
    found = machine.network(WebSettings(host=host))
    assert (found.status, found.said) == (status, said)


def test_a_computer_without_sockets_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(97, "Address family not supported")

    monkeypatch.setattr(socket, "socket", refuse)
    assert list(machine._addresses()) == []


@pytest.mark.parametrize(("count", "status"), [("0", "ok"), ("7", "fail")])
def test_errors_that_the_file_system_noted_are_told(tmp_path: Path, count: str, status: str) -> None:
    number = tmp_path.stat().st_dev
    root = tmp_path / "root"
    put(root, "sys/devices/mmcblk0p2/uevent", "")
    put(root, "sys/fs/ext4/mmcblk0p2/errors_count", f"{count}\n")
    (root / "sys/dev/block").mkdir(parents=True)
    (root / f"sys/dev/block/{os.major(number)}:{os.minor(number)}").symlink_to(root / "sys/devices/mmcblk0p2")
    _, card = disk(tmp_path, root)
    assert (card.what, card.status) == ("card", status)
    assert "mmcblk0p2" in card.said


def test_of_another_file_system_nothing_is_said(tmp_path: Path) -> None:
    assert [found.what for found in disk(tmp_path, tmp_path)] == ["disk"]


@pytest.mark.parametrize(("ms", "status"), [(12.0, "ok"), (400.0, "warn")])
def test_a_card_that_writes_slowly_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ms: float, status: str
) -> None:
    monkeypatch.setattr("tablecoin.checks.disk._write_ms", lambda folder: ms)
    (found,) = disk(tmp_path, tmp_path)
    assert found.status == status
    assert f"{ms:.0f} ms" in found.said


def test_the_probe_leaves_nothing_behind(tmp_path: Path) -> None:
    list(disk(tmp_path, tmp_path))
    assert list(tmp_path.iterdir()) == []
