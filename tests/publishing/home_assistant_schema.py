"""Reads a device discovery from standard input and prints what Home Assistant's own schemas make of it, as JSON.

Run by the Python of an environment that has Home Assistant; nothing of tablecoin is imported. The answer has the keys
that were dropped (`component.key`), and the errors.
"""

import asyncio
import importlib
import json
import sys
import tempfile
from typing import Any

import voluptuous
from homeassistant.components.mqtt.schemas import DEVICE_DISCOVERY_SCHEMA
from homeassistant.core import HomeAssistant
from homeassistant.helpers import frame

PLATFORMS = {"light": ("homeassistant.components.mqtt.light.schema_json", "DISCOVERY_SCHEMA_JSON")}


def platform_schema(platform: str) -> Any:
    """The schema by which this platform reads a component."""
    module, name = PLATFORMS.get(platform, (f"homeassistant.components.mqtt.{platform}", "DISCOVERY_SCHEMA"))
    return getattr(importlib.import_module(module), name)


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        frame.async_setup(HomeAssistant(folder))
        told = json.load(sys.stdin)
        dropped, errors = [], []
        try:
            DEVICE_DISCOVERY_SCHEMA(told)
        except voluptuous.Invalid as error:
            errors.append(str(error))
        shared = {"availability": told["availability"], "device": told["device"], "origin": told["origin"]}
        for key, component in told["components"].items():
            if component.keys() == {"platform"}:
                continue
            try:
                taken = platform_schema(component["platform"])({**shared, "qos": told["qos"], **component})
            except voluptuous.Invalid as error:
                errors.append(f"{key}: {error}")
            else:
                dropped += [f"{key}.{each}" for each in component.keys() - taken.keys() - {"platform", "schema"}]
        print(json.dumps({"dropped": sorted(dropped), "errors": errors}))


asyncio.run(main())
