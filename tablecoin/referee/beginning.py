"""Begins games: one that is asked for, the same once more, or another one by the same people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from msgspec import to_builtins

from tablecoin import rules
from tablecoin.referee import commands
from tablecoin.referee.choices import Choice
from tablecoin.referee.clocks import Clocks
from tablecoin.referee.commands import CommandError
from tablecoin.referee.desk import Blind, Desk, Expected, Ruling
from tablecoin.referee.events import Series, Started
from tablecoin.referee.falls import Falls
from tablecoin.referee.judging import Judging
from tablecoin.referee.match import Match
from tablecoin.referee.scribe import Scribe
from tablecoin.referee.series import another, once_more, swapped
from tablecoin.rules.game import RulesError, Seat
from tablecoin.rules.names import LONGEST_NAME, name_fault
from tablecoin.rules.rulebook import Message


class Beginning:
    """Begins games. Raises only CommandError."""

    def __init__(self, desk: Desk, scribe: Scribe, judging: Judging) -> None:
        self._desk, self._scribe, self._judging = desk, scribe, judging

    def start(self, command: commands.Start) -> None:
        """Begin a game. The event holds every option as it was read, so a random map is the same in a replay."""
        try:
            game = rules.load(command.game)
            options = game.read_options(command.options)
        except RulesError as error:
            raise CommandError(error.message) from None
        seats = game.seats(options)
        strangers = [seat for seat in (*command.seats, *command.names, *command.colours) if seats and seat not in seats]
        if strangers:
            raise CommandError(Message("command.no_seat", {"seat": strangers[0][:20], "seats": seats}))
        _check_names(command.names)
        if command.clock and game.together:
            raise CommandError(Message("command.clock", {"title": game.title}))
        chosen: dict[str, Any] = to_builtins(options)
        started = Started(
            group=self._scribe.group + 1,
            game=game.name,
            options=chosen,
            seats=command.seats,
            level=command.level,
            bad_coin=command.bad_coin,
            odds=command.odds,
            hints=command.hints,
            undo=command.undo,
            clock=command.clock,
            names=command.names,
            colours=command.colours,
            series=Series(command.best_of),
        )
        self._begin(started)

    def choose(self, chosen: Choice) -> None:
        """Begin the game that a choice of the menu names: once more, or another one."""
        match, group = self._desk.match, self._scribe.group + 1
        if match and chosen.again:
            again = once_more(match, group)
            self._begin(swapped(match, again) if chosen.again == "swapped" else again)
        elif match and chosen.game:
            self._begin(another(match, chosen.game, group))
        elif chosen.game:
            self.start(commands.Start(chosen.game))

    def _begin(self, started: Started) -> None:
        try:
            match = Match.begin(started)
        except RulesError as error:
            raise CommandError(error.message) from None
        self._scribe.numbers.clear()
        self._scribe.group = started.group
        self._scribe.write([started])
        if self._desk.reading and self._desk.reading.mat and not match.is_played_on(self._desk.reading.mat):
            self._desk.view = Blind(None)  # it shows the mat of the game before: the next picture counts
        self._desk.match, self._desk.shown, self._desk.interlude = match, None, None
        self._desk.clocks, self._desk.falls = Clocks(), Falls()
        self._desk.memory, self._desk.expected = replace(self._desk.memory, corrections=()), Expected.ARRANGING
        title = Message("referee.began", {"title": match.game.title})
        self._desk.ruling = Ruling(self._scribe.count, True, title, None)
        self._judging.changed()


def _check_names(names: Mapping[Seat, str]) -> None:
    """Raises CommandError for a name that cannot be one, or that two seats have."""
    for name in names.values():
        if wrong := name_fault(name):
            raise CommandError(
                Message("command.name", {"problem": Message(wrong, {"name": repr(name), "most": LONGEST_NAME})})
            )
    if len({name.casefold() for name in names.values()}) < len(names):
        raise CommandError(Message("command.name", {"problem": Message("options.names.same")}))
