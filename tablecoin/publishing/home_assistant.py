"""What Home Assistant is told of a table: one device with its entities, as its MQTT device discovery reads it.

Home Assistant leaves out keys that it does not know, in silence. So tests/publishing/accepted_keys.toml lists those
that it takes, and a long test asks Home Assistant's own schema.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any

from tablecoin import __version__
from tablecoin.mqtt import topics
from tablecoin.mqtt.messages import RULINGS
from tablecoin.panel.pins import BUTTONS
from tablecoin.rules.rulebook import Message, sentence

PREFIX = "homeassistant"  # of its discovery topics, unless its owner changed it there
BIRTH = f"{PREFIX}/status"  # it says "online" there after its start, and has forgotten us
_LONGEST = 255  # letters of a state

_ACTING = (
    "{% set found = namespace(names=[]) %}{% for seat in value_json.seats if seat.seat in value_json.turn %}"
    "{% set found.names = found.names + [seat.name or seat.seat] %}{% endfor %}"
    f"{{{{ (found.names | join(', '))[:{_LONGEST}] }}}}"
)
_SCORES = (
    "{% set found = namespace(each=[]) %}{% for seat in value_json.seats if seat.score is not none %}"
    "{% set found.each = found.each + [(seat.name or seat.seat) ~ ' ' ~ '%g' % seat.score] %}{% endfor %}"
    f"{{{{ (found.each | join(' · '))[:{_LONGEST}] }}}}"
)
_FAULTY = "{{ 'ON' if value_json.faults else 'OFF' }}"


def computer() -> str:
    """What the table is called where its owner gave no name."""
    return platform.node() or "tablecoin"


def topic(table: str) -> str:
    """Where the device is announced, retained; empty: it is taken away."""
    return f"{PREFIX}/device/tablecoin_{table}/config"


def discovery(
    table: str, *, name: str, url: str, light_modes: Sequence[str], has_picture: bool, language: str = "en"
) -> dict[str, Any]:
    """The device with its entities. What the table lacks stands with its platform alone, which takes it away.

    `light_modes`: of the ring light, "onoff" or "brightness"; empty: there is none.
    """
    summary, health = topics.topic(table, topics.SUMMARY), topics.topic(table, topics.HEALTH)
    said = f"value_json.said.{language}"
    entities: dict[str, dict[str, Any]] = {
        "game": _sensor(summary, f"{{{{ value_json.title.{language} if value_json.game else '' }}}}", "dice-multiple"),
        "turn": _sensor(summary, _ACTING, "account-arrow-right"),
        "scores": _sensor(summary, _SCORES, "scoreboard")
        | {"json_attributes_topic": summary, "json_attributes_template": "{{ {'seats': value_json.seats} | to_json }}"},
        "prompt": _sensor(summary, f"{{{{ ({said} or '')[:{_LONGEST}] }}}}", "comment-alert"),
        "fault": {
            "platform": "binary_sensor",
            "state_topic": health,
            "value_template": _FAULTY,
            "device_class": "problem",
            "entity_category": "diagnostic",
            "json_attributes_topic": health,
        },
        "ruling": {
            "platform": "event",
            "state_topic": topics.topic(table, topics.EVENT),
            "event_types": list(RULINGS),
            "value_template": "{{ {'event_type': value_json.kind, 'number': value_json.number, "
            f"'seat': value_json.seat, 'clause': value_json.clause, 'said': {said}}} | to_json }}}}",
            "icon": "mdi:gavel",
        },
        "button": {
            "platform": "event",
            "state_topic": topics.topic(table, topics.BUTTON),
            "event_types": [*(button.replace(".", "_") for button in BUTTONS.values()), "referee_hold"],
            "value_template": "{{ {'event_type': value_json.event_type} | to_json }}",
            "device_class": "button",
        },
        "picture": {
            "platform": "image",
            "image_topic": topics.topic(table, topics.PICTURE),
            "content_type": "image/jpeg",
        },
        "ring": {
            "platform": "light",
            "schema": "json",
            "state_topic": topics.topic(table, topics.RING),
            "command_topic": topics.topic(table, topics.RING_SET),
            "supported_color_modes": list(light_modes),
        },
    }
    absent = {"ring": not light_modes, "picture": not has_picture}
    device = {
        "identifiers": [f"tablecoin_{table}"],
        "name": name,
        "manufacturer": "tablecoin",
        "sw_version": __version__,
    }
    return {
        "device": device | ({"configuration_url": url} if url else {}),
        "origin": {"name": "tablecoin", "sw_version": __version__},
        "availability": [{"topic": topics.topic(table, topics.UP)}],
        "qos": 1,
        "components": {
            key: {"platform": entity["platform"]}
            if absent.get(key)
            else entity | {"unique_id": f"tablecoin_{table}_{key}", "name": sentence(Message(f"home.{key}"), language)}
            for key, entity in entities.items()
        },
    }


def _sensor(state_topic: str, template: str, icon: str) -> dict[str, Any]:
    return {"platform": "sensor", "state_topic": state_topic, "value_template": template, "icon": f"mdi:{icon}"}
