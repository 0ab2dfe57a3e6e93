"""What a game is: the one contract behind which all five games stand.

A game is pure: no clock, no camera, no I/O, and no chance once its options are read. A toss is an input: an action
whose coins somebody saw. States, actions and options are frozen msgspec structs, so they compare, hash and go to JSON
and back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar, cast

import msgspec

from tablecoin.coins import BY_VALUE, Coin, Face, Heap
from tablecoin.rules.plain import plain
from tablecoin.rules.rulebook import Complaint, Message, sentence

Seat = str
TABLE: Seat = "table"  # who acts when a toss is due: chance, seen by the camera
ANYONE: Seat = "anyone"  # who may still join where players bring their own names


class RulesError(Complaint, ValueError):
    """A rules input was not acceptable; `str()` is one plain sentence."""


class InputError(RulesError):
    """Not an action, state or options of this game at all (clause "input"). The sentence says what was expected."""


class IllegalAction(RulesError):
    """An action of this game that its rules do not allow now. `message.key` is the clause it breaks.

    The sentence a player reads is the clause's `why` in the rulebook, filled with the facts given here.
    """

    def __init__(self, clause: str, **facts: object) -> None:
        super().__init__(Message(clause, facts))

    @property
    def clause(self) -> str:
        return self.message.key

    def why(self, language: str = "en") -> str:
        return sentence(self.message, language)


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """One thing a player does, or one chance result. Subclasses set `tag` and use plain typed fields."""

    ends_turn: ClassVar[bool] = False  # what pressing DONE may mean: such an action has no fields and moves no coin


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House rules. Each field has a default and `Annotated[..., Meta(description="one sentence")]`."""


class State(msgspec.Struct, frozen=True):
    """Where a game stands. Stores only what cannot be derived; `Game.write_state` adds the derived keys."""


class Outcome(msgspec.Struct, frozen=True):
    """How a finished game ended. Several winners share; none means nobody won."""

    winners: tuple[Seat, ...]
    reason: Message


class Pile(msgspec.Struct, frozen=True):
    """What one zone of the mat must hold.

    `heap` counts the coins; `heads` counts those of them that must lie heads up, or is None when faces do not matter.
    `rises`: people are reminded to lay the coins in the order of their values; a table is right without that.
    """

    heap: Heap = Heap()
    heads: Heap | None = None
    rises: bool = False

    @classmethod
    def of(cls, coins: Iterable[Coin]) -> Pile:
        """The pile of exactly these coins, faces mattering."""
        seen = list(coins)
        return cls(Heap.of(c.denomination for c in seen), Heap.of(c.denomination for c in seen if c.face == "heads"))

    def listed(self, stack: Sequence[Coin] = ()) -> tuple[str, ...]:
        """Its coins one by one, as drawings name them: "dime:heads", or "dime:any" where faces do not matter.

        `stack`: the coins of a stack from the bottom to the top, of which the pile is only the top one. Other coins
        come with the most valuable first.
        """
        if len(stack) > 1:
            return tuple(f"{coin}" for coin in stack)
        heads, kinds = self.heads, tuple(reversed(BY_VALUE))
        if heads is None:
            return tuple(f"{kind}:any" for kind in kinds for _ in range(self.heap[kind]))
        return tuple(
            f"{Coin.of(kind, face)}"
            for kind in kinds
            for face, count in ((Face.HEADS, heads[kind]), (Face.TAILS, self.heap[kind] - heads[kind]))
            for _ in range(count)
        )


Layout = Mapping[str, Pile]  # zone name -> what must lie there; zones not named are not judged

S = TypeVar("S", bound=State)
A = TypeVar("A", bound=Action)
O = TypeVar("O", bound=Options)  # noqa: E741 - the options' type, beside S and A


