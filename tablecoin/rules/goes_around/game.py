"""What Goes Around Comes Around: two to nine banks, nine rounds, everybody chooses in secret and at once.

Each round every living player steals, protects or passes; each action may be used three times. One unit of money is
one penny, so the mat shows every bank, and a sink for the money that leaves the game. Choices are sealed: `write_state`
and `public` name only who has chosen, so from a printed state of a round under way everybody chooses again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

import msgspec

from tablecoin.coins import Heap
from tablecoin.rules.game import (
    TABLE,
    Action,
    Game,
    IllegalAction,
    Layout,
    Outcome,
    Pile,
    Seat,
    State,
)
from tablecoin.rules.goes_around.pennies import misplaced
from tablecoin.rules.goes_around.round import USES, Act, Choice, Deed, GoesAroundOptions, Used, settle
from tablecoin.rules.plain import plain
from tablecoin.rules.rulebook import Message


class Player(msgspec.Struct, frozen=True):
    """One seat: its bank in pennies, uses, sealed choice, and its deed of the last round."""

    bank: int
    used: Used = Used()
    alive: bool = True
    choice: Choice | None = None
    last: Deed | None = None


class GoesAroundState(State, frozen=True):
    """Seat k is `players[k - 1]`. `round` counts from 1 and stays at the last one played; then `finished`."""

    options: GoesAroundOptions
    players: tuple[Player, ...]
    round: int = 1
    left_game: int = 0
    finished: bool = False

    def player(self, seat: Seat) -> Player:
        return self.players[int(seat) - 1]

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(str(k + 1) for k in range(len(self.players)))

    @property
    def alive(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, player in zip(self.seats, self.players, strict=True) if player.alive)

    @property
    def undecided(self) -> tuple[Seat, ...]:
        """Living players who have not chosen yet this round."""
        return tuple(seat for seat in self.alive if self.player(seat).choice is None)


class Commit(Action, frozen=True, tag="commit"):
    """A player's sealed choice for this round."""

    seat: Seat
    action: Act
    target: Seat | None = None
    amount: int | None = None


class Reveal(Action, frozen=True, tag="reveal"):
    """All choices are opened and settled at once."""

    ends_turn = True


