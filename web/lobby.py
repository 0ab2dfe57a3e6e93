"""The lobby: a game that is laid out before it begins, at GET and PUT /api/lobby.

Who lays it out chooses the game and its house rules and begins it. The others sit down at its seats by the same calls
as in a game (access/), and say their name, their colour and that they are ready. Where people bring names of their own
(*Coin Wars*), everybody who says so sits down by a name, and the game begins for those who came.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from pathlib import Path

import msgspec
from flask import Blueprint, Response
from msgspec import to_builtins
from msgspec.structs import replace

from tablecoin import rules
from tablecoin.referee.commands import Start, read_command
from tablecoin.referee.events import Colour, Player
from tablecoin.rules.game import RulesError, Seat
from tablecoin.rules.names import name_problem
from tablecoin.rules.rulebook import texts
from tablecoin.storage import durable
from tablecoin.storage.documents import DocumentError, read_json
from web.access.roles import Role
from web.answers import LobbySeat, LobbyState, Told
from web.bodies import GuestBody, Nothing, answer, body, read, read_wish
from web.security import who
from web.source import LiveTable
from web.words import Refused, said_by, say

log = logging.getLogger(__name__)

FILE = "lobby.json"
_LARGEST = 1 << 20  # bytes
_NOTHING = LobbyState(None, {}, "strong", "alone", "after", "practice", "asked", None, 1, (), host=False)


class Guest(msgspec.Struct, frozen=True):
    name: str = ""
    colour: Colour | None = None
    ready: bool = False


class _Laid(msgspec.Struct, frozen=True):
    wish: Start
    seats: tuple[Seat, ...]  # (): people bring names of their own
    host: str | None  # the session that laid it out; None: somebody at the table
    guests: Mapping[Seat, Guest]


class Lobby:
    """May be used from any thread. Kept in `path`, so that it stands after a restart; None: in memory alone."""

    def __init__(self, path: Path | None = None) -> None:
        self._lock, self._path = threading.Lock(), path
        self._laid = _load(path) if path else None

    @property
    def laid(self) -> _Laid | None:
        """What is laid out; None: nothing."""
        return self._laid

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Those of the game that is laid out; () while none is."""
        return seats_of(self._laid) if self._laid else ()

    def lay(self, wish: Start, seats: tuple[Seat, ...], host: str | None) -> None:
        """Lay a game out. Who sat at a seat that the new game has too stays there, and is asked anew to be ready."""
        with self._lock:
            before = self._laid.guests if self._laid else {}
            guests = {seat: Guest(name, wish.colours.get(seat)) for seat, name in wish.names.items()}
            kept = {seat: replace(guest, ready=False) for seat, guest in before.items() if seat in seats}
            self._keep(_Laid(wish, seats, host, kept | guests))

    def clear(self) -> None:
        """The game began, or nobody wants it."""
        with self._lock:
            if self._laid:
                self._keep(None)

    def come(self, seat: Seat, guest: Guest) -> None:
        """Who sits at `seat` says who it is. Raises Refused where that cannot be."""
        with self._lock:
            laid = self._laid
            if laid is None:
                raise Refused(409, say("lobby.none"))
            if (laid.seats and seat not in laid.seats) or player(laid, seat) == "computer":
                raise Refused(409, say("lobby.seat"))
            if not laid.seats:
                _check(by_name(laid.wish, tuple(dict.fromkeys((*laid.guests, seat)))))
            if guest.name and (problem := name_problem(guest.name)):  # the game could not begin
                raise Refused(400, say("body.why", why=problem))
            others = [each for other, each in laid.guests.items() if other != seat]
            if guest.name and guest.name.casefold() in {each.name.casefold() for each in others}:
                raise Refused(409, say("lobby.name", name=guest.name))
            if guest.colour and guest.colour in {each.colour for each in others}:
                raise Refused(409, say("lobby.colour"))
            self._keep(replace(laid, guests={**laid.guests, seat: guest}))

    def _keep(self, laid: _Laid | None) -> None:
        self._laid = laid
        if not self._path:
            return
        try:
            durable.replace(self._path, msgspec.json.encode(laid))
        except OSError as error:  # the evening goes on; after a restart the game is laid out anew
            log.warning("the lobby cannot be kept in %s (%s)", self._path, error.strerror)


def _load(path: Path) -> _Laid | None:
    try:
        laid: _Laid | None = read_json(durable.read(path, _LARGEST), _Laid | None)
        return laid
    except FileNotFoundError:
        return None
    except (OSError, DocumentError) as error:
        log.warning("%s cannot be read (%s): the lobby is empty", path, error)
        return None


def seats_of(laid: _Laid) -> tuple[Seat, ...]:
    """The seats of the game that is laid out: its own, or the names by which people came."""
    return laid.seats or tuple(laid.guests)


