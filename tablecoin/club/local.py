"""Tables without a broker: their own pages tell how they stand. So one command shows a club of this machine's tables.

Rulings are not kept this way, and no game is assigned: that takes a broker.
"""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from http.client import HTTPException
from typing import Any
from urllib.request import Request, urlopen

import msgspec

from tablecoin.club.database import DatabaseError
from tablecoin.club.ledger import Ledger
from tablecoin.mqtt.messages import Began, GameResult, Seated, Summary
from tablecoin.rules import load
from tablecoin.rules.game import RulesError
from tablecoin.rules.rulebook import Message

log = logging.getLogger(__name__)

_STEP_S = 1.0
_HISTORY_EVERY = 10  # steps
_PICTURE_EVERY = 2  # steps
_TIMEOUT_S = 4.0
_LARGEST = 4 << 20  # bytes of an answer


class LocalTables:
    """Asks each table again and again, each on a thread of its own, between `start` and `stop`."""

    def __init__(self, ledger: Ledger, urls: Sequence[str], step_s: float = _STEP_S) -> None:
        self._ledger, self._step_s = ledger, step_s
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._follow, args=(url.rstrip("/"),), name=f"table {url}", daemon=True)
            for url in dict.fromkeys(urls)
        ]

    def start(self) -> None:
        for each in self._threads:
            each.start()

    def stop(self) -> None:
        self._stopping.set()
        for each in self._threads:
            each.join(_TIMEOUT_S + 1)

    def _follow(self, url: str) -> None:
        table, steps = name_of(url), 0
        while not self._stopping.is_set():
            try:
                self._look(table, url, steps)
                self._ledger.hall.unnote("club.local.away", table)
            except (OSError, HTTPException, ValueError, KeyError, TypeError, msgspec.ValidationError) as error:
                log.debug("%s: %s", url, error)
                self._ledger.hall.up(table, False)
                self._ledger.hall.note(Message("club.local.away", {"url": url}), table)
            except DatabaseError as error:
                self._ledger.hall.note(Message("club.disk", {"why": error.message}))
            steps += 1
            self._stopping.wait(self._step_s)

    def _look(self, table: str, url: str, steps: int) -> None:
        state = json.loads(_get(f"{url}/api/state"))
        self._ledger.hall.summary(summary(table, url, state), time.monotonic(), None)
        self._ledger.hall.up(table, True)
        if steps % _PICTURE_EVERY == 0:
            with suppress(OSError, HTTPException):  # a camera that starts has none yet
                self._ledger.hall.shown(table, _get(f"{url}/frame.jpg?view=mat"))
        if steps % _HISTORY_EVERY == 0:
            told = results(table, json.loads(_get(f"{url}/api/history")))
            self._ledger.database.keep_results(told)
            self._ledger.results_changed()


def name_of(url: str) -> str:
    """A table's name in the club, made of its address: http://192.168.1.30:8000 is 192-168-1-30-8000."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", url.partition("://")[2]).strip("-")[:40]


def summary(table: str, url: str, state: Mapping[str, Any]) -> Summary:
    """A table's snapshot, as its /api/state tells it, as a Summary. Raises KeyError, TypeError, ValidationError."""
    game, prompt, ruling = state["game"], state["prompt"], state.get("ruling")
    name = game["game"] if game else None
    try:
        title = dict(load(name).title) if name else {}
    except RulesError:
        title = {}
    scores = (game or {}).get("score") or (game or {}).get("totals") or {}
    names = state.get("names", {})
    seats = tuple(
        Seated(str(seat), player, str(names.get(seat, "")), scores.get(seat))
        for seat, player in (state.get("seats") or dict.fromkeys(scores, "person")).items()
    )
    outcome = (game or {}).get("outcome")
    return Summary(
        table=table,
        name=url.partition("://")[2],
        device="",
        journal="",
        newest=int(ruling["seq"]) if ruling else 0,
        program="",
        sent=datetime.now(UTC).isoformat(),
        url=url,
        game=name,
        title=title,
        phase=str((game or {}).get("phase", "")),
        prompt=str(prompt["kind"]),
        said=dict(prompt["texts"]),
        seats=seats,
        turn=tuple(map(str, (game or {}).get("to_act", ()))),
        winners=tuple(outcome["winners"]) if outcome else None,
        ruling=dict(ruling["texts"]) if ruling else {},
    )


def results(table: str, history: Mapping[str, Any]) -> list[GameResult]:
    """The games that are over, as a table's /api/history tells them. Raises KeyError, TypeError, ValidationError."""
    return [
        GameResult(
            table=table,
            journal="",
            number=each["number"],
            first=0,
            last=each["rulings"],
            digest="",
            began=each["began"],
            ended=each["ended"],
            how=msgspec.convert({key: each[key] for key in _BEGAN} | {"game": each["game"]}, Began),
            winners=tuple(each["outcome"]["winners"]),
            scores={},
            said=each["outcome"]["texts"],
        )
        for each in history["games"]
        if each["ended"] and each["outcome"]
    ]


_BEGAN = ("options", "seats", "names", "level", "best_of")


def _get(url: str) -> bytes:
    """What a table answers. Raises OSError, HTTPException, ValueError."""
    with urlopen(Request(url, headers={"Accept": "*/*"}), timeout=_TIMEOUT_S) as answer:
        body: bytes = answer.read(_LARGEST + 1)
    if len(body) > _LARGEST:
        raise ValueError("too long")
    return body
