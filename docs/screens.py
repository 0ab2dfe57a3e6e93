"""Screenshots of every page and main state, both languages, three sizes: docs/screens/LANGUAGE/WIDTH/NAME.webp.

`make screens` writes them: a table with a drawn camera is started, games are begun and played on it, and a browser
looks at it. Names of pages or states may follow, to take only those anew: `make screens ONLY='home start'`.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from calibration.teach.teach import teach
from lab.reading import drawn_card
from tablecoin import mat as mats
from tablecoin import rules
from tablecoin.opponents import Level, load
from tablecoin.storage import mapfiles
from tests.journeys.running import Json, Running

SCREENS = Path(__file__).parent / "screens"
LANGUAGES = {"en": "en-US", "zh": "zh-CN"}
SIZES = {390: 844, 1280: 800, 1920: 1080}  # width and height of the window, px
KEPT = {390: 1.0, 1280: 0.75, 1920: 0.5}  # how large a screenshot is kept
QUALITY = 55  # of WebP, 1 to 100
MOST_BYTES = 6_000_000  # of all of them
PATIENCE_S = 120.0
OWN_CARD = "isle-of-change"  # a map that is taught from a photo of its card
SHOWN = """() => {
  const live = document.getElementById('prompt') || document.querySelector('.overlay');
  const pictured = !document.getElementById('stage')?.checkVisibility() || document.body.dataset.picture === 'yes';
  return !live || (document.body.dataset.seq && pictured);
}"""  # a page that follows the table shows its newest state, and the picture where it has one


@dataclass(frozen=True)
class State:
    """Something to look at: what it is called, where it is, what is done before, and in the page that opened."""

    name: str
    path: str
    prepare: Callable[[Table], object] = lambda table: None
    touch: Callable[[Page], object] = lambda page: None


class Table:
    """A running table with a drawn camera, and what its people do."""

    def __init__(self, served: Running) -> None:
        self.served = served

    def state(self) -> Json:
        return self.served.state()

    def ask(self, method: str, path: str, body: object, seat: str = "") -> Json | None:
        """What is refused changes nothing; None then."""
        return self.served.ask(method, f"{path}?seat={seat}" if seat else path, body)

    def begin(self, game: str, options: Json | None = None, tails: str = "person") -> None:
        """Begin a game; where it has two sides, Ann has heads, and tails Bob or the computer."""
        wish: Json = {"game": game, "options": options or {}, "odds": "always"}
        if game in ("steal", "exact", "coin-age"):
            wish["seats"] = {"heads": "person", "tails": tails}
            wish["names"] = {"heads": "Ann"} if tails == "computer" else {"heads": "Ann", "tails": "Bob"}
        self.served.send("POST", "api/games", wish)

    def game(self, name: str, steps: int, options: Json | None = None, tails: str = "person") -> None:
        """Begin a game and play so many tosses and acts of it."""
        self.begin(name, options, tails)
        self.play(steps)

    def play(self, steps: int, until: Callable[[Json], bool] = lambda state: False) -> None:
        """So many tosses and acts, each seen by the referee; it ends before where `until`, or the game is over."""
        done, end = 0, time.monotonic() + PATIENCE_S
        while done < steps and time.monotonic() < end:
            state = self.state()
            kind = state["prompt"]["kind"]
            if kind == "over" or (kind in ("turn", "flip") and until(state)):
                return
            if not state["table"]["settled"]:
                time.sleep(0.2)
                continue
            done += self._step(state, kind, done)
            self.served.wait_for_frames()

    def _step(self, state: Json, kind: str, seed: int) -> int:
        """Do what is asked for; 1 where that is an act or a toss."""
        if kind == "flip":
            for zone, coins in state["table"]["flips"].items():
                self.ask("POST", "api/virtual/toss", {"coins": coins, "zone": zone})
        elif kind == "turn":
            game, name = state["game"], state["game"]["game"]
            here, seat = rules.load(name).read_state(game), game["to_act"][0]
            if state["seats"].get(seat) != "computer":
                act = load(name)(here, seat, Level.STRONG, seed)
                self.ask("POST", "api/act", rules.load(name).write_action(act))
        elif kind == "question":
            self.ask("POST", "api/answer", {"choice": self.served.true_choice(state)})
        else:
            self.ask("POST", "api/virtual/arrange", {})
        return int(kind in ("flip", "turn"))

    def put(self, denomination: str, zone: str) -> None:
        """Lay one more coin into a zone, and wait until the referee has seen it."""
        table, before = self.served.get("api/virtual"), self.state()["seq"]
        _, _, right, bottom = mats.load(table["mat"]).zone(zone).area.bounds_mm
        coin = {"denomination": denomination, "face": "heads", "x_mm": right - 18, "y_mm": bottom - 18}
        self.ask("PUT", "api/virtual", {"coins": [*table["coins"], coin]})
        self.served.until(lambda: self.state()["seq"] > before, lambda: "the coin to be seen")
        self.served.wait_for_frames()


def lay_out(table: Table) -> None:
    """Two people in the lobby; one of them is ready."""
    wish = {"game": "steal", "options": {"goal": 50}, "seats": {"heads": "person", "tails": "person"}}
    table.ask("PUT", "api/lobby", wish)
    table.ask("POST", "api/lobby/me", {"name": "Ann", "colour": "teal", "ready": True}, "heads")
    table.ask("POST", "api/lobby/me", {"name": "Bob", "colour": "rose"}, "tails")


def refused(table: Table) -> None:
    table.play(3, lambda state: state["prompt"]["kind"] == "turn")
    table.put("quarter", "row.heads")


def resting(table: Table) -> None:
    """The dispute ends, the coin is taken away, and there is a break."""
    stand = next(k for k, choice in enumerate(table.state()["prompt"]["choices"]) if choice["does"] == "stand")
    table.ask("POST", "api/answer", {"choice": stand})
    table.ask("POST", "api/virtual/arrange", {})
    table.served.until(lambda: table.state()["prompt"]["kind"] == "turn", lambda: "the turn to go on")
    table.ask("POST", "api/pause", {})


def undo_asked(table: Table) -> None:
    """Heads wants to take a toss back, and tails is asked."""
    table.ask("POST", "api/answer", {"choice": 0})
    table.begin("steal", {"starter": "heads"})
    table.play(1)
    table.served.until(lambda: table.state()["prompt"]["kind"] != "flip", lambda: "the toss to be read")
    table.ask("POST", "api/undo", {}, "heads")


def ring(table: Table) -> None:
    """Three people have chosen and one has not."""
    table.begin("goes-around", {"players": 4, "start": 6})
    table.play(1, lambda state: state["prompt"]["kind"] == "turn")
    chosen: dict[str, Json] = {
        "2": {"action": "protect"},
        "3": {"action": "steal", "target": "1", "amount": 2},
        "4": {"action": "pass"},
    }
    for seat, act in chosen.items():
        table.ask("POST", "api/act", {"do": "commit", "seat": seat, **act})


def heroes(table: Table) -> None:
    table.begin("coin-wars", {"players": ["Ann", "Bob"]})
    ratings = {"bodiness": 3, "braininess": 3, "personality": 2, "coolness": 2, "misc": 2}
    create = {"do": "create", "name": "Ann", "ratings": ratings, "misc_name": "Luck", "strong": "bodiness"}
    table.ask("POST", "api/act", create)


def over(table: Table) -> None:
    table.begin("steal", {"goal": 10, "starter": "heads"})
    table.play(80)


def second_step(page: Page) -> None:
    page.get_by_test_id("way-next").click()


def choose_map(page: Page) -> None:
    page.get_by_test_id("game-coin-age").click()


def house_rules(page: Page) -> None:
    page.get_by_test_id("game-exact").click()
    page.locator("details.rules > summary").click()


def score_photo(table: Table) -> Callable[[Page], None]:
    def touch(page: Page) -> None:
        photo = page.request.get(f"{table.served.url}frame.jpg").body()
        page.get_by_test_id("photo").set_input_files({"name": "map.jpg", "mimeType": "image/jpeg", "buffer": photo})
        page.get_by_test_id("score-go").click()
        page.get_by_test_id("result").wait_for()
        page.get_by_test_id("result").evaluate("result => result.scrollIntoView()")

    return touch


def states(table: Table) -> Iterator[State]:
    """In the order in which the table comes by them."""
    yield State("home-first", "")
    yield State("kiosk-before", "kiosk")
    yield State("start", "#start")
    yield State("start-maps", "#start", touch=choose_map)
    yield State("start-rules", "#start", touch=house_rules)
    yield State("learn", "learn")
    yield State("lesson", "learn/steal", touch=second_step)
    yield State("lobby", "?seat=tails", lay_out)
    yield State("kiosk-lobby", "kiosk")
    yield State("access", "access")
    yield State("settings", "settings")
    yield State("calibrate", "calibrate")
    yield State("teach", "teach")
    yield State("health", "health")
    yield State("rules", "rules/steal")
    yield State("score", "score")
    yield State("join", "join")
    yield State("not-found", "nowhere")
    yield State("steal", "#table", lambda t: t.game("steal", 9, {"starter": "heads"}))
    yield State("kiosk-steal", "kiosk")
    yield State("overlay", "overlay?scale=2")
    yield State("home-playing", "#home")
    yield State("steal-refused", "#table", refused)
    yield State("kiosk-refused", "kiosk")
    yield State("dispute", "#table", lambda t: t.ask("POST", "api/dispute", {}))
    yield State("kiosk-dispute", "kiosk")
    yield State("break", "#table", resting)
    yield State("undo-asked", "?seat=tails#table", undo_asked)
    yield State("exact", "#table", lambda t: t.game("exact", 8, {"starter": "heads"}, "computer"))
    yield State("kiosk-exact", "kiosk")
    yield State("goes-around", "?seat=1#table", ring)
    yield State("kiosk-goes-around", "kiosk")
    yield State("coin-wars", "#table", heroes)
    yield State("kiosk-coin-wars", "kiosk")
    yield State("coin-age", "#table", lambda t: t.game("coin-age", 14))
    yield State("kiosk-coin-age", "kiosk")
    yield State("score-result", "score", touch=score_photo(table))
    yield State("own-card", "#table", lambda t: t.game("coin-age", 8, {"map": OWN_CARD}))
    yield State("kiosk-own-card", "kiosk")
    yield State("own-card-score", "score", touch=score_photo(table))
    yield State("over", "#table", over)
    yield State("kiosk-over", "kiosk")
    yield State("home", "#home")
    yield State("history", "history")
    yield State("replay", "history/1")


def take(table: Table, browser: Browser, wanted: frozenset[str]) -> None:
    """Every state at every size in every language. A page that this table does not have is left out."""
    pages = {
        (language, width): browser.new_context(
            viewport={"width": width, "height": height}, locale=locale, reduced_motion="reduce"
        ).new_page()
        for language, locale in LANGUAGES.items()
        for width, height in SIZES.items()
    }
    taken: set[str] = set()
    for state in states(table):
        if wanted and taken == wanted:
            return
        state.prepare(table)
        if wanted and state.name not in wanted:
            continue
        taken.add(state.name)
        for (language, width), page in pages.items():
            page.goto("about:blank")  # so that an address that differs in its #view alone is opened anew
            answer = page.goto(table.served.url + state.path)
            if answer and answer.status == 404 and state.name != "not-found":
                continue
            page.wait_for_function(SHOWN)
            state.touch(page)
            page.wait_for_timeout(600)
            keep(page.screenshot(), SCREENS / language / str(width) / f"{state.name}.webp", KEPT[width])
            page.evaluate("sessionStorage.clear()")  # the next page speaks for the whole table again
            page.goto("about:blank")  # only the page looked at asks the table for pictures
        print(state.name, flush=True)


def keep(png: bytes, file: Path, scale: float) -> None:
    shot = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert shot is not None
    small = cv2.resize(shot, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    file.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(file), small, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])


def main() -> None:
    wanted = frozenset(sys.argv[1:])
    if not wanted:
        shutil.rmtree(SCREENS, ignore_errors=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("make screens needs Chromium: sudo apt install chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        data = Path(folder) / "data"
        photo, to_px = drawn_card.photo()
        teach(photo, drawn_card.lesson(OWN_CARD, to_px), data / "maps")
        mapfiles.look_also_in(data / "maps")  # so that this process knows the map too
        served = Running(data, seed=11)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        try:
            take(Table(served), browser, wanted)
        finally:
            browser.close()
            served.stop()
    every = list(SCREENS.rglob("*.webp"))
    size = sum(file.stat().st_size for file in every)
    print(f"{len(every)} pictures, {size / 1e6:.1f} MB")
    if size > MOST_BYTES:
        sys.exit(f"That is more than {MOST_BYTES / 1e6:.0f} MB: keep them smaller (KEPT, QUALITY).")


if __name__ == "__main__":
    main()
