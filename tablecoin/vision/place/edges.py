"""Coins that lie across the edge of a zone: whoever laid them may have meant it."""

from __future__ import annotations

from collections.abc import Sequence

from tablecoin.mat import Mat
from tablecoin.rules.zones import ZoneKind
from tablecoin.vision.frame import SeenCoin

_REACHES_IN_MM = 2.0  # a coin outside a zone whose rim reaches this far into it lies across the edge


def across_edges(coins: Sequence[SeenCoin], mat: Mat) -> list[tuple[SeenCoin, str]]:
    """(coin, zone) for each coin that lies in no zone but reaches over the edge of one."""
    found = []
    for coin in coins:
        if coin.zone is None and coin.place_mm and coin.denomination:
            reach = coin.denomination.diameter_mm / 2 - _REACHES_IN_MM
            stakes = (zone for zone in mat.zones if zone.kind is not ZoneKind.PRIZE)
            near_by = (zone.name for zone in stakes if zone.area.holds(*coin.place_mm, -reach))
            found += [(coin, zone) for zone in list(near_by)[:1]]
    return found