def by_name(wish: Start, names: tuple[Seat, ...]) -> Start:
    """The game wished for, with these people in it."""
    return replace(wish, options={**wish.options, "players": names}, seats=dict.fromkeys(names, "person"))


def player(laid: _Laid, seat: Seat) -> Player:
    """Who plays at `seat` of the game that is laid out."""
    return laid.wish.seats.get(seat, "person")


def playing(live: LiveTable) -> bool:
    """Whether a game is under way."""
    return live.game_seats() is not None and live.snapshot().prompt.kind != "over"


def plays(live: LiveTable, lobby: Lobby, seat: Seat) -> bool:
    """Whether a person plays at `seat` in the game under way or just over, or in the one laid out for after it."""
    seats, laid = live.game_seats(), lobby.laid
    if seats is not None and (not seats or seat in seats) and live.snapshot().seats.get(seat) != "computer":
        return True
    if laid is None or playing(live):
        return False
    return (not laid.seats or seat in laid.seats) and player(laid, seat) != "computer"


def blueprint(live: LiveTable, lobby: Lobby) -> Blueprint:
    routes = Blueprint("lobby", __name__)

    def shown() -> Response:
        if playing(live):
            lobby.clear()  # another game was begun: by a button, by a club, or just before a restart
        laid = lobby.laid
        return answer(_state(laid, _is_host(laid)) if laid else _NOTHING)

    @routes.get("/api/lobby")
    def look() -> Response:
        return shown()

    @routes.put("/api/lobby")
    def lay() -> Response:
        wish = read_command("start", read_wish(body()))
        assert isinstance(wish, Start)
        if playing(live):
            raise Refused(409, say("lobby.playing"))
        if lobby.laid and not _is_host(lobby.laid):
            raise Refused(403, say("lobby.host"))
        lobby.lay(wish, _check(wish), who().session if who().role is Role.SEAT else None)
        return shown()

    @routes.post("/api/lobby/me")
    def come() -> Response:
        me, seat = read(body(), GuestBody), who().seat
        if seat is None:
            raise Refused(403, say("access.no_seat"))
        lobby.come(seat, Guest(me.name, me.colour, me.ready))
        return shown()

    @routes.post("/api/lobby/close")
    def close() -> Response:
        read(body() or b"{}", Nothing)
        _host_only(lobby)
        lobby.clear()
        return shown()

    @routes.post("/api/lobby/begin")
    def begin() -> Response:
        read(body() or b"{}", Nothing)
        laid = _host_only(lobby)
        people = {seat: guest for seat, guest in laid.guests.items() if player(laid, seat) == "person"}
        if not laid.seats:  # people come and go there: it begins for those who are ready
            people = {seat: guest for seat, guest in people.items() if guest.ready} or people
        wish = replace(
            laid.wish if laid.seats or not people else by_name(laid.wish, tuple(people)),
            names={seat: guest.name for seat, guest in people.items() if guest.name},
            colours={seat: guest.colour for seat, guest in people.items() if guest.colour},
        )
        sent = {name: value for name, value in to_builtins(wish).items() if name != "type"}
        accepted, why = live.command({"start": sent}, None)
        if accepted:
            lobby.clear()
        said = texts(why) if why else None
        return answer(Told(accepted, said["en"] if said else None, live.snapshot().seq, said or msgspec.UNSET))

    return routes


def _is_host(laid: _Laid) -> bool:
    me = who()
    return me.role >= Role.REFEREE or (me.session is not None and me.session == laid.host)


def _host_only(lobby: Lobby) -> _Laid:
    """What is laid out. Refused for everybody but its host and those at the table."""
    laid = lobby.laid
    if laid is None:
        raise Refused(409, say("lobby.none"))
    if not _is_host(laid):
        raise Refused(403, say("lobby.host"))
    return laid


def _check(wish: Start) -> tuple[Seat, ...]:
    """The seats of the game wished for; () where people bring names. Refused where its house rules cannot be."""
    try:
        game = rules.load(wish.game)
        return game.seats(game.read_options(wish.options))
    except RulesError as error:
        raise Refused(400, said_by(error, "body.why")) from None


def _state(laid: _Laid, host: bool) -> LobbyState:
    wish, nobody = laid.wish, Guest()
    guests = ((seat, laid.guests.get(seat, nobody)) for seat in seats_of(laid))
    return LobbyState(
        game=wish.game,
        options=wish.options,
        level=wish.level,
        bad_coin=wish.bad_coin,
        odds=wish.odds,
        hints=wish.hints,
        undo=wish.undo,
        clock=wish.clock,
        best_of=wish.best_of,
        seats=tuple(
            LobbySeat(seat, player(laid, seat), guest.name, guest.colour, guest.ready) for seat, guest in guests
        ),
        host=host,
        named=rules.load(wish.game).seats(rules.load(wish.game).read_options({})) == (),
        open=not laid.seats,
    )
