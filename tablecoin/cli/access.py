"""Who may use the table: opening it to the network with the owner's PIN, and closing it again."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from tablecoin.cli.sentences import GivenPath, UserError

if TYPE_CHECKING:
    from collections.abc import Callable

    from web.access.house import House

_DATA = click.option("--data", type=GivenPath(file_okay=False), help="The data folder.")
_CONFIG = click.option("--config", type=GivenPath(path_type=Path), help="A tablecoin.toml with the settings.")
_PIN_FILE = click.option("--pin-file", type=click.File(), help="A file with the PIN; - reads it from standard input.")


@click.group("access", invoke_without_command=True)
@_DATA
@_CONFIG
@click.pass_context
def access(context: click.Context, data: str | None, config: Path | None) -> None:
    """Who may use the table. Without a command: how it stands. A running table follows at once."""
    if context.invoked_subcommand is None:
        click.echo(f"tablecoin: {_standing(_house(data, config))}")


@access.command("open")
@click.option("--trusted", is_flag=True, help="Everybody on the network may play any seat without a code.")
@_PIN_FILE
@_DATA
@_CONFIG
def open_table(trusted: bool, pin_file: IO[str] | None, data: str | None, config: Path | None) -> None:
    """Let the network in: sets the owner's PIN, and the table listens to every device."""
    house = _house(data, config)
    pin = _pin(pin_file)
    _keep(house, lambda: house.open(pin, trusted))


@access.command("pin")
@_PIN_FILE
@_DATA
@_CONFIG
def change_pin(pin_file: IO[str] | None, data: str | None, config: Path | None) -> None:
    """Set another PIN, also when the old one is lost."""
    house = _house(data, config)
    pin = _pin(pin_file)
    _keep(house, lambda: house.change_pin(pin))


@access.command("close")
@_DATA
@_CONFIG
def close(data: str | None, config: Path | None) -> None:
    """Keep the network out: the table listens to its own machine alone."""
    house = _house(data, config)
    _keep(house, house.close)


def _house(data: str | None, config: Path | None) -> House:
    from tablecoin.settings import SettingsError, load, with_flags
    from web.access.house import FILE, House

    try:
        return House(with_flags(load(config), data=data).data_dir / FILE)
    except SettingsError as error:
        raise UserError(str(error)) from None


def _pin(file: IO[str] | None) -> str:
    """The new PIN: from the file, or typed twice."""
    pin: str
    if file is not None:
        pin = file.read(1000).strip()
    else:
        try:
            pin = click.prompt("The owner's new PIN", hide_input=True, confirmation_prompt=True)
        except click.Abort:
            raise UserError("no PIN was given: type it twice, or give a file with --pin-file.") from None
    return pin


def _keep(house: House, change: Callable[[], None]) -> None:
    from web.access.pin import LEAST

    try:
        change()
    except ValueError:
        raise UserError(
            f"that PIN is too easy: take at least {LEAST} digits or letters, not all alike and not in a row."
        ) from None
    except OSError as error:
        raise UserError(f"it cannot be kept in {error.filename} ({error.strerror}): check the data folder.") from None
    click.echo(f"tablecoin: {_standing(house)}")


def _standing(house: House) -> str:
    return {
        "closed": "closed: only this machine reaches the table. Open it with: tablecoin access open",
        "open": "open: phones come in by the code on the screen at the table; the owner's things ask for the PIN.",
        "trusted": "open, and everybody here is trusted: every device on the network may play any seat, see its "
        "secrets and undo; only the owner's things ask for the PIN.",
    }[house.now.mode]
