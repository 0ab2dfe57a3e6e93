"""Tables without a broker: their own pages tell how they stand. So one command shows a club of this machine's tables.

Rulings are not kept this way, but the results of games are. A table takes games of a tournament where the club may act
at it: where both are on one machine, and the table is not open to the network.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import msgspec

from tablecoin.club.database import DatabaseError, GameGoing
from tablecoin.club.ledger import Ledger
from tablecoin.mqtt.messages import Assignment, Began, GameResult, Reply, Seated, Summary
from tablecoin.rules import load
from tablecoin.rules.game import RulesError
from tablecoin.rules.rulebook import LANGUAGES, Message
from tablecoin.storage.documents import read_json

log = logging.getLogger(__name__)

_STEP_S = 1.0
_HISTORY_EVERY = 10  # steps
_PICTURE_EVERY = 2  # steps
_ASSIGN_EVERY = 2  # steps
_TIMEOUT_S = 4.0
_LARGEST = 4 << 20  # bytes of an answer
_OLDER = 100  # games of a page of older ones: the most that a table gives


class Place(NamedTuple):
    """Where a table's page is."""

    table: str  # its name in the club
    name: str  # for people
    url: str
    sought: bool = False  # nobody named it: it is shown once it answers

    @classmethod
    def of(cls, url: str, *, sought: bool = False) -> Place:
        """The table at an address, called by it."""
        url = url.rstrip("/")
        return cls(name_of(url), url.partition("://")[2], url, sought)

    @property
    def answers(self) -> bool:
        """Whether a table answers there now."""
        with suppress(OSError, HTTPException, ValueError):
            return bool(_get(f"{self.url}/healthz"))
        return False


class LocalTables:
    """Asks each table again and again, each on a thread of its own, between `start` and `stop`."""

    def __init__(self, ledger: Ledger, places: Sequence[Place], step_s: float = _STEP_S) -> None:
        self._ledger, self._step_s = ledger, step_s
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._follow, args=(Followed(ledger, place),), name=place.name, daemon=True)
            for place in dict.fromkeys(places)
        ]

    def start(self) -> None:
        for each in self._threads:
            each.start()

    def stop(self) -> None:
        self._stopping.set()
        for each in self._threads:
            each.join(_TIMEOUT_S + 1)

    def _follow(self, table: Followed) -> None:
        while not self._stopping.is_set():
            table.step()
            self._stopping.wait(self._step_s)


class Followed:
    """One table. Called on one thread."""

    def __init__(self, ledger: Ledger, place: Place) -> None:
        self._ledger, self._place, self._steps = ledger, place, 0
        self._brought: Assignment | None = None  # the newest assignment that the table has
        self._games: Mapping[int, str] = {}  # number of a game -> the assignment that it was played for
        self._known: dict[int, tuple[str, int]] = {}  # number of a game -> its state when it was taken in
        self._playing = ""  # the assignment that was begun
        self._disputed = False
        self._found = not place.sought

    def step(self) -> None:
        """Look at the table once. What fails is said in the hall."""
        table, hall = self._place.table, self._ledger.hall
        self._ledger.keep_time()
        try:
            self._look()
            self._found = True
            hall.unnote("club.local.away", table)
        except (OSError, HTTPException, ValueError, KeyError, TypeError, msgspec.ValidationError) as error:
            log.debug("%s: %s", self._place.url, error)
            if self._found:
                hall.up(table, False)
                hall.note(Message("club.local.away", {"url": self._place.url}), table)
        except DatabaseError as error:
            hall.note(Message("club.disk", {"why": error.message}))
        self._steps += 1

    def _look(self) -> None:
        table, url, hall = self._place.table, self._place.url, self._ledger.hall
        state = read_json(_get(f"{url}/api/state"))
        hall.summary(summary(self._place, state, self._playing), time.monotonic(), None)
        hall.up(table, True)
        self._dispute(state)
        if self._steps % _PICTURE_EVERY == 0:
            with suppress(OSError, HTTPException):  # a camera that starts has none yet
                hall.shown(table, _get(f"{url}/frame.jpg?view=mat"))
        if self._steps % _ASSIGN_EVERY == 0:
            self._assign()
        if self._steps % (_ASSIGN_EVERY if self._brought else _HISTORY_EVERY) == 0:
            self._hear_games()

    def _hear_games(self) -> None:
        """Take in the table's games: at first all of them, later those since the newest that is known."""
        table, page, found = self._place.table, f"{self._place.url}/api/history", list[Mapping[str, Any]]()
        history = read_json(_get(page))
        while told := history["games"]:
            found += told
            if history["before"] is None or self._known.get(told[-1]["number"]) == _state(told[-1]):
                break
            history = read_json(_get(f"{page}?limit={_OLDER}&before={int(history['before'])}"))
        found.reverse()  # where a match was played twice, the newer game is told last
        every = {"games": found}
        self._ledger.take_results(results(table, every, self._games), going(table, every))
        self._known |= {each["number"]: _state(each) for each in found}

    def _dispute(self, state: Mapping[str, Any]) -> None:
        """Say once that a dispute began or ended: the organiser may have seen it."""
        disputed = state["prompt"]["kind"] == "dispute"
        if disputed and not self._disputed:
            self._ledger.hall.disputed(self._place.table, dict(state["prompt"]["texts"]))
        elif self._disputed and not disputed:
            self._ledger.hall.settled(self._place.table)
        self._disputed = disputed

    def _assign(self) -> None:
        """Bring the table the game that the club wants there, and hear what became of it."""
        wanted, table, hall = (
            self._ledger.tournaments.assignment(self._place.table),
            self._place.table,
            self._ledger.hall,
        )
        if wanted is None and self._brought is None:
            return
        try:
            told = _put(f"{self._place.url}/api/assigned", {"assignment": wanted})
        except HTTPError as error:  # it is there, and does not let us
            hall.note(Message("club.local.closed", {"name": self._place.name, "why": _why(error)}), table)
            return
        hall.unnote("club.local.closed", table)
        answer = read_json(told, _Told)
        self._brought, self._games = wanted, answer.games
        self._playing = answer.reply.id if answer.reply and answer.reply.answer == "begun" else ""
        if answer.reply:
            hall.reply(msgspec.structs.replace(answer.reply, table=table))


