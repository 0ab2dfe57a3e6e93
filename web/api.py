"""The JSON calls. Each reads its body strictly and asks the house; an error is {"error": "one sentence"}."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from tablecoin.coins import Denomination, Face, Heap
from web import games
from web.source import House

MAX_JSON_BYTES = 256 * 1024
MAX_PHOTO_BYTES = 40 * 1024 * 1024


class BadRequest(Exception):
    """The body is not what this call takes; `str()` is one sentence. Answered with 400."""


class _Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class _Start(_Body, frozen=True):
    game: str
    options: dict[str, Any] = {}
    seats: dict[str, Literal["person", "computer"]] = {}


class _Press(_Body, frozen=True):
    button: Annotated[str, msgspec.Meta(max_length=40)]


class _Answer(_Body, frozen=True):
    choice: Annotated[int, msgspec.Meta(ge=0)]


class _Correct(_Body, frozen=True):
    """A null denomination: it is not one of our coins at all."""

    coin: Annotated[int, msgspec.Meta(ge=0)]
    denomination: Denomination | msgspec.UnsetType | None = msgspec.UNSET
    face: Face | msgspec.UnsetType | None = msgspec.UNSET


class _Toss(_Body, frozen=True):
    coins: Heap
    zone: str = "tray"


class _Nothing(_Body, frozen=True):
    pass


T = TypeVar("T")


def read(body: bytes, kind: type[T]) -> T:
    """The body as `kind`; BadRequest for anything else, unknown fields and wrong types included."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        text = str(error).replace(" - at `$`", "").replace("`$.", "`")
        raise BadRequest(f"{text}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadRequest("The body is not JSON.") from None


def blueprint(house: House) -> Blueprint:
    routes = Blueprint("api", __name__, url_prefix="/api")

    def ask(command: dict[str, Any]) -> Response:
        """Pass a command on. Refused by the rules is an answer (ok: false and why), not an error."""
        accepted, why = house.command(command, _seat())
        return jsonify(ok=accepted, why=why, seq=house.snapshot()["seq"])

    @routes.get("/state")
    def state() -> Response:
        return _json(house.snapshot())

    @routes.get("/games")
    def list_games() -> Response:
        return _json({"games": [games.describe(game) for game in games.available()]})

    @routes.post("/games")
    def start() -> Response:
        return ask({"start": msgspec.to_builtins(read(_body(), _Start))})

    @routes.post("/act")
    def act() -> Response:
        action = read(_body(), dict[str, Any])
        if not isinstance(action.get("do"), str):
            raise BadRequest('An action is an object with "do", such as {"do": "done"}.')
        return ask({"act": action})

    @routes.post("/press")
    def press() -> Response:
        return ask({"press": read(_body(), _Press).button})

    @routes.post("/answer")
    def answer() -> Response:
        return ask({"answer": read(_body(), _Answer).choice})

    @routes.post("/correct")
    def correct() -> Response:
        wish = read(_body(), _Correct)
        if wish.denomination is msgspec.UNSET and wish.face is msgspec.UNSET:
            raise BadRequest("Say what the coin is: a denomination, a face or both.")
        return ask({"correct": msgspec.to_builtins(wish)})

    @routes.post("/undo")
    def undo() -> Response:
        read(_body() or b"{}", _Nothing)
        return ask({"undo": True})

    @routes.get("/record")
    def record() -> Response:
        answer = Response(house.record(), mimetype="application/x-ndjson")
        answer.headers["Content-Disposition"] = 'attachment; filename="tablecoin.jsonl"'
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @routes.post("/score")
    def score() -> Response:
        request.max_content_length = MAX_PHOTO_BYTES
        photo = request.files.get("photo")
        unknown = sorted((set(request.form) | set(request.files)) - {"photo", "map"})
        if unknown:
            raise BadRequest(f"Unknown field {unknown[0][:40]!r}; a score needs photo, and map if you like.")
        image = photo.read() if photo else b""
        if not image:
            raise BadRequest("Send the picture as the form's file `photo`.")
        try:
            return _json(house.score(image, request.form.get("map") or None))
        except ValueError as error:
            raise BadRequest(str(error)) from None

    @routes.route("/virtual", methods=["GET", "PUT"])
    def virtual() -> ResponseReturnValue:
        table = house.virtual
        if table is None:
            return _no_virtual()
        if request.method == "PUT":
            try:
                table.put_json(read(_body(), dict[str, Any]))
            except ValueError as error:
                raise BadRequest(str(error)) from None
        return _json(table.to_json())

    @routes.post("/virtual/toss")
    def toss() -> ResponseReturnValue:
        table = house.virtual
        if table is None:
            return _no_virtual()
        wish = read(_body(), _Toss)
        try:
            table.toss(wish.coins, wish.zone)
        except ValueError as error:
            raise BadRequest(str(error)) from None
        return _json(table.to_json())

    return routes


def _body() -> bytes:
    request.max_content_length = MAX_JSON_BYTES
    return request.get_data(cache=False)


def _seat() -> str | None:
    """The seat this phone sits at, when its person chose one; without, it speaks for the whole table."""
    return request.headers.get("X-Seat") or None


def _json(value: object) -> Response:
    answer = Response(msgspec.json.encode(value), mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _no_virtual() -> ResponseReturnValue:
    return {"error": "There is no virtual table: a real camera is looking."}, 404