class Game(ABC, Generic[S, A, O]):
    """The contract. Seats, zones and coins are named as in the public JSON; see the conformance test for its laws."""

    name: ClassVar[str]
    title: ClassVar[Mapping[str, str]]  # language -> the game's name for people
    options_type: ClassVar[type[Options]]
    state_type: ClassVar[type[State]]
    action_types: ClassVar[tuple[type[Action], ...]]
    together: ClassVar[bool] = False  # the players do not play against each other
    sealed: ClassVar[tuple[type[Action], ...]] = ()  # actions whose content only their own seat may know...
    early: ClassVar[tuple[type[Action], ...]] = ()  # actions that people may do too early in a lawful turn
    unsealing: ClassVar[tuple[type[Action], ...]] = ()  # ...until one of these opens them

    # -- play ---------------------------------------------------------------------------------------------------------

    @abstractmethod
    def check_options(self, options: O) -> None:
        """Raise InputError when options contradict each other or this game cannot be played with them."""

    @abstractmethod
    def start(self, options: O) -> S:
        """The first state of a game with these (already checked) options."""

    @abstractmethod
    def phase(self, state: S) -> str:
        """One word for what the game waits for, e.g. "turn" or "flip"; "over" at the end."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats the game waits for; ("table",) when chance is due; () when the game is over."""

    @abstractmethod
    def legal_actions(self, state: S) -> Iterator[A]:
        """Every action `apply` accepts now, each once, in a fixed order. Tosses: one for each distinct result."""

    @abstractmethod
    def apply(self, state: S, action: A) -> S:
        """The state after `action`. Raises IllegalAction naming the clause; `state` never changes."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """None while the game goes on."""

    def seats(self, options: O) -> tuple[Seat, ...]:
        """The seats at the table; () where players bring their own names."""
        return ("heads", "tails")

    def may_act(self, state: S) -> tuple[Seat, ...]:
        """Everybody who has a legal action: `to_act`, and those who may act though nobody waits for them."""
        return self.to_act(state)

    def actor(self, state: S, action: A) -> Seat:
        """Whose action this is: its `seat` or `name` field where it has one, else the first seat to act."""
        named = getattr(action, "seat", None) or getattr(action, "name", None)
        return str(named) if named else next(iter(self.to_act(state)), TABLE)

    def newcomer(self, action: A) -> Seat | None:
        """Whom this action brings to the table, where players bring their own names; None: nobody."""
        return None

    def limit_s(self, state: S) -> float | None:
        """How many seconds the seats to act have for the choice now due; None for as long as they like."""
        return None

    def timed(self, state: S) -> object:
        """A value that stays equal while the same clock runs on."""
        return self.to_act(state)

    def on_timeout(self, state: S, seat: Seat) -> A:
        """What the referee chooses for a seat whose time is over. Raises LookupError where no choice has a limit."""
        raise LookupError(f"{self.name} has no time limit")

    # -- the table ----------------------------------------------------------------------------------------------------

    @abstractmethod
    def mat(self, options: O) -> str:
        """The name of the mat this game is played on (tablecoin.mat.load)."""

    @abstractmethod
    def layout(self, state: S) -> Layout:
        """What the mat must show in this state."""

    def stacks(self, state: S) -> Mapping[str, tuple[Coin, ...]]:
        """Zone -> its coins from the bottom to the top, for zones of `layout` that name only the coin on top."""
        return {}

    def untossed(self, state: S) -> Layout:
        """Zones that `layout` leaves open, because the coins of the toss that is due may be in a hand, as they lie
        while nobody has taken those coins up."""
        return {}

    def tosses_due(self, state: S) -> Mapping[str, Heap]:
        """Zone -> the coins that must be tossed there now; empty when no toss is due."""
        return {}

    def toss_action(self, state: S, seen: Mapping[str, tuple[Coin, ...]]) -> A:
        """The toss for the coins seen in each zone of `tosses_due`."""
        raise IllegalAction("input", problem=Message("input.toss"))

    def imaginable_actions(self, state: S) -> Iterator[A]:
        """What people at a table might do by mistake: a superset of the legal actions, each of this game's types."""
        yield from self.legal_actions(state)

    def imagined_layout(self, state: S, action: A) -> Layout:
        """What the mat would show if `action`, legal or not, had been carried out with real coins."""
        return self.layout(self.apply(state, action))

    def misplaced(self, state: S, was: Layout, seen: Mapping[str, Heap]) -> IllegalAction | None:
        """The clause broken where coins lie as no action explains.

        `was` is the last layout that the table showed correctly, `seen` what lies in each zone of the layout now. None
        where no clause of this game is broken, or where people may still be on their way to a correct table.
        """
        return None

    # -- words --------------------------------------------------------------------------------------------------------

    @abstractmethod
    def prompt(self, state: S) -> Message:
        """What the player to act should do, as a rulebook message."""

    def tell(self, state: S, action: A) -> Message:
        """What `action` in `state` was, as a rulebook message: `steal.did.place` with the action's own fields."""
        do = str(type(action).__struct_config__.tag)
        facts = {"seat": self.actor(state, action)} | {k: getattr(action, k) for k in action.__struct_fields__}
        return Message(f"{self.name}.did.{do}", facts)

    def offer(self, state: S, action: A) -> Message:
        """The words on a button that does `action`: by default those of `tell`."""
        return self.tell(state, action)

    def advise(self, state: S, action: A) -> Message:
        """The words of a hint to do `action`: a part of a sentence such as "place a dime", else those of `offer`."""
        return self.offer(state, action)

    # -- JSON ---------------------------------------------------------------------------------------------------------

    def unusable(self, what: str, problem: Message | str) -> InputError:
        """The error that these `options`, this `action` or this `state` cannot be used.

        A text instead of a message is English: it is about a state, which programs write and no page reads.
        """
        return InputError(Message(f"input.{what}", {"game": {**self.title, "en": self.name}, "problem": problem}))

    def read_options(self, raw: object) -> O:
        """Options from a JSON object; missing ones take their defaults. Raises InputError."""
        try:
            options = msgspec.convert({} if raw is None else raw, self.options_type)
        except msgspec.ValidationError as error:
            raise self.unusable("options", plain(error, raw, self.options_type)) from None
        self.check_options(cast(O, options))
        return cast(O, options)

    def read_action(self, raw: object) -> A:
        """An action from a JSON object. Raises InputError: not an object, unknown `do`, unknown or wrong fields."""
        union: Any = self.action_types[0]
        for kind in self.action_types[1:]:
            union = union | kind
        known = ", ".join(str(kind.__struct_config__.tag) for kind in self.action_types)
        if isinstance(raw, Mapping) and "do" not in raw:  # msgspec asks for it only where there are several types
            raise self.unusable("action", Message("input.action.kinds", {"known": known}))
        try:
            return cast(A, msgspec.convert(raw, union))
        except msgspec.ValidationError as error:
            unknown = Message("input.action.kinds", {"known": known})
            problem = unknown if "`$.do`" in str(error) else plain(error, raw, union)
            raise self.unusable("action", problem) from None

    def write_action(self, action: A) -> dict[str, Any]:
        return cast(dict[str, Any], msgspec.to_builtins(action))

    def write_shown(self, action: A) -> dict[str, Any]:
        """The action as everybody may see it: of a sealed one only what kind it is and whose."""
        written = self.write_action(action)
        return {k: v for k, v in written.items() if k in ("do", "seat", "name")} if self.seals(action) else written

    def seals(self, action: A) -> bool:
        """Whether the content of this action is its own seat's secret."""
        return isinstance(action, self.sealed)

    def read_state(self, raw: object) -> S:
        """A state from the JSON `write_state` gave; derived keys are worked out again. Raises InputError."""
        try:
            return cast(S, msgspec.convert(raw, self.state_type))
        except msgspec.ValidationError as error:
            raise self.unusable("state", plain(error, raw, self.state_type)) from None

    def write_state(self, state: S) -> dict[str, Any]:
        """The state as JSON, with `game`, `phase`, `to_act`, `outcome` and this game's derived keys added."""
        outcome = self.outcome(state)
        return {
            "game": self.name,
            "phase": self.phase(state),
            "to_act": list(self.to_act(state)),
            "outcome": outcome and {"winners": list(outcome.winners), "why": sentence(outcome.reason)},
            **self.stored(state),
            **cast(dict[str, Any], msgspec.to_builtins(self.derived(state))),
        }

    def stored(self, state: S) -> dict[str, Any]:
        """The keys of `write_state` that `read_state` takes back; overridden where JSON and fields differ."""
        return cast(dict[str, Any], msgspec.to_builtins(state))

    def derived(self, state: S) -> Mapping[str, object]:
        """Keys the public state shows that follow from the stored ones (totals, scores, coins due…)."""
        return {}

    def public(self, state: S, seat: Seat | None) -> dict[str, Any]:
        """The state as JSON with only what `seat` may see; None is a spectator. Most games hide nothing."""
        return self.write_state(state)
