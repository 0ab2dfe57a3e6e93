"""The soak as a picture: memory over time, and below it the faults with the time each took to recover from."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lab.enduring.soak import Kept, Line, Passed, Sample

GOAL_MB = 350.0
_WIDE, _HIGH, _LEFT, _TOP = 900, 330, 60, 40  # of the plot, and its place, in pixels
_ROW = 22  # height of a fault's row


def svg(lines: Sequence[Line]) -> str:
    """The whole picture as SVG. ValueError: nothing was measured."""
    samples = [line for line in lines if isinstance(line, Sample)]
    faults = [line for line in lines if isinstance(line, Passed)]
    if not samples:
        raise ValueError("nothing was measured")
    length_s = max(samples[-1].at_s, 1.0)
    most_mb = max(GOAL_MB * 1.15, *(1.1 * sample.resident_mb for sample in samples))
    names = list(dict.fromkeys(fault.name for fault in faults))

    def x(at_s: float) -> float:
        return _LEFT + _WIDE * at_s / length_s

    def y(mb: float) -> float:
        return _TOP + _HIGH * (1 - mb / most_mb)

    below = _TOP + _HIGH + 34
    height = below + _ROW * len(names) + 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDE + 150} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_LEFT + _WIDE + 150}" height="{height}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="22" font-size="15">{escape(_title(lines))}</text>',
    ]
    for mb in range(0, int(most_mb), 100):
        parts.append(f'<path d="M{_LEFT} {y(mb):.1f}h{_WIDE}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y(mb) + 4:.1f}" text-anchor="end">{mb} MB</text>')
    parts.append(f'<path d="M{_LEFT} {y(GOAL_MB):.1f}h{_WIDE}" stroke="#b33" stroke-dasharray="6 4"/>')
    parts.append(f'<text x="{_LEFT + _WIDE + 6}" y="{y(GOAL_MB) + 4:.1f}" fill="#b33">goal {GOAL_MB:.0f} MB</text>')
    minutes = max(1, round(length_s / 60 / 12))
    for minute in range(0, int(length_s / 60) + 1, minutes):
        parts.append(f'<text x="{x(60 * minute):.1f}" y="{_TOP + _HIGH + 18}" text-anchor="middle">{minute} min</text>')
    path = " ".join(f"{x(sample.at_s):.1f},{y(sample.resident_mb):.1f}" for sample in samples)
    parts.append(f'<polyline points="{path}" fill="none" stroke="#26598c" stroke-width="1.6"/>')
    for row, name in enumerate(names):
        top = below + _ROW * row
        parts.append(f'<text x="{_LEFT + _WIDE + 6}" y="{top + 13}">{escape(name)}</text>')
        for fault in (one for one in faults if one.name == name):
            parts.append(_bar(x(fault.began_s), x(fault.ended_s), top, "#d9822b"))
            if fault.ruled_after_s is None:
                parts.append(_bar(x(fault.ended_s), x(length_s), top, "#b33"))
            else:
                parts.append(_bar(x(fault.ended_s), x(fault.ended_s + fault.ruled_after_s), top, "#8fbc8f"))
    parts.append(
        f'<text x="{_LEFT}" y="{height - 12}">orange: the fault lasts; green: until the next ruling; '
        "red: no ruling came any more</text></svg>"
    )
    return "\n".join(parts) + "\n"


def _bar(left: float, right: float, top: float, ink: str) -> str:
    return f'<rect x="{left:.1f}" y="{top}" width="{max(right - left, 1.5):.1f}" height="{_ROW - 6}" fill="{ink}"/>'


def _title(lines: Sequence[Line]) -> str:
    samples = [line for line in lines if isinstance(line, Sample)]
    faults = [line for line in lines if isinstance(line, Passed)]
    recovered = sum(fault.ruled_after_s is not None for fault in faults)
    said = f"{samples[-1].at_s / 60:.0f} minutes, {samples[-1].games} games"
    said += f"; after {recovered} of {len(faults)} faults play went on"
    kept = [line for line in lines if isinstance(line, Kept)]
    return said + (f"; {len(kept[0].lost)} of {kept[0].shown} shown rulings lost" if kept else "")
