"""The club's connection to the broker: hears every table, asks for what is missing, hands out assignments."""

from __future__ import annotations

import logging
import queue
import threading
from pathlib import Path

from tablecoin.club.ledger import Ledger, mark
from tablecoin.mqtt import topics
from tablecoin.mqtt.connection import Connection, Received
from tablecoin.mqtt.messages import Assignment, write
from tablecoin.mqtt.options import BrokerOptions
from tablecoin.rules.rulebook import Message

log = logging.getLogger(__name__)

_TICK_S = 0.2  # rulings that come within it are committed together
_AT_ONCE = 1000  # messages taken in at a time
_MOST_WAITING = 20_000  # messages in memory; what comes beyond is dropped, and asked for later
_KINDS = (topics.SUMMARY, topics.HEALTH, topics.EVENT, topics.AGAIN, topics.PICTURE, topics.REPLY)


class Listener:
    """Connected between `start` and `stop`; the broker may come and go meanwhile."""

    def __init__(self, ledger: Ledger, options: BrokerOptions, folder: Path) -> None:
        """ValueError where `options` name no broker."""
        self._ledger = ledger
        self._waiting: queue.Queue[Received] = queue.Queue(_MOST_WAITING)
        self._stopping, self._came_up, self._full = threading.Event(), threading.Event(), threading.Event()
        self._connection = Connection(
            options, f"tablecoin-club-{mark(folder)}", on_up=self._subscribe, on_message=self._heard
        )
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)

    def start(self) -> None:
        """Connect, as soon as the broker is there."""
        self._connection.start()
        self._thread.start()

    def stop(self) -> None:
        """Leave; what was heard is kept."""
        self._stopping.set()
        self._thread.join(10)
        self._connection.stop()

    # -- on paho's thread ---------------------------------------------------------------------------------------------

    def _subscribe(self) -> None:
        # Every version's `up`: a table that speaks another one is named, not passed over.
        wanted = [topics.topic("+", kind) for kind in _KINDS]
        self._connection.subscribe(*wanted, f"{topics.ROOT}/+/+/{topics.UP}")
        self._came_up.set()

    def _heard(self, received: Received) -> None:
        try:
            self._waiting.put_nowait(received)
        except queue.Full:
            self._full.set()

    # -- on the club's thread -----------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            ending = self._stopping.is_set()
            try:
                self._ledger.take(self._newest())
                if ending:
                    return
                self._say()
            except Exception:  # one message must not end the evening
                log.exception("the club could not take in what it heard")
            self._stopping.wait(0 if self._waiting.qsize() >= _AT_ONCE else _TICK_S)

    def _newest(self) -> list[Received]:
        found: list[Received] = []
        while len(found) < _AT_ONCE:
            try:
                found.append(self._waiting.get_nowait())
            except queue.Empty:
                break
        return found

    def _say(self) -> None:
        hall, link = self._ledger.hall, self._connection
        trouble = link.trouble
        if trouble:
            hall.note(trouble, slot="club.link")
        else:
            hall.unnote("club.link")
        if self._full.is_set():
            hall.note(Message("club.full"))
            if self._waiting.empty():
                self._full.clear()
        else:
            hall.unnote("club.full")
        if self._came_up.is_set():
            self._came_up.clear()
            self._ledger.forget_assigned()
        if not link.room:
            return
        for ask in self._ledger.asks(link.room):
            link.publish(topics.topic(ask.table, topics.ASKED), write(ask))
        for each in self._ledger.assignments():
            if isinstance(each, Assignment):
                link.publish(topics.topic(each.table, topics.ASSIGNED), write(each), retain=True)
            else:
                link.publish(topics.topic(each, topics.ASSIGNED), b"", retain=True)
