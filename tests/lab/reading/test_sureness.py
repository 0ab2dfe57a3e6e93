"""Counts at thresholds, and the choice of thresholds, on answers made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lab.reading import sureness
from lab.reading.sureness import Answers, Outcome, choose, curve, drawn, outcome


def said(rows: list[tuple[bool, float, float, bool, bool]]) -> Answers:
    """Pennies, heads up: (a US coin, sureness of the kind, log odds of the face, is a penny, is heads)."""
    coin, kind, face, penny, heads = (np.array(column) for column in zip(*rows, strict=True))
    kinds = np.column_stack([kind, (1 - kind) / 2, np.zeros_like(kind), np.zeros_like(kind), (1 - kind) / 2])
    true = np.where(coin, np.where(penny, 0, 1), 4)
    return Answers(np.zeros(len(rows), int), coin, kinds, face, true, np.where(coin, heads.astype(int), -1))


ROWS = [
    (True, 0.99, 5.0, True, True),
    (True, 0.99, -5.0, True, True),  # face wrong, and sure
    (True, 0.99, 0.5, True, True),  # face not sure
    (True, 0.70, 5.0, False, True),  # kind wrong, not sure
    (False, 0.99, 5.0, False, False),  # a button taken for a penny
    (False, 0.20, 5.0, False, False),  # a button left alone
]


def test_counts_at_thresholds() -> None:
    assert outcome(said(ROWS), 0.95, 0.95) == Outcome(coins=4, sure=2, wrong_and_sure=1, strangers_sure=1)
    assert outcome(said(ROWS), 0.5, 0.5) == Outcome(coins=4, sure=4, wrong_and_sure=2, strangers_sure=1)
    assert Outcome(4, 2, 1, 1).cost(30) == 62


def test_the_curve_begins_with_the_surest_answers() -> None:
    points = curve(said([(True, 0.9, 5.0, True, True)] * 9 + [(True, 0.6, 5.0, False, True)]))
    assert points[8] == (0.9, 0.0)
    assert points[-1] == pytest.approx((1.0, 0.1))
    svg = drawn(points, [(0.9, 0.0)])
    assert svg.startswith("<svg")
    assert svg.count("<circle") == 1


def test_the_dearer_a_mistake_the_higher_the_threshold() -> None:
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(4000):
        odds = abs(rng.normal(0, 3))
        rows.append((True, 0.999, odds, True, bool(rng.random() < 1 / (1 + np.exp(-odds / 2)))))  # twice too sure
    answers = {1.3: said(rows)}
    every = np.ones(4000, bool)
    cheap, dear = (choose(answers, every, cost) for cost in (3, 100))
    assert cheap.face_temperature == dear.face_temperature == 1.2  # the warmest there is
    assert dear.face_floor > cheap.face_floor


def test_the_report_tells_what_ships_whatever_temperatures_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    everybody = replace(said(ROWS * 3), fold=np.repeat(range(3), len(ROWS)))
    monkeypatch.setattr(sureness, "answers", lambda reads, temperature: everybody)
    lines, curve_svg = sureness.report([], 30.0)
    assert lines[-1].startswith("the shipped ones")
    assert "of 12 coins" in lines[-1]
    assert curve_svg.startswith("<svg")
