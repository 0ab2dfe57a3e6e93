"""What is no regular file, at every path of every command: the command tree itself names the paths.

`python -m tests.cli.odd_paths` prints a line for each, with the seconds that it took and what was said.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from tablecoin.cli import main
from tablecoin.journal.journal import Journal
from tests.fuzzing import seeds

PATIENCE_S = 15.0  # a command that takes longer hangs
LIBRARIES = ["calibration.command", "tablecoin.appliance", "tablecoin.checks.doctor", "web.club.app", "web.game_file"]
KINDS: dict[str, Callable[[Path], object]] = {
    "a pipe without its other end": os.mkfifo,
    "a folder": Path.mkdir,
    "a device": lambda path: path.symlink_to("/dev/zero"),
}
_NEEDED = {  # what else a command must be given, by the name of its parameter
    "record": "record.jsonl", "images": "photo.png", "image": "photo.png", "photo": "photo.png", "labels": "labels.csv",
    "lesson": "lesson.toml", "game": "steal", "name": "two-row", "file": "kept.backup", "output": "made.pdf",
}  # fmt: skip
_SETTINGS = {"camera": "virtual", "panel": "screen", "port": "0", "data": "data"}  # wherever they can be given
_ENDINGS = {"annotate": ".jpg", "output": ".html", "map_name": ".toml", "lesson": ".toml"}
_FILE = re.compile(r"file:PATH|\.toml file")  # in the help of a text that may name a file


class Argument(NamedTuple):
    """A path on the command line: the command's words, the parameter, and how the path is written."""

    words: tuple[str, ...]
    parameter: click.Parameter
    form: str

    @property
    def name(self) -> str:
        return f"{' '.join(self.words)} {self.parameter.opts[0]}"

    def takes(self, kind: str) -> bool:
        """Whether such a thing is right there."""
        path = self.parameter.type
        in_folder = self.parameter.name == "annotate" and "look" in self.words
        return kind == "a folder" and isinstance(path, click.Path) and (not path.file_okay or in_folder)


class Tried(NamedTuple):
    """What became of a command: None where it was ended because it hung."""

    status: int | None
    said: str
    seconds: float


def arguments(command: click.Command = main, words: tuple[str, ...] = ()) -> Iterator[Argument]:
    """Every path of this command and of those below it."""
    for parameter in command.params:
        text = f"{getattr(parameter, 'metavar', '')} {getattr(parameter, 'help', '')}"
        if isinstance(parameter.type, click.Path):
            yield Argument(words, parameter, "{}")
        elif found := _FILE.search(text):
            yield Argument(words, parameter, "file:{}" if "PATH" in found[0] else "{}")
    for name, inner in getattr(command, "commands", {}).items():
        yield from arguments(inner, (*words, name))


def command_of(argument: Argument) -> click.Command:
    command: click.Command = main
    for word in argument.words:
        command = getattr(command, "commands", {})[word]
    return command


def tried(argument: Argument, kind: str, folder: Path) -> Tried:
    """Give the command such a thing, and all else that it needs, in an empty folder."""
    lay_out(folder)
    name = argument.parameter.name or ""
    odd = folder / f"odd{'.pdf' if argument.words == ('mat',) and name == 'output' else _ENDINGS.get(name, '')}"
    KINDS[kind](odd)
    words = [*argument.words]
    for other in command_of(argument).params:
        if other is argument.parameter:
            value = argument.form.format(odd.name)
        elif other.required:
            value = _NEEDED[other.name or ""]
        elif other.name in _SETTINGS and isinstance(other, click.Option):
            value = _SETTINGS[other.name]
        else:
            continue
        words += [other.opts[0], value] if isinstance(other, click.Option) else [value]
    if argument.words == ("mat",) and name == "map_name":
        words[words.index("two-row")] = "coin-age"
    return apart(_command, folder, words)


def apart(work: Callable[..., None], folder: Path, *given: object) -> Tried:
    """Do the work in `folder`, in a process that has loaded the libraries; what it prints is what is said."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, *LIBRARIES])
    said = folder / "said"
    said.touch()
    process = context.Process(target=_work, args=(work, str(folder), *given))
    began_s = time.monotonic()
    process.start()
    process.join(PATIENCE_S)
    seconds = time.monotonic() - began_s
    if process.is_alive():
        process.kill()
        process.join()
        return Tried(None, said.read_text(), seconds)
    return Tried(process.exitcode, said.read_text(), seconds)


def lay_out(folder: Path) -> None:
    """What the commands need."""
    files = {
        "record.jsonl": seeds.RECORDS[0],
        "photo.png": next(seeds.pictures()),
        "labels.csv": seeds.LABELS,
        "lesson.toml": seeds.LESSON_TOML,
        "kept.backup": b"none",
        "data/journal.sqlite": _journal(),
    }
    (folder / "data").mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)


@cache
def _journal() -> bytes:
    """The file of a journal without a game."""
    with TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "journal.sqlite")
        journal.close()
        return journal.path.read_bytes()


def _work(work: Callable[..., None], folder: str, *given: object) -> None:
    os.chdir(folder)
    os.environ["XDG_DATA_HOME"] = folder
    for number, name, flags in ((0, os.devnull, os.O_RDONLY), (1, "said", os.O_WRONLY), (2, "said", os.O_WRONLY)):
        os.dup2(os.open(name, flags | os.O_APPEND), number)
    work(*given)


def _command(words: list[str]) -> None:
    main(words, prog_name="tablecoin")


if __name__ == "__main__":
    told = []
    for each in arguments():
        for kind in KINDS:
            if not each.takes(kind):
                with TemporaryDirectory() as made:
                    found = tried(each, kind, Path(made))
                told.append(found)
                last = (found.said.splitlines() or [""])[-1]
                print(f"{found.seconds:5.1f} s  {found.status}  {each.name}, {kind}: {last}", flush=True)
    hung = sum(found.status is None for found in told)
    sys.exit(f"{len(told)} tried, {hung} hung, the longest took {max(found.seconds for found in told):.1f} s")
