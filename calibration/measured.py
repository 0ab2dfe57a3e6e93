"""The measured pass: the coins asked for are laid out, read several times, and every reading is counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime

from calibration.markers import found, no_mat
from calibration.step import Outcome, Sight
from calibration.words import NOTHING, coins, say
from tablecoin.coins import BY_VALUE, Coin, Face
from tablecoin.vision.calibrated import Pass
from tablecoin.vision.frame import Reading
from tablecoin.vision.shown.annotate import annotate

MOST_KEPT = 20  # passes kept in the file
ASKED = Counter({Coin.of(kind, face): 1 for kind in BY_VALUE for face in Face})  # each coin heads up and tails up


def count(readings: list[Reading], asked: Counter[Coin], camera: str, date: str) -> Pass:
    """Count readings of a table with exactly the coins `asked`. A coin read as another one counts once, as wrong."""
    right = wrong = sure_wrong = not_sure = missed = invented = 0
    for reading in readings:
        seen = Counter(coin.coin for coin in reading.coins if coin.coin)
        here = (seen & asked).total()
        extra, lacking = seen - asked, asked - seen
        swapped = min(extra.total(), lacking.total())
        right += here
        wrong += swapped
        missed += lacking.total() - swapped
        invented += extra.total() - swapped
        not_sure += sum(coin.coin is not None and not coin.sure for coin in reading.coins)
        sure_wrong += sum(min(n, sum(c.sure for c in reading.coins if c.coin == kind)) for kind, n in extra.items())
    total = asked.total() * len(readings)
    passed = right == total and not invented and not_sure <= 0.03 * total
    return Pass(date, camera, passed, len(readings), total, right, wrong, sure_wrong, not_sure, missed, invented)


@dataclass(frozen=True)
class PassStep:
    """The last step. Its result is kept whether it succeeds or fails."""

    asked: Counter[Coin] = field(default_factory=lambda: Counter(ASKED))
    name: str = "pass"
    pictures: int = 5
    optional: bool = False

    def run(self, sight: Sight) -> Outcome:
        if found(sight) is None:
            return no_mat(sight)
        reader = sight.reader()
        readings = [reader.read(frame) for frame in sight.frames]
        picture = annotate(readings[-1])
        seen = Counter(str(coin.coin) for coin in readings[-1].coins if coin.coin)
        wanted = Counter({str(coin): n for coin, n in self.asked.items()})
        if not seen:
            return Outcome(False, say("pass.none"), picture, say("pass.none.do", asked=coins(wanted)))
        if seen.total() < wanted.total() / 2 or seen.total() > 2 * wanted.total():
            said = say("pass.others", seen=coins(dict(sorted(seen.items()))))
            return Outcome(False, said, picture, say("pass.none.do", asked=coins(wanted)))
        date = datetime.now(UTC).isoformat(timespec="seconds")
        result = count(readings, self.asked, sight.known.camera, date)
        counted = ("pictures", "coins", "right", "wrong", "wrong_and_sure", "not_sure", "missed", "invented")
        figures = {name: getattr(result, name) for name in counted}
        changes = {"passes": (*sight.known.passes, result)[-MOST_KEPT:]}
        said = say("pass.ok" if result.passed else "pass.bad", **figures)
        todo = NOTHING if result.passed else say("pass.bad.do")
        return Outcome(result.passed, said, picture, todo, figures, changes, keep=True)
