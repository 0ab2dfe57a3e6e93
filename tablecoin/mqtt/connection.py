"""A connection to the broker that comes back by itself, and says in one sentence what is wrong with it.

paho-mqtt does the work on a thread of its own.
"""

from __future__ import annotations

import logging
import os
import ssl
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from tablecoin.mqtt.options import BrokerOptions
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.storage.regular import open_regular

log = logging.getLogger(__name__)

KEEPALIVE_S = 15  # a broker that says nothing for twice this long is away
_RETRY_S = (1, 30)  # between two tries to connect: the first wait and the longest; it doubles in between
_CONNECT_S = 5.0
_WINDOW = 20  # messages under way; more wait with whoever has them, so that an outage fills no memory
_SLOW_S = 10.0  # a broker that acknowledges nothing for this long is slow
_SHORT_S = 5.0  # a connection that ends within this time was thrown out...
_OFTEN = 3  # ...and after so many of them in _WHILE_S somebody else uses the same id
_WHILE_S = 120.0
_STOP_S = 3.0
_LAST_S = 1.0  # for the last message before leaving


class Received(NamedTuple):
    """A message as it came from the broker."""

    topic: str
    payload: bytes
    retained: bool  # it was kept by the broker, and is perhaps old


class Will(NamedTuple):
    """What the broker publishes, retained, once the connection is lost."""

    topic: str
    payload: bytes


