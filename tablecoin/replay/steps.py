"""A game's record as a Replay: what happened at each line in every language, and what lay on the table after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from tablecoin import mat as mats
from tablecoin.analysis.line import HEADER, Line, read_ended
from tablecoin.analysis.report import said
from tablecoin.coins import Coin, Denomination, Face, Heap
from tablecoin.journal.record import Entry, Record, RecordError, Step
from tablecoin.journal.record import replay as played
from tablecoin.mat import Mat, MatError
from tablecoin.referee.events import TimeControl
from tablecoin.referee.match import outcome_of
from tablecoin.referee.voice import seat_name
from tablecoin.replay.places import Place, places
from tablecoin.replay.remarks import remark
from tablecoin.rules import load
from tablecoin.rules.game import Game, IllegalAction, Outcome, Pile, RulesError, Seat, State
from tablecoin.rules.rulebook import LANGUAGES, Message, clause_of, texts

Texts = Mapping[str, str]  # language -> the sentence in it
Laid = Mapping[str, tuple[str, ...]]  # zone -> its coins, "penny:heads"; "penny:any" where faces do not matter
Kind = Literal["start", "toss", "act", "refused", "undo", "correct", "hint", "note"]
Measure = Literal["cents", "points", "twelfths", "coins"]

_LONGEST = 400  # letters of a text that only the record has
_MEASURES: Mapping[str, Measure] = {"totals": "cents", "score": "points", "characters": "twelfths", "banks": "coins"}
_EVENTS: Mapping[str, Kind] = {"undo": "undo", "correct": "correct", "hint": "hint"}
_TRAYS = {"coins": "tray", "character": "hero", "scene": "scene"}  # field of a toss -> the zone its coins fell in


class ReplayClause(msgspec.Struct, frozen=True):
    """A clause that somebody broke in the game."""

    number: str
    texts: Texts


class ReplayStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one line of the record did."""

    line: int  # of the record; 1 is its header, the start of the game
    kind: Kind
    said: Texts
    table: int  # what lies on the table after it: an index into `tables`
    standing: Mapping[Seat, float]  # what each seat has after it, in the game's measure
    seat: Seat | None = None
    at: str | None = None  # when it was written down: ISO 8601, UTC
    by: str | None = None
    clause: str | None = None  # the clause that a refused act broke
    tossed: tuple[Coin, ...] = ()  # the coins of a toss
    undone: bool = False  # it was taken back later
    evidence: int | None = None  # the number to ask GET /api/evidence for


class ReplayOutcome(msgspec.Struct, frozen=True):
    """How the game ended."""

    winners: tuple[Seat, ...]
    said: Texts


class Replay(msgspec.Struct, frozen=True):
    """One game, step by step."""

    game: str
    title: Texts
    seats: Mapping[Seat, str]  # who played there: "person" or "computer"
    names: Mapping[Seat, str]  # what the people called themselves, where they said it
    begun: str | None  # ISO 8601, UTC
    outcome: ReplayOutcome | None  # None: it was broken off
    clock: TimeControl | None  # the chess clock it was played with; None: none
    measure: Measure | None
    mat: Mat
    places: Mapping[str, tuple[Place, ...]]  # zone -> where its first, second... coin is drawn, mm
    tables: tuple[Laid, ...]
    steps: tuple[ReplayStep, ...]
    clauses: Mapping[str, ReplayClause]  # of the refusals
    verified: bool = True  # False: damage to the journal may have altered the game


def replay_of(record: Record, evidence: Sequence[int | None] = ()) -> Replay:
    """The record told step by step. `evidence`: for each entry the number that its pictures were kept under.

    Raises RecordError where the record departs from the rules, or its mat is not known here.
    """
    lines = list(played(record))
    game: Game[Any, Any, Any] = load(record.game)
    teller = _Teller(game, lines[0])
    numbers = [*evidence, *[None] * len(record.entries)]
    for k, (entry, number) in enumerate(zip(record.entries, numbers, strict=False), 1):
        if entry.event not in ("end", "fell") and (entry.event != "clock" or entry.extra.get("over")):
            teller.tell(entry, lines[k - 1].state, msgspec.structs.replace(lines[k], line=k + HEADER), number)
    outcome = _ended(record) or game.outcome(lines[-1].state)
    mat = _mat(game, record)
    return Replay(
        game=game.name,
        title=dict(game.title),
        seats=_words(record.extra.get("seats")),
        names=_words(record.extra.get("names")),
        begun=_word(record.extra.get("t")),
        outcome=ReplayOutcome(outcome.winners, texts(outcome.reason)) if outcome else None,
        clock=_clock(record),
        measure=next((_MEASURES[key] for key in _MEASURES if key in teller.shown(lines[-1].state)), None),
        mat=mat,
        places=_places(mat, teller.tables),
        tables=tuple(teller.tables),
        steps=tuple(teller.steps),
        clauses=teller.clauses,
        verified=record.extra.get("verified") is not False,
    )


