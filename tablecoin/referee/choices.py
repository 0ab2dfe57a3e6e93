"""What people may choose with one tap or with two buttons: an answer, an optional act, a game to begin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tablecoin import rules
from tablecoin.referee.events import Nature
from tablecoin.referee.match import Match
from tablecoin.referee.series import can_swap, standing_of
from tablecoin.referee.snapshot import Doing
from tablecoin.rules.game import Action, IllegalAction, Seat, State
from tablecoin.rules.rulebook import Message

MANY = 6  # more legal actions than this are not offered as buttons
_BY_BUTTONS = ("heads", "tails")  # the seats that have buttons


@dataclass(frozen=True)
class Choice:
    """One thing to choose. It takes back `undone` acts, then carries out `actions` or refuses the last of them with
    `broken`; or it begins `game`; or it says what a coin is; or it has the referee look again; or it is a word in an
    interlude."""

    message: Message
    actions: tuple[Action, ...] = ()
    undone: int = 0
    broken: IllegalAction | None = None
    game: str | None = None
    again: Literal["same", "swapped"] | None = None  # with the options, people and level of the game that is over
    coin: Nature | None = None  # what the coin is that the referee asks about
    does: Doing | None = None  # what it does in an interlude...
    seat: Seat | None = None  # ...and whose word it is; None: anybody's


def games(over: Match | None = None) -> tuple[Choice, ...]:
    """The games that can be begun with the buttons alone: the one that is `over` once more, and all with two sides."""
    found: list[Choice] = []
    if over:
        found += _once_more(over)
    for name in rules.NAMES:
        game = rules.load(name)
        if game.seats(game.read_options({})) == _BY_BUTTONS and not (over and over.game.name == name):
            found.append(Choice(Message("referee.lobby.game", {"title": game.title}), game=name))
    return tuple(found)


def _once_more(over: Match) -> Iterator[Choice]:
    """The game that is over again, with the seats as they were, and swapped where two sit."""
    standing, title = standing_of(over), {"title": over.game.title}
    which = "next" if standing and standing.winner is None else "again"
    yield Choice(Message(f"referee.over.{which}", title), game=over.game.name, again="same")
    if can_swap(over):
        yield Choice(Message(f"referee.over.{which}.swapped", title), game=over.game.name, again="swapped")


def offers(match: Match) -> tuple[Choice, ...]:
    """The legal acts to offer: all of them while they are at most MANY, else only those that end the turn."""
    game, state = match.game, match.state
    offered: list[Action] = []
    for action in game.legal_actions(state):
        if game.seals(action):
            continue
        offered.append(action)
        if len(offered) > MANY:
            offered = [act for act in closing(match) if is_legal(match, act)]
            break
    return tuple(Choice(game.offer(state, action), (action,)) for action in offered)


def closing(match: Match) -> list[Action]:
    """The actions that end a turn: what pressing DONE may mean."""
    return [kind() for kind in match.game.action_types if kind.ends_turn]


def is_legal(match: Match, action: Action) -> bool:
    try:
        match.game.apply(match.state, action)
    except IllegalAction:
        return False
    return True


def leads_to(match: Match, choice: Choice) -> State:
    """The state after an answer. An answer that would be refused leaves the state of the turn it starts from."""
    state = match.turn_states()[choice.undone]
    for action in () if choice.broken else choice.actions:
        state = match.game.apply(state, action)
    return state
