"""The JSON calls: each reads its body strictly and asks the live table. Every error is a Problem (see answers.py)."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, request

from tablecoin.coins import EMPTY, Face
from tablecoin.journal.export import NoGame
from tablecoin.journal.journal import JournalError
from tablecoin.photos.counting import Score
from tablecoin.rules.coin_age import maps
from tablecoin.rules.coin_age.score import tally
from tablecoin.rules.rulebook import LANGUAGES, texts
from tablecoin.storage.mapfiles import OWN_NAME
from web import adventures, bodies, games
from web.access.joining import Joining
from web.access.roles import Role
from web.answers import Acts, Games, MapScore, Told
from web.bodies import Nothing, PressBody, ScoredMap, answer, body, read, read_wish, refusal
from web.lobby import Lobby
from web.security import who
from web.source import LiveTable
from web.words import Refused, quoted, said_by, say
from web.worker import Worker


def blueprint(live: LiveTable, lobby: Lobby, joining: Joining, worker: Worker) -> Blueprint:
    routes = Blueprint("api", __name__, url_prefix="/api")

    def ask(command: dict[str, object]) -> Response:
        """Pass a command on. A refusal by the rules is an answer (ok: false and why), not an error."""
        accepted, why = live.command(command, seat())
        seq = live.snapshot().seq
        if why is None:
            return answer(Told(accepted, None, seq))
        said = texts(why)
        return answer(Told(accepted, said["en"], seq, said))

    @routes.post("/games")
    def start() -> Response:
        wish, now = read_wish(body()), live.snapshot()
        if who().role is Role.SEAT and now.game is not None and now.prompt.kind != "over":
            raise Refused(403, say("access.new_game"))
        if who().role is Role.SEAT and lobby.laid and lobby.laid.host != who().session:
            raise Refused(403, say("lobby.host"))
        if isinstance(wish, dict):
            _plain_map(options := wish.get("options"))
            if wish.get("game") == "coin-wars":
                wish = {**wish, "options": adventures.drawn(options or {}, _expected(options))}
        begun = ask({"start": wish})
        lobby.clear()  # another game has begun than the one laid out there, or this one without it
        return begun

    @routes.post("/act")
    def act() -> Response:
        wish = read(body(), object)
        if _for_a_seat() and isinstance(wish, dict) and wish.get("do") == "flip":
            raise Refused(403, say("access.toss"))
        if isinstance(wish, dict) and wish.get("do") == "adventure":
            game = live.snapshot().game or {}
            players = max(len(game.get("characters", ())), _expected(game.get("options")))
            wish = adventures.drawn(wish, players)
        return ask({"act": wish})

    @routes.post("/press")
    def press() -> Response:
        button = read(body(), PressBody).button
        if not _for_a_seat() and joining.pressed(button):  # a button drawn on the screen at the table
            return answer(Told(True, None, live.snapshot().seq))
        return ask({"press": button})

    @routes.post("/answer")
    def answer_question() -> Response:
        _for_a_seat()
        return ask({"answer": read(body(), object)})

    @routes.post("/correct")
    def correct() -> Response:
        _for_a_seat()
        return ask({"correct": read(body(), object)})

    @routes.post("/undo")
    def undo() -> Response:
        read(body() or b"{}", Nothing)
        _for_a_seat()
        return ask({"undo": True})

    @routes.post("/dispute")
    def dispute() -> Response:
        _for_a_seat()
        return ask({"dispute": read(body() or b"{}", object)})

    @routes.post("/pause")
    def pause() -> Response:
        _for_a_seat()
        return ask({"pause": read(body() or b"{}", object)})

    @routes.post("/resign")
    def resign() -> Response:
        _for_a_seat()
        return ask({"resign": read(body(), object)})

    @routes.post("/draw")
    def draw() -> Response:
        _for_a_seat()
        return ask({"draw": read(body() or b"{}", object)})

    @routes.post("/hint")
    def hint() -> Response:
        read(body() or b"{}", Nothing)
        _for_a_seat()
        return answer(live.hint(seat()))

    @routes.get("/state")
    def state() -> Response:
        return answer(live.snapshot(seat()))

    @routes.get("/acts")
    def acts() -> Response:
        return answer(Acts(tuple(live.acts(seat()))))

    @routes.get("/rulebook/<game>")
    def rulebook(game: str) -> Response:
        language = request.args.get("lang", "en")
        if language not in LANGUAGES:
            raise Refused(400, say("language", language=quoted(language), choices=LANGUAGES))
        known = {each.name: each for each in games.available()}
        if game not in known:
            raise Refused(404, say("game", game=quoted(game), choices=list(known)))
        return answer(games.rulebook(known[game], language))

    @routes.get("/games")
    def list_games() -> Response:
        return answer(Games(tuple(games.describe(game) for game in games.available())))

    @routes.get("/record")
    def record() -> Response:
        lines = Response(live.record(), mimetype="application/x-ndjson")
        lines.headers["Content-Disposition"] = 'attachment; filename="tablecoin.jsonl"'
        lines.headers["Cache-Control"] = "no-store"
        return lines

    @routes.errorhandler(JournalError)
    def nothing_written(error: JournalError) -> Response:
        return refusal(503, say("journal.why", why=error.message))

    @routes.errorhandler(NoGame)
    def no_record(error: NoGame) -> Response:
        return refusal(404, error.texts)

    @routes.post("/score")
    def score() -> Response:
        request.max_content_length = bodies.MAX_PHOTO_BYTES
        photo = request.files.get("photo")
        unknown = sorted((set(request.form) | set(request.files)) - {"photo", "map"})
        if unknown:
            raise Refused(400, say("score.field", field=quoted(unknown[0])))
        _plain_map(request.form)
        wanted = request.form.get("map") or None

        def scored() -> Score:
            image = photo.read() if photo else b""  # not before its turn: a photo that waits stays on the disk
            if not image:
                raise Refused(400, say("score.empty") if photo and photo.filename else say("score.photo"))
            return live.score(image, wanted)

        try:
            return answer(worker.do("photo", scored))
        except ValueError as error:
            raise Refused(400, said_by(error, "score.why")) from None

    @routes.post("/score/tally")
    def count() -> Response:
        """The score again, after a person said what lies where the photo left a doubt."""
        said = read(body(), ScoredMap)
        _plain_map({"map": said.map})
        try:
            board = maps.load(said.map)
        except maps.MapError as error:
            raise Refused(400, said_by(error, "score.why")) from None
        spaces = {space.id for space in board.spaces}
        if unknown := sorted(set(said.spaces) - spaces):
            raise Refused(400, say("score.space", space=quoted(unknown[0]), choices=sorted(spaces)))
        tops = {space: coins[0] for space, coins in said.spaces.items() if coins}
        counted = tally(board, tops, {side: said.banks.get(side, EMPTY) for side in Face})
        return answer(MapScore(counted.regions, counted.score, counted.winner, counted.tie_break))

    return routes


def _expected(options: object) -> int:
    """How many players the options of a game name."""
    named = options.get("players") if isinstance(options, Mapping) else None
    return len(named) if isinstance(named, list | tuple) else 0


def _for_a_seat() -> bool:
    """Whether the caller may act only for the seat it holds. Refused (403) where it holds none."""
    me = who()
    if me.role is Role.SEAT and me.seat is None:
        raise Refused(403, say("access.no_seat"))
    return me.role is Role.SEAT


def _plain_map(options: object) -> None:
    """Refused (400) when `map` is more than a name: a path would let a phone read this computer's files."""
    wanted = options.get("map") if isinstance(options, Mapping) else None
    if isinstance(wanted, str) and wanted and not OWN_NAME.fullmatch(wanted):
        raise Refused(400, say("map.path"))


def seat() -> str | None:
    """The seat that the caller speaks for, as the gate found it; None: the whole table, or nobody."""
    return who().seat
