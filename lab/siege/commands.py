"""`python -m lab besiege`: the server under attack while a game is refereed."""

from __future__ import annotations

import asyncio
import shlex
import sys
import tempfile
from pathlib import Path

import click

from lab.siege import siege
from lab.siege.attackers import Attack
from lab.siege.served import serving
from tablecoin.cli.sentences import UserError

_COUNT = click.IntRange(0, 1000)
_USUAL = Attack()


@click.command()
@click.option("--seconds", type=click.FloatRange(5, 3600), default=60.0, show_default=True, help="Calm, and attacked.")
@click.option("--phones", type=click.IntRange(0, 250), default=20, show_default=True, help="Watchers who mean well.")
@click.option("--tricklers", type=_COUNT, default=_USUAL.tricklers, show_default=True, help="Send a byte a second.")
@click.option("--streams", type=_COUNT, default=_USUAL.streams, show_default=True, help="Open the stream.")
@click.option("--stalled", type=_COUNT, default=_USUAL.stalled, show_default=True, help="Do not read their answers.")
@click.option("--aims", type=_COUNT, default=_USUAL.aims, help="Ask for the wizard's look again and again.")
@click.option("--flips", type=_COUNT, default=_USUAL.flips, help="Ask for every toss again and again.")
@click.option("--bombs", type=_COUNT, default=_USUAL.bombs, help="Send pictures of 120 million pixels.")
@click.option("--odds", type=click.Choice(["off", "after", "always"]), help="The house rule for the chances to win.")
@click.option("--program", default=f"{sys.executable} -m tablecoin.cli", help="Another tablecoin, to compare with.")
def besiege(seconds: float, phones: int, program: str, odds: str | None, **attackers: int) -> None:
    """What do the kiosk and the phones notice while five addresses attack the server?"""
    attack = Attack(**attackers)
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            serving(Path(folder), 2 * seconds + 60, shlex.split(program), {"odds": odds} if odds else {}) as served,
        ):
            for title, attacking in (("calm", None), ("attacked", attack)):
                noticed = asyncio.run(siege.phase(served, seconds, attacking, phones))
                click.echo(f"{title}:")
                for line in siege.lines(noticed, served.ruled_at()):
                    click.echo(f"  {line}")
    except RuntimeError as error:
        raise UserError(str(error)) from None
