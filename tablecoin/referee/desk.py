"""What lies before the referee at one moment, and the snapshot everybody else sees of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.referee.belief import Difference
from tablecoin.referee.choices import Choice
from tablecoin.referee.commands import CommandError
from tablecoin.referee.match import Match
from tablecoin.referee.memory import BY_RULES, Known, Overruled, near, recognised, settled
from tablecoin.referee.voice import spoken, steps
from tablecoin.rules.game import Action, Layout, Seat
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Reading, SeenCoin, Sighting
from tablecoin.vision.rest.settle import Look

Kind = str  # of prompt: lobby, turn, flip, arrange, unfinished, question, refused, paused, over


@dataclass(frozen=True)
class Ruling:
    """The referee's word on what happened. `number` counts the events of the journal.

    `aside` is what only the person who asked is told, in place of `message`: why a sealed act was refused.
    """

    number: int
    accepted: bool
    message: Message
    seat: Seat | None
    clause: str | None = None
    action: dict[str, Any] | None = None
    aside: Message | None = None
    evidence: bool = False  # whether pictures were kept with it


@dataclass
class Desk:
    """The referee's own working memory; nobody else changes it."""

    match: Match | None = None
    look: Look | None = None  # the newest
    sighting: Sighting | None = None  # the newest, for as long as nothing has moved since
    camera_problem: str | None = None
    corrections: tuple[Overruled, ...] = ()
    agreed: Reading | None = None  # the last that showed the state as it stood
    shown: Layout | None = None  # what it showed; None: unknown since a start, or while no pictures came
    known: tuple[Known, ...] = ()  # what rulings settled about coins that still lie there
    kind: Kind = "lobby"
    said: Message = field(default_factory=lambda: Message("referee.lobby"))
    differences: tuple[Difference, ...] = ()
    choices: tuple[Choice, ...] = ()
    highlighted: int | None = None  # the choice DONE takes; None: DONE ends the turn
    ruling: Ruling | None = None
    arranging: bool = False  # the referee itself changed the state; the table is to follow
    strictly: bool = False  # taken back: nothing is ruled until the table shows the state exactly
    waiting: tuple[Seat, Action | None] | None = None  # who pressed DONE before the table was still
    stale: tuple[SeenCoin, ...] | None = None  # coins in the flip's zones that were not tossed; None: unknown

    @property
    def settled(self) -> bool:
        """Whether the table may be ruled on: it was sighted and nothing has moved since."""
        return self.sighting is not None

    @property
    def reading(self) -> Reading | None:
        """The newest reading: the settled one, else what was read last."""
        return self.sighting.reading if self.sighting else self.look.reading if self.look else None

    def playing(self) -> Match:
        """The game under way. Raises CommandError when there is none."""
        if not self.match:
            raise CommandError("no game is being played; start one first")
        return self.match

    def coins(self) -> tuple[SeenCoin, ...]:
        """The coins of the newest reading, people's corrections put in, and what is known of coins not touched."""
        return tuple(self._corrected(coin) for coin in self.reading.coins) if self.reading else ()

    def forget_moved_corrections(self) -> None:
        """A correction holds while its coin lies where it was made."""
        coins = self.reading.coins if self.reading else ()
        self.corrections = tuple(c for c in self.corrections if any(c.is_about(coin) for coin in coins))

    def overrule(self, number: int, denomination: Denomination | None, face: Face | None) -> None:
        """A person says that coin `number` of the newest reading is something else."""
        seen = self.reading.coins[number] if self.reading else None
        if seen and seen.place_mm:
            others = [c for c in self.corrections if not near(c.place_mm, seen.place_mm)]
            self.corrections = (*others, Overruled(seen.place_mm, denomination, face, seen))

    def _corrected(self, coin: SeenCoin) -> SeenCoin:
        for correction in self.corrections:
            if correction.is_about(coin):
                return correction.put_right(coin)
        return recognised(coin, self.known)

    def learn(self, layout: Layout, yields: float = BY_RULES) -> None:
        """The settled table shows `layout`: what each of its coins is, is known while it lies there."""
        coins = self.coins()
        lasting = [
            one
            for one in self.known
            if one.yields < yields and any(c.place_mm and near(c.place_mm, one.place_mm) for c in coins)
        ]
        self.known = (*lasting, *settled(layout, coins, yields))
        self.agreed, self.shown = self.reading, layout

    def snapshot(self) -> dict[str, Any]:
        """The contract's snapshot, less `seq`, `age_s` and the service's share of `health`."""
        match = self.match
        layout: Layout = match.game.layout(match.state) if match else {}
        due = match.game.tosses_due(match.state) if match else {}
        seats = match.game.to_act(match.state) if match else ()
        return {
            "game": match and match.game.public(match.state, None),
            "seats": dict(match.started.seats) if match else {},
            "table": {
                "coins": [coin_json(i, coin) for i, coin in enumerate(self.coins())],
                "hand": bool(self.look and self.look.hand),
                "moving": bool(self.look and self.look.moving),
                "settled": self.settled,
                "wanted": {zone: msgspec.to_builtins(pile.heap) for zone, pile in layout.items()},
                "flips": {zone: msgspec.to_builtins(heap) for zone, heap in due.items()},
                "differences": [_difference(d) for d in self.differences],
            },
            "prompt": {
                "seat": seats[0] if len(seats) == 1 else None,
                "kind": self.kind,
                **spoken(self.said),
                "choices": [self._choice(choice, i) for i, choice in enumerate(self.choices)],
            },
            "ruling": self.ruling and _ruling(self.ruling),
            "undo": bool(match and match.plies),
            "undo_seat": match and match.undo_seat(),
            "mat": _mat(match.mat) if match else None,
            "health": {"warnings": self._warnings()},
        }

    def _warnings(self) -> list[str]:
        if self.camera_problem:
            return [self.camera_problem]
        return list(self.reading.warnings) if self.reading else []

    def _choice(self, choice: Choice, index: int) -> dict[str, Any]:
        actions = [self.match.game.write_action(action) for action in choice.actions] if self.match else []
        return {
            **spoken(choice.message),
            "action": actions[0] if actions else None,
            "game": choice.game,
            "highlighted": index == self.highlighted,
        }


