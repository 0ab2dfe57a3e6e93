"""Refereeing without a camera: actions in, rulings out, one JSON object a line. Behind `judge` and `games`.

Lines are untrusted: whatever a line holds, the answer is a ruling, and a refused line leaves the state unchanged.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from tablecoin.rules import load
from tablecoin.rules.game import Game, IllegalAction, InputError, State
from tablecoin.rules.rulebook import Message
from tablecoin.storage import given
from tablecoin.storage.documents import DocumentError, read_json

LONGEST_LINE = 1 << 20  # bytes; every action of every game is far shorter
LONGEST_STATE = 16 << 20  # bytes; every state is far shorter
_LONGEST_WHY = 400  # characters of a sentence that quotes the input


def lines(stream: BinaryIO, longest: int = LONGEST_LINE) -> Iterator[bytes | None]:
    """The stream's lines without their ends; None for one longer than `longest` bytes, which is not kept in memory."""
    while line := stream.readline(longest + 1):
        if len(line) <= longest or line.endswith(b"\n"):
            yield line.rstrip(b"\r\n")
            continue
        while (rest := stream.readline(longest)) and not rest.endswith(b"\n"):
            pass
        yield None


def read_input(text: bytes | str | None) -> object:
    """What a line of JSON says. Raises InputError: not JSON, not UTF-8, too deep, a number out of range, too long."""
    if text is None:
        raise InputError(Message("input.line.long", {"most": LONGEST_LINE >> 20}))
    try:
        return read_json(text)
    except DocumentError as error:
        raise InputError(Message("input.json", {"problem": str(error)})) from None


def read_position(path: Path) -> bytes:
    """What the file holds. Raises OSError, and InputError where it is longer than any state."""
    try:
        return given.read(path, LONGEST_STATE)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise InputError(Message("input.file.long", {"path": str(path), "most": LONGEST_STATE >> 20})) from None
        raise


def read_start(game: Game[Any, Any, Any], options: str | None, position: bytes | None) -> State:
    """The state to referee from: a start with `options`, or the state in `position`, with `options` laid over its own.

    A position is a state object, or a whole line as `judge` prints it. Raises InputError.
    """
    chosen = None if options is None else _named("--options", options)
    if position is None:
        started: State = game.start(game.read_options(chosen))
        return started
    raw = _named("--from", position)
    if isinstance(raw, dict) and "ok" in raw and isinstance(raw.get("state"), dict):
        raw = raw["state"]
    if chosen is not None:
        game.read_options(chosen)  # so that an error names the options, not the state
        if isinstance(raw, dict) and isinstance(own := raw.get("options", {}), dict):
            raw = {**raw, "options": own | cast(dict[str, Any], chosen)}
    read: State = game.read_state(raw)
    strange = sorted(set(cast(dict[str, Any], raw)) - set(game.write_state(read)))
    if strange:
        raise game.unusable("state", f"it has no {strange[0][:40]!r}; give one as `judge` prints it")
    return read


def _named(source: str, text: bytes | str) -> object:
    try:
        return read_input(text)
    except InputError as error:
        raise InputError(Message("input.object", {"source": source, "problem": error.message})) from None


def rule(game: Game[Any, Any, Any], state: State, raw: object) -> tuple[State, IllegalAction | None]:
    """The state after the action `raw` (JSON, already parsed); or `state` itself and why it was refused."""
    try:
        return game.apply(state, game.read_action(raw)), None
    except IllegalAction as refused:
        return state, refused.with_traceback(None)
    except InputError as error:
        return state, IllegalAction("input", problem=short(error))


def judge(game: Game[Any, Any, Any], state: State, stream: BinaryIO) -> Iterator[dict[str, Any]]:
    """The ruling on the start and on each line of `stream`, as `judge` prints them."""
    yield {"ok": True, "state": game.write_state(state)}
    for line in lines(stream):
        try:
            raw = read_input(line)
        except InputError as error:
            refused: IllegalAction | None = IllegalAction("input", problem=short(error))
        else:
            state, refused = rule(game, state, raw)
        yield ruling(game, state, refused)


def ruling(game: Game[Any, Any, Any], state: State, refused: IllegalAction | None) -> dict[str, Any]:
    """A ruling as JSON; the state is the one that now stands."""
    if refused is None:
        return {"ok": True, "state": game.write_state(state)}
    return {"ok": False, "clause": refused.clause, "why": refused.why(), "state": game.write_state(state)}


def short(error: InputError) -> str:
    """The error's sentence, cut where it quotes too much, without characters that UTF-8 cannot hold."""
    text = str(error).encode("utf-8", "replace").decode()
    return text if len(text) <= _LONGEST_WHY else text[:_LONGEST_WHY] + "…"


def describe(name: str) -> dict[str, Any]:
    """A game's name, titles and house rules, as `games --json` prints them."""
    game = load(name)
    schemas = msgspec.json.schema(game.options_type)["$defs"]
    fields = schemas[game.options_type.__name__].get("properties", {})
    return {"game": name, "title": dict(game.title), "options": {key: _option(field) for key, field in fields.items()}}


def _option(field: Mapping[str, Any]) -> dict[str, Any]:
    """One house rule: its default, its sentence, and what values it takes as far as that can be said simply."""
    told = {"default": field.get("default"), "description": field.get("description", "")}
    if "enum" in field:
        told["choices"] = field["enum"]
    return told | {key: field[key] for key in ("type", "minimum", "maximum") if key in field}
