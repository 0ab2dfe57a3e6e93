"""The JSON schema of every message, made from the structs; what a field means comes from the comment behind it.

`python -m tablecoin.mqtt.schema` prints it (`make contract` keeps it in docs/mqtt.schema.json).
"""

from __future__ import annotations

import inspect
import json
import re
from inspect import cleandoc
from typing import Any

import msgspec

from tablecoin.mqtt import messages, topics
from tablecoin.mqtt.messages import KINDS, VERSION

_REF = "#/$defs/{name}"
_FIELD = re.compile(r"^    (\w+): .*?  # (.+)$", re.MULTILINE)


def schema() -> dict[str, Any]:
    """JSON schema 2020-12: each message under `$defs`, and under `x-topics` which of them stands on which topic."""
    _, found = msgspec.json.schema_components(list(dict.fromkeys(KINDS.values())), ref_template=_REF)
    for name, each in found.items():
        comments = _comments(name)
        if "description" in each:
            each["description"] = " ".join(cleandoc(each["description"]).split())
        for field, kind in each["properties"].items():
            if field in comments:
                kind["description"] = comments[field]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"tablecoin over MQTT, version {VERSION}",
        "x-topics": {topics.topic("TABLE", kind): _REF.format(name=each.__name__) for kind, each in KINDS.items()},
        "$defs": dict(sorted(found.items())),
    }


def _comments(name: str) -> dict[str, str]:
    """Field -> the comment behind it, those of the struct's bases included."""
    struct = getattr(messages, name)
    sources = [inspect.getsource(each) for each in reversed(struct.__mro__) if each.__module__ == messages.__name__]
    return {field: said for source in sources for field, said in _FIELD.findall(source)}


if __name__ == "__main__":
    print(json.dumps(schema(), indent=1, ensure_ascii=False))
