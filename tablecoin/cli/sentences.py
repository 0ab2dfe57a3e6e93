"""What commands share: one sentence for bad input, paths, JSON lines, and the players' own maps."""

from __future__ import annotations

import errno
import json
import math
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tablecoin.storage.given import Target

_REMEDIES = {
    errno.ENOSPC: "free some space there",
    errno.EDQUOT: "free some space there",
    errno.EACCES: "correct its permissions",
    errno.EPERM: "correct its permissions",
}


class UserError(click.ClickException):
    """Bad input of any kind: one sentence on standard error, exit status 2, never a traceback."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        click.echo(f"tablecoin: {self.message}", err=True)


@contextmanager
def usage_in_one_sentence() -> Iterator[None]:
    """Turn wrong arguments and options into a UserError that names the help page."""
    try:
        yield
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "tablecoin"
        wrong = " ".join(error.format_message().split()).removesuffix(".")
        raise UserError(f"{wrong}: see `{where} --help`.") from None


@contextmanager
def refusal_in_one_sentence() -> Iterator[None]:
    """Turn an OSError or ImportError that no room explains into a UserError.

    A closed pipe, as by `head`, ends the program quietly. An OSError without a file name is one of standard output,
    because rooms name the files they cannot write. An ImportError is a library missing, or built for another computer.
    """
    try:
        yield
    except ImportError as error:
        raise UserError(
            f"a library cannot be loaded ({error}): start .venv/bin/tablecoin, "
            "or delete the folder .venv and run `make run`."
        ) from None
    except OSError as error:
        if error.filename is not None:
            todo = _REMEDIES.get(error.errno or 0, "check the path")
            raise UserError(
                f"{error.filename} cannot be used ({error.strerror}): {todo}, or give another place."
            ) from None
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discards what is still buffered
        if isinstance(error, BrokenPipeError):
            raise click.exceptions.Exit(0) from None
        raise UserError(
            f"standard output cannot be written ({error.strerror}): free some space there, or send it elsewhere."
        ) from None


class Front(click.Group):
    """A group of commands. Wrong words on the command line, and what the system refuses, are one sentence each."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with usage_in_one_sentence(), refusal_in_one_sentence():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, context: click.Context) -> Any:
        with usage_in_one_sentence(), refusal_in_one_sentence():
            return super().invoke(context)


class GivenPath(click.Path):
    """A path on the command line that is not empty: an unset shell variable would mean the working folder.

    Without `file_okay` it is a folder, which click itself lets be a pipe. With `seekable` it is a regular file.
    """

    def __init__(self, *, seekable: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self._seekable = seekable

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not os.fspath(value):
            self.fail("it is empty, so give a path", param, ctx)
        given = super().convert(value, param, ctx)
        with suppress(OSError):  # the command itself says what is wrong there
            path = Path(os.fsdecode(given))
            mode = path.stat().st_mode
            if not self.file_okay and not stat.S_ISDIR(mode):
                self.fail(f"{path} is not a folder", param, ctx)
            if self._seekable and not stat.S_ISREG(mode):
                self.fail(f"{path} is not a regular file", param, ctx)
        return given


class Range(click.FloatRange):
    """A range that refuses NaN; click's own accepts it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is no number", param, ctx)
        return number


def target_of(path: Path, inputs: Iterable[Path], option: str) -> Target:
    """Where to write, before the work. UserError where that is impossible, or where it is one of the files to read."""
    from tablecoin.storage.given import Target

    if path.exists() and any(file.exists() and path.samefile(file) for file in inputs):
        raise UserError(f"{path} is an input file and will not be overwritten: give another place with {option}.")
    try:
        return Target(path)
    except OSError as error:
        raise unwritable(path, error, option) from None


def unwritable(path: Path, error: OSError, option: str) -> UserError:
    """What to say where a file cannot be written."""
    return UserError(f"{path} cannot be written ({error.strerror}): give another place with {option}.")


def print_json(value: object) -> None:
    """Print a JSON object as one line, unbuffered. Bytes of file names that are not UTF-8 become `?`."""
    import msgspec

    text = json.dumps(value, ensure_ascii=False, default=msgspec.to_builtins)
    click.echo(text.encode("utf-8", "replace"))


def know_own_maps(data: str | None = None) -> None:
    """Make taught maps known by name from now on. Raises UserError for a broken tablecoin.toml."""
    from tablecoin.settings import SettingsError, load, with_flags
    from tablecoin.storage import mapfiles

    try:
        mapfiles.look_also_in(with_flags(load(), data=data).maps_dir)
    except SettingsError as error:
        raise UserError(str(error)) from None
