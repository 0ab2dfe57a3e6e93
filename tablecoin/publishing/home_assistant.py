"""What Home Assistant is told of a table: one device with its entities, as its MQTT device discovery reads it.

The keys are abbreviated as Home Assistant allows. It leaves out keys that it does not know in silence, so
tests/publishing/accepted_keys.py lists those that it takes, and a test of Home Assistant's own schema compares.
"""

from __future__ import annotations

import platform
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
    table: str, *, name: str, url: str, has_light: bool, has_picture: bool, language: str = "en"
) -> dict[str, Any]:
    """The device with its entities. What the table lacks stands with its platform alone, which takes it away."""
    summary, health = topics.topic(table, topics.SUMMARY), topics.topic(table, topics.HEALTH)
    said = f"value_json.said.{language}"
    entities: dict[str, dict[str, Any]] = {
        "game": _sensor(summary, f"{{{{ value_json.title.{language} if value_json.game else '' }}}}", "dice-multiple"),
        "turn": _sensor(summary, _ACTING, "account-arrow-right"),
        "scores": _sensor(summary, _SCORES, "scoreboard")
        | {"json_attr_t": summary, "json_attr_tpl": "{{ {'seats': value_json.seats} | to_json }}"},
        "prompt": _sensor(summary, f"{{{{ ({said} or '')[:{_LONGEST}] }}}}", "comment-alert"),
        "fault": {
            "p": "binary_sensor",
            "stat_t": health,
            "val_tpl": _FAULTY,
            "dev_cla": "problem",
            "ent_cat": "diagnostic",
            "json_attr_t": health,
        },
        "ruling": {
            "p": "event",
            "stat_t": topics.topic(table, topics.EVENT),
            "evt_typ": list(RULINGS),
            "val_tpl": "{{ {'event_type': value_json.kind, 'number': value_json.number, 'seat': value_json.seat, "
            f"'clause': value_json.clause, 'said': {said}}} | to_json }}}}",
            "ic": "mdi:gavel",
        },
        "button": {
            "p": "event",
            "stat_t": topics.topic(table, topics.BUTTON),
            "evt_typ": [*(button.replace(".", "_") for button in BUTTONS.values()), "referee_hold"],
            "val_tpl": "{{ {'event_type': value_json.event_type} | to_json }}",
            "dev_cla": "button",
        },
        "picture": {"p": "image", "img_t": topics.topic(table, topics.PICTURE), "cont_type": "image/jpeg"},
        "ring": {
            "p": "light",
            "schema": "json",
            "stat_t": topics.topic(table, topics.RING),
            "cmd_t": topics.topic(table, topics.RING_SET),
            "sup_clrm": ["onoff"],
        },
    }
    absent = {"ring": not has_light, "picture": not has_picture}
    device = {"ids": [f"tablecoin_{table}"], "name": name, "mf": "tablecoin", "sw": __version__}
    return {
        "dev": device | ({"cu": url} if url else {}),
        "o": {"name": "tablecoin", "sw": __version__},
        "avty": [{"t": topics.topic(table, topics.UP)}],
        "qos": 1,
        "cmps": {
            key: {"p": entity["p"]}
            if absent.get(key)
            else entity | {"uniq_id": f"tablecoin_{table}_{key}", "name": sentence(Message(f"home.{key}"), language)}
            for key, entity in entities.items()
        },
    }


def _sensor(state_topic: str, template: str, icon: str) -> dict[str, Any]:
    return {"p": "sensor", "stat_t": state_topic, "val_tpl": template, "ic": f"mdi:{icon}"}
