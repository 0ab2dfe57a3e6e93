"""The reliability diagram of a game as a small SVG: share won over chance said, with intervals."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from lab.chances.calibration import Calibration

_SIDE, _LEFT, _TOP, _BOTTOM = 240, 46, 30, 44  # of the square and its margins, in units of the picture


def diagram(title: str, found: Calibration) -> str:
    """A standalone SVG. On the diagonal the chances are calibrated; a dot's area grows with its positions."""
    wide, high = _LEFT + _SIDE + 16, _TOP + _SIDE + _BOTTOM
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="11">',
        f'<rect width="{wide}" height="{high}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="18">{escape(title)}: {found.games} games, Brier {found.brier:.3f}</text>',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="#444444"/>',
        f'<path d="M{_LEFT},{_TOP + _SIDE} l{_SIDE},-{_SIDE}" stroke="#999999" stroke-dasharray="4 4"/>',
        *_axes(),
        *_dots(found),
        f'<text x="{_LEFT + _SIDE / 2}" y="{high - 8}" text-anchor="middle">chance said, %</text>',
        f'<text transform="translate(12 {_TOP + _SIDE / 2}) rotate(-90)" text-anchor="middle">won, %</text>',
    ]
    return "\n".join([*drawn, "</svg>"]) + "\n"


def _axes() -> Iterator[str]:
    for percent in range(0, 101, 20):
        x, y = _x(percent / 100), _y(percent / 100)
        yield f'<text x="{x:.1f}" y="{_TOP + _SIDE + 14}" text-anchor="middle">{percent}</text>'
        yield f'<text x="{_LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{percent}</text>'


def _dots(found: Calibration) -> Iterator[str]:
    for one in found.bins:
        if one:
            x = _x(one.chance)
            radius = 2 + 6 * (one.positions / found.positions) ** 0.5
            yield f'<path d="M{x:.1f},{_y(one.low):.1f} V{_y(one.high):.1f}" stroke="#1f6fb2" stroke-width="1.5"/>'
            yield f'<circle cx="{x:.1f}" cy="{_y(one.won):.1f}" r="{radius:.1f}" fill="#1f6fb2"/>'


def _x(share: float) -> float:
    return _LEFT + _SIDE * share


def _y(share: float) -> float:
    return _TOP + _SIDE * (1 - share)
