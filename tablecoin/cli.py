"""The front door: every command. Each command is a few lines that call one room; errors are one sentence, status 2.

Commands import their room inside the function, so `tablecoin judge` starts without loading OpenCV or Flask.
"""

from __future__ import annotations

import sys

import click

from tablecoin import __version__


class UserError(click.ClickException):
    """Bad input of any kind: one sentence on standard error, exit status 2, never a traceback."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        click.echo(f"tablecoin: {self.message}", err=True)


@click.group(invoke_without_command=True)
@click.version_option(__version__)
@click.pass_context
def main(context: click.Context) -> None:
    """A referee for coin games on a real table. Without a command: serve."""
    if context.invoked_subcommand is None:
        raise UserError("serve is not there yet")


if __name__ == "__main__":
    sys.exit(main())
