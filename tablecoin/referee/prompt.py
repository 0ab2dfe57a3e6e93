"""What is asked of people now: worked out from the state and what the table shows, or from what was ruled on it."""

from __future__ import annotations

from collections.abc import Sequence

from tablecoin.coins import Heap
from tablecoin.referee.choices import Choice, closing, games, is_legal, offers
from tablecoin.referee.desk import Desk, to_put_right
from tablecoin.referee.explain import Explanation
from tablecoin.referee.match import Match
from tablecoin.referee.voice import zone_name
from tablecoin.rules.game import IllegalAction
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import SeenCoin


def stand(desk: Desk) -> None:
    """Work out the prompt from the state and the differences, with no question open."""
    match = desk.match
    before, desk.choices = (desk.kind, desk.choices, desk.highlighted), ()
    desk.highlighted = None
    if not match:
        desk.kind, desk.said, desk.choices, desk.highlighted = "lobby", Message("referee.lobby"), games(), 0
        return
    game, state = match.game, match.state
    outcome = game.outcome(state)
    if outcome:
        desk.kind, desk.said, desk.choices = "over", outcome.reason, games(match)
    elif desk.differences and desk.settled:
        desk.kind = "arrange" if desk.arranging or desk.strictly else "paused"
        desk.said = Message(f"referee.{desk.kind}", to_put_right(desk.differences))
    elif game.tosses_due(state):
        desk.kind, desk.said = "flip", game.prompt(state)
    else:
        desk.kind, desk.said = "turn", game.prompt(state)
        desk.choices = offers(match)
        if sum(is_legal(match, act) for act in closing(match)) > 1:
            desk.highlighted = 0  # DONE alone would not say which
    if (desk.kind, desk.choices) == before[:2]:
        desk.highlighted = before[2]  # looking again does not undo a choice


def ask(desk: Desk, key: str, choices: Sequence[Choice]) -> None:
    """Put a question. Asked again it keeps what is highlighted."""
    if desk.kind != "question" or tuple(choices) != desk.choices or desk.highlighted is None:
        desk.highlighted = 0
    desk.kind, desk.said, desk.choices = "question", Message(key), tuple(choices)


def refused(desk: Desk, broken: IllegalAction) -> None:
    """Say which rule was broken, and what to put back."""
    what = to_put_right(desk.differences)
    said = Message("referee.put_back", {"why": broken.message} | what) if what["steps"] else broken.message
    desk.kind, desk.said, desk.choices = "refused", said, ()


def stop_for(desk: Desk, astray: Sequence[tuple[SeenCoin, str]]) -> None:
    """A coin across an edge is neither here nor there: nothing is ruled until it is."""
    coins = Heap.of(coin.denomination for coin, _ in astray if coin.denomination)
    facts = {"coins": coins, "zone": zone_name(astray[0][1])}
    desk.kind, desk.said = "paused", Message("referee.edge", facts)
    desk.choices, desk.highlighted = (), None


def explained(match: Match, explanation: Explanation) -> Choice:
    """An explanation as one of the answers to a question."""
    state = match.turn_states()[explanation.source]
    said = []
    for action in explanation.actions:
        said.append(match.game.tell(state, action))
        if action is not explanation.actions[-1]:
            state = match.game.apply(state, action)
    what = Message("referee.several", {"said": said}) if said else Message("referee.ask.nothing")
    if explanation.broken:
        what = Message("referee.ask.broken", {"what": what})
    return Choice(what, explanation.actions, explanation.source, explanation.broken)
