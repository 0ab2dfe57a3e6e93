"""The acts a page offers to be entered by hand."""

from __future__ import annotations

import msgspec

from tablecoin.referee.match import Match
from tablecoin.referee.snapshot import ActionJson, Texts
from tablecoin.rules.game import Action, Seat
from tablecoin.rules.rulebook import texts

_MOST = 200  # acts offered at most; a page cannot show more usefully


class LegalAct(msgspec.Struct, frozen=True):
    """An act that a seat may do now by hand. `text` is English, `texts` every language."""

    action: ActionJson
    seat: Seat
    text: str
    texts: Texts


def legal_acts(match: Match, seat: Seat | None) -> list[LegalAct]:
    """What `seat` may do now by hand; None: what anybody may.

    Tosses are left out: chance is nobody's choice. So are sealed acts, which have a form of their own.
    """
    if match.ended:
        return []
    game, state, found = match.game, match.state, list[LegalAct]()
    for action in game.legal_actions(state):
        actor = game.actor(state, action)
        if game.seals(action) or _is_toss(action) or seat not in (None, actor):
            continue
        told = texts(game.offer(state, action))
        found.append(LegalAct(game.write_action(action), actor, told["en"], told))
        if len(found) == _MOST:
            break
    return found


def _is_toss(action: Action) -> bool:
    return action.__struct_config__.tag == "flip"
