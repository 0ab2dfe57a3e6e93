"""The doors through which foreign content comes in: files, requests, pictures, words of the command line, frames.

Each door takes any bytes. It reads them, or raises one of its own errors; anything else is a fault of ours.
"""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from click.testing import CliRunner

from calibration.labels import LabelError, read_labels
from calibration.teach.lesson import TeachError, read_lesson
from calibration.teach.teach import Teacher
from tablecoin import mat as mats
from tablecoin import rules, settings
from tablecoin.cli import main
from tablecoin.journal import second_copy
from tablecoin.journal.record import RecordError, read_record, replay
from tablecoin.mat import MatError
from tablecoin.mat.coin_age import parse as parse_mat
from tablecoin.referee.commands import CommandError, read_command
from tablecoin.referee.referee import Referee
from tablecoin.rules.coin_age import maps
from tablecoin.rules.game import InputError
from tablecoin.rules.judge import judge, read_start
from tablecoin.virtual import memory
from tablecoin.virtual.script import ScriptError, play
from tablecoin.virtual.table import TableError, VirtualTable
from tablecoin.vision import calibrated
from tablecoin.vision.cameras import soundness
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.picture import decode_picture
from tablecoin.vision.cameras.sent import decode_sent
from tablecoin.vision.coins.enrolment import Enrolment, EnrolmentError
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.coins.remembered_file import RememberedError, unpacked
from tablecoin.vision.frame import Frame
from tests.fuzzing import seeds
from tests.web.fuzz import UNLIMITED
from tests.web.quiet import QuietTable
from web.app import create_app
from web.bodies import LearnBody, ScoredMap, StepBody, TapsBody, TossBody, read
from web.words import Refused

Feed = Callable[[bytes], object]


@dataclass(frozen=True)
class Door:
    """`feed` takes bytes, made up from `seeds`, and may raise `refuses` alone. Of all cases `share` come to it."""

    name: str
    kind: str  # file, request, picture, words or frame
    share: float
    seeds: Sequence[bytes]
    feed: Feed
    refuses: tuple[type[Exception], ...] = ()


@contextlib.contextmanager
def doors(folder: Path) -> Iterator[list[Door]]:
    """Every door. Files are written into `folder`."""
    live = QuietTable(folder / "table")
    yield _doors(folder, live)
    live.stop()


def _doors(folder: Path, live: QuietTable) -> list[Door]:
    network, maps_shipped = Identifier(), seeds.shipped_maps()
    coins, known = seeds.own_coins(folder, network), seeds.known_coins(network)
    pictures = list(seeds.pictures())
    return [
        Door("tablecoin.toml", "file", 0.08, [seeds.SETTINGS], _filed(folder, _set), (settings.SettingsError,)),
        Door("a map, by the rules", "file", 0.06, maps_shipped, _by_text(_mapped), (maps.MapError,)),
        Door("a map, by the mat", "file", 0.06, maps_shipped, _by_text(_laid), (MatError,)),
        Door("lesson.json", "file", 0.05, [seeds.LESSON], lambda data: read_lesson(data, "json"), (TeachError,)),
        Door("lesson.toml", "file", 0.05, [seeds.LESSON_TOML], lambda data: read_lesson(data, "toml"), (TeachError,)),
        Door("virtual.json", "file", 0.04, [seeds.VIRTUAL], _filed(folder, _restored)),
        Door("calibration.json", "file", 0.04, [seeds.calibration()], _filed(folder, calibrated.load)),
        Door("coins.npz", "file", 0.06, [coins], _filed(folder, Enrolment.load), (EnrolmentError,)),
        Door("known.npz", "file", 0.03, [known], lambda data: unpacked(data, network.recogniser), (RememberedError,)),
        Door("a record", "file", 0.06, seeds.RECORDS, _replayed, (RecordError,)),
        Door("the second copy", "file", 0.02, [seeds.SECOND_COPY], _filed(folder, second_copy.read)),
        Door("a position", "file", 0.04, seeds.positions(), _started, (InputError,)),
        Door("a script", "file", 0.03, [seeds.SCRIPT], _by_text(_played), (ScriptError,)),
        Door("labels.csv", "file", 0.04, [seeds.LABELS], _filed(folder, read_labels), (LabelError,)),
        Door("judge", "request", 0.06, seeds.LINES, _judged),
        Door("a command", "request", 0.06, seeds.COMMANDS, _commanded, (CommandError,)),
        Door("a body", "request", 0.06, seeds.BODIES, _body_read, (Refused, TableError, TeachError)),
        Door("a call", "request", 0.08, seeds.calls(), _called(folder, live)),
        Door("a picture file", "picture", 0.02, pictures, lambda data: decode_picture(data, "it"), (CameraError,)),
        Door("a picture sent", "picture", 0.03, pictures, lambda data: decode_sent(data, "it"), (CameraError,)),
        Door("the command line", "words", 0.02, seeds.WORDS, _commanded_by_words(folder)),
        Door("a frame", "frame", 0.01, [bytes(8)], _framed(Reader("none", identifier=network))),
    ]


# -- files -------------------------------------------------------------------------------------------------------------


def _filed(folder: Path, load: Callable[[Path], object]) -> Feed:
    """What `load` makes of a file with that content."""
    file = folder / "made-up"

    def feed(data: bytes) -> object:
        file.write_bytes(data)
        return load(file)

    return feed


def _by_text(read_text: Callable[[str], object]) -> Feed:
    """A file that is no UTF-8 is refused before anything looks at its text."""
    return lambda data: read_text(data.decode("utf-8", "replace"))


