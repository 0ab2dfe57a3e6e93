"""The values of Coin Age: options, state, what follows from a state, actions, and which states are possible."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

import msgspec

from tablecoin.coins import BY_SIZE, BY_VALUE, Coin, Denomination, Face, Heap
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.score import Tally, tally
from tablecoin.rules.game import Action, Options, State

EACH_BANK = Heap(dime=4, penny=3, nickel=2, quarter=1)
ALL_COINS = EACH_BANK + EACH_BANK

Stack = tuple[Coin, ...]  # bottom to top, each coin smaller than the one below


class CoinAgeOptions(Options, frozen=True):
    """House rules of Coin Age."""

    map: Annotated[
        str, msgspec.Meta(max_length=300, description="A map's name, `random`, or the path of your own .toml map.")
    ] = "classic"
    seed: Annotated[int | None, msgspec.Meta(description="Which map `random` picks; drawn by lot when left out.")] = (
        None
    )
    finish_turn: Annotated[
        bool, msgspec.Meta(description="Play the turn out after the last space is covered or a bank runs empty.")
    ] = False
    sides: Annotated[
        Literal["toss", "loser-picks"],
        msgspec.Meta(description="Who takes which side: a coin decides, or the loser of the last game picks."),
    ] = "toss"

    @property
    def board(self) -> maps.Map:
        """The map itself. Raises MapError."""
        return maps.load(maps.pick(self.seed or 0) if self.map == maps.RANDOM else self.map)


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the mover has done since the toss.

    `placed` is in BY_VALUE order, so that two coins placed in either order lead to the same state.
    """

    placed: tuple[Denomination, ...] = ()
    paid: Denomination | None = None
    moved: bool = False
    captured: Denomination | None = None


class Allowed(msgspec.Struct, frozen=True):
    """How many of each action the mover may still do this turn."""

    place: int = 0
    pay: int = 0
    move: int = 0
    capture: int = 0


class CoinAgeState(State, frozen=True):
    """`stacks` follow the order of the map's spaces, `banks` are (heads', tails'); `flip` is in BY_VALUE order."""

    options: CoinAgeOptions
    mover: Face
    stacks: tuple[Stack, ...]
    banks: tuple[Heap, Heap]
    flip: tuple[Coin, ...] | None = None
    turn: Turn = Turn()

    @property
    def board(self) -> maps.Map:
        return self.options.board

    def bank(self, side: Face) -> Heap:
        return self.banks[side is Face.TAILS]

    @property
    def tops(self) -> dict[str, Coin]:
        """Space id -> the coin on top, of the spaces that hold any."""
        return {space.id: stack[-1] for space, stack in zip(self.board.spaces, self.stacks, strict=True) if stack}

    @property
    def matches(self) -> int | None:
        """Coins of the toss that showed the mover's side; None before it."""
        return None if self.flip is None else sum(coin.face is self.mover for coin in self.flip)

    @property
    def waiting(self) -> tuple[Coin, ...]:
        """Tossed coins that have been neither placed nor paid."""
        gone = (*self.turn.placed, self.turn.paid)
        return tuple(coin for coin in self.flip or () if coin.denomination not in gone)

    @property
    def ready(self) -> tuple[Denomination, ...]:
        """Kinds that may be placed or paid: tossed, matching and not used."""
        return tuple(coin.denomination for coin in self.waiting if coin.face is self.mover)

    @property
    def allowed(self) -> Allowed:
        """What is left of the turn (clause coin-age.turn.matches)."""
        turn, matches = self.turn, self.matches
        if matches is None:
            return Allowed()
        places = min(matches, 2) + (turn.paid is not None) - len(turn.placed)
        return Allowed(
            place=places,
            pay=int(matches == 4 and turn.paid is None),
            move=int(matches <= 1 and not turn.moved),
            capture=int(matches == 0 and turn.captured is None),
        )

    @property
    def tally(self) -> Tally:
        return tally(self.board, self.tops, {side: self.bank(side) for side in Face})


