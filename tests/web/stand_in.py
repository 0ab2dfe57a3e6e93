"""A stand-in live table for the web's tests: a real game, a table of drawn discs, no referee and no reader."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Literal

import cv2
import numpy as np
from cv2.typing import MatLike
from msgspec.structs import replace

from tablecoin import mat, rules
from tablecoin.coins import BY_VALUE, Coin, Denomination, Face, Heap
from tablecoin.journal.analyses import Analysis
from tablecoin.journal.ended import EndedGame
from tablecoin.journal.evidence import NoEvidence
from tablecoin.journal.export import NoGame
from tablecoin.journal.fairness import Summary, summary
from tablecoin.journal.history import Games
from tablecoin.journal.played import PlayedGame
from tablecoin.journal.players import PlayerRecord, players
from tablecoin.journal.tosses import Toss, Tossed, falls_of
from tablecoin.live.acts import LegalAct
from tablecoin.live.archive import Exhibited
from tablecoin.live.bell import Bell
from tablecoin.live.hints import Hint
from tablecoin.photos.counting import Score
from tablecoin.photos.doubts import Candidate, Doubt
from tablecoin.referee import commands
from tablecoin.referee.belief import Difference, TableBelief
from tablecoin.referee.commands import CommandError, NotYourSeat, read_command
from tablecoin.referee.events import Colour, Player
from tablecoin.referee.interlude import Interlude
from tablecoin.referee.series import Standing
from tablecoin.referee.showing import coins_seen
from tablecoin.referee.snapshot import (
    ButtonNow,
    Choice,
    Clock,
    GameState,
    Health,
    Mark,
    Notice,
    Odds,
    Prompt,
    PromptKind,
    Ruling,
    Snapshot,
    Table,
)
from tablecoin.referee.voice import zone_name
from tablecoin.rules.coin_age.score import RegionTally
from tablecoin.rules.game import IllegalAction, RulesError
from tablecoin.rules.rulebook import Message
from tablecoin.rules.rulebook import texts as texts_of
from tablecoin.vision.frame import Disc, SeenCoin, whichever
from tablecoin.vision.shown.close_up import close_up
from tablecoin.vision.shown.preview import Corners, Picture

MAT = mat.load("two-row")
PX_PER_MM = 2
DOUBTS = (  # of the photo that it is sent, whatever it shows
    Doubt("M1", (Candidate(Coin.PENNY_HEADS, 0.7), Candidate(Coin.DIME_HEADS, 0.3)), (0, 0, 44, 44), (4, 4, 40, 40)),
    Doubt("bank.tails", (), (0, 150, 250, 190), (0, 40, 50, 50)),
)


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


def notice(warning: str) -> Notice:
    """`warning` in English, and in Chinese with a mark before it."""
    return Notice("test", {"en": warning, "zh": f"中{warning}"})


class FakeLiveTable:
    def __init__(self) -> None:
        self.stopping = threading.Event()
        self.commands: list[tuple[str, object, str | None]] = []
        self.game: Any = None
        self.options: Any = None
        self.state: Any = None
        self.ruling: Ruling | None = None
        self.question: list[str] = []
        self.asked: int | None = None  # the coin that the question is about, by its number
        self.offered: list[dict[str, Any]] = []  # acts that a turn's prompt offers
        self.marks: tuple[Mark, ...] = ()  # what hands have to do
        self.interlude: Interlude | None = None  # what interrupts play
        self.seats: dict[str, Player] = {"heads": "person", "tails": "person"}
        self.names: dict[str, str] = {}
        self.colours: dict[str, Colour] = {}
        self.played: list[PlayedGame] = []  # the history, oldest first
        self.tosses: list[Toss] = []
        self.analyses: dict[int, Analysis] = {}
        self.series: Standing | None = None
        self.crossed: int | None = None
        self.still = True  # and clear enough to rule on
        self.moving = False
        self.warnings: list[str] = []
        self.unsure: set[int] = set()
        self.no_picture = False
        self.laid_mat = MAT.name  # the mat that the reader found in the picture
        self.seen_at: Corners | None = None  # where the mat lies in the camera's picture
        self.hints = False
        self.clock: Clock | None = None
        self.odds: Odds | None = None
        self.arranged = 0
        self.ended: dict[int, EndedGame] = {}
        self.snapshots, self.pictures = Bell(), Bell()
        self.stirs = True  # whether a picture shows something new
        self.changed = -1
        self._seq = 0
        self.table = FakeTable(self.publish)
        self.virtual: FakeTable | None = self.table
        self.publish()

    # -- what the web asks -----------------------------------------------------------------------------------------

    @property
    def frames(self) -> int:
        return 7

    def snapshot(self, seat: str | None = None) -> Snapshot:
        game = self.game.public(self.state, seat) if seat and self.game else self._snapshot.game
        return replace(self._snapshot, game=game)

    @property
    def picture_number(self) -> int:
        return self._seq

    def command(self, command: Mapping[str, object], seat: str | None) -> tuple[bool, Message | None]:
        ((kind, body),) = command.items()
        self.commands.append((kind, body, seat))
        match read_command(kind, body):
            case commands.Start(game=name, options=options, seats=seats, names=names, colours=colours):
                self.seats, self.names, self.colours = dict(seats) or self.seats, dict(names), dict(colours)
                try:
                    game = rules.load(name)
                    self.game, self.options = game, game.read_options(dict(options))
                    self.state = game.start(self.options)
                except RulesError as error:
                    raise CommandError(error.message) from None
                self.ruling = None
            case commands.Act(action=action):
                return self._act(dict(action), seat)
            case commands.Press(button=button) if seat and not button.startswith(seat):
                raise NotYourSeat(Message("seat.not_yours.press", {"seat": seat, "others": button}))
            case commands.Press(button=button) if button.endswith("done") and self.state is not None:
                return self._act({"do": "done"}, button.partition(".")[0])
            case commands.Answer(choice=k) if k >= len(self.question):
                raise CommandError(Message("command.no_choice"))
            case commands.Answer():
                self.question, self.asked = [], None
            case commands.Correct(coin=i, denomination=denomination, face=face):
                self.table.coins[i] |= {"denomination": denomination, "face": face}
                self.unsure.discard(i)
        self.publish()
        return True, None

    def _act(self, raw: dict[str, Any], seat: str | None) -> tuple[bool, Message | None]:
        if self.game is None:
            return False, Message("command.no_game")
        try:
            action = self.game.read_action(raw)
        except RulesError as error:
            raise CommandError(error.message) from None
        try:
            said = self.game.tell(self.state, action)
            self.state, told = self.game.apply(self.state, action), texts_of(said)
            self.ruling = Ruling(self._seq, True, None, seat, raw, None, told["en"], told)
        except IllegalAction as broken:
            said = broken.message
            told = texts_of(said)
            self.ruling = Ruling(self._seq, False, broken.clause, seat, raw, None, told["en"], told)
        self.publish()
        return self.ruling.accepted, None if self.ruling.accepted else said

    def acts(self, seat: str | None) -> list[LegalAct]:
        if self.game is None:
            return []
        state = self.state
        return [
            LegalAct(
                self.game.write_action(act),
                self.game.actor(state, act),
                str(act),
                texts_of(self.game.offer(state, act)),
            )
            for act in self.game.legal_actions(state)
        ]

    def hint(self, seat: str | None) -> Hint:
        """Place a dime in the row of Heads."""
        if not self.hints:
            raise CommandError(Message("hint.rule"))
        facts: dict[str, object] = {"chance": 63, "next": 58}
        for name, coin in (("move", Denomination.DIME), ("other", Denomination.PENNY)):
            facts[name] = Message("steal.advise.place", {"coin": coin})
        said = texts_of(Message("hint.better", facts))
        moved = Difference("row.heads", Heap(dime=1), Heap(), Heap())
        return Hint(seat or "heads", {"do": "place", "coin": "dime"}, said["en"], said, 0.63, 0.0, (moved,))

    def game_seats(self) -> tuple[str, ...] | None:
        return self.game.seats(self.options) if self.game else None

    def toss(self, heap: Heap, zone: str) -> None:
        self.table.toss(heap, zone)

    def arrange(self) -> None:
        if self.game is None:
            raise CommandError(Message("command.no_game"))
        self.arranged += 1
        self.publish()

    def frame_jpeg(self, after: int, view: str) -> Picture | None:
        if self.no_picture:
            return None
        mat = self.laid_mat if view == "mat" else None
        return Picture(self._seq, self._picture(view), mat) if self._seq > after else None

    @property
    def changed_number(self) -> int:
        return self.changed

    def changed_jpeg(self, after: int, view: str) -> Picture | None:
        return self.frame_jpeg(-1, view) if self.changed > after else None

    def corners(self) -> Corners | None:
        return self.seen_at

    def coin_jpeg(self) -> bytes | None:
        if self.asked is None:
            return None
        coin = self.table.coins[self.asked]
        image = cv2.imdecode(np.frombuffer(self._picture("mat"), np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        return close_up(
            np.asarray(image, np.uint8), Disc(coin["x_mm"] * PX_PER_MM, coin["y_mm"] * PX_PER_MM, 9.5 * PX_PER_MM)
        )

    def record(self) -> str:
        return '{"game": "steal"}\n{"do": "done"}\n'

    def ended_game(self, number: int) -> EndedGame:
        if number not in self.ended:
            raise NoGame(Message("game.unknown", {"number": number}))
        return self.ended[number]

    def evidence(self, number: int) -> Exhibited:
        raise NoEvidence(Message("evidence.none", {"number": number}))

    def evidence_jpeg(self, number: int, when: Literal["before", "after"]) -> bytes:
        raise NoEvidence(Message("evidence.none", {"number": number}))

    def clip(self, number: int) -> bytes:
        raise NoEvidence(Message("evidence.clip", {"number": number}))

    def flips(self) -> Summary:
        return summary(Tossed(tuple(self.tosses), falls_of(self.tosses), 0))

    def games(self) -> Games:
        return Games(tuple(self.played), {}, 0)

    def players(self) -> tuple[PlayerRecord, ...]:
        return players(self.games(), self.analyses)

    def score(self, image: bytes, map_name: str | None) -> Score:
        if cv2.imdecode(np.frombuffer(image, np.uint8), cv2.IMREAD_COLOR) is None:
            raise ValueError("This file is not a picture; send a JPEG or PNG.")
        return Score(
            map=map_name or "classic",
            spaces={"M1": (Coin.PENNY_HEADS,), "M2": ()},
            banks={Face.HEADS: Heap(dime=1), Face.TAILS: Heap()},
            regions={"M": RegionTally(2, 1, Face.HEADS)},
            score={Face.HEADS: 19, Face.TAILS: 14},
            winner=Face.HEADS,
            tie_break=None,
            doubts=DOUBTS,
            boxes_px={"M1": (0, 0, 44, 44)},
            unsure=("M1", "bank.tails"),
            warnings=(),
            warnings_texts=(),
        )

    # -- inside ----------------------------------------------------------------------------------------------------

    def publish(self) -> None:
        self._seq += 1
        self._snapshot = self._make()
        self.changed = self._seq if self.stirs else self.changed
        self.snapshots.ring()
        self.pictures.ring()

    def _make(self) -> Snapshot:
        state = self.game.public(self.state, None) if self.game else None
        coins = tuple(self._seen(i, coin) for i, coin in enumerate(self.table.coins))
        layout = self.game.layout(self.state) if self.game else {}
        texts = texts_of(Message("button.end"))
        whose = self.ruling.seat if self.ruling and self.ruling.accepted else None
        return Snapshot(
            game=state,
            seats=self.seats,
            names=self.names,
            colours=self.colours,
            series=self.series,
            crossed=self.crossed,
            table=Table(
                coins=coins_seen(coins),
                hand=self.table.hand,
                moving=self.moving,
                settled=self.still and not self.moving and not self.table.hand,
                wanted={zone: pile.heap for zone, pile in layout.items()},
                flips=self.game.tosses_due(self.state) if self.game else {},
                differences=TableBelief(coins).differences(layout),
                marks=self.marks,
            ),
            prompt=self._prompt(state),
            ruling=self.ruling,
            undo=bool(self.ruling and self.ruling.accepted),
            undo_seat=whose if whose and self.seats.get(whose) != "computer" else None,
            undo_asks=(whose,) if whose and self.seats.get(whose) != "computer" else (),
            buttons={name: ButtonNow("end", texts["en"], texts) for name in commands.BUTTONS},
            mat=MAT,
            health=Health(tuple(self.warnings), tuple(map(notice, self.warnings)), "virtual", 20),
            seq=self._seq,
            age_s=0.1,
            hint=self.hints,
            odds=self.odds,
            clock=self.clock,
            began=1 if self.game else None,
        )

    def _prompt(self, state: GameState | None) -> Prompt:
        if self.interlude:
            said, menu = texts_of(self.interlude.said), self.interlude.menu
            told = [(texts_of(each.message), each) for each in menu.choices]
            choices = tuple(
                Choice(texts["en"], texts, None, None, k == menu.highlighted, does=each.does, seat=each.seat)
                for k, (texts, each) in enumerate(told)
            )
            return Prompt(None, self.interlude.kind, said["en"], said, choices)
        if self.question:
            choices = tuple(Choice(text, {"en": text, "zh": text}, None, None, False) for text in self.question)
            texts = {"en": "What did you just do?", "zh": "您刚才做了什么？"}
            if self.asked is not None:
                zone = zone_name("row.heads")
                texts = texts_of(Message("referee.coin.side", {"zone": zone, "coin": Denomination.PENNY}))
            return Prompt("heads", "question", texts["en"], texts, choices, self.asked)
        if state is None:
            texts = {"en": "Choose a game to begin.", "zh": "请选择一个游戏。"}
            return Prompt(None, "lobby", texts["en"], texts, ())
        said = texts_of(self.game.prompt(self.state))
        seat = state["to_act"][0] if state["to_act"] else None
        kind: PromptKind = "turn"
        if state["outcome"]:
            kind = "over"
        elif self.game.tosses_due(self.state):
            kind = "flip"
        offered = tuple(Choice(each["do"], {"en": each["do"]}, each, None, False) for each in self.offered)
        if state["outcome"]:
            again = ("once more", "once more, seats swapped")
            offered = tuple(Choice(text, {"en": text}, None, state["game"], False) for text in again)
        return Prompt(seat, kind, said["en"], said, offered)

    def _seen(self, i: int, coin: dict[str, Any]) -> SeenCoin:
        x_mm, y_mm, kind = coin["x_mm"], coin["y_mm"], coin["denomination"]
        penny, nickel, dime, quarter = (0.99 * (each == kind) for each in BY_VALUE)
        up = 0.6 if i in self.unsure else 0.99
        return SeenCoin(
            disc=Disc(x_mm * PX_PER_MM, y_mm * PX_PER_MM, 10.0 * PX_PER_MM),
            denominations=(penny, nickel, dime, quarter),
            heads_if=whichever(up if coin["face"] == "heads" else 1 - up),
            sure=i not in self.unsure,
            place_mm=(x_mm, y_mm),
            zone=MAT.zone_at(x_mm, y_mm),
        )

    def _picture(self, view: str) -> bytes:
        """A grey-white mat with discs for coins; the camera's view is the same with a border."""
        height, width = round(MAT.height_mm * PX_PER_MM), round(MAT.width_mm * PX_PER_MM)
        image: MatLike = np.full((height, width, 3), (206, 214, 216), np.uint8)
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
