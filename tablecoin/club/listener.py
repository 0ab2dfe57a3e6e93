"""The club's connection to the broker: hears every table, asks for what is missing, hands out assignments."""

from __future__ import annotations

import logging
import queue
import threading
import time
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from tablecoin.club.ledger import Heard, Ledger, mark
from tablecoin.club.settings import ClubSettings
from tablecoin.mqtt import topics
from tablecoin.mqtt.messages import Assignment, write
from tablecoin.storage import durable

log = logging.getLogger(__name__)

_KEEPALIVE_S = 15
_TICK_S = 0.2  # rulings that come within it are committed together
_AT_ONCE = 1000  # messages taken in at a time
_MOST_WAITING = 20_000  # messages in memory; what comes beyond is dropped, and asked for later
_KINDS = (topics.SUMMARY, topics.HEALTH, topics.EVENT, topics.AGAIN, topics.PICTURE, topics.REPLY)
_FLAPS_S = 30.0  # connections lost again and again within so many seconds: another program uses our name


class Listener:
    """Connected between `start` and `stop`; the broker may come and go meanwhile."""

    def __init__(self, ledger: Ledger, settings: ClubSettings, folder: Path) -> None:
        """Raises SettingsError, OSError where the certificates cannot be read."""
        self._ledger, self._broker = ledger, settings.broker
        self._waiting: queue.Queue[Heard] = queue.Queue(_MOST_WAITING)
        self._stopping, self._announce = threading.Event(), threading.Event()
        self._lost_s: list[float] = []
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id=f"tablecoin-club-{mark(folder)}", clean_session=False
        )
        if settings.broker.user:
            client.username_pw_set(settings.broker.user, settings.password())
        if settings.broker.ca:
            client.tls_set(str(durable.expanded(settings.broker.ca)))
        client.reconnect_delay_set(1, 30)
        client.max_queued_messages_set(1000)
        client.on_connect, client.on_message = self._connected, self._heard
        client.on_disconnect, client.on_connect_fail = self._lost, self._away
        self._client = client
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)

    def start(self) -> None:
        """Connect, as soon as the broker is there."""
        self._away(self._client, None)
        self._client.connect_async(self._broker.host, self._broker.real_port, keepalive=_KEEPALIVE_S)
        self._client.loop_start()
        self._thread.start()

    def stop(self) -> None:
        """Leave; what was heard is kept."""
        self._stopping.set()
        self._thread.join(10)
        self._client.disconnect()
        self._client.loop_stop()

    # -- on paho's thread -----------------------------------------------------------------------------------------

    def _connected(self, client: mqtt.Client, _data: Any, _flags: Any, code: Any, _props: Any) -> None:
        if code.is_failure:
            key = "club.password" if code.value in (4, 5, 134, 135) else "club.refused"
            self._ledger.hall.note(key, broker=self._broker.host, why=str(code))
            return
        for key in ("club.broker", "club.password", "club.refused"):
            self._ledger.hall.unnote(key)
        wanted = [(topics.topic("+", kind), 1) for kind in _KINDS]
        client.subscribe([*wanted, (f"{topics.ROOT}/+/+/{topics.UP}", 1)])
        self._announce.set()

    def _lost(self, _client: mqtt.Client, _data: Any, _flags: Any, code: Any, _props: Any) -> None:
        if self._stopping.is_set() or not code.is_failure:
            return
        now_s = time.monotonic()
        self._lost_s = [*(each for each in self._lost_s if now_s - each < _FLAPS_S), now_s]
        self._ledger.hall.note("club.broker", broker=self._broker.host, port=self._broker.real_port)
        if len(self._lost_s) > 5:
            self._ledger.hall.note("club.flaps", broker=self._broker.host)
        else:
            self._ledger.hall.unnote("club.flaps")

    def _away(self, _client: mqtt.Client, _data: Any) -> None:
        self._ledger.hall.note("club.broker", broker=self._broker.host, port=self._broker.real_port)

    def _heard(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        try:
            self._waiting.put_nowait(Heard(message.topic, bytes(message.payload), message.retain))
            self._ledger.hall.unnote("club.full")
        except queue.Full:
            self._ledger.hall.note("club.full")

    # -- on the club's thread -------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            ending = self._stopping.is_set()
            try:
                self._ledger.take(self._newest())
                if ending:
                    return
                self._say()
            except Exception:  # one bad message must not end the evening
                log.exception("the club could not take in what it heard")
            self._stopping.wait(_TICK_S)

    def _newest(self) -> list[Heard]:
        found: list[Heard] = []
        while len(found) < _AT_ONCE:
            try:
                found.append(self._waiting.get_nowait())
            except queue.Empty:
                break
        return found

    def _say(self) -> None:
        if not self._client.is_connected():
            return
        if self._announce.is_set():
            self._announce.clear()
            self._ledger.forget_assigned()
        for ask in self._ledger.asks():
            self._client.publish(topics.topic(ask.table, topics.ASKED), write(ask), qos=1)
        for each in self._ledger.assignments():
            if isinstance(each, Assignment):
                self._client.publish(topics.topic(each.table, topics.ASSIGNED), write(each), qos=1, retain=True)
            else:
                self._client.publish(topics.topic(each, topics.ASSIGNED), b"", qos=1, retain=True)
