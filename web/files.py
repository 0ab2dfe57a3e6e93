"""The pages' own files: styles, scripts, sentences. Their address holds a digest of all of them, so browsers keep them.

A new version of the program has a new digest and with it new addresses: nothing old is shown, and nothing is asked for
twice. A page that was opened before an update still gets its files, today's, but may not keep them.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask, Response, abort, request

_YEAR_S = 31_536_000
_TEXTS = (".js", ".css", ".json", ".svg")  # compressed; pictures are already


class _File(NamedTuple):
    kind: str
    plain: bytes
    packed: bytes | None  # gzip


def serve(app: Flask, folder: Path) -> None:
    """Give out the files of `folder` at /static/<digest>/, the address that `url_for("static", filename=…)` writes."""
    files = _read(folder)
    digest = _digest(files)

    @app.url_defaults
    def newest(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values.setdefault("version", digest)

    @app.get("/static/<version>/<path:filename>", endpoint="static")
    def static(version: str, filename: str) -> Response:
        if filename not in files:
            abort(404)
        kind, plain, packed = files[filename]
        squeeze = packed is not None and request.accept_encodings["gzip"] > 0
        answer = Response(packed if squeeze else plain, mimetype=kind)
        if squeeze:
            answer.content_encoding = "gzip"
        answer.vary.add("Accept-Encoding")
        answer.add_etag()
        if version == digest:
            answer.cache_control.max_age, answer.cache_control.immutable = _YEAR_S, True
        else:
            answer.cache_control.no_cache = True
        answer.make_conditional(request)  # a 304 where the browser has it
        return answer


@cache  # the files are those of the program, which do not change while it runs
def _read(folder: Path) -> Mapping[str, _File]:
    files = {}
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        plain = path.read_bytes()
        packed = gzip.compress(plain, mtime=0) if path.suffix in _TEXTS else None
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        files[path.relative_to(folder).as_posix()] = _File(kind, plain, packed)
    return files


def _digest(files: Mapping[str, _File]) -> str:
    whole = hashlib.sha256()
    for name, file in files.items():
        whole.update(f"{name}\0{len(file.plain)}\0".encode() + file.plain)
    return whole.hexdigest()[:16]
