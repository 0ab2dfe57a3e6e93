"""Commands that keep the games safe: a backup of the journal, and putting one back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablecoin.cli.sentences import GivenPath, UserError

if TYPE_CHECKING:
    from tablecoin.journal.backup import Backup, Damaged


@click.command()
@click.argument("file", type=GivenPath(dir_okay=False, path_type=Path))
@click.option("--data", type=GivenPath(file_okay=False), help="The data folder.")
@click.option("--config", type=GivenPath(path_type=Path), help="A tablecoin.toml with the settings.")
def backup(file: Path, data: str | None, config: Path | None) -> None:
    """Write every game, with its pictures and clips, into FILE; also while the table runs."""
    from tablecoin.journal.backup import BackupError, back_up

    try:
        made = back_up(_journal(data, config), file)
    except BackupError as error:
        raise UserError(str(error)) from None
    click.echo(f"tablecoin: {file} holds {_held(made)}.")


@click.command()
@click.argument("file", type=GivenPath(seekable=True, path_type=Path))
@click.option("--data", type=GivenPath(file_okay=False), help="The data folder.")
@click.option("--config", type=GivenPath(path_type=Path), help="A tablecoin.toml with the settings.")
def restore(file: Path, data: str | None, config: Path | None) -> None:
    """Put the backup FILE in the journal's place, while no table runs; the old journal is kept aside.

    The exit status is 1 where pictures or clips are damaged in the backup: they are named and left out.
    """
    from tablecoin.journal.backup import BackupError
    from tablecoin.journal.backup import restore as put_back
    from tablecoin.journal.journal import JournalError

    try:
        restored = put_back(file, _journal(data, config))
    except (BackupError, JournalError) as error:
        raise UserError(str(error)) from None
    kept = f" The old journal is kept as {restored.aside.name}." if restored.aside else ""
    click.echo(f"tablecoin: restored {_held(restored.held)}.{kept}")
    if restored.unchecked:
        click.echo(
            f"tablecoin: {restored.unchecked} clips could not be checked for damage, because the backup is from an "
            "older tablecoin. Their pages say so."
        )
    for each in restored.damaged:
        click.echo(f"tablecoin: not restored, because it is damaged in the backup: {_named(each)}.", err=True)
    if restored.damaged:
        sys.exit(1)


def _named(damaged: Damaged) -> str:
    whose = f"ruling {damaged.event} in game {damaged.game}" if damaged.event else "an unknown ruling"
    return f"{'the pictures' if damaged.what == 'pictures' else 'the clip'} of {whose}"


def _held(backup: Backup) -> str:
    counts = f"{backup.events} events of {backup.games} games"
    return f"{counts}, the pictures of {backup.pictures} rulings and {backup.clips} clips"


def _journal(data: str | None, config: Path | None) -> Path:
    from tablecoin.live.service import JOURNAL
    from tablecoin.settings import SettingsError, load, with_flags

    try:
        return with_flags(load(config), data=data).data_dir / JOURNAL
    except SettingsError as error:
        raise UserError(str(error)) from None
