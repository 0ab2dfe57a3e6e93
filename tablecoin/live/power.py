"""Switches this computer off, where its owner allows the program to: systemd's login manager is asked over D-Bus.

A service has no right to do that. `systemd/polkit.rules` gives it this one right, and no other.
"""

from __future__ import annotations

import subprocess
from typing import Literal

from tablecoin.rules.rulebook import Message

_MANAGER = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
_ANSWER_S = 5  # the login manager answers in milliseconds

May = Literal["yes", "no", "unknown"]  # unknown: nobody is there to ask


def may_power_off() -> May:
    """Whether this program may switch the computer off without a password."""
    try:
        answer = _call("CanPowerOff")
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return "yes" if answer.strip() == 's "yes"' else "no"


def power_off() -> Message | None:
    """Have the computer shut down in order; None when it will, else why not and what to do."""
    if may_power_off() != "yes":
        return Message("panel.off.not_allowed")
    try:
        _call("PowerOff", "b", "false")  # false: nobody is asked for a password
    except (OSError, subprocess.SubprocessError) as error:
        return Message("panel.off.failed", {"why": _why(error)})
    return None


def _call(method: str, *arguments: str) -> str:
    command = ["busctl", "--system", f"--timeout={_ANSWER_S}", "call", *_MANAGER, method, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=2 * _ANSWER_S, check=True)
    return done.stdout


def _why(error: Exception) -> str:
    said = error.stderr if isinstance(error, subprocess.CalledProcessError) else str(error)
    return " ".join(str(said).split())[:200]
