"""A game is analysed in a process of its own, which ends with the program."""

from __future__ import annotations

import json

import pytest

from tablecoin.journal.record import write_record
from tests.replay.games import random_record
from web.analyses import Failed, analyse_apart

RECORD = "".join(write_record(random_record("exact"))).encode()


def test_the_command_s_own_answer_comes_back() -> None:
    told = json.loads(analyse_apart(lambda: False)(RECORD))
    assert told["game"] == "exact"
    assert told["end"] == {"heads": 0.0, "tails": 1.0}


@pytest.mark.parametrize("record", [b"", b'{"game": "chess"}', RECORD[:-200]], ids=["empty", "of no game", "cut"])
def test_a_record_that_is_none_is_told_in_one_sentence(record: bytes) -> None:
    with pytest.raises(Failed, match=r"^tablecoin: /dev/stdin line \d+: "):
        analyse_apart(lambda: False)(record)


def test_it_ends_when_the_program_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.analyses._LOOKS_UP_S", 0.01)
    with pytest.raises(Failed, match="it was stopped"):
        analyse_apart(lambda: True)(RECORD)
