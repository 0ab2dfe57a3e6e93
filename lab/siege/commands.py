"""`python -m lab besiege`: the server under attack while a game is refereed."""

from __future__ import annotations

import asyncio
import shlex
import sys
import tempfile
from pathlib import Path

import click

from lab.siege import bar, scrubs, siege
from lab.siege.attackers import Attack
from lab.siege.served import serving, tosses
from tablecoin.cli.sentences import UserError

_COUNT = click.IntRange(0, 1000)
_USUAL = Attack()
_program = click.option(
    "--program", default=f"{sys.executable} -m tablecoin", help="Another tablecoin, to compare with."
)


@click.command()
@click.option("--seconds", type=click.FloatRange(5, 3600), default=60.0, show_default=True, help="Calm, and attacked.")
@click.option("--phones", type=click.IntRange(0, 250), default=20, show_default=True, help="Watchers who mean well.")
@click.option("--tricklers", type=_COUNT, default=_USUAL.tricklers, show_default=True, help="Send a byte a second.")
@click.option("--streams", type=_COUNT, default=_USUAL.streams, show_default=True, help="Open the stream.")
@click.option("--stalled", type=_COUNT, default=_USUAL.stalled, show_default=True, help="Do not read their answers.")
@click.option("--aims", type=_COUNT, default=_USUAL.aims, help="Ask for the wizard's look again and again.")
@click.option("--flips", type=_COUNT, default=_USUAL.flips, help="Ask for every toss again and again.")
@click.option("--bombs", type=_COUNT, default=_USUAL.bombs, help="Send pictures of 120 million pixels.")
@_program
def besiege(seconds: float, phones: int, program: str, **attackers: int) -> None:
    """What do the kiosk and the phones notice while five addresses attack the server?"""
    attack = Attack(**attackers)
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            serving(Path(folder), shlex.split(program), tosses(2 * seconds + 60)) as served,
        ):
            for title, attacking in (("calm", None), ("attacked", attack)):
                noticed = asyncio.run(siege.phase(served, seconds, attacking, phones))
                click.echo(f"{title}:")
                for line in siege.lines(noticed, served.ruled_at()):
                    click.echo(f"  {line}")
    except RuntimeError as error:
        raise UserError(str(error)) from None


@click.command("scrubs")
@click.option("--seconds", type=click.FloatRange(5, 600), default=60.0, show_default=True, help="Of asking.")
@click.option("--addresses", type=click.IntRange(0, 100), default=4, show_default=True, help="That ask for replays.")
@click.option("--windows", type=click.IntRange(1, 10), default=4, show_default=True, help="Of each address.")
@_program
def scrub(seconds: float, addresses: int, windows: int, program: str) -> None:
    """How soon is a phone's photo answered while other addresses ask for replays again and again?"""
    try:
        with tempfile.TemporaryDirectory() as folder:
            noticed = scrubs.scrubbed(Path(folder), shlex.split(program), seconds, addresses, windows)
    except RuntimeError as error:
        raise UserError(str(error)) from None
    for line in noticed.lines():
        click.echo(line)


@click.command("bar")
@click.option("--seconds", type=click.FloatRange(5, 600), default=40.0, show_default=True, help="Of each stretch.")
@_program
def cost_of_the_bar(seconds: float, program: str) -> None:
    """How soon does the kiosk show a toss, with the bar of chances off and always shown?"""
    try:
        for line in bar.lines(list(bar.stretches(seconds, shlex.split(program)))):
            click.echo(line)
    except (RuntimeError, TimeoutError) as error:
        raise UserError(str(error)) from None
