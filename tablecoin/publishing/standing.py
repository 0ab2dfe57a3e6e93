"""Where the table stands: what its snapshot shows and its newest game, as the messages Summary and Health."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

import msgspec

from tablecoin.mqtt.messages import Fault, Seated, Texts
from tablecoin.publishing.narrator import scores
from tablecoin.referee.match import Match
from tablecoin.referee.snapshot import Clock, Snapshot
from tablecoin.rules.game import Seat


class Shown(msgspec.Struct, frozen=True):
    """What is published of a snapshot. The game itself comes from the journal."""

    seq: int = 0  # of the snapshot: while it stays, nothing moves on the table
    prompt: str = ""  # its kind
    said: Texts = {}
    ruling: Texts = {}
    faults: tuple[Fault, ...] = ()
    camera: str = ""
    fps: int = 0
    clock: Clock | None = None


class Source(Protocol):
    """The running table, for any thread."""

    def shown(self) -> Shown: ...

    def listen(self, heard: Callable[[], None]) -> Callable[[], None]:
        """Have `heard` called when there may be something newer, until the function that this returns is called."""

    def picture(self, after: int) -> tuple[int, bytes] | None:
        """The newest picture's number, above `after`, and its JPEG; None: none is newer."""

    @property
    def light(self) -> float | None:
        """How bright the ring light shines, 0..1; None: there is none."""

    @property
    def dims(self) -> bool:
        """Whether the ring light can shine with less than full brightness."""

    def shine(self, share: float | None) -> None:
        """Let the ring light shine so bright, 0..1; None: as bright as usual. Without one nothing happens."""


def shown(snapshot: Snapshot) -> Shown:
    """What is published of a snapshot."""
    return Shown(
        seq=snapshot.seq,
        prompt=snapshot.prompt.kind,
        said=snapshot.prompt.texts,
        ruling=snapshot.ruling.texts if snapshot.ruling else {},
        faults=tuple(Fault(notice.code, notice.texts) for notice in snapshot.health.said),
        camera=snapshot.health.camera,
        fps=snapshot.health.fps,
        clock=snapshot.clock,
    )


def seated(match: Match, clock: Clock | None, now: datetime) -> tuple[Seated, ...]:
    """The seats of a game in their order, with what each has, and what its chess clock has left `now`."""
    game, started = match.game, match.started
    has = scores(game.public(match.state, None))
    seats: tuple[Seat, ...] = game.seats(game.read_options(started.options))
    by_names = not seats  # people bring their own names
    every = tuple(dict.fromkeys((*(seats or started.seats), *(has if by_names else ()))))
    return tuple(
        Seated(
            seat,
            started.seats.get(seat, "person"),
            seat if by_names else started.names.get(seat, ""),
            has.get(seat),
        ).timed(clock.left_s if clock else {}, clock.running if clock else (), now)
        for seat in every
    )
