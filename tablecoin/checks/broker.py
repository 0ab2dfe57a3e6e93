"""The MQTT broker: whether it lets this table in."""

from __future__ import annotations

import secrets
import time

from tablecoin.checks.finding import Finding, found
from tablecoin.mqtt.connection import Connection
from tablecoin.mqtt.options import BrokerOptions
from tablecoin.rules.rulebook import Message

_ANSWER_S = 8.0
_LOOK_S = 0.05  # between two looks


def running(broker: str, trouble: Message | None) -> Finding:
    """What a table that publishes says of its broker."""
    return Finding("broker", "warn", trouble) if trouble else found("broker", "ok", "broker", broker=broker)


def asked(options: BrokerOptions) -> Finding:
    """Log in once, under a name of its own, so that a running table is left alone. ValueError: no broker is named."""
    connection = Connection(options, f"tablecoin-doctor-{secrets.token_hex(4)}", lambda: None, lambda message: None)
    connection.start()
    end_s = time.monotonic() + _ANSWER_S
    while not connection.is_up and not connection.was_told and time.monotonic() < end_s:
        time.sleep(_LOOK_S)
    trouble = None if connection.is_up else connection.trouble
    connection.stop()
    return running(str(options.address), trouble)
