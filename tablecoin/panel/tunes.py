"""The buzzer's tunes: short, few, and easy to tell apart by ear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args


class Beep(NamedTuple):
    hz: float  # 0 = a rest
    seconds: float


_REST = Beep(0, 0.06)

# What happens at the table and may be heard: a prompt for the next turn, a toss that is due, a question, a pause, the
# end of the game; a toss that was read, another act that was accepted, a refusal; the end of somebody's time.
Sound = Literal["turn", "toss", "question", "pause", "over", "tossed", "accepted", "refused", "time"]
SOUNDS: tuple[Sound, ...] = get_args(Sound)

TUNES: Mapping[str, tuple[Beep, ...]] = {
    "press": (Beep(880, 0.03),),  # the press was received
    "accepted": (Beep(660, 0.08), Beep(880, 0.12)),  # rising
    "refused": (Beep(330, 0.15), _REST, Beep(262, 0.3)),  # falling
    "question": (Beep(660, 0.1), _REST, Beep(660, 0.1), _REST, Beep(880, 0.15)),
    "turn": (Beep(784, 0.12),),
    "tossed": (Beep(784, 0.05), Beep(659, 0.05), Beep(784, 0.08)),
    "toss": (Beep(523, 0.06), Beep(659, 0.06), Beep(784, 0.06)),
    "pause": (Beep(440, 0.2), _REST, Beep(440, 0.2)),
    "count": (Beep(440, 0.1),),  # one more second towards switching off
    "off": (Beep(880, 0.25), Beep(440, 0.25), Beep(262, 0.5)),  # counted: let go now
    "time": (Beep(880, 0.12), _REST, Beep(880, 0.12), _REST, Beep(587, 0.4)),  # somebody's time is over
    "over": (Beep(523, 0.12), Beep(659, 0.12), Beep(784, 0.12), Beep(880, 0.4)),
}
