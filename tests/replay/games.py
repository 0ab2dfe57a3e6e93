"""Records of whole games played at random, and a made-up analysis of one."""

from __future__ import annotations

from typing import Any

from tablecoin.journal.record import Entry, Record, read_record, write_record
from tablecoin.rules import load
from tablecoin.rules.random_play import random_game


def random_record(name: str, seed: int = 3) -> Record:
    """A game as its file has it, header and end included."""
    game = load(name)
    _, *played = random_game(game, seed)
    entries = [Entry(action=game.write_action(action)) for action, _ in played if action is not None]
    entries.append(Entry(event="end", state=game.write_state(played[-1][1])))
    return read_record(write_record(Record(name, {}, entries)))


def made_up_analysis(record: Record) -> dict[str, Any]:
    """What `analyse --json` prints, with Heads gaining a hundredth at each action; line 4 is the dearest decision."""
    actions = [(line, entry.action) for line, entry in enumerate(record.entries, 2) if entry.action]
    chances = [{"heads": 0.3 + 0.01 * k, "tails": 0.7 - 0.01 * k} for k in range(1, len(actions) + 1)]
    events = [
        {"n": line, "kind": "toss", "seat": "table", "chance": chance, "luck": {"heads": 0.01, "tails": -0.01},
         "cost": None, "best": None}
        if action["do"] == "flip"
        else {"n": line, "kind": "act", "seat": "heads", "chance": chance, "luck": None,
              "cost": 0.2 if line == 4 else 0.0, "best": {"do": "done"} if line == 4 else None}
        for (line, action), chance in zip(actions, chances, strict=True)
    ]  # fmt: skip
    share = {
        "luck": 0.05,
        "lost": 0.2,
        "decisions": 9,
        "worst": [4],
        "adjusted": 0.4,
        "others": 0.0,
        "rest": 0.0,
        "error": 0.01,
    }
    return {
        "game": record.game,
        "start": {"heads": 0.3, "tails": 0.7},
        "end": chances[-1],
        "events": events,
        "players": {"heads": share, "tails": share | {"luck": -0.05, "lost": 0.0, "worst": []}},
        "turning_point": 5,
        "exact": False,
        "error": 0.01,
    }
