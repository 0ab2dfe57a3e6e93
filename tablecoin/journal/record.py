"""A game's record: JSON lines that a person can read and compare, and a referee can replay.

The first line is a header. Each further line is a ruling or another event:

    {"game": "steal", "options": {"starter": "heads"}}
    {"action": {"do": "flip", "coins": ["penny:heads", ...]}, "ok": true, "said": "The pennies fell: 3 for Heads, ..."}
    {"action": {"do": "place", "coin": "dime"}, "ok": false, "clause": "steal.place.limit", "why": "A dime is..."}
    {"event": "undo"}
    {"event": "end", "state": {...}}

An action without `ok` was accepted. A refused action may have `after`: the list of lawful actions seen together with
it, none of which stands. `undo` takes back the newest accepted action that still stands. `end` holds the last state; it
may be left out, as may `state` on any line. Other events (a corrected reading, a note) change nothing. A line

    {"event": "correct", "place_mm": [x, y], "denomination": "penny", "face": "heads", "coin": 3,
     "disc_px": [x, y, r], "read": [0.6, 0.3, 0.1, 0.0], "heads": 0.9,
     "asked": [{"denomination": "penny", "face": null}, {"denomination": "nickel", "face": null}]}

tells what a person said a coin is: its place, its number and circle in the picture, how it was read (probabilities of
penny, nickel, dime and quarter, and of heads), and the answers that the referee offered; `asked` is empty where nobody
asked. A null denomination means: not a US coin; a null face: not said. Older records have the first three keys only.
A line

    {"event": "hint", "seat": "heads", "advised": {"do": "done"}}

tells that a seat asked for a hint, and what it was advised; of a sealed act only its kind. A line

    {"event": "fell", "zone": "hero", "coins": [{"nature": {"denomination": "penny", "face": "heads"},
     "place_mm": [x, y], "disc_px": [x, y, r], "read": [1.0, 0.0, 0.0, 0.0], "heads": 0.99}]}

tells how one of several trays fell before the others were tossed: so it counts. Without coins it counts no more. Lines

    {"event": "consent", "what": "undo", "step": "refused", "seat": "tails"}
    {"event": "dispute", "ruling": 12, "step": "opened", "seat": "heads"}
    {"event": "pause", "step": "begun", "seat": null}
    {"event": "clock", "used_s": {"heads": 61.25, "tails": 40.5}, "over": null}
    {"event": "ended", "how": "resigned", "seat": "heads", "winners": ["tails"]}

tell what people asked of one another, disputed and interrupted, how long each side's chess clock had run when the line
after it was written (`over`: whose time was over just then), and that the game ended before its rules said so. The
header of a game with a chess clock has it: `"clock": {"each_s": 600, "increment_s": 5, "at_zero": "said"}`. A header
with `"verified": false` says that damage to the journal may have altered the game.
Keys not named here, such as `seq`, `t`, `by` and `evidence`, are allowed everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from tablecoin.rules import load
from tablecoin.rules.game import Game, IllegalAction, InputError, State
from tablecoin.rules.plain import plain
from tablecoin.rules.rulebook import sentence
from tablecoin.storage.documents import DocumentError, read_json

LONGEST_LINE = 16 << 20  # bytes, read at most of a line; one with a state has about 2 kB

_TOLD = ("action", "event", "ok", "clause", "after", "state")  # the keys that replaying reads


class RecordError(ValueError):
    """This is no record, or it departs from the rules at `line` (1 is the header); `str()` is one sentence."""

    def __init__(self, line: int, problem: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {problem}")


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line after the header, with either an `action` or an `event`. `extra` holds the keys replaying ignores."""

    line: int = 0
    action: Mapping[str, Any] | None = None
    event: str | None = None
    ok: bool = True
    clause: str | None = None
    after: tuple[Mapping[str, Any], ...] = ()
    state: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] = {}


class Record(msgspec.Struct, frozen=True):
    """A whole record. `extra` holds the header's other keys, such as who sat where and when it was played."""

    game: str
    options: Mapping[str, Any]
    entries: Sequence[Entry]
    extra: Mapping[str, Any] = {}


class Step(msgspec.Struct, frozen=True):
    """What one line of a record did: whether it was accepted, what was said, the clause broken, the state after it."""

    line: int
    ok: bool
    said: str
    state: State
    clause: str | None = None


class WrittenStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step as JSON. `clause` is left out where none was broken."""

    line: int
    ok: bool
    clause: str | None = None
    said: str
    state: Mapping[str, Any]  # as the game writes it


def read_record(text: Iterable[str | bytes]) -> Record:
    """The record in these lines. Blank lines are skipped. Raises RecordError at the first line that does not belong."""
    record: Record | None = None
    entries: list[Entry] = []
    number = 0
    for number, line in enumerate(text, 1):
        if not line.strip():
            continue
        fields = _object(number, line)
        if record is None:
            game, options = fields.pop("game", None), fields.pop("options", {})
            if not isinstance(game, str) or not isinstance(options, dict):
                raise RecordError(number, 'a record begins with {"game": NAME, "options": {...}}')
            record = Record(game, options, (), fields)
        else:
            entries.append(_entry(number, fields))
    if record is None:
        raise RecordError(max(number, 1), "the record is empty")
    return msgspec.structs.replace(record, entries=tuple(entries))


def write_record(record: Record) -> Iterator[str]:
    """The record as lines for `read_record`, each with a newline at its end. Keys keep their order."""
    yield _line({"game": record.game, "options": dict(record.options), **record.extra})
    for entry in record.entries:
        fields: dict[str, Any] = {"event": entry.event}
        if entry.action is not None:
            fields = {"action": entry.action, "ok": entry.ok}
        if entry.clause is not None:
            fields["clause"] = entry.clause
        if entry.after:
            fields["after"] = entry.after
        fields |= entry.extra
        if entry.state is not None:
            fields["state"] = entry.state
        yield _line(fields)


def replay(record: Record) -> Iterator[Step]:
    """Play the record through the rules: a Step for the start, then one for each line.

    Raises RecordError where the record departs from the rules: an accepted action breaks a rule; a refused action is
    legal, or breaks another clause than the one named; an undo has nothing to take back; a state is not the one that
    the rules lead to.
    """
    try:
        game = load(record.game)
        stood = [game.start(game.read_options(record.options))]
    except InputError as error:
        raise RecordError(1, str(error)) from None
    yield Step(1, True, sentence(game.prompt(stood[0])), stood[0])
    for entry in record.entries:
        step = _ruled(game, stood, entry) if entry.action is not None else _happened(game, stood, entry)
        if entry.state is not None and (key := _differs(game.write_state(stood[-1]), entry.state)):
            raise RecordError(
                entry.line, f"departs from the rules: they lead to another state, which differs in {key!r}"
            )
        yield step


def write_step(record: Record, step: Step) -> WrittenStep:
    """A step as `replay --json` prints it."""
    state = load(record.game).write_state(step.state)
    return WrittenStep(line=step.line, ok=step.ok, clause=step.clause, said=step.said, state=state)


def _ruled(game: Game[Any, Any, Any], stood: list[State], entry: Entry) -> Step:
    """Rule on `entry`. The state after an accepted action is added to `stood`, the states that stand."""
    before = stood[-1]
    refused: IllegalAction | None = None
    try:
        state = before
        for earlier in () if entry.ok else entry.after:
            state = game.apply(state, game.read_action(earlier))
        action = game.read_action(entry.action)
        after = game.apply(state, action)
    except InputError as error:
        refused = IllegalAction("input", problem=str(error))
    except IllegalAction as illegal:
        refused = illegal.with_traceback(None)  # which would hold this frame, and this frame the error
    if entry.ok and refused:
        raise RecordError(entry.line, f"departs from the rules: {refused} (clause {refused.clause})")
    if entry.ok:
        stood.append(after)
        return Step(entry.line, True, sentence(game.tell(before, action)), after)
    by_the_rules = entry.clause is None or entry.clause.startswith((f"{game.name}.", "input", "over", "turn"))
    if by_the_rules and refused is None:
        problem = f"departs from the rules: this was refused, but it is allowed ({sentence(game.tell(before, action))})"
        raise RecordError(entry.line, problem)
    if by_the_rules and refused and entry.clause not in (None, refused.clause):
        problem = f"departs from the rules: refused by {entry.clause}, but they refuse it by {refused.clause}"
        raise RecordError(entry.line, problem)
    said = refused.why() if by_the_rules and refused else str(entry.extra.get("why", ""))
    return Step(entry.line, False, said, before, refused.clause if refused and not entry.clause else entry.clause)


def _happened(game: Game[Any, Any, Any], stood: list[State], entry: Entry) -> Step:
    """The step of an event that is no action. Only `undo` changes `stood`."""
    if entry.event == "undo":
        if len(stood) == 1:
            raise RecordError(entry.line, "departs from the rules: there is nothing to take back")
        stood.pop()
        return Step(entry.line, True, "Taken back.", stood[-1])
    outcome = game.outcome(stood[-1]) if entry.event == "end" else None
    said = sentence(outcome.reason) if outcome else str(entry.extra.get("why", f"({entry.event})"))
    return Step(entry.line, entry.clause is None, said, stood[-1], entry.clause)


def _differs(played: Mapping[str, Any], recorded: Mapping[str, Any]) -> str | None:
    """The first key of both states whose values differ; None when none does.

    A record that was read has lists, one made of events has tuples as the state has: so both go through JSON.
    """
    one, other = (msgspec.json.decode(msgspec.json.encode(state)) for state in (played, recorded))
    return next((key for key in other if key in one and one[key] != other[key]), None)


def _object(number: int, line: str | bytes) -> dict[str, Any]:
    try:
        fields = read_json(line)
    except DocumentError as error:
        raise RecordError(number, f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise RecordError(number, "a line of a record is a JSON object")
    return fields


def _entry(number: int, fields: dict[str, Any]) -> Entry:
    if "do" in fields:  # a bare action, as `judge` takes it
        return Entry(number, fields)
    if ("action" in fields) == ("event" in fields):
        raise RecordError(number, 'a line of a record has either an "action" or an "event"')
    told: dict[str, Any] = {key: fields.pop(key) for key in _TOLD if key in fields}
    told |= {"line": number, "extra": fields}
    try:
        return msgspec.convert(told, Entry)
    except msgspec.ValidationError as error:
        raise RecordError(number, sentence(plain(error, told, Entry))) from None


def _line(fields: Mapping[str, Any]) -> str:
    return msgspec.json.encode(fields).decode() + "\n"