def to_put_right(differences: Sequence[Difference]) -> dict[str, object]:
    return {"steps": steps(differences)}


def coin_json(index: int, coin: SeenCoin) -> dict[str, Any]:
    """A coin as the snapshot shows it."""
    kind, face = coin.denomination, coin.face
    return {
        "i": index,
        "center_px": [round(coin.disc.x_px, 1), round(coin.disc.y_px, 1)],
        "radius_px": round(coin.disc.r_px, 1),
        "center_mm": coin.place_mm and [round(coin.place_mm[0], 1), round(coin.place_mm[1], 1)],
        "radius_mm": kind and round(kind.diameter_mm / 2, 2),
        "zone": coin.zone,
        "denomination": kind,
        "face": face,
        "denomination_confidence": round(max(coin.denominations), 4),
        "face_confidence": round(max(coin.heads, 1 - coin.heads), 4),
        "sure": coin.sure,
        "alternatives": [{"denomination": k, "face": f, "confidence": p} for k, f, p in _alternatives(coin)],
    }


def _alternatives(coin: SeenCoin) -> list[tuple[Denomination | None, Face | None, float]]:
    """What else the coin may be, likeliest first, no coin of ours last but one that is likely: (kind, face, share)."""
    kinds = zip(BY_VALUE, coin.denominations, strict=True)
    every: list[tuple[Denomination | None, Face | None, float]] = [
        (kind, face, round(p * (coin.heads if face is Face.HEADS else 1 - coin.heads), 4))
        for kind, p in kinds
        for face in Face
    ]
    every.append((None, None, round(max(0.0, 1 - sum(coin.denominations)), 4)))
    others = [one for one in every if one[:2] != (coin.denomination, coin.face)]
    return sorted(others, key=lambda one: -one[2])


def _difference(difference: Difference) -> dict[str, Any]:
    heaps = {"missing": difference.missing, "extra": difference.extra, "turned": difference.turned}
    return {"zone": difference.zone} | {name: msgspec.to_builtins(heap) for name, heap in heaps.items()}


def _ruling(ruling: Ruling) -> dict[str, Any]:
    return {
        "seq": ruling.number,
        "accepted": ruling.accepted,
        "clause": ruling.clause,
        "seat": ruling.seat,
        "action": ruling.action,
        "evidence": ruling.number if ruling.evidence else None,
        **spoken(ruling.message),
    }


def _mat(name: str) -> dict[str, Any]:
    body: dict[str, Any] = msgspec.to_builtins(mats.load(name))
    return body