class Toss(Action, frozen=True, tag="flip"):
    """The toss of one coin of each kind in the mover's bank."""

    coins: tuple[Coin, ...]


class Place(Action, frozen=True, tag="place"):
    """A matching coin onto a space, own side up."""

    coin: Denomination
    space: str


class Pay(Action, frozen=True, tag="pay"):
    """A matching coin to the opponent's bank, for a third placement."""

    coin: Denomination


class Move(Action, frozen=True, tag="move", rename={"source": "from", "target": "to"}):
    """A whole stack to an empty neighbouring space."""

    source: str
    target: str


class Capture(Action, frozen=True, tag="capture"):
    """A top coin into the mover's own bank."""

    space: str


class Done(Action, frozen=True, tag="done"):
    """The mover ends the turn."""

    ends_turn = True


class PlaceTurned(Action, frozen=True, tag="place-turned"):
    """A mistake people make, never legal: a coin put down showing the other side."""

    coin: Denomination
    space: str


class Split(Action, frozen=True, tag="split", rename={"source": "from", "target": "to"}):
    """A mistake people make, never legal: only the top coin of a stack moved."""

    source: str
    target: str


CoinAgeAction = Toss | Place | Pay | Move | Capture | Done | PlaceTurned | Split


class Written(msgspec.Struct):
    """The JSON of a state; keys that follow from others are left to be worked out again."""

    spaces: dict[str, Stack]
    banks: dict[Face, Heap]
    game: Literal["coin-age"] = "coin-age"
    options: CoinAgeOptions = CoinAgeOptions()
    mover: Face = Face.HEADS
    flip: tuple[Coin, ...] | None = None
    turn: Turn = Turn()

    def bank(self, side: Face) -> Heap:
        return self.banks.get(side, Heap())


def covers(kind: Denomination, top: Coin) -> bool:
    """Whether a coin of this kind may lie on `top`: it is smaller in diameter."""
    return BY_SIZE.index(kind) < BY_SIZE.index(top.denomination)


def fault(written: Written) -> str | None:
    """What makes a written state impossible, in words; None when it can be played on.

    Coins may be missing (a position set up to think about), but there are never more than the game has.
    """
    board = written.options.board
    for space, stack in written.spaces.items():
        if space not in board.by_id:
            return f"`spaces` names {space[:20]!r}, which is not on the map {board.name}"
        for below, above in pairwise(stack):
            if not covers(above.denomination, below):
                return f"on space {space} a {above.denomination} lies on a {below.denomination}, which is not larger"
    coins = Heap.of(coin.denomination for stack in written.spaces.values() for coin in stack)
    coins = sum(written.banks.values(), coins)
    for kind in BY_VALUE:
        if coins[kind] > ALL_COINS[kind]:
            return f"it holds {Heap.of([kind] * coins[kind])}; the game has {ALL_COINS[kind]}"
    return _turn_fault(written)


def _turn_fault(written: Written) -> str | None:
    turn, bank = written.turn, written.bank(written.mover)
    if written.flip is None:
        return None if turn == Turn() else "`turn` tells of a turn, but `flip` is null"
    matching = {coin.denomination for coin in written.flip if coin.face is written.mover}
    used = Heap.of([*turn.placed, *([turn.paid] if turn.paid else ())])
    if max(used.counts) > 1 or not matching.issuperset(used):
        return "`turn` has used coins that did not match in the toss"
    held, taken = bank + used, Heap.of([turn.captured] if turn.captured else ())
    if taken not in held:
        return f"`turn` has captured a {turn.captured}, which is not in the bank of {written.mover}"
    tossed = Heap.of(kind for kind in BY_VALUE if kind in held - taken)
    if Heap.of(coin.denomination for coin in written.flip) != tossed:
        return f"`flip` must show one coin of each kind in the bank of {written.mover}"
    few = len(matching)
    placed_too_many = len(turn.placed) > min(few, 2) + bool(turn.paid)
    if placed_too_many or (turn.paid and few < 4) or (turn.moved and few > 1) or (turn.captured and few):
        return f"`turn` has done more than {few} matches allow"
    return None
