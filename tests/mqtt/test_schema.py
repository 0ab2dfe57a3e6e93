"""The JSON schema of the messages is up to date, and says what each message says."""

from __future__ import annotations

import json
from pathlib import Path

from tablecoin.mqtt.messages import KINDS, VERSION
from tablecoin.mqtt.schema import schema

DOCS = Path(__file__).parents[2] / "docs"


def test_the_file_is_up_to_date() -> None:
    assert json.loads((DOCS / "mqtt.schema.json").read_text("utf-8")) == json.loads(json.dumps(schema())), (
        "run `make contract`"
    )


def test_it_names_its_version_and_every_message() -> None:
    assert VERSION in schema()["title"]
    assert {kind.__name__ for kind in KINDS.values()} <= schema()["$defs"].keys()


def test_what_a_field_means_comes_from_its_comment() -> None:
    assert "number of its newest event" in schema()["$defs"]["Summary"]["properties"]["newest"]["description"]