class Connection:
    """`start`, then from any thread; `on_up` and `on_message` are called on paho's thread and must return at once."""

    def __init__(
        self,
        options: BrokerOptions,
        client_id: str,
        on_up: Callable[[], None],
        on_message: Callable[[Received], None],
        will: Will | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """ValueError where `options` name no broker. The certificate is read by `start`."""
        if options.address is None:
            raise ValueError("no broker is named")
        self._options, self._address, self._clock = options, options.address, clock
        self._on_up, self._on_message = on_up, on_message
        self._lock = threading.Lock()
        self._under_way: deque[tuple[int, float]] = deque()  # messages by paho's number, and since when
        self._acknowledged: set[int] = set()  # of those; no lock is held to add one, for paho holds one of its own then
        self._tried = self._is_stopping = False
        self._up_s: float | None = None  # since when it is connected
        self._short: deque[float] = deque(maxlen=_OFTEN)  # when short connections ended
        self._trouble: Message | None = Message("mqtt.silent", {"broker": str(self._address)})
        self._client = paho.Client(
            CallbackAPIVersion.VERSION2, client_id, clean_session=False, reconnect_on_failure=True
        )
        self._client.reconnect_delay_set(*_RETRY_S)
        self._client.connect_timeout = _CONNECT_S
        if options.user:
            self._client.username_pw_set(options.user, options.password)
        if will:
            self._client.will_set(will.topic, will.payload, qos=1, retain=True)
        self._client.on_connect = self._connected
        self._client.on_connect_fail = self._failed
        self._client.on_disconnect = self._lost
        self._client.on_message = self._received
        self._client.on_publish = lambda client, data, mid, reason, properties: self._acknowledged.add(mid)

    def start(self) -> None:
        """Connect, and connect again whenever that is lost. Returns at once; `trouble` says what is wrong."""
        if self._address.tls:
            try:
                if self._options.ca:
                    os.close(open_regular(Path(self._options.ca)))  # OpenSSL would wait for a pipe
                self._client.tls_set(self._options.ca or None)
            except (OSError, ValueError) as error:
                self._say(Message("mqtt.ca", {"file": self._options.ca, "why": str(error)}))
                return
        self._client.connect_async(self._address.host, self._address.port, KEEPALIVE_S)
        self._client.loop_start()

    def stop(self, last: Will | None = None) -> None:
        """Publish `last`, disconnect, and end the thread."""
        if last and self.is_up:
            self.publish(last.topic, last.payload, retain=True)
            self.wait_clear(_LAST_S)
        self._is_stopping = True
        self._client.disconnect()
        # A broker that hangs must hold up nobody: paho's own wait has no limit.
        ending = threading.Thread(target=self._client.loop_stop, daemon=True)
        ending.start()
        ending.join(_STOP_S)

    @property
    def is_up(self) -> bool:
        return self._up_s is not None

    @property
    def is_clear(self) -> bool:
        """Whether the broker has acknowledged every message."""
        return self._waiting() == 0

    def wait_clear(self, patience_s: float) -> bool:
        """Wait until the broker has acknowledged every message; False after `patience_s`."""
        end_s = time.monotonic() + patience_s
        while not self.is_clear and time.monotonic() < end_s:
            time.sleep(0.01)
        return self.is_clear

    @property
    def room(self) -> int:
        """How many messages may be published now."""
        return max(0, _WINDOW - self._waiting()) if self.is_up else 0

    @property
    def was_told(self) -> bool:
        """Whether the first try to connect has come to something, good or bad."""
        return self._tried

    @property
    def trouble(self) -> Message | None:
        """What is wrong, for people; None when all is well."""
        waiting = self._waiting()
        with self._lock:
            if self._trouble or self._up_s is None:
                return self._trouble
            up_for_s = self._clock() - self._up_s
            slow = waiting and self._under_way and self._clock() - self._under_way[0][1] > _SLOW_S
        if self._is_thrown_out() and up_for_s < 2 * _SHORT_S:
            return Message("mqtt.twice", {"broker": str(self._address)})
        return Message("mqtt.slow", {"broker": str(self._address)}) if slow else None

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Publish with QoS 1. What is under way when the connection is lost is sent again once it is back."""
        info = self._client.publish(topic, payload, qos=1, retain=retain)
        with self._lock:
            self._under_way.append((info.mid, self._clock()))

    def subscribe(self, *topics: str) -> None:
        """Subscribe with QoS 1: to be called at each `on_up`."""
        self._client.subscribe([(topic, 1) for topic in topics])

    def unsubscribe(self, topic: str) -> None:
        self._client.unsubscribe(topic)

    def _waiting(self) -> int:
        with self._lock:
            while self._under_way and self._under_way[0][0] in self._acknowledged:
                self._acknowledged.discard(self._under_way.popleft()[0])
            return len(self._under_way)

    def _connected(self, client: Any, data: Any, flags: Any, reason: ReasonCode, properties: Any) -> None:
        if reason.is_failure:
            key = "mqtt.password" if reason.value in (134, 135) else "mqtt.refused"  # bad user or password, not allowed
            self._say(Message(key, {"broker": str(self._address), "user": self._options.user, "why": str(reason)}))
            return
        with self._lock:
            if self._trouble:
                log.info("connected to the broker %s", self._address)
            self._trouble, self._up_s, self._tried = None, self._clock(), True
            self._under_way = deque((number, self._up_s) for number, _ in self._under_way)  # sent again now
        self._on_up()

    def _failed(self, client: Any, data: Any) -> None:
        error = sys.exc_info()[1]  # paho calls this where it caught why it could not connect
        key = "mqtt.untrusted" if isinstance(error, ssl.SSLCertVerificationError) else "mqtt.away"
        self._say(Message(key, {"broker": str(self._address), "why": str(error)}))

    def _lost(self, client: Any, data: Any, flags: Any, reason: ReasonCode, properties: Any) -> None:
        with self._lock:
            up_s, self._up_s = self._up_s, None
        if up_s is None or self._is_stopping:
            return  # it was refused, which is said already; or we left
        now_s = self._clock()
        is_short = now_s - up_s < _SHORT_S
        if is_short:
            self._short.append(now_s)
        key = "mqtt.twice" if is_short and self._is_thrown_out() else "mqtt.away"
        self._say(Message(key, {"broker": str(self._address), "why": str(reason)}))

    def _is_thrown_out(self) -> bool:
        return len(self._short) == _OFTEN and self._clock() - self._short[0] < _WHILE_S

    def _received(self, client: Any, data: Any, message: paho.MQTTMessage) -> None:
        try:
            self._on_message(Received(message.topic, bytes(message.payload), message.retain))
        except Exception:  # paho's thread must live on
            log.exception("a message on %s could not be handled", message.topic)

    def _say(self, trouble: Message) -> None:
        with self._lock:
            known, self._trouble = self._trouble, trouble
            self._tried = True
        if known is None or known.key != trouble.key:
            log.warning("%s", sentence(trouble))
