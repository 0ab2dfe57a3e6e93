"""What the panel lights and plays: a table from what the snapshot says to lamps, and from what changed to a tune."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import pytest
from msgspec.structs import replace

from tablecoin.coins import Denomination
from tablecoin.live.signals import Signals, lamps, news
from tablecoin.panel.panel import Lamp, Side
from tablecoin.panel.screen import NoPanel
from tablecoin.panel.tunes import SOUNDS, TUNES, Sound
from tablecoin.referee.events import Nature, TimeControl
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import ButtonNow, Choice, Clock, Prompt, PromptKind, Ruling, Snapshot

LOBBY = Referee(lambda events: None).snapshot()


def shown(kind: PromptKind, *to_act: str, ruling: tuple[int, bool] | None = None) -> Snapshot:
    """A snapshot with this prompt, these seats to act, and the ruling (its number, whether it was accepted)."""
    seat = to_act[0] if len(to_act) == 1 else None
    prompt = Prompt(seat, kind, "", {}, ())
    said = Ruling(ruling[0], ruling[1], None, None, None, None, "", {}) if ruling else None
    return replace(LOBBY, game={"to_act": list(to_act)}, prompt=prompt, ruling=said)


def out_of_time(*seats: str) -> Snapshot:
    """A snapshot of Heads' turn in which the time of these seats is over."""
    clock = Clock(TimeControl(60), {"heads": 0.0, "tails": 0.0}, ("heads",), seats)
    return replace(shown("turn", "heads"), clock=clock)


def interrupted(kind: PromptKind, *useful: str) -> Snapshot:
    """A snapshot of an interlude in which these buttons do something."""
    buttons = {name: ButtonNow("confirm" if name in useful else None, "", {}) for name in LOBBY.buttons}
    return replace(shown(kind, "heads"), buttons=buttons)


# -- lamps: whose turn it is ------------------------------------------------------------------------------------------

LAMPS: list[tuple[str, Snapshot, Lamp, Lamp]] = [
    ("Heads to move", shown("turn", "heads"), "on", "off"),
    ("Tails to move", shown("turn", "tails"), "off", "on"),
    ("both to choose", shown("turn", "heads", "tails"), "on", "on"),
    ("a toss is due, by nobody in particular", shown("flip", "table"), "off", "off"),
    ("seats without buttons to move", shown("turn", "1", "2"), "off", "off"),
    ("Heads is asked", shown("question", "heads"), "blink", "off"),
    ("Heads must put a coin back", shown("refused", "heads"), "blink", "off"),
    ("Tails must move the computer's coins", shown("arrange", "tails"), "off", "blink"),
    ("Tails is in the middle of a conversion", shown("unfinished", "tails"), "off", "blink"),
    ("the table does not match in Heads' turn", shown("paused", "heads"), "blink", "off"),
    ("the game is over", shown("over"), "off", "off"),
    ("no game yet", LOBBY, "off", "off"),
    ("Tails is asked to agree", interrupted("consent", "tails.done"), "off", "blink"),
    ("a ruling is disputed: either may decide", interrupted("dispute", "heads.done", "tails.done"), "blink", "blink"),
    ("a break: anybody goes on", interrupted("break", "heads.done", "tails.done"), "blink", "blink"),
]


@pytest.mark.parametrize(("what", "snapshot", "heads", "tails"), LAMPS, ids=[row[0] for row in LAMPS])
def test_lamps_show_who_is_to_act(what: str, snapshot: Snapshot, heads: Lamp, tails: Lamp) -> None:
    assert lamps(snapshot) == {"heads": heads, "tails": tails}


def test_every_kind_of_prompt_is_in_the_table() -> None:
    assert {row[1].prompt.kind for row in LAMPS} == set(get_args(PromptKind))


# -- tunes: what happened ---------------------------------------------------------------------------------------------

TURN = shown("turn", "heads", ruling=(7, True))

