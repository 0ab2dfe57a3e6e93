"""The appliance: everything that `tablecoin serve` runs, built from settings in one place.

Building it starts no thread and opens no socket, so that tests may use its parts one by one. Entering it starts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import TracebackType
from typing import Self

from flask import Flask

from calibration.teach.teach import Teacher
from calibration.wizard import LiveEyes, Wizard
from tablecoin.checks.health import LiveHealth
from tablecoin.checks.owning import Owning
from tablecoin.journal.journal import JournalError
from tablecoin.live import allocator
from tablecoin.live.service import Service
from tablecoin.live.table import LiveTable
from tablecoin.live.watchdog import Watchdog
from tablecoin.mat import MatError
from tablecoin.panel.panel import PanelError
from tablecoin.publishing.desk import Desk
from tablecoin.publishing.leaving import leave
from tablecoin.publishing.publisher import Publisher
from tablecoin.publishing.table_source import TableSource
from tablecoin.settings import Settings
from tablecoin.virtual.camera import REAL_TIME, Simulation
from tablecoin.vision.calibrated import is_there
from tablecoin.vision.cameras.camera import CameraError
from web.access.gate import Gate
from web.access.joining import Joining
from web.analyses import Analyses
from web.app import create_app
from web.listener import Listener
from web.lobby import FILE as LOBBY
from web.lobby import Lobby
from web.security import Rates
from web.server import CannotServe, join_urls

Say = Callable[[str], None]


class CannotStart(Exception):
    """The appliance cannot start; `str()` says what is wrong and what to do."""


class Appliance:
    """One table with its camera, referee, panel, pages and publisher.

    Enter it once: this starts everything, and leaving it stops everything. `run` keeps it going meanwhile.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        seed: int | None = None,
        simulation: Simulation = REAL_TIME,
        rates: Rates | None = None,
    ) -> None:
        """Raises CannotStart. `seed`: of the virtual table's tosses. `rates`: how often a client may call."""
        self.settings = settings
        self._running = ExitStack()
        self._listener: Listener | None = None
        self._publisher: Publisher | None = None
        with _said_why(), ExitStack() as undo:
            self._admit()
            self._seat_referee(seed, simulation)
            undo.callback(self.service.close)
            self._prepare_publishing()
            self._lay_out_pages(rates)
            undo.pop_all()

    # -- building it, step by step ------------------------------------------------------------------------------------

    def _admit(self) -> None:
        """Create the permissions, and the list of phones that ask for a seat."""
        settings = self.settings
        self.gate = Gate.of(settings.data_dir, settings.web.hosts)
        self.joining = Joining(self.gate.sessions, buttons=settings.panel.kind != "none")

    def _seat_referee(self, seed: int | None, simulation: Simulation) -> None:
        """Create the service: panel, camera, journal, referee and the live table."""
        self.service = Service(self.settings, Watchdog(), seed, took_press=self._took_press, simulation=simulation)

    def _prepare_publishing(self) -> None:
        """Create the publisher for the MQTT broker. Without a broker a club assigns games over HTTP."""
        settings, service = self.settings, self.service
        if settings.mqtt.address is None:
            self._desk: Publisher | Desk = Desk(settings.data_dir, service.journal)
            return
        source = TableSource(service.live, service.panel)
        self._desk = self._publisher = Publisher(
            settings.mqtt, settings.data_dir, service.journal, source, lambda: next(iter(self.urls or ()), "")
        )

    def _lay_out_pages(self, rates: Rates | None) -> None:
        """Create the Flask application."""
        settings, service, live = self.settings, self.service, self.service.live
        health = LiveHealth(live, service.panel, settings, publisher=self._publisher)
        eyes = LiveEyes(live, service.panel.ring_light)
        self.app: Flask = create_app(
            live,
            owner=Owning(settings, self.stop, health.findings, service.watchdog.supervised),
            wizard=Wizard(eyes, service.calibration_file, settings.table.mat),
            teacher=Teacher(settings.maps_dir),
            analyses=Analyses.beside(settings.data_dir, live.stopping.is_set),
            health=health,
            kept=live.kept,
            desk=self._desk,
            brought=self._desk if isinstance(self._desk, Desk) else None,
            gate=self.gate,
            joining=self.joining,
            lobby=Lobby(settings.data_dir / LOBBY),
            language=settings.table.language,
            sounds=settings.table.sounds,
            join_urls=lambda: self.urls,
            rates=rates,
        )

    # -- running it ---------------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        """Raises CannotStart."""
        with _said_why(), self._running as started:
            started.callback(self.service.close)
            self._listener = self._listen()
            started.push(self._listener)  # its sockets are open already
            started.enter_context(self.service)
            started.enter_context(self._listener)
            if self._publisher:
                started.enter_context(self._publisher)
            else:
                leave(self.settings.mqtt, self.settings.data_dir)
            self._running = started.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.close()

    def run(self, say: Say) -> None:
        """Open and close the listener as the owner wishes, until `stop`. `say` prints where the pages are."""
        if self.live.virtual is None or is_there(self.service.calibration_file):  # a virtual table needs none
            say(f"tablecoin: {self.service.calibration_said}")
        self._announce(say)
        while not self.live.stopping.is_set():
            self.listener.follow(allocator.TRIM_EVERY_S, partial(self._announce, say))
            allocator.trim()

    def stop(self) -> None:
        """End `run`. For any thread."""
        self.live.stopping.set()

    @property
    def live(self) -> LiveTable:
        return self.service.live

    @property
    def listener(self) -> Listener:
        """Where the pages are served. RuntimeError before the appliance is entered."""
        if self._listener is None:
            raise RuntimeError("the appliance was not entered")
        return self._listener

    @property
    def url(self) -> str:
        """The address of the first page, for this machine."""
        host = "127.0.0.1" if self.listener.host in ("0.0.0.0", "::") else self.listener.host
        return f"http://{host}:{self.listener.port}/"

    @property
    def urls(self) -> list[str] | None:
        """Where phones find the pages, best first; empty without a network, None when they cannot."""
        return join_urls(self._listener.host, self._listener.port) if self._listener else None

    def _listen(self) -> Listener:
        web = self.settings.web
        return Listener(self.app, self.live, self.gate.house, web.host, web.port)

    def _took_press(self, button: str) -> bool:
        """Publish a press of a panel button. Returns whether it admitted a phone to a seat."""
        if self._publisher:
            self._publisher.pressed(button)
        return self.joining.pressed(button)

    def _announce(self, say: Say) -> None:
        """Print the addresses of the pages, and any advice on access."""
        say(f"tablecoin: {self.service.said}; the page is at {self.url}")
        urls = self.urls
        for url in urls or ():
            say(f"tablecoin: for phones: {url}")
        if urls == []:
            say("tablecoin: there is no network yet; the page shows phones the way once there is.")
        if self.listener.advice:
            say(f"tablecoin: {self.listener.advice}")


@contextmanager
def _said_why() -> Iterator[None]:
    """Convert the rooms' start-up errors to CannotStart."""
    try:
        yield
    except (CameraError, PanelError, JournalError, MatError, CannotServe) as error:
        raise CannotStart(str(error)) from error
