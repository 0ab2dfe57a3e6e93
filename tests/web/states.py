"""Every page and state that people come to see, reached without a camera: for tests of how the pages look and read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from playwright.sync_api import FilePayload, Page

from tablecoin.club.ledger import Ledger
from tablecoin.coins import Coin, Heap
from tablecoin.journal.played import Counted
from tablecoin.journal.record import read_record
from tablecoin.journal.tosses import Toss
from tablecoin.live.kept_coins import KeptCoins
from tablecoin.mqtt.connection import Received
from tablecoin.referee.snapshot import Odds
from tablecoin.rules.rulebook import Message
from tablecoin.vision.coins.remembered import Remembered
from tablecoin.vision.coins.remembered_file import FILE, save
from tests.club.said import heard, result, ruling, summary
from tests.replay.games import made_up_analysis
from tests.web.failing_wizard import FailingWizard
from tests.web.quiet import QuietTable
from tests.web.stage import Stage
from tests.web.test_assigned import Desk
from tests.web.test_health import Findings
from tests.web.test_history import all_counted
from tests.web.test_known import PENNY
from tests.web.test_owning import Program
from tests.web.test_page_layout import adventure
from tests.web.test_teach import Pupil
from web.access.gate import Gate
from web.access.house import House
from web.access.joining import Joining
from web.access.origin import own_names
from web.access.sessions import Sessions
from web.analyses import Analyses
from web.app import create_app
from web.club.app import create_app as create_club
from web.club.roles import least_role
from web.club.shown import ClubShown
from web.worker import Worker

ADDRESS = "http://192.168.178.240:8000/"  # as phones see the table
ODDS = Odds(0, {"heads": 0.634, "tails": 0.366}, 0.03, ())


@dataclass(frozen=True)
class Table:
    """A table before its page is opened, and a client on its own machine."""

    live: QuietTable
    client: FlaskClient

    def start(self, game: str = "steal", **more: Any) -> None:
        self.live.command({"start": {"game": game, **more}}, None)

    def ask(self, path: str, body: object, method: str = "POST") -> None:
        answer = self.client.open(path, method=method, json=body)
        assert answer.status_code == 200, answer.text


def analysis_of(record: bytes) -> bytes:
    return json.dumps(made_up_analysis(read_record(record.decode().splitlines()))).encode()


def nothing(_: object) -> None:
    """As it is."""


@dataclass(frozen=True)
class State:
    """Something to look at: its address, what has happened before, and what is done in the page that opened.

    `shows`: the element that tells that all of it is there.
    """

    name: str
    path: str
    shows: str
    before: Callable[[Table], object] = nothing
    then: Callable[[Page], object] = nothing
    opened: bool = False  # to the network: then this machine is a screen at the table
    assigns: bool = False  # whether a club has a game for the table
    often: bool = False  # whether `make test` looks at it; `make long` looks at all

    @contextmanager
    def shown(self, stage: Stage, folder: Path) -> Iterator[str]:
        """The path of the page, with a table in this state behind it. `folder`: for its data."""
        live, house = QuietTable(folder), House()
        if self.opened:
            house.open("rosebud 1941", trusted=False)
        gate = Gate(house, Sessions(), own_names())
        save(Remembered("ours", (PENNY,)), folder / FILE)
        app = create_app(
            live,
            wizard=FailingWizard(),
            teacher=Pupil(),
            kept=KeptCoins(folder, "ask", "ours"),
            health=Findings(),
            owner=Program(folder),
            analyses=Analyses(folder / "analyses", Worker(live.stopping.is_set), analysis_of),
            desk=Desk() if self.assigns else None,
            gate=gate,
            joining=Joining(gate.sessions, buttons=False),
            join_urls=lambda: [ADDRESS],
        )
        self.before(Table(live, app.test_client()))
        stage.shows(app, live)
        yield f"/{self.path}"
        live.stop()


@dataclass(frozen=True)
class ClubState:
    """The same for a page of a club. `path` may name the one tournament, which `before` makes."""

    name: str
    path: str
    shows: str
    then: Callable[[Page], object] = nothing
    often: bool = False

    @contextmanager
    def shown(self, stage: Stage, folder: Path) -> Iterator[str]:
        """The path of the page of a club: two tables, a game that is over, a dispute and a round of a tournament."""
        ledger = Ledger(folder, "Coin club")
        shown, gate = ClubShown(ledger.hall), Gate.of(folder, (), least_role)
        app = create_club(ledger, shown, gate, name="Coin club", join_urls=lambda: [ADDRESS])
        for table in ("kitchen", "window"):
            said = summary(table, game="steal", title={"en": "Steal", "zh": "偷"})
            ledger.take([heard(said), Received(f"tablecoin/1/{table}/up", b"online", True)])
        ledger.take([heard(ruling(9, "kitchen", kind="game_over", told=result("kitchen")))])
        ledger.take([heard(ruling(12, "window", kind="dispute"))])
        client = app.test_client()
        cup = {"name": "Friday", "system": "swiss", "game": "steal", "players": ["Ann", "Bob", "Cat", "Dan"],
               "tables": ["kitchen", "window"]}  # fmt: skip
        number = client.post("/api/tournaments", json=cup).get_json()["number"]
        for body in ({"do": "pair"}, {"do": "publish", "minutes": 20}):
            client.post(f"/api/tournaments/{number}/act", json=body)
        stage.shows(app, shown)
        yield f"/{self.path.format(number=number)}"
        shown.stopping.set()
        ledger.close()


# -- what happened before ----------------------------------------------------------------------------------------------


def toss(table: Table) -> None:
    """Five pennies are to be tossed; Ann plays Bob."""
    people = {"heads": "person", "tails": "person"}
    table.start(names={"heads": "Ann", "tails": "Bob"}, seats=people, options={"starter": "heads"}, hints="always")
    table.live.see()


def turn(table: Table) -> None:
    """Ann may place a penny; the chances and the hint are shown."""
    toss(table)
    table.live.toss(Heap(penny=5), "tray")
    table.live.see()
    table.live.arrange()
    table.live.see()
    table.live.shows(odds=ODDS)


def question(table: Table) -> None:
    toss(table)
    table.live.toss(Heap(penny=5), "tray")
    table.live.see_doubtful(1)


def refused(table: Table) -> None:
    """A coin lies where none may be laid, and a marker is hidden."""
    turn(table)
    quarter = {"denomination": "quarter", "face": "heads", "x_mm": 300, "y_mm": 248, "angle_deg": 0}
    table.live.table.put_json({"coins": [*table.live.table.to_json()["coins"], quarter]})
    table.live.see(warnings=(Message("vision.markers.hidden", {"hidden": 1, "markers": 4}),))


def asks(kind: str, body: object, seat: str | None = None) -> Callable[[Table], None]:
    """What interrupts play."""

    def before(table: Table) -> None:
        turn(table)
        table.live.command({kind: body}, seat)
        table.live.shows(odds=ODDS)

    return before


def laid_out(table: Table) -> None:
    wish = {"game": "steal", "options": {"goal": 50}, "seats": {"heads": "person", "tails": "person"}}
    table.ask("/api/lobby", wish, "PUT")


def over(table: Table) -> None:
    seats, options = {"heads": "person", "tails": "computer"}, {"goal": 10, "starter": "tails"}
    table.start(names={"heads": "Ann"}, seats=seats, options=options, level="easy", odds="always")
    table.live.play_out(seed=6)


def ring(table: Table) -> None:
    table.start("goes-around", options={"players": 4}, seats={"4": "computer"}, names={"1": "Ann"})


def heroes(table: Table) -> None:
    adventure(table.live)


def card(table: Table) -> None:
    table.start("coin-age", options={"map": "forest"})
    table.live.table.toss(Heap(penny=3, dime=1), "tray")
    table.live.see()


def tossed(table: Table) -> None:
    table.start()
    coins = (Coin.PENNY_HEADS, Coin.DIME_TAILS)
    tosses = (Toss(1, "steal", "2026-11-23T19:00:00Z", f"Ann {n}", coins, stands=True) for n in range(12))
    table.live.remembers(Counted(None, tuple(tosses)))


def evening(table: Table) -> None:
    table.live.remembers(*all_counted())


# -- what is done in the page ------------------------------------------------------------------------------------------


def taps(*testids: str) -> Callable[[Page], None]:
    """Tap these one after the other."""

    def then(page: Page) -> None:
        for testid in testids:
            page.get_by_test_id(testid).click()

    return then


def house_rules(game: str) -> Callable[[Page], None]:
    """The form of a game with its house rules open."""

    def then(page: Page) -> None:
        page.get_by_test_id(f"game-{game}").click()
        page.locator("details.rules > summary").click()

    return then


def correct(page: Page) -> None:
    page.get_by_test_id("mode-read").click()
    page.get_by_test_id("grip-1").press("Enter")


def keys(page: Page) -> None:
    page.keyboard.press("?")


def disconnected(page: Page) -> None:
    page.context.set_offline(True)
    page.get_by_test_id("press-referee").click()


def ready(page: Page) -> None:
    page.get_by_test_id("lobby-name").fill("Ann")
    page.locator('label:has([data-testid="colour-teal"])').click()
    page.get_by_test_id("lobby-ready").click()


def fails(step: str) -> Callable[[Page], None]:
    """A step of the wizard that fails."""
    return taps(f"cal-step-{step}", "cal-run")


def scored(page: Page) -> None:
    photo: FilePayload = {"name": "map.jpg", "mimeType": "image/jpeg", "buffer": picture_of(page)}
    page.get_by_test_id("photo").set_input_files(photo)
    page.get_by_test_id("score-go").click()


def put_right(page: Page) -> None:
    scored(page)
    page.get_by_test_id("space-M1").press("Enter")


def settings(page: Page) -> None:
    """The log and the commands of an update."""
    page.locator("[data-testid=log] > summary").click()
    page.locator("[data-testid=update] > summary").click()


def photographed(page: Page) -> None:
    photo: FilePayload = {"name": "card.jpg", "mimeType": "image/jpeg", "buffer": picture_of(page)}
    page.get_by_test_id("teach-photo").set_input_files(photo)


def picture_of(page: Page) -> bytes:
    return page.request.get(f"{page.url.rpartition('/')[0]}/frame.jpg").body()


STATES: tuple[State | ClubState, ...] = (
    # before a game
    State("home", "", "road-start", often=True),
    State("start", "#start", "start", then=house_rules("steal"), often=True),
    State("start-ring", "#start", "start", then=house_rules("goes-around")),
    State("start-wars", "#start", "start", then=house_rules("coin-wars")),
    State("start-maps", "#start", "map-forest", then=taps("game-coin-age")),
    State("lobby", "?seat=heads", "lobby-begin", laid_out, ready, often=True),
    State("assigned", "#home", "assigned-begin", assigns=True),
    # at the table
    State("home-playing", "#home", "road-goOn", turn),
    State("ends", "#start", "ends-yes", turn, taps("start")),
    State("toss", "#table", "toss", Table.start),
    State("turn", "#table", "ask-hint", turn, often=True),
    State("menu", "#table", "my-seat", turn, taps("menu")),
    State("question", "#table", "choice-2", question, often=True),
    State("refused", "#table", "ruling-clause", refused),
    State("correct", "#table", "correct-none", question, correct),
    State("consent", "#table", "choice-1", asks("undo", True, "heads")),
    State("dispute", "#table", "choice-1", asks("dispute", {}, "tails")),
    State("break", "#table", "choice-0", asks("pause", {})),
    State("resigning", "#table", "resign-heads", turn, taps("menu", "resign")),
    State("rulings", "#table", "rulings", turn, taps("menu", "open-rulings")),
    State("evidence", "#table", "toss-editor", turn, taps("dispute"), often=True),
    State("tosses", "#table", "flips-table", tossed, taps("menu", "open-flips")),
    State("join-phone", "#table", "join", turn, taps("menu", "open-join")),
    State("keys", "#table", "keys-on", turn, keys),
    State("watching", "?seat=watch#table", "whose", turn),
    State("disconnected", "#table", "notice", turn, disconnected),
    State("ring", "?seat=1#table", "act", ring),
    State("wars", "#table", "sheet-Ann", heroes),
    State("hero", "#table", "wars-name", lambda table: table.start("coin-wars")),
    State("card", "#table", "coin-0", card, taps("view-drawn")),
    State("over", "#table", "over-why", over, often=True),
    # other pages
    State("lessons", "learn", "learn-exact"),
    State("lesson", "learn/steal", "way-next"),
    State("rules", "rules/steal", "clause-steal.place.limit"),
    State("rules-card", "rules/coin-age", "rules"),
    State("history", "history", "more", evening),
    State("person", "history?player=Ann", "person", evening),
    State("replay", "history/1", "graph", over, taps("first"), often=True),
    State("score", "score", "score-go"),
    State("score-doubt", "score", "doubt-0", then=scored),
    State("score-fix", "score", "fix-empty", then=put_right, often=True),
    State("health", "health", "check-disk"),
    State("settings", "settings", "log", then=settings, often=True),
    State("sure", "settings", "sure-yes", then=taps("restart")),
    State("access", "access", "owner"),
    State("access-open", "access", "phones", opened=True),
    State("join", "join#wrong", "join-said"),
    State("not-found", "nowhere", "error-why"),
    # setting it up
    State("aim", "calibrate", "cal-step-aim"),
    State("markers", "calibrate", "cal-todo", then=fails("markers")),
    State("enrol", "calibrate", "cal-todo", then=fails("enrol")),
    State("teach", "teach", "teach-how", then=photographed),
    # the club
    ClubState("hall", "", "big"),
    ClubState("players", "players", "join-names"),
    ClubState("organise", "organise", "call"),
    ClubState("tournament", "tournaments/{number}", "minutes", taps("tell-1-1"), often=True),
    # screens of walls and of streaming programs: they come last, because a phone is asked for all the others
    State("kiosk", "kiosk", "stage", opened=True),
    State("kiosk-lobby", "kiosk", "lobby-heads", laid_out),
    State("kiosk-turn", "kiosk", "seat-heads", turn),
    State("kiosk-question", "kiosk", "choice-2", question),
    State("kiosk-over", "kiosk", "choice-0", over, often=True),
    State("overlay", "overlay?scale=2", "turn", turn),
)
