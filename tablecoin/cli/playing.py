"""Commands without a camera: judge a list of actions, list games and rules, replay or analyse a record."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablecoin.cli.sentences import GivenPath, UserError, know_own_maps, print_json, target_of, unwritable

if TYPE_CHECKING:
    from tablecoin.journal.record import Record
    from tablecoin.replay.report import Report

_LANGUAGE = click.Choice(["en", "zh"])


@click.command()
@click.argument("game")
@click.option("--options", help="House rules as a JSON object; `tablecoin games` lists them.")
@click.option("--from", "position", type=GivenPath(path_type=Path), help="Start from the state in this file.")
def judge(game: str, options: str | None, position: Path | None) -> None:
    """Referee GAME from a list of actions, without a camera: one JSON object per line in, one ruling per line out."""
    from tablecoin.rules import load
    from tablecoin.rules.game import InputError
    from tablecoin.rules.judge import judge as rulings
    from tablecoin.rules.judge import read_position, read_start, short

    know_own_maps()
    try:
        rules = load(game)
        state = read_start(rules, options, read_position(position) if position else None)
    except InputError as error:
        raise UserError(short(error)) from None
    except OSError as error:
        raise UserError(
            f"{position} cannot be read ({error.strerror}): give a file with a state after --from."
        ) from None
    if sys.stdin is None:
        raise UserError("standard input is closed: give the actions there, one JSON object a line.")
    for ruling in rulings(rules, state, sys.stdin.buffer):
        print_json(ruling)


@click.command()
@click.argument("game", required=False)
@click.option("--lang", type=_LANGUAGE, default="en", show_default=True, help="The rulebook's language.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per game.")
def games(game: str | None, lang: str, as_json: bool) -> None:
    """List the games and every house rule with its default; or show the rulebook of one GAME."""
    from tablecoin.rules import NAMES
    from tablecoin.rules.judge import describe
    from tablecoin.rules.rulebook import clauses

    if game is not None:
        if game not in NAMES:
            raise UserError(f"there is no game {game[:40]!r}; the games are {', '.join(NAMES)}")
        if not as_json:
            for clause in clauses(game):
                click.echo(f"{clause.number:>5}  {clause.text(lang)}")
            return
    for described in map(describe, [game] if game else NAMES):
        if as_json:
            print_json(described)
            continue
        click.echo(f"{described['game']}: {described['title']['en']}, {described['title']['zh']}")
        for name, option in described["options"].items():
            click.echo(f"    {name} = {json.dumps(option['default'])}\n        {option['description']}")


@click.command()
@click.argument("record", type=GivenPath(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line of the record.")
def replay(record: Path, as_json: bool) -> None:
    """Replay a game's RECORD by the rules, and name the line where it departs from them."""
    from tablecoin.journal.record import RecordError, write_step
    from tablecoin.journal.record import replay as steps

    played = _read(record)
    try:
        for step in steps(played):
            if as_json:
                print_json(write_step(played, step))
            else:
                click.echo(f"{step.line}: {'' if step.ok else 'refused: '}{step.said}")
    except RecordError as error:
        raise UserError(f"{record} {error}") from None


@click.command()
@click.argument("record", type=GivenPath(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="The whole analysis as one JSON object.")
@click.option("--lang", type=_LANGUAGE, default="en", show_default=True, help="The report's language.")
@click.option(
    "--samples",
    type=click.IntRange(1, 100_000),
    default=200,
    show_default=True,
    help="Imagined games a state, where a game's chances are not exact.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the imagined games.")
def analyse(record: Path, as_json: bool, lang: str, samples: int, seed: int) -> None:
    """Tell luck from skill in a game's RECORD: chances, what each toss gave, what each decision cost."""
    from tablecoin.analysis import report
    from tablecoin.analysis.analysis import judge
    from tablecoin.analysis.line import from_the_draw, line_of
    from tablecoin.analysis.worth import Worth
    from tablecoin.journal.record import RecordError
    from tablecoin.opponents.value import load
    from tablecoin.rules.game import InputError
    from tablecoin.rules.rulebook import sentence

    know_own_maps()
    try:
        line = from_the_draw(line_of(_read(record)))
        found = judge(line, Worth(line, load(line.game.name), samples, seed), seed)
    except (RecordError, InputError) as error:
        raise UserError(f"{record} {error}") from None
    if as_json:
        print_json(found)
        return
    for message in report.report(line, found):
        click.echo(sentence(message, lang))


@click.command()
@click.argument("record", type=GivenPath(path_type=Path))
@click.option(
    "-o", "--output", required=True, type=GivenPath(dir_okay=False, path_type=Path), help="The file to write."
)
@click.option(
    "--analysis", type=GivenPath(path_type=Path), help="What `analyse --json` printed of it; else it is analysed now."
)
def export(record: Path, output: Path, analysis: Path | None) -> None:
    """Write a game's RECORD as one HTML file that opens with no network, to send to a friend."""
    from tablecoin.journal.record import RecordError
    from tablecoin.replay.steps import replay_of
    from web.game_file import TooLong, game_file

    know_own_maps()
    target = target_of(output, [record, analysis] if analysis else [record], "-o")
    played = _read(record)
    try:
        told = replay_of(played)
        data = game_file(told, _read_report(analysis, played) if analysis else _report(played))
    except RecordError as error:
        raise UserError(f"{record} {error}") from None
    except TooLong as error:
        raise UserError(f"{record}: {error}") from None
    try:
        target.write(data)
    except OSError as error:
        raise unwritable(output, error, "-o") from None


def _read_report(analysis: Path, record: Record) -> Report:
    """The analysis of the record in a file. Raises UserError."""
    from tablecoin.replay.report import MOST_BYTES, ReportError, read_report
    from tablecoin.storage import given

    try:
        return read_report(given.read(analysis, MOST_BYTES), record)
    except ReportError as error:
        raise UserError(f"{analysis}: {error}") from None
    except OSError as error:
        raise UserError(f"{analysis} cannot be read ({error.strerror}): give the file of its analysis.") from None


def _report(record: Record) -> Report | None:
    """The analysis of the record; None of a game whose chances nobody can tell. Raises RecordError."""
    import msgspec

    from tablecoin.analysis.analysis import analyse
    from tablecoin.replay.report import read_report
    from tablecoin.rules.game import InputError

    try:
        return read_report(msgspec.json.encode(analyse(record)), record)
    except InputError:
        return None


def _read(record: Path) -> Record:
    """The record in a file. Raises UserError."""
    from tablecoin.journal.record import LONGEST_LINE, RecordError, read_record
    from tablecoin.storage import given

    try:
        with given.opened(record) as lines:
            return read_record(iter(partial(lines.readline, LONGEST_LINE), b""))
    except RecordError as error:
        raise UserError(f"{record} {error}: give the record of a game as the table wrote it.") from None
    except OSError as error:
        raise UserError(f"{record} cannot be read ({error.strerror}): give the file of a game's record.") from None
