"""Who may use the table: opening it to the network with the owner's PIN, and closing it again."""

from __future__ import annotations

import getpass
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablecoin.cli.sentences import GivenPath, UserError

if TYPE_CHECKING:
    from collections.abc import Callable

    from web.access.house import House

_DATA = click.option("--data", type=GivenPath(file_okay=False), help="The data folder.")
_CONFIG = click.option("--config", type=GivenPath(path_type=Path), help="A tablecoin.toml with the settings.")
_PIN_FILE = click.option(
    "--pin-file",
    type=GivenPath(allow_dash=True, path_type=Path),
    help="A file with the PIN; - reads it from standard input.",
)
_LONGEST = 1000  # bytes of a file with a PIN


@click.group("access", invoke_without_command=True)
@_DATA
@_CONFIG
@click.pass_context
def access(context: click.Context, data: str | None, config: Path | None) -> None:
    """Who may use the table. Without a command: how it stands. A running table follows at once."""
    given = {name: value for name, value in (("data", data), ("config", config)) if value is not None}
    context.default_map = dict.fromkeys(access.commands, given)  # before the command's word they count as behind it
    if context.invoked_subcommand is None:
        click.echo(f"tablecoin: {_standing(_house(data, config))}")


@access.command("open")
@click.option("--trusted", is_flag=True, help="Everybody on the network may play any seat without a code.")
@_PIN_FILE
@_DATA
@_CONFIG
def open_table(trusted: bool, pin_file: Path | None, data: str | None, config: Path | None) -> None:
    """Let the network in: sets the owner's PIN, and the table listens to every device."""
    house = _house(data, config)
    pin = _pin(pin_file)
    _keep(house, lambda: house.open(pin, trusted))


@access.command("pin")
@_PIN_FILE
@_DATA
@_CONFIG
def change_pin(pin_file: Path | None, data: str | None, config: Path | None) -> None:
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


def _pin(file: Path | None) -> str:
    """The new PIN: from the file, or typed twice. Raises UserError."""
    from tablecoin.storage import given

    if file is None:
        return _typed()
    try:
        if str(file) != "-":
            return given.read(file, _LONGEST).decode().strip()
        if sys.stdin is None:
            raise UserError("standard input is closed: give the PIN there, or name a file that holds it.")
        return sys.stdin.buffer.read(_LONGEST).decode().strip()
    except UnicodeDecodeError:
        raise UserError(f"{file} holds no text: write the PIN there as letters or digits.") from None
    except OSError as error:
        raise UserError(f"{file} cannot be read ({error.strerror}): give a small text file with the PIN.") from None


def _typed() -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", getpass.GetPassWarning)  # it would ask where everybody sees the answer
            pin: str = click.prompt("The owner's new PIN", hide_input=True, confirmation_prompt=True)
            return pin
    except (click.Abort, getpass.GetPassWarning):
        raise UserError("no PIN was given: type it twice at a terminal, or give a file with --pin-file.") from None


def _keep(house: House, change: Callable[[], None]) -> None:
    from web.access.pin import LEAST

    try:
        change()
    except ValueError:
        raise UserError(
            f"that PIN is too easy: take at least {LEAST} digits or letters, not all alike and not in a row."
        ) from None
    except OSError as error:  # of a full disk it names no file
        where = error.filename or house.path
        raise UserError(f"it cannot be kept in {where} ({error.strerror}): check the data folder.") from None
    click.echo(f"tablecoin: {_standing(house)}")


def _standing(house: House) -> str:
    return {
        "closed": "closed: only this machine reaches the table. Open it with: tablecoin access open",
        "open": "open: phones come in by the code on the screen at the table; the owner's things ask for the PIN.",
        "trusted": "open, and everybody here is trusted: every device on the network may play any seat, see its "
        "secrets and undo; only the owner's things ask for the PIN.",
    }[house.now.mode]
