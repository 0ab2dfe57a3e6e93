"""The virtual table: coins, a hand and faults. Pages, scripts and tests change it; only the camera sees it."""

from __future__ import annotations

import math
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Annotated, Any

import msgspec

from tablecoin.coins import Coin, Denomination, Face, Heap
from tablecoin.mat import Circle, Mat, Rectangle
from tablecoin.rules.plain import plain
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.virtual.faults import PEACE, Faults

MOST_COINS = 300
TOSS_S = 0.7  # how long a tossing hand stays over the table
_STEP_MM = 0.15  # between places tried in a line; fine enough that a bank of the ring holds its thirty pennies
_GAP_MM = 2.0  # smallest gap between coins set down by `place` and `toss`
_TIGHT_MM = 0.2  # the same by `line_up` where no other place is free

Length = Annotated[float, msgspec.Meta(ge=-1000, le=2000)]
Place = tuple[Length, Length]


class TableError(Complaint, ValueError):
    """The virtual table cannot be changed so."""


class VirtualCoin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A coin on the table: its centre in millimetres on the mat, turned clockwise. `design` tells it from others
    of its denomination and chooses what its two sides look like.

    `lean_deg` above 0: it leans on something, its left or right side up, and appears as an ellipse.
    """

    denomination: Denomination
    face: Face
    x_mm: Length
    y_mm: Length
    angle_deg: Annotated[float, msgspec.Meta(ge=-36000, le=36000)] = 0.0
    design: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    lean_deg: Annotated[float, msgspec.Meta(ge=0, le=80)] = 0.0

    @property
    def coin(self) -> Coin:
        return Coin.of(self.denomination, self.face)


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything on the table at one moment, and the JSON of /api/virtual. Later coins lie on earlier ones."""

    coins: Annotated[tuple[VirtualCoin, ...], msgspec.Meta(max_length=MOST_COINS)] = ()
    hand: bool = False
    hand_at_mm: Place | None = None  # its fingertips' place; None: the middle
    prize: bool = False  # something stands on the prize circle
    board: Annotated[int, msgspec.Meta(ge=0, le=1000)] | None = (
        None  # the lens board is held up, at this one of its places
    )
    faults: Faults = PEACE