class _Told(msgspec.Struct):
    """What a table answers to an assignment."""

    reply: Reply | None
    games: dict[int, str]


def name_of(url: str) -> str:
    """A table's name in the club, made of its address: http://192.168.1.30:8000 is 192-168-1-30-8000."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", url.partition("://")[2]).strip("-")[:40]


def summary(place: Place, state: Mapping[str, Any], assignment: str = "") -> Summary:
    """A table's snapshot, as its /api/state tells it, as a Summary. Raises KeyError, TypeError, ValidationError.

    `assignment`: for which its game is played.
    """
    game, prompt, ruling = state["game"], state["prompt"], state.get("ruling")
    name = game["game"] if game else None
    try:
        title = dict(load(name).title) if name else {}
    except RulesError:
        title = {}
    scores = (game or {}).get("score") or (game or {}).get("totals") or {}
    names, clock = state.get("names", {}), state.get("clock") or {"left_s": {}, "running": ()}
    seats = tuple(
        Seated(str(seat), player, str(names.get(seat, "")), scores.get(seat)).timed(
            clock["left_s"], clock["running"], datetime.now(UTC)
        )
        for seat, player in (state.get("seats") or dict.fromkeys(scores, "person")).items()
    )
    outcome = (game or {}).get("outcome")
    return Summary(
        table=place.table,
        name=place.name,
        device="",
        journal="",
        newest=int(ruling["seq"]) if ruling else 0,
        program="",
        sent=datetime.now(UTC).isoformat(),
        url=place.url,
        game=name,
        title=title,
        phase=str((game or {}).get("phase", "")),
        prompt=str(prompt["kind"]),
        said=dict(prompt["texts"]),
        seats=seats,
        turn=tuple(map(str, (game or {}).get("to_act", ()))),
        winners=tuple(outcome["winners"]) if outcome else None,
        ruling=dict(ruling["texts"]) if ruling else {},
        assignment=assignment,
    )


def results(table: str, history: Mapping[str, Any], assigned: Mapping[int, str]) -> list[GameResult]:
    """The games that are over, as a table's /api/history tells them. Raises KeyError, TypeError, ValidationError.

    A page does not tell its journal's name. When a game began stands for it: where a backup was restored, another game
    has its number.
    `assigned`: number of a game -> the assignment that it was played for.
    """
    return [
        GameResult(
            table=table,
            journal=each["began"],
            number=each["number"],
            first=0,
            last=_age(each, assigned=each["number"] in assigned),
            digest="",
            began=each["began"],
            ended=each["ended"],
            how=msgspec.convert({key: each[key] for key in _BEGAN} | {"game": each["game"]}, Began),
            winners=tuple(each["outcome"]["winners"]),
            scores={},
            said=each["outcome"]["texts"],
            assignment=assigned.get(each["number"], ""),
        )
        for each in history["games"]
        if each["ended"] and each["outcome"]
    ]


def going(table: str, history: Mapping[str, Any]) -> list[GameGoing]:
    """The games that are not over, as a table's /api/history tells them. Raises KeyError, TypeError."""
    return [
        GameGoing(table, each["began"], each["number"], _age(each))
        for each in history["games"]
        if not (each["ended"] and each["outcome"])
    ]


def _state(game: Mapping[str, Any]) -> tuple[str, int]:
    """What tells whether a game changed, or another has its number now."""
    return game["began"], _age(game)


def _age(game: Mapping[str, Any], *, assigned: bool = False) -> int:
    """A number that grows with every change of a game: act, undo, end, and once it is known what it was played for."""
    return 4 * (int(game["rulings"]) + int(game["undone"])) + 2 * bool(game["ended"]) + assigned


_BEGAN = ("options", "seats", "names", "level", "best_of")


def _put(url: str, body: object) -> bytes:
    """What a table answers to a change. Raises OSError, HTTPException, ValueError."""
    head = {"Content-Type": "application/json"}
    return _answered(Request(url, msgspec.json.encode(body), head, method="PUT"))


def _get(url: str) -> bytes:
    """What a table answers. Raises OSError, HTTPException, ValueError."""
    return _answered(Request(url, headers={"Accept": "*/*"}))


def _why(error: HTTPError) -> Mapping[str, str]:
    """What a table says when it refuses something, in every language."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        said: Mapping[str, str] = read_json(error.read(_LARGEST))["texts"]
        return said
    return dict.fromkeys(LANGUAGES, str(error))


def _answered(request: Request) -> bytes:
    with urlopen(request, timeout=_TIMEOUT_S) as answer:
        body: bytes = answer.read(_LARGEST + 1)
    if len(body) > _LARGEST:
        raise ValueError("too long")
    return body
