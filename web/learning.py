"""Teach me: /learn lists the lessons, /learn/GAME is one, and POST /api/learn/GAME is every step of it.

The lessons have a virtual table of their own, so they never touch the game that is played. Its thread is the one of
all long work. When nobody has learned for a while, its memory is given back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from flask import Blueprint, Response, abort, render_template

from tablecoin import rules
from tablecoin.lessons.classroom import Classroom, View
from tablecoin.lessons.lesson import taught
from tablecoin.live.allocator import trim
from web.answers import LessonOffer, LessonShown
from web.bodies import LessonBody, answer, body, read
from web.words import Refused, quoted, say
from web.worker import Worker

_IDLE_S = 180.0  # without a step of anybody, after which the table's memory is given back


class Lessons:
    """The classroom, asked by one call at a time."""

    def __init__(self) -> None:
        self._room = Classroom()
        self._lock = threading.Lock()
        self._rest: threading.Timer | None = None

    def do(self, game: str, wish: LessonBody) -> View:
        """Do what a learner wishes. Raises CommandError."""
        with self._lock:
            view = self._done(game, wish)
            if self._rest:
                self._rest.cancel()
            self._rest = threading.Timer(_IDLE_S, self._close)
            self._rest.daemon = True
            self._rest.start()
            return view

    def _done(self, game: str, wish: LessonBody) -> View:
        room, here = self._room, (wish.learner, game)
        plain: dict[str, Callable[[str, str], View]] = {
            "look": room.look, "begin": room.begin, "next": room.next, "go-on": room.go_on,
            "put-back": room.put_back, "toss": room.toss,
        }  # fmt: skip
        match wish.do:
            case "put":
                return room.put(*here, wish.coins)
            case "press":
                return room.command(*here, "press", wish.button)
            case "act":
                return room.command(*here, "act", wish.action)
            case "answer":
                return room.command(*here, "answer", {"choice": wish.choice})
            case _:
                return plain[wish.do](*here)

    def _close(self) -> None:
        with self._lock:
            self._room.close()
        trim()


def blueprint(worker: Worker) -> Blueprint:
    routes = Blueprint("learning", __name__)
    lessons, known = Lessons(), [game for game in rules.NAMES if taught(game)]

    @routes.get("/learn")
    def every() -> str:
        return render_template("lessons.html", games=known)

    @routes.get("/learn/<game>")
    def one(game: str) -> str:
        if game not in known:
            abort(404)
        return render_template("lesson.html", game=game)

    @routes.post("/api/learn/<game>")
    def step(game: str) -> Response:
        wish = read(body(), LessonBody)
        if game not in known:
            raise Refused(404, say("game", game=quoted(game), choices=known))
        return answer(shown(worker.do("lesson", lambda: lessons.do(game, wish))))

    return routes


def shown(view: View) -> LessonShown:
    """The view as the page gets it."""
    pupil, step = view.pupil, view.pupil.step
    beside = {"mistaken": step.done, "refused": step.why}.get(pupil.at.aside or "", {}) if step else {}
    return LessonShown(
        game=pupil.lesson.game,
        title=rules.load(pupil.lesson.game).title,
        you=pupil.lesson.you,
        step=pupil.at.step,
        steps=len(pupil.lesson.steps),
        kind=step.kind if step else "over",
        texts=step.texts if step else {},
        aside=pupil.at.aside,
        beside=beside,
        lit=step.lit if step else (),
        coins=step.coins if step else (),
        act=step.act["do"] if step and step.act else None,
        fell=pupil.fell,
        told=pupil.told,
        offers=tuple(LessonOffer(act, words) for act, words in view.offers),
        nexts=view.nexts,
        lies=pupil.coins,
        snapshot=view.snapshot,
    )