def better_acts(record: Record, best: Mapping[int, Mapping[str, Any]]) -> dict[int, Texts]:
    """The action `best[line]` in words, said of the state before that line. What is no action there is left out.

    Raises RecordError where the record departs from the rules.
    """
    lines = list(played(record))
    game: Game[Any, Any, Any] = load(record.game)
    found: dict[int, Texts] = {}
    for line, before in enumerate(lines, HEADER + 1):  # a step is the state before the next line
        try:
            if line in best:
                found[line] = texts(said(Line(game, before.state, ()), before.state, game.read_action(best[line])))
        except RulesError:
            continue
    return found


class _Teller:
    """Tells one line after the other."""

    def __init__(self, game: Game[Any, Any, Any], start: Step) -> None:
        self._game, self._line = game, Line(game, start.state, ())
        self._known: dict[bytes, int] = {}  # a table as JSON -> its index
        self._standing: list[int] = []  # the steps whose acts stand, oldest first
        self.tables: list[Laid] = []
        self.clauses: dict[str, ReplayClause] = {}
        self.steps = [
            ReplayStep(
                line=HEADER,
                kind="start",
                said=texts(game.prompt(start.state)),
                table=self._table(start.state, {}),
                standing=self._measured(start.state),
            )
        ]

    def shown(self, state: State) -> dict[str, Any]:
        """The state as everybody may see it."""
        return self._game.public(state, None)

    def tell(self, entry: Entry, before: State, line: Step, evidence: int | None) -> None:
        """Add the step of one line of the record."""
        fell = self._fell(entry) if line.ok else {}
        kind = self._kind(entry, line)
        if kind == "undo":
            undone = self._standing.pop()
            self.steps[undone] = msgspec.structs.replace(self.steps[undone], undone=True)
        if kind in ("act", "toss"):
            self._standing.append(len(self.steps))
        if line.clause and (clause := clause_of(line.clause)):
            self.clauses[line.clause] = ReplayClause(clause.number, dict(clause.texts))
        step = ReplayStep(
            line=line.line,
            kind=kind,
            said=self._said(entry, before, line),
            table=self._table(line.state, fell),
            standing=self._measured(line.state),
            seat=_word(entry.extra.get("seat")) or self._actor(entry, before),
            at=_word(entry.extra.get("t")),
            by=_word(entry.extra.get("by")),
            clause=line.clause,
            tossed=tuple(Coin(coin) for coins in fell.values() for coin in coins),
            undone=False,
            evidence=evidence,
        )
        self.steps.append(step)

    def _kind(self, entry: Entry, line: Step) -> Kind:
        if not line.ok:
            return "refused"
        if entry.action is not None:
            return "toss" if entry.action.get("do") == "flip" else "act"
        return _EVENTS.get(entry.event or "", "note")

    def _said(self, entry: Entry, before: State, line: Step) -> Texts:
        if entry.action is not None and line.ok:
            return texts(said(self._line, before, self._game.read_action(entry.action)))
        if entry.action is not None:
            return self._refusal(entry, before) or _everywhere(line.said)
        if entry.event == "undo":
            return texts(Message("replay.undone"))
        if entry.event == "correct":
            return texts(_corrected(entry.extra))
        if entry.event == "ended" and (outcome := _outcome(entry.extra)):
            return texts(outcome.reason)
        if entry.event == "clock":
            return texts(Message("replay.time_over", {"seat": seat_name(_word(entry.extra.get("over")) or "")}))
        if entry.event == "hint":
            return texts(self._hint(entry, before))
        if said_beside := remark(entry):
            return texts(said_beside)
        return _everywhere(_word(entry.extra.get("why")) or _word(entry.extra.get("said")) or f"({entry.event})")

    def _refusal(self, entry: Entry, before: State) -> Texts | None:
        """Why the rules refuse the act; None where the referee alone refused it."""
        try:
            state = before
            for earlier in entry.after:
                state = self._game.apply(state, self._game.read_action(earlier))
            self._game.apply(state, self._game.read_action(entry.action))
        except IllegalAction as illegal:
            return texts(illegal.message) if entry.clause in (None, illegal.clause) else None
        except RulesError:
            return None
        return None

    def _hint(self, entry: Entry, before: State) -> Message:
        """What the computer advised; of a sealed act the record has only its kind."""
        try:
            advised = self._game.read_action(entry.extra.get("advised"))
            return Message("replay.hint", {"act": said(self._line, before, advised)})
        except RulesError:
            return Message("replay.hint.sealed")

    def _actor(self, entry: Entry, before: State) -> Seat | None:
        try:
            return self._game.actor(before, self._game.read_action(entry.action)) if entry.action is not None else None
        except RulesError:
            return None

    def _fell(self, entry: Entry) -> Laid:
        """The coins of a toss by the zones that they fell in."""
        if entry.action is None or entry.action.get("do") != "flip":
            return {}
        return {zone: tuple(entry.action[field]) for field, zone in _TRAYS.items() if entry.action.get(field)}

    def _table(self, state: State, fell: Laid) -> int:
        """The number of the table of this state. Where the game judges no zone, only the coins of a toss are shown."""
        stacks = self._game.stacks(state)
        laid = {zone: pile.listed(stacks.get(zone, ())) for zone, pile in self._game.layout(state).items()}
        if laid:
            laid = {**self._banks(state), **laid}
        table: Laid = {zone: coins for zone, coins in (laid or fell).items() if coins}
        key = msgspec.json.encode(table)
        if key not in self._known:
            self._known[key] = len(self.tables)
            self.tables.append(table)
        return self._known[key]

    def _banks(self, state: State) -> Laid:
        """The coins in each player's bank; while a toss is due the layout leaves the mover's out."""
        banks = self.shown(state).get("banks")
        heaps = {seat: heap for seat, heap in (banks or {}).items() if isinstance(heap, Mapping)}
        return {f"bank.{seat}": Pile(msgspec.convert(heap, Heap)).listed() for seat, heap in heaps.items()}

    def _measured(self, state: State) -> dict[Seat, float]:
        shown = self.shown(state)
        for key in _MEASURES:
            if isinstance(has := shown.get(key), Mapping):
                amounts = {seat: one.get("twelfths") if isinstance(one, Mapping) else one for seat, one in has.items()}
                return {str(seat): one for seat, one in amounts.items() if isinstance(one, int | float)}
        return {}


