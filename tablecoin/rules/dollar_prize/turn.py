"""The play that Dollar Prize *Steal* and *Exact* share: the setup toss, and turns of placing and converting.

A game says what follows a round (`end_of_round`) and adds its own actions. `refusal` is the one place where an action
is judged: `apply` raises what it returns, and `legal_actions` leaves out what it refuses. Clause ids carry the game's
name, so each game's rulebook has its own numbering.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar, TypeVar, cast

from msgspec.structs import replace

from tablecoin.coins import BY_VALUE, Denomination, Heap
from tablecoin.rules.change import RECIPES, Recipe, equal_conversions, without
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
from tablecoin.rules.game import TABLE, Action, Game, IllegalAction, Outcome
from tablecoin.rules.rulebook import Message
from tablecoin.rules.toss import possible_results

SETUP_COINS = Heap(penny=5)

S = TypeVar("S", bound=PrizeState)
A = TypeVar("A", bound=Action)
O = TypeVar("O", bound=PrizeOptions)  # noqa: E741 - the options' type, beside S and A


class Turns(Game[S, A, O]):
    """Play: who acts, what is legal, what follows. The seats are `heads` and `tails`."""

    seated_phases: ClassVar[tuple[str, ...]]  # the phases in which `mover` acts
    reserve: ClassVar[Heap]  # what a counted bank keeps back, so that a toss can always be made

    # -- what each game says itself ------------------------------------------------------------------------------------

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
            try:
                raise refused
            finally:
                del refused  # its traceback holds this frame, and both all that called it, until the collector comes
        return self.after(state, action)

    def legal_actions(self, state: S) -> Iterator[A]:
        yield from (action for action in self.candidates(state) if self.refusal(state, action) is None)

    def candidates(self, state: S) -> Iterator[A]:
        """A superset of the legal actions, each once, small enough to judge one by one."""
        if due := self.toss_due(state):
            yield from cast(Iterator[A], map(Toss, possible_results(due)))
        elif state.phase == "turn" and state.mover:
            row, options = state.rows[state.mover], state.options
            if not state.turn.placed:
                limit = row.highest.cents if row.highest else Denomination.PENNY.cents
                yield from cast(Iterator[A], (Place(coin) for coin in BY_VALUE if coin.cents <= limit))
            if options.multi_convert or not state.turn.converted:
                yield from cast(Iterator[A], (Convert(*pair) for pair in self.recipes(options) if pair[0] in row))
            yield cast(A, Done())

    def refusal(self, state: S, action: A) -> IllegalAction | None:
        """Why `action` is not allowed in `state`; None when it is allowed."""
        if state.phase == "over":
            return IllegalAction("over")
        match action:
            case Add():
                return self.illegal("row.add", coin=action.coin, row=action.row.value)
            case Take():
                return self.illegal("row.take", coin=action.coin, row=action.row.value)
            case Toss():
                return self._refuse_toss(state, action)
        if due := self.toss_due(state):
            return self.illegal("flip.first", coins=due)
        if state.phase != "turn" or state.mover is None:
            return self.not_now(state)
        match action:
            case Place():
                return self.refuse_place(state, state.rows[state.mover], action.coin)
            case Convert():
                return self.refuse_convert(state, state.rows[state.mover], action)
            case Done():
                if not state.turn.placed and self.can_place(state):
                    return self.illegal("done.unplaced", seat=state.mover.value)
                return None
        raise TypeError(f"{type(action).__name__} is no action of {self.name}")

    def after(self, state: S, action: A) -> S:
        """The state after an action that `refusal` allows."""
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
        if not self.reached(state):
            return Outcome((), self.message("over.stuck", goal=state.options.goal))
        heads, tails = state.rows.heads.cents, state.rows.tails.cents
        facts: dict[str, object] = {"high": max(heads, tails), "low": min(heads, tails)}
        if heads == tails:
            return Outcome(("heads", "tails"), self.message("over.tie", **facts))
        winner = "heads" if heads > tails else "tails"
        return Outcome((winner,), self.message("over.win", seat=winner, **facts))

    def reached(self, state: S) -> bool:
        """Whether a row is worth the goal."""
        return state.rows.richest_cents >= state.options.goal

    def next_round(self, state: S) -> S:
        """The first turn of the next round; or the end, when both players passed in this one and still cannot place."""
        begun = replace(state, phase="turn", round=state.round + 1, mover=state.first, turn=Turn(), passes=0)
        if state.passes == len(SIDES) and not any(self.can_place(replace(begun, mover=side)) for side in SIDES):
            return self.over(state)
        return begun

    def over(self, state: S) -> S:
        return replace(state, phase="over", mover=None, turn=Turn())

    def can_place(self, state: S) -> bool:
        """Whether the mover can place a coin now, or could after the conversions still open in this turn."""
        assert state.mover is not None
        waiting, seen = [state], {state.rows}
        while waiting:
            state = waiting.pop()
            row = state.rows[cast(Side, state.mover)]
            if any(self.refuse_place(state, row, coin) is None for coin in BY_VALUE):
                return True
            for convert in (Convert(*recipe) for recipe in self.recipes(state.options)):
                if self.refuse_convert(state, row, convert) is None:
                    converted = self.after(state, cast(A, convert))
                    if converted.rows not in seen:
                        seen.add(converted.rows)
                        waiting.append(converted)
        return False

    def _refuse_toss(self, state: S, toss: Toss) -> IllegalAction | None:
        due = self.toss_due(state)
        if not due:
            return self.illegal("flip.none")
        if Heap.of(coin.denomination for coin in toss.coins) != due:
            return self.illegal("flip.coins", due=due, seen=Heap.of(coin.denomination for coin in toss.coins))
        return None

    def refuse_place(self, state: S, row: Heap, coin: Denomination) -> IllegalAction | None:
        """Why `coin` may not be placed in `row`, the mover's; None when it may."""
        highest = row.highest
        if state.turn.placed:
            return self.illegal("place.twice", coin=coin)
        if highest is None and coin is not Denomination.PENNY:
            return self.illegal("place.first", coin=coin)
        if highest and coin.cents > highest.cents:
            return self.illegal("place.limit", coin=coin, highest=highest)
        ordered = state.options.strict_order == "enforce" and highest and self._withheld(state, highest) is None
        if ordered and coin is not highest:  # where no coin fits in order, any other may be placed
            return self.illegal("place.order", coin=coin, highest=highest)
        return self._withheld(state, coin)

    def _withheld(self, state: S, coin: Denomination) -> IllegalAction | None:
        """Why `coin` may stand nowhere in the mover's row: it is worth too much, or the bank has none."""
        if refused := self.too_much(state, coin):
            return refused
        return None if self.bank_has(state, Heap.of([coin])) else self.illegal("place.bank", coin=coin)

    def refuse_convert(self, state: S, row: Heap, convert: Convert) -> IllegalAction | None:
        """Why `row`, the mover's, may not be converted so; None when it may."""
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

    def _set_up(self, state: S, toss: Toss) -> S:
        pennies = {side: Heap(penny=sum(coin.face is side for coin in toss.coins)) for side in SIDES}
        fewer = min(SIDES, key=lambda side: pennies[side].penny)  # five pennies never tie
        first = fewer if state.options.starter == "fewer" else Side(state.options.starter)
        return replace(
            state, phase="turn", rows=Rows(pennies[Side.HEADS], pennies[Side.TAILS]), first=first, mover=first
        )

    # -- coins --------------------------------------------------------------------------------------------------------

    def recipes(self, options: PrizeOptions) -> tuple[Recipe, ...]:
        """The conversions that these house rules allow."""
        return equal_conversions() if options.any_equal_convert else RECIPES

    def toss_due(self, state: S) -> Heap | None:
        """The coins to be tossed in the tray now, or None."""
        return SETUP_COINS if state.phase == "setup" else None

    def bank_left(self, state: S) -> Heap | None:
        """What a counted bank holds besides the rows; None when the bank is unlimited."""
        if state.options.bank == "unlimited":
            return None
        return without(without(state.options.bank_coins, state.rows.heads), state.rows.tails)

    def bank_has(self, state: S, coins: Heap) -> bool:
        """Whether the bank can give these coins and still keep its reserve for the tosses."""
        left = self.bank_left(state)
        return left is None or coins + self.reserve in left

    def moved(self, state: S, action: A) -> Rows:
        """The rows after the coins of `action` moved, whether or not the rules allow it."""
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

    # -- clauses -------------------------------------------------------------------------------------------------------

    def illegal(self, clause: str, **facts: object) -> IllegalAction:
        return IllegalAction(f"{self.name}.{clause}", **facts)

    def message(self, key: str, **facts: object) -> Message:
        return Message(f"{self.name}.{key}", facts)


def _other(side: Side | None) -> Side:
    assert side is not None
    return side.other
