"""A table that publishes no more takes away what the broker keeps of it, so that no home shows it for ever."""

from __future__ import annotations

import threading
from pathlib import Path

from msgspec.structs import replace

from tablecoin.mqtt import topics
from tablecoin.mqtt.connection import Connection
from tablecoin.mqtt.options import BrokerOptions, MqttOptions
from tablecoin.publishing import home_assistant
from tablecoin.publishing.identity import Kept

_RETAINED = (
    topics.UP, topics.SUMMARY, topics.RESULT, topics.HEALTH, topics.PICTURE, topics.RING, topics.REPLY
)  # fmt: skip
_PATIENCE_S = 60.0  # a broker that is away now is tried again at the next start


def retained(table: str) -> tuple[str, ...]:
    """The topics on which a broker keeps what the table of this name told."""
    return (home_assistant.topic(table), *(topics.topic(table, kind) for kind in _RETAINED))


def leave(options: MqttOptions, folder: Path) -> threading.Thread | None:
    """Take everything away at the broker that was published to last, on a thread of its own.

    None where nothing was published, or where `options` name a broker: then there is nothing to leave.
    """
    kept = Kept(folder) if options.address is None else None
    if kept is None or not kept.known.broker:
        return None
    thread = threading.Thread(target=_leave, args=(options, kept), name="leaving", daemon=True)
    thread.start()
    return thread


def _leave(options: MqttOptions, kept: Kept) -> None:
    known = kept.known
    broker = BrokerOptions(broker=known.broker, user=options.user, password=options.password, ca=options.ca)
    is_up = threading.Event()
    connection = Connection(broker, known.client, is_up.set, lambda message: None)
    connection.start()
    if is_up.wait(_PATIENCE_S):
        for topic in retained(known.table):
            connection.publish(topic, b"", retain=True)
        if connection.wait_clear(_PATIENCE_S):
            kept.keep(replace(known, broker=""))
    connection.stop()
