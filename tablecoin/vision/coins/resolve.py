"""Stage three: of circles that cover each other the likeliest coin stays, and what stays becomes a SeenCoin."""

from __future__ import annotations

from dataclasses import replace

from tablecoin.vision.coins.candidates import Candidates
from tablecoin.vision.coins.sureness import LIKELY
from tablecoin.vision.frame import SeenCoin
from tablecoin.vision.place.plane import Plane


def on_mat(identified: Candidates, plane: Plane, least: float) -> tuple[SeenCoin, ...]:
    """The coins on the mat with their places and zones; `least` is the probability of being a coin to be one."""
    coins = _seen(identified[identified.strongest(least)])
    places = plane.to_mm([(coin.disc.x_px, coin.disc.y_px) for coin in coins]).tolist() if coins else []
    return tuple(
        replace(coin, place_mm=(x, y), zone=plane.mat.zone_at(x, y)) for coin, (x, y) in zip(coins, places, strict=True)
    )


def anywhere(identified: Candidates) -> tuple[SeenCoin, ...]:
    """The coins of a picture without a mat, which are more likely coins than not."""
    likely = identified.ours >= LIKELY
    return _seen(identified[likely.nonzero()[0]])


def _seen(coins: Candidates) -> tuple[SeenCoin, ...]:
    columns = coins.discs, coins.kinds.tolist(), coins.heads_if.tolist(), coins.sure.tolist()
    return tuple(
        SeenCoin(disc, (penny, nickel, dime, quarter), (p, n, d, q), sure)
        for disc, (penny, nickel, dime, quarter, _), (p, n, d, q), sure in zip(*columns, strict=True)
    )
