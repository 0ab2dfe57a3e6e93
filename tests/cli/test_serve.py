"""`tablecoin serve`, the real command in a process of its own: killed and started again, and ended by a signal."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.cli.served import Served


@pytest.mark.heavy  # two starts of the whole program
def test_killed_and_started_again_nothing_is_lost_and_a_signal_ends_it(tmp_path: Path) -> None:
    served = Served(tmp_path)
    served.post("api/games", {"game": "goes-around", "options": {"players": 3}, "seats": {}})
    before = served.post("api/act", {"do": "commit", "seat": "1", "action": "pass"})
    assert before["ok"], before
    shown = served.get("api/state")
    served.end(signal.SIGKILL)

    again = Served(tmp_path)
    state = again.get("api/state")
    assert state["game"] == shown["game"]
    assert state["game"]["committed"] == ["1"]
    assert state["seq"] > shown["seq"]
    assert again.end(signal.SIGTERM) == 0
    assert not [line for line in again.said if "Traceback" in line]
    assert not list(tmp_path.glob("*-wal")), "the journal was closed"
