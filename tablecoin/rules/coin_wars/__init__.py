"""Coin Wars: characters, scenes, exchanges of coins, powers and experience. `GAME` stands behind the game contract.

From the words up: `traits`, `options`, `character` (sheets, experience), `scene` (cost and class), `exchange` (the
arithmetic), `state` (and its JSON), `actions`, `powers`, `adventure` (the course of play), `preparation` (before the
draw), `moves` (what may be done), `telling` (what is said) and `game`.
"""

from __future__ import annotations

from tablecoin.rules.coin_wars.game import CoinWars

GAME = CoinWars()

__all__ = ["GAME", "CoinWars"]
