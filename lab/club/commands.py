"""`python -m lab club`: tournaments by pairing alone, and an evening of many tables."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import click
import msgspec

from lab.club import evening as evenings
from lab.club import pictures as seen
from lab.club import swiss as tournaments
from tablecoin.cli.sentences import UserError


@click.group()
def club() -> None:
    """Pairing, and many tables through a broker."""


@club.command()
@click.option("--tournaments", "many", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--players", type=click.IntRange(5, 512), default=64, show_default=True, help="At most, from 5 on.")
@click.option(
    "--times", type=click.IntRange(1, 4), default=1, show_default=True, help="As many rounds as one winner takes."
)
def swiss(many: int, players: int, times: int) -> None:
    """Random Swiss tournaments: does anybody meet twice where it can be avoided?"""
    found, began_s = tournaments.Found(), time.thread_time()
    for seed in range(many):
        tournaments.play(seed, found, players, times)
    click.echo(
        f"{found.tournaments} tournaments, {found.pairs} pairs, {found.byes} byes; met again {found.rematches}, "
        f"second byes {found.second_byes}, of these avoidable {found.avoidable}; "
        f"rounds with a pair avoidably over a point apart {found.far}; "
        f"half points apart {dict(sorted(found.apart.items()))}; worst pairing {1000 * found.worst_s:.0f} ms of core, "
        f"all {time.thread_time() - began_s:.1f} s"
    )


@club.command()
@click.option("--tables", type=click.IntRange(1, 300), default=30, show_default=True)
@click.option(
    "--seconds", type=click.FloatRange(5, 3600), default=600.0, show_default=True, help="A ruling a second each."
)
@click.option("--broker-kills", type=click.IntRange(0, 50), default=5, show_default=True)
@click.option("--club-kills", type=click.IntRange(0, 50), default=2, show_default=True)
def evening(tables: int, seconds: float, broker_kills: int, club_kills: int) -> None:
    """Many tables through a broker and to a club that are killed: is a ruling lost or counted twice?"""
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = evenings.evening(Path(folder), tables, seconds, broker_kills, club_kills)
        except RuntimeError as error:
            raise UserError(str(error)) from None
    _tell(found)


@club.command()
@click.option("--players", type=click.IntRange(4, 64), default=16, show_default=True, help="An even number.")
@click.option("--tables", type=click.IntRange(1, 16), default=4, show_default=True)
@click.option("--goal", type=click.IntRange(10, 100), default=10, show_default=True, help="Of Steal, in cents.")
@click.option("--seed", type=int, default=1, show_default=True)
def pictures(players: int, tables: int, goal: int, seed: int) -> None:
    """A Swiss tournament of Steal, every game played through pictures: wrong rulings, and are the standings right?"""
    if players % 2:
        raise UserError(f"--players {players} is odd: choose an even number, because nobody has a bye here.")
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = seen.tournament(Path(folder), players, tables, "steal", {"goal": goal}, seed)
        except RuntimeError as error:
            raise UserError(str(error)) from None
    _tell(found)


def _tell(found: msgspec.Struct) -> None:
    """Each figure on a line."""
    for name, value in msgspec.structs.asdict(found).items():
        click.echo(f"{name:20} {value:.3f}" if isinstance(value, float) else f"{name:20} {value}")
