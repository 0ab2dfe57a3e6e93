"""The virtual table: coins, a hand and faults. Pages, scripts and tests change it; only the camera sees it."""

from __future__ import annotations

import math
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Annotated, Any

import msgspec

from tablecoin.coins import Coin, Denomination, Face, Heap
from tablecoin.mat import Circle, Mat, Rectangle
from tablecoin.rules.plain import plain
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.virtual import places
from tablecoin.virtual.faults import PEACE, Faults

MOST_COINS = 300
TOSS_S = 0.7  # how long a tossing hand stays over the table
_TIGHT_MM = 0.2  # the smallest gap that `line_up` leaves between coins where no other place is free
_BESIDE_MM = 30.0  # how far outside the mat a coin is taken from, or put, that comes from the box or goes there

_NEAREST_MM, _FARTHEST_MM = -1000, 2000  # between these a coin may lie, from the mat's upper left corner

Length = Annotated[float, msgspec.Meta(ge=_NEAREST_MM, le=_FARTHEST_MM)]
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
    sets_itself: bool = False  # the computer's hands set the table as the game wants it
    carried: int | None = None  # the coin that those hands carry now, by its number


class Carry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A coin that is lifted there and laid here. Null: it comes from the box, or goes there."""

    lifted: VirtualCoin | None
    laid: VirtualCoin | None

    @property
    def pushes(self) -> bool:
        """Whether the coin stays where it was by less than its radius."""
        if not (self.lifted and self.laid):
            return False
        way = self.laid.x_mm - self.lifted.x_mm, self.laid.y_mm - self.lifted.y_mm
        return math.hypot(*way) < self.lifted.denomination.diameter_mm / 2


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
        # Which coins, by denomination and design, go into the box when they are next lifted; others are laid instead.
        self.put_aside: Callable[[Denomination, int], bool] = lambda kind, design: False
        self._chance = random.Random(seed)
        self._clock = clock
        self._lock = threading.RLock()
        self._scene = Scene()
        self._first = {kind: self._chance.randrange(12) for kind in Denomination}  # the design of the first new coin
        self._lifted: defaultdict[Denomination, list[int]] = defaultdict(list)  # designs, in the order of lifting
        self._hand_until_s = -math.inf
        self._tossing_at: Place = (0.0, 0.0)
        self._moves: tuple[Carry, ...] = ()  # that the computer's hands have still to make, the one under way first
        self._each_s, self._began_s = 1.0, 0.0  # how long a move takes; when the one under way began
        self._touched_s = -math.inf  # when people last changed something

    @property
    def scene(self) -> Scene:
        """The table now, including a tossing hand, or hands that carry a coin."""
        with self._lock:
            self._lay_down()
            if self._moves:
                return self._under_way(self._moves[0], (self._clock() - self._began_s) / self._each_s)
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
            self._lay_down()
            now: dict[str, Any] = msgspec.to_builtins(self._scene)
            faults = raw.get("faults", {})
            asked = {key: value for key, value in raw.items() if key not in ("mat", "carried")}
            if isinstance(faults, dict):
                asked["faults"] = {**now["faults"], **faults}
            wanted = {**now, **asked}
            try:
                scene = msgspec.convert(wanted, Scene)
            except msgspec.ValidationError as error:
                raise TableError(Message("virtual.scene", {"problem": plain(error, wanted, Scene)})) from None
            self._touched(scene)

    # -- by hand --------------------------------------------------------------------------------------------------

    def put(self, coins: Iterable[VirtualCoin]) -> None:
        """Replace all coins by these; later ones lie on earlier ones."""
        self._change(coins=tuple(coins))

    def add(self, coin: VirtualCoin) -> int:
        """Set one more coin down, on top. Returns its number. Raises TableError: its place is far off the table."""
        _check_place(coin.x_mm, coin.y_mm)
        with self._lock:
            self._change(coins=(*self._coins, coin))
            return len(self._coins) - 1

    def lay_at(self, coin: Coin, x_mm: float, y_mm: float) -> int:
        """Set a coin down at this place, on top of what lies there, turned at random. Returns its number."""
        with self._lock:
            return self.add(self._turned(coin, x_mm, y_mm))

    def remove(self, number: int) -> VirtualCoin:
        """Take a coin off the table. The numbers of later coins fall by one."""
        with self._lock:
            coin = self._coin(number)
            self._change(coins=self._coins[:number] + self._coins[number + 1 :])
            return coin

    def move(self, number: int, x_mm: float, y_mm: float) -> int:
        """Lift a coin and set it down elsewhere, on top of what lies there. Returns its new number.

        Raises TableError: the place is far off the table. Then the coin stays where it lay.
        """
        _check_place(x_mm, y_mm)
        with self._lock:
            return self.add(msgspec.structs.replace(self.remove(number), x_mm=x_mm, y_mm=y_mm))

    def make(self, move: Carry) -> None:
        """Move one coin as `move` says.

        A coin that moves by less than its radius was pushed or turned over, and keeps its place in the pile. Any other
        comes to lie on top. Raises TableError: no such coin lies there (any more), or the table is full.
        """
        with self._lock:
            coins = list(self._coins)
            place = len(coins)
            if move.lifted:
                if move.lifted not in coins:
                    raise TableError(Message("virtual.moved", {"coin": move.lifted.denomination}))
                at = coins.index(move.lifted)
                del coins[at]
                place = at if move.pushes else len(coins)
            if move.laid:
                coins.insert(place, move.laid)
            self._change(coins=tuple(coins))

    def flip(self, number: int) -> None:
        """Turn a coin over where it lies."""
        with self._lock:
            coin = self._coin(number)
            turned = msgspec.structs.replace(coin, face=coin.face.other)
            self._change(coins=(*self._coins[:number], turned, *self._coins[number + 1 :]))

    def place(self, coin: Coin, zone: str) -> int:
        """Set a coin down at a random free place in a zone. Returns its number. Raises TableError: the zone is full."""
        with self._lock:
            return self.add(self._landed(coin, zone))

    def line_up(self, coin: Coin, zone: str, among: int = 1) -> int:
        """Set a coin down tidily: in the middle of a circle, on top of what lies there; in other zones in a line, apart
        from others, where the zone's columns want it. Returns its number. Raises TableError: the zone is full.

        `among`: how many coins of its home the zone is to hold in the end.
        """
        kind = coin.denomination
        with self._lock:
            zone_of = self.mat.zone(zone)
            area = zone_of.area
            if isinstance(area, Circle):
                return self.lay_at(coin, *area.center_mm)
            homely = places.home(zone_of, area, kind)
            here = (c.denomination for c in self._coins if homely.holds(c.x_mm, c.y_mm))
            widest_mm = max(one.diameter_mm for one in (kind, *here))
            laid_out_for = max(among, places.COLUMN) if zone_of.columns else among
            tries = (
                (places.lines(homely, widest_mm, laid_out_for), places.GAP_MM),
                (_everywhere(area, kind), places.GAP_MM),
                (_everywhere(area, kind), _TIGHT_MM),
            )
            for spots, gap_mm in tries:
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
            before = self._coins
            try:
                self.collect(zone)
                thrown = [Coin.of(kind, self._chance.choice(tuple(Face))) for kind in heap]
                for coin in sorted(thrown, key=lambda one: -one.denomination.diameter_mm):
                    self.place(coin, zone)
            except TableError:
                self._change(coins=before)
                raise
            self._tossing_at = (x, y)
            self._hand_until_s = self._clock() + TOSS_S
            return tuple(thrown)

    def collect(self, zone: str) -> Heap:
        """Take off every coin whose centre lies in the zone. Returns them."""
        with self._lock:
            self.mat.zone(zone)
            inside = [c for c in self._coins if self.mat.zone_at(c.x_mm, c.y_mm) == zone]
            self._change(coins=tuple(c for c in self._coins if c not in inside))
            return Heap.of(c.denomination for c in inside)

    def find(self, zone: str, coin: Coin | Denomination | None = None) -> int | None:
        """The number of the topmost such coin in a zone; None: no such coin."""
        coins = self._coins
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

    @contextmanager
    def in_one_step(self, is_right: Callable[[str], bool]) -> Iterator[None]:
        """Nobody else changes the table meanwhile, and `on_change` is called once at the end.

        `is_right` takes the mat's name. Raises TableError where another mat lies there.
        """
        with self._lock:
            if not is_right(self.mat.name):
                raise TableError(Message("virtual.mat_changes"))
            tell, self.on_change = self.on_change, lambda scene: None
            try:
                yield
            finally:
                self.on_change = tell
                tell(self._scene)

    def fault(self, **switches: bool) -> None:
        """Switch faults on or off by name. Raises TableError: no such fault."""
        self.put_json({"faults": switches})

    def prize(self, standing: bool) -> None:
        """Stand something on the prize circle, or take it away."""
        self._change(prize=standing)

    # -- by the computer's hands ----------------------------------------------------------------------------------

    def copy(self) -> VirtualTable:
        """A table of its own with the same coins, to try something out."""
        with self._lock:
            other = VirtualTable(self.mat, clock=self._clock)
            other._scene, other._first = self._scene, dict(self._first)
            other._lifted.update({kind: list(designs) for kind, designs in self._lifted.items()})
            other.put_aside = self.put_aside
            return other

    def carry(self, moves: Iterable[Carry], each_s: float) -> None:
        """Make these moves before everybody's eyes, one after the other, each in `each_s`; a hand is seen meanwhile.

        Who changes the table meanwhile ends it: coins not carried yet stay where they are.
        """
        with self._lock:
            self._moves, self._each_s, self._began_s = tuple(moves), each_s, self._clock()

    def untouched_s(self) -> float:
        """For how long neither people nor the computer's hands have changed anything."""
        with self._lock:
            self._lay_down()
            return 0.0 if self._moves else self._clock() - self._touched_s

    def _lay_down(self) -> None:
        """Lay down the coins whose moves are over by now."""
        while self._moves and self._clock() >= self._began_s + self._each_s:
            (move, *later), self._began_s = self._moves, self._began_s + self._each_s
            coins = [coin for coin in self._scene.coins if coin is not move.lifted]
            self._moves = tuple(later)
            self._show(msgspec.structs.replace(self._scene, coins=(*coins, *([move.laid] if move.laid else []))))

    def _under_way(self, move: Carry, share: float) -> Scene:
        """The table while a coin is carried; `share`: of its way, 0 to 1."""
        coin = move.laid if move.laid and (share >= 0.5 or not move.lifted) else move.lifted
        if coin is None:
            return self._scene
        (ax, ay), (bx, by) = (self._end(one or coin, one) for one in (move.lifted, move.laid))
        eased = share * share * (3 - 2 * share)
        x, y = ax + eased * (bx - ax), ay + eased * (by - ay)
        others = tuple(one for one in self._scene.coins if one is not move.lifted)
        held = msgspec.structs.replace(coin, x_mm=round(x, 2), y_mm=round(y, 2))
        tips = x, y + coin.denomination.diameter_mm / 2
        return msgspec.structs.replace(
            self._scene, coins=(*others, held), hand=True, hand_at_mm=tips, carried=len(others)
        )

    def _end(self, coin: VirtualCoin, lies: VirtualCoin | None) -> Place:
        """One end of a coin's way: where it lies, or beside the mat, at the side that is nearer."""
        if lies:
            return lies.x_mm, lies.y_mm
        return coin.x_mm, self.mat.height_mm + _BESIDE_MM if coin.y_mm > self.mat.height_mm / 2 else -_BESIDE_MM

    # -- inside ---------------------------------------------------------------------------------------------------

    @property
    def _coins(self) -> tuple[VirtualCoin, ...]:
        """The coins that lie on the table: one that is being carried lies where it was lifted."""
        self._lay_down()
        return self._scene.coins

    def _change(self, **changes: Any) -> None:
        with self._lock:
            coins = changes.get("coins", ())
            if len(coins) > MOST_COINS:
                raise TableError(Message("virtual.most", {"most": MOST_COINS}))
            self._touched(msgspec.structs.replace(self._scene, **changes))

    def _touched(self, scene: Scene) -> None:
        """Show what people changed."""
        self._moves, self._touched_s = (), self._clock()
        self._show(scene)

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
        lifted = [design for design in self._lifted[kind] if not self.put_aside(kind, design)]
        if lifted:
            return lifted[-1]
        lying = {coin.design for coin in self._scene.coins if coin.denomination is kind}
        new = (design for design in count(self._first[kind]) if not self.put_aside(kind, design))
        return next(design for design in new if design not in lying)

    def _coin(self, number: int) -> VirtualCoin:
        if not 0 <= number < len(self._coins):
            raise TableError(Message("virtual.coin", {"number": number, "count": len(self._coins)}))
        return self._coins[number]

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

    def _is_free(
        self, area: Rectangle | Circle, kind: Denomination, x: float, y: float, gap_mm: float = places.GAP_MM
    ) -> bool:
        if not area.holds(x, y, kind.diameter_mm / 2 + places.MARGIN_MM):
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


def _check_place(*place_mm: float) -> None:
    """TableError for a place that no coin may have; nan is one."""
    if not all(_NEAREST_MM <= each <= _FARTHEST_MM for each in place_mm):
        raise TableError(Message("virtual.place", {"least": _NEAREST_MM, "most": _FARTHEST_MM}))
