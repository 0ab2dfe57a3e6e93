"""The pages /join and /access and their calls: coming in, sitting down, the owner's PIN, opening and closing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from flask import Blueprint, Response, g, render_template, request

from tablecoin.rules.game import Seat
from web.access import pin as pins
from web.access.gate import AGAIN, Gate, Who
from web.access.joining import Joining
from web.access.pin import Waits
from web.access.roles import Role
from web.access.sessions import KEPT_FOR_S
from web.answers import AccessState, AccessTable, RoleName, SeatTaken
from web.bodies import CodeBody, Nothing, OpenBody, PinBody, SeatBody, TrustBody, answer, body, read
from web.lobby import Lobby
from web.peers import peer_of
from web.security import call_at_hand, who
from web.source import LiveTable
from web.words import Refused, say

_LONGEST_NAME = 40
_ROLES: dict[Role, RoleName] = {
    Role.WATCH: "watch", Role.SEAT: "seat", Role.REFEREE: "referee", Role.OWNER: "owner"
}  # fmt: skip


def blueprint(
    check_seat: Callable[[Seat], None],
    seats: Callable[[], Sequence[Seat] | None],
    gate: Gate,
    joining: Joining,
    phones: Callable[[], Mapping[str, object]],
    clock: pins.Clock,
) -> Blueprint:
    """`phones`: what _phones.html shows about joining with one. `check_seat`: refuses a seat that nobody may take.

    `seats`: those of the game under way; None without a game.
    """
    routes = Blueprint("access", __name__)
    waits, checking = Waits(clock), threading.Lock()
    house, sessions = gate.house, gate.sessions

    def state(me: Who) -> AccessState:
        session = sessions.get(me.session)
        return AccessState(
            mode=house.now.mode,
            role=_ROLES[me.role],
            seat=session.seat if session and me.role >= Role.SEAT else None,
            asked=joining.asked_by(me.session),
            chooses=me.chooses,
            here=me.here,
        )

    def give(told: Response, token: str) -> None:
        """Send the caller's browser its token; `""` takes it away."""
        age_s = KEPT_FOR_S if token else 0
        told.set_cookie(call_at_hand().cookie_name, token, max_age=int(age_s), httponly=True, samesite="Strict")

    @routes.after_app_request
    def renew(told: Response) -> Response:
        """Keep whoever calls for thirty days more. Pictures, scripts and pages may lie in caches, so calls alone do."""
        me: Who | None = g.get("who")
        session = me.session if me and request.path.startswith("/api/") else None
        if not session or "Set-Cookie" in told.headers:
            return told
        token = call_at_hand().cookie
        if sessions.named(token) == session and sessions.renewed(session):  # another call may have ended this token
            give(told, token)
        return told

    def shown(token: str | None = None, me: Who | None = None) -> Response:
        """How the caller stands, with a new token for its browser, or `""` to take its token away."""
        told = answer(state(me or who()))
        if token is not None:
            give(told, token)
        return told

    def again(token: str | None) -> Response:
        """How the caller stands after a change of its own standing."""
        made = call_at_hand()
        cookie = {"cookie": f"{made.cookie_name}={token}"} if token is not None else {}
        return shown(token, gate.known(replace(made, headers={**made.headers, **cookie})))

    def new_token() -> str:
        """A new token for the caller's session; the old one ends. Refused where another call of it was first."""
        token = sessions.new_token(call_at_hand().cookie)
        if token is None:
            raise Refused(403, say("access.again"), AGAIN)
        return token

    # -- pages --------------------------------------------------------------------------------------------------------

    @routes.get("/join")
    def join_page() -> str:
        return render_template("join.html")

    @routes.get("/access")
    def access_page() -> str:
        return render_template("access.html", **phones())

    # -- coming in and sitting down -----------------------------------------------------------------------------------

    @routes.get("/api/access")
    def how() -> Response:
        return shown()

    @routes.post("/api/access/join")
    def join() -> Response:
        code = read(body(), CodeBody).code
        if house.now.mode == "closed":
            raise Refused(403, say("access.closed"))
        came = joining.come_in(code)
        if came is None:
            raise Refused(403, say("access.code"))
        me = who()
        if me.session:  # a phone that comes in again: what it was ends
            joining.leave(me.session)
            sessions.end(me.session)
        return again(came[1])

    @routes.post("/api/access/seat")
    def sit() -> Response:
        wanted, me = read(body(), SeatBody).seat.strip(), who()
        check_seat(wanted)
        session, token = (me.session, None) if me.session else sessions.begin()
        if joining.ask(session, wanted, at_table=me.role >= Role.REFEREE) == "taken":
            if token:
                sessions.end(session)
            raise Refused(409, say("access.taken", seat=wanted[:_LONGEST_NAME]))
        return again(token or new_token())

    @routes.post("/api/access/leave")
    def leave() -> Response:
        read(body() or b"{}", Nothing)
        if session := who().session:
            joining.leave(session)
        return again(None)

    # -- at the table -------------------------------------------------------------------------------------------------

    def table() -> Response:
        taken, asked = sessions.seated(), joining.asked()
        every = dict.fromkeys((*(seats() or ()), *taken, *asked))
        return answer(AccessTable(tuple(SeatTaken(seat, seat in taken, seat in asked) for seat in every)))

    @routes.get("/api/access/table")
    def who_sits_where() -> Response:
        return table()

    @routes.post("/api/access/admit")
    def admit() -> Response:
        seat = read(body(), SeatBody).seat
        if not joining.admit(seat):
            raise Refused(409, say("access.nobody_asks", seat=seat[:_LONGEST_NAME]))
        return table()

    @routes.post("/api/access/free")
    def free() -> Response:
        joining.free(read(body(), SeatBody).seat)
        return table()

    # -- the owner ----------------------------------------------------------------------------------------------------

    def check_pin(pin: str) -> str:
        """The mark of the PIN. Raises Refused for a wrong one, or for one that comes too soon after wrong ones."""
        made, session = call_at_hand(), who().session
        standing, address = house.now, peer_of(made.peer)
        if standing.pin is None or standing.mode == "closed":
            raise Refused(403, say("access.closed"))
        knew = session if sessions.knew(session, standing.mark) else None
        with checking:  # one at a time: each takes 32 MB and a tenth of a second
            if left_s := waits.left_s(address, made.here, knew):
                seconds = int(left_s) + 1
                raise Refused(429, say("access.wait", seconds=seconds), {"Retry-After": str(seconds)})
            if not pins.matches(pin, standing.pin):
                waits.wrong(address, made.here, knew)
                raise Refused(403, say("access.wrong"))
            waits.right(address, made.here, knew)
        return standing.mark

    def as_owner(mark: str) -> Response:
        me = who()
        session, token = (me.session, new_token()) if me.session else sessions.begin()
        sessions.make_owner(session, mark)
        return again(token)

    @routes.post("/api/access/sign-in")
    def sign_in() -> Response:
        return as_owner(check_pin(read(body(), PinBody).pin))

    @routes.post("/api/access/sign-out")
    def sign_out() -> Response:
        read(body() or b"{}", Nothing)
        if session := who().session:
            sessions.make_owner(session, "")
        return again(None)

    @routes.post("/api/access/open")
    def open_house() -> Response:
        wish = read(body(), OpenBody)
        if house.now.mode != "closed":
            raise Refused(409, say("access.is_open"))
        _good(wish.pin)
        _kept(lambda: house.open(wish.pin, wish.trusted))
        return as_owner(house.now.mark)

    @routes.post("/api/access/pin")
    def change_pin() -> Response:
        wish = read(body(), PinBody)
        _good(wish.pin)
        _kept(lambda: house.change_pin(wish.pin))
        return as_owner(house.now.mark)

    @routes.post("/api/access/trust")
    def trust() -> Response:
        wish = read(body(), TrustBody)
        if house.now.mode == "closed":
            raise Refused(409, say("access.not_open"))
        _kept(lambda: house.trust(wish.trusted))
        return again(None)

    @routes.post("/api/access/close")
    def close() -> Response:
        read(body() or b"{}", Nothing)
        _kept(house.close)
        return again(None)

    return routes


def _good(pin: str) -> None:
    if pins.too_easy(pin):
        raise Refused(400, say("access.easy", least=pins.LEAST))


def _kept(change: Callable[[], None]) -> None:
    try:
        change()
    except OSError as error:
        raise Refused(503, say("access.disk", why=error.strerror or "?")) from None


def check_seat(live: LiveTable, lobby: Lobby, seat: Seat) -> None:
    """Raises Refused where the game laid out in the lobby, else the one under way, has no such seat for a person."""
    laid = lobby.laid
    seats = laid.seats if laid else live.game_seats()
    if seats is None:
        raise Refused(409, say("access.no_game"))
    if (laid.wish.seats if laid else live.snapshot().seats).get(seat) == "computer":
        raise Refused(409, say("access.computer", seat=seat))
    if (seats and seat not in seats) or not 0 < len(seat) <= _LONGEST_NAME:
        raise Refused(400, say("access.no_such_seat", seat=seat[:_LONGEST_NAME]))
