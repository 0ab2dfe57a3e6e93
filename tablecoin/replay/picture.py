"""The picture that people share: how the table lay at the end of a game, who won, and the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.analysis.report import signed_points
from tablecoin.coins import Denomination
from tablecoin.mat.drawing import Words
from tablecoin.mat.raster import raster, write
from tablecoin.mat.scripts import runs
from tablecoin.replay.report import Report
from tablecoin.replay.steps import Replay
from tablecoin.rules.game import Seat
from tablecoin.rules.rulebook import Message, sentence

WIDTH_PX, HEIGHT_PX = 1200, 630  # the shape in which messengers and social sites show a picture
_FINER = 2  # lines and coins are drawn this many times larger, then averaged down
_MARGIN_PX = 30
_TABLE_PX = (720, 460)  # the most that the table may take
_SIDE_PX = (790, 1170)  # left and right end of what stands beside the table
_SEATS_PX = (150, 250)  # where the list of the seats begins, and the most that it may take
_GRAPH_BOTTOM_PX = 580

Image = NDArray[np.uint8]  # (H, W, 3) uint8, BGR
Spot = tuple[float, float]  # px

_PAPER, _INK, _SOFT, _LINE = "#f4efe4", "#18231e", "#59655e", "#dcd4c3"
_METAL = {Denomination.PENNY: "#cf8052", None: "#c3cacd"}  # copper; all others are silver
_SIDES = {"heads": "#a9542a", "tails": "#2d5f86"}
_OTHERS = ("#a9542a", "#2d5f86", "#23744b", "#876616", "#8a5aa8", "#3f9aa0", "#c05080", "#7a8a2a", "#6b7280")


def picture(game: Replay, report: Report | None, language: str) -> bytes:
    """A PNG of 1200 × 630 px. Without a report the graph shows what each seat had.

    Words that the computer has no font for are left out: names in scripts other than Latin, and Chinese without a
    Chinese font.
    """
    sheet = np.full((HEIGHT_PX, WIDTH_PX, 3), _bgr(_PAPER), np.uint8)
    if report and not report.players:
        report = None
    words = [*_headline(game, language)]
    table = _table(game)
    height, width = table.shape[:2]
    top = HEIGHT_PX - _MARGIN_PX - _TABLE_PX[1] + (_TABLE_PX[1] - height) // 2
    sheet[top : top + height, _MARGIN_PX : _MARGIN_PX + width] = table
    sheet = _with_graph(sheet, game, report, words)
    if report:
        words.append(Words(_SIDE_PX[0], _GRAPH_BOTTOM_PX + 28, 16, _said("replay.chances", language), _SOFT, "start"))
    words += _players(game, report, language)
    return cv2.imencode(".png", write(sheet, words, 1.0))[1].tobytes()


# -- the table --------------------------------------------------------------------------------------------------------


def _table(game: Replay) -> Image:
    """The mat with its coins, as large as it may be."""
    mat = game.mat
    px_per_mm = min(_TABLE_PX[0] / mat.width_mm, _TABLE_PX[1] / mat.height_mm)
    drawn = cv2.resize(raster(mat, px_per_mm), None, fx=_FINER, fy=_FINER, interpolation=cv2.INTER_CUBIC)
    words: list[Words] = []
    for zone, coins in game.tables[game.steps[-1].table].items():
        for coin, (x_mm, y_mm) in zip(coins, game.places.get(zone, ()), strict=False):
            kind, _, face = coin.partition(":")
            _coin(drawn, Denomination(kind), (x_mm, y_mm), px_per_mm * _FINER)
            words += _letters(Denomination(kind), face, (x_mm * px_per_mm, y_mm * px_per_mm), px_per_mm)
    height, width = drawn.shape[0] // _FINER, drawn.shape[1] // _FINER
    small = np.asarray(cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    return write(small, words, 1.0)


def _coin(drawn: Any, kind: Denomination, place_mm: Spot, px_per_mm: float) -> None:
    middle = round(place_mm[0] * px_per_mm), round(place_mm[1] * px_per_mm)
    radius = round(kind.diameter_mm / 2 * px_per_mm)
    metal = _METAL.get(kind, _METAL[None])
    cv2.circle(drawn, (middle[0] + 2, middle[1] + 3), radius, _bgr("#8a8578"), cv2.FILLED, cv2.LINE_AA)
    cv2.circle(drawn, middle, radius, _bgr(metal), cv2.FILLED, cv2.LINE_AA)
    cv2.circle(drawn, middle, radius, _bgr("#3d342b"), 2, cv2.LINE_AA)
    cv2.circle(drawn, middle, round(radius * 0.86), _bgr("#f6efe2"), 1, cv2.LINE_AA)


def _letters(kind: Denomination, face: str, place_px: Spot, px_per_mm: float) -> list[Words]:
    """H or T and the value below it; where faces do not matter the value alone."""
    (x, y), r = place_px, kind.diameter_mm / 2 * px_per_mm
    if face == "any":
        return [Words(x, y + 0.35 * r, r, f"{kind.cents}", _INK, "middle")]
    return [
        Words(x, y + 0.22 * r, r, face[0].upper(), _INK, "middle"),
        Words(x, y + 0.68 * r, 0.42 * r, f"{kind.cents}¢", _INK, "middle"),
    ]


# -- words ------------------------------------------------------------------------------------------------------------


def _headline(game: Replay, language: str) -> list[Words]:
    end = game.outcome.said[language] if game.outcome else _said("replay.broken_off", language)
    played = " · ".join(part for part in (game.title[language], (game.begun or "")[:10]) if part)
    size = min(40.0, (WIDTH_PX - 2 * _MARGIN_PX) / _breadth(end))
    return [
        Words(_MARGIN_PX, 50, 24, played, _SOFT, "start"),
        Words(_MARGIN_PX, 105, size, end, _INK, "start"),
        Words(WIDTH_PX - _MARGIN_PX, 50, 24, "tablecoin", _SOFT, "end"),
    ]


def _players(game: Replay, report: Report | None, language: str) -> list[Words]:
    """A line for each seat: its name, what it had at the end, and how lucky it was."""
    standing = game.steps[-1].standing
    step_px = _seat_px(game)
    words = []
    for k, (seat, amount) in enumerate(standing.items()):
        y, size = _SEATS_PX[0] + step_px * (k + 0.3), min(26.0, step_px * 0.75)
        said = f"{amount:g}{'¢' if game.measure == 'cents' else ''}"
        called = Message("replay.seat.number" if seat.isdecimal() else "replay.seat", {"seat": seat})
        name = _shortened(game.names.get(seat) or sentence(called, language))
        words += [
            Words(_SIDE_PX[0], y, size, name, _ink(seat, k), "start"),
            Words(_SIDE_PX[1], y, size, said, _INK, "end"),
        ]
        if report and seat in report.players and step_px > 40:
            luck = sentence(Message("replay.luck", {"points": signed_points(report.players[seat].luck)}), language)
            words.append(Words(_SIDE_PX[0], y + 20, 16, luck, _SOFT, "start"))
    return words


def _seat_px(game: Replay) -> float:
    """How high the line of a seat is."""
    return min(52.0, _SEATS_PX[1] / max(1, len(game.steps[-1].standing)))


def _said(key: str, language: str) -> str:
    return sentence(Message(key), language)


def _breadth(text: str) -> float:
    """About how wide a text is, in heights of its letters: 0.62 for a Latin letter, 1 for a Chinese one."""
    return sum(len(part) * (1.0 if chinese else 0.62) for part, chinese in runs(text)) or 1.0


def _shortened(name: str) -> str:
    """A name that fits beside its amount."""
    return name if len(name) <= 18 else f"{name[:17]}…"


# -- the graph --------------------------------------------------------------------------------------------------------


def _with_graph(sheet: Image, game: Replay, report: Report | None, words: list[Words]) -> Image:
    """The sheet with a curve for each seat; what stands on the axis is added to `words`."""
    (left, right), bottom = _SIDE_PX, _GRAPH_BOTTOM_PX
    top = _SEATS_PX[0] + _seat_px(game) * len(game.steps[-1].standing) + 40
    values = _chances(game, report) if report else [step.standing for step in game.steps]
    most = 1.0 if report else max([1.0, *(value for each in values for value in each.values())])

    def spot(at: float, value: float) -> tuple[int, int]:
        along = at / max(1, len(values) - 1)
        x, y = left + along * (right - left), bottom - value / most * (bottom - top)
        return round(x * _FINER), round(y * _FINER)

    drawn = cv2.resize(sheet, None, fx=_FINER, fy=_FINER, interpolation=cv2.INTER_NEAREST)
    for value in (0.0, 0.5, 1.0) if report else axis(most):
        cv2.line(drawn, spot(0, value), spot(len(values) - 1, value), _bgr(_LINE), 2, cv2.LINE_AA)
        said = f"{100 * value:.0f} %" if report else f"{value}"
        words.append(Words(left - 6, spot(0, value)[1] / _FINER + 5, 14, said, _SOFT, "end"))
    for k, seat in enumerate(values[-1]):
        curve = np.array([spot(at, each.get(seat, 0.0)) for at, each in enumerate(values)], np.int32)
        cv2.polylines(drawn, [curve.reshape(-1, 1, 2)], False, _bgr(_ink(seat, k)), 3 * _FINER, cv2.LINE_AA)
    turning = [at for at, step in enumerate(game.steps) if report and step.line == report.turning_point]
    for at in turning:
        cv2.line(drawn, spot(at, 0), spot(at, most), _bgr("#8a6200"), 2 * _FINER, cv2.LINE_AA)
    return np.asarray(cv2.resize(drawn, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA), np.uint8)


def axis(most: float) -> tuple[int, ...]:
    """Where lines stand across a graph of amounts up to `most`: at whole numbers, so that what is written beside each
    is true. The graph of the page has the same (web/static/js/replay_graph.js)."""
    whole = int(most)
    return tuple(dict.fromkeys((0, whole // 2, whole)))


def _chances(game: Replay, report: Report) -> Sequence[Mapping[Seat, float]]:
    """The chances after each step; a step that nobody valued changes none."""
    known, now = {event.n: event.chance for event in report.events}, report.start
    found = []
    for step in game.steps:
        now = known.get(step.line, now)
        found.append(now)
    return found


def _ink(seat: Seat, k: int) -> str:
    return _SIDES.get(seat, _OTHERS[k % len(_OTHERS)])


def _bgr(ink: str) -> tuple[int, int, int]:
    return int(ink[5:7], 16), int(ink[3:5], 16), int(ink[1:3], 16)
