"""The prompt that follows from the state of play and from what the table shows, with no question open."""

from __future__ import annotations

from collections.abc import Sequence

from tablecoin.coins import Heap
from tablecoin.referee.choices import Choice, closing, games, is_legal, offers
from tablecoin.referee.desk import Desk, Expected
from tablecoin.referee.explain import Explanation
from tablecoin.referee.match import Match
from tablecoin.referee.prompt import (
    Arrange,
    Lobby,
    Menu,
    OnEdge,
    Over,
    Paused,
    Prompt,
    Question,
    TossDue,
    Turn,
    keep_highlight,
)
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import SeenCoin


def standing(desk: Desk) -> Prompt:
    """The prompt for the desk as it stands. A choice that was highlighted stays so while the same is offered."""
    return keep_highlight(_standing(desk), desk.prompt)


def _standing(desk: Desk) -> Prompt:
    match = desk.match
    if not match:
        return Lobby(Menu(games(), highlighted=0))
    game, state = match.game, match.state
    outcome = game.outcome(state)
    if outcome:
        return Over(outcome.reason, Menu(games(match)))
    if desk.differences and desk.settled:
        return Paused(desk.differences) if desk.expected is Expected.FOLLOWING else Arrange(desk.differences)
    if game.tosses_due(state):
        return TossDue(game.prompt(state))
    several = sum(is_legal(match, act) for act in closing(match)) > 1  # then DONE alone would not say which
    return Turn(game.prompt(state), Menu(offers(match), highlighted=0 if several else None))


def question(desk: Desk, key: str, choices: Sequence[Choice]) -> Question:
    """A question, the likeliest answer highlighted. Asked again it keeps what is highlighted."""
    asked = Question(Message(key), Menu(tuple(choices), highlighted=0))
    before = desk.prompt
    if isinstance(before, Question) and before.menu.choices == asked.menu.choices:
        return Question(asked.said, before.menu)
    return asked


def on_edge(astray: Sequence[tuple[SeenCoin, str]]) -> OnEdge:
    """The prompt for coins across the edge of a zone; it names the first zone."""
    return OnEdge(Heap.of(coin.denomination for coin, _ in astray if coin.denomination), astray[0][1])


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
