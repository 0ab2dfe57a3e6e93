"""Made-up files, requests, pictures, words and frames: `python -m tests.fuzzing.fuzz --cases 100000`.

It prints, door by door, how many cases were read and refused, the slowest in seconds of this thread's processor time,
and at the end how far the memory rose above idle. It fails on any error that is none of the door's own, on a case of
over a second, and on 300 MB above idle.
"""

from __future__ import annotations

import argparse
import faulthandler
import logging
import random
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzzing.doors import Door, doors
from tests.fuzzing.mutation import made_up

SEED = 20261122
SLOWEST_S = 1.0
MOST_MB = 300
HANGS_S = 120  # of wall time in one case: everything's stack is printed, and the run ends


@dataclass
class Told:
    """What came of the cases of one door."""

    read: int = 0
    refused: int = 0
    slowest_s: float = 0.0
    slowest: bytes = b""
    faults: dict[str, tuple[bytes, str]] = field(default_factory=dict)  # by their last line of code: case, traceback

    @property
    def is_well(self) -> bool:
        return not self.faults and self.slowest_s <= SLOWEST_S


def fuzzed(door: Door, cases: int, seed: int) -> Told:
    """`cases` made-up cases through `door`."""
    chance, told = random.Random(f"{seed} {door.name}"), Told()
    for _ in range(cases):
        case = made_up(door.seeds, chance)
        began_s = time.thread_time()
        try:
            door.feed(case)
        except door.refuses as error:
            told.refused += 1
            _one_sentence(error, case, told)
        except Exception as error:
            _fault(error, case, told)
        else:
            told.read += 1
        if (took_s := time.thread_time() - began_s) > told.slowest_s:
            told.slowest_s, told.slowest = took_s, case
    return told


def _one_sentence(error: Exception, case: bytes, told: Told) -> None:
    said = str(error)
    if not said.strip() or "Traceback" in said:
        told.faults.setdefault("no sentence", (case, repr(said)))


def _fault(error: Exception, case: bytes, told: Told) -> None:
    where = traceback.extract_tb(error.__traceback__)[-1]
    key = f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}"
    told.faults.setdefault(key, (case, "".join(traceback.format_exception(error))))


def resident_mb(what: str) -> float:
    """VmRSS (now) or VmHWM (the most since it was reset) of this process, in MB."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(what))
    return int(line.split()[1]) / 1000


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--cases", type=int, default=100_000)
    asked.add_argument("--seed", type=int, default=SEED)
    asked.add_argument("--door", help="only the doors whose name holds this")
    given = asked.parse_args()
    logging.disable()
    well, total, slowest_s = True, 0, 0.0
    with tempfile.TemporaryDirectory() as name, doors(Path(name)) as made:
        chosen = [door for door in made if given.door is None or given.door in door.name]
        for door in chosen:
            fuzzed(door, 20, seed=0)  # so that caches and libraries are loaded
        idle_mb = resident_mb("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")  # resets VmHWM
        print(f"{'door':22}{'kind':>9}{'read':>8}{'refused':>9}{'faults':>8}{'slowest s':>11}")
        whole = sum(door.share for door in chosen)
        for door in chosen:
            cases = max(20, round(given.cases * door.share / whole))
            faulthandler.dump_traceback_later(HANGS_S + cases * SLOWEST_S, exit=True)
            told = fuzzed(door, cases, given.seed)
            row = f"{told.read:8}{told.refused:9}{len(told.faults):8}{told.slowest_s:11.3f}"
            print(f"{door.name:22}{door.kind:>9}{row}", flush=True)
            for key, (case, trace) in told.faults.items():
                print(f"{key}, for {case[:300]!r}\n{trace}")
            if told.slowest_s > SLOWEST_S:
                print(f"slow: {told.slowest[:300]!r}")
            well, total, slowest_s = well and told.is_well, total + cases, max(slowest_s, told.slowest_s)
    above_mb = resident_mb("VmHWM") - idle_mb
    print(f"{total} cases, seed {given.seed}; slowest {slowest_s:.2f} s of a core; {above_mb:.0f} MB above idle")
    return 0 if well and above_mb <= MOST_MB else 1


if __name__ == "__main__":
    sys.exit(main())
