"""What commands share: the one sentence for bad input, JSON lines, and the players' own maps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import click


class UserError(click.ClickException):
    """Bad input of any kind: one sentence on standard error, exit status 2, never a traceback."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        click.echo(f"tablecoin: {self.message}", err=True)


@contextmanager
def usage_in_one_sentence() -> Iterator[None]:
    """Missing arguments, unknown options and their like as a UserError that names the help to read."""
    try:
        yield
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "tablecoin"
        wrong = " ".join(error.format_message().split()).removesuffix(".")
        raise UserError(f"{wrong}: see `{where} --help`.") from None


def print_json(value: object) -> None:
    """One JSON object a line, at once: whoever reads a pipe waits for it."""
    click.echo(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def know_own_maps(data: str | None = None) -> None:
    """Maps that were taught are known by their names from here on. UserError for a broken tablecoin.toml."""
    from tablecoin import mapfiles
    from tablecoin.settings import SettingsError, load, with_flags

    try:
        mapfiles.look_also_in(with_flags(load(), data=data).maps_dir)
    except SettingsError as error:
        raise UserError(str(error)) from None
