"""The values of both Dollar Prize games: sides, rows, house rules, states and the actions of a turn."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tablecoin.coins import EMPTY, Coin, Denomination, Face, Heap
from tablecoin.rules.game import Action, Options, State

Side = Face  # a player's seat is the side of the coin they picked
SIDES = (Side.HEADS, Side.TAILS)
LEAST_GOAL = 10  # cents


class PrizeOptions(Options, frozen=True):
    """The house rules of both games."""

    goal: Annotated[
        int,
        Meta(ge=LEAST_GOAL, le=1000, description="What a row must be worth to end the game, in cents."),
    ] = 100
    starter: Annotated[
        Literal["fewer", "heads", "tails"],
        Meta(description="Who plays first in each round: whoever got fewer setup pennies, or the side named."),
    ] = "fewer"
    strict_order: Annotated[
        Literal["off", "warn", "enforce"],
        Meta(
            description="A coin below the row's highest is allowed, allowed with a reminder, or refused while one fits."
        ),
    ] = "warn"
    multi_convert: Annotated[bool, Meta(description="Convert as often as you like in a turn, not just once.")] = False
    any_equal_convert: Annotated[
        bool, Meta(description="Convert any lower coins into one higher coin of the same value, not the four recipes.")
    ] = False
    bank: Annotated[
        Literal["unlimited", "counted"],
        Meta(description="Whether the bank always has the coin wanted, or holds just `bank_coins` and can run out."),
    ] = "unlimited"
    bank_coins: Annotated[Heap, Meta(description="All coins of a counted bank, before the setup toss.")] = Heap(
        20, 10, 22, 10
    )


class Rows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The two rows of coins, one on each side of the prize. Their order does not count (ruling S6, docs/rulings.md)."""

    heads: Heap = EMPTY
    tails: Heap = EMPTY

    def __getitem__(self, side: Side) -> Heap:
        return self.heads if side is Side.HEADS else self.tails

    def put(self, side: Side, row: Heap) -> Rows:
        """These rows with `side`'s replaced."""
        return Rows(row, self.tails) if side is Side.HEADS else Rows(self.heads, row)

    @property
    def richest_cents(self) -> int:
        return max(self.heads.cents, self.tails.cents)


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the player to move has done in this turn."""

    placed: bool = False
    converted: bool = False


class PrizeState(State, frozen=True, kw_only=True):
    """Where a Dollar Prize game stands. `mover` travels in JSON as the one seat of `to_act`."""

    phase: str
    round: Annotated[int, Meta(ge=1, le=100_000)] = 1
    rows: Rows = Rows()
    turn: Turn = Turn()
    first: Side | None = None  # who begins each round; None until the setup toss has settled it
    mover: Side | None = None  # who acts in `seated_phases`
    passes: Annotated[int, Meta(ge=0, le=2)] = 0  # players who had nothing to place in this round
    options: PrizeOptions = PrizeOptions()


class Toss(Action, frozen=True, tag="flip"):
    """What the coins in the tray show; exactly the coins due, in any order."""

    coins: tuple[Coin, ...]


class Place(Action, frozen=True, tag="place"):
    """A coin from the bank into one's own row."""

    coin: Denomination


class Convert(Action, frozen=True, tag="convert"):
    """Coins of one's own row to the bank, one coin from the bank into the row."""

    give: Heap
    take: Denomination


class Done(Action, frozen=True, tag="done"):
    """The end of one's turn."""

    ends_turn = True


class Add(Action, frozen=True, tag="add"):
    """A coin that appeared in a row without being placed in that player's turn. Never legal; cameras see it happen."""

    coin: Denomination
    row: Side


class Take(Action, frozen=True, tag="take"):
    """A coin that left a row though no rule moved it. Never legal; cameras see it happen."""

    coin: Denomination
    row: Side
