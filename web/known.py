"""The coins that the table remembers: shown on the set-up page, with the owner's consent, reset and carrying."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from tablecoin.journal.unwritten import why_and_do
from tablecoin.live.kept_coins import KeptCoins
from tablecoin.rules.rulebook import texts
from tablecoin.vision.coins.remembered_file import FILE, LARGEST_FILE, RememberedError
from web.answers import KnownCoin, KnownCoins
from web.bodies import LearnBody, Nothing, answer, body, passing, read, refusal
from web.words import Refused, say

_BESIDE_THE_FILE = 10_000  # bytes of a form around its file


def blueprint(kept: KeptCoins) -> Blueprint:
    """The calls over the remembered coins of one table."""
    routes = Blueprint("known", __name__, url_prefix="/api/known")

    def shown() -> Response:
        coins = tuple(
            KnownCoin(coin.kind, coin.face, coin.source, f"/api/known/{number}.jpg")
            for number, coin in enumerate(kept.remembered.coins)
        )
        trouble = texts(kept.trouble) if kept.trouble else None
        return answer(KnownCoins(kept.learn, kept.fixed, coins, trouble["en"] if trouble else None, trouble))

    @routes.get("")
    def known() -> Response:
        return shown()

    @routes.get("/<int(max=9999):number>.jpg")
    def picture(number: int) -> Response:
        coins = kept.remembered.coins
        if number >= len(coins):
            abort(404)
        return passing(coins[number].picture, "image/jpeg")

    @routes.post("/learn")
    def learn() -> Response:
        wish = read(body(), LearnBody)
        if kept.fixed:
            raise Refused(409, say("known.fixed"))
        try:
            kept.choose(wish.learn)
        except OSError as error:
            raise Refused(503, say("known.disk", **why_and_do(error))) from None
        return shown()

    @routes.post("/forget")
    def forget() -> Response:
        read(body() or b"{}", Nothing)
        kept.forget()
        return shown()

    @routes.get("/coins.npz")
    def file() -> Response:
        made = passing(kept.packed(), "application/octet-stream")
        made.headers["Content-Disposition"] = f'attachment; filename="{FILE}"'
        return made

    @routes.post("/coins")
    def take() -> Response:
        request.max_content_length = LARGEST_FILE + _BESIDE_THE_FILE
        coins = request.files.get("coins")
        if coins is None:
            raise Refused(400, say("known.form"))
        if kept.learn != "on":
            raise Refused(409, say("known.off"))
        try:
            kept.take(coins.read())
        except RememberedError as error:
            return refusal(400, error.texts)
        return shown()

    return routes
