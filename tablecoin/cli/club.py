"""Many tables, one evening: the club's hall, players and tournaments."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablecoin.cli.sentences import GivenPath, UserError
from tablecoin.cli.stopping import on_signal

if TYPE_CHECKING:
    from tablecoin.club.ledger import Ledger
    from tablecoin.club.settings import ClubSettings


_VIRTUAL = 2  # tables of its own, where no other is found: the hall shows a large game and a small one


@click.command()
@click.option("--config", type=GivenPath(path_type=Path), help="A club.toml with the settings.")
@click.option("--host", help="127.0.0.1: this machine alone until the club is opened; 0.0.0.0: others watch.")
@click.option("--port", type=int, help="The page's port; 0 takes any free one.")
@click.option("--data", type=GivenPath(file_okay=False), help="The folder of the club's file.")
@click.option(
    "--virtual",
    type=click.IntRange(0, 8),
    help="Virtual tables of its own, at which computers play. Without it: 2 where no other table is found.",
)
def club(config: Path | None, host: str | None, port: int | None, data: str | None, virtual: int | None) -> None:
    """Show many tables, rate players, run tournaments. Without a broker: the tables of this machine."""
    import logging

    from tablecoin.club.database import DatabaseError
    from tablecoin.club.ledger import Ledger
    from tablecoin.club.settings import SettingsError, load, with_flags
    from web.access.gate import Gate
    from web.club.app import create_app
    from web.club.roles import least_role
    from web.club.shown import ClubShown
    from web.listener import Listener
    from web.server import CannotServe, join_urls

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        chosen = with_flags(load(config), host=host, port=port, data=data)
        if virtual and chosen.mqtt.address:
            raise UserError(
                "--virtual is for a club without a broker: leave it out, or leave out the broker in club.toml."
            )
        ledger = Ledger(chosen.data_dir, chosen.name)
        shown = ClubShown(ledger.hall)
        gate = Gate.of(chosen.data_dir, chosen.web.hosts, least_role)
        listener: Listener
        app = create_app(
            ledger,
            shown,
            gate,
            name=chosen.name,
            language=chosen.language,
            join_urls=lambda: join_urls(listener.host, listener.port),
        )
        listener = Listener(app, shown, gate.house, chosen.web.host, chosen.web.port)
    except (SettingsError, DatabaseError, CannotServe) as error:
        raise UserError(str(error)) from None
    on_signal(shown.stopping.set)

    def announce() -> None:
        here = "127.0.0.1" if listener.host in ("0.0.0.0", "::") else listener.host
        click.echo(f"tablecoin: the club's page is at http://{here}:{listener.port}/", err=True)
        for url in join_urls(listener.host, listener.port) or ():
            click.echo(f"tablecoin: for phones: {url}", err=True)

    with listener, _tables(ledger, chosen, virtual):
        announce()
        while not shown.stopping.is_set():
            listener.follow(60.0, announce)
    ledger.close()


@contextmanager
def _tables(ledger: Ledger, chosen: ClubSettings, virtual: int | None) -> Iterator[None]:
    """Hear the tables over the broker; without one, ask those that the settings name, and `virtual` of its own."""
    from tablecoin.club.listener import Listener
    from tablecoin.club.local import LocalTables, Place
    from tablecoin.club.settings import ClubSettings
    from tablecoin.club.virtual import VirtualTables

    with ExitStack() as running:
        heard: Listener | LocalTables
        if chosen.mqtt.address:
            click.echo(f"tablecoin: tables are heard over the broker {chosen.mqtt.address}", err=True)
            heard = Listener(ledger, chosen.mqtt, chosen.data_dir)
        else:
            sought = chosen.tables == ClubSettings().tables
            places = [Place.of(url, sought=sought) for url in chosen.tables]
            click.echo(f"tablecoin: no broker is set: the club shows {', '.join(chosen.tables)}", err=True)
            if virtual is None and sought and not any(place.answers for place in places):
                virtual = _VIRTUAL
                click.echo("tablecoin: no table answers there: computers play at virtual tables instead", err=True)
            if virtual:
                own = VirtualTables(chosen.data_dir, virtual)
                running.callback(own.stop)
                try:
                    own.start()
                except OSError as error:
                    raise UserError(
                        f"The virtual tables cannot be started ({error.strerror}): check {chosen.data_dir}."
                    ) from None
                places += own.places
            heard = LocalTables(ledger, places)
        heard.start()
        running.callback(heard.stop)
        yield
