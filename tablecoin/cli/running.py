"""The table at work: serve it, examine it, measure it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from tablecoin.cli.sentences import GivenPath, Range, UserError, print_json, target_of, unwritable
from tablecoin.cli.stopping import on_signal
from tablecoin.cli.unstarted import refused_on_a_page

if TYPE_CHECKING:
    from tablecoin.live.service import Service
    from tablecoin.live.table import LiveTable
    from tablecoin.panel.panel import Choice


@click.command()
@click.option("--camera", metavar="auto|pi|pi:N|usb:N|file:PATH|URL|virtual", help="Where pictures come from.")
@click.option("--panel", type=click.Choice(["auto", "gpio", "screen", "none"]), help="Where the buttons are.")
@click.option("--host", help="127.0.0.1: this machine alone until the table is opened; 0.0.0.0: others watch.")
@click.option("--port", type=int, help="The page's port; 0 takes any free one.")
@click.option("--data", type=GivenPath(file_okay=False), help="The folder of the journal and the calibration.")
@click.option("--config", type=GivenPath(path_type=Path), help="A tablecoin.toml with these and more settings.")
@click.option(
    "--script", type=GivenPath(path_type=Path), help="A script of what hands do at the virtual table: a demo."
)
@click.option("--seed", type=int, hidden=True, help="Makes the virtual table's tosses the same each time.")
def serve(
    camera: str | None = None,
    panel: Choice | None = None,
    host: str | None = None,
    port: int | None = None,
    data: str | None = None,
    config: Path | None = None,
    script: Path | None = None,
    seed: int | None = None,
) -> None:
    """Watch the table, referee the game, and show it on web pages."""
    with refused_on_a_page(config, port) as refusal:
        import logging

        from tablecoin import settings
        from tablecoin.appliance import Appliance, CannotStart
        from tablecoin.live import allocator

        allocator.frugal()
        logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
        try:
            hands = _read(script) if script else None
            chosen = settings.at_start(config, camera=camera, panel=panel, host=host, port=port, data=data)
            refusal.port = chosen.web.port
            appliance = Appliance(chosen, seed=seed)
            on_signal(appliance.stop)
            with appliance:
                if hands:
                    _play(appliance.service, script, hands)
                refusal.on_a_page = False
                appliance.run(lambda said: click.echo(said, err=True))
        except (settings.SettingsError, CannotStart) as error:
            raise UserError(str(error)) from None


def _read(script: Path) -> str:
    from tablecoin.virtual.script import ScriptError, read

    try:
        return read(script)
    except ScriptError as error:
        raise UserError(f"{script}: {error}") from None
    except OSError as error:
        raise UserError(f"{script} cannot be read ({error.strerror}): check the path.") from None


def _play(service: Service, script: Path | None, text: str) -> None:
    from tablecoin.virtual.script import ScriptError

    try:
        service.play(text)
    except ScriptError as error:
        raise UserError(f"{script}: {error}") from None


@click.command()
@click.option("--camera", metavar="auto|pi|pi:N|usb:N|file:PATH|URL|virtual", help="Where pictures come from.")
@click.option("--data", type=GivenPath(file_okay=False), help="The data folder.")
@click.option("--config", type=GivenPath(path_type=Path), help="A tablecoin.toml with the settings.")
@click.option("--buttons", is_flag=True, help="Ask for each button of the panel in turn.")
@click.option(
    "--bundle", type=GivenPath(dir_okay=False, path_type=Path), help="Write a bug report without secrets, a .zip file."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line of the report.")
@click.option("--strict", is_flag=True, help="End with exit status 1 where a line says FAIL.")
def doctor(
    camera: str | None,
    data: str | None,
    config: Path | None,
    buttons: bool,
    bundle: Path | None,
    as_json: bool,
    strict: bool,
) -> None:
    """Check camera, mat, focus, light, calibration, buttons, disk and computer, and say what to do."""
    import sys

    from tablecoin.checks.bundle import report
    from tablecoin.checks.doctor import examine
    from tablecoin.checks.finding import as_json as as_told
    from tablecoin.checks.finding import line
    from tablecoin.rules.rulebook import Message, sentence
    from tablecoin.settings import SettingsError, at_start

    def ask(message: Message) -> None:
        click.echo(sentence(message), err=True)

    target = target_of(bundle, [], "--bundle") if bundle else None
    findings = []
    try:
        settings = at_start(config, camera=camera, data=data)
        for finding in examine(settings, ask if buttons else None):
            findings.append(finding)
            if as_json:
                print_json(as_told(finding))
            else:
                click.echo(line(finding))
    except SettingsError as error:
        raise UserError(str(error)) from None
    if target:
        packed, inside = report(settings, findings)
        try:
            target.write(packed)
        except OSError as error:
            raise unwritable(target.path, error, "--bundle") from None
        click.echo(f"{bundle} holds {', '.join(inside)}. Look at it before you send it.", err=True)
    if strict and any(finding.status == "fail" for finding in findings):
        sys.exit(1)


@click.command()
def brokers() -> None:
    """List the MQTT brokers in the network, and the line that uses one."""
    from tablecoin.mqtt.nearby import NoSearch, nearby

    try:
        found = nearby()
    except NoSearch as error:
        raise UserError(str(error)) from None
    if not found:
        click.echo("No broker announces itself in this network; its address can be written all the same.", err=True)
    for each in found:
        click.echo(f'{each.name}: write broker = "{each.broker}" under [mqtt] in tablecoin.toml')


@contextmanager
def table_to_measure() -> Iterator[LiveTable]:
    """A running table over virtual coins, whose data are gone afterwards."""
    from tablecoin.appliance import Appliance
    from tablecoin.settings import Settings, with_flags
    from tablecoin.virtual.camera import Simulation

    with TemporaryDirectory() as folder:
        settings = with_flags(Settings(), camera="virtual", panel="none", port=0, data=folder)
        with Appliance(settings, seed=1, simulation=Simulation(fps=30.0)) as appliance:
            yield appliance.live


@click.command()
@click.option("--seconds", type=Range(0.01, 60), default=1.0, show_default=True, help="Time for each figure.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def bench(seconds: float, as_json: bool) -> None:
    """Measure how fast this machine is: milliseconds per frame, games per second, settled to page."""
    from tablecoin.checks.bench import STAGES, lines
    from tablecoin.checks.bench import bench as measure
    from tablecoin.cli.progress import stages

    with stages(STAGES) as begin:
        measured = measure(table_to_measure, seconds, begin)
    for said in lines(measured):
        click.echo(said, err=as_json)
    if as_json:
        print_json(measured)
