"""What the doctor says of the MQTT broker."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablecoin.checks.broker import asked
from tablecoin.mqtt.options import BrokerOptions
from tests.mosquitto import Broker, free_port, needs_mosquitto, running


@needs_mosquitto
def test_a_broker_that_lets_us_in_is_well(tmp_path: Path) -> None:
    with running(Broker(tmp_path)) as broker:
        assert asked(broker.options()).status == "ok"


@pytest.mark.usefixtures("quick")
def test_one_that_is_not_there_is_named() -> None:
    port = free_port()
    found = asked(BrokerOptions(broker=f"127.0.0.1:{port}"))
    assert found.status == "warn"
    assert f"127.0.0.1:{port} does not answer" in found.said
