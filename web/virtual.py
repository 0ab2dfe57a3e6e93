"""The virtual table's calls: its coins, hands and faults; setting it as the game wants it; tosses."""

from __future__ import annotations

from flask import Blueprint, Response

from tablecoin.virtual.table import Carry
from web.bodies import Nothing, TossBody, answer, body, read
from web.source import LiveTable, VirtualTable
from web.words import Refused, said_by, say


def blueprint(live: LiveTable) -> Blueprint:
    routes = Blueprint("virtual", __name__, url_prefix="/api/virtual")

    def table() -> VirtualTable:
        if live.virtual is None:
            raise Refused(404, say("virtual.none"))
        return live.virtual

    @routes.get("")
    def look() -> Response:
        return answer(table().to_json())

    @routes.put("")
    def put() -> Response:
        here = table()
        try:
            here.put_json(read(body(), object))
        except ValueError as error:
            raise Refused(400, said_by(error, "virtual.why")) from None
        return answer(here.to_json())

    @routes.patch("")
    def move() -> Response:
        here = table()
        wish = read(body(), Carry)
        try:
            here.make(wish)
        except ValueError as error:
            raise Refused(409, said_by(error, "virtual.why")) from None
        return answer(here.to_json())

    @routes.post("/arrange")
    def arrange() -> Response:
        here = table()
        read(body() or b"{}", Nothing)
        live.arrange()
        return answer(here.to_json())

    @routes.post("/toss")
    def toss() -> Response:
        here = table()
        wish = read(body(), TossBody)
        try:
            live.toss(wish.coins, wish.zone)
        except ValueError as error:
            raise Refused(400, said_by(error, "virtual.why")) from None
        return answer(here.to_json())

    return routes
