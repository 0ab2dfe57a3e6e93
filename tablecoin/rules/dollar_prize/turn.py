"""What Dollar Prize *Steal* and *Exact* share: rows of coins, the setup flip, and a turn of placing and converting.

A game says what follows a round (`end_of_round`) and adds its own actions; everything else stands here. `refusal`
is the one place where an action is judged: `apply` raises it, `legal_actions` and the conformance test go by it.
Clause ids carry the game's name, so each game's rulebook has its own numbering.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar, cast

from msgspec.structs import replace

from tablecoin.coins import BY_VALUE, Coin, Denomination, Heap
from tablecoin.rules.change import RECIPES, Recipe, equal_conversions, near_recipes, without
from tablecoin.rules.dollar_prize.rows import (
    SIDES,
    Add,
    Convert,
    Done,
    Place,
    PrizeOptions,
    PrizeState,
    Rows,
    Side,
    Take,
    Toss,
    Turn,
)
from tablecoin.rules.game import TABLE, Action, Game, IllegalAction, InputError, Layout, Outcome, Pile
from tablecoin.rules.rulebook import Message
from tablecoin.rules.toss import tosses

SETUP_COINS = Heap(penny=5)

S = TypeVar("S", bound=PrizeState)
A = TypeVar("A", bound=Action)
O = TypeVar("O", bound=PrizeOptions)  # noqa: E741 - the options' type, beside S and A


class DollarPrize(Game[S, A, O]):
    """The part of the contract both games share. Seats are `heads` and `tails`; the mat is `two-row`."""

    seated_phases: ClassVar[tuple[str, ...]]  # the phases in which `mover` acts
    reserve: ClassVar[Heap]  # what a counted bank keeps back, so that a flip can always be made

    # -- for the games to say -----------------------------------------------------------------------------------------

    @abstractmethod
    def end_of_round(self, state: S) -> S:
        """The state after both have played: `state` still shows the second player's turn."""

    @abstractmethod
    def not_now(self, state: S) -> IllegalAction:
        """Why no turn is played now, in a phase that is neither a turn nor the setup."""

    def too_much(self, state: S, coin: Denomination) -> IllegalAction | None:
        """Why placing `coin` would make the mover's row worth too much, if it would."""
        return None

    # -- play ---------------------------------------------------------------------------------------------------------

    def check_options(self, options: O) -> None:
        needed = SETUP_COINS + self.reserve
        if options.bank == "counted" and needed not in options.bank_coins:
            raise InputError(f"bank_coins: the bank needs at least {needed}, and has {options.bank_coins}")

    def start(self, options: O) -> S:
        return cast(S, self.state_type(phase="setup", options=options))

    def phase(self, state: S) -> str:
        return state.phase

    def to_act(self, state: S) -> tuple[str, ...]:
        if state.phase == "setup":
            return (TABLE,)
        return (state.mover.value,) if state.mover else ()

    def apply(self, state: S, action: A) -> S:
        if refused := self.refusal(state, action):
            raise refused
        return self.after(state, action)

    def legal_actions(self, state: S) -> Iterator[A]:
        yield from (action for action in self.candidates(state) if self.refusal(state, action) is None)

    def candidates(self, state: S) -> Iterator[A]:
        """Actions among which all the legal ones are, each once; what is plainly out of the question is left out."""
        if due := self.flip_due(state):
            yield from cast(Iterator[A], map(Toss, tosses(due)))
        elif state.phase == "turn" and state.mover:
            row, options = state.rows[state.mover], state.options
            if not state.turn.placed:
                limit = row.highest.cents if row.highest else Denomination.PENNY.cents
                yield from cast(Iterator[A], (Place(coin) for coin in BY_VALUE if coin.cents <= limit))
            if options.multi_convert or not state.turn.converted:
                yield from cast(Iterator[A], (Convert(*pair) for pair in self.recipes(options) if pair[0] in row))
            yield cast(A, Done())

    def refusal(self, state: S, action: A) -> IllegalAction | None:
        """Why `action` is not allowed in `state`; None when it is."""
        if state.phase == "over":
            return IllegalAction("over")
        match action:
            case Add():
                return self.illegal("row.add", coin=action.coin, row=action.row.value)
            case Take():
                return self.illegal("row.take", coin=action.coin, row=action.row.value)
            case Toss():
                return self._refuse_toss(state, action)
        if due := self.flip_due(state):
            return self.illegal("flip.first", coins=due)
        if state.phase != "turn" or state.mover is None:
            return self.not_now(state)
        match action:
            case Place():
                return self._refuse_place(state, state.rows[state.mover], action.coin)
            case Convert():
                return self._refuse_convert(state, state.rows[state.mover], action)
            case Done():
                if not state.turn.placed and self.can_place(state):
                    return self.illegal("done.unplaced", seat=state.mover.value)
                return None
        raise TypeError(f"{type(action).__name__} is no action of {self.name}")

    def after(self, state: S, action: A) -> S:
        """The state after an action that `refusal` found nothing against."""
        match action:
            case Toss():
                return self._set_up(state, action)
            case Place():
                return replace(state, rows=self.moved(state, action), turn=replace(state.turn, placed=True))
            case Convert():
                return replace(state, rows=self.moved(state, action), turn=replace(state.turn, converted=True))
            case Done():
                passes = state.passes + (not state.turn.placed)
                if state.mover is not state.first:
                    return self.end_of_round(replace(state, passes=passes))
                return replace(state, mover=_other(state.mover), turn=Turn(), passes=passes)
        raise TypeError(f"{type(action).__name__} is no action of {self.name}")

    def outcome(self, state: S) -> Outcome | None:
        if state.phase != "over":
            return None
        heads, tails = state.rows.heads.cents, state.rows.tails.cents
        facts: dict[str, object] = {"high": max(heads, tails), "low": min(heads, tails)}
        stuck = ".stuck" if not self.reached(state) else ""
        if heads == tails:
            return Outcome(("heads", "tails"), self.message(f"over{stuck}.tie", **facts))
        winner = "heads" if heads > tails else "tails"
        return Outcome((winner,), self.message(f"over{stuck}.win", seat=winner, **facts))

    def reached(self, state: S) -> bool:
        """Whether a row is worth the goal."""
        return state.rows.richest_cents >= state.options.goal

    def next_round(self, state: S) -> S:
        """The first turn of the next round; or the end, when neither player had anything to place in this one."""
        if state.passes == len(SIDES):
            return self.over(state)
        return replace(state, phase="turn", round=state.round + 1, mover=state.first, turn=Turn(), passes=0)

    def over(self, state: S) -> S:
        return replace(state, phase="over", mover=None, turn=Turn())

    def can_place(self, state: S) -> bool:
        """Whether the mover can place a coin now, or could after the conversions still open in this turn."""
        assert state.mover is not None
        waiting, seen = [state], {state.rows}
        while waiting:
            state = waiting.pop()
            row = state.rows[cast(Side, state.mover)]
            if any(self._refuse_place(state, row, coin) is None for coin in BY_VALUE):
                return True
            for convert in (Convert(*recipe) for recipe in self.recipes(state.options)):
                if self._refuse_convert(state, row, convert) is None:
                    converted = self.after(state, cast(A, convert))
                    if converted.rows not in seen:
                        seen.add(converted.rows)
                        waiting.append(converted)
        return False

    def _refuse_toss(self, state: S, flip: Toss) -> IllegalAction | None:
        due = self.flip_due(state)
        if not due:
            return self.illegal("flip.none")
        if Heap.of(coin.denomination for coin in flip.coins) != due:
            return self.illegal("flip.coins", due=due, seen=Heap.of(coin.denomination for coin in flip.coins))
        return None

    def _refuse_place(self, state: S, row: Heap, coin: Denomination) -> IllegalAction | None:
        highest = row.highest
        if state.turn.placed:
            return self.illegal("place.twice")
        if highest is None and coin is not Denomination.PENNY:
            return self.illegal("place.first", coin=coin)
        if highest and coin.cents > highest.cents:
            return self.illegal("place.limit", coin=coin, highest=highest)
        if highest and coin is not highest and state.options.strict_order == "enforce":
            return self.illegal("place.order", coin=coin, highest=highest)
        if refused := self.too_much(state, coin):
            return refused
        return None if self.bank_has(state, Heap.of([coin])) else self.illegal("place.bank", coin=coin)

    def _refuse_convert(self, state: S, row: Heap, convert: Convert) -> IllegalAction | None:
        if state.turn.converted and not state.options.multi_convert:
            return self.illegal("convert.twice")
        if (convert.give, convert.take) not in self.recipes(state.options):
            clause = "convert.equal" if state.options.any_equal_convert else "convert.recipe"
            return self.illegal(clause, give=convert.give, take=convert.take)
        if convert.give not in row:
            return self.illegal("convert.coins", give=convert.give, row=row)
        highest = (row - convert.give).highest
        if highest and highest.cents > convert.take.cents and state.options.strict_order == "enforce":
            return self.illegal("convert.order", take=convert.take, highest=highest)
        return (
            None if self.bank_has(state, Heap.of([convert.take])) else self.illegal("convert.bank", coin=convert.take)
        )

    def _set_up(self, state: S, flip: Toss) -> S:
        pennies = {side: Heap(penny=sum(coin.face is side for coin in flip.coins)) for side in SIDES}
        fewer = min(SIDES, key=lambda side: pennies[side].penny)  # five pennies never tie
        first = fewer if state.options.starter == "fewer" else Side(state.options.starter)
        return replace(
            state, phase="turn", rows=Rows(pennies[Side.HEADS], pennies[Side.TAILS]), first=first, mover=first
        )

    # -- coins --------------------------------------------------------------------------------------------------------

    def recipes(self, options: PrizeOptions) -> tuple[Recipe, ...]:
        """The conversions these house rules know."""
        return equal_conversions() if options.any_equal_convert else RECIPES

    def flip_due(self, state: S) -> Heap | None:
        """The coins to be tossed in the tray now, or None."""
        return SETUP_COINS if state.phase == "setup" else None

    def bank_left(self, state: S) -> Heap | None:
        """What a counted bank holds besides the rows; None when the bank is unlimited."""
        if state.options.bank == "unlimited":
            return None
        return without(without(state.options.bank_coins, state.rows.heads), state.rows.tails)

    def bank_has(self, state: S, coins: Heap) -> bool:
        """Whether the bank can give these coins and still keep its reserve for the flips."""
        left = self.bank_left(state)
        return left is None or coins + self.reserve in left

    def moved(self, state: S, action: A) -> Rows:
        """The rows as hands leave them when they do this, allowed or not."""
        rows, mover = state.rows, state.mover
        match action:
            case Add():
                return rows.put(action.row, rows[action.row] + Heap.of([action.coin]))
            case Take():
                return rows.put(action.row, without(rows[action.row], Heap.of([action.coin])))
            case Place() if mover:
                return rows.put(mover, rows[mover] + Heap.of([action.coin]))
            case Convert() if mover:
                return rows.put(mover, without(rows[mover], action.give) + Heap.of([action.take]))
        return rows

    # -- the table ----------------------------------------------------------------------------------------------------

    def mat(self, options: O) -> str:
        return "two-row"

    def layout(self, state: S) -> Layout:
        return self._laid(state, state.rows)

    def _laid(self, state: S, rows: Rows) -> Layout:
        piles = {f"row.{side}": Pile(rows[side]) for side in SIDES}
        if self.flip_due(state):
            return piles  # the coins to be tossed are in somebody's hand, or already lie in the tray
        piles["tray"] = Pile()
        if (bank := self.bank_left(replace(state, rows=rows))) is not None:
            piles["bank"] = Pile(bank)
        return piles

    def tosses_due(self, state: S) -> Mapping[str, Heap]:
        due = self.flip_due(state)
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

    def illegal(self, clause: str, **facts: object) -> IllegalAction:
        return IllegalAction(f"{self.name}.{clause}", **facts)

    def message(self, key: str, **facts: object) -> Message:
        return Message(f"{self.name}.{key}", facts)

    def prompt(self, state: S) -> Message:
        if ended := self.outcome(state):
            return ended.reason
        if due := self.flip_due(state):
            return self.message("prompt.setup", coins=due)
        assert state.mover is not None
        seat, row = state.mover.value, state.rows[state.mover]
        spent = state.turn.converted and not state.options.multi_convert
        if state.turn.placed:
            convertible = any(
                self._refuse_convert(state, row, Convert(*r)) is None for r in self.recipes(state.options)
            )
            return self.message("prompt.convert" if convertible else "prompt.done", seat=seat)
        if not self.can_place(state):
            return self.message("prompt.pass", seat=seat)
        allowed = [coin for coin in BY_VALUE if self._refuse_place(state, row, coin) is None]
        key = "prompt.place.only" if spent else "prompt.place" if allowed else "prompt.place.after"
        return self.message(key, seat=seat, highest=max(allowed, key=lambda c: c.cents, default=Denomination.PENNY))

    def tell(self, state: S, action: A) -> Message:
        match action:
            case Toss():
                counts = {f"{side}_got": sum(coin.face is side for coin in action.coins) for side in SIDES}
                return self.message("did.flip.setup", **counts)
            case Place() if state.options.strict_order == "warn" and self._out_of_order(state, action.coin):
                return self.message("did.place.order", seat=self.actor(state, action), coin=action.coin)
            case Add() | Take():
                do = "add" if isinstance(action, Add) else "take"
                return self.message(f"did.{do}", coin=action.coin, row=action.row.value)
        return super().tell(state, action)

    def _out_of_order(self, state: S, coin: Denomination) -> bool:
        highest = state.rows[state.mover].highest if state.mover else None
        return highest is not None and coin.cents < highest.cents

    # -- JSON ---------------------------------------------------------------------------------------------------------

    def derived(self, state: S) -> Mapping[str, object]:
        totals = {side.value: state.rows[side].cents for side in SIDES}
        return {"totals": totals, "flip_due": self.flip_due(state), "bank": self.bank_left(state)}

    def stored(self, state: S) -> dict[str, Any]:
        fields = super().stored(state)
        del fields["mover"]  # told by to_act
        return fields

    def read_state(self, raw: object) -> S:
        """As `Game.read_state`. Only `rows` is needed: the rest defaults to the first turn of a first round."""
        if not isinstance(raw, Mapping):
            raise InputError(f"not a state of {self.name}: expected an object")
        fields = dict(raw)
        if (game := fields.get("game", self.name)) != self.name:
            raise InputError(f"not a state of {self.name}: it says it is one of {str(game)[:40]!r}")
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
            raise InputError(f"not a possible state of {self.name}: {problem}")
        return state

    def _seat_to_act(self, fields: Mapping[str, object]) -> object:
        match fields.get("to_act"):
            case None:
                return None
            case [seat] if seat in ("heads", "tails"):
                return seat
        raise InputError(
            f'not a state of {self.name}: to_act must be ["heads"] or ["tails"] in phase {fields["phase"]}'
        )

    def impossible(self, state: S) -> str | None:
        """What contradicts itself in a state read from outside, as part of a sentence; None when nothing does."""
        rows, options = state.rows, state.options
        if state.phase == "setup":
            return None if rows == Rows() else "the rows are empty until the setup pennies are flipped"
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


def _other(side: Side | None) -> Side:
    assert side is not None
    return side.other
