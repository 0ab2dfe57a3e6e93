"""One game of history: its page, its steps, its record, the file to send, the picture to share, its analysis."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from flask import Blueprint, Response, render_template, request

from tablecoin.journal.ended import EndedGame, StillPlayed
from tablecoin.journal.export import NoGame
from tablecoin.journal.record import RecordError, write_record
from tablecoin.replay.picture import picture
from tablecoin.replay.report import Report
from tablecoin.replay.steps import Replay, replay_of
from tablecoin.rules.rulebook import LANGUAGES
from web.analyses import Analyses
from web.bodies import answer, refusal
from web.game_file import TooLong, game_file
from web.source import LiveTable
from web.words import Refused, quoted, say
from web.worker import Worker

T = TypeVar("T")

_NUMBER = "<int(max=9007199254740991):number>"
_REMEMBERED = 4  # games told lately, and pictures: people scrub one and open its file and picture
_PICTURES_BYTES = 4_000_000


def blueprint(live: LiveTable, analyses: Analyses | None, worker: Worker) -> Blueprint:
    """`analyses`: None where games are not analysed."""
    routes = Blueprint("replays", __name__)
    # Only the one thread of long work uses these, so they need no lock.
    lately: OrderedDict[tuple[int, int], Replay] = OrderedDict()  # (game, its lines) -> the game told
    drawn: OrderedDict[tuple[int, int, str, bool], bytes] = OrderedDict()  # (.., language, with its analysis) -> PNG

    def told(game: EndedGame) -> Replay:
        key = game.number, len(game.record.entries)
        if key not in lately:
            lately[key] = replay_of(game.record, game.evidence)
            if len(lately) > _REMEMBERED:
                lately.popitem(last=False)
        lately.move_to_end(key)
        return lately[key]

    def report(game: EndedGame) -> Report | None:
        """Its analysis, where it was worked out already."""
        return analyses.known(game) if analyses else None

    def picture_of(game: EndedGame, language: str) -> bytes:
        """Its PNG, from the last few where it is among them."""
        known = report(game)
        key = game.number, len(game.record.entries), language, known is not None
        data = drawn[key] = drawn.pop(key, b"") or picture(told(game), known, language)
        while len(drawn) > _REMEMBERED or sum(map(len, drawn.values())) > _PICTURES_BYTES:
            drawn.popitem(last=False)
        return data

    def made(work: Callable[[EndedGame], T], number: int) -> T:
        """`work` done with the game, as one piece of long work. Raises NoGame, RecordError, worker.Full."""
        return worker.do("replay", lambda: work(live.ended_game(number)))

    @routes.get(f"/history/{_NUMBER}")
    def page(number: int) -> str:
        return render_template("game.html", number=number)

    @routes.get(f"/api/history/{_NUMBER}")
    def steps(number: int) -> Response:
        return answer(made(told, number))

    @routes.get(f"/api/history/{_NUMBER}/record")
    def record(number: int) -> Response:
        lines = made(lambda game: "".join(write_record(game.record)), number)
        return _download(lines.encode(), "application/x-ndjson", f"tablecoin-{number}.jsonl")

    @routes.get(f"/api/history/{_NUMBER}/game.html")
    def file(number: int) -> Response:
        data = made(lambda game: game_file(told(game), report(game)), number)
        return _download(data, "text/html", f"tablecoin-{number}.html")

    @routes.get(f"/api/history/{_NUMBER}/picture.png")
    def shared(number: int) -> Response:
        language = request.args.get("lang", "en")
        if language not in LANGUAGES:
            raise Refused(400, say("language", language=quoted(language), choices=LANGUAGES))
        data = made(lambda game: picture_of(game, language), number)
        return _download(data, "image/png", f"tablecoin-{number}.png")

    @routes.get(f"/api/history/{_NUMBER}/analysis")
    def analysis(number: int) -> Response:
        game = made(lambda game: game, number)
        if analyses is None:
            raise Refused(404, say("analysis.none"))
        return answer(analyses.of(game))

    @routes.errorhandler(NoGame)
    def no_game(error: NoGame) -> Response:
        return refusal(409 if isinstance(error, StillPlayed) else 404, error.texts)

    @routes.errorhandler(TooLong)
    def too_long(error: TooLong) -> Response:
        return refusal(404, error.texts)

    @routes.errorhandler(RecordError)
    def departs(error: RecordError) -> Response:
        return refusal(404, say("replay.why", why=str(error)))

    return routes


def _download(data: bytes, kind: str, name: str) -> Response:
    sent = Response(data, mimetype=kind)
    sent.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    sent.headers["Cache-Control"] = "no-store"
    return sent
