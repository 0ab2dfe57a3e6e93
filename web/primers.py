"""A game in one minute, as the rulebook page draws it: GET /api/primer/GAME."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from flask import Blueprint, Response

from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.coins import Denomination, Face
from tablecoin.lessons.primer import Picture, Sentence, is_told, primer
from tablecoin.mat import Mat
from tablecoin.replay.places import places
from web.answers import CoinDrawn, PrimerPicture, PrimerSentence, PrimerShown
from web.bodies import answer
from web.words import Refused, quoted, say

_AROUND_MM = 8.0  # of the mat, shown around the zones of a picture that does not show all of it


def blueprint() -> Blueprint:
    routes = Blueprint("primers", __name__)

    @routes.get("/api/primer/<game>")
    def in_one_minute(game: str) -> Response:
        if game not in rules.NAMES:
            raise Refused(404, say("game", game=quoted(game), choices=list(rules.NAMES)))
        return answer(shown(game))

    return routes


@cache
def shown(game: str) -> PrimerShown:
    """The primer of a game with the place of each coin; without a sentence where it has none."""
    if not is_told(game):
        rule = rules.load(game)
        return PrimerShown(game, mats.load(rule.mat(rule.read_options({}))), (), ())
    told = primer(game)
    mat = mats.load(told.mat)
    return PrimerShown(
        game=game,
        mat=mat,
        minute=tuple(_sentence(mat, each) for each in told.minute),
        example=tuple(_sentence(mat, each) for each in told.example),
    )


def _sentence(mat: Mat, told: Sentence) -> PrimerSentence:
    return PrimerSentence(told.texts, _picture(mat, told.picture) if told.picture else None)


def _picture(mat: Mat, picture: Picture) -> PrimerPicture:
    box = _around(mat, picture.show) if picture.show else (0.0, 0.0, mat.width_mm, mat.height_mm)
    return PrimerPicture(tuple(drawn(mat, picture.coins)), box, picture.lit, picture.caption)


def drawn(mat: Mat, coins: Mapping[str, tuple[str, ...]]) -> Iterator[CoinDrawn]:
    """Each coin of each zone ("dime:heads", "dime:any") at its place, in the order in which they lie."""
    for zone, kinds in coins.items():
        for coin, (x_mm, y_mm) in zip(kinds, places(mat.zone(zone), len(kinds)), strict=True):
            kind, _, face = coin.partition(":")
            yield CoinDrawn(Denomination(kind), None if face == "any" else Face(face), x_mm, y_mm)


def _around(mat: Mat, zones: tuple[str, ...]) -> tuple[float, float, float, float]:
    """Left, top, width and height of the part of the mat that holds these zones."""
    lefts, tops, rights, bottoms = zip(*(mat.zone(zone).area.bounds_mm for zone in zones), strict=True)
    left, top = max(0.0, min(lefts) - _AROUND_MM), max(0.0, min(tops) - _AROUND_MM)
    right, bottom = min(mat.width_mm, max(rights) + _AROUND_MM), min(mat.height_mm, max(bottoms) + _AROUND_MM)
    return left, top, right - left, bottom - top
