"""Coin Age: two banks of ten coins, a map of ten spaces, and a toss each turn that says what may be done.

Seats are the sides `heads` and `tails`; the side a coin shows is its owner. Bank counts include the coins lying in
the tray until they are placed or paid, so a coin left over is back in its bank when the turn ends.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from tablecoin.coins import BY_VALUE, Coin, Denomination, Face, Heap
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.state import (
    EACH_BANK,
    Allowed,
    Capture,
    CoinAgeAction,
    CoinAgeOptions,
    CoinAgeState,
    Done,
    Move,
    Pay,
    Place,
    PlaceTurned,
    Split,
    Toss,
    Turn,
    Written,
    covers,
    fault,
)
from tablecoin.rules.game import TABLE, Game, IllegalAction, Layout, Outcome, Pile, Seat
from tablecoin.rules.plain import plain
from tablecoin.rules.rulebook import Message
from tablecoin.rules.toss import possible_results

TRAY = "tray"


class CoinAge(Game[CoinAgeState, CoinAgeAction, CoinAgeOptions]):
    """The rules."""

    name: ClassVar[str] = "coin-age"
    title: ClassVar[Mapping[str, str]] = {"en": "Coin Age", "zh": "钱币世纪"}
    options_type = CoinAgeOptions
    state_type = CoinAgeState
    action_types = (Toss, Place, Pay, Move, Capture, Done, PlaceTurned, Split)
    early = (Place,)  # a third coin before one is paid

    # -- play ---------------------------------------------------------------------------------------------------------

    def check_options(self, options: CoinAgeOptions) -> None:
        """Raise InputError when the map cannot be played on, or a seed is given though no map is drawn by lot."""
        if options.seed is not None and options.map != maps.RANDOM:
            raise self.unusable("options", Message("options.seed", {"map": f'"{options.map[:40]}"'}))
        _ = options.board

    def start(self, options: CoinAgeOptions) -> CoinAgeState:
        return CoinAgeState(options, Face.HEADS, ((),) * len(options.board.spaces), (EACH_BANK, EACH_BANK))

    def phase(self, state: CoinAgeState) -> str:
        if self._ended(state):
            return "over"
        return "flip" if state.flip is None else "turn"

    def to_act(self, state: CoinAgeState) -> tuple[Seat, ...]:
        match self.phase(state):
            case "over":
                return ()
            case "flip":
                return (TABLE,)
            case _:
                return (state.mover.value,)

    def legal_actions(self, state: CoinAgeState) -> Iterator[CoinAgeAction]:
        phase = self.phase(state)
        if phase == "flip":
            yield from map(Toss, possible_results(Heap.of(self._due(state))))
        if phase != "turn":
            return
        allowed, spaces = state.allowed, state.board.spaces
        filled = [(space, stack) for space, stack in zip(spaces, state.stacks, strict=True) if stack]
        if allowed.place:
            for kind in state.ready:
                for space, stack in zip(spaces, state.stacks, strict=True):
                    if not stack or covers(kind, stack[-1]):
                        yield Place(kind, space.id)
        if allowed.pay:
            yield from map(Pay, state.ready)
        if allowed.move:
            taken = {space.id for space, _ in filled}
            for space, _ in filled:
                yield from (Move(space.id, other) for other in space.neighbours if other not in taken)
        if allowed.capture:
            yield from (Capture(space.id) for space, _ in filled)
        yield Done()

    def apply(self, state: CoinAgeState, action: CoinAgeAction) -> CoinAgeState:
        phase = self.phase(state)
        if phase == "over":
            raise IllegalAction("over")
        if isinstance(action, Toss):
            return self._toss(state, action)
        if phase == "flip":
            raise IllegalAction("coin-age.flip.first", seat=state.mover.value, coins=Heap.of(self._due(state)))
        match action:
            case Place():
                self._check_place(state, action)
            case Pay():
                self._check_pay(state, action)
            case Move():
                self._check_move(state, action)
            case Capture():
                self._check_capture(state, action)
            case PlaceTurned():
                self._check_ready(state, action.coin)  # a coin that does not match may not be placed either way up
                raise IllegalAction("coin-age.place.own", face=state.mover, coin=action.coin)
            case Split():
                raise IllegalAction("coin-age.move.whole", source=action.source)
            case Done():
                return replace(state, mover=state.mover.other, flip=None, turn=Turn())
        return self._carry_out(state, action)

    def outcome(self, state: CoinAgeState) -> Outcome | None:
        if not self._ended(state):
            return None
        counted = state.tally
        heads, tails = (counted.score[side] for side in Face)
        facts = {"heads": heads, "tails": tails}
        if counted.winner is None:
            return Outcome((Face.HEADS.value, Face.TAILS.value), Message("coin-age.end.draw", facts))
        facts |= {"heads_bank": counted.bank_ranks[Face.HEADS], "tails_bank": counted.bank_ranks[Face.TAILS]}
        key = "coin-age.end.bank" if counted.tie_break else "coin-age.end.points"
        return Outcome((counted.winner.value,), Message(key, {"seat": counted.winner.value, **facts}))

    def _ended(self, state: CoinAgeState) -> bool:
        """Every space covered or a bank empty; only placing brings either about (clause coin-age.end.cause)."""
        if state.options.finish_turn and state.flip is not None:
            return False
        return all(state.stacks) or not all(map(len, state.banks))

    def _due(self, state: CoinAgeState) -> tuple[Denomination, ...]:
        return tuple(kind for kind in BY_VALUE if kind in state.bank(state.mover))

    def _toss(self, state: CoinAgeState, action: Toss) -> CoinAgeState:
        if state.flip is not None:
            raise IllegalAction("coin-age.flip.once", seat=state.mover.value)
        due, seen = Heap.of(self._due(state)), Heap.of(coin.denomination for coin in action.coins)
        if seen != due:
            raise IllegalAction("coin-age.flip.coins", due=due, seen=seen)
        return replace(state, flip=tuple(sorted(action.coins, key=_by_value)))

    def _check_ready(self, state: CoinAgeState, kind: Denomination) -> None:
        """Raise IllegalAction unless the mover's toss left a coin of this kind to place or pay."""
        tossed = {coin.denomination: coin.face for coin in state.flip or ()}
        if kind not in tossed:
            raise IllegalAction("coin-age.coin.tossed", coin=kind)
        if tossed[kind] is not state.mover:
            raise IllegalAction("coin-age.coin.matching", coin=kind, seat=state.mover.value, face=tossed[kind])
        if kind not in state.ready:
            raise IllegalAction("coin-age.coin.used", coin=kind)

    def _check_place(self, state: CoinAgeState, action: Place) -> None:
        stack = state.stacks[self._at(state, action.space)]
        self._check_ready(state, action.coin)
        if not state.allowed.place:
            payable = state.matches == 4 and state.turn.paid is None
            then = Message("coin-age.place.pay" if payable else "coin-age.place.enough")
            raise IllegalAction("coin-age.place.count", matches=state.matches, placed=len(state.turn.placed), then=then)
        if stack and not covers(action.coin, stack[-1]):
            raise IllegalAction(
                "coin-age.place.cover", coin=action.coin, top=stack[-1].denomination, space=action.space
            )

    def _check_pay(self, state: CoinAgeState, action: Pay) -> None:
        if state.matches != 4:
            raise IllegalAction("coin-age.pay.four", matches=state.matches)
        if state.turn.paid:
            raise IllegalAction("coin-age.pay.once", coin=state.turn.paid)
        self._check_ready(state, action.coin)

    def _check_move(self, state: CoinAgeState, action: Move) -> None:
        source, target = self._at(state, action.source), self._at(state, action.target)
        if (state.matches or 0) > 1:
            raise IllegalAction("coin-age.move.allowed", matches=state.matches)
        if state.turn.moved:
            raise IllegalAction("coin-age.move.once")
        if not state.stacks[source]:
            raise IllegalAction("coin-age.move.something", source=action.source)
        if action.target not in state.board.spaces[source].neighbours:
            raise IllegalAction("coin-age.move.adjacent", source=action.source, target=action.target)
        if state.stacks[target]:
            raise IllegalAction("coin-age.move.empty", target=action.target)

    def _check_capture(self, state: CoinAgeState, action: Capture) -> None:
        stack = state.stacks[self._at(state, action.space)]
        if state.matches:
            raise IllegalAction("coin-age.capture.allowed", matches=state.matches)
        if state.turn.captured:
            raise IllegalAction("coin-age.capture.once", coin=state.turn.captured)
        if not stack:
            raise IllegalAction("coin-age.capture.something", space=action.space)

    def _at(self, state: CoinAgeState, space: str) -> int:
        """The index of a space; IllegalAction when the map has none of that name."""
        for k, one in enumerate(state.board.spaces):
            if one.id == space:
                return k
        raise IllegalAction("input", problem=f"There is no space {space[:20]!r} on the map {state.board.name}.")

    def _carry_out(self, state: CoinAgeState, action: CoinAgeAction) -> CoinAgeState:
        """The state after the coins of `action` were really moved so, whether or not the rules allow it."""
        turn, side, stacks = state.turn, state.mover, list(state.stacks)
        match action:
            case Place() | PlaceTurned():
                face = side if isinstance(action, Place) else side.other
                stacks[self._at(state, action.space)] += (Coin.of(action.coin, face),)
                bank = state.bank(side) - Heap.of([action.coin])
                turn = replace(turn, placed=tuple(Heap.of((*turn.placed, action.coin))))
                return replace(state, stacks=tuple(stacks), banks=_banks(state, side, bank), turn=turn)
            case Pay():
                coin = Heap.of([action.coin])
                paid = replace(state, banks=_banks(state, side, state.bank(side) - coin))
                given = _banks(paid, side.other, state.bank(side.other) + coin)
                gone = turn.placed if turn.paid is None else (*turn.placed, turn.paid)  # paid twice, by mistake
                return replace(paid, banks=given, turn=replace(turn, placed=gone, paid=action.coin))
            case Move() | Split():
                source, target = self._at(state, action.source), self._at(state, action.target)
                lifted = stacks[source] if isinstance(action, Move) else stacks[source][-1:]
                stacks[source] = stacks[source][: -len(lifted)]
                stacks[target] += lifted
                return replace(state, stacks=tuple(stacks), turn=replace(turn, moved=True))
            case Capture():
                k = self._at(state, action.space)
                taken = stacks[k][-1].denomination
                stacks[k] = stacks[k][:-1]
                bank = state.bank(side) + Heap.of([taken])
                turn = replace(turn, captured=taken)
                return replace(state, stacks=tuple(stacks), banks=_banks(state, side, bank), turn=turn)
            case _:
                return self.apply(state, action)

    # -- the table ----------------------------------------------------------------------------------------------------

    def mat(self, options: CoinAgeOptions) -> str:
        return f"coin-age:{options.board.name if options.map == maps.RANDOM else options.map}"

    def layout(self, state: CoinAgeState) -> Layout:
        """The top coin of every space with its face; banks by kind; in the tray the tossed coins not yet used.

        While a toss is due its coins are in a hand, the bank or the tray, so the mover's bank and the tray are left
        out. After the toss every coin of it stays in the tray until it is placed or paid, or the turn ends.
        """
        zones = {}
        for space, stack in zip(state.board.spaces, state.stacks, strict=True):
            zones[f"space.{space.id}"] = Pile.of(stack[-1:])
        waiting = state.waiting
        for side in Face:
            if side is state.mover and state.flip is not None:
                zones[f"bank.{side}"] = Pile(state.bank(side) - Heap.of(coin.denomination for coin in waiting))
            elif side is not state.mover or self._ended(state):
                zones[f"bank.{side}"] = Pile(state.bank(side))
        if state.flip is not None:
            zones[TRAY] = Pile.of(waiting)
        return zones

    def stacks(self, state: CoinAgeState) -> Mapping[str, tuple[Coin, ...]]:
        return {f"space.{space.id}": stack for space, stack in zip(state.board.spaces, state.stacks, strict=True)}

    def untossed(self, state: CoinAgeState) -> Layout:
        return {f"bank.{state.mover}": Pile(state.bank(state.mover))} if self.tosses_due(state) else {}

    def tosses_due(self, state: CoinAgeState) -> Mapping[str, Heap]:
        return {TRAY: Heap.of(self._due(state))} if self.phase(state) == "flip" else {}

    def toss_action(self, state: CoinAgeState, seen: Mapping[str, tuple[Coin, ...]]) -> CoinAgeAction:
        return Toss(seen.get(TRAY, ()))

    def imaginable_actions(self, state: CoinAgeState) -> Iterator[CoinAgeAction]:
        """The legal actions, then every way one person might misplace one coin or stack, also before the toss."""
        if self.phase(state) == "over":
            return
        legal = list(self.legal_actions(state))
        yield from legal
        known = set(legal)
        yield from (action for action in self._slips(state) if action not in known)

    def imagined_layout(self, state: CoinAgeState, action: CoinAgeAction) -> Layout:
        return self.layout(self._carry_out(state, action))

    def _slips(self, state: CoinAgeState) -> Iterator[CoinAgeAction]:
        ids = [space.id for space in state.board.spaces]
        for kind in self._due(state):
            for space in ids:
                yield Place(kind, space)
                yield PlaceTurned(kind, space)
            yield Pay(kind)
        for source, stack in zip(ids, state.stacks, strict=True):
            if stack:
                yield Capture(source)
                yield from (Move(source, target) for target in ids if target != source)
            if len(stack) > 1:
                yield from (Split(source, target) for target in ids if target != source)

    # -- words --------------------------------------------------------------------------------------------------------

    def prompt(self, state: CoinAgeState) -> Message:
        outcome = self.outcome(state)
        if outcome:
            return outcome.reason
        if state.flip is None:
            first = state == self.start(state.options)
            key = f"coin-age.prompt.first.{state.options.sides}" if first else "coin-age.prompt.flip"
            return Message(key, {"seat": state.mover.value, "coins": Heap.of(self._due(state))})
        may = msgspec.structs.asdict(state.allowed)
        parts = tuple(Message(f"coin-age.may.{what}", {"count": count}) for what, count in may.items() if count)
        key = "coin-age.prompt.turn" if parts else "coin-age.prompt.done"
        return Message(key, {"seat": state.mover.value, "matches": state.matches, "may": parts})

    def advise(self, state: CoinAgeState, action: CoinAgeAction) -> Message:
        facts = {field: getattr(action, field) for field in action.__struct_fields__}
        return Message(f"coin-age.advise.{type(action).__struct_config__.tag}", facts)

    # -- JSON ---------------------------------------------------------------------------------------------------------

    def read_options(self, raw: object) -> CoinAgeOptions:
        """As every game; and `random` without a seed is given one here, so that the game can be replayed."""
        options = super().read_options(raw)
        if options.map == maps.RANDOM and options.seed is None:
            return replace(options, seed=secrets.randbelow(1_000_000))
        return options

    def stored(self, state: CoinAgeState) -> dict[str, Any]:
        spaces = zip(state.board.spaces, state.stacks, strict=True)
        banks = {side.value: state.bank(side) for side in Face}
        return {
            "options": msgspec.to_builtins(state.options),
            "mover": state.mover.value,
            "spaces": {space.id: [coin.value for coin in stack] for space, stack in spaces},
            "banks": msgspec.to_builtins(banks),
            "flip": msgspec.to_builtins(state.flip),
            "turn": msgspec.to_builtins(state.turn),
        }

    def derived(self, state: CoinAgeState) -> Mapping[str, object]:
        counted = state.tally
        over = self._ended(state)
        return {
            "map": state.board.name,
            "legend": {
                region.id: {
                    "name": region.name,
                    "color": region.color,
                    "spaces": [space.id for space in state.board.within(region.id)],
                }
                for region in state.board.regions
            },
            "matches": state.matches,
            "allowed": Allowed() if over else state.allowed,
            "regions": counted.regions,
            "score": counted.score,
        }

    def read_state(self, raw: object) -> CoinAgeState:
        """A state from the JSON of `write_state`, also one a person has edited; InputError when it is impossible."""
        try:
            written = msgspec.convert(raw, Written)
        except msgspec.ValidationError as error:
            raise self.unusable("state", plain(error, raw, Written)) from None
        self.check_options(written.options)
        if wrong := fault(written):
            raise self.unusable("state", wrong)
        stacks = tuple(written.spaces.get(space.id, ()) for space in written.options.board.spaces)
        banks = (written.bank(Face.HEADS), written.bank(Face.TAILS))
        flip = written.flip and tuple(sorted(written.flip, key=_by_value))
        return CoinAgeState(written.options, written.mover, stacks, banks, flip, written.turn)


def _by_value(coin: Coin) -> int:
    return BY_VALUE.index(coin.denomination)


def _banks(state: CoinAgeState, side: Face, bank: Heap) -> tuple[Heap, Heap]:
    return (bank, state.banks[1]) if side is Face.HEADS else (state.banks[0], bank)


GAME = CoinAge()
