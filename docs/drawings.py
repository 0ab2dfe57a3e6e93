"""The drawings of hardware.md: the wiring of the panel, and the table from the side.

`make drawings` writes them. The wiring is drawn from the pin table that the program uses; a test keeps both fresh.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from tablecoin.panel.pins import GROUND, HEADER, POWER, Pins

PICTURES = Path(__file__).parent / "pictures"

_STYLE = """
  text { font: 15px system-ui, sans-serif; fill: #1d2733 }
  .small { font-size: 12.5px; fill: #465563 } .big { font-size: 19px; font-weight: 600 }
  .wire { fill: none; stroke: #1f6fb2; stroke-width: 2.4 } .ground { fill: none; stroke: #3b3b3b; stroke-width: 2.4 }
  .supply { fill: none; stroke: #b2452f; stroke-width: 2.4 } .part { fill: #fff; stroke: #1d2733; stroke-width: 2 }
  .thin { fill: none; stroke: #1d2733; stroke-width: 1.6 } .dot { fill: #3b3b3b } .board { fill: #2d8a57 }
  .light { fill: #ffd24a; opacity: .35 } .seen { fill: #1f6fb2; opacity: .12 } .wood { fill: #d9c3a0 }
  .ray { stroke-dasharray: 5 5 }
  .measure { stroke: #7a4fa3; stroke-width: 1.6; fill: none } .measured { fill: #7a4fa3; font-weight: 600 }
"""


def drawings() -> dict[str, str]:
    """File name -> SVG."""
    return {"wiring.svg": wiring(Pins()), "side-view.svg": side_view()}


def _svg(width: int, height: int, title: str, shapes: Iterator[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{title}">'
    paper = f'<rect width="{width}" height="{height}" fill="#fbfaf6"/>'
    return "\n".join([head, f"<style>{_STYLE}</style>", paper, *shapes, "</svg>\n"])


def _text(x: float, y: float, said: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(said)}</text>'


def _line(kind: str, *points: tuple[float, float]) -> str:
    return f'<polyline class="{kind}" points="{" ".join(f"{x:g},{y:g}" for x, y in points)}"/>'


# -- wiring -----------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT = 1260, 900
_PITCH, _TOP = 27.0, 150.0  # of the header's rows
_LEFT_PX, _RIGHT_PX = 585.0, 615.0  # its two columns
_REACH = 345.0  # from a column to the nearest edge of its parts
_GROUNDED = (39, 6)  # the header's ground pins that the parts on the left and on the right share
_LANE = 22.0  # between two vertical pieces of wire


_LEGEND = (
    "Blue: signal, 3.3 V.  Black: ground.  Red: the ring light's own supply.  A lamp's long leg is at its 330 Ω.",
    "The ground of the light's supply and a ground pin of the Pi are joined. Nothing here touches the 5 V pins.",
    "Of the buttons any two contacts that close when pressed; they have no plus and minus.",
)


@dataclass(frozen=True)
class Part:
    """One part as it is drawn: its name in the pin table, what it is, and its height."""

    name: str
    said: str
    draw: Callable[[float, float, int], Iterator[str]]
    height: float = 74.0
    head: float = 30.0  # how far its name stands above its wire


def wiring(pins: Pins) -> str:
    """Every part of the panel with its wires to the 40-pin header."""
    return _svg(WIDTH, HEIGHT, "Wiring of the panel", _wiring(pins))


def _wiring(pins: Pins) -> Iterator[str]:
    yield _text(30, 44, "The panel on the 40-pin header", "big")
    yield _text(
        30, 68, "Seen from above, pin 1 at the top left, the corner of the board at the top. BCM numbers.", "small"
    )
    yield from _header(pins)
    for side, first, ground in zip((-1, 1), (150.0, 235.0), _GROUNDED, strict=True):
        mine = [part for part in _PARTS if (HEADER[getattr(pins, part.name)] % 2 == 1) == (side == -1)]
        mine.sort(key=lambda part: HEADER[getattr(pins, part.name)])
        yield from _side(pins, mine, side, first, ground)
    for row, said in enumerate(_LEGEND):
        yield _text(30, HEIGHT - 62 + 21 * row, said, "small")


def _header(pins: Pins) -> Iterator[str]:
    used = {HEADER[getattr(pins, part)]: part for part in pins.__struct_fields__}
    bcm = {header: pin for pin, header in HEADER.items()}
    x, y, width, height = _LEFT_PX - 24, _TOP - 20, _RIGHT_PX - _LEFT_PX + 48, 20 * _PITCH + 14
    yield f'<rect class="board" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6"/>'
    for header in range(1, 41):
        px, py = _place(header)
        colour = "#e8b23a" if header in used else "#3b3b3b" if header in GROUND else "#9fb6a8"
        colour = "#b2452f" if header in POWER else colour
        yield f'<circle cx="{px:g}" cy="{py:g}" r="8.5" fill="{colour}"/>'
        mark = POWER.get(header) or ("ground" if header in GROUND else str(bcm[header]))
        yield (
            f'<text x="{px:g}" y="{py + 3.6:g}" text-anchor="middle" style="font-size:9.5px;fill:#fff">{header}</text>'
        )
        out = -1 if header % 2 else 1
        if header not in used and header not in _GROUNDED:
            yield _text(px + 30 * out, py + 4.5, mark, "small", "end" if out < 0 else "start")


def _place(header: int) -> tuple[float, float]:
    """Where a pin of the header is drawn."""
    return (_LEFT_PX if header % 2 else _RIGHT_PX), _TOP + _PITCH * ((header - 1) // 2)


def _side(pins: Pins, parts: list[Part], out: int, first: float, ground: int) -> Iterator[str]:
    """The parts on one side (`out`: -1 left, 1 right), their wires, and the ground that they share."""
    column = _LEFT_PX if out < 0 else _RIGHT_PX
    near = column + out * _REACH
    rail = near + out * 190
    heights = list(_stacked(parts, first))
    places = [_place(HEADER[getattr(pins, part.name)]) for part in parts]
    lanes = _lanes([py for _, py in places], heights)
    for part, (px, py), y, lane in zip(parts, places, heights, lanes, strict=True):
        turn = column + out * (92 + _LANE * lane)
        yield _line("wire", (px + 9 * out, py), (turn, py), (turn, y), (near, y))
        header, pin = HEADER[getattr(pins, part.name)], getattr(pins, part.name)
        yield _text(near - out * 8, y - 9, f"BCM {pin} · pin {header}", "small", "start" if out < 0 else "end")
        yield _text(near + 4 if out > 0 else rail + 8, y - part.head, part.said)
        yield from part.draw(near, y, out)
        yield f'<circle class="dot" cx="{rail:g}" cy="{y:g}" r="4"/>'
    gx, gy = _place(ground)
    above = gy < min(heights)  # the ground pin lies above all these parts: its wire runs straight out
    end, farthest = (gy, max(heights)) if above else (max(*heights, gy) + 40, min(heights))
    yield _line("ground", (rail, farthest), (rail, end), (gx + 40 * out, end), (gx + 40 * out, gy), (gx + 9 * out, gy))
    yield _text(gx + 48 * out, end - 8, f"ground, pin {ground}", "small", "end" if out < 0 else "start")


def _stacked(parts: list[Part], first: float) -> Iterator[float]:
    y = first
    for part in parts:
        y += part.height / 2
        yield y
        y += part.height / 2 + 24


def _lanes(pins_y: list[float], parts_y: list[float]) -> list[int]:
    """A lane for each wire so that none cross: of those that rise the topmost is nearest to the header, of those that
    fall the lowest."""
    rising = [k for k, (a, b) in enumerate(zip(pins_y, parts_y, strict=True)) if b <= a]
    falling = [k for k in range(len(pins_y)) if k not in rising]
    order = {k: n for n, k in enumerate(rising)} | {k: n for n, k in enumerate(reversed(falling))}
    return [order[k] for k in range(len(pins_y))]


def _button(x: float, y: float, out: int) -> Iterator[str]:
    a, b = x + 60 * out, x + 110 * out
    yield _line("wire", (x, y), (a, y))
    yield _line("ground", (b, y), (x + 190 * out, y))
    yield _line("thin", (a, y - 15), (b, y - 15))
    yield _line("thin", ((a + b) / 2, y - 15), ((a + b) / 2, y - 24))
    for px in (a, b):
        yield f'<circle class="part" cx="{px:g}" cy="{y:g}" r="5"/>'


def _resistor(x: float, y: float, out: int, said: str) -> Iterator[str]:
    left = min(x, x + 46 * out)
    yield f'<rect class="part" x="{left:g}" y="{y - 8:g}" width="46" height="16"/>'
    yield _text(left + 23, y + 25, said, "small", "middle")


def _lamp(x: float, y: float, out: int) -> Iterator[str]:
    a, b = x + 84 * out, x + 108 * out
    yield _line("wire", (x, y), (a, y))
    yield from _resistor(x + 22 * out, y, out, "330 Ω")
    yield f'<path class="part" d="M{a:g} {y - 13:g} V{y + 13:g} L{b:g} {y:g} Z"/>'
    yield _line("thin", (b, y - 13), (b, y + 13))
    yield _line("ground", (b, y), (x + 190 * out, y))


def _buzzer(x: float, y: float, out: int) -> Iterator[str]:
    middle = x + 90 * out
    yield _line("wire", (x, y), (middle - 16 * out, y))
    for kind, radius in (("part", 17), ("dot", 4)):
        yield f'<circle class="{kind}" cx="{middle:g}" cy="{y:g}" r="{radius}"/>'
    yield _line("ground", (middle + 17 * out, y), (x + 190 * out, y))


def _ring_light(x: float, y: float, out: int) -> Iterator[str]:
    """A MOSFET between the light and ground: the pin to its gate, 10 kΩ from the gate to ground."""
    gate, channel, rail = x + 110 * out, x + 120 * out, x + 190 * out
    yield _line("wire", (x, y), (gate, y))
    yield _line("thin", (gate, y - 16), (gate, y + 16))
    yield _line("thin", (channel, y - 20), (channel, y + 20))
    yield _line("ground", (channel, y + 14), (x + 150 * out, y + 14), (x + 150 * out, y), (rail, y))
    yield _text(x + 124 * out, y + 32, "source", "small", "start" if out > 0 else "end")
    yield _line("thin", (channel, y - 14), (x + 150 * out, y - 14), (x + 150 * out, y - 62))
    yield _text(x + 112 * out, y - 24, "drain", "small", "end" if out > 0 else "start")
    yield f'<circle class="part" cx="{x + 150 * out:g}" cy="{y - 78:g}" r="16"/>'
    yield f'<circle class="light" cx="{x + 150 * out:g}" cy="{y - 78:g}" r="26"/>'
    yield _line("supply", (x + 166 * out, y - 78), (x + 225 * out, y - 78))
    yield _text(x + 229 * out, y - 73, "+", "big", "start" if out > 0 else "end")
    yield _text(x + 229 * out, y + 7, "–", "big", "start" if out > 0 else "end")
    yield _line("ground", (rail, y), (x + 225 * out, y))
    yield _text(x + 229 * out, y - 36, "its own", "small", "start" if out > 0 else "end")
    yield _text(x + 229 * out, y - 20, "supply", "small", "start" if out > 0 else "end")
    foot = x + 45 * out
    yield _line("ground", (foot, y), (foot, y + 52), (rail, y + 52))
    yield f'<circle class="dot" cx="{foot:g}" cy="{y:g}" r="4"/>'
    yield f'<rect class="part" x="{foot - 8:g}" y="{y + 8:g}" width="16" height="36"/>'
    yield _text(foot + 14 * out, y + 31, "10 kΩ", "small", "start" if out > 0 else "end")
    yield f'<circle class="dot" cx="{rail:g}" cy="{y + 52:g}" r="4"/>'


_PARTS = (
    Part("ring_light", "ring light, MOSFET", _ring_light, 200.0, 108.0),
    Part("heads_done", "DONE, heads side", _button),
    Part("heads_choose", "CHOOSE, heads side", _button),
    Part("heads_lamp", "lamp in heads' DONE", _lamp),
    Part("tails_lamp", "lamp in tails' DONE", _lamp),
    Part("buzzer", "piezo buzzer, passive", _buzzer),
    Part("tails_done", "DONE, tails side", _button),
    Part("tails_choose", "CHOOSE, tails side", _button),
    Part("referee", "REFEREE, in the middle", _button),
)


# -- the table from the side ------------------------------------------------------------------------------------------

VIEW_DEGREES, ACROSS_PX, DOWN_PX = 66.0, 2304, 1296  # Camera Module 3, as read
MAT_MM, LEAST_DOWN_MM = 420.0, 337.0  # A3 across; the mat's depth and two centimetres round it
_LAMP_MM = (470.0, 430.0)  # a lamp's place: beside the mat's middle, and above the mat
_MM_PX = 0.82  # pixels of the drawing a millimetre
_FLOOR_PX, _MIDDLE_PX = 560.0, 560.0


def camera_height_mm() -> float:
    """The height from which the whole depth of the mat is seen: width / (2 tan(φ/2)), as in hardware.md."""
    return LEAST_DOWN_MM * ACROSS_PX / DOWN_PX / (2 * math.tan(math.radians(VIEW_DEGREES / 2)))


def side_view() -> str:
    """Camera, mat and lamps from the front edge of the table, to scale."""
    return _svg(1120, 680, "The table from the side", _side_view())


def _at(x_mm: float, up_mm: float) -> tuple[float, float]:
    return _MIDDLE_PX + _MM_PX * x_mm, _FLOOR_PX - _MM_PX * up_mm


def _side_view() -> Iterator[str]:
    height = camera_height_mm()
    seen = LEAST_DOWN_MM * ACROSS_PX / DOWN_PX
    yield _text(30, 44, "The table from the side, to scale: A3 mat, Camera Module 3", "big")
    camera = _at(0, height)
    yield from _lit(-1)
    yield from _lit(1)
    triangle = " ".join(f"{x:g},{y:g}" for x, y in (camera, _at(-seen / 2, 0), _at(seen / 2, 0)))
    yield f'<polygon class="seen" points="{triangle}"/>'
    x, y = _at(-600, 0)
    yield f'<rect class="wood" x="{x:g}" y="{y:g}" width="{1200 * _MM_PX:g}" height="22"/>'
    x, y = _at(-MAT_MM / 2, 4)
    yield f'<rect class="part" x="{x:g}" y="{y:g}" width="{MAT_MM * _MM_PX:g}" height="5"/>'
    yield _text(_at(0, 0)[0], _at(0, 0)[1] + 17, "table", "small", "middle")
    post, over = 560.0, height + 62
    yield _line("thin", _at(post, 0), _at(post, over), _at(0, over), (camera[0], camera[1] - 18))
    yield _line("thin", _at(post + 9, 0), _at(post + 9, over + 11), _at(-9, over + 11), (camera[0] - 7, camera[1] - 18))
    yield f'<rect class="part" x="{camera[0] - 20:g}" y="{camera[1] - 18:g}" width="40" height="18"/>'
    yield _text(camera[0] - 30, camera[1] - 10, "camera, straight above the mat's middle", "", "end")
    yield _text(_at(post, over)[0] - 8, _at(post, over)[1] - 18, "arm, clamped to the table, not to a chair", "", "end")
    top, foot = _at(-300, height), _at(-300, 0)
    yield _line("measure", (top[0] - 6, top[1]), (top[0] + 6, top[1]), top, foot)
    yield _line("measure", (camera[0] - 26, camera[1]), top)
    yield _text(top[0] + 8, (top[1] + foot[1]) / 2 - 60, f"{height:.0f} mm", "measured")
    for width, below, said in ((MAT_MM, 46, "mat"), (seen, 80, "picture")):
        (a, y), (b, _) = _at(-width / 2, 0), _at(width / 2, 0)
        yield _line("measure", (a, y + below - 5), (a, y + below + 5), (a, y + below), (b, y + below))
        yield _line("measure", (b, y + below - 5), (b, y + below + 5))
        yield _text((a + b) / 2, y + below - 6, f"{said} {width:.0f} mm", "measured", "middle")


def _lit(side: int) -> Iterator[str]:
    """A lamp, its light on the mat, and the ray that the table mirrors into the camera: it must miss the mat."""
    lamp = _at(side * _LAMP_MM[0], _LAMP_MM[1])
    cone = " ".join(f"{x:g},{y:g}" for x, y in (lamp, _at(-side * MAT_MM / 2, 0), _at(side * MAT_MM / 2, 0)))
    yield f'<polygon class="light" points="{cone}"/>'
    mirror = side * mirror_mm()
    yield f'<circle class="part" cx="{lamp[0]:g}" cy="{lamp[1]:g}" r="15"/>'
    yield _text(lamp[0], lamp[1] - 26, "lamp", "", "middle")
    yield _line("thin ray", lamp, _at(mirror, 0), _at(0, camera_height_mm()))
    if side > 0:
        x, y = _at(mirror, 0)
        yield _text(x + 66, y - 28, "the lamp's reflection", "small")
        yield _text(x + 66, y - 11, "falls beside the mat", "small")


def mirror_mm() -> float:
    """How far from the mat's middle the camera sees a lamp mirrored in the table: equal angles."""
    height = camera_height_mm()
    return _LAMP_MM[0] * height / (height + _LAMP_MM[1])


if __name__ == "__main__":
    for name, svg in drawings().items():
        (PICTURES / name).write_text(svg, "utf-8")