def _set(file: Path) -> object:
    loaded = settings.load(file)
    return loaded.data_dir, loaded.maps_dir


def _mapped(text: str) -> object:
    return maps.parse(text, "made-up")


def _laid(text: str) -> object:
    return parse_mat.__wrapped__(text, "made-up")  # past its cache


def _restored(file: Path) -> object:
    table = VirtualTable(mats.load("two-row"), seed=1)
    memory.keep(table, file)
    return table.to_json()


def _replayed(data: bytes) -> object:
    return list(replay(read_record(data.splitlines())))


def _started(data: bytes) -> object:
    named = next((name for name in rules.NAMES if f'"{name}"'.encode() in data), "steal")
    game = rules.load(named)
    state = read_start(game, None, data)
    return game.prompt(state), game.layout(state), game.public(state, None)


def _played(text: str) -> None:
    table = VirtualTable(mats.load("two-row"), seed=1)
    play(text, table, press=lambda button: None, wait=lambda seconds: None)


# -- requests ----------------------------------------------------------------------------------------------------------

_COMMANDS = ("start", "act", "press", "answer", "correct", "undo")
_STRUCTS = (LearnBody, ScoredMap, StepBody, TapsBody, TossBody)
_TABLE = VirtualTable(mats.load("two-row"), seed=1)
_TEACHER = Teacher(Path("nowhere"))  # it only guesses


def _judged(data: bytes) -> object:
    game = rules.load(rules.NAMES[len(data) % len(rules.NAMES)])
    return list(judge(game, game.start(game.read_options({})), io.BytesIO(data)))


def _commanded(data: bytes) -> object:
    """A command to a referee in a game, in the form in which the pages hand it on: {kind: body}."""
    try:
        asked = msgspec.json.decode(data)
    except (ValueError, RecursionError):  # the pages refuse it
        return None
    if not isinstance(asked, dict) or len(asked) != 1 or next(iter(asked)) not in _COMMANDS:
        return None
    ((kind, body),) = asked.items()
    referee = Referee(lambda events: True)
    referee.command(read_command("start", {"game": "steal", "options": {"starter": "heads"}}), None)
    referee.command(read_command(kind, body), None)
    return referee.snapshot()


def _body_read(data: bytes) -> object:
    """As each of the API's structs, and by what reads bodies by itself. Raises the last refusal where all refuse."""
    readers: list[Feed] = [partial(read, kind=kind) for kind in _STRUCTS]
    readers += [_TEACHER.guess, lambda body: _TABLE.put_json(read(body, dict))]
    refusal, found = None, []
    for each in readers:
        try:
            found.append(each(data))
        except (Refused, TableError, TeachError) as error:
            refusal = error
    if refusal and not found:
        raise refusal
    return found


def _called(folder: Path, live: QuietTable) -> Feed:
    """A call of the web API of a real table: its first line is method, path and media type."""
    app = create_app(live, teacher=Teacher(folder), rates=UNLIMITED)
    app.config["PROPAGATE_EXCEPTIONS"] = True
    client = app.test_client()

    def call(data: bytes) -> None:
        first, _, sent = data.partition(b"\n")
        method, path, media, *_ = [*first.decode("latin-1").replace("\r", "").split(" "), "", "", ""]
        waits = "after=" in path
        is_path = path.startswith("/") and not path.startswith("//")  # Flask's client takes the latter for a host
        if not method.isalpha() or not is_path or waits:
            return
        with client.open(path, method=method, data=sent, content_type=media) as answer:
            if answer.status_code >= 500:
                raise AssertionError(f"status {answer.status_code}")

    return call


# -- words and frames --------------------------------------------------------------------------------------------------

_HARMLESS = frozenset(words.split(b"\0")[0] for words in seeds.WORDS)  # serve, doctor and bench would run
_DTYPES = ("u1", "u1", "u1", "i1", "u2", "f4", "f8", "?", "O")
_SIDES = (0, 1, 40, 64, 240, 320)
_CHANNELS: tuple[tuple[int, ...], ...] = ((), (1,), (3,), (3,), (3,), (4,), (3, 1))


def _commanded_by_words(folder: Path) -> Feed:
    runner = CliRunner()

    def run(data: bytes) -> None:
        words = data.split(b"\0")
        if words[0] not in _HARMLESS:
            words.insert(0, b"look")
        inside = [word for word in words if not word.startswith((b"/", b"~")) and b".." not in word]
        with contextlib.chdir(folder):
            Path("record.jsonl").write_bytes(seeds.RECORDS[0])
            Path("labels.csv").write_bytes(seeds.LABELS)
            result = runner.invoke(main, [word.decode("utf-8", "replace") for word in inside], input=b"{}\n[\n")
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        if result.exit_code not in (0, 2):
            raise AssertionError(f"exit status {result.exit_code}")

    return run


def _framed(reader: Reader) -> Feed:
    def see(data: bytes) -> object:
        """A frame whose shape, kind of numbers and content follow from `data`."""
        chance = random.Random(data)
        shape = (chance.choice(_SIDES), chance.choice(_SIDES), *chance.choice(_CHANNELS))
        content = np.random.default_rng(len(data)).integers(0, 256, shape)
        cell = chance.choice((1, 8, 40))  # pixels of one colour: all else is refused as noise
        for axis in range(2):
            content = content[::cell].repeat(cell, 0)[: shape[axis]].swapaxes(0, 1)
        image: Any = (content // chance.choice((1, 4, 256))).astype(chance.choice(_DTYPES))
        return None if soundness.fault(image) else reader.read(Frame(image, 1, 0.0))

    return see
