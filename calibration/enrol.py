"""Your own coins: a tray of them, heads up and then turned over, teaches the reader what this table's coins look like.

People say how many of each kind lie there; sizes tell which is which. After both sides a change to the
network's last layer is learned (`own_coins.py`), and the gain is measured by cross-validation.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from calibration.markers import found, no_mat
from calibration.own_coins import EnrolError, Shown, enrol, sorted_out
from calibration.step import Outcome, Sight
from calibration.words import Said, coins, say, word
from tablecoin.coins import BY_VALUE, Face, Heap
from tablecoin.vision.coins.enrolment import FILE, Tray
from tablecoin.vision.frame import Reading, SeenCoin, whichever
from tablecoin.vision.shown.annotate import annotate

USUAL = Tray(Heap(penny=3, nickel=3, dime=3, quarter=3), Face.HEADS)
MOST = 40  # largest number of coins on a tray
CONTRARY = 2 / 3  # share of coins surely showing the other face from which on they were not turned over


@dataclass
class EnrolStep:
    """Runs once with heads up and once with tails up; with both sides it learns, and then starts again."""

    name: str = "enrol"
    pictures: int = 1
    optional: bool = True
    tray: Tray = USUAL  # the tray expected next
    shown: dict[Face, Shown] = field(default_factory=dict)

    def run(self, sight: Sight) -> Outcome:
        plane = found(sight)
        if plane is None:
            return no_mat(sight)
        asked = self.tray = sight.tray or self.tray
        reading = sight.reader().read_tray(sight.frame)
        refused = _refused(asked, reading)
        try:
            now = sorted_out(reading, asked, plane)
        except EnrolError as error:
            refused = refused or _said(error, asked)
        if refused:
            return Outcome(False, refused[0], annotate(reading), refused[1])
        self.shown = {face: one for face, one in self.shown.items() if Heap.of(one.kinds) == asked.coins}
        self.shown[asked.face] = now
        picture, figures = (
            annotate(_as_told(reading, now)),
            {"sides": sum(len(one.kinds) for one in self.shown.values())},
        )
        if len(self.shown) < len(Face):
            self.tray = Tray(asked.coins, asked.face.other)
            said, todo = say("enrol.half", coins=_heap(asked)), say("enrol.half.do", face=word(asked.face.other))
            return Outcome(False, said, picture, todo, figures, more=True)
        learned = enrol([self.shown[face] for face in Face], sight.identifier())
        self.shown, self.tray = {}, Tray(asked.coins, Face.HEADS)
        facts = {
            "sides": learned.coins,
            **{f"before_{name}": count for name, count in learned.before._asdict().items()},
            **{f"after_{name}": count for name, count in learned.after._asdict().items()},
        }
        if not learned.helps:
            return Outcome(True, say("enrol.same.ok", **facts), picture, figures=facts, changes={"coins": None})
        return Outcome(True, say("enrol.ok", **facts), picture, figures=facts, changes={"coins": FILE}, learned=learned)


def _refused(tray: Tray, reading: Reading) -> tuple[Said, Said] | None:
    """What is wrong with the numbers given or with the face that is up, and what to do; None: nothing."""
    if len(tray.coins) > MOST:
        return say("enrol.many", most=MOST), say("enrol.many.do")
    for kind in BY_VALUE:
        if not tray.coins[kind]:
            return say("enrol.lacking", coin=word(kind)), say("enrol.lacking.do")
    if not reading.coins:
        return say("enrol.none"), say("enrol.none.do", coins=_heap(tray), face=word(tray.face))
    contrary = sum(coin.sure and coin.face is tray.face.other for coin in reading.coins)
    if contrary > CONTRARY * len(reading.coins):
        return (
            say("enrol.side", count=contrary, seen=len(reading.coins), face=word(tray.face.other)),
            say("enrol.side.do", face=word(tray.face)),
        )
    return None


def _said(error: EnrolError, tray: Tray) -> tuple[Said, Said]:
    """What is wrong with the tray, and what to do."""
    return error.texts, say(f"enrol.{error.fault}.do", coins=_heap(tray), face=word(tray.face))


def _heap(tray: Tray) -> Said:
    return coins({str(kind): tray.coins[kind] for kind in BY_VALUE if tray.coins[kind]})


def _as_told(reading: Reading, shown: Shown) -> Reading:
    """The reading with the coins that people named, so that the drawing shows what is learned."""
    heads = whichever(float(shown.face is Face.HEADS))
    coins_told = []
    for disc, kind in zip(shown.discs, shown.kinds, strict=True):
        penny, nickel, dime, quarter = (float(kind is one) for one in BY_VALUE)
        coins_told.append(SeenCoin(disc, (penny, nickel, dime, quarter), heads, sure=True))
    return replace(reading, coins=tuple(coins_told))
