"""The siege tells what the kiosk and the phones noticed, and the server holds out."""

from __future__ import annotations

import asyncio
import inspect
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lab.siege import siege
from lab.siege.attackers import Attack, attackers, picture_bomb
from lab.siege.served import serving, tosses
from lab.siege.siege import Noticed
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.sent import decode_sent


def test_the_figures_of_a_phase() -> None:
    noticed = Noticed(
        waits_s=[0.010] * 18 + [0.500, 0.700],
        unanswered=2,
        seen=[(4, 99.5), (5, 101.020), (6, 102.040)],
        fps=[9, 10, 10],
        resident_mb=[250.0, 260.0, 255.0],
        threads=[30, 34, 31],
        lasted=(100.0, 130.0),
    )
    assert siege.lines(noticed, {4: 99.0, 5: 101.0, 6: 102.0}) == [
        "the kiosk's page: p50 10 ms, p95 700 ms, worst 700 ms (20); unanswered: 2",
        "ruling to the kiosk's stream: p50 40 ms, p95 40 ms, worst 40 ms (2)",
        "ruling to the phones' streams: never",
        "rulings: 2 in 30 s, 4 a minute",
        "frames a second: 10 (3 snapshots)",
        "memory: 255 MB, at most 260",
        "threads: 31, at most 34",
    ]


def test_the_attackers_are_shared_out_among_the_addresses() -> None:
    made = attackers(Attack(tricklers=3, streams=2, stalled=1), ("127.0.0.1", "127.0.0.2"), 8000)
    assert [inspect.getcoroutinelocals(each)["address"] for each in made] == ["127.0.0.1", "127.0.0.2"] * 3
    for each in made:
        each.close()


def test_the_bomb_is_small_and_refused() -> None:
    bomb = picture_bomb()
    assert len(bomb) < 400_000
    with pytest.raises(CameraError, match="24 million pixels"):
        decode_sent(bomb, "the photo")


@pytest.mark.long
@pytest.mark.timeout(300)
def test_the_kiosk_and_the_phones_notice_little_of_an_attack(tmp_path: Path) -> None:
    """With limits that hold on a busy machine too; the lab log has the figures of a whole siege."""
    with serving(tmp_path, (sys.executable, "-m", "tablecoin"), tosses(90)) as served:
        attack = siege.phase(served, 30, Attack(aims=4, flips=4, bombs=2), phones=10)
        with ThreadPoolExecutor(1) as thread:  # Playwright leaves a loop running on this one
            noticed = thread.submit(asyncio.run, attack).result()
        ruled_at = served.ruled_at()
    assert (noticed.unanswered, len(noticed.waits_s) > 30) == (0, True)
    assert sorted(noticed.waits_s)[len(noticed.waits_s) // 2] < 0.5
    assert {number for number, _ in noticed.seen} >= {n for n, at in ruled_at.items() if at > noticed.lasted[0]} - {
        max(ruled_at)
    }
    assert max(noticed.resident_mb) < 600
