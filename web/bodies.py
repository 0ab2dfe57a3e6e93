"""What comes in with a call, read strictly, and what goes out: shared by every part of the API."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from flask import Response, request

from tablecoin.rules.plain import plain

MAX_JSON_BYTES = 256 * 1024
MAX_PHOTO_BYTES = 40 * 1024 * 1024

T = TypeVar("T")


class BadRequest(Exception):
    """The body is not what this call takes; `str()` is one sentence. Answered with 400."""


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a call that takes none: {}, or no body at all."""


def body() -> bytes:
    """The request's body; one beyond MAX_JSON_BYTES is answered with 413."""
    request.max_content_length = MAX_JSON_BYTES
    return request.get_data(cache=False)


def read(raw: bytes, kind: type[T]) -> T:
    """The body as `kind`; BadRequest for anything else, unknown fields and wrong types included."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        raise BadRequest(f"{plain(error, msgspec.json.decode(raw), kind)}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadRequest("The body is not JSON.") from None


def answer(value: object) -> Response:
    """`value` as JSON that nobody keeps."""
    made = Response(msgspec.json.encode(value), mimetype="application/json")
    made.headers["Cache-Control"] = "no-store"
    return made
