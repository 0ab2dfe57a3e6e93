"""How soon the pages show a coin that was set down."""

from __future__ import annotations

import threading
import time

from tablecoin.checks.bench.laid import ZONES
from tablecoin.checks.bench.timing import Spread
from tablecoin.coins import Coin
from tablecoin.live.table import LiveTable


def settle_to_page_ms(live: LiveTable, rounds: int = 10, still_s: float = 0.6) -> Spread:
    """Wall-clock time from a coin set down until the pages' snapshot shows it settled, less `still_s`.

    `live`: a running table over virtual coins, of which none lies there yet; `still_s` is its own.
    """
    table = live.virtual
    assert table is not None
    _until(live, 0)
    times = []
    for coins in range(1, rounds + 1):
        table.place(list(Coin)[coins % 8], ZONES[coins % 4])
        start_s = time.monotonic()
        _until(live, coins)
        times.append(time.monotonic() - start_s - still_s)
    return Spread.of(times)


def _until(live: LiveTable, coins: int, limit_s: float = 30.0) -> None:
    """Wait for a snapshot of a settled table with so many coins. TimeoutError: the reader does not see them."""
    end_s, news = time.monotonic() + limit_s, threading.Event()
    stop_listening = live.snapshots.listen(news.set)
    try:
        while time.monotonic() < end_s:
            news.clear()
            snapshot = live.snapshot()
            if snapshot.table.settled and len(snapshot.table.coins) == coins:
                return
            news.wait(0.5)
    finally:
        stop_listening()
    raise TimeoutError(f"the virtual table's {coins} coins were not read in {limit_s:g} s")
