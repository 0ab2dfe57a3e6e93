"""The front door: every command. Each command is a few lines that call one room; errors are one sentence, status 2.

Commands import their room inside the function, so `tablecoin judge` starts without loading OpenCV or Flask.
"""

from __future__ import annotations

import sys
from pathlib import Path

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


@main.command("mat")
@click.argument("name")
@click.option("--map", "map_name", help="Coin Age: a shipped map's name or a map file.")
@click.option("--paper", type=click.Choice(["a4", "a3", "letter", "tabloid"]), default="a3", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True)
def print_mat(name: str, map_name: str | None, paper: str, output: Path) -> None:
    """Draw the mat NAME to scale into a .pdf, .svg or .png file. A PDF is tiled where the mat exceeds the paper."""
    from tablecoin.mat.plan import MatError
    from tablecoin.mat.printing import save

    try:
        said = save(name, map_name, paper, output)
    except MatError as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"{output} cannot be written ({error.strerror}): give another place with -o.") from None
    click.echo(said, err=True)


if __name__ == "__main__":
    sys.exit(main())
