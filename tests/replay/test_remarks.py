"""Breaks, disputes and requests are told in a replay; every one that the journal may hold has its sentence."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from tablecoin.journal.record import Entry
from tablecoin.referee.events import Consent, Disputed, Motion, Paused
from tablecoin.replay.remarks import remark
from tablecoin.rules.rulebook import texts

REMARKS = [
    *({"event": "pause", "step": step, "seat": None} for step in get_args(get_type_hints(Paused)["step"])),
    *(
        {"event": "dispute", "ruling": 3, "step": step, "seat": "heads"}
        for step in get_args(get_type_hints(Disputed)["step"])
    ),
    *(
        {"event": "consent", "what": what, "step": step, "seat": "heads"}
        for what in get_args(Motion)
        for step in get_args(get_type_hints(Consent)["step"])
    ),
]


@pytest.mark.parametrize("told", REMARKS, ids=lambda told: " ".join(map(str, told.values())))
def test_each_has_a_sentence_in_every_language(told: dict[str, object]) -> None:
    said = remark(Entry(event=str(told["event"]), extra={k: v for k, v in told.items() if k != "event"} | {"t": "now"}))
    assert said
    assert all(sentence and "replay." not in sentence for sentence in texts(said).values())


@pytest.mark.parametrize(
    "entry",
    [
        Entry(event="undo"),
        Entry(event="pause", extra={"step": "elsewhere"}),
        Entry(event="consent", extra={"what": 7}),
        Entry(action={"do": "done"}),
    ],
    ids=["undo", "an unknown step", "a number", "an act"],
)
def test_other_lines_have_none(entry: Entry) -> None:
    assert remark(entry) is None
