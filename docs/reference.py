"""The references of the site: every call and value of openapi.json, and every message of mqtt.schema.json, in words.

`docs/site.py` puts the pages in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

INTRODUCTION = """\
# API reference

Every call and every value, from the [OpenAPI file](openapi.json). [The web API](api.md) tells how they belong together.
Every error is a [Problem](#problem).
"""
MESSAGES = """\
# Messages over MQTT

Every message and value, from the [JSON schema](mqtt.schema.json): {title}. [Over MQTT](mqtt.md) tells how they belong
together.

| topic | message |
|---|---|"""
SKIPPED = ("text/html",)  # pages for people


def page(document: Mapping[str, Any]) -> str:
    """The reference as Markdown."""
    calls = [
        _call(method, path, call)
        for path, methods in document["paths"].items()
        for method, call in methods.items()
        if not any(kind in SKIPPED for kind in call["responses"]["200"].get("content", {}))
    ]
    values = [_value(name, schema) for name, schema in sorted(document["components"]["schemas"].items())]
    return "\n".join([INTRODUCTION, "## Calls", *calls, "## Values", *values])


def messages(document: Mapping[str, Any]) -> str:
    """The reference of the messages over MQTT as Markdown."""
    rows = [f"| `{topic}` | {_kind({'$ref': of})} |" for topic, of in document["x-topics"].items()]
    values = [_value(name, schema) for name, schema in document["$defs"].items()]
    return "\n".join([MESSAGES.format(title=document["title"]), *rows, "\n## Values", *values])


def _call(method: str, path: str, call: Mapping[str, Any]) -> str:
    lines = [f"\n### {method.upper()} {path}\n", f"{call['summary']}\n"]
    for parameter in call.get("parameters", []):
        said = parameter.get("description") or parameter["schema"].get("description", "")
        where = {"path": "in the path", "query": "in the query", "header": "a header"}[parameter["in"]]
        lines.append(f"- `{parameter['name']}` ({where}): {_kind(parameter['schema'])}. {said}".rstrip())
    for kind, body in call.get("requestBody", {}).get("content", {}).items():
        lines.append(f"- body (`{kind}`): {_kind(body['schema'])}")
    gives = [
        f"`{kind}`" if kind != "application/json" else _kind(answer["schema"])
        for kind, answer in call["responses"]["200"].get("content", {}).items()
    ]
    return "\n".join([*lines, f"- gives: {' or '.join(gives)}\n"])


def _value(name: str, schema: Mapping[str, Any]) -> str:
    lines = [f"\n### {name}\n"]
    if "description" in schema:
        lines.append(f"{_one_line(schema['description'])}\n")
    lines += _fields(schema) if "properties" in schema else [f"{_kind(schema)}\n"]
    return "\n".join(lines)


def _fields(schema: Mapping[str, Any]) -> Iterator[str]:
    for field, kind in schema["properties"].items():
        need = "" if field in schema.get("required", []) else ", may be left out"
        said = f". {_one_line(kind['description'])}" if "description" in kind else ""
        yield f"- `{field}`: {_kind(kind)}{need}{said}"
    yield ""


def _kind(schema: Mapping[str, Any]) -> str:
    """A schema in a few words, other values as links."""
    match schema:
        case {"$ref": reference}:
            name = reference.rpartition("/")[2]
            return f"[{name}](#{name.lower()})"
        case {"const": value}:
            return f"`{json.dumps(value)}`"
        case {"enum": values}:
            return " or ".join(f"`{json.dumps(value)}`" for value in values)
        case {"anyOf": some} | {"oneOf": some}:
            return " or ".join(dict.fromkeys(map(_kind, some)))
        case {"type": "array", "prefixItems": items}:
            return f"a list of {', '.join(map(_kind, items))}"
        case {"type": "array"}:
            return f"a list of {_kind(schema['items'])}" if schema.get("items") else "a list"
        case {"type": "object", "properties": fields}:
            return f"{{{', '.join(f'`{name}`: {_kind(kind)}' for name, kind in fields.items())}}}"
        case {"type": "object", "additionalProperties": dict(inner)} if inner:
            return f"an object, each value {_kind(inner)}"
        case {"type": kind}:
            limits = [f"at least {schema['minimum']}"] if "minimum" in schema else []
            limits += [f"at most {schema['maximum']}"] if "maximum" in schema else []
            return f"{kind} ({', '.join(limits)})" if limits else str(kind)
        case _:
            return "anything"


def _one_line(text: str) -> str:
    """Text that Markdown leaves as it is: one line, no tags and no links."""
    return re.sub(r"([<\[])", r"\\\1", " ".join(text.split()))
