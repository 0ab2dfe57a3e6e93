"""What each button at the table does now. The page writes it on the button, the lamps tell it, and a press does it."""

from __future__ import annotations

from tablecoin.referee.commands import BUTTONS, Button
from tablecoin.referee.desk import Desk, Watching
from tablecoin.referee.interlude import Break, Dispute, Request
from tablecoin.referee.prompt import Asking, Lobby, Over, Turn
from tablecoin.referee.snapshot import Does
from tablecoin.rules.game import Seat


def what_they_do(desk: Desk) -> dict[Button, Does | None]:
    """Each button with what it does now; None: nothing."""
    return {button: what_it_does(desk, button) for button in BUTTONS}


def what_it_does(desk: Desk, button: Button) -> Does | None:
    """What a press of that button does now; None: nothing."""
    side, _, what = button.partition(".")
    match desk.interlude:
        case Request(missing=missing):
            mine: dict[str, Does] = {"done": "agree", "choose": "refuse"}
            return mine.get(what) if side in missing else None
        case Dispute():
            over: dict[str, Does] = {"done": "confirm", "choose": "next", "hold": "stand"}
            return over.get(what)
        case Break():
            return "go on" if what in ("done", "") else None
    match button:
        case "referee":
            useful = desk.match and not isinstance(desk.prompt, Over) and isinstance(desk.view, Watching)
            return "look" if useful else None
        case "referee.hold":
            return _held(desk)
        case _ if what == "choose":
            return "next" if len(desk.menu.choices) > (desk.menu.highlighted is not None) and may(desk, side) else None
        case _:
            return _done(desk, side)


def may(desk: Desk, side: Seat) -> bool:
    """Whether this side's buttons move and confirm the highlight: answers and new games are anybody's, acts are for the
    player to move."""
    return not isinstance(desk.prompt, Turn) or not desk.match or side in desk.match.game.to_act(desk.match.state)


def _held(desk: Desk) -> Does | None:
    """REFEREE held: what was refused just now is disputed, anything else is taken back."""
    if desk.match is None or desk.match.ended:
        return None
    if desk.refusal_stands:
        return "dispute"
    return "undo" if desk.match.plies else None


def _done(desk: Desk, side: Seat) -> Does | None:
    prompt, match = desk.prompt, desk.match
    if desk.menu.highlighted is not None and may(desk, side):
        return "confirm"
    if match is None or isinstance(prompt, Lobby | Over | Asking) or side not in match.game.to_act(match.state):
        return None
    at_odds = desk.settled and not desk.by_hand and not isinstance(prompt, Turn)
    return None if at_odds else "end"