class GoesAround(Game[GoesAroundState, Commit | Reveal, GoesAroundOptions]):
    """The rules. Seats are "1" to "9"."""

    name: ClassVar[str] = "goes-around"
    title: ClassVar[Mapping[str, str]] = {"en": "What Goes Around Comes Around", "zh": "因果循环"}
    options_type = GoesAroundOptions
    state_type = GoesAroundState
    action_types = (Commit, Reveal)
    sealed = (Commit,)
    unsealing = (Reveal,)

    # -- play ---------------------------------------------------------------------------------------------------------

    def check_options(self, options: GoesAroundOptions) -> None:
        """Every field's range says all there is to check."""

    def start(self, options: GoesAroundOptions) -> GoesAroundState:
        return GoesAroundState(options, (Player(options.start),) * options.players)

    def seats(self, options: GoesAroundOptions) -> tuple[Seat, ...]:
        return tuple(str(k) for k in range(1, options.players + 1))

    def phase(self, state: GoesAroundState) -> str:
        if state.finished or len(state.alive) <= 1:
            return "over"
        return "commit" if state.undecided else "reveal"

    def to_act(self, state: GoesAroundState) -> tuple[Seat, ...]:
        match self.phase(state):
            case "over":
                return ()
            case "commit":
                return state.undecided
            case _:
                return (TABLE,)

    def legal_actions(self, state: GoesAroundState) -> Iterator[Commit | Reveal]:
        if self.phase(state) == "reveal":
            yield Reveal()
        elif self.phase(state) == "commit":
            for seat in state.undecided:
                yield from self.choices(state, seat)

    def choices(self, state: GoesAroundState, seat: Seat) -> Iterator[Commit]:
        """Every choice open to one seat: passing, protecting, then steals by target and amount."""
        used = state.player(seat).used
        if used.left("pass") or self._stuck(state, seat):
            yield Commit(seat, "pass")
        if used.left("protect"):
            yield Commit(seat, "protect")
        if used.left("steal"):
            for target in state.alive:
                if target != seat:
                    for amount in range(1, self._most(state, seat, target) + 1):
                        yield Commit(seat, "steal", target, amount)

    def limit_s(self, state: GoesAroundState) -> float | None:
        return (state.options.timeout or None) if self.phase(state) == "commit" else None

    def timed(self, state: GoesAroundState) -> object:
        return state.round

    def on_timeout(self, state: GoesAroundState, seat: Seat) -> Commit:
        """What the referee chooses for a player who has not: pass, else protect, else the lowest legal steal."""
        return next(self.choices(state, seat))

    def apply(self, state: GoesAroundState, action: Commit | Reveal) -> GoesAroundState:
        if self.phase(state) == "over":
            raise IllegalAction("over")
        if isinstance(action, Reveal):
            return self._reveal(state)
        self._check(state, action)
        steals = action.action == "steal"
        choice = Choice(action.action, action.target if steals else None, action.amount if steals else None)
        return self._with(state, action.seat, msgspec.structs.replace(state.player(action.seat), choice=choice))

    def outcome(self, state: GoesAroundState) -> Outcome | None:
        alive = state.alive
        if not alive:
            return Outcome((), Message("goes-around.end.none"))
        if len(alive) == 1:
            return Outcome(
                alive, Message("goes-around.end.last", {"seat": alive[0], "bank": self._bank(state, alive[0])})
            )
        if not state.finished:
            return None
        most = max(self._bank(state, seat) for seat in alive)
        best = tuple(seat for seat in alive if self._bank(state, seat) == most)
        if len(best) == 1:
            return Outcome(best, Message("goes-around.end.biggest", {"seat": best[0], "bank": most}))
        if state.options.tie == "nobody":
            return Outcome((), Message("goes-around.end.equal", {"seats": best, "bank": most}))
        return Outcome(best, Message("goes-around.end.shared", {"seats": best, "bank": most}))

    def _check(self, state: GoesAroundState, action: Commit) -> None:
        """Raise IllegalAction unless `action` may be committed now."""
        seat, target, amount = action.seat, action.target, action.amount
        if seat not in state.seats:
            raise IllegalAction("input", problem=f"There is no seat {seat!r}: seats are 1 to {len(state.players)}.")
        player = state.player(seat)
        if not player.alive:
            raise IllegalAction("goes-around.commit.alive", seat=seat)
        if player.choice is not None:
            raise IllegalAction("goes-around.commit.once", seat=seat)
        if not player.used.left(action.action) and not (action.action == "pass" and self._stuck(state, seat)):
            raise IllegalAction("goes-around.commit.uses", seat=seat, action=_say_act(action.action), uses=USES)
        if action.action != "steal":
            if target is not None or amount:
                raise IllegalAction("goes-around.commit.plain")
            return
        if target is None or amount is None:
            raise IllegalAction("input", problem="A steal needs a target and an amount.")
        if target not in state.seats:
            raise IllegalAction("input", problem=f"There is no seat {target!r}: seats are 1 to {len(state.players)}.")
        if target == seat:
            raise IllegalAction("goes-around.steal.self", seat=seat)
        if not state.player(target).alive:
            raise IllegalAction("goes-around.steal.alive", target=target)
        if not 1 <= amount <= self._bank(state, target):
            raise IllegalAction(
                "goes-around.steal.amount", target=target, bank=self._bank(state, target), amount=amount
            )
        if amount > self._most(state, seat, target):
            raise IllegalAction("goes-around.steal.stake", seat=seat, bank=player.bank, amount=amount)

    def _reveal(self, state: GoesAroundState) -> GoesAroundState:
        if state.undecided:
            raise IllegalAction("goes-around.reveal.all", seats=state.undecided)
        deeds = settle([p.bank for p in state.players], [p.choice for p in state.players], state.options)
        players, left = [], state.left_game
        for player, deed in zip(state.players, deeds, strict=True):
            if deed is None:
                players.append(msgspec.structs.replace(player, last=None))
                continue
            cash = player.bank - deed.paid + deed.gained - deed.penalty
            left += deed.penalty + (cash if deed.out else 0)
            used = player.used.plus(deed.action)
            players.append(Player(0 if deed.out else cash, used, alive=deed.out is None, last=deed))
        ended = state.round >= state.options.rounds or sum(p.alive for p in players) <= 1
        return GoesAroundState(state.options, tuple(players), state.round + (not ended), left, ended)

    def _stuck(self, state: GoesAroundState, seat: Seat) -> bool:
        """No counted action is left but stealing, and there is nobody to steal from: the player passes, uncounted."""
        used = state.player(seat).used
        if used.left("pass") or used.left("protect"):
            return False
        return not used.left("steal") or not any(self._most(state, seat, t) for t in state.alive if t != seat)

    def _most(self, state: GoesAroundState, seat: Seat, target: Seat) -> int:
        bank = self._bank(state, target)
        return min(bank, self._bank(state, seat)) if state.options.stake_cap else bank

    def _bank(self, state: GoesAroundState, seat: Seat) -> int:
        return state.player(seat).bank

    def _with(self, state: GoesAroundState, seat: Seat, player: Player) -> GoesAroundState:
        k = int(seat) - 1
        return msgspec.structs.replace(state, players=(*state.players[:k], player, *state.players[k + 1 :]))

    # -- the table ----------------------------------------------------------------------------------------------------

    def mat(self, options: GoesAroundOptions) -> str:
        return "ring"

    def layout(self, state: GoesAroundState) -> Layout:
        """Each bank's pennies, and in the sink those that left the game. Choosing moves no coin."""
        banks = {f"bank.{k}": Pile(Heap(penny=p.bank)) for k, p in enumerate(state.players, 1)}
        return {**banks, "sink": Pile(Heap(penny=state.left_game))}

    def misplaced(self, state: GoesAroundState, was: Layout, seen: Mapping[str, Heap]) -> IllegalAction | None:
        """Pennies that moved though no reveal says so, or were paid wrongly after one."""
        return misplaced(was, self.layout(state), seen, [player.last for player in state.players])

    # -- words --------------------------------------------------------------------------------------------------------

    def prompt(self, state: GoesAroundState) -> Message:
        outcome = self.outcome(state)
        if outcome:
            return outcome.reason
        facts = {"round": state.round, "rounds": state.options.rounds}
        if state.undecided:
            return Message("goes-around.prompt.commit", {**facts, "seats": state.undecided})
        return Message("goes-around.prompt.reveal", facts)

    def tell(self, state: GoesAroundState, action: Commit | Reveal) -> Message:
        """A commit tells only who chose; a reveal tells every transfer, so that people can move the pennies."""
        if isinstance(action, Commit):
            return Message("goes-around.did.commit", {"seat": action.seat})
        told = []
        for seat, player in zip(state.seats, self._reveal(state).players, strict=True):
            if player.last:
                told += list(_told(seat, player.last))
        return Message("goes-around.did.reveal", {"round": state.round, "story": tuple(told)})

    def offer(self, state: GoesAroundState, action: Commit | Reveal) -> Message:
        """The button that opens the choices must not tell them."""
        return Message("goes-around.offer.reveal") if isinstance(action, Reveal) else self.tell(state, action)

    def advise(self, state: GoesAroundState, action: Commit | Reveal) -> Message:
        """The sealed choice itself: only its own seat asks for a hint."""
        if isinstance(action, Reveal):
            return self.offer(state, action)
        return Message(f"goes-around.advise.{action.action}", {"target": action.target, "amount": action.amount})

    # -- JSON ---------------------------------------------------------------------------------------------------------

    def stored(self, state: GoesAroundState) -> dict[str, Any]:
        return {
            "options": msgspec.to_builtins(state.options),
            "round": state.round,
            "finished": state.finished,
            "banks": {seat: self._bank(state, seat) for seat in state.seats},
            "used": {seat: msgspec.to_builtins(state.player(seat).used) for seat in state.seats},
            "alive": list(state.alive),
            "left_game": state.left_game,
            "committed": [seat for seat in state.alive if state.player(seat).choice],
            "last": {
                seat: msgspec.to_builtins(p.last) for seat, p in zip(state.seats, state.players, strict=True) if p.last
            },
        }

    def read_state(self, raw: object) -> GoesAroundState:
        """A state from `write_state`. Sealed choices are not in it: everybody chooses again in that round."""
        try:
            written = msgspec.convert(raw, _Written)
        except msgspec.ValidationError as error:
            raise self.unusable("state", plain(error, raw, _Written)) from None
        return self._restore(written)

    def public(self, state: GoesAroundState, seat: Seat | None) -> dict[str, Any]:
        """What a seat may see: its own sealed choice as `yours`; with hide_history only its own past."""
        shown = self.write_state(state)
        if seat in state.seats:
            shown["yours"] = msgspec.to_builtins(state.player(seat).choice)
        if state.options.hide_history:
            shown["last"] = {who: deed for who, deed in shown["last"].items() if who == seat}
            shown["used"] = {who: used for who, used in shown["used"].items() if who == seat}
        return shown

    def _restore(self, written: _Written) -> GoesAroundState:
        options, banks = written.options, written.banks
        seats = tuple(str(k) for k in range(1, options.players + 1))
        alive = seats if written.alive is None else written.alive
        named = {"used": written.used, "alive": alive, "last": written.last}
        for key, strangers in ((key, sorted(set(who) - set(seats))) for key, who in named.items()):
            if strangers:
                raise self.unusable("state", f"`{key}` names {strangers[0]!r}, which is no seat here")
        if set(banks) != set(seats):
            raise self.unusable("state", f"`banks` must name the seats 1 to {options.players}")
        for seat in seats:
            if seat not in alive and banks[seat]:
                raise self.unusable("state", f"seat {seat} is out, so its bank must be 0")
        if written.round > options.rounds:
            raise self.unusable("state", f"`round` is beyond the {options.rounds} rounds of the game")
        players = tuple(
            Player(banks[s], written.used.get(s, Used()), s in alive, None, written.last.get(s)) for s in seats
        )
        return GoesAroundState(options, players, written.round, written.left_game, written.finished)


class _Written(msgspec.Struct):
    """The JSON of a state; keys that follow from others are left to be worked out again."""

    options: GoesAroundOptions
    banks: dict[Seat, Annotated[int, msgspec.Meta(ge=0, le=100_000)]]
    round: Annotated[int, msgspec.Meta(ge=1)] = 1
    finished: bool = False
    used: dict[Seat, Used] = {}
    alive: tuple[Seat, ...] | None = None
    left_game: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    last: dict[Seat, Deed] = {}


def _told(seat: Seat, deed: Deed) -> Iterator[Message]:
    """What people must see and do for one player's deed."""
    facts: dict[str, object] = {"seat": seat, "target": deed.target, "amount": deed.amount, "penalty": deed.penalty}
    if deed.result:
        yield Message(f"goes-around.told.{deed.result.replace(' ', '-')}", facts)
    else:
        yield Message(f"goes-around.told.{deed.action}", facts)
    if deed.out:
        yield Message(f"goes-around.told.out.{deed.out}", facts)


def _say_act(act: Act) -> Message:
    return Message(f"goes-around.act.{act}")


GAME = GoesAround()
