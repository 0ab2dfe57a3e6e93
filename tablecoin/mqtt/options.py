"""How a table or a club reaches its broker: the section [mqtt] of their settings."""

from __future__ import annotations

import re
from typing import Annotated, Literal, NamedTuple

import msgspec

from tablecoin.mqtt.topics import TABLE_PATTERN
from tablecoin.rules.plain import FORM

# HOST, HOST:PORT, mqtt://HOST:PORT or, with TLS, mqtts://HOST:PORT
_PORT = r"[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
_BROKER = rf"^((mqtts?://)?([A-Za-z0-9._-]{{1,253}}|\[[0-9a-fA-F:.]+\])(:(?:{_PORT}))?)?$"
PORTS = {False: 1883, True: 8883}  # as registered with the IANA: plain, with TLS


class Address(NamedTuple):
    host: str
    port: int
    tls: bool

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class BrokerOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the broker is, and who logs in there."""

    # empty: none, nothing is published
    broker: Annotated[str, msgspec.Meta(pattern=_BROKER, extra={FORM: "broker"})] = ""
    user: str = ""
    password: str = ""
    ca: str = ""  # a file with the certificate that signed the broker's; empty: those that the system trusts

    @property
    def address(self) -> Address | None:
        """None where no broker is named."""
        found = re.fullmatch(_BROKER.strip("^$"), self.broker)
        if not found or not found[1]:
            return None
        tls = found[2] == "mqtts://"
        return Address(found[3].strip("[]"), int(found[4][1:]) if found[4] else PORTS[tls], tls)


class MqttOptions(BrokerOptions, frozen=True, forbid_unknown_fields=True):
    """What a table publishes, and under which name."""

    # in topics; empty: a random one
    table: Annotated[str, msgspec.Meta(pattern=rf"^$|{TABLE_PATTERN}", extra={FORM: "table"})] = ""
    name: Annotated[str, msgspec.Meta(max_length=60)] = ""  # for people; empty: the computer's
    home_assistant: Literal["on", "off"] = "on"  # whether Home Assistant is told of the table
    picture: Literal["on", "off"] = "off"  # whether the camera's picture is published
    picture_s: Annotated[float, msgspec.Meta(ge=2, le=3600)] = 5.0  # at least so long between two pictures
