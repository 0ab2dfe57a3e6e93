"""The front door: every command. Each command is a few lines that call one room; errors are one sentence, status 2.

Commands import their room inside the function, so `tablecoin judge` starts without loading OpenCV or Flask.
"""

from __future__ import annotations

from typing import Any

import click

from tablecoin import __version__
from tablecoin.cli import playing, reading, running, setting_up
from tablecoin.cli.sentences import UserError, refusal_in_one_sentence, usage_in_one_sentence

__all__ = ["UserError", "main"]


class _Front(click.Group):
    """The commands. What click finds wrong with the words given, or the system refuses, is one sentence too."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with usage_in_one_sentence(), refusal_in_one_sentence():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, context: click.Context) -> Any:
        with usage_in_one_sentence(), refusal_in_one_sentence():
            return super().invoke(context)


@click.group("tablecoin", cls=_Front, invoke_without_command=True)
@click.version_option(__version__)
@click.pass_context
def main(context: click.Context) -> None:
    """A referee for coin games on a real table. Without a command: serve."""
    if context.invoked_subcommand is None:
        context.invoke(running.serve)


for command in (
    running.serve, setting_up.print_mat, playing.judge, playing.games, playing.replay, reading.look_at,
    reading.score_map, reading.scorecard, setting_up.calibrate, running.doctor, running.bench,
):  # fmt: skip
    main.add_command(command)
