"""The rows and pictures of docs/analysis.md that say what was measured, from the logs of `close` and `calibrate`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lab.chances import calibration, closing
from lab.chances.calibration import Told
from lab.chances.closing import Closed
from lab.chances.diagram import diagram
from tablecoin import rules

PAGE = Path("docs/analysis.md")


def updated(page: str, told: Sequence[Told], closed: Sequence[Closed]) -> str:
    """The page with a new row for each game in the logs; the others stay. ValueError: it has no row for a game."""
    lines = page.splitlines()
    for begins, row in (*_calibrated(told), *_closed(closed)):
        cells = row.count("|")  # a game has a row in more than one table of the page
        places = [k for k, line in enumerate(lines) if line.startswith(begins) and line.count("|") == cells]
        if len(places) != 1:
            raise ValueError(f"the page has {len(places)} rows that begin with {begins!r}, not one")
        lines[places[0]] = row
    return "\n".join([*lines, ""])


def pictures(told: Sequence[Told]) -> Iterator[tuple[str, str]]:
    """(name of a file, its SVG) for each game in the logs."""
    for name, games in _by_game(told):
        yield f"calibration-{name}.svg", diagram(_title(name), calibration.calibration(games))


def tables(told: Sequence[Told]) -> Iterator[str]:
    """The bins of each game in the logs, in Markdown."""
    for name, games in _by_game(told):
        yield calibration.table(name, calibration.calibration(games))


def _calibrated(told: Sequence[Told]) -> Iterator[tuple[str, str]]:
    """(how the row begins, the row) of each game."""
    for name, games in _by_game(told):
        found, begins = calibration.calibration(games), f"| *{_title(name)}* | "
        yield (
            begins,
            f"{begins}{found.games:,} | {found.positions:,} | {found.brier:.3f} [{found.low:.3f}, {found.high:.3f}] "
            f"| {found.reliability:.4f} | {found.resolution:.4f} | {found.uncertainty:.4f} |",
        )


def _closed(closed: Sequence[Closed]) -> Iterator[tuple[str, str]]:
    for name in dict.fromkeys(one.game for one in closed):
        _, _, *rows = closing.table([one for one in closed if one.game == name]).splitlines()
        if len(rows) != 1:
            raise ValueError(f"the logs of {name} are of several levels or numbers of samples")
        yield f"| {name} | ", rows[0]


def _by_game(told: Iterable[Told]) -> Iterator[tuple[str, list[Told]]]:
    games: dict[str, list[Told]] = {}
    for one in told:
        games.setdefault(one.game, []).append(one)
    yield from games.items()


def _title(name: str) -> str:
    return rules.load(name).title["en"]
