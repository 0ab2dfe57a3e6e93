"""A table to practise at: virtual coins, rendered pictures, the real reader and the real referee, one look at a time.

It shares nothing with the table that people play at. It has no thread and no clock: each change of the coins is
followed by one picture and one look, so it takes time only while somebody does something.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from tablecoin import mat as mats
from tablecoin import opponents, rules
from tablecoin.coins import Coin
from tablecoin.lessons.course import Moment, legal, wants
from tablecoin.lessons.lesson import Act
from tablecoin.lessons.primer import TOSSED, Texts
from tablecoin.opponents import Level
from tablecoin.referee.commands import read_command
from tablecoin.referee.events import Acted, Event, Started
from tablecoin.referee.match import Match
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.game import TABLE, Seat
from tablecoin.rules.rulebook import texts
from tablecoin.virtual.arrange import arrange
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualCoin, VirtualTable
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Sighting
from tablecoin.vision.rest.settle import Look

_MOST_REPLIES = 12  # acts of the other seats in a row; no game of a lesson needs as many
_STILL_S = 1.0  # how long the table stood still before each look, as the referee is told


class PracticeTable:
    """One game after the other on one virtual table. `seed`: of its tosses. Not thread-safe."""

    def __init__(self, seed: int | None = None) -> None:
        self.virtual = VirtualTable(mats.load("two-row"), seed, clock=count().__next__)
        self._camera = VirtualCamera(self.virtual, fps=0, sleep=lambda _: None)
        self._identifier = Identifier()
        self._sightings = count(1)
        self.events: list[Event] = []
        self._referee = Referee(self.events.extend)

    # -- a game -------------------------------------------------------------------------------------------------------

    def begin(self, game: str, options: Mapping[str, Any], acts: Iterable[Act]) -> None:
        """Begin a game after these acts, the coins lying as they then must. Raises RulesError for an illegal act."""
        rule = rules.load(game)
        state = rule.start(rule.read_options(options))
        events: list[Event] = [Started(1, game, options, {})]
        for group, act in enumerate(acts, 2):
            action = rule.read_action(act)
            events.append(Acted(group, act, rule.actor(state, action), "phone"))
            state = rule.apply(state, action)
        self.take_up(events, ())
        self.arrange()

    def take_up(self, events: Iterable[Event], coins: Iterable[VirtualCoin]) -> None:
        """Go on with a game that was left, its coins lying so."""
        self.events = list(events)
        self._referee = Referee(self.events.extend)
        self._referee.restore(self.events, len(self.events))
        mat = mats.load(self.match.mat)
        self.virtual.lay(mat)
        self._reader = Reader(mat.name, identifier=self._identifier)
        self.virtual.put(coins)
        self._look()

    @property
    def match(self) -> Match:
        """The game that is played."""
        match = self._referee.match
        assert match is not None, "begin comes first"
        return match

    @property
    def snapshot(self) -> Snapshot:
        """What everybody may see now."""
        return self._referee.snapshot()

    @property
    def moment(self) -> Moment:
        """What the lesson goes by."""
        shown, match = self.snapshot, self.match
        kind, ruling = shown.prompt.kind, shown.ruling
        return Moment(
            game=match.game,
            state=match.state,
            acts=tuple(match.game.write_action(ply.action) for ply in match.plies),
            refusal=(ruling.seq, ruling.clause) if ruling and ruling.clause else None,
            breaks=kind == "refused",
            settled=kind in ("turn", "flip", "over"),
        )

    # -- what people do -----------------------------------------------------------------------------------------------

    def put(self, coins: Iterable[VirtualCoin]) -> None:
        """The coins lie so now; later ones lie on earlier ones."""
        self.virtual.put(coins)
        self._look()

    def toss(self) -> tuple[tuple[Texts, ...], tuple[Coin, ...]]:
        """Toss the coins that are due, then lay the coins as the result wants it.

        Returns what the toss came to and how the coins fell; nothing where the referee could not read them all.
        """
        before = len(self.match.plies)
        for zone, heap in self.snapshot.table.flips.items():
            self.virtual.toss(heap, zone)
        self._look()
        if self.snapshot.prompt.kind == "arrange":
            self.arrange()
        return self.tossed(before)

    def tossed(self, before: int) -> tuple[tuple[Texts, ...], tuple[Coin, ...]]:
        """What the newest act came to and how its coins fell, if it is a toss and no older than act `before`."""
        game, plies = self.match.game, self.match.plies
        written = game.write_action(plies[-1].action) if len(plies) > before else {}
        fell = tuple(Coin(coin) for field in TOSSED for coin in written.get(field, ()) if written["do"] == "flip")
        return ((texts(game.tell(plies[-1].before, plies[-1].action)),), fell) if fell else ((), ())

    def command(self, kind: str, body: object) -> None:
        """A press of a button, an act by hand or an answer. Raises CommandError."""
        self._referee.command(read_command(kind, body), None)
        if self.snapshot.prompt.kind == "arrange":
            self.arrange()

    def take_back(self, acts: int) -> None:
        """Take back everything but the first `acts` acts, and lay the coins so."""
        while len(self.match.plies) > acts:
            self._referee.command(read_command("undo", True), None)
        self.arrange()

    def reply(self, you: Seat, wanted: Iterable[Act]) -> tuple[Texts, ...]:
        """The other seats do what is `wanted` and lawful, then what they choose themselves until it is not their turn.

        Returns what each of their acts was.
        """
        before = len(self.match.plies)
        for act in wanted:
            if any(wants(act, each) for each in legal(self.moment)):
                self.command("act", act)
        for number in range(_MOST_REPLIES):
            game, state = self.match.game, self.match.state
            others = [seat for seat in game.to_act(state) if seat not in (you, TABLE)]
            if not others:
                break
            chosen = opponents.load(game.name)(state, others[0], Level.EASY, number)
            self.command("act", game.write_action(chosen))
        game, done = self.match.game, self.match.plies[before:]
        return tuple(texts(game.tell(ply.before, ply.action)) for ply in done)

    def arrange(self) -> None:
        """Lay the coins as the state wants them."""
        match = self.match
        layout = {**match.game.untossed(match.state), **match.game.layout(match.state)}
        trays = [zone.name for zone in self.virtual.mat.zones if zone.name == "tray" and zone.name not in layout]
        arrange(self.virtual, layout, match.game.stacks(match.state), *trays)
        self._look()

    def _look(self) -> None:
        reading = self._reader.read(self._camera.read(1.0))
        self._referee.see(Look(False, False, _STILL_S, reading, Sighting(next(self._sightings), reading)))
