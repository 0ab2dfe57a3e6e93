"""The club's API: the hall, players, tournaments, and what the organiser does."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from tablecoin.club.ledger import Ledger
from tablecoin.club.tournaments import utc_now
from tablecoin.rules.names import name_fault
from tablecoin.rules.rulebook import Message, texts
from tablecoin.tournament.field import Plan
from tablecoin.tournament.tournament import (
    Closed,
    Entered,
    Event,
    Moved,
    Published,
    Reopened,
    Resulted,
    Returned,
    Tabled,
    Timed,
    Unpaired,
    Withdrew,
    halves_for,
)
from web import stream
from web.access.roles import Role
from web.bodies import answer, body, passing, read
from web.club import answers, export
from web.club.answers import Act, Join, Made, NewTournament, PlayersShown, Seen
from web.club.shown import ClubShown
from web.security import who
from web.stream import WATCHER, Watcher, encode
from web.words import Refused

_FILES = {"csv": "text/csv", "json": "application/json"}


def blueprint(ledger: Ledger, club: ClubShown) -> Blueprint:
    """Every call that tells of the club or changes it."""
    routes = Blueprint("club", __name__)
    tournaments, hall = ledger.tournaments, ledger.hall

    def organises() -> bool:
        return who().role >= Role.OWNER

    # -- the hall -----------------------------------------------------------------------------------------------------

    @routes.get("/api/state")
    def state() -> Response:
        return answer(hall.now())

    @routes.get(stream.PATH)
    def follow() -> Response:
        now = club.snapshot()
        request.environ[WATCHER] = Watcher(None, now.seq, lambda: True)
        told = Response(b"retry: 1000\n" + encode(now), mimetype="text/event-stream")
        told.headers["Cache-Control"] = "no-store"
        told.headers["X-Accel-Buffering"] = "no"
        return told

    @routes.get("/api/tables/<table>/picture.jpg")
    def picture(table: str) -> Response:
        jpeg = hall.picture(table)
        if jpeg is None:
            abort(404)
        return passing(jpeg, "image/jpeg")

    @routes.post("/api/seen")
    def seen() -> Response:
        wish = read(body(), Seen)
        hall.unnote(wish.code, wish.table)
        return answer(hall.now())

    # -- players ------------------------------------------------------------------------------------------------------

    @routes.get("/api/players")
    def players() -> Response:
        return answer(PlayersShown(ledger.ratings()))

    @routes.post("/api/players/join")
    def join() -> Response:
        wish = read(body(), Join)
        ledger.join(utc_now(), wish.name, wish.person)
        return players()

    # -- tournaments --------------------------------------------------------------------------------------------------

    def shown(number: int) -> Response:
        return answer(answers.shown(tournaments, number, organiser=organises()))

    @routes.get("/api/tournaments/<int:number>")
    def tournament(number: int) -> Response:
        return shown(number)

    @routes.post("/api/tournaments")
    def make() -> Response:
        wish = read(body(), NewTournament)
        for name in (wish.name, *wish.players):
            _check_name(name)
        plan = Plan(
            name=wish.name,
            system=wish.system,
            game=wish.game,
            tables=wish.tables,
            rounds=wish.rounds,
            options=wish.options,
            clock_s=60 * wish.clock_minutes,
            increment_s=wish.increment_s,
            at_zero=wish.at_zero,
        )
        number = tournaments.found(plan, wish.players)
        ledger.tell()
        return answer(Made(number))

    @routes.post("/api/tournaments/<int:number>/act")
    def act(number: int) -> Response:
        wish: Act = read(body(), Act)  # type: ignore[arg-type]  # a union is no class, and msgspec reads it
        if isinstance(wish, answers.Pair):
            tournaments.pair(number)
        else:
            tournaments.do(number, _event(number, wish))
        ledger.tell()
        return shown(number)

    def _ends(minutes: int | None) -> str | None:
        return None if minutes is None else tournaments.time_in(minutes)

    def _event(number: int, wish: Act) -> Event:
        match wish:
            case answers.Enter():
                _check_name(wish.name)
                return Entered(wish.name)
            case answers.Withdraw():
                return Withdrew(wish.player)
            case answers.Return():
                return Returned(wish.player)
            case answers.Unpair():
                return Unpaired()
            case answers.Publish():
                return Published(_ends(wish.minutes))
            case answers.Time():
                return Timed(_ends(wish.minutes))
            case answers.Move():
                return Moved(wish.match, wish.table)
            case answers.Tables():
                return Tabled(wish.tables)
            case answers.Tell():
                match = tournaments.match(number, wish.match)
                return Resulted(match.id, halves_for(match, frozenset(wish.winners)), "organiser")
            case answers.Reopen():
                return Reopened(wish.match)
        return Closed()

    # -- files --------------------------------------------------------------------------------------------------------

    @routes.get("/api/export/<name>")
    def file(name: str) -> Response:
        """results.csv, players.json, tournament-3.csv and so on."""
        what, _, kind = name.partition(".")
        if kind not in _FILES:
            abort(404)
        content: str | bytes
        if what == "results":
            results = ledger.database.results()
            content = export.results_csv(results) if kind == "csv" else export.as_json(results)
        elif what == "players":
            rated = ledger.ratings()
            content = export.players_csv(rated) if kind == "csv" else export.as_json(rated)
        elif what.startswith("tournament-") and what[11:].isdecimal() and len(what) < 20:
            told = answers.shown(tournaments, int(what[11:]), organiser=organises())
            content = export.tournament_csv(told) if kind == "csv" else export.as_json(told)
        else:
            abort(404)
        made = passing(content, _FILES[kind])
        made.headers["Content-Disposition"] = f'attachment; filename="{what}.{kind}"'
        return made

    return routes


def _check_name(name: str) -> None:
    if name_fault(name):
        raise Refused(400, texts(Message("club.name", {"name": repr(name[:40])})))