class VirtualTable:
    """The coins on one mat. Thread-safe: every change replaces the whole Scene.

    Faces, places and angles come from its own random generator: the same seed and calls give the same table.
    A coin keeps its design when it is moved, turned or tossed: of a denomination the coin lifted last is set down
    first, and where none was lifted a new one. `clock` (seconds) only times how long a tossing hand is seen.
    """

    def __init__(self, mat: Mat, seed: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.mat = mat
        self.on_change: Callable[[Scene], None] = lambda scene: (
            None
        )  # called while the lock is held, so it must be quick
        self._chance = random.Random(seed)
        self._clock = clock
        self._lock = threading.RLock()
        self._scene = Scene()
        self._first = {kind: self._chance.randrange(12) for kind in Denomination}  # the design of the first new coin
        self._lifted: defaultdict[Denomination, list[int]] = defaultdict(list)  # designs, in the order of lifting
        self._hand_until_s = -math.inf
        self._tossing_at: Place = (0.0, 0.0)

    @property
    def scene(self) -> Scene:
        """The table now, including a tossing hand."""
        with self._lock:
            if self._clock() < self._hand_until_s:
                return msgspec.structs.replace(self._scene, hand=True, hand_at_mm=self._tossing_at)
            return self._scene

    # -- JSON -----------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """What GET /api/virtual answers: the Scene, and the mat's name."""
        plain: dict[str, Any] = msgspec.to_builtins(self.scene)
        return {**plain, "mat": self.mat.name}

    def put_json(self, raw: object) -> None:
        """Change the table as PUT /api/virtual asks. Keys that are left out keep their values, also within `faults`.

        `mat` may be given as in `to_json`, but must be the mat that lies there: a game lays its mat itself. Raises
        TableError for anything unknown or of the wrong type; then nothing is changed.
        """
        if not isinstance(raw, dict):
            raise TableError(Message("virtual.object"))
        with self._lock:
            if raw.get("mat", self.mat.name) != self.mat.name:
                raise TableError(Message("virtual.mat", {"mat": self.mat.name}))
            now: dict[str, Any] = msgspec.to_builtins(self._scene)
            faults = raw.get("faults", {})
            asked = {key: value for key, value in raw.items() if key != "mat"}
            if isinstance(faults, dict):
                asked["faults"] = {**now["faults"], **faults}
            wanted = {**now, **asked}
            try:
                self._show(msgspec.convert(wanted, Scene))
            except msgspec.ValidationError as error:
                raise TableError(Message("virtual.scene", {"problem": plain(error, wanted, Scene)})) from None

    # -- by hand --------------------------------------------------------------------------------------------------

    def put(self, coins: Iterable[VirtualCoin]) -> None:
        """Replace all coins by these; later ones lie on earlier ones."""
        self._change(coins=tuple(coins))

    def add(self, coin: VirtualCoin) -> int:
        """Set one more coin down, on top. Returns its number."""
        with self._lock:
            self._change(coins=(*self._scene.coins, coin))
            return len(self._scene.coins) - 1

    def lay_at(self, coin: Coin, x_mm: float, y_mm: float) -> int:
        """Set a coin down at this place, on top of what lies there, turned at random. Returns its number."""
        with self._lock:
            return self.add(self._turned(coin, x_mm, y_mm))

    def remove(self, number: int) -> VirtualCoin:
        """Take a coin off the table. The numbers of later coins fall by one."""
        with self._lock:
            coin = self._coin(number)
            self._change(coins=self._scene.coins[:number] + self._scene.coins[number + 1 :])
            return coin

    def move(self, number: int, x_mm: float, y_mm: float) -> int:
        """Lift a coin and set it down elsewhere, on top of what lies there. Returns its new number."""
        with self._lock:
            return self.add(msgspec.structs.replace(self.remove(number), x_mm=x_mm, y_mm=y_mm))

    def flip(self, number: int) -> None:
        """Turn a coin over where it lies."""
        with self._lock:
            coin = self._coin(number)
            turned = msgspec.structs.replace(coin, face=coin.face.other)
            self._change(coins=(*self._scene.coins[:number], turned, *self._scene.coins[number + 1 :]))

    def place(self, coin: Coin, zone: str) -> int:
        """Set a coin down at a random free place in a zone. Returns its number. Raises TableError: the zone is full."""
        with self._lock:
            return self.add(self._landed(coin, zone))

    def line_up(self, coin: Coin, zone: str) -> int:
        """Set a coin down tidily: in the middle of a circle, on top of what lies there; in other zones at the first
        free place, line by line, or in between with a smaller gap. Returns its number. Raises TableError: full."""
        kind = coin.denomination
        with self._lock:
            area = self.mat.zone(zone).area
            if isinstance(area, Circle):
                return self.lay_at(coin, *area.center_mm)
            for spots, gap_mm in ((self._lines(area, kind), _GAP_MM), (_everywhere(area, kind), _TIGHT_MM)):
                for x, y in spots:
                    if self._is_free(area, kind, x, y, gap_mm):
                        return self.lay_at(coin, x, y)
        raise TableError(Message("virtual.room", {"coin": coin.denomination, "zone": zone}))

    def toss(self, heap: Heap, zone: str) -> tuple[Coin, ...]:
        """Toss these coins into a zone: they land flat and apart, heads or tails with equal chances.

        Coins in the zone are picked up first. A hand is seen over the zone for TOSS_S. Returns the faces shown.
        Raises TableError: the zone is too small.
        """
        with self._lock:
            x, y = self.mat.zone(zone).area.center_mm
            before = self._scene
            try:
                self.collect(zone)
                thrown = [Coin.of(kind, self._chance.choice(tuple(Face))) for kind in heap]
                for coin in sorted(thrown, key=lambda one: -one.denomination.diameter_mm):
                    self.place(coin, zone)
            except TableError:
                self._change(coins=before.coins)
                raise
            self._tossing_at = (x, y)
            self._hand_until_s = self._clock() + TOSS_S
            return tuple(thrown)

    def collect(self, zone: str) -> Heap:
        """Take off every coin whose centre lies in the zone. Returns them."""
        with self._lock:
            self.mat.zone(zone)
            inside = [c for c in self._scene.coins if self.mat.zone_at(c.x_mm, c.y_mm) == zone]
            self._change(coins=tuple(c for c in self._scene.coins if c not in inside))
            return Heap.of(c.denomination for c in inside)

    def find(self, zone: str, coin: Coin | Denomination | None = None) -> int | None:
        """The number of the topmost such coin in a zone; None: no such coin."""
        coins = self._scene.coins
        for number in reversed(range(len(coins))):
            one = coins[number]
            if self.mat.zone_at(one.x_mm, one.y_mm) == zone and coin in (None, one.coin, one.denomination):
                return number
        return None

    def hand(self, at_mm: Place | None) -> None:
        """Hold a hand over the table with its fingertips at this place; None takes it away."""
        self._change(hand=at_mm is not None, hand_at_mm=at_mm)
        self._hand_until_s = -math.inf

    def lay(self, mat: Mat) -> None:
        """Lay another mat, after taking all coins off. The same mat again changes nothing."""
        with self._lock:
            if mat.name != self.mat.name:
                self.mat = mat
                self._change(coins=(), hand=False, hand_at_mm=None)

    def fault(self, **switches: bool) -> None:
        """Switch faults on or off by name. Raises TableError: no such fault."""
        self.put_json({"faults": switches})

    def prize(self, standing: bool) -> None:
        """Stand something on the prize circle, or take it away."""
        self._change(prize=standing)

    # -- inside ---------------------------------------------------------------------------------------------------

    def _change(self, **changes: Any) -> None:
        with self._lock:
            coins = changes.get("coins", ())
            if len(coins) > MOST_COINS:
                raise TableError(Message("virtual.most", {"most": MOST_COINS}))
            self._show(msgspec.structs.replace(self._scene, **changes))

    def _show(self, scene: Scene) -> None:
        """Replace the scene and remember which coins it lifts."""
        before, after = (Counter((coin.denomination, coin.design) for coin in s.coins) for s in (self._scene, scene))
        for kind, design in (before - after).elements():
            self._lifted[kind].append(design)
        for kind, design in after - before:
            if design in self._lifted[kind]:
                self._lifted[kind].remove(design)
        self._scene = scene
        self.on_change(scene)

    def _next(self, kind: Denomination) -> int:
        """The design of the coin to be set down: of the one lifted last, or of a new one."""
        if self._lifted[kind]:
            return self._lifted[kind][-1]
        lying = {coin.design for coin in self._scene.coins if coin.denomination is kind}
        return next(design for design in count(self._first[kind]) if design not in lying)

    def _coin(self, number: int) -> VirtualCoin:
        if not 0 <= number < len(self._scene.coins):
            raise TableError(Message("virtual.coin", {"number": number, "count": len(self._scene.coins)}))
        return self._scene.coins[number]

    def _landed(self, coin: Coin, zone: str) -> VirtualCoin:
        area = self.mat.zone(zone).area
        for _ in range(2000):
            x, y = _spot(area, self._chance)
            if self._is_free(area, coin.denomination, x, y):
                return self._turned(coin, x, y)
        raise TableError(Message("virtual.room", {"coin": coin.denomination, "zone": zone}))

    def _turned(self, coin: Coin, x: float, y: float) -> VirtualCoin:
        angle, design = round(self._chance.uniform(0, 360), 1), self._next(coin.denomination)
        return VirtualCoin(coin.denomination, coin.face, round(x, 2), round(y, 2), angle, design)

    def _lines(self, area: Rectangle, kind: Denomination) -> Iterator[tuple[float, float]]:
        """Places for a coin, line by line from the top left; a line is as high as the zone's largest coin and a gap."""
        left, top, right, bottom = area.bounds_mm
        reach = kind.diameter_mm / 2 + 1.5
        here = (one.denomination for one in self._scene.coins if area.holds(one.x_mm, one.y_mm, 0))
        pitch = (
            max(one.diameter_mm for one in (kind, *here)) + _GAP_MM + 0.01
        )  # 0.01: more than the gap, whatever the rounding
        y = top + pitch / 2 + 1
        while y + reach <= bottom:
            x = left + reach
            while x + reach <= right:
                yield x, y
                x += _STEP_MM
            y += pitch

    def _is_free(
        self, area: Rectangle | Circle, kind: Denomination, x: float, y: float, gap_mm: float = _GAP_MM
    ) -> bool:
        if not area.holds(x, y, kind.diameter_mm / 2 + 1):
            return False
        return all(
            math.hypot(x - other.x_mm, y - other.y_mm)
            >= (kind.diameter_mm + other.denomination.diameter_mm) / 2 + gap_mm
            for other in self._scene.coins
        )


def _everywhere(area: Rectangle, kind: Denomination) -> Iterator[tuple[float, float]]:
    """Places for a coin, 1 mm apart, from the top left."""
    left, top, right, bottom = area.bounds_mm
    reach = kind.diameter_mm / 2 + 1
    for y in range(math.ceil(top + reach), math.floor(bottom - reach) + 1):
        for x in range(math.ceil(left + reach), math.floor(right - reach) + 1):
            yield x, y


def _spot(area: Rectangle | Circle, chance: random.Random) -> tuple[float, float]:
    left, top, right, bottom = area.bounds_mm
    return chance.uniform(left, right), chance.uniform(top, bottom)