NEWS: list[tuple[str, Snapshot, Snapshot, str | None]] = [
    ("nothing changed", TURN, TURN, None),
    ("only the frame rate did", TURN, replace(TURN, health=replace(TURN.health, fps=9)), None),
    ("a coin was placed, and the same player goes on", TURN, shown("turn", "heads", ruling=(8, True)), "accepted"),
    ("the turn passed on", TURN, shown("turn", "tails", ruling=(8, True)), "turn"),
    ("a move was refused", TURN, shown("refused", "heads", ruling=(8, False)), "refused"),
    ("refused, and it was somebody else's turn: the refusal is heard", TURN, shown("turn", "tails", ruling=(8, False)),
     "refused"),
    ("refused once more", shown("refused", "heads", ruling=(7, False)), shown("refused", "heads", ruling=(8, False)),
     "refused"),
    ("the same refusal still stands", shown("refused", "heads", ruling=(7, False)),
     shown("refused", "heads", ruling=(7, False)), None),
    ("the coin was put back: the same player's turn again", shown("refused", "heads", ruling=(7, False)),
     shown("turn", "heads", ruling=(7, False)), "turn"),
    ("the referee asks", TURN, shown("question", "heads", ruling=(7, True)), "question"),
    ("a toss is due", TURN, shown("flip", "table", ruling=(8, True)), "toss"),
    ("the table does not match", TURN, shown("paused", "heads", ruling=(7, True)), "pause"),
    ("the game is over", TURN, shown("over", ruling=(8, True)), "over"),
    ("coins out of a conversion: silence while hands are at work", TURN, shown("unfinished", "heads", ruling=(7, True)),
     None),
    ("taken back by phone: accepted, and coins are to be put back", TURN, shown("arrange", "heads", ruling=(8, True)),
     "accepted"),
    ("the first ruling of all", shown("turn", "heads"), shown("turn", "heads", ruling=(1, True)), "accepted"),
    ("a game was begun from the lobby", LOBBY, shown("flip", "table", ruling=(1, True)), "toss"),
    ("the time of a side is over", out_of_time(), out_of_time("heads"), "time"),
    ("it was over before", out_of_time("heads"), out_of_time("heads"), None),
]  # fmt: skip


@pytest.mark.parametrize(("what", "before", "now", "tune"), NEWS, ids=[row[0] for row in NEWS])
def test_what_changed_is_heard(what: str, before: Snapshot, now: Snapshot, tune: str | None) -> None:
    assert next(iter(news(before, now)), None) == tune


def test_everything_that_may_be_heard_has_a_tune_and_is_told_apart() -> None:
    assert {tune for *_, tune in NEWS if tune} <= set(SOUNDS) <= TUNES.keys()
    assert len({TUNES[sound] for sound in SOUNDS}) == len(SOUNDS)


# -- in order ---------------------------------------------------------------------------------------------------------


class Recorded(NoPanel):
    """A panel that notes what it is told."""

    def __init__(self) -> None:
        self.lit: list[Mapping[Side, Lamp]] = []
        self.played: list[str] = []

    def lamps(self, states: Mapping[Side, Lamp]) -> None:
        self.lit.append(states)

    def buzz(self, tune: str) -> None:
        self.played.append(tune)

    def wink(self) -> None:
        self.played.append("wink")


def test_after_a_start_lamps_shine_and_nothing_sounds() -> None:
    panel = Recorded()
    Signals(panel)(shown("question", "heads", ruling=(7, False)))
    assert panel.lit == [{"heads": "blink", "tails": "off"}]
    assert panel.played == []


def test_each_snapshot_is_compared_with_the_one_before() -> None:
    panel = Recorded()
    signals = Signals(panel)
    for snapshot in (TURN, shown("turn", "heads", ruling=(8, True)), shown("turn", "tails", ruling=(9, True))):
        signals(snapshot)
    assert panel.played == ["accepted", "turn"]
    assert panel.lit[-1] == {"heads": "off", "tails": "on"}


TOSS = Ruling(8, True, None, None, {"do": "flip", "coins": []}, None, "", {})
READ = replace(shown("turn", "tails"), ruling=TOSS)


@pytest.mark.parametrize(
    ("sounds", "heard"),
    [
        (SOUNDS, ["turn"]),  # the first of what happened
        (("tossed", "accepted"), ["tossed"]),  # the next of it that is to be heard
        (("accepted", "refused"), []),  # a toss is no act
        ((), []),
    ],
)
def test_only_what_the_owner_chose_is_heard(sounds: tuple[Sound, ...], heard: list[str]) -> None:
    """A toss was read, and it is the turn of Tails."""
    panel = Recorded()
    signals = Signals(panel, sounds)
    for snapshot in (shown("flip", "table", ruling=(7, True)), READ):
        signals(snapshot)
    assert panel.played == heard


def test_the_ring_light_winks_once_for_another_look_at_a_coin() -> None:
    penny = Choice("", {}, None, None, True, Nature(Denomination.PENNY))
    again = Choice("", {}, None, None, False)
    asks = replace(TURN, prompt=Prompt("heads", "question", "", {}, (penny, again), coin=2))
    looks = replace(TURN, prompt=Prompt("heads", "question", "", {}, (penny,), coin=2))
    panel = Recorded()
    signals = Signals(panel)
    for snapshot in (TURN, asks, looks, looks, asks):
        signals(snapshot)
    assert panel.played == ["question", "wink"]
