"""The soak: its faults, its graph, and short runs of the real program."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from threading import Event, Thread

import numpy as np
import pytest

from lab.enduring import failing, graph, soak
from lab.enduring.commands import summary_at_rest
from lab.enduring.faults import ALL, UNWRITABLE
from lab.enduring.memory import Grown, grown
from lab.enduring.resting import SOON_S, Rested, rested
from lab.enduring.served import Served

GREY = np.full((96, 128, 3), 160, np.uint8)


@pytest.mark.parametrize(
    ("faults", "shape", "level"),
    [
        ((), (96, 128, 3), 160),
        ((failing.OTHER_SHAPE,), (448, 800, 3), 160),
        ((failing.LIGHT_OFF,), (96, 128, 3), 8),
        ((failing.FLICKER,), (96, 128, 3), 208),  # at the height of its swing
        ((failing.CLOCK_JUMPED, failing.DISK_FULL), (96, 128, 3), 160),
    ],
)
def test_a_fault_changes_the_picture(faults: tuple[str, ...], shape: tuple[int, ...], level: int) -> None:
    picture = failing.seen(GREY, frozenset(faults), now_s=1 / 3.7 / 4)
    assert picture.shape == shape
    assert abs(float(picture.mean()) - level) < 1


@pytest.mark.parametrize("line", ["", "unplugged", "unplugged maybe", "earthquake on"])
def test_an_unknown_fault_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not a fault"):
        failing.obey(line)


def test_the_graph_shows_every_fault_and_counts_what_recovered() -> None:
    lines: list[soak.Line] = [
        soak.Sample(0.0, 200.0, 1.0, 1, 1),
        soak.Passed("unplugged", 10.0, 20.0, (), 1.0, 3.0),
        soak.Passed("light-off", 40.0, 50.0, (), 1.0, None),
        soak.Sample(120.0, 300.0, 20.0, 3, 50),
        soak.Kept(40, (7,)),
    ]
    drawn = graph.svg(lines)
    assert "2 minutes, 3 games; after 1 of 2 faults play went on; 1 of 40 shown rulings lost" in drawn
    assert all(f">{name}</text>" in drawn for name in ("unplugged", "light-off"))


def test_a_graph_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing was measured"):
        graph.svg([])


EARLY_AND_AFTER = ((False, 1.5), (False, 5.5), (False, None), (True, 0.1))


def test_a_toss_counts_as_ruled_on_soon_only_after_the_fault_and_within_five_seconds() -> None:
    trials = [Rested("disk-full", (), early, after_s, 0.5, "") for early, after_s in EARLY_AND_AFTER]
    assert summary_at_rest(trials) == "ruled on within 5 s: 1 of 4; a command waited 0.50 s at most"


@pytest.mark.parametrize(("most_mb", "flat"), [(240.0, True), (280.1, False)])
def test_memory_is_flat_while_it_grows_by_40_mb_at_most(most_mb: float, flat: bool) -> None:
    assert Grown("lessons", 300, 0, 200.0, 240.0, most_mb, 230.0).is_flat is flat


GAMES: tuple[tuple[str, dict[str, object], str, dict[str, int]], ...] = (
    ("steal", {}, "tray", {"penny": 3, "nickel": 1, "quarter": 1}),
    ("coin-age", {"map": "classic"}, "tray", {"penny": 1, "nickel": 1, "dime": 1, "quarter": 1}),
    ("goes-around", {"players": 4}, "bank.1", {"penny": 3}),
    ("coin-wars", {"players": ["Ann", "Bob"]}, "hero", {"penny": 3}),
)
MOST_MB = 350.0  # the budget of design.md
LATER_MB = 40.0  # more than after the first round; the pools swing by about 30


@pytest.fixture
def pages() -> Callable[[Served], Event]:
    def watched(served: Served) -> Event:
        leave = Event()
        for view in soak.PAGES:
            Thread(target=soak.watch, args=(served.url, view, leave), daemon=True).start()
        return leave

    return watched


@pytest.mark.long
@pytest.mark.timeout(600)
def test_memory_stays_within_its_budget_and_flat(tmp_path: Path, pages: Callable[[Served], Event]) -> None:
    """Four pages pull pictures while games on four mats are begun and coins are tossed, three times."""
    served, after_round = Served(tmp_path), list[float]()
    leave = pages(served)
    for _ in range(3):
        resident_mb = list[float]()
        for game, options, zone, coins in GAMES:
            assert served.send("POST", "api/games", {"game": game, "options": options}), game
            for _ in range(3):
                time.sleep(2.0)
                served.send("POST", "api/virtual/toss", {"zone": zone, "coins": coins})
                resident_mb.append(served.resident_mb())
        after_round.append(median(resident_mb))  # while a mat is drawn it is more for some tenths of a second
    leave.set()
    served.stop()
    assert min(after_round) > 100, "the program was not measured"
    assert max(after_round) < MOST_MB, after_round
    assert after_round[-1] < after_round[0] + LATER_MB, after_round


@pytest.mark.long
@pytest.mark.timeout(600)
def test_memory_is_flat_over_lessons_photos_and_replays(tmp_path: Path) -> None:
    measured = list(grown(tmp_path / "data", 50))
    assert [each.kind for each in measured] == ["lessons", "photos", "replays"]
    assert [each for each in measured if each.refused] == []
    assert [each for each in measured if not each.is_flat] == []


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_toss_at_rest_is_ruled_on_once_the_journal_can_be_written_again(tmp_path: Path) -> None:
    trials = list(rested(tmp_path / "data", 1, lasts_s=6.0))
    assert [each.name for each in trials] == [fault.name for fault in UNWRITABLE]
    late = [each for each in trials if each.early or each.ruled_after_s is None or each.ruled_after_s > SOON_S]
    assert late == []
    assert max(each.answered_s for each in trials) < 1.0


@pytest.mark.long
@pytest.mark.timeout(600)
def test_after_a_fault_play_goes_on_and_no_ruling_is_lost(tmp_path: Path) -> None:
    some = tuple(fault for fault in ALL if fault.name in (failing.UNPLUGGED, failing.DISK_FULL))
    lines = list(soak.Soak(tmp_path, minutes=0.8, every_s=15, faults=some).run())
    passed = [line for line in lines if isinstance(line, soak.Passed)]
    assert [fault.name for fault in passed][:2] == [failing.UNPLUGGED, failing.DISK_FULL]
    assert [fault.name for fault in passed if fault.ruled_after_s is None] == []
    assert any("free some disk space" in said for said in passed[1].seen)
    (kept,) = [line for line in lines if isinstance(line, soak.Kept)]
    assert kept.shown > 5
    assert kept.lost == ()
