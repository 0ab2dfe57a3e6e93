"""What *Steal* and *Exact* share besides the play: checks of options, the mat, sentences, and the JSON of a state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, cast

from msgspec.structs import replace

from tablecoin.coins import BY_VALUE, Coin, Denomination, Heap
from tablecoin.rules.change import equal_conversions, near_recipes
from tablecoin.rules.dollar_prize.rows import (
    LEAST_GOAL,
    SIDES,
    Add,
    Convert,
    Place,
    PrizeOptions,
    Rows,
    Side,
    Take,
    Toss,
)
from tablecoin.rules.dollar_prize.turn import SETUP_COINS, A, O, S, Turns
from tablecoin.rules.game import Layout, Pile
from tablecoin.rules.rulebook import Message

BANK_ROOM = 12  # coins of any kind that lie apart in the mat's bank; a larger bank stands beside the mat, unwatched


class DollarPrize(Turns[S, A, O]):
    """The whole contract but for what follows a round. The mat is `two-row`."""

    # -- house rules --------------------------------------------------------------------------------------------------

    @abstractmethod
    def nearest_goal(self, goal: int, bank: Heap) -> int:
        """The goal nearest to `goal`, and not above it, that a row laid from the coins of `bank` can be worth."""

    def check_options(self, options: O) -> None:
        """Raise InputError where the bank's coins are not played with, or can pay for no setup, toss or goal."""
        if options.bank == "unlimited":
            if options.bank_coins != PrizeOptions().bank_coins:
                raise self.unusable("options", Message("options.bank.uncounted"))
            return
        needed = SETUP_COINS + self.reserve
        if needed not in options.bank_coins:
            held = {"needed": needed, "held": options.bank_coins}
            raise self.unusable("options", Message("options.bank.few", held))
        nearest = self.nearest_goal(options.goal, options.bank_coins - self.reserve)
        if nearest < options.goal:
            key = "options.goal.lower" if nearest >= LEAST_GOAL else "options.goal"
            raise self.unusable("options", Message(key, {"goal": options.goal, "nearest": nearest}))

    # -- the table ----------------------------------------------------------------------------------------------------

    def mat(self, options: O) -> str:
        return "two-row"

    def layout(self, state: S) -> Layout:
        return self._laid(state, state.rows)

    def _laid(self, state: S, rows: Rows) -> Layout:
        rises = state.options.strict_order != "off"
        piles = {f"row.{side}": Pile(rows[side], rises=rises) for side in SIDES}
        if self.toss_due(state):
            return piles  # the coins to be tossed are in somebody's hand, or already lie in the tray
        piles["tray"] = Pile()
        bank = self.bank_left(replace(state, rows=rows))
        if bank is not None and len(state.options.bank_coins) <= BANK_ROOM:
            piles["bank"] = Pile(bank)
        return piles

    def tosses_due(self, state: S) -> Mapping[str, Heap]:
        due = self.toss_due(state)
        return {"tray": due} if due else {}

    def toss_action(self, state: S, seen: Mapping[str, tuple[Coin, ...]]) -> A:
        return cast(A, Toss(seen.get("tray", ())))

    def imaginable_actions(self, state: S) -> Iterator[A]:
        """Besides the legal: too high a coin, a second one, wrong recipes, coins put into or taken out of any row."""
        acting = state.mover if state.phase == "turn" else None
        yield from (action for action in self.candidates(state) if not isinstance(action, Convert | Place))
        if acting:  # equal_conversions holds the recipes, so every legal conversion is here
            yield from cast(Iterator[A], map(Place, BY_VALUE))
            exchanges = (pair for pair in (*equal_conversions(), *near_recipes()) if pair[0] in state.rows[acting])
            yield from cast(Iterator[A], (Convert(*pair) for pair in exchanges))
        for side in SIDES:
            if side is not acting:  # the mover's own row: that is placing
                yield from cast(Iterator[A], (Add(coin, side) for coin in BY_VALUE))
            yield from cast(Iterator[A], (Take(coin, side) for coin in BY_VALUE if coin in state.rows[side]))

    def imagined_layout(self, state: S, action: A) -> Layout:
        if self.refusal(state, action) is None:
            return self.layout(self.after(state, action))
        return self._laid(state, self.moved(state, action))

    # -- words --------------------------------------------------------------------------------------------------------

    def prompt(self, state: S) -> Message:
        if ended := self.outcome(state):
            return ended.reason
        if due := self.toss_due(state):
            return self.message("prompt.setup", coins=due)
        assert state.mover is not None
        seat, row = state.mover.value, state.rows[state.mover]
        spent = state.turn.converted and not state.options.multi_convert
        if state.turn.placed:
            convertible = any(self.refuse_convert(state, row, Convert(*r)) is None for r in self.recipes(state.options))
            return self.message("prompt.convert" if convertible else "prompt.done", seat=seat)
        if not self.can_place(state):
            return self.message("prompt.pass", seat=seat)
        allowed = [coin for coin in BY_VALUE if self.refuse_place(state, row, coin) is None]
        key = "prompt.place.only" if spent else "prompt.place" if allowed else "prompt.place.after"
        return self.message(key, seat=seat, highest=max(allowed, key=lambda c: c.cents, default=Denomination.PENNY))

    def tell(self, state: S, action: A) -> Message:
        match action:
            case Toss():
                counts = {f"{side}_got": sum(coin.face is side for coin in action.coins) for side in SIDES}
                return self.message("did.flip.setup", **counts)
            case Add() | Take():
                do = "add" if isinstance(action, Add) else "take"
                return self.message(f"did.{do}", coin=action.coin, row=action.row.value)
        return super().tell(state, action)

    def advise(self, state: S, action: A) -> Message:
        facts = {field: getattr(action, field) for field in action.__struct_fields__}
        return self.message(f"advise.{type(action).__struct_config__.tag}", **facts)

    # -- JSON ---------------------------------------------------------------------------------------------------------

    def derived(self, state: S) -> Mapping[str, object]:
        totals = {side.value: state.rows[side].cents for side in SIDES}
        return {"totals": totals, "flip_due": self.toss_due(state), "bank": self.bank_left(state)}

    def stored(self, state: S) -> dict[str, Any]:
        fields = super().stored(state)
        del fields["mover"]  # told by to_act
        return fields

    def read_state(self, raw: object) -> S:
        """As `Game.read_state`. Only `rows` is needed: the rest defaults to the first turn of a first round."""
        if not isinstance(raw, Mapping):
            raise self.unusable("state", "expected an object")
        fields = dict(raw)
        if (game := fields.get("game", self.name)) != self.name:
            raise self.unusable("state", f"it says it is one of {str(game)[:40]!r}")
        fields.setdefault("phase", "turn" if fields.get("rows") else "setup")
        seated = fields["phase"] in self.seated_phases
        fields["mover"] = self._seat_to_act(fields) if seated else None
        if fields["phase"] != "turn":
            fields["turn"] = {}
        state = super().read_state(fields)
        if state.phase != "setup" and state.first is None:
            starter = state.options.starter
            state = replace(state, first=Side(starter) if starter != "fewer" else state.mover or Side.HEADS)
        if seated and state.mover is None:
            state = replace(state, mover=state.first)
        self.check_options(cast(O, state.options))
        if problem := self.impossible(state):
            raise self.unusable("state.impossible", problem)
        return state

    def _seat_to_act(self, fields: Mapping[str, object]) -> object:
        match fields.get("to_act"):
            case None:
                return None
            case [seat] if seat in ("heads", "tails"):
                return seat
        raise self.unusable("state", f'to_act must be ["heads"] or ["tails"] in phase {fields["phase"]}')

    def impossible(self, state: S) -> str | None:
        """What contradicts itself in a state read from outside, as part of a sentence; None when nothing does."""
        rows, options = state.rows, state.options
        if state.phase == "setup":
            return None if rows == Rows() else "the rows are empty until the setup pennies are tossed"
        if rows == Rows():
            return "both rows are empty after the setup"
        if options.bank == "counted" and rows.heads + rows.tails + self.reserve not in options.bank_coins:
            return "the rows hold coins that the counted bank does not have"
        if state.phase == "over" and not self.reached(state) and state.passes < len(SIDES):
            return f"the game is over, but no row is worth {options.goal} cents"
        if state.mover and state.turn.placed and not rows[state.mover]:
            return f"{state.mover} has placed a coin, but that row is empty"
        if state.mover and state.turn.converted and rows[state.mover].highest in (None, Denomination.PENNY):
            return f"{state.mover} has converted, but that row holds no coin above a penny"
        return None
