"""Switching the computer off: asked of systemd's login manager, and one sentence where it is not allowed."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace
from typing import Any

import pytest

from tablecoin.live import power
from tablecoin.rules.rulebook import sentence

ALLOWED, REFUSED, PASSWORD = 's "yes"\n', 's "no"\n', 's "challenge"\n'
NO_BUS = subprocess.CalledProcessError(1, "busctl", stderr="Failed to connect to bus: No such file or directory\n")
NO_PROGRAM = FileNotFoundError(2, "No such file or directory")


class Manager:
    """Stands in for busctl: answers to CanPowerOff, and to PowerOff."""

    def __init__(self, can: str | Exception, off: str | Exception = "") -> None:
        self.answers, self.asked = {"CanPowerOff": can, "PowerOff": off}, list[str]()

    def __call__(self, command: list[str], **_: Any) -> SimpleNamespace:
        method = next(name for name in self.answers if name in command)
        self.asked.append(method)
        answer = self.answers[method]
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(stdout=answer)


@pytest.mark.parametrize(
    ("answer", "may"),
    [(ALLOWED, "yes"), (REFUSED, "no"), (PASSWORD, "no"), (NO_BUS, "unknown"), (NO_PROGRAM, "unknown")],
)
def test_whether_it_is_allowed_is_asked(monkeypatch: pytest.MonkeyPatch, answer: str | Exception, may: str) -> None:
    monkeypatch.setattr("subprocess.run", Manager(answer))
    assert power.may_power_off() == may


def test_where_it_is_allowed_the_computer_goes_down(monkeypatch: pytest.MonkeyPatch) -> None:
    manager = Manager(ALLOWED)
    monkeypatch.setattr("subprocess.run", manager)
    assert power.power_off() is None
    assert manager.asked == ["CanPowerOff", "PowerOff"]


@pytest.mark.parametrize("answer", [REFUSED, PASSWORD, NO_BUS, NO_PROGRAM])
def test_where_it_is_not_nothing_is_tried_and_one_sentence_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, answer: str | Exception
) -> None:
    manager = Manager(answer)
    monkeypatch.setattr("subprocess.run", manager)
    why = power.power_off()
    assert why is not None
    assert "systemd/INSTALL.md" in sentence(why)
    assert manager.asked == ["CanPowerOff"]


def test_a_shutdown_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.run", Manager(ALLOWED, NO_BUS))
    why = power.power_off()
    assert why is not None
    assert "Failed to connect to bus" in sentence(why)
