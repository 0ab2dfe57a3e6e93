"""Illegal actions that people try on their phones: too early, too late, too much, or for somebody else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablecoin.rules.coin_wars import actions as wars
from tablecoin.rules.coin_wars.character import Purchase
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.coin_wars.traits import Points, PowerName, TraitName
from tablecoin.rules.game import Action, Game, IllegalAction, State
from tablecoin.rules.goes_around.game import Commit, GoesAroundState, Reveal

AnyGame = Game[Any, Any, Any]
_STRANGER = "Nobody"
_TWELVE, _TWENTY = Points(3, 3, 2, 2, 2), Points(4, 4, 4, 4, 4)
_BAD_CARDS = Points(bodiness=5), Points(coolness=3), Points(bodiness=9)


def slips(game: AnyGame, state: State) -> Iterator[tuple[Action, IllegalAction]]:
    """Actions that are illegal in `state` and move no coin, each with the error that the rules raise."""
    for action in _tried(game, state):
        try:
            game.apply(state, action)
        except IllegalAction as broken:
            yield action, broken


def _tried(game: AnyGame, state: State) -> Iterator[Action]:
    if isinstance(state, GoesAroundState):
        yield from _in_the_ring(state)
    elif isinstance(state, CoinWarsState):
        yield from _at_an_adventure(state)
    else:  # ending the turn, keeping or skipping too early; a toss entered by hand is no slip
        yield from (kind() for kind in game.action_types if kind.ends_turn)


def _in_the_ring(state: GoesAroundState) -> Iterator[Action]:
    yield Reveal()
    for seat in state.seats:
        yield from (Commit(seat, "pass"), Commit(seat, "protect"), Commit(seat, "protect", seat, 1))
        for target in state.seats:
            for amount in (0, 1, state.player(target).bank + 1):
                yield Commit(seat, "steal", target, amount)


def _at_an_adventure(state: CoinWarsState) -> Iterator[Action]:
    for name in (*state.names, _STRANGER):
        yield from (wars.Choose(name, option) for option in wars.OPTIONS)
        yield from (wars.Accept(name), wars.Ready(name), wars.Narrate(name), wars.Tear(name, 0))
        yield from (wars.Write(name, pennies) for pennies in _BAD_CARDS)
        yield wars.UsePower(name, PowerName.DEFENSIVE)
        yield wars.UsePower(name, PowerName.SO_COOL, component=TraitName.BODINESS)
        for add in (TraitName.COOLNESS, TraitName.PERSONALITY):
            yield wars.Assist(name, TraitName.BODINESS, add, TraitName.BODINESS)
        yield wars.Spend(name, Purchase(rating=TraitName.COOLNESS))
        yield wars.Create(name, _TWELVE, strong=TraitName.BODINESS)
    yield wars.Create("Somebody", _TWENTY, strong=TraitName.BODINESS)
    yield wars.Create("Somebody", _TWELVE, strong=TraitName.MISC)
    yield from (wars.Draw(()), wars.Draw((0, 0)))
