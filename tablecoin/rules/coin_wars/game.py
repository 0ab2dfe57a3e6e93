"""Coin Wars behind the game contract: who acts, what is due on the table, what is said, what others may see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import msgspec

from tablecoin.coins import Coin, Heap
from tablecoin.rules.coin_wars import adventure, adventures, moves, powers, preparation, tale, telling
from tablecoin.rules.coin_wars.actions import (
    ACTIONS,
    Accept,
    Answer,
    Assist,
    Choose,
    CoinWarsAction,
    Create,
    Draw,
    Narrate,
    Ready,
    Spend,
    TakeBook,
    Tear,
    Toss,
    UsePower,
    Write,
)  # fmt: skip
from tablecoin.rules.coin_wars.character import to_sheet
from tablecoin.rules.coin_wars.options import CoinWarsOptions, fault
from tablecoin.rules.coin_wars.scene import CLASSES, allowance, spent
from tablecoin.rules.coin_wars.state import CoinWarsState, from_json, problem, to_json
from tablecoin.rules.game import (
    ANYONE,
    TABLE,
    Action,
    Game,
    IllegalAction,
    Layout,
    Outcome,
    Pile,
    Seat,
)
from tablecoin.rules.plain import plain
from tablecoin.rules.rulebook import LANGUAGES, Message, sentence

HERO, SCENE = "hero", "scene"  # the two trays of the mat


class CoinWars(Game[CoinWarsState, Any, CoinWarsOptions]):
    """Coin Wars the RPG (Integral Entertainment), for one to many players against scenes they wrote themselves."""

    name: ClassVar[str] = "coin-wars"
    title: ClassVar[Mapping[str, str]] = {"en": "Coin Wars", "zh": "硬币战争"}
    together = True
    options_type = CoinWarsOptions
    state_type = CoinWarsState
    action_types: ClassVar[tuple[type[Action], ...]] = ACTIONS
    sealed: ClassVar[tuple[type[Action], ...]] = (Write,)
    unsealing: ClassVar[tuple[type[Action], ...]] = (Draw,)

    # -- play ---------------------------------------------------------------------------------------------------------

    def check_options(self, options: CoinWarsOptions) -> None:
        if wrong := fault(options):
            raise self.unusable("options", wrong)

    def start(self, options: CoinWarsOptions) -> CoinWarsState:
        return preparation.opened(CoinWarsState(options), options.adventure)

    def seats(self, options: CoinWarsOptions) -> tuple[Seat, ...]:
        """The names expected (house rule `players`); () at an open table."""
        return options.players

    def phase(self, state: CoinWarsState) -> str:
        """`create`, `flip`, `powers` (may be used or the exchange accepted), `choice`, `narrate`, `spend` or `over`."""
        return adventure.phase(state)

    def to_act(self, state: CoinWarsState) -> tuple[Seat, ...]:
        """Before the draw: those who may still join ("anyone" at an open table) and those not ready; then the table."""
        match adventure.phase(state):
            case "create":
                busy = preparation.busy(state)
                return (*moves.joinable(state), *busy) if busy or not preparation.may_draw(state) else (TABLE,)
            case "flip":
                return (TABLE,)
            case "powers":
                return (state.last.name if state.last else TABLE, *state.to_tell())
            case "choice":
                return (state.choice.name if state.choice else TABLE, *state.to_tell())
            case "narrate":
                return state.to_tell()
            case "spend":
                return adventure.to_spend(state)
            case "over":
                return ()

    def may_act(self, state: CoinWarsState) -> tuple[Seat, ...]:
        """Also those nobody waits for: before a toss its player, for help; tellers; before the draw, latecomers.

        An adventure of the book may be taken, and the cards drawn, before everybody is ready.
        """
        seats = self.to_act(state)
        match adventure.phase(state):
            case "create":
                return tuple(dict.fromkeys((*moves.joinable(state), *seats, TABLE)))
            case "flip":
                helping = (state.fighting()[0].name,) if not state.reflip and moves.may_help(state) else ()
                return (*seats, *helping, *state.to_tell())
        return seats

    def actor(self, state: CoinWarsState, action: CoinWarsAction) -> Seat:
        """Tosses, the draw and an adventure of the book are the table's; a newcomer at an open table is "anyone".

        Else it is the player named.
        """
        if isinstance(action, Toss | TakeBook | Draw):
            return TABLE
        if isinstance(action, Create) and not state.options.players:
            return ANYONE
        return action.name

    def newcomer(self, action: CoinWarsAction) -> Seat | None:
        """The player whose character it makes."""
        return action.name if isinstance(action, Create) else None

    def legal_actions(self, state: CoinWarsState) -> Iterator[CoinWarsAction]:
        """See `tablecoin.rules.coin_wars.moves`: complete from the draw on, canonical before."""
        yield from moves.legal(state)

    def apply(self, state: CoinWarsState, action: CoinWarsAction) -> CoinWarsState:
        if adventure.phase(state) == "over":
            raise IllegalAction("over")
        match action:
            case Create():
                return preparation.create(state, action)
            case Write():
                return preparation.write(state, action)
            case Tear():
                return preparation.tear(state, action)
            case TakeBook():
                return preparation.take(state, action)
            case Draw():
                return preparation.draw(state, action)
            case Spend():
                return preparation.spend(state, action)
            case Ready():
                if adventure.phase(state) in ("create", "spend"):
                    return preparation.ready(state, action)
                settled = adventure.steady(state, action)
                if not moves.may_help(state):
                    raise IllegalAction("coin-wars.ready", name=action.name)
                return settled
            case Toss():
                return adventure.toss(state, action)
            case Assist():
                return adventure.assist(state, action)
            case Answer():
                return adventure.answer(state, action)
            case UsePower():
                return adventure.use_power(state, action)
            case Accept():
                return adventure.accept(state, action)
            case Choose():
                return adventure.choose(state, action)
            case Narrate():
                return adventure.narrate(state, action)

    def outcome(self, state: CoinWarsState) -> Outcome | None:
        """Those who beat the last scene win together (coin-wars.end)."""
        if adventure.phase(state) != "over" or state.scene is None:
            return None
        if state.scene + 1 < len(state.scenes):
            return Outcome((), Message("coin-wars.outcome.nobody-left", {"scene": state.scene + 2}))
        winners = tuple(each.name for each in state.facing if each.beaten)
        if not winners:
            return Outcome((), Message("coin-wars.outcome.lost"))
        return Outcome(winners, Message("coin-wars.outcome.won", {"winners": winners}))

    # -- the table ----------------------------------------------------------------------------------------------------

    def mat(self, options: CoinWarsOptions) -> str:
        return "coin-wars"

    def layout(self, state: CoinWarsState) -> Layout:
        """Nothing is judged: the trays matter only while a toss is read, and what a character has is on its sheet."""
        return {}

    def tosses_due(self, state: CoinWarsState) -> Mapping[str, Heap]:
        """{"hero": the character's coins, "scene": the scene's pennies} for the component due.

        One component at a time, so that coins do not mix; a tray with nothing to toss in it is left out. After Luck or
        Flamebait the one coin to toss again is due, alone in its tray.
        """
        if adventure.phase(state) != "flip":
            return {}
        if state.reflip:
            heaps = powers.again_due(state.reflip)
        else:
            fighter = state.fighting()[0]
            heaps = state.heaps(fighter, fighter.due)
        return {zone: heap for zone, heap in zip((HERO, SCENE), heaps, strict=True) if len(heap)}

    def toss_action(self, state: CoinWarsState, seen: Mapping[str, tuple[Coin, ...]]) -> CoinWarsAction:
        if not self.tosses_due(state):
            raise IllegalAction("coin-wars.flip.when")
        coins = tuple(seen.get(HERO, ())), tuple(seen.get(SCENE, ()))
        if state.reflip and state.last:
            return Toss(state.last.name, state.last.component, *coins)
        fighter = state.fighting()[0]
        return Toss(fighter.name, fighter.due, *coins)

    def imaginable_actions(self, state: CoinWarsState) -> Iterator[CoinWarsAction]:
        """The legal ones, then tosses out of turn or too early, burnt pennies, choices not there."""
        yield from moves.legal(state)
        yield from moves.mistakes(state)

    def imagined_layout(self, state: CoinWarsState, action: CoinWarsAction) -> Layout:
        """A toss out of turn leaves its coins in the trays, whatever they show; no other action moves a judged coin."""
        try:
            return self.layout(self.apply(state, action))
        except IllegalAction:
            if not isinstance(action, Toss):
                return self.layout(state)
        heaps = (Heap.of(coin.denomination for coin in coins) for coins in (action.character, action.scene))
        return {zone: Pile(heap) for zone, heap in zip((HERO, SCENE), heaps, strict=True)}

    # -- words --------------------------------------------------------------------------------------------------------

    def prompt(self, state: CoinWarsState) -> Message:
        return telling.prompt(state)

    def tell(self, state: CoinWarsState, action: CoinWarsAction) -> Message:
        return telling.tell(state, action)

    # -- JSON ---------------------------------------------------------------------------------------------------------

    def read_state(self, raw: object) -> CoinWarsState:
        try:
            state = from_json(raw)
        except msgspec.ValidationError as error:
            raise self.unusable("state", plain(error, raw, CoinWarsState)) from None
        self.check_options(state.options)
        if wrong := problem(state):
            raise self.unusable("state", wrong)
        return state

    def stored(self, state: CoinWarsState) -> dict[str, Any]:
        return to_json(state)

    def derived(self, state: CoinWarsState) -> Mapping[str, object]:
        """`last` with its results, `due` (the exchange to be tossed), `choice_due`, each scene's class and cost,
        `scene_points`, `warnings`, `sheets`, `tale` (the adventure played), `book` (those to take).
        """
        sheets = {each.name: to_sheet(each) for each in state.characters}
        scenes = [
            msgspec.to_builtins(each) | {"class": CLASSES.get(each.points(state.options)), "cost": each.cost()}
            for each in state.scenes
        ]
        return {
            "scenes": scenes,
            "last": _last(state),
            "due": _due(state),
            "choice_due": state.choice
            and {"name": state.choice.name, "trait": state.choice.trait, "options": adventure.choices(state)},
            "scene_points": _points_left(state),
            "warnings": _warnings(state),
            "sheets": sheets,
            "tale": _tale(state),
            "book": _book(state),
        }

    def public(self, state: CoinWarsState, seat: Seat | None) -> dict[str, Any]:
        """Before the draw, scene cards are seen by their authors alone; afterwards nothing is hidden."""
        shown = self.write_state(state)
        if state.scene is None:
            for pile in ("scenes", "aside"):
                shown[pile] = [each if each["author"] == seat else _face_down(each) for each in shown[pile]]
        return shown


def _due(state: CoinWarsState) -> dict[str, object] | None:
    """Whose exchange comes next, over what, and the coins of both sides."""
    if adventure.phase(state) != "flip" or state.reflip:
        return None
    fighter = state.fighting()[0]
    own, scene = state.heaps(fighter, fighter.due)
    return {"name": fighter.name, "component": fighter.due, "character": own, "scene": scene}


def _last(state: CoinWarsState) -> dict[str, object] | None:
    if not state.last:
        return None
    seen: dict[str, object] = msgspec.to_builtins(state.last)
    return seen | {
        "character_result": state.last.character_result,
        "scene_result": state.last.scene_result,
        "difference": state.last.difference,
        "damage": state.last.damage,
        "settled": not state.open,
    }


def _tale(state: CoinWarsState) -> dict[str, object] | None:
    """The adventure of the book: its words, the heroes nobody has taken, the scene, and the titles so far."""
    book = tale.played(state)
    if not book:
        return None
    return {
        "title": book.title,
        "blurb": book.blurb,
        "players": book.players,
        "difficulty": book.difficulty,
        "heroes": tale.free_heroes(state) if state.scene is None else (),
        "card": tale.card(state),
        "titles": tuple(each.title for each in book.scenes[: 0 if state.scene is None else state.scene + 1]),
    }


def _face_down(card: Mapping[str, object]) -> dict[str, object]:
    """What others see of a card that is not theirs."""
    return {"author": card["author"], "cost": card.get("cost"), "hidden": True}


def _book(state: CoinWarsState) -> list[dict[str, object]]:
    """The adventures of the book that may be taken now."""
    if state.scene is not None:
        return []
    return [
        {"name": name, "title": one.title, "blurb": one.blurb, "players": one.players, "difficulty": one.difficulty}
        for name, one in ((name, adventures.load(name)) for name in adventures.shipped())
    ]


def _points_left(state: CoinWarsState) -> dict[str, int]:
    if state.scene is not None:
        return {}
    each = allowance(state.characters, state.options)
    return {name: each - spent(state.scenes, name) for name in state.names}


def _warnings(state: CoinWarsState) -> list[dict[str, str]]:
    """{language: sentence} each."""
    lacking = preparation.lacks(state, state.scenes) if state.scene is not None else ()
    found = (Message(f"coin-wars.warning.{each}") for each in lacking)
    return [{language: sentence(each, language) for language in LANGUAGES} for each in found]
