"""The prompt that follows from the state of play and from what the table shows, with no question open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablecoin.coins import Heap
from tablecoin.referee.choices import Choice, closing, games, is_legal, offers
from tablecoin.referee.desk import Desk, Expected
from tablecoin.referee.doubt import Doubt
from tablecoin.referee.events import Nature
from tablecoin.referee.explain import Explanation
from tablecoin.referee.match import Match
from tablecoin.referee.prompt import (
    AboutCoin,
    Arrange,
    Close,
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
from tablecoin.referee.voice import zone_name
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Frame, SeenCoin


def standing(desk: Desk) -> Prompt:
    """The prompt for the desk as it stands. A choice that was highlighted stays so while the same is offered."""
    return keep_highlight(_standing(desk), desk.prompt)


def _standing(desk: Desk) -> Prompt:
    match = desk.match
    if not match:
        return Lobby(Menu(games(), highlighted=0))
    game, state = match.game, match.state
    outcome = match.outcome
    if outcome:
        return Over(outcome.reason, Menu(games(match)))
    if desk.differences and (desk.settled or desk.expected is Expected.RESTORING):
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


def about_coin(desk: Desk, doubt: Doubt, frame: Frame) -> AboutCoin:
    """The question what one coin is, the likelier answer highlighted. Asked again it keeps what is highlighted."""
    zone, natures = zone_name(doubt.coin.zone or ""), doubt.natures
    same_kind = len({nature.denomination for nature in natures}) == 1
    said = Message("referee.coin.which", {"zone": zone})
    if same_kind and natures[0].denomination:
        said = Message("referee.coin.side", {"zone": zone, "coin": natures[0].denomination})
    answers = tuple(Choice(nature_of(nature, same_kind), coin=nature) for nature in natures)
    menu = Menu((*answers, Choice(Message("referee.coin.again"))), highlighted=0)
    lamp = Message("referee.coin.lamp", {"zone": zone})
    asked, before = AboutCoin(said, menu, Close(frame, doubt.coin), lamp), desk.prompt
    if isinstance(before, AboutCoin) and before.menu.choices == menu.choices:
        return replace(asked, menu=before.menu)
    return asked


def nature_of(nature: Nature, same_kind: bool = False) -> Message:
    """What a coin is, as an answer. `same_kind`: every answer names the same denomination."""
    if nature.denomination is None:
        return Message("referee.coin.none")
    if nature.face is None:
        return Message("referee.coin.kind", {"coin": nature.denomination})
    if same_kind:
        return Message("referee.coin.face", {"face": nature.face})
    return Message("referee.coin.both", {"coin": nature.denomination, "face": nature.face})


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