def _places(mat: Mat, tables: Sequence[Laid]) -> dict[str, tuple[Place, ...]]:
    """Room for the most coins that each zone ever held."""
    most: dict[str, int] = {}
    for table in tables:
        for zone, coins in table.items():
            most[zone] = max(most.get(zone, 0), len(coins))
    return {zone.name: places(zone, most[zone.name]) for zone in mat.zones if zone.name in most}


def _ended(record: Record) -> Outcome | None:
    """How people ended the game before its rules did; None: they did not."""
    told = next((entry.extra for entry in record.entries if entry.event == "ended"), None)
    return None if told is None else _outcome(told)


def _outcome(told: Mapping[str, Any]) -> Outcome | None:
    ended = read_ended(told)
    return outcome_of(ended) if ended else None


def _clock(record: Record) -> TimeControl | None:
    try:
        return msgspec.convert(record.extra.get("clock"), TimeControl | None)
    except msgspec.ValidationError:
        return None


def _mat(game: Game[Any, Any, Any], record: Record) -> Mat:
    try:
        return mats.load(game.mat(game.read_options(record.options)))
    except MatError as error:
        raise RecordError(1, str(error)) from None


def _corrected(told: Mapping[str, Any]) -> Message:
    """What a person said that a coin is."""
    try:
        kind = msgspec.convert(told.get("denomination"), Denomination | None)
        face = msgspec.convert(told.get("face"), Face | None)
    except msgspec.ValidationError:
        kind = face = None
    if kind is None:
        return Message("replay.no_coin")
    return Message("replay.coin", {"coin": Coin.of(kind, face) if face else kind})


def _everywhere(text: str) -> Texts:
    """A text that only the record has: the same in every language."""
    return dict.fromkeys(LANGUAGES, text[:_LONGEST])


def _words(given: object) -> dict[str, str]:
    """The texts of an object in the record's header; what is no text is left out."""
    every = given.items() if isinstance(given, Mapping) else ()
    return {str(key)[:_LONGEST]: word for key, value in every if (word := _word(value)) is not None}


def _word(given: object) -> str | None:
    return given[:_LONGEST] if isinstance(given, str) else None
