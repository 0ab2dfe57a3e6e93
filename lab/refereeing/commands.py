"""`python -m lab play`, `report` and `contest`: how well the referee rules and the computer plays."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import click
import cv2

from lab.photos import coins_option
from lab.reading import causes as why
from lab.reading.purses import Pockets
from lab.refereeing import contest as contests
from lab.refereeing import evenings as evening
from lab.refereeing import log as logs
from lab.refereeing import past, soak
from lab.refereeing.killing import Way
from lab.refereeing.light_curve import curve as light_curve
from lab.training import dollar_prize as solved
from tablecoin import rules
from tablecoin.cli.progress import clear_line, progress
from tablecoin.cli.sentences import UserError
from tablecoin.rules.game import InputError

_LOG = click.Path(dir_okay=False, path_type=Path)


class _Options(click.ParamType[dict[str, Any]]):
    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        try:
            options = json.loads(value)
        except ValueError:
            options = None
        if not isinstance(options, dict):
            self.fail(f'{value!r} is no JSON object, such as {{"goal": 30}}', param, ctx)
        return options


@click.command()
@click.argument("game", type=click.Choice(rules.NAMES))
@click.option("--games", type=click.IntRange(min=1), default=5, show_default=True, help="Seeds from --seed on.")
@click.option("--seed", default=1, show_default=True, help="The first game's seed.")
@click.option("--light", type=click.Choice([*soak.LIGHTS, soak.TOLD]), default="good", show_default=True)
@click.option("--kill", type=click.Choice(["thrown-away", "killed"]), help="Let the program die again and again.")
@click.option(
    "--memory",
    type=click.Choice(get_args(soak.Lasts)),
    default="game",
    show_default=True,
    help="How long the table remembers coins. With --kill and in the light told: none.",
)
@click.option("--options", type=_Options(), default="{}", help='House rules as JSON: {"goal": 30}; else at random.')
@click.option("--log", type=_LOG, default=Path("soak.jsonl"), show_default=True, help="Games in it are not repeated.")
@click.option("--processes", type=click.IntRange(min=1), default=2, show_default=True, help="Games played at once.")
@coins_option
def play(
    game: str,
    games: int,
    seed: int,
    light: str,
    kill: Way | None,
    memory: soak.Lasts,
    options: dict[str, Any],
    log: Path,
    processes: int,
    pockets: Pockets,
) -> None:
    """Soak test of the referee: simulated people who make mistakes play whole games of GAME."""
    rule = rules.load(game)
    try:
        rule.read_options(options)
    except InputError as error:
        raise UserError(f"--options: {error}") from None
    known = {one.key for one in logs.read(log, soak.Game)}
    if light == soak.TOLD and pockets.coins != "drawn":
        raise UserError("--light told shows no pictures: leave --coins out, or choose a light.")
    which = kill or "no", pockets.coins, soak.network(pockets.networks(0)), soak.lasting(memory, light, kill)
    seeds = [k for k in range(seed, seed + games) if (game, k, light, *which) not in known]
    each = partial(_played, game, light, kill, memory, options, pockets)
    with ProcessPoolExecutor(processes) as pool, progress(pool.map(each, seeds), game, len(seeds)) as bar:
        for one in bar:
            logs.add(log, one)
            clear_line()
            click.echo(soak.line(one))
    click.echo(soak.table(logs.read(log, soak.Game)))


def _played(
    game: str,
    light: str,
    kill: Way | None,
    memory: soak.Lasts,
    options: dict[str, Any],
    pockets: Pockets,
    seed: int,
) -> soak.Game:
    """One game, in a process of its own."""
    cv2.setNumThreads(1)
    return soak.play(game, seed, light, kill, options, pockets.purse(seed), memory)


@click.command()
@click.option("--evenings", type=click.IntRange(min=1), default=5, show_default=True, help="Numbers from --first on.")
@click.option("--first", default=0, show_default=True, help="The first evening's number.")
@click.option("--log", type=_LOG, default=Path("evenings.jsonl"), show_default=True, help="What is in it is kept.")
@coins_option
def evenings(evenings: int, first: int, log: Path, pockets: Pockets) -> None:
    """Three games in a row with the same coins: how much less is asked when the table learns them?"""
    cv2.setNumThreads(1)
    known = {one.key for one in logs.read(log, evening.Evening)}
    which = pockets.coins, soak.network(pockets.networks(0))
    both: tuple[evening.Learning, ...] = ("on", "off")
    to_play = [
        (n, learns) for n in range(first, first + evenings) for learns in both if (n, learns, *which) not in known
    ]
    with progress(to_play, "evenings") as bar:
        for number, learning in bar:
            one = evening.play(number, learning, pockets.purse(number))
            logs.add(log, one)
            clear_line()
            click.echo(evening.line(one))
    click.echo(evening.table(logs.read(log, evening.Evening)))


@click.command()
@click.argument("game", type=click.Choice(solved.GAMES))
@click.option("--options", type=_Options(), default="{}", help='House rules as JSON: {"goal": 30}.')
def solve(game: str, options: dict[str, Any]) -> None:
    """Who wins *Steal* or *Exact* between perfect players, from each setup toss?"""
    try:
        chances = solved.from_setups(game, options)
    except ValueError as error:
        raise UserError(f"--options: {error}") from None
    for pennies, chance in enumerate(chances):
        click.echo(f"whoever begins has {pennies} of the 5 pennies: {chance:.4f} of the prize")


@click.command()
@click.argument("log", type=_LOG, default=Path("soak.jsonl"))
@click.option("--curve", type=_LOG, help="Also draw the questions asked over blur and brightness into this SVG.")
@click.option("--causes", is_flag=True, help="What led to wrong rulings, questions and corrections instead.")
def report(log: Path, curve: Path | None, causes: bool) -> None:
    """The games in a LOG of `play` as a table."""
    played = logs.read(log, soak.Game)
    if not played:
        raise UserError(f"{log} holds no games: name the log that `python -m lab play` wrote.")
    click.echo(why.table(played) if causes else soak.table(played))
    if curve:
        curve.write_text(light_curve(played, soak.LIGHTS), "utf-8")


@click.command()
@click.argument("games", metavar="[GAME]...", type=click.Choice(rules.NAMES), nargs=-1)
@click.option("--count", type=click.IntRange(min=2), default=200, show_default=True, help="Games of each pairing.")
@click.option("--first", default=0, show_default=True, help="The number of the first game.")
def contest(games: tuple[str, ...], count: int, first: int) -> None:
    """How well each level of the computer plays against every weaker one, and against random play."""
    for game in games or rules.NAMES:
        tallies: dict[contests.Pair, contests.Tally] = {}
        pairings = contests.pairings(game)
        with progress([(pair, first + k) for pair in pairings for k in range(count)], game) as bar:
            for pair, number in bar:
                tallies[pair] = tallies.get(pair, contests.Tally()) + contests.play(game, number, *pair)
        clear_line()
        click.echo(contests.table(game, tallies))


@click.command()
@click.option("--games", type=click.IntRange(min=1), default=500, show_default=True, help="Games in the journal.")
def history(games: int) -> None:
    """How long the pages of history take after a start, at a table where many games were played."""
    with TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.sqlite"
        events = past.write_games(journal, games)
        click.echo(
            f"{games} random games, {events} events; counted for the first time in {past.count_games(journal):.0f} ms"
        )
        for asked in past.ask(journal):
            told = f"{asked.core_ms:6.1f} ms of a core, {asked.read} events read, {asked.answer_bytes / 1000:.0f} kB"
            click.echo(f"{asked.path:36} {told}")
