"""The bench measures what it says. No speed is tested."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tablecoin import rules
from tablecoin.appliance import Appliance
from tablecoin.checks.bench import COUNTS, STAGES, bench, lines, reading
from tablecoin.checks.bench.detector import SIDE_PX, nano
from tablecoin.checks.bench.laid import laid
from tablecoin.checks.bench.page import settle_to_page_ms
from tablecoin.checks.bench.reading import read_ms
from tablecoin.checks.bench.refereeing import sure_belief
from tablecoin.checks.bench.timing import Spread
from tablecoin.cli.running import table_to_measure
from tablecoin.settings import Settings, with_flags
from tablecoin.vision.coins import engine
from tests.pace import Pace


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
