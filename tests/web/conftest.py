"""A small house for the web's tests: a real game of Steal, a table of drawn discs, no referee and no reader."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from flask.testing import FlaskClient

from tablecoin import mat, rules
from tablecoin.coins import BY_VALUE, Denomination, Heap
from tablecoin.referee import commands
from tablecoin.referee.commands import CommandError, NotYourSeat, read_command
from tablecoin.rules.game import RulesError
from tablecoin.rules.rulebook import sentence
from web.app import create_app
from web.server import Server

MAT = mat.load("two-row")
PX_PER_MM = 2


class FakeTable:
    """Keeps what it is given; a toss lands heads up, in a line."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.coins: list[dict[str, Any]] = []
        self.hand = False
        self.faults: dict[str, Any] = {"camera_bumped": False, "dim_light": False, "marker_lost": False}
        self._changed = changed

    def to_json(self) -> dict[str, Any]:
        return {"coins": [dict(coin) for coin in self.coins], "hand": self.hand, "faults": dict(self.faults)}

    def put_json(self, raw: object) -> None:
        if not isinstance(raw, dict):
            raise ValueError("The virtual table takes an object.")
        if unknown := set(raw) - {"coins", "hand", "faults"}:
            raise ValueError(f"The virtual table has no {sorted(unknown)[0]!r}.")
        self.coins = [dict(coin) for coin in raw.get("coins", self.coins)]
        self.hand = raw.get("hand", self.hand)
        self.faults = self.faults | raw.get("faults", {})
        self._changed()

    def toss(self, heap: Heap, zone: str) -> None:
        if zone not in {each.name for each in MAT.zones}:
            raise ValueError(f"The mat has no zone {zone[:40]!r}.")
        left, top, _, _ = MAT.zone(zone).area.bounds_mm
        for k, kind in enumerate(heap):
            face = "heads" if k % 2 == 0 else "tails"
            x_mm, y_mm = left + 18 + 30 * (k % 4), top + 22 + 30 * (k // 4)
            self.coins.append(
                {"denomination": str(kind), "face": face, "x_mm": x_mm, "y_mm": y_mm, "angle_deg": 30 * k}
            )
        self._changed()


class FakeLiveTable:
    def __init__(self) -> None:
        self.stopping = threading.Event()
        self.commands: list[tuple[str, object, str | None]] = []
        self.game: Any = None
        self.state: Any = None
        self.ruling: dict[str, Any] | None = None
        self.question: list[str] = []
        self.offered: list[dict[str, Any]] = []  # acts that a turn's prompt offers
        self.seats: dict[str, str] = {"heads": "person", "tails": "person"}
        self.still = True
        self.warnings: list[str] = []
        self.unsure: set[int] = set()
        self.no_picture = False
        self.arranged = 0
        self._condition = threading.Condition()
        self._seq = 0
        self.table = FakeTable(self.publish)
        self.virtual: FakeTable | None = self.table
        self.publish()

    # -- what the web asks -----------------------------------------------------------------------------------------

    def snapshot(self, seat: str | None = None) -> dict[str, Any]:
        own = {"game": self.game.public(self.state, seat)} if seat and self.game else {}
        return self._snapshot | own

    def wait(self, after_seq: int, timeout_s: float, seat: str | None = None) -> dict[str, Any] | None:
        with self._condition:
            self._condition.wait_for(lambda: self._seq > after_seq or self.stopping.is_set(), timeout_s)
            return self.snapshot(seat) if self._seq > after_seq else None

    def command(self, command: dict[str, object], seat: str | None) -> tuple[bool, str | None]:
        ((kind, body),) = command.items()
        self.commands.append((kind, body, seat))
        match read_command(kind, body):
            case commands.Start(game=name, options=options, seats=seats):
                self.seats = dict(seats) or self.seats
                try:
                    game = rules.load(name)
                    self.game, self.state = game, game.start(game.read_options(dict(options)))
                except RulesError as error:
                    raise CommandError(str(error)) from None
                self.ruling = None
            case commands.Act(action=action):
                return self._act(dict(action), seat)
            case commands.Press(button=button) if seat and not button.startswith(seat):
                raise NotYourSeat(f"{button} is not your button")
            case commands.Press(button=button) if button.endswith("done") and self.state is not None:
                return self._act({"do": "done"}, button.partition(".")[0])
            case commands.Answer(choice=k) if k >= len(self.question):
                raise CommandError("there is no such choice")
            case commands.Answer():
                self.question = []
            case commands.Correct(coin=i, denomination=kind, face=face):
                self.table.coins[i] |= {"denomination": kind, "face": face}
                self.unsure.discard(i)
        self.publish()
        return True, None

    def _act(self, raw: dict[str, Any], seat: str | None) -> tuple[bool, str | None]:
        if self.game is None:
            return False, "No game is being played."
        try:
            action = self.game.read_action(raw)
        except RulesError as error:
            raise CommandError(str(error)) from None
        try:
            told = self.game.tell(self.state, action)
            self.state = self.game.apply(self.state, action)
            texts = {language: sentence(told, language) for language in ("en", "zh")}
            self.ruling = {"seq": self._seq, "accepted": True, "clause": None, "text": texts["en"], "texts": texts}
        except RulesError as error:
            clause = getattr(error, "clause", "input")
            texts = {"en": str(error), "zh": error.why("zh")}
            self.ruling = {"seq": self._seq, "accepted": False, "clause": clause, "text": texts["en"], "texts": texts}
        self.ruling |= {"action": raw, "seat": seat}
        self.publish()
        return self.ruling["accepted"], None if self.ruling["accepted"] else self.ruling["text"]

    def acts(self, seat: str | None) -> list[dict[str, Any]]:
        written = [self.game.write_action(action) for action in self.game.legal_actions(self.state)]
        return [{"action": action, "seat": seat, "text": action["do"], "texts": {}} for action in written]

    def arrange(self) -> None:
        if self.game is None:
            raise CommandError("no game is being played; start one first")
        self.arranged += 1
        self.publish()

    def frame_jpeg(self, after: int, view: str, timeout_s: float) -> tuple[int, bytes] | None:
        if self.no_picture:
            return None
        if self._seq <= after:
            self.wait(after, timeout_s)
        return (self._seq, self._picture(view)) if self._seq > after else None

    def record(self) -> str:
        return '{"game": "steal"}\n{"do": "done"}\n'

    def score(self, image: bytes, map_name: str | None) -> dict[str, Any]:
        if cv2.imdecode(np.frombuffer(image, np.uint8), cv2.IMREAD_COLOR) is None:
            raise ValueError("This file is not a picture; send a JPEG or PNG.")
        region = {"heads": 2, "tails": 1, "bonus": "heads"}
        return {"map": map_name or "classic", "spaces": {"M1": ["penny:heads"], "M2": []}, "regions": {"M": region}} | {
            "banks": {"heads": {"dime": 1}, "tails": {}}, "score": {"heads": 19, "tails": 14}, "winner": "heads",
            "tie_break": None, "unsure": [], "warnings": [],
        }  # fmt: skip

    # -- inside ----------------------------------------------------------------------------------------------------

    def publish(self) -> None:
        with self._condition:
            self._seq += 1
            self._snapshot = msgspec.json.decode(msgspec.json.encode(self._make()))
            self._condition.notify_all()

    def _make(self) -> dict[str, Any]:
        state = self.game.public(self.state, None) if self.game else None
        wanted = {}
        if self.game:
            wanted = {zone: msgspec.to_builtins(pile.heap) for zone, pile in self.game.layout(self.state).items()}
            wanted |= {zone: msgspec.to_builtins(heap) for zone, heap in self.game.tosses_due(self.state).items()}
        whose = self.ruling["seat"] if self.ruling and self.ruling["accepted"] else None
        return {
            "seq": self._seq,
            "age_s": 0.1,
            "game": state,
            "table": {
                "coins": [self._seen(i, coin) for i, coin in enumerate(self.table.coins)],
                "hand": self.table.hand,
                "settled": self.still and not self.table.hand,
                "mat": MAT.name,
                "wanted": wanted,
                "flips": {zone: msgspec.to_builtins(heap) for zone, heap in self.game.tosses_due(self.state).items()}
                if self.game
                else {},
                "differences": self._differences(wanted),
            },
            "prompt": self._prompt(state),
            "ruling": self.ruling,
            "undo": bool(self.ruling and self.ruling["accepted"]),
            "undo_seat": whose if whose and self.seats.get(whose) != "computer" else None,
            "health": {"camera": "virtual", "fps": 20.0, "warnings": self.warnings},
            "seats": self.seats,
            "mat": msgspec.to_builtins(MAT),
        }

    def _prompt(self, state: dict[str, Any] | None) -> dict[str, Any]:
        if self.question:
            choices = [{"text": text, "texts": {"en": text, "zh": text}, "action": {}} for text in self.question]
            text, zh = "What did you just do?", "你刚才做了什么？"
            return {
                "seat": "heads",
                "text": text,
                "texts": {"en": text, "zh": zh},
                "choices": choices,
                "kind": "question",
            }
        if state is None:
            texts = {"en": "Choose a game to begin.", "zh": "请选择一个游戏。"}
            return {"seat": None, "text": texts["en"], "texts": texts, "choices": [], "kind": "lobby"}
        said = self.game.prompt(self.state)
        texts = {language: sentence(said, language) for language in ("en", "zh")}
        seat = state["to_act"][0] if state["to_act"] else None
        kind = "over" if state["outcome"] else "flip" if self.game.tosses_due(self.state) else "turn"
        choices = [{"text": each["do"], "texts": {}, "action": each} for each in self.offered]
        return {"seat": seat, "text": texts["en"], "texts": texts, "choices": choices, "kind": kind}

    def _seen(self, i: int, coin: dict[str, Any]) -> dict[str, Any]:
        x_mm, y_mm = coin["x_mm"], coin["y_mm"]
        kind = coin["denomination"]
        return {
            "i": i,
            "center_px": [x_mm * PX_PER_MM, y_mm * PX_PER_MM],
            "center_mm": [x_mm, y_mm],
            "radius_mm": Denomination(kind).diameter_mm / 2 if kind else 10.0,
            "zone": MAT.zone_at(x_mm, y_mm),
            "denomination": kind,
            "face": coin["face"],
            "denomination_confidence": 0.99,
            "face_confidence": 0.6 if i in self.unsure else 0.99,
            "sure": i not in self.unsure,
            "alternatives": [{"denomination": kind, "face": face, "share": 0.01} for face in ("heads", "tails")],
        }

    def _differences(self, wanted: dict[str, dict[str, int]]) -> list[dict[str, Any]]:
        found = []
        for zone, heap in wanted.items():
            here = Heap.of(
                Denomination(coin["denomination"])
                for coin in self.table.coins
                if coin["denomination"] and MAT.zone_at(coin["x_mm"], coin["y_mm"]) == zone
            )
            gaps = {str(kind): heap.get(str(kind), 0) - here[kind] for kind in BY_VALUE}
            missing = {kind: gap for kind, gap in gaps.items() if gap > 0}
            extra = {kind: -gap for kind, gap in gaps.items() if gap < 0}
            if missing or extra:
                found.append({"zone": zone, "missing": missing, "extra": extra})
        return found

    def _picture(self, view: str) -> bytes:
        """A grey-white mat with discs for coins; the camera's view is the same with a border."""
        height, width = round(MAT.height_mm * PX_PER_MM), round(MAT.width_mm * PX_PER_MM)
        image = np.full((height, width, 3), (206, 214, 216), np.uint8)
        for zone in MAT.zones:
            left, top, right, bottom = (round(each * PX_PER_MM) for each in zone.area.bounds_mm)
            cv2.rectangle(image, (left, top), (right, bottom), (150, 155, 158), 2)
        for coin in self.table.coins:
            center = round(coin["x_mm"] * PX_PER_MM), round(coin["y_mm"] * PX_PER_MM)
            color = (60, 105, 170) if coin["denomination"] == "penny" else (150, 152, 152)
            radius = round(
                (Denomination(coin["denomination"]).diameter_mm if coin["denomination"] else 20) * PX_PER_MM / 2
            )
            cv2.circle(image, center, radius, color, -1, cv2.LINE_AA)
        if view == "camera":
            image = cv2.copyMakeBorder(image, 60, 60, 90, 90, cv2.BORDER_CONSTANT, value=(40, 50, 60))
        return bytes(cv2.imencode(".jpg", image)[1])


@pytest.fixture
def live() -> Iterator[FakeLiveTable]:
    made = FakeLiveTable()
    yield made
    made.stopping.set()
    made.publish()


@pytest.fixture
def client(live: FakeLiveTable) -> FlaskClient:
    return create_app(live).test_client()


@pytest.fixture
def page(live, browser) -> Iterator:
    """The page of the fake house in Chromium; any error it logs fails the test."""
    with Server(create_app(live), live.stopping, "127.0.0.1", 0) as server:
        tab = browser.new_page(viewport={"width": 390, "height": 844}, locale="en-US")
        errors: list[str] = []
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        tab.goto(f"http://127.0.0.1:{server.port}/")
        yield tab
        tab.close()
        assert errors == []


@pytest.fixture
def photo() -> io.BytesIO:
    return io.BytesIO(cv2.imencode(".png", np.zeros((20, 20, 3), np.uint8))[1].tobytes())
