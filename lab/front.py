"""The one front of the lab: `python -m lab --help` lists every command."""

from __future__ import annotations

from pathlib import Path

import click

from lab.chances.commands import chances
from lab.club.commands import club
from lab.enduring.commands import endure
from lab.language import CODE, begin
from lab.mutants.commands import mutants
from lab.publishing.commands import publish
from lab.reading.commands import read
from lab.refereeing.commands import contest, evenings, history, play, report, solve
from lab.siege.commands import besiege, cost_of_the_bar, scrub
from lab.training.commands import train
from tablecoin.cli.sentences import Front, UserError


@click.command("draft-language")
@click.argument("code")
@click.argument("name")
def draft_language(code: str, name: str) -> None:
    """Begin a translation: English beside every sentence, as CODE. NAME is what the language calls itself."""
    if not CODE.fullmatch(code):
        raise UserError(f"{code[:20]!r} is not a language's code: two small letters, such as de.")
    for path in begin(Path(), code, name):
        click.echo(path)


_SECTIONS: dict[str, tuple[click.Command, ...]] = {
    "Reader": (read,),
    "Referee and computer players": (play, report, evenings, contest, solve, chances),
    "Running table": (endure, besiege, scrub, cost_of_the_bar, publish, history, club),
    "Training": (train,),
    "Words": (draft_language,),
    "Tests": (mutants,),
}
_LIMIT = 95  # letters of a command's description
_WIDTH = 116  # of the help page, in letters, where the terminal is so wide


class _Lab(Front):
    """Lists the commands inside groups too, by section."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in _SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([row for command in commands for row in _rows(command)])


def _rows(command: click.Command) -> list[tuple[str, str]]:
    """(words after `python -m lab`, what they do) of a command, or of each command in a group."""
    name = command.name or ""
    if isinstance(command, click.Group):
        return [(f"{name} {words}", said) for inner in command.commands.values() for words, said in _rows(inner)]
    return [(name, command.get_short_help_str(_LIMIT))]


@click.group("lab", cls=_Lab, context_settings={"max_content_width": _WIDTH})
def main() -> None:
    """Measures of reader and referee, and training. COMMAND --help tells its options."""


for _commands in _SECTIONS.values():
    for _command in _commands:
        main.add_command(_command)
