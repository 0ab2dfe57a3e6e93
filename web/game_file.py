"""One game as one HTML file that opens with no network: its facts, the page's words, style and scripts inside it.

What a record tells is text of strangers. It stands in the file as JSON in which no tag can begin, and the scripts set
it as text only. The Content-Security-Policy lets nothing run but the one script whose digest it names, and nothing be
loaded from anywhere.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

import msgspec
from flask import Flask, render_template

from tablecoin.replay.report import Report
from tablecoin.replay.steps import Replay
from tablecoin.rules.rulebook import LANGUAGES, Complaint, Message

MOST_BYTES = 2_000_000  # of a file that friends can send each other

_STATIC = files("web") / "static"
_STYLES = ("page", "table", "mat", "games", "graph", "replay")
_ENTRY = "offline.js"
_IMPORT = re.compile(r'^import (?:\{[^}]*\} from )?"(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:const|let|class|function)\b)", re.MULTILINE)


class TooLong(Complaint, ValueError):
    """The game has so many rulings that its file would be larger than MOST_BYTES."""


def game_file(game: Replay, report: Report | None) -> bytes:
    """The file, UTF-8. A report that tells no chances is left out. Raises TooLong."""
    known = report if report and report.players else None
    facts = _inert({"game": game, "report": known, "catalogues": _catalogues()})
    script, style, title = _script(), _style(), game.title["en"]
    with _JINJA.app_context():
        page = render_template("game_file.html", script=script, style=style, digest=_digest, facts=facts, title=title)
    data = page.encode()
    if len(data) > MOST_BYTES:
        raise TooLong(Message("replay.too_long", {"rulings": len(game.steps) - 1, "most": MOST_BYTES // 1_000_000}))
    return data


def bundle(entry: str) -> str:
    """A module and all that it imports as one script: those imported first, without their imports and exports.

    All share one scope, so no two may declare the same name; the browser refuses such a script whole.
    """
    done: dict[str, str] = {}

    def take(name: str) -> None:
        if name in done:
            return
        done[name] = ""  # a circle of imports ends here
        source = _read("js", name)
        for found in _IMPORT.finditer(source):
            take(_resolved(name, found[1]))
        text = done.pop(name) + _EXPORT.sub("", _IMPORT.sub("", source))
        done[name] = text

    take(entry)
    return "\n".join(done.values())


def _resolved(name: str, wanted: str) -> str:
    """`./dom.js` or `../dom.js` as seen from the module `name`, by its path in the folder of the scripts."""
    parts = name.split("/")[:-1]
    for part in wanted.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


@cache
def _script() -> str:
    return bundle(_ENTRY)


@cache
def _style() -> str:
    return "\n".join(_read("css", f"{name}.css") for name in _STYLES)


@cache
def _catalogues() -> dict[str, dict[str, str]]:
    return {language: json.loads(_read("i18n", f"{language}.json")) for language in LANGUAGES}


def _read(*path: str) -> str:
    return _STATIC.joinpath(*path).read_text("utf-8")


def _inert(facts: object) -> str:
    """JSON in which no tag, comment or entity can begin, whatever strangers wrote into it."""
    text = msgspec.json.encode(facts).decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _digest(text: str) -> str:
    """How a Content-Security-Policy names what stands inside a page."""
    return b64encode(sha256(text.encode()).digest()).decode()


_JINJA = Flask(__name__)  # for its templates alone
