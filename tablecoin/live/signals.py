"""What the panel shows and plays for a snapshot: lamps say whose turn it is, tunes what was ruled.

The ring light winks for another look at a coin.
"""

from __future__ import annotations

from collections.abc import Collection

from tablecoin.panel.panel import Lamp, Panel, Side
from tablecoin.panel.tunes import SOUNDS, Sound
from tablecoin.referee.snapshot import PromptKind, Snapshot

SIDES: tuple[Side, Side] = ("heads", "tails")
_TUNES: dict[PromptKind, Sound] = {
    "question": "question", "consent": "question", "dispute": "question",
    "flip": "toss", "paused": "pause", "over": "over", "turn": "turn"
}  # fmt: skip
_INTERLUDES: tuple[PromptKind, ...] = ("consent", "dispute", "break")
_WAITING: tuple[PromptKind, ...] = ("question", "refused", "paused", "arrange", "unfinished")


class Signals:
    """Called with each new snapshot, in order."""

    def __init__(self, panel: Panel, sounds: Collection[Sound] = SOUNDS) -> None:
        """`sounds`: what is heard of all that happens."""
        self._panel, self._sounds = panel, sounds
        self._before: Snapshot | None = None

    def __call__(self, snapshot: Snapshot) -> None:
        self._panel.lamps(lamps(snapshot))
        if self._before is not None:  # after a start nothing has just happened
            tune = next((each for each in news(self._before, snapshot) if each in self._sounds), None)
            if tune is not None:
                self._panel.buzz(tune)
            if looks_again(snapshot) and not looks_again(self._before):
                self._panel.wink()
        self._before = snapshot


def news(before: Snapshot, now: Snapshot) -> tuple[Sound, ...]:
    """What happened between two snapshots, what matters most first: a refusal, a new prompt, what was accepted.

    One tune is played at a time: the first of these that the owner wants to hear. The end of somebody's time comes
    before all others.
    """
    happened: list[Sound] = []
    if now.clock and set(now.clock.over) - set(before.clock.over if before.clock else ()):
        happened.append("time")
    ruling = now.ruling if before.ruling is None or now.ruling is None or now.ruling.seq != before.ruling.seq else None
    if ruling and not ruling.accepted:
        happened.append("refused")
    asked = (now.prompt.kind, now.prompt.seat) != (before.prompt.kind, before.prompt.seat)
    if asked and now.prompt.kind in _TUNES:
        happened.append(_TUNES[now.prompt.kind])
    if ruling and ruling.accepted:
        happened.append("tossed" if ruling.action and ruling.action["do"] == "flip" else "accepted")
    return tuple(happened)


def looks_again(snapshot: Snapshot) -> bool:
    """Whether people asked for another look at a coin: every answer left says what it is."""
    prompt = snapshot.prompt
    return prompt.coin is not None and all(choice.coin for choice in prompt.choices)


def lamps(snapshot: Snapshot) -> dict[Side, Lamp]:
    """On for the side to act, blinking while the referee waits for an answer or for the table to be put right.

    While people are asked to agree, dispute or make a break, those blink whose DONE means something.
    """
    if snapshot.prompt.kind in _INTERLUDES:
        return {side: "blink" if snapshot.buttons[f"{side}.done"].does else "off" for side in SIDES}
    acting = snapshot.game["to_act"] if snapshot.game else ()
    on: Lamp = "blink" if snapshot.prompt.kind in _WAITING else "on"
    return {side: on if side in acting else "off" for side in SIDES}
