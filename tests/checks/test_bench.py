"""The bench measures what it says. No speed is tested."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count as counting
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest

from tablecoin import checks, rules
from tablecoin.analysis.analysis import SAMPLES
from tablecoin.appliance import Appliance
from tablecoin.checks.bench import COUNTS, STAGES, bench, chances, detector, lines, page, reading, refereeing
from tablecoin.checks.bench.chances import chance_ms
from tablecoin.checks.bench.detector import SIDE_PX, Yardstick, nano, yardstick
from tablecoin.checks.bench.laid import laid
from tablecoin.checks.bench.page import settle_to_page_ms
from tablecoin.checks.bench.reading import ReadMs, read_ms
from tablecoin.checks.bench.refereeing import explain_ms, games_per_second, sure_belief
from tablecoin.checks.bench.timing import Spread
from tablecoin.cli.running import table_to_measure
from tablecoin.live.table import LiveTable
from tablecoin.referee.explain import Accepted, Unchanged
from tablecoin.referee.explain import explain as search
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.settings import Settings, with_flags
from tablecoin.vision.coins import engine
from tests.pace import Pace

SPREAD = Spread(count=3, mean=1.0, p50=2.0, p95=3.0, p99=4.0, worst=5.0)


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make everything that is timed take one second of CPU time."""
    clock = counting()
    monkeypatch.setattr("time.thread_time", lambda: float(next(clock)))


def test_percentiles_of_known_times() -> None:
    assert Spread.of([n / 1000 for n in range(1, 101)]) == Spread(100, 50.5, 51.0, 96.0, 100.0, 100.0)
    assert Spread.of([]) == Spread(0, 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("count", COUNTS)
def test_the_table_holds_as_many_coins_as_it_says(count: int) -> None:
    assert len(laid(count).scene.coins) == count


def test_the_sure_belief_fits_the_layout_it_was_made_from() -> None:
    game = rules.load("coin-age")
    layout = game.layout(game.start(game.read_options({})))
    assert sure_belief(layout).ratio(layout) > 0.5


def test_a_frame_is_measured_stage_by_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "SIZE_PX", (640, 480))
    read = read_ms(5, seconds=0.01)
    assert read.coins == 5
    assert read.found == 5
    assert {"settle", "plane", "find", "identify"} <= set(read.stages)
    assert 0 < read.still < min(read.moved, read.one_moved)


