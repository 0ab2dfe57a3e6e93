"""`python -m lab publish`: what publishing over MQTT costs a table."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from lab.publishing.cost import CannotMeasure, lines, stretches
from tablecoin.cli.progress import progress
from tablecoin.cli.sentences import UserError
from tablecoin.mqtt.options import MqttOptions


@click.command()
@click.option("--broker", required=True, help="A broker that lets anybody in, such as 127.0.0.1:1883.")
@click.option("--seconds", type=click.FloatRange(1, 600), default=40.0, show_default=True, help="Of each game.")
@click.option("--pairs", type=click.IntRange(1, 100), default=6, show_default=True, help="Games without and with.")
@click.option("--seed", type=int, default=1, show_default=True)
def publish(broker: str, seconds: float, pairs: int, seed: int) -> None:
    """How much more core time does a table take that publishes?"""
    options = MqttOptions(broker=broker, table="lab")
    if options.address is None:
        raise UserError(f"{broker!r} is no broker: write HOST or HOST:PORT.")
    with tempfile.TemporaryDirectory() as folder:
        made = stretches(Path(folder), options, seconds, pairs, seed)
        try:
            with progress(made, "games", 2 * pairs) as bar:
                played = list(bar)
        except CannotMeasure as error:
            raise UserError(str(error)) from None
    for line in lines(played):
        click.echo(line)
