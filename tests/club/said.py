"""Messages of tables, for the tests of the club."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from tablecoin.mqtt import topics
from tablecoin.mqtt.connection import Received as Heard
from tablecoin.mqtt.messages import Began, GameResult, Message, Ruling, Summary, write

_KIND = {Summary: topics.SUMMARY, Ruling: topics.EVENT}


def heard(message: Message, *, retained: bool = False) -> Heard:
    """The message as the broker brings it."""
    kind = next(name for name, each in ((topics.SUMMARY, Summary), (topics.EVENT, Ruling)) if isinstance(message, each))
    return Heard(topics.topic(message.table, kind), write(message), retained)  # type: ignore[union-attr]


def now() -> str:
    return datetime.now(UTC).isoformat()


def summary(table: str = "k7", newest: int = 0, **fields: object) -> Summary:
    told = {
        "table": table, "name": table.upper(), "device": f"d-{table}", "journal": "j1", "newest": newest,
        "program": "0.9", "sent": now(),
    } | fields  # fmt: skip
    return Summary(**told)  # type: ignore[arg-type]


def result(table: str = "k7", *, number: int = 1, last: int = 9, names: Mapping[str, str] | None = None,
           winners: tuple[str, ...] = ("heads",), assignment: str = "", journal: str = "j1",
           ended: str = "2026-11-23T20:00:00Z", began: str = "2026-11-23T19:00:00Z") -> GameResult:  # fmt: skip
    """A game of Steal that Ann (heads) and Bob (tails) played."""
    how = Began(
        "steal", {}, {"heads": "person", "tails": "person"}, names or {"heads": "Ann", "tails": "Bob"}, "easy", 1
    )
    return GameResult(
        table=table, journal=journal, number=number, first=1, last=last, digest=f"{table}{journal}{number}",
        began=began, ended=ended, how=how, winners=winners, scores={}, said={"en": "Over.", "zh": "结束。"},
        assignment=assignment,
    )  # fmt: skip


def ruling(number: int, table: str = "k7", *, kind: str = "move", game: int = 1, journal: str = "j1",
           told: GameResult | None = None) -> Ruling:  # fmt: skip
    return Ruling(
        table=table, journal=journal, number=number, game=game, group=number, at="2026-11-23T19:30:00Z", kind=kind,
        said={"en": f"Ruling {number}.", "zh": f"第 {number} 条裁决。"}, result=told,
    )  # fmt: skip
