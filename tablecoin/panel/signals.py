"""What the panel shows and plays for a snapshot: lamps say whose turn it is, tunes what was ruled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablecoin.panel.panel import Lamp, Panel, Side

SIDES: tuple[Side, Side] = ("heads", "tails")
_TUNES = {"question": "question", "flip": "flip", "paused": "pause", "over": "over", "turn": "turn"}


class Signals:
    """Called with each new snapshot, in order."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self._ruling: int | None = None
        self._prompt: tuple[str, str | None] | None = None

    def __call__(self, snapshot: Mapping[str, Any]) -> None:
        prompt = (snapshot["prompt"]["kind"], snapshot["prompt"]["seat"])
        ruling = snapshot["ruling"] and snapshot["ruling"]["seq"]
        self._panel.lamps(lamps(snapshot))
        if self._prompt is None:
            pass  # a restart is no news
        elif ruling and ruling != self._ruling and not snapshot["ruling"]["accepted"]:
            self._panel.buzz("refused")
        elif prompt != self._prompt and prompt[0] in _TUNES:
            self._panel.buzz(_TUNES[prompt[0]])
        elif ruling and ruling != self._ruling:
            self._panel.buzz("accepted")
        self._ruling, self._prompt = ruling, prompt


def lamps(snapshot: Mapping[str, Any]) -> dict[Side, Lamp]:
    """On for the side to act, blinking while the referee waits for an answer or for the table to be put right."""
    kind, game = snapshot["prompt"]["kind"], snapshot["game"]
    waiting = kind in ("question", "refused", "paused", "arrange", "unfinished")
    acting = game["to_act"] if game else []
    return {side: ("blink" if waiting else "on") if side in acting else "off" for side in SIDES}
