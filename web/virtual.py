"""The virtual table's calls: its coins, hands and faults; setting it as the game wants it; tosses."""

from __future__ import annotations

import msgspec
from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from tablecoin.coins import Heap
from web.bodies import BadRequest, Nothing, answer, body, read
from web.source import LiveTable


class _Toss(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    coins: Heap
    zone: str = "tray"


def blueprint(live: LiveTable) -> Blueprint:
    routes = Blueprint("virtual", __name__, url_prefix="/api/virtual")

    @routes.route("", methods=["GET", "PUT"])
    def virtual() -> ResponseReturnValue:
        table = live.virtual
        if table is None:
            return _no_virtual()
        if request.method == "PUT":
            try:
                table.put_json(read(body(), object))
            except ValueError as error:
                raise BadRequest(str(error)) from None
        return answer(table.to_json())

    @routes.post("/arrange")
    def arrange() -> ResponseReturnValue:
        if live.virtual is None:
            return _no_virtual()
        read(body() or b"{}", Nothing)
        live.arrange()
        return answer(live.virtual.to_json())

    @routes.post("/toss")
    def toss() -> ResponseReturnValue:
        table = live.virtual
        if table is None:
            return _no_virtual()
        wish = read(body(), _Toss)
        try:
            table.toss(wish.coins, wish.zone)
        except ValueError as error:
            raise BadRequest(str(error)) from None
        return answer(table.to_json())

    return routes


def _no_virtual() -> ResponseReturnValue:
    return {"error": "There is no virtual table: a real camera is looking."}, 404
