"""How often the referee asks as the picture gets worse: games over blur and over brightness, drawn as an SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from xml.sax.saxutils import escape

from tablecoin.virtual.render import Light

_INK = {"steal": "#1f6fb2", "exact": "#7a4fa3", "coin-age": "#8a6d1d", "goes-around": "#b2452f", "coin-wars": "#2d8a57"}
_HIGH, _PANEL, _GAP, _LEFT, _TOP = 220, 300, 70, 56, 34
_TITLE = "asked in ten turns; beneath each light: games · wrong rulings · games not refereed"
_LEAST_ASKED = 1.0  # smallest range of the axis; the goal is under one question in ten turns


class Soaked(Protocol):
    """What the curve needs of a game in the log."""

    @property
    def game(self) -> str: ...
    @property
    def light(self) -> str: ...
    @property
    def kill(self) -> str: ...
    @property
    def wrong(self) -> Sequence[str]: ...
    @property
    def counts(self) -> Mapping[str, int]: ...


@dataclass(frozen=True)
class Point:
    """All games of one name in one light."""

    games: int
    turns: int
    asked: int  # questions, and coins that people corrected or laid again
    wrong: int
    refused: int  # games that were not refereed because the picture was too blurred or too dark

    @property
    def in_ten_turns(self) -> float:
        return 10 * self.asked / max(1, self.turns)


def gathered(games: Iterable[Soaked]) -> dict[tuple[str, str], Point]:
    """(game, light) -> its results. Games in which the program was killed are left out."""
    some: dict[tuple[str, str], list[Soaked]] = {}
    for one in games:
        if one.kill == "no":
            some.setdefault((one.game, one.light), []).append(one)
    return {key: _point(played) for key, played in some.items()}


def _point(games: Sequence[Soaked]) -> Point:
    def total(*words: str) -> int:
        return sum(one.counts.get(word, 0) for one in games for word in words)

    asked = total("questions", "corrections", "laid anew")
    return Point(len(games), total("turns"), asked, sum(len(one.wrong) for one in games), total("not refereed"))


def curve(games: Iterable[Soaked], lights: Mapping[str, Light]) -> str:
    """A standalone SVG: over blur on the left, over brightness on the right. Both begin with the light "good"."""
    points = gathered(games)
    good = lights["good"]
    soft = [name for name, one in lights.items() if (one.brightness, one.noise) == (good.brightness, good.noise)]
    dim = ["good", *(name for name, one in lights.items() if one.brightness < 1 and one.blur_px == good.blur_px)]
    soft.sort(key=lambda name: lights[name].blur_px)
    dim.sort(key=lambda name: -lights[name].brightness)
    panels = [
        ("blur of the picture, pixels (standard deviation)", [(n, f"{lights[n].blur_px:g}") for n in soft]),
        ("brightness of the white paper, share", [(n, f"{lights[n].brightness:g}") for n in dim]),
    ]
    most = max([_LEAST_ASKED, *(p.in_ten_turns for p in points.values())]) * 1.1
    wide, high = _LEFT + 2 * _PANEL + _GAP + 20, _TOP + _HIGH + 92
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="12">',
        f'<rect width="{wide}" height="{high}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="18">{escape(_TITLE)}</text>',
    ]
    for k, (title, steps) in enumerate(panels):
        drawn += _panel(_LEFT + k * (_PANEL + _GAP), title, steps, points, most)
    for k, name in enumerate(name for name in _INK if any(game == name for game, _ in points)):
        x = _LEFT + 110 * k
        drawn.append(f'<circle cx="{x + 4}" cy="{high - 12}" r="4" fill="{_INK[name]}"/>')
        drawn.append(f'<text x="{x + 13}" y="{high - 8}">{escape(name)}</text>')
    return "\n".join([*drawn, "</svg>"]) + "\n"


def _panel(
    left: float, title: str, steps: Sequence[tuple[str, str]], points: Mapping[tuple[str, str], Point], most: float
) -> Iterator[str]:
    bottom = _TOP + _HIGH
    yield f'<path d="M{left},{_TOP} V{bottom} H{left + _PANEL}" fill="none" stroke="#444444"/>'
    for level in range(int(most) + 1) if most < 12 else range(0, int(most) + 1, 10):
        y = bottom - _HIGH * level / most
        yield f'<path d="M{left - 4},{y:.1f} H{left + _PANEL}" stroke="#dddddd"/>'
        yield f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{level}</text>'
    x_of = {light: left + _PANEL * (k + 0.5) / len(steps) for k, (light, _) in enumerate(steps)}
    for light, said in steps:
        here = [point for (_, lit), point in points.items() if lit == light]
        yield f'<text x="{x_of[light]:.1f}" y="{bottom + 16}" text-anchor="middle">{said}</text>'
        counts = f"{sum(p.games for p in here)} · {sum(p.wrong for p in here)} · {sum(p.refused for p in here)}"
        yield f'<text x="{x_of[light]:.1f}" y="{bottom + 32}" text-anchor="middle" fill="#666666">{counts}</text>'
    yield f'<text x="{left + _PANEL / 2}" y="{bottom + 52}" text-anchor="middle">{escape(title)}</text>'
    for name, ink in _INK.items():
        refereed = [(x_of[light], points[name, light]) for light, _ in steps if (name, light) in points]
        seen = [(x, bottom - _HIGH * p.in_ten_turns / most, p) for x, p in refereed if p.refused < p.games]
        if seen:
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in seen)
            yield f'<polyline points="{line}" fill="none" stroke="{ink}" stroke-width="2"/>'
        for x, y, point in seen:
            ring = ' stroke="#d00000" stroke-width="3"' if point.wrong else ""
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{ink}"{ring}/>'
