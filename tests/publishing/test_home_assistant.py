"""What Home Assistant is told: only keys that it takes, and values that its templates make of our messages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import jinja2
import msgspec
import pytest

from tablecoin.mqtt import topics
from tablecoin.mqtt.messages import RULINGS, Fault, Health, Press, Ruling, Seated, Summary
from tablecoin.publishing.home_assistant import discovery

ACCEPTED = tomllib.loads(Path(__file__).with_name("accepted_keys.toml").read_text("utf-8"))
WHOLE = discovery("k7", name="Kitchen", url="http://10.0.0.7:8000/", light_modes=["onoff"], has_picture=True)
DIMMED = discovery("k7", name="Kitchen", url="", light_modes=["brightness"], has_picture=True)
BARE = discovery("k7", name="Kitchen", url="", light_modes=[], has_picture=False)
COMPONENTS: dict[str, dict[str, Any]] = WHOLE["components"]

each_component = pytest.mark.parametrize("key", COMPONENTS)


@pytest.mark.parametrize("told", [WHOLE, DIMMED, BARE], ids=["whole", "dimmed", "bare"])
def test_the_device_has_only_keys_that_are_taken(told: dict[str, Any]) -> None:
    assert told.keys() <= set(ACCEPTED["top"])
    assert told["device"].keys() <= set(ACCEPTED["device"])
    assert told["origin"].keys() <= set(ACCEPTED["origin"])
    assert [each.keys() <= set(ACCEPTED["availability"]) for each in told["availability"]] == [True]


@each_component
def test_each_entity_has_what_it_must_and_only_what_is_taken(key: str) -> None:
    entity = COMPONENTS[key]
    taken = ACCEPTED["platforms"][entity["platform"]]
    assert set(taken["must"]) <= entity.keys()
    assert entity.keys() <= {*ACCEPTED["common"], *taken["must"], *taken["may"]}


def test_every_entity_has_a_name_of_its_own_in_the_whole_home() -> None:
    names = [entity["unique_id"] for entity in COMPONENTS.values()]
    assert len(set(names)) == len(names)
    assert all("k7" in name for name in names)


def test_what_the_table_lacks_is_taken_away() -> None:
    assert BARE["components"]["ring"] == {"platform": "light"}
    assert BARE["components"]["picture"] == {"platform": "image"}


@pytest.mark.parametrize("table", ["k7", "a-b_C"])
def test_topics_are_whole_and_no_wildcards(table: str) -> None:
    told = json.dumps(discovery(table, name="x", url="", light_modes=["onoff"], has_picture=True))
    found = re.findall(r'"[a-z_]*topic": "([^"]+)"', told)
    assert found
    assert all(parts and parts.table == table for parts in map(topics.taken_apart, found))


SUMMARY = Summary(
    table="k7", name="Kitchen", device="d", journal="j", newest=9, program="1", sent="",
    game="steal", title={"en": "Steal", "zh": "偷"}, turn=("tails",), said={"en": "Tails: place a coin.", "zh": "请"},
    seats=(Seated("heads", "person", "Ann", 35.0), Seated("tails", "computer", "", 20.5)),
)  # fmt: skip
IDLE = Summary(table="k7", name="Kitchen", device="d", journal="", newest=0, program="1", sent="")
RULING = Ruling(
    table="k7", journal="j", number=9, game=2, group=3, at="", kind="refused", said={"en": 'No "dime".', "zh": "不"},
    seat="tails", clause="steal.place.limit",
)  # fmt: skip
REFUSED = {
    "event_type": "refused", "number": 9, "seat": "tails", "clause": "steal.place.limit", "said": 'No "dime".'
}  # fmt: skip
HURT = Health(table="k7", sent="", faults=(Fault("vision.dark", {"en": "Too dark.", "zh": "太暗"}),))


@pytest.mark.parametrize(
    ("key", "message", "state"),
    [
        ("game", SUMMARY, "Steal"),
        ("game", IDLE, ""),
        ("turn", SUMMARY, "tails"),
        ("turn", IDLE, ""),
        ("scores", SUMMARY, "Ann 35 · tails 20.5"),
        ("scores", IDLE, ""),
        ("prompt", SUMMARY, "Tails: place a coin."),
        ("prompt", IDLE, ""),
        ("fault", HURT, "ON"),
        ("fault", Health(table="k7", sent=""), "OFF"),
    ],
)
def test_a_template_makes_a_state_of_the_message(key: str, message: Any, state: str) -> None:
    assert rendered(COMPONENTS[key]["value_template"], message) == state


def test_a_state_is_no_longer_than_a_home_can_keep() -> None:
    long = msgspec.structs.replace(SUMMARY, said={"en": "x" * 400, "zh": "x"})
    assert len(rendered(COMPONENTS["prompt"]["value_template"], long)) == 255


@pytest.mark.parametrize(
    ("key", "message", "told"),
    [
        ("ruling", RULING, REFUSED),
        ("button", Press(table="k7", event_type="heads_done", at=""), {"event_type": "heads_done"}),
    ],
)  # fmt: skip
def test_an_event_has_its_type_and_what_automations_need(key: str, message: Any, told: dict[str, Any]) -> None:
    event = json.loads(rendered(COMPONENTS[key]["value_template"], message))
    assert event == told
    assert event["event_type"] in COMPONENTS[key]["event_types"]


def test_every_kind_of_ruling_is_an_event() -> None:
    assert COMPONENTS["ruling"]["event_types"] == list(RULINGS)


def rendered(template: str, message: Any) -> str:
    """As Home Assistant renders it: Jinja, with `value_json`."""
    home = jinja2.Environment(autoescape=False)
    home.filters["to_json"] = json.dumps
    return home.from_string(template).render(value_json=json.loads(msgspec.json.encode(message)))


# -- Home Assistant's own schema --------------------------------------------------------------------------------------

HOME = Path(os.environ.get("HOME_ASSISTANT_PYTHON") or Path(__file__).parents[2] / ".venv-home" / "bin" / "python")
needs_home = pytest.mark.skipif(
    not HOME.exists(),
    reason="no Home Assistant: python3.13 -m venv .venv-home; its pip install homeassistant==2025.4.4",
)


def judged(told: dict[str, Any]) -> dict[str, list[str]]:
    """What Home Assistant's own schemas drop and refuse."""
    script = Path(__file__).with_name("home_assistant_schema.py")
    run = subprocess.run([HOME, script], input=json.dumps(told), capture_output=True, text=True, check=True)
    answer: dict[str, list[str]] = json.loads(run.stdout)
    return answer


@pytest.mark.long
@needs_home
@pytest.mark.parametrize("told", [WHOLE, DIMMED, BARE], ids=["whole", "dimmed", "bare"])
def test_home_assistant_takes_the_device_and_every_key(told: dict[str, Any]) -> None:
    assert judged(told) == {"dropped": [], "errors": []}


@pytest.mark.long
@needs_home
def test_home_assistant_would_say_so() -> None:
    broken = json.loads(json.dumps(WHOLE))
    broken["components"]["game"]["state_topik"] = "x"
    del broken["components"]["ruling"]["event_types"]
    told = judged(broken)
    assert told["dropped"] == ["game.state_topik"]
    assert len(told["errors"]) == 1
