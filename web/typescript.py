"""TypeScript types for the page's scripts, made from the schemas of the OpenAPI file: `Api.Snapshot` and all others.

`python -m web.typescript` prints them (`make contract` keeps them in web/contract.d.ts). Only `tsc` reads them.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from web.openapi import schemas

_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def declarations(components: Mapping[str, Mapping[str, Any]]) -> str:
    """A namespace with an interface for each object and a type for anything else."""
    body = "\n".join(line for name, schema in components.items() for line in _declaration(name, schema))
    head = "// Made by `make contract` from the structs of the API. Not to be edited."
    return f"{head}\n\ndeclare namespace Api {{\n{body}\n}}\n"


def _declaration(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    if about := schema.get("description"):
        yield from (f"  // {line}" for line in textwrap.wrap(" ".join(about.split()), 115))
    if "properties" not in schema:
        yield f"  type {name} = {_type(schema)};"
        return
    yield f"  interface {name} {{"
    for field, kind in schema["properties"].items():
        yield f"    {_field(field, schema)}: {_type(kind)};"
    yield "  }"


def _field(name: str, schema: Mapping[str, Any]) -> str:
    written = name if name.isidentifier() else json.dumps(name)
    return written if name in schema.get("required", ()) else f"{written}?"


def _type(schema: Mapping[str, Any]) -> str:
    """A schema as a TypeScript type; anything JSON is `any`."""
    match schema:
        case {"$ref": str(ref)}:
            return ref.rpartition("/")[2]
        case {"anyOf": parts}:
            return " | ".join(_type(part) for part in parts)
        case {"enum": values}:
            return " | ".join(json.dumps(value) for value in values)
        case {"const": value}:
            return json.dumps(value)
        case {"prefixItems": items}:
            return f"[{', '.join(_type(item) for item in items)}]"
        case {"type": "array", "items": items, "minItems": int(least), "maxItems": int(most)} if least == most:
            return f"[{', '.join([_type(items)] * most)}]"
        case {"type": "array", "items": items}:
            return f"Array<{_type(items)}>"
        case {"properties": properties}:
            fields = (f"{_field(name, schema)}: {_type(kind)}" for name, kind in properties.items())
            return f"{{ {'; '.join(fields)} }}"
        case {"type": "object"}:
            values = schema.get("additionalProperties")
            return f"Record<string, {_type(values)}>" if isinstance(values, dict) else "Record<string, any>"
        case {"type": str(kind)} if kind in _PLAIN:
            return _PLAIN[kind]
        case _:
            return "any"


if __name__ == "__main__":
    print(declarations(schemas()), end="")
