"""The command line. Each command is a few lines that call one room; errors are one sentence and exit status 2.

Commands import their room inside the function, so that `tablecoin judge` starts without loading OpenCV or Flask.
"""

from __future__ import annotations

import click

from tablecoin import __version__
from tablecoin.cli import access, club, keeping, playing, reading, running, setting_up
from tablecoin.cli.sentences import Front, UserError

__all__ = ["UserError", "main"]


@click.group("tablecoin", cls=Front, invoke_without_command=True)
@click.version_option(__version__)
@click.pass_context
def main(context: click.Context) -> None:
    """A referee for coin games on a real table. Without a command: serve."""
    if context.invoked_subcommand is None:
        context.invoke(running.serve)


for command in (
    running.serve, setting_up.print_mat, playing.judge, playing.games, playing.replay, playing.analyse, playing.export,
    reading.look_at, reading.score_map, reading.scorecard, setting_up.calibrate, running.doctor, running.bench,
    running.brokers, keeping.backup, keeping.restore, access.access, club.club,
):  # fmt: skip
    main.add_command(command)