def test_the_detector_has_the_published_size(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    file = tmp_path / "nano.onnx"
    written = file.write_bytes(nano())
    assert 2.9e6 < written / 4 < 3.3e6  # YOLOv8n: 3.2 million weights for 80 classes, 3.0 for few
    (found,) = engine.load(file)(np.zeros((1, 3, SIDE_PX, SIDE_PX), np.float32))
    assert found.shape == (1, 72, 80**2 + 40**2 + 20**2)


def test_the_detector_is_compared_with_a_frame_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes: list[tuple[int, ...]] = []

    def timed(work: Callable[[int], None], seconds: float) -> Iterator[float]:
        assert seconds == 0.5
        work(0)
        yield from (10.0, 90.0, 20.04)

    monkeypatch.setattr(detector, "nano", lambda: b"a network")
    monkeypatch.setattr(engine, "load", lambda file: lambda pixels: shapes.append(pixels.shape))
    monkeypatch.setattr(detector, "timed_ms", timed)
    assert yardstick(4.0, seconds=0.5) == Yardstick(ms=20.0, times_ours=5.01)
    assert shapes == [(1, 3, SIDE_PX, SIDE_PX)] * 2  # the first call warms the network up


def test_there_is_no_detector_without_the_package_that_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert yardstick(4.0, seconds=0.01) is None


def test_the_rate_of_games_is_of_whole_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The three games of the stand-in take 2, 4 and 6 ms, so 250 are played in a second."""

    def timed(play: Callable[[int], None], seconds: float) -> Iterator[float]:
        assert seconds == 0.5
        play(7)
        yield from (2.0, 4.0, 6.0)

    played: list[tuple[str, int]] = []
    ended: list[str] = []

    def stand_in(game: Any, seed: int) -> Iterator[None]:
        played.append((game.name, seed))
        yield from (None, None)
        ended.append(game.name)

    monkeypatch.setattr(refereeing, "timed_ms", timed)
    monkeypatch.setattr(refereeing, "random_game", stand_in)
    assert games_per_second(0.5) == dict.fromkeys(rules.NAMES, 250.0)
    assert played == [(name, 7) for name in rules.NAMES]
    assert ended == list(rules.NAMES)


@pytest.mark.usefixtures("ticking")
def test_each_search_explains_a_turn_of_a_random_game(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[tuple[str, object]] = []

    def explain(game: Any, states: Any, belief: Any, *, finished: bool) -> object:
        explained = search(game, states, belief, finished=finished)
        found.append((game.name, explained))
        return explained

    monkeypatch.setattr(refereeing, "explain", explain)
    measured = explain_ms(1.5)
    assert list(measured) == ["steal", "exact", "coin-age", "goes-around"]
    for name, spread in measured.items():
        explained = [each for searched, each in found if searched == name]
        assert (spread.count, spread.mean) == (len(explained), 1000.0)
        assert spread.count == 2, "the second search uses up the time"
        sealed = name == "goes-around"  # its first choices are secret, and leave the table as it is
        assert isinstance(explained[0], Unchanged if sealed else Accepted)


@pytest.mark.usefixtures("ticking")
def test_each_game_has_its_states_valued_after_its_tables_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    valued: dict[str, list[tuple[object, int, int]]] = {name: [] for name in rules.NAMES}

    def load(name: str) -> Callable[..., None]:
        return lambda state, *, samples, seed: valued[name].append((state, samples, seed))

    monkeypatch.setattr("tablecoin.opponents.value.load", load)
    monkeypatch.setattr(chances, "_FEWEST", 4)
    measured = chance_ms(0.5)
    assert list(measured) == list(rules.NAMES)
    for name, spread in measured.items():
        assert (spread.count, spread.mean) == (4, 1000.0), "the state that reads the tables does not count"
        assert [(samples, seed) for _, samples, seed in valued[name]] == [(SAMPLES, seed) for seed in range(5)]
    scenes = [state.scene for state, _, _ in valued["coin-wars"] if isinstance(state, CoinWarsState)]
    assert len(scenes) == 5
    assert None not in scenes
    assert chance_ms(5.5)["steal"].count == 6, "until the time is used up"


def test_a_coin_that_the_reader_never_sees_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = counting(step=10)
    monkeypatch.setattr(page, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    news: list[Callable[[], None]] = []
    stopped: list[None] = []

    def listen(tell: Callable[[], None]) -> Callable[[], None]:
        news.append(tell)
        return lambda: stopped.append(None)

    def snapshot() -> SimpleNamespace:
        news[0]()
        return SimpleNamespace(table=SimpleNamespace(settled=False, coins=()))

    live = SimpleNamespace(virtual=object(), snapshots=SimpleNamespace(listen=listen), snapshot=snapshot)
    with pytest.raises(TimeoutError, match="0 coins were not read in 30 s"):
        settle_to_page_ms(cast(LiveTable, live))
    assert stopped == [None]


class _Stages:
    """Every stage of the bench replaced: which ran, and with how many threads of OpenCV."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ran: list[tuple[str, int]] = []
        self.live: list[str] = []
        for name, result in (
            ("games_per_second", dict.fromkeys(rules.NAMES, 7.0)),
            ("explain_ms", {"steal": SPREAD}),
            ("chance_ms", {"exact": SPREAD}),
        ):
            monkeypatch.setattr(checks.bench, name, lambda seconds, name=name, result=result: self._ran(name, result))
        monkeypatch.setattr(checks.bench, "read_ms", lambda coins, seconds: self._ran("read", self.read(coins)))
        monkeypatch.setattr(checks.bench, "yardstick", lambda ms, seconds: self._ran("yardstick", Yardstick(ms, 1.0)))
        monkeypatch.setattr(checks.bench, "settle_to_page_ms", lambda live: self._ran(f"page of {live}", SPREAD))

    @staticmethod
    def read(coins: int) -> ReadMs:
        """A frame takes a millisecond for each coin."""
        return ReadMs(coins, coins, float(coins), 1.0, 0.5, {"find": 2.0})

    @contextmanager
    def running(self) -> Iterator[LiveTable]:
        self.live.append("started")
        yield cast(LiveTable, "a table")
        self.live.append("ended")

    def _ran(self, name: str, result: object) -> object:
        self.ran.append((name, cv2.getNumThreads()))
        return result


@pytest.fixture
def two_threads() -> Iterator[None]:
    """OpenCV on two threads, until the test is over."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(2)
    yield
    cv2.setNumThreads(threads)


@pytest.mark.usefixtures("two_threads")
def test_each_stage_is_begun_in_turn_and_measured_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    stages, begun = _Stages(monkeypatch), list[str]()
    measured = bench(stages.running, begin=begun.append)
    ran = ["read"] * 4 + ["yardstick", "games_per_second", "explain_ms", "chance_ms", "page of a table"]
    assert stages.ran == [(name, 1) for name in ran]
    assert cv2.getNumThreads() == 2
    assert len(begun) == STAGES
    assert begun[:4] == [f"frames of {coins} coins" for coins in (1, 5, 20, 60)]
    assert begun[4:] == [
        "a usual detector", "random games", "explanation search", "chances of a state", "settled to page",
    ]  # fmt: skip
    assert stages.live == ["started", "ended"]
    assert measured.read_ms == tuple(map(_Stages.read, COUNTS))
    assert (measured.frames_per_second, measured.yardstick) == (50.0, Yardstick(20.0, 1.0))
    assert (measured.explain_ms, measured.chance_ms) == ({"steal": SPREAD}, {"exact": SPREAD})
    assert (set(measured.games_per_second.values()), measured.settle_to_page_ms) == ({7.0}, SPREAD)
    said = list(lines(measured))
    assert len(said) == 4 + 2 + len(rules.NAMES) + 1 + 1 + 1
    assert [line for line in said if "goal 25 and 4" in line] == [said[2]]
    assert "20.0 ms all moved,   1.0 ms one moved,  0.5 ms still" in said[2]
    assert said[4].endswith("20 ms, 1 times ours with 20 coins moved")
    assert said[-1] == "settled → page: p50 2 ms, p95 3 ms of 3 (goal p95 300)"


@pytest.mark.usefixtures("two_threads")
def test_the_threads_come_back_when_a_stage_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    stages = _Stages(monkeypatch)

    def fail(seconds: float) -> None:
        raise OSError("no tables")

    monkeypatch.setattr(checks.bench, "chance_ms", fail)
    with pytest.raises(OSError, match="no tables"):
        bench(stages.running)
    assert cv2.getNumThreads() == 2
    assert stages.live == [], "the table was never started"


def test_a_detector_that_was_not_measured_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    stages = _Stages(monkeypatch)
    monkeypatch.setattr(checks.bench, "yardstick", lambda ms, seconds: None)
    said = list(lines(bench(stages.running)))
    assert [line for line in said if "`onnx` is not installed" in line] == [said[4]]


@pytest.mark.long
def test_everything_is_measured_and_printed() -> None:
    begun: list[str] = []
    measured = bench(table_to_measure, seconds=0.02, begin=begun.append)
    assert len(begun) == STAGES
    assert [read.coins for read in measured.read_ms] == list(COUNTS)
    assert set(measured.games_per_second) == set(rules.NAMES)
    assert all(spread.count for spread in measured.explain_ms.values())
    assert set(measured.chance_ms) == set(rules.NAMES)
    assert all(spread.count >= 20 for spread in measured.chance_ms.values())
    assert measured.settle_to_page_ms.count == 10
    assert (
        len(list(lines(measured)))
        == len(COUNTS) + 2 + len(rules.NAMES) + len(measured.explain_ms) + len(measured.chance_ms) + 1
    )


def test_a_coin_set_down_is_waited_for_on_a_running_table(tmp_path: Path) -> None:
    pace = Pace()
    settings = with_flags(Settings(), camera="virtual", panel="none", port=0, data=str(tmp_path))
    with Appliance(settings, seed=1, simulation=pace.simulation) as appliance:
        pace.follow(appliance.live)
        assert settle_to_page_ms(appliance.live, rounds=1).count == 1
